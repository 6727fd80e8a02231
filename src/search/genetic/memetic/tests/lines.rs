//! Several lines.

use std::time::Duration;

use chess::ChessMove;

use super::{ONE_MOVE_IS_NOT_LOST, POSITIONS, position, run_in, run_with, strong};
use crate::evaluation::kashan::Kashan;
use crate::score::{Bound, Score};
use crate::search::clock::TimeSource;
use crate::search::genetic::memetic::Memetic;
use crate::search::genetic::memetic::lines::{Settled, WantedLine};
use crate::search::genetic::params::{GeneticOptions, Preset};
use crate::search::genetic::tree::{NodeId, ReservationTree};
use crate::search::time_control::Budget;
use crate::search::{Clock, Limits, Observer, Progress, Searcher as _, Variation};

#[test]
fn each_of_several_lines_is_exact_and_no_other_move_is_better() {
    let (mut ranked, mut deepest) = (0, 0);
    for (fen, lines) in POSITIONS[..4].iter().flat_map(|fen| [2, 3, 5].map(|lines| (fen, lines))) {
        let limits = Limits { nodes: Some(20_000), lines, ..Limits::default() };
        let options = GeneticOptions { leaf_depth: 4, ..Preset::Strong.options() };
        run_with(&options, &position(fen), 0, &limits, &Clock::unlimited(), |search| {
            assert_eq!(search.others.len() + 1, lines);
            let tree = &search.search.tree;
            // The one in hand was not settled when the search ended.
            let settled: Vec<_> = search.others.iter().filter_map(|line| line.settled.as_ref()).collect();
            assert_eq!(settled.len() + 1, lines);
            for (line, Settled { path, value, .. }) in search.others.iter().zip(&settled) {
                let head = path[1];
                assert_eq!(tree.value(head), Some(*value), "{fen}");
                assert!(path[1..].iter().copied().eq(tree.best_branch(head)), "{fen}");
                let (end, level) = (path[path.len() - 1], path.len() as i32 - 1);
                let is_exact = search.end(end).bound == Bound::Exact;
                let is_deep = level + search.end(end).depth >= line.depth;
                assert!(is_exact && is_deep || tree.is_terminal(end), "{fen}");
                assert_eq!(search.incomplete(path), None, "{fen}: every reply is in the tree");
                deepest = deepest.max(line.depth);
            }
            let heads: Vec<NodeId> = search.all_lines().filter_map(WantedLine::head).collect();
            assert!((1..heads.len()).all(|n| !heads[n..].contains(&heads[n - 1])), "{fen}: {heads:?}");
            // The open one is in hand: what it is compared with is about to change.
            if search.line.is_open {
                return;
            }
            let worth = |node: NodeId| search.search.for_mover(tree.value(node).expect("it was valued"));
            let worst = settled.iter().map(|settled| worth(settled.path[1])).min().expect("there are others");
            for node in tree.children(tree.root()).filter(|node| !heads.contains(node)) {
                assert!(worth(node) <= worst, "{fen}: {lines} lines");
                ranked += 1;
            }
        });
    }
    assert!(ranked > 0 && deepest > 5, "{ranked} {deepest}");
}

/// Where one line has nothing left to find, the others go on.
#[test]
fn a_mate_in_one_line_does_not_end_the_others() {
    let root = position("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    let limits = Limits { nodes: Some(30_000), lines: 3, ..Limits::default() };
    run_with(&Preset::Strong.options(), &root, 0, &limits, &Clock::unlimited(), |search| {
        let lines = search.lines();
        assert_eq!(lines[0].1, Score::mate_in(1));
        assert!(!lines[1].1.is_mate() && lines[1].1 >= lines[2].1, "{lines:?}");
        assert!(search.depth_of_all() > 6, "{}", search.depth_of_all());
        search.remove_unborn();
        search.withdraw_claims();
        assert_eq!(search.report().score, Score::mate_in(1));
    });
}

/// A line that falls behind the others is compared with the moves that lead none before it is told again.
#[test]
fn the_least_line_is_compared_with_all_other_moves() {
    let limits = Limits { depth: Some(5), lines: 3, ..Limits::default() };
    let root = position(POSITIONS[0]);
    run_with(&Preset::Strong.options(), &root, 0, &limits, &Clock::unlimited(), |search| {
        assert!(search.all_lines().all(|line| line.depth == 5), "the limit is that of every line");
        let worth = |search: &Memetic<'_, Kashan>, node: NodeId| {
            search.search.for_mover(search.search.tree.value(node).expect("it was valued"))
        };
        // The best line falls as if it had just been found out to be bad.
        let head = search.best_line().head().expect("it was settled");
        let low = Score(-400);
        let white = search.search.for_mover(low);
        let path = [search.search.tree.root(), head];
        search.search.tree.set_own(head, 1, white, false);
        search.search.tree.back_up(&path);
        let line = search.others.iter_mut().chain([&mut search.line]).find(|line| line.head() == Some(head));
        line.and_then(|line| line.settled.as_mut()).expect("it was settled").value = white;
        assert!(search.take_turns());
        assert_eq!((search.line.head(), search.line.is_open), (Some(head), true));
        assert!((0..10_000).any(|_| search.settle_best().expect("there is no other limit")));
        let heads: Vec<NodeId> = search.all_lines().filter_map(WantedLine::head).collect();
        assert!(heads.len() == 3 && !heads.contains(&head), "another move leads the third line");
        let least = heads.iter().map(|&node| worth(search, node)).min().expect("there are three");
        for node in search.search.tree.children(path[0]).filter(|node| !heads.contains(node)) {
            assert!(worth(search, node) <= least);
        }
    });
}

/// A line about which nothing was left to find out has not stayed behind when it is compared again.
#[test]
fn a_line_that_was_put_aside_is_opened_at_the_depth_of_the_others() {
    let limits = Limits { nodes: Some(20_000), lines: 3, ..Limits::default() };
    run_with(&Preset::Strong.options(), &position(POSITIONS[0]), 0, &limits, &Clock::unlimited(), |search| {
        search.put_aside().expect("the others go on");
        let depth = search.others.iter().map(|line| line.depth).min().expect("there are others");
        let head = search.line.head().expect("it was settled");
        (search.line.depth, search.line.is_open) = (1, false);
        let worst = search.search.for_mover(Score(-400));
        search.line.settled.as_mut().expect("it was settled").value = worst;
        assert!(search.take_turns());
        assert_eq!((search.line.head(), search.line.is_open, search.line.depth), (Some(head), true, depth));
    });
}

/// The search ends before the values of the second and third line, of which one has got worse, are made exact
/// again.
#[test]
fn what_has_got_worse_is_told_as_a_bound_at_the_end() {
    let limits = Limits { depth: Some(5), lines: 3, ..Limits::default() };
    run_with(&Preset::Strong.options(), &position(POSITIONS[0]), 0, &limits, &Clock::unlimited(), |search| {
        let settled = search.lines();
        search.withdraw_claims();
        let report = search.report();
        assert_eq!((report.variation[0], report.bound), (settled[0].0[0], Bound::Exact));
        let told = |search: &Memetic<'_, Kashan>, lines: &[(Variation, Score)]| {
            search.last_lines(lines.to_vec(), &report).iter().map(|line| (line.1, line.2)).collect::<Vec<_>>()
        };
        let exact: Vec<_> = settled.iter().map(|line| (line.1, Bound::Exact)).collect();
        assert_eq!(told(search, &settled), exact);
        // The second line was better than what is played.
        let mut better = settled.clone();
        better[1].1 = search.search.for_mover(report.score + 30);
        assert_eq!(told(search, &better), [exact[0], (exact[0].0, Bound::Upper), exact[2]]);
        // The third line falls.
        let root = search.search.tree.root();
        let third = search.search.tree.child(root, settled[2].0[0]).expect("it is in the tree");
        search.search.tree.set_own(third, 1, search.search.for_mover(Score(-400)), false);
        search.search.tree.back_up(&[root, third]);
        assert_eq!(told(search, &settled), [exact[0], exact[1], (exact[2].0, Bound::Upper)]);
    });
}

#[test]
fn what_was_exact_is_exact_after_room_was_made() {
    let (mut incomplete, mut best_incomplete) = (0, 0);
    let options = GeneticOptions { leaf_depth: 3, ..Preset::Strong.options() };
    let searches = POSITIONS[..4].iter().flat_map(|fen| (4_000..14_000).step_by(500).map(move |n| (fen, n)));
    for ((fen, nodes), capacity) in searches.flat_map(|search| [800, 1_100, 1_500].map(|some| (search, some)))
    {
        let limits = Limits { nodes: Some(nodes), lines: 3, ..Limits::default() };
        let mut tree = ReservationTree::with_capacity(capacity);
        run_in(&mut tree, &options, &position(fen), 0, &limits, &Clock::unlimited(), |search| {
            search.remove_unborn();
            let before = search.lines();
            // No value changes.
            search.search.tree.cull(|| true);
            assert_eq!(search.lines(), before, "{fen}");
            search.keep_best_line();
            for settled in search.known.iter().chain(&search.line.settled) {
                let end = settled.path[settled.path.len() - 1];
                if search.search.tree.value(end) == Some(settled.value) {
                    assert!(search.is_known(&settled.path), "{fen}");
                    incomplete += usize::from(!search.is_settled(&settled.path));
                }
            }
            search.walk_best();
            if search.line.settled.as_ref().is_some_and(|settled| settled.path == search.path) {
                best_incomplete += usize::from(search.incomplete(&search.path[..search.level()]).is_some());
                search.withdraw_claims();
                let report = search.report();
                let value = search.search.for_mover(before[0].1);
                assert_eq!((report.score, report.bound), (value, Bound::Exact), "{fen}, {nodes}");
            }
        });
    }
    assert!(incomplete > 5 && best_incomplete > 0, "{incomplete} {best_incomplete}");
}

/// Who waits for a move waits no longer when the best line cannot get any better.
#[test]
fn with_a_clock_a_mate_ends_the_search_of_several_lines() {
    let budget = Budget { soft: Duration::from_secs(60), hard: Duration::from_secs(60) };
    let clock = Clock::start(TimeSource::Nodes { per_second: 1_000 }, Some(budget));
    let limits = Limits { lines: 3, ..Limits::default() };
    let root = position("r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1");
    let report = strong().search(&root, &limits, &clock, &mut ());
    assert!(report.score == Score::mate_in(3) && report.nodes < 15_000, "{report:?}");
}

/// Takes down the lines that are told, those of one moment together.
#[derive(Default)]
struct Groups {
    lines: Vec<Vec<(Option<ChessMove>, Score, Bound)>>,
    depths: Vec<u32>,
}

impl Observer for Groups {
    fn progress(&mut self, progress: &Progress<'_>) {
        if progress.rank == 1 {
            self.lines.push(Vec::new());
            self.depths.push(progress.depth);
        }
        let line = (progress.variation.first().copied(), progress.score, progress.bound);
        self.lines.last_mut().expect("the best is told first").push(line);
    }
}

#[test]
fn all_lines_are_told_in_order_and_the_last_ones_are_those_of_the_end() {
    let mut bounds = 0;
    for (fen, nodes) in POSITIONS
        .iter()
        .chain([
            &ONE_MOVE_IS_NOT_LOST,
            &"6k1/5ppp/8/8/8/8/4RPPP/3R2K1 w - - 0 1",
            &"8/8/8/3k4/8/3K4/8/R7 w - - 97 100",
        ])
        .flat_map(|fen| (300..4_000).step_by(300).chain([10_000, 30_000]).map(move |nodes| (fen, nodes)))
    {
        let limits = Limits { nodes: Some(nodes), lines: 3, ..Limits::default() };
        let mut groups = Groups::default();
        let report = strong().search(&position(fen), &limits, &Clock::unlimited(), &mut groups);
        assert!(groups.depths.is_sorted(), "{fen}, {nodes}: {:?}", groups.depths);
        for group in &groups.lines {
            assert!(group.is_sorted_by(|a, b| a.1 >= b.1), "{fen}, {nodes}: {group:?}");
            let firsts: Vec<_> = group.iter().map(|line| line.0).collect();
            assert!((1..firsts.len()).all(|n| !firsts[n..].contains(&firsts[n - 1])), "{fen}: {group:?}");
        }
        let (last, before) = groups.lines.split_last().expect("something was told");
        assert!(before.iter().flatten().all(|line| line.2 == Bound::Exact), "{fen}, {nodes}");
        assert_eq!(last[0], (report.best_move(), report.score, report.bound), "{fen}, {nodes}");
        assert!(nodes < 1_000 || last.len() == 3, "{fen}, {nodes}: {last:?}");
        bounds += usize::from(last[0].2 != Bound::Exact);
    }
    assert!(bounds > 0, "a search may end when a claim stands, but is not exact");
}

/// Branches that end with the game get no deeper, and must not keep the other lines waiting.
#[test]
fn a_line_that_ends_with_the_game_keeps_up_with_the_others() {
    // White is lost but for the fifty moves, which end the game in four half-moves unless the pawn moves.
    let root = position("8/8/8/4k3/8/r7/7P/6K1 w - - 96 100");
    let options = GeneticOptions { leaf_depth: 1, ..Preset::Strong.options() };
    let limits = Limits { nodes: Some(30_000), lines: 6, ..Limits::default() };
    run_with(&options, &root, 0, &limits, &Clock::unlimited(), |search| {
        let lines = search.lines();
        assert!(lines[0].1 == Score::DRAW && lines[5].1 < Score(-200), "{lines:?}");
        let depths: Vec<i32> = search.all_lines().map(|line| line.depth).collect();
        assert!(depths.iter().all(|&depth| depth > 6), "{depths:?}");
    });
}

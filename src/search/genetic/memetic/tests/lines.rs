//! Several lines.

use chess::ChessMove;

use super::{ONE_MOVE_IS_NOT_LOST, POSITIONS, position, run_with, strong};
use crate::evaluation::kashan::Kashan;
use crate::score::{Bound, Score};
use crate::search::genetic::memetic::Memetic;
use crate::search::genetic::memetic::lines::{Settled, WantedLine};
use crate::search::genetic::params::{GeneticOptions, Preset};
use crate::search::genetic::tree::NodeId;
use crate::search::{Clock, Limits, Observer, Progress, Searcher as _};

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
        while !search.settle_best().expect("there is no other limit") {}
        let heads: Vec<NodeId> = search.all_lines().filter_map(WantedLine::head).collect();
        assert!(heads.len() == 3 && !heads.contains(&head), "another move leads the third line");
        let least = heads.iter().map(|&node| worth(search, node)).min().expect("there are three");
        for node in search.search.tree.children(path[0]).filter(|node| !heads.contains(node)) {
            assert!(worth(search, node) <= least);
        }
    });
}

/// Takes down the lines that are told, those of one moment together.
#[derive(Default)]
struct Groups(Vec<Vec<(Option<ChessMove>, Score, Bound)>>);

impl Observer for Groups {
    fn progress(&mut self, progress: &Progress<'_>) {
        if progress.rank == 1 {
            self.0.push(Vec::new());
        }
        let line = (progress.variation.first().copied(), progress.score, progress.bound);
        self.0.last_mut().expect("the best is told first").push(line);
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
        for group in &groups.0 {
            assert!(group.is_sorted_by(|a, b| a.1 >= b.1), "{fen}, {nodes}: {group:?}");
            let firsts: Vec<_> = group.iter().map(|line| line.0).collect();
            assert!((1..firsts.len()).all(|n| !firsts[n..].contains(&firsts[n - 1])), "{fen}: {group:?}");
        }
        let (last, before) = groups.0.split_last().expect("something was told");
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

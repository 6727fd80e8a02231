//! What the rules of the preset `strong` promise.

use std::time::Duration;

use chess::ChessMove;
use cpu_time::ThreadTime;
use rand::SeedableRng as _;
use rand::rngs::Xoshiro256PlusPlus;

use super::lines::{Settled, WantedLine};
use super::{End, Memetic};
use crate::evaluation::kashan::Kashan;
use crate::position::{Line, MoveList, Position, legal_moves};
use crate::score::{Bound, Score};
use crate::search::action::{Advice, Adviser};
use crate::search::alphabeta::leaf::{LeafMemory, LeafSearch};
use crate::search::clock::TimeSource;
use crate::search::genetic::history::History;
use crate::search::genetic::params::{GeneticOptions, Preset};
use crate::search::genetic::report::News;
use crate::search::genetic::search::Search;
use crate::search::genetic::selection::fittest;
use crate::search::genetic::tree::{NodeId, ReservationTree};
use crate::search::genetic::{FromLibrary, Genetic};
use crate::search::time_control::Budget;
use crate::search::{
    AlphaBetaOptions, Clock, Generation, Limits, Observer, Progress, SearchReport, Searcher as _, Variation,
};

const POSITIONS: [&str; 5] = [
    "r1bq1rk1/pp2ppbp/2n2np1/2ppN3/5P2/1P2P3/PBPPB1PP/RN1Q1RK1 b - - 3 8",
    // Castling, en passant, promotions and checks within a few moves.
    "r3k2r/pP1pqpb1/bn3np1/2pPN3/1p2P3/2N2Q1p/PP1BBPPP/R3K2R w KQkq c6 0 2",
    "8/1p3k2/p4p2/P1P2p1p/1P3P1P/2K5/8/8 w - - 0 40",
    "5rk1/pp3p1p/3p2p1/2qPb3/2P1Q3/1P4P1/P4PBP/4R1K1 b - - 0 25",
    // A rook up, and near the fifty moves.
    "8/8/4k3/8/8/4K3/4R3/8 w - - 92 120",
];

fn strong() -> Genetic<Kashan> {
    Genetic::new(Kashan::default(), Preset::Strong.options())
}

fn position(fen: &str) -> Position {
    Position::from_fen(fen).expect("the position is written correctly")
}

fn search_nodes(search: &mut Genetic<Kashan>, root: &Position, nodes: u64) -> SearchReport {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    search.search(root, &limits, &Clock::unlimited(), &mut ())
}

fn search_together(search: &mut Genetic<Kashan>, root: &Position, nodes: u64) -> SearchReport {
    let limits = Limits { nodes: Some(nodes), threads: 2, ..Limits::default() };
    search.search(root, &limits, &Clock::unlimited(), &mut ())
}

#[test]
fn branches_are_legal_and_values_are_those_of_their_ends() {
    for fen in POSITIONS {
        let root = position(fen);
        for (nodes, threads, lines) in [
            (100, 1, 1),
            (1_000, 1, 1),
            (15_000, 1, 1),
            (1_000, 2, 1),
            (15_000, 2, 1),
            (1_000, 1, 3),
            (15_000, 2, 3),
        ] {
            let mut search = strong();
            let limits = Limits { nodes: Some(nodes), threads, lines, ..Limits::default() };
            let report = search.search(&root, &limits, &Clock::unlimited(), &mut ());
            let mut game = root.clone();
            for &mv in &report.variation {
                assert!(
                    game.outcome().is_none() || game.outcome().is_some_and(|end| end.result() == "1/2-1/2")
                );
                game.play(mv).unwrap_or_else(|error| panic!("{:?} in {fen}: {error}", report.variation));
            }
            assert_eq!(search.colonies.len(), threads);
            for colony in &search.colonies {
                let tree = colony.tree.as_ref().expect("it has searched");
                tree.visit(|node, genes| {
                    let mut line = Line::new(&root);
                    for &gene in genes {
                        assert!(legal_moves(line.board()).contains(&gene), "{genes:?} in {fen}");
                        line.make(gene);
                    }
                    let values =
                        tree.children(node).filter_map(|child| tree.value(child)).chain(tree.own_value(node));
                    let best = if tree.is_max(genes.len()) { values.max() } else { values.min() };
                    assert_eq!(tree.value(node), best, "{genes:?} in {fen}");
                });
            }
        }
    }
}

#[test]
fn two_workers_share_positions_and_memory() {
    let root = position(POSITIONS[0]);
    let (mut alone, mut both) = (strong(), strong());
    let one = search_nodes(&mut alone, &root, 30_000);
    let two = search_together(&mut both, &root, 30_000);
    assert!((15_000..=30_000).contains(&two.nodes), "{}", two.nodes);
    let nodes = |search: &Genetic<Kashan>| search.history().snapshots().last().map(|last| last.nodes);
    assert_eq!(nodes(&alone), Some(one.nodes));
    assert!(nodes(&both).is_some_and(|of_first| of_first <= 15_000), "{:?}", nodes(&both));
    let capacity = |search: &Genetic<Kashan>| -> usize {
        search.colonies.iter().filter_map(|colony| colony.tree.as_ref()).map(ReservationTree::capacity).sum()
    };
    assert!(capacity(&both) <= capacity(&alone));
    // Nothing that the second has learned is left for the one that searches alone in a new game.
    both.new_game();
    let again = search_nodes(&mut both, &root, 30_000);
    assert_eq!((one.variation, one.score), (again.variation, again.score));
}

#[test]
fn the_first_move_of_the_fittest_branch_is_played() {
    for fen in POSITIONS {
        let root = position(fen);
        for nodes in (500..6_000).step_by(500) {
            let mut search = strong();
            let report = search_nodes(&mut search, &root, nodes);
            let tree = search.tree().expect("it has searched");
            let best = tree.best_child(tree.root()).map(|node| tree.gene(node));
            assert_eq!(report.best_move(), best, "{fen}, {nodes} nodes");
            let mut branches = Vec::new();
            fittest(tree, 1, &mut branches);
            assert_eq!(tree.gene(branches[0].nodes()[0]), best.expect("there are moves"));
            let value = tree.value(tree.root()).expect("a branch has ended");
            let white = root.side_to_move() == chess::Color::White;
            assert_eq!(report.score, if white { value } else { -value }, "{fen}, {nodes} nodes");
        }
    }
}

#[test]
fn leaf_searches_are_bounded_and_selection_has_nearly_all_positions() {
    for fen in POSITIONS {
        let root = position(fen);
        let mut search = strong();
        let report = search_nodes(&mut search, &root, 60_000);
        let statistics = search.statistics();
        assert!(statistics.first_nodes > 0 && statistics.first_nodes * 10 < report.nodes, "{statistics:?}");
        let share = search.options.leaf_share as u64;
        let most = (report.nodes * share / 100).max(super::leaves::SMALL_LEAF);
        assert!(statistics.largest_leaf <= most, "{fen}: {statistics:?}");
        assert!(statistics.leaves > statistics.generations && statistics.generations > 50, "{statistics:?}");
    }
}

/// With a share so small that many questions are passed on to the moves below.
#[test]
fn what_is_too_large_for_a_leaf_becomes_branches() {
    let root = position(POSITIONS[0]);
    for (share, passes_on) in [(1, true), (100, false)] {
        let mut search = strong();
        search.options.leaf_share = share;
        search_nodes(&mut search, &root, 60_000);
        assert_eq!(search.statistics().passed_on > 0, passes_on, "{:?}", search.statistics());
    }
}

/// Else a branch could end above its end, and would be searched again for ever.
#[test]
fn what_has_grown_has_no_value_of_its_own() {
    let mut passed_on = 0;
    for fen in &POSITIONS[..4] {
        let mut search = strong();
        search.options.leaf_share = 1;
        search.options.leaf_depth = 4;
        let limits = Limits { depth: Some(9), nodes: Some(500_000), ..Limits::default() };
        let report = search.search(&position(fen), &limits, &Clock::unlimited(), &mut ());
        // A search that is cut short leaves what was just growing as it is.
        assert!(report.nodes < 500_000, "{fen}");
        passed_on += search.statistics().passed_on;
        let tree = search.tree().expect("it has searched");
        let is_both = |node: &NodeId| tree.has_children(*node) && tree.own_value(*node).is_some();
        tree.visit(|node, genes| assert!(!is_both(&node), "{genes:?} in {fen}"));
    }
    assert!(passed_on > 0);
}

#[test]
fn the_same_limit_gives_the_same_search() {
    for fen in POSITIONS {
        let root = position(fen);
        let run = || {
            let mut search = strong();
            let first = search_nodes(&mut search, &root, 8_000);
            let second = search_nodes(&mut search, &root, 8_000);
            (first.variation, first.score, second.variation, second.score, search.statistics())
        };
        assert_eq!(run(), run(), "{fen}");
    }
    let mut search = strong();
    let root = position(POSITIONS[0]);
    let fresh = search_nodes(&mut search, &root, 8_000);
    search.new_game();
    let again = search_nodes(&mut search, &root, 8_000);
    assert_eq!((fresh.variation, fresh.score), (again.variation, again.score), "a new game forgets all");
}

#[test]
fn node_limits_are_exact_and_any_limit_gives_a_move() {
    for fen in &POSITIONS[..4] {
        let root = position(fen);
        for nodes in [1, 2, 20, 255, 256, 257, 3_000] {
            let report = search_nodes(&mut strong(), &root, nodes);
            assert_eq!(report.nodes, nodes, "{fen}");
            assert!(root.is_legal(report.best_move().expect("there are moves")));
        }
    }
    let clock = Clock::unlimited();
    clock.stop();
    let report = strong().search(&position(POSITIONS[1]), &Limits::default(), &clock, &mut ());
    assert_eq!((report.nodes, report.variation.len()), (0, 1));
}

#[test]
fn a_full_tree_lets_branches_die_and_the_search_goes_on() {
    let root = position(POSITIONS[0]);
    for lines in [1, 3] {
        let mut search = strong();
        // So small that it has to make room again and again, for branches that grow early.
        search.options.leaf_depth = 5;
        search.colonies[0].tree = Some(ReservationTree::with_capacity(700));
        let limits = Limits { nodes: Some(60_000), lines, ..Limits::default() };
        let report = search.search(&root, &limits, &Clock::unlimited(), &mut ());
        assert_eq!(report.nodes, 60_000, "went on to its limit");
        let statistics = search.statistics();
        assert!(statistics.culls >= 2, "{statistics:?}");
        let tree = search.tree().expect("it has searched");
        assert!(tree.len() <= 700, "{}", tree.len());
        assert!(root.is_legal(report.best_move().expect("there are moves")));
        tree.visit(|node, _| assert!(tree.value(node).is_some(), "no unborn node is left"));
    }
}

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
            let heads: Vec<NodeId> =
                search.others.iter().chain([&search.line]).filter_map(WantedLine::head).collect();
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

#[test]
fn the_deadline_holds() {
    const LATE: Duration = Duration::from_millis(15);
    let budget = Budget { soft: Duration::from_millis(10), hard: Duration::from_millis(10) };
    for (threads, lines) in [(1, 1), (2, 1), (1, 4)] {
        let mut search = strong();
        let limits = Limits { threads, lines, ..Limits::default() };
        // The first search makes the tables, whose memory the system gives when it is touched.
        let first = Limits { nodes: Some(40_000), ..limits.clone() };
        search.search(&position(POSITIONS[0]), &first, &Clock::unlimited(), &mut ());
        for fen in POSITIONS {
            let root = position(fen);
            // Processor time: a busy machine may stop the thread at any moment.
            let start = ThreadTime::now();
            let clock = Clock::start(TimeSource::Wall, Some(budget));
            let report = search.search(&root, &limits, &clock, &mut ());
            let used = start.elapsed();
            assert!(root.is_legal(report.best_move().expect("there are moves")));
            assert!(used < budget.hard + LATE, "{used:?} in {fen}, {threads} threads, {lines} lines");
        }
    }
}

#[test]
fn mates_and_draws_are_exact() {
    for (fen, san, distance) in [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "Rd8#", 1),
        ("3r2k1/8/8/8/8/8/5PPP/6K1 b - - 0 1", "Rd1#", 1),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "Ra6", 3),
    ] {
        let root = position(fen);
        let report = search_nodes(&mut strong(), &root, 60_000);
        assert_eq!(root.san(report.best_move().expect("there are moves")), san, "{fen}");
        assert_eq!(report.score, Score::mate_in(distance), "{fen}");
        assert!(report.nodes < 60_000, "a mate that cannot be shorter leaves nothing to decide");
    }
    let stalemating = position("7k/8/5K2/8/8/8/8/8 w - - 0 1");
    assert_eq!(search_nodes(&mut strong(), &stalemating, 5_000).score, Score::DRAW);
    let mated = position("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1");
    assert_eq!(search_nodes(&mut strong(), &mated, 1_000).best_move(), None);
}

/// Black mates on g2 unless the queen takes the pawn that guards it.
const ONE_MOVE_IS_NOT_LOST: &str = "5r1k/pp4pp/8/3p4/8/1Q3pPq/P4P1P/R4RK1 w - - 0 1";

/// The search of the worker with that number, which ends by its clock or after 20,000 positions. `look` sees
/// it then.
fn run_worker(root: &Position, number: usize, clock: &Clock, look: impl FnOnce(&mut Memetic<'_, Kashan>)) {
    run_limited(root, number, 20_000, clock, look);
}

fn run_limited(
    root: &Position,
    number: usize,
    nodes: u64,
    clock: &Clock,
    look: impl FnOnce(&mut Memetic<'_, Kashan>),
) {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    run_with(&Preset::Strong.options(), root, number, &limits, clock, look);
}

fn run_with(
    options: &GeneticOptions,
    root: &Position,
    number: usize,
    limits: &Limits,
    clock: &Clock,
    look: impl FnOnce(&mut Memetic<'_, Kashan>),
) {
    let evaluator = Kashan::default();
    let mut tree = ReservationTree::with_capacity(10_000);
    let (mut memory, leaf_options) = (LeafMemory::new(1), AlphaBetaOptions::default());
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let search = Search::new(&evaluator, options, &mut tree, &mut random, root, limits, clock);
    let desk = memory.open(1).pop().expect("one worker has one desk");
    let leaf = LeafSearch::new(&evaluator, &leaf_options, desk, root, clock);
    let mut search = Memetic::new(search, leaf, number);
    search.run(&mut History::default(), &mut News::default(), &mut ());
    look(&mut search);
}

#[test]
fn what_is_proved_to_be_lost_takes_no_more_positions() {
    run_worker(&position(ONE_MOVE_IS_NOT_LOST), 0, &Clock::unlimited(), |search| {
        let tree = &search.search.tree;
        let lost = |&node: &NodeId| tree.value(node).is_some_and(Score::is_lost);
        let lost: Vec<NodeId> = tree.children(tree.root()).filter(lost).collect();
        assert_eq!(lost.len() + 1, search.search.root_moves.len());
        assert!(search.line.depth >= 8, "without a clock it goes on: {}", search.line.depth);
        assert!(lost.iter().all(|&node| search.end(node).depth <= 3), "they stay as they are");
        assert!(search.is_forced());
    });
}

/// As where the best move was refuted by a quick mate, and a branch was only asked whether it is better than
/// that: it is no more than not mated as soon.
#[test]
fn a_mate_that_is_a_bound_from_below_proves_nothing() {
    run_worker(&position(ONE_MOVE_IS_NOT_LOST), 0, &Clock::unlimited(), |search| {
        let tree = &search.search.tree;
        let is_end =
            |&node: &NodeId| tree.value(node).is_some_and(Score::is_lost) && !tree.has_children(node);
        let end = tree.children(tree.root()).find(is_end).expect("a lost move");
        search.know_end(end, End { depth: 1, bound: Bound::Lower });
        assert!(!search.is_forced());
        let selected = search.select().expect("something is left to ask");
        assert_eq!(selected.path.last(), Some(&end), "it is far behind the others");
    });
}

/// As if the time was over just when the best branch was settled.
fn end_settled(search: &mut Memetic<'_, Kashan>) {
    search.remove_unborn();
    search.withdraw_claims();
    search.line.depth = search.level() as i32 + search.end(search.node()).depth;
}

/// Makes a move of the root seem better than the best one by 20 centipawns.
fn claim(search: &mut Memetic<'_, Kashan>, node: NodeId, end: End) {
    let (root, value) = (search.search.tree.root(), search.search.root_value());
    let better = if search.search.tree.is_max(0) { value + 20 } else { value - 20 };
    search.know_end(node, end);
    search.search.tree.set_own(node, 1, better, false);
    search.search.tree.back_up(&[root, node]);
    assert_eq!(search.search.tree.best_child(root), Some(node));
}

/// Gives the best move, which is Black's, another reply, worth something from White's point of view and asked
/// to the full depth, or to less. Returns the other moves that have no replies in the tree.
fn answer_best_move(search: &mut Memetic<'_, Kashan>, value: Score, is_shown: bool) -> Vec<NodeId> {
    let (root, settled) = (search.search.tree.root(), search.path[1]);
    search.path = vec![root, settled];
    let mv = search.moves_here().into_iter().next_back().expect("White has moves");
    let reply = search.search.tree.child(settled, mv);
    let reply = reply.unwrap_or_else(|| search.search.tree.insert(settled, 2, mv));
    let depth = search.line.depth - if is_shown { 2 } else { 4 };
    search.know_end(reply, End { depth, bound: Bound::Lower });
    search.search.tree.set_own(reply, 2, value, false);
    search.search.tree.back_up(&[root, settled, reply]);
    let tree = &search.search.tree;
    let is_end = |node: &NodeId| *node != settled && !tree.has_children(*node);
    tree.children(root).filter(is_end).collect()
}

/// The first move after claims were withdrawn, and whether it is that of the settled branch.
fn withdraw(search: &mut Memetic<'_, Kashan>) -> (NodeId, bool) {
    search.withdraw_claims();
    let first = search.path[1];
    let settled = search.line.settled.as_ref().and_then(|settled| settled.first);
    (first, Some(search.search.tree.gene(first)) == settled)
}

#[test]
fn a_claim_stands_at_the_end_if_it_was_asked_to_the_full_depth() {
    // White's move and Black's.
    for fen in [POSITIONS[2], POSITIONS[0]] {
        let shown =
            if position(fen).side_to_move() == chess::Color::White { Bound::Lower } else { Bound::Upper };
        for (bound, behind, has_child, has_own, stands) in [
            (shown, 0, false, true, true),
            (Bound::Exact, 0, false, true, true),
            (shown.for_opponent(), 0, false, true, false),
            (shown, 1, false, true, false),
            // Made exact by all its moves, when the time was over.
            (shown, 0, true, true, true),
            (shown, 0, true, false, false),
        ] {
            run_worker(&position(fen), 0, &Clock::unlimited(), |search| {
                end_settled(search);
                let tree = &search.search.tree;
                let best = tree.best_child(tree.root());
                let is_end = |node: &NodeId| Some(*node) != best && !tree.has_children(*node);
                let node = tree.children(tree.root()).find(is_end).expect("a move that is not the best");
                claim(search, node, End { depth: search.line.depth - 1 - behind, bound });
                if has_child {
                    search.walk_best();
                    let mv = search.moves_here()[0];
                    let child = search.search.tree.insert(node, 2, mv);
                    let value = search.search.tree.value(node).expect("it claims something");
                    search.know_end(child, End { depth: search.line.depth - 2, bound: Bound::Exact });
                    search.search.tree.set_own(child, 2, value, false);
                    if !has_own {
                        search.search.tree.drop_own(node, 1);
                    }
                    let path = [search.search.tree.root(), node, child];
                    search.search.tree.back_up(&path);
                }
                let (first, is_settled) = withdraw(search);
                assert_eq!(
                    (first == node, is_settled),
                    (stands, !stands),
                    "{fen}: {bound:?} {behind} {has_child} {has_own}"
                );
                let report = search.report();
                let says_bound = stands && bound != Bound::Exact;
                assert_eq!(report.bound, if says_bound { Bound::Lower } else { Bound::Exact });
            });
        }
    }
}

/// A reply that was not asked to the full depth makes the best move worse, and another one seems better.
#[test]
fn better_than_what_was_not_shown_to_be_so_bad_is_nothing() {
    for is_shown in [false, true] {
        run_worker(&position(POSITIONS[0]), 0, &Clock::unlimited(), |search| {
            end_settled(search);
            let (root, value) = (search.search.tree.root(), search.search.root_value());
            let others = answer_best_move(search, value + 2, is_shown);
            let node = *others.first().expect("a move that is not the best");
            search.know_end(node, End { depth: search.line.depth - 1, bound: Bound::Upper });
            search.search.tree.set_own(node, 1, value, false);
            search.search.tree.back_up(&[root, node]);
            search.walk_best();
            let (first, is_settled) = withdraw(search);
            assert_eq!((first == node, is_settled), (is_shown, !is_shown));
        });
    }
}

/// The time is over when a reply that was not asked to the full depth makes the best move worse, and a draw
/// that is at hand is better than that.
#[test]
fn a_draw_is_not_taken_because_of_what_was_not_shown() {
    for is_shown in [false, true] {
        run_worker(&position(POSITIONS[0]), 0, &Clock::unlimited(), |search| {
            end_settled(search);
            let (root, value) = (search.search.tree.root(), search.search.root_value());
            for node in answer_best_move(search, value + 300, is_shown) {
                search.know_end(node, End { depth: 0, bound: Bound::Exact });
                search.search.tree.set_own(node, 1, value + 1, true);
                search.search.tree.back_up(&[root, node]);
            }
            search.walk_best();
            let node = search.node();
            assert!(search.search.tree.is_terminal(node) && search.level() == 1);
            let (first, is_settled) = withdraw(search);
            assert_eq!((first == node, is_settled), (is_shown, !is_shown));
            let told = search.report();
            let expected = if is_shown { value + 1 } else { value };
            assert_eq!((told.score, told.bound), (-expected, Bound::Exact));
        });
    }
}

/// The time is over while the end of the best branch gets its moves: what only some replies say of one of
/// them is nothing, unless it is to the good of who is to move there.
#[test]
fn what_some_replies_say_is_no_value() {
    let cases = [(true, true, false), (false, true, true), (false, false, false)];
    let (mut own, mut others) = (0, 0);
    let searches =
        POSITIONS[..4].iter().flat_map(|fen| [1_000, 3_000, 10_000, 20_000].map(|nodes| (fen, nodes)));
    for ((fen, nodes), (gives_replies, is_asked, stands)) in
        searches.flat_map(|search| cases.map(|case| (search, case)))
    {
        let options = GeneticOptions { leaf_depth: 3, ..Preset::Strong.options() };
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        run_with(&options, &position(fen), 0, &limits, &Clock::unlimited(), |search| {
            end_settled(search);
            let value = search.search.root_value();
            let (end, level) = (search.node(), search.level());
            let high = search.search.tree.is_max(level);
            let is_own = high == search.search.tree.is_max(0);
            let is_settled = search.line.settled.as_ref().is_some_and(|settled| settled.path == search.path);
            // Other moves of the root are better where the opponent has something better.
            if !is_settled || search.search.tree.has_children(end) || stands && !is_own {
                return;
            }
            *if is_own { &mut own } else { &mut others } += 1;
            let better = if high { value + 50 } else { value - 50 };
            for _ in 0..if gives_replies { 2 } else { 1 } {
                let (mv, last, below) = (search.moves_here()[0], search.node(), search.level() + 1);
                search.path.push(search.search.tree.insert(last, below, mv));
            }
            let (last, deepest) = (search.node(), search.level());
            let depth = search.line.depth - deepest as i32 - i32::from(!is_asked);
            search.know_end(last, End { depth, bound: if high { Bound::Lower } else { Bound::Upper } });
            search.search.tree.set_own(last, deepest, better, false);
            let path = search.path.clone();
            search.search.tree.back_up(&path);
            let (first, is_settled) = withdraw(search);
            assert!(is_settled && first == path[1]);
            let told = search.report();
            let expected = search.search.for_mover(if stands { better } else { value });
            let bound = if stands { Bound::Lower } else { Bound::Exact };
            assert_eq!((told.score, told.bound), (expected, bound), "{fen} {gives_replies} {is_asked}");
        });
    }
    assert!(own > 2 && others > 1, "{own} {others}");
}

#[test]
fn claims_come_about_and_stand_or_not() {
    let (mut kept, mut withdrawn) = (0, 0);
    for fen in &POSITIONS[..4] {
        for nodes in (300..3_000).step_by(50) {
            run_limited(&position(fen), 0, nodes, &Clock::unlimited(), |search| {
                search.remove_unborn();
                search.walk_best();
                let claims = search.path[1];
                let (first, is_settled) = withdraw(search);
                kept += usize::from(first == claims && !is_settled);
                withdrawn += usize::from(first != claims);
            });
        }
    }
    assert!(kept > 0 && withdrawn > 0, "{kept} {withdrawn}");
}

#[test]
fn only_the_first_worker_knows_when_it_is_enough() {
    let budget = Budget { soft: Duration::from_secs(1), hard: Duration::from_secs(8) };
    for (fen, number, most) in [
        (ONE_MOVE_IS_NOT_LOST, 0, 7_999),
        (ONE_MOVE_IS_NOT_LOST, 1, 8_000),
        (POSITIONS[0], 0, 7_999),
        (POSITIONS[0], 1, 8_000),
    ] {
        let clock = Clock::start(TimeSource::Nodes { per_second: 1_000 }, Some(budget));
        run_worker(&position(fen), number, &clock, |search| {
            let nodes = search.search.gate.nodes();
            assert!(nodes <= most && (number == 0 || nodes == most), "{number} in {fen}: {nodes}");
        });
    }
}

#[test]
fn nobody_waits_where_all_other_moves_are_proved_to_be_lost() {
    let root = position(ONE_MOVE_IS_NOT_LOST);
    let budget = Budget { soft: Duration::from_secs(20), hard: Duration::from_secs(20) };
    let clock = Clock::start(TimeSource::Nodes { per_second: 1_000 }, Some(budget));
    let report = strong().search(&root, &Limits::default(), &clock, &mut ());
    assert_eq!(root.san(report.best_move().expect("there are moves")), "Qxf3");
    assert!(report.nodes < 5_000, "{}", report.nodes);
}

#[test]
fn excluded_moves_are_not_in_the_tree_and_depth_limits_end_the_search() {
    let root = position("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    let mate = root.parse_move("Rd8#").expect("it is a move");
    let mut search = strong();
    let limits = Limits { depth: Some(4), excluded: vec![mate], ..Limits::default() };
    let report = search.search(&root, &limits, &Clock::unlimited(), &mut ());
    assert!(report.best_move().is_some_and(|mv| mv != mate));
    assert_eq!(report.depth, 4);
    let tree = search.tree().expect("it has searched");
    assert!(tree.child(tree.root(), mate).is_none());
}

/// Who asks what one move is worth wants to know it, with a clock or without; and nobody waits for the only
/// move that there is.
#[test]
fn a_single_allowed_move_is_searched_and_a_single_legal_one_costs_no_time() {
    let root = position(POSITIONS[0]);
    let excluded = root.legal_moves().into_iter().skip(1).collect();
    let limits = Limits { excluded, ..Limits::default() };
    let seconds = |seconds| {
        let budget = Budget { soft: Duration::from_secs(seconds), hard: Duration::from_secs(seconds) };
        Clock::start(TimeSource::Nodes { per_second: 1_000 }, Some(budget))
    };
    let only = position("k7/8/8/8/8/8/6q1/7K w - - 0 1");
    assert_eq!(only.legal_moves().len(), 1);
    for preset in [Preset::Strong, Preset::Paper] {
        let mut search = Genetic::new(Kashan::default(), preset.options());
        let report = search.search(&root, &limits, &seconds(20), &mut ());
        assert!(report.nodes >= 15_000 && report.depth > 3, "{} {}", report.nodes, report.depth);
        let deep = Limits { nodes: Some(20_000), ..limits.clone() };
        let report = search.search(&root, &deep, &Clock::unlimited(), &mut ());
        assert!(report.nodes >= 15_000 && report.depth > 3, "{} {}", report.nodes, report.depth);
        let chosen = Limits { excludes_to_choose: true, ..limits.clone() };
        for (root, limits) in [(&only, &Limits::default()), (&root, &chosen)] {
            let report = search.search(root, limits, &seconds(20), &mut ());
            assert!(report.nodes < 5_000, "{}", report.nodes);
        }
    }
}

#[test]
fn what_two_workers_have_visited_is_told_together() {
    #[derive(Default)]
    struct Counts(Vec<u64>);
    impl Observer for Counts {
        fn progress(&mut self, progress: &Progress<'_>) {
            self.0.push(progress.nodes);
        }

        fn generation(&mut self, generation: Generation) {
            self.0.push(generation.nodes);
        }
    }

    let limits = Limits { nodes: Some(400_000), threads: 2, ..Limits::default() };
    let mut counts = Counts::default();
    strong().search(&position(POSITIONS[0]), &limits, &Clock::unlimited(), &mut counts);
    assert!(counts.0.len() > 5 && counts.0.is_sorted(), "{:?}", counts.0);
}

/// What is said while it runs.
#[derive(Default)]
struct Heard(Vec<(u32, u32, u64)>);

impl Observer for Heard {
    fn progress(&mut self, progress: &Progress<'_>) {
        self.0.push((progress.depth, progress.selective_depth, progress.nodes));
    }
}

#[test]
fn the_deepest_half_move_that_is_told_is_that_of_the_leaf_searches() {
    for fen in [POSITIONS[0], POSITIONS[3]] {
        let mut heard = Heard::default();
        let limits = Limits { nodes: Some(20_000), ..Limits::default() };
        let report = strong().search(&position(fen), &limits, &Clock::unlimited(), &mut heard);
        let Heard(told) = heard;
        assert!(told.len() > 3 && told.is_sorted_by_key(|&(.., nodes)| nodes), "{told:?}");
        assert!(told.iter().all(|&(depth, selective, _)| selective >= depth), "{told:?}");
        assert!(told.last().is_some_and(|&(_, selective, _)| selective <= report.selective_depth));
    }
}

/// The tree has no use for games that went on from similar positions: nobody looks for them.
#[test]
fn a_library_has_nothing_to_say() {
    struct Silent;
    impl Adviser for Silent {
        fn advise(&mut self, _: &Position) -> Advice {
            panic!("asked")
        }

        fn unfiltered(&mut self, _: &Position) -> MoveList {
            panic!("asked")
        }

        fn continuations(&mut self, _: &Position, _: usize, _: usize) -> Vec<Variation> {
            panic!("asked")
        }
    }
    let mut search = strong();
    search.set_library(FromLibrary { mutations: None, seeds: Some(Box::new(Silent)) });
    assert!(search_nodes(&mut search, &position(POSITIONS[0]), 1_000).best_move().is_some());
}

#[test]
fn it_takes_the_queen_at_once() {
    let root = position("r4rk1/ppp2ppp/n7/3q4/8/P4N1P/1PP1BPP1/3R1RK1 w - - 0 1");
    for nodes in [1, 20, 100, 700, 3_000] {
        let report = search_nodes(&mut strong(), &root, nodes);
        assert_eq!(root.san(report.best_move().expect("there are moves")), "Rxd5", "{nodes} nodes");
    }
}

//! What the rules of the preset `strong` promise.

mod claims;
mod lines;

use std::time::Duration;

use cpu_time::ThreadTime;
use rand::SeedableRng as _;
use rand::rngs::Xoshiro256PlusPlus;

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

/// What is told of lines.
#[derive(Default)]
struct Told(Vec<(usize, Variation, Score, Bound)>);

impl Observer for Told {
    fn progress(&mut self, progress: &Progress<'_>) {
        let variation = progress.variation.iter().copied().collect();
        self.0.push((progress.rank, variation, progress.score, progress.bound));
    }
}

#[test]
fn the_same_limit_gives_the_same_search() {
    for (fen, lines) in POSITIONS.iter().flat_map(|fen| [(fen, 1), (fen, 3)]) {
        let root = position(fen);
        let limits = Limits { nodes: Some(8_000), lines, ..Limits::default() };
        let run = || {
            let mut search = strong();
            let mut told = Told::default();
            let mut go = || search.search(&root, &limits, &Clock::unlimited(), &mut told);
            let (first, second) = (go(), go());
            (first.variation, first.score, second.variation, second.score, search.statistics(), told.0)
        };
        assert_eq!(run(), run(), "{fen}, {lines} lines");
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
    run_in(&mut ReservationTree::with_capacity(10_000), options, root, number, limits, clock, look);
}

fn run_in(
    tree: &mut ReservationTree,
    options: &GeneticOptions,
    root: &Position,
    number: usize,
    limits: &Limits,
    clock: &Clock,
    look: impl FnOnce(&mut Memetic<'_, Kashan>),
) {
    let evaluator = Kashan::default();
    let (mut memory, leaf_options) = (LeafMemory::new(1), AlphaBetaOptions::default());
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let search = Search::new(&evaluator, options, tree, &mut random, root, limits, clock);
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

/// The best branch gets no deeper where it ends with the game, but what it is compared with does.
#[test]
fn a_draw_at_hand_takes_no_more_time_than_another_settled_choice() {
    let budget = Budget { soft: Duration::from_secs(10), hard: Duration::from_secs(40) };
    // The fifty moves save White.
    let root = position("8/8/8/4k3/8/r7/7P/6K1 w - - 99 100");
    let clock = Clock::start(TimeSource::Nodes { per_second: 1_000 }, Some(budget));
    let report = strong().search(&root, &Limits::default(), &clock, &mut ());
    assert_eq!(report.score, Score::DRAW);
    assert!(report.nodes < 14_000 && report.depth > 8, "{report:?}");
}

#[test]
fn positions_are_counted_for_the_moves_of_the_root_to_the_last() {
    for (fen, nodes) in
        POSITIONS.iter().flat_map(|fen| (20..1_000).step_by(70).map(move |nodes| (fen, nodes)))
    {
        let mut search = strong();
        let report = search_nodes(&mut search, &position(fen), nodes);
        let counted: u64 = search.history().root_nodes().iter().map(|&(_, nodes)| nodes).sum();
        assert_eq!(counted, report.nodes, "{fen}");
    }
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

//! Tests of the promises that the rules of the default search make.

use chess::ChessMove;

use super::node::{Node, NodeResult};
use super::*;
use crate::eval::NetworkEvaluator;
use crate::rules::position::{Line, Outcome, Position, legal_moves};
use crate::rules::score::{Bound, Score};
use crate::search::alphabeta::Memory;
use crate::search::genetic::params::{GeneticOptions, Preset};
use crate::search::genetic::{Genetic, generator_of_worker, tree::ReservationTree};
use crate::search::{AlphaBeta, AlphaBetaOptions, Clock, Limits, Remark, Searcher as _};

const POSITIONS: [&str; 5] = [
    "r1bq1rk1/pp2ppbp/2n2np1/2ppN3/5P2/1P2P3/PBPPB1PP/RN1Q1RK1 b - - 3 8",
    // Castling, en passant, promotions and checks within a few moves.
    "r3k2r/pP1pqpb1/bn3np1/2pPN3/1p2P3/2N2Q1p/PP1BBPPP/R3K2R w KQkq c6 0 2",
    "8/1p3k2/p4p2/P1P2p1p/1P3P1P/2K5/8/8 w - - 0 40",
    "5rk1/pp3p1p/3p2p1/2qPb3/2P1Q3/1P4P1/P4PBP/4R1K1 b - - 0 25",
    // A rook up, and near the fifty moves.
    "8/8/4k3/8/8/4K3/4R3/8 w - - 92 120",
];

pub(super) fn strong() -> Genetic<NetworkEvaluator> {
    Genetic::new(NetworkEvaluator::default(), Preset::Strong.options())
}

pub(super) fn position(fen: &str) -> Position {
    Position::from_fen(fen).expect("the position is written correctly")
}

/// Looks at what a search of one worker is when it has ended.
pub(super) fn with_search(
    fen: &str,
    options: &GeneticOptions,
    local: &AlphaBetaOptions,
    limits: &Limits,
    look: impl FnOnce(&mut StrongSearch<'_, NetworkEvaluator>),
) {
    let root = position(fen);
    let evaluator = NetworkEvaluator::default();
    let clock = Clock::unlimited();
    let mut tree = ReservationTree::with_capacity(50_000);
    let mut memory = Memory::new(1);
    let mut random = generator_of_worker(1, 0);
    let search = Search::new(
        &evaluator,
        options,
        &mut tree,
        &mut random,
        &root,
        limits,
        &clock,
    );
    let own = memory
        .open(1, false)
        .pop()
        .expect("one worker has its memory");
    let mut strong = StrongSearch::new(
        search,
        LocalSearch::new(&evaluator, local, own, &root, &clock),
        0,
    );
    let _ = strong.run(&mut Timeline::default(), &mut News::default(), &mut ());
    look(&mut strong);
}

/// Visits every node but the root with the genes that lead to it.
fn visit(
    strong: &StrongSearch<'_, NetworkEvaluator>,
    mut visitor: impl FnMut(&Node, &[ChessMove]),
) {
    let mut open = vec![(strong.population.root(), Vec::new())];
    while let Some((id, genes)) = open.pop() {
        let node = &strong.population[id];
        if !genes.is_empty() {
            visitor(node, &genes);
        }
        for &child in &node.children {
            let mut longer = genes.clone();
            longer.push(strong.population[child].gene);
            open.push((child, longer));
        }
    }
}

#[test]
fn branches_are_legal_and_values_follow_from_those_below() {
    let cases = [100, 1_000, 15_000]
        .map(|nodes| [(nodes, 1, 1), (nodes, 2, 1), (nodes, 1, 3)])
        .concat();
    for (fen, (nodes, threads, lines)) in POSITIONS
        .iter()
        .flat_map(|fen| cases.iter().map(move |&case| (fen, case)))
    {
        let root = position(fen);
        let mut search = strong();
        let limits = Limits {
            threads,
            lines,
            ..Limits::of_nodes(nodes)
        };
        let report = search.search(&root, &limits, &Clock::unlimited(), &mut ());
        let mut game = root.clone();
        for &mv in &report.variation {
            game.play(mv)
                .unwrap_or_else(|error| panic!("{:?} in {fen}: {error}", report.variation));
        }
        for worker in &search.workers {
            let tree = worker.tree.as_ref().expect("it has searched");
            tree.visit(|node, genes| {
                let mut line = Line::new(&root);
                for &gene in genes {
                    assert!(
                        legal_moves(line.board()).contains(&gene),
                        "{genes:?} in {fen}"
                    );
                    line.make(gene);
                }
                let children = tree.children(node).filter_map(|child| tree.value(child));
                let values = children.chain(tree.own_value(node));
                let best = if tree.is_max(genes.len()) {
                    values.max()
                } else {
                    values.min()
                };
                // What was just born has no value, nor what was not looked at to the end.
                assert!(
                    tree.value(node).is_none() || tree.value(node) == best,
                    "{genes:?} in {fen}"
                );
            });
        }
    }
}

/// The population is bred: all operators have a part in it, and only moves of the root are there
/// from the beginning.
#[test]
fn every_branch_was_born_by_an_operator() {
    let mut seen = [0; 4];
    for fen in &POSITIONS[..4] {
        let mut search = strong();
        search.search_nodes(&position(fen), 60_000);
        let tree = search.tree().expect("it has searched");
        tree.visit(|node, genes| {
            let origin = tree.origin(node);
            assert!(
                origin != Origin::Initial || genes.len() == 1,
                "{genes:?} in {fen}"
            );
            seen[origin as usize] += 1;
        });
        let born = search.statistics();
        assert!(
            born.mutations > 10 && born.crossovers > 0 && born.growths > 20,
            "{born:?}"
        );
    }
    assert!(seen.iter().all(|&count| count > 0), "{seen:?}");
}

#[test]
fn operators_can_be_switched_off() {
    let counted = |switch_off: fn(&mut GeneticOptions)| {
        let mut search = strong();
        switch_off(&mut search.options);
        search.search_nodes(&position(POSITIONS[0]), 60_000);
        search.statistics()
    };
    let mutants = counted(|options| options.crossover_rate = 0);
    assert!(
        mutants.crossovers == 0 && mutants.mutations > 0,
        "{mutants:?}"
    );
    let crossed = counted(|options| options.mutation_rate = 0);
    // What saves a side that is mated is looked for even so.
    assert!(
        crossed.mutations < 5 && crossed.crossovers > 0,
        "{crossed:?}"
    );
}

/// A move that ends the game is known to any depth; the others are not worse for that.
#[test]
fn a_draw_at_hand_is_not_taken_for_a_win() {
    // All moves but the pawn's end the game by the fifty moves.
    let root = position("7k/8/6K1/8/8/8/P7/R7 w - - 99 100");
    for depth in 1..=8 {
        let limits = Limits {
            depth: Some(depth),
            ..Limits::default()
        };
        let report = strong().search(&root, &limits, &Clock::unlimited(), &mut ());
        assert!(
            report.score > Score(300),
            "{:?} at depth {depth}: {:?}",
            report.score,
            report.variation
        );
    }
    for nodes in (50..5_000).step_by(150) {
        let report = strong().search_nodes(&root, nodes);
        assert!(
            report.score > Score(300),
            "{:?} after {nodes}: {:?}",
            report.score,
            report.variation
        );
    }
}

#[test]
fn no_local_search_is_larger_than_it_may_be_and_the_tree_grows_with_time() {
    for (leaf_nodes, threads) in [(50, 1), (400, 1), (400, 2)] {
        let mut trees_before = 0;
        for nodes in [10_000, 100_000] {
            let mut trees = 0;
            for fen in &POSITIONS[..4] {
                let mut search = strong();
                search.options.leaf_nodes = leaf_nodes;
                let limits = Limits {
                    threads,
                    ..Limits::of_nodes(nodes)
                };
                search.search(&position(fen), &limits, &Clock::unlimited(), &mut ());
                let exponent = search.options.leaf_growth as f64 / 100.0;
                let most = (leaf_nodes as u64).max(libm::pow(nodes as f64, exponent) as u64);
                // Every worker has its own.
                let largest = search
                    .workers
                    .iter()
                    .map(|worker| worker.history.statistics().largest_local_search);
                assert!(largest.max() <= Some(most), "{fen}: more than {most}");
                trees += search.statistics().tree_nodes;
            }
            assert!(
                4 * trees > 5 * trees_before,
                "{trees} nodes instead of {trees_before}"
            );
            trees_before = trees;
        }
    }
}

/// With the options that play by default, most of what is known is in the tree.
#[test]
fn the_tree_that_plays_is_no_alpha_beta_in_disguise() {
    let mut nodes = Vec::new();
    let mut genes = 0;
    for fen in POSITIONS {
        let mut search = strong();
        search.search_nodes(&position(fen), 100_000);
        let tree = search.tree().expect("it has searched");
        nodes.push(search.statistics().tree_nodes);
        genes += tree.best_branch(tree.root()).count() - 1;
    }
    let mean = nodes.iter().sum::<u64>() / nodes.len() as u64;
    assert!(
        mean >= 150 && genes >= 6 * nodes.len(),
        "nodes {nodes:?}, {genes} genes"
    );
}

/// Without pruning and reductions all that is claimed of a node, a value or a bound, is what
/// Min-Max of its position says; and the best branch is exact.
#[test]
fn what_is_claimed_of_each_node_is_what_full_alpha_beta_finds() {
    let local = [
        AlphaBetaOptions::plain(),
        AlphaBetaOptions {
            principal_variation: true,
            ..AlphaBetaOptions::plain()
        },
    ];
    let mut checked = [0; 3];
    for (fen, local) in POSITIONS
        .iter()
        .flat_map(|fen| local.iter().map(move |options| (fen, options)))
    {
        let root = position(fen);
        let options = GeneticOptions {
            leaf_nodes: 60,
            contenders: 4,
            ..Preset::Strong.options()
        };
        let of_depth = |depth: i32| Limits {
            depth: Some(depth as u32),
            ..Limits::default()
        };
        let mut alphabeta = AlphaBeta::new(NetworkEvaluator::default(), local.clone());
        let mut truth = |game: &Position, depth: i32| {
            alphabeta
                .search(game, &of_depth(depth), &Clock::unlimited(), &mut ())
                .score
        };
        with_search(fen, &options, local, &of_depth(4), |strong| {
            let best = &strong.reported[0];
            assert_eq!(
                (best.score, best.bound),
                (truth(&root, 4), Bound::Exact),
                "{fen}"
            );
            visit(strong, |node, genes| {
                let NodeResult {
                    depth,
                    bound,
                    score: value,
                } = node.result;
                if !(1..=4).contains(&depth) || value.is_mate() {
                    return;
                }
                let mut game = root.clone();
                genes
                    .iter()
                    .for_each(|&gene| game.play(gene).expect("legal"));
                let truth = truth(&game, depth);
                let holds = match bound {
                    Bound::Exact => value == truth,
                    Bound::Lower => value <= truth,
                    Bound::Upper => value >= truth,
                };
                assert!(
                    holds,
                    "{genes:?} in {fen}: {bound:?} {value} to depth {depth}, but {truth}"
                );
                checked[bound as usize - 1] += 1;
            });
        });
    }
    assert!(checked.iter().all(|&count| count >= 10), "{checked:?}");
}

#[test]
fn a_late_child_with_the_score_of_the_best_does_not_hide_it() {
    let options = Preset::Strong.options();
    let local = AlphaBetaOptions::default();
    let limits = Limits {
        depth: Some(4),
        ..Limits::default()
    };
    with_search(POSITIONS[0], &options, &local, &limits, |strong| {
        strong.depth = 4;
        let best = strong.best_line().expect("all moves were searched so deep");
        let root = strong.population.root();
        let late = strong
            .population
            .insert(root, ChessMove::default(), Origin::Mutation);
        strong.population[root].children.rotate_right(1);
        strong.population[late].reduction = 2;
        strong.population[late].result = NodeResult::at_least(1, -best.score);
        assert_eq!(strong.highest_child(root), Some(late));
        assert_eq!(strong.best_line(), Some(best));
    });
}

/// Also those of the move at which the search ends.
#[test]
fn positions_of_the_initial_population_are_visited_for_its_moves() {
    for (fen, nodes) in POSITIONS[..2]
        .iter()
        .flat_map(|fen| [20, 40, 60, 77].map(|nodes| (fen, nodes)))
    {
        let mut search = strong();
        let report = search.search_nodes(&position(fen), nodes);
        let visited: u64 = search
            .history()
            .root_nodes
            .iter()
            .map(|&(_, nodes)| nodes)
            .sum();
        assert_eq!(visited, report.nodes, "{fen}, {nodes}");
    }
}

/// The row K = 0 of reports is the line that would be played, at every moment, and its value is
/// that of the line.
#[test]
fn the_branch_with_k_0_is_the_line_that_would_be_played_after_every_generation() {
    let mut snapshots = 0;
    for fen in POSITIONS {
        let root = position(fen);
        let evaluator = NetworkEvaluator::default();
        let clock = Clock::unlimited();
        let options = Preset::Strong.options();
        let local_options = AlphaBetaOptions::default();
        let limits = Limits::of_nodes(40_000);
        let mut tree = ReservationTree::with_capacity(50_000);
        let mut memory = Memory::new(1);
        let mut random = generator_of_worker(1, 0);
        let search = Search::new(
            &evaluator,
            &options,
            &mut tree,
            &mut random,
            &root,
            &limits,
            &clock,
        );
        let own = memory
            .open(1, false)
            .pop()
            .expect("one worker has its memory");
        let local = LocalSearch::new(&evaluator, &local_options, own, &root, &clock);
        let mut strong = StrongSearch::new(search, local, 0);
        strong
            .initial_population()
            .expect("it has enough positions");
        let mut operation = None;
        while strong.depth < 40 {
            operation = match strong.generation(operation) {
                Ok(next) => next,
                Err(Stop) => break,
            };
            let Some(line) = strong.line_to_play() else {
                continue;
            };
            strong.publish(Some(&line));
            let view = &strong.search.tree;
            let shown: Vec<ChessMove> = view
                .best_branch(view.root())
                .skip(1)
                .map(|node| view.gene(node))
                .collect();
            assert!(
                !shown.is_empty() && line.variation.starts_with(&shown),
                "{fen}: {shown:?}, {line:?}"
            );
            let value = view
                .value(view.root())
                .map(|value| strong.search.for_mover(value));
            assert_eq!(value, Some(line.score), "{fen}");
            assert_eq!(strong.choice(), line.best_move().zip(value), "{fen}");
            snapshots += 1;
        }
    }
    assert!(snapshots > 1_000, "{snapshots}");
}

/// Hears thinking lines and reports, and compares them.
#[derive(Default)]
struct Listener {
    headline: Option<Thought>,
    compared: usize,
}

impl Observer for Listener {
    fn progress(&mut self, thought: &Thought) {
        self.headline = Some(thought.clone());
    }

    fn remark(&mut self, remark: Remark) {
        let Remark::Generation(generation) = remark else {
            return;
        };
        let Some(headline) = &self.headline else {
            return;
        };
        let best = generation
            .branches
            .iter()
            .find(|branch| branch.k == 0)
            .expect("there is a best branch");
        assert!(
            headline.variation.starts_with(&best.line),
            "{best:?} below {headline:?}"
        );
        assert_eq!(headline.score, best.value);
        self.compared += 1;
    }

    fn follows_generations(&self) -> bool {
        true
    }
}

#[test]
fn the_headline_is_the_branch_with_k_0_of_every_report() {
    let mut listener = Listener::default();
    for fen in &POSITIONS[..4] {
        listener.headline = None;
        let limits = Limits::of_nodes(300_000);
        strong().search(&position(fen), &limits, &Clock::unlimited(), &mut listener);
    }
    assert!(listener.compared > 20, "{}", listener.compared);
}

/// A bound says of Black's other moves only that they mate no sooner.
#[test]
fn a_mate_is_shown_only_of_the_move_that_mates() {
    let mate_in_one = position("4r2k/5Rp1/6Qp/2b5/8/4q2P/6P1/7K b - - 3 39");
    // With the whole initial population, and after the worst of it have died.
    for (nodes, least_children) in [(80, 30), (400, 2)] {
        let mut search = strong();
        search.search_nodes(&mate_in_one, nodes);
        let tree = search.tree().expect("it has searched");
        let children = tree.children(tree.root());
        let mates = children.filter(|&child| tree.value(child).is_some_and(Score::is_mated));
        let mates: Vec<String> = mates.map(|child| tree.gene(child).to_string()).collect();
        assert_eq!(mates, ["e3g1"], "{nodes}");
        assert!(tree.children(tree.root()).count() >= least_children);
    }
}

/// Options that switch parts of alpha-beta off do so in local searches, too.
#[test]
fn options_of_alpha_beta_reach_the_local_search() {
    let root = position(POSITIONS[0]);
    let limits = Limits {
        depth: Some(5),
        ..Limits::default()
    };
    let nodes = |options: AlphaBetaOptions| {
        let mut search = strong();
        search.local_options = options;
        search
            .search(&root, &limits, &Clock::unlimited(), &mut ())
            .nodes
    };
    let all = nodes(AlphaBetaOptions::default());
    assert!(
        nodes(AlphaBetaOptions {
            null_move: false,
            ..AlphaBetaOptions::default()
        }) != all
    );
    assert!(nodes(AlphaBetaOptions::plain()) > 4 * all);
}

#[test]
fn the_first_move_of_the_fittest_branch_is_played() {
    // Also of one that is being mated.
    let lost = [
        "5k2/B1R3R1/2p2p1p/r7/4B3/2N5/PP3P1P/7K b - - 0 1",
        "4kr2/3p1p1p/p2Pp1p1/8/3B1P2/2P1K1P1/r3B2P/4q3 w - - 1 2",
    ];
    for fen in POSITIONS.into_iter().chain(lost) {
        let root = position(fen);
        for nodes in (500..20_000).step_by(500) {
            let mut search = strong();
            let report = search.search_nodes(&root, nodes);
            let tree = search.tree().expect("it has searched");
            let best = tree.best_child(tree.root()).map(|node| tree.gene(node));
            assert_eq!(report.best_move(), best, "{fen}, {nodes} nodes");
        }
    }
}

#[test]
fn two_workers_share_positions_and_memory() {
    let root = position(POSITIONS[0]);
    let mut alone = strong();
    let mut both = strong();
    let one = alone.search_nodes(&root, 30_000);
    let limits = Limits {
        threads: 2,
        ..Limits::of_nodes(30_000)
    };
    let two = both.search(&root, &limits, &Clock::unlimited(), &mut ());
    assert!((15_000..=30_000).contains(&two.nodes), "{}", two.nodes);
    let nodes = |search: &Genetic<NetworkEvaluator>| {
        search.history().snapshots.last().map(|last| last.nodes)
    };
    assert_eq!(nodes(&alone), Some(one.nodes));
    assert!(
        nodes(&both).is_some_and(|of_first| of_first <= 15_000),
        "{:?}",
        nodes(&both)
    );
    let capacity = |search: &Genetic<NetworkEvaluator>| -> usize {
        search
            .workers
            .iter()
            .filter_map(|worker| worker.tree.as_ref())
            .map(ReservationTree::capacity)
            .sum()
    };
    assert!(capacity(&both) <= capacity(&alone));
    // Nothing that the second has learned is left for the one that searches alone in a new game.
    both.new_game();
    let again = both.search_nodes(&root, 30_000);
    assert_eq!((one.variation, one.score), (again.variation, again.score));
}

#[test]
fn a_full_tree_lets_branches_die_and_the_search_goes_on() {
    let root = position(POSITIONS[0]);
    for lines in [1, 3] {
        let mut search = strong();
        search.options.leaf_nodes = 20;
        search.workers[0].tree = Some(ReservationTree::with_capacity(500));
        let limits = Limits {
            lines,
            ..Limits::of_nodes(200_000)
        };
        let report = search.search(&root, &limits, &Clock::unlimited(), &mut ());
        assert_eq!(report.nodes, 200_000, "went on to its limit");
        let statistics = search.statistics();
        assert!(statistics.culls >= 1, "{statistics:?}");
        assert!(search.tree().is_some_and(|tree| tree.len() <= 500));
        assert!(root.is_legal(report.best_move().expect("there are moves")));
    }
}

/// Another move is shown to be no better than one that mates, with the same value: it is no mate.
#[test]
fn the_line_of_a_mate_ends_in_it() {
    for (singular_extensions, leaf_nodes) in
        [(true, 1000), (false, 1000), (true, 500), (false, 300)]
    {
        let mut game = position("6k1/6p1/1n4p1/5p2/3p4/3P4/3r1PK1/r7 b - - 1 42");
        let mut search = strong();
        search.local_options.singular_extensions = singular_extensions;
        search.options.leaf_nodes = leaf_nodes;
        let report = search.search_nodes(&game, 300_000);
        report
            .variation
            .iter()
            .for_each(|&mv| game.play(mv).expect("legal"));
        let plies = report.score.mate_distance().expect("it is found");
        assert_eq!(report.variation.len() as i32, plies, "{leaf_nodes}");
        assert!(
            matches!(game.outcome(), Some(Outcome::Checkmate { .. })),
            "{:?}",
            report.variation
        );
    }
}

/// The singular test is made in the tree, too, and changes what is
/// searched there.
#[test]
fn moves_without_an_alternative_are_looked_at_deeper() {
    let extended = |singular_extensions| {
        let (mut singular_tests, mut extensions) = (0, 0);
        for fen in POSITIONS {
            let mut search = strong();
            search.local_options.singular_extensions = singular_extensions;
            search.search_nodes(&position(fen), 30_000);
            singular_tests += search.statistics().singular_tests;
            extensions += search.statistics().extensions;
        }
        (singular_tests, extensions)
    };
    let (singular_tests, extensions) = extended(true);
    assert!(
        0 < extensions && extensions < singular_tests,
        "{extensions} of {singular_tests}"
    );
    assert_eq!(extended(false), (0, 0));
}

#[test]
fn mates_are_exact() {
    for (fen, san, distance) in [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "Rd8#", 1),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "Ra6", 3),
    ] {
        let root = position(fen);
        let report = strong().search_nodes(&root, 60_000);
        assert_eq!(
            root.san(report.best_move().expect("there are moves")),
            san,
            "{fen}"
        );
        assert_eq!(report.score, Score::mate_in(distance), "{fen}");
        assert!(
            report.nodes < 60_000,
            "a mate that cannot be shorter leaves nothing to decide"
        );
    }
    let mate_in_1 = position("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4");
    let report = strong().search_nodes(&mate_in_1, 40);
    assert_eq!(
        (report.depth, report.score),
        (0, Score::mate_in(1)),
        "it is seen before the first depth is"
    );
    // Several mates, and a check that is shown to be no better than they are.
    let report = strong().search_nodes(&position("7k/8/5KQ1/8/8/8/8/8 w - - 0 1"), 5_000);
    assert!(
        report.score == Score::mate_in(1) && report.nodes < 5_000,
        "{report:?}"
    );
}

/// Chance draws the tails of crossover.
#[test]
fn the_seed_matters_and_makes_a_search_again() {
    let root = position(POSITIONS[0]);
    let born = |seed| {
        let mut search = strong();
        search.seed = seed;
        search.new_game();
        search.search_nodes(&root, 60_000);
        let mut branches = Vec::new();
        search
            .tree()
            .expect("it has searched")
            .visit(|_, genes| branches.push(genes.to_vec()));
        branches
    };
    assert_eq!(born(1), born(1));
    assert!((2..6).any(|seed| born(seed) != born(1)));
}

/// Moves that nobody looked at may save the side to move: the other moves of the root, if the limit
/// came in the middle of a depth, and all that are not in the tree, if there is no mutation.
#[test]
fn no_mate_is_announced_before_all_moves_were_tried() {
    for (fen, nodes, mutation_rate) in [
        ("7K/4q3/1B4k1/2N5/2N4n/n3P3/8/8 w - - 0 1", 100, 50),
        ("8/7Q/2b2q2/8/8/8/2K5/k7 b - - 0 1", 200, 50),
        ("1b6/2P5/8/5k2/q2K4/8/p3b3/8 w - - 0 1", 3_000, 50),
        ("1k6/6Bb/1K6/R7/4p2P/8/RQ6/8 b - - 0 1", 2_000, 0),
        ("k1B5/8/K4N2/1p5b/3n3n/8/8/3q4 w - - 0 1", 500, 0),
    ] {
        let root = position(fen);
        let truth = strong().search_nodes(&root, 50_000).score;
        for nodes in (nodes / 2..2 * nodes).step_by(nodes as usize / 20) {
            let mut search = strong();
            search.options.mutation_rate = mutation_rate;
            let SearchReport { score, bound, .. } = search.search_nodes(&root, nodes);
            let is_open = !score.is_mate() || score > Score::DRAW || bound == Bound::Lower;
            let is_true = truth.is_mate() && truth <= score;
            assert!(
                is_open || is_true,
                "{fen}, {nodes}: {score:?} instead of {truth:?}"
            );
        }
    }
}

/// The table knows mates from the moves before: they must not be repeated without coming nearer.
#[test]
fn a_rook_mates_within_fifty_moves_by_a_search_that_remembers_those_before() {
    let mut search = strong();
    let mut game = position("8/8/5k2/K7/8/8/8/3R4 w - - 0 1");
    while game.outcome().is_none() {
        let report = search.search_nodes(&game, 20_000);
        game.play(report.best_move().expect("the game goes on"))
            .expect("the move is legal");
    }
    assert_eq!(
        game.outcome(),
        Some(Outcome::Checkmate {
            winner: chess::Color::White
        })
    );
}

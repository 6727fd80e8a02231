//! The paper's figures as golden values, and properties that must hold for every search.

use std::collections::HashMap;

use chess::{ChessMove, Square};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

use super::Run;
use super::birth::Birth;
use super::chromosome::Chromosome;
use super::fitness::{climb, fitness};
use super::operators::{exchange_tails, replace_gene};
use super::params::{GeneticOptions, QuiescenceFrom};
use super::population::fittest;
use super::tree::{NodeId, ReservationTree, Values};
use crate::evaluation::weights::Profile;
use crate::evaluation::winglet::Winglet;
use crate::position::Position;
use crate::score::Score;
use crate::search::{Clock, Limits};

/// Genes that mean nothing: the tree knows no rules.
fn gene(number: usize) -> ChessMove {
    ChessMove::new(
        chess::ALL_SQUARES[number / 64],
        chess::ALL_SQUARES[number % 64],
        None,
    )
}

/// Adds a branch given by gene numbers, with the value of its end (none: it is only passed through).
fn add(tree: &mut ReservationTree, branch: &[usize], value: Option<i32>) -> Vec<NodeId> {
    let mut path = vec![tree.root()];
    for (index, &number) in branch.iter().enumerate() {
        let parent = path[index];
        let node = match tree.child(parent, gene(number)) {
            Some(node) => node,
            None => tree.insert(parent, index + 1, gene(number)),
        };
        path.push(node);
    }
    if let Some(value) = value {
        tree.set_own(path[branch.len()], branch.len(), Score(value), false);
        tree.back_up(&path);
    }
    path
}

fn fitness_of(tree: &ReservationTree, path: &[NodeId]) -> Option<usize> {
    climb(tree, path).map(|k| fitness(tree.height(), k))
}

/// Figs 13 to 16: the smallest tree consistent with every number of the text.
fn tree_of_figure_13(values: Values) -> (ReservationTree, HashMap<i32, Vec<NodeId>>) {
    let mut tree = ReservationTree::with_capacity(100);
    tree.clear(true, values);
    let (a, d) = (1, 2);
    let branches: [(&[usize], i32); 5] = [
        (&[a], -5),
        (&[a, 3], 35),
        (&[a, 4, 5], 80),
        (&[a, 4, 6, 7, 8], 90),
        (&[d], 8),
    ];
    let paths = branches
        .iter()
        .map(|&(branch, value)| (value, add(&mut tree, branch, Some(value))))
        .collect();
    (tree, paths)
}

#[test]
fn figures_13_to_16_changed_min_max() {
    let (tree, paths) = tree_of_figure_13(Values::Changed);
    assert_eq!(tree.height(), 5);
    assert_eq!(tree.value(tree.root()), Some(Score(8)));
    for (value, expected) in [(8, 6), (-5, 5), (35, 4), (90, 4), (80, 3)] {
        assert_eq!(
            fitness_of(&tree, &paths[&value]),
            Some(expected),
            "the branch that ends with {value}"
        );
    }
}

#[test]
fn figure_15_regular_min_max() {
    let (tree, paths) = tree_of_figure_13(Values::Regular);
    assert_eq!(tree.value(tree.root()), Some(Score(35)));
    assert_eq!(
        fitness_of(&tree, &paths[&-5]),
        None,
        "the branch with value -5 is removed"
    );
}

#[test]
fn figure_28() {
    let mut tree = ReservationTree::with_capacity(100);
    tree.clear(false, Values::Changed);
    let (qxc3, ra3, qxa3, bxc3) = (1, 2, 3, 4);
    let loses_a_queen = add(&mut tree, &[qxc3, ra3, qxa3], Some(-620));
    assert_eq!(
        tree.value(tree.root()),
        Some(Score(-620)),
        "without the quiescence branch Black would play it"
    );
    let quiescence_branch = add(&mut tree, &[qxc3, bxc3], Some(799));
    assert_eq!(tree.value(tree.root()), Some(Score(799)));
    assert_eq!(fitness_of(&tree, &loses_a_queen), Some(2));
    assert_eq!(fitness_of(&tree, &quiescence_branch), Some(4));
}

/// A small deterministic generator, so that the test does not lean on the one under test.
fn noise(state: &mut u64) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state >> 33) as usize
}

/// A tree of random branches, and the path of every branch that ended somewhere.
fn random_tree(seed: u64, branches: usize, values: Values) -> (ReservationTree, Vec<Vec<NodeId>>) {
    let mut tree = ReservationTree::with_capacity(10_000);
    tree.clear(seed.is_multiple_of(2), values);
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut ends = HashMap::new();
    for _ in 0..branches {
        let length = 1 + noise(&mut state) % 7;
        let branch: Vec<usize> = (0..length).map(|_| 1 + noise(&mut state) % 4).collect();
        // Few different values, so that ties are frequent.
        let path = add(&mut tree, &branch, Some(noise(&mut state) as i32 % 9 - 4));
        ends.insert(branch, path);
    }
    let mut ends: Vec<_> = ends.into_values().collect();
    ends.sort();
    (tree, ends)
}

/// The value by definition, computed from scratch: best of own value and children, ties to the own value, then to the first inserted.
fn value_by_definition(
    tree: &ReservationTree,
    node: NodeId,
    is_max: bool,
) -> (Option<Score>, Option<NodeId>) {
    let mut best = (tree.own_value(node), None);
    let mut children: Vec<NodeId> = tree.children(node).collect();
    // The tree lists the newest first.
    children.reverse();
    for child in children {
        let (value, _) = value_by_definition(tree, child, !is_max);
        let value = value.expect("every branch of the test ends with a value");
        if best
            .0
            .is_none_or(|best| if is_max { value > best } else { value < best })
        {
            best = (Some(value), Some(child));
        }
    }
    best
}

#[test]
fn backing_up_equals_the_definition() {
    for seed in 0..200 {
        let (tree, _) = random_tree(seed, 60, Values::Changed);
        let white = seed.is_multiple_of(2);
        tree.visit(|node, genes| {
            let leaf = tree.best_branch(node).last().unwrap();
            assert_eq!(tree.born(node), tree.born(leaf), "seed {seed}, {genes:?}");
            let (value, best) = value_by_definition(&tree, node, white == (genes.len().is_multiple_of(2)));
            assert_eq!(
                (tree.value(node), tree.best_child(node)),
                (value, best),
                "seed {seed}, {genes:?}"
            );
        });
    }
}

#[test]
fn selection_equals_sorting_by_fitness() {
    for seed in 0..200 {
        let (tree, ends) = random_tree(seed, 80, Values::Changed);
        let mut sorted: Vec<(usize, u32)> = ends
            .iter()
            .filter_map(|path| Some((climb(&tree, path)?, tree.born(path[path.len() - 1]))))
            .collect();
        sorted.sort_by_key(|&(k, born)| (k, std::cmp::Reverse(born)));
        for count in [1, 2, 7, sorted.len(), sorted.len() + 5] {
            let mut parents = Vec::new();
            fittest(&tree, count, &mut parents);
            let drawn: Vec<(usize, u32)> = parents
                .iter()
                .map(|parent: &Chromosome| {
                    let path: Vec<_> = std::iter::once(tree.root())
                        .chain(parent.nodes().iter().copied())
                        .collect();
                    let k = climb(&tree, &path).expect("only branches with a fitness breed");
                    (k, tree.born(path[path.len() - 1]))
                })
                .collect();
            assert_eq!(
                drawn,
                sorted[..count.min(sorted.len())],
                "seed {seed}, {count} of {}",
                sorted.len()
            );
        }
    }
}

#[test]
fn culling_keeps_the_fit_and_changes_no_value() {
    for seed in 0..50 {
        let mut tree = random_tree(seed, 3000, Values::Changed).0;
        let before: HashMap<NodeId, _> = values_of(&tree);
        let len = tree.len();
        // As if the memory had just run out.
        let mut tree_full = tree.clone();
        tree_full.set_capacity_for_test(len);
        assert!(
            tree_full.cull(|| true),
            "seed {seed}: {} of {len} left",
            tree_full.len()
        );
        let after = values_of(&tree_full);
        assert!(after.len() < before.len() && after.len() + 1 == tree_full.len());
        for (node, value) in &after {
            assert_eq!(before[node], *value, "seed {seed}");
        }
        let counted: u32 = tree_full.level_counts().iter().sum();
        assert_eq!(counted as usize, tree_full.len());
        // Given up at once, it is still the same tree.
        tree.set_capacity_for_test(len);
        assert!(!tree.cull(|| false) || values_of(&tree).len() < before.len());
        for (node, value) in values_of(&tree) {
            assert_eq!(before[&node], value, "seed {seed}");
        }
    }
}

fn values_of(tree: &ReservationTree) -> HashMap<NodeId, (Option<Score>, Option<NodeId>)> {
    let mut values = HashMap::new();
    tree.visit(|node, _| {
        values.insert(node, (tree.value(node), tree.best_child(node)));
    });
    values
}

#[test]
fn sixty_four_megabytes_hold_two_point_eight_million_nodes() {
    assert_eq!(ReservationTree::capacity_of(64), 2_796_202);
    assert_eq!(gene(64 + 2).get_source(), Square::B1);
}

/// Runs `test` in a fresh search of the start position whose tree holds `branches` (SAN), all valued by real births.
fn with_run(
    options: &GeneticOptions,
    branches: &[&str],
    test: impl for<'a> FnOnce(&mut Run<'a, Winglet>, &[Chromosome]),
) {
    let root = Position::default();
    let evaluator = Winglet::new(Profile::Paper);
    let mut tree = ReservationTree::with_capacity(100_000);
    tree.clear(root.side_to_move() == chess::Color::White, Values::Changed);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let (limits, clock) = (Limits::default(), Clock::unlimited());
    let mut run = Run::new(
        &evaluator,
        options,
        &mut tree,
        &mut random,
        &root,
        &limits,
        &clock,
    );
    let chromosomes: Vec<Chromosome> = branches
        .iter()
        .map(|branch| {
            run.walk_to(&[], &[]);
            assert_eq!(
                run.grow(&moves(&root, branch), false),
                Some(Birth::New),
                "{branch}"
            );
            let mut chromosome = Chromosome::default();
            chromosome.read(run.tree, run.path[1..].to_vec());
            assert_eq!(
                root.san_line(chromosome.genes()).join(" "),
                *branch,
                "must end quiet for this test"
            );
            chromosome
        })
        .collect();
    test(&mut run, &chromosomes);
}

fn moves(root: &Position, line: &str) -> Vec<ChessMove> {
    let mut position = root.clone();
    line.split_whitespace()
        .map(|san| {
            let mv = position.parse_move(san).unwrap();
            position.play(mv).unwrap();
            mv
        })
        .collect()
}

/// Whether a branch of the tree ends after `line`.
fn ends_after(run: &Run<'_, Winglet>, root: &Position, line: &str) -> bool {
    let node = moves(root, line)
        .iter()
        .try_fold(run.tree.root(), |node, &mv| run.tree.child(node, mv));
    node.is_some_and(|node| run.tree.own_value(node).is_some())
}

#[test]
fn figure_17_crossover() {
    with_run(
        &GeneticOptions::default(),
        &["e4 e5 Nf3 Nc6", "e4 c5 Nc3 g6"],
        |run, parents| {
            exchange_tails(run, &parents[0], 2, &parents[1], 2).unwrap();
            let root = Position::default();
            assert!(ends_after(run, &root, "e4 e5 Nc3 g6"), "A'");
            assert!(ends_after(run, &root, "e4 c5 Nf3 Nc6"), "B'");
            assert_eq!(run.statistics.crossovers, 2);
        },
    );
}

#[test]
fn crossover_discards_a_child_with_an_illegal_move() {
    with_run(
        &GeneticOptions::default(),
        &["d4 d6 Bf4 g6", "e3 g6 Bd3 Nf6"],
        |run, parents| {
            let before = run.tree.len();
            exchange_tails(run, &parents[0], 2, &parents[1], 2).unwrap();
            // d4 d6 Bd3 is impossible, and so is e3 g6 Bf4.
            assert_eq!((run.statistics.illegal, run.tree.len()), (2, before));
        },
    );
}

#[test]
fn figure_18_mutation_keeps_the_tail() {
    with_run(&GeneticOptions::default(), &["e4 e5 Nf3 Nc6"], |run, parents| {
        run.walk_to(&parents[0].nodes()[..2], &parents[0].genes()[..2]);
        let c3 = moves(&Position::default(), "e4 e5 c3")[2];
        replace_gene(run, &parents[0], 2, c3, false).unwrap();
        assert!(ends_after(run, &Position::default(), "e4 e5 c3 Nc6"));
    });
}

#[test]
fn figure_22_mutation_cuts_the_tail_that_became_illegal() {
    with_run(
        &GeneticOptions::default(),
        &["d4 e6 g3 Bb4+ Nd2"],
        |run, parents| {
            run.walk_to(&parents[0].nodes()[..1], &parents[0].genes()[..1]);
            let g6 = moves(&Position::default(), "d4 g6")[1];
            replace_gene(run, &parents[0], 1, g6, false).unwrap();
            // Bb4+ is no longer possible.
            assert!(ends_after(run, &Position::default(), "d4 g6 g3"));
            assert_eq!(run.statistics.mutations, 1);
        },
    );
}

#[test]
fn the_initial_population_has_20_branches_or_400() {
    for (levels, expected) in [(1, 20), (2, 400)] {
        let options = GeneticOptions {
            levels,
            quiescence_from: QuiescenceFrom::End,
            ..Default::default()
        };
        with_run(&options, &[], |run, _| {
            super::population::initial(run).unwrap();
            assert_eq!(run.statistics.branches, expected);
        });
    }
}

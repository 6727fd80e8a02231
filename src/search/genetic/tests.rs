//! Properties of the tree and of selection. (The paper's figures are tested where they are shown,
//! in the experiments.)

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt::Debug;
use std::time::Duration;

use chess::{ChessMove, Square};

use super::params::{InnerValue, Preset, Selection};
use super::selection::{Chromosome, contested, fitness, fittest, k_of, select};
use super::tree::NodeId;
use super::*;
use crate::eval::winglet::Winglet;
use crate::rules::position::is_insufficient_material;
use crate::search::{Thought, clock::TimeSource, time_control::Budget};

/// Genes that mean nothing: the tree knows no rules.
fn gene(number: usize) -> ChessMove {
    ChessMove::new(
        chess::ALL_SQUARES[number / 64],
        chess::ALL_SQUARES[number % 64],
        None,
    )
}

/// Adds a branch given by gene numbers, with the value of its end (none: it is only passed
/// through).
pub(crate) fn add(tree: &mut ReservationTree, branch: &[usize], value: Option<i32>) -> Vec<NodeId> {
    let mut path = vec![tree.root()];
    for (index, &number) in branch.iter().enumerate() {
        let parent = path[index];
        let known = tree.child(parent, gene(number));
        path.push(known.unwrap_or_else(|| tree.insert(parent, index + 1, gene(number))));
    }
    if let Some(value) = value {
        tree.set_own(path[branch.len()], branch.len(), Score(value), false);
        tree.back_up(&path);
    }
    path
}

/// A small deterministic generator, so that the test does not lean on the one under test.
fn noise(state: &mut u64) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state >> 33) as usize
}

#[test]
fn among_equals_the_preferred_child_is_the_best() {
    let mut tree = ReservationTree::with_capacity(100);
    tree.clear(true, InnerValue::Changed);
    let children =
        [(0, 5), (1, 7), (2, 7), (3, 7)].map(|(n, value)| add(&mut tree, &[n], Some(value))[1]);
    let root = tree.root();
    assert_eq!(
        tree.best_child(root),
        Some(children[1]),
        "the oldest of equals"
    );
    for preferred in [2, 3, 3, 1] {
        tree.prefer(root, 0, children[preferred]);
        assert_eq!(tree.best_child(root), Some(children[preferred]));
        assert_eq!(tree.children(root).count(), 4, "nobody is lost");
    }
    tree.prefer(root, 0, children[0]);
    assert_eq!(tree.value(root), Some(Score(7)), "a worse one stays worse");
}

/// A tree of random branches, and the path of every branch that ended somewhere.
fn random_tree(seed: u64, branches: usize) -> (ReservationTree, Vec<Vec<NodeId>>) {
    let mut tree = ReservationTree::with_capacity(100_000);
    tree.clear(seed.is_multiple_of(2), InnerValue::Changed);
    tree.remember_parents();
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    // Large trees have to be deep.
    let longest = if branches > 10_000 { 9 } else { 7 };
    let mut ends = HashMap::new();
    for _ in 0..branches {
        let length = 1 + noise(&mut state) % longest;
        let branch: Vec<usize> = (0..length).map(|_| 1 + noise(&mut state) % 4).collect();
        // Few different values, so that ties are frequent.
        let path = add(&mut tree, &branch, Some(noise(&mut state) as i32 % 9 - 4));
        ends.insert(branch, path);
    }
    let mut ends: Vec<_> = ends.into_values().collect();
    ends.sort();
    (tree, ends)
}

/// The value by definition, computed from scratch: best of own value and children, ties to the own
/// value, then to the first inserted.
fn value_by_definition(tree: &ReservationTree, node: NodeId, is_max: bool) -> Valued {
    let mut best = (tree.own_value(node), None);
    let children: Vec<NodeId> = tree.children(node).collect();
    // The tree lists the newest first.
    for child in children.into_iter().rev() {
        let value = value_by_definition(tree, child, !is_max).0;
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
    let seeds = if cfg!(miri) { 4 } else { 200 };
    for seed in 0..seeds {
        let (tree, _) = random_tree(seed, 60);
        let white = seed.is_multiple_of(2);
        tree.visit(|node, genes| {
            let leaf = tree.best_branch(node).last().unwrap();
            assert_eq!(tree.born(node), tree.born(leaf), "seed {seed}, {genes:?}");
            let (value, best) =
                value_by_definition(&tree, node, white == (genes.len().is_multiple_of(2)));
            assert_eq!(
                (tree.value(node), tree.best_child(node)),
                (value, best),
                "seed {seed}, {genes:?}"
            );
        });
    }
}

/// The key of contested selection for the branch that ends at the last node of `path`, by
/// definition.
fn deficit(
    tree: &ReservationTree,
    path: &[NodeId],
    price: i32,
    discounts: &[(ChessMove, i32)],
) -> i32 {
    let value = |node| {
        tree.value(node)
            .expect("every branch of the test ends with a value")
            .0
    };
    let left = |step: &&[NodeId]| tree.best_child(step[0]) != Some(step[1]);
    path.windows(2).filter(left).fold(0, |deficit, step| {
        let first = discounts
            .iter()
            .find(|&&(mv, _)| step[0] == tree.root() && mv == tree.gene(step[1]));
        (deficit + (value(step[0]) - value(step[1])).abs() + price
            - first.map_or(0, |first| first.1))
        .max(0)
    })
}

/// Selection chooses the branches that come first when all branches that have a key are sorted,
/// however many are wanted.
fn equals_sorting<K: Ord + Debug>(
    (tree, ends): &(ReservationTree, Vec<Vec<NodeId>>),
    key: impl Fn(&[NodeId]) -> Option<K>,
    choose: impl Fn(usize, &mut Vec<Chromosome>),
) {
    let mut sorted: Vec<K> = ends.iter().filter_map(|path| key(path)).collect();
    sorted.sort();
    for count in [1, 2, 7, sorted.len(), sorted.len() + 5] {
        let mut parents = Vec::new();
        choose(count, &mut parents);
        let path = |parent: &Chromosome| [&[tree.root()][..], &parent.nodes].concat();
        let chosen: Vec<K> = parents
            .iter()
            .filter_map(|parent| key(&path(parent)))
            .collect();
        assert_eq!(
            chosen,
            sorted[..count.min(sorted.len())],
            "{count} of {}",
            sorted.len()
        );
    }
}

#[test]
fn selection_equals_sorting_by_fitness_or_by_deficit() {
    for seed in 0..200 {
        let all = random_tree(seed, 80);
        let tree = &all.0;
        let fitness =
            |path: &[NodeId]| Some((k_of(tree, path)?, Reverse(tree.born(*path.last()?))));
        equals_sorting(&all, fitness, |count, parents| {
            fittest(tree, count, parents)
        });
        for (price, discounts) in [
            (0, &[][..]),
            (1, &[(gene(0), 3), (gene(1), 30)]),
            (10, &[(gene(2), 9)]),
        ] {
            let key =
                |path: &[NodeId]| Some((deficit(tree, path, price, discounts), fitness(path)?));
            equals_sorting(&all, key, |count, parents| {
                contested(tree, count, price, discounts, parents)
            });
        }
    }
}

/// A random selection draws each branch with the chance that its fitness says. Chi-square, with a
/// fixed seed.
#[test]
fn a_random_selection_draws_branches_by_their_fitness_and_by_nothing_else() {
    let (tree, ends) = random_tree(3, 80);
    let branches: Vec<(NodeId, usize)> = ends
        .iter()
        .filter_map(|path| Some((*path.last()?, k_of(&tree, path)?)))
        .collect();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let weight = |k: usize| fitness(tree.height(), k) as f64;
    let options = GeneticOptions {
        selection: Selection::Proportionate,
        ..Default::default()
    };
    let draws = 300 * branches.len();
    let mut parents = Vec::new();
    select(&tree, &options, &[], draws, &mut random, &mut parents);
    let mut drawn: HashMap<NodeId, usize> = HashMap::new();
    let ends = parents
        .iter()
        .map(|parent| parent.nodes[parent.genes.len() - 1]);
    ends.for_each(|end| *drawn.entry(end).or_default() += 1);
    let total: f64 = branches.iter().map(|branch| weight(branch.1)).sum();
    let deviation = |&(end, k): &(NodeId, usize)| {
        let expected = draws as f64 * weight(k) / total;
        let seen = drawn.get(&end).copied().unwrap_or(0) as f64;
        (seen - expected).powi(2) / expected
    };
    let chi_square: f64 = branches.iter().map(deviation).sum();
    let freedom = branches.len() as f64 - 1.0;
    // Five standard deviations above the mean.
    let bound = freedom + 5.0 * (2.0 * freedom).sqrt();
    assert!(
        chi_square < bound,
        "chi-square {chi_square:.1}, at most {bound:.1}"
    );
}

#[test]
fn a_node_takes_24_bytes_and_28_until_the_tree_is_cleared_if_parents_are_remembered() {
    assert_eq!(ReservationTree::capacity_of(64), 2_796_202, "64 MB");
    let mut tree = ReservationTree::with_capacity(28_000);
    tree.clear(true, InnerValue::Changed);
    tree.remember_parents();
    assert_eq!(tree.capacity(), 24_000);
    tree.clear(true, InnerValue::Changed);
    assert_eq!(tree.capacity(), 28_000);
}

#[test]
fn culling_keeps_the_fit_and_changes_no_value() {
    for seed in 0..50 {
        let mut tree = random_tree(seed, 3000).0;
        let before = values_of(&tree);
        let len = tree.len();
        // As if the memory had just run out.
        tree.set_capacity_for_test(len);
        assert!(
            tree.cull(|| true),
            "seed {seed}: {} of {len} left",
            tree.len()
        );
        all_children_are_found(&tree);
        let left = unchanged(&tree, &before);
        assert!(left < before.len() && left + 1 == tree.len(), "seed {seed}");
        assert_eq!(tree.level_counts().iter().sum::<u32>() as usize, tree.len());
    }
}

/// Moves of a mated side stay, however unfit, each of them with the reply that mates.
#[test]
fn culling_keeps_every_line_of_a_proved_mate() {
    let mut tree = ReservationTree::with_capacity(1000);
    tree.clear(true, InnerValue::Changed);
    add(&mut tree, &[0], Some(50));
    let mated = Score::mated_in(4).0;
    let lines: Vec<Vec<NodeId>> = (0..6)
        .map(|n| add(&mut tree, &[1, 1, n, 1], Some(mated)))
        .collect();
    let loser = lines[0][2];
    tree.count_moves(loser, lines.len());
    // Replies that do not mate are unfit.
    (0..6).for_each(|n| drop(add(&mut tree, &[1, 1, n, 2], Some(-100))));
    tree.set_capacity_for_test(tree.len());
    let before = values_of(&tree);
    let len = tree.len();
    tree.cull(|| true);
    assert!(tree.len() < len, "something unfit was there");
    for line in &lines {
        assert_eq!(tree.best_child(line[3]), Some(line[4]), "the mating reply");
        assert!(tree.children(line[3]).eq([line[4]]));
    }
    unchanged(&tree, &before);
    assert!(!tree.is_unproved_mate(loser, 2));
}

/// Culling asks every 4,096 steps whether it may go on; this tree takes some questions in each of
/// its parts.
#[test]
fn culling_that_is_given_up_at_any_moment_leaves_a_tree_with_the_same_values() {
    let mut tree = random_tree(1, 40_000).0;
    let before = values_of(&tree);
    let len = tree.len();
    tree.set_capacity_for_test(len);
    let mut questions = 0;
    tree.clone().cull(|| {
        questions += 1;
        true
    });
    assert!(questions >= 6, "{questions} for {len} nodes");
    let mut left_unfinished = 0;
    for patience in 0..questions {
        let mut asked = 0;
        let mut given_up = tree.clone();
        let has_room = given_up.cull(|| {
            asked += 1;
            asked <= patience
        });
        assert!(!has_room && asked == patience + 1, "{asked} questions");
        left_unfinished += usize::from(unchanged(&given_up, &before) < before.len());
        all_children_are_found(&given_up);
    }
    assert!(
        left_unfinished >= 2,
        "some were given up with a part removed"
    );
}

fn all_children_are_found(tree: &ReservationTree) {
    let check_below = |node| {
        let mut children = tree.children(node);
        assert!(
            children.all(|child| tree.child(node, tree.gene(child)) == Some(child)),
            "below {node:?}"
        );
    };
    check_below(tree.root());
    tree.visit(|node, _| check_below(node));
}

/// Value and best child.
type Valued = (Option<Score>, Option<NodeId>);
/// Looks at every node but the root.
type Values = HashMap<NodeId, Valued>;

/// Returns the number of nodes left. The nodes left are as before.
fn unchanged(tree: &ReservationTree, before: &Values) -> usize {
    let after = values_of(tree);
    after
        .iter()
        .for_each(|(node, value)| assert_eq!(before[node], *value));
    after.len()
}

fn values_of(tree: &ReservationTree) -> Values {
    let mut values = HashMap::new();
    tree.visit(|node, _| {
        values.insert(node, (tree.value(node), tree.best_child(node)));
    });
    values
}

/// Ties in fitness go to the newer, and the root moves that came first are the most promising.
#[test]
fn after_the_initial_population_the_branches_of_the_first_root_moves_count_as_the_newest() {
    let options = GeneticOptions {
        crossover_rate: 0,
        mutation_rate: 0,
        ..Default::default()
    };
    let mut search = Genetic::new(Winglet::default(), options);
    search.search(
        &Position::default(),
        &Limits::default(),
        &Clock::unlimited(),
        &mut (),
    );
    let tree = search.tree().unwrap();
    // The last inserted comes first. The best move's line may have been searched again, and be
    // newer for that.
    let best = tree.best_child(tree.root());
    let others = tree
        .children(tree.root())
        .filter(|&child| Some(child) != best);
    let births: Vec<u32> = others.map(|child| tree.born(child)).collect();
    assert!(births.len() == 19 && births.is_sorted(), "{births:?}");
}

/// The root's value may be a bound only while the initial population is being made or the tree is
/// full, and the searches here end by their soft deadline, at it or behind it: none of them is cut
/// short.
#[test]
fn the_best_branch_rests_on_no_bound_after_a_search() {
    let seconds = 20_000;
    let roots = [
        "r1bq1rk1/pp2ppbp/2n2np1/2ppN3/5P2/1P2P3/PBPPB1PP/RN1Q1RK1 b - - 3 8",
        "r3k2r/pP1pqpb1/bn3np1/2pPN3/1p2P3/2N2Q1p/PP1BBPPP/R3K2R w KQkq c6 0 2",
        "r1bqk2r/pppp3p/3b1pp1/6B1/3nP1QP/2N5/PPP2PP1/R3KB1R w KQkq - 0 10",
        "rnb1k1n1/ppp2p1r/3P2p1/8/1b4pq/2N1PP2/P1PK3P/R1BQ1BNR b q - 0 9",
        "1nbq1rk1/1pp1pp1p/5n2/3p4/r2PP2R/1RB2N2/2Pb1PP1/3QKB2 w - - 0 14",
    ];
    let mut bounds_elsewhere = 0;
    for root in roots {
        let mut search = Genetic::new(Winglet::default(), GeneticOptions::default());
        let budget = Budget {
            soft: Duration::from_secs(seconds),
            hard: Duration::MAX,
        };
        let clock = Clock::start(TimeSource::Nodes { per_second: 1 }, Some(budget));
        let position = Position::from_fen(root).unwrap();
        let report = search.search(&position, &Limits::default(), &clock, &mut ());
        assert!(report.nodes >= seconds, "{root}: {} nodes", report.nodes);
        let tree = search.tree().unwrap();
        let bound = tree
            .best_branch(tree.root())
            .find(|&node| tree.is_bound(node));
        assert_eq!(bound.map(|node| tree.gene(node)), None, "{root}");
        tree.visit(|node, _| bounds_elsewhere += usize::from(tree.is_bound(node)));
    }
    assert!(bounds_elsewhere > 1000, "{bounds_elsewhere}");
}

/// After Ke8, Qxe5 takes a pawn with check and then, wherever the king goes, the rook behind it.
#[test]
fn a_line_that_evades_checks_sees_what_they_win() {
    let value = |line_evasions| {
        let options = GeneticOptions {
            line_evasions,
            quiescence_window: 0,
            ..Default::default()
        };
        let mut search = Genetic::new(Winglet::default(), options);
        let root = Position::from_fen("3k3r/8/8/4p3/8/8/8/4QK2 b - - 0 1").unwrap();
        let limits = Limits {
            depth: Some(1),
            ..Limits::default()
        };
        search.search(&root, &limits, &Clock::unlimited(), &mut ());
        let tree = search.tree().unwrap();
        let mv = ChessMove::new(Square::D8, Square::E8, None);
        tree.value(tree.child(tree.root(), mv).expect("it is in the tree"))
            .expect("it has a value")
    };
    // White's point of view.
    assert!(
        value(true) > value(false) + 300,
        "{} {}",
        value(true),
        value(false)
    );
}

/// The line of the best branch that was told last.
#[derive(Default)]
struct Last(Option<SearchReport>);

impl Observer for Last {
    fn progress(&mut self, progress: &Thought) {
        if progress.rank == 1 {
            self.0 = Some(progress.clone());
        }
    }
}

/// Front ends and referees take it for what is known of the move that is played.
#[test]
fn what_is_told_last_is_what_the_report_says() {
    let fen = "r1bq1rk1/pp2ppbp/2n2np1/2ppN3/5P2/1P2P3/PBPPB1PP/RN1Q1RK1 b - - 3 8";
    let root = Position::from_fen(fen).expect("the position is written correctly");
    for (preset, lines) in [Preset::Paper, Preset::Letter, Preset::Strong]
        .map(|preset| [(preset, 1), (preset, 3)])
        .concat()
    {
        // Without a quiescence window all pairs of moves may take `letter` more than 20,000
        // positions.
        for nodes in (50_000..110_000).step_by(10_000) {
            let mut search = Genetic::new(Winglet::default(), preset.options());
            let limits = Limits {
                lines,
                ..Limits::of_nodes(nodes)
            };
            let mut last = Last::default();
            let report = search.search(&root, &limits, &Clock::unlimited(), &mut last);
            let known = |it: &Thought| (it.variation.clone(), it.score, it.bound, it.depth);
            let reported = last.0.as_ref().map(known);
            assert_eq!(
                reported,
                Some(known(&report)),
                "{preset:?}, {lines} lines, {nodes} nodes"
            );
        }
    }
}

/// The queen is taken, though a mate on the back rank seems to follow.
#[test]
fn an_unproved_mate_frightens_nobody() {
    let position = Position::from_fen("2kr4/ppp5/8/8/8/8/5PPP/q3Q1K1 w - - 0 1").unwrap();
    for nodes in [2_000, 6_000, 20_000] {
        let mut search = Genetic::new(Winglet::default(), Preset::Paper.options());
        let best = search
            .search_nodes(&position, nodes)
            .best_move()
            .map(|mv| mv.to_string());
        assert_eq!(best.as_deref(), Some("e1a1"), "{nodes} positions");
    }
}

/// Captures that quiescence thinks best are bad moves at times: a mate behind one of them is none
/// as long as the others are not in the tree.
#[test]
fn a_mate_in_the_tree_is_proved_by_it() {
    let roots = [
        "2kr4/ppp5/8/8/8/8/5PPP/q3Q1K1 w - - 0 1",
        "r1bqk2r/pppp3p/3b1pp1/6B1/3nP1QP/2N5/PPP2PP1/R3KB1R w KQkq - 0 10",
        "rnb1k1n1/ppp2p1r/3P2p1/8/1b4pq/2N1PP2/P1PK3P/R1BQ1BNR b q - 0 9",
        "6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1",
    ];
    let mut mates = 0;
    for (root, preset) in roots
        .into_iter()
        .flat_map(|root| [(root, Preset::Paper), (root, Preset::Letter)])
    {
        let mut search = Genetic::new(Winglet::default(), preset.options());
        let position = Position::from_fen(root).unwrap();
        search.search_nodes(&position, 20_000);
        let tree = search.tree().unwrap();
        tree.visit(|node, genes| {
            let is_against_mover = |value: Score| (value < Score::DRAW) == tree.is_max(genes.len());
            let is_mate = tree
                .value(node)
                .is_some_and(|value| value.is_mate() && is_against_mover(value));
            if is_mate && tree.best_child(node).is_some() {
                let mut after = position.clone();
                genes.iter().for_each(|&mv| after.play(mv).unwrap());
                let is_known = |&mv: &ChessMove| tree.child(node, mv).is_some();
                assert!(
                    after.legal_moves().iter().all(is_known),
                    "{root}, {preset:?}: {genes:?}"
                );
                mates += 1;
            }
        });
    }
    assert!(mates > 10, "{mates}");
}

/// Ten percent of a population of one are a crossover in every tenth generation, and not none. (Of
/// one parent with itself, which is a duplicate.)
#[test]
fn a_small_population_breeds_at_any_rate() {
    let small = GeneticOptions {
        population: 1,
        population_grows: false,
        ..Default::default()
    };
    let options = GeneticOptions {
        crossover_rate: 10,
        mutation_rate: 0,
        ..small
    };
    let mut search = Genetic::new(Winglet::default(), options);
    search.search(
        &Position::default(),
        &Limits::default(),
        &Clock::unlimited(),
        &mut (),
    );
    let statistics = search.statistics();
    let pairs = statistics.duplicates / 2;
    assert!(
        pairs > 0 && pairs < statistics.generations / 4,
        "{statistics:?}"
    );
}

/// Mutation goes where moves are missing: hardly a mutant is in the tree already (elsewhere one in
/// twenty).
#[test]
fn mutants_are_new() {
    let options = GeneticOptions {
        crossover_rate: 0,
        ..Default::default()
    };
    let mut search = Genetic::new(Winglet::default(), options);
    search.search_nodes(&Position::default(), 50_000);
    let statistics = search.statistics();
    assert!(
        statistics.mutations > 500 * statistics.stillborn(),
        "{statistics:?}"
    );
}

/// An evasion can be the last of the fifty moves, and a capture the last of what could mate.
#[test]
fn no_branch_goes_on_after_a_draw() {
    for root in [
        "6r1/8/8/8/2K5/k3R3/8/6R1 b - - 97 120",
        "5r2/5p2/8/5K2/3R4/8/8/5k1N b - - 97 120",
        "8/7q/8/8/1KQ5/8/4q3/k7 w - - 98 100",
        "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1",
    ] {
        let root = Position::from_fen(root).expect("a position");
        for preset in [Preset::Paper, Preset::Letter] {
            let mut search = Genetic::new(Winglet::default(), preset.options());
            for nodes in [500, 1_500, 4_000] {
                let report = search.search_nodes(&root, nodes);
                assert!(
                    !report.score.is_mate(),
                    "{preset:?} after {nodes}: {report:?}"
                );
                search.tree().expect("it has searched").visit(|_, genes| {
                    let mut after = root.clone();
                    for &gene in genes {
                        assert!(
                            after.halfmove_clock() < 100,
                            "{preset:?} after {nodes}: {genes:?}"
                        );
                        let is_dead = is_insufficient_material(after.board());
                        assert!(!is_dead, "{preset:?} after {nodes}: {genes:?}");
                        after.play(gene).expect("a legal move");
                    }
                });
            }
        }
    }
}

//! C3: crossover and mutation.

use serde::{Deserialize, Serialize};
use serde_json::json;
use shakmaty::Position as _;

use crate::lab::experiment::positions::{after_searches, by_witness};
use crate::lab::experiment::words::percent;
use crate::lab::experiment::{Conclusion, Laboratory, Part, Text};
use crate::rules::position::Position;
use crate::search::genetic::tree::{NodeId, ReservationTree};

/// The counts of a search.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Searched {
    fen: String,
    /// Nodes of the tree but the root, and the nodes among them whose move shakmaty refuses.
    nodes: usize,
    illegal_nodes: usize,
    /// Children in the tree, and children discarded because a move cannot be made.
    born: u64,
    illegal: u64,
    /// The number of children, with those in the tree already and those too long.
    conceived: u64,
}

/// C3: Crossover and mutation.
pub fn run(laboratory: &Laboratory, text: &Text) -> anyhow::Result<Conclusion> {
    let conditions = &laboratory.conditions;
    let nodes = conditions.nodes(20_000, 100_000);
    let count = conditions.pick(40, 200);
    let work = "c3-children";
    let searched = after_searches(laboratory, work, count, nodes, |position, search| {
        let statistics = search.statistics();
        let mut counts = (0, 0);
        if let Some(tree) = search.tree() {
            counts = count_illegal(tree, position);
        }
        Searched {
            fen: position.to_fen(),
            nodes: counts.0,
            illegal_nodes: counts.1,
            born: statistics.births(),
            illegal: statistics.illegal,
            conceived: statistics.births() + statistics.stillborn(),
        }
    })?;
    let [mut conceived, mut born, mut illegal] = [0; 3];
    let [mut in_trees, mut wrong] = [0; 2];
    for one in &searched {
        conceived += one.conceived;
        born += one.born;
        illegal += one.illegal;
        in_trees += one.nodes;
        wrong += one.illegal_nodes;
    }
    let parts = vec![
        Part::exact(
            "In real searches no branch has an impossible move",
            wrong == 0 && in_trees > 0,
            format!("{wrong} of {in_trees} moves in {} trees", searched.len()),
        ),
        Part::measured(
            "Children discarded because a move cannot be made",
            format!(
                "{illegal} of {conceived} children, {}; {} were born",
                percent(illegal as usize, conceived as usize),
                percent(born as usize, conceived as usize)
            ),
        ),
    ];
    Ok(text.conclude(
        laboratory,
        &[("count", &count), ("nodes", &nodes)],
        parts,
        json!({ "searches": searched }),
    ))
}

/// Returns the number of nodes of a tree, and the number of moves that shakmaty refuses.
fn count_illegal(tree: &ReservationTree, root: &Position) -> (usize, usize) {
    let mut counts = (0, 0);
    descend(tree, tree.root(), &root.to_shakmaty(), &mut counts);
    counts
}

fn descend(
    tree: &ReservationTree,
    node: NodeId,
    game: &shakmaty::Chess,
    counts: &mut (usize, usize),
) {
    for child in tree.children(node) {
        counts.0 += 1;
        match by_witness(game, tree.gene(child)) {
            Some(mv) => {
                let mut after = game.clone();
                after.play_unchecked(mv);
                descend(tree, child, &after, counts);
            }
            None => counts.1 += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use chess::ChessMove;
    use rand::SeedableRng as _;
    use rand::rngs::Xoshiro256PlusPlus;

    use super::*;
    use crate::eval::Dynamic;
    use crate::lab::experiment::positions::{moves, paper};
    use crate::search::genetic::paper::birth::{Birth, Breeder};
    use crate::search::genetic::params::{GeneticOptions, QuiescenceFrom};
    use crate::search::genetic::search::Search;
    use crate::search::genetic::{Statistics, paper::operators, selection::Chromosome};
    use crate::search::{Clock, Limits, Stop};

    /// The result of an operation.
    struct Offspring {
        /// The new branches in the tree, in the order of their birth.
        children: Vec<Vec<ChessMove>>,
        /// The counts, with the parents' own births.
        statistics: Statistics,
    }

    /// Crossover (Fig. 17): `a` and `b` swap what comes after their first `cut` moves.
    fn crossover(a: &str, b: &str, cut: usize) -> Offspring {
        breed(&[a, b], |breeder, parents| {
            operators::exchange_tails(breeder, &parents[0], &parents[1], cut)
        })
    }

    /// Mutation (Fig. 18): `mv` takes the place of the move at index `point`; what comes after is
    /// kept as far as it can still be made (Fig. 22).
    fn mutation(parent: &str, point: usize, mv: ChessMove) -> Offspring {
        breed(&[parent], |breeder, parents| {
            let parent = &parents[0];
            breeder
                .cursor
                .walk_to(&parent.nodes[..point], &parent.genes[..point]);
            operators::replace_gene(breeder, parent, point, mv, false).map(drop)
        })
    }

    /// Works with a search before its beginning.
    fn with_breeder<T>(
        root: &Position,
        options: &GeneticOptions,
        work: impl FnOnce(&mut Breeder<'_, Dynamic>) -> T,
    ) -> T {
        let evaluator = paper();
        let limits = Limits::default();
        let clock = Clock::unlimited();
        let mut tree = ReservationTree::with_capacity(1 << 10);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let search = Search::new(
            &evaluator,
            options,
            &mut tree,
            &mut random,
            root,
            &limits,
            &clock,
        );
        work(&mut Breeder::new(search, root))
    }

    fn breed(
        parents: &[&str],
        operation: impl for<'a> FnOnce(&mut Breeder<'a, Dynamic>, &[Chromosome]) -> Result<(), Stop>,
    ) -> Offspring {
        let root = Position::default();
        let parents: Vec<Vec<ChessMove>> = parents.iter().map(|moves| line(moves)).collect();
        let options = GeneticOptions {
            quiescence_from: QuiescenceFrom::Never,
            ..GeneticOptions::default()
        };
        with_breeder(&root, &options, |breeder| {
            let mut chromosomes = Vec::with_capacity(parents.len());
            for genes in &parents {
                breeder.cursor.walk_to(&[], &[]);
                assert_eq!(breeder.add_branch(genes, false), Ok(Birth::New));
                let mut chromosome = Chromosome::default();
                chromosome.read(
                    breeder.search.tree,
                    breeder.cursor.path()[1..].iter().copied(),
                );
                assert_eq!(chromosome.genes[..], genes[..]);
                chromosomes.push(chromosome);
            }
            operation(breeder, &chromosomes).expect("it can be done");
            let mut ends = Vec::new();
            let tree = &breeder.search.tree;
            tree.visit(|node, genes| {
                if tree.own_value(node).is_some() && parents.iter().all(|parent| parent != genes) {
                    ends.push((tree.born(node), genes.to_vec()));
                }
            });
            ends.sort_by_key(|(born, _)| *born);
            let children = ends.into_iter().map(|(_, genes)| genes).collect();
            Offspring {
                children,
                statistics: breeder.search.statistics,
            }
        })
    }

    fn line(text: &str) -> Vec<ChessMove> {
        moves(&Position::default(), text).expect("moves")
    }

    #[test]
    fn fig_17_and_section_4_5() {
        let crossed = crossover("e4 e5 Nf3 Nc6", "e4 c5 Nc3 g6", 2);
        assert_eq!(
            crossed.children,
            [line("e4 e5 Nc3 g6"), line("e4 c5 Nf3 Nc6")]
        );
        assert_eq!(crossed.statistics.crossovers, 2);
        let same = crossover("e4 e5 Nf3 Nc6", "e4 e5 Nc3 g6", 2);
        assert_eq!((same.children.len(), same.statistics.duplicates), (0, 2));
        let impossible = crossover("d4 d6 Bf4 g6", "e3 g6 Bd3 Nf6", 2);
        assert_eq!(
            (impossible.children.len(), impossible.statistics.illegal),
            (0, 2)
        );
    }

    #[test]
    fn figs_18_and_22() {
        let mutant = |parent, point: usize, by: &str| {
            let mut before = Position::default();
            line(parent)[..point]
                .iter()
                .for_each(|&mv| before.play(mv).expect("legal"));
            mutation(parent, point, before.parse_move(by).expect("a move")).children
        };
        assert_eq!(mutant("e4 e5 Nf3 Nc6", 2, "c3"), [line("e4 e5 c3 Nc6")]);
        assert_eq!(mutant("d4 e6 g3 Bb4+ Nd2", 1, "g6"), [line("d4 g6 g3")]);
        // A move that cannot be made there is no child.
        let impossible = mutation("e4 e5 Nf3", 1, line("e4")[0]);
        assert_eq!(
            (impossible.children.len(), impossible.statistics.illegal),
            (0, 1)
        );
    }

    #[test]
    fn an_illegal_move_in_a_tree_is_counted() {
        let mut tree = ReservationTree::with_capacity(10);
        let e4 = tree.insert(tree.root(), 1, "e2e4".parse().expect("squares"));
        tree.insert(e4, 2, "e2e4".parse().expect("squares"));
        assert_eq!(count_illegal(&tree, &Position::default()), (2, 1));
    }
}

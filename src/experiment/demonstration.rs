//! Births by hand, for the paper's figures and claims.
//!
//! Single ones: parents, one operation, and what is born of it. These are the very operators of a search, on
//! a tree that holds nothing but the parents. Quiescence branches are left out: a branch ends where its moves
//! end, as in the figures. And a search into whose initial population a branch was put ([`planted`]).

use chess::ChessMove;
use rand::SeedableRng as _;
use rand::rngs::Xoshiro256PlusPlus;

use crate::evaluation::{Profile, Winglet};
use crate::position::Position;
use crate::search::genetic::Statistics;
use crate::search::genetic::birth::{Birth, Breeder};
use crate::search::genetic::chromosome::Chromosome;
use crate::search::genetic::history::History;
use crate::search::genetic::params::{GeneticOptions, QuiescenceFrom};
use crate::search::genetic::report::{News, report};
use crate::search::genetic::search::Search;
use crate::search::genetic::tree::ReservationTree;
use crate::search::genetic::{DEFAULT_MEGABYTES, evolution, operators, population};
use crate::search::{Clock, Limits, SearchReport};

/// What an operation brought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offspring {
    /// The branches that are in the tree now and were not before, in the order of their birth.
    pub children: Vec<Vec<ChessMove>>,
    /// What was counted; the parents' own births included.
    pub statistics: Statistics,
}

/// Crossover (Fig. 17): `a` and `b` swap what comes after their first `cut` moves.
///
/// `None` if the parents are no branches that can be made here, or the cut does not leave each child a move
/// of each parent.
pub fn crossover(root: &Position, a: &[ChessMove], b: &[ChessMove], cut: usize) -> Option<Offspring> {
    if cut == 0 || cut >= a.len().min(b.len()) {
        return None;
    }
    breed(root, &[a, b], |breeder, parents| {
        operators::exchange_tails(breeder, &parents[0], cut, &parents[1], cut)
    })
}

/// Mutation (Fig. 18): `mv` takes the place of the move at index `point`; what comes after is kept as far as
/// it can still be made (Fig. 22).
///
/// `None` if the parent is no branch that can be made here, or has no such move.
pub fn mutation(root: &Position, parent: &[ChessMove], point: usize, mv: ChessMove) -> Option<Offspring> {
    if point >= parent.len() {
        return None;
    }
    breed(root, &[parent], |breeder, parents| {
        let parent = &parents[0];
        breeder.place.walk_to(&parent.nodes()[..point], &parent.genes()[..point]);
        operators::replace_gene(breeder, parent, point, mv, false).map(drop)
    })
}

/// A search with a branch that somebody put in.
#[derive(Clone, Debug)]
pub struct Planted {
    /// What it would have played before the first generation.
    pub at_once: SearchReport,
    /// What it plays in the end.
    pub later: SearchReport,
}

/// The search of the preset `paper` with so many nodes, with `branch` and its quiescence branches added to
/// the initial population.
///
/// `None` if that is no new branch that can be made here, or the nodes are too few for the initial
/// population.
pub fn planted(root: &Position, branch: &[ChessMove], seed: u64, nodes: u64) -> Option<Planted> {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let capacity = ReservationTree::capacity_of(DEFAULT_MEGABYTES);
    with_breeder(root, &GeneticOptions::default(), capacity, seed, &limits, |breeder| {
        population::initial(breeder)?;
        breeder.place.walk_to(&[], &[]);
        if breeder.add_branch(branch, false)? != Birth::New {
            return None;
        }
        let at_once = report(&breeder.search);
        evolution::generations(breeder, &mut History::default(), &mut News::default(), &mut ());
        Some(Planted { at_once, later: report(&breeder.search) })
    })
}

fn breed(
    root: &Position,
    parents: &[&[ChessMove]],
    operation: impl for<'a> FnOnce(&mut Breeder<'a, Winglet>, &[Chromosome]) -> Option<()>,
) -> Option<Offspring> {
    let options = GeneticOptions { quiescence_from: QuiescenceFrom::Never, ..GeneticOptions::default() };
    with_breeder(root, &options, 1 << 10, 1, &Limits::default(), |breeder| {
        let mut chromosomes = Vec::with_capacity(parents.len());
        for &genes in parents {
            breeder.place.walk_to(&[], &[]);
            if breeder.add_branch(genes, false)? != Birth::New {
                return None;
            }
            let mut chromosome = Chromosome::default();
            chromosome.read(breeder.search.tree, breeder.place.path()[1..].iter().copied());
            if chromosome.genes() != genes {
                return None;
            }
            chromosomes.push(chromosome);
        }
        operation(breeder, &chromosomes)?;
        let mut ends = Vec::new();
        let tree = &breeder.search.tree;
        tree.visit(|node, genes| {
            if tree.own_value(node).is_some() && !parents.contains(&genes) {
                ends.push((tree.born(node), genes.to_vec()));
            }
        });
        ends.sort_by_key(|(born, _)| *born);
        Some(Offspring {
            children: ends.into_iter().map(|(_, genes)| genes).collect(),
            statistics: breeder.search.statistics,
        })
    })
}

/// Does something with a search that has not begun yet, on a tree for `capacity` nodes.
fn with_breeder<T>(
    root: &Position,
    options: &GeneticOptions,
    capacity: usize,
    seed: u64,
    limits: &Limits,
    work: impl FnOnce(&mut Breeder<'_, Winglet>) -> T,
) -> T {
    let (evaluator, clock) = (Winglet::new(Profile::Paper), Clock::unlimited());
    let mut tree = ReservationTree::with_capacity(capacity);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let search = Search::new(&evaluator, options, &mut tree, &mut random, root, limits, &clock);
    work(&mut Breeder::new(search, root))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Vec<ChessMove> {
        let mut position = Position::default();
        text.split(' ')
            .map(|san| {
                let mv = position.parse_move(san).expect("a move");
                position.play(mv).expect("legal");
                mv
            })
            .collect()
    }

    #[test]
    fn children_are_what_is_new() {
        let root = Position::default();
        let (a, b) = (line("e4 e5 Nf3 Nc6"), line("e4 c5 Nc3 g6"));
        let offspring = crossover(&root, &a, &b, 2).expect("branches");
        assert_eq!(offspring.children, [line("e4 e5 Nc3 g6"), line("e4 c5 Nf3 Nc6")]);
        assert_eq!(offspring.statistics.crossovers, 2);
        let nothing = crossover(&root, &a, &line("e4 e5 Nc3 g6"), 2).expect("branches");
        assert_eq!((nothing.children.len(), nothing.statistics.duplicates), (0, 2));
    }

    #[test]
    fn a_planted_branch_is_in_the_search() {
        let root = Position::default();
        // Scholar's mate: Black would have to help.
        let mate = line("e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7");
        let planted = planted(&root, &mate, 1, 20_000).expect("a new branch");
        assert_eq!(planted.at_once.selective_depth, 7);
        assert!(planted.later.nodes > planted.at_once.nodes && !planted.at_once.score.is_mate());
        assert!(super::planted(&root, &mate[..2], 1, 20_000).is_none(), "every pair is there");
        assert!(super::planted(&root, &mate, 1, 10).is_none(), "too few nodes");
    }

    #[test]
    fn what_cannot_be_asked_is_refused() {
        let root = Position::default();
        let (a, b) = (line("e4 e5 Nf3"), line("d4 d5"));
        assert_eq!(crossover(&root, &a, &b, 0), None);
        assert_eq!(crossover(&root, &a, &b, 2), None);
        let impossible = [a[0], a[2]];
        assert_eq!(crossover(&root, &impossible, &b, 1), None);
        assert_eq!(mutation(&root, &a, 3, a[0]), None);
        // A move that cannot be made there is no child.
        let offspring = mutation(&root, &a, 1, a[0]).expect("a branch");
        assert_eq!((offspring.children.len(), offspring.statistics.illegal), (0, 1));
    }
}

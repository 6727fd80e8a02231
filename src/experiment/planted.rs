//! A search into whose initial population a branch was put by hand.

use chess::ChessMove;
use rand::SeedableRng as _;
use rand::rngs::Xoshiro256PlusPlus;

use super::positions::paper;
use crate::evaluation::Dynamic;
use crate::position::Position;
use crate::search::genetic::birth::{Birth, Breeder};
use crate::search::genetic::history::History;
use crate::search::genetic::params::{GeneticOptions, Leaves, Preset};
use crate::search::genetic::report::{News, report};
use crate::search::genetic::search::Search;
use crate::search::genetic::tree::ReservationTree;
use crate::search::genetic::{DEFAULT_MEGABYTES, evolution};
use crate::search::{Clock, Limits, SearchReport};

/// A search with a branch that somebody put in.
#[derive(Clone, Debug)]
pub struct Planted {
    /// What it would have played before the first generation.
    pub at_once: SearchReport,
    /// What it plays in the end.
    pub later: SearchReport,
}

/// The search of a preset with so many nodes, with `branch` and its quiescence branches added to
/// the initial population.
///
/// `None` if that is no new branch that can be made here, or the nodes are too few for the initial
/// population, or the preset is `strong`, which has another one.
pub fn planted(
    root: &Position,
    branch: &[ChessMove],
    preset: Preset,
    seed: u64,
    nodes: u64,
) -> Option<Planted> {
    let options = preset.options();
    if options.leaves == Leaves::AlphaBeta {
        return None;
    }
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let capacity = ReservationTree::capacity_of(DEFAULT_MEGABYTES);
    with_breeder(root, &options, capacity, seed, &limits, |breeder| {
        evolution::initial_population(breeder)?;
        breeder.place.walk_to(&[], &[]);
        if breeder.add_branch(branch, false)? != Birth::New {
            return None;
        }
        let at_once = report(&breeder.search);
        evolution::generations(breeder, &mut History::default(), &mut News::default(), &mut ());
        Some(Planted { at_once, later: report(&breeder.search) })
    })
}

/// Does something with a search that has not begun yet, on a tree for `capacity` nodes.
pub fn with_breeder<T>(
    root: &Position,
    options: &GeneticOptions,
    capacity: usize,
    seed: u64,
    limits: &Limits,
    work: impl FnOnce(&mut Breeder<'_, Dynamic>) -> T,
) -> T {
    let (evaluator, clock) = (paper(), Clock::unlimited());
    let mut tree = ReservationTree::with_capacity(capacity);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let search = Search::new(&evaluator, options, &mut tree, &mut random, root, limits, &clock);
    work(&mut Breeder::new(search, root))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::positions::moves;

    #[test]
    fn a_planted_branch_is_in_the_search() {
        let root = Position::default();
        // Scholar's mate: Black would have to help.
        let mate = moves(&root, "e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7").expect("moves");
        let planted = planted(&root, &mate, Preset::Paper, 1, 20_000).expect("a new branch");
        assert_eq!(planted.at_once.selective_depth, 7);
        assert!(planted.later.nodes > planted.at_once.nodes && !planted.at_once.score.is_mate());
        // Every pair is there.
        assert!(super::planted(&root, &mate[..2], Preset::Letter, 1, 20_000).is_none());
        assert!(super::planted(&root, &mate, Preset::Paper, 1, 10).is_none(), "too few nodes");
        assert!(super::planted(&root, &mate, Preset::Strong, 1, 20_000).is_none(), "another search");
    }
}

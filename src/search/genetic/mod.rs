//! The genetic search of Dehghani & Babamir (2017): branches of the game tree are chromosomes, kept in a
//! reservation tree.
//!
//! ```text
//!                root                 A branch is a chromosome, a move a gene. Overlapping branches
//!               /    \                share nodes. A value stands where a branch ended, at a quiet
//!             e4      d4              position, and climbs as far as Min-Max lets it: a branch whose
//!            /  \       \             value climbs from its leaf up to level K has fitness H - K + 1.
//!          e5    c5      d5           The branch with K = 0 gave the root its value: its first move
//!          |     |       |            is the move to play.
//!         Nf3   Nc3     c4
//!         +12   +31     +8
//! ```
//!
//! One search:
//!
//! 1. The front end gives the position.
//! 2. The *initial population*: every pair of moves is a branch (with one level: every move), those first
//!    that quiescence likes best.
//! 3. Values are carried up the tree by the paper's *changed Min-Max*: a node is worth the best of its
//!    own value, if a branch ended there, and its children's values. The own value stands for the moves
//!    that are not in the tree, and goes when all are (in the paper it stays: `OwnValue=kept`).
//! 4. At the deadline the first move of the branch with K = 0 is played.
//! 5. Otherwise those breed that are least contested: little is missing to make them the best (to the
//!    letter: the fittest). *Crossover* cuts two branches at the same level and exchanges the
//!    tails; *mutation* changes one move, or adds one: a move that was not tried there before, if there
//!    is any. Every child is validated by making its moves. From its end, and from every new position
//!    where something can be captured, quiescence search appends the line of captures that it finds. Back
//!    to 3.
//!
//! What makes it fast: nodes take 24 bytes in a slab ([`tree`]); [`selection`] looks at few branches, because
//! a branch with K = k is found by stepping off the best path at level k; nothing is replayed from the
//! root; quiescence searches a window round the root's value. When the memory is full, the least fit
//! branches die: exactly those whose absence changes no value.
//!
//! What the paper leaves open is an option of its own, declared in [`params`]. `kashan explain` shows a
//! search from inside; [`history`] is what it remembers of itself.

pub mod chromosome;
pub mod fitness;
pub mod history;
pub mod params;
pub mod selection;
pub mod statistics;
pub mod tree;

// The machinery of a search. Experiments breed by hand with it.
pub(crate) mod birth;
pub(crate) mod evolution;
pub(crate) mod operators;
pub(crate) mod population;
pub(crate) mod report;
pub(crate) mod search;

pub mod memetic;
mod nursery;
mod place;

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

use self::birth::Breeder;
use self::history::History;
use self::memetic::Memetic;
use self::params::{GeneticOptions, Leaves};
use self::search::Search;
use self::tree::ReservationTree;
use super::alphabeta::AlphaBetaOptions;
use super::alphabeta::leaf::{LeafMemory, LeafSearch};
use super::{Clock, Limits, Observer, SearchReport, Searcher};
use crate::evaluation::Evaluator;
use crate::position::Position;

pub use self::statistics::Statistics;

/// Megabytes of the reservation tree unless [`Searcher::set_memory`] says otherwise.
pub(crate) const DEFAULT_MEGABYTES: usize = 64;

/// With alpha-beta at the leaves, the tree has one part in so many of the memory, and what is known of its
/// ends besides takes about as much; the rest is the transposition table.
const LEAVES_OVER_TREE: usize = 32;

/// The genetic search as a backend. See the [module](self).
pub struct Genetic<E> {
    evaluator: E,
    pub options: GeneticOptions,
    seed: u64,
    random: Xoshiro256PlusPlus,
    megabytes: usize,
    /// Made at the first search, kept for the next.
    tree: Option<ReservationTree>,
    /// What alpha-beta at the leaves has learned.
    leaf_memory: Option<LeafMemory>,
    leaf_options: AlphaBetaOptions,
    /// Of the last search.
    history: History,
}

impl<E: Evaluator> Genetic<E> {
    /// A search with 64 MB and seed 1.
    pub fn new(evaluator: E, options: GeneticOptions) -> Self {
        let seed = 1;
        Genetic {
            evaluator,
            options,
            seed,
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
            megabytes: DEFAULT_MEGABYTES,
            tree: None,
            leaf_memory: None,
            leaf_options: AlphaBetaOptions::default(),
            history: History::default(),
        }
    }

    /// Sets the seed of all randomness, from the next [`Searcher::new_game`] on: the same seed gives the same
    /// searches under node limits.
    pub fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// What the last search did.
    pub fn statistics(&self) -> Statistics {
        let end = self.history.snapshots().last();
        end.map(|snapshot| snapshot.statistics).unwrap_or_default()
    }

    /// How the last search developed.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The reservation tree as the last search left it.
    pub fn tree(&self) -> Option<&ReservationTree> {
        self.tree.as_ref()
    }
}

impl<E: Evaluator> Searcher for Genetic<E> {
    fn search(
        &mut self,
        root: &Position,
        limits: &Limits,
        clock: &Clock,
        observer: &mut dyn Observer,
    ) -> SearchReport {
        let (of_tree, of_leaves) = match self.options.leaves {
            Leaves::Quiescence => (self.megabytes, None),
            Leaves::AlphaBeta => {
                let of_tree = (self.megabytes / LEAVES_OVER_TREE).max(1);
                (of_tree, Some((self.megabytes - of_tree).max(1)))
            }
        };
        let capacity = ReservationTree::capacity_of(of_tree);
        let tree = self.tree.get_or_insert_with(|| {
            let tree = ReservationTree::with_capacity(capacity);
            if tree.capacity() < capacity {
                observer.short_of_memory(self.megabytes * tree.capacity() / capacity);
            }
            tree
        });
        let search = Search::new(&self.evaluator, &self.options, tree, &mut self.random, root, limits, clock);
        if let Some(megabytes) = of_leaves {
            let memory = self.leaf_memory.get_or_insert_with(|| LeafMemory::new(megabytes));
            if let Some(megabytes) = memory.take_shortage() {
                observer.short_of_memory(of_tree + megabytes);
            }
            let leaf = LeafSearch::new(&self.evaluator, &self.leaf_options, memory, root, clock);
            let (report, history) = Memetic::new(search, leaf).search(observer);
            self.history = history;
            return report;
        }
        let (report, history) = evolution::search(&mut Breeder::new(search, root), observer);
        self.history = history;
        report
    }

    fn new_game(&mut self) {
        self.random = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        if let Some(memory) = &mut self.leaf_memory {
            memory.clear();
        }
    }

    fn set_memory(&mut self, megabytes: usize) {
        if megabytes != self.megabytes {
            self.megabytes = megabytes;
            self.tree = None;
            self.leaf_memory = None;
        }
    }
}

#[cfg(test)]
mod tests;

//! The genetic search of Dehghani & Babamir (2017): branches of the game tree are chromosomes, kept
//! in a reservation tree.
//!
//! The default search, preset `strong`, is in the folder `strong`; its `mod.rs` explains it. This
//! page is about the paper's search, the presets `paper` and `letter`, in the
//! folder `paper`. All have the tree, K and the reports.
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
//! 2. The *initial population*: every pair of moves is a branch (with one level: every move), those
//!    first that quiescence likes best.
//! 3. Values are carried up the tree by the paper's *changed Min-Max*: a node is worth the best of
//!    its own value, if a branch ended there, and its children's values. The own value stands for
//!    the moves without a node, and goes when all have one (in the paper it stays:
//!    `OwnValue=kept`).
//! 4. At the deadline the first move of the branch with K = 0 is played.
//! 5. Until then the least contested branches breed: their deficit to the best is small (to the
//!    letter: the fittest); less if their first move had little effort. *Crossover* cuts two
//!    branches at the same level and exchanges the tails; *mutation* changes one move, or adds one:
//!    an untried move if there is any, and rather one that was best elsewhere. Every child is
//!    validated by making its moves. From its end, and from every new position with a capture,
//!    quiescence search appends its line of captures. Back to 3.
//!
//! The search is fast for four reasons: nodes take 24 bytes in a slab ([`tree`]); [`selection`]
//! looks at few branches, because a branch with K = k steps off the best path at level k; nothing
//! is replayed from the root; quiescence searches a window round the root's value. When the memory
//! is full, the least fit branches die: exactly those whose absence changes no value.
//!
//! Every point left open by the paper is an option of its own, declared in [`params`]. `kashan
//! explain` shows a search from inside; [`statistics`] is its record.

pub mod params;
pub mod selection;
pub mod statistics;
pub mod tree;

// The machinery of a search. Experiments breed by hand with it.
pub(crate) mod paper;
pub(crate) mod report;
pub(crate) mod search;

pub mod strong;
mod workers;

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

use self::paper::birth::Breeder;
use self::paper::evolution;
use self::params::{GeneticOptions, Leaves};
use self::search::Search;
use self::statistics::Timeline;
use self::strong::Kept;
use self::tree::ReservationTree;
use super::alphabeta::{AlphaBetaOptions, Memory};
use super::team::MADE_AT_ONCE;
use super::{Clock, Limits, Observer, Remark, SearchReport, Searcher};
use crate::eval::Evaluator;
use crate::rules::position::{Outcome, Position};
use crate::rules::score::Score;

pub use self::statistics::Statistics;

/// Megabytes of the reservation tree unless [`Searcher::set_memory`] says otherwise.
pub(crate) const DEFAULT_MEGABYTES: usize = 64;

/// The default search has one part in so many of the memory for its tree; the rest is the
/// transposition table.
const TREE_MEMORY_DIVISOR: usize = 16;

/// A node of the default search, with its children and its tail, takes as much memory as so many
/// nodes of the reservation tree.
const SIZE_OF_STRONG_NODE: usize = 8;

/// The genetic search as a backend. See the [module](self).
///
/// In the default search each thread is a worker with a reservation tree, a population and a seed
/// of its own, and they share a transposition table. The searches of the paper have one thread.
pub struct Genetic<E> {
    pub options: GeneticOptions,
    /// The options of the local search of the preset `strong`.
    pub local_options: AlphaBetaOptions,
    /// The seed of all randomness, from the next [`Searcher::new_game`] on: the same seed gives the
    /// same searches under node limits.
    pub seed: u64,
    megabytes: usize,
    /// One for each thread of the last search; at least one.
    workers: Vec<WorkerState<E>>,
    /// The memory of local searches; made when first needed.
    leaf_memory: Option<Memory>,
    /// The megabytes for trees, if they are fewer than wanted and not yet reported.
    shortage: Option<usize>,
}

/// The randomness of one of the workers at the beginning of a game.
fn generator_of_worker(seed: u64, number: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed.wrapping_add(number))
}

/// The state of one worker.
struct WorkerState<E> {
    evaluator: E,
    random: Xoshiro256PlusPlus,
    /// Made at the first search, kept for the next.
    tree: Option<ReservationTree>,
    /// The history of the last search.
    history: Timeline,
    /// The population of the last search, if that was the default one.
    kept: Option<Kept>,
}

impl<E> WorkerState<E> {
    fn new(evaluator: E, random: Xoshiro256PlusPlus) -> Self {
        WorkerState {
            evaluator,
            random,
            tree: None,
            history: Timeline::default(),
            kept: None,
        }
    }
}

impl<E: Evaluator + Clone> Genetic<E> {
    /// A search with 64 MB and seed 1.
    pub fn new(evaluator: E, options: GeneticOptions) -> Self {
        let seed = 1;
        Genetic {
            options,
            local_options: AlphaBetaOptions::default(),
            seed,
            megabytes: DEFAULT_MEGABYTES,
            workers: vec![WorkerState::new(evaluator, generator_of_worker(seed, 0))],
            leaf_memory: None,
            shortage: None,
        }
    }

    /// The counts of the last search; of several workers, the first's.
    pub fn statistics(&self) -> Statistics {
        self.history().statistics()
    }

    /// The history of the last search; of several workers, the first's.
    pub fn history(&self) -> &Timeline {
        &self.workers[0].history
    }

    /// The reservation tree of the last search; of several workers, the first's.
    pub fn tree(&self) -> Option<&ReservationTree> {
        self.workers[0].tree.as_ref()
    }

    /// Megabytes of the tree, and of the memory of local searches, if used.
    fn shares(&self) -> (usize, Option<usize>) {
        match self.options.leaves {
            Leaves::Quiescence => (self.megabytes, None),
            Leaves::AlphaBeta => {
                let of_tree = (self.megabytes / TREE_MEMORY_DIVISOR).max(1);
                (of_tree, Some((self.megabytes - of_tree).max(1)))
            }
        }
    }

    /// The number of workers for so many threads.
    fn worker_count(&self, threads: usize) -> usize {
        match self.options.leaves {
            Leaves::Quiescence => 1,
            Leaves::AlphaBeta => workers::most(threads, self.megabytes),
        }
    }

    /// Makes so many workers, each with a tree of its share of the memory, but at most `most`
    /// trees. Returns true if all have one.
    fn make_colonies(&mut self, workers: usize, most: usize) -> bool {
        if self.workers.len() != workers {
            let evaluator = self.workers[0].evaluator.clone();
            for worker in &mut self.workers {
                worker.tree = None;
                worker.kept = None;
            }
            self.workers.truncate(workers);
            for number in self.workers.len()..workers {
                let random = generator_of_worker(self.seed, number as u64);
                self.workers
                    .push(WorkerState::new(evaluator.clone(), random));
            }
        }
        let (of_tree, of_leaves) = self.shares();
        let size = if of_leaves.is_some() {
            SIZE_OF_STRONG_NODE
        } else {
            1
        };
        let capacity = ReservationTree::capacity_of(of_tree) / size / workers;
        for worker in self
            .workers
            .iter_mut()
            .filter(|worker| worker.tree.is_none())
            .take(most)
        {
            let tree = ReservationTree::with_capacity(capacity);
            if tree.capacity() < capacity {
                self.shortage = Some(self.megabytes * tree.capacity() / capacity);
            }
            worker.tree = Some(tree);
        }
        self.workers.iter().all(|worker| worker.tree.is_some())
    }
}

impl<E: Evaluator + Clone> Searcher for Genetic<E> {
    fn search(
        &mut self,
        root: &Position,
        limits: &Limits,
        clock: &Clock,
        observer: &mut dyn Observer,
    ) -> SearchReport {
        self.make_colonies(self.worker_count(limits.threads), usize::MAX);
        if let Some(megabytes) = self.shortage.take() {
            observer.remark(Remark::ShortOfMemory(megabytes));
        }
        let shares = self.shares();
        let shared = SharedSearch {
            root,
            limits,
            clock,
            options: &self.options,
            local_options: &self.local_options,
        };
        let mut report = if let (of_tree, Some(of_leaves)) = shares {
            let memory = self
                .leaf_memory
                .get_or_insert_with(|| Memory::new(of_leaves));
            if let Some(megabytes) = memory.take_shortage() {
                observer.remark(Remark::ShortOfMemory(of_tree + megabytes));
            }
            workers::search_strong(&mut self.workers, memory, &shared, observer)
        } else {
            self.workers[0].search(&shared, observer)
        };
        // A root without moves has no branch that could tell its value.
        if matches!(root.outcome(), Some(Outcome::Checkmate { .. })) {
            report.score = Score::mated_in(0);
        }
        report
    }

    fn new_game(&mut self) {
        for (worker, number) in self.workers.iter_mut().zip(0..) {
            worker.random = generator_of_worker(self.seed, number);
            worker.kept = None;
        }
        if let Some(memory) = &mut self.leaf_memory {
            memory.clear();
        }
    }

    fn set_memory(&mut self, megabytes: usize) {
        if megabytes != self.megabytes {
            self.megabytes = megabytes;
            for worker in &mut self.workers {
                worker.tree = None;
                worker.kept = None;
            }
            self.leaf_memory = None;
        }
    }

    fn remains(&self) -> Option<Remains<'_>> {
        self.tree().map(|tree| Remains {
            tree,
            history: self.history(),
        })
    }

    fn prepare(&mut self, threads: usize) -> bool {
        let workers = self.worker_count(threads);
        if !self.make_colonies(workers, MADE_AT_ONCE) {
            return true;
        }
        let (_, Some(of_leaves)) = self.shares() else {
            return false;
        };
        self.leaf_memory
            .get_or_insert_with(|| Memory::new(of_leaves))
            .prepare(workers)
    }
}

/// A search shared by all workers.
#[derive(Clone, Copy)]
struct SharedSearch<'a> {
    root: &'a Position,
    limits: &'a Limits,
    clock: &'a Clock,
    options: &'a GeneticOptions,
    local_options: &'a AlphaBetaOptions,
}

/// The state after a genetic search, until the next one begins.
#[derive(Clone, Copy, Debug)]
pub struct Remains<'a> {
    pub tree: &'a ReservationTree,
    pub history: &'a Timeline,
}

impl<E: Evaluator> WorkerState<E> {
    /// Searches the allowed root moves as the paper does. The tree was made before.
    fn search(&mut self, shared: &SharedSearch<'_>, observer: &mut dyn Observer) -> SearchReport {
        let &SharedSearch {
            root,
            limits,
            clock,
            options,
            ..
        } = shared;
        let tree = self.tree.as_mut().expect("it was made before");
        let search = Search::new(
            &self.evaluator,
            options,
            tree,
            &mut self.random,
            root,
            limits,
            clock,
        );
        let mut breeder = Breeder::new(search, root);
        let (report, history) = evolution::search(&mut breeder, observer);
        self.history = history;
        report
    }
}

#[cfg(test)]
pub(crate) mod tests;

//! Counts of a search, and their development over its generations.

use chess::ChessMove;

use crate::rules::score::Score;

/// Counts of one search, for reports and experiments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    pub generations: u64,
    /// Branches that ended where none had ended before, quiescence branches included; in
    /// the default search, branches born.
    pub branches: u64,
    /// Results of nodes by a local search, repetitions and bounds included.
    pub leaves: u64,
    /// The number of such searches that were too large, so the branch grew instead.
    pub grown_over_budget: u64,
    /// Mutants that live undecided: their searches became too large.
    pub mutants_over_budget: u64,
    /// The most positions of one search below the tree.
    pub largest_local_search: u64,
    /// The number of singular tests.
    pub singular_tests: u64,
    /// The number of singular moves, each with an extension of its branch.
    pub extensions: u64,
    /// Children of crossover; in the default search those that died at once are counted, too.
    pub crossovers: u64,
    /// Children of mutation; in the default search those that live.
    pub mutations: u64,
    /// Mutants made and valued; most died at once.
    pub mutants: u64,
    /// Branches lengthened by one gene: see [`strong`](super::strong).
    pub growths: u64,
    /// Branches that died: the worst of the refuted children with their subtrees, and children
    /// of crossover without proof of being better. Mutants that died at once are not counted.
    pub deaths: u64,
    /// Nodes visited by mutation: for the moves without a node.
    pub mutation_nodes: u64,
    /// Nodes visited to value children of crossover.
    pub crossover_nodes: u64,
    /// Nodes visited to value mutants and crossover children that lived.
    pub surviving_child_nodes: u64,
    /// Children with an illegal move. The default search has none, nor those of the next two
    /// counts.
    pub illegal: u64,
    /// Children already in the tree.
    pub duplicates: u64,
    /// Children that would begin at the length limit.
    pub too_long: u64,
    /// The number of times the least fit branches had to make room.
    pub culls: u64,
    /// Nodes visited for branches with the move to play.
    pub best_nodes: u64,
    /// Nodes in the tree at the end.
    pub tree_nodes: u64,
    /// H at the end.
    pub height: u64,
}

impl Statistics {
    /// Children of crossover and mutation.
    pub fn births(&self) -> u64 {
        self.crossovers + self.mutations
    }

    /// The number of children dead at birth.
    pub fn stillborn(&self) -> u64 {
        self.illegal + self.duplicates + self.too_long
    }

    /// The number of children bred since `before`, and the number of those in the tree.
    pub(super) fn bred_since(&self, before: &Statistics) -> (u64, u64) {
        let born = self.births() - before.births();
        (born + self.stillborn() - before.stillborn(), born)
    }
}

/// The state after a generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The counts so far; `generations` is 0 after the initial population.
    pub statistics: Statistics,
    /// P: how many branches were to breed next.
    pub population: usize,
    /// Nodes visited so far.
    pub nodes: u64,
    /// The first move of the branch with K = 0.
    pub best: Option<ChessMove>,
    /// Its value, from the side to move at the root.
    pub value: Score,
}

/// Snapshots from the initial population on, ever further apart; the last one is the end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timeline {
    pub snapshots: Vec<Snapshot>,
    /// Nodes visited for the branches of each root move. Those of the root itself are left out.
    pub root_nodes: Vec<(ChessMove, u64)>,
}

/// The generations grow by one in so many between snapshots, and by one at least.
const PACE: u64 = 2;

impl Timeline {
    /// The counts of the entire search.
    pub fn statistics(&self) -> Statistics {
        self.snapshots
            .last()
            .map(|snapshot| snapshot.statistics)
            .unwrap_or_default()
    }

    /// Returns true if a snapshot is due after so many generations.
    pub(super) fn is_due(&self, generations: u64) -> bool {
        self.snapshots.last().is_none_or(|last| {
            let last = last.statistics.generations;
            generations >= last + (last / PACE).max(1)
        })
    }

    /// Takes a later state down. A second one of the same generation replaces the first: the search
    /// ended in its middle.
    pub(super) fn add(&mut self, snapshot: Snapshot) {
        let generations = snapshot.statistics.generations;
        self.snapshots
            .pop_if(|last| last.statistics.generations == generations);
        self.snapshots.push(snapshot);
    }

    /// Takes down the end.
    pub(super) fn end(&mut self, snapshot: Snapshot, root_nodes: Vec<(ChessMove, u64)>) {
        self.add(snapshot);
        self.root_nodes = root_nodes;
    }
}

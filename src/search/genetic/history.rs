//! What a search did, in numbers, and how it developed: what it had done after some of its
//! generations.

use chess::ChessMove;

use crate::rules::score::Score;

/// Counts of one search, for reports and experiments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    pub generations: u64,
    /// Branches that ended where none had ended before, quiescence branches included; with
    /// alpha-beta at the leaves, branches that were born.
    pub branches: u64,
    /// Ends of branches that were valued by a small alpha-beta search, each as often as it was.
    pub leaves: u64,
    /// How often such a search was too large, so that the branch grew instead.
    pub passed_on: u64,
    /// Mutants that live although they are not known to be better: their searches became too large.
    pub undecided: u64,
    /// The most positions that one search below the tree visited.
    pub largest_leaf: u64,
    /// How often the singular test was made: whether a move has no rival.
    pub singular_tests: u64,
    /// How often it had none, so that its branch was searched deeper.
    pub extensions: u64,
    /// Children of crossover that entered the tree.
    pub crossovers: u64,
    /// Children of mutation that entered the tree.
    pub mutations: u64,
    /// Mutants that were made and valued, most of which died at once.
    pub mutants: u64,
    /// Branches that got one gene more: see [`bred`](super::bred).
    pub growths: u64,
    /// Branches that died: the least fit of the refuted children with all that they had grown, and
    /// children of crossover that were not shown to be better. Mutants that died at once are not
    /// among them.
    pub deaths: u64,
    /// Positions visited by mutation: for the moves that are not in the tree.
    pub mutation_nodes: u64,
    /// Positions visited to value children of crossover.
    pub crossover_nodes: u64,
    /// Positions visited to value mutants and children of crossover that lived.
    pub birth_nodes: u64,
    /// Children with a move that cannot be made. The bred search has none, nor those of
    /// the next two counts.
    pub illegal: u64,
    /// Children that were in the tree before.
    pub duplicates: u64,
    /// Children that would begin where branches may not get any longer.
    pub too_long: u64,
    /// How often the least fit branches had to make room.
    pub culls: u64,
    /// Positions visited for branches that begin with the move to play.
    pub best_nodes: u64,
    /// Nodes in the tree at the end.
    pub tree_nodes: u64,
    /// H at the end.
    pub height: u64,
}

impl Statistics {
    /// Children that entered the tree.
    pub fn births(&self) -> u64 {
        self.crossovers + self.mutations
    }

    /// Children that did not enter the tree.
    pub fn stillborn(&self) -> u64 {
        self.illegal + self.duplicates + self.too_long
    }

    /// How many children were bred since then, and how many of them entered the tree.
    pub(super) fn bred_since(&self, before: &Statistics) -> (u64, u64) {
        let born = self.births() - before.births();
        (born + self.stillborn() - before.stillborn(), born)
    }
}

/// The state after a generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// All that was done so far; `generations` is 0 after the initial population.
    pub statistics: Statistics,
    /// P: how many branches were to breed next.
    pub population: usize,
    /// Positions visited so far.
    pub nodes: u64,
    /// The first move of the branch with K = 0.
    pub best: Option<ChessMove>,
    /// Its value, from the side to move at the root.
    pub value: Score,
}

/// Snapshots from the initial population on, ever further apart; the last one is the end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    pub snapshots: Vec<Snapshot>,
    /// Positions that were visited for the branches of each move of the root. Those of the root
    /// itself are nobody's.
    pub root_nodes: Vec<(ChessMove, u64)>,
}

/// From one snapshot to the next the generations grow by one in so many, and by one at least.
const PACE: u64 = 8;

impl History {
    /// All that the search did.
    pub fn statistics(&self) -> Statistics {
        self.snapshots
            .last()
            .map(|snapshot| snapshot.statistics)
            .unwrap_or_default()
    }

    /// Whether there should be a snapshot after so many generations.
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

    /// Takes down how it ended.
    pub(super) fn end(&mut self, snapshot: Snapshot, root_nodes: Vec<(ChessMove, u64)>) {
        self.add(snapshot);
        self.root_nodes = root_nodes;
    }
}

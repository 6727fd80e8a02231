//! How a search developed: what it had done after some of its generations.

use chess::ChessMove;

use super::statistics::Statistics;
use crate::score::Score;

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
    snapshots: Vec<Snapshot>,
    root_nodes: Vec<(ChessMove, u64)>,
}

/// From one snapshot to the next the generations grow by one in so many, and by one at least.
const PACE: u64 = 8;

impl History {
    pub fn snapshots(&self) -> &[Snapshot] {
        &self.snapshots
    }

    /// All that the search did.
    pub fn statistics(&self) -> Statistics {
        self.snapshots.last().map(|snapshot| snapshot.statistics).unwrap_or_default()
    }

    /// Positions that were visited for the branches of each move of the root. Those of the root itself are
    /// nobody's.
    pub fn root_nodes(&self) -> &[(ChessMove, u64)] {
        &self.root_nodes
    }

    /// Whether there should be a snapshot after so many generations.
    pub(super) fn is_due(&self, generations: u64) -> bool {
        self.snapshots.last().is_none_or(|last| {
            let last = last.statistics.generations;
            generations >= last + (last / PACE).max(1)
        })
    }

    /// Takes a later state down. A second one of the same generation replaces the first: the search ended in
    /// its middle.
    pub(super) fn add(&mut self, snapshot: Snapshot) {
        let generations = snapshot.statistics.generations;
        self.snapshots.pop_if(|last| last.statistics.generations == generations);
        self.snapshots.push(snapshot);
    }

    /// Takes down how it ended.
    pub(super) fn end(&mut self, snapshot: Snapshot, root_nodes: Vec<(ChessMove, u64)>) {
        self.add(snapshot);
        self.root_nodes = root_nodes;
    }
}

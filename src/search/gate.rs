//! The one gate through which every search enters a position: it counts nodes and notices the end.

use super::{Clock, Limits};

/// How many nodes may pass between two checks of the clock. At two million nodes a second that is a tenth of
/// a millisecond, and a check costs about 25 ns.
const NODES_BETWEEN_CHECKS: u64 = 256;

/// Counts nodes and says when the search must unwind.
pub struct Gate<'a> {
    clock: &'a Clock,
    nodes: u64,
    next_check: u64,
    limit: u64,
    /// Deepest ply entered.
    pub selective_depth: usize,
}

impl<'a> Gate<'a> {
    pub fn new(limits: &Limits, clock: &'a Clock) -> Self {
        Gate { clock, nodes: 0, next_check: 0, limit: limits.nodes.unwrap_or(u64::MAX), selective_depth: 0 }
    }

    /// Counts one position. `None` when the search must end: the node limit is reached, or the hard deadline
    /// passed, or the search was told to stop. Meant for `?`.
    #[inline]
    pub fn enter(&mut self, ply: usize) -> Option<()> {
        if self.nodes >= self.next_check {
            self.check_clock()?;
        }
        self.nodes += 1;
        self.selective_depth = self.selective_depth.max(ply);
        Some(())
    }

    /// Checks the clock and the node limit without counting a position: for work that visits none.
    #[cold]
    #[inline(never)]
    pub fn check_clock(&mut self) -> Option<()> {
        if self.nodes >= self.limit || self.clock.must_stop(self.nodes) {
            self.next_check = 0;
            return None;
        }
        self.next_check = (self.nodes + NODES_BETWEEN_CHECKS).min(self.limit);
        Some(())
    }

    /// Positions visited so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    pub fn clock(&self) -> &'a Clock {
        self.clock
    }
}

//! The one gate through which every search enters a position: it counts nodes and notices the end.

use super::{Clock, Limits};

/// How many nodes may pass between two looks at the clock. At two million nodes a second that is a tenth of a
/// millisecond, and a look costs about 25 ns.
const NODES_BETWEEN_LOOKS: u64 = 256;

/// Counts nodes and says when the search must unwind.
pub struct Gate<'a> {
    clock: &'a Clock,
    nodes: u64,
    next_look: u64,
    limit: u64,
    /// Deepest ply entered.
    pub selective_depth: usize,
}

impl<'a> Gate<'a> {
    pub fn new(limits: &Limits, clock: &'a Clock) -> Self {
        Gate {
            clock,
            nodes: 0,
            next_look: 0,
            limit: limits.nodes.unwrap_or(u64::MAX),
            selective_depth: 0,
        }
    }

    /// Counts one position. `None` when the search must end: the node limit is reached, or the hard deadline passed, or the
    /// search was told to stop. Meant for `?`.
    #[inline]
    pub fn enter(&mut self, ply: usize) -> Option<()> {
        if self.nodes >= self.next_look {
            self.look()?;
        }
        self.nodes += 1;
        self.selective_depth = self.selective_depth.max(ply);
        Some(())
    }

    /// Looks at the clock without counting a position: for work that visits none.
    #[cold]
    #[inline(never)]
    pub fn look(&mut self) -> Option<()> {
        if self.nodes >= self.limit || self.clock.must_stop(self.nodes) {
            self.next_look = 0;
            return None;
        }
        self.next_look = (self.nodes + NODES_BETWEEN_LOOKS).min(self.limit);
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

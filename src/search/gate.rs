//! The one gate through which every search enters a position: it counts nodes and notices the end.

use std::sync::Arc;

use chess::{Board, ChessMove};

use super::{Clock, Limits, Score, tables};
use crate::tablebase::Tablebase;

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
    tables: Option<Arc<Tablebase>>,
    table_hits: u64,
}

impl<'a> Gate<'a> {
    pub fn new(limits: &Limits, clock: &'a Clock) -> Self {
        Gate {
            clock,
            nodes: 0,
            next_check: 0,
            limit: limits.nodes.unwrap_or(u64::MAX),
            selective_depth: 0,
            tables: limits.tables.clone(),
            table_hits: 0,
        }
    }

    /// The value of a position from its side to move, if the move that led to it was a capture or a pawn's
    /// move, and an endgame table knows it. `ply` is its distance from the root.
    #[inline]
    pub fn table_value(&mut self, board: &Board, halfmove_clock: u32, ply: usize) -> Option<Score> {
        let tables = self.tables.as_deref().filter(|_| halfmove_clock == 0)?;
        let value = tables::value(tables, board, ply);
        self.table_hits += u64::from(value.is_some());
        value
    }

    /// Whether quiescence ended at `line`, played from `board`, because an endgame table knew the value
    /// there.
    #[inline]
    pub fn ends_in_table(&self, board: &Board, line: &[ChessMove]) -> bool {
        self.tables.as_deref().is_some_and(|tables| tables::decides(tables, board, line))
    }

    /// Positions whose value an endgame table knew.
    pub fn table_hits(&self) -> u64 {
        self.table_hits
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

    /// The search must end at the latest after so many more positions. Returns what to give to
    /// [`Gate::set_limit`] to undo that.
    pub fn end_after(&mut self, nodes: u64) -> u64 {
        let limit = self.limit;
        self.set_limit(limit.min(self.nodes.saturating_add(nodes)));
        limit
    }

    /// The search must end after so many positions.
    pub fn set_limit(&mut self, limit: u64) {
        self.limit = limit;
        self.next_check = 0;
    }

    /// Positions visited so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    pub fn clock(&self) -> &'a Clock {
        self.clock
    }
}

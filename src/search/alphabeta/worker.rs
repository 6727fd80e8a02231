//! What a search works with, and what a node learns about its position before it looks at moves.

use chess::ChessMove;

use super::history::{Arrival, History};
use super::options::AlphaBetaOptions;
use super::table::{Entry, Table};
use super::window::Window;
use crate::evaluation::{Evaluator, evaluate_for_mover};
use crate::position::{Line, Position};
use crate::search::{Bound, Gate, LineKeeper, MAX_PLY, Quiescence, Score};

/// Everything one search works with.
pub(super) struct Worker<'a, E> {
    pub evaluator: &'a E,
    pub options: &'a AlphaBetaOptions,
    pub table: Table<'a>,
    pub history: &'a mut History,
    pub gate: Gate<'a>,
    pub line: Line,
    pub path: [Step; MAX_PLY + 1],
}

/// What the search remembers of a half-move of the line it is in.
#[derive(Clone, Copy, Default)]
pub(super) struct Step {
    /// Static evaluation of the position from its side to move; `None` in check.
    pub evaluation: Option<Score>,
    /// The move that was made here; `None` for a null move.
    pub made: Option<Arrival>,
}

/// What a node knows about itself before it looks at moves.
pub(super) struct Node {
    pub ply: usize,
    pub depth: i32,
    pub in_check: bool,
    /// The static evaluation; `None` in check.
    pub raw_evaluation: Option<Score>,
    /// The static evaluation, corrected by what the table knows; meaningless in check.
    pub evaluation: Score,
    /// Better than at the side's last turn: less is pruned.
    pub improving: bool,
    pub table_move: Option<ChessMove>,
}

impl<'a, E> Worker<'a, E> {
    /// A worker that stands at the root.
    pub fn new(
        evaluator: &'a E,
        options: &'a AlphaBetaOptions,
        table: Table<'a>,
        history: &'a mut History,
        gate: Gate<'a>,
        root: &Position,
    ) -> Self {
        let path = [Step::default(); MAX_PLY + 1];
        Worker { evaluator, options, table, history, gate, line: Line::new(root), path }
    }
}

impl<E: Evaluator> Worker<'_, E> {
    /// The quiescence value of the position at the end of the line; `evaluation` is its static one, `None` in
    /// check.
    pub fn quiescence<L: LineKeeper>(
        &mut self,
        window: Window,
        evaluation: Option<Score>,
        best_line: &mut L,
    ) -> Option<Score> {
        let search = Quiescence { evaluator: self.evaluator, gate: &mut self.gate, evaluation };
        let Window { alpha, beta, .. } = window;
        search.value(self.line.board(), self.line.ply(), alpha, beta, best_line)
    }

    /// The table's answer to what the window asks of a search to `depth`. There is none on the principal
    /// variation, and none near the fifty-move limit, of which the table's values know nothing.
    pub fn answer(&self, known: Option<&Entry>, window: Window, depth: i32) -> Option<Score> {
        known
            .filter(|known| !window.principal && known.depth >= depth && settles(known, window))
            .filter(|_| !self.is_near_fifty_moves())
            .map(|known| known.score)
    }

    fn is_near_fifty_moves(&self) -> bool {
        self.line.halfmove_clock() >= 90
    }

    /// The value of the position at the end of the line by an endgame table. The transposition table
    /// remembers it, for looking it up again takes longer.
    #[inline]
    pub fn look_up(&mut self) -> Option<Score> {
        let ply = self.line.ply();
        let score = self.gate.table_value(self.line.board(), self.line.halfmove_clock(), ply)?;
        if self.options.transposition_table {
            let depth = MAX_PLY as i32;
            let entry = Entry { mv: None, score, bound: Bound::Exact, evaluation: None, depth };
            self.table.store(self.line.key(), ply, entry);
        }
        Some(score)
    }

    pub fn probe(&self, ply: usize) -> Option<Entry> {
        if self.options.transposition_table { self.table.probe(self.line.key(), ply) } else { None }
    }

    /// The static evaluation, if there is one, and the best guess at the position's value that costs nothing.
    pub fn evaluate(&self, in_check: bool, known: Option<&Entry>) -> (Option<Score>, Score) {
        if in_check {
            return (None, -Score::INFINITE);
        }
        let raw = known
            .and_then(|known| known.evaluation)
            .unwrap_or_else(|| evaluate_for_mover(self.evaluator, self.line.board()));
        let better = known.filter(|known| {
            !known.score.is_mate()
                && !self.is_near_fifty_moves()
                && match known.bound {
                    Bound::Exact => true,
                    Bound::Lower => known.score > raw,
                    Bound::Upper => known.score < raw,
                }
        });
        (Some(raw), better.map_or(raw, |known| known.score))
    }

    /// Whether the side to move stands better than at its last turn, or the one before if it was in check.
    pub fn is_improving(&self, ply: usize, now: Score) -> bool {
        let earlier = |back: usize| ply.checked_sub(back).and_then(|ply| self.path[ply].evaluation);
        earlier(2).or_else(|| earlier(4)).is_none_or(|then| now > then)
    }

    /// The moves one and two half-moves before the position at half-move `ply`.
    pub fn moves_before(&self, ply: usize) -> [Option<Arrival>; 2] {
        [1, 2].map(|back| ply.checked_sub(back).and_then(|ply| self.path[ply].made))
    }
}

/// Whether the bound in the table answers the question that the window asks.
fn settles(known: &Entry, window: Window) -> bool {
    match known.bound {
        Bound::Exact => true,
        Bound::Lower => window.fails_high(known.score),
        Bound::Upper => window.fails_low(known.score),
    }
}

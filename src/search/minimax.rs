//! Plain Min-Max: every move of every position to a fixed depth, then quiescence. The paper's first opponent,
//! and the reference that the other searches are tested against.

use std::cmp::Reverse;

use chess::{ChessMove, EMPTY};

use super::{
    Bound, Clock, Gate, Limits, LineKeeper, MAX_PLY, Observer, Progress, Score, SearchReport, Searcher,
    Variation, quiescence,
};
use crate::evaluation::Evaluator;
use crate::options;
use crate::position::{Line, MoveList, Position, legal_moves};

options! {
    /// Options of the Min-Max backend.
    pub struct MinMaxOptions {
        /// Depth of the Min-Max search in half-moves, quiescence not counted, if no other depth is asked for.
        /// The clock may end it earlier.
        depth: spin(3, 1, 20) = "MinMaxDepth",
    }
}

/// The Min-Max backend.
///
/// It deepens one half-move at a time to its depth, so that there is a move whenever the clock ends it.
#[derive(Clone, Debug)]
pub struct MiniMax<E> {
    evaluator: E,
    /// May be changed between searches.
    pub options: MinMaxOptions,
}

impl<E: Evaluator> MiniMax<E> {
    pub fn new(evaluator: E, options: MinMaxOptions) -> Self {
        MiniMax { evaluator, options }
    }

    /// The depth to stop at: what was asked for, or for ever in analysis, or the option.
    fn depth_limit(&self, limits: &Limits) -> u32 {
        let deepest = MAX_PLY as u32 - 1;
        match limits.depth {
            Some(depth) => depth.clamp(1, deepest),
            None if limits.infinite => deepest,
            None => (self.options.depth as u32).clamp(1, deepest),
        }
    }
}

impl<E: Evaluator> Searcher for MiniMax<E> {
    fn search(
        &mut self,
        root: &Position,
        limits: &Limits,
        clock: &Clock,
        observer: &mut dyn Observer,
    ) -> SearchReport {
        let moves = limits.root_moves(root);
        let mut report = SearchReport::without_search(root, &moves);
        if moves.is_empty() {
            return report;
        }
        let mut walk =
            Walk { evaluator: &self.evaluator, gate: Gate::new(limits, clock), line: Line::new(root) };
        for depth in 1..=self.depth_limit(limits) {
            let Some(lines) = walk.root(&moves, depth) else {
                break;
            };
            report.depth = depth;
            report.selective_depth = walk.gate.selective_depth as u32;
            for (rank, (score, variation)) in (1..).zip(lines.iter().take(limits.lines.max(1))) {
                observer.progress(&Progress {
                    rank,
                    depth,
                    selective_depth: report.selective_depth,
                    score: *score,
                    bound: Bound::Exact,
                    time: clock.elapsed(walk.gate.nodes()),
                    nodes: walk.gate.nodes(),
                    table_hits: walk.gate.table_hits(),
                    variation,
                });
            }
            if let Some((score, variation)) = lines.into_iter().next() {
                (report.score, report.variation) = (score, variation);
            }
            if clock.should_stop(walk.gate.nodes()) {
                break;
            }
        }
        report.nodes = walk.gate.nodes();
        report.table_hits = walk.gate.table_hits();
        report
    }

    fn new_game(&mut self) {}

    fn set_memory(&mut self, _: usize) {}
}

struct Walk<'a, E> {
    evaluator: &'a E,
    gate: Gate<'a>,
    line: Line,
}

impl<E: Evaluator> Walk<'_, E> {
    /// A line for each root move, the best first; equals as the moves are.
    fn root(&mut self, moves: &MoveList, depth: u32) -> Option<Vec<(Score, Variation)>> {
        self.line.truncate(0);
        self.gate.enter(0)?;
        let mut lines = Vec::with_capacity(moves.len());
        for &mv in moves {
            let mut variation = Variation::new();
            let score = self.best_of(&[mv], depth, &mut variation)?;
            lines.push((score, variation));
        }
        lines.sort_by_key(|&(score, _)| Reverse(score));
        Some(lines)
    }

    /// The value of the position at the end of the line, from its side to move.
    fn value(&mut self, depth: u32, best_line: &mut Variation) -> Option<Score> {
        best_line.clear();
        let ply = self.line.ply();
        if self.line.is_draw() {
            return Some(Score::DRAW);
        }
        let line = &self.line;
        if let Some(score) = self.gate.table_value(line.board(), line.halfmove_clock(), ply) {
            return Some(score);
        }
        if depth == 0 || ply + 1 >= MAX_PLY {
            return quiescence(
                self.evaluator,
                &mut self.gate,
                self.line.board(),
                ply,
                -Score::INFINITE,
                Score::INFINITE,
                best_line,
            );
        }
        let moves = legal_moves(self.line.board());
        if moves.is_empty() {
            let in_check = *self.line.board().checkers() != EMPTY;
            return Some(if in_check { Score::mated_in(ply) } else { Score::DRAW });
        }
        self.best_of(&moves, depth, best_line)
    }

    fn best_of(&mut self, moves: &[ChessMove], depth: u32, best_line: &mut Variation) -> Option<Score> {
        let mut best = -Score::INFINITE;
        let mut rest = Variation::new();
        for &mv in moves {
            self.gate.enter(self.line.ply() + 1)?;
            self.line.make(mv);
            let score = -self.value(depth - 1, &mut rest)?;
            self.line.unmake();
            if score > best {
                best = score;
                best_line.lead_with(mv, &rest);
            }
        }
        Some(best)
    }
}

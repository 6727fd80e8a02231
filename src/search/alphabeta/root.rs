//! The root: the moves of the position itself, and the aspiration window around them.

use chess::{ChessMove, EMPTY};

use super::history::Arrival;
use super::window::Window;
use super::worker::Worker;
use crate::evaluation::Evaluator;
use crate::position::MoveList;
use crate::search::{Bound, LineKeeper, Score, Variation};

/// The root moves and what is known of them.
pub(super) struct Root {
    moves: Vec<RootMove>,
    /// The best line so far, kept across iterations and when one is broken off.
    pub best: Variation,
    /// From the side to move.
    pub score: Score,
}

struct RootMove {
    mv: ChessMove,
    /// Positions searched below it in the last iteration: how hard it was to refute.
    nodes: u64,
}

impl Root {
    /// At least one move, in the order to try them first.
    pub fn new(moves: &MoveList) -> Self {
        Root {
            moves: moves.iter().map(|&mv| RootMove { mv, nodes: 0 }).collect(),
            best: moves.iter().copied().take(1).collect(),
            score: Score::DRAW,
        }
    }

    /// The share of the last iteration's positions that were searched below the best move, in percent.
    pub fn effort_on_best_move(&self) -> u64 {
        let all: u64 = self.moves.iter().map(|root_move| root_move.nodes).sum();
        let best = self
            .moves
            .iter()
            .find(|root_move| Some(&root_move.mv) == self.best.first())
            .map_or(0, |root_move| root_move.nodes);
        best * 100 / all.max(1)
    }

    /// The best move first, then those that were hardest to refute.
    fn sort(&mut self) {
        let best = self.best.first().copied();
        self.moves.sort_by_key(|root_move| (Some(root_move.mv) != best, std::cmp::Reverse(root_move.nodes)));
    }
}

impl<E: Evaluator> Worker<'_, E> {
    /// One iteration in one window. What comes back is outside it if the true value is; `None` if the search
    /// has to end.
    ///
    /// [`Root::best`] follows every improvement, so that an iteration that is broken off has not been in
    /// vain: a new best move is better than the old one at the same depth.
    pub fn root(&mut self, root: &mut Root, window: Window, depth: i32) -> Option<Score> {
        root.sort();
        self.line.truncate(0);
        self.gate.enter(0)?;
        let board = *self.line.board();
        self.path[0].evaluation = self.evaluate(*board.checkers() != EMPTY, None).corrected();
        let mut open = window;
        let mut best = -Score::INFINITE;
        let mut rest = Variation::new();
        for index in 0..root.moves.len() {
            let mv = root.moves[index].mv;
            let nodes_before = self.gate.nodes();
            self.gate.enter(1)?;
            let piece = board.piece_on(mv.get_source()).unwrap_or(chess::Piece::King);
            self.path[0].made = Some(Arrival::new(board.side_to_move(), piece, mv));
            self.line.make(mv);
            let score = self.root_move(open, depth - 1, index, &mut rest)?;
            self.line.unmake();
            root.moves[index].nodes = self.gate.nodes() - nodes_before;
            best = best.max(score);
            if !open.fails_low(score) {
                root.best.lead_with(mv, &rest);
                root.score = score;
                open.raise_alpha(score);
                if open.fails_high(score) {
                    break;
                }
            }
        }
        Some(best)
    }

    fn root_move(&mut self, window: Window, depth: i32, index: usize, rest: &mut Variation) -> Option<Score> {
        if self.options.principal_variation && index > 0 {
            let reduction = i32::from(self.options.late_move_reductions && depth >= 3 && index >= 4);
            let scout = window.above_alpha().for_opponent();
            let mut score = -self.node(scout, depth - reduction, &mut ())?;
            if reduction > 0 && !window.fails_low(score) {
                score = -self.node(scout, depth, &mut ())?;
            }
            if window.fails_low(score) {
                return Some(score);
            }
        }
        let window = window.principal_if(index == 0 || self.options.principal_variation);
        Some(-self.node(window.for_opponent(), depth, rest)?)
    }

    /// An iteration with a window around the last score, widened where it fails; each failure is told to
    /// `failed`.
    pub fn aspiration(
        &mut self,
        root: &mut Root,
        depth: i32,
        mut failed: impl FnMut(&Self, &Root, Score, Bound),
    ) -> Option<Score> {
        const FIRST_REACH: i32 = 25;
        const LAST_REACH: i32 = 800;
        if !self.options.aspiration_windows || depth < 5 || root.score.is_mate() {
            return self.root(root, Window::FULL, depth);
        }
        let centre = root.score;
        let mut reach = FIRST_REACH;
        let mut window = Window::around(centre, reach);
        loop {
            let score = self.root(root, window, depth)?;
            if window.contains(score) {
                return Some(score);
            }
            reach *= 3;
            let reached = if reach > LAST_REACH { 2 * Score::INFINITE.0 } else { reach };
            if window.fails_low(score) {
                failed(self, root, score, Bound::Upper);
                window.beta = Score((window.alpha.0 + window.beta.0) / 2);
                window.alpha = (score - reached).max(-Score::INFINITE);
            } else {
                failed(self, root, score, Bound::Lower);
                window.beta = (score + reached).min(Score::INFINITE);
            }
        }
    }
}

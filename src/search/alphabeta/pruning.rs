//! What the search leaves out or looks at less deep. Nothing here happens in plain alpha-beta.

use chess::{Board, EMPTY, Piece};

use super::margins;
use super::node::{Node, Worker};
use super::ordering::{Ranked, Stage};
use super::window::Window;
use crate::evaluation::Evaluator;
use crate::score::Score;
use crate::search::exchange::at_least;

impl<E: Evaluator> Worker<'_, E> {
    /// Tries to settle a node outside the principal variation by its evaluation and the right to pass: `Some(Some(score))` if
    /// that is done, `None` if the search has to end.
    pub(super) fn refuted_without_moves(&mut self, node: &Node, window: Window) -> Option<Option<Score>> {
        let Window { alpha, beta, .. } = window;
        if self.options.shallow_pruning && !beta.is_mate() && !alpha.is_mate() {
            if node.depth <= margins::REVERSE_FUTILITY_DEPTH
                && node.evaluation - margins::reverse_futility(node.depth, node.improving) >= beta
            {
                return Some(Some(node.evaluation));
            }
            if node.depth <= margins::RAZORING_DEPTH
                && node.evaluation + margins::razoring(node.depth) <= alpha
            {
                let score = self.quiescence(window, node.raw_evaluation, &mut ())?;
                if window.fails_low(score) {
                    return Some(Some(score));
                }
            }
        }
        if self.options.null_move
            && node.depth >= margins::NULL_MOVE_DEPTH
            && node.evaluation >= beta
            && !beta.is_mate()
            && self.may_pass(node.ply)
        {
            return self.null_move(node, window);
        }
        Some(None)
    }

    /// Passing twice in a row proves nothing, and with pawns only zugzwang is the rule.
    fn may_pass(&self, ply: usize) -> bool {
        let board = self.line.board();
        let pieces = *board.color_combined(board.side_to_move())
            & !(*board.pieces(Piece::Pawn) | *board.pieces(Piece::King));
        ply > 0 && self.path[ply - 1].made.is_some() && pieces != EMPTY
    }

    /// Null-move pruning (Donninger 1993): if even passing holds beta, some move will.
    fn null_move(&mut self, node: &Node, window: Window) -> Option<Option<Score>> {
        if !self.line.make_null() {
            return Some(None);
        }
        self.path[node.ply].made = None;
        self.gate.enter(node.ply + 1)?;
        let above = node.evaluation.0 - window.beta.0;
        let depth = node.depth - margins::null_move_reduction(node.depth, above);
        let score = -self.node(window.below_beta().for_opponent(), depth, &mut ())?;
        self.line.unmake();
        // A mate that follows a pass cannot be announced.
        let announced = if score.is_mate() { window.beta } else { score };
        Some(window.fails_high(score).then_some(announced))
    }

    /// Whether a late move near the leaves gives away more than it can be worth.
    pub(super) fn loses_material(&self, node: &Node, board: &Board, ranked: &Ranked) -> bool {
        self.options.exchange_evaluation
            && node.depth <= margins::EXCHANGE_DEPTH
            && ranked.stage <= Stage::Quiet
            && !ranked.attacks_king(board)
            && !at_least(
                board,
                ranked.mv,
                margins::exchange_margin(node.depth, ranked.quiet),
            )
    }

    /// Late-move reduction: half-moves that the scout search of a move is less deep.
    pub(super) fn reduction(&self, node: &Node, window: Window, ranked: &Ranked, index: i32) -> i32 {
        if !self.options.late_move_reductions
            || node.depth < margins::LATE_MOVE_REDUCTION_DEPTH
            || index < 2
            || ranked.stage > Stage::SecondKiller
        {
            return 0;
        }
        let gives_check = *self.line.board().checkers() != EMPTY;
        let mut reduction = margins::late_move_reduction(node.depth, index);
        reduction -= i32::from(window.principal) + i32::from(gives_check) + i32::from(node.in_check);
        reduction += i32::from(!node.improving);
        if ranked.quiet {
            reduction -= (ranked.value / 8_192).clamp(-2, 2);
        }
        reduction.clamp(0, node.depth - 2)
    }
}

/// Whether, near the leaves, none of the quiet moves that are left is worth trying, after `index` moves: late-move and futility
/// pruning.
pub(super) fn quiets_are_hopeless(node: &Node, window: Window, index: i32) -> bool {
    let depth = node.depth;
    !node.in_check
        && (depth <= margins::LATE_MOVE_DEPTH && index >= margins::late_move_count(depth, node.improving)
            || depth <= margins::FUTILITY_DEPTH && node.evaluation + margins::futility(depth) <= window.alpha)
}

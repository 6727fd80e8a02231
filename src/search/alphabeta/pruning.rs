//! What the search leaves out or looks at less deep. Nothing here happens in plain alpha-beta.

use chess::{Board, EMPTY, Piece};

use super::margins;
use super::ordering::{Picker, Ranked, Stage};
use super::window::Window;
use super::worker::{Node, Worker};
use crate::evaluation::Evaluator;
use crate::score::Score;
use crate::search::exchange::at_least;

/// Whether a node is settled before any of its moves is searched.
pub(super) enum Settled {
    /// The node's value, fail-soft.
    By(Score),
    No,
}

impl<E: Evaluator> Worker<'_, E> {
    /// Tries to settle a node outside the principal variation by its evaluation: reverse futility and
    /// razoring. `None` if the search has to end.
    pub(super) fn settle_by_evaluation(&mut self, node: &Node, window: Window) -> Option<Settled> {
        let Window { alpha, beta, .. } = window;
        if self.options.shallow_pruning && !beta.is_mate() && !alpha.is_mate() {
            if node.depth <= margins::REVERSE_FUTILITY_DEPTH
                && node.evaluation.guess - margins::reverse_futility(node.depth, node.improving) >= beta
            {
                return Some(Settled::By(node.evaluation.guess));
            }
            if node.depth <= margins::RAZORING_DEPTH
                && node.evaluation.guess + margins::razoring(node.depth) <= alpha
            {
                let score = self.quiescence(window, node.evaluation, &mut ())?;
                if window.fails_low(score) {
                    return Some(Settled::By(score));
                }
            }
        }
        Some(Settled::No)
    }

    /// The depth of a null-move search, where one is worth trying.
    pub(super) fn null_move_depth(&self, node: &Node, window: Window) -> Option<i32> {
        let above = node.evaluation.guess.0 - window.beta.0;
        let is_tried = self.options.null_move
            && node.depth >= margins::NULL_MOVE_DEPTH
            && above >= 0
            && !window.beta.is_mate()
            && self.may_pass(node.ply);
        is_tried.then(|| node.depth - margins::null_move_reduction(node.depth, above))
    }

    /// Passing twice in a row proves nothing. With pawns only zugzwang is the rule, and with one bishop or
    /// knight besides it is common: the right to pass then hides what every move gives away.
    fn may_pass(&self, ply: usize) -> bool {
        let board = self.line.board();
        let own = *board.color_combined(board.side_to_move());
        let major = own & (*board.pieces(Piece::Rook) | *board.pieces(Piece::Queen));
        let minor = own & (*board.pieces(Piece::Knight) | *board.pieces(Piece::Bishop));
        ply > 0 && self.path[ply - 1].made.is_some() && (major != EMPTY || minor.popcnt() > 1)
    }

    /// Whether a late move near the leaves gives away more than it can be worth.
    pub(super) fn loses_material(
        &self,
        node: &Node,
        board: &Board,
        picker: &Picker,
        ranked: &Ranked,
    ) -> bool {
        self.options.exchange_evaluation
            && node.depth <= margins::EXCHANGE_DEPTH
            && ranked.stage <= Stage::Quiet
            && !picker.attacks_king(board, ranked)
            && !at_least(board, ranked.mv, margins::exchange_margin(node.depth, ranked.quiet))
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
        if node.ply == 0 {
            return margins::root_reduction(node.depth, index);
        }
        let gives_check = *self.line.board().checkers() != EMPTY;
        let mut reduction = margins::late_move_reduction(node.depth, index);
        let deeper = i32::from(window.principal) + i32::from(gives_check) + i32::from(node.in_check);
        // Most moves here were refuted: this one will be, too.
        let many_refuted = self.path[node.ply + 1].refutations > margins::MANY_REFUTATIONS;
        let less_deep = i32::from(!node.improving) + i32::from(many_refuted);
        reduction += margins::HALF_MOVE * (less_deep - deeper);
        if ranked.quiet {
            reduction -= margins::history_reduction(ranked.value);
        }
        (reduction / margins::HALF_MOVE).clamp(0, node.depth - 2)
    }
}

/// Whether, near the leaves, none of the quiet moves that are left is worth trying, after `index` moves:
/// late-move and futility pruning.
pub(super) fn quiets_are_hopeless(node: &Node, window: Window, index: i32) -> bool {
    let depth = node.depth;
    !node.in_check
        && (depth <= margins::LATE_MOVE_DEPTH && index >= margins::late_move_count(depth, node.improving)
            || depth <= margins::FUTILITY_DEPTH
                && node.evaluation.guess + margins::futility(depth) <= window.alpha)
}

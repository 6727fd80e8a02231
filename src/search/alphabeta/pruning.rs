//! Pruning, reductions and extensions. Plain alpha-beta has none of them.
//!
//! The numbers that are not round were tuned by 18,000 games of self-play (`kashan tune play`;
//! `benches/search-log.md` gives the data).

use chess::{EMPTY, Piece};

use super::ordering::{Picker, Ranked, Stage};
use super::table::Entry;
use super::window::Window;
use super::worker::{NodeInfo, Worker};
use crate::eval::Evaluator;
use crate::search::exchange::at_least;
use crate::search::{Bound, Score, Stop};

/// The result of a search without the table move: a move without an alternative is searched deeper.
pub enum Singularity {
    /// The extension of the table move in half-moves; below 0, a reduction.
    Extension(i32),
    /// The others hold beta as well: the node's value, a lower bound.
    Settled(Score),
}

impl<E: Evaluator> Worker<'_, E> {
    /// Tries to prune a node outside the principal variation by its evaluation: reverse futility
    /// and razoring. `Stop` if the search has to end.
    pub(super) fn prune_by_evaluation(
        &mut self,
        node: &NodeInfo,
        window: Window,
    ) -> Result<Option<Score>, Stop> {
        let Window { alpha, beta, .. } = window;
        if self.options.shallow_pruning && !beta.is_mate() && !alpha.is_mate() {
            let depth = node.depth;
            let guess = node.evaluation.guess;
            let margin = 53 * (depth - i32::from(node.improving));
            if depth <= REVERSE_FUTILITY_DEPTH && guess - margin >= beta {
                return Ok(Some(guess));
            }
            if depth <= RAZORING_DEPTH && guess + 94 + 164 * depth <= alpha {
                let score = self.quiescence(window, node.evaluation, &mut ())?;
                if window.fails_low(score) {
                    return Ok(Some(score));
                }
            }
        }
        Ok(None)
    }

    /// The depth of a null-move search, where one is worth trying.
    pub(super) fn null_move_depth(&self, node: &NodeInfo, window: Window) -> Option<i32> {
        let above = node.evaluation.guess.0 - window.beta.0;
        let is_tried = self.options.null_move
            && node.depth >= NULL_MOVE_DEPTH
            && above >= 0
            && !window.beta.is_mate()
            && self.may_pass(node.ply);
        is_tried.then(|| {
            // In parts of a half-move, as by how much late moves are searched less deep.
            let by_margin = (above * HALF_MOVE / 170).min(3 * HALF_MOVE);
            node.depth - (827 + 67 * node.depth + by_margin) / HALF_MOVE
        })
    }

    /// Passing twice in a row proves nothing. With pawns only zugzwang is the rule, and with one
    /// bishop or knight besides it is common: a null move then hides the loss by every move.
    fn may_pass(&self, ply: usize) -> bool {
        let board = self.line.board();
        let own = *board.color_combined(board.side_to_move());
        let major = own & (*board.pieces(Piece::Rook) | *board.pieces(Piece::Queen));
        let minor = own & (*board.pieces(Piece::Knight) | *board.pieces(Piece::Bishop));
        ply > 0 && self.path[ply - 1].made.is_some() && (major != EMPTY || minor.popcnt() > 1)
    }

    /// Returns true if a late move near the leaves gives away more than it can be worth.
    pub(super) fn loses_material(
        &self,
        node: &NodeInfo,
        picker: &Picker<'_>,
        ranked: &Ranked,
    ) -> bool {
        let margin = if ranked.quiet {
            -33 * node.depth
        } else {
            -88 * node.depth
        };
        self.options.exchange_evaluation
            && node.depth <= EXCHANGE_DEPTH
            && ranked.stage <= Stage::Quiet
            && !picker.attacks_king(ranked)
            && !at_least(self.line.board(), ranked.mv, margin)
    }

    /// Late-move reduction of the scout search of a move, in half-moves.
    pub(super) fn reduction(
        &self,
        node: &NodeInfo,
        window: Window,
        ranked: &Ranked,
        index: i32,
    ) -> i32 {
        if !self.options.late_move_reductions
            || node.depth < LATE_MOVE_REDUCTION_DEPTH
            || index < 2
            || ranked.stage > Stage::SecondKiller
        {
            return 0;
        }
        if node.ply == 0 {
            return root_reduction(node.depth, index);
        }
        let gives_check = *self.line.board().checkers() != EMPTY;
        let mut reduction = late_move_reduction(node.depth, index);
        reduction -= 276 * i32::from(window.principal);
        reduction -= 209 * i32::from(gives_check) + 320 * i32::from(node.in_check);
        // Most moves here were refuted: this one will be, too.
        let many_refuted = self.path[node.ply + 1].refutations > MANY_REFUTATIONS;
        reduction += 330 * i32::from(!node.improving) + 276 * i32::from(many_refuted);
        if ranked.quiet {
            // Deeper or less deep by what history says of it.
            reduction -= (ranked.value * HALF_MOVE / 10_646).clamp(-2 * HALF_MOVE, 2 * HALF_MOVE);
        }
        (reduction / HALF_MOVE).clamp(0, node.depth - 2)
    }

    /// The singular test (Anantharaman, Campbell and Hsu 1988): the table move is singular if a
    /// search of half the depth without it stays well below its score in the table.
    pub(super) fn singularity(
        &mut self,
        node: &NodeInfo,
        window: Window,
        known: &Entry,
    ) -> Result<Singularity, Stop> {
        let is_asked = node.depth >= SINGULAR_DEPTH
            && known.mv.is_some()
            && known.bound != Bound::Upper
            && known.depth >= node.depth - SINGULAR_TABLE_DEPTH
            && self.path[node.ply].extensions < MOST_EXTENSIONS
            && !known.score.counts_plies();
        if !is_asked {
            return Ok(Singularity::Extension(0));
        }
        // No other move of a singular one comes within so many centipawns of it.
        let beta = known.score - 11 * node.depth / 4;
        let others = Window {
            alpha: beta - 1,
            beta,
            principal: false,
        };
        let others_only = NodeInfo {
            depth: (node.depth - 1) / 2,
            excluded: known.mv,
            ..*node
        };
        let (score, ..) = self.best_move(&others_only, others, &mut ())?;
        Ok(if others.fails_low(score) {
            let doubly = !window.principal
                && score < beta - DOUBLE_MARGIN
                && self.path[node.ply].extensions < LONG_EXTENSIONS;
            Singularity::Extension(1 + i32::from(doubly))
        } else if window.fails_high(beta) && !window.principal {
            Singularity::Settled(beta)
        } else if window.fails_high(known.score) {
            // Other moves may refute the position as well: this one alone need not prove it.
            Singularity::Extension(if window.principal { -1 } else { -2 })
        } else {
            Singularity::Extension(0)
        })
    }
}

/// Returns true if, near the leaves, no quiet move is worth trying after `index` moves: late-move
/// and futility pruning.
pub(super) fn quiets_are_hopeless(node: &NodeInfo, window: Window, index: i32) -> bool {
    let depth = node.depth;
    let most_moves = (84 + 21 * depth * depth) / 16 / if node.improving { 1 } else { 2 };
    !node.in_check
        && (depth <= LATE_MOVE_DEPTH && index >= most_moves
            || depth <= FUTILITY_DEPTH && node.evaluation.guess + 66 + 37 * depth <= window.alpha)
}

// Depths and reductions, in half-moves.

/// Reverse futility: so far above beta, the opponent's best answers will not bring the score below.
const REVERSE_FUTILITY_DEPTH: i32 = 7;

/// Razoring: so far below alpha, only captures could help, and quiescence tries them.
const RAZORING_DEPTH: i32 = 3;

/// Futility: a quiet move will not lift the position to alpha.
const FUTILITY_DEPTH: i32 = 7;

/// Late-move pruning: after so many moves a quiet one is not worth trying.
const LATE_MOVE_DEPTH: i32 = 7;

/// Moves with so large a loss in the exchange are not tried, up to this depth.
const EXCHANGE_DEPTH: i32 = 7;

/// A null move is tried from this depth on.
const NULL_MOVE_DEPTH: i32 = 3;

/// A position without a table move is searched less deep from this depth on.
pub(super) const ITERATIVE_REDUCTION_DEPTH: i32 = 4;

/// The singular test of the table move is made from this depth on...
pub(super) const SINGULAR_DEPTH: i32 = 6;

/// ... if the table's search was at most so many half-moves less deep.
const SINGULAR_TABLE_DEPTH: i32 = 3;

/// Singular by so much more, a move is searched two half-moves deeper...
const DOUBLE_MARGIN: i32 = 26;

/// ... if the line was not extended by so many half-moves before.
const LONG_EXTENSIONS: i32 = 10;

/// No line is extended by more half-moves.
const MOST_EXTENSIONS: i32 = 20;

/// Late moves are reduced from this depth on.
const LATE_MOVE_REDUCTION_DEPTH: i32 = 3;

/// The reduction of the `index`-th move of the root, `depth` half-moves before the leaves, in
/// half-moves: small, for one of the root moves is played.
pub(super) fn root_reduction(depth: i32, index: i32) -> i32 {
    i32::from(depth >= 4 && index >= 4)
}

/// With more refutations among a node's grandchildren, its late moves are searched about a
/// half-move less deep.
const MANY_REFUTATIONS: u32 = 3;

/// The parts of a half-move in sums of reductions, so that no small sign is lost.
const HALF_MOVE: i32 = 256;

/// The reduction of the `index`-th move (from 0) in parts of a half-move: about ln(depth) ln(index)
/// / 2.8 half-moves, in whole numbers to be equal on every machine.
fn late_move_reduction(depth: i32, index: i32) -> i32 {
    // log2 in 1/16, twice, and ln 2 squared / 2.8 = 0.172 = 44 / 256.
    log2(depth) * log2(index + 1) * 44 / 256 + 49
}

/// The logarithm to base 2 of a positive number, in sixteenths, linear between the powers of two.
const fn log2(number: i32) -> i32 {
    if number <= 1 {
        return 0;
    }
    let whole = number.ilog2();
    (16 * whole as i32) + ((16 * (number - (1 << whole))) >> whole)
}

#[cfg(test)]
mod tests {
    use super::super::worker::with_worker;
    use super::*;

    /// The extension of the table's move from `depth` on, after a search to one half-move less.
    fn extension(fen: &str, depth: i32) -> i32 {
        with_worker(fen, |worker| {
            worker.node(Window::FULL, depth - 1, &mut ()).unwrap();
            let known = worker.probe_tt(0).unwrap();
            let node = NodeInfo {
                ply: 0,
                depth,
                in_check: *worker.line.board().checkers() != EMPTY,
                evaluation: worker.evaluate(false, None),
                improving: true,
                table_move: known.mv,
                excluded: None,
                extension: 0,
            };
            match worker.singularity(&node, Window::FULL, &known).unwrap() {
                Singularity::Extension(extension) => extension,
                Singularity::Settled(score) => panic!("settled by {}", score.0),
            }
        })
    }

    #[test]
    fn only_a_move_without_an_alternative_is_singular() {
        const TAKES_THE_QUEEN: &str = "4k3/8/8/3q4/4P3/8/3P1P2/4K3 w - - 0 1";
        const MANY_MOVES: &str = "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1";
        assert_eq!(extension(TAKES_THE_QUEEN, 8), 1);
        assert_eq!(extension(MANY_MOVES, 8), 0);
        assert_eq!(
            extension(TAKES_THE_QUEEN, SINGULAR_DEPTH - 1),
            0,
            "too shallow to ask"
        );
    }

    #[test]
    fn reductions_grow_slowly() {
        assert_eq!([1, 8, 12].map(log2), [0, 48, 56]);
        let half_moves = |depth, index| late_move_reduction(depth, index) / HALF_MOVE;
        assert_eq!([half_moves(4, 4), half_moves(5, 5)], [0, 1]);
        assert!((1..=2).contains(&half_moves(8, 10)));
        assert!((4..=6).contains(&half_moves(20, 40)));
    }
}

//! Static evaluation: what a position is worth without looking ahead.

mod attacks;
pub mod explain;
pub mod kashan;
mod pawns;
mod tables;
pub mod weights;
pub mod winglet;

pub use explain::{Explanation, Term};
pub use kashan::{Kashan, KashanWeights};
pub use weights::{Profile, Weights};
pub use winglet::Winglet;

use chess::Board;

use crate::score::Score;

/// Values a position. A type parameter in the hot path, so that a search is compiled for its evaluation.
pub trait Evaluator: Send {
    /// The value of `board` in centipawns from White's point of view, within
    /// [`Score::MAX_EVALUATION`] of zero. Mate and stalemate are the search's business.
    fn evaluate(&self, board: &Board) -> Score;
}

/// [`Evaluator::evaluate`] from the side to move.
pub fn evaluate_for_mover<E: Evaluator>(evaluator: &E, board: &Board) -> Score {
    let white = evaluator.evaluate(board);
    if board.side_to_move() == chess::Color::White { white } else { -white }
}

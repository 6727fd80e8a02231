//! Static evaluation: a position's worth without looking ahead.
//!
//! An evaluation is an [`Evaluator`] in a module of its own, with weights declared once
//! ([`genome`]); [`Evaluation`] names all of them, [`WeightSet`] is one of them with any weights,
//! and [`WeightsFile`] is a weight set as a file.

mod attacks;
mod dispatch;
mod endgames;
pub mod factors;
pub mod genome;
pub mod interpretations;
pub mod network;
pub mod power;
#[cfg(test)]
pub(crate) mod tests;
pub mod threats;
mod weights_file;
pub mod winglet;

pub(crate) use dispatch::ForSearch;
pub use dispatch::{Dynamic, Evaluation, WeightSet};
pub use factors::Factors;
pub use genome::WeightSpec;
pub use interpretations::Interpretations;
pub use network::{Network, NetworkEvaluator};
pub use power::Power;
pub use threats::Threats;
pub use weights_file::{WeightsFile, mark as weights_mark};
pub use winglet::Winglet;

use chess::{Board, Color, Piece};

use crate::rules::score::Score;

/// An evaluation of positions. A type parameter in the hot path, so a search is compiled for
/// the network.
pub trait Evaluator: Send {
    /// The value of `board` in centipawns from White's point of view, within
    /// [`Score::MAX_EVALUATION`] of zero. Mate and stalemate are the search's business.
    fn evaluate(&self, board: &Board) -> Score;
}

/// An evaluation able to explain the use of its weights, given when it was made.
pub trait Tunable: Evaluator {
    /// The factor of each weight on this board, in the order of [`Evaluation::table`], from White's
    /// point of view. The sum of the products, divided by [`Evaluation::per_centipawn`], is the
    /// value but for rounding. A weight with only an effect on others has 0.
    fn coefficients(&self, board: &Board) -> Vec<f64>;

    /// Explains the value of a board; `terms` are the weights times coefficients. By default
    /// nothing is added.
    fn explain(&self, board: &Board, terms: Vec<Term>) -> Explanation {
        Explanation {
            terms,
            phase: None,
            is_dead: false,
            total: self.evaluate(board),
        }
    }

    /// Every piece with its worth, for an evaluation of pieces one by one.
    fn piece_table(&self, _: &Board) -> Option<PieceTable> {
        None
    }
}

/// [`Evaluator::evaluate`] from the side to move.
pub fn evaluate_for_mover<E: Evaluator>(evaluator: &E, board: &Board) -> Score {
    let white = evaluator.evaluate(board);
    if board.side_to_move() == Color::White {
        white
    } else {
        -white
    }
}

/// The contribution of one weight (or one row of them) to a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// The weight's name, as declared.
    pub name: String,
    pub about: &'static str,
    /// The value in centipawns, from White's point of view.
    pub value: f64,
}

/// A value and all its parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// Every weight, in the order of declaration, including those without effect. Their sum is the
    /// total, but for rounding to a whole number, and unless cut to [`Score::MAX_EVALUATION`].
    pub terms: Vec<Term>,
    /// The phase of the game in a few words, for an evaluation with weights for each phase.
    pub phase: Option<String>,
    /// True if neither side can mate with the pieces left, and therefore nothing counts.
    pub is_dead: bool,
    /// The result of [`Evaluator::evaluate`], from White's point of view.
    pub total: Score,
}

/// A table of the worth of each piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceTable {
    /// The columns, as [`Table::headed`](crate::util::display::Table::headed) reads them. The first
    /// is the piece, the last its worth from White's point of view.
    pub head: &'static str,
    /// White's pieces first, pawn to king.
    pub rows: Vec<Vec<String>>,
}

/// A piece in the letters of boards, with its square: `Nf3` is White's, `nf6` Black's.
fn written_piece(color: Color, piece: Piece, square: usize) -> String {
    format!("{}{}", piece.to_string(color), attacks::square(square))
}

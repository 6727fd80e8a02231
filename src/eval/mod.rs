//! Static evaluation: what a position is worth without looking ahead.
//!
//! An evaluation is an [`Evaluator`] in a room of its own, with weights that are declared once
//! ([`genome`]); [`Evaluation`] names all of them, [`WeightSet`] is one of them with any weights,
//! and [`WeightsFile`] is that as a file.

mod attacks;
mod dispatch;
pub mod factors;
pub mod genome;
pub mod interpretations;
pub mod kashan;
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
pub use kashan::Kashan;
pub use network::{Network, NetworkEvaluator};
pub use power::Power;
pub use threats::Threats;
pub use weights_file::{WeightsFile, mark as weights_mark};
pub use winglet::Winglet;

use chess::{Board, Color, Piece};

use crate::rules::score::Score;

/// Values a position. A type parameter in the hot path, so that a search is compiled for Kashan's
/// own.
pub trait Evaluator: Send {
    /// The value of `board` in centipawns from White's point of view, within
    /// [`Score::MAX_EVALUATION`] of zero. Mate and stalemate are the search's business.
    fn evaluate(&self, board: &Board) -> Score;
}

/// An evaluation that says what it did with its weights, which were given when it was made.
pub trait Tunable: Evaluator {
    /// What each weight is multiplied with on this board, in the order of [`Evaluation::table`],
    /// from White's point of view. The sum of the products, divided by
    /// [`Evaluation::per_centipawn`], is the value but for rounding; a weight that only decides
    /// between others has 0.
    fn coefficients(&self, board: &Board) -> Vec<f64>;

    /// Takes the value of a board apart, of which these are the weights times coefficients. As it
    /// stands: there is nothing else.
    fn explain(&self, board: &Board, terms: Vec<Term>) -> Explanation {
        Explanation {
            terms,
            phase: None,
            is_dead: false,
            total: self.evaluate(board),
        }
    }

    /// Every piece with what it is worth, for an evaluation that looks at pieces one by one.
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

/// What one weight (or one row of them) adds to a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// The weight's name, as it is declared.
    pub name: String,
    pub about: &'static str,
    /// In centipawns, from White's point of view.
    pub value: f64,
}

/// A value and all its parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// Every weight, in the order of declaration, those that add nothing included. Their sum is the
    /// total, but for its rounding to a whole number, and unless it was cut to
    /// [`Score::MAX_EVALUATION`].
    pub terms: Vec<Term>,
    /// The phase of the game in a few words, for an evaluation whose weights depend on it.
    pub phase: Option<String>,
    /// Whether nobody can mate with what is left, and therefore nothing counts.
    pub is_dead: bool,
    /// What [`Evaluator::evaluate`] says: from White's point of view.
    pub total: Score,
}

/// What each piece is worth: a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceTable {
    /// The columns, as [`Table::headed`](crate::util::display::Table::headed) reads them. The first
    /// is the piece, the last its worth from White's point of view.
    pub head: &'static str,
    /// White's pieces first, pawn to king.
    pub rows: Vec<Vec<String>>,
}

/// A piece as boards show it, with its square: `Nf3` is White's, `nf6` Black's.
fn written_piece(color: Color, piece: Piece, square: usize) -> String {
    format!("{}{}", piece.to_string(color), attacks::square(square))
}

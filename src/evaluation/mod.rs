//! Static evaluation: what a position is worth without looking ahead.
//!
//! An evaluation is an [`Evaluator`] in a room of its own, with weights that are declared once ([`genome`]);
//! [`Evaluation`] names all of them, [`WeightSet`] is one of them with any weights, and [`WeightsFile`] is
//! that as a file.

mod attacks;
mod dispatch;
pub mod explain;
pub mod factors;
pub mod genome;
pub mod kashan;
mod pawns;
pub mod power;
pub mod readings;
#[cfg(test)]
mod testing;
pub mod threats;
mod weights_file;
pub mod winglet;

pub use dispatch::{Dynamic, Evaluation, WeightSet};
pub(crate) use dispatch::{ForSearch, for_evaluation};
pub use explain::{Explanation, Men, Term};
pub use factors::Factors;
pub use genome::{Genome, WeightSpec};
pub use kashan::{Kashan, KashanWeights};
pub use power::Power;
pub use readings::Readings;
pub use threats::Threats;
pub use weights_file::{MARK as WEIGHTS_MARK, WeightsError, WeightsFile};
pub use winglet::{Profile, Winglet};

use chess::Board;

use crate::score::Score;

/// Values a position. A type parameter in the hot path, so that a search is compiled for Kashan's own.
pub trait Evaluator: Send {
    /// The value of `board` in centipawns from White's point of view, within
    /// [`Score::MAX_EVALUATION`] of zero. Mate and stalemate are the search's business.
    fn evaluate(&self, board: &Board) -> Score;
}

/// An evaluation that can be made with any weights, and that says what it did with them.
pub trait Tunable: Evaluator + Clone + 'static {
    type Weights: Genome;

    /// The evaluation with these weights.
    fn with_weights(weights: Self::Weights) -> Self;

    /// The weights in use.
    fn weights(&self) -> &Self::Weights;

    /// What each weight is multiplied with on this board, in the order of [`Genome::table`], from White's
    /// point of view. The sum of the products, divided by [`Genome::PER_CENTIPAWN`], is the value but for
    /// rounding; a weight that only decides between others has 0.
    fn coefficients(&self, board: &Board) -> Vec<f64>;

    /// Takes the value of a board apart. As it stands: weights times coefficients, and nothing else.
    fn explain(&self, board: &Board) -> Explanation {
        Explanation {
            terms: explain::terms(self.weights(), &self.coefficients(board)),
            phase: None,
            is_dead: false,
            total: self.evaluate(board),
        }
    }

    /// The same evaluation with the points that its source leaves open taken another way.
    fn read_as(self, _: &Readings) -> Self {
        self
    }

    /// Every man with what it is worth, for an evaluation that looks at men one by one.
    fn men(&self, _: &Board) -> Option<Men> {
        None
    }
}

/// [`Evaluator::evaluate`] from the side to move.
pub fn evaluate_for_mover<E: Evaluator>(evaluator: &E, board: &Board) -> Score {
    let white = evaluator.evaluate(board);
    if board.side_to_move() == chess::Color::White { white } else { -white }
}

//! The evaluation of Vázquez-Fernández & Coello, "An adaptive evolutionary algorithm based on tactical and
//! positional chess problems to adjust the weights of a chess engine", IEEE CEC 2013: material and positional
//! factors, each with one weight, own sum minus the opponent's.

mod count;
mod weights;

pub use weights::FactorWeights;

use chess::{Board, Color};

use super::{Evaluator, Genome as _, Tunable};
use crate::score::Score;
use count::Side;

/// The evaluation with a given set of weights.
#[derive(Clone, Debug)]
pub struct Factors {
    weights: FactorWeights,
}

/// How often each factor applies to one side: the shape of the weights that it is multiplied with. The two
/// factors that sum material do so in the unit of the weights.
type Counts = FactorWeights;

/// A pawn in the unit of the weights.
const PAWN: i64 = 10_000;

impl Evaluator for Factors {
    #[inline]
    fn evaluate(&self, board: &Board) -> Score {
        let [white, black] = self.counts(board);
        let value = self.side_value(&white) - self.side_value(&black);
        let centipawns = value / (PAWN * i64::from(FactorWeights::PER_CENTIPAWN));
        let limit = i64::from(Score::MAX_EVALUATION);
        Score(centipawns.clamp(-limit, limit) as i32)
    }
}

impl Factors {
    #[inline]
    fn counts(&self, board: &Board) -> [Counts; 2] {
        let [white, black] = [Color::White, Color::Black].map(|color| Side::new(board, color, &self.weights));
        [white.counts(&black), black.counts(&white)]
    }

    /// Equation (1), in ten-thousandths of the weights' unit, so that nothing is rounded: the first two
    /// factors of the king are in pawns, all others are numbers.
    #[inline]
    fn side_value(&self, side: &Counts) -> i64 {
        let weights = &self.weights;
        let product = |weight: i32, factor: i32| i64::from(weight) * i64::from(factor);
        let king_zone = product(weights.king_defenders, side.king_defenders)
            + product(weights.king_attackers, side.king_attackers);
        (weights.product(side) - king_zone) * PAWN + king_zone
    }
}

impl Default for Factors {
    /// The evolved values of table I.
    fn default() -> Self {
        Factors::with_weights(FactorWeights::DEFAULT)
    }
}

impl Tunable for Factors {
    type Weights = FactorWeights;

    fn with_weights(weights: FactorWeights) -> Self {
        Factors { weights }
    }

    fn weights(&self) -> &FactorWeights {
        &self.weights
    }

    /// The two factors of the king that sum material hold the material as it is now: in them the value is not
    /// linear in the material's weights.
    fn coefficients(&self, board: &Board) -> Vec<f64> {
        let [white, black] = self.counts(board);
        let sums_material = |name: &str| matches!(name, "king_defenders" | "king_attackers");
        let factors = white.to_row().into_iter().zip(black.to_row());
        let difference = factors.map(|(white, black)| f64::from(white - black));
        let table = FactorWeights::table();
        let scaled = table.iter().zip(difference);
        scaled
            .map(|(spec, value)| if sums_material(&spec.name) { value / PAWN as f64 } else { value })
            .collect()
    }
}

#[cfg(test)]
pub(super) mod tests;

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

    /// Equation (1), in ten-thousandths of the weights' unit, so that nothing is rounded.
    #[inline]
    fn side_value(&self, side: &Counts) -> i64 {
        let weights = &self.weights;
        let product = |weight: i32, factor: i32| i64::from(weight) * i64::from(factor);
        // (2)
        let material = product(weights.pawn, side.pawn)
            + product(weights.knight, side.knight)
            + product(weights.bishop, side.bishop)
            + product(weights.rook, side.rook)
            + product(weights.queen, side.queen);
        // (4), of which the first two factors are in pawns
        let king_zone = product(weights.king_defenders, side.king_defenders)
            + product(weights.king_attackers, side.king_attackers);
        let king =
            product(weights.king_castled, side.king_castled) + product(weights.king_shield, side.king_shield);
        // (5)
        let queen = product(weights.queen_mobility, side.queen_mobility);
        // (6)
        let rook = product(weights.rook_mobility, side.rook_mobility)
            + product(weights.rook_open_file, side.rook_open_file)
            + product(weights.rook_seventh, side.rook_seventh)
            + product(weights.rooks_seventh, side.rooks_seventh);
        // (7)
        let bishop = product(weights.bishop_mobility, side.bishop_mobility);
        // (8)
        let knight = product(weights.knight_mobility, side.knight_mobility)
            + product(weights.knight_rim, side.knight_rim)
            + product(weights.knight_defended, side.knight_defended)
            + product(weights.knight_safe, side.knight_safe);
        // (9)
        let pawn = product(weights.pawn_doubled, side.pawn_doubled)
            + product(weights.pawn_isolated, side.pawn_isolated)
            + product(weights.pawn_central, side.pawn_central)
            + product(weights.pawn_passed, side.pawn_passed);
        // (3)
        let positional = king + queen + rook + bishop + knight + pawn;
        (material + positional) * PAWN + king_zone
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

//! Winglet's evaluation (Stef Luijten, "Writing a chess program in 99 steps"), which the paper uses:
//! material, squares, king tropism, pawn structure and king shield, with one switch between middlegame and
//! endgame.

mod tables;
mod trace;
pub mod weights;

pub use weights::{Profile, Weights};

use chess::{Board, Color, Piece};
use tables::{Men, POINTS, Packed, Tables, as_printed, tables};

use super::attacks::{DARK, Squares, count, distance, shield};
use super::{Evaluator, Explanation, Tunable, explain, pawns};
use crate::position::is_insufficient_material;
use crate::score::Score;

/// Winglet's evaluation with a given set of [`Weights`].
#[derive(Clone, Debug)]
pub struct Winglet {
    weights: Weights,
    tables: Box<Tables>,
}

impl Winglet {
    /// The evaluation with a published set of weights.
    pub fn new(profile: Profile) -> Self {
        Winglet::with_weights(Weights::profile(profile))
    }

    /// Whether the endgame's weights count on this board.
    pub fn is_endgame(&self, board: &Board) -> bool {
        self.is_endgame_of(&self.sides(board))
    }

    #[inline]
    fn is_endgame_of(&self, sides: &[Side; 2]) -> bool {
        sides.iter().any(|side| side.points < self.weights.endgame_below)
    }
}

impl Default for Winglet {
    /// Profile `paper`.
    fn default() -> Self {
        Winglet::new(Profile::Paper)
    }
}

impl Evaluator for Winglet {
    #[inline]
    fn evaluate(&self, board: &Board) -> Score {
        let sides = self.sides(board);
        if sides[0].men[0] | sides[1].men[0] == 0 && is_insufficient_material(board) {
            return Score::DRAW;
        }
        let endgame = self.is_endgame_of(&sides);
        let value = men_on_squares(&sides)
            + self.kings(&sides, endgame)
            + self.exchanges(&sides)
            + self.pawn_structure(&sides)
            + self.bishop_pairs(&sides)
            + if endgame { self.pawns_near_own_king(&sides) } else { self.king_shields(&sides) };
        Score(value.clamp(-Score::MAX_EVALUATION, Score::MAX_EVALUATION))
    }
}

impl Tunable for Winglet {
    type Weights = Weights;

    /// Builds its tables, so it costs some hundred microseconds.
    fn with_weights(weights: Weights) -> Self {
        Winglet { tables: tables(&weights), weights }
    }

    fn weights(&self) -> &Weights {
        &self.weights
    }

    fn coefficients(&self, board: &Board) -> Vec<f64> {
        self.trace(board)
    }

    fn explain(&self, board: &Board) -> Explanation {
        let mut terms = explain::terms(&self.weights, &self.trace(board));
        // It decides which weights count and is no value itself.
        terms.retain(|term| term.name != "endgame_below");
        let phase = if self.is_endgame(board) { "endgame" } else { "before the endgame" };
        Explanation {
            terms,
            phase: Some(phase.to_owned()),
            is_dead: is_insufficient_material(board),
            total: self.evaluate(board),
        }
    }
}

/// What the terms need to know about one side.
struct Side {
    /// Bitboards of the men, pawn to queen.
    men: [u64; 5],
    king: usize,
    /// Material, squares and tropism of all men but the king, from White's point of view.
    value: i32,
    /// The phase points of all men but pawns.
    points: i32,
    pawns: i32,
    /// All men but the king.
    count: i32,
}

impl Winglet {
    #[inline]
    fn sides(&self, board: &Board) -> [Side; 2] {
        let kings = [Color::White, Color::Black].map(|color| board.king_square(color).to_index() & 63);
        [
            Side::new(board, Color::White, kings[0], &self.tables[0][kings[1]]),
            Side::new(board, Color::Black, kings[1], &self.tables[1][kings[0]]),
        ]
    }
}

impl Side {
    #[inline]
    fn new(board: &Board, color: Color, king: usize, tables: &[Men; 5]) -> Self {
        let own = board.color_combined(color);
        let men = [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen]
            .map(|piece| (board.pieces(piece) & own).0);
        let mut all = 0;
        let mut pawns = 0;
        for (piece, (&set, squares)) in men.iter().zip(tables).enumerate() {
            for square in Squares(set) {
                all += squares[square & 63].0;
            }
            if piece == 0 {
                pawns = Packed(all).count();
            }
        }
        let all = Packed(all);
        Side { men, king, value: all.value(), points: all.points(), pawns, count: all.count() }
    }
}

/// Material, piece-square values and tropism of all men but the kings.
#[inline]
fn men_on_squares([white, black]: &[Side; 2]) -> i32 {
    white.value + black.value
}

impl Winglet {
    #[inline]
    fn kings(&self, [white, black]: &[Side; 2], endgame: bool) -> i32 {
        let squares = if endgame { &self.weights.king_endgame_squares } else { &self.weights.king_squares };
        squares[as_printed(white.king, Color::White)] - squares[as_printed(black.king, Color::Black)]
    }

    /// Who is ahead should exchange pieces.
    #[inline]
    fn exchanges(&self, [white, black]: &[Side; 2]) -> i32 {
        let weights = &self.weights;
        let for_ahead = |own: &Side, enemy: &Side| {
            weights.exchange_ahead + weights.exchange_own_man * own.count
                - weights.exchange_enemy_man * enemy.count
        };
        let lead = white.points + POINTS[0] * white.pawns - black.points - POINTS[0] * black.pawns;
        match lead {
            1.. => for_ahead(white, black),
            0 => 0,
            _ => -for_ahead(black, white),
        }
    }

    #[inline]
    fn pawn_structure(&self, [white, black]: &[Side; 2]) -> i32 {
        let weights = &self.weights;
        let [of_white, of_black] = pawns::structures(white.men[0], black.men[0]);
        let difference = |white: u64, black: u64| count(white) - count(black);
        weights.passed_pawn * difference(of_white.passed, of_black.passed)
            + weights.doubled_pawn * difference(of_white.doubled, of_black.doubled)
            + weights.isolated_pawn * difference(of_white.isolated, of_black.isolated)
            + weights.backward_pawn * difference(of_white.backward, of_black.backward)
            + weights.rook_behind_passed_pawn
                * difference(white.men[3] & of_white.behind_passed, black.men[3] & of_black.behind_passed)
    }

    #[inline]
    fn bishop_pairs(&self, [white, black]: &[Side; 2]) -> i32 {
        let has_pair = |side: &Side| i32::from(side.men[2] & DARK != 0 && side.men[2] & !DARK != 0);
        self.weights.bishop_pair * (has_pair(white) - has_pair(black))
    }

    #[inline]
    fn king_shields(&self, [white, black]: &[Side; 2]) -> i32 {
        let value = |side: &Side, [near, far]: [u64; 2]| {
            self.weights.shield_near * count(side.men[0] & near)
                + self.weights.shield_far * count(side.men[0] & far)
        };
        value(white, shield::<true>(white.king)) - value(black, shield::<false>(black.king))
    }

    #[inline]
    fn pawns_near_own_king(&self, [white, black]: &[Side; 2]) -> i32 {
        let value = |side: &Side| -> i32 {
            Squares(side.men[0]).map(|at| self.weights.pawn_own_king[distance(at, side.king)]).sum()
        };
        value(white) - value(black)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::factors::tests::GOLDEN;
    use crate::position::Position;

    fn evaluate(profile: Profile, fen: &str) -> i32 {
        Winglet::new(profile).evaluate(Position::from_fen(fen).unwrap().board()).0
    }

    /// Computed independently from the published terms, with knight and bishop worth 300.
    #[test]
    fn equals_the_golden_values() {
        let values = GOLDEN.map(|(fen, _)| evaluate(Profile::Winglet, fen));
        assert_eq!(values, [0, 39, 0, 26, 384, -32, 17, -69, 0, 69, -61, 116]);
    }

    #[test]
    fn dead_positions_are_draws_and_pawns_keep_them_alive() {
        for fen in [
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            "4k3/8/8/8/8/8/8/4KN2 w - - 0 1",
            "4kb2/8/8/8/8/8/8/B1B1K3 w - - 0 1",
        ] {
            assert_eq!(evaluate(Profile::Paper, fen), 0, "{fen}");
        }
        assert_ne!(evaluate(Profile::Paper, "4k3/8/8/8/8/8/8/3NKN2 w - - 0 1"), 0);
        assert_ne!(evaluate(Profile::Paper, "2b1k3/8/8/8/8/8/8/B1B1K3 w - - 0 1"), 0);
    }
}

//! Winglet's evaluation (Stef Luijten, "Writing a chess program in 99 steps"), which the paper uses:
//! material, squares, king tropism, pawn structure and king shield, with one switch between middlegame and
//! endgame.

pub(super) mod weights;

pub use self::weights::{BISHOP, COUNT, FIELDS, KNIGHT};

use chess::{Board, Color, Piece};

use self::weights::*;
use super::attacks::{DARK, Squares, count, distance, shield, structures};
use super::{Evaluation, Evaluator, Explanation, Term, Tunable};
use crate::position::is_insufficient_material;
use crate::score::Score;

/// Winglet's evaluation with given weights.
#[derive(Clone, Debug)]
pub struct Winglet {
    weights: [i32; COUNT],
    tables: Box<Tables>,
}

impl Winglet {
    /// The evaluation with these weights, in the order of [`FIELDS`]. Builds its tables, so it costs some
    /// hundred microseconds.
    pub(super) fn new(row: &[i32]) -> Self {
        let weights = row.try_into().expect("a number for each weight");
        Winglet { tables: tables(&weights), weights }
    }

    /// Whether the endgame's weights count.
    #[inline]
    fn is_endgame(&self, sides: &[Side; 2]) -> bool {
        sides.iter().any(|side| side.points < self.weights[ENDGAME_BELOW])
    }
}

impl Default for Winglet {
    /// [`Evaluation::Paper`].
    fn default() -> Self {
        Winglet::new(&Evaluation::Paper.defaults())
    }
}

impl Evaluator for Winglet {
    #[inline]
    fn evaluate(&self, board: &Board) -> Score {
        let sides = self.sides(board);
        if sides[0].men[0] | sides[1].men[0] == 0 && is_insufficient_material(board) {
            return Score::DRAW;
        }
        let endgame = self.is_endgame(&sides);
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
    fn coefficients(&self, board: &Board) -> Vec<f64> {
        self.counts(board).map(f64::from).to_vec()
    }

    fn explain(&self, board: &Board, mut terms: Vec<Term>) -> Explanation {
        // It decides which weights count and is no value itself.
        terms.retain(|term| term.name != "endgame_below");
        let phase = if self.is_endgame(&self.sides(board)) { "endgame" } else { "before the endgame" };
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

/// Where the weights of a king's squares begin.
fn king_squares(endgame: bool) -> usize {
    if endgame { KING_ENDGAME_SQUARES } else { KING_SQUARES }
}

/// Material, piece-square values and tropism of all men but the kings.
#[inline]
fn men_on_squares([white, black]: &[Side; 2]) -> i32 {
    white.value + black.value
}

impl Winglet {
    #[inline]
    fn kings(&self, [white, black]: &[Side; 2], endgame: bool) -> i32 {
        let first = king_squares(endgame);
        let value = |king, color| self.weights[first + as_printed(king, color)];
        value(white.king, Color::White) - value(black.king, Color::Black)
    }

    /// Who is ahead should exchange pieces.
    #[inline]
    fn exchanges(&self, [white, black]: &[Side; 2]) -> i32 {
        let weights = &self.weights;
        let for_ahead = |own: &Side, enemy: &Side| {
            weights[EXCHANGE_AHEAD] + weights[EXCHANGE_OWN_MAN] * own.count
                - weights[EXCHANGE_ENEMY_MAN] * enemy.count
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
        let [of_white, of_black] = structures(white.men[0], black.men[0]);
        let difference = |white: u64, black: u64| count(white) - count(black);
        weights[PASSED_PAWN] * difference(of_white.passed, of_black.passed)
            + weights[DOUBLED_PAWN] * difference(of_white.doubled, of_black.doubled)
            + weights[ISOLATED_PAWN] * difference(of_white.isolated, of_black.isolated)
            + weights[BACKWARD_PAWN] * difference(of_white.backward, of_black.backward)
            + weights[ROOK_BEHIND_PASSED_PAWN]
                * difference(white.men[3] & of_white.behind_passed, black.men[3] & of_black.behind_passed)
    }

    #[inline]
    fn bishop_pairs(&self, [white, black]: &[Side; 2]) -> i32 {
        let has_pair = |side: &Side| i32::from(side.men[2] & DARK != 0 && side.men[2] & !DARK != 0);
        self.weights[BISHOP_PAIR] * (has_pair(white) - has_pair(black))
    }

    #[inline]
    fn king_shields(&self, [white, black]: &[Side; 2]) -> i32 {
        let value = |side: &Side, [near, far]: [u64; 2]| {
            self.weights[SHIELD_NEAR] * count(side.men[0] & near)
                + self.weights[SHIELD_FAR] * count(side.men[0] & far)
        };
        value(white, shield::<true>(white.king)) - value(black, shield::<false>(black.king))
    }

    #[inline]
    fn pawns_near_own_king(&self, [white, black]: &[Side; 2]) -> i32 {
        let value = |side: &Side| -> i32 {
            Squares(side.men[0]).map(|at| self.weights[PAWN_OWN_KING + distance(at, side.king)]).sum()
        };
        value(white) - value(black)
    }
}

impl Winglet {
    /// How often each weight counts, White's less Black's, in one pass over the board: for tuning, which asks
    /// of millions of positions. A test compares it with the evaluation itself.
    fn counts(&self, board: &Board) -> [i32; COUNT] {
        let mut counts = [0; COUNT];
        if is_insufficient_material(board) {
            return counts;
        }
        let sides = self.sides(board);
        let endgame = self.is_endgame(&sides);
        let structures = structures(sides[0].men[0], sides[1].men[0]);
        for (us, (color, sign)) in [(Color::White, 1), (Color::Black, -1)].into_iter().enumerate() {
            let count = |set: u64| sign * count(set);
            let (own, enemy) = (&sides[us], &sides[1 - us]);
            let king = own.king;
            for (piece, &men) in own.men.iter().enumerate() {
                for at in Squares(men) {
                    for place in places(piece, at, color, enemy.king) {
                        counts[place] += sign;
                    }
                }
            }
            let structure = &structures[us];
            counts[PASSED_PAWN] += count(structure.passed);
            counts[DOUBLED_PAWN] += count(structure.doubled);
            counts[ISOLATED_PAWN] += count(structure.isolated);
            counts[BACKWARD_PAWN] += count(structure.backward);
            counts[ROOK_BEHIND_PASSED_PAWN] += count(own.men[3] & structure.behind_passed);
            if own.men[2] & DARK != 0 && own.men[2] & !DARK != 0 {
                counts[BISHOP_PAIR] += sign;
            }
            counts[king_squares(endgame) + as_printed(king, color)] += sign;
            if endgame {
                Squares(own.men[0]).for_each(|at| counts[PAWN_OWN_KING + distance(at, king)] += sign);
            } else {
                let [near, far] = if us == 0 { shield::<true>(king) } else { shield::<false>(king) };
                counts[SHIELD_NEAR] += count(own.men[0] & near);
                counts[SHIELD_FAR] += count(own.men[0] & far);
            }
            let points = |side: &Side| side.points + POINTS[0] * side.pawns;
            if points(own) > points(enemy) {
                counts[EXCHANGE_AHEAD] += sign;
                counts[EXCHANGE_OWN_MAN] += sign * own.count;
                counts[EXCHANGE_ENEMY_MAN] -= sign * enemy.count;
            }
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::WeightSet;
    use crate::evaluation::testing::GOLDEN;
    use crate::position::Position;

    fn evaluate(evaluation: Evaluation, fen: &str) -> i32 {
        WeightSet::of(evaluation).evaluate(Position::from_fen(fen).unwrap().board()).0
    }

    /// Computed independently from the published terms, with knight and bishop worth 300.
    #[test]
    fn equals_the_golden_values() {
        let values = GOLDEN.map(|(fen, _)| evaluate(Evaluation::Winglet, fen));
        assert_eq!(values, [0, 39, 0, 26, 384, -32, 17, -69, 0, 69, -61, 116]);
    }

    #[test]
    fn dead_positions_are_draws_and_pawns_keep_them_alive() {
        for fen in [
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            "4k3/8/8/8/8/8/8/4KN2 w - - 0 1",
            "4kb2/8/8/8/8/8/8/B1B1K3 w - - 0 1",
        ] {
            assert_eq!(evaluate(Evaluation::Paper, fen), 0, "{fen}");
        }
        assert_ne!(evaluate(Evaluation::Paper, "4k3/8/8/8/8/8/8/3NKN2 w - - 0 1"), 0);
        assert_ne!(evaluate(Evaluation::Paper, "2b1k3/8/8/8/8/8/8/B1B1K3 w - - 0 1"), 0);
    }

    /// What each weight is multiplied with: the value if it is 1 and all others are 0. Slow, and surely
    /// right.
    fn units(evaluation: &Winglet, board: &Board) -> Vec<f64> {
        let mut only_the_switch = [0; COUNT];
        only_the_switch[ENDGAME_BELOW] = evaluation.weights[ENDGAME_BELOW];
        let unit = |index: usize| {
            let mut row = only_the_switch;
            row[index] = 1;
            f64::from(Winglet::new(&row).evaluate(board).0)
        };
        (0..COUNT).map(|index| if index == ENDGAME_BELOW { 0.0 } else { unit(index) }).collect()
    }

    #[test]
    fn it_is_what_the_evaluation_says_of_each_weight_alone() {
        let evaluation = Winglet::default();
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r1bq1rk1/pp2ppbp/2n2np1/2ppN3/5P2/1P2P3/PBPPB1PP/RN1Q1RK1 b - - 3 8",
            "2Q5/b4pkp/6p1/1p2p3/8/5PP1/7P/7K b - - 0 7",
            "8/5k2/8/R7/3P4/2P5/6r1/3K4 b - - 0 1",
            "8/8/4k3/8/8/3BK3/8/8 w - - 0 1",
        ] {
            let position = Position::from_fen(fen).expect(fen);
            let expected = units(&evaluation, position.board());
            assert_eq!(evaluation.coefficients(position.board()), expected, "{fen}");
        }
    }

    fn explain(fen: &str) -> Explanation {
        let position = Position::from_fen(fen).expect(fen);
        WeightSet::of(Evaluation::Paper).explain(position.board())
    }

    #[test]
    fn each_part_has_its_name() {
        // White is a rook and a passed pawn ahead, on their own squares.
        let parts = explain("4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1");
        let value = |name: &str| {
            let term = parts.terms.iter().find(|term| term.name == name);
            term.unwrap_or_else(|| panic!("no {name}")).value as i32
        };
        assert_eq!((value("rook"), value("pawn"), value("knight")), (500, 100, 0));
        assert_eq!((value("passed_pawn"), value("isolated_pawn")), (20, -20));
        assert_eq!((value("pawn_squares"), value("rook_squares")), (-40, -10));
        // Two men, against none.
        assert_eq!((value("exchange_ahead"), value("exchange_own_man")), (45, 6));
        assert_eq!((value("king_squares"), value("king_endgame_squares")), (0, 0));
        assert!(parts.phase.as_deref() == Some("endgame") && !parts.is_dead);
    }

    #[test]
    fn the_phase_and_dead_positions_are_said() {
        let start = explain("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert_eq!(start.phase.as_deref(), Some("before the endgame"));
        let dead = explain("4k3/8/8/8/8/8/8/4KN2 w - - 0 1");
        assert!(dead.is_dead && dead.total == Score::DRAW);
        assert!(dead.terms.iter().all(|term| term.value == 0.0));
    }
}

//! Winglet's evaluation (Stef Luijten, "Writing a chess program in 99 steps"), which the paper uses:
//! material, squares, king tropism, pawn structure and king shield, with one switch between middlegame and
//! endgame.

mod weights;

pub use self::weights::{Profile, Weights};

use chess::{Board, Color, Piece};

use self::weights::{Men, POINTS, Packed, Tables, as_printed, tables};
use super::attacks::{DARK, Squares, count, distance, shield, structures};
use super::{Evaluator, Explanation, Genome as _, Tunable, terms_of};
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

    /// Whether the endgame's weights count.
    #[inline]
    fn is_endgame(&self, sides: &[Side; 2]) -> bool {
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
    type Weights = Weights;

    /// Builds its tables, so it costs some hundred microseconds.
    fn with_weights(weights: Weights) -> Self {
        Winglet { tables: tables(&weights), weights }
    }

    fn weights(&self) -> &Weights {
        &self.weights
    }

    fn coefficients(&self, board: &Board) -> Vec<f64> {
        self.counts(board).to_row().into_iter().map(f64::from).collect()
    }

    fn explain(&self, board: &Board) -> Explanation {
        let mut terms = terms_of(&self.weights, &self.coefficients(board));
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
        let [of_white, of_black] = structures(white.men[0], black.men[0]);
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

impl Winglet {
    /// How often each weight counts, White's less Black's, in one pass over the board: for tuning, which asks
    /// of millions of positions. A test compares it with the evaluation itself.
    fn counts(&self, board: &Board) -> Weights {
        let mut counts = Weights::from_any_row(&[0; Weights::COUNT]);
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
            let kinds = [
                (&mut counts.pawn, &mut counts.pawn_squares, &mut counts.pawn_tropism),
                (&mut counts.knight, &mut counts.knight_squares, &mut counts.knight_tropism),
                (&mut counts.bishop, &mut counts.bishop_squares, &mut counts.bishop_tropism),
                (&mut counts.rook, &mut counts.rook_squares, &mut counts.rook_tropism),
                (&mut counts.queen, &mut counts.queen_squares, &mut counts.queen_tropism),
            ];
            for ((material, by_square, tropism), &men) in kinds.into_iter().zip(&own.men) {
                *material += count(men);
                for at in Squares(men) {
                    by_square[as_printed(at, color)] += sign;
                    tropism[distance(at, enemy.king)] += sign;
                }
            }
            let structure = &structures[us];
            counts.passed_pawn += count(structure.passed);
            counts.doubled_pawn += count(structure.doubled);
            counts.isolated_pawn += count(structure.isolated);
            counts.backward_pawn += count(structure.backward);
            counts.rook_behind_passed_pawn += count(own.men[3] & structure.behind_passed);
            if own.men[2] & DARK != 0 && own.men[2] & !DARK != 0 {
                counts.bishop_pair += sign;
            }
            if endgame {
                counts.king_endgame_squares[as_printed(king, color)] += sign;
                Squares(own.men[0]).for_each(|at| counts.pawn_own_king[distance(at, king)] += sign);
            } else {
                counts.king_squares[as_printed(king, color)] += sign;
                let [near, far] = if us == 0 { shield::<true>(king) } else { shield::<false>(king) };
                counts.shield_near += count(own.men[0] & near);
                counts.shield_far += count(own.men[0] & far);
            }
            let points = |side: &Side| side.points + POINTS[0] * side.pawns;
            if points(own) > points(enemy) {
                counts.exchange_ahead += sign;
                counts.exchange_own_man += sign * own.count;
                counts.exchange_enemy_man -= sign * enemy.count;
            }
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::testing::GOLDEN;
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

    /// What each weight is multiplied with: the value if it is 1 and all others are 0. Slow, and surely
    /// right.
    fn units(evaluation: &Winglet, board: &Board) -> Vec<f64> {
        let count = Weights::COUNT;
        let switch = Weights::table().iter().position(|spec| spec.name == "endgame_below").expect("there");
        let mut only_the_switch = vec![0; count];
        only_the_switch[switch] = evaluation.weights.to_row()[switch];
        let unit = |index: usize| {
            let mut row = only_the_switch.clone();
            row[index] = 1;
            f64::from(Winglet::with_weights(Weights::from_row(&row)).evaluate(board).0)
        };
        (0..count).map(|index| if index == switch { 0.0 } else { unit(index) }).collect()
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
        Winglet::new(Profile::Paper).explain(position.board())
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

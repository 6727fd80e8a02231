//! Winglet's evaluation (Stef Luijten, "Writing a chess program in 99 steps"), used by the paper:
//! material, squares, king tropism, pawn structure and king shield, with one switch between
//! middlegame and endgame.

pub(super) mod weights;

pub use self::weights::{BISHOP, COUNT, FIELDS, KNIGHT};

use chess::{Board, Color, Piece};

use self::weights::*;
use super::attacks::{DARK, Squares, count, distance, shield, structure};
use super::{Evaluation, Evaluator, Explanation, Term, Tunable};
use crate::rules::position::is_insufficient_material;
use crate::rules::score::Score;

/// Winglet's evaluation with given weights.
#[derive(Clone, Debug)]
pub struct Winglet {
    weights: [i32; COUNT],
    tables: Box<Tables>,
}

impl Winglet {
    /// The evaluation with these weights, in the order of [`FIELDS`]. Builds its tables in some
    /// hundred microseconds.
    pub(super) fn new(row: &[i32]) -> Self {
        let weights = row.try_into().expect("a number for each weight");
        Winglet {
            tables: tables(&weights),
            weights,
        }
    }

    /// Returns true if the endgame's weights count.
    #[inline]
    fn is_endgame(&self, sides: &[Side; 2]) -> bool {
        sides
            .iter()
            .any(|side| side.points < self.weights[ENDGAME_BELOW])
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
        if sides[0].pieces[0] | sides[1].pieces[0] == 0 && is_insufficient_material(board) {
            return Score::DRAW;
        }
        let endgame = self.is_endgame(&sides);
        let mut value = sides[0].value + sides[1].value;
        terms(&sides, endgame, |weight, times| {
            value += self.weights[weight] * times
        });
        Score(value.clamp(-Score::MAX_EVALUATION, Score::MAX_EVALUATION))
    }
}

impl Tunable for Winglet {
    fn coefficients(&self, board: &Board) -> Vec<f64> {
        let mut counts = vec![0.0; COUNT];
        if is_insufficient_material(board) {
            return counts;
        }
        let sides = self.sides(board);
        for (own, enemy, color, sign) in [
            (&sides[0], &sides[1], Color::White, 1.0),
            (&sides[1], &sides[0], Color::Black, -1.0),
        ] {
            for (piece, &pieces) in own.pieces.iter().enumerate() {
                for place in Squares(pieces).flat_map(|at| places(piece, at, color, enemy.king)) {
                    counts[place] += sign;
                }
            }
        }
        terms(&sides, self.is_endgame(&sides), |weight, times| {
            counts[weight] += f64::from(times)
        });
        counts
    }

    fn explain(&self, board: &Board, mut terms: Vec<Term>) -> Explanation {
        // It decides which weights count and is no value itself.
        terms.retain(|term| term.name != "endgame_below");
        let phase = if self.is_endgame(&self.sides(board)) {
            "endgame"
        } else {
            "before the endgame"
        };
        Explanation {
            terms,
            phase: Some(phase.to_owned()),
            is_dead: is_insufficient_material(board),
            total: self.evaluate(board),
        }
    }
}

/// One side's facts for the terms.
struct Side {
    /// Bitboards of the pieces, pawn to queen.
    pieces: [u64; 5],
    king: usize,
    /// Material, squares and tropism of all pieces but the king, from White's point of view.
    value: i32,
    /// The phase points of all pieces but pawns.
    points: i32,
    pawns: i32,
    /// The number of all pieces but the king.
    count: i32,
}

impl Winglet {
    #[inline]
    fn sides(&self, board: &Board) -> [Side; 2] {
        let kings =
            [Color::White, Color::Black].map(|color| board.king_square(color).to_index() & 63);
        [
            Side::new(board, Color::White, kings[0], &self.tables[0][kings[1]]),
            Side::new(board, Color::Black, kings[1], &self.tables[1][kings[0]]),
        ]
    }
}

impl Side {
    #[inline]
    fn new(board: &Board, color: Color, king: usize, tables: &[PieceBySquare; 5]) -> Self {
        let own = board.color_combined(color);
        let pieces = [
            Piece::Pawn,
            Piece::Knight,
            Piece::Bishop,
            Piece::Rook,
            Piece::Queen,
        ]
        .map(|piece| (board.pieces(piece) & own).0);
        let mut all = 0;
        let mut pawns = 0;
        for (piece, (&set, squares)) in pieces.iter().zip(tables).enumerate() {
            for square in Squares(set) {
                all += squares[square & 63].0;
            }
            if piece == 0 {
                pawns = Packed(all).count();
            }
        }
        let all = Packed(all);
        Side {
            pieces,
            king,
            value: all.value(),
            points: all.points(),
            pawns,
            count: all.count(),
        }
    }
}

/// Tells each weight and its count, negative for Black. Exception: those of the pieces on their
/// squares are in [`Side::value`].
#[inline]
fn terms(sides: &[Side; 2], endgame: bool, mut tell: impl FnMut(usize, i32)) {
    let [white, black] = [sides[0].pieces[0], sides[1].pieces[0]];
    let structures = [
        structure::<true>(white, black),
        structure::<false>(black, white),
    ];
    for (us, (color, sign)) in [(Color::White, 1), (Color::Black, -1)]
        .into_iter()
        .enumerate()
    {
        let count = |set: u64| sign * count(set);
        let own = &sides[us];
        let enemy = &sides[1 - us];
        let structure = &structures[us];
        let [pawns, _, bishops, rooks, _] = own.pieces;
        tell(PASSED_PAWN, count(structure.passed));
        tell(DOUBLED_PAWN, count(structure.doubled));
        tell(ISOLATED_PAWN, count(structure.isolated));
        tell(BACKWARD_PAWN, count(structure.backward));
        tell(
            ROOK_BEHIND_PASSED_PAWN,
            count(rooks & structure.behind_passed),
        );
        if bishops & DARK != 0 && bishops & !DARK != 0 {
            tell(BISHOP_PAIR, sign);
        }
        let king = as_printed(own.king, color);
        if endgame {
            tell(KING_ENDGAME_SQUARES + king, sign);
            Squares(pawns).for_each(|at| tell(PAWN_OWN_KING + distance(at, own.king), sign));
        } else {
            tell(KING_SQUARES + king, sign);
            let [near, far] = if us == 0 {
                shield::<true>(own.king)
            } else {
                shield::<false>(own.king)
            };
            tell(SHIELD_NEAR, count(pawns & near));
            tell(SHIELD_FAR, count(pawns & far));
        }
        // Who is ahead should exchange pieces.
        let points = |side: &Side| side.points + POINTS[0] * side.pawns;
        if points(own) > points(enemy) {
            tell(EXCHANGE_AHEAD, sign);
            tell(EXCHANGE_OWN_MAN, sign * own.count);
            tell(EXCHANGE_ENEMY_MAN, -sign * enemy.count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::WeightSet;
    use crate::eval::tests::{GOLDEN, board};

    fn evaluate(evaluation: Evaluation, fen: &str) -> i32 {
        WeightSet::of(evaluation).evaluate(&board(fen)).0
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
        assert_ne!(
            evaluate(Evaluation::Paper, "4k3/8/8/8/8/8/8/3NKN2 w - - 0 1"),
            0
        );
        assert_ne!(
            evaluate(Evaluation::Paper, "2b1k3/8/8/8/8/8/8/B1B1K3 w - - 0 1"),
            0
        );
    }

    /// The factor of each weight: the value with this weight 1 and all others 0. Slow, and surely
    /// right.
    fn units(evaluation: &Winglet, board: &Board) -> Vec<f64> {
        let mut only_the_switch = [0; COUNT];
        only_the_switch[ENDGAME_BELOW] = evaluation.weights[ENDGAME_BELOW];
        let unit = |index: usize| {
            let mut row = only_the_switch;
            row[index] = 1;
            f64::from(Winglet::new(&row).evaluate(board).0)
        };
        (0..COUNT)
            .map(|index| {
                if index == ENDGAME_BELOW {
                    0.0
                } else {
                    unit(index)
                }
            })
            .collect()
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
            let board = board(fen);
            assert_eq!(
                evaluation.coefficients(&board),
                units(&evaluation, &board),
                "{fen}"
            );
        }
    }

    fn explain(fen: &str) -> Explanation {
        WeightSet::of(Evaluation::Paper).explain(&board(fen))
    }

    #[test]
    fn each_part_has_its_name() {
        // White is a rook and a passed pawn ahead, on their own squares.
        let parts = explain("4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1");
        let value = |name: &str| {
            let term = parts.terms.iter().find(|term| term.name == name);
            term.unwrap_or_else(|| panic!("no {name}")).value as i32
        };
        assert_eq!(
            (value("rook"), value("pawn"), value("knight")),
            (500, 100, 0)
        );
        assert_eq!((value("passed_pawn"), value("isolated_pawn")), (20, -20));
        assert_eq!((value("pawn_squares"), value("rook_squares")), (-40, -10));
        // Two pieces, against none.
        assert_eq!(
            (value("exchange_ahead"), value("exchange_own_man")),
            (45, 6)
        );
        assert_eq!(
            (value("king_squares"), value("king_endgame_squares")),
            (0, 0)
        );
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

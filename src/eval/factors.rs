//! The evaluation of Vázquez-Fernández & Coello, "An adaptive evolutionary algorithm based on
//! tactical and positional chess problems to adjust the weights of a chess engine", IEEE CEC 2013:
//! material and positional factors, each with one weight, own sum minus the opponent's.

use chess::{BitBoard, Board, Color, Piece};

use super::attacks::{
    self, RANK_1, Squares, by_king, by_piece, count, down, sideways, structure, up,
};
use super::genome::weights;
use super::{Evaluator, Tunable};
use crate::rules::score::Score;

/// The evaluation with given weights.
#[derive(Clone, Debug)]
pub struct Factors {
    weights: [i32; COUNT],
}

/// The count of each factor for one side, in the order of the weights. The two factors with sums of
/// material use the unit of the weights.
type Counts = [i32; COUNT];

/// The unit of the weights: they have two decimals.
pub(super) const PER_CENTIPAWN: i32 = 100;
/// A pawn in the unit of the weights.
const A_PAWN: i64 = 100 * PER_CENTIPAWN as i64;

impl Evaluator for Factors {
    #[inline]
    fn evaluate(&self, board: &Board) -> Score {
        let [white, black] = self.counts(board);
        let value = self.side_value(&white) - self.side_value(&black);
        let centipawns = value / (A_PAWN * i64::from(PER_CENTIPAWN));
        let limit = i64::from(Score::MAX_EVALUATION);
        Score(centipawns.clamp(-limit, limit) as i32)
    }
}

impl Factors {
    /// The evaluation with these weights, in the order of [`FIELDS`].
    pub(super) fn new(row: &[i32]) -> Self {
        Factors {
            weights: row.try_into().expect("a number for each weight"),
        }
    }

    #[inline]
    fn counts(&self, board: &Board) -> [Counts; 2] {
        let [white, black] =
            [Color::White, Color::Black].map(|color| Side::new(board, color, &self.weights));
        [white.counts(&black), black.counts(&white)]
    }

    /// Equation (1), in ten-thousandths of the weights' unit, so nothing is rounded: the first two
    /// factors of the king are in pawns, all others are numbers.
    #[inline]
    fn side_value(&self, side: &Counts) -> i64 {
        let product = |index: usize| i64::from(self.weights[index]) * i64::from(side[index]);
        let king_zone = product(KING_DEFENDERS) + product(KING_ATTACKERS);
        let all: i64 = (0..COUNT).map(product).sum();
        (all - king_zone) * A_PAWN + king_zone
    }
}

impl Tunable for Factors {
    /// The two factors of the king with sums of material hold the present material: they make the
    /// value non-linear in the material's weights.
    fn coefficients(&self, board: &Board) -> Vec<f64> {
        let [white, black] = self.counts(board);
        let mut difference: Vec<f64> = white
            .iter()
            .zip(black)
            .map(|(white, black)| f64::from(white - black))
            .collect();
        for sum_of_material in [KING_DEFENDERS, KING_ATTACKERS] {
            difference[sum_of_material] /= A_PAWN as f64;
        }
        difference
    }
}

// Values and bounds: Vázquez-Fernández & Coello 2013, table I; the values are those of the evolved
// player. In hundredths of a centipawn.
weights! {
    /// Material: a pawn, a constant (table I prints its bounds as 0 and 0).
    PAWN: [10_000], 10_000..=10_000;
    /// Material: a knight.
    KNIGHT: [29_729], 20_000..=40_000;
    /// Material: a bishop.
    BISHOP: [31_216], 20_000..=40_000;
    /// Material: a rook.
    ROOK: [49_357], 40_000..=60_000;
    /// Material: a queen.
    QUEEN: [90_725], 80_000..=100_000;

    /// King, F1: own attackers of its zone (its square and those around), by their material in
    /// pawns.
    KING_DEFENDERS: [7883], -10_000..=10_000;
    /// King, F2: enemy attackers of its zone, by their material in pawns.
    KING_ATTACKERS: [-8482], -10_000..=10_000;
    /// King, F3: castled. The king stands on its first rank, on file a, b, c, g or h, no own rook
    /// outside.
    KING_CASTLED: [6123], -10_000..=10_000;
    /// King, F4: own pawns one or two ranks ahead, on its three files; the king on its first three
    /// ranks.
    KING_SHIELD: [8112], -10_000..=10_000;
    /// Queen, F1: attacked squares, but those of own pieces.
    QUEEN_MOBILITY: [914], -10_000..=10_000;
    /// Rook, F1: attacked squares, but those of own pieces.
    ROOK_MOBILITY: [2244], -10_000..=10_000;
    /// Rook, F2: no pawn on its file.
    ROOK_OPEN_FILE: [4922], -10_000..=10_000;
    /// Rook, F3: on the seventh rank.
    ROOK_SEVENTH: [1623], -10_000..=10_000;
    /// Rook, F4: each of two or more on the seventh rank.
    ROOKS_SEVENTH: [7222], -10_000..=10_000;
    /// Bishop, F1: attacked squares, but those of own pieces.
    BISHOP_MOBILITY: [1203], -10_000..=10_000;
    /// Knight, F1: attacked squares, but those of own pieces.
    KNIGHT_MOBILITY: [7425], -10_000..=10_000;
    /// Knight, F2: on the rim of the board.
    KNIGHT_RIM: [-5167], -10_000..=10_000;
    /// Knight, F3: defended by a pawn.
    KNIGHT_DEFENDED: [1934], -10_000..=10_000;
    /// Knight, F4: safe from attacks by enemy pawns, now or after they advance.
    KNIGHT_SAFE: [8456], -10_000..=10_000;
    /// Pawn, F1: doubled, each.
    PAWN_DOUBLED: [-13_392], -20_000..=20_000;
    /// Pawn, F2: isolated.
    PAWN_ISOLATED: [-7856], -20_000..=20_000;
    /// Pawn, F3: on c4, c5, d4, d5, e4, e5, f4 or f5.
    PAWN_CENTRAL: [13_119], -20_000..=20_000;
    /// Pawn, F4: passed.
    PAWN_PASSED: [4333], -20_000..=20_000;
}

const RANK_7: u64 = 0xFF << 48;
const RIM: u64 = 0xFF81_8181_8181_81FF;
/// c4 to f5.
const CENTRE: u64 = 0x0000_003C_3C00_0000;

/// One side's sets and counts for the factors of both sides. Sets are as the side sees the board:
/// its first rank is the lowest.
struct Side {
    /// Pawns to queens.
    pieces: [u64; 5],
    /// The king's square.
    king: u32,
    /// Squares attacked by knights, bishops, rooks and queens, but those of own pieces.
    mobility: [i32; 4],
    /// The material of the pieces attacking the zone of their own king, and of the enemy's.
    near_own_king: i32,
    near_enemy_king: i32,
}

impl Side {
    #[inline]
    fn new(board: &Board, color: Color, weights: &[i32; COUNT]) -> Self {
        let own = *board.color_combined(color);
        let seen = |set: BitBoard| {
            if color == Color::White {
                set.0
            } else {
                set.0.swap_bytes()
            }
        };
        let pieces = |piece| seen(*board.pieces(piece) & own);
        let mut side = Side {
            pieces: [
                Piece::Pawn,
                Piece::Knight,
                Piece::Bishop,
                Piece::Rook,
                Piece::Queen,
            ]
            .map(pieces),
            king: pieces(Piece::King).trailing_zeros(),
            mobility: [0; 4],
            near_own_king: 0,
            near_enemy_king: 0,
        };
        side.look_at_pieces(board, color, weights);
        side
    }

    #[inline]
    fn look_at_pieces(&mut self, board: &Board, color: Color, weights: &[i32; COUNT]) {
        let own = board.color_combined(color).0;
        let occupied = board.combined().0;
        let [own_zone, enemy_zone] = [color, !color].map(|side| zone(attacks::king(board, side)));
        for (kind, piece) in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen]
            .into_iter()
            .enumerate()
        {
            for square in Squares(attacks::pieces(board, color, piece)) {
                let attacks = by_piece(piece, square, occupied);
                let value_in = |zone: u64| {
                    if attacks & zone != 0 {
                        weights[KNIGHT + kind]
                    } else {
                        0
                    }
                };
                self.mobility[kind] += count(attacks & !own);
                self.near_own_king += value_in(own_zone);
                self.near_enemy_king += value_in(enemy_zone);
            }
        }
    }

    /// Equations (2) to (9) without their weights.
    #[inline]
    fn counts(&self, enemy: &Side) -> Counts {
        let [pawns, knights, _, rooks, _] = self.pieces;
        let enemy_pawns = enemy.pieces[0].swap_bytes();
        let all_pawns = pawns | enemy_pawns;
        let structure = structure::<true>(pawns, enemy_pawns);
        let sevenths = count(rooks & RANK_7);
        let mut counts = [0; COUNT];
        for (kind, &pieces) in self.pieces.iter().enumerate() {
            counts[PAWN + kind] = count(pieces);
        }
        counts[KING_DEFENDERS] = self.near_own_king;
        counts[KING_ATTACKERS] = enemy.near_enemy_king;
        counts[KING_CASTLED] = i32::from(self.has_castled());
        counts[KING_SHIELD] = attacks::shield::<true>(self.king as usize)
            .map(|ahead| count(pawns & ahead))
            .iter()
            .sum();
        [
            counts[KNIGHT_MOBILITY],
            counts[BISHOP_MOBILITY],
            counts[ROOK_MOBILITY],
            counts[QUEEN_MOBILITY],
        ] = self.mobility;
        counts[ROOK_OPEN_FILE] = count(rooks & !(up(all_pawns) | down(all_pawns)));
        counts[ROOK_SEVENTH] = sevenths;
        counts[ROOKS_SEVENTH] = if sevenths > 1 { sevenths } else { 0 };
        counts[KNIGHT_RIM] = count(knights & RIM);
        counts[KNIGHT_DEFENDED] = count(knights & sideways(pawns << 8));
        counts[KNIGHT_SAFE] = count(knights & !down(sideways(enemy_pawns >> 8)));
        counts[PAWN_DOUBLED] = count(structure.doubled);
        counts[PAWN_ISOLATED] = count(structure.isolated);
        counts[PAWN_CENTRAL] = count(pawns & CENTRE);
        counts[PAWN_PASSED] = count(structure.passed);
        counts
    }

    /// Returns true if the king stands on the first rank, on file a, b, c, g or h, with no own rook
    /// between king and edge.
    #[inline]
    fn has_castled(&self) -> bool {
        let outside = match self.king {
            king @ 0..=2 => (1 << king) - 1,
            king @ 6..=7 => RANK_1 & !((2 << king) - 1),
            _ => return false,
        };
        self.pieces[3] & outside == 0
    }
}

/// A king's square and its neighbours.
#[inline]
fn zone(king: usize) -> u64 {
    by_king(king) | 1 << king
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Evaluation;
    use crate::eval::tests::{GOLDEN, board, mirrored};
    use crate::rules::position::Position;

    fn factors() -> Factors {
        Factors::new(&Evaluation::Factors.defaults())
    }

    #[test]
    fn equals_the_golden_values() {
        for (fen, expected) in GOLDEN {
            assert_eq!(factors().evaluate(&board(fen)).0, expected, "{fen}");
        }
    }

    /// Each factor of White on a board, from the sets behind [`Counts`].
    fn white(fen: &str) -> Counts {
        let position = Position::from_fen(fen).expect(fen);
        let [white, black] = factors().counts(position.board());
        // Black's factors are White's on the mirrored board.
        assert_eq!(
            factors().counts(mirrored(&position).board()),
            [black, white],
            "{fen}"
        );
        white
    }

    #[test]
    fn kings_are_defended_and_attacked_by_pieces() {
        // Both bishops, both knights and the queen reach the zone of e1; the rooks do not.
        let counts = white("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert_eq!(
            (counts[KING_DEFENDERS], counts[KING_ATTACKERS]),
            (2 * 29_729 + 2 * 31_216 + 90_725, 0)
        );
        // Black's rook looks along the second rank and counts once, its pawn and king do not count;
        // the white bishop is shut in.
        let counts = white("8/8/4k3/8/8/6p1/r2P4/6KB w - - 0 1");
        assert_eq!(
            (counts[KING_ATTACKERS], counts[KING_DEFENDERS]),
            (0, 31_216)
        );
        let counts = white("8/8/4k3/8/8/6p1/r7/6KB w - - 0 1");
        assert_eq!(
            (counts[KING_ATTACKERS], counts[KING_DEFENDERS]),
            (49_357, 31_216)
        );
    }

    #[test]
    fn castled_kings_have_no_rook_outside() {
        let castled = |placement: &str| {
            white(&format!("4k3/8/8/8/8/8/8/{placement} w - - 0 1"))[KING_CASTLED]
        };
        assert_eq!(
            ["5RK1", "5R1K", "2KR4", "1K1R4", "K2R4", "R5K1", "2K4R"].map(castled),
            [1; 7]
        );
        assert_eq!(
            ["4K2R", "3K4", "5K1R", "6KR", "R1K5", "RK6", "1RK5"].map(castled),
            [0; 7]
        );
        assert_eq!(
            white("4k3/8/8/8/8/8/6K1/8 w - - 0 1")[KING_CASTLED],
            0,
            "not on the first rank"
        );
    }

    #[test]
    fn pawns_shield_the_king_on_its_first_three_ranks() {
        let shield = |fen: &str| white(fen)[KING_SHIELD];
        assert_eq!(shield("4k3/8/8/8/8/6P1/5P1P/6K1 w - - 0 1"), 3);
        // In the corner the three outer files count; three ranks ahead is too far.
        assert_eq!(shield("4k3/8/8/8/7P/6P1/5P2/7K w - - 0 1"), 2);
        assert_eq!(shield("4k3/8/8/6P1/5PPP/6K1/8/8 w - - 0 1"), 4);
        assert_eq!(shield("4k3/8/6P1/5PPP/6K1/8/8/8 w - - 0 1"), 0);
    }

    #[test]
    fn mobility_is_attacked_squares_but_own_pieces() {
        // The queen on d1: a4 on the diagonal, the rook's file and half of the rank; captures
        // count.
        let counts = white("4k3/8/8/8/8/1p6/3P4/1N1QKB1R w - - 0 1");
        // The queen on d1: c1; c2, b3 (a capture); e2, f3, g4, h5. The rook on h1: g1; h2 to h8.
        assert_eq!(
            (counts[QUEEN_MOBILITY], counts[ROOK_MOBILITY]),
            (1 + 2 + 4, 1 + 7)
        );
        // The bishop on f1: e2, d3, c4, b5, a6; g2, h3. The knight on b1: a3, c3; d2 is an own
        // piece's.
        assert_eq!(
            (counts[BISHOP_MOBILITY], counts[KNIGHT_MOBILITY]),
            (5 + 2, 2)
        );
    }

    #[test]
    fn rooks_like_open_files_and_the_seventh_rank() {
        let counts = white("4k3/1R4R1/8/8/3p4/8/6P1/3RK2R w - - 0 1");
        // b and h are open; d has an enemy pawn, g an own one.
        assert_eq!(
            (
                counts[ROOK_OPEN_FILE],
                counts[ROOK_SEVENTH],
                counts[ROOKS_SEVENTH]
            ),
            (2, 2, 2)
        );
        let counts = white("4k3/6R1/8/8/8/8/8/4K2R w - - 0 1");
        assert_eq!((counts[ROOK_SEVENTH], counts[ROOKS_SEVENTH]), (1, 0));
    }

    #[test]
    fn knights_are_at_the_rim_defended_or_safe() {
        // a4: at the rim, safe since no black pawn is ahead on b. d5: defended by e4, and c7-c6
        // attacks it. g5: h7-h6 attacks it.
        let counts = white("4k3/2p4p/8/3N2N1/N3P3/8/8/4K3 w - - 0 1");
        assert_eq!(
            (
                counts[KNIGHT_RIM],
                counts[KNIGHT_DEFENDED],
                counts[KNIGHT_SAFE]
            ),
            (1, 1, 1)
        );
        // A pawn beside or behind cannot attack any more, one that attacks now can.
        let safe = |ranks: &str| white(&format!("4k3/{ranks}/8/8/8/4K3 w - - 0 1"))[KNIGHT_SAFE];
        assert_eq!(["8/8/2pN4", "8/2p5/3N4", "3p4/8/3N4"].map(safe), [1, 0, 1]);
    }

    #[test]
    fn pawns_are_doubled_isolated_central_or_passed() {
        // a2 and a3 doubled and isolated; d4 and e5 central; h6 isolated. d4 is stopped by d7, e5
        // and a2, a3 are stopped by nobody but d7 beside e's way; h6 is passed.
        let counts = white("4k3/3p4/7P/4P3/3P4/P7/P7/4K3 w - - 0 1");
        assert_eq!(
            (
                counts[PAWN_DOUBLED],
                counts[PAWN_ISOLATED],
                counts[PAWN_CENTRAL]
            ),
            (2, 3, 2)
        );
        assert_eq!(counts[PAWN_PASSED], 3);
        let central =
            |ranks: &str| white(&format!("4k3/8/8/{ranks}/8/4K3 w - - 0 1"))[PAWN_CENTRAL];
        assert_eq!(
            ["8/2P5/8", "8/5P2/8", "2P5/8/8", "5P2/8/8"].map(central),
            [1; 4]
        );
        assert_eq!(central("1P4P1/1P4P1/2PPPP2"), 0);
    }
}

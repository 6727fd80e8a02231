//! The weights of Winglet's evaluation, and its tables, made once from the weights.

use chess::Color;

use crate::eval::attacks::distance;
use crate::eval::genome::weights;

// Stef Luijten, "Writing a chess program in 99 steps" (Winglet); the squares rank 8 first, file a
// first. In centipawns where the field does not say otherwise.
weights! {
    /// Material: a pawn.
    PAWN: [100], 0..=2000;
    /// Material: a knight.
    KNIGHT: [300], 0..=2000;
    /// Material: a bishop. Dehghani & Babamir 2017, table 2; Winglet itself has 300.
    BISHOP: [325], 0..=2000;
    /// Material: a rook.
    ROOK: [500], 0..=2000;
    /// Material: a queen.
    QUEEN: [900], 0..=2000;

    /// The endgame begins when either side has fewer points than this, with minor pieces 3, rooks
    /// 5, queens 10.
    ENDGAME_BELOW: [15], 0..=64;
    /// Bonus for the side ahead in points (as above, pawns 1): exchanges are welcome.
    EXCHANGE_AHEAD: [45], -200..=200;
    /// For the side ahead, each own piece but the king.
    EXCHANGE_OWN_MAN: [3], -50..=50;
    /// Against the side ahead, each enemy piece but the king.
    EXCHANGE_ENEMY_MAN: [6], -50..=50;

    /// No enemy pawn ahead on the pawn's own or an adjacent file.
    PASSED_PAWN: [20], -200..=200;
    /// Each pawn with another own pawn on its file.
    DOUBLED_PAWN: [-10], -200..=200;
    /// No own pawn on an adjacent file.
    ISOLATED_PAWN: [-20], -200..=200;
    /// Not isolated, cannot be defended by a pawn, and the square ahead is attacked by an enemy
    /// pawn.
    BACKWARD_PAWN: [-8], -200..=200;
    /// Bishops on squares of both colours.
    BISHOP_PAIR: [10], -200..=200;
    /// A rook with an own passed pawn ahead on its file.
    ROOK_BEHIND_PASSED_PAWN: [20], -200..=200;
    /// Before the endgame, king on its first three ranks: each own pawn one rank ahead, on its file
    /// or a neighbour.
    SHIELD_NEAR: [9], -100..=100;
    /// Like `shield_near`, two ranks ahead.
    SHIELD_FAR: [4], -100..=100;

    /// Pawn by distance to the enemy king.
    PAWN_TROPISM: [0, 2, 1, 0, 0, 0, 0, 0], -100..=100;
    /// Knight by distance to the enemy king.
    KNIGHT_TROPISM: [0, 4, 4, 0, 0, 0, 0, 0], -100..=100;
    /// Bishop by distance to the enemy king.
    BISHOP_TROPISM: [0, 5, 4, 3, 2, 1, 0, 0], -100..=100;
    /// Rook by distance to the enemy king.
    ROOK_TROPISM: [0, 7, 5, 4, 3, 0, 0, 0], -100..=100;
    /// Queen by distance to the enemy king.
    QUEEN_TROPISM: [0, 10, 8, 5, 4, 0, 0, 0], -100..=100;
    /// Pawn by distance to the own king, in the endgame.
    PAWN_OWN_KING: [0, 8, 4, 2, 0, 0, 0, 0], -100..=100;

    /// Pawn by square.
    PAWN_SQUARES: PAWN_BY_SQUARE, -200..=200;
    /// Knight by square.
    KNIGHT_SQUARES: KNIGHT_BY_SQUARE, -200..=200;
    /// Bishop by square.
    BISHOP_SQUARES: BISHOP_BY_SQUARE, -200..=200;
    /// Rook by square.
    ROOK_SQUARES: ROOK_BY_SQUARE, -200..=200;
    /// Queen by square: the bishop's table in Winglet.
    QUEEN_SQUARES: BISHOP_BY_SQUARE, -200..=200;
    /// King by square before the endgame.
    KING_SQUARES: KING_BY_SQUARE, -200..=200;
    /// King by square in the endgame.
    KING_ENDGAME_SQUARES: KING_BY_SQUARE_IN_ENDGAMES, -200..=200;
}

#[rustfmt::skip]
pub const PAWN_BY_SQUARE: [i32; 64] = [
    0,   0,   0,   0,   0,   0,   0,   0,
    5,  10,  15,  20,  20,  15,  10,   5,
    4,   8,  12,  16,  16,  12,   8,   4,
    3,   6,   9,  12,  12,   9,   6,   3,
    2,   4,   6,   8,   8,   6,   4,   2,
    1,   2,   3, -10, -10,   3,   2,   1,
    0,   0,   0, -40, -40,   0,   0,   0,
    0,   0,   0,   0,   0,   0,   0,   0,
];

#[rustfmt::skip]
pub const KNIGHT_BY_SQUARE: [i32; 64] = [
    -10, -10, -10, -10, -10, -10, -10, -10,
    -10,   0,   0,   0,   0,   0,   0, -10,
    -10,   0,   5,   5,   5,   5,   0, -10,
    -10,   0,   5,  10,  10,   5,   0, -10,
    -10,   0,   5,  10,  10,   5,   0, -10,
    -10,   0,   5,   5,   5,   5,   0, -10,
    -10,   0,   0,   0,   0,   0,   0, -10,
    -10, -30, -10, -10, -10, -10, -30, -10,
];

/// The queen's, too, in Winglet.
#[rustfmt::skip]
pub const BISHOP_BY_SQUARE: [i32; 64] = [
    -10, -10, -10, -10, -10, -10, -10, -10,
    -10,   0,   0,   0,   0,   0,   0, -10,
    -10,   0,   5,   5,   5,   5,   0, -10,
    -10,   0,   5,  10,  10,   5,   0, -10,
    -10,   0,   5,  10,  10,   5,   0, -10,
    -10,   0,   5,   5,   5,   5,   0, -10,
    -10,   0,   0,   0,   0,   0,   0, -10,
    -10, -10, -20, -10, -10, -20, -10, -10,
];

#[rustfmt::skip]
pub const ROOK_BY_SQUARE: [i32; 64] = [
    0,   0,   0,   0,   0,   0,   0,   0,
    15,  15,  15,  15,  15,  15,  15,  15,
    0,   0,   0,   0,   0,   0,   0,   0,
    0,   0,   0,   0,   0,   0,   0,   0,
    0,   0,   0,   0,   0,   0,   0,   0,
    0,   0,   0,   0,   0,   0,   0,   0,
    0,   0,   0,   0,   0,   0,   0,   0,
    -10,   0,   0,  10,  10,   0,   0, -10,
];

#[rustfmt::skip]
pub const KING_BY_SQUARE: [i32; 64] = [
    -40, -40, -40, -40, -40, -40, -40, -40,
    -40, -40, -40, -40, -40, -40, -40, -40,
    -40, -40, -40, -40, -40, -40, -40, -40,
    -40, -40, -40, -40, -40, -40, -40, -40,
    -40, -40, -40, -40, -40, -40, -40, -40,
    -40, -40, -40, -40, -40, -40, -40, -40,
    -20, -20, -20, -20, -20, -20, -20, -20,
    0,  20,  40, -20,   0, -20,  40,  20,
];

#[rustfmt::skip]
pub const KING_BY_SQUARE_IN_ENDGAMES: [i32; 64] = [
    0,  10,  20,  30,  30,  20,  10,   0,
    10,  20,  30,  40,  40,  30,  20,  10,
    20,  30,  40,  50,  50,  40,  30,  20,
    30,  40,  50,  60,  60,  50,  40,  30,
    30,  40,  50,  60,  60,  50,  40,  30,
    20,  30,  40,  50,  50,  40,  30,  20,
    10,  20,  30,  40,  40,  30,  20,  10,
    0,  10,  20,  30,  30,  20,  10,   0,
];

/// A piece on each square, [`Packed`].
pub(super) type PieceBySquare = [Packed; 64];

/// Material, squares and tropism in one: each piece but the king on each square, by colour and
/// *enemy* king.
pub(super) type Tables = [[[PieceBySquare; 5]; 64]; 2];

/// Points for the game phase, pawn to queen. Fixed, since `endgame_below` and the exchange terms
/// count in them.
pub(super) const POINTS: [i32; 5] = [1, 3, 3, 5, 10];

/// The sum of a piece, or of all pieces of a side, in one number, so one loop sums everything
/// (without a population count, a dozen instructions in a portable build): from the low end 18 bits
/// of value, 8 of points, the rest a count.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packed(pub i32);

impl Packed {
    const POINTS: u32 = 18;
    const COUNT: u32 = 26;

    /// Fifteen pieces of at most 2300 centipawns and 10 points stay within their bits.
    fn piece(value: i32, points: i32) -> Self {
        Packed(value + (points << Self::POINTS) + (1 << Self::COUNT))
    }

    pub fn value(self) -> i32 {
        self.0 << (32 - Self::POINTS) >> (32 - Self::POINTS)
    }

    /// Points and count; a negative value has borrowed from them.
    fn rest(self) -> i32 {
        (self.0 - self.value()) >> Self::POINTS
    }

    pub fn points(self) -> i32 {
        self.rest() & 0xFF
    }

    pub fn count(self) -> i32 {
        self.rest() >> (Self::COUNT - Self::POINTS)
    }
}

/// The values depending only on a piece's square and the enemy king's.
pub(super) fn tables(weights: &[i32; COUNT]) -> Box<Tables> {
    let mut tables = Box::new([[[[Packed(0); 64]; 5]; 64]; 2]);
    for (color, sign) in [(Color::White, 1), (Color::Black, -1)] {
        for (king, square) in (0..64).flat_map(|king| (0..64).map(move |square| (king, square))) {
            for piece in 0..5 {
                let [material, by_square, tropism] =
                    places(piece, square, color, king).map(|at| weights[at]);
                let value = sign * (material + by_square + tropism);
                // Pawns give no points for the phase.
                let points = if piece == 0 { 0 } else { POINTS[piece] };
                tables[color.to_index()][king][piece][square] = Packed::piece(value, points);
            }
        }
    }
    tables
}

/// The weights in the value of a piece but the king, pawn to queen: its material, its square, and
/// its distance to the enemy king.
pub(super) fn places(piece: usize, square: usize, color: Color, enemy_king: usize) -> [usize; 3] {
    let by_square = PAWN_SQUARES + 64 * piece + as_printed(square, color);
    [
        PAWN + piece,
        by_square,
        PAWN_TROPISM + 8 * piece + distance(square, enemy_king),
    ]
}

/// The index of a square in a table printed rank 8 first, as `color` sees the board.
pub(super) fn as_printed(square: usize, color: Color) -> usize {
    match color {
        Color::White => square ^ 56,
        Color::Black => square,
    }
}

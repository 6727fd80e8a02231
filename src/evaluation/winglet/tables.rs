//! The tables of the evaluation, made once from the weights.

use chess::Color;

use super::Weights;
use crate::evaluation::attacks::distance;

/// A man on each square, [`Packed`].
pub(super) type Men = [Packed; 64];

/// By colour and *enemy* king: each man but the king on each square, material, squares and tropism together.
pub(super) type Tables = [[[Men; 5]; 64]; 2];

/// Points for the game phase, pawn to queen. Fixed, since `endgame_below` and the exchange terms count in
/// them.
pub(super) const POINTS: [i32; 5] = [1, 3, 3, 5, 10];

/// What a man, or all men of a side, add up to, in one number so that one loop sums everything (without a
/// population count, which a portable build does in a dozen instructions): from the low end 18 bits of value,
/// 8 of points, the rest a count.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packed(pub i32);

impl Packed {
    const POINTS: u32 = 18;
    const COUNT: u32 = 26;

    /// Fifteen men of at most 2300 centipawns and 10 points stay within their bits.
    fn man(value: i32, points: i32) -> Self {
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

/// What depends only on a man's square and the enemy king's.
pub(super) fn tables(weights: &Weights) -> Box<Tables> {
    let mut tables = Box::new([[[[Packed(0); 64]; 5]; 64]; 2]);
    let men = [
        (weights.pawn, &weights.pawn_squares, &weights.pawn_tropism),
        (weights.knight, &weights.knight_squares, &weights.knight_tropism),
        (weights.bishop, &weights.bishop_squares, &weights.bishop_tropism),
        (weights.rook, &weights.rook_squares, &weights.rook_tropism),
        (weights.queen, &weights.queen_squares, &weights.queen_tropism),
    ];
    for (color, sign) in [(Color::White, 1), (Color::Black, -1)] {
        for (king, square) in (0..64).flat_map(|king| (0..64).map(move |square| (king, square))) {
            let distance = distance(square, king);
            for (piece, (material, squares, tropism)) in men.into_iter().enumerate() {
                let value = sign * (material + squares[as_printed(square, color)] + tropism[distance]);
                // Pawns give no points for the phase.
                let points = if piece == 0 { 0 } else { POINTS[piece] };
                tables[color.to_index()][king][piece][square] = Packed::man(value, points);
            }
        }
    }
    tables
}

/// The index of a square in a table printed rank 8 first, as `color` sees the board.
pub(super) fn as_printed(square: usize, color: Color) -> usize {
    match color {
        Color::White => square ^ 56,
        Color::Black => square,
    }
}

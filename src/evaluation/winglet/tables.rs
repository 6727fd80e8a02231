//! The tables of the evaluation, made once from the weights: what depends only on a man's square and the
//! kings'.

use chess::{ALL_SQUARES, Color, Square};

use super::Weights;

/// A value for each square, from White's point of view (black men count negative).
pub(super) type Squares = [i16; 64];

/// A man on each square, [`Packed`].
pub(super) type Men = [Packed; 64];

/// What depends only on a man's square and the kings', computed once. Index by `Color as usize` and so on.
#[derive(Clone, Debug)]
pub(super) struct Tables {
    /// By colour and *enemy* king: each man but the king on each square, material, squares and tropism
    /// together.
    pub men: [[[Men; 5]; 64]; 2],
    /// By colour and *own* king: each pawn in the endgame.
    pub pawn_own_king: [[Squares; 64]; 2],
    /// By colour: the king before and in the endgame.
    pub king: [[Squares; 2]; 2],
    /// By colour and king square: the squares where a pawn shields it, near and far. Empty if the king left
    /// its ranks.
    pub shield: [[[u64; 2]; 64]; 2],
}

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

impl Tables {
    pub fn new(weights: &Weights) -> Box<Self> {
        let mut tables = Box::new(Tables {
            men: [[[[Packed(0); 64]; 5]; 64]; 2],
            pawn_own_king: [[[0; 64]; 64]; 2],
            king: [[[0; 64]; 2]; 2],
            shield: [[[0; 2]; 64]; 2],
        });
        let men = [
            (weights.pawn, &weights.pawn_squares, &weights.pawn_tropism),
            (weights.knight, &weights.knight_squares, &weights.knight_tropism),
            (weights.bishop, &weights.bishop_squares, &weights.bishop_tropism),
            (weights.rook, &weights.rook_squares, &weights.rook_tropism),
            (weights.queen, &weights.queen_squares, &weights.queen_tropism),
        ];
        for color in [Color::White, Color::Black] {
            let c = color.to_index();
            let sign = if color == Color::White { 1 } else { -1 };
            let signed = |value: i32| (sign * value) as i16;
            for square in ALL_SQUARES {
                let s = square.to_index();
                let shown = as_printed(square, color);
                tables.king[c][0][s] = signed(weights.king_squares[shown]);
                tables.king[c][1][s] = signed(weights.king_endgame_squares[shown]);
                tables.shield[c][s] = shield_squares(square, color);
                for king in ALL_SQUARES {
                    let (k, distance) = (king.to_index(), king_distance(square, king));
                    tables.pawn_own_king[c][k][s] = signed(weights.pawn_own_king[distance]);
                    for (piece, (material, squares, tropism)) in men.into_iter().enumerate() {
                        let value = sign * (material + squares[shown] + tropism[distance]);
                        // Pawns give no points for the phase.
                        let points = if piece == 0 { 0 } else { POINTS[piece] };
                        tables.men[c][k][piece][s] = Packed::man(value, points);
                    }
                }
            }
        }
        tables
    }
}

/// The index of a square in a table printed rank 8 first, as `color` sees the board.
pub(super) fn as_printed(square: Square, color: Color) -> usize {
    match color {
        Color::White => square.to_index() ^ 56,
        Color::Black => square.to_index(),
    }
}

/// Moves a king needs on an empty board.
pub(super) fn king_distance(a: Square, b: Square) -> usize {
    let files = a.get_file().to_index().abs_diff(b.get_file().to_index());
    let ranks = a.get_rank().to_index().abs_diff(b.get_rank().to_index());
    files.max(ranks)
}

/// Where own pawns shield a king, one and two ranks ahead of it on its file and its neighbours; at the edge
/// of the board on the three outer files.
fn shield_squares(king: Square, color: Color) -> [u64; 2] {
    let rank = match color {
        Color::White => king.get_rank().to_index(),
        Color::Black => 7 - king.get_rank().to_index(),
    };
    if rank > 2 {
        return [0; 2];
    }
    let middle = king.get_file().to_index().clamp(1, 6);
    [1, 2].map(|ahead| {
        let white = 0b111 << (middle - 1) << (8 * (rank + ahead));
        match color {
            Color::White => white,
            Color::Black => u64::swap_bytes(white),
        }
    })
}

//! What men are worth.

use crate::evaluation::genome::weights;
use crate::evaluation::winglet::Weights;

// The paper gives no values. These are Winglet's, and a king counts for its square only.
weights! {
    /// Material and squares, in centipawns; the squares rank 8 first, file a first.
    pub struct PowerWeights, 1 per centipawn;

    /// Material: a pawn.
    pawn: i32 = 100, 0..=2000;
    /// Material: a knight.
    knight: i32 = 300, 0..=2000;
    /// Material: a bishop.
    bishop: i32 = 300, 0..=2000;
    /// Material: a rook.
    rook: i32 = 500, 0..=2000;
    /// Material: a queen.
    queen: i32 = 900, 0..=2000;
    /// Material: a king, which counts where it attacks or defends.
    king: i32 = 0, 0..=2000;
    /// Pawn by square.
    pawn_squares: [i32; 64] = Weights::DEFAULT.pawn_squares, -200..=200;
    /// Knight by square.
    knight_squares: [i32; 64] = Weights::DEFAULT.knight_squares, -200..=200;
    /// Bishop by square.
    bishop_squares: [i32; 64] = Weights::DEFAULT.bishop_squares, -200..=200;
    /// Rook by square.
    rook_squares: [i32; 64] = Weights::DEFAULT.rook_squares, -200..=200;
    /// Queen by square.
    queen_squares: [i32; 64] = Weights::DEFAULT.queen_squares, -200..=200;
    /// King by square.
    king_squares: [i32; 64] = Weights::DEFAULT.king_squares, -200..=200;
}

impl PowerWeights {
    /// Material and squares of each kind, pawn to king.
    pub(super) fn kinds(&self) -> [(i32, &[i32; 64]); 6] {
        [
            (self.pawn, &self.pawn_squares),
            (self.knight, &self.knight_squares),
            (self.bishop, &self.bishop_squares),
            (self.rook, &self.rook_squares),
            (self.queen, &self.queen_squares),
            (self.king, &self.king_squares),
        ]
    }
}

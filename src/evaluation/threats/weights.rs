//! The twelve numbers of the rating.

use crate::evaluation::genome::weights;

// Marcarelli 2010; the numbers without a name there (neutral 100 %) are what the others are compared with.
weights! {
    /// What men are worth, in centipawns, and in percent what becomes of it.
    pub struct ThreatWeights, 1 per centipawn;

    /// A pawn.
    pawn: i32 = 100, 0..=2000;
    /// A knight.
    knight: i32 = 300, 0..=2000;
    /// A bishop.
    bishop: i32 = 300, 0..=2000;
    /// A rook.
    rook: i32 = 500, 0..=2000;
    /// A queen.
    queen: i32 = 900, 0..=2000;
    /// A king, for what it attacks and defends.
    king: i32 = 400, 0..=2000;
    /// Each row that a pawn has advanced from its home rank.
    row: i32 = 50, -200..=200;
    /// Percent of its worth that a man keeps when it is threatened, but for pawns.
    threatened: i32 = 20, 0..=300;
    /// Percent that a pawn keeps when it is threatened.
    threatened_pawn: i32 = 40, 0..=300;
    /// Percent when it is defended.
    defended: i32 = 130, 0..=300;
    /// Percent when it is neither.
    neutral: i32 = 100, 0..=300;
    /// Percent, besides, when it stands in the centre.
    centre: i32 = 120, 0..=300;
}

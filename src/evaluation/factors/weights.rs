//! The weights of table I.

use crate::evaluation::genome::weights;

// Values and bounds: Vázquez-Fernández & Coello 2013, table I; the values are those of the evolved player.
weights! {
    /// The 23 weights of table I, in hundredths of a centipawn.
    pub struct FactorWeights, 100 per centipawn;

    /// Material: a pawn, which never changes (table I prints its bounds as 0 and 0).
    pawn: i32 = 10_000, 10_000..=10_000;
    /// Material: a knight.
    knight: i32 = 29_729, 20_000..=40_000;
    /// Material: a bishop.
    bishop: i32 = 31_216, 20_000..=40_000;
    /// Material: a rook.
    rook: i32 = 49_357, 40_000..=60_000;
    /// Material: a queen.
    queen: i32 = 90_725, 80_000..=100_000;

    /// King, F1: own pieces that attack its zone (its square and those around it), by their material in
    /// pawns.
    king_defenders: i32 = 7883, -10_000..=10_000;
    /// King, F2: enemy pieces that attack its zone, by their material in pawns.
    king_attackers: i32 = -8482, -10_000..=10_000;
    /// King, F3: it has castled. It stands on its first rank, on file a, b, c, g or h, no own rook outside
    /// it.
    king_castled: i32 = 6123, -10_000..=10_000;
    /// King, F4: own pawns one or two ranks ahead of it, on its three files; the king on its first three
    /// ranks.
    king_shield: i32 = 8112, -10_000..=10_000;
    /// Queen, F1: squares that it attacks, but those of own men.
    queen_mobility: i32 = 914, -10_000..=10_000;
    /// Rook, F1: squares that it attacks, but those of own men.
    rook_mobility: i32 = 2244, -10_000..=10_000;
    /// Rook, F2: no pawn on its file.
    rook_open_file: i32 = 4922, -10_000..=10_000;
    /// Rook, F3: on the seventh rank.
    rook_seventh: i32 = 1623, -10_000..=10_000;
    /// Rook, F4: each of two or more on the seventh rank.
    rooks_seventh: i32 = 7222, -10_000..=10_000;
    /// Bishop, F1: squares that it attacks, but those of own men.
    bishop_mobility: i32 = 1203, -10_000..=10_000;
    /// Knight, F1: squares that it attacks, but those of own men.
    knight_mobility: i32 = 7425, -10_000..=10_000;
    /// Knight, F2: on the rim of the board.
    knight_rim: i32 = -5167, -10_000..=10_000;
    /// Knight, F3: defended by a pawn.
    knight_defended: i32 = 1934, -10_000..=10_000;
    /// Knight, F4: no enemy pawn can attack it, now or by going ahead.
    knight_safe: i32 = 8456, -10_000..=10_000;
    /// Pawn, F1: doubled, each.
    pawn_doubled: i32 = -13_392, -20_000..=20_000;
    /// Pawn, F2: isolated.
    pawn_isolated: i32 = -7856, -20_000..=20_000;
    /// Pawn, F3: on c4, c5, d4, d5, e4, e5, f4 or f5.
    pawn_central: i32 = 13_119, -20_000..=20_000;
    /// Pawn, F4: passed.
    pawn_passed: i32 = 4333, -20_000..=20_000;
}

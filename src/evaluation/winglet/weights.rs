//! The weights of Winglet's evaluation, and their published sets.

use crate::choice;
use crate::evaluation::genome::weights;

choice! {
    /// A published set of Winglet's weights.
    Profile {
        /// Winglet's weights with the material of Dehghani & Babamir 2017, table 2 (its pawn is misprinted as
        /// 500).
        Paper = "paper",
        /// Winglet's weights as published: knight and bishop are worth the same.
        Winglet = "winglet",
    }
}

impl Weights {
    /// The weights of a published profile.
    pub fn profile(profile: Profile) -> Self {
        match profile {
            Profile::Paper => Weights::DEFAULT,
            Profile::Winglet => Weights { bishop: 300, ..Weights::DEFAULT },
        }
    }
}

// Stef Luijten, "Writing a chess program in 99 steps" (Winglet); the squares rank 8 first, file a first.
weights! {
    /// Every weight of Winglet's evaluation, in centipawns where the field does not say otherwise.
    pub struct Weights, 1 per centipawn;

    /// Material: a pawn.
    pawn: i32 = 100, 0..=2000;
    /// Material: a knight.
    knight: i32 = 300, 0..=2000;
    /// Material: a bishop. Dehghani & Babamir 2017, table 2; Winglet itself has 300.
    bishop: i32 = 325, 0..=2000;
    /// Material: a rook.
    rook: i32 = 500, 0..=2000;
    /// Material: a queen.
    queen: i32 = 900, 0..=2000;

    /// It is an endgame when either side has fewer points than this, with minor pieces 3, rooks 5, queens 10.
    endgame_below: i32 = 15, 0..=64;
    /// For the side that is ahead in points (as above, pawns 1): exchanges are welcome.
    exchange_ahead: i32 = 45, -200..=200;
    /// For the side that is ahead, each own man but the king.
    exchange_own_man: i32 = 3, -50..=50;
    /// Against the side that is ahead, each enemy man but the king.
    exchange_enemy_man: i32 = 6, -50..=50;

    /// No enemy pawn ahead on the pawn's own or an adjacent file.
    passed_pawn: i32 = 20, -200..=200;
    /// Each pawn with another own pawn on its file.
    doubled_pawn: i32 = -10, -200..=200;
    /// No own pawn on an adjacent file.
    isolated_pawn: i32 = -20, -200..=200;
    /// Not isolated, cannot be defended by a pawn, and the square ahead is attacked by an enemy pawn.
    backward_pawn: i32 = -8, -200..=200;
    /// Bishops on squares of both colours.
    bishop_pair: i32 = 10, -200..=200;
    /// A rook with an own passed pawn ahead on its file.
    rook_behind_passed_pawn: i32 = 20, -200..=200;
    /// Before the endgame, king on its first three ranks: each own pawn one rank ahead, on its file or a
    /// neighbour.
    shield_near: i32 = 9, -100..=100;
    /// As `shield_near`, two ranks ahead.
    shield_far: i32 = 4, -100..=100;

    /// By distance to the enemy king: a pawn.
    pawn_tropism: [i32; 8] = [0, 2, 1, 0, 0, 0, 0, 0], -100..=100;
    /// By distance to the enemy king: a knight.
    knight_tropism: [i32; 8] = [0, 4, 4, 0, 0, 0, 0, 0], -100..=100;
    /// By distance to the enemy king: a bishop.
    bishop_tropism: [i32; 8] = [0, 5, 4, 3, 2, 1, 0, 0], -100..=100;
    /// By distance to the enemy king: a rook.
    rook_tropism: [i32; 8] = [0, 7, 5, 4, 3, 0, 0, 0], -100..=100;
    /// By distance to the enemy king: a queen.
    queen_tropism: [i32; 8] = [0, 10, 8, 5, 4, 0, 0, 0], -100..=100;
    /// In the endgame, by distance to the own king: a pawn.
    pawn_own_king: [i32; 8] = [0, 8, 4, 2, 0, 0, 0, 0], -100..=100;

    /// Pawn by square.
    pawn_squares: [i32; 64] = [
        0,   0,   0,   0,   0,   0,   0,   0,
        5,  10,  15,  20,  20,  15,  10,   5,
        4,   8,  12,  16,  16,  12,   8,   4,
        3,   6,   9,  12,  12,   9,   6,   3,
        2,   4,   6,   8,   8,   6,   4,   2,
        1,   2,   3, -10, -10,   3,   2,   1,
        0,   0,   0, -40, -40,   0,   0,   0,
        0,   0,   0,   0,   0,   0,   0,   0,
    ], -200..=200;
    /// Knight by square.
    knight_squares: [i32; 64] = [
        -10, -10, -10, -10, -10, -10, -10, -10,
        -10,   0,   0,   0,   0,   0,   0, -10,
        -10,   0,   5,   5,   5,   5,   0, -10,
        -10,   0,   5,  10,  10,   5,   0, -10,
        -10,   0,   5,  10,  10,   5,   0, -10,
        -10,   0,   5,   5,   5,   5,   0, -10,
        -10,   0,   0,   0,   0,   0,   0, -10,
        -10, -30, -10, -10, -10, -10, -30, -10,
    ], -200..=200;
    /// Bishop by square.
    bishop_squares: [i32; 64] = BISHOP_SQUARES, -200..=200;
    /// Rook by square.
    rook_squares: [i32; 64] = [
        0,   0,   0,   0,   0,   0,   0,   0,
        15,  15,  15,  15,  15,  15,  15,  15,
        0,   0,   0,   0,   0,   0,   0,   0,
        0,   0,   0,   0,   0,   0,   0,   0,
        0,   0,   0,   0,   0,   0,   0,   0,
        0,   0,   0,   0,   0,   0,   0,   0,
        0,   0,   0,   0,   0,   0,   0,   0,
        -10,   0,   0,  10,  10,   0,   0, -10,
    ], -200..=200;
    /// Queen by square: the bishop's table in Winglet.
    queen_squares: [i32; 64] = BISHOP_SQUARES, -200..=200;
    /// King by square before the endgame.
    king_squares: [i32; 64] = [
        -40, -40, -40, -40, -40, -40, -40, -40,
        -40, -40, -40, -40, -40, -40, -40, -40,
        -40, -40, -40, -40, -40, -40, -40, -40,
        -40, -40, -40, -40, -40, -40, -40, -40,
        -40, -40, -40, -40, -40, -40, -40, -40,
        -40, -40, -40, -40, -40, -40, -40, -40,
        -20, -20, -20, -20, -20, -20, -20, -20,
        0,  20,  40, -20,   0, -20,  40,  20,
    ], -200..=200;
    /// King by square in the endgame.
    king_endgame_squares: [i32; 64] = [
        0,  10,  20,  30,  30,  20,  10,   0,
        10,  20,  30,  40,  40,  30,  20,  10,
        20,  30,  40,  50,  50,  40,  30,  20,
        30,  40,  50,  60,  60,  50,  40,  30,
        30,  40,  50,  60,  60,  50,  40,  30,
        20,  30,  40,  50,  50,  40,  30,  20,
        10,  20,  30,  40,  40,  30,  20,  10,
        0,  10,  20,  30,  30,  20,  10,   0,
    ], -200..=200;
}

const BISHOP_SQUARES: [i32; 64] = [
    -10, -10, -10, -10, -10, -10, -10, -10, //
    -10, 0, 0, 0, 0, 0, 0, -10, //
    -10, 0, 5, 5, 5, 5, 0, -10, //
    -10, 0, 5, 10, 10, 5, 0, -10, //
    -10, 0, 5, 10, 10, 5, 0, -10, //
    -10, 0, 5, 5, 5, 5, 0, -10, //
    -10, 0, 0, 0, 0, 0, 0, -10, //
    -10, -10, -20, -10, -10, -20, -10, -10,
];

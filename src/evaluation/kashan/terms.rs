//! The terms of the evaluation, each declared once: meaning, and what it is worth before and in the endgame.
//!
//! The numbers here are a first guess, from which tuning begins and to which it is pulled; what the engine
//! plays with is in `weights.toml`.

/// A term, or a row of them.
#[derive(Debug)]
pub struct Field {
    /// In capital letters.
    pub name: &'static str,
    pub about: &'static str,
    /// Centipawns with all men on the board, and with none but kings and pawns.
    pub guess: [&'static [i32]; 2],
}

/// Declares terms: a constant for each, which is the first of its indices, and the table of fields.
macro_rules! terms {
    ($($(#[doc = $about:literal])+ $name:ident = $middle:expr, $end:expr;)+) => {
        // The names are those of the constants, so that each term is written once.
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Order { $($name),+ }

        pub const FIELDS: &[Field] = &[$(Field {
            name: stringify!($name),
            about: concat!($($about),+).trim_ascii(),
            guess: [&$middle, &$end],
        }),+];

        $($(#[doc = $about])+ pub const $name: usize = first(Order::$name as usize);)+
    };
}

/// The first index of a field.
const fn first(field: usize) -> usize {
    let (mut index, mut before) = (0, 0);
    while before < field {
        let [middle, end] = FIELDS[before].guess;
        assert!(middle.len() == end.len());
        index += middle.len();
        before += 1;
    }
    index
}

/// How many terms there are; each has two weights.
pub const TERMS: usize = first(FIELDS.len());

terms! {
    /// Material: a pawn.
    PAWN = [82], [105];
    /// Material: a knight.
    KNIGHT = [320], [300];
    /// Material: a bishop.
    BISHOP = [335], [320];
    /// Material: a rook.
    ROOK = [470], [530];
    /// Material: a queen.
    QUEEN = [980], [980];
    /// Pawn by square, the first rank first, from the edge to the middle.
    PAWN_SQUARES = [
        0, 0, 0, 0,
        -4, 2, -4, -12,
        -6, -2, 0, 0,
        -6, -2, 8, 16,
        -2, 4, 10, 18,
        6, 14, 24, 28,
        20, 30, 40, 40,
        0, 0, 0, 0,
    ], [
        0, 0, 0, 0,
        4, 4, 4, 4,
        0, 0, -2, -2,
        2, 2, -4, -4,
        8, 6, 0, 0,
        16, 16, 10, 10,
        30, 30, 20, 20,
        0, 0, 0, 0,
    ];
    /// Knight by square, as for pawns.
    KNIGHT_SQUARES = [
        -50, -24, -22, -18,
        -24, -20, -8, -4,
        -18, -4, 4, 8,
        -10, 2, 10, 14,
        -4, 4, 16, 22,
        -8, 6, 20, 26,
        -30, -14, 8, 12,
        -80, -40, -25, -15,
    ], [
        -40, -26, -18, -12,
        -24, -14, -8, -2,
        -16, -6, 0, 8,
        -10, 0, 10, 16,
        -8, 2, 12, 18,
        -14, -4, 6, 12,
        -24, -14, -8, 0,
        -45, -28, -18, -12,
    ];
    /// Bishop by square, as for pawns.
    BISHOP_SQUARES = [
        -14, -6, -14, -12,
        2, 10, 4, 0,
        -2, 8, 8, 4,
        -2, 2, 6, 14,
        -8, 2, 8, 16,
        -4, 6, 8, 8,
        -20, -8, -6, -8,
        -24, -14, -16, -16,
    ], [
        -12, -8, -8, -4,
        -8, -6, -4, 0,
        -4, 0, 4, 6,
        -4, 2, 6, 8,
        -4, 4, 6, 8,
        -4, 2, 4, 4,
        -8, -4, 0, 0,
        -12, -8, -6, -4,
    ];
    /// Rook by square, as for pawns.
    ROOK_SQUARES = [
        -12, -8, 0, 6,
        -22, -10, -8, -4,
        -20, -10, -8, -6,
        -16, -10, -8, -4,
        -10, -4, 2, 6,
        -4, 6, 8, 10,
        4, 6, 14, 16,
        8, 8, 8, 10,
    ], [
        -6, -4, -4, -6,
        -6, -6, -4, -4,
        -4, -2, -4, -4,
        2, 2, 0, 0,
        6, 6, 4, 2,
        8, 6, 6, 4,
        10, 10, 6, 6,
        10, 8, 8, 8,
    ];
    /// Queen by square, as for pawns.
    QUEEN_SQUARES = [
        -6, -8, -4, 2,
        -8, -2, 4, 4,
        -6, 0, 0, -2,
        -6, -6, -6, -8,
        -6, -8, -8, -10,
        -2, -4, -4, -4,
        -4, -14, -6, -8,
        -4, 0, 4, 6,
    ], [
        -28, -24, -22, -16,
        -24, -20, -18, -8,
        -18, -6, 0, 2,
        -6, 4, 10, 18,
        0, 12, 16, 26,
        -2, 8, 18, 24,
        -4, 10, 14, 22,
        0, 4, 8, 12,
    ];
    /// King by square, as for pawns.
    KING_SQUARES = [
        16, 26, 0, -16,
        16, 10, -14, -24,
        -20, -22, -32, -38,
        -36, -30, -40, -46,
        -34, -30, -40, -46,
        -24, -16, -24, -32,
        -14, -6, -10, -16,
        -20, -10, -14, -20,
    ], [
        -48, -30, -22, -26,
        -26, -12, -4, 0,
        -16, -4, 6, 12,
        -14, 2, 14, 22,
        -4, 14, 24, 30,
        0, 20, 28, 30,
        -12, 12, 18, 20,
        -50, -24, -12, -10,
    ];
    /// The side to move.
    TEMPO = [18], [14];
    /// Bishops on squares of both colours.
    BISHOP_PAIR = [24], [48];
    /// Each own pawn above five, for each knight.
    KNIGHT_WITH_PAWNS = [3], [4];
    /// Each own pawn above five, for each rook.
    ROOK_WITH_PAWNS = [-3], [-2];
    /// Each own pawn on squares of a bishop's colour.
    BISHOP_AND_OWN_PAWNS = [-3], [-5];

    /// Knight, by the squares that it attacks where no enemy pawn attacks, and no own king or low pawn
    /// stands.
    KNIGHT_MOBILITY = [-40, -28, -12, -5, 2, 7, 12, 17, 21], [-50, -36, -18, -6, 2, 9, 13, 15, 15];
    /// Bishop, as for the knight; it sees through queens.
    BISHOP_MOBILITY = [-34, -20, -8, 0, 6, 11, 15, 18, 20, 22, 24, 28, 32, 36],
        [-50, -34, -18, -7, 2, 9, 15, 19, 23, 25, 27, 27, 29, 29];
    /// Rook, as for the knight; it sees through queens and own rooks.
    ROOK_MOBILITY = [-36, -22, -14, -10, -6, -3, 0, 3, 6, 9, 11, 13, 15, 17, 20],
        [-56, -34, -18, -6, 2, 9, 15, 20, 24, 28, 32, 35, 37, 38, 38];
    /// Queen, as for the knight.
    QUEEN_MOBILITY = [-20, -18, -14, -11, -9, -7, -4, -2, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 11, 11, 12, 13, 14, 15, 16, 16],
        [-50, -46, -40, -34, -28, -22, -16, -10, -5, 0, 4, 8, 12, 15, 18, 20, 22, 24, 26, 28, 30, 32, 34, 35, 36, 37, 38, 38];

    /// A knight on ranks 4 to 6 that a pawn defends and no enemy pawn can ever attack.
    KNIGHT_OUTPOST = [22], [16];
    /// A bishop, likewise.
    BISHOP_OUTPOST = [20], [8];
    /// A knight or bishop with a pawn of either side in front.
    MINOR_BEHIND_PAWN = [8], [3];
    /// A rook on a file without pawns.
    ROOK_OPEN_FILE = [32], [10];
    /// A rook on a file without own pawns.
    ROOK_HALF_OPEN_FILE = [14], [8];
    /// A rook on the seventh rank with enemy pawns there or the enemy king behind it.
    ROOK_ON_SEVENTH = [4], [18];
    /// A rook in the corner that its own king keeps there.
    ROOK_SHUT_IN = [-36], [-12];
    /// A man but a pawn that is pinned against its king.
    PINNED_PIECE = [-14], [-12];
    /// A pawn that is pinned against its king.
    PINNED_PAWN = [-8], [-6];

    /// Attack on the enemy king, by points: attackers of its zone (knight and bishop 2, rook 3, queen 4),
    /// squares beside it that only it defends (1), safe checks (knight and bishop 2, rook and queen 3), 4
    /// less without a queen.
    KING_ATTACK = [
        0, 0, 1, 3, 5, 8, 11, 15, 20, 26, 33, 41, 50, 60, 71, 83, 96, 110, 125, 141, 158, 176, 195, 215, 235, 255, 275,
        295, 315, 335, 355, 375
    ], [
        0, 0, 0, 1, 1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 17, 20, 23, 26, 29, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76,
        80
    ];
    /// The own pawn nearest to the king's first rank on a file at or beside it, in front of the king or
    /// beside it: by rank from the second, first if there is none; four files from the edge to the middle.
    KING_SHELTER = [
        -16, 16, 14, 2, 0, 0, 0,
        -28, 20, 14, -6, -10, -6, -4,
        -18, 16, 4, -2, -4, -6, -4,
        -12, 8, 4, -4, -6, -6, -4,
    ], [0; 28];
    /// The enemy pawn that comes first in front of the king, on files as above, not stopped by a pawn: by its
    /// rank from the king's side.
    PAWN_STORM = [
        0, -4, -30, -20, -8, 0, 2,
        0, -4, -36, -18, -6, 0, 2,
        0, -4, -30, -22, -8, 0, 2,
        0, -4, -28, -20, -8, 0, 2,
    ], [0; 28];
    /// The same, stopped by a pawn of the king's.
    STOPPED_STORM = [0, 0, -26, -4, -2, 0, 0], [0, 0, -8, -4, 0, 0, 0];
    /// The right to castle on the king's side.
    MAY_CASTLE_SHORT = [26], [0];
    /// The right to castle on the queen's side.
    MAY_CASTLE_LONG = [14], [0];
    /// Each move that the king is away from the nearest pawn of either side.
    KING_TO_PAWNS = [0], [-6];

    /// A pawn that a pawn defends attacks a knight, bishop, rook, queen; it may also be one that nothing
    /// attacks.
    THREAT_BY_PAWN = [52, 50, 72, 64], [40, 44, 36, 40];
    /// A knight or bishop attacks an undefended pawn, and a knight, bishop, rook, queen.
    THREAT_BY_MINOR = [2, 22, 28, 44, 40], [14, 24, 26, 34, 44];
    /// A rook attacks the same, knights and bishops only where they are weak.
    THREAT_BY_ROOK = [0, 20, 22, 4, 42], [14, 22, 24, 8, 40];
    /// The king attacks an undefended man.
    THREAT_BY_KING = [10], [32];
    /// An enemy man but a pawn that is attacked and not defended.
    HANGING_PIECE = [28], [18];
    /// An enemy pawn that is attacked and not defended.
    HANGING_PAWN = [6], [14];
    /// An enemy man but a pawn that two or more men attack and one defends, no pawn.
    OUTNUMBERED = [12], [10];
    /// A pawn can step, safely, to where it attacks a man.
    THREAT_BY_PUSH = [18], [14];
    /// Safe squares behind and beside own pawns on the files c to f, ranks 2 to 4.
    SPACE = [3], [0];

    /// Each pawn with another own pawn in front.
    DOUBLED_PAWN = [-6], [-22];
    /// No own pawn on an adjacent file.
    ISOLATED_PAWN = [-8], [-12];
    /// The same with no enemy pawn in front.
    OPEN_ISOLATED_PAWN = [-10], [-10];
    /// No own pawn can ever defend it, and it cannot step ahead safely.
    BACKWARD_PAWN = [-6], [-10];
    /// The same with no enemy pawn in front.
    OPEN_BACKWARD_PAWN = [-12], [-10];
    /// A pawn with an own pawn beside it, by rank.
    PHALANX = [0, 4, 8, 14, 28, 50, 70, 0], [0, 0, 4, 10, 30, 70, 90, 0];
    /// A pawn that a pawn defends, by rank.
    DEFENDED_PAWN = [0, 0, 12, 10, 16, 36, 60, 0], [0, 0, 8, 8, 16, 40, 60, 0];
    /// Not passed yet, but as many own pawns can help as enemy pawns can stop it, by rank.
    CANDIDATE = [0, 0, 2, 6, 14, 30, 0, 0], [0, 4, 6, 14, 28, 50, 0, 0];
    /// A passed pawn, by rank.
    PASSED_PAWN = [0, 0, 0, 4, 22, 50, 90, 0], [0, 8, 12, 28, 56, 100, 160, 0];
    /// Something stands in front of a passed pawn, by rank.
    PASSED_BLOCKED = [0, 0, -2, -4, -8, -16, -24, 0], [0, -2, -6, -12, -24, -50, -80, 0];
    /// No enemy attacks the squares up to promotion, by rank, and nobody stands there.
    PASSED_FREE = [0, 0, 0, 2, 8, 16, 30, 0], [0, 2, 6, 14, 32, 64, 100, 0];
    /// No enemy attacks the square in front, and nobody stands there, by rank.
    PASSED_MAY_STEP = [0, 0, 0, 0, 4, 8, 14, 0], [0, 0, 2, 6, 14, 26, 40, 0];
    /// The square in front is defended, by rank.
    PASSED_SUPPORTED = [0, 0, 0, 2, 6, 12, 16, 0], [0, 0, 2, 4, 12, 22, 30, 0];
    /// An own rook or queen behind a passed pawn.
    ROOK_BEHIND_PASSED = [4], [14];
    /// An enemy rook or queen behind it.
    ENEMY_BEHIND_PASSED = [-4], [-16];
    /// From the fourth rank on, by moves of the own king to the square in front; once on the fourth, four
    /// times on the seventh.
    PASSED_OWN_KING = [0, 2, 1, 0, 0, 0, -1, -1], [13, 17, 10, 2, -3, -6, -8, -9];
    /// The same for the enemy king.
    PASSED_ENEMY_KING = [0, -3, -2, 0, 0, 0, 2, 2], [-25, -20, -9, 4, 11, 17, 20, 21];
    /// The enemy has king and pawns only, and his king does not catch it.
    UNSTOPPABLE = [0], [280];
}

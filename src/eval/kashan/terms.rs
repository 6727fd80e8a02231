//! The terms of the evaluation, each declared once: its meaning, and its number of weights.
//! `weights.toml` gives their values before the endgame and in the endgame.
//!
//! Some weights have the other sign than their names let expect. The two weights of a term were
//! fitted together, and terms of late positions ([`PASSED_FREE`], [`UNSTOPPABLE`]) hardly meet a
//! full board: there the first weight says little but how much less the term counts with every
//! piece more. A weight is its term's addition to all others: [`PASSED_FREE`] and
//! [`PASSED_MAY_STEP`] stand beside [`PASSED_PAWN`], and [`SPACE`] beside the mobilities, counts of
//! the same squares.

use crate::eval::genome::weights;

weights! {
    /// Material: a pawn.
    PAWN: 1;
    /// Material: a knight.
    KNIGHT: 1;
    /// Material: a bishop.
    BISHOP: 1;
    /// Material: a rook.
    ROOK: 1;
    /// Material: a queen.
    QUEEN: 1;
    /// Pawn by square, from its side's first rank on; left and right change places if its own king
    /// stands on the files a to d.
    PAWN_SQUARES: 64;
    /// Knight by square, as for pawns.
    KNIGHT_SQUARES: 64;
    /// Bishop by square, as for pawns.
    BISHOP_SQUARES: 64;
    /// Rook by square, as for pawns.
    ROOK_SQUARES: 64;
    /// Queen by square, as for pawns.
    QUEEN_SQUARES: 64;
    /// King by square, from its side's first rank on, each rank from the edge to the middle.
    KING_SQUARES: 32;
    /// Pawn by square once more; left and right change places if the enemy king stands on the files
    /// a to d.
    PAWN_BY_ENEMY_KING: 64;
    /// Knight by the enemy king's side, as for pawns.
    KNIGHT_BY_ENEMY_KING: 64;
    /// Bishop by the enemy king's side, as for pawns.
    BISHOP_BY_ENEMY_KING: 64;
    /// Rook by the enemy king's side, as for pawns.
    ROOK_BY_ENEMY_KING: 64;
    /// Queen by the enemy king's side, as for pawns.
    QUEEN_BY_ENEMY_KING: 64;
    /// King by the enemy king's side, as for pawns.
    KING_BY_ENEMY_KING: 64;
    /// The side to move.
    TEMPO: 1;
    /// Bishops on squares of both colours, by the number of own pawns.
    BISHOP_PAIR: 9;
    /// The number of own pawns.
    PAWN_COUNT: 9;
    /// Two knights or more.
    KNIGHT_PAIR: 1;
    /// Two rooks or more.
    ROOK_PAIR: 1;
    /// Each rook, for each own knight or bishop.
    ROOK_WITH_MINORS: 1;
    /// Each rook, for each enemy knight or bishop.
    ROOK_AGAINST_MINORS: 1;
    /// A side with a queen, for each of its knights.
    QUEEN_WITH_KNIGHTS: 1;
    /// A side with a queen, for each of its rooks.
    QUEEN_WITH_ROOKS: 1;
    /// A side with a queen, for each enemy rook.
    QUEEN_AGAINST_ROOKS: 1;
    /// A side with a queen, for each enemy knight or bishop.
    QUEEN_AGAINST_MINORS: 1;
    /// Each own pawn above five, for each knight.
    KNIGHT_WITH_PAWNS: 1;
    /// Each own pawn above five, for each rook.
    ROOK_WITH_PAWNS: 1;
    /// Each own pawn on squares of a bishop's colour.
    BISHOP_AND_OWN_PAWNS: 1;

    /// Knight, by its attacked squares but those attacked by enemy pawns or taken by the own king
    /// or low pawns.
    KNIGHT_MOBILITY: 9;
    /// Bishop, as for the knight, but looking through queens.
    BISHOP_MOBILITY: 14;
    /// Rook, as for the knight, but looking through queens and own rooks.
    ROOK_MOBILITY: 15;
    /// Queen, as for the knight.
    QUEEN_MOBILITY: 28;

    /// A knight on ranks 4 to 6, defended by a pawn and forever safe from enemy pawns.
    KNIGHT_OUTPOST: 1;
    /// A bishop, likewise.
    BISHOP_OUTPOST: 1;
    /// A knight or bishop, by its distance from its own king in moves of a king.
    MINOR_FROM_KING: 8;
    /// A knight or bishop with a pawn of either side in front.
    MINOR_BEHIND_PAWN: 1;
    /// A rook on a file without pawns.
    ROOK_OPEN_FILE: 1;
    /// A rook on a file without own pawns.
    ROOK_HALF_OPEN_FILE: 1;
    /// A rook on the seventh rank with enemy pawns there or the enemy king behind. The values of
    /// the squares there hold its worth in middlegames; this weight takes some back.
    ROOK_ON_SEVENTH: 1;
    /// A rook kept in the corner by its own king.
    ROOK_SHUT_IN: 1;
    /// A piece but a pawn, pinned against its king. The lost moves and attacks elsewhere count
    /// already; this weight gives some back.
    PINNED_PIECE: 1;
    /// A pawn pinned against its king.
    PINNED_PAWN: 1;

    /// Attack on the enemy king, by points: attackers of its zone (knight and bishop 2, rook 3,
    /// queen 4), neighbouring squares defended by the king alone (1), safe checks (knight and
    /// bishop 2, rook and queen 3), 4 less without a queen.
    KING_ATTACK: 32;
    /// Defended squares of the enemy king's flank, three or four files of his five ranks.
    FLANK_DEFENDED: 1;
    /// No pawn stands on the files of the enemy king's flank.
    FLANK_WITHOUT_PAWNS: 1;
    /// The own pawn nearest to the king's first rank on a file at or beside the king, in front of
    /// the king or beside: by rank from the second, first if there is none; four files from the
    /// edge to the middle.
    KING_SHELTER: 28;
    /// The first enemy pawn in front of the king, on files as above, not stopped by a pawn: by its
    /// rank from the king's side.
    PAWN_STORM: 28;
    /// The same, stopped by a pawn of the king's.
    STOPPED_STORM: 7;
    /// The right to castle on the king's side.
    MAY_CASTLE_SHORT: 1;
    /// The right to castle on the queen's side.
    MAY_CASTLE_LONG: 1;
    /// Each move between the king and the nearest pawn of either side.
    KING_TO_PAWNS: 1;

    /// A defended pawn, or one not attacked, attacks a knight, bishop, rook, queen.
    THREAT_BY_PAWN: 4;
    /// A knight or bishop attacks an undefended pawn, and a knight, bishop, rook, queen.
    THREAT_BY_MINOR: 5;
    /// A rook attacks the same, knights and bishops only where they are weak.
    THREAT_BY_ROOK: 5;
    /// The king attacks an undefended piece.
    THREAT_BY_KING: 1;
    /// An enemy piece but a pawn, attacked and not defended.
    HANGING_PIECE: 1;
    /// An enemy pawn, attacked and not defended.
    HANGING_PAWN: 1;
    /// A pawn can step, safely, to attack a piece.
    THREAT_BY_PUSH: 1;
    /// Squares attacked by both sides and not held strongly by the enemy.
    CONTESTED: 1;
    /// Squares without own pawns or enemy attacks on the files c to f, ranks 2 to 4; those behind
    /// own pawns count twice. The index is the number of own pieces and pawns.
    SPACE: 16;

    /// Each pawn with another own pawn in front.
    DOUBLED_PAWN: 1;
    /// No own pawn on an adjacent file.
    ISOLATED_PAWN: 1;
    /// The same with no enemy pawn in front.
    OPEN_ISOLATED_PAWN: 1;
    /// No own pawn can ever defend the pawn, nor can the pawn step ahead safely.
    BACKWARD_PAWN: 1;
    /// The same with no enemy pawn in front.
    OPEN_BACKWARD_PAWN: 1;
    /// A pawn with an own pawn beside, by rank.
    PHALANX: 8;
    /// A pawn defended by a pawn, by rank.
    DEFENDED_PAWN: 8;
    /// A pawn defended by two pawns.
    DEFENDED_TWICE: 1;
    /// Not passed yet, but with at least as many own pawns to help as enemy pawns to stop, by rank.
    CANDIDATE: 8;
    /// A passed pawn, by rank.
    PASSED_PAWN: 8;
    /// Something stands in front of a passed pawn, by rank.
    PASSED_BLOCKED: 8;
    /// No enemy attacks or piece on the squares up to promotion, by rank.
    PASSED_FREE: 8;
    /// No enemy attack on the empty square in front, by rank; but the way beyond is not free.
    PASSED_MAY_STEP: 8;
    /// The square in front is defended, by rank.
    PASSED_SUPPORTED: 8;
    /// An own rook or queen behind a passed pawn.
    ROOK_BEHIND_PASSED: 1;
    /// An enemy rook or queen behind a passed pawn.
    ENEMY_BEHIND_PASSED: 1;
    /// The own king's moves to the square in front, from the fourth rank on; once on the fourth,
    /// four times on the seventh.
    PASSED_OWN_KING: 8;
    /// The same for the enemy king.
    PASSED_ENEMY_KING: 8;
    /// The enemy has king and pawns only, and his king does not catch the pawn.
    UNSTOPPABLE: 1;
}

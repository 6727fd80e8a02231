//! Pawn structure by whole bitboards: no loop over pawns.

use super::attacks::{down, sideways, up};

/// Sets of one side's pawns (and of squares behind them) that the evaluation asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PawnStructure {
    /// No enemy pawn ahead on their own or an adjacent file.
    pub passed: u64,
    /// With another own pawn on their file.
    pub doubled: u64,
    /// Without an own pawn on an adjacent file.
    pub isolated: u64,
    /// Not isolated, all neighbours ahead of them, and the square ahead attacked by an enemy pawn.
    pub backward: u64,
    /// All squares behind a passed pawn, on its file.
    pub behind_passed: u64,
}

/// The structures of White and Black.
#[inline]
pub(super) fn structures(white: u64, black: u64) -> [PawnStructure; 2] {
    [
        structure(white, black),
        // Black's view is White's view of the board upside down.
        structure(black.swap_bytes(), white.swap_bytes()).mirrored(),
    ]
}

impl PawnStructure {
    #[inline]
    fn mirrored(self) -> Self {
        PawnStructure {
            passed: self.passed.swap_bytes(),
            doubled: self.doubled.swap_bytes(),
            isolated: self.isolated.swap_bytes(),
            backward: self.backward.swap_bytes(),
            behind_passed: self.behind_passed.swap_bytes(),
        }
    }
}

/// The structure of `own` pawns that move up the board.
#[inline]
pub(super) fn structure(own: u64, enemy: u64) -> PawnStructure {
    let ahead = up(own << 8);
    let behind = down(own >> 8);
    let neighbour_files = sideways(own | ahead | behind);
    let stopped_by_enemy = down(enemy >> 8);
    let passed = own & !(stopped_by_enemy | sideways(stopped_by_enemy));
    let isolated = own & !neighbour_files;
    let beside_or_ahead_of_neighbour = up(sideways(own));
    let attacked_by_enemy = sideways(enemy >> 8);
    PawnStructure {
        passed,
        doubled: own & (ahead | behind),
        isolated,
        backward: own & !isolated & !beside_or_ahead_of_neighbour & (attacked_by_enemy >> 8),
        behind_passed: down(passed >> 8),
    }
}

//! Endgame tables in the Syzygy format: what every position with few men is worth, the fifty-move rule
//! counted in.
//!
//! A table of win, draw and loss (`KQvKR.rtbw`) knows the result of a position right after a capture or a
//! pawn's move. How far away the next such move is stands in a table of its own (`KQvKR.rtbz`); only both
//! together know the result of any position. No table knows positions with castling rights.

mod files;
mod root;

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use chess::{ALL_COLORS, Board, CastleRights};
use shakmaty::Chess;
use shakmaty_syzygy::SyzygyError;
pub use shakmaty_syzygy::{AmbiguousWdl, Wdl};

use self::files::TableFile;
pub use self::root::KeptMoves;
use crate::position::notation::board_to_shakmaty;

/// The tables of some folders.
pub struct Tablebase {
    tables: shakmaty_syzygy::Tablebase<Chess>,
    files: Vec<TableFile>,
    /// A table that turned out to be damaged was spoken of.
    has_warned: AtomicBool,
}

impl Tablebase {
    /// The most men, kings included, that any of the tables has.
    pub fn men(&self) -> u32 {
        self.tables.max_pieces() as u32
    }

    /// Whether there can be a table for this position.
    #[inline]
    fn covers(&self, board: &Board) -> bool {
        board.combined().popcnt() <= self.men()
            && ALL_COLORS.iter().all(|&color| board.castle_rights(color) == CastleRights::NoRights)
    }

    /// The result of a position right after a capture or a pawn's move, from its side to move; `None` if the
    /// tables do not know it.
    pub fn after_zeroing(&self, board: &Board) -> Option<Wdl> {
        if !self.covers(board) {
            return None;
        }
        self.known(self.tables.probe_wdl_after_zeroing(&board_to_shakmaty(board, 0, 1)))
    }

    /// The result of any position, from its side to move, with as much of the fifty moves gone as it says;
    /// `None` if the tables do not know it.
    ///
    /// Without the table of distances only a draw is certain, and any result right after a capture or a
    /// pawn's move. Where the table of distances counts in whole moves, a result can be uncertain by half a
    /// move; [`AmbiguousWdl`] says so.
    pub fn result(&self, position: &Chess) -> Option<AmbiguousWdl> {
        use shakmaty::Position as _;
        if position.board().occupied().count() > self.tables.max_pieces() {
            return None;
        }
        let error = match self.tables.probe_wdl(position) {
            Ok(result) => return Some(result),
            Err(error) => error,
        };
        let known = match error {
            SyzygyError::MissingTable { .. } => self.tables.probe_wdl_after_zeroing(position),
            error => Err(error),
        };
        self.known(known).and_then(|wdl| match wdl {
            Wdl::Win | Wdl::Loss if position.halfmoves() > 0 => None,
            certain => Some(certain.into()),
        })
    }

    /// What a table said. One that is damaged is spoken of once, and then counts as missing.
    fn known<T>(&self, answer: Result<T, SyzygyError>) -> Option<T> {
        if let Err(error @ SyzygyError::ProbeFailed { .. }) = &answer
            && !self.has_warned.swap(true, Relaxed)
        {
            log::warn!("{}", self.blame(error));
        }
        answer.ok()
    }
}

/// `145 WDL and 145 DTZ tables of up to 5 men`
impl fmt::Display for Tablebase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let distances = self.files.iter().filter(|file| file.has_distances).count();
        let results = self.files.len() - distances;
        write!(f, "{results} WDL and {distances} DTZ tables of up to {} men", self.men())
    }
}

impl fmt::Debug for Tablebase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tablebase({self})")
    }
}

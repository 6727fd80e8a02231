//! Endgame tables in the Syzygy format: the result of every position with few pieces, the
//! fifty-move rule counted in.
//!
//! A table of win, draw and loss (`KQvKR.rtbw`) knows the result of a position right after a
//! capture or a pawn's move. How far away the next such move is stands in a table of its own
//! (`KQvKR.rtbz`); only both together know the result of any position. No table knows positions
//! with castling rights.

mod files;

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use chess::{ALL_COLORS, Board, CastleRights, ChessMove};
use shakmaty::{Chess, Position as _};
pub use shakmaty_syzygy::{AmbiguousWdl, Wdl};
use shakmaty_syzygy::{Dtz, SyzygyError};

use self::files::TableFile;
use crate::rules::position::notation::board_to_shakmaty;
use crate::rules::position::{MoveList, Outcome, Position};

/// The tables of some folders.
#[derive(Debug)]
pub struct Tablebase {
    tables: shakmaty_syzygy::Tablebase<Chess>,
    files: Vec<TableFile>,
    /// True once a damaged table was reported.
    has_warned: AtomicBool,
}

impl Tablebase {
    /// The most pieces, kings included, of any table.
    pub fn max_pieces(&self) -> u32 {
        self.tables.max_pieces() as u32
    }

    /// Returns true if there can be a table for this position.
    #[inline]
    fn covers(&self, board: &Board) -> bool {
        board.combined().popcnt() <= self.max_pieces()
            && ALL_COLORS
                .iter()
                .all(|&color| board.castle_rights(color) == CastleRights::NoRights)
    }

    /// The result of a position right after a capture or a pawn's move, from its side to move;
    /// `None` if it is not in the tables.
    pub fn after_zeroing(&self, board: &Board) -> Option<Wdl> {
        if !self.covers(board) {
            return None;
        }
        let position = board_to_shakmaty(board, 0, 1);
        self.known(self.tables.probe_wdl_after_zeroing(&position))
    }

    /// The result of any position, from its side to move, with its count of the fifty moves; `None`
    /// if it is not in the tables.
    ///
    /// Without the table of distances only a draw is certain, and any result right after a capture
    /// or a pawn's move. Where the table of distances counts in whole moves, a result can be
    /// uncertain by half a move; [`AmbiguousWdl`] says so.
    pub fn result(&self, position: &Chess) -> Option<AmbiguousWdl> {
        if position.board().occupied().count() > self.tables.max_pieces() {
            return None;
        }
        let known = match self.tables.probe_wdl(position) {
            Ok(result) => return Some(result),
            Err(SyzygyError::MissingTable { .. }) => self.tables.probe_wdl_after_zeroing(position),
            Err(error) => Err(error),
        };
        match self.known(known)? {
            Wdl::Win | Wdl::Loss if position.halfmoves() > 0 => None,
            certain => Some(certain.into()),
        }
    }

    /// The answer of a table. The first damaged one is reported; all of them count as missing.
    fn known<T>(&self, answer: Result<T, SyzygyError>) -> Option<T> {
        if let Err(error @ SyzygyError::ProbeFailed { .. }) = &answer
            && !self.has_warned.swap(true, Relaxed)
        {
            log::warn!("{}", self.blame(error));
        }
        answer.ok()
    }
}

/// The tables' results for a position and its moves.
#[derive(Clone, Debug)]
pub struct KeptMoves {
    /// The moves that keep the result. With tables of distances and a win, only those nearest to
    /// the next capture, pawn's move or mate that secures the win, so the game makes progress.
    pub moves: MoveList,
    /// The result, from the side to move, with the fifty-move rule and repetitions.
    pub result: Wdl,
    /// The number of positions looked up.
    pub probes: u64,
}

/// A move and the result behind the move.
struct After {
    mv: ChessMove,
    /// The result from the opponent's point of view.
    result: AmbiguousWdl,
    /// Half-moves from there to the next capture or pawn's move; 0 if the move itself is one, or
    /// mates.
    distance: u32,
}

impl Tablebase {
    /// The ones of the legal `moves` that keep their best result; `None` if the position is not in
    /// the tables.
    pub fn kept_moves(&self, root: &Position, moves: &[ChessMove]) -> Option<KeptMoves> {
        if moves.is_empty() || !self.covers(root.board()) {
            return None;
        }
        let after: Vec<After> = match self.look_at(root, moves, Self::by_distance) {
            Ok(after) => after,
            // Without the tables of distances the tables of results have to do.
            Err(_) => {
                let after = self.look_at(root, moves, Self::by_result);
                self.known(after)?
            }
        };
        let best = after.iter().map(|after| after.result).min()?;
        let is_win = best <= AmbiguousWdl::MaybeLoss;
        let kept = after.iter().filter(|after| after.result == best);
        let nearest = kept.clone().map(|after| after.distance).min()?;
        let kept = kept.filter(|after| !is_win || after.distance == nearest);
        Some(KeptMoves {
            moves: kept.map(|after| after.mv).collect(),
            result: -certain(best),
            probes: after.len() as u64,
        })
    }

    fn look_at(
        &self,
        root: &Position,
        moves: &[ChessMove],
        probe: impl Fn(&Self, &Chess) -> Result<(AmbiguousWdl, u32), SyzygyError>,
    ) -> Result<Vec<After>, SyzygyError> {
        let mut all = Vec::new();
        for &mv in moves {
            let mut position = root.clone();
            position.play(mv).expect("the moves are legal");
            let (result, distance) = match position.outcome() {
                Some(Outcome::Checkmate { .. }) => (AmbiguousWdl::Loss, 0),
                Some(_) => (AmbiguousWdl::Draw, 0),
                None => probe(self, &position.to_shakmaty())?,
            };
            all.push(After {
                mv,
                result,
                distance,
            });
        }
        Ok(all)
    }

    fn by_distance(&self, position: &Chess) -> Result<(AmbiguousWdl, u32), SyzygyError> {
        let distance = self.tables.probe_dtz(position)?;
        let result = AmbiguousWdl::from_dtz_and_halfmoves(distance, position.halfmoves());
        let Dtz(plies) = distance.ignore_rounding();
        let is_settled = position.halfmoves() == 0;
        Ok((result, if is_settled { 0 } else { plies.unsigned_abs() }))
    }

    fn by_result(&self, position: &Chess) -> Result<(AmbiguousWdl, u32), SyzygyError> {
        Ok((self.tables.probe_wdl_after_zeroing(position)?.into(), 0))
    }
}

/// The probable result, if uncertain by half a move.
fn certain(result: AmbiguousWdl) -> Wdl {
    match result {
        AmbiguousWdl::Loss | AmbiguousWdl::MaybeLoss => Wdl::Loss,
        AmbiguousWdl::BlessedLoss => Wdl::BlessedLoss,
        AmbiguousWdl::Draw => Wdl::Draw,
        AmbiguousWdl::CursedWin => Wdl::CursedWin,
        AmbiguousWdl::MaybeWin | AmbiguousWdl::Win => Wdl::Win,
    }
}

/// `145 WDL and 145 DTZ tables of up to 5 pieces`
impl fmt::Display for Tablebase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let distances = self.files.iter().filter(|file| file.has_distances).count();
        let results = self.files.len() - distances;
        write!(
            f,
            "{results} WDL and {distances} DTZ tables of up to {} pieces",
            self.max_pieces()
        )
    }
}

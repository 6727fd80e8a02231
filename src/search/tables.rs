//! The results of endgame tables, in the terms of a search.

use chess::{Board, BoardStatus, ChessMove, EMPTY};

use super::{Limits, Score};
use crate::rules::position::Position;
use crate::rules::position::moves::is_irreversible;
use crate::rules::tablebase::{KeptMoves, Tablebase, Wdl};

/// The value of a position right after a capture or a pawn's move, from its side to move. `None` if
/// it is not in the tables, and for a mate, which says more.
#[inline(never)]
pub fn value(tables: &Tablebase, board: &Board, ply: usize) -> Option<Score> {
    let wdl = tables.after_zeroing(board)?;
    let is_mate = *board.checkers() != EMPTY && board.status() == BoardStatus::Checkmate;
    (!is_mate).then(|| score(wdl, ply))
}

/// Returns true if the last move of `line`, played from `board`, led to a position in the tables,
/// by a capture or a pawn's move.
#[inline(never)]
pub fn decides(tables: &Tablebase, board: &Board, line: &[ChessMove]) -> bool {
    let Some((&last, before)) = line.split_last() else {
        return false;
    };
    let board = before
        .iter()
        .fold(*board, |board, &mv| board.make_move_new(mv));
    is_irreversible(&board, last) && value(tables, &board.make_move_new(last), 0).is_some()
}

/// The score of a result at half-move `ply`. A draw by the fifty-move rule alone is a draw, but the
/// side that would have won without the rule may hope for a mistake.
fn score(wdl: Wdl, ply: usize) -> Score {
    match wdl {
        Wdl::Win => Score::table_win_in(ply),
        Wdl::CursedWin => Score::DRAW + 1,
        Wdl::Draw => Score::DRAW,
        Wdl::BlessedLoss => Score::DRAW - 1,
        Wdl::Loss => -Score::table_win_in(ply),
    }
}

/// A root in the tables: its search chooses among the moves that keep the result.
pub struct KnownRoot(pub KeptMoves);

impl KnownRoot {
    /// `None` without tables, or if they do not know the root.
    pub fn new(root: &Position, limits: &Limits) -> Option<KnownRoot> {
        limits
            .tables
            .as_ref()?
            .kept_moves(root, &limits.root_moves(root))
            .map(KnownRoot)
    }

    /// The limits of a search of only the moves that keep the result.
    pub fn limits(&self, root: &Position, limits: &Limits) -> Limits {
        limits.only(root, &self.0.moves)
    }

    /// A score of the search, corrected by the tables. Only a mate in line with the result is
    /// better.
    pub fn score(&self, found: Score) -> Score {
        let known = score(self.0.result, 0);
        match self.0.result {
            Wdl::Win if found.is_mate() && found > known => found,
            Wdl::Loss if found.is_mate() && found < known => found,
            _ => known,
        }
    }
}

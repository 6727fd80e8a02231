//! The moves of a position that keep its result.

use chess::ChessMove;
use shakmaty::{Chess, Position as _};
use shakmaty_syzygy::{AmbiguousWdl, Dtz, MaybeRounded, SyzygyError, Wdl};

use super::Tablebase;
use crate::position::{MoveList, Outcome, Position};

/// What the tables say of a position and its moves.
#[derive(Clone, Debug)]
pub struct KeptMoves {
    /// The moves that keep the result. Where the tables of distances are there too and the result is a win,
    /// only those that come next to the capture, pawn's move or mate that makes sure of it, so that the game
    /// makes progress.
    pub moves: MoveList,
    /// The result, from the side to move, with the fifty-move rule and repetitions.
    pub result: Wdl,
    /// How many positions were looked up.
    pub probes: u64,
}

/// A move, and what the position after it is worth.
struct After {
    mv: ChessMove,
    /// From the opponent's point of view.
    result: AmbiguousWdl,
    /// Half-moves from there to the next capture or pawn's move; 0 if the move itself is one, or mates.
    distance: u32,
}

impl Tablebase {
    /// Which of `moves` (legal ones) keep the best result that they can have; `None` if the tables do not
    /// know the position.
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
        let look = |&mv: &ChessMove| {
            let mut position = root.clone();
            position.play(mv).expect("the moves are legal");
            let (result, distance) = match position.outcome() {
                Some(Outcome::Checkmate { .. }) => (AmbiguousWdl::Loss, 0),
                Some(_) => (AmbiguousWdl::Draw, 0),
                None => probe(self, &position.to_shakmaty())?,
            };
            Ok(After { mv, result, distance })
        };
        moves.iter().map(look).collect()
    }

    fn by_distance(&self, position: &Chess) -> Result<(AmbiguousWdl, u32), SyzygyError> {
        let distance = self.tables.probe_dtz(position)?;
        let result = AmbiguousWdl::from_dtz_and_halfmoves(distance, position.halfmoves());
        let (MaybeRounded::Rounded(Dtz(plies)) | MaybeRounded::Precise(Dtz(plies))) = distance;
        let is_settled = position.halfmoves() == 0;
        Ok((result, if is_settled { 0 } else { plies.unsigned_abs() }))
    }

    fn by_result(&self, position: &Chess) -> Result<(AmbiguousWdl, u32), SyzygyError> {
        Ok((self.tables.probe_wdl_after_zeroing(position)?.into(), 0))
    }
}

/// A result that is uncertain by half a move is taken for what it probably is.
fn certain(result: AmbiguousWdl) -> Wdl {
    match result {
        AmbiguousWdl::Loss | AmbiguousWdl::MaybeLoss => Wdl::Loss,
        AmbiguousWdl::BlessedLoss => Wdl::BlessedLoss,
        AmbiguousWdl::Draw => Wdl::Draw,
        AmbiguousWdl::CursedWin => Wdl::CursedWin,
        AmbiguousWdl::MaybeWin | AmbiguousWdl::Win => Wdl::Win,
    }
}

//! Which legal moves are the reaction of a case.

use arrayvec::ArrayVec;
use chess::{Board, ChessMove};

use super::action::{Action, Keying};
use super::case::Case;
use crate::position::{MoveList, legal_moves};

/// Legal moves here by what they have in common with moves elsewhere: a case's reaction among them.
pub(super) struct Answers {
    /// By the target, which is the lowest part of the key.
    moves: Vec<(Action, ChessMove)>,
    /// By target: where its moves begin. The last is the end.
    begins: [u8; 65],
    keying: Keying,
}

impl Answers {
    /// Of the side to move.
    pub fn new(board: &Board, keying: Keying) -> Answers {
        let moves: MoveList = legal_moves(board);
        let mut moves: Vec<_> = moves.into_iter().map(|mv| (Action::of(board, mv), mv)).collect();
        // The order of legal moves stays among those to one square.
        moves.sort_by_key(|(action, _)| action.key.target());
        let begins = std::array::from_fn(|target| {
            moves.partition_point(|(action, _)| usize::from(action.key.target()) < target) as u8
        });
        Answers { moves, begins, keying }
    }

    /// The legal moves that are the reaction of a case. Its colours do not matter.
    pub fn to(&self, case: &Case) -> ArrayVec<ChessMove, 8> {
        let reaction = case.reaction_action();
        let fits = |action: &Action| match self.keying {
            Keying::San => action.key == reaction.key,
            Keying::Squares => *action == reaction,
        };
        let target = usize::from(reaction.key.target());
        let moves = &self.moves[usize::from(self.begins[target])..usize::from(self.begins[target + 1])];
        let mut answers = ArrayVec::new();
        for (_, mv) in moves.iter().filter(|(action, _)| fits(action)) {
            // No more than eight queens can go to one square.
            let _ = answers.try_push(*mv);
        }
        answers
    }
}

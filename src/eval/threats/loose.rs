//! Hanging pieces, and the moves in answer to them.

use chess::{Board, ChessMove, Color, Piece};

use crate::eval::attacks::{attacked, by_pawns_of, by_piece, for_each_piece, pieces};

/// Hanging pieces: no kings, attacked and not defended, or attacked by a pawn and no pawns
/// themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loose {
    /// Hanging pieces of the side to move.
    own: u64,
    /// Hanging pieces of the other side.
    enemy: u64,
    /// Enemy attackers of a piece in `own`.
    attackers: u64,
}

impl Loose {
    /// `None` if nothing hangs.
    pub fn of(board: &Board) -> Option<Loose> {
        let by_pawns = |color| by_pawns_of(color, pieces(board, color, Piece::Pawn));
        let by_white = [attacked::<true>(board), by_pawns(Color::White)];
        let by_black = [attacked::<false>(board), by_pawns(Color::Black)];
        let white = hanging(board, Color::White, by_black, by_white[0]);
        let black = hanging(board, Color::Black, by_white, by_black[0]);
        if white | black == 0 {
            return None;
        }
        let side = board.side_to_move();
        let (own, enemy) = if side == Color::White {
            (white, black)
        } else {
            (black, white)
        };
        let mut attackers = 0;
        if own != 0 {
            for_each_piece(board, |color, _, from, touches| {
                attackers |= u64::from(color != side && touches & own != 0) << from;
            });
        }
        Some(Loose {
            own,
            enemy,
            attackers,
        })
    }

    /// Returns true if a legal move takes a hanging piece or, if an own piece hangs, moves it,
    /// defends it, or takes its attacker.
    pub fn is_answered_by(self, board: &Board, mv: ChessMove) -> bool {
        let [from, to] = [mv.get_source(), mv.get_dest()].map(|square| square.to_index());
        if (self.enemy | self.attackers) >> to & 1 == 1 || self.own >> from & 1 == 1 {
            return true;
        }
        let Some(piece) = board.piece_on(mv.get_source()).filter(|_| self.own != 0) else {
            return false;
        };
        let occupied = board.combined().0 & !(1 << from) | 1 << to;
        let defended = match mv.get_promotion().unwrap_or(piece) {
            Piece::Pawn => by_pawns_of(board.side_to_move(), 1 << to),
            piece => by_piece(piece, to, occupied),
        };
        defended & self.own != 0
    }
}

/// The hanging pieces of a side, from the attacks of the other side, those of its pawns alone, and
/// the own defended squares.
fn hanging(board: &Board, side: Color, [attacked, by_pawns]: [u64; 2], defended: u64) -> u64 {
    let own = board.color_combined(side).0 & !pieces(board, side, Piece::King);
    own & (attacked & !defended | by_pawns & !pieces(board, side, Piece::Pawn))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::position::Position;

    /// The answers to hanging pieces; `None` if nothing hangs.
    fn answers(fen: &str) -> Option<Vec<String>> {
        let position = Position::from_fen(fen).expect(fen);
        let loose = Loose::of(position.board())?;
        let moves = position.legal_moves().into_iter();
        let answers = moves.filter(|&mv| loose.is_answered_by(position.board(), mv));
        let mut answers: Vec<String> = answers.map(|mv| position.san(mv).to_string()).collect();
        answers.sort();
        Some(answers)
    }

    #[test]
    fn moves_that_take_move_defend_or_take_the_attacker() {
        assert_eq!(
            answers("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
            None
        );
        // The rook attacks a knight that nobody defends.
        let saved = answers("4k3/8/8/8/r6N/8/6P1/4K3 w - - 0 1").expect("a knight hangs");
        assert_eq!(saved, ["Nf3", "Nf5", "Ng6", "g3"]);
        // The same with Black to move: it takes.
        let taken = answers("4k3/8/8/8/r6N/8/6P1/4K3 b - - 0 1").expect("a knight hangs");
        assert_eq!(taken, ["Rxh4"]);
        // A pawn attacks a rook, defended or not; a knight takes the pawn.
        let saved = answers("4k3/8/8/2p5/1R6/N7/1P6/4K3 w - - 0 1").expect("a rook hangs");
        assert!(
            saved.contains(&"Rb8+".to_owned()) && saved.contains(&"Nc2".to_owned()),
            "{saved:?}"
        );
        assert!(
            !saved.contains(&"b3".to_owned()) && !saved.contains(&"Kf1".to_owned()),
            "{saved:?}"
        );
    }
}

//! Mates proven by trying all moves. Draws by repetition and by the fifty-move rule are not looked at: in so few moves they do not happen.

use chess::{Board, EMPTY, MoveGen};

use crate::position::{MoveList, legal_moves};

/// The moves after which mate in `moves` moves of the side to move, or fewer, cannot be avoided. Trying all grows by a factor of some hundreds
/// to a thousand with each move: three are quick.
pub fn keys(board: &Board, moves: u32) -> MoveList {
    if moves == 0 {
        return MoveList::new();
    }
    let is_key = |mv: &chess::ChessMove| is_lost(&board.make_move_new(*mv), moves - 1);
    legal_moves(board).into_iter().filter(is_key).collect()
}

/// Whether the side to move is mated now, or in so many moves of the other side whatever it does.
fn is_lost(board: &Board, moves: u32) -> bool {
    let in_check = *board.checkers() != EMPTY;
    if moves == 0 {
        return in_check && MoveGen::new_legal(board).len() == 0;
    }
    let mut replies = MoveGen::new_legal(board);
    if replies.len() == 0 {
        return in_check;
    }
    replies.all(|reply| mates(&board.make_move_new(reply), moves))
}

/// Whether the side to move mates in so many of its moves.
fn mates(board: &Board, moves: u32) -> bool {
    MoveGen::new_legal(board).any(|mv| is_lost(&board.make_move_new(mv), moves - 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    fn sans(fen: &str, moves: u32) -> Vec<String> {
        let position = Position::from_fen(fen).expect("a position");
        let keys = keys(position.board(), moves);
        keys.into_iter().map(|mv| position.san(mv)).collect()
    }

    #[test]
    fn keys_are_all_found_and_no_others() {
        const ROOKS: &str = "7k/8/8/8/8/8/1R6/R6K w - - 0 1";
        assert!(sans(ROOKS, 0).is_empty() && sans(ROOKS, 1).is_empty());
        let mut two = sans(ROOKS, 2);
        two.sort();
        assert_eq!(two, ["Ra7", "Rb7", "Rg1"]);
        assert_eq!(sans("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", 1), ["Ra8#"]);
        // Philidor's smothered mate: Nh6+ Kh8, Qg8+ Rxg8, Nf7#; there is a faster one.
        const SMOTHERED: &str = "r5k1/5Npp/4Q3/8/8/8/8/6K1 w - - 0 1";
        let has = |moves, mv: &str| sans(SMOTHERED, moves).iter().any(|san| san == mv);
        assert!(sans(SMOTHERED, 1).is_empty());
        assert!(has(3, "Nh6+") && !has(2, "Nh6+"));
        assert!(has(2, "Nd8+"));
        // A stalemate is no mate.
        assert!(sans("k7/2Q5/8/8/8/8/8/7K w - - 0 1", 1).is_empty());
    }
}

//! Mates: the side to move mates in two to six moves, and only one move begins the shortest one.

use super::criterion::{Choice, Contrast};
use super::criterion::{Criterion, is_free, men};
use super::games::Player;
use super::games::{OPENING, PlayedGame, Rules};
use crate::position::Position;
use crate::position::{MoveList, legal_moves};
use crate::score::Score;
use chess::{Board, EMPTY, MoveGen};
use rand::rngs::Xoshiro256PlusPlus;

/// In moves of the mating side.
const SHORTEST: u32 = 2;
const LONGEST: u32 = 6;
/// How long before its end a game is looked at, in moves of the winner. The loser may have helped.
const BEFORE: usize = 9;
/// So long mates are proven by trying all moves.
const PROVEN: u32 = 3;
/// With fewer men it is a matter of technique.
const FEWEST_MEN: u32 = 10;

/// See the head of this file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mates;

impl Criterion for Mates {
    fn name(&self) -> &'static str {
        "mates"
    }

    fn title(&self) -> &'static str {
        "mates"
    }

    /// One side is blind enough to be mated with many men on the board.
    fn rules(&self) -> Rules {
        Rules { strong: 4_000, weak: 150, resign: None }
    }

    /// The winner's last moves but one, the earliest first: long mates are rarer.
    fn order(&self, game: &PlayedGame, _: &mut Xoshiro256PlusPlus) -> Vec<usize> {
        let before = |moves: usize| game.positions.len().checked_sub(2 * moves - 1);
        match game.winner {
            Some(_) => (2..=BEFORE).rev().filter_map(before).filter(|&index| index >= OPENING).collect(),
            None => Vec::new(),
        }
    }

    fn is_candidate(&self, _: &mut Player, position: &Position) -> bool {
        is_free(position) && men(position.board()) >= FEWEST_MEN
    }

    fn suits(&self, _: &mut Player, _: &Position, best: &Choice) -> bool {
        mate_in(best.score).is_some_and(|moves| (SHORTEST..=LONGEST).contains(&moves))
    }

    fn is_unique(&self, position: &Position, contrast: &Contrast) -> bool {
        let Some(moves) = mate_in(contrast.score) else {
            return false;
        };
        if mate_in(contrast.second_score).is_some_and(|second| second <= moves) {
            return false;
        }
        let board = position.board();
        moves > PROVEN || (keys(board, moves)[..] == [contrast.best] && keys(board, moves - 1).is_empty())
    }

    fn groups(&self) -> usize {
        (LONGEST - SHORTEST + 1) as usize
    }

    fn group(&self, contrast: &Contrast) -> usize {
        let moves = mate_in(contrast.score).unwrap_or(SHORTEST);
        (moves.clamp(SHORTEST, LONGEST) - SHORTEST) as usize
    }

    fn operations(&self, contrast: &Contrast) -> Vec<(&'static str, String)> {
        let moves = mate_in(contrast.score);
        moves.map(|moves| ("dm", moves.to_string())).into_iter().collect()
    }

    fn about(&self) -> Vec<String> {
        vec![
            format!(
                "The side to move mates in {SHORTEST} to {LONGEST} moves (dm), of each as many. The reference finds no other first move that mates as fast; for mates in {PROVEN} or"
            ),
            format!(
                "fewer it is proven by trying all moves that no other does, and that nothing is faster. There are {FEWEST_MEN} men or more."
            ),
        ]
    }
}

/// In how many of its moves the side of `score` mates; `None` if it does not.
fn mate_in(score: Score) -> Option<u32> {
    score.mate_moves().and_then(|moves| u32::try_from(moves).ok()).filter(|&moves| moves > 0)
}

/// Draws by repetition and by the fifty-move rule are not looked at: in so few moves they do not happen.
///
/// The moves after which mate in `moves` moves of the side to move, or fewer, cannot be avoided. Trying all
/// grows by a factor of some hundreds to a thousand with each move: three are quick.
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

    fn contrast(position: &Position, mv: &str, score: Score, second_score: Score) -> Contrast {
        Contrast {
            best: position.parse_move(mv).expect("legal"),
            san: mv.to_owned(),
            score,
            second: "another".to_owned(),
            second_score,
        }
    }

    #[test]
    fn mates_have_one_key() {
        // One rook goes to the seventh rank and the other mates, in two ways; where the seventh rank has a
        // pawn only in one.
        let two = Position::from_fen("7k/8/8/8/8/8/1R6/R6K w - - 0 1").expect("a position");
        let one = Position::from_fen("7k/1p6/8/8/8/8/1R6/R5K1 w - - 0 1").expect("a position");
        let unique = |position: &Position, mv, second| {
            let contrast = contrast(position, mv, Score::mate_in(3), second);
            Mates.is_unique(position, &contrast)
        };
        assert!(unique(&one, "Rxb7", Score(900)) && unique(&one, "Rxb7", Score::mate_in(5)));
        assert!(!unique(&one, "Rxb7", Score::mate_in(3)), "the reference says so");
        assert!(!unique(&two, "Rb7", Score(900)), "the proof says so");
        assert!(!unique(&one, "Rg2", Score(900)), "no mate");
        // Said to be in three, and there in two.
        let slow = contrast(&one, "Rxb7", Score::mate_in(5), Score(900));
        assert!(!Mates.is_unique(&one, &slow));
    }

    #[test]
    fn lengths_are_groups() {
        let position = Position::default();
        let of = |score| contrast(&position, "e4", score, Score(0));
        assert_eq!(Mates.groups(), 5);
        let groups: Vec<usize> =
            (2..=6).map(|moves| Mates.group(&of(Score::mate_in(2 * moves - 1)))).collect();
        assert_eq!(groups, [0, 1, 2, 3, 4]);
        let mut player = Player::new(2).expect("a player");
        let mut suits = |score| {
            let best = Choice { mv: position.parse_move("e4").expect("legal"), san: "e4".to_owned(), score };
            Mates.suits(&mut player, &position, &best)
        };
        assert!(suits(Score::mate_in(3)) && suits(Score::mate_in(11)));
        assert!(!suits(Score::mate_in(1)) && !suits(Score::mate_in(13)));
        assert!(!suits(Score::mated_in(4)) && !suits(Score(900)));
        assert_eq!(Mates.operations(&of(Score::mate_in(7))), [("dm", "4".to_owned())]);
    }

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

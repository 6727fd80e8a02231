//! Mates: the side to move mates in two to six moves, and only one move begins the shortest one.

use rand::rngs::Xoshiro256PlusPlus;

use super::contrast::{Choice, Contrast};
use super::criterion::{Criterion, is_free, men};
use super::games::{Game, OPENING, Rules};
use super::player::Player;
use super::proof;
use crate::position::Position;
use crate::score::Score;

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
        Rules {
            strong: 4_000,
            weak: 150,
            resign: None,
        }
    }

    /// The winner's last moves but one, the earliest first: long mates are rarer.
    fn order(&self, game: &Game, _: &mut Xoshiro256PlusPlus) -> Vec<usize> {
        let before = |moves: usize| game.positions.len().checked_sub(2 * moves - 1);
        match game.winner {
            Some(_) => (2..=BEFORE)
                .rev()
                .filter_map(before)
                .filter(|&index| index >= OPENING)
                .collect(),
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
        moves > PROVEN
            || (proof::keys(board, moves)[..] == [contrast.best] && proof::keys(board, moves - 1).is_empty())
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
    let plies = u32::try_from(score.mate_distance()?).ok()?;
    (plies > 0).then(|| plies.div_ceil(2))
}

#[cfg(test)]
mod tests {
    use super::*;

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
        // One rook goes to the seventh rank and the other mates, in two ways; where the seventh rank has a pawn only in one.
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
        let groups: Vec<usize> = (2..=6)
            .map(|moves| Mates.group(&of(Score::mate_in(2 * moves - 1))))
            .collect();
        assert_eq!(groups, [0, 1, 2, 3, 4]);
        let mut player = Player::new(2).expect("a player");
        let mut suits = |score| {
            let best = Choice {
                mv: position.parse_move("e4").expect("legal"),
                san: "e4".to_owned(),
                score,
            };
            Mates.suits(&mut player, &position, &best)
        };
        assert!(suits(Score::mate_in(3)) && suits(Score::mate_in(11)));
        assert!(!suits(Score::mate_in(1)) && !suits(Score::mate_in(13)));
        assert!(!suits(Score::mated_in(4)) && !suits(Score(900)));
        assert_eq!(Mates.operations(&of(Score::mate_in(7))), [("dm", "4".to_owned())]);
    }
}

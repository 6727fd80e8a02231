//! Tactical positions: one move wins something, and it is not to be seen at once.

use chess::ChessMove;

use super::criterion::{Choice, Contrast, Criterion, HOPE, LOOK, SMALL, hidden};
use super::games::{Player, Rules};
use crate::position::Position;
use crate::search::exchange;

/// How much better the best move is, in centipawns.
const MARGIN: i32 = 150;
/// Who is worth more than this without the move is winning anyhow, in centipawns.
const WINNING: i32 = 100;

/// See the head of this file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tactical;

impl Criterion for Tactical {
    fn name(&self) -> &'static str {
        "tactical"
    }

    fn title(&self) -> &'static str {
        "tactical positions"
    }

    /// Both sides err.
    fn rules(&self) -> Rules {
        Rules { strong: 600, weak: 200, resign: Some(1_000) }
    }

    fn is_candidate(&self, player: &mut Player, position: &Position) -> bool {
        // Who sees himself far ahead already has no need of the move; far behind, no use for it.
        hidden(player, position, 3 * WINNING).is_some_and(|(best, score)| {
            if score.is_mate() || score.0 < 0 {
                return false;
            }
            let second = player.look_besides(position, LOOK, best);
            second.0 <= WINNING + HOPE && score.0 - second.0 >= HOPE
        })
    }

    fn suits(&self, player: &mut Player, position: &Position, best: &Choice) -> bool {
        // Mates are a kind of their own.
        !best.score.is_mate() && best.score.0 >= 0 && player.look(position, SMALL).0 != Some(best.mv)
    }

    fn is_unique(&self, position: &Position, contrast: &Contrast) -> bool {
        contrast.margin() >= MARGIN
            && contrast.second_score.0 <= WINNING
            && !is_obvious(position, contrast.best, contrast.margin())
    }

    fn operations(&self, contrast: &Contrast) -> Vec<(&'static str, String)> {
        vec![("ce", contrast.score.0.to_string())]
    }

    fn about(&self) -> Vec<String> {
        vec![
            format!(
                "The best move is better than every other by {MARGIN} centipawns or more, and it is no mate. Without it the side to move is at {WINNING} or below,"
            ),
            format!(
                "with it at 0 or above. {SMALL} nodes of Kashan's alpha-beta search do not find it, and it does not just take what it gains, by exchange evaluation."
            ),
        ]
    }
}

/// Whether the move wins its margin by the exchange on its square alone: half a pawn less is as good as all
/// of it.
fn is_obvious(position: &Position, mv: ChessMove, margin: i32) -> bool {
    exchange::at_least(position.board(), mv, (margin - 50).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Score;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).expect("a position")
    }

    fn contrast(position: &Position, mv: &str, score: i32, second: i32) -> Contrast {
        Contrast {
            best: position.parse_move(mv).expect("legal"),
            san: mv.to_owned(),
            score: Score(score),
            second: "another".to_owned(),
            second_score: Score(second),
        }
    }

    /// The knight forks king and rook; the rook takes a knight that hangs.
    const FORK: &str = "r3k3/p7/8/3N4/8/8/n7/R3K3 w - - 0 1";

    #[test]
    fn the_best_move_stands_out_and_is_not_just_a_capture() {
        let fork = position(FORK);
        let unique = |mv, score, second| Tactical.is_unique(&fork, &contrast(&fork, mv, score, second));
        assert!(unique("Nc7+", 250, 100) && !unique("Nc7+", 249, 100));
        assert!(!unique("Nc7+", 500, 101), "winning without it");
        assert!(!unique("Rxa2", 400, 100), "it takes what it wins");
        assert!(unique("Rxa2", 500, 100), "it wins more than it takes");
        // Everything else is mated.
        let mated = contrast(&fork, "Nc7+", 0, -31_990);
        assert!(Tactical.is_unique(&fork, &mated));
    }

    #[test]
    fn a_move_that_a_small_search_finds_is_not_tactical() {
        let fork = position(FORK);
        let mut player = Player::new(2).expect("a player");
        let found = player.look(&fork, SMALL).0.expect("a move");
        let choice = |mv, score: Score| Choice { mv, san: String::new(), score };
        let suits = |player: &mut Player, mv, score| Tactical.suits(player, &fork, &choice(mv, score));
        assert!(!suits(&mut player, found, Score(300)));
        let other = fork.parse_move("Ke2").expect("legal");
        assert!(suits(&mut player, other, Score(300)));
        assert!(!suits(&mut player, other, Score(-1)));
        assert!(!suits(&mut player, other, Score::mate_in(3)));
    }
}

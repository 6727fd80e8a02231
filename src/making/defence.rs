//! Defensive positions: one move does not lose anything, and it is not to be seen at once.

use super::criterion::{Choice, Contrast, Criterion, HOPE, LOOK, SMALL, hidden};
use super::games::{Player, Rules};
use crate::position::Position;
use crate::search::exchange;

/// What every other move loses compared with the best one, in centipawns, and where it leads at least.
const LOSS: i32 = 150;
/// Nobody is winning after the best move, in centipawns.
const EVEN: i32 = 100;

/// See the head of this file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Defence;

impl Criterion for Defence {
    fn name(&self) -> &'static str {
        "defence"
    }

    fn title(&self) -> &'static str {
        "defensive positions"
    }

    /// Both sides err, and then the other has something to defend against.
    fn rules(&self) -> Rules {
        Rules { strong: 600, weak: 200, resign: Some(1_000) }
    }

    fn is_candidate(&self, player: &mut Player, position: &Position) -> bool {
        hidden(player, position, 3 * EVEN).is_some_and(|(best, score)| {
            score.0.abs() <= 2 * EVEN && score.0 - player.look_besides(position, LOOK, best).0 >= HOPE
        })
    }

    fn suits(&self, player: &mut Player, position: &Position, best: &Choice) -> bool {
        best.score.0.abs() <= EVEN && player.look(position, SMALL).0 != Some(best.mv)
    }

    fn is_unique(&self, position: &Position, contrast: &Contrast) -> bool {
        contrast.margin() >= LOSS
            && contrast.second_score.0 <= -LOSS
            // What takes back at once is no defence.
            && !exchange::at_least(position.board(), contrast.best, LOSS - 50)
    }

    fn operations(&self, contrast: &Contrast) -> Vec<(&'static str, String)> {
        vec![("ce", contrast.score.0.to_string())]
    }

    fn about(&self) -> Vec<String> {
        vec![
            format!(
                "After the best move neither side is more than {EVEN} centipawns ahead; every other one leads to {} or below, and is worse by {LOSS} or more.",
                -LOSS
            ),
            format!(
                "{SMALL} nodes of Kashan's alpha-beta search do not find it, and it does not just take what it saves, by exchange evaluation."
            ),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Score;

    fn contrast(position: &Position, mv: &str, score: i32, second: i32) -> Contrast {
        Contrast {
            best: position.parse_move(mv).expect("legal"),
            san: mv.to_owned(),
            score: Score(score),
            second: "another".to_owned(),
            second_score: Score(second),
        }
    }

    #[test]
    fn every_other_move_loses() {
        let position = Position::from_fen("r3k3/p7/8/3N4/8/8/n7/R3K3 w - - 0 1").expect("a position");
        let is_unique =
            |mv, score, second| Defence.is_unique(&position, &contrast(&position, mv, score, second));
        assert!(is_unique("Kd1", 20, -150));
        assert!(!is_unique("Kd1", 20, -120), "it does not lose enough");
        assert!(!is_unique("Kd1", -100, -200), "hardly worse");
        assert!(!is_unique("Rxa2", 20, -280), "it takes a knight");
    }

    #[test]
    fn nobody_is_winning() {
        let position = Position::default();
        let mut player = Player::new(1).expect("a player");
        let suits = |player: &mut Player, score| {
            let mv = position.parse_move("a4").expect("legal");
            Defence.suits(player, &position, &Choice { mv, san: "a4".to_owned(), score: Score(score) })
        };
        assert!(suits(&mut player, 0) && suits(&mut player, -100));
        assert!(!suits(&mut player, 150) && !suits(&mut player, -120));
    }
}

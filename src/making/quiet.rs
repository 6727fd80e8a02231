//! Quiet positions: nothing hangs on either side, and yet one quiet move is clearly better than all others.

use super::criterion::{Choice, Contrast};
use super::criterion::{Criterion, is_free, is_quiet_move, men, wins_material};
use super::games::Player;
use super::games::Rules;
use crate::position::Position;

/// How much better the best move is, in centipawns.
const MARGIN: i32 = 40;
/// If it is better by more, something is won or lost, and the position is not quiet.
const TACTICAL: i32 = 150;
/// No value is beyond it, in centipawns.
const DECIDED: i32 = 300;
/// With fewer men it is an endgame to be known and not a position to be judged.
const FEWEST_MEN: u32 = 10;
/// What our own look at a candidate has, in nodes.
const LOOK: u64 = 4_000;
/// How much better our own look has to find some quiet move before the reference is asked, in centipawns.
const HOPE: i32 = 25;

/// See the head of this file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quiet;

impl Criterion for Quiet {
    fn name(&self) -> &'static str {
        "quiet"
    }

    fn title(&self) -> &'static str {
        "quiet positions"
    }

    /// The better side sees more, so that there are plans to be found.
    fn rules(&self) -> Rules {
        Rules { strong: 2_000, weak: 700, resign: Some(600) }
    }

    fn is_candidate(&self, player: &mut Player, position: &Position) -> bool {
        if !is_free(position) || men(position.board()) < FEWEST_MEN || !is_calm(position) {
            return false;
        }
        let (Some(best), score) = player.look(position, LOOK) else {
            return false;
        };
        is_quiet_move(position.board(), best)
            && score.0.abs() <= DECIDED
            && score.0 - player.look_besides(position, LOOK, best).0 >= HOPE
    }

    fn suits(&self, _: &mut Player, position: &Position, best: &Choice) -> bool {
        is_quiet_move(position.board(), best.mv) && best.score.0.abs() <= DECIDED
    }

    fn is_unique(&self, _: &Position, contrast: &Contrast) -> bool {
        (MARGIN..=TACTICAL).contains(&contrast.margin()) && contrast.second_score.0.abs() <= DECIDED
    }

    fn operations(&self, contrast: &Contrast) -> Vec<(&'static str, String)> {
        vec![("ce", contrast.score.0.to_string())]
    }

    fn about(&self) -> Vec<String> {
        vec![
            format!(
                "The best move takes nothing, promotes nothing, gives no check, and is better than every other by {MARGIN} to {TACTICAL} \
                 centipawns; neither"
            ),
            format!(
                "value is beyond {DECIDED}. By exchange evaluation no capture of either side would win anything, and there are {FEWEST_MEN} men or more."
            ),
        ]
    }
}

/// Whether neither side has a capture that wins something, were it to move.
pub fn is_calm(position: &Position) -> bool {
    let board = position.board();
    let other = board.null_move();
    !wins_material(board) && other.is_some_and(|other| !wins_material(&other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Score;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).expect("a position")
    }

    #[test]
    fn nothing_hangs() {
        let calm = |fen: &str| is_calm(&position(fen));
        assert!(calm("r2q1rk1/ppp2ppp/3p4/8/8/3P4/PPP2PPP/R2Q1RK1 w - - 0 15"));
        // White's rook hangs, whoever is to move; in check nobody can pass.
        assert!(!calm("3q1rk1/ppp2ppp/3p4/8/8/3P4/PPPr1PPP/R2Q1RK1 w - - 0 15"));
        assert!(!calm("3q1rk1/ppp2ppp/3p4/8/8/3P4/PPPr1PPP/R2Q1RK1 b - - 0 15"));
        assert!(!calm("4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1"));
    }

    #[test]
    fn a_quiet_move_stands_out_and_wins_nothing() {
        let start = Position::default();
        let choice = |mv: &str, score| Choice {
            mv: start.parse_move(mv).expect("legal"),
            san: mv.to_owned(),
            score: Score(score),
        };
        let unique = |score, second| {
            let contrast = Contrast {
                best: choice("e4", 0).mv,
                san: "e4".to_owned(),
                score: Score(score),
                second: "d4".to_owned(),
                second_score: Score(second),
            };
            Quiet.is_unique(&start, &contrast)
        };
        assert!(unique(50, 10) && !unique(50, 11), "the margin");
        assert!(unique(250, 100) && !unique(251, 100), "not tactical");
        assert!(!unique(-250, -301) && unique(-250, -300));
        let mut player = Player::new(2).expect("a player");
        assert!(Quiet.suits(&mut player, &start, &choice("e4", 300)));
        assert!(!Quiet.suits(&mut player, &start, &choice("e4", -301)));
        let captures = position("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1");
        let takes = Choice {
            mv: captures.parse_move("exd5").expect("legal"),
            san: "exd5".to_owned(),
            score: Score(50),
        };
        assert!(!Quiet.suits(&mut player, &captures, &takes));
    }
}

//! Games ended by the arena, because both engines agree on the result, or because endgame tables
//! know the result.
//!
//! Only certain results end a game, assuming play as good as the tables' by both sides:
//!
//! * A win, if the tables of distances promise the win within the rest of the fifty moves. Without
//!   these tables, a win is certain only right after a capture or a pawn's move. Exception: a win
//!   is not certain while a position since then has occurred twice, for a third time would be a
//!   draw.
//! * A draw in any case, including wins turned into draws by the fifty-move rule.

use shakmaty::{ByColor, Color};

use super::referee::Referee;
use super::types::Adjudication;
use super::{GameResult, Reason, Verdict};
use crate::rules::tablebase::{AmbiguousWdl, Tablebase};

/// A watch on the scores of a game; ends the game if both engines agree on the result.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    rules: Adjudication,
    /// The number of moves in a row called a draw, by side.
    drawn: ByColor<u32>,
    /// The number of moves in a row called a win, by winner and by side.
    won: ByColor<ByColor<u32>>,
}

impl Adjudicator {
    /// At the start of a game.
    pub fn new(rules: Adjudication) -> Self {
        Adjudicator {
            rules,
            drawn: ByColor::default(),
            won: ByColor::default(),
        }
    }

    /// Takes a move of `mover`: its number (opening included, from 1) and its `score`, in
    /// centipawns from the mover's point of view. A move without a score, as from a book, agrees to
    /// nothing.
    pub fn moved(&mut self, mover: Color, number: u32, score: Option<i32>) {
        if let Some(rule) = self.rules.draw {
            let agrees =
                number >= rule.from_move && score.is_some_and(|score| score.abs() <= rule.score);
            count(self.drawn.get_mut(mover), agrees);
        }
        if let Some(rule) = self.rules.win {
            let own = self.won.get_mut(mover).get_mut(mover);
            count(own, score >= Some(rule.score));
            let other = self.won.get_mut(!mover).get_mut(mover);
            count(other, score.is_some_and(|score| score <= -rule.score));
        }
    }

    /// The result if the rules want the game to end after `plies` half-moves, opening included.
    pub fn decision(&self, plies: usize) -> Option<GameResult> {
        if let Some(rule) = self.rules.win {
            for winner in Color::ALL {
                if both_have(self.won.get(winner), rule.moves) {
                    let detail = format!(
                        "both sides said for {} moves that {winner} is {} centipawns ahead",
                        rule.moves, rule.score
                    );
                    let reason = Reason::WinAdjudication;
                    return Some(GameResult::win_of(winner, reason, detail));
                }
            }
        }
        if let Some(rule) = self.rules.draw
            && both_have(&self.drawn, rule.moves)
        {
            let detail = format!(
                "both sides said for {} moves that nobody is more than {} centipawns ahead",
                rule.moves, rule.score
            );
            return Some(GameResult::draw(Reason::DrawAdjudication, detail));
        }
        let moves = self.rules.max_moves?;
        if plies / 2 < moves as usize {
            return None;
        }
        let detail = format!("the limit of {moves} moves is reached");
        Some(GameResult::draw(Reason::MoveLimit, detail))
    }
}

fn count(moves: &mut u32, agrees: bool) {
    *moves = if agrees { *moves + 1 } else { 0 };
}

fn both_have(moves: &ByColor<u32>, wanted: u32) -> bool {
    moves.white >= wanted && moves.black >= wanted
}

/// The result of the game, if the endgame tables are certain.
pub fn by_tables(tables: &Tablebase, referee: &Referee) -> Option<GameResult> {
    let result = tables.result(referee.position())?;
    let (verdict, detail) = verdict(result, referee.turn(), referee.repeats())?;
    Some(GameResult {
        verdict,
        reason: Reason::TablebaseAdjudication,
        detail,
    })
}

/// The verdict on a result of the tables, from the side of `mover`, in a game with or without a
/// position that `repeats`.
fn verdict(result: AmbiguousWdl, mover: Color, repeats: bool) -> Option<(Verdict, String)> {
    let side = match result {
        AmbiguousWdl::Win | AmbiguousWdl::BlessedLoss => mover,
        _ => !mover,
    };
    let (verdict, what) = match result {
        AmbiguousWdl::Win | AmbiguousWdl::Loss if !repeats => {
            (Verdict::win_of(side), format!("{side} wins"))
        }
        AmbiguousWdl::CursedWin | AmbiguousWdl::BlessedLoss => {
            (Verdict::Draw, format!("the fifty-move rule saves {side}"))
        }
        AmbiguousWdl::Draw => (Verdict::Draw, "nobody can win".to_owned()),
        _ => return None,
    };
    Some((verdict, format!("the endgame tables say that {what}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::types::{DrawRule, WinRule};

    /// Feeds scores of White and Black in turn, from move 1, and returns the number of half-moves,
    /// the verdict and the reason.
    fn decided(rules: Adjudication, scores: &[Option<i32>]) -> Option<(usize, Verdict, Reason)> {
        let mut adjudicator = Adjudicator::new(rules);
        (1_usize..).zip(scores).find_map(|(plies, &score)| {
            let mover = if plies % 2 == 1 {
                Color::White
            } else {
                Color::Black
            };
            adjudicator.moved(mover, plies.div_ceil(2) as u32, score);
            adjudicator
                .decision(plies)
                .map(|result| (plies, result.verdict, result.reason))
        })
    }

    fn draw(from_move: u32) -> Adjudication {
        Adjudication {
            draw: Some(DrawRule {
                from_move,
                moves: 2,
                score: 10,
            }),
            ..Adjudication::default()
        }
    }

    fn win() -> Adjudication {
        Adjudication {
            win: Some(WinRule {
                moves: 2,
                score: 500,
            }),
            ..Adjudication::default()
        }
    }

    #[test]
    fn a_draw_needs_both_sides_in_a_row_from_the_move_on() {
        let expected = |ply| Some((ply, Verdict::Draw, Reason::DrawAdjudication));
        assert_eq!(
            decided(draw(1), &[Some(10), Some(-10), Some(0), Some(0)]),
            expected(4)
        );
        assert_eq!(decided(draw(3), &[Some(0); 20]), expected(8));
        let broken = [
            Some(0),
            Some(0),
            Some(0),
            None,
            Some(0),
            Some(11),
            Some(0),
            Some(0),
            Some(0),
            Some(0),
        ];
        assert_eq!(decided(draw(1), &broken), expected(10));
        assert_eq!(decided(draw(1), &[Some(0), Some(50)].repeat(10)), None);
    }

    #[test]
    fn a_win_needs_the_loser_to_agree() {
        let white = [Some(500), Some(-500), Some(32_000 - 3), Some(-31_990)];
        assert_eq!(
            decided(win(), &white),
            Some((4, Verdict::WhiteWins, Reason::WinAdjudication))
        );
        let black = [Some(-600), Some(600), Some(-600), Some(600)];
        assert_eq!(
            decided(win(), &black),
            Some((4, Verdict::BlackWins, Reason::WinAdjudication))
        );
        assert_eq!(
            [-499, 900].map(|black| decided(win(), &[Some(900), Some(black)].repeat(10))),
            [None; 2]
        );
    }

    #[test]
    fn the_longest_game_is_a_draw() {
        let rules = Adjudication {
            max_moves: Some(3),
            ..Adjudication::default()
        };
        assert_eq!(
            decided(rules, &[None; 10]),
            Some((6, Verdict::Draw, Reason::MoveLimit))
        );
        assert_eq!(decided(Adjudication::default(), &[Some(0); 1000]), None);
    }

    #[test]
    fn only_what_is_certain_ends_a_game() {
        use AmbiguousWdl::*;
        let ended =
            |result, repeats| verdict(result, Color::Black, repeats).map(|(verdict, _)| verdict);
        for repeats in [false, true] {
            assert_eq!(
                ended(Win, repeats),
                (!repeats).then_some(Verdict::BlackWins)
            );
            assert_eq!(
                ended(Loss, repeats),
                (!repeats).then_some(Verdict::WhiteWins)
            );
            let draws = [Draw, CursedWin, BlessedLoss].map(|draw| ended(draw, repeats));
            assert_eq!(draws, [Some(Verdict::Draw); 3]);
            assert_eq!(
                [MaybeWin, MaybeLoss].map(|uncertain| ended(uncertain, repeats)),
                [None; 2]
            );
        }
        let words = |result| {
            verdict(result, Color::Black, false)
                .expect("it is certain")
                .1
        };
        assert!(
            words(CursedWin).ends_with("saves white")
                && words(BlessedLoss).ends_with("saves black")
        );
        assert!(words(Loss).ends_with("white wins"));
    }
}

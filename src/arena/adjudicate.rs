//! Games that the arena ends itself, because both engines agree how they will end.

use shakmaty::{ByColor, Color};

use super::types::Adjudication;
use super::{Reason, Verdict};

/// Watches the scores of a game.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    rules: Adjudication,
    /// How many moves in a row each side called a draw.
    drawn: ByColor<u32>,
    /// How many moves in a row each side called a win of White's, and one of Black's.
    won: ByColor<ByColor<u32>>,
}

impl Adjudicator {
    /// At the start of a game.
    pub fn new(rules: Adjudication) -> Self {
        Adjudicator { rules, drawn: ByColor::default(), won: ByColor::default() }
    }

    /// `mover` made its move of that number (opening included, from 1) and said `score`, in centipawns from
    /// its own point of view. Without a score, as from a book, it agrees to nothing.
    pub fn moved(&mut self, mover: Color, number: u32, score: Option<i32>) {
        let count = |counter: &mut u32, agrees: bool| *counter = if agrees { *counter + 1 } else { 0 };
        if let Some(rule) = self.rules.draw {
            let agrees = number >= rule.from_move && score.is_some_and(|score| score.abs() <= rule.score);
            count(self.drawn.get_mut(mover), agrees);
        }
        if let Some(rule) = self.rules.win {
            let white = score.map(|score| mover.fold_wb(score, -score));
            let won = self.won.get_mut(mover);
            count(&mut won.white, white.is_some_and(|score| score >= rule.score));
            count(&mut won.black, white.is_some_and(|score| score <= -rule.score));
        }
    }

    /// The result if the rules want the game to end after `plies` half-moves, opening included: verdict,
    /// reason, and why in words.
    pub fn decision(&self, plies: usize) -> Option<(Verdict, Reason, String)> {
        if let Some(rule) = self.rules.win {
            for winner in Color::ALL {
                if Color::ALL.iter().all(|&side| *self.won.get(side).get(winner) >= rule.moves) {
                    let detail = format!(
                        "both sides said for {} moves that {winner} is {} centipawns ahead",
                        rule.moves, rule.score
                    );
                    return Some((Verdict::win_of(winner), Reason::WinAdjudication, detail));
                }
            }
        }
        if let Some(rule) = self.rules.draw
            && Color::ALL.iter().all(|&side| *self.drawn.get(side) >= rule.moves)
        {
            let detail = format!(
                "both sides said for {} moves that nobody is more than {} centipawns ahead",
                rule.moves, rule.score
            );
            return Some((Verdict::Draw, Reason::DrawAdjudication, detail));
        }
        let moves = self.rules.max_moves?;
        let over = u32::try_from(plies / 2).unwrap_or(u32::MAX) >= moves;
        over.then(|| {
            let detail = format!("{moves} moves were played");
            (Verdict::Draw, Reason::MoveLimit, detail)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::types::{DrawRule, WinRule};

    /// Feeds scores of White and Black in turn, from move 1, and says after how many half-moves which reason
    /// came.
    fn decided(rules: Adjudication, scores: &[Option<i32>]) -> Option<(usize, Verdict, Reason)> {
        let mut adjudicator = Adjudicator::new(rules);
        for (ply, &score) in scores.iter().enumerate() {
            let mover = if ply % 2 == 0 { Color::White } else { Color::Black };
            adjudicator.moved(mover, ply as u32 / 2 + 1, score);
            if let Some((verdict, reason, _)) = adjudicator.decision(ply + 1) {
                return Some((ply + 1, verdict, reason));
            }
        }
        None
    }

    fn draw(from_move: u32) -> Adjudication {
        Adjudication { draw: Some(DrawRule { from_move, moves: 2, score: 10 }), ..Adjudication::default() }
    }

    fn win() -> Adjudication {
        Adjudication { win: Some(WinRule { moves: 2, score: 500 }), ..Adjudication::default() }
    }

    #[test]
    fn a_draw_needs_both_sides_in_a_row_from_the_move_on() {
        let expected = |ply| Some((ply, Verdict::Draw, Reason::DrawAdjudication));
        assert_eq!(decided(draw(1), &[Some(10), Some(-10), Some(0), Some(0)]), expected(4));
        assert_eq!(decided(draw(3), &[Some(0); 20]), expected(8));
        let broken = [Some(0), Some(0), Some(0), None, Some(0), Some(11), Some(0), Some(0), Some(0), Some(0)];
        assert_eq!(decided(draw(1), &broken), expected(10));
        assert_eq!(decided(draw(1), &[Some(0), Some(50)].repeat(10)), None);
    }

    #[test]
    fn a_win_needs_the_loser_to_agree() {
        let white = [Some(500), Some(-500), Some(32_000 - 3), Some(-31_990)];
        assert_eq!(decided(win(), &white), Some((4, Verdict::WhiteWins, Reason::WinAdjudication)));
        let black = [Some(-600), Some(600), Some(-600), Some(600)];
        assert_eq!(decided(win(), &black), Some((4, Verdict::BlackWins, Reason::WinAdjudication)));
        assert_eq!(decided(win(), &[Some(900), Some(-499)].repeat(10)), None);
        assert_eq!(decided(win(), &[Some(900), Some(900)].repeat(10)), None);
    }

    #[test]
    fn the_longest_game_is_a_draw() {
        let rules = Adjudication { max_moves: Some(3), ..Adjudication::default() };
        assert_eq!(decided(rules, &[None; 10]), Some((6, Verdict::Draw, Reason::MoveLimit)));
        assert_eq!(decided(Adjudication::default(), &[Some(0); 1000]), None);
    }
}

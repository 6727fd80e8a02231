//! Games of our searches in this process, with a number of positions for each move.

use chess::Color;

use crate::rules::position::Position;
use crate::rules::score::Score;
use crate::search::SearchReport;

/// The lead in centipawns that wins a game if both sides see it on `WON_FOR` half-moves in a row.
pub const WON: i32 = 1_000;
const WON_FOR: u32 = 5;
/// The bounds of a draw: a value within so much of equal, on so many half-moves in a row, after so
/// many half-moves of the game.
const DRAWN: (i32, u32, usize) = (8, 12, 80);
/// The longest game, in half-moves; a longer one has no result.
const LONGEST: usize = 300;

/// Plays on from a position until the rules or both sides' values end the game: returns the result
/// in PGN notation; `None` after 300 half-moves without one. `choose` is the search of the side to
/// move.
pub fn play_out(
    mut position: Position,
    mut choose: impl FnMut(&Position) -> SearchReport,
) -> Option<&'static str> {
    let mut adjudication = Adjudication::of_wins(WON, WON_FOR);
    for ply in 0..LONGEST {
        if let Some(outcome) = position.outcome() {
            return Some(outcome.result());
        }
        let report = choose(&position);
        let best = report.best_move()?;
        let score = report.score;
        if let Some(result) = adjudication.result(ply, position.side_to_move(), score) {
            return Some(result);
        }
        position.play(best).expect("the search gives legal moves");
    }
    None
}

/// Ends games when both sides see the same result.
pub(super) struct Adjudication {
    /// The winning lead in centipawns, and the number of half-moves in a row with this lead.
    wins: (i32, u32),
    /// Half-moves in a row with a win for White, or Black.
    won: [u32; 2],
    even: u32,
}

impl Adjudication {
    /// Ends a game as a win for a side ahead by so many centipawns on so many half-moves in a row.
    pub fn of_wins(centipawns: i32, half_moves: u32) -> Self {
        Adjudication {
            wins: (centipawns, half_moves),
            won: [0; 2],
            even: 0,
        }
    }

    /// Hears the value for the side to move after `ply` half-moves from the opening, and returns
    /// the result if the game is over.
    pub fn result(&mut self, ply: usize, side: Color, score: Score) -> Option<&'static str> {
        let white = if side == Color::White {
            score.0
        } else {
            -score.0
        };
        let (ahead, half_moves) = self.wins;
        count(&mut self.won[0], white >= ahead);
        count(&mut self.won[1], -white >= ahead);
        count(&mut self.even, white.abs() <= DRAWN.0);
        match self.won {
            [white, _] if white >= half_moves => Some("1-0"),
            [_, black] if black >= half_moves => Some("0-1"),
            _ if ply >= DRAWN.2 && self.even >= DRAWN.1 => Some("1/2-1/2"),
            _ => None,
        }
    }
}

/// Counts times in a row.
fn count(so_far: &mut u32, holds: bool) {
    *so_far = if holds { *so_far + 1 } else { 0 };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_end_by_the_rules_and_after_300_half_moves_without_a_result() {
        // Kings and rooks go to and fro.
        let start = Position::from_fen("k6r/8/8/8/8/8/8/K6R w - - 0 1").expect("a position");
        let mut moves = ["h1g1", "h8g8", "g1h1", "g8h8"].into_iter().cycle();
        let mut seen = 0;
        let report = |mv| SearchReport {
            variation: [mv].into_iter().collect(),
            score: Score(50),
            ..Default::default()
        };
        let choose = |position: &Position| {
            seen += 1;
            let mv = moves.next().expect("more");
            report(position.parse_move(mv).expect("legal"))
        };
        assert_eq!(play_out(start, choose), Some("1/2-1/2"));
        assert_eq!(seen, 8, "the third time");
        // Moves by chance: some games end soon, some do not.
        let lengths = (1..=20_u64).map(|mut seed| {
            let mut seen = 0;
            let choose = |position: &Position| {
                seen += 1;
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let legal = position.legal_moves();
                report(legal[(seed >> 33) as usize % legal.len()])
            };
            let result = play_out(Position::default(), choose);
            (result.is_some(), seen)
        });
        let lengths: Vec<(bool, usize)> = lengths.collect();
        assert!(lengths.iter().all(|&(ended, seen)| ended == (seen < 300)));
        assert!(
            lengths.contains(&(false, 300)) && lengths.iter().any(|&(ended, _)| ended),
            "{lengths:?}"
        );
    }

    #[test]
    fn games_end_when_both_sides_see_the_result() {
        let mut adjudication = Adjudication::of_wins(WON, WON_FOR);
        let mut results = (0..).map(|ply| {
            let (side, score) = if ply % 2 == 0 {
                (Color::White, 1_200)
            } else {
                (Color::Black, -1_200)
            };
            adjudication.result(ply, side, Score(score))
        });
        assert_eq!(results.position(|result| result.is_some()), Some(4));
        let mut adjudication = Adjudication::of_wins(WON, WON_FOR);
        let even =
            (0..).find_map(|ply| Some((ply, adjudication.result(ply, Color::White, Score(3))?)));
        assert_eq!(even, Some((80, "1/2-1/2")));
        // Only one side sees it.
        let mut adjudication = Adjudication::of_wins(WON, WON_FOR);
        let score = |ply| Score(if ply % 2 == 0 { 1_200 } else { 100 });
        assert!((0..60).all(|ply| adjudication.result(ply, Color::White, score(ply)).is_none()));
    }
}

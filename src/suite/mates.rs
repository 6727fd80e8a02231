//! Announced mates: how many were found, how many of them are the shortest, and each played out.

use serde::Serialize;
use shakmaty::Position as _;

use super::{Attempts, Problem, ThoughtLine};
use crate::arena::Opening;
use crate::arena::referee::Referee;

/// What an engine announced in problems that ask for a mate in so many moves (`dm`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Mates {
    /// Problems of mates that it answered.
    pub answered: usize,
    /// In how many of them the last score is a mate that it gives.
    pub found: usize,
    /// In how many of them that mate takes no more moves than it has to.
    pub shortest: usize,
    /// Announcements of any mate, and how many of them have a line that ends before the mate.
    pub announced: usize,
    pub incomplete: usize,
    /// Announcements that are not so, each with its position and its line: the line ends in no mate or in one
    /// at another half-move, or the mate takes fewer moves than any can.
    pub wrong: Vec<String>,
}

impl Mates {
    /// Counts and checks the lines of all problems.
    pub fn of(problems: &[Problem], engine: &Attempts) -> Mates {
        let mut mates = Mates::default();
        for (problem, attempt) in problems.iter().zip(&engine.attempts) {
            let shortest = problem.position.operations.mate_in;
            let (Some(shortest), Some(Ok(attempt))) = (shortest, attempt) else {
                continue;
            };
            mates.answered += 1;
            if let Some(moves @ 1..) = attempt.thinking.score().and_then(|score| score.mate_moves()) {
                mates.found += 1;
                mates.shortest += usize::from(moves.unsigned_abs() <= shortest);
            }
            for line in attempt.thinking.lines.iter().filter(|line| line.exact && line.score.is_mate()) {
                mates.announced += 1;
                match played_out(&problem.position.fen, shortest, line) {
                    Ok(is_complete) => mates.incomplete += usize::from(!is_complete),
                    Err(fault) => {
                        let (name, moves) = (problem.position.name(), line.pv.join(" "));
                        mates.wrong.push(format!("{name}: {fault}: {moves} ({})", problem.position.fen));
                    }
                }
            }
        }
        mates
    }
}

/// Plays the line of an announced mate to its end: whether that is the mate.
///
/// # Errors
/// The announcement is not so; the text says why.
fn played_out(fen: &str, shortest: u32, line: &ThoughtLine) -> Result<bool, String> {
    let plies = line.score.mate_distance().unwrap_or_default();
    let opening = Opening { fen: Some(fen.to_owned()), moves: line.pv.clone(), name: None };
    let game = Referee::new(&opening).map_err(|error| error.to_string())?;
    let (length, announced) = (line.pv.len(), plies.unsigned_abs() as usize);
    let is_over = game.position().legal_moves().is_empty();
    if plies > 0 && announced.div_ceil(2) < shortest as usize {
        return Err(format!("{} announced, but it takes {shortest} moves", line.score));
    }
    if length < announced && !is_over {
        return Ok(false);
    }
    if length != announced || !game.position().is_checkmate() {
        return Err(format!("{} announced, and the line is none", line.score));
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Score;
    use crate::suite::tests::told;

    #[test]
    fn announced_mates_are_played_out() {
        // 1.Ra7 and 2.Rb8#.
        let fen = "7k/8/8/8/8/8/1R6/R5K1 w - - 0 1";
        let check = |score, moves| played_out(fen, 2, &told(score, moves));
        assert_eq!(check(Score::mate_in(3), "a1a7 h8g8 b2b8"), Ok(true));
        assert_eq!(check(Score::mate_in(3), "a1a7 h8g8"), Ok(false));
        assert_eq!(check(Score::mate_in(5), "a1a7"), Ok(false));
        for (score, moves) in [
            (Score::mate_in(3), "a1a7 h8g8 b2b7"),
            (Score::mate_in(5), "a1a7 h8g8 b2b8"),
            (Score::mate_in(1), "a1a7"),
            (Score::mated_in(2), "a1a7 h8g8"),
            (Score::mate_in(3), "a1a7 h8g8 b2b8 g8h8"),
        ] {
            assert!(check(score, moves).is_err(), "{score} {moves}");
        }
    }
}

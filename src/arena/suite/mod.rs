//! Sets of positions, engines thinking about them one at a time, and the worth of their moves.
//!
//! ```text
//!  positions (EPD, FEN lists) ──> analyst (any engine, one position at a time) ──> Thinking: the move, and every line on the way to it
//!      └──> goal (what is to be found there) ──────────────────────────────────> Judgement: found and kept, when?
//!  solve: all engines at all positions, several at once
//!
//!  scripts ──> check (how an engine keeps its protocol)
//!
//!  positions, games (PGN) ──> blunders (the engine under test and a reference) ──> loss ──> summary
//! ```
//!
//! Engines are the arena's: processes with xboard or UCI. Nothing here knows the engine or the
//! search of this program, and shakmaty checks every move, in a file or from an engine.

pub mod analyst;
pub mod blunders;
pub mod check;
pub mod goal;
pub mod loss;
pub mod positions;
pub mod report;
pub mod solve;
pub mod summary;

pub use analyst::{Analyst, Fault, Question, ThinkError, Thinking, ThoughtLine};
pub use blunders::Phase;
pub use goal::{Goal, Judgement, Problem, ProblemList};
pub use loss::{Bands, DECIDED, Grade, Loss, Measure};
pub use positions::{PositionList, SuitePosition};
pub use report::Mates;
pub use solve::{Attempt, Attempted, Attempts, SuiteRun, Summary};
pub use summary::{Difference, Rate, Sample};

/// Positions, problems and games for the tests of all suites.
#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::blunders::judge::Valued;
    use super::blunders::{Case, NamedGame, games};
    use super::{Fault, PositionList, Problem, ProblemList, ThinkError, Thinking, ThoughtLine};
    use crate::rules::score::Score;

    pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    /// The content of a file of positions.
    pub fn list(text: &str) -> PositionList {
        PositionList::of("folder/my.epd", text.as_bytes())
    }

    pub fn problems(text: &str) -> Vec<Problem> {
        let all = ProblemList::of(list(text));
        assert!(all.left_out.is_empty(), "{:?}", all.left_out);
        all.problems
    }

    /// The first game of a file without errors.
    pub fn game(text: &str) -> NamedGame {
        let (mut games, errors) = games::read(Path::new("g.pgn"), text.as_bytes());
        assert!(errors.is_empty(), "{errors:?}");
        games.remove(0)
    }

    /// The cases of every move of a game.
    pub fn cases(text: &str) -> Vec<Case> {
        Case::of_game(0, &game(text), &[], false).expect("cases")
    }

    /// The first move of a line, with its worth.
    pub fn valued(line: &str, score: i32) -> Valued {
        let line: Vec<String> = line.split(' ').map(str::to_owned).collect();
        Valued {
            uci: line[0].clone(),
            san: line[0].clone(),
            score: Score(score),
            line,
            ..Valued::default()
        }
    }

    /// An exact line of an engine.
    pub fn told(score: Score, pv: &str) -> ThoughtLine {
        let pv = pv.split_whitespace().map(str::to_owned).collect();
        ThoughtLine {
            score,
            exact: true,
            pv,
            ..ThoughtLine::default()
        }
    }

    /// An engine's move, and its lines before.
    pub fn thinking(best: &str, lines: &[ThoughtLine]) -> Thinking {
        Thinking {
            best: best.to_owned(),
            san: best.to_owned(),
            lines: lines.to_vec(),
            ..Thinking::default()
        }
    }

    pub fn failed(engine: &str, fault: Fault) -> ThinkError {
        ThinkError::new(engine, START, fault)
    }
}

//! Results of suites: tables of solved problems and times; and announced mates, each played out.

use serde::Serialize;
use shakmaty::Position as _;

use super::goal::FirstSolution;
use super::{Attempt, Attempts, Problem, ThoughtLine};
use crate::arena::referee::Referee;
use crate::util::display::{Table, cells};

/// Seconds with as many figures as they need: `0.042`, `1.25`, `83.1`.
fn seconds(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => format!("{s:.3}"),
        s if s < 10.0 => format!("{s:.2}"),
        s => format!("{s:.1}"),
    }
}

fn optional<T: ToString>(thing: Option<T>) -> String {
    thing.map_or(String::new(), |thing| thing.to_string())
}

fn percent(part: usize, whole: usize) -> String {
    match whole {
        0 => String::new(),
        _ => format!("{:.1}%", 100.0 * part as f64 / whole as f64),
    }
}

fn has_points(problems: &[Problem]) -> bool {
    problems
        .iter()
        .any(|problem| problem.goal.most_points().is_some())
}

/// The table of all problems for one engine. Times and nodes are to the solution; scores are from
/// the engine's point of view.
pub fn attempts_table(problems: &[Problem], attempts: &Attempts) -> Table {
    let points = if has_points(problems) {
        " | Points:"
    } else {
        ""
    };
    let head = "Position | To find | Move | Score: | Depth: | Solved | Seconds: | Nodes:";
    let mut table = Table::headed(&format!("{head}{points}"));
    for (problem, attempt) in problems.iter().zip(&attempts.attempts) {
        let mut row = vec![problem.position.name(), problem.goal.to_string()];
        match attempt {
            None => {}
            Some(Err(error)) => row.push(error.fault.to_string()),
            Some(Ok(attempt)) => row.extend(cells_of(attempt)),
        }
        table.row(row);
    }
    table
}

fn cells_of(attempt: &Attempt) -> Vec<String> {
    let thinking = &attempt.thinking;
    let mut cells = vec![
        thinking.san.clone(),
        optional(thinking.score()),
        optional(thinking.depth()),
    ];
    match attempt.judgement.solved {
        Some(FirstSolution { at, nodes, .. }) => {
            cells.extend(["yes".to_owned(), seconds(at.as_secs_f64()), optional(nodes)])
        }
        None => cells.extend(["no", "", ""].map(str::to_owned)),
    }
    if let Some([own, most]) = attempt.judgement.points {
        cells.push(format!("{own}/{most}"));
    }
    cells
}

/// The table of totals, one row an engine.
pub fn summary_table(problems: &[Problem], engines: &[Attempts]) -> Table {
    let with_points = has_points(problems);
    let points = if with_points {
        "Points: | of: | Share: | "
    } else {
        ""
    };
    let mut table = Table::headed(&format!(
        "Engine | Solved: | of: | Share: | {points}Errors: | Mean seconds to solution: | Mean nodes to solution: | \
         Seconds in all:"
    ));
    for engine in engines {
        let summary = engine.summary(problems);
        let tried = summary.answered + summary.failed;
        let share = percent(summary.solved, tried);
        let mut row = Vec::from(cells![engine.engine, summary.solved, tried, share]);
        if with_points {
            let [own, most] = summary.points.unwrap_or_default();
            row.extend(cells![own, most, percent(own as usize, most as usize)]);
        }
        let nodes = summary.nodes_to_solution;
        row.extend([
            summary.failed.to_string(),
            optional(summary.seconds_to_solution.map(seconds)),
            optional(nodes.map(|nodes| format!("{nodes:.0}"))),
            seconds(summary.seconds),
        ]);
        table.row(row);
    }
    table
}

/// Announced mates of each engine.
pub fn mates_table(problems: &[Problem], engines: &[Attempts]) -> Table {
    let mut table = Table::headed(
        "Engine | Answered: | Mates: | Shortest: | Announced: | Incomplete: | Wrong:",
    );
    for engine in engines {
        let mates = Mates::of(problems, engine);
        table.row(cells![
            engine.engine,
            mates.answered,
            mates.found,
            mates.shortest,
            mates.announced,
            mates.incomplete,
            mates.wrong.len(),
        ]);
    }
    table
}

/// An engine's announcements in problems of a mate in so many moves (`dm`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Mates {
    /// Answered problems of mates.
    pub answered: usize,
    /// The number of those with a mate for the engine as the last score.
    pub found: usize,
    /// The number of found mates with no more moves than necessary.
    pub shortest: usize,
    /// Announcements of any mate, and those with a line ending before the mate.
    pub announced: usize,
    pub incomplete: usize,
    /// False announcements, each with its position and its line: the line ends in no mate or in one
    /// at another half-move, or the mate is shorter than possible.
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
            if let Some(score) = attempt.thinking.score()
                && let Some(moves @ 1..) = score.mate_moves()
            {
                mates.found += 1;
                mates.shortest += usize::from(moves.unsigned_abs() <= shortest);
            }
            for line in &attempt.thinking.lines {
                if !line.exact || !line.score.is_mate() {
                    continue;
                }
                mates.announced += 1;
                match played_out(&problem.position.fen, shortest, line) {
                    Ok(is_complete) => mates.incomplete += usize::from(!is_complete),
                    Err(fault) => mates.wrong.push(format!(
                        "{}: {fault}: {} ({})",
                        problem.position.name(),
                        line.pv.join(" "),
                        problem.position.fen
                    )),
                }
            }
        }
        mates
    }
}

/// Plays the line of an announced mate; returns false if the line ends before the mate.
///
/// # Errors
/// Fails if the announcement is false; the text gives the reason.
fn played_out(fen: &str, shortest: u32, line: &ThoughtLine) -> Result<bool, String> {
    let plies = line.score.mate_distance().unwrap_or_default();
    let game = Referee::after(fen, &line.pv).map_err(|error| error.to_string())?;
    let length = line.pv.len();
    let announced = plies.unsigned_abs() as usize;
    let is_over = game.position().legal_moves().is_empty();
    if plies > 0 && announced.div_ceil(2) < shortest as usize {
        return Err(format!(
            "{} announced, but it takes {shortest} moves",
            line.score
        ));
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
    use std::time::Duration;

    use super::*;
    use crate::arena::suite::tests::{START, failed, problems, thinking, told};
    use crate::arena::suite::{Fault, Thinking};
    use crate::rules::score::Score;
    use crate::util::display::Format;

    fn three_problems() -> Vec<Problem> {
        let two = format!("{START} c7 \"d4 e4\"; c8 \"10 3\"; id \"two\";\n");
        problems(&format!(
            "{START} bm e4; id \"one\";\n{two}{START} am a3; id \"three\";\n"
        ))
    }

    /// Plays e4 everywhere, and fails at the last.
    fn engine(problems: &[Problem]) -> Attempts {
        let at = Duration::from_millis(250);
        let line = ThoughtLine {
            at,
            depth: Some(7),
            nodes: Some(5000),
            ..told(Score(31), "e2e4")
        };
        let thinking = thinking("e2e4", &[line]);
        let thinking = Thinking {
            san: "e4".to_owned(),
            time: Duration::from_secs(1),
            ..thinking
        };
        let error = failed("E4", Fault::Silent(Duration::from_secs(6)));
        let attempt = |problem: &Problem| {
            Some(Ok(Attempt {
                judgement: problem.goal.judge(&thinking),
                thinking: thinking.clone(),
            }))
        };
        let attempts = vec![
            attempt(&problems[0]),
            attempt(&problems[1]),
            Some(Err(error)),
        ];
        Attempts {
            engine: "E4".to_owned(),
            attempts,
        }
    }

    #[test]
    fn tables_say_what_was_found_and_when() {
        let problems = three_problems();
        let engines = [engine(&problems), engine(&problems)];
        let table = "| Position | To find | Move | Score | Depth | Solved | Seconds | Nodes | Points |\n\
                     | --- | --- | --- | --: | --: | --- | --: | --: | --: |\n\
                     | one | e4 | e4 | +0.31 | 7 | yes | 0.250 | 5000 |  |\n\
                     | two | d4 | e4 | +0.31 | 7 | no |  |  | 3/10 |\n\
                     | three | not a3 | no move for 6 s |  |  |  |  |  |  |\n";
        assert_eq!(
            attempts_table(&problems, &engines[0]).render(Format::Markdown),
            table
        );
        let summary = summary_table(&problems, &engines[..1]).render(Format::Terminal);
        let row: Vec<&str> = summary
            .lines()
            .last()
            .expect("a row")
            .split_whitespace()
            .collect();
        assert_eq!(
            row,
            [
                "E4", "1", "3", "33.3%", "3", "10", "30.0%", "1", "0.250", "5000", "2.00"
            ]
        );
    }

    #[test]
    fn announced_mates_are_played_out() {
        // 1.Ra7 and 2.Rb8#.
        let check =
            |score, moves| played_out("7k/8/8/8/8/8/1R6/R5K1 w - - 0 1", 2, &told(score, moves));
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

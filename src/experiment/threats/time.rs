//! M2: how long a move takes.

use cpu_time::ThreadTime;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::program::{PRUNINGS, program, think};
use crate::evaluation::threats::ThreatWeights;
use crate::experiment::positions::survey;
use crate::experiment::{Conclusion, Laboratory, Part, Text, Words};
use crate::position::Position;
use crate::search::minimax::Pruning;

/// A search of one position with one way to prune.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
struct Timed {
    /// Processor time.
    seconds: f64,
    nodes: u64,
}

/// Middlegames, each searched with each way to prune, in the order of [`PRUNINGS`].
pub struct Middlegames(Vec<[Timed; 3]>);

impl Middlegames {
    fn of(&self, pruning: Pruning) -> impl Iterator<Item = Timed> + Clone {
        let index = PRUNINGS.iter().position(|&one| one == pruning).unwrap_or(0);
        self.0.iter().map(move |timed| timed[index])
    }

    /// Seconds of each search with this pruning, and beside them those without.
    pub fn pairs(&self, pruning: Pruning) -> Vec<[f64; 2]> {
        self.of(pruning).zip(self.of(Pruning::Off)).map(|(one, off)| [one.seconds, off.seconds]).collect()
    }
}

fn timed(plies: u32, pruning: Pruning, root: &Position) -> (Timed, String) {
    let mut searcher = program(plies, pruning, &ThreatWeights::DEFAULT);
    let begin = ThreadTime::now();
    let thought = think(&mut searcher, root);
    (Timed { seconds: begin.elapsed().as_secs_f64(), nodes: thought.nodes }, thought.san)
}

/// How far the program looks.
fn plies(laboratory: &Laboratory<'_>) -> u32 {
    laboratory.conditions.pick(3, 4)
}

/// The time that middlegames take.
pub fn in_middlegames(laboratory: &Laboratory<'_>) -> anyhow::Result<Middlegames> {
    let plies = plies(laboratory);
    let count = laboratory.conditions.pick(10, 40);
    survey(laboratory, "m2-middlegames", count, &[("plies", plies.into())], |root| {
        Ok(PRUNINGS.map(|pruning| timed(plies, pruning, root).0))
    })
    .map(Middlegames)
}

/// The time of every move of a game that the program plays against itself.
fn in_a_game(laboratory: &Laboratory<'_>, pruning: Pruning) -> anyhow::Result<Vec<Timed>> {
    let plies = plies(laboratory);
    let longest = laboratory.conditions.pick(20, 120);
    let settings = json!({ "plies": plies, "pruning": pruning.into_str(), "longest": longest });
    let games = laboratory.each("m2-game", &settings, 1, |_| {
        let mut position = Position::default();
        let mut times = Vec::new();
        while position.outcome().is_none() && times.len() < longest {
            let (time, san) = timed(plies, pruning, &position);
            position.play(position.parse_move(&san)?)?;
            times.push(time);
        }
        Ok(times)
    })?;
    Ok(games.into_iter().flatten().collect())
}

/// How long one way to prune takes somewhere.
#[derive(Serialize)]
struct Times {
    pruning: &'static str,
    at: &'static str,
    least: f64,
    median: f64,
    most: f64,
    positions_a_move: u64,
    million_positions_a_second: f64,
    moves: Vec<Timed>,
}

impl Times {
    fn new(pruning: Pruning, at: &'static str, moves: Vec<Timed>) -> Times {
        let mut seconds: Vec<f64> = moves.iter().map(|timed| timed.seconds).collect();
        seconds.sort_by(f64::total_cmp);
        let nth = |index: usize| seconds.get(index).copied().unwrap_or(f64::NAN);
        let nodes: u64 = moves.iter().map(|timed| timed.nodes).sum();
        Times {
            pruning: pruning.into_str(),
            at,
            least: nth(0),
            median: nth(seconds.len() / 2),
            most: nth(seconds.len().saturating_sub(1)),
            positions_a_move: nodes / moves.len().max(1) as u64,
            million_positions_a_second: nodes as f64 / seconds.iter().sum::<f64>().max(1e-9) / 1e6,
            moves,
        }
    }

    fn part(&self) -> Part {
        let Times { pruning, at, least, median, most, .. } = self;
        let statement = format!("Seconds a move with pruning `{pruning}` in {at}");
        Part::measured(statement, format!("{least:.3} to {most:.3}, median {median:.3}"))
    }
}

/// M2: Time for a move.
pub fn run(laboratory: &Laboratory<'_>, text: &Text) -> anyhow::Result<Conclusion> {
    if laboratory.conditions.are_reproducible() {
        let why = "with nodes instead of time nothing is timed";
        return Ok(Conclusion::not_run("Time for a move", why, ""));
    }
    let middlegames = in_middlegames(laboratory)?;
    let mut times = Vec::new();
    for pruning in PRUNINGS {
        times.push(Times::new(pruning, "middlegames", middlegames.of(pruning).collect()));
        times.push(Times::new(pruning, "a game", in_a_game(laboratory, pruning)?));
    }
    let words: Words<'_> = &[
        ("plies", &plies(laboratory)),
        ("count", &middlegames.0.len()),
        ("os", &std::env::consts::OS),
        ("architecture", &std::env::consts::ARCH),
    ];
    let parts = times.iter().map(Times::part).collect();
    Ok(text.conclude(laboratory, words, parts, &times).with_rows("times", &times))
}

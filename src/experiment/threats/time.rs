//! M2: how long a move takes.

use cpu_time::ThreadTime;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::program::{PRUNINGS, SOURCE, program, think};
use crate::display::{Table, cells};
use crate::evaluation::threats::ThreatWeights;
use crate::experiment::positions::{MIDDLEGAMES, survey};
use crate::experiment::{ClaimVerdict, Conclusion, Experiment, Laboratory, Part};
use crate::position::Position;
use crate::search::minimax::Pruning;

pub const EXPERIMENT: Experiment = Experiment {
    id: "M2",
    title: "Time for a move",
    claim: "Four plies take between 10 and 90 seconds.",
    source: SOURCE,
    run,
};

/// A search of one position with one way to prune.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
struct Timed {
    /// Processor time.
    seconds: f64,
    nodes: u64,
}

/// Middlegames, each searched with each way to prune, in the order of [`PRUNINGS`].
pub struct Times(Vec<[Timed; 3]>);

impl Times {
    fn of(&self, pruning: Pruning) -> impl Iterator<Item = Timed> + Clone {
        let index = PRUNINGS.iter().position(|&one| one == pruning).unwrap_or(0);
        self.0.iter().map(move |timed| timed[index])
    }

    /// Seconds of all searches together.
    pub fn total(&self, pruning: Pruning) -> f64 {
        self.of(pruning).map(|timed| timed.seconds).sum()
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
///
/// # Errors
/// As [`survey`].
pub fn in_middlegames(laboratory: &Laboratory<'_>) -> anyhow::Result<Times> {
    let plies = plies(laboratory);
    let count = laboratory.conditions.pick(10, 40);
    survey(laboratory, "m2-middlegames", count, &[("plies", plies.into())], |root| {
        Ok(PRUNINGS.map(|pruning| timed(plies, pruning, root).0))
    })
    .map(Times)
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

fn run(laboratory: &Laboratory<'_>) -> anyhow::Result<Conclusion> {
    if laboratory.conditions.are_reproducible() {
        let why = ClaimVerdict::NotRun("with nodes instead of time nothing is timed".to_owned());
        return Ok(Conclusion::new("", vec![Part::new("Time for a move", why, "")], json!(null)));
    }
    let middlegames = in_middlegames(laboratory)?;
    let mut rows = Vec::new();
    let mut parts = Vec::new();
    let mut data = Vec::new();
    for pruning in PRUNINGS {
        let game = in_a_game(laboratory, pruning)?;
        let searched: Vec<Timed> = middlegames.of(pruning).collect();
        parts.push(Part::measured(
            format!("Seconds a move with pruning `{}`", pruning.into_str()),
            format!("{}; in a game {}", in_words(&searched), in_words(&game)),
        ));
        for (what, times) in [("middlegames", &searched), ("a game", &game)] {
            let seconds: f64 = times.iter().map(|timed| timed.seconds).sum();
            let nodes: u64 = times.iter().map(|timed| timed.nodes).sum();
            let [least, middle, most] = spread(times);
            rows.push(cells![
                pruning.into_str(),
                what,
                times.len(),
                format!("{least:.3}"),
                format!("{middle:.3}"),
                format!("{most:.3}"),
                nodes / times.len().max(1) as u64,
                format!("{:.2}", nodes as f64 / seconds.max(1e-9) / 1e6)
            ]);
        }
        data.push(json!({ "pruning": pruning.into_str(), "middlegames": searched, "game": game }));
    }
    let head = "Pruning | Where | Moves: | Least: | Median: | Most: | Positions a move: | Million positions a second:";
    let table = Table::headed(head).with_rows(rows);
    let method = format!(
        "Processor time of the program, {} plies, without quiescence, in {} {MIDDLEGAMES}, and in every move of a game against itself; on this machine, \
         {} {}.",
        plies(laboratory),
        middlegames.0.len(),
        std::env::consts::OS,
        std::env::consts::ARCH
    );
    Ok(Conclusion::new(method, parts, json!(data)).with_table("Seconds a move", table))
}

/// Least, median and most seconds.
fn spread(times: &[Timed]) -> [f64; 3] {
    let mut seconds: Vec<f64> = times.iter().map(|timed| timed.seconds).collect();
    seconds.sort_by(f64::total_cmp);
    let at = |index: usize| seconds.get(index).copied().unwrap_or(f64::NAN);
    [at(0), at(seconds.len() / 2), at(seconds.len().saturating_sub(1))]
}

fn in_words(times: &[Timed]) -> String {
    let [least, middle, most] = spread(times);
    format!("{least:.3} to {most:.3}, median {middle:.3}")
}

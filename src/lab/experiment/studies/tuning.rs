//! Tuning by evolution and by the results of games, at equal cost.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::eval::{Evaluation, WeightSet};
use crate::lab::experiment::laboratory::PlayedMatch;
use crate::lab::experiment::tuning::runs::{Run, Setup, draw, mean_in_words, once, share_solved};
use crate::lab::experiment::tuning::strength::meet;
use crate::lab::experiment::words::decimal;
use crate::lab::experiment::{Conclusion, Laboratory, Text, Words};
use crate::lab::tuning::fitting::{Data, FittingTask};
use crate::lab::tuning::logistic::Options;
use crate::lab::tuning::problems::Sets;
use crate::lab::tuning::samples::{self, Recipe};
use crate::lab::tuning::{Stopped, mean_with_interval};
use crate::util::display::{Point, Series, Spread, cells};
use crate::util::system::ProcessorTime;

/// The ways, in the order of the table.
const METHODS: [&str; 2] = ["evolve", "fit"];
/// Searches of a game of samples, about.
const SEARCHES_A_GAME: u64 = 90;
/// The shares of its games at which `fit` is judged.
const SHARES: [f64; 3] = [0.25, 0.5, 1.0];
/// Seeds the games for judging all weights; no method learns from these.
const JUDGES_SEED: u64 = 1 << 32;

/// The result of a method with a seed.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Tuned {
    weights: Vec<i32>,
    searches: u64,
    /// Seconds of the processor, including other work of this program at the time; none if findings
    /// must be reproducible.
    seconds: Option<f64>,
    /// The percentage of solved held-out problems.
    held_out: f64,
    /// Searches so far, and the loss on the judging games.
    curve: Vec<[f64; 2]>,
}

impl Tuned {
    fn loss(&self) -> f64 {
        self.curve.last().map_or(f64::NAN, |&[_, loss]| loss)
    }
}

/// The data for one seed.
struct Bench<'l> {
    laboratory: &'l Laboratory,
    setup: Setup,
    /// Nodes of each move of a game of samples.
    nodes: u64,
    judges: Data,
}

/// Ways to tune, at equal cost.
pub fn run(laboratory: &Laboratory, text: &Text) -> anyhow::Result<Conclusion> {
    let conditions = &laboratory.conditions;
    let setup = Setup::paper(laboratory);
    let nodes = conditions.nodes(200, 5_000);
    let seeds = conditions.seeds.unwrap_or(conditions.pick(1, 5));
    let judges = conditions.pick(20, 400);
    let settings = json!({
        "setup": format!("{setup:?}"), "nodes": nodes, "judges": judges, "seed": conditions.seed, "seeds": seeds,
        "commit": env!("KASHAN_COMMIT"),
    });
    let bench = Bench {
        laboratory,
        setup,
        nodes,
        judges: rows(laboratory, JUDGES_SEED, nodes, judges)?,
    };
    let seed = |index: usize| conditions.seed + index as u64;
    let evolved = laboratory.each("tuning-evolve", &settings, seeds, |index| {
        bench.evolve(seed(index))
    })?;
    let searches = |index: usize| evolved[index].searches;
    let fit = laboratory.each("tuning-fit", &settings, seeds, |index| {
        bench.fit(seed(index), searches(index))
    })?;
    let of_ways = [evolved, fit];

    let table_1 = WeightSet::of(Evaluation::Factors);
    let (quiz, sets) = draw(&bench.setup, conditions.seed, conditions.seed)?;
    let solved = share_solved(table_1.row(), &sets.held_out, &quiz);
    let default_loss = bench.loss(table_1.row());
    let rounds = conditions.games(4, 200);
    let mut ways = Vec::new();
    let mut played_matches = Vec::new();
    for (tuned, way) in of_ways.iter().zip(METHODS) {
        // The first seed's plays: whoever looks for the best of several overrates it.
        let sides = [
            (way, tuned[0].weights.as_slice()),
            ("table-1", table_1.row()),
        ];
        let played_match = meet(laboratory, format!("tuning-{way}"), sides, rounds)?;
        ways.push(Way::new(way, tuned, &played_match));
        played_matches.push(played_match);
    }
    let data = json!({ "methods": METHODS, "runs": of_ways, "loss_of_table_1": default_loss, "held_out_of_table_1": solved, "ways": ways });
    let words: Words<'_> = &[
        ("games", &games_for(of_ways[0][0].searches)),
        ("nodes", &nodes),
        ("searches_a_game", &SEARCHES_A_GAME),
        ("seeds", &seeds),
        ("solved", &format_args!("{solved:.1}")),
        ("default_loss", &format_args!("{default_loss:.4}")),
        ("judges", &judges),
        ("rounds", &rounds),
    ];
    let loss = of_ways.iter().zip(METHODS).map(|(tuned, name)| {
        let points = tuned[0]
            .curve
            .iter()
            .map(|&[searches, loss]| Point::exact(searches, loss));
        Series::new(name, Spread::Bars, points)
    });
    Ok(text
        .conclude(laboratory, words, played_matches.iter().map(PlayedMatch::part).collect(), data)
        .with_rows(
            "Weights at equal cost",
            "Weights | Searches: | Processor s: | Held-out problems solved: | Loss on games: | Elo against Table I: | 95 % interval",
            ways.iter().map(Way::row),
        )
        .with_lines("loss", Some(default_loss), loss)
        .with_matches("Against Table I", "Weights", &played_matches))
}

/// The results of one way to tune: means over the seeds, and the first seed's match.
#[derive(Serialize)]
struct Way {
    way: &'static str,
    searches: f64,
    seconds: Option<f64>,
    held_out: String,
    loss: String,
    #[serde(rename = "match")]
    played_match: PlayedMatch,
}

impl Way {
    fn new(way: &'static str, tuned: &[Tuned], played_match: &PlayedMatch) -> Way {
        let values = |value: &dyn Fn(&Tuned) -> f64| tuned.iter().map(value).collect::<Vec<_>>();
        let mean = |value: &dyn Fn(&Tuned) -> f64| mean_with_interval(&values(value));
        let [loss, half] = mean(&Tuned::loss);
        Way {
            way,
            searches: mean(&|one| one.searches as f64)[0],
            seconds: tuned[0]
                .seconds
                .map(|_| mean(&|one| one.seconds.unwrap_or(0.0))[0]),
            held_out: mean_in_words(&values(&|one| one.held_out)),
            loss: format!("{loss:.4} ± {half:.4}"),
            played_match: played_match.clone(),
        }
    }

    fn row(&self) -> [String; 7] {
        let Way {
            way,
            searches,
            seconds,
            held_out,
            loss,
            played_match,
        } = self;
        let [elo, between] = played_match.elo_in_cells();
        cells![
            way,
            decimal(*searches, 0),
            decimal(*seconds, 0),
            held_out,
            loss,
            elo,
            between
        ]
    }
}

fn games_for(searches: u64) -> u64 {
    (searches / SEARCHES_A_GAME).max(4)
}

impl Bench<'_> {
    fn evolve(&self, seed: u64) -> anyhow::Result<Tuned> {
        let begun = ProcessorTime::of_program();
        let run = once(
            self.laboratory,
            &self.setup,
            self.laboratory.conditions.seed,
            seed,
        )?;
        let seconds = self.seconds(begun);
        let curve = run
            .curve
            .iter()
            .map(|point| [point.searches as f64, self.loss(&point.weights)]);
        let end = [run.searches as f64, self.loss(&run.weights)];
        let curve = curve.chain([end]).collect();
        let Run {
            weights,
            searches,
            held_out,
            ..
        } = run;
        Ok(Tuned {
            weights,
            searches,
            seconds,
            held_out,
            curve,
        })
    }

    fn fit(&self, seed: u64, searches: u64) -> anyhow::Result<Tuned> {
        let begun = ProcessorTime::of_program();
        let played = play(self.laboratory, seed, self.nodes, games_for(searches))?;
        let mut curve = Vec::new();
        let mut weights = self.middle();
        for share in SHARES {
            let some = &played[..(played.len() as f64 * share).round() as usize];
            let file = self.laboratory.keep(
                &format!("samples-{seed}-{}.epd", some.len()),
                &some.concat(),
            )?;
            let task = FittingTask {
                held_out: 0.1,
                seed,
                ..task(file, self.middle())
            };
            let data = task.read(&mut |_| {})?;
            if data.rows.is_empty() || data.held_out.is_empty() {
                continue;
            }
            weights = task.fit(&data, &mut |_| ()).weights.row().to_vec();
            curve.push([
                some.len() as f64 * SEARCHES_A_GAME as f64,
                self.loss(&weights),
            ]);
        }
        let seconds = self.seconds(begun);
        let (quiz, Sets { held_out, .. }) =
            draw(&self.setup, self.laboratory.conditions.seed, seed)?;
        let searches = played.len() as u64 * SEARCHES_A_GAME;
        Ok(Tuned {
            held_out: share_solved(&weights, &held_out, &quiz),
            weights,
            searches,
            seconds,
            curve,
        })
    }

    fn seconds(&self, begun: ProcessorTime) -> Option<f64> {
        (!self.laboratory.conditions.are_reproducible()).then(|| begun.elapsed().as_secs_f64())
    }

    /// Weights in the middle of their ranges.
    fn middle(&self) -> Vec<i32> {
        self.setup
            .table()
            .iter()
            .map(|spec| i32::midpoint(spec.min, spec.max))
            .collect()
    }

    /// Returns the logistic loss on the judging games, with the best K for these weights.
    fn loss(&self, weights: &[i32]) -> f64 {
        let units = f64::from(Evaluation::Factors.per_centipawn());
        let centipawns: Vec<f64> = weights
            .iter()
            .map(|&weight| f64::from(weight) / units)
            .collect();
        let rows = &self.judges.rows;
        rows.loss(&centipawns, rows.best_k(&centipawns))
    }
}

/// Makes a fit from these weights without held-out games.
fn task(file: PathBuf, first: Vec<i32>) -> FittingTask {
    FittingTask {
        files: vec![file],
        first: WeightSet::with_row(Evaluation::Factors, &first),
        held_out: 0.0,
        seed: 1,
        options: Options {
            pull: 0.0,
            epochs: 500,
            patience: 30,
            search_share: 0.0,
        },
    }
}

/// The positions of games, as rows.
fn rows(laboratory: &Laboratory, seed: u64, nodes: u64, games: u64) -> anyhow::Result<Data> {
    let file = laboratory.keep(
        "samples-judges.epd",
        &play(laboratory, seed, nodes, games)?.concat(),
    )?;
    let first = WeightSet::of(Evaluation::Factors).row().to_vec();
    task(file, first).read(&mut |_| {})
}

/// The positions of so many games, as lines of EPD, game by game.
fn play(laboratory: &Laboratory, seed: u64, nodes: u64, games: u64) -> anyhow::Result<Vec<String>> {
    let recipe = Recipe {
        games,
        nodes,
        seed,
        per_game: 14,
        evaluation: Evaluation::Paper,
    };
    let settings =
        json!({ "nodes": nodes, "seed": seed, "games": games, "commit": env!("KASHAN_COMMIT") });
    laboratory.each(
        &format!("samples-{seed}"),
        &settings,
        games as usize,
        |number| {
            let number = number as u64;
            let mut text = String::new();
            let mut take = |lines: &str| {
                text += lines;
                Ok(())
            };
            let recipe = Recipe {
                games: number + 1,
                ..recipe
            };
            samples::make(&recipe, number, 1, &laboratory.stop, &mut take)?;
            anyhow::ensure!(!laboratory.stop.is_said(), Stopped);
            Ok(text)
        },
    )
}

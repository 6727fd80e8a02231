//! `kashan tune cma`: CMA-ES on the same problems.

use std::time::Instant;

use anyhow::ensure;
use clap::{Args, ValueEnum};
use serde_json::json;

use super::task::{Prepared, ProblemSet, speed};
use crate::cli::common;
use crate::eval::WeightSet;
use crate::lab::tuning::Cma;
use crate::lab::tuning::cma::{CmaResult, Fitness, MOST_WEIGHTS, Trial};
use crate::lab::tuning::problems::Sets;
use crate::util::display::{LineChart, Point, Series, Spread};

/// Tune weights by CMA-ES, which learns which weights have to change together.
///
/// Every set of weights is judged by all problems: by how many it solves, or, finer, by how clearly it
/// prefers their solutions. It is for 60 weights at most; --weights chooses some of a larger set.
///
/// Control-C ends after the set of weights that is judged; the same command goes on from the journal.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    task: ProblemSet,
    /// What is made as large as possible: problems solved, or the margin of the solution over the best other
    /// move, as a probability by the logistic curve of Elo. A margin takes two searches.
    #[arg(long, value_name = "WHAT", default_value = "margin", value_parser = common::one_of::<Fitness>())]
    fitness: Fitness,
    /// About so many searches, by default as many as kashan tune evolve makes at most. A generation that was
    /// begun is finished, and to judge the first and the last weights takes some more.
    #[arg(long, value_name = "N", default_value_t = 53_856, value_parser = clap::value_parser!(u64).range(1..))]
    searches: u64,
    /// Start from the weights that the evaluation has, or from the middle of all ranges.
    #[arg(long, value_enum, default_value_t = Start::Defaults)]
    start: Start,
    /// How far around the start it looks at first, as a share of each range.
    #[arg(long, value_name = "SHARE", default_value_t = 0.1)]
    step: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Start {
    Defaults,
    Middle,
}

/// Tunes, writes and tells.
///
/// # Errors
/// Files that cannot be read or written, too few problems, options that do not fit; the user stopped it.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let step = arguments.step;
    ensure!(step > 0.0 && step <= 1.0, "--step {step} is not above 0 and up to 1");
    let prepared = arguments.task.prepare(None)?;
    let free = prepared.free.len();
    ensure!(
        free <= MOST_WEIGHTS,
        "{free} weights may change, and CMA-ES is for {MOST_WEIGHTS} at most: choose some by --weights"
    );
    let sets = prepared.sets(arguments.task.seed)?;
    let begun = Instant::now();
    let found = arguments.search(&prepared, &sets)?;
    let judge =
        |weights: &[i32]| [&sets.training, &sets.held_out].map(|problems| prepared.solved(weights, problems));
    let (solved, before) = (judge(&found.weights), judge(&arguments.start(&prepared)));
    // The weights that could not change.
    let fixed: Vec<usize> = (0..prepared.table.len()).filter(|it| !prepared.free.contains(it)).collect();
    let result = prepared.file(&found.weights, arguments.task.seed, &sets, solved, &fixed);
    let warning = match solved.iter().sum::<usize>() < before.iter().sum() {
        true => "These weights solve fewer problems than those it began with: they may well play worse.\n",
        false => "",
    };
    let counts = [sets.training.len(), sets.held_out.len()];
    let reached =
        |set: usize, what| format!("{} of {} {what} (before: {})", solved[set], counts[set], before[set]);
    let ended_early = found.reason.as_ref().map(|reason| format!(" (ended early: {reason})"));
    let searches = prepared.quiz.searches();
    let text = format!(
        "Problems solved: {}, {}\nFitness {:.3}, before {:.3}{}\n{searches} searches, {}\n{warning}",
        reached(0, "in training"),
        reached(1, "held out"),
        found.fitness,
        found.first,
        ended_early.unwrap_or_default(),
        speed(searches, begun.elapsed())
    );
    let pair = |[training, held_out]: [usize; 2]| json!({ "training": training, "held_out": held_out });
    let more = json!({
        "counts": pair(counts),
        "solved": pair(solved),
        "solved_before": pair(before),
        "fitness": found.fitness,
        "fitness_before": found.first,
        "ended_early": found.reason,
        "curve": found.curve,
    });
    let json = prepared.json(&found.weights, more);
    prepared.finish(&result, &plot(&found), &json, &text)
}

impl Arguments {
    fn search(&self, prepared: &Prepared<'_>, sets: &Sets) -> anyhow::Result<CmaResult> {
        let cma = Cma {
            fitness: self.fitness,
            searches: self.searches,
            start: self.start(prepared),
            step: self.step,
            seed: self.task.seed,
            free: prepared.free.clone(),
        };
        let mut ledger = prepared.ledger("", None)?;
        let begun = Instant::now();
        let mut observe = |trial: Trial| {
            if trial.number == 1 {
                prepared.bar.set_length(trial.of);
                common::begin_at(&prepared.bar, 0);
            }
            prepared.bar.inc(1);
            let pace = speed(prepared.quiz.searches(), begun.elapsed());
            prepared.bar.set_message(format!("sets of weights, best {:.3}, {pace}", trial.best));
        };
        prepared.work(|| cma.run(&prepared.table, &sets.training, &prepared.quiz, &mut ledger, &mut observe))
    }

    fn start(&self, prepared: &Prepared<'_>) -> Vec<i32> {
        let mut row = WeightSet::of(self.task.evaluation).row().to_vec();
        if self.start == Start::Middle {
            for &weight in &prepared.free {
                row[weight] = i32::midpoint(prepared.table[weight].min, prepared.table[weight].max);
            }
        }
        row
    }
}

fn plot(found: &CmaResult) -> LineChart {
    let points = found.curve.iter().zip(1_u32..);
    let points = points.map(|(&fitness, number)| Point::exact(f64::from(number), fitness));
    let titles = ["CMA-ES on problems", "Sets of weights judged", "Best fitness so far"];
    let series = vec![Series::new("training", Spread::None, points)];
    LineChart { reference: Some(found.first), ..LineChart::new(titles, series) }
}

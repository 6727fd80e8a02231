//! `kashan tune evolve`: Algorithm 1 of Vázquez-Fernández & Coello 2013.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::ensure;
use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::task::{Prepared, ProblemSet, deliver, speed};
use crate::cli::common;
use crate::eval::WeightsFile;
use crate::lab::experiment::tuning::runs::solved_curves;
use crate::lab::tuning::evolution::{Chosen, Counting, Evolution, Evolved, Stage};
use crate::lab::tuning::problems::Sets;
use crate::lab::tuning::{Involved, Mutation, mean_with_interval};
use crate::util::display::{Format, LineChart, Table, counted};

/// Evolve weights on tactical and positional problems.
///
/// Players with random weights try one problem after the other. As long as not all find the
/// solution, the half that has solved most has mutated children, which replace the others
/// (Vázquez-Fernández & Coello, CEC 2013, Algorithm 1). The result solves most of the problems at
/// the end.
///
/// Control-C ends after the generation; the same command goes on from the journal.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    task: ProblemSet,
    /// Defaults of the options below: the paper as it can be meant, or to the letter, where 18 of
    /// the 23 weights never change.
    #[arg(long, value_enum, default_value_t = Preset::Paper)]
    preset: Preset,
    /// N, an even number [default: 22]
    #[arg(
        long,
        value_name = "N",
        default_value_t = 22,
        hide_default_value = true
    )]
    players: usize,
    /// Gmax: generations for a problem at most [default: 50]
    #[arg(long, value_name = "N", default_value_t = 50, hide_default_value = true, value_parser = clap::value_parser!(u32).range(1..))]
    generations: u32,
    /// Kind of mutation [default: adaptive; letter with that preset]
    #[arg(long, value_name = "HOW", value_parser = common::one_of::<Mutation>())]
    mutation: Option<Mutation>,
    /// Weights that mutate [default: involved; all with preset letter]
    #[arg(long, value_name = "WHICH", value_parser = common::one_of::<Involved>())]
    mutate: Option<Involved>,
    /// Counting of solved problems: once each, or to the letter (anew for each problem, one more
    /// each generation) [default: once; letter with that preset]
    #[arg(long, value_name = "HOW", value_parser = common::one_of::<Counting>())]
    count: Option<Counting>,
    /// Keep a player's solution when the player mutates [default: only with preset letter]
    #[arg(long)]
    keep_solutions: bool,
    /// The result: the best player when all problems are asked again, or the mean of the last
    /// population [default: best; mean with preset letter]
    #[arg(long, value_name = "WHICH", value_parser = common::one_of::<Chosen>())]
    result: Option<Chosen>,
    /// The number of runs, with seeds from --seed on: the best in training is written, and the mean
    /// of all is reported.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1000))]
    runs: u64,
    /// Write the best player of the first generation here.
    #[arg(long, value_name = "FILE")]
    not_evolved: Option<PathBuf>,
    /// Tell each problem on a line of its own.
    #[arg(long)]
    verbose: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Preset {
    Paper,
    Letter,
}

/// More would not fit into memory with all their weights.
const MOST_PLAYERS: usize = 100_000;

/// A run, judged.
struct Run {
    seed: u64,
    sets: Sets,
    evolved: Evolved,
    /// Problems solved in training and held out, by the result and by the best of the first
    /// generation.
    solved: [usize; 2],
    not_evolved: [usize; 2],
}

/// Evolves, writes and tells.
///
/// # Errors
/// Unreadable or unwritable files, too few problems, options that do not fit; a stop by the user.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    ensure!(
        (2..=MOST_PLAYERS).contains(&arguments.players) && arguments.players.is_multiple_of(2),
        "--players {}: it is an even number up to {MOST_PLAYERS}, because half of the players have a child each",
        arguments.players
    );
    let prepared = arguments.task.prepare(arguments.not_evolved.as_deref())?;
    let begun = Instant::now();
    let seeds = (0..arguments.runs).map(|run| arguments.task.seed.wrapping_add(run));
    let runs = seeds
        .map(|seed| arguments.run_once(&prepared, seed))
        .collect::<anyhow::Result<Vec<_>>>()?;
    let best = runs
        .iter()
        .rev()
        .max_by_key(|run| run.solved[0])
        .expect("there is one run at least");
    let file = arguments.file(&prepared, best, &best.evolved.weights, best.solved);
    // What fails here must not cost the evolved weights.
    let first_written = arguments.not_evolved.as_ref().map(|path| {
        let first = arguments.file(&prepared, best, &best.evolved.not_evolved, best.not_evolved);
        deliver(Some(path), &first)
    });
    let searches = prepared.quiz.searches();
    let pace = format!("{searches} searches, {}", speed(searches, begun.elapsed()));
    let json = as_json(&prepared, &runs, file.weights.row());
    prepared.finish(&file, &plot(&runs), &json, &text(&prepared, &runs, &pace))?;
    first_written.unwrap_or(Ok(()))
}

impl Arguments {
    fn evolution(&self, prepared: &Prepared<'_>, seed: u64) -> Evolution {
        let letter = self.preset == Preset::Letter;
        Evolution {
            players: self.players,
            generations: self.generations,
            mutation: self.mutation.unwrap_or(if letter {
                Mutation::Letter
            } else {
                Mutation::Adaptive
            }),
            involved: self.mutate.unwrap_or(if letter {
                Involved::All
            } else {
                Involved::Deciding
            }),
            counting: self.count.unwrap_or(if letter {
                Counting::Letter
            } else {
                Counting::Once
            }),
            keeps_solution: self.keep_solutions || letter,
            chosen: self
                .result
                .unwrap_or(if letter { Chosen::Mean } else { Chosen::Best }),
            seed,
            free: prepared.free.clone(),
            watched: self.task.svg.is_some() || self.task.json,
        }
    }

    fn run_once(&self, prepared: &Prepared<'_>, seed: u64) -> anyhow::Result<Run> {
        let evolution = self.evolution(prepared, seed);
        let sets = prepared.sets(seed)?;
        let watched = if evolution.watched {
            ", each generation watched for --json or --svg"
        } else {
            ""
        };
        let run = (self.runs > 1).then_some(seed);
        let mut ledger = prepared.ledger(&format!("seed {seed}{watched}"), run)?;
        prepared.bar.set_length(sets.training.len() as u64);
        common::begin_at(&prepared.bar, 0);
        let begun = Instant::now();
        let before = prepared.quiz.searches();
        let mut observe = |stage: Stage| {
            let Stage {
                problem,
                problems,
                generation,
                solved,
                players,
                is_last,
            } = stage;
            let pace = speed(prepared.quiz.searches() - before, begun.elapsed());
            let shown = format!(
                "problems, generation {generation}: {solved} of {players} solve it, {pace}"
            );
            prepared.bar.set_message(shown);
            if is_last {
                prepared.bar.inc(1);
            }
            if is_last && self.verbose {
                let name = prepared.name_of(sets.training[problem - 1]);
                let found = format!("{solved} of {players} players solve it after");
                let generations = counted(generation, "generation");
                let text =
                    format!("problem {problem} of {problems} ({name}): {found} {generations}");
                prepared.bar.suspend(|| common::tell(&text));
            }
        };
        let problems = [sets.training.as_slice(), sets.held_out.as_slice()];
        let evolved = prepared.work(|| {
            evolution.run(
                &prepared.table,
                problems,
                &prepared.quiz,
                &mut ledger,
                &mut observe,
            )
        })?;
        let [solved, not_evolved] = [&evolved.weights, &evolved.not_evolved]
            .map(|weights| problems.map(|problems| prepared.solved(weights, problems)));
        Ok(Run {
            seed,
            solved,
            not_evolved,
            evolved,
            sets,
        })
    }

    fn file(
        &self,
        prepared: &Prepared<'_>,
        run: &Run,
        weights: &[i32],
        solved: [usize; 2],
    ) -> WeightsFile {
        let is_first = weights == run.evolved.not_evolved && weights != run.evolved.weights;
        let untouched = if is_first {
            &prepared.free
        } else {
            &run.evolved.untouched
        };
        prepared.file(weights, run.seed, &run.sets, solved, untouched)
    }
}

fn text(prepared: &Prepared<'_>, runs: &[Run], pace: &str) -> String {
    let head =
        "Seed: | Generations: | Solved, training: | held out: | Not evolved, training: | held out:";
    let mut table = Table::headed(head);
    for Run {
        seed,
        sets,
        evolved,
        solved,
        not_evolved,
    } in runs
    {
        let of = [sets.training.len(), sets.held_out.len()];
        let mut cells = vec![seed.to_string(), evolved.generations.to_string()];
        for counts in [solved, not_evolved] {
            cells.extend(
                counts
                    .iter()
                    .zip(of)
                    .map(|(solved, of)| format!("{solved} of {of}")),
            );
        }
        table.row(cells);
    }
    let mut text = table.render(Format::Terminal);
    if runs.len() > 1 {
        let mean = |solved: fn(&Run) -> [usize; 2]| {
            let share =
                |run: &Run| 100.0 * solved(run)[1] as f64 / run.sets.held_out.len().max(1) as f64;
            let [mean, half] = mean_with_interval(&runs.iter().map(share).collect::<Vec<_>>());
            format!("{mean:.1} % +- {half:.1}")
        };
        let _ = writeln!(
            text,
            "\nHeld-out problems solved, mean over {} seeds with its 95 % interval: {}; not evolved: {}.\n\
             The best in training was written. The best of many is overrated in training: believe what was held out.",
            runs.len(),
            mean(|run| run.solved),
            mean(|run| run.not_evolved)
        );
    }
    let mut changeable = runs
        .first()
        .map(|run| prepared.names(&run.evolved.untouched))
        .unwrap_or_default();
    changeable.retain(|name| {
        prepared
            .free
            .iter()
            .any(|&weight| prepared.table[weight].name == *name)
    });
    if !changeable.is_empty() {
        let _ = writeln!(text, "\nNever mutated: {}", changeable.join(", "));
    }
    let _ = writeln!(text, "\n{pace}");
    text
}

fn as_json(prepared: &Prepared<'_>, runs: &[Run], weights: &[i32]) -> Value {
    let run = |run: &Run| {
        json!({
            "seed": run.seed,
            "generations": run.evolved.generations,
            "problems": { "training": run.sets.training.len(), "held_out": run.sets.held_out.len() },
            "solved": { "training": run.solved[0], "held_out": run.solved[1] },
            "not_evolved": { "training": run.not_evolved[0], "held_out": run.not_evolved[1] },
            "never_mutated": prepared.names(&run.evolved.untouched),
            "weights": run.evolved.weights,
            "not_evolved_weights": run.evolved.not_evolved,
            "population": run.evolved.population,
            "curve": run.evolved.curve,
        })
    };
    prepared.json(
        weights,
        json!({ "runs": runs.iter().map(run).collect::<Vec<_>>() }),
    )
}

/// Solved problems by how many were learned from; of several runs the mean and where most of them
/// are.
fn plot(runs: &[Run]) -> LineChart {
    let names = [
        "training, best player",
        "training, mean of the players",
        "held out, best player",
    ];
    let curves = runs
        .iter()
        .map(|run| (run.evolved.curve.as_slice(), run.sets.held_out.len()));
    let titles = [
        "Evolution of weights on problems",
        "Problems learned from",
        "Solved (%)",
    ];
    LineChart::new(titles, solved_curves(names, &curves.collect::<Vec<_>>()))
}

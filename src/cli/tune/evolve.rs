//! `kashan tune evolve`: Algorithm 1 of Vázquez-Fernández & Coello 2013.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::ensure;
use clap::{Args, ValueEnum};
use indicatif::ProgressBar;
use rayon::ThreadPoolBuilder;
use serde_json::{Value, json};

use super::{journal, to_go_on};
use crate::arena::suite::{Problem, ProblemList};
use crate::cli::{common, print};
use crate::eval::{Evaluation, WeightSet, WeightSpec, WeightsFile, weights_mark};
use crate::lab::tuning::evolution::{self, Evolution, Evolved, Stage, solved};
use crate::lab::tuning::problems::{Choice, Sets};
use crate::lab::tuning::{Involved, Ledger, Problems};
use crate::util::display::{Format, Table, cells};
use crate::util::files::{self, OutputFile};

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
    /// Tactical problems, EPD; can be repeated.
    #[arg(long, value_name = "EPD")]
    tactical: Vec<PathBuf>,
    /// Positional problems, EPD; can be repeated. With both kinds half of the problems are of each.
    #[arg(long, value_name = "EPD")]
    positional: Vec<PathBuf>,
    /// Evaluation to tune.
    #[arg(long, value_name = "NAME", default_value = "factors", value_parser = common::one_of::<Evaluation>())]
    evaluation: Evaluation,
    /// The number of problems to learn from (numP).
    #[arg(long, value_name = "N", default_value_t = 96, value_parser = clap::value_parser!(u32).range(1..))]
    problems: u32,
    /// Depth of the solving search, in half-moves; captures follow.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=20))]
    plies: u32,
    /// The held-out share of each kind, to judge by.
    #[arg(long, value_name = "SHARE", default_value_t = 0.2)]
    held_out: f64,
    /// Seed of the tuning: the same seed makes the same weights, with any number of threads.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The paper as it can be meant, or to the letter: the mean of the last population, in which 18
    /// of the 23 weights never change.
    #[arg(long, value_enum, default_value_t = Preset::Paper)]
    preset: Preset,
    /// N, an even number.
    #[arg(long, value_name = "N", default_value_t = 22)]
    players: usize,
    /// Gmax: generations for a problem at most.
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    generations: u32,
    /// Weights that mutate [default: involved; all with preset letter]
    #[arg(long, value_name = "WHICH", value_parser = common::one_of::<Involved>())]
    mutate: Option<Involved>,
    /// Write the weights here [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Keep a journal here: the same command continues from it [default: with --output,
    /// FILE.journal]
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// The number of threads [default: as many as the machine has]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true, value_parser = super::threads())]
    threads: usize,
    /// Stop with an error if a line of the problems cannot be read, or asks for nothing.
    #[arg(long)]
    strict: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Preset {
    Paper,
    Letter,
}

/// The command in the files of weights.
const COMMAND: &str = "kashan tune evolve";

/// More would not fit into memory with all their weights.
const MOST_PLAYERS: usize = 100_000;

/// An evolution with all its files read.
struct Task<'a> {
    arguments: &'a Arguments,
    problems: Vec<Problem>,
    quiz: Problems,
    sets: Sets,
    table: Vec<WeightSpec>,
    evolution: Evolution,
}

/// Evolves, writes and tells.
///
/// # Errors
/// Unreadable or unwritable files, too few problems, options that do not fit; a stop by the user.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let task = Task::read(arguments)?;
    let bar = common::progress_bar(task.sets.training.len(), "problems");
    let stop = common::stopped_by_signals(&bar, "this generation");
    let journal = journal(arguments.journal.as_deref(), arguments.output.as_deref());
    let settings = task.settings();
    let (mut ledger, torn) = Ledger::open(journal.as_deref(), &settings, &stop)?;
    torn.iter().for_each(|torn| common::warn(&bar, torn));
    if ledger.known() > 0 {
        let known = ledger.known();
        common::warn(
            &bar,
            &format!("going on from the journal, which has {known} answers"),
        );
    }
    let pool = ThreadPoolBuilder::new()
        .num_threads(arguments.threads)
        .build()?;
    let begun = Instant::now();
    let evolved = pool.install(|| task.evolve(&mut ledger, &bar));
    bar.finish_and_clear();
    let evolved = evolved.map_err(|error| to_go_on(error, journal.as_deref()))?;
    let report = pool.install(|| task.report(&evolved));
    let searches = task.quiz.searches();
    let speed = searches as f64 / begun.elapsed().as_secs_f64().max(1e-3);
    let mut text = report.text();
    text += &format!("\n{searches} searches, {speed:.0} searches/s\n");
    let file = task.file(&report);
    let weights = file.to_text();
    match &arguments.output {
        Some(path) => OutputFile::report(path, &file.mark()).write(weights.as_bytes())?,
        None => {
            // Standard output has the weights.
            eprint!("{text}");
            return print(&weights);
        }
    }
    print(&text)
}

impl Task<'_> {
    /// Reads the problems and warns of unusable lines.
    ///
    /// # Errors
    /// Unreadable files, or files that may not be written; with `--strict` any unusable line;
    /// too few problems, options that do not fit.
    fn read(arguments: &Arguments) -> anyhow::Result<Task<'_>> {
        arguments.check()?;
        let mut problems = Vec::new();
        let mut left_out = Vec::new();
        let mut kinds = Vec::new();
        for (kind, files) in [
            ("tactical", &arguments.tactical),
            ("positional", &arguments.positional),
        ] {
            let list = ProblemList::read(files)?;
            ensure!(
                files.is_empty() || !list.problems.is_empty(),
                "there are no {kind} problems in what was read"
            );
            kinds.push((kind, list.problems.len()));
            problems.extend(list.problems);
            left_out.extend(list.left_out);
        }
        common::tell_left_out(&left_out, "line", arguments.strict)?;
        let choice = Choice {
            count: arguments.problems as usize,
            held_out: arguments.held_out,
            split: arguments.seed,
            seed: arguments.seed,
        };
        let table = arguments.evaluation.table();
        ensure!(
            !table.is_empty(),
            "--evaluation network has no weights: kashan tune network makes networks"
        );
        Ok(Task {
            arguments,
            quiz: Problems::new(&problems, arguments.evaluation, arguments.plies)?,
            problems,
            sets: choice.draw(&kinds)?,
            evolution: arguments.evolution(&table),
            table,
        })
    }

    /// Returns all settings with an effect on the weights.
    fn settings(&self) -> Value {
        json!({
            "command": COMMAND,
            "evolution": self.evolution,
            "evaluation": self.arguments.evaluation,
            "num_p": self.arguments.problems,
            "plies": self.arguments.plies,
            "held_out": self.arguments.held_out,
            "problems": Problems::fingerprint(&self.problems),
            "program": env!("KASHAN_COMMIT"),
        })
    }

    fn evolve(&self, ledger: &mut Ledger, bar: &ProgressBar) -> anyhow::Result<Evolved> {
        let mut observe = |stage: Stage| {
            bar.set_message(format!(
                "problems, generation {}: {} of {} solve it",
                stage.generation, stage.solved, stage.players
            ));
            if stage.is_last {
                bar.inc(1);
            }
        };
        let training = &self.sets.training;
        self.evolution
            .run(&self.table, training, &self.quiz, ledger, &mut observe)
    }

    /// Judges the result by the problems of both sets.
    fn report<'t>(&'t self, evolved: &'t Evolved) -> Report<'t> {
        let counts = |problems: &[usize]| Counts {
            problems: problems.len(),
            solved: solved(&evolved.weights, problems, &self.quiz),
            not_evolved: solved(&evolved.not_evolved, problems, &self.quiz),
        };
        Report {
            training: counts(&self.sets.training),
            held_out: counts(&self.sets.held_out),
            weights: &evolved.weights,
            never_mutated: self.never_mutated(evolved),
        }
    }

    /// Returns the names of weights that might have mutated and did not, those of a row once.
    fn never_mutated(&self, evolved: &Evolved) -> Vec<&str> {
        let mut names = Vec::new();
        for weight in &evolved.untouched {
            if self.evolution.free.contains(weight) {
                names.push(self.table[*weight].name.as_str());
            }
        }
        names.dedup();
        names
    }

    fn file(&self, report: &Report<'_>) -> WeightsFile {
        let of = |counts: &Counts| format!("{} of {}", counts.solved, counts.problems).into();
        let made: [(&str, toml::Value); 5] = [
            ("command", COMMAND.into()),
            // TOML has no numbers as large as a seed may be.
            ("settings", self.settings().to_string().into()),
            ("solved", of(&report.training)),
            ("solved_held_out", of(&report.held_out)),
            ("never_mutated", report.never_mutated.clone().into()),
        ];
        WeightsFile {
            weights: WeightSet::with_row(self.arguments.evaluation, report.weights),
            made: made
                .map(|(key, value)| (key.to_owned(), value))
                .into_iter()
                .collect(),
        }
    }
}

impl Arguments {
    /// Checks the options, and that the files can be written.
    fn check(&self) -> anyhow::Result<()> {
        let mark = weights_mark(COMMAND);
        let weights = self.output.as_deref();
        let weights = weights.map(|path| OutputFile::report(path, &mark));
        let journal = self.journal.as_deref().map(OutputFile::with_own_rules);
        let inputs = [self.tactical.as_slice(), self.positional.as_slice()].concat();
        files::check(&inputs, weights.into_iter().chain(journal))?;
        ensure!(
            (2..=MOST_PLAYERS).contains(&self.players) && self.players.is_multiple_of(2),
            "--players {}: it is an even number up to {MOST_PLAYERS}, because half of the players have a child each",
            self.players
        );
        ensure!(
            (0.0..1.0).contains(&self.held_out),
            "--held-out {} is not from 0 to below 1",
            self.held_out
        );
        ensure!(
            !inputs.is_empty(),
            "there are no problems: --tactical EPD, --positional EPD, or both. Kashan's source has some: \
             tests/suites/tactical100.epd and tests/suites/quiet100.epd"
        );
        Ok(())
    }

    fn evolution(&self, table: &[WeightSpec]) -> Evolution {
        let preset = match self.preset {
            Preset::Paper => Evolution::paper(),
            Preset::Letter => Evolution::letter(),
        };
        Evolution {
            players: self.players,
            generations: self.generations,
            involved: self.mutate.unwrap_or(preset.involved),
            seed: self.seed,
            free: evolution::free(table),
            ..preset
        }
    }
}

/// The result of an evolution, judged.
struct Report<'t> {
    training: Counts,
    held_out: Counts,
    weights: &'t [i32],
    never_mutated: Vec<&'t str>,
}

/// The numbers of solved problems: by the result, and by the best of the first generation.
struct Counts {
    problems: usize,
    solved: usize,
    not_evolved: usize,
}

impl Report<'_> {
    fn text(&self) -> String {
        let mut table = Table::headed("Problems | In all: | Solved: | Solved, not evolved:");
        for (name, counts) in [("training", &self.training), ("held out", &self.held_out)] {
            table.row(cells![
                name,
                counts.problems,
                counts.solved,
                counts.not_evolved
            ]);
        }
        let mut text = table.render(Format::Terminal);
        if !self.never_mutated.is_empty() {
            text += &format!("\nNever mutated: {}\n", self.never_mutated.join(", "));
        }
        text
    }
}

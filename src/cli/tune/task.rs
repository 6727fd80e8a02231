//! The parts in common to all tuning on problems: the problems, and the files for the result.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, ensure};
use clap::Args;
use indicatif::ProgressBar;
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde_json::{Value, json};

use crate::arena::suite::{Problem, ProblemList};
use crate::cli::{common, print, whole_command};
use crate::eval::{Evaluation, WeightSet, WeightSpec, WeightsFile, weights_mark};
use crate::lab::tuning::problems::{Choice, Sets};
use crate::lab::tuning::{Ledger, Problems, Stopped};
use crate::util::display::{LineChart, PLOT_MARK};
use crate::util::files::{self, OutputFile};
use crate::util::jobs::StopRequest;

/// Problems, and where the result goes.
#[derive(Debug, Args)]
pub struct ProblemSet {
    /// Tactical problems, EPD; can be repeated.
    #[arg(long, value_name = "EPD")]
    tactical: Vec<PathBuf>,
    /// Positional problems, EPD; can be repeated. With both kinds half of the problems are of each.
    #[arg(long, value_name = "EPD")]
    positional: Vec<PathBuf>,
    /// Evaluation to tune.
    #[arg(long, value_name = "NAME", default_value = "factors", value_parser = common::one_of::<Evaluation>())]
    pub evaluation: Evaluation,
    /// Weights to change, by the names in kashan tune show: A, A..B for A to B, several with
    /// commas.
    #[arg(long, value_name = "RANGE")]
    weights: Option<String>,
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
    pub seed: u64,
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
    /// Write one JSON object to standard output instead of a text.
    #[arg(long)]
    pub json: bool,
    /// Draw the progress.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

/// Options without an effect on the weights.
const ABOUT_FILES: [&str; 8] = [
    "output",
    "journal",
    "threads",
    "strict",
    "json",
    "svg",
    "not-evolved",
    "verbose",
];

/// A task with all its files read.
pub struct Prepared<'a> {
    task: &'a ProblemSet,
    /// The command to make the same weights again.
    command: String,
    kinds: [(&'static str, usize); 2],
    problems: Vec<Problem>,
    pub quiz: Problems,
    pub table: Vec<WeightSpec>,
    /// The weights free to change.
    pub free: Vec<usize>,
    left_out: Vec<String>,
    stop: StopRequest,
    pub bar: ProgressBar,
    pool: ThreadPool,
}

impl ProblemSet {
    /// Reads the problems and warns of unusable lines. `more_weights` is another file of weights to
    /// be written.
    ///
    /// # Errors
    /// Unreadable files, or files that may not be written; with `--strict` any unusable line;
    /// unknown weights.
    pub fn prepare(&self, more_weights: Option<&Path>) -> anyhow::Result<Prepared<'_>> {
        let weights = [self.output.as_deref(), more_weights].into_iter().flatten();
        let command = whole_command(&ABOUT_FILES);
        let mark = weights_mark(&command);
        let weights = weights.map(|path| OutputFile::report(path, &mark));
        let drawing = self
            .svg
            .as_deref()
            .map(|path| OutputFile::report(path, PLOT_MARK));
        let journal = self.journal.as_deref().map(OutputFile::with_own_rules);
        let inputs = [self.tactical.as_slice(), self.positional.as_slice()].concat();
        files::check(&inputs, weights.chain(drawing).chain(journal))?;
        ensure!(
            (0.0..1.0).contains(&self.held_out),
            "--held-out {} is not from 0 to below 1",
            self.held_out
        );
        ensure!(
            !(self.tactical.is_empty() && self.positional.is_empty()),
            "there are no problems: --tactical EPD, --positional EPD, or both. Kashan's source has some: \
             tests/suites/tactical100.epd and tests/suites/quiet100.epd"
        );
        let [tactical, positional] = [
            ProblemList::read(&self.tactical)?,
            ProblemList::read(&self.positional)?,
        ];
        let left_out = [tactical.left_out, positional.left_out].concat();
        common::tell_left_out(&left_out, "line", self.strict)?;
        let kinds = [
            ("tactical", tactical.problems.len()),
            ("positional", positional.problems.len()),
        ];
        for ((kind, count), files) in kinds.iter().zip([&self.tactical, &self.positional]) {
            ensure!(
                files.is_empty() || *count > 0,
                "there are no {kind} problems in what was read"
            );
        }
        let problems = [tactical.problems, positional.problems].concat();
        let table = self.evaluation.table();
        let bar = common::progress_bar(0, "");
        let stop = common::stopped_by_signals(&bar, "this generation");
        Ok(Prepared {
            task: self,
            command,
            kinds,
            quiz: Problems::new(&problems, self.evaluation, self.plies)?,
            problems,
            free: free_weights(&table, self.weights.as_deref())?,
            table,
            left_out,
            stop,
            bar,
            pool: ThreadPoolBuilder::new()
                .num_threads(self.threads)
                .build()
                .context("no threads")?,
        })
    }
}

impl Prepared<'_> {
    /// The problems of a seed.
    pub fn sets(&self, seed: u64) -> anyhow::Result<Sets> {
        let ProblemSet {
            problems,
            held_out,
            seed: split,
            ..
        } = *self.task;
        Choice {
            count: problems as usize,
            held_out,
            split,
            seed,
        }
        .draw(&self.kinds)
    }

    /// Returns a number that identifies the set of problems.
    pub fn fingerprint(&self) -> String {
        Problems::fingerprint(&self.problems)
    }

    pub fn name_of(&self, problem: usize) -> String {
        self.problems[problem].position.name()
    }

    /// Opens the journal of a run, for this command only; `about` describes the run further.
    pub fn ledger(&self, about: &str, run: Option<u64>) -> anyhow::Result<Ledger> {
        let command = whole_command(&[&ABOUT_FILES[..], &["runs"]].concat());
        let mut words = command.split(" --");
        let name = words.next();
        // One by one, so that what differs is named, and nothing else.
        let mut options: BTreeMap<&str, String> = BTreeMap::new();
        for (option, value) in words.map(|word| word.split_once(' ').unwrap_or((word, "given"))) {
            options
                .entry(option)
                .and_modify(|known| *known += " ")
                .or_default()
                .push_str(value);
        }
        let settings = json!({
            "command": name,
            "options": options,
            "run": about,
            "problems": self.fingerprint(),
            "program": env!("KASHAN_COMMIT"),
        });
        let path = self.journal(run);
        let (ledger, torn) = Ledger::open(path.as_deref(), &settings, &self.stop)?;
        torn.iter().for_each(|torn| common::warn(&self.bar, torn));
        let known = ledger.known();
        if known > 0 {
            common::warn(
                &self.bar,
                &format!("going on from the journal, which has {known} answers"),
            );
        }
        Ok(ledger)
    }

    fn journal(&self, run: Option<u64>) -> Option<PathBuf> {
        let path = journal(self.task.journal.as_deref(), self.task.output.as_deref())?;
        Some(match run {
            Some(run) => files::beside(&path, &format!(".{run}")),
            None => path,
        })
    }

    /// Runs work whose parallel parts use the chosen number of threads; describes a stop in words.
    pub fn work<T: Send>(
        &self,
        act: impl FnOnce() -> anyhow::Result<T> + Send,
    ) -> anyhow::Result<T> {
        let result = self.pool.install(act);
        self.bar.finish_and_clear();
        result.map_err(|error| to_go_on(error, self.journal(None).as_deref()))
    }

    /// Returns the number of these problems that a set of weights solves.
    pub fn solved(&self, weights: &[i32], problems: &[usize]) -> usize {
        self.pool
            .install(|| crate::lab::tuning::evolution::solved(weights, problems, &self.quiz))
    }

    /// Returns the file of weights made from the problems of a seed, with the numbers of solved
    /// problems.
    pub fn file(
        &self,
        weights: &[i32],
        seed: u64,
        sets: &Sets,
        solved: [usize; 2],
        never_mutated: &[usize],
    ) -> WeightsFile {
        let made = [
            ("command", json!(self.command)),
            ("commit", json!(env!("KASHAN_COMMIT"))),
            ("seed", json!(seed)),
            ("problems", json!(self.fingerprint())),
            (
                "solved",
                json!(format!("{} of {}", solved[0], sets.training.len())),
            ),
            (
                "solved_held_out",
                json!(format!("{} of {}", solved[1], sets.held_out.len())),
            ),
            ("never_mutated", json!(self.names(never_mutated))),
        ];
        WeightsFile {
            weights: WeightSet::with_row(self.task.evaluation, weights),
            made: in_toml(made),
        }
    }

    /// Returns the JSON object of a command: the weights, their origin, and `more`.
    pub fn json(&self, weights: &[i32], more: Value) -> Value {
        let mut json = json!({
            "command": self.command,
            "commit": env!("KASHAN_COMMIT"),
            "problems": self.fingerprint(),
            "left_out": self.left_out,
            "names": self.table.iter().map(|spec| &spec.name).collect::<Vec<_>>(),
            "per_centipawn": self.task.evaluation.per_centipawn(),
            "weights": weights,
        });
        if let (Value::Object(all), Value::Object(more)) = (&mut json, more) {
            all.extend(more);
        }
        json
    }

    /// Writes the weights and the drawing, and reports the result; without `--output` the weights
    /// are printed.
    pub fn finish(
        &self,
        file: &WeightsFile,
        chart: &LineChart,
        json: &Value,
        text: &str,
    ) -> anyhow::Result<()> {
        let ProblemSet {
            output,
            json: is_json,
            svg,
            ..
        } = self.task;
        if output.is_some() || !is_json {
            deliver(output.as_deref(), file)?;
        }
        if let Some(path) = svg {
            OutputFile::report(path, PLOT_MARK).write(chart.to_svg().as_bytes())?;
        }
        match (is_json, output) {
            (true, _) => print(&format!("{json:#}\n"))?,
            (false, Some(_)) => print(text)?,
            (false, None) => eprint!("{text}"),
        }
        Ok(())
    }

    /// Names of weights, rows as one.
    pub fn names(&self, weights: &[usize]) -> Vec<String> {
        let mut names: Vec<String> = weights
            .iter()
            .map(|&weight| self.table[weight].name.clone())
            .collect();
        names.dedup();
        names
    }
}

/// Returns the origin of weights for their file. TOML has no numbers as large as a seed may be.
pub fn in_toml<const N: usize>(made: [(&str, Value); N]) -> toml::Table {
    let in_toml =
        |value: &Value| toml::Value::try_from(value).unwrap_or_else(|_| value.to_string().into());
    made.iter()
        .map(|(key, value)| ((*key).to_owned(), in_toml(value)))
        .collect()
}

/// Returns the path of the journal: the user's choice, or a file beside the output, unless the
/// output is a device or a pipe.
pub fn journal(named: Option<&Path>, output: Option<&Path>) -> Option<PathBuf> {
    let is_file = |path: &&Path| path.is_file() || !path.exists();
    let beside = || Some(files::beside(output.filter(is_file)?, ".journal"));
    named.map(Path::to_owned).or_else(beside)
}

/// Adds the way to continue to a stop by the user; other errors are unchanged.
pub fn to_go_on(error: anyhow::Error, journal: Option<&Path>) -> anyhow::Error {
    match journal.map(Path::display) {
        _ if !error.is::<Stopped>() => error,
        Some(path) => error.context(format!("the same command does the rest (journal {path})")),
        None => error.context("without --output or --journal it cannot be continued"),
    }
}

/// Writes the file of weights, or prints the weights if there is no file.
pub fn deliver(output: Option<&Path>, file: &WeightsFile) -> anyhow::Result<()> {
    match output {
        Some(path) => OutputFile::report(path, &file.mark()).write(file.to_text().as_bytes()),
        None => print(&file.to_text()),
    }
}

/// Searches a second, for the bar.
pub fn speed(searches: u64, time: Duration) -> String {
    format!(
        "{:.0} searches/s",
        searches as f64 / time.as_secs_f64().max(1e-3)
    )
}

/// Returns the free weights: weights with a range, and among those only the named ones.
fn free_weights(table: &[WeightSpec], range: Option<&str>) -> anyhow::Result<Vec<usize>> {
    let mut named = vec![range.is_none(); table.len()];
    for part in range.into_iter().flat_map(|range| range.split(',')) {
        let place = |name: &str| {
            let name = name.trim();
            let is_it = |spec: &WeightSpec| spec.name == name || spec.field() == name;
            let first = table.iter().position(is_it);
            let both = first.zip(table.iter().rposition(is_it));
            both.with_context(|| {
                format!("--weights: there is no weight \"{name}\" in this evaluation")
            })
        };
        let (first, last) = part.split_once("..").unwrap_or((part, part));
        let ((first, _), (_, last)) = (place(first)?, place(last)?);
        ensure!(
            first <= last,
            "--weights {part}: the second comes before the first"
        );
        named[first..=last].fill(true);
    }
    let free: Vec<usize> = (0..table.len())
        .filter(|&weight| named[weight] && table[weight].min < table[weight].max)
        .collect();
    ensure!(!free.is_empty(), "--weights: what was named never changes");
    Ok(free)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_named_singly_and_in_ranges() {
        let table = Evaluation::Factors.table();
        let names = |range| -> Result<Vec<String>, String> {
            let free = free_weights(&table, range).map_err(|error| error.to_string())?;
            Ok(free
                .into_iter()
                .map(|weight| table[weight].name.clone())
                .collect())
        };
        assert_eq!(
            names(None).expect("all").len(),
            22,
            "the pawn never changes"
        );
        let some = names(Some("rook..queen, pawn_passed")).expect("weights");
        assert_eq!(some, ["rook", "queen", "pawn_passed"]);
        assert_eq!(
            free_weights(&Evaluation::Paper.table(), Some("knight_tropism"))
                .expect("a row")
                .len(),
            8
        );
        for (range, word) in [
            ("elephant", "\"elephant\""),
            ("queen..rook", "before"),
            ("pawn", "never"),
        ] {
            let error = names(Some(range)).expect_err(range);
            assert!(error.contains(word), "{error}");
        }
    }
}

//! `kashan tune`: weights of an evaluation from problems, or from the results of games; and options
//! of a search from games; and a look at what came out.

mod evolve;
mod fit;
mod network;
mod play;
mod self_play;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::builder::RangedU64ValueParser;
use clap::{Args, Subcommand};
use serde_json::Value;

use super::print;
use crate::eval::{WeightSpec, WeightsFile};
use crate::lab::tuning::Stopped;
use crate::util::display::{Format, Table};
use crate::util::files::{self, OutputFile};

/// Tune the weights of an evaluation, and look at the result; or options of a search.
///
/// The result, but for kashan tune play, is a file of weights for every engine of ours: option
/// WeightsFile at xboard, UCI and the terminal (kashan match kashan:alphabeta kashan:alphabeta
/// --option 1:WeightsFile=my.toml), and kashan eval --weights.
///
/// Problems are EPD lines with bm, am, dm or points; tests/suites in Kashan's source has tactical
/// and quiet ones. The results of games come from the games of kashan tune samples, or from any EPD
/// or PGN.
#[derive(Debug, Subcommand)]
pub enum Command {
    Evolve(Box<evolve::Arguments>),
    Samples(fit::Samples),
    SelfPlay(self_play::Arguments),
    Network(network::Arguments),
    Fit(Box<fit::Fit>),
    Play(play::Arguments),
    Show(Show),
}

/// Runs the subcommand.
///
/// # Errors
/// Failures, in words for the user.
pub fn run(command: &Command) -> anyhow::Result<()> {
    match command {
        Command::Evolve(arguments) => evolve::run(arguments),
        Command::Samples(arguments) => fit::make_samples(arguments),
        Command::SelfPlay(arguments) => self_play::run(arguments),
        Command::Network(arguments) => network::run(arguments),
        Command::Fit(arguments) => fit::run(arguments),
        Command::Play(arguments) => play::run(arguments),
        Command::Show(arguments) => show(arguments),
    }
}

/// Parses a number of threads: many more than there are cores are no help, and the system ends a
/// program that wants too many.
fn threads() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(..=1024)
}

/// Returns the origin of weights for their file. TOML has no numbers as large as a seed may be.
fn in_toml<const N: usize>(made: [(&str, Value); N]) -> toml::Table {
    let in_toml =
        |value: &Value| toml::Value::try_from(value).unwrap_or_else(|_| value.to_string().into());
    made.iter()
        .map(|(key, value)| ((*key).to_owned(), in_toml(value)))
        .collect()
}

/// Returns the path of the journal: the user's choice, or a file beside the output, unless the
/// output is a device or a pipe.
fn journal(named: Option<&Path>, output: Option<&Path>) -> Option<PathBuf> {
    let is_file = |path: &&Path| path.is_file() || !path.exists();
    let beside = || Some(files::beside(output.filter(is_file)?, ".journal"));
    named.map(Path::to_owned).or_else(beside)
}

/// Adds the way to continue to a stop by the user; other errors are unchanged.
fn to_go_on(error: anyhow::Error, journal: Option<&Path>) -> anyhow::Error {
    match journal.map(Path::display) {
        _ if !error.is::<Stopped>() => error,
        Some(path) => error.context(format!("the same command does the rest (journal {path})")),
        None => error.context("without --output or --journal it cannot be continued"),
    }
}

/// Writes the file of weights, or prints the weights if there is no file.
fn deliver(output: Option<&Path>, file: &WeightsFile) -> anyhow::Result<()> {
    match output {
        Some(path) => OutputFile::report(path, &file.mark()).write(file.to_text().as_bytes()),
        None => print(&file.to_text()),
    }
}

/// Show a file of weights beside the defaults: the largest changes, weights at a bound, weights
/// that never mutated.
///
/// The weights that moved most, by the share of their range, come first.
#[derive(Debug, Args)]
pub struct Show {
    /// A file of weights from kashan tune.
    #[arg(value_name = "FILE.toml")]
    file: PathBuf,
    /// Show unchanged weights, too.
    #[arg(long)]
    all: bool,
}

/// A weight beside its default, in centipawns or percent.
struct Moved {
    name: String,
    about: &'static str,
    default: f64,
    weight: f64,
    low: f64,
    high: f64,
    change: f64,
    share_of_range: f64,
    remark: &'static str,
}

/// Prints the table of `kashan tune show`: weights beside the defaults.
fn show(arguments: &Show) -> anyhow::Result<()> {
    let file = WeightsFile::load(&arguments.file)?;
    print(&text(&file, arguments.all))
}

impl Moved {
    fn new(file: &WeightsFile, spec: WeightSpec, weight: i32) -> Moved {
        let units = f64::from(file.weights.evaluation().per_centipawn());
        let never = file
            .made
            .get("never_mutated")
            .and_then(toml::Value::as_array);
        let is_never_mutated =
            never.is_some_and(|names| names.iter().any(|name| name.as_str() == Some(&spec.name)));
        let change = weight - spec.default;
        Moved {
            default: f64::from(spec.default) / units,
            weight: f64::from(weight) / units,
            low: f64::from(spec.min) / units,
            high: f64::from(spec.max) / units,
            change: f64::from(change) / units,
            share_of_range: f64::from(change) / f64::from((spec.max - spec.min).max(1)),
            remark: match () {
                () if spec.min == spec.max => "fixed",
                () if is_never_mutated => "never mutated",
                () if weight == spec.max => "at its upper bound",
                () if weight == spec.min => "at its lower bound",
                () => "",
            },
            name: spec.name,
            about: spec.about,
        }
    }
}

/// Returns all weights, the largest changes first.
fn moved(file: &WeightsFile) -> Vec<Moved> {
    let weights = file
        .weights
        .evaluation()
        .table()
        .into_iter()
        .zip(file.weights.row());
    let mut moved: Vec<Moved> = weights
        .map(|(spec, &weight)| Moved::new(file, spec, weight))
        .collect();
    moved.sort_by(|a, b| b.share_of_range.abs().total_cmp(&a.share_of_range.abs()));
    moved
}

fn text(file: &WeightsFile, all: bool) -> String {
    let name: &str = file.weights.evaluation().into();
    let moved = moved(file);
    let mut table =
        Table::headed("Weight | Default: | Here: | Change: | Of range: | Range: | Remark");
    for one in moved
        .iter()
        .filter(|one| all || one.change != 0.0 || !one.remark.is_empty())
    {
        let unit = if one.about.starts_with("Percent") {
            " %"
        } else {
            ""
        };
        let sign = if one.change > 0.0 { "+" } else { "" };
        table.row([
            one.name.clone(),
            format!("{}{unit}", one.default),
            format!("{}{unit}", one.weight),
            format!("{sign}{}{unit}", one.change),
            format!("{:+.0} %", 100.0 * one.share_of_range),
            format!("{}{unit}..{}{unit}", one.low, one.high),
            one.remark.to_owned(),
        ]);
    }
    let mut text = format!(
        "Weights of evaluation {name}, in centipawns where it is not %, those first that moved most.\n\n"
    );
    text += &table.render(Format::Terminal);
    let changed = moved.iter().filter(|one| one.change != 0.0).count();
    let bounds = moved
        .iter()
        .filter(|one| one.remark.starts_with("at its"))
        .count();
    let _ = writeln!(
        text,
        "\n{changed} of {} weights differ from their defaults; {bounds} of them {} at a bound of their range.",
        moved.len(),
        if bounds == 1 { "is" } else { "are" },
    );
    if !file.made.is_empty() {
        text.push_str("\nHow they were made:\n");
        for (key, value) in file.made.iter().filter(|(key, _)| *key != "never_mutated") {
            let value = value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned);
            let _ = writeln!(text, "  {}: {value}", key.replace('_', " "));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Evaluation, WeightSet};

    #[test]
    fn what_moved_most_comes_first_and_bounds_are_named() {
        let table = Evaluation::Factors.table();
        let mut row = WeightSet::of(Evaluation::Factors).row().to_vec();
        let place = |name: &str| table.iter().position(|spec| spec.name == name).expect(name);
        row[place("knight")] += 100;
        row[place("queen_mobility")] = 10_000;
        let made = toml::from_str("seed = 7\nnever_mutated = [\"pawn\", \"rook\"]").expect("TOML");
        let file = WeightsFile {
            weights: WeightSet::with_row(Evaluation::Factors, &row),
            made,
        };
        let text = text(&file, false);
        let rows: Vec<&str> = text.lines().filter(|line| line.contains("..")).collect();
        assert!(
            rows[0].contains("queen_mobility") && rows[0].contains("+90.86"),
            "{text}"
        );
        assert!(
            rows[0].contains("upper bound") && rows[0].contains("+45 %"),
            "{text}"
        );
        assert!(
            rows[1].contains("knight") && rows[1].contains("298.29"),
            "{text}"
        );
        let remark = |name: &str| {
            rows.iter()
                .find(|row| row.contains(name))
                .expect(name)
                .to_string()
        };
        assert!(
            remark("pawn ").contains("fixed") && remark("rook ").contains("never mutated"),
            "{text}"
        );
        assert_eq!(rows.len(), 4, "{text}");
        for part in ["2 of 23 weights", "1 of them is at a bound", "seed: 7"] {
            assert!(text.contains(part), "{text}");
        }
    }
}

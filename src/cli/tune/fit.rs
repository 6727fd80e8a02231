//! `kashan tune fit`: weights that predict results best; and `kashan tune samples`, which makes the
//! data: positions with the results of their games.

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::time::Instant;

use anyhow::ensure;
use clap::Args;
use clap::builder::RangedU64ValueParser;
use serde_json::json;
use toml::Table;

use super::{deliver, in_toml};
use crate::cli::{common, print};
use crate::eval::{Evaluation, WeightSet, WeightsFile, weights_mark};
use crate::lab::tuning::fitting::{Data, FittingTask, Outcome};
use crate::lab::tuning::logistic::Options;
use crate::lab::tuning::samples::{self, Recipe};
use crate::util::display::{counted, harmless};
use crate::util::files::{self, OutputFile};
use crate::util::jobs::journal::Numbered;

/// Fit the weights of an evaluation to the results of games: logistic regression, known as Texel's
/// method.
///
/// Captures are played out before a position is looked at. Some games are held out, and the weights
/// that predict these best are written. Lines that cannot be used are named and left out.
#[derive(Debug, Args)]
pub struct Fit {
    /// EPD with results in c9, as kashan tune samples writes it (a result in any other operation or
    /// in brackets at the end of the line will do), or PGN; also compressed.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The evaluation, as in the option Evaluation.
    #[arg(long, value_name = "NAME", default_value = "kashan", value_parser = common::one_of::<Evaluation>())]
    evaluation: Evaluation,
    /// Begin with these weights, not with the evaluation's own.
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Strength of the pull to the first weights: times the sum of the squares of their changes, in
    /// centipawns, added to the mean loss.
    #[arg(long, value_name = "X", default_value_t = 1e-6)]
    pull: f64,
    /// Share of a search's value in the prediction (ce, in centipawns for the side to move, as
    /// written by kashan tune samples), from 0 to 1; the rest is the result of the game. Positions
    /// without a value count by their results alone. A share helps where games are few.
    #[arg(long, value_name = "PART", default_value_t = 0.0)]
    search_share: f64,
    /// Passes over all positions at most; fewer when the held-out games get no better.
    #[arg(long, value_name = "N", default_value_t = 500)]
    epochs: u32,
    /// The held-out part of all games.
    #[arg(long, value_name = "PART", default_value_t = 0.1)]
    held_out: f64,
    /// Seed of the choice of held-out games.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Bad lines are an error.
    #[arg(long)]
    strict: bool,
    /// Threads; without effect on the weights [default: as many as there are cores]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true, value_parser = super::threads())]
    threads: usize,
    /// Write the weights here.
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
}

const NOTHING_LEARNED: &str = "Nothing was learned: no other weights predict the held-out games better. The file has those it began with.";

/// The command in the files of weights.
const COMMAND: &str = "kashan tune fit";

/// Epochs without gain before the end.
const PATIENCE: u32 = 30;

/// Reads, fits, and writes.
///
/// # Errors
/// Unreadable or unwritable files, too few positions, with --strict a bad line.
pub fn run(arguments: &Fit) -> anyhow::Result<()> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(arguments.threads)
        .build()?;
    pool.install(|| fit(arguments))
}

fn fit(arguments: &Fit) -> anyhow::Result<()> {
    let inputs: Vec<PathBuf> = arguments
        .files
        .iter()
        .chain(&arguments.from)
        .cloned()
        .collect();
    files::check(
        &inputs,
        [OutputFile::report(
            &arguments.output,
            &weights_mark(COMMAND),
        )],
    )?;
    let task = task(arguments)?;
    let begin = Instant::now();
    let mut bad = 0;
    let data = task.read(&mut |warning| {
        common::tell(&format!("kashan: {}", harmless(&warning)));
        bad += 1;
    })?;
    ensure!(
        bad == 0 || !arguments.strict,
        "{} cannot be used",
        counted(bad, "line")
    );
    ensure!(
        !data.rows.is_empty() && !data.held_out.is_empty(),
        "{} to fit to, {} held out: too few",
        counted(data.rows.len(), "position"),
        data.held_out.len()
    );
    if arguments.search_share > 0.0 {
        tell_of_values(&data)?;
    }
    tell(&format!(
        "{} of {}, {} of them held out; left out: {} as mates or known endgames, {}; {:.1} s, {:.1} MB",
        counted(data.rows.len() + data.held_out.len(), "position"),
        counted(data.games, "game"),
        data.held_out.len(),
        data.left_out,
        counted(bad, "bad line"),
        begin.elapsed().as_secs_f64(),
        (data.rows.bytes() + data.held_out.bytes()) as f64 / 1e6
    ));
    let begin = Instant::now();
    let bar = common::progress_bar(arguments.epochs as usize, "epochs");
    let mut epochs = 0;
    let outcome = task.fit(&data, &mut |epoch| {
        bar.set_position(u64::from(epoch.number));
        bar.set_message(format!("held-out loss {:.6}", epoch.held_out_loss));
        epochs = epoch.number;
    });
    bar.finish_and_clear();
    let fitted = &outcome.fitted;
    let first_loss = fitted.held_out_losses[0];
    tell(&format!(
        "K {:.4}; held-out loss {first_loss:.6} before, {:.6} after epoch {} of {epochs}; {:.1} s",
        fitted.k,
        outcome.held_out_loss,
        fitted.best_epoch,
        begin.elapsed().as_secs_f64()
    ));
    if outcome.weights == task.first {
        tell(NOTHING_LEARNED);
    }
    let made = made(arguments, &data, &outcome);
    deliver(
        Some(&arguments.output),
        &WeightsFile {
            weights: outcome.weights,
            made,
        },
    )
}

/// Reports the number of positions with a search's value, if not all have one.
fn tell_of_values(data: &Data) -> anyhow::Result<()> {
    let valued = data.rows.valued();
    let all = data.rows.len();
    ensure!(
        valued > 0,
        "--search-share: no position to fit to has the value that a search gave it (ce)"
    );
    if valued < all {
        tell(&format!(
            "{valued} of {} to fit to have the value of a search (ce)",
            counted(all, "position")
        ));
    }
    Ok(())
}

/// Returns the origin of the weights.
fn made(arguments: &Fit, data: &Data, outcome: &Outcome) -> Table {
    let files: Vec<String> = arguments
        .files
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    let fitted = &outcome.fitted;
    in_toml([
        ("command", json!(COMMAND)),
        ("version", json!(env!("CARGO_PKG_VERSION"))),
        ("files", json!(files)),
        ("games", json!(data.games)),
        ("positions", json!(data.rows.len() + data.held_out.len())),
        ("held_out_positions", json!(data.held_out.len())),
        ("seed", json!(arguments.seed)),
        ("pull", json!(arguments.pull)),
        ("search_share", json!(arguments.search_share)),
        ("epochs", json!(fitted.best_epoch)),
        ("k", json!(fitted.k)),
        ("held_out_loss_before", json!(fitted.held_out_losses[0])),
        ("held_out_loss", json!(outcome.held_out_loss)),
    ])
}

/// Prints a line. A closed output is no error: the weights matter more.
fn tell(text: &str) {
    let _ = writeln!(io::stdout(), "{text}");
}

fn task(arguments: &Fit) -> anyhow::Result<FittingTask> {
    ensure!(
        (0.01..=0.9).contains(&arguments.held_out),
        "--held-out is from 0.01 to 0.9"
    );
    ensure!(
        (0.0..f64::INFINITY).contains(&arguments.pull),
        "--pull is a number from 0 on"
    );
    ensure!(
        (0.0..=1.0).contains(&arguments.search_share),
        "--search-share is from 0 to 1"
    );
    let first = match &arguments.from {
        None => WeightSet::of(arguments.evaluation),
        Some(path) => WeightsFile::load(path)?.weights,
    };
    ensure!(
        first.evaluation() == arguments.evaluation,
        "--from: these weights are for another evaluation than {}",
        <&str>::from(arguments.evaluation)
    );
    let &Fit {
        pull,
        epochs,
        search_share,
        held_out,
        seed,
        ..
    } = arguments;
    let options = Options {
        pull,
        epochs,
        patience: PATIENCE,
        search_share,
    };
    Ok(FittingTask {
        files: arguments.files.clone(),
        first,
        held_out,
        seed,
        options,
    })
}

/// Play fast games and write positions of them with the results, for kashan tune fit.
///
/// Kashan's alpha-beta search plays itself, from openings that are part book and part chance.
/// Positions are taken where neither side is in check and the best move takes nothing. The same
/// seed makes the same file with any number of threads. The same command continues from the journal
/// FILE.journal.
#[derive(Debug, Args)]
pub struct Samples {
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = RangedU64ValueParser::<u64>::new().range(1..))]
    games: u64,
    /// Positions searched for each move.
    #[arg(long, value_name = "N", default_value_t = 5_000, value_parser = RangedU64ValueParser::<u64>::new().range(1..))]
    nodes: u64,
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Positions of a game at most.
    #[arg(long, value_name = "N", default_value_t = 14, value_parser = clap::value_parser!(u32).range(1..))]
    per_game: u32,
    /// Evaluation for the games, as in the option Evaluation.
    #[arg(long, value_name = "NAME", default_value = "paper", value_parser = common::one_of::<Evaluation>())]
    evaluation: Evaluation,
    /// Games at the same time [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = super::threads())]
    threads: Option<usize>,
    /// Write them here, as EPD.
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
}

/// Plays and writes.
///
/// # Errors
/// An unwritable file, a file with other content, or a stop before the last game.
pub fn make_samples(arguments: &Samples) -> anyhow::Result<()> {
    let &Samples {
        nodes,
        seed,
        per_game,
        evaluation,
        ..
    } = arguments;
    let recipe = Recipe {
        nodes,
        seed,
        per_game,
        evaluation,
    };
    let output = OutputFile::report(&arguments.output, samples::MARK);
    let journal = files::beside(&arguments.output, ".journal");
    files::check(&[], [output, OutputFile::with_own_rules(&journal)])?;
    let count = usize::try_from(arguments.games)?;
    let bar = common::progress_bar(count, "games");
    let stop = common::stopped_by_signals(&bar, "the running games");
    let settings = json!({
        "work": "tune samples",
        "recipe": recipe,
        "games": count,
        "program": env!("KASHAN_COMMIT"),
    });
    let warn = |torn: &str| common::warn(&bar, torn);
    let mut games: Numbered<String> = Numbered::open(Some(&journal), &settings, count, warn)?;
    let missing = games.missing();
    common::begin_at(&bar, count - missing.len());
    let threads = arguments.threads.unwrap_or_else(common::cores);
    samples::play(&recipe, missing, threads, &stop, &mut |number, lines| {
        games.add(number, lines)?;
        bar.inc(1);
        Ok(())
    })?;
    bar.finish_and_clear();
    let path = arguments.output.display();
    let missing = games.missing().len();
    ensure!(
        missing == 0,
        "stopped after {} of {count} games; the same command goes on with {path}",
        count - missing
    );
    let lines: String = games.results.into_iter().flatten().collect();
    let positions = counted(lines.lines().count(), "position");
    output.write((recipe.head(count) + &lines).as_bytes())?;
    print(&format!("{positions}; all {count} games are in {path}\n"))
}

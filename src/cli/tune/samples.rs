//! `kashan tune samples`: positions with the results of their games.

use std::path::PathBuf;
use std::thread;

use anyhow::bail;
use clap::Args;
use clap::builder::RangedU64ValueParser;

use crate::cli::{common, print};
use crate::evaluation::Evaluation;
use crate::tuning::samples::{self, Recipe, SampleFile};

/// Play fast games and write positions of them with the results, for kashan tune fit.
///
/// Kashan's alpha-beta search plays itself, from openings that are part book and part chance.
/// Positions are taken from those in which nobody is in check and the best move takes nothing.
/// The same seed makes the same file with any number of threads. A file that was begun is gone on with.
#[derive(Debug, Args)]
pub struct Arguments {
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
    /// What the games are played with, as in the option Evaluation.
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
/// The file cannot be written, has something else in it, or the games were stopped before all were played.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let &Arguments { games, nodes, seed, per_game, evaluation, .. } = arguments;
    let recipe = Recipe { games, nodes, seed, per_game, evaluation };
    let mut file = SampleFile::open(&arguments.output, &recipe)?;
    let first = file.games;
    let bar = common::progress_bar(usize::try_from(games)?, "games");
    let stop = common::stopped_by_signals(&bar, "the running games");
    common::begin_at(&bar, usize::try_from(first)?);
    let threads = arguments.threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from));
    let mut positions = 0;
    samples::make(&recipe, first, threads, &stop, &mut |_, lines| {
        positions += lines.lines().count();
        bar.inc(1);
        file.add(lines)
    })?;
    bar.finish_and_clear();
    let path = arguments.output.display();
    if file.games < games {
        bail!("stopped after {} of {games} games; the same command goes on with {path}", file.games);
    }
    print(&format!("{positions} positions of {} games in {path}\n", games - first))
}

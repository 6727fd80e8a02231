//! `kashan tournament`.

use std::path::PathBuf;

use clap::Args;

use super::contest;
use crate::arena::config::Config;

/// Play a tournament between engines, as a TOML file describes it.
///
/// A tournament that was stopped or killed is continued by the same command: every finished game is in its
/// journal. Control-C stops after the running games, twice stops now. The exit status is 0 only if everything
/// was played.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The tournament: schedule, engines, time control, openings, output files. The README has an example.
    #[arg(value_name = "FILE.toml")]
    file: PathBuf,
    /// How many games are played at the same time, instead of what the file says.
    #[arg(long, value_name = "N")]
    concurrency: Option<usize>,
    /// Stop when so many games were lost by a crash, a stall or an engine that does not start, instead of
    /// what the file says.
    #[arg(long, value_name = "N")]
    stop_after_crashes: Option<u32>,
    /// Syzygy endgame tables that end games where they are certain of the result, instead of what the file
    /// says (adjudication.tablebases).
    #[arg(long, value_name = "FOLDERS")]
    tablebases: Option<String>,
    /// Print events and the result as JSON, one object a line.
    #[arg(long)]
    json: bool,
}

/// Plays the tournament.
///
/// # Errors
/// Mistakes in the file, engines that cannot be started, a journal of another tournament, and that not
/// everything was played.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut config = Config::load(&arguments.file)?;
    config.concurrency = arguments.concurrency.unwrap_or(config.concurrency);
    config.stop_after_crashes = arguments.stop_after_crashes.or(config.stop_after_crashes);
    config.adjudication.tablebases = arguments.tablebases.clone().or(config.adjudication.tablebases);
    contest::play(&config, arguments.json)?;
    Ok(())
}

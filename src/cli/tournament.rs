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
    /// The tournament: schedule, engines, time control, openings, output files. "kashan help
    /// tournament" has an example.
    #[arg(value_name = "FILE.toml")]
    file: PathBuf,
    /// How many rounds there are, instead of what the file says.
    #[arg(long, value_name = "N")]
    rounds: Option<u32>,
    /// Add rounds to the tournament in the journal: there will be as many in all as the file or --rounds
    /// says, everything else is as it was.
    #[arg(long = "continue")]
    add_rounds: bool,
    /// How many games are played at the same time, instead of what the file says.
    #[arg(long, value_name = "N")]
    concurrency: Option<usize>,
    /// The engines of each game run on cores of the processor that no other game uses, as many as they have
    /// threads (Linux).
    #[arg(long)]
    affinity: bool,
    /// Stop when so many games were lost by a crash, a stall or an engine that does not start, instead of
    /// what the file says.
    #[arg(long, value_name = "N")]
    stop_after_crashes: Option<u32>,
    /// Syzygy endgame tables that end games where they are certain of the result, instead of what the file
    /// says (adjudication.tablebases).
    #[arg(long, value_name = "FOLDERS")]
    tablebases: Option<String>,
    #[command(flatten)]
    showing: contest::Showing,
}

/// Plays the tournament.
///
/// # Errors
/// Mistakes in the file, engines that cannot be started, a journal of another tournament, and that not
/// everything was played.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut config = Config::load(&arguments.file)?;
    if arguments.rounds.is_some() {
        (config.rounds, config.games) = (arguments.rounds, None);
    }
    config.output.add_rounds = arguments.add_rounds;
    config.concurrency = arguments.concurrency.unwrap_or(config.concurrency);
    config.affinity |= arguments.affinity;
    config.stop_after_crashes = arguments.stop_after_crashes.or(config.stop_after_crashes);
    config.adjudication.tablebases = arguments.tablebases.clone().or(config.adjudication.tablebases);
    contest::check_files(&config, Some(&arguments.file))?;
    contest::play(&config, arguments.showing)?;
    Ok(())
}

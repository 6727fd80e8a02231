//! `kashan tournament`.

use std::path::Path;

use anyhow::ensure;
use clap::Args;

use super::contest::{self, Rules};
use crate::arena::config::Config;
use crate::arena::schedule::Kind;

/// Play a tournament between engines: those on the command line, or as a TOML file describes it.
///
/// Engines are named as in "kashan match"; everybody plays everybody unless --gauntlet or --swiss says
/// otherwise. Options hold instead of what the file says.
///
/// A tournament with a journal (a file has one beside it) that was stopped or killed is continued by the same
/// command: every finished game is in its journal. Control-C stops after the running games, twice stops now.
/// The exit status is 0 only if everything was played.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The engines, two or more, or one file that describes the tournament: schedule, engines, time control,
    /// openings, output files. "kashan help tournament" has an example.
    #[arg(required = true, value_name = "ENGINES or FILE.toml")]
    players: Vec<String>,
    /// The first engines, one if not said, play against all others, but not against each other.
    #[arg(long, value_name = "CHALLENGERS", num_args = 0..=1, require_equals = true, default_missing_value = "1")]
    gauntlet: Option<usize>,
    /// In every round everybody plays somebody with about as many points.
    #[arg(long, conflicts_with = "gauntlet")]
    swiss: bool,
    /// How many rounds there are.
    #[arg(long, value_name = "N", conflicts_with = "games")]
    rounds: Option<u32>,
    /// Add rounds to the tournament in the journal: there will be as many in all as the file or --rounds
    /// says, everything else is as it was.
    #[arg(long = "continue")]
    add_rounds: bool,
    #[command(flatten)]
    rules: Rules,
    #[command(flatten)]
    showing: contest::Showing,
}

/// Plays the tournament. The conversations are written into `log`.
///
/// # Errors
/// Mistakes on the command line and in the file, engines that cannot be started, a journal of another
/// tournament, and that not everything was played.
pub fn run(arguments: Arguments, log: Option<&Path>) -> anyhow::Result<()> {
    let (rules, file) = (arguments.rules, arguments.players.first().filter(|_| arguments.players.len() == 1));
    let file = file.map(Path::new);
    let mut config = match file {
        Some(file) => {
            ensure!(
                !rules.describes_engines(),
                "--each is for engines on the command line; {} says it of its own",
                file.display()
            );
            Config::load(file)?
        }
        None => Config { engines: rules.engines(&arguments.players, [])?, ..Config::default() },
    };
    if let Some(challengers) = arguments.gauntlet {
        (config.schedule, config.challengers) = (Some(Kind::Gauntlet), challengers);
    }
    if arguments.swiss {
        config.schedule = Some(Kind::Swiss);
    }
    if arguments.rounds.is_some() {
        (config.rounds, config.games) = (arguments.rounds, None);
    }
    config.output.add_rounds = arguments.add_rounds;
    rules.apply(&mut config)?;
    contest::check_files(&config, file, log)?;
    contest::play(&config, arguments.showing)?;
    Ok(())
}

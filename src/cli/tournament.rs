//! `kashan match` and `kashan tournament`.

use std::path::Path;

use anyhow::ensure;
use clap::Args;

use super::common;
use super::competition::{self, Rules};
use crate::arena::config::Config;
use crate::arena::schedule::Kind;
use crate::util::jobs::Part;

/// Play a match between two engines.
///
/// An engine is a command with its arguments in one string ("hoichess --xboard"; quotation marks
/// keep words together), or one of ours: kashan:genetic, kashan:alphabeta, kashan:minimax,
/// kashan:action. Games come in pairs: each opening is played with both colours.
#[derive(Debug, Args)]
#[command(after_long_help = competition::TABLE)]
pub struct Match {
    /// The two engines.
    #[arg(value_name = "ENGINE", num_args = 2, required = true)]
    engines: Vec<String>,
    /// Play only the K-th of N parts of the match, as other machines play the others; "kashan rate"
    /// of the parts' PGN files gives the result of the whole.
    #[arg(long, value_name = "K/N")]
    part: Option<Part>,
    #[command(flatten)]
    rules: Rules,
    #[command(flatten)]
    showing: competition::Showing,
}

/// Plays the match.
///
/// # Errors
/// Mistakes on the command line, engines that do not start, and games left unplayed.
pub fn play_match(arguments: Match) -> anyhow::Result<()> {
    let showing = arguments.showing;
    let Match { engines, rules, .. } = arguments;
    let mut config = Config {
        name: "Kashan match".to_owned(),
        schedule: Some(Kind::Match),
        part: arguments.part,
        engines: common::engines(&engines, &rules.settings)?,
        ..Config::default()
    };
    rules.apply(&mut config)?;
    competition::check_files(&config, None)?;
    competition::play(&config, showing)
}

/// Play a tournament between engines: from the command line, or described by a TOML file.
///
/// Engines are named as in "kashan match"; everybody plays everybody unless --gauntlet says
/// otherwise. Options override the file.
///
/// A stopped or killed tournament with a journal (a file has one beside it) is continued by the
/// same command: every finished game is in its journal. Control-C stops after the running games,
/// twice stops now. The exit status is 0 only if everything was played.
#[derive(Debug, Args)]
pub struct Tournament {
    /// The engines, two or more, or one file for the tournament: schedule, engines, time control,
    /// openings, output files. "kashan help tournament" has an example.
    #[arg(required = true, value_name = "ENGINES or FILE.toml")]
    players: Vec<String>,
    /// The first engines, one if not said, play against all others, but not against each other.
    #[arg(long, value_name = "CHALLENGERS", num_args = 0..=1, require_equals = true, default_missing_value = "1")]
    gauntlet: Option<usize>,
    /// The number of rounds.
    #[arg(long, value_name = "N", conflicts_with = "games")]
    rounds: Option<u32>,
    #[command(flatten)]
    rules: Rules,
    #[command(flatten)]
    showing: competition::Showing,
}

/// Plays the tournament.
///
/// # Errors
/// Mistakes on the command line and in the file, engines that do not start, a journal of another
/// tournament, and games left unplayed.
pub fn play_tournament(arguments: Tournament) -> anyhow::Result<()> {
    let rules = arguments.rules;
    let file = match &arguments.players[..] {
        [file] => Some(Path::new(file)),
        _ => None,
    };
    let mut config = match file {
        Some(file) => {
            ensure!(
                file.exists() || file.extension().is_some_and(|ending| ending == "toml"),
                "{} is one engine, and a tournament has two or more: name the others, or a TOML file",
                file.display()
            );
            ensure!(
                rules.settings.is_empty(),
                "--each is for engines on the command line; {} says it of its own",
                file.display()
            );
            Config::load(file)?
        }
        None => Config {
            engines: common::engines(&arguments.players, &rules.settings)?,
            ..Config::default()
        },
    };
    if let Some(challengers) = arguments.gauntlet {
        config.schedule = Some(Kind::Gauntlet);
        config.challengers = challengers;
    }
    if arguments.rounds.is_some() {
        config.rounds = arguments.rounds;
        config.games = None;
    }
    rules.apply(&mut config)?;
    competition::check_files(&config, file)?;
    competition::play(&config, arguments.showing)
}

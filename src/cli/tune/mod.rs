//! `kashan tune`: weights of an evaluation from problems, networks from games, and options of a
//! search by games.

mod evolve;
mod network;
mod play;
mod self_play;

use std::path::{Path, PathBuf};

use clap::Subcommand;
use clap::builder::RangedU64ValueParser;

use crate::lab::tuning::Stopped;
use crate::util::files;

/// Tune the weights of an evaluation, a network, or options of a search.
///
/// kashan tune evolve makes a file of weights for every engine of ours: option WeightsFile at
/// xboard, UCI and the terminal (kashan match kashan:alphabeta kashan:alphabeta --option
/// 1:WeightsFile=my.toml), and kashan eval --weights. kashan tune network makes a network, for the
/// option NetworkFile.
///
/// Problems are EPD lines with bm, am, dm or points; tests/suites in Kashan's source has tactical
/// and quiet ones.
#[derive(Debug, Subcommand)]
pub enum Command {
    Evolve(Box<evolve::Arguments>),
    SelfPlay(self_play::Arguments),
    Network(network::Arguments),
    Play(play::Arguments),
}

/// Runs the subcommand.
///
/// # Errors
/// Failures, in words for the user.
pub fn run(command: &Command) -> anyhow::Result<()> {
    match command {
        Command::Evolve(arguments) => evolve::run(arguments),
        Command::SelfPlay(arguments) => self_play::run(arguments),
        Command::Network(arguments) => network::run(arguments),
        Command::Play(arguments) => play::run(arguments),
    }
}

/// Parses a number of threads: many more than there are cores are no help, and the system ends a
/// program that wants too many.
fn threads() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(..=1024)
}

/// Returns the path of the journal: the user's choice, or a file beside the output, unless the
/// output is a device or a pipe.
fn journal(named: Option<&Path>, output: Option<&Path>) -> Option<PathBuf> {
    match (named, output) {
        (Some(named), _) => Some(named.to_owned()),
        (None, Some(output)) if output.is_file() || !output.exists() => {
            Some(files::beside(output, ".journal"))
        }
        _ => None,
    }
}

/// Adds the way to continue to a stop by the user; other errors are unchanged.
fn to_go_on(error: anyhow::Error, journal: Option<&Path>) -> anyhow::Error {
    match journal.map(Path::display) {
        _ if !error.is::<Stopped>() => error,
        Some(path) => error.context(format!("the same command does the rest (journal {path})")),
        None => error.context("without --output or --journal it cannot be continued"),
    }
}

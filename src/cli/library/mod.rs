//! `kashan library`: what players answered to a move, from their games.

mod build;
mod info;
mod show;

use clap::Subcommand;

/// Build a library of what players answered to a move, and look into it.
///
/// A case is the board after somebody's move, the action, and the move that was answered to it, the reaction.
/// The backend action plays from a library (option LibraryFile), and the genetic search draws moves from it
/// (LibraryUse). "kashan help library" has more.
#[derive(Debug, Subcommand)]
pub enum Command {
    Build(build::Build),
    Info(info::Arguments),
    Merge(build::Merge),
    Show(Box<show::Arguments>),
}

/// Runs the subcommand.
///
/// # Errors
/// Whatever it cannot do, in words for the user.
pub fn run(command: &Command) -> anyhow::Result<()> {
    match command {
        Command::Build(arguments) => build::build(arguments),
        Command::Info(arguments) => info::run(arguments),
        Command::Merge(arguments) => build::merge(arguments),
        Command::Show(arguments) => show::run(arguments),
    }
}

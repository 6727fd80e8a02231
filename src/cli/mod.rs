//! The command line: one file per subcommand. Each parses its arguments, calls the library, and prints.

pub mod book;

use clap::{Parser, Subcommand};

/// A chess engine for xboard and WinBoard whose search is a genetic algorithm.
#[derive(Debug, Parser)]
#[command(version)]
pub struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Book(book::Arguments),
}

/// Runs what the command line asks for.
pub fn run(line: CommandLine) -> anyhow::Result<()> {
    match line.command {
        Command::Book(arguments) => book::run(arguments),
    }
}

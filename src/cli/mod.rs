//! The command line: one file per subcommand. Each parses its arguments, calls the library, and prints.

pub mod bench;
pub mod blunders;
pub mod book;
mod common;
mod contest;
pub mod duel;
pub mod eval;
pub mod experiment;
pub mod explain;
mod logging;
pub mod perft;
pub mod positions;
pub mod rate;
pub mod solve;
pub mod tournament;
pub mod tune;

use std::io::{self, Write as _};
use std::path::PathBuf;

use anyhow::Context as _;
use clap::{Parser, Subcommand};

use crate::front;
use crate::position::Position;

/// A chess engine for xboard and WinBoard whose search is a genetic algorithm.
///
/// Without a subcommand Kashan plays. Started at a terminal it is a chess board to play on: type help there.
/// Started by xboard, WinBoard or another program, through pipes, it speaks the xboard protocol (xboard -fcp
/// kashan) or UCI, whichever the first line is of, and is silent until spoken to.
///
/// Log lines go to standard error. --log FILE writes every line that is said to or by an engine, of ours or
/// another, to a file.
#[derive(Debug, Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
pub struct CommandLine {
    /// Go on with the last game that was played at the terminal.
    #[arg(long)]
    resume: bool,
    #[command(subcommand)]
    command: Option<Command>,
    /// Write both sides of every conversation with engines, and with whoever started Kashan, to this file,
    /// with times.
    #[arg(long, value_name = "FILE", global = true)]
    log: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Bench(bench::Arguments),
    Book(book::Arguments),
    Match(Box<duel::Arguments>),
    Tournament(tournament::Arguments),
    Rate(rate::Arguments),
    Blunders(Box<blunders::Arguments>),
    Positions(positions::Arguments),
    Solve(Box<solve::Arguments>),
    Perft(perft::Arguments),
    Eval(eval::Arguments),
    Experiment(Box<experiment::Arguments>),
    Explain(Box<explain::Arguments>),
    Tune(tune::Arguments),
}

/// Runs what the command line asks for.
///
/// # Errors
/// Whatever the subcommand cannot do, in words for the user.
pub fn run(line: CommandLine) -> anyhow::Result<()> {
    logging::begin(line.log.as_deref())?;
    match line.command {
        None => Ok(front::talk(line.resume)?),
        Some(Command::Bench(arguments)) => bench::run(&arguments),
        Some(Command::Book(arguments)) => book::run(arguments),
        Some(Command::Match(arguments)) => duel::run(*arguments),
        Some(Command::Tournament(arguments)) => tournament::run(&arguments),
        Some(Command::Rate(arguments)) => rate::run(&arguments),
        Some(Command::Blunders(arguments)) => blunders::run(&arguments),
        Some(Command::Positions(arguments)) => positions::run(&arguments),
        Some(Command::Solve(arguments)) => solve::run(&arguments),
        Some(Command::Perft(arguments)) => perft::run(&arguments),
        Some(Command::Eval(arguments)) => eval::run(&arguments),
        Some(Command::Experiment(arguments)) => experiment::run(&arguments),
        Some(Command::Explain(arguments)) => explain::run(&arguments),
        Some(Command::Tune(arguments)) => tune::run(&arguments),
    }
}

/// A position as the user names it: a FEN, or `startpos`.
fn position(text: &str) -> anyhow::Result<Position> {
    match text.trim() {
        "startpos" => Ok(Position::default()),
        fen => Ok(Position::from_fen(fen)?),
    }
}

/// Prints a text that is the point of the whole command.
///
/// # Errors
/// Nobody reads it.
fn print(text: &str) -> anyhow::Result<()> {
    io::stdout().write_all(text.as_bytes()).context("cannot write the result")
}

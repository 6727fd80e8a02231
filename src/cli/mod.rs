//! The command line: a file has one or some subcommands, each with its arguments, its calls to the
//! library, and its output.

mod bench;
mod blunders;
mod book;
mod check;
mod common;
mod competition;
mod eval;
mod experiment;
mod install_xboard;
mod library;
mod logging;
mod manual;
mod play;
mod rate;
mod solve;
mod tournament;
mod tune;

use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;

use anyhow::Context as _;
use chess::ChessMove;
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use serde::Serialize;

use crate::engine::strength_options;
use crate::play::Start;
use crate::rules::position::Position;
use crate::util::display::harmless;
use crate::util::system;

/// A chess engine for xboard and WinBoard whose search is a genetic algorithm.
///
/// Without a subcommand Kashan plays. Started at a terminal it is a chess board to play on: type
/// help there. Started by xboard, WinBoard or another program, through pipes, it speaks the xboard
/// protocol (xboard -fcp kashan) or UCI, whichever the first line is of, and is silent until spoken
/// to.
///
/// "kashan help TOPIC" has the manual, with examples: start with "kashan help".
///
/// Log lines go to standard error. --log FILE writes every line that is said to or by an engine, of
/// ours or another, to a file.
#[derive(Debug, Parser)]
#[command(
    version,
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true
)]
struct CommandLine {
    /// Go on with the last game at the terminal.
    #[arg(long)]
    resume: bool,
    /// Declare all options in the xboard protocol and UCI, for programs that tune or test the
    /// engine, and not only the dozen for a player's dialog. All can be set in any case.
    #[arg(long)]
    all_options: bool,
    /// Kashan's strength: a rating from 800 to 2800, or max. Analysis is always at full strength.
    #[arg(long, value_name = "ELO|max")]
    strength: Option<String>,
    #[command(subcommand)]
    command: Option<Command>,
    /// Write both sides of every conversation with engines, and with the program that started
    /// Kashan, to this file, with times; an existing log is added to.
    #[arg(long, value_name = "FILE", global = true)]
    log: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Play(Box<play::Arguments>),
    /// Search fixed positions with every backend and with Preset=paper, and print nodes and speed.
    /// The node count is the same on every run and machine.
    Bench,
    #[command(subcommand)]
    Book(book::Command),
    #[command(subcommand)]
    Library(library::Command),
    Match(Box<tournament::Match>),
    Tournament(Box<tournament::Tournament>),
    Rate(rate::Arguments),
    Blunders(Box<blunders::Arguments>),
    Solve(Box<solve::Arguments>),
    Check(check::Arguments),
    Eval(eval::Eval),
    Experiment(Box<experiment::Arguments>),
    Explain(Box<eval::Explain>),
    InstallXboard(install_xboard::Arguments),
    Help(manual::Arguments),
    #[command(subcommand)]
    Tune(tune::Command),
}

/// Runs the command line of this process. An unreadable command line, or a request for help, ends
/// the process.
///
/// # Errors
/// Failures of the subcommand, in words for the user.
pub fn run_line() -> anyhow::Result<()> {
    competition::refuse_other_runners(std::env::args_os())?;
    let matches = with_negative_numbers(CommandLine::command()).get_matches();
    run(CommandLine::from_arg_matches(&matches)?)
}

/// Lets options have negative numbers as values: clap takes them for options otherwise, and its
/// advice is wrong.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    let command = command.mut_args(|arg| {
        let takes_values = arg.get_action().takes_values();
        arg.allow_negative_numbers(takes_values)
    });
    command.mut_subcommands(with_negative_numbers)
}

/// Runs the subcommand of a command line.
///
/// # Errors
/// Failures of the subcommand, in words for the user.
fn run(line: CommandLine) -> anyhow::Result<()> {
    if let Err(error) = system::outlive_file_limits() {
        log::warn!("a limit of files ends the program at once: {error}");
    }
    logging::begin(line.log.as_deref())?;
    match line.command {
        None => {
            let options = line.strength.as_deref().map(strength_options);
            // Built so for OpenBench, which gives engines no arguments (tests/openbench).
            let all_options = line.all_options || option_env!("KASHAN_ALL_OPTIONS") == Some("1");
            Ok(crate::play::talk(Start {
                resume: line.resume,
                options: &options.unwrap_or_default(),
                all_options,
                ..Start::default()
            })?)
        }
        Some(Command::Play(arguments)) => play::run(&arguments),
        Some(Command::Bench) => bench::run(),
        Some(Command::Book(command)) => book::run(command),
        Some(Command::Library(command)) => library::run(&command),
        Some(Command::Match(arguments)) => tournament::play_match(*arguments),
        Some(Command::Tournament(arguments)) => tournament::play_tournament(*arguments),
        Some(Command::Rate(arguments)) => rate::run(&arguments),
        Some(Command::Blunders(arguments)) => blunders::run(&arguments),
        Some(Command::Solve(arguments)) => solve::run(&arguments),
        Some(Command::Check(arguments)) => check::run(&arguments),
        Some(Command::Eval(arguments)) => eval::eval(&arguments),
        Some(Command::Experiment(arguments)) => experiment::run(&arguments),
        Some(Command::Explain(arguments)) => eval::explain(&arguments),
        Some(Command::Tune(command)) => tune::run(&command),
        Some(Command::InstallXboard(arguments)) => install_xboard::run(&arguments),
        Some(Command::Help(arguments)) => manual::run(&arguments),
    }
}

/// Parses a position: a FEN, or `startpos`.
fn position(text: &str) -> anyhow::Result<Position> {
    match text.trim() {
        "startpos" => Ok(Position::default()),
        fen => Ok(Position::from_fen(fen)?),
    }
}

/// Parses a position, a FEN or moves from the start of the game; also returns the last of the moves
/// with the position before. A FEN has slashes; moves have none (and may be numbered).
fn position_or_moves(text: &str) -> anyhow::Result<(Position, Option<(Position, ChessMove)>)> {
    if text.contains('/') {
        return Ok((Position::from_fen(text)?, None));
    }
    let mut position = Position::default();
    let mut last = None;
    for word in text.split_whitespace().filter(|&word| word != "startpos") {
        let mv = word
            .trim_start_matches(|c: char| c.is_ascii_digit())
            .trim_start_matches('.');
        // Digits that no dot follows belong to castling with zeros, and to what is no move.
        let mv = if word.contains('.') { mv } else { word };
        if mv.is_empty() {
            continue;
        }
        let mv = position.parse_move(mv)?;
        last = Some((position.clone(), mv));
        position.play(mv)?;
    }
    Ok((position, last))
}

/// Prints the main text of a command, without control characters for the terminal.
///
/// # Errors
/// The text cannot be written, as on a full disk.
fn print(text: &str) -> anyhow::Result<()> {
    let mut reader = io::stdout();
    let written = reader.write_all(harmless(text).as_bytes());
    match written.and_then(|()| reader.flush()) {
        // A reader that stops early, like `head`, is no error.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written.context("cannot write the result"),
    }
}

/// Prints the result of a command as JSON, for programs.
///
/// # Errors
/// The errors of [`print`].
fn print_json(result: &impl Serialize) -> anyhow::Result<()> {
    print(&format!("{}\n", serde_json::to_string_pretty(result)?))
}

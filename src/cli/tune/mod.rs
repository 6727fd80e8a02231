//! `kashan tune`: weights of an evaluation from problems.

mod cma;
mod evolve;
mod show;
mod task;

use clap::{Args, Subcommand};

/// Tune the weights of an evaluation, and look at what came out.
///
/// The result is a file of weights, which every engine of ours reads: option WeightsFile at xboard, UCI and
/// the terminal (kashan match kashan:alphabeta kashan:alphabeta --option1 WeightsFile=my.toml), and kashan
/// eval --weights.
///
/// Problems are EPD lines with bm, am, dm or points. kashan positions make --kind tactical and --kind quiet
/// make some.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Evolve(Box<evolve::Arguments>),
    Cma(Box<cma::Arguments>),
    Show(show::Arguments),
}

/// Runs the subcommand.
///
/// # Errors
/// Whatever it cannot do, in words for the user.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    match &arguments.command {
        Command::Evolve(arguments) => evolve::run(arguments),
        Command::Cma(arguments) => cma::run(arguments),
        Command::Show(arguments) => show::run(arguments),
    }
}

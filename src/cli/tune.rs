//! `kashan tune`: weights for the evaluation.

mod fit;
mod samples;

use clap::{Args, Subcommand};

/// Make positions with results, and find weights for the evaluation with them.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Samples(samples::Arguments),
    Fit(fit::Arguments),
}

/// Runs the subcommand.
///
/// # Errors
/// Whatever the subcommand cannot do, in words for the user.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    match &arguments.command {
        Command::Samples(arguments) => samples::run(arguments),
        Command::Fit(arguments) => fit::run(arguments),
    }
}

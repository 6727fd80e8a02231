//! `kashan tune`: weights of an evaluation from problems, or from the results of games; and options of a
//! search from games.

mod cma;
mod evolve;
mod fit;
mod play;
mod samples;
mod show;
mod task;

use clap::Subcommand;
use clap::builder::RangedU64ValueParser;

/// Tune the weights of an evaluation, and look at what came out; or options of a search.
///
/// The result, but for kashan tune play, is a file of weights, which every engine of ours reads: option
/// WeightsFile at xboard, UCI and the terminal (kashan match kashan:alphabeta kashan:alphabeta --option1
/// WeightsFile=my.toml), and kashan eval --weights.
///
/// Problems are EPD lines with bm, am, dm or points; tests/suites in Kashan's source has tactical and quiet
/// ones. The results of games come from kashan tune samples, which plays them, or from anybody's EPD or PGN.
#[derive(Debug, Subcommand)]
pub enum Command {
    Evolve(Box<evolve::Arguments>),
    Cma(Box<cma::Arguments>),
    Samples(samples::Arguments),
    Fit(Box<fit::Arguments>),
    Play(play::Arguments),
    Show(show::Arguments),
}

/// Runs the subcommand.
///
/// # Errors
/// Whatever it cannot do, in words for the user.
pub fn run(command: &Command) -> anyhow::Result<()> {
    match command {
        Command::Evolve(arguments) => evolve::run(arguments),
        Command::Cma(arguments) => cma::run(arguments),
        Command::Samples(arguments) => samples::run(arguments),
        Command::Fit(arguments) => fit::run(arguments),
        Command::Play(arguments) => play::run(arguments),
        Command::Show(arguments) => show::run(arguments),
    }
}

/// How many threads may be asked for: many more than there are cores help nobody, and the system ends a
/// program that wants too many.
fn threads() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(..=1024)
}

//! `kashan positions`: sets of positions of our own making.

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Context as _, ensure};
use clap::{Args, Subcommand};

use crate::arena::files;
use crate::making::quiet::{self, Recipe};

/// Make sets of positions by self-play.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Make quiet middlegame positions, such as those of `kashan blunders` without arguments.
    ///
    /// Each comes from a game that Kashan's alpha-beta search plays against itself. The same seed makes the same positions.
    Make {
        /// How many.
        #[arg(long, value_name = "N", default_value_t = 29)]
        count: u32,
        #[arg(long, value_name = "N", default_value_t = 1)]
        seed: u64,
        /// Write them here [default: standard output]
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
    },
}

/// Runs the subcommand.
///
/// # Errors
/// The file cannot be written; too many positions were asked for.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let Command::Make { count, seed, output } = &arguments.command;
    ensure!((1..=10_000).contains(count), "--count is from 1 to 10000");
    let recipe = Recipe {
        count: *count,
        seed: *seed,
    };
    let mut found = 0;
    let set = quiet::make(recipe, &mut |quiet| {
        found += 1;
        eprintln!("{found}/{count}  {}", quiet.fen);
    })?;
    let text = quiet::epd(&set, recipe);
    match output {
        Some(path) => {
            files::replace(path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
        }
        None => std::io::stdout()
            .write_all(text.as_bytes())
            .context("cannot write the positions"),
    }
}

//! `kashan library build` and `merge`.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::Instant;

use anyhow::ensure;
use clap::Args;
use clap::builder::RangedU64ValueParser;
use indicatif::ProgressBar;

use super::super::{common, print};
use super::info;
use crate::display::grouped;
use crate::library::Library;
use crate::library::format::Settings;
use crate::library::retain::is_own;
use crate::making::library::{self, Ended, Event, Recipe, is_library};
use crate::pgn;

/// Build a library from games.
///
/// Games are read from PGN of any size, plain or compressed (gzip, Zstandard, bzip2), and from other
/// libraries. A game that is broken, of a variant, empty or there already is named and left out. The work is
/// done in runs, in the folder FILE.part: stopped or killed at any moment, the same command goes on behind
/// the last run. The same games give the same file, with any number of jobs. A file that is there is never
/// written over.
#[derive(Debug, Args)]
pub struct Build {
    /// PGN files, directories whose .pgn files are taken (.pgn.gz, .pgn.zst and .pgn.bz2, too), libraries.
    #[arg(required = true, value_name = "GAMES")]
    games: Vec<PathBuf>,
    /// Take games only if both players have this rating.
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_elo: u16,
    /// A game that would be named and left out is an error.
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    common: Common,
}

/// Make one library of several, and of the cases that an engine retained.
///
/// Games that are in more than one of them are taken once. The inputs stay as they are.
#[derive(Debug, Args)]
pub struct Merge {
    /// Libraries, and files of own cases (gm.klib.own).
    #[arg(required = true, value_name = "LIBRARY")]
    libraries: Vec<PathBuf>,
    #[command(flatten)]
    common: Common,
}

#[derive(Debug, Args)]
struct Common {
    /// Where to write the library.
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Keep no boards: a tenth of the size, for the genetic search's mutations and the moves of exact
    /// positions. The backend action needs the boards.
    #[arg(long)]
    no_cases: bool,
    /// Games are encoded by so many threads [default: as many as there are cores]
    #[arg(long, short, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=1024))]
    jobs: Option<usize>,
    /// Half-moves that are sorted in memory at once: each takes some 150 bytes.
    #[arg(long, value_name = "N", default_value_t = library::RUN, value_parser = common::at_least_one())]
    run: usize,
}

/// Builds a library.
pub fn build(arguments: &Build) -> anyhow::Result<()> {
    let inputs = pgn::files(&arguments.games)?;
    make(inputs, arguments.min_elo, arguments.strict, &arguments.common)
}

/// Merges libraries.
///
/// # Errors
/// See [`library::build`]; an input is no library.
pub fn merge(arguments: &Merge) -> anyhow::Result<()> {
    for path in &arguments.libraries {
        ensure!(
            !path.exists() || is_library(path) || is_own(path),
            "{} is neither a library nor a file of own cases; kashan library build takes PGN",
            path.display()
        );
    }
    let min_elo = arguments.libraries.iter().map(|path| least_rating(path)).min();
    make(arguments.libraries.clone(), min_elo.unwrap_or(0), false, &arguments.common)
}

/// The rating that all players of a library have; 0 of own cases, which say nothing of ratings.
fn least_rating(path: &Path) -> u16 {
    Library::open_with(path, None).map_or(0, |library| library.contents().settings.min_elo)
}

fn make(inputs: Vec<PathBuf>, min_elo: u16, strict: bool, common: &Common) -> anyhow::Result<()> {
    let recipe = Recipe {
        inputs,
        output: common.output.clone(),
        settings: Settings { min_elo, cases: !common.no_cases },
        strict,
        jobs: common.jobs.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from)),
        run: common.run,
    };
    let bar = common::bytes_bar(0);
    let stop = common::stopped_by_signals(&bar, "the games in memory");
    let mut news = News { bar: bar.clone(), begun: None, left_out: 0 };
    let ended = library::build(&recipe, &stop, &mut |event| news.tell(&event));
    bar.finish_and_clear();
    news.finish();
    match ended? {
        Ended::Built => print(&info::summary(&common.output)?),
        Ended::Stopped { games } => {
            anyhow::bail!("stopped after {} games; the same command goes on", grouped(games))
        }
    }
}

/// Of more games that are left out only the first are named: a file of the wrong kind is wrong in every game.
const NAMED: u64 = 100;

/// What the user sees while games are read.
struct News {
    bar: ProgressBar,
    /// When reading began, and with how many games.
    begun: Option<(Instant, u64)>,
    left_out: u64,
}

impl News {
    fn tell(&mut self, event: &Event<'_>) {
        match event {
            Event::Read { bytes, of, games } => {
                self.bar.set_length(*of);
                let &mut (begun, before) = self.begun.get_or_insert_with(|| {
                    common::begin_at(&self.bar, usize::try_from(*bytes).unwrap_or(0));
                    (Instant::now(), *games)
                });
                self.bar.set_position(*bytes);
                let rate = (games - before) as f64 / begun.elapsed().as_secs_f64().max(0.001);
                self.bar.set_message(format!("{} games, {rate:.0} a second", grouped(*games)));
            }
            Event::LeftOut(game) => {
                self.left_out += 1;
                if self.left_out <= NAMED {
                    common::warn(&self.bar, &format!("left out: {game}"));
                }
            }
            Event::GoesOn { games } => {
                common::warn(&self.bar, &format!("going on after {} games", grouped(*games)));
            }
            Event::Torn(text) => common::warn(&self.bar, text),
            Event::Merging => {
                self.bar.set_message("all games are read; putting the runs together");
            }
        }
    }

    fn finish(&self) {
        if let Some(more) = self.left_out.checked_sub(NAMED).filter(|&more| more > 0) {
            common::warn(&self.bar, &format!("... and {} games more are left out", grouped(more)));
        }
    }
}

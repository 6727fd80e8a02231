//! `kashan library`: the answers of players to a move, from their games.

mod show;

use std::cmp::Reverse;
use std::path::{Path, PathBuf};

use chess::Color;
use clap::{Args, Subcommand};
use indicatif::ProgressBar;
use serde::Serialize;

use super::{common, print, print_json};
use crate::engine::library::{Action, Library};
use crate::lab::making::library::{self, BuildEvent, Reason, Recipe};
use crate::rules::pgn;
use crate::util::display::{counted, grouped};

/// Build a library of answers to moves, and look into it.
///
/// A case is the board after a player's move, the action, and the answer to this move, the
/// reaction. The backend action plays from a library (option LibraryFile). "kashan help library"
/// has more.
#[derive(Debug, Subcommand)]
pub enum Command {
    Build(Build),
    Info(InfoArguments),
    Show(Box<show::Arguments>),
}

/// Runs the subcommand.
///
/// # Errors
/// Failures, in words for the user.
pub fn run(command: &Command) -> anyhow::Result<()> {
    match command {
        Command::Build(arguments) => build(arguments),
        Command::Info(arguments) => info(arguments),
        Command::Show(arguments) => show::run(arguments),
    }
}

/// Build a library from games, and from other libraries.
///
/// Games are read from PGN of any size, plain or compressed (gzip, Zstandard), from libraries, and
/// from the cases that an engine retained. A game that is broken, of a variant, empty or there
/// already is named and left out. The same games give the same file. A file that is there is never
/// written over.
#[derive(Debug, Args)]
pub struct Build {
    /// PGN files, directories with .pgn files (.pgn.gz and .pgn.zst, too), libraries, and files of
    /// own cases (gm.klib.own).
    #[arg(required = true, value_name = "GAMES")]
    games: Vec<PathBuf>,
    /// Take games only if both players have this rating.
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_elo: u16,
    /// Treat a game to be left out as an error.
    #[arg(long)]
    strict: bool,
    /// File for the library.
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
}

/// Builds a library.
fn build(arguments: &Build) -> anyhow::Result<()> {
    let recipe = Recipe {
        inputs: pgn::files(&arguments.games)?,
        output: arguments.output.clone(),
        min_elo: arguments.min_elo,
        strict: arguments.strict,
    };
    let bar = common::spinner("games");
    let stop = common::stopped_by_signals(&bar, "the games that are being read");
    let mut news = News {
        bar: bar.clone(),
        named: 0,
        by_rating: 0,
    };
    let built = library::build(&recipe, &stop, &mut |event| news.tell(&event));
    bar.finish_and_clear();
    built?;
    print(&format!(
        "{}{}",
        Info::open(&recipe.output)?.counts(),
        news.left_out()
    ))
}

/// The number of omitted games to name: a file of the wrong kind is wrong in every game.
const NAMED: u64 = 100;

/// The progress for the user while games are read.
struct News {
    bar: ProgressBar,
    /// Games left out for a fault, most of them with a warning.
    named: u64,
    by_rating: u64,
}

impl News {
    fn tell(&mut self, event: &BuildEvent<'_>) {
        match event {
            BuildEvent::Read { games } => self.bar.set_position(*games as u64),
            BuildEvent::LeftOut(game) if game.reason == Reason::Rating => self.by_rating += 1,
            BuildEvent::LeftOut(game) => {
                self.named += 1;
                if self.named <= NAMED {
                    common::warn(&self.bar, &format!("left out: {game}"));
                }
            }
        }
    }

    /// `left out: 3 games for a fault or as a copy, 1 game by rating`, if there are some.
    fn left_out(&self) -> String {
        let mut text = String::new();
        for (count, why) in [
            (self.named, "for a fault or as a copy"),
            (self.by_rating, "by rating"),
        ] {
            if count > 0 {
                text += &format!("left out: {} {why}\n", counted(grouped(count), "game"));
            }
        }
        text
    }
}

/// Check a library, and describe its content.
#[derive(Debug, Args)]
#[command(name = "info")]
pub struct InfoArguments {
    /// A library, or built-in for Kashan's own.
    #[arg(value_name = "LIBRARY")]
    library: PathBuf,
    /// Write JSON, for programs.
    #[arg(long)]
    json: bool,
}

/// Prints the content of a library.
///
/// # Errors
/// The library is damaged, or of another kind.
fn info(arguments: &InfoArguments) -> anyhow::Result<()> {
    let info = Info::open(&arguments.library)?;
    match arguments.json {
        true => print_json(&info),
        false => print(&info.text()),
    }
}

/// The content of a library.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Info {
    library: String,
    games: usize,
    half_moves: usize,
    cases: usize,
    /// The first and the last year of its games, if any is known.
    years: Option<(u16, u16)>,
    /// The actions with cases as White's moves, the most frequent first, with their numbers.
    actions: Vec<(String, usize)>,
    own_cases: usize,
    own_games: usize,
}

impl Info {
    fn open(path: &Path) -> anyhow::Result<Info> {
        let library = Library::open(path)?;
        let contents = library.contents();
        let years = contents.games.iter().map(|game| game.year);
        let years = years.filter(|&year| year > 0);
        let (own_cases, own_games) = library.own_counts();
        let mut actions: Vec<_> = library.actions().collect();
        actions.sort_by_key(|&(action, cases)| (Reverse(cases), action));
        let san = |(action, cases): (Action, usize)| (action.san(Color::White).to_string(), cases);
        Ok(Info {
            library: library.path().display().to_string(),
            games: contents.games.len(),
            half_moves: contents.moves.len(),
            cases: actions.iter().map(|(_, cases)| cases).sum(),
            years: years.clone().min().zip(years.max()),
            actions: actions.into_iter().map(san).collect(),
            own_cases,
            own_games,
        })
    }

    /// The counts, in a line.
    fn counts(&self) -> String {
        let count = |number: usize, thing| counted(grouped(number as u64), thing);
        format!(
            "{}: {}, {}, {} of {}\n",
            self.library,
            count(self.games, "game"),
            count(self.half_moves, "half-move"),
            count(self.cases, "case"),
            count(self.actions.len(), "action"),
        )
    }

    fn text(&self) -> String {
        let mut text = self.counts();
        if let Some((first, last)) = self.years {
            text += &if first == last {
                format!("Games of the year {first}.\n")
            } else {
                format!("Games of the years {first} to {last}.\n")
            };
        }
        if let Some((_, most)) = self.actions.first() {
            let shown: Vec<String> = (self.actions.iter().take(10))
                .map(|(san, cases)| format!("{san} ({})", grouped(*cases as u64)))
                .collect();
            let share = 100.0 * *most as f64 / self.cases as f64;
            text += &format!(
                "Most cases, of both colours: {}; the first has {share:.1} % of all.\n",
                shown.join(", ")
            );
        }
        if self.own_cases > 0 {
            let cases = counted(self.own_cases, "own case");
            let games = counted(self.own_games, "game");
            text += &format!("Beside it: {cases} of {games}.\n");
        }
        text + "The file is undamaged.\n"
    }
}

//! `kashan library`: the answers of players to a move, from their games.

mod show;

use std::cmp::Reverse;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::ensure;
use chess::Color;
use clap::builder::RangedU64ValueParser;
use clap::{Args, Subcommand};
use indicatif::{HumanBytes, ProgressBar};
use serde_json::json;

use super::{common, print};
use crate::engine::library::format::{LeftOut, Name, Settings};
use crate::engine::library::retain::is_own;
use crate::engine::library::{GameId, Library};
use crate::lab::making::library::{self, BuildEvent, Recipe, is_library};
use crate::rules::pgn;
use crate::util::display::{Format, Table, counted, grouped};

/// Build a library of answers to moves, and look into it.
///
/// A case is the board after a player's move, the action, and the answer to this move, the
/// reaction. The backend action plays from a library (option LibraryFile), and the genetic search
/// draws moves from it (LibraryUse). "kashan help library" has more.
#[derive(Debug, Subcommand)]
pub enum Command {
    Build(Build),
    Info(Info),
    Merge(Merge),
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
        Command::Merge(arguments) => merge(arguments),
        Command::Show(arguments) => show::run(arguments),
    }
}

/// Build a library from games.
///
/// Games are read from PGN of any size, plain or compressed (gzip, Zstandard), and from other
/// libraries. A game that is broken, of a variant, empty or there already is named and left out.
/// All games are in memory, some 70 bytes for each half-move. The same games give the same file,
/// with any number of jobs. A file that is there is never written over.
#[derive(Debug, Args)]
pub struct Build {
    /// PGN files, directories with .pgn files (.pgn.gz and .pgn.zst, too), libraries.
    #[arg(required = true, value_name = "GAMES")]
    games: Vec<PathBuf>,
    /// Take games only if both players have this rating.
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_elo: u16,
    /// Treat a game to be left out as an error.
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    common: Common,
}

/// Make one library of several, and of the cases that an engine retained.
///
/// Games in more than one of them are taken once. The inputs are unchanged.
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
    /// File for the library.
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Keep no boards: a tenth of the size, for the genetic search's mutations and the moves of
    /// exact positions. The backend action needs the boards.
    #[arg(long)]
    no_cases: bool,
    /// Games are encoded by so many threads [default: as many as there are cores]
    #[arg(long, short, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=1024))]
    jobs: Option<usize>,
}

/// Builds a library.
fn build(arguments: &Build) -> anyhow::Result<()> {
    let inputs = pgn::files(&arguments.games)?;
    make(
        inputs,
        arguments.min_elo,
        arguments.strict,
        &arguments.common,
    )
}

/// Merges libraries.
///
/// # Errors
/// See [`library::build`]; an input is no library.
fn merge(arguments: &Merge) -> anyhow::Result<()> {
    for path in &arguments.libraries {
        ensure!(
            !path.exists() || is_library(path) || is_own(path),
            "{} is neither a library nor a file of own cases; kashan library build takes PGN",
            path.display()
        );
    }
    // Of own cases it is 0: they say nothing of ratings.
    let min_elo =
        |path| Library::open_with(path, None).map_or(0, |it| it.head().settings().min_elo);
    let min_elo = arguments.libraries.iter().map(|path| min_elo(path)).min();
    make(
        arguments.libraries.clone(),
        min_elo.unwrap_or(0),
        false,
        &arguments.common,
    )
}

fn make(inputs: Vec<PathBuf>, min_elo: u16, strict: bool, common: &Common) -> anyhow::Result<()> {
    let recipe = Recipe {
        inputs,
        output: common.output.clone(),
        settings: Settings {
            min_elo,
            cases: !common.no_cases,
        },
        strict,
        jobs: common.jobs.unwrap_or_else(common::cores),
        memory: library::free_memory(),
    };
    let bar = common::bytes_bar(0);
    let stop = common::stopped_by_signals(&bar, "the games that are being read");
    let mut news = News {
        bar: bar.clone(),
        begun: Instant::now(),
        left_out: 0,
    };
    let built = library::build(&recipe, &stop, &mut |event| news.tell(&event));
    bar.finish_and_clear();
    news.finish();
    built?;
    print(&summary(&common.output)?)
}

/// The number of omitted games to name: a file of the wrong kind is wrong in every game.
const NAMED: u64 = 100;

/// The progress for the user while games are read.
struct News {
    bar: ProgressBar,
    begun: Instant,
    left_out: u64,
}

impl News {
    fn tell(&mut self, event: &BuildEvent<'_>) {
        match event {
            BuildEvent::Read { bytes, of, games } => {
                self.bar.set_length(*of);
                self.bar.set_position(*bytes);
                let rate = *games as f64 / self.begun.elapsed().as_secs_f64().max(0.001);
                self.bar.set_message(format!(
                    "{} games, {rate:.0} a second",
                    grouped(*games as u64)
                ));
            }
            BuildEvent::LeftOut(game) => {
                self.left_out += 1;
                if self.left_out <= NAMED {
                    common::warn(&self.bar, &format!("left out: {game}"));
                }
            }
            BuildEvent::Writing => self
                .bar
                .set_message("all games are read; sorting and writing them"),
        }
    }

    fn finish(&self) {
        if let Some(more) = self.left_out.checked_sub(NAMED).filter(|&more| more > 0) {
            common::warn(
                &self.bar,
                &format!("... and {} games more are left out", grouped(more)),
            );
        }
    }
}

/// Describe the content of a library, after a check of every byte.
#[derive(Debug, Args)]
pub struct Info {
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
fn info(arguments: &Info) -> anyhow::Result<()> {
    let library = Library::open(&arguments.library)?;
    library.check()?;
    if arguments.json {
        print(&(json(&library)?.to_string() + "\n"))
    } else {
        print(&text(&library)?)
    }
}

/// Returns one line for a new library.
fn summary(path: &Path) -> anyhow::Result<String> {
    let library = Library::open_with(path, None)?;
    let count = |name, thing| counted(grouped(library.count(name)), thing);
    let mut text = format!(
        "{}: {}, {}, {} of {}, {}\n",
        path.display(),
        count(Name::Games, "game"),
        count(Name::Moves, "half-move"),
        count(Name::Cases, "case"),
        count(Name::Actions, "action"),
        HumanBytes(path.metadata()?.len())
    );
    if let Some(left_out) = left_out(&library.head().left_out()) {
        let _ = writeln!(text, "left out: {left_out}");
    }
    Ok(text)
}

/// `3 broken, 1 repeated`, if there are some.
fn left_out(left_out: &LeftOut) -> Option<String> {
    let LeftOut {
        broken,
        variant,
        empty,
        repeated,
        rating,
    } = *left_out;
    let counts = [
        (broken, "broken"),
        (variant, "of a variant"),
        (empty, "without moves"),
        (repeated, "repeated"),
        (rating, "by their players' ratings"),
    ];
    let parts = counts.iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts
        .map(|(count, what)| format!("{} {what}", grouped(*count)))
        .collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// The first and the last year of games, if any is known.
fn years(library: &Library) -> anyhow::Result<Option<(u16, u16)>> {
    let mut years: Option<(u16, u16)> = None;
    for number in 0..library.count(Name::Games) as u32 {
        if let Some(year) = library.game(GameId::Library(number))?.year() {
            let (first, last) = years.unwrap_or((year, year));
            years = Some((first.min(year), last.max(year)));
        }
    }
    Ok(years)
}

/// Returns the most frequent actions, as White's moves, and the numbers of their cases.
fn commonest(library: &Library) -> Vec<(String, u64)> {
    let mut actions: Vec<_> = library.actions().collect();
    actions.sort_by_key(|&(action, cases)| (Reverse(cases), action));
    actions
        .into_iter()
        .map(|(action, cases)| (action.san(Color::White).to_string(), cases))
        .collect()
}

/// The number of records of a table; of names each counts, not its letters.
fn records(library: &Library, name: Name) -> u64 {
    if name == Name::Names {
        library.names()
    } else {
        library.count(name)
    }
}

fn table_of_contents(library: &Library) -> Table {
    let mut table = Table::headed("Table|Records:|Size:|What it has");
    for name in Name::ALL {
        let what = match name {
            Name::Names => "players, events and unusual starts",
            Name::Games => "games",
            Name::Moves => "half-moves",
            Name::Positions => "moves in positions that came twice or more",
            Name::Reactions => "pairs of an action and a reaction",
            Name::Actions => "actions that have cases",
            Name::Cases => "cases: boards with their reactions",
        };
        let count = records(library, name);
        let size = HumanBytes(library.count(name) * name.record()).to_string();
        table.row([
            format!("{name:?}").to_lowercase(),
            grouped(count),
            size,
            what.to_owned(),
        ]);
    }
    table
}

fn text(library: &Library) -> anyhow::Result<String> {
    let settings = library.head().settings();
    let contents = table_of_contents(library).render(Format::Terminal);
    let mut text = format!(
        "{}: a library of actions, undamaged\n\n{contents}\n",
        library.path().display()
    );
    if let Some((first, last)) = years(library)? {
        let _ = match first == last {
            true => writeln!(text, "Games of the year {first}."),
            false => writeln!(text, "Games of the years {first} to {last}."),
        };
    }
    if settings.min_elo > 0 {
        let _ = writeln!(text, "Both players have {} or more.", settings.min_elo);
    }
    match library.replayed() {
        0 if !settings.cases => {
            text.push_str("Built without cases: there is nothing in it for the backend action.\n");
        }
        0 => {}
        cases => {
            let cases = grouped(cases as u64);
            let _ = writeln!(
                text,
                "Its {cases} cases are made from its games when it is opened."
            );
        }
    }
    if let Some(left_out) = left_out(&library.head().left_out()) {
        let _ = writeln!(text, "Left out when it was built: {left_out}.");
    }
    let commonest = commonest(library);
    let all: u64 = commonest.iter().map(|(_, cases)| cases).sum();
    if let Some((_, most)) = commonest.first() {
        let shown = commonest
            .iter()
            .take(10)
            .map(|(san, cases)| format!("{san} ({})", grouped(*cases)));
        let share = 100.0 * *most as f64 / all as f64;
        let list = shown.collect::<Vec<_>>().join(", ");
        let _ = writeln!(
            text,
            "Most cases, of both colours: {list}; the first has {share:.1} % of all."
        );
    }
    match library.own_counts() {
        (0, _) => {}
        (cases, games) => {
            let path = library.own_path().unwrap_or(Path::new("")).display();
            let count = |number: usize, thing| counted(grouped(number as u64), thing);
            let (cases, games) = (count(cases, "own case"), count(games, "game"));
            let _ = writeln!(text, "Beside it: {cases} of {games}, in {path}.");
        }
    }
    Ok(text)
}

fn json(library: &Library) -> anyhow::Result<serde_json::Value> {
    let (own_cases, own_games) = library.own_counts();
    let actions = commonest(library).into_iter();
    let actions = actions.map(|(action, cases)| json!({ "action": action, "cases": cases }));
    let tables = Name::ALL.map(|name| {
        (
            format!("{name:?}").to_lowercase(),
            json!(records(library, name)),
        )
    });
    Ok(json!({
        "library": library.path(),
        "settings": library.head().settings(),
        "left-out": library.head().left_out(),
        "records": serde_json::Map::from_iter(tables),
        "years": years(library)?.map(|(first, last)| [first, last]),
        "actions": actions.collect::<Vec<_>>(),
        "own": { "cases": own_cases, "games": own_games },
    }))
}

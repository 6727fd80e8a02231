//! `kashan library info`: what is in a library.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use chess::Color;
use clap::Args;
use indicatif::HumanBytes;
use serde_json::json;

use super::super::print;
use crate::display::{Format, Table, counted, grouped};
use crate::library::format::{LeftOut, Name};
use crate::library::{GameId, Library};

/// Say what is in a library, after a check of every byte.
#[derive(Debug, Args)]
pub struct Arguments {
    /// A library, or built-in for the one that Kashan carries.
    #[arg(value_name = "LIBRARY")]
    library: PathBuf,
    /// As JSON, for programs.
    #[arg(long)]
    json: bool,
}

/// Prints it.
///
/// # Errors
/// The library is damaged, or something else.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let library = Library::open(&arguments.library)?;
    library.check()?;
    match arguments.json {
        true => print(&(json(&library)?.to_string() + "\n")),
        false => print(&text(&library)?),
    }
}

/// One line for a library that was built just now.
pub fn summary(path: &Path) -> anyhow::Result<String> {
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
    if let Some(left_out) = left_out(&library.contents().left_out) {
        let _ = writeln!(text, "left out: {left_out}");
    }
    Ok(text)
}

/// `3 broken, 1 repeated`, if there are some.
fn left_out(left_out: &LeftOut) -> Option<String> {
    let LeftOut { broken, variant, empty, repeated, rating } = *left_out;
    let counts = [
        (broken, "broken"),
        (variant, "of a variant"),
        (empty, "without moves"),
        (repeated, "repeated"),
        (rating, "by their players' ratings"),
    ];
    let parts = counts.iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts.map(|(count, what)| format!("{} {what}", grouped(*count))).collect();
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

/// What was played most often, as White's move, and how often it was answered.
fn commonest(library: &Library) -> Vec<(String, u64)> {
    let mut actions: Vec<_> = library.actions().collect();
    actions.sort_by_key(|&(action, cases)| (std::cmp::Reverse(cases), action));
    actions.into_iter().map(|(action, cases)| (action.san(Color::White).to_string(), cases)).collect()
}

fn text(library: &Library) -> anyhow::Result<String> {
    let contents = library.contents();
    let mut text = format!("{}: a library of actions, undamaged\n\n", library.path().display());
    let mut table = Table::headed("Section|Records:|Size:|What it has");
    for section in &contents.sections {
        let what = match section.name {
            Name::Names => "players, events and unusual starts",
            Name::Games => "games",
            Name::Moves => "half-moves",
            Name::Positions => "moves in positions that came twice or more",
            Name::Reactions => "pairs of an action and a reaction",
            Name::Actions => "actions that have cases",
            Name::Cases => "cases: boards with their reactions",
        };
        let count = if section.name == Name::Names { library.names() } else { section.count() };
        let name = format!("{:?}", section.name).to_lowercase();
        table.row([name, grouped(count), HumanBytes(section.length).to_string(), what.to_owned()]);
    }
    text.push_str(&table.render(Format::Terminal));
    text.push('\n');
    if let Some((first, last)) = years(library)? {
        let _ = match first == last {
            true => writeln!(text, "Games of the year {first}."),
            false => writeln!(text, "Games of the years {first} to {last}."),
        };
    }
    if contents.settings.min_elo > 0 {
        let _ = writeln!(text, "Both players have {} or more.", contents.settings.min_elo);
    }
    match library.replayed() {
        0 if !contents.settings.cases => {
            text.push_str("Built without cases: there is nothing in it for the backend action.\n");
        }
        0 => {}
        cases => {
            let cases = grouped(cases as u64);
            let _ = writeln!(text, "Its {cases} cases are made from its games when it is opened.");
        }
    }
    if let Some(left_out) = left_out(&contents.left_out) {
        let _ = writeln!(text, "Left out when it was built: {left_out}.");
    }
    let commonest = commonest(library);
    let all: u64 = commonest.iter().map(|(_, cases)| cases).sum();
    if let Some((_, most)) = commonest.first() {
        let shown = commonest.iter().take(10).map(|(san, cases)| format!("{san} ({})", grouped(*cases)));
        let share = 100.0 * *most as f64 / all as f64;
        let list = shown.collect::<Vec<_>>().join(", ");
        let _ = writeln!(text, "Most cases, of both colours: {list}; the first has {share:.1} % of all.");
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
    let years = years(library)?;
    let (own_cases, own_games) = library.own_counts();
    let actions: Vec<_> = commonest(library)
        .into_iter()
        .map(|(action, cases)| json!({ "action": action, "cases": cases }))
        .collect();
    Ok(json!({
        "library": library.path(),
        "settings": library.contents().settings,
        "left-out": library.contents().left_out,
        "sections": library.contents().sections,
        "years": years.map(|(first, last)| [first, last]),
        "actions": actions,
        "own": { "cases": own_cases, "games": own_games },
    }))
}

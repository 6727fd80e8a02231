//! What `kashan match` and `kashan tournament` share: start the engines, play, show, and say how it ended.

mod screen;
mod standings;
mod threads;

use std::sync::{Mutex, PoisonError};

use anyhow::bail;

use super::{common, print};
use crate::arena::StopRequest;
use crate::arena::config::{Config, Variant};
use crate::arena::tournament::{self, Ending, Files};
use crate::arena::{EngineTable, GamePlayer, check_chess960, pgn, with_protocols};

pub use standings::Standings;

/// Plays the tournament and prints what happens: lines for people, or events for programs.
///
/// # Errors
/// Engines that cannot be started, files that cannot be written, and a tournament that was stopped before
/// everything was played.
pub fn play(config: &Config, json: bool) -> anyhow::Result<Standings> {
    let (tournament, anchors) = (config.tournament()?, config.anchors()?);
    let stop = StopRequest::default();
    let bar = common::progress_bar(tournament.games() as usize, "games");
    let teller = bar.clone();
    common::stop_on_signals(&stop, "the running games", move |text| common::warn(&teller, text));
    let concurrency = config.concurrency.min(tournament.games() as usize);
    if let Some(warning) = threads::warning(&tournament.terms().engines, concurrency) {
        common::warn(&bar, &warning);
    }
    // A mistake in an engine's path or options shows now, not as a tournament of draws.
    let engines = &tournament.terms().engines;
    engines.iter().try_for_each(common::check_backend)?;
    let engines = with_protocols(engines, stop.signal())?;
    if config.variant == Variant::Chess960 {
        check_chess960(&engines, stop.signal())?;
    }
    let tables = tournament.terms().tables.clone();
    let mut show = screen::Show {
        bar: &bar,
        tournament: &tournament,
        json,
        stop: stop.clone(),
        breakdowns_left: config.stop_after_crashes,
    };
    let tags = pgn::Tags { event: config.name.clone(), site: config.site.clone() };
    let files = Files {
        journal: config.output.journal.clone(),
        pgn: config.output.pgn.clone(),
        append: config.output.append,
        format: &|record| pgn::write(record, &tags),
    };
    // All tables come from one, which knows for all of them which engines ever started.
    let table = Mutex::new(EngineTable::new(engines, stop.signal().clone()).with_tables(tables));
    let players = |_| -> anyhow::Result<Box<dyn GamePlayer>> {
        Ok(Box::new(table.lock().unwrap_or_else(PoisonError::into_inner).another()))
    };
    let played = tournament::run(&tournament, &files, concurrency, &players, &stop, &mut show);
    bar.finish_and_clear();
    let (course, ending) = played?;
    let standings = Standings::new(&course, ending, anchors);
    write_results(config, &standings)?;
    match json {
        true => print(&result_event(&standings))?,
        false => print(&standings.text())?,
    }
    match ending {
        Ending::Complete | Ending::Decided(_) => Ok(standings),
        Ending::Stopped => {
            let (played, games) = (course.records().len(), tournament.games() as usize);
            let journal = config.output.journal.as_deref();
            bail!(common::unfinished(played, games, "games were played", "plays", journal))
        }
    }
}

/// The last of the events.
fn result_event(standings: &Standings) -> String {
    let mut event = standings.json();
    event["event"] = "result".into();
    format!("{event}\n")
}

fn write_results(config: &Config, standings: &Standings) -> anyhow::Result<()> {
    if let Some(path) = &config.output.json {
        common::write(path, &serde_json::to_string_pretty(&standings.json())?)?;
    }
    if let Some(path) = &config.output.svg {
        common::write(path, &standings.svg())?;
    }
    Ok(())
}

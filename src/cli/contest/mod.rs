//! What `kashan match` and `kashan tournament` share: start the engines, play, show, and say how it ended.

mod events;
mod screen;
mod standings;
mod threads;

use std::sync::{Mutex, PoisonError};

use anyhow::{Context as _, bail};

use super::{common, print};
use crate::arena::config::Config;
use crate::arena::tournament::{self, Course, Ending, Files, Observer, StopRequest};
use crate::arena::{EngineTable, GamePlayer, files, pgn, with_protocols};

pub use standings::Standings;

/// Plays the tournament and prints what happens: lines for people, or events for programs.
///
/// # Errors
/// Engines that cannot be started, files that cannot be written, and a tournament that was stopped before everything was played.
pub fn play(config: &Config, json: bool) -> anyhow::Result<Standings> {
    let (tournament, anchors) = (config.tournament()?, config.anchors()?);
    let stop = StopRequest::default();
    let screen = screen::Screen::new(&tournament);
    let teller = screen.clone();
    common::stop_on_signals(&stop, "the running games", move |text| teller.warn(text));
    if let Some(warning) = threads::warning(&tournament.terms().engines, config.concurrency) {
        screen.warn(&warning);
    }
    // A mistake in an engine's path or options shows now, not as a tournament of draws.
    let engines = &tournament.terms().engines;
    engines.iter().try_for_each(common::check_backend)?;
    let engines = with_protocols(engines, stop.signal())?;
    let mut observer: Box<dyn Observer + '_> = match json {
        true => Box::new(events::Events::new(&screen)),
        false => Box::new(screen::Lines::new(&screen)),
    };
    let tags = pgn::Tags {
        event: config.name.clone(),
        site: config.site.clone(),
    };
    let files = Files {
        journal: config.output.journal.clone(),
        pgn: config.output.pgn.clone(),
        append: config.output.append,
        format: &|record| pgn::write(record, &tags),
    };
    // All tables come from one, which knows for all of them which engines ever started.
    let table = Mutex::new(EngineTable::new(engines, stop.signal().clone()));
    let players = |_| -> anyhow::Result<Box<dyn GamePlayer>> {
        Ok(Box::new(
            table.lock().unwrap_or_else(PoisonError::into_inner).another(),
        ))
    };
    let played = tournament::run(
        &tournament,
        &files,
        config.concurrency,
        &players,
        &stop,
        &mut *observer,
    );
    screen.close();
    let (course, ending) = played?;
    let standings = Standings::new(&course, ending, anchors);
    write_results(config, &standings)?;
    match json {
        true => events::result(&standings)?,
        false => print(&standings.text())?,
    }
    match ending {
        Ending::Complete | Ending::Decided(_) => Ok(standings),
        Ending::Stopped => bail!(unfinished(config, &course)),
    }
}

fn write_results(config: &Config, standings: &Standings) -> anyhow::Result<()> {
    if let Some(path) = &config.output.json {
        let text = serde_json::to_string_pretty(&standings.json())?;
        files::replace(path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
    }
    if let Some(path) = &config.output.svg {
        files::replace(path, standings.svg().as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

fn unfinished(config: &Config, course: &Course<'_>) -> String {
    let (played, games) = (course.records().len(), course.tournament().games());
    let go_on = match &config.output.journal {
        Some(path) => format!("the same command plays the rest (journal {})", path.display()),
        None => "without a journal it cannot be continued".to_owned(),
    };
    format!("stopped: {played} of {games} games were played; {go_on}")
}

//! The parts in common to `kashan match` and `kashan tournament`: the start of the engines, the
//! games, the display, and the result.

mod other_runners;
mod rules;
mod screen;
mod standings;

use std::path::{Path, PathBuf};

use anyhow::{bail, ensure};
use indicatif::ProgressBar;
use serde_json::Value;

use super::{common, print, print_json};
use crate::arena::config::Config;
use crate::arena::game::Conditions;
use crate::arena::tournament::{self, Ending, Player, Tournament};
use crate::arena::{EngineSpec, EngineTable, check_engines};
use crate::util::display::counted;
use crate::util::files::{self, OutputFile};
use crate::util::jobs::{StopRequest, journal};

pub use other_runners::{TABLE, refuse_other_runners};
pub use rules::{Rules, Test};
pub use screen::Showing;
pub use standings::{Standings, sprt_in_words};

/// Plays the tournament and prints what happens: lines for people, or events for programs.
///
/// # Errors
/// Engines that do not start, unwritable files, and a stop before all games were played.
pub fn play(config: &Config, showing: Showing) -> anyhow::Result<()> {
    let mut config = config.clone();
    config.engines.iter_mut().for_each(common::without_book);
    let tournament = config.tournament()?;
    let bar = common::progress_bar(tournament.games() as usize, "games");
    let stop = common::stopped_by_signals(&bar, "the running games");
    let concurrency = config.concurrency.min(tournament.games() as usize);
    let (mut tournament, engines) = found(&mut config, tournament, &stop)?;
    leave_out_openings(&mut tournament, &engines, &bar)?;
    let mut conditions = Conditions::new(engines.into(), stop.signal().clone());
    conditions.tables = tournament.tables.clone();
    let mut show = screen::Show {
        load: &conditions.load,
        is_warned: false,
        bar: &bar,
        tournament: &tournament,
        showing,
        concurrency,
        stop: stop.clone(),
        breakdowns_left: config.stop_after_crashes,
    };
    let players = |_| -> anyhow::Result<Player> {
        let mut table = EngineTable::new(conditions.clone());
        Ok(Box::new(move |plan| table.play(plan)))
    };
    let played = tournament::run(
        &tournament,
        &config.output,
        concurrency,
        &players,
        &stop,
        &mut show,
    );
    bar.finish_and_clear();
    let (state, ending) = played?;
    let standings = Standings::new(&state, ending, conditions.load.warning());
    if showing.json {
        print_json(&standings.json())?;
    } else {
        print(&standings.text())?;
    }
    let played = state.records().len();
    let games = tournament.games() as usize;
    let journal = config.output.journal.as_deref();
    ensure!(
        ending != Ending::Stopped,
        common::unfinished(played, games, "games were played", "plays", journal)
    );
    ensure!(
        !config.strict || standings.wrong_thinking.is_empty(),
        "thinking lines were wrong, and --strict was asked for"
    );
    Ok(())
}

/// The tournament, and its engines with the protocols that they speak. A mistake in an engine's
/// path or options shows now, not as a tournament of draws.
fn found(
    config: &mut Config,
    mut tournament: Tournament,
    stop: &StopRequest,
) -> anyhow::Result<(Tournament, Vec<EngineSpec>)> {
    let engines = &tournament.config.engines;
    engines.iter().try_for_each(common::check_own)?;
    let mut checked = check_engines(engines, stop.signal())?;
    name_engines(config, &checked)?;
    tournament.config.engines = config.specs()?;
    for (engine, named) in checked.iter_mut().zip(&tournament.config.engines) {
        engine.name.clone_from(&named.name);
    }
    Ok((tournament, checked))
}

/// Leaves out the openings impossible for an engine, with a warning; with `--strict` they are an
/// error.
fn leave_out_openings(
    tournament: &mut Tournament,
    engines: &[EngineSpec],
    bar: &ProgressBar,
) -> anyhow::Result<()> {
    tell_left_out(&tournament.faults, bar);
    let left_out = tournament.leave_out_openings(engines)?;
    let count = counted(left_out.len(), "opening");
    if tournament.config.openings.strict
        && let Some(first) = left_out.first()
    {
        bail!("{count} cannot be played; {first}");
    }
    tell_left_out(&left_out, bar);
    Ok(())
}

/// Names the openings left out, and the reasons.
fn tell_left_out(reasons: &[String], bar: &ProgressBar) {
    if !reasons.is_empty() {
        let count = counted(reasons.len(), "opening");
        let text = format!("{count} left out, others are played instead:");
        common::warn(bar, &text);
    }
    for reason in common::first_warnings(reasons) {
        common::warn(bar, &format!("  {reason}"));
    }
}

/// Names the engines without a name: by the journal, otherwise by their own names. A tournament
/// goes on under its first names, even if an engine has another version by then.
fn name_engines(config: &mut Config, checked: &[EngineSpec]) -> anyhow::Result<()> {
    let settings = match &config.output.journal {
        Some(journal) => journal::settings(journal)?.unwrap_or_default(),
        None => Value::Null,
    };
    for (index, (engine, checked)) in config.engines.iter_mut().zip(checked).enumerate() {
        if engine.name.is_empty() {
            let in_journal = settings["engines"][index]["name"].as_str();
            engine.name = in_journal.unwrap_or_default().to_owned();
        }
        engine.own_name = checked.own_name.clone();
    }
    Ok(())
}

/// Checks that the files of a tournament overwrite nothing of value. `file` describes the
/// tournament.
///
/// # Errors
/// A file that would be written over another one, or cannot be written.
pub fn check_files(config: &Config, file: Option<&Path>) -> anyhow::Result<()> {
    let inputs = [file, config.openings.file.as_deref()]
        .into_iter()
        .flatten();
    let inputs: Vec<PathBuf> = inputs.map(Path::to_path_buf).collect();
    let output = &config.output;
    let kept = [&output.journal, &output.pgn].into_iter().flatten();
    let kept = kept.map(|path| OutputFile::with_own_rules(path));
    files::check(&inputs, kept)
}

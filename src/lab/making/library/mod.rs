//! Libraries of actions, from games: sorted in runs that fit into memory, which are merged at the end.
//!
//! ```text
//! source:  PGN of any size, libraries, own cases ──> games, in order
//! encode:  a game ──> its moves, positions, reactions and cases, on all cores
//! run:     games ──> <output>.part/run-00000, a library of some 20,000 games; a line in the journal
//! part:    all runs ──> <output>.part/whole ──> <output>
//! ```
//!
//! Killed at any moment, the same call goes on behind the last run. The same games give the same bytes,
//! whatever the number of jobs and wherever the runs end.

mod encode;
mod part;
mod run;
mod source;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use thiserror::Error;

use crate::engine::library::Library;
use crate::engine::library::format::Settings;
use crate::util::files::{self, OutputFile, Replaces};
use crate::util::jobs::StopRequest;
use encode::Encoded;
use part::Part;
use run::Run;
pub use source::is_library;
use source::{Numbered, Raw, Source};

/// What is built.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// PGN files, compressed or not; libraries; files of own cases. Their order is that of the games.
    pub inputs: Vec<PathBuf>,
    pub output: PathBuf,
    pub settings: Settings,
    /// A game that is broken, of a variant, empty or repeated is an error.
    pub strict: bool,
    /// Threads.
    pub jobs: usize,
    /// Half-moves of a run: what is in memory at once.
    pub run: usize,
}

/// Half-moves of a run, unless somebody says else.
pub const RUN: usize = 2_000_000;

/// A game that is not in the library; a strict recipe ends with it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}, game {number}{}: {reason}", path.display(), line.map(|line| format!(" (line {line})")).unwrap_or_default())]
pub struct LeftOutGame {
    pub path: PathBuf,
    /// Which game of its file it is, from 1.
    pub number: u64,
    /// Where it begins, in a file of text.
    pub line: Option<u64>,
    pub reason: Reason,
}

/// Why a game is left out.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Reason {
    #[error("{0}")]
    Broken(String),
    #[error("{0}")]
    Variant(String),
    #[error("it has no moves")]
    Empty,
    #[error("the same players and moves came before")]
    Repeated,
    /// A player's rating is too low or not known: what was asked for, and no fault.
    #[error("the players' ratings")]
    Rating,
}

/// What happens while a library is built.
#[derive(Debug)]
pub enum BuildEvent<'e> {
    /// So much of the files was read, of so many bytes in all, and so many games are in runs or in memory.
    Read { bytes: u64, of: u64, games: u64 },
    /// Not for [`Reason::Rating`].
    LeftOut(&'e LeftOutGame),
    /// An earlier call was ended; its work is gone on with.
    GoesOn { games: u64 },
    /// In words.
    Torn(&'e str),
    /// All games are read; the runs are put together.
    Merging,
}

/// Who hears what happens.
pub type Tell<'t> = dyn FnMut(BuildEvent<'_>) + Send + 't;

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The library is there.
    Built,
    /// The user wished to stop; so many games are in runs, and the same call goes on.
    Stopped { games: u64 },
}

/// Builds a library.
///
/// # Errors
/// Files that cannot be read or written, an output that is there already, another work's unfinished one; no
/// games at all; a game that is left out, if the recipe is strict.
pub fn build(recipe: &Recipe, stop: &StopRequest, tell: &mut Tell<'_>) -> anyhow::Result<Ended> {
    if !part::folder(&recipe.output).is_dir() {
        check_files(recipe)?;
    }
    let mut part = Part::open(recipe, tell)?;
    if !part.is_whole {
        check_files(recipe)?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(recipe.jobs.max(1)).build()?;
        let read = pool.install(|| read(recipe, &mut part, stop, tell));
        match read {
            Ok(true) => {}
            Ok(false) => return Ok(Ended::Stopped { games: part.games() }),
            Err(error) => {
                // What was read before the fault would not be read again once it is mended; and where nothing
                // is kept, the folder would only stand in the way of the mended files.
                if error.is::<LeftOutGame>() || part.is_empty() {
                    part.remove();
                }
                return Err(error);
            }
        }
        tell(BuildEvent::Merging);
        if part.games() == 0 {
            part.remove();
            bail!("there is no game to be kept in what was read");
        }
        pool.install(|| part.merge(recipe.settings))?;
    }
    // Somebody may have written there meanwhile.
    if part.has_file() {
        check_files(recipe)?;
    }
    part.publish(&recipe.output).with_context(|| format!("cannot write {}", recipe.output.display()))?;
    Ok(Ended::Built)
}

/// Whether the library can come to its place without anything being lost. It is renamed to there, which would
/// take the place of a device or a link, too.
fn check_files(recipe: &Recipe) -> anyhow::Result<()> {
    let output = &recipe.output;
    files::check(&recipe.inputs, [OutputFile { path: output, replaces: Replaces::Nothing }])?;
    let is_other = output.symlink_metadata().is_ok_and(|metadata| !metadata.is_file());
    ensure!(!is_other, "cannot write {}: it is a link or a device, and no file", output.display());
    Ok(())
}

/// Reads all games into runs; `false` if the user wished to stop before.
fn read(recipe: &Recipe, part: &mut Part, stop: &StopRequest, tell: &mut Tell<'_>) -> anyhow::Result<bool> {
    let mut source = Source::open(&recipe.inputs, part.cursor())?;
    let mut known = part.fingerprints()?;
    let mut run = Run::default();
    // A run has several batches, if games are as long as usual.
    let games = (recipe.run / 500).clamp(1, 2_000);
    let mut batch = source.next_batch(games)?;
    // Games in memory are written before it stops.
    while !batch.is_empty() && (!stop.is_said() || !run.is_empty()) {
        let cursor = source.cursor;
        // The next games are read while these are played.
        let (next, encoded) =
            rayon::join(|| source.next_batch(games), || encode::all(&batch, recipe.settings));
        for (game, encoded) in batch.iter().zip(encoded) {
            add(recipe, &mut run, &mut known, game, encoded, tell)?;
        }
        batch = next?;
        if run.plies() >= recipe.run {
            part.add(std::mem::take(&mut run), recipe.settings, cursor)?;
        }
        tell(BuildEvent::Read {
            bytes: source.bytes_read(),
            of: source.bytes(),
            games: part.games() + run.games() as u64,
        });
        if stop.is_said() || batch.is_empty() {
            part.add(std::mem::take(&mut run), recipe.settings, cursor)?;
        }
    }
    Ok(batch.is_empty())
}

/// Adds a game to the run, unless something speaks against it.
fn add(
    recipe: &Recipe,
    run: &mut Run,
    known: &mut HashSet<u64>,
    game: &Numbered,
    encoded: Result<Encoded, Reason>,
    tell: &mut Tell<'_>,
) -> anyhow::Result<()> {
    let reason = match encoded {
        Ok(encoded) if known.insert(encoded.fingerprint) => {
            return run.add(encoded).with_context(|| recipe.output.display().to_string());
        }
        Ok(_) => Reason::Repeated,
        Err(reason) => reason,
    };
    run.leave_out(&reason);
    if reason != Reason::Rating {
        let path = recipe.inputs[game.input].clone();
        let line = if let Raw::Text(text) = &game.raw { Some(text.line) } else { None };
        let left_out = LeftOutGame { path, number: game.number, line, reason };
        if recipe.strict {
            return Err(left_out.into());
        }
        tell(BuildEvent::LeftOut(&left_out));
    }
    Ok(())
}

/// Opens a library and checks all of it.
///
/// # Errors
/// It is damaged, or something else.
pub fn checked(path: &Path) -> anyhow::Result<Library> {
    let library = Library::open_with(path, None)?;
    library.check()?;
    Ok(library)
}

#[cfg(test)]
mod tests;

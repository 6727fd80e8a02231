//! Libraries of actions, from games: gathered in memory, sorted, and written once.
//!
//! ```text
//! source:  PGN of any size, libraries, own cases ──> games, in order
//! encode:  a game ──> its moves, positions, reactions and cases, on all cores
//! gather:  games ──> tables in memory ──> sorted ──> the file
//! ```
//!
//! The same games give the same bytes, whatever the number of jobs. A half-move takes some 70 bytes
//! of memory.

mod encode;
mod gather;
mod source;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use thiserror::Error;

use crate::engine::library::Library;
use crate::engine::library::format::Settings;
use crate::util::files::{self, OutputFile, Replaces};
use crate::util::jobs::StopRequest;
use crate::util::system;
use encode::Encoded;
use gather::Gathered;
pub use source::is_library;
use source::{Numbered, Raw, Source};

/// A library to be built.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// PGN files, compressed or not; libraries; files of own cases. Their order is the order of the
    /// games.
    pub inputs: Vec<PathBuf>,
    pub output: PathBuf,
    pub settings: Settings,
    /// True if a broken, empty or repeated game, or one of a variant, is an error.
    pub strict: bool,
    /// Threads.
    pub jobs: usize,
    /// Bytes of memory for its tables at most.
    pub memory: usize,
}

/// Returns the memory for a library here: most of the free memory.
pub fn free_memory() -> usize {
    system::free_memory().map_or(usize::MAX, |free| free / 10 * 9)
}

/// A game left out of the library; a strict recipe ends with such a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}, game {number}{}: {reason}", path.display(), line.map(|line| format!(" (line {line})")).unwrap_or_default())]
pub struct LeftOutGame {
    pub path: PathBuf,
    /// The number of the game in its file, from 1.
    pub number: u64,
    /// The first line of the game, in a file of text.
    pub line: Option<u64>,
    pub reason: Reason,
}

/// The reason for leaving a game out.
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
    /// A player's rating is too low or unknown: as the user asked, and no fault.
    #[error("the players' ratings")]
    Rating,
}

/// An event while a library is built.
#[derive(Debug)]
pub enum BuildEvent<'e> {
    /// Progress: bytes read so far, bytes in all, and games in memory.
    Read { bytes: u64, of: u64, games: usize },
    /// A game left out, except by [`Reason::Rating`].
    LeftOut(&'e LeftOutGame),
    /// Every game is read; the games are sorted and written.
    Writing,
}

/// Listens to events.
pub type Tell<'t> = dyn FnMut(BuildEvent<'_>) + Send + 't;

/// Builds a library.
///
/// # Errors
/// Unreadable or unwritable files, an existing output; no games at all, or more than the memory has
/// room for; a game left out, if the recipe is strict; a stop by the user. Nothing is written then.
pub fn build(recipe: &Recipe, stop: &StopRequest, tell: &mut Tell<'_>) -> anyhow::Result<()> {
    check_files(recipe)?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(recipe.jobs.max(1))
        .build()?;
    let mut gathered = pool.install(|| read(recipe, stop, tell))?;
    ensure!(
        gathered.games() > 0,
        "there is no game to be kept in what was read"
    );
    tell(BuildEvent::Writing);
    pool.install(|| gathered.sort());
    // Somebody may have written there meanwhile.
    check_files(recipe)?;
    files::replace_by(&recipe.output, |file| gathered.write(recipe.settings, file))
        .with_context(|| format!("cannot write {}", recipe.output.display()))
}

/// Checks that the library can come to its place without a loss: its file is renamed to the place,
/// and would replace a device or a link, too.
fn check_files(recipe: &Recipe) -> anyhow::Result<()> {
    let output = &recipe.output;
    files::check(
        &recipe.inputs,
        [OutputFile {
            path: output,
            replaces: Replaces::Nothing,
        }],
    )?;
    let is_other = output
        .symlink_metadata()
        .is_ok_and(|metadata| !metadata.is_file());
    ensure!(
        !is_other,
        "cannot write {}: it is a link or a device, and no file",
        output.display()
    );
    Ok(())
}

/// The number of games read and encoded at once.
const BATCH: usize = 2_000;

/// Reads all games.
fn read(recipe: &Recipe, stop: &StopRequest, tell: &mut Tell<'_>) -> anyhow::Result<Gathered> {
    let mut source = Source::open(&recipe.inputs);
    let mut known = HashSet::new();
    let mut gathered = Gathered::default();
    let mut batch = source.next_batch(BATCH)?;
    while !batch.is_empty() {
        if stop.is_said() {
            bail!("stopped: no library was written");
        }
        // The next games are read while these are played.
        let (next, encoded) = rayon::join(
            || source.next_batch(BATCH),
            || encode::all(&batch, recipe.settings),
        );
        for (game, encoded) in batch.iter().zip(encoded) {
            add(recipe, &mut gathered, &mut known, game, encoded, tell)?;
        }
        batch = next?;
        tell(BuildEvent::Read {
            bytes: source.bytes_read(),
            of: source.bytes(),
            games: gathered.games(),
        });
    }
    Ok(gathered)
}

/// Adds a game, unless there is a reason to leave the game out.
fn add(
    recipe: &Recipe,
    gathered: &mut Gathered,
    known: &mut HashSet<u64>,
    game: &Numbered,
    encoded: Result<Encoded, Reason>,
    tell: &mut Tell<'_>,
) -> anyhow::Result<()> {
    let reason = match encoded {
        Ok(encoded) if known.insert(encoded.fingerprint) => {
            return gathered
                .add(encoded, recipe.memory)
                .with_context(|| format!("cannot build {}", recipe.output.display()));
        }
        Ok(_) => Reason::Repeated,
        Err(reason) => reason,
    };
    gathered.leave_out(&reason);
    if reason != Reason::Rating {
        let path = recipe.inputs[game.input].clone();
        let line = if let Raw::Text(text) = &game.raw {
            Some(text.line)
        } else {
            None
        };
        let left_out = LeftOutGame {
            path,
            number: game.number,
            line,
            reason,
        };
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
/// The library is damaged, or of another kind.
pub fn checked(path: &Path) -> anyhow::Result<Library> {
    let library = Library::open_with(path, None)?;
    library.check()?;
    Ok(library)
}

#[cfg(test)]
mod tests;

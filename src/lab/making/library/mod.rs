//! Libraries of actions, from games: PGN of any size, other libraries, own cases. All are read as
//! PGN, in order, checked on all cores, gathered in memory, and written once. The same games give
//! the same bytes.

use std::collections::HashSet;
use std::io::{self, BufRead, Cursor};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use thiserror::Error;

use crate::engine::library::format::Contents;
use crate::engine::library::game::{self, LibraryGame};
use crate::engine::library::retain;
use crate::util::files::{self, OutputFile, Replaces};
use crate::util::input;
use crate::util::jobs::StopRequest;

/// A library to be built.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// PGN files, compressed or not; libraries; files of own cases. Their order is the order of the
    /// games.
    pub inputs: Vec<PathBuf>,
    pub output: PathBuf,
    /// Both players have to have this rating.
    pub min_elo: u16,
    /// True if a broken, empty or repeated game, or one of a variant, is an error.
    pub strict: bool,
}

/// A game left out of the library; a strict recipe ends with such a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}, game {number}{}: {reason}", path.display(), line.map(|line| format!(" (line {line})")).unwrap_or_default())]
pub struct LeftOutGame {
    pub path: PathBuf,
    /// The number of the game in its file, from 1.
    pub number: u32,
    /// The first line of the game, in a file of PGN.
    pub line: Option<u64>,
    pub reason: Reason,
}

/// The reason for leaving a game out.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Reason {
    #[error("{0}")]
    Broken(String),
    #[error("the same players and moves came before")]
    Repeated,
    /// A player's rating is too low or unknown: as the user asked, and no fault.
    #[error("the players' ratings")]
    Rating,
}

/// An event while a library is built.
#[derive(Debug)]
pub enum BuildEvent<'e> {
    /// The number of games in memory so far.
    Read { games: usize },
    /// A game left out.
    LeftOut(&'e LeftOutGame),
}

/// Listens to events.
pub type Tell<'t> = dyn FnMut(BuildEvent<'_>) + 't;

/// Builds a library.
///
/// # Errors
/// Unreadable or unwritable files, an existing output; no games at all, or more than a library can
/// have; a game left out, if the recipe is strict; a stop by the user. Nothing is written then.
pub fn build(recipe: &Recipe, stop: &StopRequest, tell: &mut Tell<'_>) -> anyhow::Result<()> {
    check_files(recipe)?;
    let mut gathered = Gathered::default();
    for path in &recipe.inputs {
        read(path, recipe, &mut gathered, stop, tell)?;
    }
    ensure!(
        !gathered.contents.games.is_empty(),
        "there is no game to be kept in what was read, with ratings from {} on",
        recipe.min_elo
    );
    // Somebody may have written there meanwhile.
    check_files(recipe)?;
    files::replace(&recipe.output, &gathered.contents.to_bytes()?)
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

/// Reads the games of a file.
fn read(
    path: &Path,
    recipe: &Recipe,
    gathered: &mut Gathered,
    stop: &StopRequest,
    tell: &mut Tell<'_>,
) -> anyhow::Result<()> {
    let cannot_read = || format!("cannot read {}", path.display());
    let is_own = retain::is_own(path);
    let source: Box<dyn BufRead> = if is_own {
        let own = retain::read(path).with_context(cannot_read)?;
        Box::new(Cursor::new(own.to_pgn()))
    } else {
        input::open(path).with_context(cannot_read)?
    };
    let read = game::each(source, |text, game| {
        if stop.is_said() {
            bail!("stopped: no library was written");
        }
        let Err(reason) = gathered.add(game, recipe.min_elo) else {
            tell(BuildEvent::Read {
                games: gathered.contents.games.len(),
            });
            return Ok(());
        };
        let left_out = LeftOutGame {
            path: path.to_owned(),
            number: text.number,
            line: (!is_own).then_some(text.line),
            reason,
        };
        if recipe.strict && left_out.reason != Reason::Rating {
            return Err(left_out.into());
        }
        tell(BuildEvent::LeftOut(&left_out));
        Ok(())
    });
    read.map_err(|error| {
        if error.is::<io::Error>() {
            error.context(cannot_read())
        } else {
            error
        }
    })
}

/// The content of a library in the making.
#[derive(Default)]
struct Gathered {
    contents: Contents,
    /// The fingerprints of the games.
    known: HashSet<u64>,
}

impl Gathered {
    /// Adds a game, or returns the reason to leave the game out.
    fn add(&mut self, game: Result<LibraryGame, String>, min_elo: u16) -> Result<(), Reason> {
        let game = game.map_err(Reason::Broken)?;
        if game.elo.iter().any(|&elo| elo < min_elo) {
            return Err(Reason::Rating);
        }
        if !self.known.insert(game.fingerprint()) {
            return Err(Reason::Repeated);
        }
        let added = self.contents.add(&game);
        added.map_err(|error| Reason::Broken(error.to_string()))
    }
}

#[cfg(test)]
mod tests;

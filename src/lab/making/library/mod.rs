//! Libraries of actions, from games: PGN of any size, other libraries, own cases. All are read as
//! PGN, in order, checked on all cores, gathered in memory, and written once. The same games give
//! the same bytes.

mod encode;
mod source;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use thiserror::Error;
use zerocopy::little_endian::U32;

use crate::engine::library::format::Contents;
use crate::util::files::{self, OutputFile, Replaces};
use crate::util::jobs::StopRequest;
use encode::Encoded;

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
        "there is no game to be kept in what was read"
    );
    // Somebody may have written there meanwhile.
    check_files(recipe)?;
    files::replace(&recipe.output, &gathered.contents.to_bytes())
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
const BATCH: usize = 1_000;

/// Reads the games of a file.
fn read(
    path: &Path,
    recipe: &Recipe,
    gathered: &mut Gathered,
    stop: &StopRequest,
    tell: &mut Tell<'_>,
) -> anyhow::Result<()> {
    let cannot_read = || format!("cannot read {}", path.display());
    let mut source = source::open(path).with_context(cannot_read)?;
    loop {
        let mut batch = Vec::new();
        while batch.len() < BATCH
            && let Some(game) = source.games.next_game().with_context(cannot_read)?
        {
            batch.push(game);
        }
        if batch.is_empty() {
            return Ok(());
        }
        for (game, encoded) in batch.iter().zip(encode::all(&batch, recipe.min_elo)) {
            if stop.is_said() {
                bail!("stopped: no library was written");
            }
            let Some(reason) = gathered.add(encoded)? else {
                continue;
            };
            let left_out = LeftOutGame {
                path: path.to_owned(),
                number: game.number,
                line: source.is_pgn.then_some(game.line),
                reason,
            };
            if recipe.strict && left_out.reason != Reason::Rating {
                return Err(left_out.into());
            }
            tell(BuildEvent::LeftOut(&left_out));
        }
        tell(BuildEvent::Read {
            games: gathered.contents.games.len(),
        });
    }
}

/// The content of a library in the making.
#[derive(Default)]
struct Gathered {
    contents: Contents,
    numbers_of_names: HashMap<String, u32>,
    /// The fingerprints of the games.
    known: HashSet<u64>,
}

impl Gathered {
    /// Adds a game, or returns the reason to leave the game out.
    ///
    /// # Errors
    /// There are more games than a library can have.
    fn add(&mut self, encoded: Result<Encoded, Reason>) -> anyhow::Result<Option<Reason>> {
        let game = match encoded {
            Ok(game) if self.known.insert(game.fingerprint) => game,
            Ok(_) => return Ok(Some(Reason::Repeated)),
            Err(reason) => return Ok(Some(reason)),
        };
        let mut record = game.record;
        let [white, black, event, start] = &game.names;
        record.white = self.number_of(white)?;
        record.black = self.number_of(black)?;
        record.event = self.number_of(event)?;
        record.start = match start.as_str() {
            "" => U32::ZERO,
            fen => self.number_of(fen)? + 1,
        };
        record.moves = u32::try_from(self.contents.moves.len())?.into();
        self.contents.games.push(record);
        self.contents.moves.extend(game.moves);
        Ok(None)
    }

    /// The number of a name.
    fn number_of(&mut self, name: &str) -> anyhow::Result<U32> {
        let next = u32::try_from(self.contents.names.len())?;
        let number = *self.numbers_of_names.entry(name.to_owned()).or_insert(next);
        if number == next {
            self.contents.names.push(name.to_owned());
        }
        Ok(number.into())
    }
}

#[cfg(test)]
mod tests;

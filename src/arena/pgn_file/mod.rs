//! The games of a tournament in a PGN file, behind whatever stands there, in the order of their
//! numbers.
//!
//! The journal is the truth. Games ending out of order wait for those before them, so a file is
//! only ever added to. When a tournament goes on, the games that a kill kept out of the file are
//! added, and the rest of a torn one is taken away.

use std::collections::{BTreeMap, HashSet};
use std::fs::{File, OpenOptions};
use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use super::GameRecord;
use super::pgn::Writer;
use crate::rules::pgn::{self, Reader};
use crate::util::files;
use crate::util::jobs::Part;

/// Gives a played game by its number.
pub type Games<'g> = dyn FnMut(u32) -> io::Result<GameRecord> + 'g;

/// A growing PGN file.
pub struct PgnFile {
    path: PathBuf,
    file: File,
    writer: Writer,
    /// The number of the next game.
    next: u32,
    /// The part with all pairs to come, if not all.
    part: Option<Part>,
    waiting: BTreeMap<u32, String>,
}

impl PgnFile {
    /// Opens a file, and adds the played games that it lacks, with numbers in order, up to the
    /// first game not played; the others wait for it, but not for those of other parts. `game`
    /// gives a game by its number, more than once.
    ///
    /// # Errors
    /// Fails if the file system or `game` fails, and on a file that is no PGN, or whose last game
    /// ends inside a comment. The file is left alone then.
    pub fn create(
        path: &Path,
        played: &[u32],
        game: &mut Games<'_>,
        writer: &Writer,
        part: Option<Part>,
    ) -> io::Result<PgnFile> {
        pgn::only_plain(path)?;
        let hasher = RandomState::new();
        let mut there = HashSet::new();
        // A device or a pipe holds nothing.
        if path.is_file() {
            take_torn_game_away(path, played, game, writer)?;
            pgn::only_games(path)?;
            there = games_in(path, &hasher)?;
            end_last_game(path)?;
        }
        let mut file = PgnFile {
            path: path.to_path_buf(),
            file: OpenOptions::new().append(true).create(true).open(path)?,
            writer: writer.clone(),
            next: 1,
            part,
            waiting: BTreeMap::new(),
        };
        for &number in played {
            let mut text = writer.write(&game(number)?);
            if there.contains(&hasher.hash_one(key(&text))) {
                text.clear();
            }
            file.add_text(number, text)?;
        }
        Ok(file)
    }

    /// Adds a game.
    pub fn add(&mut self, record: &GameRecord) -> io::Result<()> {
        self.add_text(record.number, self.writer.write(record))
    }

    /// Adds a game's text, empty if it stands in the file already, and writes all games whose turn
    /// it is.
    fn add_text(&mut self, number: u32, text: String) -> io::Result<()> {
        self.waiting.insert(number, text);
        let mut in_order = String::new();
        loop {
            match self.waiting.remove(&self.next) {
                Some(game) => in_order.push_str(&game),
                None if self.part.is_none_or(|part| part.has_game(self.next)) => break,
                // Another machine plays it.
                None => {}
            }
            self.next += 1;
        }
        self.write(&in_order)
    }

    /// Writes all of the text. After a failure the written part is removed, and nothing follows.
    fn write(&mut self, text: &str) -> io::Result<()> {
        let before = self.file.metadata()?;
        files::still_at(&self.path, &self.file)?;
        self.file.write_all(text.as_bytes()).inspect_err(|_| {
            self.waiting.clear();
            if before.is_file() {
                let _ = self.file.set_len(before.len());
            }
        })
    }

    /// Adds the games still waiting for ones never played, where no journal will bring those.
    pub fn write_waiting(&mut self) -> io::Result<()> {
        let rest: String = std::mem::take(&mut self.waiting).into_values().collect();
        self.write(&rest)
    }

    /// Ends the file: everything is on the disk.
    pub fn finish(self) -> io::Result<()> {
        files::still_at(&self.path, &self.file)?;
        // Devices and pipes cannot be synchronised.
        if self.file.metadata()?.is_file() {
            self.file.sync_all()
        } else {
            Ok(())
        }
    }
}

/// Bytes of the longest game: the last one of a file is looked for so far from the end.
const LONGEST_GAME: u64 = 1 << 22;

/// Takes away the rest of a game torn by a kill: the end of the file, if one of the played games
/// begins like it.
fn take_torn_game_away(
    path: &Path,
    played: &[u32],
    game: &mut Games<'_>,
    writer: &Writer,
) -> io::Result<()> {
    let mut file = OpenOptions::new().read(true).write(true).open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(LONGEST_GAME)))?;
    let mut end = Vec::new();
    file.read_to_end(&mut end)?;
    let behind_a_game = |place: &usize| end[*place..].starts_with(b"\n\n[");
    let torn = match (0..end.len()).rev().find(behind_a_game) {
        Some(place) => &end[place + 2..],
        None => &end[..],
    };
    for &number in played.iter().filter(|_| !torn.is_empty()) {
        let whole = writer.write(&game(number)?);
        if torn.len() < whole.len() && whole.as_bytes().starts_with(torn) {
            return file.set_len(length - torn.len() as u64);
        }
    }
    Ok(())
}

/// The hashes of the [keys](key) of all games of a file.
///
/// # Errors
/// Errors of the file system; the last game ends inside a comment, which would swallow the next.
fn games_in(path: &Path, hasher: &RandomState) -> io::Result<HashSet<u64>> {
    let mut reader = Reader::new(BufReader::new(File::open(path)?));
    let mut games = HashSet::new();
    while let Some(found) = reader.next_game()? {
        if found.torn.is_some() {
            return Err(io::Error::other(format!(
                "the comment that is open at the end of the game on line {} would swallow the first game behind it: \
                 end it with a brace, name another file, or move this one away",
                found.line
            )));
        }
        games.insert(hasher.hash_one(key(&found.text)));
    }
    Ok(games)
}

/// The identity of a game: its tags without the names of event and site, for these may be changed
/// while a tournament is stopped.
fn key(game: &str) -> String {
    let is_key = |line: &&str| {
        line.starts_with('[') && !line.starts_with("[Event ") && !line.starts_with("[Site ")
    };
    game.lines().map(str::trim).filter(is_key).collect()
}

/// Ends the last game of a file with an empty line.
fn end_last_game(path: &Path) -> io::Result<()> {
    let mut file = OpenOptions::new().read(true).write(true).open(path)?;
    let gap = pgn::gap(&mut file)?;
    file.write_all(gap.as_bytes())
}

#[cfg(test)]
mod tests;

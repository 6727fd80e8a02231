//! Games that were played elsewhere, or long ago: results from PGN files.
//!
//! Files are read as a stream, so their size does not matter. What cannot be counted is named with file, game and line.

mod pairing;
mod visitor;

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use pgn_reader::Reader;
use serde::Serialize;
use thiserror::Error;

use super::Verdict;
use super::statistics::Results;
use pairing::Pairing;
use visitor::{GameReader, PlayedGame};

/// Longer lines of tags, as no standard has them, cannot be read.
const TAG_LINE_BYTES: usize = 1 << 13;

/// A file that cannot be read at all.
#[derive(Debug, Error)]
#[error("cannot read {}: {source}", path.display())]
pub struct ArchiveError {
    pub path: PathBuf,
    pub source: io::Error,
}

/// Why a game is not counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind", content = "reason")]
pub enum Skipped {
    /// Its result is `*`.
    Unfinished,
    /// Something is wrong with its text.
    Broken(String),
}

/// A game that is not counted, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    pub file: PathBuf,
    /// From 1; 0 for the file as a whole.
    pub game: u32,
    /// The line where the game begins, from 1.
    pub line: u64,
    #[serde(flatten)]
    pub what: Skipped,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if self.game > 0 {
            write!(f, ", game {} (line {})", self.game, self.line)?;
        }
        match &self.what {
            Skipped::Unfinished => write!(f, ": unfinished"),
            Skipped::Broken(reason) => write!(f, ": {reason}"),
        }
    }
}

/// The games of PGN files.
#[derive(Clone, Debug, Default)]
pub struct Archive {
    /// The finished games, pairs marked.
    pub results: Results,
    /// How many games were found, those not counted included.
    pub games: u32,
    /// The games not counted, in the order of the files.
    pub problems: Vec<Problem>,
    /// Pairs have numbers that no other file's pairs have.
    pairs: u32,
}

impl Archive {
    /// Adds the games of a PGN file.
    ///
    /// # Errors
    /// If the file cannot be opened or read. Games that cannot be read are [`Archive::problems`].
    pub fn add_file(&mut self, path: &Path) -> Result<(), ArchiveError> {
        let unreadable = |source| ArchiveError {
            path: path.to_path_buf(),
            source,
        };
        let file = File::open(path).map_err(unreadable)?;
        self.add(path, file).map_err(unreadable)
    }

    /// Adds the games of a PGN text that `path` names in problems.
    ///
    /// # Errors
    /// If the source cannot be read.
    pub fn add(&mut self, path: &Path, source: impl Read + Seek) -> io::Result<()> {
        let mut reader = Reader::build(source)
            .set_supported_tag_line_length(TAG_LINE_BYTES)
            .finish();
        let mut pairing = Pairing::new(self.pairs);
        // Problems with the place of their game in bytes.
        let mut found: Vec<(u64, u32, Skipped)> = Vec::new();
        let mut number = 0;
        while reader.has_more()? {
            number += 1;
            let start = reader.stream_position()?;
            let skipped = match reader.read_game(&mut GameReader) {
                Ok(Some(Ok(game))) => self.count(&game, &mut pairing).err(),
                Ok(Some(Err(reason))) => Some(Skipped::Broken(reason)),
                Ok(None) => break,
                Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                    Some(Skipped::Broken(explain(&error)))
                }
                Err(error) => return Err(error),
            };
            found.extend(skipped.map(|skipped| (start, number, skipped)));
        }
        self.pairs = pairing.used();
        self.games += number;
        if number == 0 {
            found.push((0, 0, Skipped::Broken("no games in it".to_owned())));
        }
        let lines = line_numbers(&mut reader.into_inner(), found.iter().map(|(start, ..)| *start))?;
        self.problems.extend(
            found
                .into_iter()
                .zip(lines)
                .map(|((_, game, what), line)| Problem {
                    file: path.to_path_buf(),
                    game,
                    line,
                    what,
                }),
        );
        Ok(())
    }

    fn count(&mut self, game: &PlayedGame, pairing: &mut Pairing) -> Result<(), Skipped> {
        if game.white == game.black {
            return Err(Skipped::Broken(format!(
                "\"{}\" plays against itself",
                game.white
            )));
        }
        if game.verdict == Verdict::Unfinished {
            return Err(Skipped::Unfinished);
        }
        self.results
            .add(&game.white, &game.black, game.verdict, Some(pairing.number(game)));
        Ok(())
    }
}

/// What the reader says, with what it means for the games that follow.
fn explain(error: &io::Error) -> String {
    match error.to_string().as_str() {
        "unterminated comment" => "a comment has no end: nothing after its beginning can be read".to_owned(),
        other => other.to_owned(),
    }
}

/// The lines (from 1) of ascending places in a source.
fn line_numbers(source: &mut (impl Read + Seek), places: impl Iterator<Item = u64>) -> io::Result<Vec<u64>> {
    let mut places = places.peekable();
    let mut lines = Vec::new();
    if places.peek().is_none() {
        return Ok(lines);
    }
    source.seek(SeekFrom::Start(0))?;
    let (mut line, mut place) = (1, 0);
    let mut buffer = [0; 1 << 16];
    loop {
        let length = match source.read(&mut buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read?,
        };
        for byte in &buffer[..length] {
            while places.next_if(|&wanted| wanted <= place).is_some() {
                lines.push(line);
            }
            line += u64::from(*byte == b'\n');
            place += 1;
        }
        if length == 0 {
            lines.extend(places.map(|_| line));
            return Ok(lines);
        }
    }
}

#[cfg(test)]
mod tests;

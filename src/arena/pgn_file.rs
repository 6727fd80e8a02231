//! The games of a tournament as a PGN file, in the order of their numbers.
//!
//! The journal is what counts; this file is made from it. Games that end out of order wait for those before them, so that a file is
//! only ever added to; what a kill tears off or keeps waiting comes back when the tournament is continued.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use super::{GameRecord, files};

/// How a game looks as PGN, with an empty line at its end.
pub type Format<'f> = dyn Fn(&GameRecord) -> String + 'f;

/// A PGN file that grows.
pub struct PgnFile<'f> {
    file: File,
    format: &'f Format<'f>,
    /// The number of the game that comes next.
    next: u32,
    waiting: BTreeMap<u32, String>,
}

impl<'f> PgnFile<'f> {
    /// Writes the games of `records`, which are in order, up to the first that is missing; the others wait for it.
    ///
    /// # Errors
    /// What the file system says; a file in which there is something else, which is left alone.
    pub fn create<'r>(
        path: &Path,
        records: impl IntoIterator<Item = &'r GameRecord>,
        format: &'f Format<'f>,
    ) -> io::Result<PgnFile<'f>> {
        let mut waiting: BTreeMap<u32, String> = records
            .into_iter()
            .map(|record| (record.number, format(record)))
            .collect();
        refuse_others(path, waiting.values().next().map_or("", String::as_str))?;
        let mut next = 1;
        files::replace(path, take_those_in_order(&mut waiting, &mut next).as_bytes())?;
        Ok(PgnFile {
            file: OpenOptions::new().append(true).open(path)?,
            format,
            next,
            waiting,
        })
    }

    /// Adds a game.
    ///
    /// # Errors
    /// What the file system says.
    pub fn add(&mut self, record: &GameRecord) -> io::Result<()> {
        self.waiting.insert(record.number, (self.format)(record));
        let text = take_those_in_order(&mut self.waiting, &mut self.next);
        self.file.write_all(text.as_bytes())
    }

    /// Nothing more will come: what still waits for games that were not played is written as well.
    ///
    /// # Errors
    /// What the file system says.
    pub fn finish(mut self) -> io::Result<()> {
        for (_, game) in std::mem::take(&mut self.waiting) {
            self.file.write_all(game.as_bytes())?;
        }
        self.file.sync_all()
    }
}

/// Nobody's games are to be lost: only an empty file, or one that begins with the tag of our own first game, is replaced.
fn refuse_others(path: &Path, own: &str) -> io::Result<()> {
    let old = match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        old => old?,
    };
    // A kill may have left less than the line.
    let own = own.lines().next().unwrap_or("").as_bytes();
    let common = old.len().min(own.len());
    if old.is_empty() || (common > 0 && old[..common] == own[..common]) {
        return Ok(());
    }
    Err(io::Error::new(
        io::ErrorKind::AlreadyExists,
        "there are other games in it, which would be lost: name another file, or remove it",
    ))
}

fn take_those_in_order(waiting: &mut BTreeMap<u32, String>, next: &mut u32) -> String {
    let mut text = String::new();
    while let Some(game) = waiting.remove(next) {
        text.push_str(&game);
        *next += 1;
    }
    text
}

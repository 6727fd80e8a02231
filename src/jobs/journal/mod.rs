//! The memory of long work: one line of JSON for each result (of a tournament, for each game), written and
//! flushed to the disk before anything else is done with it.
//!
//! Whenever the program is killed, the journal has all results that were there before, and at most a torn
//! line at its end. The first line says everything that the results depend on, so that work is never
//! continued as other work. The lines after it can be anything that serde reads and writes.

mod differences;
mod merge;
mod numbered;

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

pub use merge::{Merged, Size, merge};
pub use numbered::Numbered;

use crate::{files, system};

/// How every journal begins.
const BEGINNING: &str = "{\"kashan-journal\":";

/// Of the format. A program that does not know it does not touch the file.
const VERSION: u32 = 1;

/// The first line.
#[derive(Serialize, Deserialize)]
struct Header {
    #[serde(rename = "kashan-journal")]
    version: u32,
    settings: Value,
}

/// Why work cannot be continued or recorded. The text names the journal.
#[derive(Debug, Error)]
pub enum JournalError {
    #[error("journal {}: {cause}", path.display())]
    Io { path: PathBuf, cause: io::Error },
    #[error("journal {} is in use: the same work is going on already", path.display())]
    InUse { path: PathBuf },
    /// Something else is in the file; it is left alone.
    #[error("{} is not a journal of this program", path.display())]
    NotAJournal { path: PathBuf },
    #[error("journal {} is of version {version}, this program knows version {VERSION}", path.display())]
    Version { path: PathBuf, version: u32 },
    /// A whole line cannot be read: that is not what a kill does.
    #[error(
        "journal {}, line {line}: {reason}. Remove that line, and what it was about is done again (a PGN file that has it has to be moved away)",
        path.display()
    )]
    Damaged { path: PathBuf, line: usize, reason: String },
    /// Every line can be read, but what one of them says cannot be.
    #[error("journal {}: {reason}", path.display())]
    Unfit { path: PathBuf, reason: String },
    /// Another command keeps it.
    #[error("journal {} is that of {was}, not of {is}: name another journal", path.display())]
    OtherWork { path: PathBuf, was: String, is: String },
    /// It is other work now.
    #[error(
        "journal {} is of different work: {}. Restore what it was, or name another journal (or remove this one) to start anew",
        path.display(), differences::listed(changes)
    )]
    Changed { path: PathBuf, changes: Vec<String> },
}

/// An open journal, which nobody else can open.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
}

/// What a journal has to tell.
#[derive(Debug, PartialEq)]
pub struct History<E> {
    /// The lines after the first.
    pub entries: Vec<E>,
    /// What was lost of a line that was being written when the program was killed, in words for people.
    pub torn: Option<String>,
}

/// The settings that a journal was begun with; `None` if there is no journal, or one of which not even that
/// was written.
pub fn settings(path: &Path) -> Result<Option<Value>, JournalError> {
    let io_error = |cause| JournalError::Io { path: path.to_path_buf(), cause };
    if !path.is_file() {
        return Ok(None);
    }
    let first = File::open(path).and_then(|file| first_line(&mut BufReader::new(file))).map_err(io_error)?;
    Ok(header(path, &first)?.map(|header| header.settings))
}

impl Journal {
    /// Opens the journal of any work with these settings, or begins it. A torn last line is removed from the
    /// file.
    ///
    /// # Errors
    /// See [`JournalError`]; the file is as it was then.
    pub fn open<E: DeserializeOwned>(
        path: &Path,
        settings: &Value,
    ) -> Result<(Journal, History<E>), JournalError> {
        let mut entries = Vec::new();
        let mut learn = |entry, _| {
            entries.push(entry);
            Ok(())
        };
        let (journal, torn) = Journal::open_each(path, settings, &mut learn)?;
        Ok((journal, History { entries, torn }))
    }

    /// As [`Journal::open`], for journals that do not fit into memory: `learn` gets every entry, and the
    /// place where [`Journal::entry_at`] finds it again, and says what is wrong with it. Also returns what is
    /// [torn](History::torn).
    ///
    /// # Errors
    /// See [`JournalError`]; the file is as it was then.
    pub fn open_each<E: DeserializeOwned>(
        path: &Path,
        settings: &Value,
        learn: &mut dyn FnMut(E, u64) -> Result<(), String>,
    ) -> Result<(Journal, Option<String>), JournalError> {
        let io_error = |cause| JournalError::Io { path: path.to_path_buf(), cause };
        // A device may have no end, and a pipe no reader.
        if std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
            return Err(io_error(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file")));
        }
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(io_error)?;
        // The lock goes with the process, however it ends.
        match files::lock(&file) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(JournalError::InUse { path: path.to_path_buf() });
            }
            Err(TryLockError::Error(source)) => return Err(io_error(source)),
        }
        let read = read(path, &file, settings, learn)?;
        file.set_len(read.good).map_err(io_error)?;
        file.seek(SeekFrom::Start(read.good)).map_err(io_error)?;
        let mut journal = Journal { path: path.to_path_buf(), file };
        if read.good == 0 {
            journal.add(&Header { version: VERSION, settings: settings.clone() })?;
            sync_folder(path);
        } else if read.lacks_end {
            journal.file.write_all(b"\n").map_err(io_error)?;
        }
        Ok((journal, read.torn))
    }

    /// Opens the journal of work that has grown: it was begun with the settings `before` and goes on with
    /// `settings`, which it says from then on. Otherwise as [`Journal::open_each`].
    ///
    /// # Errors
    /// See [`JournalError`]; the file is as it was then, unless it is `learn` that finds something wrong.
    pub fn open_grown<E: DeserializeOwned>(
        path: &Path,
        before: &Value,
        settings: &Value,
        learn: &mut dyn FnMut(E, u64) -> Result<(), String>,
    ) -> Result<(Journal, Option<String>), JournalError> {
        let io_error = |cause| JournalError::Io { path: path.to_path_buf(), cause };
        // The old file is locked until the new one is.
        let (mut journal, torn) = Journal::open_each::<IgnoredAny>(path, before, &mut |_, _| Ok(()))?;
        let header = line(&Header { version: VERSION, settings: settings.clone() }).map_err(io_error)?;
        files::replace_by(path, |grown| {
            grown.write_all(&header)?;
            journal.file.rewind()?;
            let mut games = BufReader::new(&journal.file);
            games.skip_until(b'\n')?;
            io::copy(&mut games, grown).map(|_| ())
        })
        .map_err(io_error)?;
        let _locked = system::OPEN_FILES_CAN_BE_REPLACED.then_some(journal);
        let (grown, _) = Journal::open_each(path, settings, learn)?;
        Ok((grown, torn))
    }

    /// Reads an entry once more.
    ///
    /// # Errors
    /// What the file system says; there is no such entry.
    pub fn entry_at<E: DeserializeOwned>(&mut self, place: u64) -> io::Result<E> {
        let mut text = Vec::new();
        self.file.seek(SeekFrom::Start(place))?;
        let read = BufReader::new(&self.file).read_until(b'\n', &mut text);
        // What is added comes behind everything.
        self.file.seek(SeekFrom::End(0))?;
        read?;
        Ok(serde_json::from_slice(&text)?)
    }

    /// Adds a line. When this returns it is on the disk.
    ///
    /// # Errors
    /// The disk is full, gone, and the like. The journal can still be read, but nothing should be added to it
    /// any more.
    pub fn add(&mut self, entry: &impl Serialize) -> Result<(), JournalError> {
        let io_error = |cause| JournalError::Io { path: self.path.clone(), cause };
        let text = line(entry).map_err(io_error)?;
        let end = self.file.stream_position().map_err(io_error)?;
        self.file.write_all(&text).and_then(|()| self.file.sync_data()).map_err(|cause| {
            // Half a line is of no use to anybody.
            let _ = self.file.set_len(end);
            io_error(cause)
        })
    }
}

fn line(entry: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut text = serde_json::to_vec(entry)?;
    text.push(b'\n');
    Ok(text)
}

/// A new file survives a power failure only when its folder is on the disk too. Not every system can do that,
/// nor needs it.
fn sync_folder(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
        let _ = folder.sync_all();
    }
}

/// What was found when a journal was read.
#[derive(Default)]
struct ReadBack {
    torn: Option<String>,
    /// How many bytes of the file are whole lines.
    good: u64,
    /// Nothing but the end of the last of them is missing.
    lacks_end: bool,
}

/// The first line of a journal; `None` if the program was killed before it was whole: then nothing was
/// played, and nothing is lost.
fn header(path: &Path, line: &[u8]) -> Result<Option<Header>, JournalError> {
    let path = || path.to_path_buf();
    let beginning = BEGINNING.as_bytes();
    let common = line.len().min(beginning.len());
    if line[..common] != beginning[..common] {
        return Err(JournalError::NotAJournal { path: path() });
    }
    if !line.ends_with(b"\n") {
        return Ok(None);
    }
    let header: Header =
        serde_json::from_slice(line).map_err(|_| JournalError::NotAJournal { path: path() })?;
    match header.version {
        VERSION => Ok(Some(header)),
        version => Err(JournalError::Version { path: path(), version }),
    }
}

/// The first line of a file, its end included. What is no journal may be one endless line, of which only the
/// beginning is read.
fn first_line(source: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    source.by_ref().take(BEGINNING.len() as u64).read_to_end(&mut line)?;
    if line == BEGINNING.as_bytes() {
        source.read_until(b'\n', &mut line)?;
    }
    Ok(line)
}

/// Reads a journal with these settings, and hands its entries out with their places.
fn read<E: DeserializeOwned>(
    path: &Path,
    file: &File,
    settings: &Value,
    learn: &mut dyn FnMut(E, u64) -> Result<(), String>,
) -> Result<ReadBack, JournalError> {
    let path_buf = || path.to_path_buf();
    let io_error = |cause| JournalError::Io { path: path_buf(), cause };
    let mut source = BufReader::with_capacity(1 << 16, file);
    let mut line = first_line(&mut source).map_err(io_error)?;
    let Some(header) = header(path, &line)? else {
        return Ok(ReadBack::default());
    };
    let [was, is] = [&header.settings, settings].map(differences::work);
    if was != is {
        return Err(JournalError::OtherWork { path: path_buf(), was, is });
    }
    let changes = differences::differences(&header.settings, settings);
    if !changes.is_empty() {
        return Err(JournalError::Changed { path: path_buf(), changes });
    }
    let mut back = ReadBack { good: line.len() as u64, ..ReadBack::default() };
    for number in 2.. {
        line.clear();
        if source.read_until(b'\n', &mut line).map_err(io_error)? == 0 {
            break;
        }
        back.lacks_end = !line.ends_with(b"\n");
        match serde_json::from_slice(&line) {
            Ok(entry) => {
                learn(entry, back.good).map_err(|reason| JournalError::Unfit { path: path_buf(), reason })?;
            }
            // The end of a line is written last, so that a kill never leaves it behind half a line.
            Err(_) if back.lacks_end => {
                back.torn = Some(format!(
                    "journal {}: line {number} was being written when the program was killed, {} bytes of it are dropped; \
                     what it was about is done again",
                    path.display(),
                    line.len()
                ));
                back.lacks_end = false;
                break;
            }
            Err(error) => {
                let reason = error.to_string();
                return Err(JournalError::Damaged { path: path_buf(), line: number, reason });
            }
        }
        back.good += line.len() as u64;
    }
    Ok(back)
}

#[cfg(test)]
mod tests;

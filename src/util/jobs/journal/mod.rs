//! The memory of long work: one line of JSON for each result (of a tournament, for each game),
//! written and flushed to the disk before any other use.
//!
//! After a kill at any moment, the journal has all earlier results, and at most a torn line at its
//! end. The first line has all settings behind the results, so that work is never continued as
//! other work. The lines after it can be anything for serde to read and write.

mod differences;
mod numbered;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail, ensure};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

pub use differences::{differences, listed};
pub use numbered::Numbered;

use crate::util::files;

/// The beginning of every journal.
const BEGINNING: &str = "{\"kashan-journal\":";

/// The version of the format. A program of another version leaves the file alone.
const VERSION: u32 = 1;

/// The first line.
#[derive(Serialize, Deserialize)]
struct Header {
    #[serde(rename = "kashan-journal")]
    version: u32,
    settings: Value,
}

/// The reason for not continuing a journal: its work began with other settings.
#[derive(Debug, Error)]
#[error(
    "journal {} is of different work: {}. Restore what it was, or name another journal (or remove this one) to start anew",
    path.display(), listed(changes)
)]
pub struct Changed {
    pub path: PathBuf,
    /// A sentence for each different setting.
    pub changes: Vec<String>,
}

/// Names the journal in an error of the file system.
fn failed(path: &Path) -> impl Fn(io::Error) -> anyhow::Error + Copy {
    move |cause| anyhow!("journal {}: {cause}", path.display())
}

/// An open journal, locked against other processes.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
}

/// The content of a journal.
#[derive(Debug, PartialEq)]
pub struct Contents<E> {
    /// The lines after the first.
    pub entries: Vec<E>,
    /// The line torn when the program was killed, in words for people.
    pub torn: Option<String>,
}

/// The settings at the beginning of a journal; `None` if there is no journal, or one without a
/// whole first line.
pub fn settings(path: &Path) -> anyhow::Result<Option<Value>> {
    let io_error = failed(path);
    if !path.is_file() {
        return Ok(None);
    }
    let file = File::open(path).map_err(io_error)?;
    let first = first_line(&mut BufReader::new(file)).map_err(io_error)?;
    Ok(header(path, &first)?.map(|header| header.settings))
}

/// Reads a journal of any settings and leaves it as it is: another program may be writing there.
/// `learn` gets every entry, and returns its fault, if any.
///
/// # Errors
/// There is no journal, or a damaged one; errors of `learn`.
pub fn read_each<E: DeserializeOwned>(
    path: &Path,
    learn: &mut dyn FnMut(E) -> Result<(), String>,
) -> anyhow::Result<()> {
    let settings = settings(path)?;
    let settings = settings.ok_or_else(|| anyhow!("there is no journal {}", path.display()))?;
    let file = File::open(path).map_err(failed(path))?;
    read(path, &file, &settings, &mut |entry, _| learn(entry))?;
    Ok(())
}

impl Journal {
    /// Opens the journal of work with these settings, or begins a new one. A torn last line is
    /// removed from the file.
    ///
    /// # Errors
    /// The file is no journal, is in use, is damaged, or is of other work, [`Changed`] if only its
    /// settings differ; errors of the file system. The file is unchanged then.
    pub fn open<E: DeserializeOwned>(
        path: &Path,
        settings: &Value,
    ) -> anyhow::Result<(Journal, Contents<E>)> {
        let mut entries = Vec::new();
        let mut learn = |entry, _| {
            entries.push(entry);
            Ok(())
        };
        let (journal, torn) = Journal::open_each(path, settings, &mut learn)?;
        Ok((journal, Contents { entries, torn }))
    }

    /// Opens a journal like [`Journal::open`], for journals too large for memory: `learn` gets
    /// every entry with its place for [`Journal::entry_at`], and returns its fault, if any. Also
    /// returns the [torn](Contents::torn) line.
    ///
    /// # Errors
    /// Errors of [`Journal::open`] and of `learn`.
    pub fn open_each<E: DeserializeOwned>(
        path: &Path,
        settings: &Value,
        learn: &mut dyn FnMut(E, u64) -> Result<(), String>,
    ) -> anyhow::Result<(Journal, Option<String>)> {
        let io_error = failed(path);
        let mut file = files::open(path).map_err(io_error)?;
        // The lock goes with the process, however it ends.
        ensure!(
            files::lock(&file).map_err(io_error)?,
            "journal {} is in use: the same work is going on already",
            path.display()
        );
        let read = read(path, &file, settings, learn)?;
        file.set_len(read.good).map_err(io_error)?;
        file.seek(SeekFrom::Start(read.good)).map_err(io_error)?;
        let mut journal = Journal {
            path: path.to_path_buf(),
            file,
        };
        if read.good == 0 {
            journal.add(&Header {
                version: VERSION,
                settings: settings.clone(),
            })?;
            sync_folder(path);
        } else if read.lacks_end {
            journal.file.write_all(b"\n").map_err(io_error)?;
        }
        Ok((journal, read.torn))
    }

    /// Reads an entry once more.
    ///
    /// # Errors
    /// Errors of the file system; there is no such entry.
    pub fn entry_at<E: DeserializeOwned>(&mut self, place: u64) -> io::Result<E> {
        let mut text = Vec::new();
        self.file.seek(SeekFrom::Start(place))?;
        let read = BufReader::new(&self.file).read_until(b'\n', &mut text);
        // What is added comes behind everything.
        self.file.seek(SeekFrom::End(0))?;
        read?;
        Ok(serde_json::from_slice(&text)?)
    }

    /// Adds a line. On return the line is on the disk.
    ///
    /// # Errors
    /// The disk is full, gone, and the like. The journal can still be read, but nothing should be
    /// added any more.
    pub fn add(&mut self, entry: &impl Serialize) -> anyhow::Result<()> {
        let io_error = failed(&self.path);
        files::still_at(&self.path, &self.file).map_err(io_error)?;
        let mut text = serde_json::to_vec(entry).map_err(|cause| io_error(cause.into()))?;
        text.push(b'\n');
        let end = self.file.stream_position().map_err(io_error)?;
        let written = self
            .file
            .write_all(&text)
            .and_then(|()| self.file.sync_data());
        if written.is_err() {
            // Half a line is of no use to anybody.
            let _ = self.file.set_len(end);
        }
        written.map_err(io_error)
    }
}

/// Puts the folder of a new file on the disk, for the file to survive a power failure. Not every
/// system can do so, nor needs to.
fn sync_folder(path: &Path) {
    if let Ok(folder) = File::open(files::folder_of(path)) {
        let _ = folder.sync_all();
    }
}

/// The result of reading a journal.
#[derive(Default)]
struct ReadBack {
    torn: Option<String>,
    /// The number of bytes in whole lines.
    good: u64,
    /// Nothing but the end of the last of them is missing.
    lacks_end: bool,
}

/// The first line of a journal; `None` if the program was killed in its middle: then nothing was
/// played, and nothing is lost.
fn header(path: &Path, line: &[u8]) -> anyhow::Result<Option<Header>> {
    let not_a_journal = || anyhow!("{} is not a journal of this program", path.display());
    let begin = &line[..line.len().min(BEGINNING.len())];
    ensure!(BEGINNING.as_bytes().starts_with(begin), not_a_journal());
    if !line.ends_with(b"\n") {
        return Ok(None);
    }
    let header: Header = serde_json::from_slice(line).map_err(|_| not_a_journal())?;
    let journal = path.display();
    let version = header.version;
    ensure!(
        version == VERSION,
        "journal {journal} is of version {version}, this program knows version {VERSION}"
    );
    Ok(Some(header))
}

/// The first line of a file, its end included. Another file may be one endless line, so only its
/// beginning is read.
fn first_line(source: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    source
        .by_ref()
        .take(BEGINNING.len() as u64)
        .read_to_end(&mut line)?;
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
) -> anyhow::Result<ReadBack> {
    let journal = path.display();
    let io_error = failed(path);
    let mut source = BufReader::with_capacity(1 << 16, file);
    let mut line = first_line(&mut source).map_err(io_error)?;
    let Some(header) = header(path, &line)? else {
        return Ok(ReadBack::default());
    };
    let [was, is] = [&header.settings, settings].map(differences::work);
    ensure!(
        was == is,
        "journal {journal} is that of {was}, not of {is}: name another journal"
    );
    let changes = differences(&header.settings, settings);
    ensure!(
        changes.is_empty(),
        Changed {
            path: path.to_path_buf(),
            changes
        }
    );
    let mut back = ReadBack {
        good: line.len() as u64,
        ..ReadBack::default()
    };
    for number in 2.. {
        line.clear();
        if source.read_until(b'\n', &mut line).map_err(io_error)? == 0 {
            break;
        }
        back.lacks_end = !line.ends_with(b"\n");
        match serde_json::from_slice(&line) {
            Ok(entry) => {
                learn(entry, back.good).map_err(|reason| anyhow!("journal {journal}: {reason}"))?;
            }
            // The end of a line is written last, so that a kill never leaves it behind half a line.
            Err(_) if back.lacks_end => {
                back.torn = Some(format!(
                    "journal {journal}: line {number} was being written when the program was killed, {} bytes of it are dropped; \
                     what it was about is done again",
                    line.len()
                ));
                back.lacks_end = false;
                break;
            }
            // That is not what a kill does.
            Err(error) => bail!(
                "journal {journal}, line {number}: {error}. Remove that line, and what it was about is done again (a PGN file that has it has to be moved away)"
            ),
        }
        back.good += line.len() as u64;
    }
    Ok(back)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::json;

    use super::*;
    use crate::util::files::tests::in_a_folder;

    /// Some work's lines.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    enum GameEvent {
        Game {
            number: u32,
            white: String,
            moves: Vec<String>,
        },
    }

    fn game(number: u32) -> GameEvent {
        let white = "A \"quoted\" ♔\nname".to_owned();
        GameEvent::Game {
            number,
            white,
            moves: vec!["e2e4".to_owned(), "e7e5".to_owned()],
        }
    }

    fn open(path: &Path, settings: &Value) -> anyhow::Result<(Journal, Contents<GameEvent>)> {
        Journal::open(path, settings)
    }

    fn settings() -> Value {
        json!({"seed": 1, "engines": ["A", "B"]})
    }

    /// Killed after any byte: the games that were whole are there, and the next ones can be added.
    #[test]
    fn a_journal_cut_at_any_byte_has_the_games_before_it() {
        let (_folder, path) = in_a_folder("t.journal");
        let (mut journal, _) = open(&path, &settings()).expect("begun");
        let mut ends = vec![fs::metadata(&path).expect("there").len() as usize];
        for number in 1..=3 {
            journal.add(&game(number)).expect("added");
            ends.push(fs::metadata(&path).expect("there").len() as usize);
        }
        drop(journal);
        let whole = fs::read(&path).expect("readable");
        for length in 0..=whole.len() {
            fs::write(&path, &whole[..length]).expect("cut");
            let (mut journal, history) = open(&path, &settings()).expect("continued");
            // A game whose line lacks only its end is whole.
            let games = ends[1..].iter().filter(|&&end| length + 1 >= end).count();
            let expected: Vec<GameEvent> = (1..=games as u32).map(game).collect();
            assert_eq!(history.entries, expected, "{length} bytes");
            let whole_line =
                length < ends[0] || ends.contains(&length) || ends.contains(&(length + 1));
            assert_eq!(
                history.torn.is_some(),
                !whole_line,
                "{length} bytes: {:?}",
                history.torn
            );
            for number in games as u32 + 1..=3 {
                journal.add(&game(number)).expect("added");
            }
            drop(journal);
            assert!(
                fs::read(&path).expect("readable") == whole,
                "the same file again, {length} bytes"
            );
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_journal_that_was_removed_is_an_error() {
        let (_folder, path) = in_a_folder("t.journal");
        let (mut journal, _) = open(&path, &settings()).expect("begun");
        journal.add(&game(1)).expect("added");
        fs::remove_file(&path).expect("there");
        assert!(
            journal
                .add(&game(2))
                .expect_err("removed")
                .to_string()
                .contains("t.journal")
        );
        fs::write(&path, "another").expect("written");
        assert!(
            journal
                .add(&game(2))
                .expect_err("replaced")
                .to_string()
                .contains("removed or replaced")
        );
    }

    #[test]
    fn other_tournaments_and_other_files_are_refused_and_left_alone() {
        let (folder, path) = in_a_folder("t.journal");
        let (mut journal, _) = open(&path, &settings()).expect("begun");
        journal.add(&game(1)).expect("added");
        drop(journal);
        let good = fs::read_to_string(&path).expect("readable");
        let changed = json!({"seed": 2, "engines": ["A", "B"]});
        let error = open(&path, &changed).expect_err("changed").to_string();
        assert!(
            error.contains("seed: was 1, is 2") && error.contains("t.journal"),
            "{error}"
        );
        assert_eq!(fs::read_to_string(&path).expect("readable"), good);

        // Of another command's work there is no point in telling each difference, and of many not
        // all are told.
        let solve = json!({"work": "solve", "limits": "1/move"});
        let error = open(&path, &solve).expect_err("other work").to_string();
        let ending = " is that of an experiment, not of kashan solve: name another journal";
        assert!(error.ends_with(ending), "{error}");
        let many: Value = (1..50)
            .map(|number| (format!("option{number}"), "x".repeat(200)))
            .collect();
        let error = open(&path, &many).expect_err("changed").to_string();
        assert!(
            error.contains("and 43 more") && error.len() < 3000,
            "{error}"
        );

        let second = good.lines().nth(1).expect("a game");
        for (content, reason) in [
            ("[Event \"?\"]\n".to_owned(), "not a journal"),
            ("{\"kashan-".to_owned() + "other", "not a journal"),
            ("{\"kashan-journal\":rubbish}\n".to_owned(), "not a journal"),
            (good.replace("journal\":1", "journal\":2"), "version 2"),
            (
                good.replace(second, "{\"game\":{}}\n{\"game\":"),
                "Remove that line",
            ),
            // It is whole, so that no kill made it so.
            (good.replace(second, "{\"game\":{}}"), "line 2: "),
            (good.clone() + "\n", "line 3: "),
        ] {
            fs::write(&path, &content).expect("written");
            let error = open(&path, &settings()).expect_err(&content).to_string();
            assert!(
                error.contains(reason) && error.contains("t.journal"),
                "{content}: {error}"
            );
            assert_eq!(fs::read_to_string(&path).expect("readable"), content);
        }
        let nowhere = folder.path().join("no/such/folder/t.journal");
        assert!(
            open(&nowhere, &settings())
                .expect_err("nowhere")
                .to_string()
                .contains("folder")
        );
    }
}

//! The unfinished library: a folder beside it, with runs and a journal.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::encode::fingerprint;
use super::merge;
use super::run::Run;
use super::source::Cursor;
use super::{Event, Recipe, Tell};
use crate::files;
use crate::jobs::journal::{Changed, Journal};
use crate::library::Library;
use crate::library::format::{Name, Settings};

pub struct Part {
    folder: PathBuf,
    journal: Journal,
    runs: Vec<RunLine>,
    is_whole: bool,
}

/// A line of the journal.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Line {
    /// A run is on the disk.
    Run(RunLine),
    /// The whole library is.
    Whole,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct RunLine {
    games: u64,
    /// Behind the last game that is in it, or left out.
    cursor: Cursor,
}

/// Where the unfinished library is.
pub fn folder(output: &Path) -> PathBuf {
    files::beside(output, ".part")
}

impl Part {
    /// Begins the folder, or goes on with it.
    ///
    /// # Errors
    /// It is of other work, somebody works on it, or it cannot be read or written.
    pub fn open(recipe: &Recipe, tell: &mut Tell<'_>) -> anyhow::Result<Part> {
        let folder = folder(&recipe.output);
        fs::create_dir_all(&folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        let path = folder.join("journal");
        ensure!(
            path.metadata().is_ok_and(|metadata| metadata.len() > 0) || !has_others(&folder, &path)?,
            "{} has files in it that no build of a library wrote: remove that folder, or name another output",
            folder.display()
        );
        let (journal, history) = Journal::open::<Line>(&path, &settings(recipe)).map_err(|error| match error.is::<Changed>() {
            true => error.context(format!(
                "another library was being built there, of which {} is left: remove that folder, or name another output",
                folder.display()
            )),
            false => error,
        })?;
        history.torn.iter().for_each(|torn| tell(Event::Torn(torn)));
        let mut part = Part { folder, journal, runs: Vec::new(), is_whole: false };
        for line in history.entries {
            match line {
                Line::Run(run) => part.runs.push(run),
                Line::Whole => part.is_whole = true,
            }
        }
        if !part.runs.is_empty() {
            tell(Event::GoesOn { games: part.games() });
        }
        Ok(part)
    }

    /// Everything is done, but perhaps the file is not yet where it belongs.
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Whether the whole library is still here.
    pub fn has_file(&self) -> bool {
        self.whole().is_file()
    }

    /// No run is on the disk.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Games in all runs.
    pub fn games(&self) -> u64 {
        self.runs.iter().map(|run| run.games).sum()
    }

    /// Behind the last game of the runs.
    pub fn cursor(&self) -> Cursor {
        self.runs.last().map(|run| run.cursor).unwrap_or_default()
    }

    /// Of all games in the runs.
    pub fn fingerprints(&self) -> anyhow::Result<HashSet<u64>> {
        let mut known = HashSet::new();
        for run in self.open_runs()? {
            for number in 0..run.count(Name::Games) as u32 {
                known.insert(fingerprint(&run.names_of(number)?, run.whole_game(number)?.1.into_iter()));
            }
        }
        Ok(known)
    }

    /// Writes a run.
    pub fn add(&mut self, run: Run, settings: Settings, cursor: Cursor) -> anyhow::Result<()> {
        if run.is_empty() {
            return Ok(());
        }
        let line = RunLine { games: run.games() as u64, cursor };
        let path = self.run(self.runs.len());
        run.write(&path, settings).with_context(|| format!("cannot write {}", path.display()))?;
        self.journal.add(&Line::Run(line))?;
        self.runs.push(line);
        Ok(())
    }

    /// Puts all runs together.
    pub fn merge(&mut self, settings: Settings) -> anyhow::Result<()> {
        let path = self.whole();
        let file = File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
        merge::merge(&self.open_runs()?, settings, file).with_context(|| path.display().to_string())?;
        self.journal.add(&Line::Whole)?;
        self.is_whole = true;
        Ok(())
    }

    /// Brings the whole library to its place and removes the folder.
    pub fn publish(self, output: &Path) -> std::io::Result<()> {
        if self.has_file() {
            fs::rename(self.whole(), output)?;
        }
        self.remove();
        Ok(())
    }

    /// Removes what was made here, and the folder if nothing else is in it.
    pub fn remove(self) {
        let Part { folder, journal, runs, .. } = self;
        drop(journal);
        let names = (0..=runs.len()).map(run_name).chain(["whole".to_owned(), "journal".to_owned()]);
        for name in names {
            let _ = fs::remove_file(folder.join(name));
        }
        // Another call that waited for this one finds nothing any more.
        if let Err(error) = fs::remove_dir(&folder)
            && error.kind() != ErrorKind::NotFound
        {
            log::warn!("the folder {} stays: {error}", folder.display());
        }
    }

    fn open_runs(&self) -> anyhow::Result<Vec<Library>> {
        (0..self.runs.len()).map(|number| super::checked(&self.run(number))).collect()
    }

    fn run(&self, number: usize) -> PathBuf {
        self.folder.join(run_name(number))
    }

    fn whole(&self) -> PathBuf {
        self.folder.join("whole")
    }
}

/// Whether there is anything in a folder but one file.
fn has_others(folder: &Path, file: &Path) -> anyhow::Result<bool> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    Ok(entries.flatten().any(|entry| entry.path() != file))
}

fn run_name(number: usize) -> String {
    format!("run-{number:05}")
}

/// What decides the library.
fn settings(recipe: &Recipe) -> Value {
    let input = |path: &PathBuf| json!({ "file": path, "content": files::mark(path).ok().flatten() });
    json!({
        "work": "library build",
        "inputs": recipe.inputs.iter().map(input).collect::<Vec<_>>(),
        "settings": recipe.settings,
        "strict": recipe.strict,
    })
}

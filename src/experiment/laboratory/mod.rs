//! Where experiments are done: it knows the conditions, keeps what was done, and tells how far it is.

mod contest;
mod judging;
mod notes;

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde::Serialize;
use thiserror::Error;

use super::Conditions;
use crate::jobs::StopRequest;
use crate::jobs::fingerprint;
use crate::{files, input};

pub use contest::{Contest, Match, alphabeta_with, elo_in_words, ours, stockfish};
pub use judging::Reference;

/// Hears how experiments go on.
pub trait Watcher: Sync {
    /// Something that a person should know.
    fn note(&self, text: &str);

    /// A piece of work begins or has come further: `done` of `total` games or positions.
    fn progress(&self, work: &str, done: usize, total: usize);
}

/// Nobody hears anything.
#[cfg(test)]
impl Watcher for () {
    fn note(&self, _: &str) {}
    fn progress(&self, _: &str, _: usize, _: usize) {}
}

/// The user wanted to stop. What was done is kept.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("stopped; the same command goes on from here")]
pub struct Stopped;

/// See the [module](self).
pub struct Laboratory<'l> {
    pub conditions: Conditions,
    /// Where journals are kept.
    journals: PathBuf,
    stop: StopRequest,
    watcher: &'l dyn Watcher,
}

impl<'l> Laboratory<'l> {
    /// A laboratory that keeps its journals in a folder, which need not exist yet. Work that was journalled
    /// there under the same conditions is not done again.
    pub fn new(
        conditions: Conditions,
        journals: &Path,
        stop: StopRequest,
        watcher: &'l dyn Watcher,
    ) -> Laboratory<'l> {
        Laboratory { conditions, journals: journals.to_path_buf(), stop, watcher }
    }

    /// Tells a person something.
    pub fn note(&self, text: &str) {
        self.watcher.note(text);
    }

    /// What engines listen to while they think.
    pub fn stop(&self) -> &StopRequest {
        &self.stop
    }

    /// The commits of the programs that worked with these journals, in the order in which they came; this
    /// one's is the last that was added. What another one played stays as it is.
    pub fn commits(&self) -> anyhow::Result<Vec<String>> {
        let path = self.folder()?.join("commits.txt");
        let known = files::content(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let known = input::decoded(known.unwrap_or_default());
        let mut commits: Vec<String> = known.lines().map(str::to_owned).collect();
        let own = env!("KASHAN_COMMIT").to_owned();
        if !commits.contains(&own) {
            commits.push(own);
            let text = commits.join("\n") + "\n";
            files::replace(&path, text.as_bytes())
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(commits)
    }

    /// Writes a file beside the journals, for an engine to read, and says where it is.
    pub fn keep(&self, name: &str, text: &str) -> anyhow::Result<PathBuf> {
        let path = self.place(name)?;
        files::replace(&path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(path)
    }

    /// Where a file of that name is, or would be, beside the journals.
    ///
    /// # Errors
    /// There is no such folder, and it cannot be made.
    pub fn place(&self, name: &str) -> anyhow::Result<PathBuf> {
        Ok(std::path::absolute(self.folder()?.join(name))?)
    }

    fn folder(&self) -> anyhow::Result<&Path> {
        std::fs::create_dir_all(&self.journals)
            .with_context(|| format!("cannot make the folder {}", self.journals.display()))?;
        Ok(&self.journals)
    }

    /// The journal of a piece of work. Other settings are other work: they have another file, and nothing
    /// that was done is lost.
    fn journal(&self, work: &str, settings: &impl Serialize) -> anyhow::Result<PathBuf> {
        let fingerprint = fingerprint(settings);
        Ok(self.folder()?.join(format!("{work}-{fingerprint:016x}.journal")))
    }
}

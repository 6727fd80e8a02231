//! Where experiments are done: it knows the conditions, keeps what was done, and tells how far it is.

mod contest;
mod judging;
mod notes;

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde::Serialize;
use thiserror::Error;

use super::Conditions;
use crate::arena::files;
use crate::arena::journal::fingerprint;
use crate::arena::tournament::StopRequest;

pub(crate) use contest::signed;
pub use contest::{Contest, Contestants};
pub use judging::Reference;

/// Hears how experiments go on.
pub trait Watcher: Sync {
    /// Something that a person should know.
    fn note(&self, text: &str);

    /// A piece of work begins or has come further: `done` of `total` games or positions.
    fn progress(&self, work: &str, done: usize, total: usize);
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
    /// A laboratory that keeps its journals in a folder, which need not exist yet. Work that was journalled there under the same
    /// conditions is not done again.
    pub fn new(
        conditions: Conditions,
        journals: &Path,
        stop: StopRequest,
        watcher: &'l dyn Watcher,
    ) -> Laboratory<'l> {
        Laboratory {
            conditions,
            journals: journals.to_path_buf(),
            stop,
            watcher,
        }
    }

    /// Tells a person something.
    pub fn note(&self, text: &str) {
        self.watcher.note(text);
    }

    /// What engines listen to while they think.
    pub fn stop(&self) -> &StopRequest {
        &self.stop
    }

    /// The commit of the program that began the journals: this one's, if there are none yet. What another one played stays as it is.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn begun_by(&self) -> anyhow::Result<String> {
        let path = self.folder()?.join("commit.txt");
        if let Ok(commit) = std::fs::read_to_string(&path) {
            return Ok(commit.trim().to_owned());
        }
        let commit = env!("KASHAN_COMMIT");
        files::replace(&path, commit.as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))?;
        Ok(commit.to_owned())
    }

    fn folder(&self) -> anyhow::Result<&Path> {
        std::fs::create_dir_all(&self.journals)
            .with_context(|| format!("cannot make the folder {}", self.journals.display()))?;
        Ok(&self.journals)
    }

    /// The journal of a piece of work. Other settings are other work: they have another file, and nothing that was done is lost.
    fn journal(&self, work: &str, settings: &impl Serialize) -> anyhow::Result<PathBuf> {
        let fingerprint = fingerprint(settings);
        Ok(self.folder()?.join(format!("{work}-{fingerprint:016x}.journal")))
    }
}

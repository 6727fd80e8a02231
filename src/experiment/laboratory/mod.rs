//! Where experiments are done: it knows the conditions, keeps what was done, and tells how far it is.

mod contest;
mod judging;
mod notes;

use std::path::{Path, PathBuf};

use serde::Serialize;
use thiserror::Error;

use super::Conditions;
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

    /// The journal of a piece of work. Other settings are other work: they have another file, and nothing that was done is lost.
    fn journal(&self, work: &str, settings: &impl Serialize) -> anyhow::Result<PathBuf> {
        std::fs::create_dir_all(&self.journals).map_err(|error| {
            anyhow::anyhow!("cannot make the folder {}: {error}", self.journals.display())
        })?;
        let fingerprint = crate::arena::journal::fingerprint(settings);
        Ok(self.journals.join(format!("{work}-{fingerprint:016x}.journal")))
    }
}

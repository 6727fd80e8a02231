//! The memory of a tuning: what was asked and answered, in order.
//!
//! Tuning is a function of its settings and of the answers, since all chance comes from the seed. So the
//! journal holds the answers alone: a run that goes on asks the same questions again, and is told what it
//! learned before.

use std::collections::VecDeque;
use std::path::Path;

use anyhow::Context as _;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use thiserror::Error;

use crate::jobs::StopRequest;
use crate::jobs::journal::Journal;

/// The user asked for the end before the work was done.
#[derive(Debug, Error)]
#[error("stopped")]
pub struct Stopped;

/// Answers of earlier runs, and where new ones are kept.
#[derive(Debug, Default)]
pub struct Ledger {
    known: VecDeque<Value>,
    journal: Option<Journal>,
    stop: StopRequest,
}

impl Ledger {
    /// Opens the journal of a tuning with these settings, or begins it; `None` keeps nothing. The second is
    /// what was lost of a torn line, in words.
    ///
    /// # Errors
    /// A journal of something else, or one that cannot be read or written.
    pub fn open(
        path: Option<&Path>,
        settings: &Value,
        stop: &StopRequest,
    ) -> anyhow::Result<(Ledger, Option<String>)> {
        let stop = stop.clone();
        let Some(path) = path else {
            return Ok((Ledger { stop, ..Ledger::default() }, None));
        };
        let (journal, history) = Journal::open(path, settings)?;
        Ok((Ledger { known: history.entries.into(), journal: Some(journal), stop }, history.torn))
    }

    /// How many answers are known and not yet asked for.
    pub fn known(&self) -> usize {
        self.known.len()
    }

    /// The next answer: as it is known, or else as `ask` finds it, which is kept then. A line may be torn: no
    /// beginning of an answer's text in the journal should be another answer.
    ///
    /// # Errors
    /// [`Stopped`] before `ask` is called, if the user wishes, and after it if the wish was to stop at once;
    /// a journal that cannot be written, or that has something else at this place.
    pub fn recall<T: Serialize + DeserializeOwned>(&mut self, ask: impl FnOnce() -> T) -> anyhow::Result<T> {
        if let Some(known) = self.known.pop_front() {
            return serde_json::from_value(known)
                .context("the journal has another answer than was asked for");
        }
        if self.stop.is_said() {
            return Err(Stopped.into());
        }
        let answer = ask();
        if self.stop.signal().is_stopped() {
            return Err(Stopped.into());
        }
        if let Some(journal) = &mut self.journal {
            journal.add(&answer)?;
        }
        Ok(answer)
    }
}

//! Tuning of weights: an evolution on problems (Vázquez-Fernández & Coello 2013), and rival
//! methods.
//!
//! [`evolution`] and [`mutation`] know rows of numbers with ranges and nothing of chess; their
//! questions go to a [`Quiz`]. [`problems`] is a quiz on chess. A [`Ledger`] remembers the answers,
//! so that stopped or killed work goes on from its last answer.
//!
//! [`network`] trains another kind of evaluation, on the games of [`self_play`], where every
//! position has the score of a search.
//!
//! [`spsa`] tunes numbers of the search by games between two sides with different numbers.

pub mod evolution;
mod games;
mod interval;
pub mod mutation;
pub mod network;
mod opening;
pub mod problems;
pub mod self_play;
pub mod spsa;

use std::collections::VecDeque;
use std::path::Path;

use anyhow::Context as _;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use thiserror::Error;

use crate::choice;
use crate::util::jobs::StopRequest;
use crate::util::jobs::journal::Journal;

pub use evolution::Evolution;
pub use interval::{mean_with_interval, share_with_interval};
pub use mutation::Mutation;
pub use problems::Problems;
pub use spsa::Duels;

choice! {
    /// The weights of a player that may mutate for a problem.
    Involved {
        /// Weights whose coefficients differ between the two deciding lines: the solution's and the
        /// best other move's; all, if none differs.
        Deciding = "involved",
        /// The weights with an effect in the problem's position.
        Present = "present",
        All = "all",
    }
}

/// Problems with numbers from 0, and players that are rows of weights.
pub trait Quiz: Sync {
    /// Returns true if a player solves a problem.
    fn solves(&self, player: &[i32], problem: usize) -> bool;

    /// Returns the weights with an influence on a problem, in the player's view.
    fn involved(&self, player: &[i32], problem: usize, which: Involved) -> Vec<usize>;
}

/// A stop by the user before the end of the work. Finished work is kept, if there is a journal.
#[derive(Debug, Error)]
#[error("stopped")]
pub struct Stopped;

/// The memory of a tuning: answers of earlier runs, and a journal for new ones.
///
/// Tuning is a function of its settings and of the answers, since all chance comes from the seed.
/// So the journal holds the answers alone: a continued run asks the same questions again, and gets
/// the same answers.
#[derive(Debug, Default)]
pub struct Ledger {
    known: VecDeque<Value>,
    journal: Option<Journal>,
    stop: StopRequest,
}

impl Ledger {
    /// Opens the journal of a tuning with these settings, or begins one; `None` keeps nothing. Also
    /// returns the loss by a torn line, in words.
    ///
    /// # Errors
    /// A journal of something else, or an unreadable or unwritable one.
    pub fn open(
        path: Option<&Path>,
        settings: &Value,
        stop: &StopRequest,
    ) -> anyhow::Result<(Ledger, Option<String>)> {
        let mut ledger = Ledger {
            stop: stop.clone(),
            ..Ledger::default()
        };
        let Some(path) = path else {
            return Ok((ledger, None));
        };
        let (journal, history) = Journal::open(path, settings)?;
        ledger.known = history.entries.into();
        ledger.journal = Some(journal);
        Ok((ledger, history.torn))
    }

    /// Returns the number of known answers still to be used.
    pub fn known(&self) -> usize {
        self.known.len()
    }

    /// Returns the next answer: the known one, or else the result of `ask`, which is kept then. A
    /// line may be torn: no beginning of an answer's text in the journal should be another answer.
    ///
    /// # Errors
    /// [`Stopped`] before `ask` is called, if the user wishes, and after it if the wish was to stop
    /// at once; a journal that cannot be written, or has something else at this place.
    pub fn recall<T: Serialize + DeserializeOwned>(
        &mut self,
        ask: impl FnOnce() -> T,
    ) -> anyhow::Result<T> {
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

/// Returns the seed of the `number`-th game or position under a user's `seed`: the sequence behind
/// SplitMix64, in steps of 2^64 over the golden ratio. In steps of one, neighbouring seeds would
/// make nearly the same games.
pub fn nth_seed(seed: u64, number: u64) -> u64 {
    seed.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// The finaliser of SplitMix64 (Steele, Lea & Flood 2014): neighbours come far apart.
fn mixed(mut number: u64) -> u64 {
    number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

//! Tuning of weights: an evolution on problems (Vázquez-Fernández & Coello 2013), and what it is
//! measured against.
//!
//! [`evolution`] and [`mutation`] know rows of numbers with ranges and nothing of chess; what they
//! ask is a [`Quiz`]. [`problems`] is one that knows chess. A [`Ledger`] remembers the answers, so
//! that work that was stopped or killed goes on where it was.
//!
//! [`fitting`] is another way, by the results of games: [`samples`] plays them, and [`logistic`]
//! knows rows of numbers only.
//!
//! [`network`] trains another kind of evaluation, on the games of [`self_play`], where every
//! position has the score of a search.
//!
//! [`spsa`] tunes numbers of the search by games between two sides that differ in them.

pub mod evolution;
pub mod fitting;
mod games;
mod interval;
pub mod logistic;
pub mod mutation;
pub mod network;
pub mod problems;
pub mod samples;
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
pub use interval::{mean_with_interval, rank_correlation, share_with_interval};
pub use mutation::Mutation;
pub use problems::Problems;
pub use spsa::Duels;

choice! {
    /// Which weights of a player may mutate for a problem.
    Involved {
        /// Those whose coefficients differ between the two lines that decide: the solution's and
        /// that of the best other move; all, if none differs.
        Deciding = "involved",
        /// Those that count in the problem's position.
        Present = "present",
        All = "all",
    }
}

/// Problems with numbers from 0, and players that are rows of weights.
pub trait Quiz: Sync {
    /// Whether a player solves a problem.
    fn solves(&self, player: &[i32], problem: usize) -> bool;

    /// Which weights have to do with a problem, as that player sees it.
    fn involved(&self, player: &[i32], problem: usize, which: Involved) -> Vec<usize>;
}

/// The user asked for the end before the work was done. What was done is kept, if there is a
/// journal.
#[derive(Debug, Error)]
#[error("stopped")]
pub struct Stopped;

/// The memory of a tuning: answers of earlier runs, and where new ones are kept.
///
/// Tuning is a function of its settings and of the answers, since all chance comes from the seed.
/// So the journal holds the answers alone: a run that goes on asks the same questions again, and is
/// told what it learned before.
#[derive(Debug, Default)]
pub struct Ledger {
    known: VecDeque<Value>,
    journal: Option<Journal>,
    stop: StopRequest,
}

impl Ledger {
    /// Opens the journal of a tuning with these settings, or begins it; `None` keeps nothing. The
    /// second is what was lost of a torn line, in words.
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
            return Ok((
                Ledger {
                    stop,
                    ..Ledger::default()
                },
                None,
            ));
        };
        let (journal, history) = Journal::open(path, settings)?;
        Ok((
            Ledger {
                known: history.entries.into(),
                journal: Some(journal),
                stop,
            },
            history.torn,
        ))
    }

    /// How many answers are known and not yet asked for.
    pub fn known(&self) -> usize {
        self.known.len()
    }

    /// The next answer: as it is known, or else as `ask` finds it, which is kept then. A line may
    /// be torn: no beginning of an answer's text in the journal should be another answer.
    ///
    /// # Errors
    /// [`Stopped`] before `ask` is called, if the user wishes, and after it if the wish was to stop
    /// at once; a journal that cannot be written, or that has something else at this place.
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

/// The seed of the `number`-th game or position that a user's `seed` makes: the sequence that
/// SplitMix64 is made of, in steps of 2^64 over the golden ratio. In steps of one, neighbouring
/// seeds would make nearly the same games.
pub fn nth_seed(seed: u64, number: u64) -> u64 {
    seed.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// The finaliser of SplitMix64 (Steele, Lea & Flood 2014): neighbours come far apart.
fn mixed(mut number: u64) -> u64 {
    number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

#[cfg(test)]
mod testing {
    //! Problems whose solution is known: weights have to be near their targets.

    use std::sync::atomic::{AtomicUsize, Ordering};

    use rand::RngExt as _;

    use super::mutation::chance;
    use super::{Involved, Quiz};
    use crate::eval::WeightSpec;
    use crate::util::jobs::StopRequest;

    /// Each problem is about some weights, all of which have to be within its tolerance of their
    /// targets.
    pub(super) struct Synthetic {
        pub table: Vec<WeightSpec>,
        pub targets: Vec<i32>,
        pub problems: Vec<(Vec<usize>, i32)>,
        pub asked: AtomicUsize,
        /// Says stop after so many questions.
        pub stop_after: Option<(usize, StopRequest)>,
    }

    impl Synthetic {
        /// Weights with ranges around 0, and one from 200 to 400.
        pub fn new(weights: usize, problems: usize) -> Self {
            let spec = |number: usize| {
                let (min, max) = if number == 0 {
                    (200, 400)
                } else {
                    (-1_000, 1_000)
                };
                WeightSpec {
                    name: format!("weight_{number}"),
                    default: min,
                    min,
                    max,
                    about: "",
                }
            };
            let table: Vec<WeightSpec> = (0..weights).map(spec).collect();
            let mut chance = chance(99, [0, 0, 0]);
            let targets = table
                .iter()
                .map(|spec| chance.random_range(spec.min..=spec.max))
                .collect();
            let problem = |_| {
                let first = chance.random_range(0..weights);
                let other = (first + chance.random_range(1..weights)) % weights;
                (vec![first, other], chance.random_range(50..600))
            };
            let problems = (0..problems).map(problem).collect();
            Synthetic {
                table,
                targets,
                problems,
                asked: AtomicUsize::new(0),
                stop_after: None,
            }
        }

        pub fn all(&self) -> Vec<usize> {
            (0..self.problems.len()).collect()
        }

        /// How far weights are from their targets, on average, as a share of their ranges.
        pub fn distance(&self, weights: &[i32]) -> f64 {
            let far = weights.iter().zip(&self.targets).zip(&self.table).map(
                |((weight, target), spec)| {
                    f64::from((weight - target).abs()) / f64::from(spec.max - spec.min)
                },
            );
            far.sum::<f64>() / weights.len() as f64
        }
    }

    impl Quiz for Synthetic {
        fn solves(&self, player: &[i32], problem: usize) -> bool {
            let asked = self.asked.fetch_add(1, Ordering::Relaxed) + 1;
            if let Some((_, stop)) = self
                .stop_after
                .as_ref()
                .filter(|(after, _)| asked == *after)
            {
                stop.say();
            }
            let (weights, tolerance) = &self.problems[problem];
            weights
                .iter()
                .all(|&weight| (player[weight] - self.targets[weight]).abs() <= *tolerance)
        }

        fn involved(&self, _: &[i32], problem: usize, which: Involved) -> Vec<usize> {
            match which {
                Involved::All => (0..self.table.len()).collect(),
                Involved::Deciding | Involved::Present => self.problems[problem].0.clone(),
            }
        }
    }
}

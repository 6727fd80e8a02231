//! Tuning of weights: an evolution on problems (Vázquez-Fernández & Coello 2013), and rival
//! methods.
//!
//! [`evolution`] and [`mutation`] know rows of numbers with ranges and nothing of chess; their
//! questions go to a [`Quiz`]. [`problems`] is a quiz on chess. A [`Ledger`] remembers the answers,
//! so that stopped or killed work goes on from its last answer.
//!
//! [`fitting`] is another way, by the results of games: [`samples`] plays them, and [`logistic`]
//! knows rows of numbers only.
//!
//! [`network`] trains another kind of evaluation, on the games of [`self_play`], where every
//! position has the score of a search.
//!
//! [`spsa`] tunes numbers of the search by games between two sides with different numbers.

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

#[cfg(test)]
mod testing {
    //! Problems with a known solution: weights have to be near their targets.

    use std::sync::atomic::{AtomicUsize, Ordering};

    use rand::RngExt as _;

    use super::mutation::chance;
    use super::{Involved, Quiz};
    use crate::eval::WeightSpec;
    use crate::util::jobs::StopRequest;

    /// Problems about some weights each, all of which have to be within the problem's tolerance of
    /// their targets.
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

        /// Returns the distance of weights from their targets, on average, as a share of their
        /// ranges.
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

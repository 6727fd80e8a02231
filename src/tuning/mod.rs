//! Tuning of weights: an evolution on problems (Vázquez-Fernández & Coello 2013), and what it is measured
//! against.
//!
//! [`evolution`], [`mutation`] and [`cma`] know rows of numbers with ranges and nothing of chess; what they
//! ask is a [`Quiz`]. [`problems`] is one that knows chess. A [`Ledger`] remembers the answers, so that work
//! that was stopped or killed goes on where it was.
//!
//! [`fitting`] is another way, by the results of games: [`samples`] plays them, [`results`] reads them, and
//! [`logistic`] knows rows of numbers only.
//!
//! [`spsa`] tunes numbers of the search by [`duels`] between two sides that differ in them.

pub mod cma;
pub mod duels;
pub mod evolution;
pub mod fitting;
mod games;
mod interval;
mod ledger;
pub mod logistic;
pub mod mutation;
pub mod problems;
pub mod results;
pub mod samples;
pub mod spsa;
#[cfg(test)]
mod testing;

pub use cma::Cma;
pub use duels::Duels;
pub use evolution::{Evolution, Evolved};
pub use interval::{mean_with_interval, rank_correlation, share_with_interval};
pub use ledger::{Ledger, Stopped};
pub use mutation::Mutation;
pub use problems::Problems;

use crate::choice;

choice! {
    /// Which weights of a player may mutate for a problem.
    Involved {
        /// Those whose coefficients differ between the two lines that decide: the solution's and that of the
        /// best other move; all, if none differs.
        Deciding = "involved",
        /// Those that count in the problem's position.
        Present = "present",
        All = "all",
    }
}

/// The seed of the `number`-th game or position that a user's `seed` makes: the sequence that SplitMix64 is
/// made of, in steps of 2^64 over the golden ratio. In steps of one, neighbouring seeds would make nearly the
/// same games.
pub fn nth_seed(seed: u64, number: u64) -> u64 {
    seed.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// Problems with numbers from 0, and players that are rows of weights.
pub trait Quiz: Sync {
    /// Whether a player solves a problem.
    fn solves(&self, player: &[i32], problem: usize) -> bool;

    /// How clearly a player prefers the solution of a problem, in millionths from 0 to 1,000,000; half a
    /// million if it cannot decide.
    fn margin(&self, player: &[i32], problem: usize) -> i64;

    /// Which weights have to do with a problem, as that player sees it.
    fn involved(&self, player: &[i32], problem: usize, which: Involved) -> Vec<usize>;
}

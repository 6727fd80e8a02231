//! The paper's experiments, repeatable by anyone.
//!
//! Each claim of Dehghani & Babamir 2017 is an experiment with an identifier, C1 to C13; what the paper did
//! not ask, but a reader would, are experiments with names; T1 to T12 are claims of the paper that the tuning
//! of weights follows, but for T12, which is ours; A1 to A10 those of the paper that the backend
//! `action` follows, M1 to M10 those of the program that plays by threats. An experiment is a function
//! from a [`Laboratory`] to a [`Conclusion`].
//!
//! ```text
//!  Conditions (scale, seed, limits, opponents) ─> Laboratory ─> Experiment ─> Conclusion (verdict, data, tables, figures) ─> report
//!                                                     │
//!                             contests (the arena), notes (anything else): all work is journalled
//! ```
//!
//! A verdict is never more than the interval allows: confirmed, refuted, or not decided. With node limits
//! instead of clocks, the same seed gives the same findings, byte for byte; therefore nothing that depends on
//! the hour or the machine is in them then.

pub mod action;
pub mod claims;
pub mod conclusion;
pub mod conditions;
pub mod laboratory;
mod paired;
mod planted;
pub mod positions;
mod proven;
pub mod report;
mod rows;
pub mod studies;
pub mod threats;
pub mod tuning;
mod words;

pub use conclusion::{ClaimVerdict, Conclusion, Exhibit, Part};
pub use conditions::{Conditions, EvolutionSize, Scale};
pub use laboratory::{Laboratory, Stopped, Watcher};

/// A question that the program can answer about itself.
#[derive(Clone, Copy)]
pub struct Experiment {
    /// `C1` to `C13` for the paper's claims, `T1` to `T12` for those about tuning, `A1` to `A10` for those
    /// about a library of actions, `M1` to `M10` for those about threats, a word for everything else.
    pub id: &'static str,
    pub title: &'static str,
    /// What the paper says, or what is to be measured, in a sentence or two.
    pub claim: &'static str,
    /// Where the paper says it; empty if it does not.
    pub source: &'static str,
    /// Carries it out.
    pub run: fn(&Laboratory<'_>) -> anyhow::Result<Conclusion>,
}

/// All experiments, in the order in which reports have them.
pub fn catalogue() -> Vec<Experiment> {
    [claims::ALL, studies::ALL, tuning::ALL, action::ALL, threats::ALL].concat()
}

//! The paper's experiments, repeatable by anyone.
//!
//! Each claim of Dehghani & Babamir 2017 is an experiment with an identifier, C1 to C13; what the paper did not ask, but a reader would, are
//! experiments with names. An experiment is a function from a [`Laboratory`] to a [`Finding`].
//!
//! ```text
//!  Conditions (scale, seed, limits, opponents) ─> Laboratory ─> Experiment ─> Finding (verdict, data, tables, figures) ─> report
//!                                                     │
//!                             contests (the arena), notes (anything else): all work is journalled
//! ```
//!
//! A verdict is never more than the interval allows: confirmed, refuted, or not decided. With node limits instead of clocks, the same seed gives
//! the same findings, byte for byte; therefore nothing that depends on the hour or the machine is in them then.

pub mod claims;
pub mod conditions;
pub mod demonstration;
pub mod finding;
pub mod laboratory;
pub mod positions;
pub mod report;
pub mod studies;

pub use conditions::{Conditions, Scale};
pub use finding::{Exhibit, Finding, Part, Verdict};
pub use laboratory::{Laboratory, Stopped, Watcher};

/// Something that can be asked of the program.
#[derive(Clone, Copy)]
pub struct Experiment {
    /// `C1` to `C13` for the paper's claims, a word for everything else.
    pub id: &'static str,
    pub title: &'static str,
    /// What the paper says, or what is to be measured, in a sentence or two.
    pub claim: &'static str,
    /// Where the paper says it; empty if it does not.
    pub source: &'static str,
    /// Does it.
    pub run: fn(&Laboratory<'_>) -> anyhow::Result<Finding>,
}

/// All of them, in the order in which reports have them.
pub fn catalogue() -> Vec<Experiment> {
    [claims::ALL, studies::ALL].concat()
}

//! The paper's experiments, repeatable by anyone.
//!
//! Each claim of Dehghani & Babamir 2017 is an experiment with an identifier, C1 to C13; what the paper did
//! not ask, but a reader would, are experiments with names; T1 to T12 are claims of the paper that the tuning
//! of weights follows, but for T12, which is ours; A1 to A10 those of the paper that the backend
//! `action` follows, M1 to M10 those of the program that plays by threats. What they say is in
//! `catalogue.toml`; an experiment is a function from a [`Laboratory`] to a [`Conclusion`].
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
pub mod verdict;
mod words;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use conclusion::{Conclusion, Exhibit};
pub use conditions::{Conditions, EvolutionSize, Scale};
pub use laboratory::{Laboratory, Stopped, Watcher};
pub use verdict::{ClaimVerdict, Part};

/// Carries an experiment out.
pub type Run = fn(&Laboratory<'_>) -> anyhow::Result<Conclusion>;

/// A question that the program can answer about itself.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// `C1` to `C13` for the paper's claims, `T1` to `T12` for those about tuning, `A1` to `A10` for those
    /// about a library of actions, `M1` to `M10` for those about threats, a word for everything else.
    pub id: &'static str,
    pub text: Text,
    pub run: Run,
}

/// What `catalogue.toml` says of an experiment.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Text {
    pub title: String,
    /// What the paper says, or what is to be measured, in a sentence or two.
    pub claim: String,
    /// Where the paper says it; empty if it does not.
    #[serde(default)]
    pub source: String,
}

/// All experiments, in the order in which reports have them.
///
/// # Panics
/// If `catalogue.toml`, which is built in, has no text for one of them.
pub fn catalogue() -> Vec<Experiment> {
    let mut texts: BTreeMap<String, Text> =
        toml::from_str(include_str!("catalogue.toml")).expect("the catalogue is TOML");
    let runs = [claims::RUNS, studies::RUNS, tuning::RUNS, action::RUNS, threats::RUNS].concat();
    let experiment =
        |(id, run)| Experiment { id, text: texts.remove(id).expect("every experiment has a text"), run };
    runs.into_iter().map(experiment).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_of_the_catalogue_is_that_of_an_experiment() {
        let texts: BTreeMap<String, Text> = toml::from_str(include_str!("catalogue.toml")).expect("TOML");
        let mut ids: Vec<&str> = catalogue().iter().map(|experiment| experiment.id).collect();
        ids.sort_unstable();
        assert_eq!(ids, texts.keys().collect::<Vec<_>>());
    }
}

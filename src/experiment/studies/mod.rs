//! Experiments on questions that a reader of the paper may have and the papers do not ask.

mod ablation;
mod blunder_rate;
mod development;
mod time;
mod tuning;

use super::Experiment;

/// In the order in which reports have them.
pub const ALL: &[Experiment] = &[
    ablation::EXPERIMENT,
    development::EXPERIMENT,
    time::EXPERIMENT,
    blunder_rate::EXPERIMENT,
    tuning::EXPERIMENT,
];

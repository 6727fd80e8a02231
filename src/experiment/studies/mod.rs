//! Experiments on questions that a reader of the paper may have and the paper does not ask.

mod ablation;
mod blunder_rate;
mod development;
mod time;

use super::Experiment;

/// In the order in which reports have them.
pub const ALL: &[Experiment] =
    &[ablation::EXPERIMENT, development::EXPERIMENT, time::EXPERIMENT, blunder_rate::EXPERIMENT];

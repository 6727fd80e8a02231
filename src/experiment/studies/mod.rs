//! Experiments on questions that a reader of the paper may have and the papers do not ask.

mod ablation;
mod blunder_rate;
mod development;
mod time;
mod tuning;

use super::Run;

/// In the order in which reports have them.
pub const RUNS: &[(&str, Run)] = &[
    ("ablation", ablation::run),
    ("development", development::run),
    ("time", time::run),
    ("blunders", blunder_rate::run),
    ("tuning", tuning::run),
];

//! The paper's claims, C1 to C13.

mod exact;
mod initial_population;
mod levels;

use super::Experiment;

/// In the paper's order.
pub const ALL: &[Experiment] = &[initial_population::EXPERIMENT, levels::EXPERIMENT];

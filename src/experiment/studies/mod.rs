//! What the paper did not ask, and a reader would.

mod blunders;
mod development;

use super::Experiment;

/// In the order in which reports have them.
pub const ALL: &[Experiment] = &[development::EXPERIMENT, blunders::EXPERIMENT];

//! The paper's claims, C1 to C13.

mod levels;

use super::Experiment;

/// In the paper's order.
pub const ALL: &[Experiment] = &[levels::EXPERIMENT];

//! What the paper did not ask, and a reader would.

use super::Experiment;

/// In the order in which reports have them.
pub const ALL: &[Experiment] = &[];

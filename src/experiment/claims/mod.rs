//! The paper's claims, C1 to C13.

mod deadline;
mod depths;
mod levels;
mod ufim;

use super::Experiment;

/// In the paper's order.
pub const ALL: &[Experiment] = &[
    depths::MIN_MAX,
    depths::ALPHA_BETA,
    ufim::EXPERIMENT,
    levels::EXPERIMENT,
    deadline::EXPERIMENT,
];

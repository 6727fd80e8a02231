//! The paper's claims, C1 to C13.

mod deadline;
mod depths;
mod fitness;
mod initial_population;
mod levels;
mod material;
mod operators;
mod quiescence_branches;
mod quiet_positions;
mod table_4;
mod tactics;
mod ufim;

use super::Experiment;

/// In the paper's order.
pub const ALL: &[Experiment] = &[
    initial_population::EXPERIMENT,
    fitness::EXPERIMENT,
    operators::EXPERIMENT,
    quiescence_branches::EXPERIMENT,
    quiet_positions::EXPERIMENT,
    material::EXPERIMENT,
    tactics::EXPERIMENT,
    table_4::EXPERIMENT,
    depths::MIN_MAX,
    depths::ALPHA_BETA,
    ufim::EXPERIMENT,
    levels::EXPERIMENT,
    deadline::EXPERIMENT,
];

//! The paper's claims, C1 to C13.

mod blunders;
mod exact;
mod fitness;
mod initial_population;
mod levels;
mod material;
mod operators;
mod quiescence_branches;
mod quiet_positions;
mod tactics;

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
    blunders::EXPERIMENT,
    levels::EXPERIMENT,
];

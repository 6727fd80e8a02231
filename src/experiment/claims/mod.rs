//! The paper's claims, C1 to C13.

mod deadline;
pub mod depths;
mod fitness;
mod initial_population;
mod levels;
#[cfg(test)]
mod material;
mod operators;
mod quiescence_branches;
mod quiet_positions;
mod table_4;
mod tactics;
mod ufim;

use super::{Run, arithmetic};

/// In the paper's order.
pub const RUNS: &[(&str, Run)] = &[
    ("C1", initial_population::run),
    ("C2", fitness::run),
    ("C3", operators::run),
    ("C4", quiescence_branches::run),
    ("C5", quiet_positions::run),
    ("C6", arithmetic),
    ("C7", tactics::run),
    ("C8", table_4::run),
    ("C9", depths::run),
    ("C10", depths::run),
    ("C11", ufim::run),
    ("C12", levels::run),
    ("C13", deadline::run),
];

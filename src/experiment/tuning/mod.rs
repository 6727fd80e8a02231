//! The claims of Vázquez-Fernández & Coello, "An adaptive evolutionary algorithm based on tactical and
//! positional chess problems to adjust the weights of a chess engine", IEEE CEC 2013, which the tuning of
//! weights follows: T1 and so on.

mod comparisons;
mod letter;
mod printed;
mod runs;
mod strength;

use super::Experiment;

/// In the order of their numbers.
pub const ALL: &[Experiment] = &[
    printed::EXPERIMENT,
    strength::EXPERIMENT,
    comparisons::MUTATION,
    comparisons::PLAYERS,
    comparisons::PROBLEMS,
    comparisons::INVOLVED,
    comparisons::POSITIONAL,
    comparisons::ADAPTING,
    letter::EXPERIMENT,
];

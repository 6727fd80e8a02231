//! The claims of Vázquez-Fernández & Coello, "An adaptive evolutionary algorithm based on tactical and
//! positional chess problems to adjust the weights of a chess engine", IEEE CEC 2013, which the tuning of
//! weights follows: T1 to T11; T12 is a question of ours about them.

mod comparisons;
mod letter;
mod material;
mod printed;
pub(super) mod runs;
pub(super) mod strength;
mod transfer;

use super::Experiment;

/// In the order of their numbers.
pub const ALL: &[Experiment] = &[
    printed::EXPERIMENT,
    strength::AGAINST_EACH_OTHER,
    strength::AGAINST_OTHERS,
    comparisons::MUTATION,
    comparisons::PLAYERS,
    comparisons::PROBLEMS,
    comparisons::INVOLVED,
    comparisons::POSITIONAL,
    comparisons::ADAPTING,
    material::EXPERIMENT,
    letter::EXPERIMENT,
    transfer::EXPERIMENT,
];

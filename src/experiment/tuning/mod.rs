//! The claims of Vázquez-Fernández & Coello, "An adaptive evolutionary algorithm based on tactical and
//! positional chess problems to adjust the weights of a chess engine", IEEE CEC 2013, which the tuning of
//! weights follows: T1 to T11; T12 is a question of ours about them.

mod comparisons;
mod letter;
mod material;
#[cfg(test)]
mod printed;
pub mod runs;
pub(super) mod strength;
mod transfer;

use super::{Run, arithmetic};

/// In the order of their numbers.
pub const RUNS: &[(&str, Run)] = &[
    ("T1", arithmetic),
    ("T2", strength::run),
    ("T3", strength::against_others),
    ("T4", comparisons::run),
    ("T5", comparisons::run),
    ("T6", comparisons::run),
    ("T7", comparisons::run),
    ("T8", comparisons::run),
    ("T9", comparisons::run),
    ("T10", material::run),
    ("T11", letter::run),
    ("T12", transfer::run),
];

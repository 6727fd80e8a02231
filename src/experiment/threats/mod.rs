//! The claims of Marcarelli, "Chess AI Project", 2010, a program that rates positions by threats and searches
//! four plies of Min-Max: M1 and so on.

mod matches;
mod positions;
mod program;
mod rating;
mod tactics;
mod time;
mod tree;

use super::Experiment;

/// In the order of their numbers.
pub const ALL: &[Experiment] = &[
    rating::EXPERIMENT,
    time::EXPERIMENT,
    tree::STATES,
    positions::CHOICE,
    positions::SPEED,
    tactics::FORKS_AND_PINS,
    tactics::DEFENCE,
    matches::FACTORS,
    matches::BOOK,
    matches::ELSEWHERE,
];

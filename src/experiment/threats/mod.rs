//! The claims of Marcarelli, "Chess AI Project", 2010, a program that rates positions by threats and searches
//! four plies of Min-Max: M1 and so on.

mod positions;
mod program;
mod tactics;
mod time;
mod tree;

use super::{Run, arithmetic, matches};

/// In the order of their numbers.
pub const RUNS: &[(&str, Run)] = &[
    ("M1", arithmetic),
    ("M2", time::run),
    ("M3", tree::run),
    ("M4", positions::choice),
    ("M5", positions::speed),
    ("M6", tactics::forks_and_pins),
    ("M7", tactics::defence),
    ("M8", matches::run),
    ("M9", matches::run),
    ("M10", matches::run),
];

//! Tools of several integration tests. Each test file uses a part of them.
#![allow(dead_code)]

#[macro_use]
pub mod dialogue;
pub mod fake;
pub mod games;
pub mod positions;
pub mod process;
pub mod programs;
pub mod rig;
pub mod running;

/// The options of each search.
pub const SEARCHES: [&[(&str, &str)]; 6] = [
    &[("Backend", "genetic"), ("Preset", "strong")],
    &[("Backend", "genetic"), ("Preset", "paper")],
    &[("Backend", "genetic"), ("Preset", "letter")],
    &[("Backend", "alphabeta")],
    &[("Backend", "minimax")],
    &[("Backend", "action")],
];

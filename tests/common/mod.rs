//! What several integration tests need. Each test file uses a part of it.
#![allow(dead_code)]

pub mod fake;
pub mod fuzz;
pub mod process;
pub mod programs;
pub mod rig;
pub mod uci_rig;

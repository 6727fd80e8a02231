//! Endgame tables, which the tests make themselves: what they say, what the searches make of it, and how
//! they end games of the arena.

#[path = "../common/mod.rs"]
#[macro_use]
mod common;

mod tables;

//! Endgame tables, which the tests make themselves: what they say, what the searches make of it, and how
//! they end games of the arena.

#[path = "../common/mod.rs"]
#[macro_use]
mod common;

mod arena;
mod fronts;
mod search;
mod tables;

use std::path::Path;

use kashan::position::Position;
use kashan::tablebase::Tablebase;

fn open(folder: &Path) -> Tablebase {
    Tablebase::open(&folder.display().to_string()).expect("tables")
}

fn position(fen: &str) -> Position {
    Position::from_fen(fen).expect("a position")
}

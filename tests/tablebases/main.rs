//! Endgame tables: what they say, what the searches make of it, and how they end games of the
//! arena.
//!
//! Those in `made` are our own: king and queen or rook against the bare king, worked out backwards
//! from the mates, and written in the Syzygy format. (The program is `tests/common/syzygy.rs` of
//! version 0.2.0.)

#[path = "../common/mod.rs"]
#[macro_use]
mod common;

mod arena;
mod fronts;
mod search;
mod tables;

use std::path::Path;

use kashan::rules::position::Position;
use kashan::rules::tablebase::Tablebase;

use crate::common::programs::{TestFolder, source};

const QUEEN: &str = "KQvK";
const ROOK: &str = "KRvK";

/// The tables of these endgames, in a folder of their own.
fn folder(endgames: &[&str]) -> TestFolder {
    let place = TestFolder::new();
    for endgame in endgames {
        for name in ["rtbw", "rtbz"].map(|ending| format!("{endgame}.{ending}")) {
            place.write(&name, made(&name));
        }
    }
    place
}

fn made(name: &str) -> Vec<u8> {
    let path = source(&format!("tests/tablebases/made/{name}.gz"));
    kashan::util::input::read(Path::new(&path)).expect("it is in the source")
}

fn open(folder: &Path) -> Tablebase {
    Tablebase::open(&folder.display().to_string()).expect("tables")
}

fn position(fen: &str) -> Position {
    Position::from_fen(fen).expect("a position")
}

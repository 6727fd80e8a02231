//! A game that was played.

use serde::{Deserialize, Serialize};

use super::{GameResult, Opening};

/// One move of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// Coordinates (`e2e4`, `e7e8q`, `e1g1`).
    pub uci: String,
    /// What the mover's clock says it took, in milliseconds.
    pub time: u64,
    /// The mover's clock after the move, in milliseconds; `None` where it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<u64>,
    /// What the mover thought of it, in centipawns from the mover's point of view, mates as in
    /// [`Score`](crate::score::Score).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The line that it expected from there on, the move itself first, as coordinates with blanks between;
    /// only where that was wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variation: Option<String>,
}

/// What the journal keeps of a game, and all that the PGN needs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Of the plan, as are round and pair.
    pub number: u32,
    pub round: String,
    pub pair: u32,
    pub white: String,
    pub black: String,
    pub opening: Opening,
    /// Moves of the players, those of the opening left out.
    pub moves: Vec<MoveRecord>,
    pub result: GameResult,
    /// Time controls of White and Black, as [`Limits`](super::Limits) prints them.
    pub limits: [String; 2],
    /// When the game began: seconds since 1970, UTC.
    pub started: u64,
    /// What White and Black call themselves.
    #[serde(default, skip_serializing_if = "nobody")]
    pub own_names: [Option<String>; 2],
    /// The first thinking line of White and of Black that cannot be true, and why.
    #[serde(default, skip_serializing_if = "nobody")]
    pub warnings: [Option<String>; 2],
}

impl GameRecord {
    /// What results need of it: in long tournaments the moves of all games would fill the memory.
    pub fn without_moves(mut self) -> GameRecord {
        self.moves = Vec::new();
        self.opening = Opening::default();
        self
    }
}

fn nobody(names: &[Option<String>; 2]) -> bool {
    names.iter().all(Option::is_none)
}

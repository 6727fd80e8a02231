//! Chess without a thought: positions and their notation, scores, PGN and EPD, the opening book,
//! endgame tables, and the messages of the two protocols, for the engine and the arena to parse and
//! print.

pub mod book;
pub mod pgn;
pub mod position;
pub mod protocol;
pub mod score;
pub mod tablebase;

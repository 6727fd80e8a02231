//! The blunder check: the cost of a player's moves by the judgement of a stronger engine.
//!
//! Dehghani & Babamir 2017, section 6.1: their engine chose a move in each of 29 positions. A move
//! was a blunder if Stockfish valued the move more than 1.5 pawns below Stockfish's own. This is
//! the same check, for any engine or player, on positions or games.
//!
//! ```text
//!  positions (EPD), games (PGN) ──> Case ──> judge (the engine under test, the reference) ──> Finding ──> journal
//!                                                                                              └──> Report ──> tables, JSON, PGN
//! ```

pub mod case;
pub mod games;
pub mod judge;
pub mod paper;
mod reason;
pub mod report;
pub mod run;

pub use case::{Case, GamePly, NamedGame, Phase};
pub use judge::{Finding, Thinker, judge};
pub use report::Report;
pub use run::{Bench, JudgeEvent, Terms, run};

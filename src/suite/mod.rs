//! Sets of positions, and engines that think about them one at a time.
//!
//! ```text
//!  positions (EPD, FEN lists) ──> analyst (any engine, one position at a time) ──> Thinking: the move, and every line on the way to it
//! ```
//!
//! Engines are the arena's: processes that speak xboard or UCI. Nothing here knows the engine or the search of this program, and every
//! move, in a file or from an engine, is looked at by shakmaty.

pub mod analyst;
pub mod positions;

pub use analyst::{Analyst, Fault, Task, ThinkError, Thinking, ThoughtLine};
pub use positions::{Operations, PositionError, PositionList, SuitePosition};

//! Sets of positions, and engines that think about them one at a time.
//!
//! ```text
//!  positions (EPD, FEN lists) ──> analyst (any engine, one position at a time) ──> Thinking: the move, and every line on the way to it
//!              └──> goal (what is to be found there) ──────────────────────────────────> Judgement: found and kept, when?
//!  solve: all engines at all positions, several at once
//! ```
//!
//! Engines are the arena's: processes that speak xboard or UCI. Nothing here knows the engine or the search of this program, and every
//! move, in a file or from an engine, is looked at by shakmaty.

pub mod analyst;
pub mod goal;
pub mod positions;
pub mod solve;

pub use analyst::{Analyst, Fault, Task, ThinkError, Thinking, ThoughtLine};
pub use goal::{Found, Goal, Judgement};
pub use positions::{Operations, PositionError, PositionList, SuitePosition};
pub use solve::{Attempt, Attempts, Contest, Outcome, Problem, Summary};

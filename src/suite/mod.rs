//! Sets of positions, engines that think about them one at a time, and what moves in them are worth.
//!
//! ```text
//!  positions (EPD, FEN lists) ──> analyst (any engine, one position at a time) ──> Thinking: the move, and every line on the way to it
//!      └──> goal (what is to be found there) ──────────────────────────────────> Judgement: found and kept, when?
//!  solve: all engines at all positions, several at once
//!
//!  scripts ──> check (how an engine keeps its protocol)
//!
//!  positions, games (PGN) ──> blunders (the engine under test and a reference) ──> loss ──> summary
//! ```
//!
//! Engines are the arena's: processes that speak xboard or UCI. Nothing here knows the engine or the search
//! of this program, and every move, in a file or from an engine, is looked at by shakmaty.

pub mod analyst;
pub mod blunders;
pub mod check;
pub mod goal;
pub mod loss;
pub mod mates;
pub mod phase;
pub mod positions;
pub mod problems;
pub mod report;
pub mod solve;
pub mod summary;
#[cfg(test)]
mod tests;

pub use analyst::{Analyst, Fault, Task, ThinkError, Thinking, ThoughtLine};
pub use goal::{Found, Goal, Judgement};
pub use loss::{Bands, Grade, Loss};
pub use mates::Mates;
pub use phase::Phase;
pub use positions::{Operations, PositionList, SuitePosition};
pub use problems::ProblemList;
pub use solve::{Attempt, Attempted, Attempts, Contest, Problem, Summary};
pub use summary::{Difference, Rate, Sample};

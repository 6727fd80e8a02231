//! The arena: matches and tournaments between engines, each a process of its own.
//!
//! ```text
//!  tournament ──> schedule, openings ──> GamePlan ──> game ──> GameRecord ──> journal, pgn ──> statistics
//!                                                     │
//!                                    client (a process; xboard or UCI), referee, clock, adjudication
//! ```
//!
//! The arena knows engines only by their words: it uses the protocols' message types and never the
//! engine or the search. Its referee is shakmaty, to see mistakes in the engine's own rules. Its
//! clock is the truth.

pub mod adjudicate;
pub mod archive;
pub mod client;
pub mod clock;
pub mod config;
pub mod game;
pub mod machine;
pub mod mating;
pub mod openings;
pub mod pgn;
mod pgn_file;
pub mod referee;
pub mod report;
pub mod schedule;
pub mod spec;
pub mod statistics;
pub mod suite;
pub mod table;
pub mod thinking;
pub mod tournament;
pub mod types;

pub use client::Timeouts;
pub use clock::{EngineLimits, MAX_SECONDS, Time};
pub use spec::{EngineSpec, Protocol, files_of};
pub use table::{EngineTable, check_engines};
pub use types::{GamePlan, GameRecord, GameResult, MoveRecord, Opening, Reason, Verdict};

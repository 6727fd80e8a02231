//! Kashan: a chess engine for xboard and WinBoard whose search is a genetic algorithm.
//!
//! The search follows Dehghani & Babamir, "A GA based method for search-space reduction of chess game-tree",
//! Applied Intelligence 2017. Imports go one way only:
//!
//! ```text
//! main -> cli -> { protocol, bench, experiment, making -> { engine, suite }, report -> { display, suite, arena's statistics }, suite -> arena }
//! { cli, protocol } -> explain -> { engine, display }
//! experiment -> { arena, making, suite, report, display, engine, search }
//! { protocol, bench } -> engine -> { search, book } -> evaluation -> position -> chess
//! arena -> { protocol's message types, position }
//! ```
//!
//! [`score`], [`mod@options`] and [`display`] stand beside that chain: they know nothing of chess, and every room may use them.

#![forbid(unsafe_code)]

pub mod arena;
pub mod bench;
pub mod book;
pub mod cli;
pub mod display;
pub mod engine;
pub mod evaluation;
pub mod experiment;
pub mod explain;
pub mod making;
pub mod options;
pub mod position;
pub mod protocol;
pub mod report;
pub mod score;
pub mod search;
pub mod suite;

//! Kashan: a chess engine for xboard and WinBoard whose search is a genetic algorithm.
//!
//! The search follows Dehghani & Babamir, "A GA based method for search-space reduction of chess game-tree",
//! Applied Intelligence 2017. Imports go one way only:
//!
//! ```text
//! floor 9   main
//!       8   cli
//!       7   front                      experiment
//!       6                      tuning
//!       5   bench, explain             making
//!       4   engine                     suite
//!       3   search                     arena
//!       2   evaluation, book, library  pgn, protocol, tablebase, jobs
//!       1   position, score, options, display, input, files
//!       0   system
//! ```
//!
//! A room imports from floors below its own only. The left tower thinks, the right one referees: the arena
//! and the suites know engines only by what they say, and import neither the engine nor the search. The
//! towers meet in the command line, and where one needs the other's work: in the experiments, which measure
//! our search by matches, in the making of books and libraries, and in tuning, which asks the search. The
//! terminal looks back at a game with the suites' blunder check. [`book`] serves both: the engine
//! plays from it, and the arena draws openings from it. So does [`tablebase`]: the one searches with it, and
//! the other adjudicates. All that takes hours, in both towers, is done with [`jobs`]: a queue, a journal,
//! and a way to stop. Below the second floor only [`position`] knows chess.
//!
//! **To read**: the genetic search in an hour, in `search/genetic/bred`, which plays by default: `mod.rs`,
//! `verdict.rs`, `select.rs`, `operators.rs`, `crossover.rs` and `climb.rs`; then `operators.rs` in the
//! folder above, the paper's. The engine in an afternoon: besides, the rest of [`search`],
//! [`evaluation::kashan`], [`engine`], and [`front::xboard`].
//!
//! | where is ... | there |
//! |---|---|
//! | a child of crossover refused? | in `search/genetic`: `bred/crossover.rs`; the paper's: `birth.rs` |
//! | a draw recognised? | [`position::Position::outcome`]; by the referee [`arena::referee`] |
//! | a draw claimed, or a claim judged? | `game.rs` and `thinking.rs` in `front/xboard`; `arena/game.rs` |
//! | a draw offered or accepted, or a game resigned? | `front/judge.rs` |
//! | the time of a move planned? | [`search::time_control`] |
//! | a term of the evaluation? | [`evaluation::kashan`], with what a new one needs |
//! | the way from `go` to `move`? | `front/xboard/thinking.rs`, `engine/worker.rs`, [`search::genetic`] |
//! | an option declared? | [`engine::Settings`] has all groups; each stands with what it is about |
//! | a command of `kashan`? | [`cli`], a file for each |

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
pub mod files;
pub mod front;
pub mod input;
pub mod jobs;
pub mod library;
pub mod making;
pub mod options;
pub mod pgn;
pub mod position;
pub mod protocol;
pub mod score;
pub mod search;
pub mod suite;
pub mod system;
pub mod tablebase;
pub mod tuning;

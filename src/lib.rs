//! Kashan: a chess engine for xboard and WinBoard whose search is a genetic algorithm.
//!
//! The search follows Dehghani & Babamir, "A GA based method for search-space reduction of chess
//! game-tree", Applied Intelligence 2017. Nine folders, and imports go down only:
//!
//! ```text
//!            cli                  one file a command
//!   play             lab          console, page, review | experiments of the papers, tuning, making of books
//!   engine           arena        game, options, protocols | engines as processes: match, tournament, suites
//!   search                        genetic, alpha-beta and two others
//!   eval                          the evaluations
//!            rules                positions, notation, files of games, protocol messages
//!            util                 files, jobs, tables, options, system
//! ```
//!
//! The left half thinks, the right half referees: [`arena`] knows engines only as processes, and
//! imports neither [`engine`] nor [`search`] nor [`eval`]. [`play`], [`lab`] and [`cli`] use both
//! halves. The rows from [`rules`] up know chess; [`util`] does not. A test
//! (`tests/commands/developer.rs`) holds the directions.
//!
//! **To read**: the genetic search in an hour, in `search/genetic/strong`, which plays by default:
//! `mod.rs`, `node.rs`, `survey.rs`, `operators.rs`, `crossover.rs` and `back_up.rs`; then
//! `operators.rs` in `search/genetic/paper`. The engine in an afternoon: besides, the rest of
//! [`search`], [`eval::network`], [`engine`], and [`engine::front::xboard`].
//!
//! | where is ... | there |
//! |---|---|
//! | a child of crossover refused? | in `search/genetic`: `strong/crossover.rs`; the paper's: `birth.rs`, `operators.rs` in `paper` |
//! | a draw recognised? | [`rules::position::Position::outcome`]; by the referee [`arena::referee`] |
//! | a draw claimed by our engine? | `game.rs` and `thinking.rs` in `engine/front/xboard` |
//! | an engine's claim judged? | `claimed` in `arena/game.rs`; a flag that fell, or a resignation: `lost` there |
//! | a draw offered or accepted, or a game resigned? | `engine/front/own_scores.rs` |
//! | the time of a move planned? | [`search::time_control`] |
//! | the value of a position? | [`eval::network`]; of endgames known by rule, `eval/endgames.rs` |
//! | the way from `go` to `move`? | `engine/front/xboard/thinking.rs`, `engine/worker.rs`, [`search::genetic`] |
//! | an option declared? | [`engine::Settings`] has all groups; each stands with what it is about |
//! | a command of `kashan`? | [`cli`]; `match` is in `tournament.rs`, `explain` in `eval.rs` |
//! | the state of the page? | `play/console/web`: `web.js` polls, `state.rs` answers |

#![forbid(unsafe_code)]

pub mod arena;
pub mod cli;
pub mod engine;
pub mod eval;
pub mod lab;
pub mod play;
pub mod rules;
pub mod search;
pub mod util;

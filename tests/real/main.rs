//! Real programs: xboard and python-chess drive us, Chromium shows our board, engines of others
//! play us in the arena, and pgn-extract reads the games.
//!
//! What is not installed is skipped, unless `KASHAN_REQUIRE_REAL_PROGRAMS=1`: then it is a failure.
//! `KASHAN_GAMES` sets the number of games of each xboard match (2 if not set),
//! `KASHAN_FULL_TIME=1` the slower time controls 0:10+0.1 and 40 moves in 0:20.
//!
//! Nothing here bounds the speed of the machine. What the machine or the program of somebody else
//! may spoil (a loss on time, a crash) is named and [tried again](common::programs::try_again);
//! every other fault counts at once.

#[path = "../common/mod.rs"]
#[macro_use]
mod common;

mod arena;
mod uci;
mod web;
mod xboard;

//! The arena's view of a protocol: one small trait, without input and output.
//!
//! A driver turns the game's wishes into lines for the engine, and the engine's lines into
//! [`DriverEvent`]s. A driver never waits: the client asks the driver for an answer's arrival
//! ([`Driver::is_greeted`], [`Driver::is_ready`]).

use std::fmt::{Display, Write};
use std::time::Duration;

use shakmaty::{ByColor, Chess};

use crate::arena::clock::SideClock;
use crate::arena::referee::Referee;
use crate::arena::{EngineLimits, GameResult, Verdict};
use crate::rules::score::Score;

/// A line of thinking output with a line of play and its score. Its moves are not checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchLine {
    /// The score from the engine's point of view.
    pub score: Score,
    /// True if the score is the value itself, and no bound.
    pub exact: bool,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    /// The engine's own figure for its thinking time.
    pub time: Option<Duration>,
    /// The expected line, as written by the engine; empty if there is none.
    pub variation: String,
}

/// An event in an engine's output with meaning for the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DriverEvent {
    /// A move as written by the engine, in any notation and not checked, and the engine's thought.
    Move {
        text: String,
        thought: Option<SearchLine>,
    },
    OfferDraw,
    Resign,
    /// The engine claims the end of the game.
    Claim {
        verdict: Verdict,
        comment: String,
    },
    /// The engine refuses a move of its opponent; with the refusing line.
    Dispute(String),
    /// The engine's thinking; of several lines of play only the best one.
    Thinking(SearchLine),
}

/// A driver's words for the engine: whole lines.
#[derive(Debug, Default)]
pub struct Outbox(String);

impl Outbox {
    /// Adds a line.
    pub fn say(&mut self, line: impl Display) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.0, "{line}");
    }

    /// Everything said since the last time.
    pub fn take(&mut self) -> String {
        std::mem::take(&mut self.0)
    }
}

/// A game about to begin.
#[derive(Debug)]
pub struct Beginning<'a> {
    /// The position after the opening; the engine is told the opening's moves.
    pub referee: &'a Referee,
    pub limits: &'a EngineLimits,
    /// The only moves to consider in the engine's first turn, in coordinates; all if empty.
    pub search_moves: &'a [String],
    /// The name for the other side.
    pub opponent: &'a str,
}

/// A turn of one side.
#[derive(Debug)]
pub struct Turn<'a> {
    pub referee: &'a Referee,
    pub clocks: &'a ByColor<SideClock>,
}

/// A protocol, seen from the arena.
pub trait Driver: Send {
    /// The engine's own name.
    fn own_name(&self) -> Option<&str>;

    /// The first words to a new process.
    fn greet(&mut self, out: &mut Outbox);

    /// Returns true if the engine has finished its introduction.
    fn is_greeted(&self) -> bool;

    /// Returns true if an engine may stay silent about itself.
    fn may_be_silent(&self) -> bool {
        false
    }

    /// Ends the greeting.
    ///
    /// # Errors
    /// Fails if the engine cannot play chess with us; the text gives the reason.
    fn end_greeting(&mut self) -> Result<(), String> {
        Ok(())
    }

    /// Returns true if the engine can be given any position as it is.
    fn takes_positions(&self) -> bool {
        true
    }

    /// Checks that the engine can set up the first position of a game by these limits.
    ///
    /// # Errors
    /// Names the feature that the engine lacks.
    fn takes_start(&self, _start: &Chess, _limits: &EngineLimits) -> Result<(), String> {
        Ok(())
    }

    /// Sets an option, by its name in any case.
    ///
    /// # Errors
    /// Fails if the engine has no such option; the text lists the options.
    fn set_option(&mut self, name: &str, value: &str, out: &mut Outbox) -> Result<(), String>;

    /// Asks for a sign of life after everything sent so far; [`Driver::is_ready`] tells of its
    /// arrival.
    fn ask_ready(&mut self, out: &mut Outbox);

    /// Returns true if the engine has answered the last [`Driver::ask_ready`], or cannot be asked.
    fn is_ready(&self) -> bool;

    /// Returns true if the engine can be asked for a sign of life at all.
    fn can_be_asked(&self) -> bool {
        true
    }

    /// Sets up a game.
    ///
    /// # Errors
    /// The protocol, or this engine, has no means to play by these limits.
    fn begin(&mut self, game: &Beginning<'_>, out: &mut Outbox) -> Result<(), String>;

    /// Tells the opponent's last move, if any, and gives the turn to the engine.
    fn turn(&mut self, turn: &Turn<'_>, out: &mut Outbox);

    /// The opponent offers a draw.
    fn draw_offered(&mut self, _out: &mut Outbox) {}

    /// The game is over, for the reason given.
    fn end(&mut self, result: &GameResult, out: &mut Outbox);

    /// A line of the engine.
    fn hear(&mut self, line: &str, out: &mut Outbox) -> Option<DriverEvent>;

    /// The line refusing a command about time or position since [`Driver::begin`], if any.
    fn refused(&self) -> Option<&str> {
        None
    }

    /// Returns true if the same process can be trusted with another game.
    fn is_reusable(&self) -> bool {
        true
    }
}

//! What the arena wants of a protocol: one small trait, without input and output.
//!
//! A driver turns what the game wants into lines for the engine, and the engine's lines into
//! [`DriverEvent`]s. A driver never waits: the client asks it whether an answer has come
//! ([`Driver::is_greeted`], [`Driver::is_ready`]).

use std::fmt::{Display, Write};
use std::time::Duration;

use shakmaty::{ByColor, Chess};

use crate::arena::clock::SideClock;
use crate::arena::referee::Referee;
use crate::arena::{EngineLimits, GameResult, Verdict};
use crate::rules::score::Score;

/// What an engine thinks of the position it searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thought {
    /// From the engine's point of view.
    pub score: Score,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
}

/// A line of thinking output that says what the engine would play and what that is worth. Its moves
/// are not checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThoughtText {
    pub thought: Thought,
    /// Whether the score is the value itself, and no bound of it.
    pub exact: bool,
    /// How long the engine says that it has been thinking.
    pub time: Option<Duration>,
    /// The line that it expects, as it wrote it; empty if it wrote none.
    pub variation: String,
}

/// What an engine says that matters to the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DriverEvent {
    /// A move as the engine wrote it, in any notation and not checked, and what the engine thought
    /// of it.
    Move {
        text: String,
        thought: Option<Thought>,
    },
    OfferDraw,
    Resign,
    /// The engine claims that the game is over.
    Claim {
        verdict: Verdict,
        comment: String,
    },
    /// The engine refuses a move of its opponent; this is the line in which it does.
    Dispute(String),
    /// What the engine thinks; of several lines of play only the best one.
    Thinking(ThoughtText),
}

/// What a driver has to tell the engine: whole lines.
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

/// A game that is about to begin.
#[derive(Debug)]
pub struct Beginning<'a> {
    /// The position after the opening; the engine is told of the moves that lead to it.
    pub referee: &'a Referee,
    pub limits: &'a EngineLimits,
    pub ponder: bool,
    /// What to call the other side.
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
    /// What the engine calls itself.
    fn own_name(&self) -> Option<&str>;

    /// The first words to a new process.
    fn greet(&mut self, out: &mut Outbox);

    /// Whether the engine has said all about itself that it will say.
    fn is_greeted(&self) -> bool;

    /// Whether an engine that says nothing about itself may be one all the same.
    fn may_be_silent(&self) -> bool {
        false
    }

    /// The greeting is over.
    ///
    /// # Errors
    /// The engine says that it cannot play chess with us; the text says why.
    fn end_greeting(&mut self) -> Result<(), String> {
        Ok(())
    }

    /// Returns true if the engine can be given any position as it is.
    fn takes_positions(&self) -> bool {
        true
    }

    /// Checks that the engine can be given the position in which a game by these limits begins.
    ///
    /// # Errors
    /// It cannot; the text says what it lacks.
    fn takes_start(&self, _start: &Chess, _limits: &EngineLimits) -> Result<(), String> {
        Ok(())
    }

    /// Sets an option, by its name in any case.
    ///
    /// # Errors
    /// The engine has no such option; the text says what it has.
    fn set_option(&mut self, name: &str, value: &str, out: &mut Outbox) -> Result<(), String>;

    /// Asks for a sign of life after everything sent so far; [`Driver::is_ready`] says whether it
    /// came.
    fn ask_ready(&mut self, out: &mut Outbox);

    /// Whether the engine has answered the last [`Driver::ask_ready`], or cannot be asked.
    fn is_ready(&self) -> bool;

    /// Whether the engine can be asked for a sign of life at all.
    fn can_be_asked(&self) -> bool {
        true
    }

    /// Sets up a game.
    ///
    /// # Errors
    /// The protocol, or this engine, has no means to play by these limits.
    fn begin(&mut self, game: &Beginning<'_>, out: &mut Outbox) -> Result<(), String>;

    /// Tells the opponent's last move, if there is one, and that it is the engine's turn.
    fn turn(&mut self, turn: &Turn<'_>, out: &mut Outbox);

    /// Restricts the coming turn to these moves, in coordinates. [`Driver::begin`] takes the
    /// restriction away.
    fn search_only(&mut self, moves: Vec<String>) -> Result<(), String>;

    /// The engine's move was accepted, and the opponent is on move: time to ponder, where an engine
    /// has to be told.
    fn ponder(&mut self, _after: &Turn<'_>, _out: &mut Outbox) {}

    /// The opponent offers a draw.
    fn draw_offered(&mut self, _out: &mut Outbox) {}

    /// The game is over, for the reason given.
    fn end(&mut self, result: &GameResult, out: &mut Outbox);

    /// A line of the engine.
    fn hear(&mut self, line: &str, out: &mut Outbox) -> Option<DriverEvent>;

    /// A command about time or position that the engine refused since [`Driver::begin`]: the line
    /// in which it did.
    fn refused(&self) -> Option<&str> {
        None
    }

    /// Whether the same process can be trusted with another game.
    fn is_reusable(&self) -> bool {
        true
    }
}

//! What a conversation in the xboard protocol is about at any time.

use std::time::Duration;

use chess::{ChessMove, Color};

use super::editor::Editor;
use crate::protocol::xboard::Status;
use crate::search::SearchReport;

/// What the engine is to do with the position on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Play neither colour, only follow the moves.
    Force,
    /// Play this colour.
    Play(Color),
    /// Think about whatever is on the board, for as long as it is there.
    Analyze,
}

/// What the running search is for.
#[derive(Debug)]
pub enum Activity {
    Idle,
    /// Nothing yet. It is the engine's turn, but so many pongs are owed first: until it has them, a front end
    /// listens to no move.
    Due {
        pongs: usize,
        /// `?` came meanwhile.
        at_once: bool,
    },
    /// An own move.
    Move {
        /// What the search's clock showed when it became the engine's turn: time that was pondered, and is
        /// not charged.
        pondered: Duration,
    },
    /// The move that the opponent is likely to make, to ponder on.
    Guess,
    /// The reply to `expected`, which the opponent has not played yet. The search may be over before he does.
    Ponder {
        expected: ChessMove,
        report: Option<Box<SearchReport>>,
    },
    /// The position on the board. A search can have nothing left to find before the front end has seen
    /// enough: then `end` is how it stood.
    Analysis {
        end: Option<Box<Status>>,
    },
    Hint,
}

/// What is on the board.
pub enum Board {
    /// The position of the engine's game.
    Playable,
    /// The front end set up something that cannot be played from.
    Illegal,
    /// `edit`: the front end is setting up a position piece by piece.
    Editing(Editor),
}

/// Whether the engine ponders while it waits for the opponent's move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ponder {
    /// `easy`
    Off,
    /// `hard`, but "do not ponder on this move" holds from `new` up to the first move.
    NotYet,
    On,
}

/// What the engine does when the game is a draw although there are moves to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draws {
    /// It claims the draw and does not move.
    ToClaim,
    /// It has claimed one, and the front end has not gone on with the game.
    Claimed,
    /// The front end went on with a game that was a draw: the engine plays, and does not claim again until a
    /// capture or a pawn move begins something new.
    Overruled,
}

/// What SIGINT means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interrupt {
    /// Somebody wants the program to end.
    End,
    /// The front end wants attention: it sends one before almost every command.
    Attention,
}

//! A game that is to be played.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use shakmaty::ByColor;

use super::{GameRecord, Limits};

/// Where a game begins: a position and moves from it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opening {
    /// The start position; `None` for the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// Coordinate moves from there, legal one after the other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<String>,
    /// What to call it, if it has a name (`id` of an EPD line, `Opening` tag of a PGN).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// When the arena itself ends a game. Everything is off by default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Adjudication {
    pub draw: Option<DrawRule>,
    pub win: Option<WinRule>,
    /// After so many moves of each side, opening included, the game is a draw.
    pub max_moves: Option<u32>,
    /// The folder of Syzygy endgame tables, or several with a colon (Windows: semicolon) between them. The
    /// game is over where they are certain of its result; see [`endgame`](super::endgame). Settings say what
    /// tables there are, not where.
    #[serde(skip_serializing)]
    pub tablebases: Option<String>,
}

impl Adjudication {
    /// Whether every rule can come to pass and is none that ends games at once.
    ///
    /// # Errors
    /// The first that is not so: the text names the rule and its value.
    pub fn check(&self) -> Result<(), String> {
        let (draw, win) = (self.draw.as_ref(), self.win.as_ref());
        let senseless = |what: &str, value: i64, why: &str| Err(format!("{what} = {value}: {why}"));
        let no_moves = "a rule that waits for no move ends every game at once";
        match (self.max_moves, draw, win) {
            (Some(0), ..) => senseless("max_moves", 0, "every game would be a draw before its first move"),
            (_, Some(DrawRule { moves: 0, .. }), _) => senseless("draw.moves", 0, no_moves),
            (_, _, Some(WinRule { moves: 0, .. })) => senseless("win.moves", 0, no_moves),
            (_, Some(&DrawRule { score, .. }), _) if score < 0 => {
                senseless("draw.score", score.into(), "no score is nearer to 0 than that")
            }
            (_, _, Some(&WinRule { score, .. })) if score <= 0 => {
                senseless("win.score", score.into(), "who wins stands better: it is above 0")
            }
            _ => Ok(()),
        }
    }
}

/// A draw when, from move `from_move` on, both sides said at most `score` centipawns (either sign) for
/// `moves` moves each in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawRule {
    pub from_move: u32,
    pub moves: u32,
    pub score: i32,
}

/// A win when both sides agreed, for `moves` moves each in a row, that it stands at least `score` centipawns
/// better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WinRule {
    pub moves: u32,
    pub score: i32,
}

/// One game of a tournament, everything decided but its course.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GamePlan {
    /// From 1, in the order of the schedule.
    pub number: u32,
    /// The `Round` tag of PGN: `3`, or `3.2` for the second game of a pair.
    pub round: String,
    /// Both games of a pair share this number: same opening, colours reversed.
    pub pair: u32,
    /// Indices of the tournament's engines.
    pub white: usize,
    pub black: usize,
    pub opening: Opening,
    /// Of White and Black.
    pub limits: [Limits; 2],
    /// How far a clock may go below zero before the flag falls: for the arena's own delays.
    pub margin: Duration,
    pub adjudication: Adjudication,
}

impl GamePlan {
    /// The engines' indices.
    pub fn engines(&self) -> ByColor<usize> {
        ByColor { white: self.white, black: self.black }
    }
}

/// `game 12`
impl fmt::Display for GamePlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}", self.number)
    }
}

/// Something that plays planned games, one after the other. A tournament has one for each game that runs at
/// the same time.
pub trait GamePlayer: Send {
    /// Plays the game to its end whatever the engines do, or to
    /// [`Reason::Interrupted`](super::Reason::Interrupted) if it is told to stop.
    ///
    /// # Errors
    /// Only what makes going on pointless: an engine that never started since the tournament began.
    fn play(&mut self, plan: &GamePlan) -> anyhow::Result<GameRecord>;
}

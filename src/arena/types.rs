//! Types handed between the parts of the arena: the plan of a game, the played game, and its
//! result.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use shakmaty::{ByColor, Color};
use strum::EnumString;

use super::EngineLimits;

/// The beginning of a game: a position and moves from there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opening {
    /// The start position; `None` for the usual one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// Coordinate moves from there, legal one after the other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<String>,
    /// The opening's name, if any (`id` of an EPD line, `Opening` tag of a PGN).
    #[serde(skip_serializing_if = "Option::is_none")]
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
    /// The folder of Syzygy endgame tables, or several with a colon (Windows: semicolon) between
    /// them. The game is over as soon as they are certain of its result; see
    /// [`by_tables`](super::adjudicate::by_tables). Settings record the tables, not their place.
    #[serde(skip_serializing)]
    pub tablebases: Option<String>,
}

impl Adjudication {
    /// Checks that every rule can come to pass and does not end games at once.
    ///
    /// # Errors
    /// Fails on the first wrong rule: the text names the rule and its value.
    pub fn check(&self) -> Result<(), String> {
        let mut rules: Vec<(&str, i64, i64)> = Vec::new();
        if let Some(moves) = self.max_moves {
            rules.push(("max_moves", moves.into(), 1));
        }
        if let Some(DrawRule { moves, score, .. }) = self.draw {
            rules.push(("draw.moves", moves.into(), 1));
            rules.push(("draw.score", score.into(), 0));
        }
        if let Some(WinRule { moves, score }) = self.win {
            rules.push(("win.moves", moves.into(), 1));
            rules.push(("win.score", score.into(), 1));
        }
        for (what, value, least) in rules {
            if value < least {
                return Err(format!("{what} = {value}: it has to be {least} or more"));
            }
        }
        Ok(())
    }
}

/// A draw when, from move `from_move` on, both sides said at most `score` centipawns (either sign)
/// for `moves` moves each in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawRule {
    pub from_move: u32,
    pub moves: u32,
    pub score: i32,
}

/// A win when both sides agreed, for `moves` moves each in a row, on a lead of at least `score`
/// centipawns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WinRule {
    pub moves: u32,
    pub score: i32,
}

/// One game of a tournament, everything decided but its course.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GamePlan {
    /// The number, from 1, in the order of the schedule.
    pub number: u32,
    /// The `Round` tag of PGN: `3`, or `3.2` for the second game of a pair.
    pub round: String,
    /// Both games of a pair share this number: same opening, colours reversed.
    pub pair: u32,
    /// Indices of the tournament's engines.
    pub engines: ByColor<usize>,
    pub opening: Opening,
    pub limits: ByColor<EngineLimits>,
    /// The time below zero allowed to a clock before the flag falls: for the arena's own delays.
    pub margin: Duration,
    pub adjudication: Adjudication,
}

/// `game 12`
impl fmt::Display for GamePlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}", self.number)
    }
}

/// One move of a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// Coordinates (`e2e4`, `e7e8q`, `e1g1`).
    pub uci: String,
    /// The time of the move by the mover's clock, in milliseconds.
    pub time: u64,
    /// The mover's clock after the move, in milliseconds; `None` without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<u64>,
    /// The mover's score, in centipawns from the mover's point of view, mates as in
    /// [`Score`](crate::rules::score::Score).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

/// A game in the journal, with everything for the PGN.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The plan's number, as are round and pair.
    pub number: u32,
    pub round: String,
    pub pair: u32,
    pub white: String,
    pub black: String,
    pub opening: Opening,
    /// Moves of the players, those of the opening left out.
    pub moves: Vec<MoveRecord>,
    pub result: GameResult,
    /// Time controls of White and Black, as [`EngineLimits`] prints them.
    pub limits: [String; 2],
    /// When the game began: seconds since 1970, UTC.
    pub started: u64,
    /// The own names of White and Black.
    #[serde(default, skip_serializing_if = "nobody")]
    pub own_names: [Option<String>; 2],
    /// The first impossible thinking line of White and of Black, with the reason.
    #[serde(default, skip_serializing_if = "nobody")]
    pub warnings: [Option<String>; 2],
}

impl GameRecord {
    /// The loser's name; `None` without one.
    pub fn loser(&self) -> Option<&str> {
        match self.result.verdict {
            Verdict::WhiteWins => Some(&self.black),
            Verdict::BlackWins => Some(&self.white),
            Verdict::Draw | Verdict::Unfinished => None,
        }
    }
}

fn nobody(names: &[Option<String>; 2]) -> bool {
    names.iter().all(Option::is_none)
}

/// The result of a game in the words of PGN.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Deserialize,
    strum::Display,
    EnumString,
)]
pub enum Verdict {
    #[serde(rename = "1-0")]
    #[strum(serialize = "1-0")]
    WhiteWins,
    #[serde(rename = "0-1")]
    #[strum(serialize = "0-1")]
    BlackWins,
    #[serde(rename = "1/2-1/2")]
    #[strum(serialize = "1/2-1/2")]
    Draw,
    /// The game is undecided and counts for neither.
    #[default]
    #[serde(rename = "*")]
    #[strum(serialize = "*")]
    Unfinished,
}

impl Verdict {
    /// The side `color` wins.
    pub fn win_of(color: Color) -> Verdict {
        color.fold_wb(Verdict::WhiteWins, Verdict::BlackWins)
    }

    /// The worth of the game for `color`: 1, 0.5 or 0; `None` if unfinished.
    pub fn points(self, color: Color) -> Option<f64> {
        match self {
            Verdict::WhiteWins => Some(color.fold_wb(1.0, 0.0)),
            Verdict::BlackWins => Some(color.fold_wb(0.0, 1.0)),
            Verdict::Draw => Some(0.5),
            Verdict::Unfinished => None,
        }
    }
}

/// The reason for the end of a game. The side at fault lost the game, or would have without an
/// earlier fault of the other.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, strum::Display,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "title_case")]
pub enum Reason {
    Checkmate,
    Stalemate,
    ThreefoldRepetition,
    FiftyMoves,
    InsufficientMaterial,
    Resignation,
    DrawAgreed,
    /// The arena's clock ran out, the margin included.
    TimeForfeit,
    /// An illegal move, or no move at all.
    IllegalMove,
    /// A false claim of a result.
    FalseClaim,
    /// No move for too long without a clock: the engine was given up.
    Stall,
    /// The process ended, or closed its output, in the middle of the game.
    Crash,
    /// The process could not be started, or did not get ready for the game.
    NoStart,
    /// More output than any honest engine writes.
    Flood,
    DrawAdjudication,
    WinAdjudication,
    /// The endgame tables know the result.
    TablebaseAdjudication,
    /// The longest game allowed: a draw.
    MoveLimit,
    /// The user stopped the tournament.
    #[default]
    Interrupted,
}

impl Reason {
    /// Returns true if the loser broke off or broke the rules: the result is no measure of its
    /// chess.
    pub fn is_fault(self) -> bool {
        self.is_breakdown() || matches!(self, Reason::IllegalMove | Reason::FalseClaim)
    }

    /// The loser's program broke down, or was not to be waited for.
    pub fn is_breakdown(self) -> bool {
        matches!(
            self,
            Reason::Stall | Reason::Crash | Reason::NoStart | Reason::Flood
        )
    }

    /// Returns true for a fault, or a fallen flag: the loser did not lose on the board.
    pub fn is_forfeit(self) -> bool {
        self.is_fault() || self == Reason::TimeForfeit
    }

    /// The value of PGN's `Termination` tag.
    pub fn termination(self) -> &'static str {
        match self {
            Reason::TimeForfeit => "time forfeit",
            Reason::IllegalMove | Reason::FalseClaim => "rules infraction",
            reason if reason.is_breakdown() => "abandoned",
            Reason::DrawAdjudication
            | Reason::WinAdjudication
            | Reason::TablebaseAdjudication
            | Reason::MoveLimit => "adjudication",
            Reason::Interrupted => "unterminated",
            _ => "normal",
        }
    }
}

/// A verdict and its reason.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameResult {
    pub verdict: Verdict,
    pub reason: Reason,
    /// One sentence for people, with the engine's name, the offending line and the like:
    /// `Fairy-Max moved e2e5, which is not legal`.
    pub detail: String,
}

impl GameResult {
    /// A draw for this reason.
    pub fn draw(reason: Reason, detail: String) -> GameResult {
        GameResult {
            verdict: Verdict::Draw,
            reason,
            detail,
        }
    }

    /// A win of `color` for this reason.
    pub fn win_of(color: Color, reason: Reason, detail: String) -> GameResult {
        GameResult {
            verdict: Verdict::win_of(color),
            reason,
            detail,
        }
    }
}

//! How a game ended, and why.

use serde::{Deserialize, Serialize};
use shakmaty::Color;
use strum::EnumString;

/// The result of a game as PGN writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, strum::Display, EnumString)]
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
    /// Nothing was decided; the game counts for nobody.
    #[serde(rename = "*")]
    #[strum(serialize = "*")]
    Unfinished,
}

impl Verdict {
    /// The side `color` wins.
    pub fn win_of(color: Color) -> Verdict {
        color.fold_wb(Verdict::WhiteWins, Verdict::BlackWins)
    }

    /// What the game is worth for `color`: 1, 0.5 or 0; `None` if it is unfinished.
    pub fn points(self, color: Color) -> Option<f64> {
        match self {
            Verdict::WhiteWins => Some(color.fold_wb(1.0, 0.0)),
            Verdict::BlackWins => Some(color.fold_wb(0.0, 1.0)),
            Verdict::Draw => Some(0.5),
            Verdict::Unfinished => None,
        }
    }
}

/// Why a game ended. The side that a fault belongs to lost the game, or would have if nobody had been at
/// fault before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
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
    /// A move that is not legal, or no move at all.
    IllegalMove,
    /// A result claimed that is not so.
    FalseClaim,
    /// No move for so long that the engine was given up, where no clock decides.
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
    Interrupted,
}

impl Reason {
    /// Whether the loser broke off or broke the rules, so that the result says nothing about its chess.
    pub fn is_fault(self) -> bool {
        self.is_breakdown() || matches!(self, Reason::IllegalMove | Reason::FalseClaim)
    }

    /// The loser's program broke down, or was not to be waited for.
    pub fn is_breakdown(self) -> bool {
        matches!(self, Reason::Stall | Reason::Crash | Reason::NoStart | Reason::Flood)
    }

    /// A fault, or a clock that ran out: the loser did not lose on the board.
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

/// A verdict and how it came about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameResult {
    pub verdict: Verdict,
    pub reason: Reason,
    /// One sentence for people, the engine's name, the offending line and the like in it: `Fairy-Max moved
    /// e2e5, which is not legal`.
    pub detail: String,
}

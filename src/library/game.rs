//! Whose game a case is from, in words.

use std::fmt;

use shakmaty::Outcome;

use super::format::{self, GameRecord};
use super::retain::OwnGame;

/// Which game a case is from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameInfo {
    /// Players; empty if nobody knows.
    pub white: String,
    pub black: String,
    pub event: String,
    pub year: Option<u16>,
    pub month: Option<u8>,
    pub day: Option<u8>,
    pub white_elo: Option<u16>,
    pub black_elo: Option<u16>,
    pub result: Outcome,
    /// Half-moves.
    pub plies: u16,
    /// It is a game of this engine, from the file beside the library.
    pub is_own: bool,
}

impl GameInfo {
    /// White, Black and the event are names.
    pub(super) fn of_record(record: &GameRecord, [white, black, event]: [String; 3]) -> GameInfo {
        let [white_elo, black_elo] = [record.white_elo, record.black_elo].map(known);
        GameInfo {
            white,
            black,
            event,
            year: known(record.year),
            month: known(record.month),
            day: known(record.day),
            white_elo,
            black_elo,
            result: format::result(record.result),
            plies: record.plies,
            is_own: false,
        }
    }

    pub(super) fn of_own(game: &OwnGame) -> GameInfo {
        let ours = |is_ours: bool| if is_ours { "Kashan".to_owned() } else { String::new() };
        GameInfo {
            white: ours(!game.as_black),
            black: ours(game.as_black),
            event: String::new(),
            year: known(game.year),
            month: known(game.month),
            day: known(game.day),
            white_elo: None,
            black_elo: None,
            result: format::result(game.result),
            plies: game.pairs.keys().next_back().map_or(0, |&last| last.saturating_add(1)),
            is_own: true,
        }
    }
}

/// 0 stands for what is not known.
fn known<N: Default + PartialEq>(number: N) -> Option<N> {
    (number != N::default()).then_some(number)
}

/// `Ivanchuk,V (2751) - Mamedyarov,S (2760), Amber Blindfold 2008, 0-1`, as far as it is known.
impl fmt::Display for GameInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let player = |name: &str, elo: Option<u16>| {
            let name = if name.is_empty() { "?" } else { name };
            elo.map_or_else(|| name.to_owned(), |elo| format!("{name} ({elo})"))
        };
        match (self.white.as_str(), self.black.as_str()) {
            ("", "") => write!(f, "a game")?,
            (white, black) => {
                write!(f, "{} - {}", player(white, self.white_elo), player(black, self.black_elo))?;
            }
        }
        match (self.event.as_str(), self.year) {
            ("", None) => {}
            ("", Some(year)) => write!(f, ", {year}")?,
            (event, Some(year)) if !event.contains(&year.to_string()) => write!(f, ", {event} {year}")?,
            (event, _) => write!(f, ", {event}")?,
        }
        match self.result {
            Outcome::Unknown => Ok(()),
            Outcome::Known(outcome) => write!(f, ", {outcome}"),
        }
    }
}

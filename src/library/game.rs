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
    /// Date, ratings, result and length.
    pub record: GameRecord,
    /// It is a game of this engine, from the file beside the library.
    pub is_own: bool,
}

impl GameInfo {
    /// A game of the file beside the library.
    pub fn of_own(game: &OwnGame) -> GameInfo {
        let [white, black] =
            [!game.as_black, game.as_black].map(|is_ours| if is_ours { "Kashan" } else { "" });
        let plies = game.pairs.keys().next_back().map_or(0, |&last| last.saturating_add(1));
        let (white, black, event) = (white.to_owned(), black.to_owned(), String::new());
        GameInfo { white, black, event, record: GameRecord { plies, ..game.record }, is_own: true }
    }

    /// The year, if it is known.
    pub fn year(&self) -> Option<u16> {
        (self.record.year > 0).then_some(self.record.year)
    }

    /// How it ended.
    pub fn result(&self) -> Outcome {
        format::result(self.record.result)
    }
}

/// `Ivanchuk,V (2751) - Mamedyarov,S (2760), Amber Blindfold 2008, 0-1`, as far as it is known.
impl fmt::Display for GameInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let player = |name: &str, elo: u16| {
            let name = if name.is_empty() { "?" } else { name };
            if elo == 0 { name.to_owned() } else { format!("{name} ({elo})") }
        };
        match (self.white.as_str(), self.black.as_str()) {
            ("", "") => write!(f, "a game")?,
            (white, black) => {
                write!(
                    f,
                    "{} - {}",
                    player(white, self.record.white_elo),
                    player(black, self.record.black_elo)
                )?;
            }
        }
        match (self.event.as_str(), self.year()) {
            ("", None) => {}
            ("", Some(year)) => write!(f, ", {year}")?,
            (event, Some(year)) if !event.contains(&year.to_string()) => write!(f, ", {event} {year}")?,
            (event, _) => write!(f, ", {event}")?,
        }
        match self.result() {
            Outcome::Unknown => Ok(()),
            Outcome::Known(outcome) => write!(f, ", {outcome}"),
        }
    }
}

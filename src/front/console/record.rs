//! The game as PGN, with today's date.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::time::{SystemTime, UNIX_EPOCH};

use chess::Color;

use super::Console;
use crate::front::NAME;
use crate::pgn::PgnGame;

impl<W: Write> Console<W> {
    /// The game as it stands.
    pub(super) fn pgn(&self) -> PgnGame {
        let player = |side: Color| match self.kashan {
            Some(kashan) if kashan == side => NAME.to_owned(),
            _ => "Human".to_owned(),
        };
        PgnGame {
            event: "Console game".to_owned(),
            date: today(),
            round: "-".to_owned(),
            white: player(Color::White),
            black: player(Color::Black),
            result: self
                .ending
                .as_ref()
                .map_or("*", |ending| ending.result)
                .to_owned(),
            start: self.engine.game.start().clone(),
            moves: self.engine.game.moves().to_vec(),
            comment: self.ending.as_ref().map(|ending| ending.reason.clone()),
            ..PgnGame::default()
        }
    }

    /// Adds the game to a file.
    pub(super) fn save(&self, path: &str) -> io::Result<()> {
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        file.write_all(self.pgn().to_string().as_bytes())
    }
}

/// Today's date (UTC) as PGN writes it.
fn today() -> String {
    match SystemTime::now().duration_since(UNIX_EPOCH) {
        Ok(since) => date(since.as_secs() / 86_400),
        Err(_) => "????.??.??".to_owned(),
    }
}

/// The date that is `days` after 1 January 1970.
fn date(mut days: u64) -> String {
    let is_leap =
        |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let lengths = [
        31,
        28 + u64::from(is_leap(year)),
        31,
        30,
        31,
        30,
        31,
        31,
        30,
        31,
        30,
        31,
    ];
    let mut month = 1;
    for length in lengths {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    format!("{year:04}.{month:02}.{:02}", days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        assert_eq!(date(0), "1970.01.01");
        assert_eq!(date(59), "1970.03.01");
        assert_eq!(date(11_016), "2000.02.29");
        assert_eq!(date(11_017), "2000.03.01");
        assert_eq!(date(20_453), "2025.12.31");
    }
}

//! The game as PGN, with today's date.

use std::fs::OpenOptions;
use std::io::{self, Write};

use chess::Color;
use jiff::Timestamp;

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
            result: self.ending.as_ref().map_or("*", |ending| ending.result).to_owned(),
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
    Timestamp::now().strftime("%Y.%m.%d").to_string()
}

//! The game as PGN, with today's date.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

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

    /// Adds the game to a file, on a line of its own. What is there and is no PGN stays as it is.
    pub(super) fn save(&self, path: &str) -> io::Result<()> {
        let path = Path::new(path);
        let line_end = if path.is_file() { missing_line_end(path)? } else { "" };
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        file.write_all(format!("{line_end}{}", self.pgn()).as_bytes())
    }
}

/// What has to stand before another game in a PGN file.
fn missing_line_end(path: &Path) -> io::Result<&'static str> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut begin = Vec::new();
    (&file).take(512).read_to_end(&mut begin)?;
    let text = begin.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&begin).trim_ascii_start();
    if !text.is_empty() && !text.starts_with(b"1.") && !text.starts_with(b"[") {
        return Err(io::Error::other("it is there already, and is no PGN file"));
    }
    let mut end = Vec::new();
    file.seek(SeekFrom::Start(length.saturating_sub(2)))?;
    file.read_to_end(&mut end)?;
    Ok(match end.as_slice() {
        [] | b"\n" | b"\n\n" => "",
        [.., b'\n'] => "\n",
        _ => "\n\n",
    })
}

/// Today's date (UTC) as PGN writes it.
fn today() -> String {
    Timestamp::now().strftime("%Y.%m.%d").to_string()
}

//! The game as PGN, with today's date.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use chess::Color;
use jiff::Timestamp;

use super::Console;
use crate::front::NAME;
use crate::input;
use crate::pgn::{self, PgnGame};

impl Console {
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

    pub(super) fn show_pgn(&mut self) {
        self.print(&self.pgn().to_string());
    }

    /// Adds the game to a file.
    pub(super) fn save(&mut self, path: &str) {
        if path.is_empty() {
            return self.say("Save to which file? For example: save game.pgn");
        }
        match append(Path::new(path), &self.pgn().to_string()) {
            Ok(()) => self.say(format!("The game is in {path}.")),
            Err(error) => self.say(format!("Cannot write {path}: {error}.")),
        }
    }
}

/// Today's date (UTC) as PGN writes it.
fn today() -> String {
    Timestamp::now().strftime("%Y.%m.%d").to_string()
}

/// Adds a game to what a file holds, on a line of its own.
///
/// # Errors
/// The file is there and is no PGN, or cannot be read or written.
fn append(path: &Path, game: &str) -> io::Result<()> {
    let missing = match path.is_file() {
        true => missing_end(File::open(path)?)?,
        false => "",
    };
    if path.exists() && !path.is_file() {
        // A pipe may have no reader.
        return Err(io::Error::other("it is no regular file"));
    }
    if input::is_compressed(path) {
        return Err(io::Error::other("it is compressed, or is called so, and the game would be plain text"));
    }
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    file.write_all(format!("{missing}{game}").as_bytes())
}

/// The line ends that a PGN file lacks before another game can follow.
fn missing_end(mut file: File) -> io::Result<&'static str> {
    let mut begin = Vec::new();
    (&file).take(1 << 12).read_to_end(&mut begin)?;
    if !pgn::begins_as_games(&begin) {
        return Err(io::Error::other("it is there already, and is no PGN file"));
    }
    let mut end = Vec::new();
    file.seek(SeekFrom::Start(file.metadata()?.len().saturating_sub(2)))?;
    file.read_to_end(&mut end)?;
    Ok(match end.as_slice() {
        [] | b"\n" | b"\n\n" => "",
        [.., b'\n'] => "\n",
        _ => "\n\n",
    })
}

//! The game as PGN, with today's date.

use std::fs::OpenOptions;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use chess::Color;
use jiff::Timestamp;

use super::Console;
use crate::front::NAME;
use crate::pgn::{self, Movetext, tag_pair};
use crate::position::Position;
use crate::{files, input};

impl Console {
    /// The game as it stands.
    pub(super) fn pgn(&self) -> String {
        let (game, date) = (&self.engine.game, today());
        let (start, fen) = (game.start(), game.start().to_fen());
        let player = |side: Color| if self.kashan == Some(side) { NAME } else { "Human" };
        let (result, reason) = match &self.ending {
            Some(ending) => (ending.result, ending.reason.as_str()),
            None => ("*", ""),
        };
        let mut tags = vec![
            ("Event", "Console game"),
            ("Site", "?"),
            ("Date", &date),
            ("Round", "-"),
            ("White", player(Color::White)),
            ("Black", player(Color::Black)),
            ("Result", result),
        ];
        if fen != Position::default().to_fen() {
            tags.extend([("SetUp", "1"), ("FEN", &fen)]);
        }
        let tags: String = tags.into_iter().map(|(name, value)| tag_pair(name, value)).collect();
        let side = shakmaty::Color::from_white(start.side_to_move() == Color::White);
        let mut moves = Movetext::new(start.fullmove_number(), side);
        start.san_line(game.moves()).iter().for_each(|san| moves.mv(san));
        moves.comment(reason);
        format!("{tags}\n{}", moves.finish(result))
    }

    pub(super) fn show_pgn(&mut self) {
        self.print(&self.pgn());
    }

    /// Adds the game to a file.
    pub(super) fn save(&mut self, path: &str) {
        if path.is_empty() {
            return self.say("Save to which file? For example: save game.pgn");
        }
        match append(Path::new(path), &self.pgn()) {
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
    if path.exists() && !path.is_file() {
        // A pipe may have no reader.
        return Err(io::Error::other("it is no regular file"));
    }
    if path.exists() && !pgn::begins_as_games(&files::beginning(path, 1 << 12)?) {
        return Err(io::Error::other("it is there already, and is no PGN file"));
    }
    if input::is_compressed(path) {
        return Err(io::Error::other("it is compressed, or is called so, and the game would be plain text"));
    }
    let mut file = OpenOptions::new().read(true).create(true).append(true).open(path)?;
    let mut end = Vec::new();
    file.seek(SeekFrom::Start(file.metadata()?.len().saturating_sub(2)))?;
    file.read_to_end(&mut end)?;
    let missing = match end.as_slice() {
        [] | b"\n" | b"\n\n" => "",
        [.., b'\n'] => "\n",
        _ => "\n\n",
    };
    file.write_all(format!("{missing}{game}").as_bytes())
}

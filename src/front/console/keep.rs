//! The game in progress, kept in a file after every move, so that it can be had back whatever ends the program.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use chess::Color;
use etcetera::base_strategy::{BaseStrategy, choose_base_strategy};

use super::Console;
use crate::engine::Game;
use crate::front::NAME;
use crate::input;
use crate::pgn::{self, Reader, Rules};
use crate::position::Position;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, EnPassantMode, Outcome};

/// `kashan/game.pgn` in the user's data folder; `None` if the system names no such folder.
pub fn usual_file() -> Option<PathBuf> {
    let folders = choose_base_strategy().ok()?;
    Some(folders.data_dir().join("kashan").join("game.pgn"))
}

/// A game that was kept.
pub(super) struct Kept {
    game: Game,
    kashan: Option<Color>,
    pub(super) is_over: bool,
}

/// Reads the first game of a file.
///
/// # Errors
/// A file that cannot be read or holds no game of chess, in words for the user.
pub(super) fn read(path: &Path) -> Result<Kept, String> {
    let source = input::open(path).map_err(|error| error.to_string())?;
    let text = Reader::new(source)
        .next_game()
        .map_err(|error| error.to_string())?;
    let text = text.ok_or("there is no game in it")?;
    let rules = Rules {
        strict: true,
        ..Rules::default()
    };
    let kept = pgn::Game::read(&text, &rules).map_err(|fault| fault.to_string())?;
    let fen = Fen::from_position(&kept.start, EnPassantMode::Legal).to_string();
    let mut game = Game::new(Position::from_fen(&fen).map_err(|error| error.to_string())?);
    for mv in &kept.moves {
        let mv = game
            .position()
            .parse_move(&mv.mv.to_uci(CastlingMode::Standard).to_string());
        mv.and_then(|mv| game.play(mv))
            .map_err(|error| error.to_string())?;
    }
    let is_kashan = |tag: &str| kept.tags.get(tag).is_some_and(|name| name.starts_with("Kashan"));
    Ok(Kept {
        game,
        kashan: match (is_kashan("White"), is_kashan("Black")) {
            (true, _) => Some(Color::White),
            (_, true) => Some(Color::Black),
            _ => None,
        },
        is_over: kept.result.is_some_and(|result| result != Outcome::Unknown),
    })
}

/// Writes a file so that at every moment the old one or the new one is there, and whole.
fn write(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let new = path.with_extension("new");
    fs::write(&new, text)?;
    fs::rename(&new, path)
}

impl<W: Write> Console<W> {
    /// Keeps the game in `file` from now on.
    pub fn keep_in(mut self, file: PathBuf) -> Self {
        self.kept_in = Some(file);
        self
    }

    /// Keeps the game as it stands now. A game without moves does not take the place of another; the one that is replaced by another
    /// game stays beside it.
    pub(super) fn keep(&mut self) {
        let Some(file) = self.kept_in.take_if(|_| !self.engine.game.moves().is_empty()) else {
            return;
        };
        if std::mem::take(&mut self.kept_is_another) && file.exists() {
            // If it cannot be moved, what follows fails too, and that is said.
            let _ = fs::rename(&file, file.with_file_name("game-before.pgn"));
        }
        match write(&file, &self.pgn().to_string()) {
            Ok(()) => self.kept_in = Some(file),
            // Said once: nothing is kept from now on.
            Err(error) => self.say(format!("The game cannot be kept in {}: {error}.", file.display())),
        }
    }

    /// Says that a game is left behind, and how to have it back.
    pub(super) fn say_what_is_kept(&mut self) {
        let in_progress = self.ending.is_none() && !self.engine.game.moves().is_empty();
        if self.kept_in.is_some() && in_progress {
            self.say("The game is kept; \"kashan --resume\" goes on with it.");
        }
    }

    /// Says hello, and goes on with the game that was kept.
    pub fn greet_again(&mut self) {
        self.print(&format!(
            "{NAME}: chess by genetic search. Type a move, or help.\n"
        ));
        self.resume();
        self.prompt();
    }

    /// `resume`
    pub(super) fn resume(&mut self) {
        let Some(file) = &self.kept_in else {
            return self.say("No game is kept: there is no folder for it.");
        };
        if !file.exists() {
            return self.say("No game is kept.");
        }
        match read(file) {
            Err(error) => {
                let text = format!("The game in {} cannot be read: {error}.", file.display());
                self.say(text);
            }
            Ok(kept) => {
                self.cancel();
                self.engine.new_game();
                self.engine.game = kept.game;
                self.kashan = kept.kashan;
                self.kept_is_another = false;
                self.clocks.new_game();
                self.judge = Default::default();
                self.notice_end();
                self.show_board();
                if kept.is_over || self.ending.is_some() {
                    self.say("That game is over. Type undo to play on from here, or new.");
                } else if self.kashan == Some(self.engine.game.side_to_move()) {
                    self.say("It is Kashan's turn; \"go\" lets it move.");
                } else {
                    self.clocks.start(self.engine.game.side_to_move());
                }
            }
        }
    }
}

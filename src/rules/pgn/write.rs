//! Writes games.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use shakmaty::Color;

use super::begins_as_games;
use crate::util::files;
use crate::util::input;

/// No line of a PGN in export format is longer than this, in characters (PGN standard, 8.2.1).
const LINE_LENGTH: usize = 79;

/// A tag pair as a line; the value may be any text.
pub fn tag_pair(name: &str, value: &str) -> String {
    let value = value
        .replace(|c: char| c.is_control(), " ")
        .replace('\\', "\\\\")
        .replace('"', "\\\"");
    format!("[{name} \"{value}\"]\n")
}

/// Refuses a file to which games cannot be added readably: a compressed one, or one without PGN.
///
/// # Errors
/// The reason for refusing; errors of the file system.
pub fn only_games(path: &Path) -> io::Result<()> {
    only_plain(path)?;
    if path.is_file() && !begins_as_games(&files::beginning(path, BEGINNING)?) {
        let what = "it is there already, and is no PGN file: name another file";
        return Err(io::Error::other(what));
    }
    Ok(())
}

/// Refuses a compressed file, also by its name.
///
/// # Errors
/// The reason for refusing.
pub fn only_plain(path: &Path) -> io::Result<()> {
    if input::is_compressed(path) {
        let what = "it is compressed, or called so, and games are written as plain text: name another file";
        return Err(io::Error::other(what));
    }
    Ok(())
}

/// The number of first bytes read to recognise a file; comments may stand before the first game.
const BEGINNING: u64 = 1 << 16;

/// The text between the end of a file and a game appended to it. Leaves the file at its end.
///
/// # Errors
/// Errors of the file system.
pub fn gap(file: &mut File) -> io::Result<&'static str> {
    let length = file.metadata()?.len();
    let mut end = Vec::new();
    file.seek(SeekFrom::Start(length.saturating_sub(2)))?;
    file.read_to_end(&mut end)?;
    Ok(match end.as_slice() {
        [] | b"\n" | b"\n\n" => "",
        [.., b'\n'] => "\n",
        _ => "\n\n",
    })
}

/// The growing text behind the tags, with numbers where needed, and broken lines.
#[derive(Clone, Debug)]
pub struct Movetext {
    text: String,
    column: usize,
    /// The number of the coming move.
    number: u32,
    side: Color,
    /// True if a comment or the like stands before the coming move, so its number is written.
    is_interrupted: bool,
}

impl Movetext {
    /// Begins with a move of `side` and its number.
    pub fn new(number: u32, side: Color) -> Movetext {
        Movetext {
            text: String::new(),
            column: 0,
            number,
            side,
            is_interrupted: true,
        }
    }

    /// Adds a move.
    pub fn mv(&mut self, san: &str) {
        self.numbered("", san, "");
        self.pass();
    }

    /// Adds a comment in braces, unless empty. A brace inside cannot be written.
    pub fn comment(&mut self, text: &str) {
        let text = text.replace(|c: char| c == '{' || c == '}' || c.is_control(), " ");
        if !text.trim().is_empty() {
            for word in format!("{{{}}}", text.trim()).split_whitespace() {
                self.word(word);
            }
            self.is_interrupted = true;
        }
    }

    /// Adds a word unchanged: a glyph or a result.
    pub fn word(&mut self, word: &str) {
        let length = word.chars().count();
        if self.column > 0 && self.column + 1 + length > LINE_LENGTH {
            self.text.push('\n');
            self.column = 0;
        } else if self.column > 0 {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(word);
        self.column += length;
    }

    /// Adds moves in brackets, an alternative to the last move.
    pub fn variation<'s>(&mut self, moves: impl IntoIterator<Item = &'s str>) {
        let back = (self.number, self.side);
        self.number -= u32::from(self.side == Color::White && self.number > 0);
        self.side = !self.side;
        self.is_interrupted = true;
        let mut moves = moves.into_iter().peekable();
        let mut open = "(";
        while let Some(san) = moves.next() {
            self.numbered(open, san, if moves.peek().is_none() { ")" } else { "" });
            self.pass();
            open = "";
        }
        (self.number, self.side) = back;
        self.is_interrupted = true;
    }

    /// Adds text as it is, on lines of its own.
    pub fn verbatim(&mut self, text: &str) {
        if self.column > 0 {
            self.text.push('\n');
        }
        self.text += text;
        self.text.push('\n');
        self.column = 0;
        self.is_interrupted = true;
    }

    /// Adds the result. An empty line ends the game.
    pub fn finish(mut self, result: &str) -> String {
        self.word(result);
        self.text.push_str("\n\n");
        self.text
    }

    /// Adds a move with its number, if needed, and brackets.
    fn numbered(&mut self, mut open: &str, san: &str, close: &str) {
        let dots = self.side.fold_wb(".", "...");
        if self.side == Color::White || self.is_interrupted {
            self.word(&format!("{open}{}{dots}", self.number));
            open = "";
        }
        self.word(&format!("{open}{san}{close}"));
    }

    /// The other side's turn.
    fn pass(&mut self) {
        let passes = u32::from(self.side == Color::Black);
        self.number = self.number.saturating_add(passes);
        self.side = !self.side;
        self.is_interrupted = false;
    }
}

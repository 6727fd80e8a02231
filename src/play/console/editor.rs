//! The line that the user is typing, in the console and on the full screen: edited by the keys that shells
//! know, with the lines of earlier days.

use std::fs;
use std::path::PathBuf;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use textwrap::core::display_width;
use tui_input::{Input, InputRequest};

use crate::util::files;
use crate::util::input;

/// So many lines are kept from one day to the next.
const MOST_KEPT: usize = 500;

/// What a key means beyond the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pressed {
    /// Nothing: the line was edited, or the key is none of its keys.
    Edit,
    /// Return, or Control-J: the line is done, and another begins.
    Line(String),
    /// Tab.
    Complete,
    /// Control-C, and whether there was anything in the line, which is empty now.
    Interrupt,
    /// Control-D in an empty line.
    End,
    /// Control-Z.
    Suspend,
    /// Control-L.
    Clear,
}

/// See the [module](self).
#[derive(Default)]
pub struct Editor {
    input: Input,
    /// The oldest first.
    history: Vec<String>,
    /// Which of them is shown, and what was typed before: only lines that begin so are called back.
    recalled: Option<(usize, String)>,
    /// Where the history is kept.
    file: Option<PathBuf>,
}

impl Editor {
    /// With the lines that `file` has, which gets those to come; what is no file gets none.
    pub fn with_history(file: Option<PathBuf>) -> Editor {
        let known = file.as_deref().map_or(Ok(None), files::content);
        let file = file.filter(|_| known.is_ok());
        let text = input::decoded(known.ok().flatten().unwrap_or_default());
        Editor { history: text.lines().map(str::to_owned).collect(), file, ..Editor::default() }
    }

    pub fn text(&self) -> &str {
        self.input.value()
    }

    pub fn is_empty(&self) -> bool {
        self.text().is_empty()
    }

    pub fn set(&mut self, text: &str) {
        self.input = Input::new(text.to_owned());
        self.recalled = None;
    }

    /// What of the line fits into so many columns, and in which of them the cursor is.
    pub fn visible(&self, columns: usize) -> (String, usize) {
        let scroll = self.input.visual_scroll(columns.max(1));
        let mut end = 0;
        let fits = |letter: &char| {
            let begin = end;
            // Letters of East Asia take two columns, accents none.
            end += display_width(letter.encode_utf8(&mut [0; 4]));
            begin >= scroll && end <= scroll + columns
        };
        let text: String = self.text().chars().filter(fits).collect();
        (text, self.input.visual_cursor().saturating_sub(scroll))
    }

    /// A key was pressed.
    pub fn key(&mut self, key: KeyEvent) -> Pressed {
        use InputRequest as Do;

        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        // AltGr, which makes letters on many keyboards, is Control with Alt.
        let alt = key.modifiers.contains(KeyModifiers::ALT) && !control;
        let command = control && !key.modifiers.contains(KeyModifiers::ALT);
        let request = match key.code {
            KeyCode::Enter => return Pressed::Line(self.finish()),
            // A line feed, as scripts type it that drive a terminal.
            KeyCode::Char('j') if command => return Pressed::Line(self.finish()),
            KeyCode::Tab => return Pressed::Complete,
            KeyCode::Up => return self.recall(true),
            KeyCode::Down => return self.recall(false),
            KeyCode::Char('c') if command => {
                self.set("");
                return Pressed::Interrupt;
            }
            KeyCode::Char('d') if command && self.is_empty() => return Pressed::End,
            KeyCode::Char('z') if command => return Pressed::Suspend,
            KeyCode::Char('l') if command => return Pressed::Clear,
            KeyCode::Char('p') if command => return self.recall(true),
            KeyCode::Char('n') if command => return self.recall(false),
            KeyCode::Esc => Do::DeleteLine,
            KeyCode::Left if control || alt => Do::GoToPrevWord,
            KeyCode::Right if control || alt => Do::GoToNextWord,
            KeyCode::Left => Do::GoToPrevChar,
            KeyCode::Right => Do::GoToNextChar,
            KeyCode::Home => Do::GoToStart,
            KeyCode::End => Do::GoToEnd,
            KeyCode::Backspace if control || alt => Do::DeletePrevWord,
            KeyCode::Backspace => Do::DeletePrevChar,
            KeyCode::Delete => Do::DeleteNextChar,
            KeyCode::Char('a') if command => Do::GoToStart,
            KeyCode::Char('e') if command => Do::GoToEnd,
            KeyCode::Char('b') if command => Do::GoToPrevChar,
            KeyCode::Char('f') if command => Do::GoToNextChar,
            KeyCode::Char('b') if alt => Do::GoToPrevWord,
            KeyCode::Char('f') if alt => Do::GoToNextWord,
            KeyCode::Char('d') if alt => Do::DeleteNextWord,
            KeyCode::Char('d') if command => Do::DeleteNextChar,
            KeyCode::Char('h') if command => Do::DeletePrevChar,
            KeyCode::Char('w') if command => Do::DeletePrevWord,
            KeyCode::Char('u') if command => Do::DeleteFromStart,
            KeyCode::Char('k') if command => Do::DeleteTillEnd,
            KeyCode::Char('y') if command => Do::Yank,
            KeyCode::Char(_) if command || alt => return Pressed::Edit,
            KeyCode::Char(letter) => Do::InsertChar(letter),
            _ => return Pressed::Edit,
        };
        if self.input.handle(request).is_some_and(|change| change.value) {
            self.recalled = None;
        }
        Pressed::Edit
    }

    /// The line as it is, which goes into the history; another begins.
    fn finish(&mut self) -> String {
        let line = self.input.value_and_reset();
        self.recalled = None;
        if !line.trim().is_empty() && self.history.last() != Some(&line) {
            self.history.push(line.clone());
            self.keep();
        }
        line
    }

    /// Two consoles write over each other's lines; a history is not worth more.
    fn keep(&self) {
        let Some(file) = &self.file else {
            return;
        };
        let last = &self.history[self.history.len().saturating_sub(MOST_KEPT)..];
        let folder = file.parent().map_or(Ok(()), fs::create_dir_all);
        let outcome = folder.and_then(|()| files::replace(file, (last.join("\n") + "\n").as_bytes()));
        if let Err(error) = outcome {
            log::debug!("the history cannot be kept in {}: {error}", file.display());
        }
    }

    /// The line before or after the one that is shown, of those that begin like what was typed.
    fn recall(&mut self, back: bool) -> Pressed {
        let (shown, typed) = match self.recalled.take() {
            Some((shown, typed)) => (shown, typed),
            None => (self.history.len(), self.text().to_owned()),
        };
        let fits = |index: &usize| self.history[*index].starts_with(&typed);
        let found = match back {
            true => (0..shown).rev().find(fits),
            false => (shown + 1..self.history.len()).find(fits),
        };
        match found {
            Some(index) => self.input = Input::new(self.history[index].clone()),
            None if back => {}
            None => self.input = Input::new(typed.clone()),
        }
        let shown = found.unwrap_or(if back { shown } else { self.history.len() });
        self.recalled = Some((shown, typed));
        Pressed::Edit
    }

    /// Puts what all the candidates have in common in the place of the last word. Gives them back if that is
    /// nothing more than what stands there: then the user wants to see them.
    pub fn complete(&mut self, candidates: Vec<String>) -> Option<Vec<String>> {
        let start = last_word(self.text());
        let common = common_start(&candidates)?;
        let ending = if candidates.len() == 1 { " " } else { "" };
        let line = format!("{}{common}{ending}", &self.text()[..start]);
        if candidates.len() > 1 && line.len() <= self.text().len() {
            return Some(candidates);
        }
        self.set(&line);
        None
    }
}

/// Where the last word of a line begins.
pub fn last_word(line: &str) -> usize {
    line.rfind(|c: char| c.is_whitespace() || c == '=').map_or(0, |blank| blank + 1)
}

/// What all of them begin with; `None` if there are none.
fn common_start(candidates: &[String]) -> Option<&str> {
    let (first, others) = candidates.split_first()?;
    let common = |end: &usize| others.iter().all(|other| other.starts_with(&first[..*end]));
    let ends = (0..=first.len()).rev().filter(|&end| first.is_char_boundary(end));
    ends.into_iter().find(common).map(|end| &first[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Types letters. `\n`, `\t` and so on are keys, `^X` is Control-X, `<` and `>` are the cursor keys that
    /// go up and down.
    fn press(editor: &mut Editor, keys: &str) -> Pressed {
        let mut pressed = Pressed::Edit;
        let mut keys = keys.chars();
        while let Some(key) = keys.next() {
            let (code, modifiers) = match key {
                '\n' => (KeyCode::Enter, KeyModifiers::NONE),
                '\t' => (KeyCode::Tab, KeyModifiers::NONE),
                '\x08' => (KeyCode::Backspace, KeyModifiers::NONE),
                '<' => (KeyCode::Up, KeyModifiers::NONE),
                '>' => (KeyCode::Down, KeyModifiers::NONE),
                '^' => (KeyCode::Char(keys.next().unwrap()), KeyModifiers::CONTROL),
                letter => (KeyCode::Char(letter), KeyModifiers::NONE),
            };
            pressed = editor.key(KeyEvent::new(code, modifiers));
        }
        pressed
    }

    #[test]
    fn lines_are_edited_and_come_back() {
        let mut editor = Editor::default();
        assert_eq!(press(&mut editor, "e5\x084\n"), Pressed::Line("e4".to_owned()));
        assert_eq!(press(&mut editor, "moves here^w^aall ^e^j"), Pressed::Line("all moves ".to_owned()));
        // There is nothing before the first line, and only what begins as typed is called back.
        let typed = "\n\nset Hash 9\nundo\nset^p";
        for (keys, shown) in [("<<", "e4"), ("<", "e4"), (">>", ""), (typed, "set Hash 9"), ("^n", "set")] {
            press(&mut editor, keys);
            assert_eq!(editor.text(), shown, "{keys:?}");
        }
        assert_eq!(press(&mut editor, "^d"), Pressed::Edit);
        assert_eq!(press(&mut editor, "^c"), Pressed::Interrupt);
        assert_eq!(press(&mut editor, "^d"), Pressed::End);
    }

    #[test]
    fn the_history_is_there_the_next_day() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("kashan/history");
        let mut editor = Editor::with_history(Some(file.clone()));
        for number in 0..=MOST_KEPT {
            press(&mut editor, &format!("set Hash {number}\n\n"));
        }
        press(&mut editor, "d4\nd4\n");
        let mut next = Editor::with_history(Some(file));
        assert_eq!(next.history.len(), MOST_KEPT);
        press(&mut next, "<<");
        assert_eq!(next.text(), format!("set Hash {MOST_KEPT}"));
    }

    #[test]
    fn completion_goes_as_far_as_there_is_no_choice() {
        let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        let mut editor = Editor::default();
        press(&mut editor, "set Re");
        let both = words(&["ResignMoves", "Resign"]);
        assert_eq!(editor.complete(both.clone()), None);
        assert_eq!(editor.text(), "set Resign");
        assert_eq!(editor.complete(both.clone()), Some(both));
        assert_eq!(editor.complete(words(&["ResignMoves"])), None);
        assert_eq!(editor.text(), "set ResignMoves ");
        assert_eq!(editor.complete(vec![]), None);
        assert_eq!(editor.text(), "set ResignMoves ");
    }

    #[test]
    fn a_long_line_shows_the_part_where_the_cursor_is() {
        let mut editor = Editor::default();
        press(&mut editor, "fen rnbqkbnr/pppp");
        assert_eq!(editor.visible(40), ("fen rnbqkbnr/pppp".to_owned(), 17));
        let (text, cursor) = editor.visible(8);
        assert!(text.ends_with("pppp") && text.len() <= 8 && cursor == text.len(), "{text} {cursor}");
        press(&mut editor, "^a");
        assert_eq!(editor.visible(8), ("fen rnbq".to_owned(), 0));
    }

    #[test]
    fn wide_letters_take_their_columns() {
        let mut editor = Editor::default();
        press(&mut editor, "save 棋譜を残す.pgn");
        for columns in 1..30 {
            let (text, cursor) = editor.visible(columns);
            assert!(display_width(&text) <= columns, "{columns}: {text}");
            assert_eq!(cursor, display_width(&text), "{columns}: {text}");
        }
        press(&mut editor, "^a");
        assert_eq!(editor.visible(8), ("save 棋".to_owned(), 0));
    }

    #[cfg(unix)]
    #[test]
    fn a_history_that_is_no_file_is_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("history");
        nix::unistd::mkfifo(&file, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
        let mut editor = Editor::with_history(Some(file.clone()));
        press(&mut editor, "e4\n");
        assert!(editor.history.len() == 1 && !file.is_file());
        std::fs::remove_file(&file).expect("there");
        std::fs::write(&file, b"save J\xf6rg\n").expect("written");
        press(&mut Editor::with_history(Some(file.clone())), "d4\n");
        assert_eq!(std::fs::read_to_string(&file).expect("there"), "save Jörg\nd4\n");
    }
}

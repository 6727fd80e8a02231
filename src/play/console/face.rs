//! Where the text of the console goes: line after line, to the whole screen, or above the last lines of a
//! terminal, which are what Kashan is thinking, and what the user is typing.
//!
//! The libraries that read whole lines (rustyline 19, reedline 0.52) let other text be printed above the line
//! that is edited, but neither refreshes a line there nor changes the prompt meanwhile.

use ratatui::crossterm::Command;
use ratatui::crossterm::cursor::{MoveToColumn, MoveUp};
use ratatui::crossterm::terminal::{Clear, ClearType};

use super::editor::Editor;
use super::{Activity, Console, name};
use crate::util::display::{fill, harmless};

/// Where the text goes.
pub(super) enum Face {
    /// Line after line.
    Plain,
    /// Above the line that the user edits.
    Live(Live),
    /// To the full screen, which fetches it here, and wants it so wide.
    Screen { said: String, columns: usize },
}

impl Console {
    /// Leaves the terminal to somebody else, without the lines that are edited.
    pub fn step_aside(&mut self) {
        if let Face::Live(live) = &mut self.face {
            let erase = live.erase();
            self.output.print(&erase);
        }
    }

    pub(super) fn print(&mut self, text: &str) {
        match &mut self.face {
            Face::Plain => self.output.print(text),
            Face::Live(live) => {
                let text = live.above(text, &self.editor);
                self.output.print(&text);
            }
            Face::Screen { said, .. } => said.push_str(text),
        }
    }

    /// Says a sentence or a few, wrapped between words where the width is known. What it quotes commands no
    /// terminal.
    pub(super) fn say(&mut self, text: impl AsRef<str>) {
        let text = fill(&harmless(text.as_ref()), self.columns(), "", "");
        self.print(&format!("{text}\n"));
    }

    /// How wide a line may be; `None` where nobody knows.
    pub(super) fn columns(&self) -> Option<usize> {
        match &self.face {
            Face::Plain => None,
            Face::Live(live) => Some(usize::from(live.columns.max(20)) - 1),
            Face::Screen { columns, .. } => Some(*columns),
        }
    }

    /// Shows whose turn it is, where something can be typed.
    pub(super) fn prompt(&mut self) {
        let prompt = self.prompt_text();
        match &mut self.face {
            Face::Plain if self.activity == Activity::Idle => self.print(&prompt),
            Face::Live(live) => {
                live.prompt = prompt;
                self.print("");
            }
            Face::Plain | Face::Screen { .. } => {}
        }
    }

    pub(super) fn prompt_text(&self) -> String {
        match self.activity {
            Activity::Idle => {
                let number = self.engine.position().fullmove_number();
                format!("{number}. {}> ", name(self.engine.game.side_to_move()))
            }
            _ => "Kashan thinks> ".to_owned(),
        }
    }
}

/// Terminals have 24 rows or more, and a line that has left the screen at the top cannot be taken away.
const MOST_LINES: usize = 20;

/// The last lines of a terminal. Whatever is printed goes above them.
pub struct Live {
    pub columns: u16,
    /// What Kashan is thinking: lines, each cut to the terminal's width.
    pub thinking: Vec<String>,
    pub prompt: String,
    /// How long the lines above the prompt are on the screen, and where in the prompt's line the cursor is.
    drawn: (Vec<usize>, usize),
}

impl Live {
    pub fn new(columns: u16) -> Live {
        Live { columns, thinking: Vec::new(), prompt: String::new(), drawn: (Vec::new(), 0) }
    }

    /// What shows `text` above the last lines, which are drawn anew. In the terminal's raw mode a line feed
    /// does not go to the line's beginning.
    pub fn above(&mut self, text: &str, editor: &Editor) -> String {
        let erase = self.erase();
        format!("{erase}{}{}", text.replace('\n', "\r\n"), self.draw(editor))
    }

    /// What takes the last lines away, and leaves the cursor where they were.
    pub fn erase(&mut self) -> String {
        // When the terminal has become narrower each line may take several rows.
        let columns = usize::from(self.columns.max(1));
        let (above, cursor) = std::mem::take(&mut self.drawn);
        let rows = above.into_iter().map(|length| length.div_ceil(columns).max(1)).sum::<usize>();
        let rows = cursor / columns + rows;
        let up = match u16::try_from(rows) {
            Ok(rows @ 1..) => ansi(&MoveUp(rows)),
            _ => String::new(),
        };
        ansi(&MoveToColumn(0)) + &up + &ansi(&Clear(ClearType::FromCursorDown))
    }

    fn draw(&mut self, editor: &Editor) -> String {
        // The last column stays free: some terminals go on to the next line as soon as it is written.
        let columns = usize::from(self.columns.max(2)) - 1;
        let lines = self.thinking.iter().take(MOST_LINES);
        let thinking: Vec<&str> = lines.map(|text| cut(text, columns)).collect();
        let prompt = cut(&self.prompt, columns.saturating_sub(8));
        let (typed, cursor) = editor.visible(columns - prompt.chars().count());
        let cursor = prompt.chars().count() + cursor;
        self.drawn = (thinking.iter().map(|text| text.chars().count()).collect(), cursor);
        let above: String = thinking.iter().map(|text| format!("{text}\r\n")).collect();
        let column = ansi(&MoveToColumn(u16::try_from(cursor).unwrap_or(0)));
        format!("{above}{prompt}{typed}{column}")
    }
}

/// An order to the terminal as text; to be shown, older consoles of Windows would carry it out at once.
fn ansi(command: &impl Command) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = command.write_ansi(&mut text);
    text
}

/// The whole words that fit into so many columns; of a word that is longer, its beginning.
pub fn cut(text: &str, columns: usize) -> &str {
    let Some((end, next)) = text.char_indices().nth(columns) else {
        return text;
    };
    let fits = &text[..end];
    match fits.trim_end().rfind(' ') {
        Some(blank) if next != ' ' && !fits[..blank].trim().is_empty() => fits[..blank].trim_end(),
        _ => fits,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_between_words() {
        for (columns, shown) in
            [(80, "  3 Nf3 Nc6 Bb5"), (15, "  3 Nf3 Nc6 Bb5"), (13, "  3 Nf3 Nc6"), (7, "  3 Nf3"), (1, " ")]
        {
            assert_eq!(cut("  3 Nf3 Nc6 Bb5", columns), shown, "{columns}");
        }
        assert_eq!(cut("♞♞♞♞", 2), "♞♞");
    }

    #[test]
    fn what_is_printed_goes_above_and_is_never_wrapped() {
        let editor = Editor::default();
        let mut live = Live::new(20);
        live.prompt = "1. White> ".to_owned();
        assert!(live.above("hello\n", &editor).ends_with("hello\r\n1. White> \x1b[11G"));
        live.thinking = vec!["  3  +0.20  Nf3 Nc6 Bb5 a6".to_owned()];
        let drawn = live.above("", &editor);
        assert!(drawn.contains("\x1b[J  3  +0.20  Nf3 Nc6\r\n1. White> "), "{drawn:?}");
        // One row up to the thinking, which is not repeated.
        assert!(live.erase().contains("\x1b[1A"));
        let mut erased = |lines: &[&str]| {
            live.thinking = lines.iter().map(|&line| line.to_owned()).collect();
            live.above("", &editor);
            live.erase()
        };
        assert!(erased(&["  3  +0.10  d4"; 2]).contains("\x1b[2A"), "one row for each line");
        assert!(erased(&["  3  +0.10  d4"; 218]).contains("\x1b[20A"), "as many as a screen has");
        assert!(!erased(&[]).contains('A'), "nothing is above the prompt");
    }
}

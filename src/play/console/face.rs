//! The output of the console: line after line, to a terminal with a width, or to the page in the
//! browser, which fetches the lines.

use super::{Console, name};
use crate::util::display::{fill, harmless};

/// The destination of the text.
pub(super) enum Face {
    /// A pipe, a file, or a terminal with plain lines only.
    Plain,
    /// A terminal with line editing while Kashan does not think.
    Terminal(Terminal),
    /// The page in the browser.
    Page { said: String },
}

/// A terminal, and the thinking line on the screen.
pub(super) struct Terminal {
    columns: u16,
    /// True if the cursor stands behind a thinking line.
    is_thinking_shown: bool,
}

/// A width beyond any line: the page in the browser wraps by itself.
const COLUMNS_OF_THE_PAGE: usize = 1000;

impl Terminal {
    pub fn new(columns: u16) -> Terminal {
        Terminal {
            columns,
            is_thinking_shown: false,
        }
    }

    /// Returns the columns for a line. The last column stays free: some terminals go on to the next
    /// line as soon as it is written.
    pub fn columns(&self) -> usize {
        usize::from(self.columns.max(20)) - 1
    }

    /// Returns the text to erase the thinking line.
    fn erase(&mut self) -> String {
        if !std::mem::take(&mut self.is_thinking_shown) {
            return String::new();
        }
        format!("\r{}\r", " ".repeat(self.columns()))
    }

    /// Returns the text to replace the last thinking line with a new one. Blanks erase on every
    /// terminal.
    pub fn replace(&mut self, text: &str) -> String {
        let erase = self.erase();
        self.is_thinking_shown = true;
        format!("{erase}{}", cut(text, self.columns()))
    }
}

impl Console {
    /// Tells the console how many columns the terminal has now.
    pub(crate) fn resize(&mut self, columns: u16) {
        if let Face::Terminal(terminal) = &mut self.face {
            terminal.columns = columns;
        }
    }

    pub(super) fn print(&mut self, text: &str) {
        match &mut self.face {
            Face::Plain => self.output.print(text),
            Face::Terminal(terminal) => self.output.print(&(terminal.erase() + text)),
            Face::Page { said } => said.push_str(text),
        }
    }

    /// Says a sentence or a few, wrapped between words where the width is known. Control characters
    /// in quoted text are made harmless.
    pub(super) fn say(&mut self, text: impl AsRef<str>) {
        let text = fill(&harmless(text.as_ref()), self.columns(), "", "");
        self.print(&format!("{text}\n"));
    }

    /// Says a sentence, in the terminal with the commands to type now; the page has buttons.
    pub(super) fn advise(&mut self, text: impl AsRef<str>, advice: &str) {
        let text = text.as_ref();
        match self.face {
            Face::Page { .. } => self.say(text),
            Face::Plain | Face::Terminal(_) => self.say(format!("{text} {advice}")),
        }
    }

    /// Returns the width of a line; `None` if unknown.
    pub(super) fn columns(&self) -> Option<usize> {
        match &self.face {
            Face::Plain => None,
            Face::Terminal(terminal) => Some(terminal.columns()),
            Face::Page { .. } => Some(COLUMNS_OF_THE_PAGE),
        }
    }

    /// Shows the side to move, where a line can be typed and no other part shows it.
    pub(super) fn prompt(&mut self) {
        if matches!(self.face, Face::Plain) && self.is_idle() {
            self.print(&self.prompt_text());
        }
    }

    /// The number of the move and the side to move.
    pub(crate) fn prompt_text(&self) -> String {
        let number = self.engine.position().fullmove_number();
        format!("{number}. {}> ", name(self.engine.game.side_to_move()))
    }
}

/// Returns the whole words in the first `columns` columns; of a longer word its beginning.
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
        for (columns, shown) in [
            (80, "  3 Nf3 Nc6 Bb5"),
            (15, "  3 Nf3 Nc6 Bb5"),
            (13, "  3 Nf3 Nc6"),
            (7, "  3 Nf3"),
            (1, " "),
        ] {
            assert_eq!(cut("  3 Nf3 Nc6 Bb5", columns), shown, "{columns}");
        }
        assert_eq!(cut("♞♞♞♞", 2), "♞♞");
    }

    #[test]
    fn a_thinking_line_takes_the_place_of_the_last_one_and_is_never_wrapped() {
        let mut terminal = Terminal::new(20);
        assert_eq!(
            terminal.replace("  3  +0.20  Nf3 Nc6 Bb5 a6"),
            "  3  +0.20  Nf3 Nc6"
        );
        assert_eq!(
            terminal.replace("  4  +0.10  d4"),
            format!("\r{}\r  4  +0.10  d4", " ".repeat(19))
        );
        assert_eq!(terminal.erase(), format!("\r{}\r", " ".repeat(19)));
        assert_eq!(terminal.erase(), "", "it is gone");
    }
}

//! Tables and plots: what results look like, whatever they are of; and words and sentences. Nothing here
//! prints; the text is handed back.

/// The cells of a table's row, of anything that can be displayed.
macro_rules! cells {
    ($($cell:expr),* $(,)?) => { [$($cell.to_string()),*] };
}

use std::fmt::Display;
use std::io::{self, IsTerminal as _};

use indicatif::HumanCount;
use ratatui::crossterm::terminal;

mod plot;
mod table;

pub(crate) use cells;
pub use plot::{BarChart, BarRow, LineChart, MARK as PLOT_MARK, Mark, Point, Series, Spread};
pub use table::{Align, Format, Table, harmless, one_line, quotable};

/// The longest FEN has 92 characters.
const EXCERPT: usize = 100;

/// A text from outside as messages quote it: on one line, without control characters, and not longer than
/// needed to find it.
pub fn excerpt(text: &str) -> String {
    let letters = |text: &str, count| -> String {
        let shown = text.trim().chars().take(count);
        shown.map(|letter| if letter.is_control() { '\u{fffd}' } else { letter }).collect()
    };
    match text.trim().chars().nth(EXCERPT) {
        None => letters(text, EXCERPT),
        Some(_) => letters(text, EXCERPT - 4) + " ...",
    }
}

/// `1 game`, `2 games`
pub fn counted(number: impl Display, thing: &str) -> String {
    let number = number.to_string();
    format!("{number} {thing}{}", if number == "1" { "" } else { "s" })
}

/// `a rook, a knight and a pawn`
pub fn joined(words: &[String]) -> String {
    match words.split_last() {
        Some((last, others @ [_, ..])) => format!("{} and {last}", others.join(", ")),
        _ => words.concat(),
    }
}

/// How many columns the terminal has that standard output is, if it is one.
pub fn columns() -> Option<usize> {
    let size = io::stdout().is_terminal().then(terminal::size).and_then(Result::ok);
    size.map(|(columns, _)| usize::from(columns)).filter(|&columns| columns > 0)
}

/// A whole number with a comma after every third digit from the right.
pub fn grouped(number: u64) -> String {
    HumanCount(number).to_string()
}

/// Whether a name is among some with a blank between.
pub fn is_one_of(names: &str, name: &str) -> bool {
    names.split(' ').any(|known| known == name)
}

/// Wraps a text between words if the width is known, its first line and the others indented each in its own
/// way.
pub fn fill(text: &str, columns: Option<usize>, first: &str, others: &str) -> String {
    let Some(columns) = columns else {
        return format!("{first}{text}");
    };
    // Names of files and moves are no words that a hyphen divides.
    let options = textwrap::Options::new(columns).word_splitter(textwrap::WordSplitter::NoHyphenation);
    textwrap::fill(text, options.initial_indent(first).subsequent_indent(others))
}

/// The known word that is nearest to `typed`, if it is near enough for a slip of the finger.
pub fn nearest<'a>(typed: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let typed = typed.to_ascii_lowercase();
    let distance = |word: &str| strsim::osa_distance(&typed, &word.to_ascii_lowercase());
    known
        .map(|word| (distance(word), word))
        .min()
        .filter(|&(distance, word)| distance <= 1 + word.len() / 5 && distance < word.len())
        .map(|(_, word)| word)
}

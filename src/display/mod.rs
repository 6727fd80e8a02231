//! Tables and plots: what results look like, whatever they are of. Nothing here prints; the text is handed
//! back.

/// The cells of a table's row, of anything that can be displayed.
macro_rules! cells {
    ($($cell:expr),* $(,)?) => { [$($cell.to_string()),*] };
}

use std::fmt::Display;
use std::io::{self, IsTerminal as _};

use ratatui::crossterm::terminal;

mod plot;
mod rows;
mod table;
mod text;

pub(crate) use cells;
pub use plot::{BarChart, LineChart, MARK as PLOT_MARK, Mark, Point, Row, Series, Spread};
pub use table::{Align, Format, Table, harmless, one_line, quotable};
pub use text::{fill, is_one_of, nearest};

/// `1 game`, `2 games`
pub fn counted(number: impl Display, thing: &str) -> String {
    let number = number.to_string();
    format!("{number} {thing}{}", if number == "1" { "" } else { "s" })
}

/// How many columns the terminal has that standard output is, if it is one.
pub fn columns() -> Option<usize> {
    let size = io::stdout().is_terminal().then(terminal::size).and_then(Result::ok);
    size.map(|(columns, _)| usize::from(columns)).filter(|&columns| columns > 0)
}

/// A whole number with a comma after every third digit from the right.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

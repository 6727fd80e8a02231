//! Tables, words and sentences: the look of results of any kind. Nothing here prints; the text is
//! handed back.

/// The cells of a table's row, from any displayable values.
macro_rules! cells {
    ($($cell:expr),* $(,)?) => { [$($cell.to_string()),*] };
}

use std::fmt::Display;

use console::Term;
use indicatif::HumanCount;

mod table;
mod wrap;

use self::wrap::wrapped;
pub(crate) use cells;
pub use table::{Format, TIED, Table, harmless, one_line, quotable};

/// The longest FEN has 92 characters.
const EXCERPT: usize = 100;

/// A quotation from outside for messages: on one line, without control characters, and cut.
pub fn excerpt(text: &str) -> String {
    let text = text.trim().replace(char::is_control, "\u{fffd}");
    if text.chars().count() <= EXCERPT {
        return text;
    }
    text.chars().take(EXCERPT - 4).collect::<String>() + " ..."
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

/// The columns of the terminal on standard output, if there is one.
pub fn columns() -> Option<usize> {
    let (_, columns) = Term::stdout().size_checked()?;
    (columns > 0).then_some(usize::from(columns))
}

/// A whole number with a comma after every third digit from the right.
pub fn grouped(number: u64) -> String {
    HumanCount(number).to_string()
}

/// Returns true if `name` is one of the `names`, separated by blanks.
pub fn is_one_of(names: &str, name: &str) -> bool {
    names.split(' ').any(|known| known == name)
}

/// Wraps a text between words if the width is known, its first line and the others indented each in
/// its own way.
pub fn fill(text: &str, columns: Option<usize>, first: &str, others: &str) -> String {
    match columns {
        Some(columns) => wrapped(text, columns, first, others),
        None => format!("{first}{text}"),
    }
}

/// The known word nearest to `typed`, if near enough for a slip of the finger.
pub fn nearest<'a>(typed: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let typed = typed.to_ascii_lowercase();
    // Missing, additional or wrong letters, and swapped neighbours.
    let distance = |word: &str| strsim::osa_distance(&typed, &word.to_ascii_lowercase());
    let (distance, word) = known.map(|word| (distance(word), word)).min()?;
    (distance <= 1 + word.len() / 5 && distance < word.len()).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_a_slip_of_the_finger_are_found() {
        for (typed, known, meant) in [
            ("hlep", "hint help", Some("help")),
            ("POPUALTION", "population growth", Some("population")),
            ("stockfsh", "kashan stockfish", Some("stockfish")),
            ("zürch", "zürich", Some("zürich")),
            ("ca", "abc", None),
            ("kitten", "sitting", None),
            ("", "a", None),
        ] {
            assert_eq!(nearest(typed, known.split(' ')), meant, "{typed}");
        }
    }
}

//! The Universal Chess Interface as types: every message in both directions, to read and to write.
//!
//! An engine reads [`Command`]s and writes [`Reply`]s; a match runner does the opposite. Reading is
//! as tolerant as the specification (Meyer-Kahlen, 2004 and 2006) asks: unknown words are skipped,
//! and every other bad input is an error. The words of a line are here as well, and text for a
//! single line.

mod command;
mod info;
mod reply;

use std::fmt::{self, Display};

use crate::util::display::is_one_of;

pub use command::{Command, Go};
pub use info::{Info, InfoScore};
pub use reply::{OptionOffer, OptionType, Reply};

/// The sign of an empty text: "an empty string has the value `<empty>`".
const EMPTY: &str = "<empty>";

/// The words of a line one after the other, and the unread rest.
#[derive(Clone, Debug)]
struct Words<'a> {
    /// The unread rest, blanks inside kept.
    rest: &'a str,
}

impl<'a> Words<'a> {
    fn new(line: &'a str) -> Self {
        Words { rest: line.trim() }
    }

    /// The next word, still unread.
    fn peek(&self) -> Option<&'a str> {
        self.clone().next()
    }

    /// The words up to the first of the `ends`, which stays unread, or to the end of the line.
    fn until(&mut self, ends: &str) -> Vec<&'a str> {
        let mut words = Vec::new();
        while let Some(word) = self.peek()
            && !is_one_of(ends, word)
        {
            words.push(word);
            self.next();
        }
        words
    }

    /// The same, for words to be kept.
    fn owned_until(&mut self, ends: &str) -> Vec<String> {
        self.until(ends).into_iter().map(str::to_owned).collect()
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let rest = self.rest;
        let (word, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        self.rest = rest.trim_start();
        (!word.is_empty()).then_some(word)
    }
}

/// Writes a keyword and its value, if there is one.
fn put(f: &mut fmt::Formatter<'_>, keyword: &str, value: Option<impl Display>) -> fmt::Result {
    match value {
        Some(value) => write!(f, " {keyword} {value}"),
        None => Ok(()),
    }
}

/// Writes a keyword and moves, if there are any.
fn put_moves(f: &mut fmt::Formatter<'_>, keyword: &str, moves: &[String]) -> fmt::Result {
    let moves = one_line(&moves.join(" "));
    put(f, keyword, Some(moves).filter(|moves| !moves.is_empty()))
}

/// Any text written on one line: a line break inside would begin another message.
fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}

/// The written form of a text that may be empty.
fn or_empty(text: &str) -> String {
    one_line(if text.is_empty() { EMPTY } else { text })
}

/// The meaning of a written text that may be empty.
fn unless_empty(text: &str) -> String {
    if text == EMPTY { "" } else { text }.to_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Lines of good lines, words that mean something, and noise.
    pub fn lines(good: &'static str, words: &'static str) -> impl Strategy<Value = String> {
        let part = prop_oneof![
            proptest::sample::select(good.split(" | ").collect::<Vec<_>>()).prop_map(str::to_owned),
            words,
            "[a-z]{1,9}",
            "-?[0-9]{1,25}",
            "\\PC{0,12}",
            any::<String>(),
        ];
        proptest::collection::vec(part, 0..6).prop_map(|parts| parts.join(" "))
    }

    #[test]
    fn words_are_read_one_by_one_and_the_rest_stays_as_it_is() {
        let mut words = Words::new("  setoption \t name  A  b ");
        assert_eq!(words.next(), Some("setoption"));
        assert_eq!(words.peek(), Some("name"));
        assert_eq!(words.rest, "name  A  b");
        assert_eq!(words.until("b"), ["name", "A"]);
        assert_eq!(words.next(), Some("b"));
        assert_eq!((words.next(), words.rest), (None, ""));
    }

    #[test]
    fn one_line_stays_one() {
        assert_eq!(one_line("a\nquit\r\u{1b}"), "a quit  ");
    }
}

//! What can stand where the user presses Tab.

use std::io::Write;

use super::editor::last_word;
use super::words::{self, WORDS};
use super::{Console, look::Pieces};
use crate::engine::{Backend, Settings};
use crate::options::OptionKind;
use strum::VariantNames as _;

impl<W: Write> Console<W> {
    /// All words that begin like the last one of the line, and make sense there.
    pub(super) fn candidates(&self, line: &str) -> Vec<String> {
        let (before, begun) = line.split_at(last_word(line));
        let before: Vec<&str> = before.split(|c: char| c.is_whitespace() || c == '=').collect();
        let before: Vec<&str> = before.into_iter().filter(|word| !word.is_empty()).collect();
        let own = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        let all = match before.as_slice() {
            [] => return self.first_words(begun),
            [command] => match words::find(command) {
                Some("set") => Settings::table().iter().map(|spec| spec.name.to_owned()).collect(),
                Some("play") => own(&["white", "black", "both"]),
                Some("thinking") => own(&["on", "off"]),
                Some("depth") => own(&["off"]),
                Some("strength") => own(&["max"]),
                Some("pieces") => own(Pieces::VARIANTS),
                Some("backend") => own(Backend::VARIANTS),
                _ => vec![],
            },
            [command, option] if words::find(command) == Some("set") => values(option),
            _ => vec![],
        };
        let begins =
            |word: &String| word.get(..begun.len()).is_some_and(|start| start.eq_ignore_ascii_case(begun));
        all.into_iter().filter(begins).collect()
    }

    /// Moves as they are written, commands, and moves by their squares once one is named.
    fn first_words(&self, begun: &str) -> Vec<String> {
        let position = self.engine.position();
        let moves = position.legal_moves();
        let names_a_square = begun.len() >= 2;
        let mut words: Vec<String> = moves.iter().map(|&mv| position.san(mv)).collect();
        words.extend(WORDS.iter().map(|word| word.name.to_owned()).filter(|_| !begun.is_empty()));
        words.extend(moves.iter().map(ToString::to_string).filter(|_| names_a_square));
        words.retain(|word| word.starts_with(begun));
        words.sort();
        words.dedup();
        words
    }
}

/// What an option can be set to, if that is one of a few words.
fn values(option: &str) -> Vec<String> {
    let spec = Settings::table().into_iter().find(|spec| spec.name.eq_ignore_ascii_case(option));
    match spec.map(|spec| spec.kind) {
        Some(OptionKind::Combo { choices, .. }) => choices.iter().map(|&choice| choice.to_owned()).collect(),
        Some(OptionKind::Check { .. }) => vec!["0".to_owned(), "1".to_owned()],
        _ => vec![],
    }
}

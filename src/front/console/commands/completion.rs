//! What can stand where the user presses Tab.

use strum::VariantNames as _;

use super::{COMMANDS, find};
use crate::engine::{Backend, Settings};
use crate::front::console::Console;
use crate::front::console::editor::last_word;
use crate::options::OptionKind;

impl Console {
    /// All words that begin like the last one of the line, and make sense there.
    pub fn candidates(&self, line: &str) -> Vec<String> {
        let (before, begun) = line.split_at(last_word(line));
        let before = before.split(|c: char| c.is_whitespace() || c == '=').filter(|word| !word.is_empty());
        let before: Vec<&str> = before.collect();
        let command = before.first().and_then(|first| find(first));
        let all = match (command.map(|command| command.name), before.as_slice()) {
            (_, []) => return self.first_words(begun),
            (Some("set"), [_]) => Settings::table().iter().map(|spec| spec.name).collect(),
            (Some("set"), [_, option]) => values(option),
            (Some("backend"), [_]) => Backend::VARIANTS.to_vec(),
            // Names of arguments are written in capitals, words in small letters.
            (Some(_), [_]) => {
                let words = command.map_or("", |command| command.arguments).split([' ', '|', '[', ']']);
                let is_word = |word: &&str| word.chars().all(|c| c.is_ascii_lowercase()) && !word.is_empty();
                words.filter(is_word).collect()
            }
            _ => vec![],
        };
        let begins =
            |word: &&str| word.get(..begun.len()).is_some_and(|start| start.eq_ignore_ascii_case(begun));
        all.into_iter().filter(begins).map(str::to_owned).collect()
    }

    /// Moves as they are written, commands, and moves by their squares once one is named.
    fn first_words(&self, begun: &str) -> Vec<String> {
        let position = self.engine.position();
        let moves = position.legal_moves();
        let names_a_square = begun.len() >= 2;
        let mut words: Vec<String> = moves.iter().map(|&mv| position.san(mv)).collect();
        words.extend(COMMANDS.iter().map(|command| command.name.to_owned()).filter(|_| !begun.is_empty()));
        words.extend(moves.iter().map(ToString::to_string).filter(|_| names_a_square));
        words.retain(|word| word.starts_with(begun));
        words.sort();
        words.dedup();
        words
    }
}

/// What an option can be set to, if that is one of a few words.
fn values(option: &str) -> Vec<&'static str> {
    let spec = Settings::table().into_iter().find(|spec| spec.name.eq_ignore_ascii_case(option));
    match spec.map(|spec| spec.kind) {
        Some(OptionKind::Combo { choices, .. }) => choices.to_vec(),
        Some(OptionKind::Check { .. }) => vec!["0", "1"],
        _ => vec![],
    }
}

//! The xboard protocol (CECP), version 2, as types: the messages of both directions, to read and to
//! write.
//!
//! An engine reads [`Command`]s and writes [`Reply`]s; a match runner does the opposite. The
//! engine's reaction to the messages is in [`front::xboard`](crate::engine::front::xboard).

mod command;
pub mod duration;
mod reply;
pub mod thinking;

pub use command::Command;
pub use reply::{Feature, FeatureValue, Reply, Status};
pub use thinking::ThinkingLine;

/// Text with a meaning for xboard anywhere in a line: a draw offer, or a dead connection to another
/// machine.
const LOADED: [&str; 8] = [
    "offer",
    "unknown host",
    "no remote directory",
    "not found",
    "no such file",
    "can't alloc",
    "permission denied",
    "resign",
];

/// Returns a text behind its first word.
fn behind_word(text: &str) -> &str {
    let (_, rest) = text.split_once(char::is_whitespace).unwrap_or_default();
    rest.trim()
}

/// `text` on one line, without any keyword of an answer: xboard searches everything for keywords,
/// free text too (section 13 of the protocol's document).
///
/// ```
/// use kashan::rules::protocol::xboard::harmless;
/// assert_eq!(harmless("no\nlines"), "no lines");
/// assert_eq!(harmless("I offer a draw"), "I o_ffer a draw");
/// ```
pub fn harmless(text: &str) -> String {
    let mut text = text.replace(char::is_control, " ");
    for loaded in LOADED {
        let mut from = 0;
        while let Some(found) = text[from..].to_ascii_lowercase().find(loaded) {
            from += found + 1;
            text.insert(from, '_');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_broken_up_wherever_they_stand() {
        for loaded in LOADED {
            let harmless =
                harmless(&format!("é {loaded} and {} é", loaded.to_uppercase())).to_lowercase();
            assert!(!harmless.contains(loaded), "{harmless}");
        }
        assert_eq!(harmless("nothing to see"), "nothing to see");
    }
}

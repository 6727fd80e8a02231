//! Games whose moves are to be judged: PGN with everything that has to come out of it again.

use std::path::Path;

use shakmaty::Color;

use crate::pgn::{self, Reader, Rules};

/// A game as it was played.
#[derive(Clone, Debug)]
pub struct Game {
    /// What to call it: which of the file's games it is, from 1; those that cannot be read count.
    pub name: String,
    pub pgn: pgn::Game,
}

impl Game {
    /// The value of a tag; `?` if it is not there.
    pub fn tag(&self, name: &str) -> &str {
        self.pgn.tags.get(name).unwrap_or("?")
    }

    /// Who plays a colour.
    pub fn player(&self, color: Color) -> &str {
        self.tag(color.fold_wb("White", "Black"))
    }
}

/// The games of a PGN file's bytes, and what is wrong with those that are none, each in order. `path` is
/// what the file is called.
pub fn read(path: &Path, bytes: &[u8]) -> (Vec<Game>, Vec<String>) {
    let (mut games, mut errors) = (Vec::new(), Vec::new());
    let rules = Rules { strict: true, ..Rules::default() };
    let mut reader = Reader::new(bytes);
    let error = |line: u64, number: u32, reason: &str| {
        format!("{}, line {line}: game {number}: {reason}", path.display())
    };
    // A source in memory can always be read.
    while let Ok(Some(text)) = reader.next_game() {
        match pgn::Game::read(&text, &rules) {
            Ok(pgn) => games.push(Game { name: text.number.to_string(), pgn }),
            Err(fault) => errors.push(error(text.line, text.number, &fault.to_string())),
        }
    }
    if games.is_empty() && errors.is_empty() {
        errors.push(error(1, 1, "there is none"));
    }
    (games, errors)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "[White \"A\"]\n[Opening \"Réti\"]\n\n{before} 1. Nf3 {first} {second} d5 $1 (1... e5? 2. Nxe5) 2. c4!? 1-0\n\n";

    #[test]
    fn what_is_no_game_is_named_and_the_others_are_read() {
        let bad = "[White \"A\"]\n\n1. e4 e5 2. Nf9 Nf3 *\n\n";
        let (games, errors) = read(Path::new("my.pgn"), format!("{GOOD}{bad}{GOOD}").as_bytes());
        assert_eq!((games[0].name.as_str(), games[1].name.as_str(), games.len()), ("1", "3", 2));
        assert_eq!(errors.len(), 1);
        let start = "my.pgn, line 6: game 2: \"Nf9\" at move 2 is neither";
        assert!(errors[0].starts_with(start), "{}", errors[0]);
        let (games, errors) = read(Path::new("empty.pgn"), b"\n");
        assert!(games.is_empty() && errors[0].contains("empty.pgn"), "{errors:?}");
    }
}

//! Books from PGN: every game counts 1 for each of its moves in the position it is played in.

use std::collections::BTreeMap;
use std::io::BufRead;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::book::Book;
use crate::input;
use crate::pgn::{Fault, Game, Reader, Rules};
use crate::position::notation::polyglot_key;
use crate::position::polyglot::{self, Entry};

/// Why no book could be built. The text names the file, and the game and move where there is one.
#[derive(Debug, Error)]
pub enum BuildError {
    /// A file cannot be read.
    #[error("cannot read {}: {cause}", path.display())]
    Unreadable { path: PathBuf, cause: std::io::Error },
    /// A file without games, or whose games have no moves.
    #[error("no moves in {}", path.display())]
    NoMoves { path: PathBuf },
    /// Something is wrong with a game; `game` and the line where it begins count from 1 in its file.
    #[error("{}, game {game} (line {line}): {fault}", path.display())]
    Game { path: PathBuf, game: u32, line: u64, fault: Fault },
}

fn unreadable(path: &Path, cause: std::io::Error) -> BuildError {
    BuildError::Unreadable { path: path.to_path_buf(), cause }
}

/// Counts the moves of games, then makes a [`Book`] of them.
#[derive(Clone, Debug)]
pub struct BookBuilder {
    /// By key and Polyglot move: how many games play it there.
    counts: BTreeMap<(u64, u16), u64>,
    max_plies: usize,
    games: usize,
}

impl BookBuilder {
    /// A builder that takes the first `max_plies` half-moves of each game.
    pub fn new(max_plies: usize) -> Self {
        BookBuilder { counts: BTreeMap::new(), max_plies, games: 0 }
    }

    /// Games counted so far.
    pub fn games(&self) -> usize {
        self.games
    }

    /// Counts the games of a PGN file.
    ///
    /// # Errors
    /// The first thing that is wrong; see [`BookBuilder::add_pgn`].
    pub fn add_file(&mut self, path: &Path) -> Result<(), BuildError> {
        let source = input::open(path).map_err(|cause| unreadable(path, cause))?;
        self.add_pgn(source, path)
    }

    /// Counts the main lines of the games in `pgn`, which `path` names in errors.
    ///
    /// # Errors
    /// Text that is not a move, a move that is not legal, a game that starts in no legal position: a book is
    /// built from correct lines or not at all. What was counted before the error stays counted.
    pub fn add_pgn(&mut self, pgn: impl BufRead, path: &Path) -> Result<(), BuildError> {
        let rules = Rules { strict: true, ..Rules::default() };
        let mut games = Reader::new(pgn);
        let mut is_empty = true;
        while let Some(text) = games.next_game().map_err(|cause| unreadable(path, cause))? {
            let game = Game::read(&text, &rules).map_err(|fault| BuildError::Game {
                path: path.to_path_buf(),
                game: text.number,
                line: text.line,
                fault,
            })?;
            for (position, mv) in game.positions().take(self.max_plies) {
                let entry = (polyglot_key(&position), polyglot::encode(mv.mv));
                *self.counts.entry(entry).or_default() += 1;
                is_empty = false;
            }
            self.games += 1;
        }
        if is_empty {
            return Err(BuildError::NoMoves { path: path.to_path_buf() });
        }
        Ok(())
    }

    /// The book: the same games in any order give the same bytes. Where a weight does not fit, all weights of
    /// that position are scaled down.
    pub fn finish(self) -> Book {
        let counts: Vec<((u64, u16), u64)> = self.counts.into_iter().collect();
        let mut entries = Vec::with_capacity(counts.len());
        for position in counts.chunk_by(|a, b| a.0.0 == b.0.0) {
            let most = position.iter().map(|&(_, count)| count).max().unwrap_or(1);
            let limit = u64::from(u16::MAX);
            let weight = |count: u64| {
                let scaled = if most > limit {
                    (u128::from(count) * u128::from(limit) / u128::from(most)) as u64
                } else {
                    count
                };
                // A move that was played stays possible.
                scaled.clamp(1, limit) as u16
            };
            entries.extend(position.iter().map(|&((key, mv), count)| Entry {
                key,
                mv,
                weight: weight(count),
                learn: 0,
            }));
        }
        Book::from_entries(entries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).expect("a legal position")
    }

    fn listed(book: &Book, fen: &str) -> Vec<(String, u32)> {
        let moves = book.moves(&position(fen)).into_iter();
        moves.map(|book_move| (book_move.mv.to_string(), book_move.weight)).collect()
    }

    fn build(pgn: &str, max_plies: usize) -> Result<Book, String> {
        let mut builder = BookBuilder::new(max_plies);
        builder.add_pgn(pgn.as_bytes(), Path::new("lines.pgn")).map_err(|error| error.to_string())?;
        Ok(builder.finish())
    }

    #[test]
    fn games_count_by_position_whatever_the_move_order() {
        let book = build("1. d4 d5 2. c4 e6 *\n\n1. c4 e6 2. d4 d5 3. Nc3 *\n\n1. d4 d5 2. c4 e6 3. Nf3 *\n\n1. d4 e6 2. c4 d5 3. Nc3 *", 40)
        .expect("four good lines");
        assert_eq!(listed(&book, START), [("d2d4".to_owned(), 3), ("c2c4".to_owned(), 1)]);
        let queens_gambit = "rnbqkbnr/ppp2ppp/4p3/3p4/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 0 3";
        assert_eq!(listed(&book, queens_gambit), [("b1c3".to_owned(), 2), ("g1f3".to_owned(), 1)]);
    }

    #[test]
    fn castling_and_promotion_survive_the_way_through_a_book() {
        let pgn = "[FEN \"r3k3/6P1/8/8/8/8/8/4K2R w Kq - 0 1\"]\n\n1. O-O 0-0-0+! { why not } 2. g8=N (2. g8=Q) $1 *";
        let book = build(pgn, 40).expect("a good line");
        assert_eq!(book.len(), 3);
        let mut position = position("r3k3/6P1/8/8/8/8/8/4K2R w Kq - 0 1");
        for expected in ["e1g1", "e8c8", "g7g8n"] {
            let mv = book.probe(&position, 1).expect("a book move");
            assert_eq!(mv.to_string(), expected);
            position.play(mv).expect("legal");
        }
    }

    #[test]
    fn lines_are_cut_and_weights_scaled() {
        assert_eq!(build("1. e4 e5 2. Nf3 *", 2).expect("a good line").len(), 2);
        assert!(build("1. e4 e5 2. Nf3 *", 0).expect_err("nothing left").contains("no moves in lines.pgn"));
        let mut builder = BookBuilder::new(1);
        let many = "1. e4 *\n\n".repeat(70_000) + &"1. d4 *\n\n".repeat(35_000) + "1. a3 *";
        builder.add_pgn(many.as_bytes(), Path::new("many.pgn")).expect("good lines");
        assert_eq!(builder.games(), 105_001);
        let expected = [("e2e4", 65_535), ("d2d4", 32_767), ("a2a3", 1)];
        assert_eq!(listed(&builder.finish(), START), expected.map(|(mv, weight)| (mv.to_owned(), weight)));
    }

    #[test]
    fn bad_games_name_file_game_and_move() {
        let good = "[White \"first\"]\n\n1. e4 e5 *\n\n";
        for (bad, words) in [
            ("1. e4 e5 2. Ke3 *", &["move 2. Ke3", "not legal"][..]),
            ("1. d4 Nf6 2. c4 exd6 *", &["move 2... exd6"]),
            ("1. e4 e5 2. -- *", &["move 2. --"]),
            ("1. e4 e5 2. Nf9 Nc6 *", &["\"Nf9\"", "move 2"]),
            ("1. e4 e5 2.hello *", &["\"hello\"", "move 2"]),
            ("1. e4 e5\n\n2. Nf3 *", &["game 3", "begins with move 2"]),
            ("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *", &["FEN", "\"8/8", "king"]),
            ("1. e4 { never closed", &["comment"]),
        ] {
            let error = build(&format!("{good}{bad}"), 40).expect_err(bad);
            for word in words.iter().chain(&["lines.pgn, game"]) {
                assert!(error.to_lowercase().contains(&word.to_lowercase()), "{bad:?}: {error}");
            }
            if !words.contains(&"game 3") {
                assert!(error.contains("game 2"), "{bad:?}: {error}");
            }
        }
        assert!(build("", 40).expect_err("nothing").contains("no moves in lines.pgn"));
    }

    #[test]
    fn ordinary_pgn_is_no_error() {
        let pgn = "\u{feff}[Event \"x\"]\r\n[Site \"?\"]\r\n\r\n1.e4 e5 2.Nf3!? {a (comment)\r\n\r\nover lines} Nc6\r\n; rest of line 1. z9\r\n3. Bb5 $14 (3. Bc4 Bc5 (3... Nf6 4. Ng5) 4. c3) a6 4.Ba4 Nf6 5.0-0 Be7 1/2-1/2\r\n\r\n1. e4 d5 2. exd5 e5 3. dxe6 e.p. 1-0\r\n";
        let book = build(pgn, 40).expect("two good games");
        assert_eq!(book.len(), 10 + 5 - 1);
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_make_the_pgn_reader_panic(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..200)) {
            let _ = BookBuilder::new(40).add_pgn(bytes.as_slice(), Path::new("noise.pgn"));
        }

        #[test]
        fn torn_and_mixed_up_pgn_does_not_panic(words in proptest::collection::vec(0_usize..20, 0..40)) {
            const WORDS: [&str; 20] = [
                "1.", " e4", " e5 ", "\n", "\n\n", "[FEN \"", "\"]", "{", "}", "(", ")", ";", "%", "1-0", "2...", "½", "$", "O-O", "--", "\u{feff}",
            ];
            let pgn = words.into_iter().map(|word| WORDS[word]).collect::<String>();
            let _ = build(&pgn, 40);
        }
    }
}

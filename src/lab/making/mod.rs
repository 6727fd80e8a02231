//! The making of libraries of actions ([`library`]) and opening books from games.
//!
//! In a book a move counts 1 for each game with the move in the position.

pub mod library;

use std::collections::BTreeMap;
use std::io::BufRead;
use std::path::Path;

use anyhow::{anyhow, ensure};

use crate::rules::book::Book;
use crate::rules::pgn::{PgnGame, Reader, Rules, Strict};
use crate::rules::position::notation::polyglot_key;
use crate::rules::position::polyglot::{self, BookEntry};
use crate::util::input;

/// Counts the moves of games, then makes a [`Book`] of them.
#[derive(Clone, Debug)]
pub struct BookBuilder {
    /// The number of games, by key and Polyglot move.
    counts: BTreeMap<(u64, u16), u64>,
    max_plies: usize,
    /// Counted so far.
    pub games: usize,
}

impl BookBuilder {
    /// Makes a builder for the first `max_plies` half-moves of each game.
    pub fn new(max_plies: usize) -> Self {
        BookBuilder {
            counts: BTreeMap::new(),
            max_plies,
            games: 0,
        }
    }

    /// Counts the games of a PGN file.
    pub fn add_file(&mut self, path: &Path) -> anyhow::Result<()> {
        let source = input::open(path).map_err(|cause| unreadable(path, &cause))?;
        self.add_pgn(source, path)
    }

    /// Counts the main lines of the games in `pgn`; errors name `path`.
    ///
    /// # Errors
    /// A word that is no move, an illegal move, an illegal start of a game: a book is built from
    /// correct lines or not at all. Moves counted before the error stay counted.
    pub fn add_pgn(&mut self, pgn: impl BufRead, path: &Path) -> anyhow::Result<()> {
        let rules = Rules {
            strict: Strict::All,
            ..Rules::default()
        };
        let mut games = Reader::new(pgn);
        let mut is_empty = true;
        while let Some(text) = games
            .next_game()
            .map_err(|cause| unreadable(path, &cause))?
        {
            let game = PgnGame::read(&text, &rules).map_err(|fault| {
                let path = path.display();
                anyhow!("{path}, game {} (line {}): {fault}", text.number, text.line)
            })?;
            for (position, mv) in game.positions().take(self.max_plies) {
                let entry = (polyglot_key(&position), polyglot::encode(mv.mv));
                *self.counts.entry(entry).or_default() += 1;
                is_empty = false;
            }
            self.games += 1;
        }
        ensure!(!is_empty, "no moves in {}", path.display());
        Ok(())
    }

    /// The book: the same games in any order give the same bytes. Where a weight does not fit, all
    /// weights of that position are scaled down.
    pub fn finish(self) -> Book {
        let counts: Vec<((u64, u16), u64)> = self.counts.into_iter().collect();
        let mut entries = Vec::with_capacity(counts.len());
        for position in counts.chunk_by(|a, b| a.0.0 == b.0.0) {
            let limit = u128::from(u16::MAX);
            let counts = position.iter().map(|&(_, count)| u128::from(count));
            let most = counts.fold(limit, u128::max);
            for &((key, mv), count) in position {
                // A move that was played stays possible.
                let weight = (u128::from(count) * limit / most).max(1) as u16;
                entries.push(BookEntry {
                    key,
                    mv,
                    weight,
                    learn: 0,
                });
            }
        }
        Book::from_entries(entries)
    }
}

fn unreadable(path: &Path, cause: &std::io::Error) -> anyhow::Error {
    anyhow!("cannot read {}: {cause}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::book::tests::{START, listed};
    use crate::rules::position::Position;

    fn build(pgn: &str, max_plies: usize) -> Result<Book, String> {
        let mut builder = BookBuilder::new(max_plies);
        builder
            .add_pgn(pgn.as_bytes(), Path::new("lines.pgn"))
            .map_err(|error| error.to_string())?;
        Ok(builder.finish())
    }

    #[test]
    fn games_count_by_position_whatever_the_move_order() {
        let book = build("1. d4 d5 2. c4 e6 *\n\n1. c4 e6 2. d4 d5 3. Nc3 *\n\n1. d4 d5 2. c4 e6 3. Nf3 *\n\n1. d4 e6 2. c4 d5 3. Nc3 *", 40)
        .expect("four good lines");
        assert_eq!(listed(&book, START), "d2d4 3, c2c4 1");
        let queens_gambit = "rnbqkbnr/ppp2ppp/4p3/3p4/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 0 3";
        assert_eq!(listed(&book, queens_gambit), "b1c3 2, g1f3 1");
    }

    #[test]
    fn castling_and_promotion_survive_the_way_through_a_book() {
        let fen = "r3k3/6P1/8/8/8/8/8/4K2R w Kq - 0 1";
        let pgn = format!("[FEN \"{fen}\"]\n\n1. O-O 0-0-0+! {{ why not }} 2. g8=N (2. g8=Q) $1 *");
        let book = build(&pgn, 40).expect("a good line");
        assert_eq!(book.len(), 3);
        let mut position = Position::from_fen(fen).expect("a legal position");
        for expected in ["e1g1", "e8c8", "g7g8n"] {
            let mv = book.probe(&position, 1).expect("a book move");
            assert_eq!(mv.to_string(), expected);
            position.play(mv).expect("legal");
        }
    }

    #[test]
    fn lines_are_cut_and_weights_scaled() {
        assert_eq!(build("1. e4 e5 2. Nf3 *", 2).expect("a good line").len(), 2);
        assert!(
            build("1. e4 e5 2. Nf3 *", 0)
                .expect_err("nothing left")
                .contains("no moves in lines.pgn")
        );
        let mut builder = BookBuilder::new(1);
        let many = "1. e4 *\n\n".repeat(70_000) + &"1. d4 *\n\n".repeat(35_000) + "1. a3 *";
        builder
            .add_pgn(many.as_bytes(), Path::new("many.pgn"))
            .expect("good lines");
        assert_eq!(builder.games, 105_001);
        assert_eq!(
            listed(&builder.finish(), START),
            "e2e4 65535, d2d4 32767, a2a3 1"
        );
    }

    #[test]
    fn bad_games_name_file_game_and_move() {
        let good = "[White \"first\"]\n\n1. e4 e5 *\n\n";
        for (bad, words) in [
            (
                "1. e4 e5 2. Ke3 *",
                "lines.pgn, game 2 (line 5): move 2. Ke3 is not legal",
            ),
            (
                "1. e4 e5 2. Nf9 Nc6 *",
                "lines.pgn, game 2 (line 5): \"Nf9\" at move 2",
            ),
            (
                "1. e4 e5\n\n2. Nf3 *",
                "lines.pgn, game 3 (line 7): it begins with move 2",
            ),
        ] {
            let error = build(&format!("{good}{bad}"), 40).expect_err(bad);
            assert!(error.starts_with(words), "{bad:?}: {error}");
        }
    }
}

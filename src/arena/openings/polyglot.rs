//! Openings from Polyglot books: random lines.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::ensure;
use rand::rngs::Xoshiro256PlusPlus;

use crate::arena::Opening;
use crate::book::{self, Book};
use crate::position::{Position, moves};

/// How often a line is drawn again that was drawn before, until it is taken a second time.
const TRIES: usize = 50;

/// `count` lines of up to `plies` half-moves, different from each other as far as the book allows.
///
/// # Errors
/// A file that is no Polyglot book, or one that knows nothing of the start position.
pub fn lines(
    path: &Path,
    plies: usize,
    count: usize,
    random: &mut Xoshiro256PlusPlus,
) -> anyhow::Result<Vec<Opening>> {
    let book = Book::open(path)?;
    let first = book.entries_for(&Position::default());
    ensure!(
        first.iter().any(|first| first.weight > 0),
        "{}: the book knows no move from the start position",
        path.display()
    );
    let mut seen = BTreeSet::new();
    let mut lines = Vec::with_capacity(count);
    // Once the book has nothing new, looking for it again and again is of no use.
    let mut tries = TRIES;
    while lines.len() < count {
        let mut line = line_of(&book, plies, random);
        for _ in 0..tries {
            if !seen.contains(&line) {
                break;
            }
            line = line_of(&book, plies, random);
        }
        if !seen.insert(line.clone()) {
            tries = 1;
        }
        lines.push(Opening { fen: None, moves: line, name: None });
    }
    Ok(lines)
}

/// One line, shorter than `plies` where the book ends before, or the game.
fn line_of(book: &Book, plies: usize, random: &mut Xoshiro256PlusPlus) -> Vec<String> {
    let mut position = Position::default();
    let mut line = Vec::with_capacity(plies);
    while line.len() < plies {
        let Some(mv) = book::draw(&book.entries_for(&position), random) else {
            break;
        };
        if position.play(mv).is_err() || position.outcome().is_some() {
            break;
        }
        line.push(moves::coordinate(mv));
    }
    line
}

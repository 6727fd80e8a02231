//! Opening books in Polyglot format: the one that Kashan carries, any other, and new ones from PGN.
//!
//! ```
//! use kashan::{book::Book, position::Position};
//!
//! let book = Book::built_in();
//! let start = Position::default();
//! let mv = book.probe(&start, 42).expect("every book knows the start of the game");
//! assert!(start.is_legal(mv));
//! ```

use std::cmp::Reverse;
use std::path::Path;

use anyhow::{anyhow, ensure};
use chess::ChessMove;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use crate::input;
use crate::position::Position;
use crate::position::polyglot::Entry;

/// The book built from the lines in `book/`.
const BUILT_IN: &[u8] = include_bytes!("../../book/kashan.bin");

/// A move that a book knows for a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move, legal in that position.
    pub mv: ChessMove,
    /// How often it is chosen, against the sum of all weights in the position. 0: known, but never chosen.
    pub weight: u32,
}

/// An opening book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    /// Sorted by key; entries of one key in the order of the file.
    entries: Vec<Entry>,
}

impl Book {
    /// The book that the program carries.
    pub fn built_in() -> Book {
        Book::from_bytes(BUILT_IN)
    }

    /// Reads a Polyglot book. Files that are not sorted are accepted; the order is put right in memory.
    ///
    /// # Errors
    /// A file that cannot be read, is empty, or has a broken entry at its end, because it is something else;
    /// the text names it. Moves are not checked here but when they are asked for, in their position.
    pub fn open(path: impl AsRef<Path>) -> anyhow::Result<Book> {
        let path = path.as_ref();
        let shown = path.display();
        let bytes = input::check_no_pipe(path)
            .and_then(|()| input::read_binary(path))
            .map_err(|cause| anyhow!("cannot read book {shown}: {cause}"))?;
        let size = bytes.len();
        ensure!(size > 0, "{shown} is not a Polyglot book: it is empty");
        ensure!(
            size.is_multiple_of(Entry::SIZE),
            "{shown} is not a Polyglot book: {size} bytes are not a multiple of {}",
            Entry::SIZE
        );
        Ok(Book::from_bytes(&bytes))
    }

    /// As many whole entries as there are.
    fn from_bytes(bytes: &[u8]) -> Book {
        let (entries, _) = bytes.as_chunks();
        let mut entries: Vec<Entry> = entries.iter().map(Entry::from_bytes).collect();
        entries.sort_by_key(|entry| entry.key);
        Book { entries }
    }

    /// A book with these entries, heaviest first in each position, so that the same entries in any order give
    /// the same bytes.
    pub fn from_entries(mut entries: Vec<Entry>) -> Book {
        entries.sort_by_key(|entry| (entry.key, Reverse(entry.weight), entry.mv));
        Book { entries }
    }

    /// The book as the content of a Polyglot file.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.entries.iter().copied().flat_map(Entry::to_bytes).collect()
    }

    /// Entries in the book: moves, counted once for each position they are known in.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether the book knows nothing.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Distinct positions that the book knows a move for.
    pub fn positions(&self) -> usize {
        self.entries.chunk_by(|a, b| a.key == b.key).count()
    }

    /// All legal moves that the book knows here, heaviest first; a move that is there twice has both weights.
    pub fn moves(&self, position: &Position) -> Vec<BookMove> {
        let mut moves: Vec<BookMove> = Vec::new();
        for BookMove { mv, weight } in self.entries_for(position) {
            match moves.iter_mut().find(|known| known.mv == mv) {
                Some(known) => known.weight = known.weight.saturating_add(weight),
                None => moves.push(BookMove { mv, weight }),
            }
        }
        moves.sort_by_key(|book_move| Reverse(book_move.weight));
        moves
    }

    /// The legal moves in the order of the file, where one can be there twice. Entries that are not legal
    /// moves here (another position with the same key, or a broken file) are left out.
    pub fn entries_for(&self, position: &Position) -> Vec<BookMove> {
        let key = position.polyglot_key();
        let from = self.entries.partition_point(|entry| entry.key < key);
        let legal = position.legal_moves();
        let entries = self.entries[from..].iter().take_while(|entry| entry.key == key);
        let moves = entries.filter_map(|entry| Some((entry.chess_move(position.board())?, entry.weight)));
        moves
            .filter(|(mv, _)| legal.contains(mv))
            .map(|(mv, weight)| BookMove { mv, weight: u32::from(weight) })
            .collect()
    }

    /// A book move for this position, each as likely as its weight says; `None` outside the book.
    ///
    /// The choice depends on `seed`, the position and the book alone. The position takes part so that one
    /// seed, kept for a whole game, does not take the same end of every list.
    pub fn probe(&self, position: &Position, seed: u64) -> Option<ChessMove> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed ^ position.polyglot_key());
        draw(&self.moves(position), &mut random)
    }
}

/// One of the moves, each as likely as its weight says; `None` if none has a weight.
pub fn draw(moves: &[BookMove], random: &mut Xoshiro256PlusPlus) -> Option<ChessMove> {
    let total: u64 = moves.iter().map(|book_move| u64::from(book_move.weight)).sum();
    if total == 0 {
        return None;
    }
    let mut left = random.random_range(0..total);
    let chosen = moves.iter().find(|book_move| {
        let weight = u64::from(book_move.weight);
        let is_chosen = left < weight;
        left = left.saturating_sub(weight);
        is_chosen
    });
    chosen.map(|book_move| book_move.mv)
}

#[cfg(test)]
pub(crate) mod tests;

//! Opening books in Polyglot format: Kashan's own, any other, and new ones from PGN.
//!
//! ```
//! use kashan::rules::book::Book;
//! use kashan::rules::position::Position;
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

use crate::rules::position::Position;
use crate::rules::position::moves::coordinate;
use crate::rules::position::polyglot::BookEntry;
use crate::util::input;

/// The book built from the lines in `book/openings`.
const BUILT_IN: &[u8] = include_bytes!("../../book/openings/kashan.bin");

/// A move of a book in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move, legal in the position.
    pub mv: ChessMove,
    /// The frequency of the move, against the sum of all weights in the position. 0: known, but
    /// never chosen.
    pub weight: u32,
}

/// An opening book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    /// Sorted by key; entries of one key in the order of the file.
    entries: Vec<BookEntry>,
}

impl Book {
    /// The built-in book.
    pub fn built_in() -> Book {
        Book::from_bytes(BUILT_IN)
    }

    /// Reads a Polyglot book. Unsorted files are accepted and sorted in memory.
    ///
    /// # Errors
    /// A file that is unreadable, empty, or ends with a broken entry, for it is no book; the text
    /// names the file. Moves are not checked here but on request, in their position.
    pub fn open(path: impl AsRef<Path>) -> anyhow::Result<Book> {
        let path = path.as_ref();
        let shown = path.display();
        let bytes = input::check_no_pipe(path)
            .and_then(|()| input::read_binary(path))
            .map_err(|cause| anyhow!("cannot read book {shown}: {cause}"))?;
        let size = bytes.len();
        ensure!(size > 0, "{shown} is not a Polyglot book: it is empty");
        ensure!(
            size.is_multiple_of(BookEntry::SIZE),
            "{shown} is not a Polyglot book: {size} bytes are not a multiple of {}",
            BookEntry::SIZE
        );
        Ok(Book::from_bytes(&bytes))
    }

    /// Reads as many whole entries as there are.
    fn from_bytes(bytes: &[u8]) -> Book {
        let (entries, _) = bytes.as_chunks();
        let mut entries: Vec<BookEntry> = entries.iter().map(BookEntry::from_bytes).collect();
        entries.sort_by_key(|entry| entry.key);
        Book { entries }
    }

    /// A book with these entries, heaviest first in each position: the same entries in any order
    /// give the same bytes.
    pub fn from_entries(mut entries: Vec<BookEntry>) -> Book {
        entries.sort_by_key(|entry| (entry.key, Reverse(entry.weight), entry.mv));
        Book { entries }
    }

    /// The book as the content of a Polyglot file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let entries = self.entries.iter().copied();
        entries.flat_map(BookEntry::to_bytes).collect()
    }

    /// Entries in the book: moves, counted once for each position they are known in.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns true if the book knows nothing.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Distinct positions with a move in the book.
    pub fn positions(&self) -> usize {
        self.entries.chunk_by(|a, b| a.key == b.key).count()
    }

    /// The book's legal moves here, heaviest first; a repeated move has the sum of its weights.
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

    /// The legal moves in the order of the file, repetitions included. Entries that are not legal
    /// here (another position with the same key, or a broken file) are left out.
    pub fn entries_for(&self, position: &Position) -> Vec<BookMove> {
        let legal = position.legal_moves();
        let mut moves = Vec::new();
        for entry in self.entries_of(position) {
            if let Some(mv) = entry.chess_move(position.board())
                && legal.contains(&mv)
            {
                let weight = u32::from(entry.weight);
                moves.push(BookMove { mv, weight });
            }
        }
        moves
    }

    /// The moves of the book that are not legal here, in coordinates, in the order of the file.
    pub fn illegal_moves(&self, position: &Position) -> Vec<String> {
        let legal = position.legal_moves();
        let mut illegal = Vec::new();
        for entry in self.entries_of(position) {
            match entry.chess_move(position.board()) {
                Some(mv) if legal.contains(&mv) => {}
                Some(mv) => illegal.push(coordinate(mv)),
                None => illegal.push(format!("{:#06x}", entry.mv)),
            }
        }
        illegal
    }

    /// The entries with the key of a position.
    fn entries_of(&self, position: &Position) -> &[BookEntry] {
        let key = position.polyglot_key();
        let from = self.entries.partition_point(|entry| entry.key < key);
        let to = self.entries.partition_point(|entry| entry.key <= key);
        &self.entries[from..to]
    }

    /// A book move for this position, each as likely as its weight says; `None` outside the book.
    ///
    /// The choice depends on `seed`, the position and the book alone. The position takes part so
    /// one seed, kept for a whole game, does not take the same end of every list.
    pub fn probe(&self, position: &Position, seed: u64) -> Option<ChessMove> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed ^ position.polyglot_key());
        let moves = self.moves(position);
        let weights = moves.iter().map(|book_move| u64::from(book_move.weight));
        let total: u64 = weights.clone().sum();
        if total == 0 {
            return None;
        }
        let mut left = random.random_range(0..total);
        for (book_move, weight) in moves.iter().zip(weights) {
            if left < weight {
                return Some(book_move.mv);
            }
            left -= weight;
        }
        None
    }
}

#[cfg(test)]
pub(crate) mod tests;

//! Opening books (a stand-in; the Polyglot book replaces it).

use chess::ChessMove;
use thiserror::Error;

use crate::position::Position;

#[derive(Debug, Error)]
#[error("cannot read book")]
pub struct BookError;

#[derive(Clone, Debug)]
pub struct BookMove {
    pub mv: ChessMove,
    pub weight: u32,
}

pub struct Book;

impl Book {
    pub fn built_in() -> Book {
        Book
    }
    pub fn open(_: &str) -> Result<Book, BookError> {
        Err(BookError)
    }
    pub fn probe(&self, _: &Position, _seed: u64) -> Option<ChessMove> {
        None
    }
    pub fn moves(&self, _: &Position) -> Vec<BookMove> {
        Vec::new()
    }
}

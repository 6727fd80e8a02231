//! Portable Game Notation: the one place where it is read, and the one where it is written.
//!
//! [`Reader`] cuts a stream of any size into the texts of its games, each with its number and line, and keeps
//! no more than one of them. [`Game::read`] plays such a text: tags, start, and the main line with its
//! comments. What is wrong with a game is a [`Fault`] that names the move or the word, so that no game gets
//! lost silently. [`Movetext`] and [`tag_pair`] write.
//!
//! The format is described in the "Portable Game Notation Specification and Implementation Guide" (1994), the
//! *PGN standard* of the comments.
//!
//! ```
//! use kashan::pgn::{Game, Reader, Rules};
//!
//! let text = "[White \"A\"]\n\n1. e4 e5 {of course} 2. Nf3 1-0\n";
//! let mut games = Reader::new(text.as_bytes());
//! let text = games.next_game()?.expect("there is a game");
//! let game = Game::read(&text, &Rules::default()).expect("all moves are legal");
//! assert_eq!((text.line, game.tags.get("White")), (1, Some("A")));
//! assert_eq!((game.moves.len(), game.moves[1].comments[0].as_str()), (3, "of course"));
//! # Ok::<(), std::io::Error>(())
//! ```

pub mod epd;
mod files;
mod game;
mod reader;
mod tags;
mod tokens;
mod write;

pub use files::{begins_as_games, files};
pub use game::{Fault, Game, GameMove, Rules};
pub use reader::{GameText, Reader};
pub use tags::{Tags, tag_pair};
pub use write::Movetext;

#[cfg(test)]
mod tests;

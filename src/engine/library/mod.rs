//! A library of actions: the answers of players to a move, from their games.
//!
//! Hesham, Abu-Elnasr & Elmougy, "A new action-based reasoning approach for playing chess",
//! Computers, Materials & Continua 69(1), 2021. A *case* is the board after a player's move (the
//! *action*) and the answer to this move (the *reaction*). Filter 1 of the paper (3.3.1) takes all
//! cases of an [`Action`], on any board; filter 2 (3.3.2) drops cases with too little similarity of
//! the boards ([`Similarity`]).
//!
//! A [`Library`] is a file of games that never changes ([`mod@format`]), from which the cases are
//! made when it is opened; the cases of an engine's own games are appended to another file beside
//! it ([`Retain`]). Both colours are alike here: boards of Black's actions are mirrored, so that
//! White acts in every case. [`making::library`](crate::lab::making::library) builds files.
//!
//! ```
//! use kashan::engine::library::{Action, Filter, Library};
//! use kashan::rules::position::Position;
//!
//! let library = Library::built_in();
//! let mut position = Position::default();
//! let mv = position.parse_move("e4").expect("legal");
//! let action = Action::of(position.board(), mv);
//! position.play(mv).expect("legal");
//! let found = library.similar(position.board(), action, &Filter::default());
//! assert!(found.len() > 100);
//! assert!(found.iter().flat_map(|found| &found.moves).all(|&mv| position.is_legal(mv)));
//! ```

pub mod case;

pub mod format;
pub mod game;
pub mod retain;
mod similarity;
mod store;

pub use case::{Action, Case, GameId, Planes, SmallMove};

pub use retain::{OwnCase, Retain};
pub use similarity::Similarity;
pub use store::{Filter, GameInfo, Library, RetrievedCase};

#[cfg(test)]
mod tests;

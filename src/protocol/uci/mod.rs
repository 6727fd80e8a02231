//! The Universal Chess Interface as types: every message in both directions, each of which can be read and
//! written.
//!
//! An engine reads [`Command`]s and writes [`Reply`]s; a match runner does the opposite. Reading is as
//! tolerant as the specification (Meyer-Kahlen, 2004 and 2006) asks: words that are not known are skipped,
//! and no input makes it fail otherwise than with an error.

pub mod command;
pub mod go;
pub mod info;
pub mod option;
pub mod reply;
pub mod score;
mod text;

pub use command::{Command, Start};
pub use go::Go;
pub use info::Info;
pub use option::{OptionOffer, OptionType};
pub use reply::Reply;
pub use score::{InfoScore, ScoreValue};

#[cfg(test)]
mod tests;

//! Where games begin: lists of positions (FEN, EPD), opening moves from PGN, random lines of a Polyglot book, and a set of our own.
//!
//! Everything is decided by the source, the order and the seed: the same three give the same openings on every machine.

mod lines;
mod pgn;
mod polyglot;
mod positions;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rand::SeedableRng as _;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::SliceRandom as _;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Opening;

/// The opening lines that the program carries: the source of its own book.
const BUILT_IN: [(&str, &str); 5] = [
    ("open-games.pgn", include_str!("../../../book/open-games.pgn")),
    (
        "semi-open-games.pgn",
        include_str!("../../../book/semi-open-games.pgn"),
    ),
    ("closed-games.pgn", include_str!("../../../book/closed-games.pgn")),
    (
        "indian-defences.pgn",
        include_str!("../../../book/indian-defences.pgn"),
    ),
    (
        "flank-openings.pgn",
        include_str!("../../../book/flank-openings.pgn"),
    ),
];

/// How a file of openings is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// One position a line, as FEN or EPD; `id` is its name. Empty lines and lines that begin with `#` are passed over.
    Epd,
    /// The first moves of games.
    Pgn,
    /// Random lines from the start position, each move as likely as its weight says.
    Polyglot,
}

/// Which opening comes when.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// As they stand in the file, and from the beginning again when they are used up.
    Sequential,
    /// Shuffled by the seed, and shuffled anew when they are used up.
    #[default]
    Random,
}

/// Whether a new opening comes with every game pair or with every round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    #[default]
    Pair,
    Round,
}

/// Where openings come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OpeningSource {
    /// Kashan's own lines if not said.
    pub file: Option<PathBuf>,
    /// Told from the file's ending if not said: `.pgn`, `.bin`, anything else is EPD or FEN.
    pub format: Option<Format>,
    pub order: Order,
    /// Half-moves that are played from games and books. Lists of positions do not need it.
    pub plies: usize,
    /// The first opening that is used, from 1. Not for Polyglot books.
    pub start: usize,
    /// Every game pair has an opening of its own, or all pairs of a round have the same.
    pub change: Change,
}

impl Default for OpeningSource {
    fn default() -> Self {
        OpeningSource {
            file: None,
            format: None,
            order: Order::default(),
            plies: 8,
            start: 1,
            change: Change::default(),
        }
    }
}

/// Why there are no openings. The text names the file and the line.
#[derive(Debug, Error)]
pub enum OpeningError {
    #[error("cannot read openings {}: {source}", path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
    /// Something is wrong on a line, counted from 1.
    #[error("{}, line {line}: {reason}", path.display())]
    Line {
        path: PathBuf,
        line: usize,
        reason: String,
    },
    /// Readable, but of no use.
    #[error("{}: {reason}", path.display())]
    Useless { path: PathBuf, reason: String },
}

impl OpeningSource {
    /// The format, said or told from the file's ending.
    pub fn format(&self) -> Format {
        let ending = |file: &PathBuf| file.extension().map(|ending| ending.to_ascii_lowercase());
        self.format
            .unwrap_or_else(|| match self.file.as_ref().map(ending) {
                None => Format::Pgn,
                Some(Some(ending)) if ending == "pgn" => Format::Pgn,
                Some(Some(ending)) if ending == "bin" => Format::Polyglot,
                Some(_) => Format::Epd,
            })
    }

    /// The first `count` openings, in the order in which they are played.
    ///
    /// # Errors
    /// A file that cannot be read or in which anything is wrong, also beyond the openings that are wanted; a `start` beyond its end.
    pub fn choose(&self, seed: u64, count: usize) -> Result<Vec<Opening>, OpeningError> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let list = match &self.file {
            None => built_in(self.plies)?,
            Some(path) => {
                let bytes = std::fs::read(path).map_err(|source| OpeningError::Unreadable {
                    path: path.clone(),
                    source,
                })?;
                match self.format() {
                    Format::Epd => positions::read(path, &bytes)?,
                    Format::Pgn => pgn::read(path, &bytes, self.plies, pgn::Name::OpeningTag)?,
                    Format::Polyglot => return polyglot::lines(path, &bytes, self.plies, count, &mut random),
                }
            }
        };
        let path = self
            .file
            .clone()
            .unwrap_or_else(|| PathBuf::from("the built-in openings"));
        if list.is_empty() {
            let reason = "no openings".to_owned();
            return Err(OpeningError::Useless { path, reason });
        }
        if !(1..=list.len()).contains(&self.start) {
            let reason = format!(
                "there are openings 1 to {}, but start is {}",
                list.len(),
                self.start
            );
            return Err(OpeningError::Useless { path, reason });
        }
        Ok(match self.order {
            Order::Sequential => list
                .into_iter()
                .cycle()
                .skip(self.start - 1)
                .take(count)
                .collect(),
            Order::Random => shuffled(list, self.start - 1, count, &mut random),
        })
    }
}

/// Shuffled again and again, so that each opening comes once before any comes twice.
fn shuffled(list: Vec<Opening>, skip: usize, count: usize, random: &mut Xoshiro256PlusPlus) -> Vec<Opening> {
    let mut chosen = Vec::with_capacity(skip + count + list.len());
    while chosen.len() < skip + count {
        let mut next = list.clone();
        next.shuffle(random);
        chosen.extend(next);
    }
    chosen.truncate(skip + count);
    chosen.split_off(skip)
}

/// Our own lines, cut after `plies` half-moves. What is the same then is there once.
fn built_in(plies: usize) -> Result<Vec<Opening>, OpeningError> {
    let mut list = Vec::new();
    for (name, text) in BUILT_IN {
        list.extend(pgn::read(
            Path::new(name),
            text.as_bytes(),
            plies,
            pgn::Name::WhiteTag,
        )?);
    }
    let mut seen = BTreeSet::new();
    list.retain(|opening| seen.insert(opening.moves.clone()));
    Ok(list)
}

#[cfg(test)]
mod tests;

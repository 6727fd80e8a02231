//! The openings of games: lists of positions (FEN, EPD), opening moves from PGN, and a set of our
//! own.
//!
//! The source, the order and the seed decide everything: the same three give the same openings on
//! every machine.

mod sources;

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{bail, ensure};
use rand::SeedableRng as _;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::SliceRandom as _;
use serde::{Deserialize, Serialize};

use super::Opening;
use crate::util::input;

/// The program's own opening lines: the source of its own book.
const BUILT_IN: [(&str, &str); 5] = [
    (
        "open-games.pgn",
        include_str!("../../../book/openings/open-games.pgn"),
    ),
    (
        "semi-open-games.pgn",
        include_str!("../../../book/openings/semi-open-games.pgn"),
    ),
    (
        "closed-games.pgn",
        include_str!("../../../book/openings/closed-games.pgn"),
    ),
    (
        "indian-defences.pgn",
        include_str!("../../../book/openings/indian-defences.pgn"),
    ),
    (
        "flank-openings.pgn",
        include_str!("../../../book/openings/flank-openings.pgn"),
    ),
];

/// The order of openings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// The file's order, and again from the beginning after the last.
    Sequential,
    /// Shuffled by the seed, and shuffled anew when they are used up.
    #[default]
    Random,
}

/// The source of openings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OpeningSource {
    /// Games (`.pgn`), or positions, one a line (anything else); Kashan's own lines if not said.
    pub file: Option<PathBuf>,
    pub order: Order,
    /// Half-moves played from games. Lists of positions do not need this.
    pub plies: usize,
    /// The first opening to use, from 1.
    pub start: usize,
    /// Check all positions of a list before the first game. Otherwise, each is checked at its use.
    pub strict: bool,
}

impl Default for OpeningSource {
    fn default() -> Self {
        OpeningSource {
            file: None,
            order: Order::default(),
            plies: 8,
            start: 1,
            strict: false,
        }
    }
}

impl OpeningSource {
    /// The first `count` openings, in the order in which they are played. Leaves unreadable games
    /// out, and adds their faults to `faults`.
    ///
    /// # Errors
    /// A file that cannot be read; a line of a list that is wrong and wanted; with
    /// [`strict`](OpeningSource::strict) everything that is wrong, in games, too; a `start` beyond
    /// its end; a Polyglot book.
    pub fn choose(
        &self,
        seed: u64,
        count: usize,
        faults: &mut Vec<String>,
    ) -> anyhow::Result<Vec<Opening>> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let list = match &self.file {
            None => built_in(self.plies)?,
            Some(path) => match input::ending(path).as_deref() {
                Some("bin") => bail!(
                    "{}: a Polyglot book is no list of openings: name games (.pgn) or positions (.epd, .fen)",
                    path.display()
                ),
                Some("pgn") => {
                    let source =
                        input::open(path).map_err(|cause| sources::unreadable(path, &cause))?;
                    let list = sources::games(path, source, self.plies, "Opening", faults)?;
                    match faults.first() {
                        Some(fault) if self.strict || list.is_empty() => bail!("{fault}"),
                        _ => list,
                    }
                }
                _ => {
                    let list = sources::List::new(path)?;
                    return list.pick(&self.order(list.count(self.strict)?, count, &mut random)?);
                }
            },
        };
        let mut openings = Vec::new();
        for index in self.order(list.len(), count, &mut random)? {
            openings.push(list[index as usize].clone());
        }
        Ok(openings)
    }

    /// The numbers of the openings, of `available` ones, that come one after the other, `count` of
    /// them, from 0.
    fn order(
        &self,
        available: usize,
        count: usize,
        random: &mut Xoshiro256PlusPlus,
    ) -> anyhow::Result<Vec<u32>> {
        let start = self.start;
        let reason = match u32::try_from(available) {
            Ok(0) => "no openings".to_owned(),
            Ok(all) if (1..=available).contains(&start) => {
                return Ok(match self.order {
                    Order::Sequential => (0..all).cycle().skip(start - 1).take(count).collect(),
                    Order::Random => shuffled(0..all, start - 1, count, random),
                });
            }
            Ok(_) => format!("there are openings 1 to {available}, but start is {start}"),
            Err(_) => "too many openings".to_owned(),
        };
        let file = self.file.as_deref();
        let file = file.unwrap_or(Path::new("the built-in openings"));
        bail!("{}: {reason}", file.display())
    }
}

/// Numbers shuffled again and again: each opening comes once before any comes twice.
fn shuffled(
    all: Range<u32>,
    skip: usize,
    count: usize,
    random: &mut Xoshiro256PlusPlus,
) -> Vec<u32> {
    let mut chosen = Vec::new();
    while chosen.len() < skip + count {
        let begin = chosen.len();
        chosen.extend(all.clone());
        chosen[begin..].shuffle(random);
    }
    chosen.truncate(skip + count);
    chosen.split_off(skip)
}

/// Our own lines, cut after `plies` half-moves, without duplicates.
fn built_in(plies: usize) -> anyhow::Result<Vec<Opening>> {
    let mut list = Vec::new();
    for (name, text) in BUILT_IN {
        // The player of White is the name of the opening.
        let mut faults = Vec::new();
        list.extend(sources::games(
            Path::new(name),
            text.as_bytes(),
            plies,
            "White",
            &mut faults,
        )?);
        ensure!(faults.is_empty(), "{}", faults.concat());
    }
    let mut seen = BTreeSet::new();
    list.retain(|opening| seen.insert(opening.moves.clone()));
    Ok(list)
}

#[cfg(test)]
mod tests;

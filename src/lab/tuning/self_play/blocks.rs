//! The file of games: a head that says how they are played, and blocks of games with checksums. All
//! numbers are little-endian.
//!
//! ```text
//! head    20 bytes: magic, version, length and CRC-32 of the text; then the text: JSON, the recipe
//! block   16 bytes: length of the games, how many they are, their moves with scores, CRC-32 of the block;
//!         then the games
//! ```
//!
//! A block is written at once. Whatever a kill leaves of the last one is cut off, so nothing before
//! it is lost. All blocks but the last have as many games, so that the same games give the same
//! bytes, however often the program was stopped.

use std::fs::File;
use std::io::{BufReader, Read as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use flate2::Crc;
use serde_json::{Value, json};

use super::{GameRecord, Recipe};
use crate::util::files;

const MAGIC: [u8; 8] = *b"KASHANSP";
const VERSION: u32 = 1;
const HEAD: usize = 20;
pub(super) const BLOCK_HEAD: usize = 16;
/// A longer text is none of ours.
const LONGEST_TEXT: u32 = 1 << 16;
/// Games of a block.
pub(super) const GAMES: u32 = 64;
/// A block's games are always shorter, in bytes.
const LONGEST_BLOCK: u64 = 1 << 20;

/// The number of games, and of moves with scores in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    pub games: u64,
    pub positions: u64,
}

/// Some games.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    pub games: u32,
    pub positions: u32,
    pub bytes: Vec<u8>,
}

impl Totals {
    pub(super) fn add(&mut self, block: &Block) {
        self.games += u64::from(block.games);
        self.positions += u64::from(block.positions);
    }
}

impl Block {
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut head = Vec::with_capacity(BLOCK_HEAD + self.bytes.len());
        for number in [self.bytes.len() as u32, self.games, self.positions] {
            head.extend(number.to_le_bytes());
        }
        let crc = checksum(&head, &self.bytes);
        head.extend(crc.to_le_bytes());
        head.extend(&self.bytes);
        head
    }
}

/// The CRC-32 of a block: of its three numbers and its games.
fn checksum(numbers: &[u8], games: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(numbers);
    crc.update(games);
    crc.sum()
}

/// Returns the recipe of the games for the head. The program counts: another one may play other
/// moves.
pub(super) fn text_of(recipe: &Recipe) -> Value {
    let Recipe {
        nodes,
        seed,
        evaluation,
        network,
        weak_openings,
        part,
    } = recipe;
    json!({
        "nodes": nodes,
        "seed": seed,
        "evaluation": evaluation,
        "network": network.as_ref().map(|network| format!("{:08x}", network.checksum)),
        "weak_openings": weak_openings,
        "part": part.map(|part| part.to_string()),
        "program": env!("KASHAN_COMMIT"),
    })
}

pub(super) fn head_of(recipe: &Recipe) -> Vec<u8> {
    let text = text_of(recipe).to_string();
    let mut head = MAGIC.to_vec();
    for number in [VERSION, text.len() as u32, files::crc(text.as_bytes())] {
        head.extend(number.to_le_bytes());
    }
    head.extend(text.as_bytes());
    debug_assert_eq!(head.len(), HEAD + text.len());
    head
}

pub(super) fn number_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

/// A file of games, read block by block. Another run may be writing the file: an incomplete last
/// block counts as the end.
pub struct Blocks {
    reader: BufReader<File>,
    path: PathBuf,
    size: u64,
    /// The beginning of the next block.
    pub(super) at: u64,
    /// The recipe of the games, as JSON.
    pub recipe: Value,
}

impl Blocks {
    /// # Errors
    /// The file cannot be read, or is no file of games.
    pub fn open(path: &Path) -> anyhow::Result<Blocks> {
        let shown = path.display();
        let unreadable = || format!("cannot read {shown}");
        files::only_regular(path).with_context(unreadable)?;
        let file = File::open(path).with_context(unreadable)?;
        let size = file.metadata()?.len();
        let mut reader = BufReader::with_capacity(1 << 16, file);
        let mut head = Vec::new();
        reader
            .by_ref()
            .take(HEAD as u64)
            .read_to_end(&mut head)
            .with_context(unreadable)?;
        ensure!(
            head.starts_with(&MAGIC),
            "{shown} is no file of games of kashan tune self-play"
        );
        ensure!(head.len() == HEAD, "{shown} ends in its head");
        let version = number_at(&head, 8);
        ensure!(
            version == VERSION,
            "{shown} is of version {version}, this program knows {VERSION}"
        );
        let length = number_at(&head, 12);
        ensure!(length <= LONGEST_TEXT, "{shown} is damaged: its head");
        let mut text = Vec::new();
        reader
            .by_ref()
            .take(u64::from(length))
            .read_to_end(&mut text)
            .with_context(unreadable)?;
        let is_whole = files::crc(&text) == number_at(&head, 16);
        ensure!(is_whole, "{shown} is damaged: its head");
        let recipe = serde_json::from_slice(&text)?;
        Ok(Blocks {
            reader,
            path: path.to_owned(),
            size,
            at: (HEAD + text.len()) as u64,
            recipe,
        })
    }

    /// The games of the next block; `None` at the end.
    ///
    /// # Errors
    /// The file cannot be read, or is damaged.
    pub fn next_games(&mut self) -> anyhow::Result<Option<Vec<GameRecord>>> {
        let at = self.at;
        let Some(block) = self.next_block()? else {
            return Ok(None);
        };
        let damaged = || format!("{} is damaged: the block at byte {at}", self.path.display());
        let mut rest = block.bytes.as_slice();
        let mut games = Vec::with_capacity(block.games as usize);
        for _ in 0..block.games {
            games.push(GameRecord::read(&mut rest).with_context(damaged)?);
        }
        ensure!(rest.is_empty(), damaged());
        Ok(Some(games))
    }

    /// Returns the numbers of games and positions left, by the heads of the blocks.
    ///
    /// # Errors
    /// The errors of [`Blocks::next_games`].
    pub fn count(mut self) -> anyhow::Result<Totals> {
        let mut totals = Totals::default();
        while let Some(block) = self.next_block()? {
            totals.add(&block);
        }
        Ok(totals)
    }

    pub(super) fn next_block(&mut self) -> anyhow::Result<Option<Block>> {
        let left = self.size - self.at;
        let shown = self.path.display();
        if left < BLOCK_HEAD as u64 {
            return Ok(None);
        }
        let mut head = [0; BLOCK_HEAD];
        self.reader
            .read_exact(&mut head)
            .with_context(|| format!("cannot read {shown}"))?;
        let length = u64::from(number_at(&head, 0));
        let end = BLOCK_HEAD as u64 + length;
        let mut bytes = Vec::new();
        if length < LONGEST_BLOCK && end <= left {
            bytes.resize(length as usize, 0);
            self.reader
                .read_exact(&mut bytes)
                .with_context(|| format!("cannot read {shown}"))?;
            if checksum(&head[..12], &bytes) == number_at(&head, 12) {
                self.at += end;
                return Ok(Some(Block {
                    games: number_at(&head, 4),
                    positions: number_at(&head, 8),
                    bytes,
                }));
            }
        }
        // A kill tears the last block only.
        ensure!(
            left < BLOCK_HEAD as u64 + LONGEST_BLOCK && end >= left,
            "{shown} is damaged: the block at byte {} does not fit its checksum",
            self.at
        );
        Ok(None)
    }
}

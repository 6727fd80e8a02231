//! Games in order, from files of any kind.

use std::io::BufRead as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context as _, ensure};
use chess::Color;

use crate::engine::library::format::{GameRecord, MAGIC, Name};
use crate::engine::library::retain::{Own, is_own};
use crate::engine::library::{GameId, GameInfo, Library, SmallMove};
use crate::rules::pgn::{GameText, Reader};
use crate::util::files;
use crate::util::input;

/// A game with its origin.
pub struct Numbered {
    pub input: usize,
    /// The number of the game in its file, from 1.
    pub number: u64,
    pub raw: Raw,
}

pub enum Raw {
    Text(GameText),
    Stored(Box<StoredGame>),
}

/// A game of a library.
pub struct StoredGame {
    pub head: GameFacts,
    pub moves: Vec<SmallMove>,
}

/// The facts on a game without its moves.
pub struct GameFacts {
    /// White, Black, event, and the FEN of an unusual start.
    pub names: [String; 4],
    /// Date, ratings and result; the rest follows from the moves and the games before.
    pub record: GameRecord,
}

/// Bytes of a batch's text at most: batches are in memory beside the games.
const BATCH_BYTES: usize = 8 << 20;

pub struct Source<'s> {
    inputs: &'s [PathBuf],
    sizes: Vec<u64>,
    /// The number of the file being read.
    input: usize,
    /// The number of games read from the file.
    games: u64,
    open: Option<Open>,
    /// Bytes read of the open file.
    read: Arc<AtomicU64>,
}

/// An open file, by its content.
enum Open {
    Pgn(Reader<input::Source>),
    Library { library: Box<Library>, next: u32 },
    Own(std::vec::IntoIter<StoredGame>),
}

impl<'s> Source<'s> {
    /// The games of these files.
    pub fn open(inputs: &'s [PathBuf]) -> Source<'s> {
        let size = |path: &PathBuf| path.metadata().map_or(0, |metadata| metadata.len());
        let sizes = inputs.iter().map(size).collect();
        Source {
            inputs,
            sizes,
            input: 0,
            games: 0,
            open: None,
            read: Arc::default(),
        }
    }

    /// Returns the bytes of all files.
    pub fn bytes(&self) -> u64 {
        self.sizes.iter().sum()
    }

    /// Returns the bytes read of all files; compressed bytes count as they are.
    pub fn bytes_read(&self) -> u64 {
        let before: u64 = self.sizes.iter().take(self.input).sum();
        let this = self.sizes.get(self.input).copied().unwrap_or_default();
        before + self.read.load(Ordering::Relaxed).min(this)
    }

    /// The next games, at most so many; none at the end.
    pub fn next_batch(&mut self, games: usize) -> anyhow::Result<Vec<Numbered>> {
        let mut batch = Vec::new();
        let mut bytes = 0;
        while batch.len() < games
            && bytes < BATCH_BYTES
            && let Some(game) = self.next()?
        {
            bytes += match &game.raw {
                Raw::Text(text) => text.text.len(),
                Raw::Stored(game) => 2 * game.moves.len(),
            };
            batch.push(game);
        }
        Ok(batch)
    }

    fn next(&mut self) -> anyhow::Result<Option<Numbered>> {
        while let Some(path) = self.inputs.get(self.input) {
            let cannot_read = || format!("cannot read {}", path.display());
            let open = match &mut self.open {
                Some(open) => open,
                None => self
                    .open
                    .insert(Open::file(path, &self.read).with_context(cannot_read)?),
            };
            if let Some(raw) = open
                .next(&self.read, self.sizes[self.input])
                .with_context(cannot_read)?
            {
                self.games += 1;
                return Ok(Some(Numbered {
                    input: self.input,
                    number: self.games,
                    raw,
                }));
            }
            self.open = None;
            self.input += 1;
            self.games = 0;
            self.read.store(0, Ordering::Relaxed);
        }
        Ok(None)
    }
}

/// Returns true if a file begins like a library.
pub fn is_library(path: &Path) -> bool {
    path.is_file() && files::beginning(path, 8).is_ok_and(|begin| begin == MAGIC)
}

impl Open {
    fn file(path: &Path, read: &Arc<AtomicU64>) -> anyhow::Result<Open> {
        if is_library(path) {
            return Ok(Open::Library {
                library: Box::new(super::checked(path)?),
                next: 0,
            });
        }
        if is_own(path) {
            return Ok(Open::Own(own_games(&Own::read(path)?).into_iter()));
        }
        let mut text = input::open_counted(path, read)?;
        ensure!(
            !text.fill_buf()?.starts_with(&MAGIC),
            "it is a library, but compressed or behind a pipe: name the library itself"
        );
        Ok(Open::Pgn(Reader::new(text)))
    }

    fn next(&mut self, read: &AtomicU64, size: u64) -> anyhow::Result<Option<Raw>> {
        match self {
            Open::Pgn(reader) => Ok(reader.next_game()?.map(Raw::Text)),
            Open::Own(games) => Ok(games.next().map(|game| Raw::Stored(Box::new(game)))),
            Open::Library { library, next } => {
                let games = library.count(Name::Games);
                if u64::from(*next) >= games {
                    return Ok(None);
                }
                let game = stored(library, *next)?;
                *next += 1;
                read.store(size * u64::from(*next) / games, Ordering::Relaxed);
                Ok(Some(Raw::Stored(Box::new(game))))
            }
        }
    }
}

fn stored(library: &Library, number: u32) -> anyhow::Result<StoredGame> {
    let GameInfo {
        white,
        black,
        event,
        record,
        ..
    } = library.game(GameId::Library(number))?;
    let (start, moves) = library.whole_game(number)?;
    // A start that the library has lost is not the usual one: no FEN, so that the game is left out.
    let start = start.map_or_else(String::new, |fen| {
        if fen.is_empty() { "?".to_owned() } else { fen }
    });
    Ok(StoredGame {
        head: GameFacts {
            names: [white, black, event, start],
            record,
        },
        moves,
    })
}

/// Own cases as games: where moves are missing, another one begins.
fn own_games(own: &Own) -> Vec<StoredGame> {
    let games = own.games.iter().flat_map(|game| {
        game.beginnings().map(|(ply, pair)| {
            let actor = if game.as_black {
                Color::White
            } else {
                Color::Black
            };
            // A board whose side to move is the actor, though it is kept as one of who reacts.
            let start = pair.before.fen(!actor);
            let GameInfo {
                white,
                black,
                record,
                ..
            } = GameInfo::of_own(game);
            let head = GameFacts {
                names: [white, black, "Own game".to_owned(), start],
                record,
            };
            StoredGame {
                head,
                moves: [pair.action]
                    .into_iter()
                    .chain(game.moves_from(ply))
                    .collect(),
            }
        })
    });
    games.collect()
}

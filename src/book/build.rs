//! Books from PGN: every game counts 1 for each of its moves in the position it is played in.

use std::collections::BTreeMap;
use std::io::BufRead;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::{Book, Entry};
use crate::input;
use crate::pgn::{Fault, Game, Reader, Rules};
use crate::position::{notation::polyglot_key, polyglot};

/// Why no book could be built. The text names the file, and the game and move where there is one.
#[derive(Debug, Error)]
pub enum BuildError {
    /// A file or directory cannot be read.
    #[error("cannot read {}: {cause}", path.display())]
    Unreadable { path: PathBuf, cause: std::io::Error },
    /// A directory without PGN files.
    #[error("no .pgn files in {}", path.display())]
    NoFiles { path: PathBuf },
    /// A file without games, or whose games have no moves.
    #[error("no moves in {}", path.display())]
    NoMoves { path: PathBuf },
    /// Something is wrong with a game; `game` and the line where it begins count from 1 in its file.
    #[error("{}, game {game} (line {line}): {fault}", path.display())]
    Game {
        path: PathBuf,
        game: u32,
        line: u64,
        fault: Fault,
    },
}

/// The files that `paths` mean: a directory stands for the `.pgn` files in it, compressed ones too, sorted by
/// name. (Not every shell expands `book/*.pgn`.)
///
/// # Errors
/// For directories that cannot be read or have no such file. Whether a file is there shows when it is read.
pub fn pgn_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, BuildError> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let mut found = Vec::new();
        for entry in std::fs::read_dir(path).map_err(|cause| unreadable(path, cause))? {
            let file = entry.map_err(|cause| unreadable(path, cause))?.path();
            if input::ending(&file).as_deref() == Some("pgn") {
                found.push(file);
            }
        }
        if found.is_empty() {
            return Err(BuildError::NoFiles { path: path.clone() });
        }
        found.sort();
        files.append(&mut found);
    }
    Ok(files)
}

fn unreadable(path: &Path, cause: std::io::Error) -> BuildError {
    BuildError::Unreadable {
        path: path.to_path_buf(),
        cause,
    }
}

/// Counts the moves of games, then makes a [`Book`] of them.
#[derive(Clone, Debug)]
pub struct BookBuilder {
    /// By key and Polyglot move: how many games play it there.
    counts: BTreeMap<(u64, u16), u64>,
    max_plies: usize,
    games: usize,
}

impl BookBuilder {
    /// A builder that takes the first `max_plies` half-moves of each game.
    pub fn new(max_plies: usize) -> Self {
        BookBuilder {
            counts: BTreeMap::new(),
            max_plies,
            games: 0,
        }
    }

    /// Games counted so far.
    pub fn games(&self) -> usize {
        self.games
    }

    /// Counts the games of a PGN file.
    ///
    /// # Errors
    /// The first thing that is wrong; see [`BookBuilder::add_pgn`].
    pub fn add_file(&mut self, path: &Path) -> Result<(), BuildError> {
        let source = input::open(path).map_err(|cause| unreadable(path, cause))?;
        self.add_pgn(source, path)
    }

    /// Counts the main lines of the games in `pgn`, which `path` names in errors.
    ///
    /// # Errors
    /// Text that is not a move, a move that is not legal, a game that starts in no legal position: a book is
    /// built from correct lines or not at all. What was counted before the error stays counted.
    pub fn add_pgn(&mut self, pgn: impl BufRead, path: &Path) -> Result<(), BuildError> {
        let rules = Rules {
            strict: true,
            ..Rules::default()
        };
        let mut games = Reader::new(pgn);
        let mut is_empty = true;
        while let Some(text) = games.next_game().map_err(|cause| unreadable(path, cause))? {
            let game = Game::read(&text, &rules).map_err(|fault| BuildError::Game {
                path: path.to_path_buf(),
                game: text.number,
                line: text.line,
                fault,
            })?;
            for (position, mv) in game.positions().take(self.max_plies) {
                let entry = (polyglot_key(&position), polyglot::encode(mv.mv));
                *self.counts.entry(entry).or_default() += 1;
                is_empty = false;
            }
            self.games += 1;
        }
        if is_empty {
            return Err(BuildError::NoMoves {
                path: path.to_path_buf(),
            });
        }
        Ok(())
    }

    /// The book: entries by key, then heaviest first, then by move, so that the same games in any order give
    /// the same bytes. Where a weight does not fit, all weights of that position are scaled down.
    pub fn finish(self) -> Book {
        let counts: Vec<((u64, u16), u64)> = self.counts.into_iter().collect();
        let mut entries = Vec::with_capacity(counts.len());
        for position in counts.chunk_by(|a, b| a.0.0 == b.0.0) {
            let most = position.iter().map(|&(_, count)| count).max().unwrap_or(1);
            let limit = u64::from(u16::MAX);
            let weight = |count: u64| {
                let scaled = if most > limit {
                    (u128::from(count) * u128::from(limit) / u128::from(most)) as u64
                } else {
                    count
                };
                // A move that was played stays possible.
                scaled.clamp(1, limit) as u16
            };
            entries.extend(position.iter().map(|&((key, mv), count)| Entry {
                key,
                mv,
                weight: weight(count),
                learn: 0,
            }));
        }
        entries.sort_by_key(|entry| (entry.key, std::cmp::Reverse(entry.weight), entry.mv));
        Book { entries }
    }
}

//! Books from PGN: every game counts 1 for each of its moves in the position it is played in.

use std::collections::BTreeMap;
use std::io::{Cursor, Seek};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use pgn_reader::{RawTag, Reader, Skip, Visitor};
use shakmaty::{CastlingMode, Chess, Color, Position as _, fen::Fen, san::SanPlus};
use thiserror::Error;

use super::{Book, Entry};
use crate::position::{notation::polyglot_key, polyglot};

/// Why no book could be built. The text names the file, and the game and move where there is one.
#[derive(Debug, Error)]
pub enum BuildError {
    /// A file or directory cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
    /// A directory without PGN files.
    #[error("no .pgn files in {}", path.display())]
    NoFiles { path: PathBuf },
    /// A file without games, or whose games have no moves.
    #[error("no moves in {}", path.display())]
    NoMoves { path: PathBuf },
    /// Something is wrong with a game; `game` counts from 1 in its file.
    #[error("{}, game {game}: {reason}", path.display())]
    Game {
        path: PathBuf,
        game: usize,
        reason: String,
    },
}

/// The files that `paths` mean: a directory stands for the `.pgn` files in it, sorted by name. (Not every shell
/// expands `book/*.pgn`.)
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
        let unreadable = |source| BuildError::Unreadable {
            path: path.clone(),
            source,
        };
        let mut found = Vec::new();
        for entry in std::fs::read_dir(path).map_err(unreadable)? {
            let file = entry.map_err(unreadable)?.path();
            if file
                .extension()
                .is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"))
            {
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
        let pgn = std::fs::read(path).map_err(|source| BuildError::Unreadable {
            path: path.to_path_buf(),
            source,
        })?;
        self.add_pgn(&pgn, path)
    }

    /// Counts the main lines of the games in `pgn`, which `path` names in errors.
    ///
    /// # Errors
    /// Text that is not a move, a move that is not legal, a game that starts in no legal position: a book is built from correct
    /// lines or not at all. What was counted before the error stays counted.
    pub fn add_pgn(&mut self, pgn: &[u8], path: &Path) -> Result<(), BuildError> {
        let counted_before = self.counts.values().sum::<u64>();
        let mut reader = Reader::new(Cursor::new(pgn));
        for game in 1.. {
            let error = |reason: String| BuildError::Game {
                path: path.to_path_buf(),
                game,
                reason,
            };
            let start = reader
                .stream_position()
                .map_err(|source| error(source.to_string()))?;
            let read = reader.read_game(&mut LineReader {
                max_plies: self.max_plies,
            });
            let end = reader
                .stream_position()
                .map_err(|source| error(source.to_string()))?;
            let text = String::from_utf8_lossy(&pgn[start as usize..end as usize]);
            // First, because a move that was passed over makes the next one illegal.
            check_words(&text).map_err(error)?;
            let line = match read {
                Ok(Some(line)) => line.map_err(error)?,
                Ok(None) => break,
                Err(source) => return Err(error(source.to_string())),
            };
            for entry in line.moves {
                *self.counts.entry(entry).or_default() += 1;
            }
            self.games += 1;
        }
        if self.counts.values().sum::<u64>() == counted_before {
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

/// The main line of one game, while it is read and afterwards.
struct Line {
    game: Chess,
    moves: Vec<(u64, u16)>,
}

struct LineReader {
    max_plies: usize,
}

impl Visitor for LineReader {
    /// The position from the `FEN` tag.
    type Tags = Option<Chess>;
    type Movetext = Line;
    type Output = Result<Line, String>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Self::Tags> {
        ControlFlow::Continue(None)
    }

    fn tag(&mut self, start: &mut Self::Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        if name.eq_ignore_ascii_case(b"FEN") {
            let fen = value.decode_utf8_lossy();
            let position = Fen::from_ascii(fen.as_bytes())
                .map_err(|error| error.to_string())
                .and_then(|fen| {
                    fen.into_position::<Chess>(CastlingMode::Standard)
                        .map_err(|error| error.to_string())
                });
            match position {
                Ok(position) => *start = Some(position),
                Err(error) => {
                    return ControlFlow::Break(Err(format!("cannot start from FEN \"{fen}\": {error}")));
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, start: Self::Tags) -> ControlFlow<Self::Output, Self::Movetext> {
        ControlFlow::Continue(Line {
            game: start.unwrap_or_default(),
            moves: Vec::new(),
        })
    }

    fn san(&mut self, line: &mut Line, san: SanPlus) -> ControlFlow<Self::Output> {
        match san.san.to_move(&line.game) {
            Ok(mv) => {
                if line.moves.len() < self.max_plies {
                    line.moves.push((polyglot_key(&line.game), polyglot::encode(mv)));
                }
                line.game.play_unchecked(mv);
                ControlFlow::Continue(())
            }
            Err(error) => {
                let dots = if line.game.turn() == Color::White {
                    "."
                } else {
                    "..."
                };
                let number = line.game.fullmoves();
                ControlFlow::Break(Err(format!("move {number}{dots}{san}: {error}")))
            }
        }
    }

    /// Only main lines count.
    fn begin_variation(&mut self, _: &mut Line) -> ControlFlow<Self::Output, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, line: Line) -> Self::Output {
        Ok(line)
    }
}

/// pgn-reader passes over what it does not understand; in a book's source that would be a move lost without a word.
/// So the movetext's words are looked at once more: each has to be a move, a move number, a result or an annotation.
fn check_words(game: &str) -> Result<(), String> {
    let mut rest = game.trim_start_matches('\u{feff}').trim_start();
    let mut standard_start = true;
    while rest.starts_with(['[', '%']) {
        standard_start &= !rest.get(..4).is_some_and(|tag| tag.eq_ignore_ascii_case("[FEN"));
        rest = rest.split_once('\n').map_or("", |(_, after)| after).trim_start();
    }
    let mut variations = 0_usize;
    let mut first_number = None;
    let mut last_number = "the start";
    while let Some(first) = rest.chars().next() {
        let skip_past = |end: char| rest.split_once(end).map_or("", |(_, after)| after);
        match first {
            '{' => rest = skip_past('}'),
            ';' => rest = skip_past('\n'),
            '(' | ')' => {
                variations = if first == '(' {
                    variations + 1
                } else {
                    variations.saturating_sub(1)
                };
                rest = &rest[1..];
            }
            _ if first.is_whitespace() || first == '}' => rest = &rest[first.len_utf8()..],
            _ => {
                let end = rest
                    .find(|c: char| c.is_whitespace() || "{};()".contains(c))
                    .unwrap_or(rest.len());
                let word;
                (word, rest) = rest.split_at(end);
                if variations > 0 {
                    continue;
                }
                let (number, san) = split_move_number(word);
                if let Some(number) = number {
                    last_number = number;
                    first_number.get_or_insert(number);
                }
                if !is_movetext(san) {
                    return Err(format!("cannot read \"{san}\" at move {last_number}"));
                }
            }
        }
    }
    match first_number {
        // A blank line ends a game, so the rest of a torn game looks like a new one.
        Some(number) if standard_start && number.trim_start_matches('0') != "1" => Err(format!(
            "begins with move {number} (is there a blank line inside a game?)"
        )),
        _ => Ok(()),
    }
}

/// `12...Nf6` to `(Some("12"), "Nf6")`, `Nf6` to `(None, "Nf6")`, `12` to `(Some("12"), "")`.
fn split_move_number(word: &str) -> (Option<&str>, &str) {
    let after = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = &word[..word.len() - after.len()];
    if !number.is_empty() && (after.is_empty() || after.starts_with('.')) {
        (Some(number), after.trim_start_matches('.'))
    } else {
        (None, word.trim_start_matches('.'))
    }
}

fn is_movetext(word: &str) -> bool {
    let word = word.trim_end_matches(['!', '?']);
    let bare = word.trim_end_matches(['+', '#']);
    word.is_empty()
        || word.starts_with('$')
        || ["*", "1-0", "0-1", "1/2-1/2", "½-½", "e.p."].contains(&word)
        || ["0-0", "0-0-0"].contains(&bare)
        || SanPlus::from_ascii(word.as_bytes()).is_ok()
}

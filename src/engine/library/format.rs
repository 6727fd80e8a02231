//! The file of a library: its games, one table behind the other. The cases are made from the games
//! when the library is opened. All numbers are little-endian.
//!
//! ```text
//! head       24 bytes: magic, version, bytes of names, number of games, number of moves
//! names      texts of players, events and starts, each ended by a line feed
//! games      29 bytes each, in the order of reading
//! moves       2 bytes each, game by game
//! checksum    4 bytes: CRC-32 of all before it
//! ```
//!
//! The same games in the same order give the same bytes.

use std::path::Path;

use chess::{Board, ChessMove, Color};
use shakmaty::{KnownOutcome, Outcome};
use zerocopy::little_endian::{U16, U32};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::case::SmallMove;
use super::error::LibraryError;
use crate::rules::position::{Position, moves};
use crate::util::files;

pub const MAGIC: [u8; 8] = *b"KASHANLB";
/// The version of the format. A program of another version refuses the file.
pub const VERSION: u32 = 3;

/// Results, indexed by their bytes in the file.
const RESULTS: [Outcome; 4] = [
    Outcome::Unknown,
    Outcome::Known(KnownOutcome::Decisive {
        winner: shakmaty::Color::White,
    }),
    Outcome::Known(KnownOutcome::Draw),
    Outcome::Known(KnownOutcome::Decisive {
        winner: shakmaty::Color::Black,
    }),
];

/// Returns a result as a byte: 0 for an unknown result, 1 if White won, 2 for a draw, 3 if Black
/// won.
pub fn result_number(outcome: Outcome) -> u8 {
    RESULTS
        .iter()
        .position(|&known| known == outcome)
        .unwrap_or(0) as u8
}

/// See [`result_number`].
pub fn result(number: u8) -> Outcome {
    RESULTS
        .get(usize::from(number))
        .copied()
        .unwrap_or(Outcome::Unknown)
}

/// The beginning of the file.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Header {
    magic: [u8; 8],
    version: U32,
    /// Bytes.
    names: U32,
    games: U32,
    moves: U32,
}

/// Bytes of the checksum at the end.
const CHECKSUM: usize = 4;

/// A game.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    FromBytes,
    IntoBytes,
    Immutable,
    KnownLayout,
    Unaligned,
)]
#[repr(C)]
pub struct GameRecord {
    /// Numbers of names.
    pub white: U32,
    pub black: U32,
    pub event: U32,
    /// The name with the FEN of the first position, plus 1; 0 for the usual start.
    pub start: U32,
    /// The number of its first move among all moves.
    pub moves: U32,
    pub plies: U16,
    /// The year of the game; 0 for an unknown year, here and in all following fields.
    pub year: U16,
    pub white_elo: U16,
    pub black_elo: U16,
    /// See [`result_number`].
    pub result: u8,
}

/// The content of the file.
#[derive(Debug, Default)]
pub struct Contents {
    /// Players, events and FENs of unusual starts, each once.
    pub names: Vec<String>,
    pub games: Vec<GameRecord>,
    /// The moves of all games.
    pub moves: Vec<SmallMove>,
}

impl Contents {
    /// Reads a library from the bytes of the file at `path`.
    ///
    /// # Errors
    /// The file is damaged, cut off, of another version or of another kind.
    pub fn from_bytes(path: &Path, bytes: &[u8]) -> Result<Contents, LibraryError> {
        let path = || path.to_path_buf();
        if !bytes.starts_with(&MAGIC) {
            return Err(LibraryError::Foreign { path: path() });
        }
        let cut = |expected| LibraryError::Cut {
            path: path(),
            size: bytes.len() as u64,
            expected,
        };
        let (head, tables) = Header::read_from_prefix(bytes)
            .map_err(|_| cut((size_of::<Header>() + CHECKSUM) as u64))?;
        if head.version.get() != VERSION {
            return Err(LibraryError::Version {
                path: path(),
                version: head.version.get(),
                known: VERSION,
            });
        }
        let [names, games, moves] = head.sizes();
        let expected = (size_of::<Header>() + CHECKSUM) as u64 + names + games + moves;
        if bytes.len() as u64 != expected {
            return Err(cut(expected));
        }
        let (content, checksum) = bytes.split_at(bytes.len() - CHECKSUM);
        if files::crc(content).to_le_bytes() != checksum {
            return Err(LibraryError::Damaged {
                path: path(),
                what: "it does not fit its checksum",
            });
        }
        let (names, tables) = tables.split_at(names as usize);
        let (games, moves) = tables.split_at(games as usize);
        let (moves, _) = moves.split_at(moves.len() - CHECKSUM);
        Ok(Contents {
            names: String::from_utf8_lossy(names)
                .lines()
                .map(str::to_owned)
                .collect(),
            games: records(games),
            moves: records(moves),
        })
    }

    /// The bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let names: String = self.names.iter().map(|name| format!("{name}\n")).collect();
        let head = Header {
            magic: MAGIC,
            version: VERSION.into(),
            names: (names.len() as u32).into(),
            games: (self.games.len() as u32).into(),
            moves: (self.moves.len() as u32).into(),
        };
        let mut bytes = head.as_bytes().to_vec();
        bytes.extend(names.as_bytes());
        bytes.extend(self.games.as_bytes());
        bytes.extend(self.moves.as_bytes());
        bytes.extend(files::crc(&bytes).to_le_bytes());
        bytes
    }

    /// A name by its number.
    pub fn name(&self, number: U32) -> &str {
        self.names
            .get(number.get() as usize)
            .map_or("", String::as_str)
    }

    /// The FEN of a game's first position; `None` for the usual start.
    pub fn start(&self, game: &GameRecord) -> Option<&str> {
        let number = game.start.get().checked_sub(1)?;
        Some(self.name(number.into()))
    }

    /// The moves of a game.
    pub fn moves_of(&self, game: &GameRecord) -> &[SmallMove] {
        let first = game.moves.get() as usize;
        let end = first + usize::from(game.plies.get());
        self.moves.get(first..end).unwrap_or_default()
    }

    /// The first position of a game; `None` if the start is no position.
    pub fn first_position(&self, game: &GameRecord) -> Option<Position> {
        match self.start(game) {
            None => Some(Position::default()),
            Some(fen) => Position::from_fen(fen).ok(),
        }
    }

    /// Goes through a game. A start that is no position, or an illegal move, ends the game.
    pub fn replay(&self, game: &GameRecord) -> Replay<'_> {
        let first = self.first_position(game);
        Replay {
            board: first.map(|position| *position.board()),
            moves: self.moves_of(game).iter(),
        }
    }
}

impl Header {
    /// The bytes of the three tables.
    fn sizes(&self) -> [u64; 3] {
        [
            u64::from(self.names.get()),
            u64::from(self.games.get()) * size_of::<GameRecord>() as u64,
            u64::from(self.moves.get()) * size_of::<SmallMove>() as u64,
        ]
    }
}

/// The records in the bytes of a table.
fn records<R: FromBytes + Immutable + KnownLayout + Unaligned + Clone>(bytes: &[u8]) -> Vec<R> {
    <[R]>::ref_from_bytes(bytes)
        .expect("a table has whole records: its size was checked")
        .to_vec()
}

/// The moves of a game, each with the board before it.
#[derive(Debug)]
pub struct Replay<'c> {
    /// `None` if the game cannot go on.
    board: Option<Board>,
    moves: std::slice::Iter<'c, SmallMove>,
}

impl Iterator for Replay<'_> {
    type Item = (Board, ChessMove);

    fn next(&mut self) -> Option<(Board, ChessMove)> {
        let before = self.board.take()?;
        let mv = self.moves.next()?.chess_move(Color::White);
        if !moves::is_legal(&before, mv) {
            return None;
        }
        self.board = Some(before.make_move_new(mv));
        Some((before, mv))
    }
}

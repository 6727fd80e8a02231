//! The file of a library: a head, and one table behind the other. All numbers are little-endian.
//!
//! ```text
//! head       112 bytes: magic, version, settings, games left out, the number of records of each table
//! names      texts of players, events and starts, each ended by a line feed
//! games      31 bytes each, in the order of reading
//! moves       2 bytes each, game by game
//! positions  22 bytes: moves in positions that came twice or more, by Polyglot key and move
//! reactions   8 bytes: action, reaction, how often; by both
//! actions     6 bytes: action, number of its cases; by action
//! cases      40 bytes: boards in four planes, reaction, place, game; by action, game and place
//! checksum    4 bytes: CRC-32 of all before it
//! ```
//!
//! The same games in the same order give the same bytes.

use std::io::{self, Write};

use chess::Color;
use flate2::CrcWriter;
use serde::{Deserialize, Serialize};
use shakmaty::{KnownOutcome, Outcome};
use zerocopy::little_endian::{U16, U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::case::{ActionKey, Case, GameId, Planes, SmallMove};

pub const MAGIC: [u8; 8] = *b"KASHANLB";
/// The version of the format. A program of another version refuses the file.
pub const VERSION: u32 = 2;

/// A table of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    Names,
    Games,
    Moves,
    Positions,
    Reactions,
    Actions,
    Cases,
}

impl Name {
    pub const ALL: [Name; 7] = [
        Name::Names,
        Name::Games,
        Name::Moves,
        Name::Positions,
        Name::Reactions,
        Name::Actions,
        Name::Cases,
    ];

    /// Bytes of a record.
    pub fn record(self) -> u64 {
        let size = match self {
            Name::Names => 1,
            Name::Games => size_of::<GameRecord>(),
            Name::Moves => size_of::<SmallMove>(),
            Name::Positions => size_of::<PositionRecord>(),
            Name::Reactions => size_of::<ReactionRecord>(),
            Name::Actions => size_of::<ActionRecord>(),
            Name::Cases => size_of::<CaseRecord>(),
        };
        size as u64
    }
}

/// The choice of the games of a library, and of the stored parts of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Settings {
    /// Both players have to have this rating.
    pub min_elo: u16,
    /// Boards are kept.
    pub cases: bool,
}

/// The numbers of games left out of the library, by the reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct LeftOut {
    /// Something is wrong with them.
    pub broken: u64,
    /// Games of other rules.
    pub variant: u64,
    /// Games without moves.
    pub empty: u64,
    /// The number of repeated games.
    pub repeated: u64,
    /// A player's rating is too low, or not known.
    pub rating: u64,
}

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

/// Half points of the side to move; a game without a result counts as a draw.
pub fn half_points(result: u8, is_white: bool) -> u32 {
    match (result, is_white) {
        (1, true) | (3, false) => 2,
        (1, false) | (3, true) => 0,
        _ => 1,
    }
}

/// The beginning of the file.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned,
)]
#[repr(C)]
pub struct Header {
    pub magic: [u8; 8],
    pub version: U32,
    min_elo: U16,
    /// 1 if boards are kept.
    cases: u8,
    unused: u8,
    left_out: [U64; 5],
    /// The number of records of each table.
    counts: [U64; 7],
}

impl Header {
    pub fn settings(&self) -> Settings {
        Settings {
            min_elo: self.min_elo.get(),
            cases: self.cases == 1,
        }
    }

    pub fn left_out(&self) -> LeftOut {
        let [broken, variant, empty, repeated, rating] = self.left_out.map(U64::get);
        LeftOut {
            broken,
            variant,
            empty,
            repeated,
            rating,
        }
    }

    /// The number of records of a table.
    pub fn count(&self, name: Name) -> u64 {
        self.counts[name as usize].get()
    }

    /// The place where a table begins.
    pub fn start(&self, name: Name) -> u64 {
        let before = Name::ALL[..name as usize].iter();
        before.fold(size_of::<Header>() as u64, |start, &name| {
            start.saturating_add(self.count(name).saturating_mul(name.record()))
        })
    }

    /// The size of the whole file.
    pub fn file_size(&self) -> u64 {
        let cases = self.count(Name::Cases).saturating_mul(Name::Cases.record());
        self.start(Name::Cases)
            .saturating_add(cases)
            .saturating_add(CHECKSUM)
    }
}

/// Bytes of the checksum at the end.
pub const CHECKSUM: u64 = 4;

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
    pub month: u8,
    pub day: u8,
    /// See [`result_number`].
    pub result: u8,
}

/// The games with a certain move in a position.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    FromBytes,
    IntoBytes,
    Immutable,
    KnownLayout,
    Unaligned,
)]
#[repr(C)]
pub struct PositionRecord {
    /// The Polyglot key.
    pub key: U64,
    /// The move, with the squares of the board unmirrored.
    pub mv: SmallMove,
    pub games: U32,
    /// Half points from the games for the side to move.
    pub half_points: U32,
    /// The year of the last game, 0 if unknown.
    pub year: U16,
    /// The rating of the strongest player of the move, 0 if unknown.
    pub elo: U16,
}

impl PositionRecord {
    /// Counts the games of the same move in the same position, too.
    pub fn add(&mut self, other: &PositionRecord) {
        self.games = self.games.get().saturating_add(other.games.get()).into();
        self.half_points = self
            .half_points
            .get()
            .saturating_add(other.half_points.get())
            .into();
        self.year = self.year.max(other.year);
        self.elo = self.elo.max(other.elo);
    }
}

/// The number of times that a reaction followed an action.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    FromBytes,
    IntoBytes,
    Immutable,
    KnownLayout,
    Unaligned,
)]
#[repr(C)]
pub struct ReactionRecord {
    pub action: ActionKey,
    /// The reaction as a move of the other colour: both keys are written as White's moves.
    pub reaction: ActionKey,
    pub count: U32,
}

/// The number of cases of an action.
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
pub struct ActionRecord {
    pub action: ActionKey,
    pub cases: U32,
}

/// The last half-move of a game with room for its number: later cases are not kept.
pub const LAST_PLY: u16 = 1023;

/// A case of a game of the library.
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
pub struct CaseRecord {
    planes: [U64; 4],
    pub game: U32,
    /// The lowest 15 bits; the highest is set if Black acted.
    reaction: U16,
    /// The number of the reaction in its game, and from bit 10 on the square of origin of the
    /// action.
    place: U16,
}

impl CaseRecord {
    pub fn new(case: &Case) -> CaseRecord {
        let (GameId::Library(game) | GameId::Own(game)) = case.game;
        let colour = u16::from(case.actor == Color::Black) << 15;
        CaseRecord {
            planes: case.planes.0.map(U64::new),
            game: game.into(),
            reaction: (case.reaction.bits() | colour).into(),
            place: (case.ply | u16::from(case.source) << 10).into(),
        }
    }

    /// The board after the action.
    #[inline]
    pub fn planes(&self) -> Planes {
        Planes(self.planes.map(U64::get))
    }

    /// Returns the square of origin of the action's piece.
    #[inline]
    pub fn source(&self) -> u8 {
        (self.place.get() >> 10) as u8
    }

    /// The number of the reaction in its game.
    #[inline]
    pub fn ply(&self) -> u16 {
        self.place.get() & LAST_PLY
    }

    #[inline]
    pub fn case(&self) -> Case {
        let reaction = self.reaction.get();
        Case {
            planes: self.planes(),
            game: GameId::Library(self.game.get()),
            reaction: SmallMove::from_bits(reaction & 0x7fff),
            actor: if reaction >> 15 == 1 {
                Color::Black
            } else {
                Color::White
            },
            ply: self.ply(),
            source: self.source(),
        }
    }
}

/// The tables of a library, sorted for the file.
#[derive(Debug, Default)]
pub struct Tables {
    /// The names, each with a line feed at its end.
    pub names: Vec<u8>,
    pub games: Vec<GameRecord>,
    pub moves: Vec<SmallMove>,
    pub positions: Vec<PositionRecord>,
    pub reactions: Vec<ReactionRecord>,
    pub actions: Vec<ActionRecord>,
}

/// Writes a library. The number of `cases` is the sum over the actions.
///
/// # Errors
/// The errors of the file.
pub fn write(
    file: impl Write,
    settings: Settings,
    left_out: LeftOut,
    tables: &Tables,
    cases: impl ExactSizeIterator<Item = CaseRecord>,
) -> io::Result<()> {
    let Tables {
        names,
        games,
        moves,
        positions,
        reactions,
        actions,
    } = tables;
    let LeftOut {
        broken,
        variant,
        empty,
        repeated,
        rating,
    } = left_out;
    let counts = [
        names.len(),
        games.len(),
        moves.len(),
        positions.len(),
        reactions.len(),
        actions.len(),
        cases.len(),
    ];
    let head = Header {
        magic: MAGIC,
        version: VERSION.into(),
        min_elo: settings.min_elo.into(),
        cases: settings.cases.into(),
        unused: 0,
        left_out: [broken, variant, empty, repeated, rating].map(U64::new),
        counts: counts.map(|count| U64::new(count as u64)),
    };
    let mut file = CrcWriter::new(file);
    file.write_all(head.as_bytes())?;
    file.write_all(names)?;
    file.write_all(games.as_bytes())?;
    file.write_all(moves.as_bytes())?;
    file.write_all(positions.as_bytes())?;
    file.write_all(reactions.as_bytes())?;
    file.write_all(actions.as_bytes())?;
    for case in cases {
        file.write_all(case.as_bytes())?;
    }
    let checksum = file.crc().sum();
    file.write_all(&checksum.to_le_bytes())
}

//! The file of a library, and the records in it. All numbers are little-endian.
//!
//! ```text
//! head        32 bytes: magic, version, place, length and CRC-32 of the contents, CRC-32 of the head
//! names       texts of players, events and starts, each ended by a line feed
//! games       32 bytes each, in the order in which they were read
//! moves       2 bytes each, game by game
//! positions   24 bytes: what was played where, by Polyglot key and move; of those that came twice or more
//! reactions    8 bytes: action, reaction, how often; by both
//! actions      8 bytes: action, number of its cases; by action
//! cases       40 bytes: boards in four planes, reaction, place, game; by action, game and place
//! contents    JSON: settings, and place, length and CRC-32 of each section
//! ```
//!
//! The same games in the same order give the same bytes.

use std::fs::File;
use std::io::{self, BufWriter, Seek as _, SeekFrom, Write as _};

use chess::Color;
use serde::{Deserialize, Serialize};
use shakmaty::{KnownOutcome, Outcome};

use super::case::{ActionKey, Case, GameId, Planes, SmallMove};

pub const MAGIC: [u8; 8] = *b"KASHANLB";
/// Of the format. A program that does not know it refuses the file.
pub const VERSION: u32 = 1;
pub const HEAD: usize = Head::SIZE;

/// A part of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
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
    pub const ALL: [Name; 7] =
        [Name::Names, Name::Games, Name::Moves, Name::Positions, Name::Reactions, Name::Actions, Name::Cases];

    /// Bytes of a record.
    pub fn record(self) -> u64 {
        match self {
            Name::Names => 1,
            Name::Games => GameRecord::SIZE as u64,
            Name::Moves => 2,
            Name::Positions => PositionRecord::SIZE as u64,
            Name::Reactions | Name::Actions => 8,
            Name::Cases => CASE as u64,
        }
    }
}

/// Where a part stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    pub name: Name,
    pub start: u64,
    /// Bytes.
    pub length: u64,
    pub crc: u32,
}

impl Section {
    /// How many records there are.
    pub fn count(&self) -> u64 {
        self.length / self.name.record()
    }
}

/// What decides which games and what of them is in a library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Settings {
    /// Both players have to have this rating.
    pub min_elo: u16,
    /// Whether boards are kept.
    pub cases: bool,
}

/// Games that were read and are not in the library, by the reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct LeftOut {
    /// Something is wrong with them.
    pub broken: u64,
    /// Of other rules.
    pub variant: u64,
    /// Without moves.
    pub empty: u64,
    /// The same game is there already.
    pub repeated: u64,
    /// A player's rating is too low, or not known.
    pub rating: u64,
}

/// The end of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Contents {
    pub settings: Settings,
    pub left_out: LeftOut,
    pub sections: Vec<Section>,
}

/// Results, in the places of the bytes that stand for them.
const RESULTS: [Outcome; 4] = [
    Outcome::Unknown,
    Outcome::Known(KnownOutcome::Decisive { winner: shakmaty::Color::White }),
    Outcome::Known(KnownOutcome::Draw),
    Outcome::Known(KnownOutcome::Decisive { winner: shakmaty::Color::Black }),
];

/// A result as a byte: 0 if it is not known, 1 if White won, 2 for a draw, 3 if Black won.
pub fn result_number(outcome: Outcome) -> u8 {
    RESULTS.iter().position(|&known| known == outcome).unwrap_or(0) as u8
}

/// See [`result_number`].
pub fn result(number: u8) -> Outcome {
    RESULTS.get(usize::from(number)).copied().unwrap_or(Outcome::Unknown)
}

/// Half points of the side to move; a game without a result counts as a draw.
pub fn half_points(result: u8, is_white: bool) -> u32 {
    match (result, is_white) {
        (1, true) | (3, false) => 2,
        (1, false) | (3, true) => 0,
        _ => 1,
    }
}

pub(super) fn put<const N: usize>(bytes: &mut [u8], at: usize, value: [u8; N]) {
    bytes[at..at + N].copy_from_slice(&value);
}

#[inline]
pub(super) fn get<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    bytes[at..at + N].try_into().expect("as long as it is")
}

/// Declares a record of so many bytes, each of its numbers with the place where it begins.
macro_rules! record {
    (
        $(#[$meta:meta])*
        $visibility:vis struct $name:ident, $size:literal bytes {
            $($(#[doc = $about:literal])* $field:ident: $type:ty, $at:literal;)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
        $visibility struct $name { $($(#[doc = $about])* pub $field: $type),+ }

        impl $name {
            pub const SIZE: usize = $size;

            pub fn to_bytes(self) -> [u8; Self::SIZE] {
                let mut bytes = [0; Self::SIZE];
                $($crate::engine::library::format::put(&mut bytes, $at, self.$field.to_le_bytes());)+
                bytes
            }

            pub fn from_bytes(bytes: &[u8; Self::SIZE]) -> $name {
                $name { $($field: <$type>::from_le_bytes($crate::engine::library::format::get(bytes, $at))),+ }
            }
        }
    };
}
pub(super) use record;

record! {
    /// The beginning of the file.
    pub struct Head, 32 bytes {
        /// [`MAGIC`] as a number.
        magic: u64, 0;
        version: u32, 8;
        /// Of the contents, in bytes.
        length: u32, 12;
        /// Where the contents begin.
        start: u64, 16;
        /// Of the contents.
        crc: u32, 24;
        /// Of all before it.
        own_crc: u32, 28;
    }
}

record! {
    /// A game.
    pub struct GameRecord, 32 bytes {
        /// Numbers of names.
        white: u32, 0;
        black: u32, 4;
        event: u32, 8;
        /// The name that is the FEN of the first position, plus 1; 0 for the usual start.
        start: u32, 12;
        /// The number of its first move among all moves.
        moves: u32, 16;
        plies: u16, 20;
        /// 0 if it is not known, as all that follows.
        year: u16, 22;
        month: u8, 28;
        day: u8, 29;
        white_elo: u16, 24;
        black_elo: u16, 26;
        /// See [`result_number`].
        result: u8, 30;
    }
}

record! {
    /// How often a move was played in a position.
    pub struct PositionRecord, 24 bytes {
        /// The Polyglot key.
        key: u64, 0;
        /// With the squares of the board as it is.
        mv: SmallMove, 16;
        games: u32, 8;
        /// Half points that the games brought to whoever moved.
        half_points: u32, 12;
        /// Of the last game, 0 if it is not known.
        year: u16, 18;
        /// Of the strongest player who played it, 0 if it is not known.
        elo: u16, 20;
    }
}

impl PositionRecord {
    /// Counts the games of the same move in the same position, too.
    pub fn add(&mut self, other: &PositionRecord) {
        self.games = self.games.saturating_add(other.games);
        self.half_points = self.half_points.saturating_add(other.half_points);
        self.year = self.year.max(other.year);
        self.elo = self.elo.max(other.elo);
    }
}

record! {
    /// How often a reaction followed an action.
    pub struct ReactionRecord, 8 bytes {
        action: ActionKey, 0;
        /// As a move of the other colour: both keys are as if White moved.
        reaction: ActionKey, 2;
        count: u32, 4;
    }
}

record! {
    /// How many cases an action has.
    pub struct ActionRecord, 8 bytes {
        action: ActionKey, 0;
        cases: u32, 4;
    }
}

/// Bytes of a case.
pub const CASE: usize = 40;
/// Cases that come later in a game, in half-moves, are not kept: there is no room for their number.
pub const LAST_PLY: u16 = 1023;

/// The case as a record; its game is one of the library.
pub fn case_to_bytes(case: &Case) -> [u8; CASE] {
    let mut bytes = [0; CASE];
    put(&mut bytes, 0, case.planes.to_le_bytes());
    let (GameId::Library(game) | GameId::Own(game)) = case.game;
    let colour = u16::from(case.actor == Color::Black) << 15;
    put(&mut bytes, 32, game.to_le_bytes());
    put(&mut bytes, 36, (case.reaction.0 | colour).to_le_bytes());
    put(&mut bytes, 38, (case.ply | u16::from(case.source) << 10).to_le_bytes());
    bytes
}

/// The board of a case as a record.
#[inline]
pub fn case_planes(bytes: &[u8; CASE]) -> Planes {
    Planes::from_le_bytes(get(bytes, 0))
}

/// From where the piece of the action came.
#[inline]
pub fn case_source(bytes: &[u8; CASE]) -> u8 {
    bytes[39] >> 2
}

/// The case of a record.
#[inline]
pub fn case_from_bytes(bytes: &[u8; CASE]) -> Case {
    let short = |at| u16::from_le_bytes(get(bytes, at));
    Case {
        planes: case_planes(bytes),
        game: GameId::Library(u32::from_le_bytes(get(bytes, 32))),
        reaction: SmallMove(short(36) & 0x7fff),
        actor: if short(36) >> 15 == 1 { Color::Black } else { Color::White },
        ply: short(38) & LAST_PLY,
        source: case_source(bytes),
    }
}

/// The head of a file.
pub fn head(start: u64, contents: &[u8]) -> [u8; Head::SIZE] {
    let (length, crc) = (contents.len() as u32, crc32fast::hash(contents));
    let magic = u64::from_le_bytes(MAGIC);
    let mut head = Head { magic, version: VERSION, length, start, crc, own_crc: 0 };
    head.own_crc = crc32fast::hash(&head.to_bytes()[..28]);
    head.to_bytes()
}

/// Writes a file, section by section.
pub struct Writer {
    file: BufWriter<File>,
    at: u64,
    sections: Vec<Section>,
    crc: crc32fast::Hasher,
}

impl Writer {
    /// Begins a file, which is empty.
    pub fn new(file: File) -> io::Result<Writer> {
        let mut file = BufWriter::with_capacity(1 << 20, file);
        // What is not finished is no library.
        file.write_all(&[0; HEAD])?;
        Ok(Writer { file, at: HEAD as u64, sections: Vec::new(), crc: crc32fast::Hasher::new() })
    }

    /// Writes a section.
    pub fn section<B: AsRef<[u8]>>(
        &mut self,
        name: Name,
        parts: impl IntoIterator<Item = B>,
    ) -> io::Result<()> {
        self.begin(name);
        parts.into_iter().try_for_each(|part| self.write(part.as_ref()))?;
        self.end();
        Ok(())
    }

    /// Begins the next section.
    pub fn begin(&mut self, name: Name) {
        self.sections.push(Section { name, start: self.at, length: 0, crc: 0 });
    }

    /// Adds to the section that was begun.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)?;
        self.crc.update(bytes);
        self.at += bytes.len() as u64;
        Ok(())
    }

    /// Ends the section.
    pub fn end(&mut self) {
        let crc = std::mem::take(&mut self.crc).finalize();
        if let Some(section) = self.sections.last_mut() {
            (section.length, section.crc) = (self.at - section.start, crc);
        }
    }

    /// Ends the file; when this returns it is on the disk.
    pub fn finish(mut self, settings: Settings, left_out: LeftOut) -> io::Result<()> {
        let contents = Contents { settings, left_out, sections: std::mem::take(&mut self.sections) };
        let contents = serde_json::to_vec(&contents)?;
        self.file.write_all(&contents)?;
        let mut file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&head(self.at, &contents))?;
        file.sync_all()
    }
}

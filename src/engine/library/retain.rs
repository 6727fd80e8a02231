//! Cases of our own games: the phase Retain of the paper (3.5, Algorithm 4).
//!
//! They stand in a file beside the immutable library: records of 96 bytes, the first of them a
//! head. A record is appended under a lock of the file, so that two engines can keep the same file;
//! a half-written record of a killed engine is dropped by the next engine.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use chess::{Board, ChessMove, Color};
use shakmaty::Outcome;
use zerocopy::little_endian::{U16, U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned, transmute};

use super::case::{Action, ActionKey, Case, GameId, Planes, SmallMove};
use super::error::LibraryError;
use super::format::{GameRecord, result_number};
use crate::util::files;

const MAGIC: [u8; 8] = *b"KASHANOW";
const VERSION: u32 = 1;
const RECORD: usize = size_of::<OwnRecord>();
/// The last four bytes of a record are the CRC-32 of the others.
const CRC: usize = RECORD - 4;

/// An appended record: a case, or the result of a game.
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
struct OwnRecord {
    /// [`KIND_CASE`] or [`KIND_RESULT`].
    kind: u8,
    /// Case: 1 if Black acted. Result: see [`result_number`].
    value: u8,
    key: ActionKey,
    /// The opponent's move and ours, on the board from the opponent's side.
    action: SmallMove,
    reaction: SmallMove,
    ply: U16,
    year: U16,
    unused: [u8; 4],
    /// The board after the opponent's move, and before it, with our side to move in both.
    after: [U64; 4],
    before: [U64; 4],
    /// A number in common to the records of one game.
    game: U64,
    unused_too: [u8; 4],
    /// The CRC-32 of all fields before.
    crc: U32,
}

const KIND_CASE: u8 = 1;
const KIND_RESULT: u8 = 2;

/// A move of ours, and the opponent's move before it.
#[derive(Clone, Copy, Debug)]
pub struct OwnCase<'b> {
    /// The board before the opponent's move.
    pub before: &'b Board,
    /// The opponent's move.
    pub action: ChessMove,
    /// Our move.
    pub reaction: ChessMove,
    /// The number of our move in the game, from 0 for the first move of the game.
    pub ply: u16,
}

/// Appends the cases of one game of ours.
#[derive(Clone, Debug)]
pub struct Retain {
    path: PathBuf,
    /// The fields in common to all records of the game.
    blank: OwnRecord,
}

/// Returns the path of the file for own cases of a library.
pub fn beside(library: &Path) -> PathBuf {
    files::beside(library, ".own")
}

impl Retain {
    /// Begins a game with cases for the file at `path`. The first case is the first thing written.
    pub fn new(path: &Path) -> Retain {
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let today = jiff::Timestamp::now()
            .to_zoned(jiff::tz::TimeZone::UTC)
            .date();
        let blank = OwnRecord {
            game: (now.as_nanos() as u64 ^ u64::from(std::process::id()) << 48).into(),
            year: u16::try_from(today.year()).unwrap_or(0).into(),
            ..OwnRecord::default()
        };
        Retain {
            path: path.to_path_buf(),
            blank,
        }
    }

    /// Returns the path of the file for the cases.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a case. An appended case outlives this program, even after a crash.
    ///
    /// # Errors
    /// The file is not ours or cannot be written.
    pub fn add(&mut self, case: &OwnCase<'_>) -> Result<(), LibraryError> {
        let actor = case.before.side_to_move();
        let record = OwnRecord {
            kind: KIND_CASE,
            value: u8::from(actor == Color::Black),
            key: Action::of(case.before, case.action).key,
            action: SmallMove::of(case.action, actor),
            reaction: SmallMove::of(case.reaction, actor),
            ply: case.ply.into(),
            after: Planes::of(&case.before.make_move_new(case.action))
                .0
                .map(U64::new),
            before: Planes::of(case.before).0.map(U64::new),
            ..self.blank
        };
        self.append(record, false)
    }

    /// Says how the game ended, and brings the game to the disk.
    ///
    /// # Errors
    /// The file is not ours or cannot be written.
    pub fn result(&mut self, result: Outcome) -> Result<(), LibraryError> {
        self.append(
            OwnRecord {
                kind: KIND_RESULT,
                value: result_number(result),
                ..self.blank
            },
            true,
        )
    }

    fn append(&self, record: OwnRecord, sync: bool) -> Result<(), LibraryError> {
        let mut record: [u8; RECORD] = transmute!(record);
        seal(&mut record);
        let io_error = |cause| LibraryError::Unwritable {
            path: self.path.clone(),
            cause,
        };
        let mut file = files::open(&self.path).map_err(io_error)?;
        // The lock goes with the file, and with the process.
        if !files::lock(&file).map_err(io_error)? {
            return Err(io_error(io::Error::other("another program holds it")));
        }
        let end = whole_records(&mut file, &self.path)?;
        let mut append = || -> io::Result<()> {
            file.set_len(end)?;
            file.seek(SeekFrom::Start(end))?;
            let head = head();
            let bytes = if end == 0 {
                [head, record].concat()
            } else {
                record.to_vec()
            };
            file.write_all(&bytes)?;
            if sync { file.sync_data() } else { Ok(()) }
        };
        append().map_err(io_error)
    }
}

fn head() -> [u8; RECORD] {
    let mut head = [0; RECORD];
    head[..8].copy_from_slice(&MAGIC);
    head[8..12].copy_from_slice(&VERSION.to_le_bytes());
    seal(&mut head);
    head
}

fn seal(record: &mut [u8; RECORD]) {
    let crc = files::crc(&record[..CRC]);
    record[CRC..].copy_from_slice(&crc.to_le_bytes());
}

fn is_sealed(record: &[u8]) -> bool {
    record.len() == RECORD && files::crc(&record[..CRC]).to_le_bytes() == record[CRC..]
}

/// Returns the number of surely whole bytes: the rest was being written when a program or the
/// machine ended.
fn whole_records(file: &mut File, path: &Path) -> Result<u64, LibraryError> {
    let io_error = |cause| LibraryError::Unreadable {
        path: path.to_path_buf(),
        cause,
    };
    let mut read = |at: u64, record: &mut Vec<u8>| -> io::Result<()> {
        record.clear();
        file.seek(SeekFrom::Start(at))?;
        (&*file).take(RECORD as u64).read_to_end(record).map(|_| ())
    };
    let mut record = Vec::new();
    read(0, &mut record).map_err(io_error)?;
    if !check_head(&record, path)? {
        return Ok(0);
    }
    let size = RECORD as u64;
    let mut end = fs::metadata(path).map_err(io_error)?.len() / size * size;
    while end > size {
        read(end - size, &mut record).map_err(io_error)?;
        if is_sealed(&record) {
            break;
        }
        end -= size;
    }
    Ok(end)
}

/// Returns true if the file begins with a whole head; a file with a torn head is empty.
fn check_head(bytes: &[u8], path: &Path) -> Result<bool, LibraryError> {
    let path = || path.to_path_buf();
    let begin = bytes.len().min(8);
    if bytes[..begin] != MAGIC[..begin] {
        return Err(LibraryError::Foreign { path: path() });
    }
    if bytes.len() < RECORD {
        return Ok(false);
    }
    let version = u32::from_le_bytes([bytes[8], bytes[9], bytes[10], bytes[11]]);
    match version {
        _ if !is_sealed(&bytes[..RECORD]) => Err(LibraryError::Damaged {
            path: path(),
            what: "its first record does not fit its checksum",
        }),
        VERSION => Ok(true),
        version => Err(LibraryError::Version {
            path: path(),
            version,
            known: VERSION,
        }),
    }
}

/// A game of ours, as far as its cases tell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnGame {
    /// Year and result.
    pub record: GameRecord,
    /// We played Black.
    pub as_black: bool,
    /// The pairs, by the number of our move.
    pub pairs: BTreeMap<u16, OwnPair>,
}

/// The opponent's move and ours, with the squares of the board unmirrored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnPair {
    /// The board before the opponent's move, with the reacting side to move.
    pub before: Planes,
    pub action: SmallMove,
    pub reaction: SmallMove,
}

impl OwnGame {
    /// Returns the moves from our move of this number on, up to the first gap.
    pub fn moves_from(&self, ply: u16) -> Vec<SmallMove> {
        let mut moves = Vec::new();
        let pairs = self.pairs.range(ply..).zip((u32::from(ply)..).step_by(2));
        for ((_, pair), _) in pairs.take_while(|((ply, _), wanted)| u32::from(**ply) == *wanted) {
            moves.extend([pair.action, pair.reaction]);
        }
        // The action of the first pair came before.
        moves.into_iter().skip(1).collect()
    }

    /// Returns the numbers of our moves without a known move before.
    pub fn beginnings(&self) -> impl Iterator<Item = (u16, &OwnPair)> {
        let is_first = |ply: u16| {
            ply.checked_sub(2)
                .is_none_or(|before| !self.pairs.contains_key(&before))
        };
        self.pairs
            .iter()
            .map(|(&ply, pair)| (ply, pair))
            .filter(move |&(ply, _)| is_first(ply))
    }
}

/// The content of a file of own cases.
#[derive(Clone, Debug, Default)]
pub struct Own {
    /// The cases with their actions, in the order of appending.
    pub cases: Vec<(ActionKey, Case)>,
    pub games: Vec<OwnGame>,
}

/// Returns true if a file begins like one of own cases.
pub fn is_own(path: &Path) -> bool {
    path.is_file() && files::beginning(path, 8).is_ok_and(|begin| begin == MAGIC)
}

impl Own {
    /// Reads a file; a missing file is empty.
    ///
    /// # Errors
    /// An unreadable file, a file of another kind, or a damaged record before the last.
    pub fn read(path: &Path) -> Result<Own, LibraryError> {
        let unreadable = |cause| LibraryError::Unreadable {
            path: path.to_path_buf(),
            cause,
        };
        let Some(bytes) = files::content(path).map_err(unreadable)? else {
            return Ok(Own::default());
        };
        if !check_head(&bytes, path)? {
            return Ok(Own::default());
        }
        let records = &bytes.as_chunks::<RECORD>().0[1..];
        // What a machine that failed had not brought to the disk stands at the end.
        let whole = records
            .iter()
            .rposition(|record| is_sealed(record))
            .map_or(0, |last| last + 1);
        let mut own = Own::default();
        let mut numbers = BTreeMap::new();
        for (index, record) in records[..whole].iter().enumerate() {
            if !is_sealed(record) {
                return Err(LibraryError::DamagedOwn {
                    path: path.to_path_buf(),
                    record: index + 1,
                });
            }
            own.add(transmute!(*record), &mut numbers);
        }
        Ok(own)
    }

    /// Adds a record. `numbers` are the numbers of the games, by the records' own number and by our
    /// colour (true for Black): Kashan against itself gives two games.
    fn add(&mut self, record: OwnRecord, numbers: &mut BTreeMap<(u64, bool), u32>) {
        match record.kind {
            KIND_CASE => {
                let actor = if record.value == 1 {
                    Color::Black
                } else {
                    Color::White
                };
                let as_black = actor == Color::White;
                let number = *numbers
                    .entry((record.game.get(), as_black))
                    .or_insert_with(|| {
                        let record = GameRecord {
                            year: record.year,
                            ..GameRecord::default()
                        };
                        self.games.push(OwnGame {
                            record,
                            as_black,
                            ..OwnGame::default()
                        });
                        (self.games.len() - 1) as u32
                    });
                let game = &mut self.games[number as usize];
                let [action, reaction] = [record.action, record.reaction]
                    .map(|mv| SmallMove::from_bits(mv.bits() & 0x7fff));
                let ply = record.ply.get();
                let [before, planes] =
                    [record.before, record.after].map(|board| Planes(board.map(U64::get)));
                let real = |mv: SmallMove| SmallMove::of(mv.chess_move(actor), Color::White);
                game.pairs.insert(
                    ply,
                    OwnPair {
                        before,
                        action: real(action),
                        reaction: real(reaction),
                    },
                );
                let game = GameId::Own(number);
                let case = Case {
                    planes,
                    reaction,
                    ply,
                    source: action.source(),
                    actor,
                    game,
                };
                self.cases.push((record.key, case));
            }
            KIND_RESULT => {
                for as_black in [false, true] {
                    if let Some(&number) = numbers.get(&(record.game.get(), as_black)) {
                        self.games[number as usize].record.result = record.value.min(3);
                    }
                }
            }
            // What a later version may add.
            _ => {}
        }
    }
}

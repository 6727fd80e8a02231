//! Cases of our own games: the phase Retain of the paper (3.5, Algorithm 4).
//!
//! They stand in a file beside the immutable library, each in a line of JSON. A line is appended
//! under a lock of the file, so that two engines can keep the same file; a half-written line of a
//! killed engine is dropped by the next engine.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{anyhow, ensure};
use chess::{Board, ChessMove, Color};
use serde::{Deserialize, Serialize};
use shakmaty::Outcome;

use super::case::{Planes, SmallMove};

use super::format::Contents;
use super::game::LibraryGame;
use super::store::unreadable;
use crate::rules::position::Position;
use crate::util::files;

/// Begins every file: the first line is a case.
const MARK: &str = "{\"case\":{\"game\":";

/// No line has so many bytes.
const LONGEST_LINE: u64 = 4096;

/// A line of the file: a case, or the result of the game of the last case. `game` is a number in
/// common to the lines of one engine.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum OwnLine {
    Case {
        game: u64,
        year: u16,
        /// The position before the opponent's move.
        fen: String,
        /// The opponent's move and ours, as `e2e4`.
        moves: [String; 2],
    },
    /// The result in PGN notation.
    Result { game: u64, result: String },
}

/// A move of ours, and the opponent's move before it.
#[derive(Clone, Copy, Debug)]
pub struct OwnCase<'b> {
    /// The board before the opponent's move.
    pub before: &'b Board,
    /// The number of the opponent's move, from 1.
    pub full_move: u32,
    /// The opponent's move.
    pub action: ChessMove,
    /// Our move.
    pub reaction: ChessMove,
}

/// Appends the cases and results of our games to files.
#[derive(Clone, Debug)]
pub struct Retain {
    /// The number in the lines, another one for each engine.
    game: u64,
}

/// Returns the path of the file for own cases of a library.
pub fn beside(library: &Path) -> PathBuf {
    files::beside(library, ".own")
}

/// Returns true if a file begins like one of own cases.
pub fn is_own(path: &Path) -> bool {
    let beginning = || files::beginning(path, MARK.len() as u64);
    path.is_file() && beginning().is_ok_and(|begin| begin == MARK.as_bytes())
}

impl Default for Retain {
    fn default() -> Retain {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let game = now.unwrap_or_default().as_nanos() as u64;
        Retain {
            game: game ^ u64::from(std::process::id()) << 48,
        }
    }
}

impl Retain {
    /// Appends a case to the file at `path`. An appended case outlives this program, even after a
    /// crash.
    ///
    /// # Errors
    /// The file is not ours or cannot be written.
    pub fn add(&self, path: &Path, case: &OwnCase<'_>) -> anyhow::Result<()> {
        let now = jiff::Timestamp::now();
        let today = now.to_zoned_datetime(jiff::tz::TimeZone::UTC).date();
        let board = Planes::of(case.before).fen(!case.before.side_to_move());
        let line = OwnLine::Case {
            game: self.game,
            year: u16::try_from(today.year()).unwrap_or(0),
            fen: format!("{board} 0 {}", case.full_move),
            moves: [case.action, case.reaction].map(|mv| mv.to_string()),
        };
        append(path, &line, false)
    }

    /// Says how the game of the last case ended, and brings the game to the disk.
    ///
    /// # Errors
    /// The file is not ours or cannot be written.
    pub fn result(&self, path: &Path, result: Outcome) -> anyhow::Result<()> {
        let line = OwnLine::Result {
            game: self.game,
            result: result.to_string(),
        };
        append(path, &line, true)
    }
}

fn append(path: &Path, line: &OwnLine, sync: bool) -> anyhow::Result<()> {
    let io_error = |cause: io::Error| anyhow!("cannot write {}: {cause}", path.display());
    let mut file = files::open(path).map_err(io_error)?;
    // The lock goes with the file, and with the process.
    if !files::lock(&file).map_err(io_error)? {
        return Err(io_error(io::Error::other("another program holds it")));
    }
    let beginning = files::beginning(path, MARK.len() as u64).map_err(io_error)?;
    check_beginning(path, &beginning)?;
    let mut text = serde_json::to_vec(line).expect("texts and numbers can be written");
    text.push(b'\n');
    let mut append = || -> io::Result<()> {
        let end = end_of_lines(&mut file)?;
        file.set_len(end)?;
        file.seek(SeekFrom::Start(end))?;
        file.write_all(&text)?;
        if sync { file.sync_data() } else { Ok(()) }
    };
    append().map_err(io_error)
}

fn check_beginning(path: &Path, beginning: &[u8]) -> anyhow::Result<()> {
    ensure!(
        MARK.as_bytes().starts_with(beginning),
        "{} is no file of own cases: it begins with something else",
        path.display()
    );
    Ok(())
}

/// Returns the number of bytes of whole lines: the rest was being written when a program or the
/// machine ended.
fn end_of_lines(file: &mut File) -> io::Result<u64> {
    let begin = file.metadata()?.len().saturating_sub(LONGEST_LINE);
    file.seek(SeekFrom::Start(begin))?;
    let mut end = Vec::new();
    file.read_to_end(&mut end)?;
    let last = end.iter().rposition(|&byte| byte == b'\n');
    Ok(last.map_or(begin, |last| begin + last as u64 + 1))
}

/// Reads a file of own cases, as games in which each second move is ours; a missing file is empty.
///
/// # Errors
/// An unreadable file, a file of another kind, or a damaged line before the last.
pub fn read(path: &Path) -> anyhow::Result<Contents> {
    let content = files::content(path).map_err(|cause| unreadable(path, cause))?;
    let bytes = content.unwrap_or_default();
    check_beginning(path, &bytes[..bytes.len().min(MARK.len())])?;
    let mut own = OwnGames::default();
    let lines = bytes.split_inclusive(|&byte| byte == b'\n').zip(1..);
    // What a killed program had not finished stands at the end.
    for (line, number) in lines.filter(|(line, _)| line.ends_with(b"\n")) {
        ensure!(
            own.add(line).is_some(),
            "own cases {} are damaged in line {number}; move the file away, and the library is \
   used without",
            path.display()
        );
    }
    let mut contents = Contents::default();
    for OwnGame { game, .. } in own.games {
        contents
            .add(&game)
            .map_err(|error| unreadable(path, error))?;
    }
    Ok(contents)
}

/// A game of ours, as far as its cases tell.
struct OwnGame {
    game: LibraryGame,
    /// The board after its last move.
    board: Board,
}

/// The games of a file.
#[derive(Default)]
struct OwnGames {
    games: Vec<OwnGame>,
    /// The last game of each engine and colour of ours: Kashan against itself gives two games.
    last: BTreeMap<(u64, bool), usize>,
}

impl OwnGames {
    /// Adds a line; `None` if it is damaged.
    fn add(&mut self, line: &[u8]) -> Option<()> {
        match serde_json::from_slice(line).ok()? {
            OwnLine::Case {
                game,
                year,
                fen,
                moves,
            } => {
                let mut position = Position::from_fen(&fen).ok()?;
                let before = *position.board();
                let as_white = position.side_to_move() == Color::Black;
                let game = self.game(game, as_white, year, fen, before);
                for text in moves {
                    let mv = position.parse_move(&text).ok()?;
                    position.play(mv).ok()?;
                    game.game.moves.push(SmallMove::of(mv, Color::White));
                }
                // As the next line has it: an en-passant square only where the capture is legal.
                game.board = *Position::from_fen(&position.to_fen()).ok()?.board();
            }
            OwnLine::Result { game, result } => {
                let result = result.parse::<Outcome>().ok()?.known();
                for as_white in [false, true] {
                    if let Some(&last) = self.last.get(&(game, as_white)) {
                        self.games[last].game.result = result;
                    }
                }
            }
        }
        Some(())
    }

    /// Returns the engine's game that goes on with this board, or else begins one.
    fn game(
        &mut self,
        number: u64,
        as_white: bool,
        year: u16,
        start: String,
        board: Board,
    ) -> &mut OwnGame {
        let known = self.last.get(&(number, as_white)).copied();
        let known = known.filter(|&last| self.games[last].board == board);
        let index = known.unwrap_or_else(|| {
            let mut names: [String; 4] = Default::default();
            names[usize::from(!as_white)] = "Kashan".to_owned();
            if start != Position::default().to_fen() {
                names[3] = start;
            }
            let game = LibraryGame {
                names,
                year,
                ..LibraryGame::default()
            };
            self.games.push(OwnGame { game, board });
            self.games.len() - 1
        });
        self.last.insert((number, as_white), index);
        &mut self.games[index]
    }
}

//! Sources of openings: games and lists of positions.

use std::collections::{BTreeSet, HashMap};
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use anyhow::{anyhow, ensure};
use shakmaty::{CastlingMode, Chess};

use crate::arena::referee::Referee;
use crate::arena::{Opening, Reason};
use crate::rules::pgn::epd::{EpdLine, Lines};
use crate::rules::pgn::{PgnGame, Reader, Rules, Strict};
use crate::rules::position::notation::{read_fen, write_fen};
use crate::util::input;

/// The first `plies` half-moves of each game, named after a tag; games with the same beginning are
/// one opening. Broken games are left out, and their faults added to `faults`: an illegal start
/// position or move, an unreadable word, an early end. Later moves do not matter.
///
/// # Errors
/// The source cannot be read.
pub fn games(
    path: &Path,
    source: impl BufRead,
    plies: usize,
    name_tag: &str,
    faults: &mut Vec<String>,
) -> anyhow::Result<Vec<Opening>> {
    let mut games = Reader::new(source);
    let mut list = Vec::new();
    let mut seen = BTreeSet::new();
    let rules = Rules {
        plies,
        strict: Strict::Words,
    };
    while let Some(text) = games
        .next_game()
        .map_err(|cause| unreadable(path, &cause))?
    {
        let first_line = text.text.trim_start().lines().next().unwrap_or_default();
        let is_position = EpdLine::read(first_line).is_ok_and(|line| read_fen(&line.fen).is_ok());
        ensure!(!is_position, bad_line(path, text.line, IS_LIST));
        let read = PgnGame::read(&text, &rules).map_err(|fault| fault.to_string());
        match read.and_then(|game| opening_of_game(&game, plies, name_tag)) {
            Ok(opening) => {
                if seen.insert((opening.fen.clone(), opening.moves.clone())) {
                    list.push(opening);
                }
            }
            Err(reason) => {
                let reason = format!("in game {}, which begins there: {reason}", text.number);
                faults.push(bad_line(path, text.line, &reason).to_string());
            }
        }
    }
    Ok(list)
}

fn opening_of_game(game: &PgnGame, plies: usize, name_tag: &str) -> Result<Opening, String> {
    let mut moves = Vec::new();
    for mv in &game.moves {
        moves.push(mv.mv.to_uci(CastlingMode::Standard).to_string());
    }
    let name = match game.tags.get(name_tag) {
        None | Some("" | "?") => None,
        Some(name) => Some(name),
    };
    let opening = playable(&game.start, moves, name)?;
    if opening.fen.is_none() && opening.moves.is_empty() && plies > 0 {
        return Err("no moves".to_owned());
    }
    Ok(opening)
}

/// The answer to games in a file that is read as a list of positions.
const IS_PGN: &str = "a tag of PGN, not a position: the name of a file of games ends in .pgn";

/// The answer to positions in a file that is read as games.
const IS_LIST: &str =
    "a position, not a game: the name of a list of positions ends in .epd or .fen";

/// A list of positions, one FEN or EPD a line. Lines are checked at their use, and only the played
/// openings are kept, whatever the size of the list.
#[derive(Debug)]
pub struct List {
    path: PathBuf,
    content: Vec<u8>,
}

impl List {
    pub fn new(path: &Path) -> anyhow::Result<List> {
        Ok(List {
            path: path.to_path_buf(),
            content: input::read(path).map_err(|cause| unreadable(path, &cause))?,
        })
    }

    /// The number of positions; with `strict` every line is checked.
    pub fn count(&self, strict: bool) -> anyhow::Result<usize> {
        let mut count = 0;
        self.each(|_, line| {
            count += 1;
            if strict {
                opening_of_line(line)?;
            }
            Ok(())
        })?;
        Ok(count)
    }

    /// The openings with these numbers, from 0.
    pub fn pick(&self, wanted: &[u32]) -> anyhow::Result<Vec<Opening>> {
        let mut picked: HashMap<_, _> = wanted.iter().map(|&number| (number, None)).collect();
        self.each(|number, line| {
            if let Some(picked) = picked.get_mut(&number) {
                *picked = Some(opening_of_line(line)?);
            }
            Ok(())
        })?;
        let picked = wanted.iter().filter_map(|number| picked[number].clone());
        Ok(picked.collect())
    }

    /// Goes through the lines; positions are numbered from 0. An error of `visit` gets the line's
    /// place.
    fn each(&self, mut visit: impl FnMut(u32, &[u8]) -> Result<(), String>) -> anyhow::Result<()> {
        let mut lines = Lines::new(self.content.as_slice());
        let mut number = 0;
        // A source in memory can always be read.
        while let Ok(Some((line, text))) = lines.next_line() {
            if number == 0 && text.starts_with(b"[") {
                return Err(bad_line(&self.path, line, IS_PGN));
            }
            visit(number, text).map_err(|reason| bad_line(&self.path, line, &reason))?;
            number = number.saturating_add(1);
        }
        Ok(())
    }
}

fn opening_of_line(line: &[u8]) -> Result<Opening, String> {
    let line = EpdLine::read(&input::decoded(line.to_vec()))?;
    line.check_operations()?;
    let name = line.operands("id").filter(|name| !name.is_empty());
    let start = read_fen(&line.fen).map_err(|error| error.to_string())?;
    playable(&start, Vec::new(), name)
}

/// An opening after whose moves, in coordinates, the game is not over.
fn playable(start: &Chess, moves: Vec<String>, name: Option<&str>) -> Result<Opening, String> {
    let mut opening = Opening {
        fen: Some(write_fen(start)),
        moves,
        name: name.map(str::to_owned),
    };
    let referee = Referee::new(&opening).map_err(|error| error.to_string())?;
    let why = match referee.outcome() {
        None => {
            opening.fen = referee.start_fen();
            return Ok(opening);
        }
        Some((_, Reason::Checkmate)) => {
            format!("{} mates", referee.turn().fold_wb("Black", "White"))
        }
        Some((_, reason)) => reason.to_string().to_lowercase(),
    };
    let place = match opening.moves.is_empty() {
        true => "there",
        false => "after the opening",
    };
    Err(format!("the game is over {place} ({why})"))
}

pub fn unreadable(path: &Path, cause: &io::Error) -> anyhow::Error {
    anyhow!("cannot read openings {}: {cause}", path.display())
}

/// Something is wrong on a line, counted from 1.
fn bad_line(path: &Path, line: u64, reason: &str) -> anyhow::Error {
    anyhow!("{}, line {line}: {reason}", path.display())
}

//! Games in order, as PGN, from files of any kind.

use std::fmt::Write as _;
use std::io::{BufRead, Cursor};
use std::path::Path;

use anyhow::ensure;
use chess::Color;

use crate::engine::library::format::{self, Contents, GameRecord, MAGIC};
use crate::engine::library::{read, retain};
use crate::rules::pgn::{Reader, tag_pair};
use crate::util::files;
use crate::util::input;

/// The games of a file.
pub struct Source {
    pub games: Reader<Box<dyn BufRead>>,
    /// True if the games stand there as PGN, in lines that can be named.
    pub is_pgn: bool,
}

/// Opens a file of games, a library, or a file of own cases.
pub fn open(path: &Path) -> anyhow::Result<Source> {
    let beginning = || files::beginning(path, MAGIC.len() as u64);
    if path.is_file() && beginning().is_ok_and(|begin| begin == MAGIC) {
        return Ok(games_of(&Contents::from_bytes(path, &read(path)?)?));
    }
    if retain::is_own(path) {
        return Ok(games_of(&retain::read(path)?));
    }
    let mut text = input::open(path)?;
    ensure!(
        !text.fill_buf()?.starts_with(&MAGIC),
        "it is a library, but compressed or behind a pipe: name the library itself"
    );
    Ok(Source {
        games: Reader::new(Box::new(text)),
        is_pgn: true,
    })
}

fn games_of(contents: &Contents) -> Source {
    let mut pgn = String::new();
    for game in &contents.games {
        add_game(&mut pgn, contents, game);
    }
    Source {
        games: Reader::new(Box::new(Cursor::new(pgn))),
        is_pgn: false,
    }
}

fn add_game(pgn: &mut String, contents: &Contents, game: &GameRecord) {
    let result = format::result(game.result).to_string();
    let tags = [
        ("White", contents.name(game.white)),
        ("Black", contents.name(game.black)),
        ("Event", contents.name(game.event)),
        ("Date", &game.year.to_string()),
        ("WhiteElo", &game.white_elo.to_string()),
        ("BlackElo", &game.black_elo.to_string()),
        ("Result", &result),
    ];
    pgn.extend(tags.map(|(name, value)| tag_pair(name, value)));
    // A start that the library has lost is no FEN, so that the game is left out.
    let start = contents.start(game);
    pgn.extend(start.map(|fen| tag_pair("FEN", if fen.is_empty() { "?" } else { fen })));
    pgn.push('\n');
    for mv in contents.moves_of(game) {
        let _ = write!(pgn, "{} ", mv.chess_move(Color::White));
    }
    let _ = write!(pgn, "{result}\n\n");
}

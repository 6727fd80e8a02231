//! The games of a library: in its file PGN compressed by gzip, in memory one table behind the
//! other. The cases are made from the games when the library is opened. The same games in the same
//! order give the same text.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{self, BufRead, Write as _};

use anyhow::{anyhow, ensure};
use chess::{Board, ChessMove, Color};
use flate2::Compression;
use flate2::write::GzEncoder;
use shakmaty::KnownOutcome;

use super::case::SmallMove;
use super::game::{self, LibraryGame};
use crate::rules::pgn::tag_pair;
use crate::rules::position::{Position, moves};

/// A game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameRecord {
    /// Numbers of names.
    pub white: u32,
    pub black: u32,
    pub event: u32,
    /// The name with the FEN of the first position; empty for the usual start.
    pub start: u32,
    /// The number of its first move among all moves.
    pub moves: u32,
    pub plies: u16,
    /// The year of the game; 0 for an unknown year, here and in the ratings.
    pub year: u16,
    /// The ratings of White and Black.
    pub elo: [u16; 2],
    pub result: Option<KnownOutcome>,
}

/// The games.
#[derive(Debug, Default)]
pub struct Contents {
    /// Players, events and FENs of unusual starts, each once.
    names: Vec<String>,
    numbers_of_names: HashMap<String, u32>,
    pub games: Vec<GameRecord>,
    /// The moves of all games.
    pub moves: Vec<SmallMove>,
}

impl Contents {
    /// Reads the PGN of a library.
    ///
    /// # Errors
    /// The text cannot be read, or a game of it, with the place; there is no game.
    pub fn read(source: impl BufRead) -> anyhow::Result<Contents> {
        let mut contents = Contents::default();
        game::each(source, |text, game| {
            let place = |fault| anyhow!("game {} (line {}): {fault}", text.number, text.line);
            contents.add(&game.map_err(place)?)
        })?;
        ensure!(!contents.games.is_empty(), "there is no game in it");
        Ok(contents)
    }

    /// Adds a game.
    ///
    /// # Errors
    /// There are more names or moves than can be numbered.
    pub fn add(&mut self, game: &LibraryGame) -> anyhow::Result<()> {
        let [white, black, event, start] = &game.names;
        let record = GameRecord {
            white: self.number_of(white)?,
            black: self.number_of(black)?,
            event: self.number_of(event)?,
            start: self.number_of(start)?,
            moves: u32::try_from(self.moves.len())?,
            plies: u16::try_from(game.moves.len())?,
            year: game.year,
            elo: game.elo,
            result: game.result,
        };
        self.games.push(record);
        self.moves.extend(&game.moves);
        Ok(())
    }

    /// The number of a name.
    fn number_of(&mut self, name: &str) -> anyhow::Result<u32> {
        let next = u32::try_from(self.names.len())?;
        let number = *self.numbers_of_names.entry(name.to_owned()).or_insert(next);
        if number == next {
            self.names.push(name.to_owned());
        }
        Ok(number)
    }

    /// The games as PGN, moves by their squares.
    pub fn to_pgn(&self) -> String {
        let mut pgn = String::new();
        for game in &self.games {
            self.add_pgn(&mut pgn, game);
        }
        pgn
    }

    fn add_pgn(&self, pgn: &mut String, game: &GameRecord) {
        let result = game.result.map_or("*", KnownOutcome::as_str);
        let number = |number: u16| match number {
            0 => String::new(),
            number => number.to_string(),
        };
        let [white, black] = game.elo;
        for (name, value) in [
            ("White", self.name(game.white)),
            ("Black", self.name(game.black)),
            ("Event", self.name(game.event)),
            ("Date", &number(game.year)),
            ("WhiteElo", &number(white)),
            ("BlackElo", &number(black)),
            ("FEN", self.name(game.start)),
            ("Result", result),
        ] {
            if !value.is_empty() {
                pgn.push_str(&tag_pair(name, value));
            }
        }
        pgn.push('\n');
        for mv in self.moves_of(game) {
            let _ = write!(pgn, "{} ", mv.chess_move(Color::White));
        }
        let _ = write!(pgn, "{result}\n\n");
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// Errors of the compression.
    pub fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let mut packed = GzEncoder::new(Vec::new(), Compression::best());
        packed.write_all(self.to_pgn().as_bytes())?;
        packed.finish()
    }

    /// A name by its number.
    pub fn name(&self, number: u32) -> &str {
        &self.names[number as usize]
    }

    /// The moves of a game.
    pub fn moves_of(&self, game: &GameRecord) -> &[SmallMove] {
        let first = game.moves as usize;
        &self.moves[first..first + usize::from(game.plies)]
    }

    /// The first position of a game; `None` if our searches know no such position.
    pub fn first_position(&self, game: &GameRecord) -> Option<Position> {
        match self.name(game.start) {
            "" => Some(Position::default()),
            fen => Position::from_fen(fen).ok(),
        }
    }

    /// Goes through a game. An unknown start, or an illegal move, ends the game.
    pub fn replay(&self, game: &GameRecord) -> Replay<'_> {
        Replay {
            board: self.first_position(game).map(|position| *position.board()),
            moves: self.moves_of(game).iter(),
        }
    }
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

//! Openings from games: their first moves.

use std::collections::BTreeSet;
use std::io::{Cursor, Seek as _};
use std::ops::ControlFlow;
use std::path::Path;

use pgn_reader::{RawTag, Reader, Skip, Visitor};
use shakmaty::san::SanPlus;

use super::{OpeningError, lines};
use crate::arena::Opening;
use crate::position::{Position, moves};

/// The tag that an opening is named after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    OpeningTag,
    /// In our own book the player of White is the name of the opening.
    WhiteTag,
}

/// The first `plies` half-moves of each game; games that begin alike are one opening.
///
/// # Errors
/// A start position or one of these moves that is not legal, a game that is over before. Later moves do not matter.
pub fn read(path: &Path, bytes: &[u8], plies: usize, name: Name) -> Result<Vec<Opening>, OpeningError> {
    let mut reader = Reader::new(Cursor::new(bytes));
    let mut seen = BTreeSet::new();
    let mut list = Vec::new();
    for game in 1.. {
        let unreadable = |source| OpeningError::Unreadable {
            path: path.to_path_buf(),
            source,
        };
        let start = reader.stream_position().map_err(unreadable)? as usize;
        match reader.read_game(&mut Line { plies, name }).map_err(unreadable)? {
            None => break,
            Some(Ok(opening)) => {
                if seen.insert((opening.fen.clone(), opening.moves.clone())) {
                    list.push(opening);
                }
            }
            Some(Err(reason)) => {
                return Err(OpeningError::Line {
                    path: path.to_path_buf(),
                    line: lines::number_at(bytes, start),
                    reason: format!("in game {game}, which begins there: {reason}"),
                });
            }
        }
    }
    Ok(list)
}

/// Reads one game.
struct Line {
    plies: usize,
    name: Name,
}

/// What is known of a game while it is read.
#[derive(Clone)]
struct Game {
    opening: Opening,
    position: Position,
}

impl Visitor for Line {
    type Tags = Game;
    type Movetext = Game;
    type Output = Result<Opening, String>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Self::Tags> {
        ControlFlow::Continue(Game {
            opening: Opening {
                fen: None,
                moves: Vec::new(),
                name: None,
            },
            position: Position::default(),
        })
    }

    fn tag(&mut self, game: &mut Self::Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        let named_after = match self.name {
            Name::OpeningTag => "Opening",
            Name::WhiteTag => "White",
        };
        let value = value.decode_utf8_lossy();
        if name.eq_ignore_ascii_case(b"FEN") {
            match Position::from_fen(&value) {
                Ok(position) => game.position = position,
                Err(error) => return ControlFlow::Break(Err(error.to_string())),
            }
            let fen = game.position.to_fen();
            game.opening.fen = Some(fen).filter(|fen| *fen != Position::default().to_fen());
        } else if name.eq_ignore_ascii_case(named_after.as_bytes()) && !value.is_empty() && value != "?" {
            game.opening.name = Some(value.into_owned());
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, game: Self::Tags) -> ControlFlow<Self::Output, Self::Movetext> {
        match self.plies {
            0 => ControlFlow::Break(finished(game)),
            _ => ControlFlow::Continue(game),
        }
    }

    fn san(&mut self, game: &mut Game, san: SanPlus) -> ControlFlow<Self::Output> {
        let number = game.position.fullmove_number();
        let played = game
            .position
            .parse_move(&san.to_string())
            .and_then(|mv| game.position.play(mv).map(|()| mv));
        match played {
            Ok(mv) => game.opening.moves.push(moves::coordinate(mv)),
            Err(error) => return ControlFlow::Break(Err(format!("move {number}: {error}"))),
        }
        if game.opening.moves.len() == self.plies {
            return ControlFlow::Break(finished(game.clone()));
        }
        ControlFlow::Continue(())
    }

    /// Only main lines count.
    fn begin_variation(&mut self, _: &mut Game) -> ControlFlow<Self::Output, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, game: Game) -> Self::Output {
        match &game.opening {
            Opening { fen: None, moves, .. } if moves.is_empty() => Err("no moves".to_owned()),
            _ => finished(game),
        }
    }
}

fn finished(game: Game) -> Result<Opening, String> {
    match game.position.outcome() {
        Some(outcome) => Err(format!(
            "the game is over after the opening ({})",
            outcome.reason()
        )),
        None => Ok(game.opening),
    }
}

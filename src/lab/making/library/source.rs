//! Games in order, from files of any kind.

use std::io::BufRead as _;
use std::path::Path;

use anyhow::ensure;
use chess::Color;

use crate::engine::library::format::{Contents, GameRecord, MAGIC};
use crate::engine::library::retain::{Own, is_own};
use crate::engine::library::{GameInfo, SmallMove, read};
use crate::rules::pgn::{GameText, Reader};
use crate::util::files;
use crate::util::input;

pub enum Raw {
    Text(GameText),
    Stored(StoredGame),
}

/// A game of a library, or of own cases.
pub struct StoredGame {
    pub head: GameFacts,
    pub moves: Vec<SmallMove>,
}

/// The facts on a game without its moves.
pub struct GameFacts {
    /// White, Black, event, and the FEN of an unusual start.
    pub names: [String; 4],
    /// Year, ratings and result; the rest follows from the moves and the games before.
    pub record: GameRecord,
}

/// The games of a file, by its content.
pub enum Source {
    Pgn(Reader<input::Source>),
    Stored(std::vec::IntoIter<StoredGame>),
}

impl Source {
    pub fn open(path: &Path) -> anyhow::Result<Source> {
        let begins_with_magic =
            path.is_file() && files::beginning(path, 8).is_ok_and(|begin| begin == MAGIC);
        if begins_with_magic {
            let contents = Contents::from_bytes(path, &read(path)?)?;
            let games = contents.games.iter().map(|game| stored(&contents, game));
            return Ok(Source::Stored(games.collect::<Vec<_>>().into_iter()));
        }
        if is_own(path) {
            return Ok(Source::Stored(own_games(&Own::read(path)?).into_iter()));
        }
        let mut text = input::open(path)?;
        ensure!(
            !text.fill_buf()?.starts_with(&MAGIC),
            "it is a library, but compressed or behind a pipe: name the library itself"
        );
        Ok(Source::Pgn(Reader::new(text)))
    }

    /// The next games, at most so many; none at the end.
    pub fn next_batch(&mut self, games: usize) -> anyhow::Result<Vec<Raw>> {
        let mut batch = Vec::new();
        while batch.len() < games
            && let Some(game) = self.next()?
        {
            batch.push(game);
        }
        Ok(batch)
    }

    fn next(&mut self) -> anyhow::Result<Option<Raw>> {
        match self {
            Source::Pgn(reader) => Ok(reader.next_game()?.map(Raw::Text)),
            Source::Stored(games) => Ok(games.next().map(Raw::Stored)),
        }
    }
}

fn stored(contents: &Contents, game: &GameRecord) -> StoredGame {
    let name = |number| contents.name(number).to_owned();
    // A start that the library has lost is not the usual one: no FEN, so that the game is left out.
    let start = match contents.start(game) {
        None => "",
        Some("") => "?",
        Some(fen) => fen,
    };
    StoredGame {
        head: GameFacts {
            names: [
                name(game.white),
                name(game.black),
                name(game.event),
                start.to_owned(),
            ],
            record: *game,
        },
        moves: contents.moves_of(game).to_vec(),
    }
}

/// Own cases as games: where moves are missing, another one begins.
fn own_games(own: &Own) -> Vec<StoredGame> {
    let games = own.games.iter().flat_map(|game| {
        game.beginnings().map(|(ply, pair)| {
            let actor = if game.as_black {
                Color::White
            } else {
                Color::Black
            };
            // A board whose side to move is the actor, though it is kept as one of who reacts.
            let start = pair.before.fen(!actor);
            let GameInfo {
                white,
                black,
                record,
                ..
            } = GameInfo::of_own(game);
            let head = GameFacts {
                names: [white, black, "Own game".to_owned(), start],
                record,
            };
            StoredGame {
                head,
                moves: [pair.action]
                    .into_iter()
                    .chain(game.moves_from(ply))
                    .collect(),
            }
        })
    });
    games.collect()
}

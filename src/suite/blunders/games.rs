//! Games whose moves are to be judged: PGN with everything that has to come out of it again.

use std::path::{Path, PathBuf};

use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode};
use thiserror::Error;

use crate::pgn::{self, GameText, Reader, Rules};

/// A move of a game, and what was said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameMove {
    /// Coordinates.
    pub uci: String,
    /// With check marks.
    pub san: String,
    /// The comments behind it.
    pub comments: Vec<String>,
}

/// A game as it was played. Variations and glyphs of the file are not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    pub file: PathBuf,
    /// Where it begins, from 1.
    pub line: u64,
    /// What to call it: which of the file's games it is, from 1; those that cannot be read count.
    pub name: String,
    /// As they stand in the file.
    pub tags: Vec<(String, String)>,
    /// Where it began; `None` for the usual position.
    pub fen: Option<String>,
    /// Comments before the first move.
    pub comments: Vec<String>,
    pub moves: Vec<GameMove>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
}

impl Game {
    /// The value of a tag; `?` if it is not there.
    pub fn tag(&self, name: &str) -> &str {
        let tag = self.tags.iter().find(|(tag, _)| tag == name);
        tag.map_or("?", |(_, value)| value)
    }

    fn of(game: pgn::Game, path: &Path, text: &GameText) -> Game {
        let moves = game.positions().map(|(position, mv)| GameMove {
            uci: mv.mv.to_uci(CastlingMode::Standard).to_string(),
            san: SanPlus::from_move(position, mv.mv).to_string(),
            comments: mv.comments.clone(),
        });
        let result = game.result.map(|result| result.to_string());
        let fen = Fen::from_position(&game.start, EnPassantMode::Legal).to_string();
        Game {
            file: path.to_path_buf(),
            line: text.line,
            name: text.number.to_string(),
            fen: (game.start != Chess::default()).then_some(fen),
            moves: moves.collect(),
            result: result
                .or_else(|| game.tags.get("Result").map(str::to_owned))
                .unwrap_or_else(|| "*".to_owned()),
            comments: game.comments,
            tags: game.tags.0,
        }
    }

    /// Who plays a colour.
    pub fn player(&self, color: Color) -> &str {
        self.tag(color.fold_wb("White", "Black"))
    }
}

/// A game that cannot be read, and where it stands.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{}, line {line}: game {number}: {reason}", file.display())]
pub struct GameError {
    pub file: PathBuf,
    /// Of the game's beginning, from 1.
    pub line: u64,
    /// From 1.
    pub number: u32,
    pub reason: String,
}

/// The games of a PGN file's bytes, and those that are none, each in order. `path` is what the file is
/// called.
pub fn read(path: &Path, bytes: &[u8]) -> (Vec<Game>, Vec<GameError>) {
    let (mut games, mut errors) = (Vec::new(), Vec::new());
    let rules = Rules { strict: true, ..Rules::default() };
    let mut reader = Reader::new(bytes);
    let error = |line, number, reason| GameError { file: path.to_path_buf(), line, number, reason };
    // A source in memory can always be read.
    while let Ok(Some(text)) = reader.next_game() {
        match pgn::Game::read(&text, &rules) {
            Ok(game) => games.push(Game::of(game, path, &text)),
            Err(fault) => errors.push(error(text.line, text.number, fault.to_string())),
        }
    }
    if games.is_empty() && errors.is_empty() {
        errors.push(error(1, 1, "there is none".to_owned()));
    }
    (games, errors)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "[White \"A\"]\n[Black \"B\"]\n[Opening \"Réti\"]\n\n{before} 1. Nf3 {first} {second} d5 $1 (1... e5? 2. Nxe5) \
                        2. c4!? d4 1-0\n\n";

    #[test]
    fn tags_moves_and_comments_are_kept() {
        let (games, errors) = read(Path::new("g.pgn"), GOOD.as_bytes());
        assert_eq!(errors, []);
        let [game] = games.as_slice() else {
            panic!("{games:?}");
        };
        assert_eq!((game.player(Color::White), game.tag("Opening"), game.tag("Site")), ("A", "Réti", "?"));
        let moves: Vec<&str> = game.moves.iter().map(|mv| mv.san.as_str()).collect();
        assert_eq!(moves, ["Nf3", "d5", "c4", "d4"]);
        assert_eq!(game.moves[0].comments, ["first", "second"]);
        assert_eq!((game.comments.as_slice(), game.result.as_str()), (&["before".to_owned()][..], "1-0"));
        assert_eq!((game.fen.as_deref(), game.line), (None, 1));
    }

    #[test]
    fn what_is_no_game_is_named_and_the_others_are_read() {
        let bad = [
            ("[White \"A\"]\n\n1. e4 e5 2. Ke3 1-0\n\n", "2. Ke3 is not legal"),
            ("[FEN \"nonsense\"]\n\n1. e4 *\n\n", "nonsense"),
            ("[Variant \"Atomic\"]\n\n1. e4 *\n\n", "Atomic"),
            ("[White \"A\"]\n\n1. e4 1-0 e5 *\n\n", "after the result"),
            ("[White \"A\"]\n\n1. e4 e5 2. Nf9 Nf3 *\n\n", "\"Nf9\" at move 2 is neither"),
        ];
        for (text, why) in bad {
            let (games, errors) = read(Path::new("my.pgn"), format!("{GOOD}{text}{GOOD}").as_bytes());
            assert_eq!((games.len(), errors.len()), (2, 1), "{text}: {errors:?}");
            assert_eq!((games[0].name.as_str(), games[1].name.as_str()), ("1", "3"));
            let said = errors[0].to_string();
            assert!(said.starts_with("my.pgn, line 7: game 2: ") && said.contains(why), "{said}");
        }
        let (games, errors) = read(Path::new("empty.pgn"), b"\n");
        assert!(games.is_empty() && errors[0].to_string().contains("empty.pgn"), "{errors:?}");
    }

    #[test]
    fn a_game_may_begin_anywhere() {
        let text = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 40\"]\n\n40. e4 Kd7 *\n";
        let (games, errors) = read(Path::new("g.pgn"), text.as_bytes());
        assert_eq!(errors, []);
        assert_eq!(games[0].fen.as_deref(), Some("4k3/8/8/8/8/8/4P3/4K3 w - - 0 40"));
        assert_eq!(games[0].moves[1].uci, "e8d7");
    }
}

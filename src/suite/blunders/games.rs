//! Games whose moves are to be judged: PGN with everything that has to come out of it again.

use std::io::{Cursor, Seek as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use pgn_reader::{Outcome, RawComment, RawTag, Reader, SanPlus, Visitor};
use shakmaty::Color;
use thiserror::Error;

use super::tokens::nonsense;
use crate::arena::Opening;
use crate::arena::referee::Referee;

/// Longer lines of tags, as no standard has them, cannot be read.
const TAG_LINE_BYTES: usize = 1 << 13;

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
    pub line: usize,
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
    pub line: usize,
    /// From 1.
    pub number: usize,
    pub reason: String,
}

/// The games of a PGN file's bytes, and those that are none, each in order. `path` is what the file is called.
pub fn read(path: &Path, bytes: &[u8]) -> (Vec<Game>, Vec<GameError>) {
    let (mut games, mut errors) = (Vec::new(), Vec::new());
    let mut reader = Reader::build(Cursor::new(bytes))
        .set_supported_tag_line_length(TAG_LINE_BYTES)
        .finish();
    let mut lines = Lines::new(bytes);
    for number in 1.. {
        match reader.has_more() {
            Ok(true) => {}
            // A source in memory always can be read.
            Ok(false) | Err(_) => break,
        }
        let start = reader.stream_position().unwrap_or_default();
        let line = lines.at(start);
        let read = match reader.read_game(&mut GameReader) {
            Ok(Some(read)) => read,
            Ok(None) => break,
            Err(error) => Err(error.to_string()),
        };
        let end = reader.stream_position().unwrap_or_default();
        let text = bytes.get(start as usize..end as usize).unwrap_or_default();
        let read = read.and_then(|game| match nonsense(&String::from_utf8_lossy(text)) {
            None => Ok(game),
            Some(nonsense) => Err(nonsense),
        });
        let file = path.to_path_buf();
        match read {
            Ok(game) => games.push(Game {
                file,
                line,
                name: number.to_string(),
                ..game
            }),
            Err(reason) => errors.push(GameError {
                file,
                line,
                number,
                reason,
            }),
        }
    }
    if games.is_empty() && errors.is_empty() {
        errors.push(GameError {
            file: path.to_path_buf(),
            line: 1,
            number: 1,
            reason: "there is none".to_owned(),
        });
    }
    (games, errors)
}

/// Line numbers of ascending places.
struct Lines<'b> {
    bytes: &'b [u8],
    place: usize,
    line: usize,
}

impl<'b> Lines<'b> {
    fn new(bytes: &'b [u8]) -> Self {
        Lines {
            bytes,
            place: 0,
            line: 1,
        }
    }

    fn at(&mut self, place: u64) -> usize {
        let place = usize::try_from(place).unwrap_or(usize::MAX).min(self.bytes.len());
        let passed = self.bytes.get(self.place..place).unwrap_or_default();
        self.line += passed.iter().filter(|&&byte| byte == b'\n').count();
        self.place = self.place.max(place);
        self.line
    }
}

struct GameReader;

struct Moves {
    game: Game,
    referee: Referee,
    over: bool,
}

type Read = Result<Game, String>;

impl Visitor for GameReader {
    type Tags = Vec<(String, String)>;
    type Movetext = Box<Moves>;
    type Output = Read;

    fn begin_tags(&mut self) -> ControlFlow<Read, Self::Tags> {
        ControlFlow::Continue(Vec::new())
    }

    fn tag(&mut self, tags: &mut Self::Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Read> {
        let name = String::from_utf8_lossy(name).into_owned();
        tags.push((name, value.decode_utf8_lossy().into_owned()));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Self::Tags) -> ControlFlow<Read, Box<Moves>> {
        match begin(tags) {
            Ok(moves) => ControlFlow::Continue(Box::new(moves)),
            Err(reason) => ControlFlow::Break(Err(reason)),
        }
    }

    fn san(&mut self, moves: &mut Box<Moves>, san: SanPlus) -> ControlFlow<Read> {
        match moves.play(&san) {
            Ok(()) => ControlFlow::Continue(()),
            Err(reason) => ControlFlow::Break(Err(reason)),
        }
    }

    fn comment(&mut self, moves: &mut Box<Moves>, comment: RawComment<'_>) -> ControlFlow<Read> {
        let text = String::from_utf8_lossy(comment.as_bytes());
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let comments = match moves.game.moves.last_mut() {
            Some(last) => &mut last.comments,
            None => &mut moves.game.comments,
        };
        if !text.is_empty() {
            comments.push(text);
        }
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, moves: &mut Box<Moves>, outcome: Outcome) -> ControlFlow<Read> {
        moves.over = true;
        moves.game.result = outcome.to_string();
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, moves: Box<Moves>) -> Read {
        Ok(moves.game)
    }
}

fn begin(tags: Vec<(String, String)>) -> Result<Moves, String> {
    let tag = |wanted: &str| {
        let tag = tags.iter().find(|(name, _)| name == wanted);
        tag.map(|(_, value)| value.trim().to_owned())
    };
    let variant = tag("Variant").unwrap_or_default();
    match variant.to_ascii_lowercase().as_str() {
        "" | "?" | "standard" | "normal" | "chess" | "from position" => {}
        _ => return Err(format!("the rules of \"{variant}\" are not known here")),
    }
    let opening = Opening {
        fen: tag("FEN").filter(|fen| !fen.is_empty()),
        ..Opening::default()
    };
    let referee = Referee::new(&opening).map_err(|error| error.to_string())?;
    Ok(Moves {
        game: Game {
            file: PathBuf::new(),
            line: 0,
            name: String::new(),
            fen: referee.start_fen(),
            comments: Vec::new(),
            moves: Vec::new(),
            result: tag("Result").unwrap_or_else(|| "*".to_owned()),
            tags,
        },
        referee,
        over: false,
    })
}

impl Moves {
    fn play(&mut self, san: &SanPlus) -> Result<(), String> {
        let number = shakmaty::Position::fullmoves(self.referee.position());
        let dots = self.referee.turn().fold_wb(".", "...");
        if self.over {
            return Err(format!(
                "the moves go on after the result, at {number}{dots} {san}"
            ));
        }
        let text = san.to_string();
        let mv = self
            .referee
            .read_move(&text)
            .map_err(|fault| format!("{number}{dots} {text} {fault}"))?;
        self.referee.play(mv);
        self.game
            .moves
            .extend(self.referee.moves().last().map(|played| GameMove {
                uci: played.uci.clone(),
                san: played.san.clone(),
                comments: Vec::new(),
            }));
        Ok(())
    }
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
        assert_eq!(
            (game.player(Color::White), game.tag("Opening"), game.tag("Site")),
            ("A", "Réti", "?")
        );
        let moves: Vec<&str> = game.moves.iter().map(|mv| mv.san.as_str()).collect();
        assert_eq!(moves, ["Nf3", "d5", "c4", "d4"]);
        assert_eq!(game.moves[0].comments, ["first", "second"]);
        assert_eq!(
            (game.comments.as_slice(), game.result.as_str()),
            (&["before".to_owned()][..], "1-0")
        );
        assert_eq!((game.fen.as_deref(), game.line), (None, 1));
    }

    #[test]
    fn what_is_no_game_is_named_and_the_others_are_read() {
        let bad = [
            ("[White \"A\"]\n\n1. e4 e5 2. Ke3 1-0\n\n", "2. Ke3 is not legal"),
            ("[FEN \"nonsense\"]\n\n1. e4 *\n\n", "nonsense"),
            ("[Variant \"Atomic\"]\n\n1. e4 *\n\n", "Atomic"),
            ("[White \"A\"]\n\n1. e4 1-0 e5 *\n\n", "after the result"),
            ("[White \"A\"]\n\n1. e4 e5 2. Nf9 Nf3 *\n\n", "\"Nf9\" is neither"),
        ];
        for (text, why) in bad {
            let (games, errors) = read(Path::new("my.pgn"), format!("{GOOD}{text}{GOOD}").as_bytes());
            assert_eq!((games.len(), errors.len()), (2, 1), "{text}: {errors:?}");
            assert_eq!((games[0].name.as_str(), games[1].name.as_str()), ("1", "3"));
            let said = errors[0].to_string();
            assert!(
                said.starts_with("my.pgn, line 7: game 2: ") && said.contains(why),
                "{said}"
            );
        }
        let (games, errors) = read(Path::new("empty.pgn"), b"\n");
        assert!(
            games.is_empty() && errors[0].to_string().contains("empty.pgn"),
            "{errors:?}"
        );
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

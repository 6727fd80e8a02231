//! A game as it was played.

use shakmaty::san::{SanError, SanPlus};
use shakmaty::{Chess, Color, Move, Outcome, Position as _};
use thiserror::Error;

use super::tokens::{Token, Tokens};
use super::{GameText, Tags};
use crate::position::FenError;
use crate::position::notation::{Castling, excerpt, read_fen};

/// What is taken for a game.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Every word and every tag has to be PGN. Otherwise, what is no move is passed over: a move that is
    /// misspelt then shows only if the next one cannot be played.
    pub strict: bool,
    /// Half-moves that are read. What follows them does not matter.
    pub plies: usize,
    /// Whether Chess960 is a game, too.
    pub castling: Castling,
}

impl Default for Rules {
    /// All moves of games of standard chess, whatever stands between them.
    fn default() -> Self {
        Rules { strict: false, plies: usize::MAX, castling: Castling::Standard }
    }
}

/// A move of the main line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameMove {
    /// Legal where it is played.
    pub mv: Move,
    /// Numeric annotation glyphs: 1 for `!` or `$1`.
    pub glyphs: Vec<u8>,
    /// The comments behind it, each as one line.
    pub comments: Vec<String>,
}

/// A game: its tags and main line. Variations are passed over.
#[derive(Clone, Debug)]
pub struct Game {
    pub tags: Tags,
    pub start: Chess,
    /// Comments before the first move, each as one line.
    pub comments: Vec<String>,
    pub moves: Vec<GameMove>,
    /// The position after the last of the moves.
    pub end: Chess,
    /// What stands behind the moves. The tag may say something else.
    pub result: Option<Outcome>,
}

/// What is wrong with a game. The text goes on after the place.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Fault {
    #[error("{0}")]
    Torn(&'static str),
    #[error("\"{}\" is no tag", excerpt(.0))]
    Tag(String),
    #[error("the rules of \"{}\" are not known here", excerpt(.0))]
    Variant(String),
    #[error("in the FEN tag: {0}")]
    Fen(#[from] FenError),
    #[error("it begins with move {0} (is there an empty line inside a game?)")]
    FirstNumber(String),
    /// A word, and where the moves stood.
    #[error("\"{}\" at move {number} is neither a move nor a result", excerpt(word))]
    Word { word: String, number: u32 },
    /// `at` is `1. ` or `1... `.
    #[error("move {at}{san} {why}")]
    Move { at: String, san: SanPlus, why: &'static str },
    #[error("the moves go on after the result, at {at}{san}")]
    AfterResult { at: String, san: SanPlus },
    #[error("the game ends twice")]
    EndsTwice,
    #[error("a variation does not end")]
    OpenVariation,
    #[error("a variation ends that never began")]
    CloseVariation,
}

impl Game {
    /// Plays a game.
    pub fn read(text: &GameText, rules: &Rules) -> Result<Game, Fault> {
        if let Some(why) = text.torn {
            return Err(Fault::Torn(why));
        }
        let (tags, malformed, moves) = Tags::read(&text.text);
        if let Some(line) = malformed.filter(|_| rules.strict) {
            return Err(Fault::Tag(line.trim().to_owned()));
        }
        let mut game = Game::begin(tags, rules.castling)?;
        let mut variations = 0_u32;
        for token in Tokens::new(moves) {
            if game.moves.len() >= rules.plies {
                return Ok(game);
            }
            match token {
                Token::Open => variations += 1,
                Token::Close => match variations.checked_sub(1) {
                    Some(outer) => variations = outer,
                    None if rules.strict => return Err(Fault::CloseVariation),
                    None => {}
                },
                _ if variations > 0 => {}
                token => game.add(token, rules.strict)?,
            }
        }
        if variations > 0 && rules.strict {
            return Err(Fault::OpenVariation);
        }
        Ok(game)
    }

    /// The moves with the positions in which they are played.
    pub fn positions(&self) -> impl Iterator<Item = (Chess, &GameMove)> {
        self.moves.iter().scan(self.start.clone(), |position, mv| {
            let before = position.clone();
            position.play_unchecked(mv.mv);
            Some((before, mv))
        })
    }

    fn begin(tags: Tags, castling: Castling) -> Result<Game, Fault> {
        let variant = tags.get("Variant").unwrap_or_default();
        match variant.to_ascii_lowercase().as_str() {
            "" | "?" | "standard" | "normal" | "chess" | "from position" => {}
            "chess960" | "chess 960" | "fischerandom" | "fischerrandom" if castling == Castling::Chess960 => {
            }
            _ => return Err(Fault::Variant(variant.to_owned())),
        }
        let start = match tags.get("FEN").filter(|fen| !fen.is_empty()) {
            Some(fen) => read_fen(fen, castling)?,
            None => Chess::default(),
        };
        Ok(Game { tags, end: start.clone(), start, comments: Vec::new(), moves: Vec::new(), result: None })
    }

    /// Adds what stands in the main line.
    fn add(&mut self, token: Token<'_>, strict: bool) -> Result<(), Fault> {
        match token {
            Token::Move(san) => self.play(san)?,
            Token::Comment(text) => {
                let comments = self.moves.last_mut().map_or(&mut self.comments, |mv| &mut mv.comments);
                comments.extend(Some(one_line(text)).filter(|text| !text.is_empty()));
            }
            Token::Glyph(glyph) => self.moves.last_mut().into_iter().for_each(|mv| mv.glyphs.push(glyph)),
            // An empty line ends a game, so that the rest of a torn one looks like another.
            Token::Number(number) if strict && self.moves.is_empty() && self.tags.get("FEN").is_none() => {
                if number.trim_start_matches('0') != "1" {
                    return Err(Fault::FirstNumber(number.to_owned()));
                }
            }
            Token::Result(_) if self.result.is_some() => return Err(Fault::EndsTwice),
            Token::Result(result) => self.result = Some(result),
            Token::Unknown(word) if strict => {
                let (word, number) = (word.to_owned(), self.end.fullmoves().get());
                return Err(Fault::Word { word, number });
            }
            Token::Number(_) | Token::Unknown(_) | Token::Open | Token::Close => {}
        }
        Ok(())
    }

    fn play(&mut self, san: SanPlus) -> Result<(), Fault> {
        let dots = if self.end.turn() == Color::White { "." } else { "..." };
        let at = || format!("{}{dots} ", self.end.fullmoves());
        if self.result.is_some() {
            return Err(Fault::AfterResult { at: at(), san });
        }
        let mv = san.san.to_move(&self.end).map_err(|error| Fault::Move {
            at: at(),
            san,
            why: match error {
                SanError::AmbiguousSan => "fits more than one legal move",
                SanError::IllegalSan => "is not legal",
            },
        })?;
        self.end.play_unchecked(mv);
        self.moves.push(GameMove { mv, glyphs: Vec::new(), comments: Vec::new() });
        Ok(())
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

//! A game as played.

use shakmaty::san::{San, SanError};
use shakmaty::{Chess, Move, Outcome, Position as _};

use super::GameText;
use super::text::{TagSection, Tags, Token, Tokens};
use crate::rules::position::notation::{excerpt, read_fen};

/// The strictness of a reader of PGN.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strict {
    /// Playable moves. Other words are skipped, so a misspelt move shows only if the next move
    /// cannot be played.
    #[default]
    Played,
    /// Every word behind the tags.
    Words,
    /// Every tag, too.
    All,
}

/// The texts that are taken for a game.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    pub strict: Strict,
    /// The number of half-moves to read. The text behind them does not matter.
    pub plies: usize,
}

impl Default for Rules {
    /// The moves of games of standard chess; other words between them are ignored.
    fn default() -> Self {
        Rules {
            strict: Strict::default(),
            plies: usize::MAX,
        }
    }
}

/// A move of the main line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameMove {
    /// The move, legal in its position.
    pub mv: Move,
    /// The comments after the move, each as one line.
    pub comments: Vec<String>,
    /// The variations after the move as they are written, with their brackets.
    pub variations: Vec<String>,
}

/// A game: its tags and main line. Glyphs are passed over.
#[derive(Clone, Debug)]
pub struct PgnGame {
    pub tags: Tags,
    pub start: Chess,
    /// Comments before the first move, each as one line.
    pub comments: Vec<String>,
    pub moves: Vec<GameMove>,
    /// The position after the last of the moves.
    pub end: Chess,
    /// The result after the moves. The tag may differ.
    pub result: Option<Outcome>,
    /// The first word that was passed over, and where.
    pub unread: Option<String>,
}

impl PgnGame {
    /// Plays a game.
    ///
    /// # Errors
    /// The fault of the game, in words that go on after the game's place.
    pub fn read(text: &GameText, rules: &Rules) -> Result<PgnGame, String> {
        if let Some(why) = text.torn {
            return Err(why.to_owned());
        }
        let head = TagSection::read(&text.text);
        if let Some(line) = head.malformed.filter(|_| rules.strict >= Strict::All) {
            return Err(format!("\"{}\" is no tag", excerpt(line.trim())));
        }
        let is_strict = rules.strict >= Strict::Words;
        let mut game = PgnGame::begin(head.tags)?;
        for comment in head.comments {
            game.comment(comment);
        }
        let mut variations = 0_u32;
        let mut variation = "";
        let mut tokens = Tokens::new(head.rest);
        while let Some(token) = tokens.next() {
            if game.moves.len() >= rules.plies {
                return Ok(game);
            }
            match token {
                Token::Open => {
                    if variations == 0 {
                        variation = tokens.rest;
                    }
                    variations += 1;
                }
                Token::Close => match variations.checked_sub(1) {
                    Some(outer) => {
                        variations = outer;
                        if let (0, Some(mv)) = (outer, game.moves.last_mut()) {
                            let length = variation.len() - tokens.rest.len();
                            mv.variations.push(format!("({}", &variation[..length]));
                        }
                    }
                    None if is_strict => return Err("a variation ends that never began".to_owned()),
                    None => {}
                },
                _ if variations > 0 => {}
                token => game.add(token, is_strict)?,
            }
        }
        if variations > 0 && is_strict {
            return Err("a variation does not end".to_owned());
        }
        Ok(game)
    }

    /// The moves, each with the position before.
    pub fn positions(&self) -> impl Iterator<Item = (Chess, &GameMove)> {
        self.moves.iter().scan(self.start.clone(), |position, mv| {
            let before = position.clone();
            position.play_unchecked(mv.mv);
            Some((before, mv))
        })
    }

    fn begin(tags: Tags) -> Result<PgnGame, String> {
        let variant = tags.get("Variant").unwrap_or_default();
        match variant.to_ascii_lowercase().as_str() {
            "" | "?" | "standard" | "normal" | "chess" | "from position" => {}
            // The game is of another kind of chess.
            _ => {
                let variant = excerpt(variant);
                return Err(format!("the rules of \"{variant}\" are not known here"));
            }
        }
        let start = match tags.get("FEN").filter(|fen| !fen.is_empty()) {
            Some(fen) => read_fen(fen).map_err(|error| format!("in the FEN tag: {error}"))?,
            None => Chess::default(),
        };
        Ok(PgnGame {
            tags,
            end: start.clone(),
            start,
            comments: Vec::new(),
            moves: Vec::new(),
            result: None,
            unread: None,
        })
    }

    /// Adds a token of the main line.
    fn add(&mut self, token: Token<'_>, strict: bool) -> Result<(), String> {
        match token {
            Token::Move(san) => self.play(&san.to_string(), to_move(san.san, &self.end))?,
            Token::Coordinates(mv) => {
                let legal = mv.to_move(&self.end).map_err(|_| SanError::IllegalSan);
                self.play(&mv.to_string(), legal)?;
            }
            Token::Comment(text) => self.comment(text),
            // An empty line ends a game, so that the rest of a torn one looks like another.
            Token::Number(number)
                if strict && self.moves.is_empty() && self.tags.get("FEN").is_none() =>
            {
                if number.trim_start_matches('0') != "1" {
                    let hint = "is there an empty line inside a game?";
                    return Err(format!("it begins with move {number} ({hint})"));
                }
            }
            Token::Result(_) if self.result.is_some() => {
                return Err("the game ends twice".to_owned());
            }
            Token::Result(result) => self.result = Some(result),
            Token::Unknown(word) => {
                let word = excerpt(word);
                let number = self.end.fullmoves();
                let fault = format!("\"{word}\" at move {number} is neither a move nor a result");
                if strict {
                    return Err(fault);
                }
                self.unread.get_or_insert(fault);
            }
            Token::Number(_) | Token::Open | Token::Close => {}
        }
        Ok(())
    }

    /// Adds a comment as one line, unless empty.
    fn comment(&mut self, text: &str) {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let comments = match self.moves.last_mut() {
            Some(mv) => &mut mv.comments,
            None => &mut self.comments,
        };
        if !text.is_empty() {
            comments.push(text);
        }
    }

    /// Plays a move that stands in the text as `written`.
    fn play(&mut self, written: &str, legal: Result<Move, SanError>) -> Result<(), String> {
        let dots = self.end.turn().fold_wb(".", "...");
        // `1. e4` or `1... e5`
        let mv = format!("{}{dots} {written}", self.end.fullmoves());
        if self.result.is_some() {
            return Err(format!("the moves go on after the result, at {mv}"));
        }
        let legal = legal.map_err(|error| {
            let fault = match error {
                SanError::AmbiguousSan => format!("move {mv} fits more than one legal move"),
                SanError::IllegalSan => format!("move {mv} is not legal"),
            };
            // Who misspelt a move is named, not the next one.
            match &self.unread {
                Some(unread) => format!("{unread}, so that {fault}"),
                None => fault,
            }
        })?;
        self.end.play_unchecked(legal);
        self.moves.push(GameMove {
            mv: legal,
            comments: Vec::new(),
            variations: Vec::new(),
        });
        Ok(())
    }
}

/// The legal move. A capture may be written without its sign, and a dash of long notation in its
/// place.
fn to_move(san: San, position: &Chess) -> Result<Move, SanError> {
    let read = san.to_move(position);
    let mut taking = san;
    match &mut taking {
        San::Normal { capture, .. } if !*capture && read == Err(SanError::IllegalSan) => {
            *capture = true;
            taking.to_move(position)
        }
        _ => read,
    }
}

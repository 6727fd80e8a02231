//! One game of a PGN: what its rating needs.

use std::ops::ControlFlow;

use pgn_reader::{KnownOutcome, Outcome, RawTag, SanPlus, Visitor};
use shakmaty::{CastlingMode, Chess, Color, Move, Position as _, fen::Fen};

use crate::arena::Verdict;

/// So many half-moves tell an opening.
pub(super) const OPENING_PLIES: usize = 40;

/// A game as it was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PlayedGame {
    pub white: String,
    pub black: String,
    pub verdict: Verdict,
    pub round: String,
    pub event: String,
    /// Where it began, if the PGN says so.
    pub fen: Option<String>,
    /// Its first half-moves.
    pub opening: Vec<Move>,
}

/// Reads a game and plays its moves: text that is no legal game is not to be trusted about the result either.
pub(super) struct GameReader;

#[derive(Default)]
pub(super) struct Tags {
    white: Option<String>,
    black: Option<String>,
    result: Option<String>,
    round: String,
    event: String,
    fen: Option<String>,
    variant: String,
}

pub(super) struct Moves {
    game: PlayedGame,
    position: Chess,
    plies: usize,
    /// What the tag says.
    tag: Option<Verdict>,
    /// What stands behind the moves.
    end: Option<Verdict>,
}

type Read = Result<PlayedGame, String>;

impl Visitor for GameReader {
    type Tags = Tags;
    type Movetext = Moves;
    type Output = Read;

    fn begin_tags(&mut self) -> ControlFlow<Read, Tags> {
        ControlFlow::Continue(Tags::default())
    }

    fn tag(&mut self, tags: &mut Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Read> {
        let text = || value.decode_utf8_lossy().trim().to_owned();
        match name {
            b"White" => tags.white = Some(text()),
            b"Black" => tags.black = Some(text()),
            b"Result" => tags.result = Some(text()),
            b"Round" => tags.round = text(),
            b"Event" => tags.event = text(),
            b"FEN" => tags.fen = Some(text()),
            b"Variant" => tags.variant = text(),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<Read, Moves> {
        match tags.into_moves() {
            Ok(moves) => ControlFlow::Continue(moves),
            Err(reason) => ControlFlow::Break(Err(reason)),
        }
    }

    fn san(&mut self, moves: &mut Moves, san: SanPlus) -> ControlFlow<Read> {
        match moves.play(&san) {
            Ok(()) => ControlFlow::Continue(()),
            Err(reason) => ControlFlow::Break(Err(reason)),
        }
    }

    fn outcome(&mut self, moves: &mut Moves, outcome: Outcome) -> ControlFlow<Read> {
        let end = match outcome {
            Outcome::Known(KnownOutcome::Decisive { winner }) => Verdict::win_of(winner),
            Outcome::Known(KnownOutcome::Draw) => Verdict::Draw,
            Outcome::Unknown => Verdict::Unfinished,
        };
        if moves.end.replace(end).is_some() {
            return ControlFlow::Break(Err("the game ends twice".to_owned()));
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, moves: Moves) -> Read {
        moves.finish()
    }
}

impl Tags {
    fn into_moves(self) -> Result<Moves, String> {
        let name = |name: Option<String>, tag: &str| {
            name.filter(|name| !name.is_empty() && name != "?")
                .ok_or_else(|| format!("no name in the {tag} tag"))
        };
        let tag = match self.result.as_deref() {
            None | Some("" | "?") => None,
            Some("1-0") => Some(Verdict::WhiteWins),
            Some("0-1") => Some(Verdict::BlackWins),
            Some("1/2-1/2" | "1/2") => Some(Verdict::Draw),
            Some("*") => Some(Verdict::Unfinished),
            Some(other) => return Err(format!("\"{other}\" in the Result tag is no result")),
        };
        let mode = match self.variant.to_ascii_lowercase().as_str() {
            "" | "?" | "standard" | "normal" | "chess" | "from position" => None,
            "chess960" | "chess 960" | "fischerandom" | "fischerrandom" => Some(CastlingMode::Chess960),
            _ => return Err(format!("the rules of \"{}\" are not known here", self.variant)),
        };
        let position = match &self.fen {
            None => Chess::default(),
            Some(text) => {
                let error = |why: String| format!("\"{text}\" in the FEN tag is no position: {why}");
                let setup = text
                    .parse::<Fen>()
                    .map_err(|why| error(why.to_string()))?
                    .into_setup();
                let mode = mode.unwrap_or_else(|| CastlingMode::detect(&setup));
                setup.position(mode).map_err(|why| error(why.to_string()))?
            }
        };
        Ok(Moves {
            game: PlayedGame {
                white: name(self.white, "White")?,
                black: name(self.black, "Black")?,
                verdict: Verdict::Unfinished,
                round: self.round,
                event: self.event,
                fen: self.fen,
                opening: Vec::new(),
            },
            position,
            plies: 0,
            tag,
            end: None,
        })
    }
}

impl Moves {
    fn play(&mut self, san: &SanPlus) -> Result<(), String> {
        let number = self.position.fullmoves();
        let dots = self.position.turn().fold_wb(".", "...");
        if self.end.is_some() {
            return Err(format!(
                "the moves go on after the result, at {number}{dots} {san}"
            ));
        }
        let mv = san
            .san
            .to_move(&self.position)
            .map_err(|why| format!("{number}{dots} {san} cannot be played: {why}"))?;
        self.position.play_unchecked(mv);
        self.plies += 1;
        if self.game.opening.len() < OPENING_PLIES {
            self.game.opening.push(mv);
        }
        Ok(())
    }

    fn finish(mut self) -> Read {
        self.game.verdict = match (self.tag, self.end) {
            (Some(tag), Some(end)) if tag == end => tag,
            (Some(tag), Some(end)) => {
                return Err(format!("the Result tag says {tag}, the end of the moves {end}"));
            }
            (None, Some(end)) => end,
            (Some(Verdict::Unfinished), None) => Verdict::Unfinished,
            (Some(_), None) => return Err(format!("no result after {} half-moves: cut off?", self.plies)),
            (None, None) => return Err("no result".to_owned()),
        };
        if let Some(winner) = self.position.is_checkmate().then(|| !self.position.turn())
            && self.game.verdict != Verdict::win_of(winner)
        {
            return Err(format!(
                "{} is mated, but the result is {}",
                loser(winner),
                self.game.verdict
            ));
        }
        Ok(self.game)
    }
}

fn loser(winner: Color) -> &'static str {
    winner.fold_wb("Black", "White")
}

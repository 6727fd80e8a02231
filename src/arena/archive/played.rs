//! One game of a PGN: what its rating needs.

use std::hash::{DefaultHasher, Hash, Hasher as _};

use shakmaty::{KnownOutcome, Move, Outcome, Position as _};

use crate::arena::Verdict;
use crate::display::grouped;
use crate::pgn::Game;
use crate::position::notation::excerpt;

/// So many half-moves tell an opening.
const OPENING_PLIES: usize = 40;
/// Shorter games are too much alike to be called the same one.
const TELLING_PLIES: usize = 10;
/// More bytes are no name.
const LONGEST_NAME: usize = 500;
/// What else tells two games apart.
const TELLING_TAGS: [&str; 6] = ["Site", "Date", "UTCDate", "UTCTime", "Time", "GameStartTime"];

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
    /// When and where it was played, and all its moves; `None` if they are too few.
    course: Option<u64>,
}

impl PlayedGame {
    /// What a game says of its players.
    ///
    /// # Errors
    /// Why its result is not to be trusted.
    pub fn of(game: &Game) -> Result<PlayedGame, String> {
        let text = |tag: &str| game.tags.get(tag).unwrap_or_default().to_owned();
        let name = |tag: &str| match text(tag) {
            name if name.is_empty() || name == "?" => Err(no_name(game, tag)),
            name if name.len() > LONGEST_NAME => Err(format!(
                "what is in the {tag} tag has {} letters and is no name",
                grouped(name.len() as u64)
            )),
            name => Ok(name),
        };
        Ok(PlayedGame {
            white: name("White")?,
            black: name("Black")?,
            verdict: verdict(game)?,
            round: text("Round"),
            event: text("Event"),
            fen: game.tags.get("FEN").map(str::to_owned),
            opening: game.moves.iter().take(OPENING_PLIES).map(|mv| mv.mv).collect(),
            course: (game.moves.len() >= TELLING_PLIES).then(|| {
                let moves: Vec<Move> = game.moves.iter().map(|mv| mv.mv).collect();
                hash(&(TELLING_TAGS.map(|tag| game.tags.get(tag)), moves))
            }),
        })
    }

    /// A number that only the same game has again: the same players, event, round, time, moves and result.
    /// `None` for games of a few moves, and for those that are nothing but a result.
    pub fn fingerprint(&self) -> Option<u64> {
        let course = self.course?;
        Some(hash(&(&self.white, &self.black, &self.round, &self.event, &self.fen, self.verdict, course)))
    }
}

fn hash(thing: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    thing.hash(&mut hasher);
    hasher.finish()
}

/// Why it is not known who played.
fn no_name(game: &Game, tag: &str) -> String {
    match (game.tags.get(tag), game.tags.0.is_empty(), game.moves.is_empty()) {
        (Some(name), ..) => format!("the {tag} tag names nobody: [{tag} \"{name}\"]"),
        (None, true, true) => "neither tags nor moves of chess: this is no PGN".to_owned(),
        (None, ..) => format!("who played is not known: there is no [{tag} \"Name\"] before the moves"),
    }
}

/// The result, on which the tag, the end of the text and the last position have to agree.
fn verdict(game: &Game) -> Result<Verdict, String> {
    let tag = match game.tags.get("Result") {
        None | Some("" | "?") => None,
        Some("1/2") => Some(Verdict::Draw),
        Some(text) => match text.parse() {
            Ok(verdict) => Some(verdict),
            Err(_) => return Err(format!("\"{}\" in the Result tag is no result", excerpt(text))),
        },
    };
    let end = game.result.map(|result| match result {
        Outcome::Known(KnownOutcome::Decisive { winner }) => Verdict::win_of(winner),
        Outcome::Known(KnownOutcome::Draw) => Verdict::Draw,
        Outcome::Unknown => Verdict::Unfinished,
    });
    let verdict = match (tag, end) {
        (Some(tag), Some(end)) if tag != end => {
            return Err(format!("the Result tag says {tag}, the end of the moves {end}"));
        }
        (_, Some(end)) => end,
        (Some(Verdict::Unfinished), None) => Verdict::Unfinished,
        (Some(_), None) => {
            return Err(format!("no result after {} half-moves: cut off?", game.moves.len()));
        }
        (None, None) => return Err("no result".to_owned()),
    };
    let loser = game.end.turn();
    if game.end.is_checkmate() && verdict != Verdict::win_of(!loser) {
        let loser = loser.fold_wb("White", "Black");
        return Err(format!("{loser} is mated, but the result is {verdict}"));
    }
    Ok(verdict)
}

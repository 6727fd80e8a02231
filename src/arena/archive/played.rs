//! One game of a PGN, reduced to the needs of ratings; and pairs of games: the same opening,
//! colours reversed.

use std::collections::{BTreeMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher as _};

use shakmaty::{Move, Position as _};

use crate::arena::Verdict;
use crate::rules::pgn::PgnGame;
use crate::rules::position::notation::excerpt;

/// The number of half-moves kept of an opening.
const OPENING_PLIES: usize = 40;
/// Shorter games are too much alike to be called the same one.
const TELLING_PLIES: usize = 10;
/// More bytes are no name.
const LONGEST_NAME: usize = 500;
/// Tags to tell two games apart.
const TELLING_TAGS: [&str; 11] = [
    "White",
    "Black",
    "Round",
    "Event",
    "FEN",
    "Site",
    "Date",
    "UTCDate",
    "UTCTime",
    "Time",
    "GameStartTime",
];

/// A game from a PGN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PlayedGame {
    pub white: String,
    pub black: String,
    pub verdict: Verdict,
    pub round: String,
    pub event: String,
    /// The start position, if the PGN gives one.
    pub fen: Option<String>,
    /// Its first half-moves.
    pub opening: Vec<Move>,
    /// A number equal only for copies of a game: the same players, event, round, time, moves and
    /// result. `None` for games of a few moves, and for those with nothing but a result.
    pub fingerprint: Option<u64>,
}

impl PlayedGame {
    /// Reads a game's players, result and opening.
    ///
    /// # Errors
    /// Fails without names or a trustworthy result; the text gives the reason.
    pub fn of(game: &PgnGame) -> Result<PlayedGame, String> {
        let text = |tag: &str| game.tags.get(tag).unwrap_or_default().to_owned();
        let name = |tag: &str| match text(tag) {
            name if name.is_empty() || name == "?" => Err(no_name(game, tag)),
            name if name.len() > LONGEST_NAME => {
                Err(format!("what is in the {tag} tag is too long for a name"))
            }
            name => Ok(name),
        };
        let white = name("White")?;
        let black = name("Black")?;
        let verdict = verdict(game)?;
        let mut moves: Vec<Move> = game.moves.iter().map(|mv| mv.mv).collect();
        let mut hasher = DefaultHasher::new();
        let tags = TELLING_TAGS.map(|tag| game.tags.get(tag));
        (tags, verdict, &moves).hash(&mut hasher);
        let is_telling = moves.len() >= TELLING_PLIES;
        moves.truncate(OPENING_PLIES);
        Ok(PlayedGame {
            white,
            black,
            verdict,
            round: text("Round"),
            event: text("Event"),
            fen: game.tags.get("FEN").map(str::to_owned),
            opening: moves,
            fingerprint: is_telling.then_some(hasher.finish()),
        })
    }
}

/// The reason for a missing player's name.
fn no_name(game: &PgnGame, tag: &str) -> String {
    match (
        game.tags.get(tag),
        game.tags.0.is_empty(),
        game.moves.is_empty(),
    ) {
        (Some(name), ..) => format!("the {tag} tag names nobody: [{tag} \"{name}\"]"),
        (None, true, true) => "neither tags nor moves of chess: this is no PGN".to_owned(),
        (None, ..) => {
            format!("who played is not known: there is no [{tag} \"Name\"] before the moves")
        }
    }
}

/// The result, if the tag, the end of the text and the last position agree.
fn verdict(game: &PgnGame) -> Result<Verdict, String> {
    let tag = match game.tags.get("Result") {
        None | Some("" | "?") => None,
        Some("1/2" | "½" | "½-½") => Some(Verdict::Draw),
        Some(text) => {
            let excerpt = excerpt(text);
            let read = text.parse();
            Some(read.map_err(|_| format!("\"{excerpt}\" in the Result tag is no result"))?)
        }
    };
    let end: Option<Verdict> = game.result.and_then(|result| result.as_str().parse().ok());
    let verdict = match (tag, end) {
        (Some(tag), Some(end)) if tag != end => {
            return Err(format!(
                "the Result tag says {tag}, the end of the moves {end}"
            ));
        }
        (_, Some(end)) => end,
        (Some(Verdict::Unfinished), None) => Verdict::Unfinished,
        (Some(_), None) => {
            return Err(format!(
                "no result after {} half-moves: cut off?",
                game.moves.len()
            ));
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

/// Finds pairs among the games of a file.
///
/// A game is the second of a pair if an earlier one of the same two players and the same event,
/// colours reversed, began in the same position and
///
/// * their rounds are `7.1` and `7.2`, or
/// * their rounds are equal or neighbours (or have no numbers), and the position is set up or the
///   first four half-moves are the same.
///
/// If several fit, the one with the most moves in common is taken. Two games of different pairs
/// mistaken for one change no estimate, only its error, and hardly.
pub(super) struct Pairing {
    /// The count of numbers given away, those before this file included.
    pub used: u32,
    waiting: BTreeMap<(String, String, String), VecDeque<Waiting>>,
}

struct Waiting {
    number: u32,
    round: Round,
    game: PlayedGame,
}

/// The `Round` tag: `7`, or `7.2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Round {
    main: Option<u32>,
    part: Option<u32>,
}

/// Common half-moves of two games beyond chance.
const COMMON_PLIES: usize = 4;
/// The number of waiting games: games at the same time end in another order than they began, and no
/// runner plays more at once.
const MEMORY: usize = 256;

impl Pairing {
    /// A pairing for a file, with numbers after `used`.
    pub fn new(used: u32) -> Pairing {
        Pairing {
            used,
            waiting: BTreeMap::new(),
        }
    }

    /// The number of the game's pair: an earlier game's, or a new one.
    pub fn number(&mut self, game: &PlayedGame) -> u32 {
        let round = Round::read(&game.round);
        let reversed = (game.event.clone(), game.black.clone(), game.white.clone());
        if let Some(others) = self.waiting.get_mut(&reversed) {
            let mut best = None;
            for (index, other) in others.iter().enumerate() {
                if let Some(likeness) = likeness(other, round, game) {
                    // The later of equals: it is nearer.
                    best = best.max(Some((likeness, index)));
                }
            }
            if let Some((_, index)) = best
                && let Some(first) = others.remove(index)
            {
                return first.number;
            }
        }
        self.used += 1;
        let waiting = self
            .waiting
            .entry((game.event.clone(), game.white.clone(), game.black.clone()))
            .or_default();
        waiting.push_back(Waiting {
            number: self.used,
            round,
            game: game.clone(),
        });
        if waiting.len() > MEMORY {
            waiting.pop_front();
        }
        self.used
    }
}

/// The likeness of two games to a pair; `None` if they are none.
fn likeness(first: &Waiting, round: Round, game: &PlayedGame) -> Option<usize> {
    if first.game.fen != game.fen {
        return None;
    }
    let moves = first.game.opening.iter().zip(&game.opening);
    let common = moves.take_while(|(a, b)| a == b).count();
    if first.round.is_other_half_of(round) {
        // Better than any number of moves.
        return Some(usize::MAX);
    }
    let same_opening = game.fen.is_some() || common >= COMMON_PLIES;
    (same_opening && first.round.is_near(round)).then_some(common)
}

impl Round {
    fn read(text: &str) -> Round {
        let mut parts = text.split('.').map(|part| part.trim().parse().ok());
        Round {
            main: parts.next().flatten(),
            part: parts.next().flatten(),
        }
    }

    fn is_other_half_of(self, other: Round) -> bool {
        self.main.is_some()
            && self.main == other.main
            && matches!(
                (self.part, other.part),
                (Some(1), Some(2)) | (Some(2), Some(1))
            )
    }

    fn is_near(self, other: Round) -> bool {
        match (self.main, other.main) {
            // Parts that are not 1 and 2 are boards of a round, or games.
            (Some(a), Some(b)) => a.abs_diff(b) <= 1,
            _ => true,
        }
    }
}

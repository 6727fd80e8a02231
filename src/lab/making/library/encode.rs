//! A game as the records of a library.

use rayon::prelude::*;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Move, Outcome, Role};

use super::Reason;
use crate::engine::library::SmallMove;
use crate::engine::library::format::{GameRecord, result_number};
use crate::rules::pgn::{GameText, PgnGame, Rules, Strict};
use crate::rules::position::notation::write_fen;
use crate::util::jobs::fnv;

/// The parts of a game for a library.
pub struct Encoded {
    /// White, Black, event, and the FEN of an unusual start.
    pub names: [String; 4],
    /// The numbers of names and moves are given when the game is added.
    pub record: GameRecord,
    pub moves: Vec<SmallMove>,
    pub fingerprint: u64,
}

/// Encodes games, in the same order, on all cores. Both players have to have a rating of `min_elo`.
pub fn all(games: &[GameText], min_elo: u16) -> Vec<Result<Encoded, Reason>> {
    games.par_iter().map(|game| encode(game, min_elo)).collect()
}

fn encode(text: &GameText, min_elo: u16) -> Result<Encoded, Reason> {
    let rules = Rules {
        strict: Strict::All,
        ..Rules::default()
    };
    let game = PgnGame::read(text, &rules).map_err(|fault| Reason::Broken(fault.to_string()))?;
    if game.moves.is_empty() {
        return Err(Reason::Empty);
    }
    let tag = |name: &str| game.tags.get(name).map(known).unwrap_or_default();
    let [white_elo, black_elo] =
        ["WhiteElo", "BlackElo"].map(|name| tag(name).parse().unwrap_or(0_u16));
    if white_elo.min(black_elo) < min_elo {
        return Err(Reason::Rating);
    }
    let length = game.moves.len();
    let plies = u16::try_from(length)
        .map_err(|_| Reason::Broken(format!("{length} half-moves are no game")))?;
    let years = ["Date", "UTCDate", "EventDate"].map(|name| year(&tag(name)));
    let result = game.result.filter(|&result| result != Outcome::Unknown);
    let result = result.map_or_else(|| result_of_tag(&tag("Result")), result_number);
    let start = fen_of_unusual(&game.start);
    let names = [tag("White"), tag("Black"), tag("Event"), start];
    let moves: Vec<SmallMove> = game.moves.iter().map(|mv| small(mv.mv)).collect();
    Ok(Encoded {
        fingerprint: fingerprint(&names, &moves),
        names,
        record: GameRecord {
            plies: plies.into(),
            year: years.into_iter().flatten().next().unwrap_or(0).into(),
            white_elo: white_elo.into(),
            black_elo: black_elo.into(),
            result,
            ..GameRecord::default()
        },
        moves,
    })
}

/// Returns a number that identifies a game: moves, start, and the letters of the players' names.
/// Another collection writes the names with other blanks and dots.
fn fingerprint(names: &[String; 4], moves: &[SmallMove]) -> u64 {
    let [white, black, _, start] = names;
    let [white, black] = [white, black].map(|name| {
        let letters = name.chars().filter(|letter| letter.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect::<String>()
    });
    let text = format!("{white}\n{black}\n{start}\n").into_bytes();
    fnv(text
        .into_iter()
        .chain(moves.iter().flat_map(|mv| mv.bits().to_le_bytes())))
}

/// Returns a tag's value as one line; empty for an unknown value.
fn known(value: &str) -> String {
    let words = value.split(|letter: char| letter.is_whitespace() || letter.is_control());
    let text = words
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ");
    if text.chars().all(|letter| "?-".contains(letter)) {
        String::new()
    } else {
        text
    }
}

/// The year of `2008.03.26`, if it is known.
fn year(text: &str) -> Option<u16> {
    let (year, _) = text.split_once(['.', '-', '/']).unwrap_or((text, ""));
    year.parse().ok().filter(|&year| year > 0)
}

fn result_of_tag(tag: &str) -> u8 {
    let tag = if tag == "1/2" { "1/2-1/2" } else { tag };
    result_number(tag.parse().unwrap_or(Outcome::Unknown))
}

/// Returns the FEN of an unusual start; empty for the usual one.
fn fen_of_unusual(start: &Chess) -> String {
    if *start == Chess::default() {
        String::new()
    } else {
        write_fen(start)
    }
}

/// Packs a move. Castling is the king's move of two squares.
fn small(mv: Move) -> SmallMove {
    let UciMove::Normal {
        from,
        to,
        promotion,
    } = mv.to_uci(CastlingMode::Standard)
    else {
        unreachable!("no move of a game of chess is a drop or a null move");
    };
    let promotion = promotion.map_or(0, |role| role as u16 - Role::Pawn as u16);
    SmallMove::new(u32::from(from) as u8, u32::from(to) as u8, promotion)
}

//! A game as the records of a library.

use rayon::prelude::*;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Move, Outcome, Position as _, Role, Square};

use super::Reason;
use super::source::{GameFacts, Numbered, Raw, StoredGame};
use crate::engine::library::case::Parts;
use crate::engine::library::format::{
    CaseRecord, GameRecord, LAST_PLY, PositionRecord, Settings, half_points, result_number,
};
use crate::engine::library::{Action, ActionKey, Case, GameId, Planes, SmallMove};
use crate::rules::pgn::{Fault, GameText, PgnGame, Rules, Strict};
use crate::rules::position::notation::{polyglot_key, read_fen, write_fen};
use crate::util::jobs::fnv;

/// The parts of a game for a library.
pub struct Encoded {
    /// The numbers of names and moves are given when the game is added.
    pub head: GameFacts,
    pub moves: Vec<SmallMove>,
    /// The played moves with their positions, each once.
    pub positions: Vec<PositionRecord>,
    pub reactions: Vec<(ActionKey, ActionKey)>,
    /// The game is number 0.
    pub cases: Vec<(ActionKey, CaseRecord)>,
    pub fingerprint: u64,
}

/// Encodes games, in the same order.
pub fn all(games: &[Numbered], settings: Settings) -> Vec<Result<Encoded, Reason>> {
    games
        .par_iter()
        .map(|game| encode(&game.raw, settings))
        .collect()
}

fn encode(raw: &Raw, settings: Settings) -> Result<Encoded, Reason> {
    let (head, start, moves) = match raw {
        Raw::Text(text) => read_text(text)?,
        Raw::Stored(game) => read_stored(game)?,
    };
    if moves.is_empty() {
        return Err(Reason::Empty);
    }
    let GameRecord {
        white_elo,
        black_elo,
        ..
    } = head.record;
    if white_elo.min(black_elo).get() < settings.min_elo {
        return Err(Reason::Rating);
    }
    let plies = u16::try_from(moves.len())
        .map_err(|_| Reason::Broken(format!("{} half-moves are no game", moves.len())))?;
    let record = GameRecord {
        plies: plies.into(),
        ..head.record
    };
    Ok(play(
        GameFacts { record, ..head },
        start,
        &moves,
        settings.cases,
    ))
}

fn read_text(text: &GameText) -> Result<(GameFacts, Chess, Vec<Move>), Reason> {
    let rules = Rules {
        strict: Strict::All,
        ..Rules::default()
    };
    let game = PgnGame::read(text, &rules).map_err(|fault| match fault {
        Fault::Variant(_) => Reason::Variant(fault.to_string()),
        _ => Reason::Broken(fault.to_string()),
    })?;
    let tag = |name: &str| game.tags.get(name).map(known).unwrap_or_default();
    let start = fen_of_unusual(&game.start);
    let dates = ["Date", "UTCDate", "EventDate"].map(|name| date(&tag(name)));
    let result = game.result.filter(|&result| result != Outcome::Unknown);
    let result = result.map_or_else(|| result_of_tag(&tag("Result")), result_number);
    let (year, month, day) = dates
        .into_iter()
        .find(|&(year, _, _)| year > 0)
        .unwrap_or_default();
    let [white_elo, black_elo] =
        ["WhiteElo", "BlackElo"].map(|name| tag(name).parse().unwrap_or(0_u16));
    let head = GameFacts {
        names: [tag("White"), tag("Black"), tag("Event"), start],
        record: GameRecord {
            year: year.into(),
            month,
            day,
            white_elo: white_elo.into(),
            black_elo: black_elo.into(),
            result,
            ..GameRecord::default()
        },
    };
    Ok((
        head,
        game.start,
        game.moves.into_iter().map(|mv| mv.mv).collect(),
    ))
}

fn read_stored(game: &StoredGame) -> Result<(GameFacts, Chess, Vec<Move>), Reason> {
    let [white, black, event, start] = &game.head.names;
    let start = match start.as_str() {
        "" => Chess::default(),
        fen => read_fen(fen).map_err(|error| Reason::Broken(error.to_string()))?,
    };
    let mut position = start.clone();
    let mut moves = Vec::with_capacity(game.moves.len());
    for (ply, &mv) in game.moves.iter().enumerate() {
        let legal = uci(mv).to_move(&position);
        let mv =
            legal.map_err(|_| Reason::Broken(format!("half-move {} is not legal", ply + 1)))?;
        position.play_unchecked(mv);
        moves.push(mv);
    }
    let names = [
        known(white),
        known(black),
        known(event),
        fen_of_unusual(&start),
    ];
    let head = GameFacts {
        names,
        record: game.head.record,
    };
    Ok((head, start, moves))
}

fn play(head: GameFacts, start: Chess, moves: &[Move], with_cases: bool) -> Encoded {
    let mut position = start;
    let record = head.record;
    let mut encoded = Encoded {
        head,
        moves: Vec::with_capacity(moves.len()),
        positions: Vec::with_capacity(moves.len()),
        reactions: Vec::with_capacity(moves.len()),
        cases: Vec::with_capacity(if with_cases { moves.len() } else { 0 }),
        fingerprint: 0,
    };
    let mut before: Option<Action> = None;
    for (ply, &mv) in (0_u16..).zip(moves) {
        let is_white = position.turn().is_white();
        let parts = parts(mv);
        let small =
            |mirror: u8| SmallMove::new(parts.source, parts.target, parts.promotion, mirror);
        encoded.moves.push(small(0));
        encoded.positions.push(PositionRecord {
            key: polyglot_key(&position).into(),
            mv: small(0),
            games: 1.into(),
            half_points: half_points(record.result, is_white).into(),
            year: record.year,
            elo: if is_white {
                record.white_elo
            } else {
                record.black_elo
            },
        });
        let action = Action::from_parts(&parts, is_white);
        if let Some(before) = before {
            encoded.reactions.push((before.key, action.key));
            if with_cases && ply <= LAST_PLY {
                // The board is mirrored if Black acted, and White reacts.
                let reaction = small(if is_white { 56 } else { 0 });
                let actor = if is_white {
                    chess::Color::Black
                } else {
                    chess::Color::White
                };
                let planes = Planes::of_shakmaty(&position);
                let game = GameId::Library(0);
                let case = Case {
                    planes,
                    reaction,
                    ply,
                    source: before.source,
                    actor,
                    game,
                };
                encoded.cases.push((before.key, CaseRecord::new(&case)));
            }
        }
        before = Some(action);
        position.play_unchecked(mv);
    }
    // A game counts once for a move, however often the position came back.
    encoded.positions.sort_unstable();
    encoded
        .positions
        .dedup_by_key(|record| (record.key, record.mv));
    encoded.fingerprint = fingerprint(&encoded.head.names, &encoded.moves);
    encoded
}

/// Returns a number that identifies a game: moves, start, and the letters of the players' names.
/// Another collection writes the names with other blanks and dots.
pub fn fingerprint(names: &[String; 4], moves: &[SmallMove]) -> u64 {
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

/// Parses `2008.03.26`; unknown parts are 0.
fn date(text: &str) -> (u16, u8, u8) {
    let mut parts = text.split(['.', '-', '/']);
    let year = parts.next().and_then(|year| year.parse().ok()).unwrap_or(0);
    let mut part = |most: u8| {
        parts
            .next()
            .and_then(|part| part.parse().ok())
            .filter(|&part| part <= most)
            .unwrap_or(0)
    };
    (year, part(12), part(31))
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

/// Castling is the king's move of two squares.
fn parts(mv: Move) -> Parts {
    let number = |square: Square| u32::from(square) as u8;
    let (source, target) = match mv {
        Move::Castle { king, rook } => {
            let is_short = rook.file() > king.file();
            (
                number(king),
                number(king) & 56 | if is_short { 6 } else { 2 },
            )
        }
        _ => (mv.from().map_or(0, number), number(mv.to())),
    };
    Parts {
        piece: mv.role() as u16 - Role::Pawn as u16,
        source,
        target,
        captures: mv.is_capture(),
        promotion: mv
            .promotion()
            .map_or(0, |role| role as u16 - Role::Pawn as u16),
    }
}

fn uci(mv: SmallMove) -> UciMove {
    let square = |index: u8| Square::new(u32::from(index));
    UciMove::Normal {
        from: square(mv.source()),
        to: square(mv.target()),
        promotion: Role::ALL
            .get(usize::from(mv.promotion()))
            .copied()
            .filter(|&role| role != Role::Pawn),
    }
}

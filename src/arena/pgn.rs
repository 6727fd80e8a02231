//! Games as PGN.

use std::fmt::Write;

use jiff::Timestamp;
use shakmaty::Color;

use super::referee::{OpeningError, Played, Referee};
use super::{GameRecord, Limits, Time};
use crate::score::Score;

/// No line of a PGN in export format is longer than this (PGN standard, 8.2.1).
const LINE_LENGTH: usize = 79;

/// What a tournament knows and a game does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tags {
    pub event: String,
    /// PGN wants `Town, Region COUNTRY`; a computer's name will do.
    pub site: String,
}

/// A game as PGN, an empty line at its end.
///
/// Each move has a comment `{+0.35/12 0.53s}`: score from the mover's point of view, depth, time. What is not known is left out; a mate is
/// `+M3` or `-M3` in moves. The last comment says why the game ended.
pub fn write(record: &GameRecord, tags: &Tags) -> String {
    let game = Replay::new(record);
    let mut pgn = String::new();
    for (name, value) in tag_pairs(record, tags, &game) {
        let value = value
            .replace(|c: char| c.is_control(), " ")
            .replace('\\', "\\\\")
            .replace('"', "\\\"");
        // Writing to a string cannot fail.
        let _ = writeln!(pgn, "[{name} \"{value}\"]");
    }
    pgn.push('\n');
    let mut column = 0;
    for word in words(record, &game) {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > LINE_LENGTH {
            pgn.push('\n');
            column = 0;
        }
        if column > 0 {
            pgn.push(' ');
            column += 1;
        }
        pgn.push_str(&word);
        column += length;
    }
    pgn.push_str("\n\n");
    pgn
}

/// The record's moves, made once more: for their notation, and to be sure of them.
struct Replay {
    fen: Option<String>,
    first: Color,
    number: u32,
    played: Vec<Played>,
    opening: usize,
}

impl Replay {
    /// A record can come from a journal, where anything may stand: the game is cut before the first move that is none.
    fn new(record: &GameRecord) -> Replay {
        let mut opening = record.opening.clone();
        let mut referee = loop {
            match Referee::new(&opening) {
                Ok(referee) => break referee,
                Err(OpeningError::Move { number, .. }) => opening.moves.truncate(number - 1),
                Err(OpeningError::Fen { .. }) => opening = super::Opening::default(),
            }
        };
        if opening == record.opening {
            for mv in &record.moves {
                match referee.read_move(&mv.uci) {
                    Ok(mv) => referee.play(mv),
                    Err(_) => break,
                }
            }
        }
        let start = referee.start();
        Replay {
            fen: referee.start_fen(),
            first: shakmaty::Position::turn(start),
            number: shakmaty::Position::fullmoves(start).get(),
            played: referee.moves().to_vec(),
            opening: referee.opening_length(),
        }
    }
}

fn tag_pairs(record: &GameRecord, tags: &Tags, game: &Replay) -> Vec<(&'static str, String)> {
    let date = i64::try_from(record.started)
        .ok()
        .and_then(|seconds| Timestamp::from_second(seconds).ok());
    let dated = |format: &str| date.map(|date| date.strftime(format).to_string());
    let or_unknown = |text: &str| {
        if text.trim().is_empty() {
            "?".to_owned()
        } else {
            text.to_owned()
        }
    };
    let day = dated("%Y.%m.%d").unwrap_or_else(|| "????.??.??".to_owned());
    let mut pairs = vec![
        ("Event", or_unknown(&tags.event)),
        ("Site", or_unknown(&tags.site)),
        ("Date", day.clone()),
        ("Round", or_unknown(&record.round)),
        ("White", or_unknown(&record.white)),
        ("Black", or_unknown(&record.black)),
        ("Result", record.result.verdict.to_string()),
    ];
    if let Some(fen) = &game.fen {
        pairs.push(("SetUp", "1".to_owned()));
        pairs.push(("FEN", fen.clone()));
    }
    if let Some(name) = &record.opening.name {
        pairs.push(("Opening", name.clone()));
    }
    if let Some(time) = dated("%H:%M:%S") {
        pairs.push(("UTCDate", day));
        pairs.push(("UTCTime", time));
    }
    let [white, black] = record.limits.each_ref().map(|limits| time_control(limits));
    if white == black {
        pairs.push(("TimeControl", white));
    } else {
        // The standard has one field for both; these two are what other programs write.
        pairs.push(("TimeControl", "?".to_owned()));
        pairs.push(("WhiteTimeControl", white));
        pairs.push(("BlackTimeControl", black));
    }
    let limits = |limits: &str| (!limits.is_empty()).then(|| limits.to_owned());
    pairs.extend(limits(&record.limits[0]).map(|text| ("WhiteLimits", text)));
    pairs.extend(limits(&record.limits[1]).map(|text| ("BlackLimits", text)));
    pairs.push(("Termination", record.result.reason.termination().to_owned()));
    pairs.push(("PlyCount", game.played.len().to_string()));
    pairs
}

/// The tag's value (PGN standard, 9.6.1): `40/9000`, `300+2`, `*5` for a time a move, `-` without time, `?` for what is no time control.
fn time_control(limits: &str) -> String {
    match limits.parse::<Limits>() {
        Ok(Limits {
            time: Some(Time::PerMove(time)),
            ..
        }) => format!("*{}", time.as_secs_f64()),
        Ok(Limits { time: None, .. }) => "-".to_owned(),
        Ok(limits) => Limits {
            depth: None,
            nodes: None,
            ..limits
        }
        .to_string(),
        Err(_) => "?".to_owned(),
    }
}

/// The words of the move text, comments cut into words too.
fn words(record: &GameRecord, game: &Replay) -> Vec<String> {
    let mut words = Vec::new();
    let mut number = game.number;
    let mut side = game.first;
    let mut after_comment = false;
    for (ply, played) in game.played.iter().enumerate() {
        if side == Color::White {
            words.push(format!("{number}."));
        } else if ply == 0 || after_comment {
            words.push(format!("{number}..."));
        }
        words.push(played.san.clone());
        let said = ply
            .checked_sub(game.opening)
            .and_then(|index| record.moves.get(index));
        after_comment = said.is_some();
        if let Some(said) = said {
            words.extend(comment(&move_comment(said)));
        }
        number += u32::from(side == Color::Black);
        side = !side;
    }
    words.extend(comment(&record.result.detail));
    words.push(record.result.verdict.to_string());
    words
}

/// `+0.35/12 0.53s`
fn move_comment(said: &super::MoveRecord) -> String {
    let score = said.score.map(|score| match Score(score).mate_distance() {
        Some(plies) if plies > 0 => format!("+M{}", (plies + 1) / 2),
        Some(plies) => format!("-M{}", (1 - plies) / 2),
        None => Score(score).to_string(),
    });
    let depth = said.depth.map(|depth| depth.to_string());
    let thought = match (score, depth) {
        (Some(score), Some(depth)) => format!("{score}/{depth} "),
        (Some(score), None) => format!("{score} "),
        (None, _) => String::new(),
    };
    let milliseconds = said.time;
    format!("{thought}{}.{:03}s", milliseconds / 1000, milliseconds % 1000)
}

/// A comment in words, which may stand on different lines. There is no way to write a closing brace in it.
fn comment(text: &str) -> Vec<String> {
    let text = text.replace(|c: char| c == '{' || c == '}' || c.is_control(), " ");
    let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    if let Some(first) = words.first_mut() {
        first.insert(0, '{');
    }
    if let Some(last) = words.last_mut() {
        last.push('}');
    }
    words
}

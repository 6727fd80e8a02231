//! Conditions for thinking lines, and for an engine's words on itself.

use std::collections::HashSet;
use std::time::Duration;

use super::session::{Done, Halt, ReceivedLine, Session, demand, failed};
use crate::arena::client::driver::SearchLine;
use crate::arena::client::{self, xboard};
use crate::arena::referee::{MoveFault, Referee};
use crate::arena::thinking;
use crate::rules::protocol::uci;
use crate::rules::protocol::xboard::{Feature, FeatureValue, ThinkingLine};

/// A line of play, in either protocol, with its number (`multipv`, from 1).
fn read(received: &ReceivedLine) -> Option<(SearchLine, u32)> {
    if let Some(line) = ThinkingLine::parse(&received.line) {
        return Some((xboard::search_line(line)?, 1));
    }
    let Ok(uci::Reply::Info(info)) = received.line.parse() else {
        return None;
    };
    Some((client::uci::search_line(&info)?, info.line.unwrap_or(1)))
}

/// The moves at the beginning of a variation, in coordinates, up to the first word that is no move.
///
/// # Errors
/// Fails on an illegal move, or in UCI on a move not written in its notation.
fn moves(variation: &str, place: &Referee, strictly: bool) -> Result<Vec<String>, String> {
    let (game, stopped_at) = thinking::follow(variation, place);
    let moves = game.coordinates(place.moves().len());
    let words: Vec<&str> = variation.split_whitespace().collect();
    if strictly {
        for (written, word) in moves.iter().zip(&words) {
            if written != word {
                return Err(format!("it writes {word} for {written}"));
            }
        }
    }
    match (stopped_at, words.get(moves.len())) {
        (Some((word, fault)), _) if strictly || fault != MoveFault::Unreadable => {
            Err(format!("{word} {fault} in {}", game.fen()))
        }
        (_, Some(word)) if strictly => Err(format!("{word} is no move")),
        _ => Ok(moves),
    }
}

/// Checks the thinking lines of the last search: a fact, and a number or moves.
pub fn lines(session: &Session, words: &[String]) -> Done {
    let what = words.first().map_or("", String::as_str);
    let arguments = words.get(1..).unwrap_or_default();
    let number: i64 = match arguments.first() {
        Some(word) => word.parse().unwrap_or_default(),
        None => 0,
    };
    if what == "stray" {
        return match session.stray.first() {
            Some(line) => failed(format!("\"{line}\" is no word of the protocol")),
            None => Ok(()),
        };
    }
    let mut read_lines = Vec::new();
    for received in &session.received {
        if let Some((line, number)) = read(received) {
            read_lines.push((received, line, number));
        }
    }
    let Some(last) = read_lines.last() else {
        return Err(Halt::Skipped(
            "it says nothing of what it thinks".to_owned(),
        ));
    };
    match what {
        "deeper" => {
            let is_deep = read_lines
                .iter()
                .any(|(_, line, _)| is_deeper(line, number));
            demand(
                is_deep,
                format!("it does not think more than {number} deep"),
            )
        }
        "mate" => mate(&read_lines, number),
        "multipv" => several(&read_lines, number),
        "last" => check_line(last, what, number, arguments),
        _ => {
            for line in &read_lines {
                check_line(line, what, number, arguments)?;
            }
            Ok(())
        }
    }
}

/// A thinking line as received, its parsed form, and its number.
type ReadLine<'t> = (&'t ReceivedLine, SearchLine, u32);

fn wrong(received: &ReceivedLine, why: &str) -> Done {
    failed(format!("\"{}\": {why}", received.line))
}

fn is_deeper(line: &SearchLine, depth: i64) -> bool {
    line.depth.map(i64::from) > Some(depth)
}

/// Returns true if an engine's own time is far off. Short times are measured badly, and a busy
/// machine delays lines.
fn is_mistimed(line: &SearchLine, arrived: Duration) -> bool {
    let Some(said) = line.time else {
        return false;
    };
    let latest = 2 * arrived + Duration::from_millis(100);
    arrived > Duration::from_millis(300) && (said > latest || said < arrived / 4)
}

/// Checks a line, taken alone.
fn check_line(
    (received, line, _): &ReadLine<'_>,
    what: &str,
    number: i64,
    arguments: &[String],
) -> Done {
    let strictly = received.line.starts_with("info");
    let moves = moves(&line.variation, &received.position, strictly);
    let why = match (what, moves) {
        ("legal", Err(why)) => why,
        ("depth", _) if is_deeper(line, number) => format!("it is deeper than {number}"),
        ("nodes", _) if line.nodes > Some(number.unsigned_abs()) => {
            format!("these are more than {number} nodes")
        }
        ("clock", _) if is_mistimed(line, received.at) => {
            format!("it came {:.0?} after the search began", received.at)
        }
        ("first" | "last", Ok(moves)) => match moves.first() {
            Some(first) if !arguments.contains(first) => format!("{first} is not asked for"),
            _ => return Ok(()),
        },
        ("legal" | "depth" | "nodes" | "clock" | "first" | "last", _) => return Ok(()),
        _ => format!("the check is wrong: there is no \"lines {what}\""),
    };
    wrong(received, &why)
}

/// A score that no engine gives a position without a mate, in centipawns.
const MATE_LIKE: i32 = 9_000;

/// Checks for a mate in so many moves. No mate, or a longer one, breaks no rule.
fn mate(lines: &[ReadLine<'_>], number: i64) -> Done {
    let mut best = None;
    for (received, line, place) in lines {
        if *place != 1 {
            continue;
        }
        let mate = match line.score.mate_moves() {
            Some(mate) if line.exact => Some(i64::from(mate)),
            _ => None,
        };
        if let Some(mate) = mate
            && (mate.signum() != number.signum() || mate.abs() < number.abs())
        {
            return wrong(received, &format!("it is a mate in {number}"));
        }
        best = Some((received, line.score, mate));
    }
    match best {
        Some((.., mate)) if mate == Some(number) => Ok(()),
        Some((received, score, None)) if !score.is_mate() && score.0.abs() > MATE_LIKE => wrong(
            received,
            &format!("a mate in {number} is written otherwise"),
        ),
        _ => Err(Halt::Skipped(format!(
            "it does not see the mate in {}",
            number.abs()
        ))),
    }
}

/// Checks for so many lines with moves of their own, at the last depth with all of them.
fn several(lines: &[ReadLine<'_>], wanted: i64) -> Done {
    let mut seen: Vec<(i64, &str)> = Vec::new();
    for (_, line, number) in lines {
        let Some(first) = line.variation.split(' ').next() else {
            continue;
        };
        let number = i64::from(*number);
        seen.retain(|(other, _)| *other < number);
        seen.push((number, first));
        let moves: HashSet<&str> = seen.iter().map(|(_, mv)| *mv).collect();
        if number == wanted && moves.len() as i64 == wanted {
            return Ok(());
        }
    }
    failed(format!(
        "there are no {wanted} lines with moves of their own"
    ))
}

/// Checks the engine's words on itself.
pub fn greeting(session: &Session, what: &str) -> Done {
    let features = &session.known.said;
    match what {
        "features" => demand(!features.is_empty(), "no feature comes"),
        "done" => {
            let mut is_used = false;
            let mut is_done = false;
            for Feature { name, value } in features {
                if is_done && name != "option" {
                    return failed(format!("{name} comes after done=1"));
                }
                is_used |= name == "done";
                is_done |= name == "done" && *value == FeatureValue::Number(1);
            }
            if !is_used {
                return Err(Halt::Skipped("it does not use done".to_owned()));
            }
            demand(is_done, "done=1 never comes")
        }
        "id" => {
            for word in ["id name", "id author"] {
                let is_there = session
                    .greeting
                    .iter()
                    .any(|line| line.trim().starts_with(&format!("{word} ")));
                demand(is_there, format!("there is no \"{word}\""))?;
            }
            Ok(())
        }
        "uciok" => match session.greeting.last() {
            Some(line) if line.trim() == "uciok" => Ok(()),
            Some(line) => failed(format!("\"{line}\" comes after uciok")),
            None => failed("there is no uciok"),
        },
        _ => failed(format!(
            "the check is wrong: there is no \"greeting {what}\""
        )),
    }
}

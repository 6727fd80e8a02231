//! Conditions for thinking lines, and for an engine's words on itself.

use std::collections::HashSet;
use std::time::Duration;

use super::session::{Done, Halt, ReceivedLine, Session, failed, faultless};
use crate::arena::client::driver::SearchLine;
use crate::arena::client::{self, xboard};
use crate::arena::referee::{MoveFault, Referee};
use crate::arena::thinking;
use crate::rules::protocol::uci;
use crate::rules::protocol::xboard::{FeatureValue, ThinkingLine};

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
    let moves: Vec<String> = game.moves()[place.moves().len()..]
        .iter()
        .map(|mv| mv.uci.clone())
        .collect();
    let mut pairs = moves.iter().zip(variation.split_whitespace());
    if let Some((written, word)) = pairs.find(|(written, word)| strictly && written != word) {
        return Err(format!("it writes {word} for {written}"));
    }
    match stopped_at {
        Some((word, fault)) if strictly || fault != MoveFault::Unreadable => {
            Err(format!("{word} {fault} in {}", game.fen()))
        }
        _ => match variation
            .split_whitespace()
            .nth(moves.len())
            .filter(|_| strictly)
        {
            Some(word) => Err(format!("{word} is no move")),
            None => Ok(moves),
        },
    }
}

/// Checks the thinking lines of the last search: a fact, and a number or moves.
pub fn lines(session: &Session, words: &[String]) -> Done {
    let what = words.first().map_or("", String::as_str);
    let arguments = words.get(1..).unwrap_or_default();
    let number = arguments.first().and_then(|word| word.parse().ok());
    let number: i64 = number.unwrap_or_default();
    if what == "stray" {
        let stray = session.stray.first();
        return faultless(stray.map(|line| format!("\"{line}\" is no word of the protocol")));
    }
    let mut read_lines = Vec::new();
    for received in &session.received {
        read_lines.extend(read(received).map(|(line, number)| (received, line, number)));
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
            faultless((!is_deep).then(|| format!("it does not think more than {number} deep")))
        }
        "mate" => mate(&read_lines, number),
        "multipv" => several(&read_lines, number),
        "last" => check_line(last, what, number, arguments),
        _ => read_lines
            .iter()
            .try_for_each(|line| check_line(line, what, number, arguments)),
    }
}

/// A thinking line as it was said, as it was read, and its number.
type ReadLine<'t> = (&'t ReceivedLine, SearchLine, u32);

fn wrong(received: &ReceivedLine, why: &str) -> Done {
    failed(format!("\"{}\": {why}", received.line))
}

fn is_deeper(line: &SearchLine, depth: i64) -> bool {
    line.depth.is_some_and(|reached| i64::from(reached) > depth)
}

/// Checks a line, taken alone.
fn check_line(
    (received, line, _): &ReadLine<'_>,
    what: &str,
    number: i64,
    arguments: &[String],
) -> Done {
    let strictly = received.line.starts_with("info");
    let moves = || moves(&line.variation, &received.position, strictly);
    let fault = match what {
        "legal" => moves().err(),
        "depth" => is_deeper(line, number).then(|| format!("it is deeper than {number}")),
        "nodes" => {
            let most = number.unsigned_abs();
            let is_more = line.nodes.is_some_and(|nodes| nodes > most);
            is_more.then(|| format!("these are more than {number} nodes"))
        }
        "clock" => {
            let arrived = received.at;
            // Short times are measured badly, and a busy machine delays lines.
            let is_long = arrived > Duration::from_millis(300);
            let latest = 2 * arrived + Duration::from_millis(100);
            let is_far_off = |said: Duration| said > latest || said < arrived / 4;
            let is_wrong = is_long && line.time.is_some_and(is_far_off);
            is_wrong.then(|| format!("it came {arrived:.0?} after the search began"))
        }
        "first" | "last" => {
            let first = moves().ok().and_then(|moves| moves.into_iter().next());
            let other = first.filter(|first| !arguments.contains(first));
            other.map(|first| format!("{first} is not asked for"))
        }
        _ => Some(format!("the check is wrong: there is no \"lines {what}\"")),
    };
    fault.map_or(Ok(()), |why| wrong(received, &why))
}

/// A score that no engine gives a position without a mate, in centipawns.
const MATE_LIKE: i32 = 9_000;

/// Checks for a mate in so many moves. No mate, or a longer one, breaks no rule.
fn mate(lines: &[ReadLine<'_>], number: i64) -> Done {
    let mut best = None;
    for (received, line, _) in lines.iter().filter(|(.., number)| *number == 1) {
        let mate = line.score.mate_moves().filter(|_| line.exact);
        let mate = mate.map(i64::from);
        let is_false = |mate: i64| mate.signum() != number.signum() || mate.abs() < number.abs();
        if mate.is_some_and(is_false) {
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
    let done = features
        .iter()
        .position(|feature| feature.name == "done" && feature.value == FeatureValue::Number(1));
    match what {
        "features" => faultless(features.is_empty().then(|| "no feature comes".to_owned())),
        "done" => match done {
            None if features.iter().any(|feature| feature.name == "done") => {
                failed("done=1 never comes")
            }
            None => Err(Halt::Skipped("it does not use done".to_owned())),
            Some(at) => {
                let late = features[at + 1..]
                    .iter()
                    .find(|feature| feature.name != "option");
                faultless(late.map(|feature| format!("{feature} comes after done=1")))
            }
        },
        "id" => ["id name ", "id author "].into_iter().try_for_each(|word| {
            let is_there = session
                .greeting
                .iter()
                .any(|line| line.trim().starts_with(word));
            faultless((!is_there).then(|| format!("there is no \"{}\"", word.trim())))
        }),
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

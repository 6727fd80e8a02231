//! Conditions for thinking lines, and for an engine's words on itself.

use std::collections::HashSet;

use super::session::{Done, Halt, SearchLine, Session, declared, failed, faultless};
use crate::arena::referee::{MoveFault, Referee};
use crate::arena::thinking;
use crate::rules::protocol::uci::{self, OptionType};
use crate::rules::protocol::xboard::{FeatureValue, ThinkingLine};
use crate::rules::score::Bound;

/// The facts about a search common to both protocols.
#[derive(Debug, Default)]
struct Facts {
    depth: Option<u32>,
    /// Moves to the mate; below zero the engine is mated. Only of exact scores.
    mate: Option<i64>,
    /// Centipawns, as the protocol writes them.
    score: Option<i64>,
    nodes: Option<u64>,
    /// Milliseconds.
    time: Option<u64>,
    variation: String,
    /// `multipv`
    line: Option<u32>,
}

fn facts(line: &str) -> Facts {
    if let Some(thinking) = ThinkingLine::parse(line) {
        let size = thinking.score.abs() - 100_000;
        let exact = !thinking.variation.ends_with(['!', '?']);
        return Facts {
            depth: Some(thinking.depth),
            mate: (size >= 0 && exact).then_some(size * thinking.score.signum()),
            score: Some(thinking.score),
            nodes: Some(thinking.nodes),
            time: Some(thinking.time.saturating_mul(10)),
            variation: thinking.variation,
            line: None,
        };
    }
    let Ok(uci::Reply::Info(info)) = line.parse() else {
        return Facts::default();
    };
    let exact = info.score.filter(|score| score.bound == Bound::Exact);
    Facts {
        depth: info.depth,
        mate: exact
            .and_then(|score| score.value.mate_moves())
            .map(i64::from),
        score: info.score.map(|score| i64::from(score.value.0)),
        nodes: info.nodes,
        time: info.time,
        variation: info.variation.join(" "),
        line: info.line,
    }
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

/// Checks the thinking lines of the last search.
pub fn lines(session: &Session, what: &str, arguments: &[String]) -> Done {
    let thoughts = &session.thoughts;
    let number = arguments
        .first()
        .and_then(|word| word.parse::<i64>().ok())
        .unwrap_or_default();
    match what {
        "stray" => faultless(
            session
                .stray
                .first()
                .map(|line| format!("\"{line}\" is no word of the protocol")),
        ),
        _ if thoughts.is_empty() => Err(Halt::Skipped(
            "it says nothing of what it thinks".to_owned(),
        )),
        "deeper" => {
            let is_deep = thoughts
                .iter()
                .any(|thought| is_deeper(&facts(&thought.line), number));
            faultless((!is_deep).then(|| format!("it does not think more than {number} deep")))
        }
        "mate" => mate(thoughts, number),
        "multipv" => several(thoughts, number),
        _ => {
            let from = if what == "last" {
                thoughts.len() - 1
            } else {
                0
            };
            thoughts[from..].iter().try_for_each(|thought| {
                fault(thought, what, number, arguments).map_or(Ok(()), |why| wrong(thought, &why))
            })
        }
    }
}

fn wrong(thought: &SearchLine, why: &str) -> Done {
    failed(format!("\"{}\": {why}", thought.line))
}

fn is_deeper(facts: &Facts, depth: i64) -> bool {
    facts
        .depth
        .is_some_and(|reached| i64::from(reached) > depth)
}

/// The fault of a line, taken alone.
fn fault(thought: &SearchLine, what: &str, number: i64, arguments: &[String]) -> Option<String> {
    let facts = facts(&thought.line);
    let strictly = thought.line.starts_with("info");
    let moves = || moves(&facts.variation, &thought.place, strictly);
    match what {
        "legal" => moves().err(),
        "depth" => is_deeper(&facts, number).then(|| format!("it is deeper than {number}")),
        "nodes" => {
            let is_more = facts
                .nodes
                .is_some_and(|nodes| nodes > number.unsigned_abs());
            is_more.then(|| format!("these are more than {number} nodes"))
        }
        "clock" => {
            let arrived = thought.at.as_millis() as u64;
            // Short times are measured badly, and a busy machine delays lines.
            let is_far_off =
                |said: u64| arrived > 300 && (said > 2 * arrived + 100 || said < arrived / 4);
            let is_wrong = facts.time.is_some_and(is_far_off);
            is_wrong.then(|| format!("it came {arrived} ms after the search began"))
        }
        "first" | "last" => {
            let first = moves().ok()?.into_iter().next();
            first
                .filter(|first| !arguments.contains(first))
                .map(|first| format!("{first} is not asked for"))
        }
        _ => Some(format!("the check is wrong: there is no \"lines {what}\"")),
    }
}

/// Checks for a mate in so many moves. No mate, or a longer one, breaks no rule.
fn mate(thoughts: &[SearchLine], number: i64) -> Done {
    let scored = || {
        let all = thoughts
            .iter()
            .map(|thought| (thought, facts(&thought.line)));
        all.filter(|(_, facts)| facts.score.is_some() && facts.line.is_none_or(|line| line == 1))
    };
    let is_false = |mate: i64| mate.signum() != number.signum() || mate.abs() < number.abs();
    if let Some((thought, _)) = scored().find(|(_, facts)| facts.mate.is_some_and(is_false)) {
        return wrong(thought, &format!("it is a mate in {number}"));
    }
    match scored().next_back() {
        Some((_, Facts { mate, .. })) if mate == Some(number) => Ok(()),
        Some((
            thought,
            Facts {
                mate: None,
                score: Some(score),
                ..
            },
        )) if score.abs() > 9_000 => {
            wrong(thought, &format!("a mate in {number} is written otherwise"))
        }
        _ => Err(Halt::Skipped(format!(
            "it does not see the mate in {}",
            number.abs()
        ))),
    }
}

/// Checks for so many lines with moves of their own, at the last depth with all of them.
fn several(thoughts: &[SearchLine], number: i64) -> Done {
    let mut seen: Vec<(i64, String)> = Vec::new();
    let all = thoughts.iter().map(|thought| facts(&thought.line));
    for facts in all.filter(|facts| !facts.variation.is_empty()) {
        let first = facts
            .variation
            .split(' ')
            .next()
            .unwrap_or_default()
            .to_owned();
        let line = facts.line.unwrap_or(1).into();
        seen.retain(|(other, _)| *other < line);
        seen.push((line, first));
        let moves: HashSet<&String> = seen.iter().map(|(_, mv)| mv).collect();
        if line == number && moves.len() as i64 == number {
            return Ok(());
        }
    }
    failed(format!(
        "there are no {number} lines with moves of their own"
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
        "options" if features.is_empty() => uci_options(session),
        "options" => xboard_options(session),
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

fn xboard_options(session: &Session) -> Done {
    let options = declared(session);
    if options.is_empty() {
        return Err(Halt::Skipped("it has no options".to_owned()));
    }
    for (index, &[name, kind, values]) in options.iter().enumerate() {
        let numbers: Option<Vec<i64>> = values
            .split_whitespace()
            .map(|word| word.parse().ok())
            .collect();
        let fault = match (kind, numbers.as_deref()) {
            ("button" | "save" | "reset" | "string" | "file" | "path", _) => None,
            ("check", Some([0 | 1])) => None,
            ("check", _) => Some("a check is 0 or 1"),
            ("spin" | "slider", Some([value, min, max])) if min <= value && value <= max => None,
            ("spin" | "slider", _) => Some("a value from MIN to MAX, MIN and MAX are wanted"),
            ("combo", _) => match values
                .split("///")
                .filter(|one| one.trim().starts_with('*'))
                .count()
            {
                1 => None,
                _ => Some("the current choice has an asterisk, and no other has"),
            },
            _ => Some("there is no such type"),
        };
        if let Some(fault) = fault {
            return failed(format!("option \"{name} -{kind} {values}\": {fault}"));
        }
        if name.is_empty() || options[..index].iter().any(|[other, ..]| *other == name) {
            return failed(format!("option \"{name}\" has no name of its own"));
        }
    }
    Ok(())
}

fn uci_options(session: &Session) -> Done {
    let lines: Vec<&String> = session
        .greeting
        .iter()
        .filter(|line| line.trim_start().starts_with("option"))
        .collect();
    if lines.is_empty() {
        return Err(Halt::Skipped("it has no options".to_owned()));
    }
    for line in lines {
        let Ok(uci::Reply::Option(option)) = line.parse() else {
            return failed(format!(
                "\"{line}\" has no name, or no type of the protocol"
            ));
        };
        let words: Vec<&str> = line.split_whitespace().collect();
        let value = |word: &str| {
            words
                .iter()
                .position(|&other| other == word)
                .and_then(|at| words.get(at + 1))
        };
        let fault = match &option.kind {
            OptionType::Check { .. } => (!matches!(value("default"), Some(&("true" | "false"))))
                .then_some("a check is true or false"),
            OptionType::Spin { default, min, max } => {
                let is_right = value("default").is_some_and(|word| word.parse::<i64>().is_ok())
                    && min.is_none_or(|min| min <= *default)
                    && max.is_none_or(|max| *default <= max);
                (!is_right).then_some("its default is none of its values")
            }
            OptionType::Combo { default, choices } => {
                (!choices.contains(default)).then_some("its default is none of its choices")
            }
            OptionType::Button | OptionType::Text { .. } => None,
        };
        if let Some(fault) = fault {
            return failed(format!("\"{line}\": {fault}"));
        }
    }
    Ok(())
}

//! What has to be true of thinking lines, and of what an engine says of itself.

use super::session::{Done, Halt, Session, Thought, declared, failed};
use crate::arena::referee::{MoveFault, Referee};
use crate::protocol::uci::{self, OptionType, ScoreValue};
use crate::protocol::xboard::{FeatureValue, ThinkingLine};
use crate::score::Bound;

/// What both protocols say of a search.
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
    let Ok(uci::Reply::Info(info)) = line.parse() else { return Facts::default() };
    let mate = info.score.filter(|score| score.bound == Bound::Exact).and_then(|score| match score.value {
        ScoreValue::Mate(moves) => Some(moves),
        ScoreValue::Centipawns(_) => None,
    });
    Facts {
        depth: info.depth,
        mate,
        score: info.score.map(|score| match score.value {
            ScoreValue::Centipawns(number) | ScoreValue::Mate(number) => number,
        }),
        nodes: info.nodes,
        time: info.time,
        variation: info.variation.join(" "),
        line: info.line,
    }
}

/// The moves at the beginning of a variation, in coordinates, up to what is no move at all.
///
/// # Errors
/// A move that is not legal, or in UCI not written as its protocol has it.
fn moves(variation: &str, place: &Referee, strictly: bool) -> Result<Vec<String>, String> {
    let mut game = place.clone();
    let before = game.moves().len();
    for word in variation.split_whitespace() {
        let text = match word.find('.') {
            Some(_) => word.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches('.'),
            None => word,
        };
        if !strictly && !text.bytes().any(|byte| byte.is_ascii_alphabetic()) && !text.starts_with("0-0") {
            continue;
        }
        match game.read_move(text) {
            Ok(mv) => game.play(mv),
            Err(MoveFault::Unreadable) if !strictly => break,
            Err(fault) => return Err(format!("{text} {fault} in {}", game.fen())),
        }
        let written = game.moves().last().map(|played| played.uci.as_str());
        if strictly && written != Some(text) {
            return Err(format!("it writes {text} for {}", written.unwrap_or_default()));
        }
    }
    Ok(game.moves()[before..].iter().map(|played| played.uci.clone()).collect())
}

/// Checks the thinking lines of the last search.
///
/// # Errors
/// [`Halt`]
pub fn lines(session: &Session, what: &str, arguments: &[String]) -> Done {
    let number = || arguments.first().and_then(|word| word.parse::<i64>().ok()).unwrap_or_default();
    let thoughts = &session.thoughts;
    if thoughts.is_empty() && what != "stray" {
        return Err(Halt::Skipped("it says nothing of what it thinks".to_owned()));
    }
    let strictly = thoughts.first().is_some_and(|thought| thought.line.starts_with("info"));
    let all = || thoughts.iter().map(|thought| (thought, facts(&thought.line)));
    let wrong = |thought: &Thought, why: &str| failed(format!("\"{}\": {why}", thought.line));
    match what {
        "legal" => all().try_for_each(|(thought, facts)| {
            moves(&facts.variation, &thought.place, strictly).map(drop).or_else(|why| wrong(thought, &why))
        }),
        "form" => all().try_for_each(|(thought, facts)| match form(&thought.line, &facts, &thought.place) {
            Some(why) => wrong(thought, &why),
            None => Ok(()),
        }),
        "depth" => {
            match all().find(|(_, facts)| facts.depth.is_some_and(|depth| i64::from(depth) > number())) {
                Some((thought, _)) => wrong(thought, &format!("it is deeper than {}", number())),
                None => Ok(()),
            }
        }
        "deeper" => {
            match all().any(|(_, facts)| facts.depth.is_some_and(|depth| i64::from(depth) > number())) {
                true => Ok(()),
                false => failed(format!("it does not think more than {} deep", number())),
            }
        }
        "nodes" => {
            let most = number().unsigned_abs();
            match all().find(|(_, facts)| facts.nodes.is_some_and(|nodes| nodes > most)) {
                Some((thought, _)) => wrong(thought, &format!("these are more than {most} nodes")),
                None => Ok(()),
            }
        }
        "clock" => all().try_for_each(|(thought, facts)| {
            let arrived = thought.at.as_millis() as u64;
            match facts.time {
                // Short times are measured badly, and a busy machine delays lines.
                Some(said) if arrived > 300 && (said > 2 * arrived + 100 || said < arrived / 4) => {
                    wrong(thought, &format!("it came {arrived} ms after the search began"))
                }
                _ => Ok(()),
            }
        }),
        "mate" => {
            // Who sees no mate, or a longer one, breaks no rule.
            let scored = || {
                all().filter(|(_, facts)| facts.score.is_some() && facts.line.is_none_or(|line| line == 1))
            };
            let is_false = |mate: i64| mate.signum() != number().signum() || mate.abs() < number().abs();
            if let Some((thought, _)) = scored().find(|(_, facts)| facts.mate.is_some_and(is_false)) {
                return wrong(thought, &format!("it is a mate in {}", number()));
            }
            match scored().last() {
                Some((_, facts)) if facts.mate == Some(number()) => Ok(()),
                Some((thought, facts))
                    if facts.mate.is_none() && facts.score.is_some_and(|score| score.abs() > 9_000) =>
                {
                    wrong(thought, &format!("a mate in {} is written otherwise", number()))
                }
                _ => Err(Halt::Skipped(format!("it does not see the mate in {}", number().abs()))),
            }
        }
        "first" | "last" => all().skip(if what == "last" { thoughts.len() - 1 } else { 0 }).try_for_each(
            |(thought, facts)| {
                let line = moves(&facts.variation, &thought.place, strictly);
                match line.as_deref() {
                    Ok([first, ..]) if !arguments.contains(first) => {
                        wrong(thought, &format!("{first} is not asked for"))
                    }
                    _ => Ok(()),
                }
            },
        ),
        "multipv" => {
            // The variations of the last depth that has all of them.
            let mut seen: Vec<(i64, String)> = Vec::new();
            for (_, facts) in all().filter(|(_, facts)| !facts.variation.is_empty()) {
                let first = facts.variation.split(' ').next().unwrap_or_default().to_owned();
                let line = facts.line.unwrap_or(1).into();
                seen.retain(|(other, _)| *other < line);
                seen.push((line, first));
                if line == number() {
                    let mut moves: Vec<&String> = seen.iter().map(|(_, mv)| mv).collect();
                    moves.sort();
                    moves.dedup();
                    if moves.len() as i64 == number() {
                        return Ok(());
                    }
                }
            }
            failed(format!("there are no {} lines with moves of their own", number()))
        }
        "stray" => match session.stray.first() {
            Some(line) => failed(format!("\"{line}\" is no word of the protocol")),
            None => Ok(()),
        },
        _ => failed(format!("the check is wrong: there is no \"lines {what}\"")),
    }
}

/// What is wrong with the form of a thinking line.
fn form(line: &str, facts: &Facts, place: &Referee) -> Option<String> {
    if !line.starts_with("info") {
        // An optional number without the tab is taken for a part of the variation.
        let first = facts.variation.split_whitespace().next().unwrap_or_default();
        return match first.parse::<i64>() {
            Ok(_) => Some("its variation begins with a number: a tab is missing".to_owned()),
            Err(_) => None,
        };
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    let words = words.split(|&word| word == "string").next().unwrap_or_default();
    let value = |name: &str| words.iter().position(|&word| word == name).map(|place| words.get(place + 1));
    let number = |name: &str| value(name).map(|word| word.and_then(|word| word.parse::<i64>().ok()));
    for name in
        ["depth", "seldepth", "time", "nodes", "nps", "tbhits", "multipv", "hashfull", "currmovenumber"]
    {
        match number(name) {
            Some(None) => return Some(format!("{name} is no number")),
            Some(Some(number)) if number < 0 => return Some(format!("{name} is below zero")),
            _ => {}
        }
    }
    if words.contains(&"seldepth") && !words.contains(&"depth") {
        return Some("seldepth without depth".to_owned());
    }
    if number("hashfull").flatten().is_some_and(|permill| permill > 1000) {
        return Some("hashfull is more than 1000 permill".to_owned());
    }
    if number("currmovenumber").flatten() == Some(0) || number("multipv").flatten() == Some(0) {
        return Some("it counts from 0".to_owned());
    }
    let current = value("currmove").flatten();
    current.filter(|mv| place.read_move(mv).is_err()).map(|mv| format!("currmove {mv} is not legal"))
}

/// Features whose value is 0 or 1, and whose value is a text.
const SWITCHES: [&str; 21] = [
    "ping",
    "setboard",
    "playother",
    "san",
    "usermove",
    "time",
    "draw",
    "sigint",
    "sigterm",
    "reuse",
    "analyze",
    "colors",
    "ics",
    "name",
    "pause",
    "nps",
    "debug",
    "memory",
    "smp",
    "exclude",
    "setscore",
];
const TEXTS: [&str; 4] = ["myname", "variants", "egt", "option"];

/// Checks what the engine says of itself.
///
/// # Errors
/// [`Halt`]
pub fn greeting(session: &Session, what: &str) -> Done {
    let features = &session.features;
    let done = features
        .iter()
        .position(|feature| feature.name == "done" && feature.value == FeatureValue::Number(1));
    match what {
        "features" => match features.is_empty() {
            true => failed("no feature comes"),
            false => Ok(()),
        },
        "done" => match done {
            None if features.iter().any(|feature| feature.name == "done") => failed("done=1 never comes"),
            None => Err(Halt::Skipped("it does not use done".to_owned())),
            Some(at) => match features[at + 1..].iter().find(|feature| feature.name != "option") {
                Some(feature) => failed(format!("{feature} comes after done=1")),
                None => Ok(()),
            },
        },
        "typed" => features.iter().try_for_each(|feature| {
            let name = feature.name.as_str();
            let is_right = match &feature.value {
                FeatureValue::Number(number) => {
                    !TEXTS.contains(&name) && (!SWITCHES.contains(&name) || matches!(number, 0 | 1))
                }
                FeatureValue::Text(_) => {
                    let quoted = format!("{name}=\"");
                    !SWITCHES.contains(&name)
                        && name != "done"
                        && (!TEXTS.contains(&name)
                            || session.greeting.iter().any(|line| line.contains(&quoted)))
                }
            };
            if is_right { Ok(()) } else { failed(format!("{feature} is no value of its type")) }
        }),
        "options" if features.is_empty() => uci_options(session),
        "options" => xboard_options(session),
        "id" => ["id name ", "id author "].into_iter().try_for_each(|word| {
            match session.greeting.iter().find(|line| line.trim().starts_with(word)) {
                Some(_) => Ok(()),
                None => failed(format!("there is no \"{}\"", word.trim())),
            }
        }),
        "uciok" => match session.greeting.last() {
            Some(line) if line.trim() == "uciok" => Ok(()),
            Some(line) => failed(format!("\"{line}\" comes after uciok")),
            None => failed("there is no uciok"),
        },
        _ => failed(format!("the check is wrong: there is no \"greeting {what}\"")),
    }
}

fn xboard_options(session: &Session) -> Done {
    let options = declared(session);
    if options.is_empty() {
        return Err(Halt::Skipped("it has no options".to_owned()));
    }
    for (index, (name, kind, values)) in options.iter().enumerate() {
        let numbers: Option<Vec<i64>> = values.split_whitespace().map(|word| word.parse().ok()).collect();
        let fault = match (kind.as_str(), numbers.as_deref()) {
            ("button" | "save" | "reset" | "string" | "file" | "path", _) => None,
            ("check", Some([0 | 1])) => None,
            ("check", _) => Some("a check is 0 or 1"),
            ("spin" | "slider", Some([value, min, max])) if min <= value && value <= max => None,
            ("spin" | "slider", _) => Some("a value from MIN to MAX, MIN and MAX are wanted"),
            ("combo", _) => match values.split("///").filter(|one| one.trim().starts_with('*')).count() {
                1 => None,
                _ => Some("the current choice has an asterisk, and no other has"),
            },
            _ => Some("there is no such type"),
        };
        if let Some(fault) = fault {
            return failed(format!("option \"{name} -{kind} {values}\": {fault}"));
        }
        if name.is_empty() || options[..index].iter().any(|(other, ..)| other == name) {
            return failed(format!("option \"{name}\" has no name of its own"));
        }
    }
    Ok(())
}

/// The options whose types the text of UCI fixes.
const FIXED: [(&str, &str); 13] = [
    ("Hash", "spin"),
    ("NalimovPath", "string"),
    ("NalimovCache", "spin"),
    ("Ponder", "check"),
    ("OwnBook", "check"),
    ("MultiPV", "spin"),
    ("UCI_ShowCurrLine", "check"),
    ("UCI_ShowRefutations", "check"),
    ("UCI_LimitStrength", "check"),
    ("UCI_Elo", "spin"),
    ("UCI_AnalyseMode", "check"),
    ("UCI_Opponent", "string"),
    ("UCI_Chess960", "check"),
];

fn uci_options(session: &Session) -> Done {
    let lines: Vec<&String> =
        session.greeting.iter().filter(|line| line.trim_start().starts_with("option")).collect();
    if lines.is_empty() {
        return Err(Halt::Skipped("it has no options".to_owned()));
    }
    for line in lines {
        let Ok(uci::Reply::Option(option)) = line.parse() else {
            return failed(format!("\"{line}\" has no name, or no type of the protocol"));
        };
        let words: Vec<&str> = line.split_whitespace().collect();
        let value =
            |word: &str| words.iter().position(|&other| other == word).and_then(|at| words.get(at + 1));
        let fault = match &option.kind {
            OptionType::Check { .. } => {
                (!matches!(value("default"), Some(&("true" | "false")))).then_some("a check is true or false")
            }
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
        let fixed = FIXED.iter().find(|(name, _)| name.eq_ignore_ascii_case(&option.name));
        let fault = fault.or_else(|| match fixed {
            Some((_, fixed)) if words.windows(2).all(|pair| pair != ["type", *fixed]) => {
                Some("the protocol fixes another type for it")
            }
            _ => None,
        });
        if let Some(fault) = fault {
            return failed(format!("\"{line}\": {fault}"));
        }
    }
    Ok(())
}

//! Checks as they are written down, in `xboard.txt` and `uci.txt`.
//!
//! ```text
//! $mate = k1R5/8/1K6/8/8/8/8/8 b - - 0 1            a name for a part of a line
//!
//! ID | SECTION of the protocol's text | what the engine must have declared
//! What is asked of the engine, in a sentence.
//! step; step
//! step
//! ```
//!
//! Times are seconds from the last line that was said; those in which something must happen are lengthened by
//! the slack. A PATTERN is what a line begins with, or one of `move`, `thinking`, `claim`, `status` (of an
//! analysis) and `anything`; several with `|` between them. What the steps do is said at [`Step`].

use crate::arena::Protocol;

/// One thing that is asked of an engine.
#[derive(Clone, Debug)]
pub struct Check {
    pub id: String,
    /// Of the protocol's text.
    pub section: String,
    /// A sentence.
    pub asks: String,
    /// Features (options in UCI) without which there is nothing to check; `!` before those that must not be
    /// there.
    pub needs: Vec<String>,
    pub steps: Vec<Step>,
}

/// How often a game's moves and clocks are asked for, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Play {
    pub moves: u32,
    pub base: u64,
    pub increment: u64,
    /// Moves after which `base` is added again; 0 for never.
    pub session: u32,
}

/// What is done, or looked at.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// `new`: a new game; xboard engines get a second a move and are not to ponder.
    New,
    /// `board FEN|start [moves M...]`: the same, then a position; xboard engines are in force mode.
    Board { fen: Option<String>, moves: Vec<String> },
    /// `say LINE`: a line as it stands, with `\t` and `\r`.
    Say(String),
    /// `tell M...`: legal moves, in the engine's notation.
    Tell(Vec<String>),
    /// `played M...`: moves that were said otherwise.
    Played(Vec<String>),
    /// `reply`: some legal move for the other side.
    Reply,
    /// `unplay N`: so many half-moves were taken back.
    Unplay(usize),
    /// `bad M`: a move that the engine has to refuse.
    Bad(String),
    /// `move T [only M...|hoped M...]`: the engine moves, legally and in time; one of these moves, or the
    /// check is skipped where it is only hoped for.
    Move { within: f64, only: Vec<String>, hoped: bool },
    /// `await T PATTERN [not PATTERN]`: such a line comes, and none of the others before it.
    Await { within: f64, pattern: String, not: String },
    /// `maybe T PATTERN: WHY`: if it does not come, the check is skipped for that reason.
    Maybe { within: f64, pattern: String, why: String },
    /// `unless T PATTERN: WHY`: if it does come, the check is skipped.
    Unless { within: f64, pattern: String, why: String },
    /// `quiet T PATTERN`: no such line comes. `quiet T` alone only listens.
    Quiet { time: f64, pattern: String },
    /// `sync`: everything said is done, as far as the engine can be asked.
    Sync,
    /// `play MOVES BASE INCREMENT SESSION`: the engine keeps its clock against moves that look random.
    Play(Play),
    /// `lines WHAT [NUMBER|M...]`: something is true of the thinking lines since the last search began.
    Lines(String, Vec<String>),
    /// `greeting WHAT`: something is true of what the engine says of itself.
    Greeting(String),
    /// `options`: every option is set to its default.
    Options,
    /// `egt`: every type of endgame tables gets a path.
    Tables,
    /// `errors`: nothing so far was called an error.
    Errors,
    /// `forget`: what came so far counts no more.
    Forget,
    /// `ends T`: the program ends.
    Ends(f64),
    /// `close`: the input ends.
    Close,
    /// `signal NUMBER`
    Signal(i32),
}

/// The checks of a protocol, in the order of their text.
pub fn checks(protocol: Protocol) -> Vec<Check> {
    let text = match protocol {
        Protocol::Xboard => include_str!("xboard.txt"),
        Protocol::Uci => include_str!("uci.txt"),
    };
    read(text)
}

fn read(text: &str) -> Vec<Check> {
    let names: Vec<(&str, &str)> =
        text.lines().filter(|line| line.starts_with('$')).filter_map(|line| line.split_once(" = ")).collect();
    let named = |text: &str| {
        // Longer names first would be needed if one began with another: the test sees to it that none does.
        names.iter().fold(text.to_owned(), |text, (name, value)| text.replace(name, value))
    };
    text.split("\n\n")
        .filter(|part| !part.trim_start().starts_with(['#', '$']))
        .filter_map(|part| {
            let mut lines = part.trim().lines();
            let mut head = lines.next()?.split('|').map(str::trim);
            let mut word = || head.next().unwrap_or_default().to_owned();
            let (id, section, needs) = (word(), word(), word());
            let asks = lines.next()?.to_owned();
            let steps =
                lines.flat_map(|line| line.split("; ")).filter_map(|step| Step::read(&named(step.trim())));
            let needs = needs.split_whitespace().map(str::to_owned).collect();
            Some(Check { id, section, asks, needs, steps: steps.collect() })
        })
        .collect()
}

impl Step {
    fn read(text: &str) -> Option<Step> {
        let (verb, rest) = text.split_once(' ').unwrap_or((text, ""));
        let words = || rest.split_whitespace().map(str::to_owned);
        let (time, after) = rest.split_once(' ').unwrap_or((rest, ""));
        let time = time.parse::<f64>().ok();
        Some(match verb {
            "new" => Step::New,
            "board" => {
                let (fen, moves) = rest.split_once(" moves ").unwrap_or((rest, ""));
                let fen = Some(fen.to_owned()).filter(|fen| fen != "start");
                Step::Board { fen, moves: moves.split_whitespace().map(str::to_owned).collect() }
            }
            "say" => Step::Say(rest.replace("\\t", "\t").replace("\\r", "\r")),
            "tell" => Step::Tell(words().collect()),
            "played" => Step::Played(words().collect()),
            "reply" => Step::Reply,
            "unplay" => Step::Unplay(rest.parse().ok()?),
            "bad" => Step::Bad(rest.to_owned()),
            "move" => {
                let moves = words().skip(2).collect();
                Step::Move { within: time?, only: moves, hoped: after.starts_with("hoped") }
            }
            "await" => {
                let (pattern, not) = after.split_once(" not ").unwrap_or((after, ""));
                Step::Await { within: time?, pattern: pattern.to_owned(), not: not.to_owned() }
            }
            "maybe" | "unless" => {
                let (pattern, why) = after.split_once(": ")?;
                let (within, pattern, why) = (time?, pattern.to_owned(), why.to_owned());
                match verb {
                    "maybe" => Step::Maybe { within, pattern, why },
                    _ => Step::Unless { within, pattern, why },
                }
            }
            "quiet" => Step::Quiet { time: time?, pattern: after.to_owned() },
            "sync" => Step::Sync,
            "play" => {
                let [moves, base, increment, session] =
                    words().map_while(|word| word.parse::<u32>().ok()).collect::<Vec<_>>()[..]
                else {
                    return None;
                };
                Step::Play(Play { moves, base: base.into(), increment: increment.into(), session })
            }
            "lines" => Step::Lines(words().next()?, words().skip(1).collect()),
            "greeting" => Step::Greeting(rest.to_owned()),
            "options" => Step::Options,
            "egt" => Step::Tables,
            "errors" => Step::Errors,
            "forget" => Step::Forget,
            "ends" => Step::Ends(time?),
            "close" => Step::Close,
            "signal" => Step::Signal(rest.parse().ok()?),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_step_is_read_and_every_check_has_all_parts() {
        for (protocol, text) in
            [(Protocol::Xboard, include_str!("xboard.txt")), (Protocol::Uci, include_str!("uci.txt"))]
        {
            let checks = checks(protocol);
            let mut ids = HashSet::new();
            for check in &checks {
                assert!(ids.insert(check.id.clone()), "{} is there twice", check.id);
                assert!(!check.section.is_empty() && check.asks.ends_with('.'), "{check:?}");
                assert!(!check.steps.is_empty(), "{} does nothing", check.id);
                assert!(check.id.len() <= 18 && check.asks.len() <= 110, "{} is too long", check.id);
                assert!(!format!("{check:?}").contains('$'), "{} has a name without a meaning", check.id);
            }
            let names: Vec<&str> = text.lines().filter(|line| line.starts_with('$')).collect();
            let name = |line: &str| line.split(' ').next().unwrap_or_default().to_owned();
            for (one, other) in names.iter().flat_map(|one| names.iter().map(move |other| (one, other))) {
                assert!(one == other || !name(one).starts_with(&name(other)), "{one} begins like {other}");
            }
            // Every step that stands in the file is there: none was too strange to be read.
            let written = text
                .split("\n\n")
                .filter(|part| !part.trim_start().starts_with(['#', '$']))
                .flat_map(|part| part.trim().lines().skip(2).flat_map(|line| line.split("; ")))
                .count();
            assert_eq!(checks.iter().map(|check| check.steps.len()).sum::<usize>(), written);
        }
    }
}

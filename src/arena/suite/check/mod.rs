//! Checks of an engine's protocol: 101 of xboard's and 76 of UCI, each a small script for a fresh
//! process of the engine: lines to say, and conditions for the answers.
//!
//! A check judges by the text of its protocol and names the section: H. G. Muller's and Tim Mann's
//! "Chess Engine Communication Protocol" (version 2), and Stefan Meyer-Kahlen's "Description of the
//! universal chess interface" (2006). Use of the freedom left by these texts is no fault: the check
//! is skipped.
//!
//! Checks are written down in `xboard.txt` and `uci.txt`:
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
//! Times are seconds from the last line said; the slack lengthens those for required events. A
//! PATTERN is the beginning of a line, or one of `move`, `thinking`, `claim`, `status` (of an
//! analysis) and `anything`; several with `|` between them. Steps to say or do something:
//!
//! * `new`: a new game; xboard engines get a second a move and are not to ponder.
//! * `board FEN|start [moves M...]`: the same, then a position; xboard engines are in force mode.
//! * `say LINE`: a line as it stands, with `\t` and `\r`.
//! * `tell M...`: legal moves, in the engine's notation.
//! * `played M...`: moves said otherwise.
//! * `reply`: some legal move for the other side.
//! * `unplay N`: so many half-moves were taken back.
//! * `bad M`: a move for the engine to refuse.
//! * `options`: every option is set to its default.
//! * `forget`: earlier answers count no more.
//! * `close`: the input ends.
//! * `signal NUMBER`
//!
//! Steps to look at the answers:
//!
//! * `move T [only M...|hoped M...]`: the engine moves, legally and in time. With `only` the move
//!   is one of these; with `hoped` the check is skipped otherwise.
//! * `await T PATTERN [not PATTERN]`: such a line comes, and none of the others before.
//! * `maybe T PATTERN: WHY`: if no such line comes, the check is skipped for the given reason.
//! * `unless T PATTERN: WHY`: if such a line comes, the check is skipped.
//! * `quiet T PATTERN`: no such line comes. `quiet T` alone only listens.
//! * `sync`: everything said is done, as far as the engine can be asked.
//! * `play MOVES BASE INCREMENT SESSION`: the engine keeps its clock, in milliseconds, against
//!   random-looking moves; after SESSION moves BASE is added again, with 0 never.
//! * `lines WHAT [NUMBER|M...]`: a fact about the thinking lines since the last search began.
//! * `greeting WHAT`: a fact about the engine's words on itself.
//! * `errors`: nothing so far was called an error.
//! * `ends T`: the program ends.

mod session;
mod verify;

use std::time::{Duration, Instant};

use serde::Serialize;

use self::session::{Done, Halt, Session};
use crate::arena::{EngineSpec, Protocol};
use crate::util::jobs::StopSignal;

/// One check of an engine.
pub struct Check {
    pub id: String,
    /// The section of the protocol's text.
    pub section: String,
    /// A sentence.
    pub asks: String,
    /// Features (options in UCI) required for the check; `!` before those that must be absent.
    pub needs: Vec<String>,
    steps: Vec<String>,
}

/// The work of a step.
type Action<'t> = Box<dyn FnOnce(&mut Session) -> Done + 't>;

/// The number of last lines kept of a failed check.
const TRANSCRIPT: usize = 14;

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase", tag = "result")]
pub enum Outcome {
    Passed,
    Failed {
        /// The fault in words.
        fault: String,
        /// The last lines said (`> `) and heard (`< `).
        transcript: Vec<String>,
    },
    Skipped {
        reason: String,
    },
}

/// Runs one check. `None` if stopped.
pub fn run(
    check: &Check,
    spec: &EngineSpec,
    protocol: Protocol,
    slack: Duration,
    stop: &StopSignal,
) -> Option<(Outcome, Duration)> {
    let started = Instant::now();
    let greeting = if check.id == "hand.higher" {
        "protover 99"
    } else {
        "protover 2"
    };
    let mut transcript = Vec::new();
    let done = Session::start(spec, protocol, greeting, slack, stop).and_then(|mut session| {
        let done = match missing(check, &session) {
            Some(reason) => Err(Halt::Skipped(reason)),
            None => check
                .steps
                .iter()
                .filter_map(|step| action(step))
                .try_for_each(|act| act(&mut session)),
        };
        transcript = std::mem::take(&mut session.transcript);
        done
    });
    let outcome = match done {
        Ok(()) => Outcome::Passed,
        Err(Halt::Failed(fault)) => {
            let last = transcript.len().saturating_sub(TRANSCRIPT);
            Outcome::Failed {
                fault,
                transcript: transcript.split_off(last),
            }
        }
        Err(Halt::Skipped(reason)) => Outcome::Skipped { reason },
        Err(Halt::Stopped) => return None,
    };
    Some((outcome, started.elapsed()))
}

/// The first unmet need of a check: a declaration missing, or one too many.
fn missing(check: &Check, session: &Session) -> Option<String> {
    // A plus stands for a blank in a name.
    check
        .needs
        .iter()
        .map(|need| need.replace('+', " "))
        .find_map(|need| match need.strip_prefix('!') {
            Some(name) => session.has(name).then(|| format!("it declares {name}")),
            None => (!session.has(&need)).then(|| format!("it does not declare {need}")),
        })
}

/// The checks of a protocol, in the order of their text.
pub fn checks(protocol: Protocol) -> Vec<Check> {
    let text = match protocol {
        Protocol::Xboard => include_str!("xboard.txt"),
        Protocol::Uci => include_str!("uci.txt"),
    };
    written(text)
        .into_iter()
        .filter_map(|part| {
            let mut lines = part.trim().lines();
            let mut head = lines.next()?.split('|').map(str::trim);
            let mut word = || head.next().unwrap_or_default().to_owned();
            let (id, section, needs) = (word(), word(), word());
            let asks = lines.next()?.to_owned();
            let needs = needs.split_whitespace().map(str::to_owned).collect();
            let steps = lines
                .flat_map(|line| line.split("; "))
                .map(|step| step.trim().to_owned())
                .collect();
            Some(Check {
                id,
                section,
                asks,
                needs,
                steps,
            })
        })
        .collect()
}

/// The parts of a text with checks, with its names replaced by their values.
fn written(text: &str) -> Vec<String> {
    let names = text
        .lines()
        .filter(|line| line.starts_with('$'))
        .filter_map(|line| line.split_once(" = "));
    let is_check = |part: &&str| !part.trim_start().starts_with(['#', '$']);
    let parts = text.split("\n\n").filter(is_check);
    // Longer names first would be needed if one began with another: the test sees to it that none
    // does.
    parts
        .map(|part| {
            names.clone().fold(part.to_owned(), |part, (name, value)| {
                part.replace(name, value)
            })
        })
        .collect()
}

fn halves<'t>(text: &'t str, between: &str) -> (&'t str, &'t str) {
    text.split_once(between).unwrap_or((text, ""))
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// The work of a step; `None` if the step is unknown.
fn action(step: &str) -> Option<Action<'_>> {
    let (verb, rest) = halves(step, " ");
    let (time, after) = halves(rest, " ");
    let time = || time.parse().ok().map(Duration::from_secs_f64);
    let all = words(rest);
    let action: Action<'_> = match verb {
        "new" => Box::new(Session::new_game),
        "board" => {
            let (fen, moves) = halves(rest, " moves ");
            let fen = Some(fen).filter(|fen| *fen != "start");
            Box::new(move |session| session.board(fen, &words(moves)))
        }
        "say" => {
            Box::new(|session| session.say_all([rest.replace("\\t", "\t").replace("\\r", "\r")]))
        }
        "tell" => Box::new(move |session| session.tell(&all)),
        "played" => Box::new(move |session| session.played(&all)),
        "reply" => Box::new(Session::answer),
        "unplay" => {
            let count = rest.parse().ok()?;
            Box::new(move |session| session.unplay(count))
        }
        "bad" => Box::new(|session| session.bad_move(rest)),
        "options" => Box::new(|session| {
            session.say_all(session::settings(session))?;
            session.sync()?;
            session.no_errors()
        }),
        "forget" => Box::new(Session::forget),
        "close" => Box::new(Session::close),
        "signal" => {
            let number = rest.parse().ok()?;
            Box::new(move |session| session.signal(number))
        }
        "move" => {
            let (time, hoped) = (time()?, after.starts_with("hoped"));
            Box::new(move |session| {
                let (text, moves) = (session.own_move(time)?, all.get(2..).unwrap_or_default());
                match format!(
                    "it plays {text} instead of {}",
                    moves.join(if hoped { " " } else { " or " })
                ) {
                    _ if moves.is_empty() || moves.contains(&text) => Ok(()),
                    other if hoped => Err(Halt::Skipped(other)),
                    other => session::failed(other),
                }
            })
        }
        "await" => {
            let (time, (pattern, not)) = (time()?, halves(after, " not "));
            Box::new(move |session| session.within(time, pattern, not).map(drop))
        }
        "maybe" | "unless" => {
            let (time, (pattern, why)) = (time()?, after.split_once(": ")?);
            Box::new(move |session| {
                match session.hear(time, pattern, "")?.is_some() == (verb == "maybe") {
                    true => Ok(()),
                    false => Err(Halt::Skipped(why.to_owned())),
                }
            })
        }
        "quiet" => {
            let time = time()?;
            Box::new(move |session| session.quiet(time, after))
        }
        "sync" => Box::new(Session::sync),
        "play" => {
            let numbers: Vec<u32> = all.iter().map_while(|word| word.parse().ok()).collect();
            let game: [u32; 4] = numbers.try_into().ok()?;
            Box::new(move |session| session.play(game))
        }
        "lines" if !all.is_empty() => {
            Box::new(move |session| verify::lines(session, &all[0], &all[1..]))
        }
        "greeting" => Box::new(|session| verify::greeting(session, rest)),
        "errors" => Box::new(|session| session.no_errors()),
        "ends" => {
            let time = time()?;
            Box::new(move |session| session.ends(time))
        }
        _ => return None,
    };
    Some(action)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_step_is_read_and_every_check_has_all_parts() {
        for (protocol, text) in [
            (Protocol::Xboard, include_str!("xboard.txt")),
            (Protocol::Uci, include_str!("uci.txt")),
        ] {
            let checks = checks(protocol);
            let mut ids = HashSet::new();
            for check in &checks {
                assert!(ids.insert(check.id.clone()), "{} is there twice", check.id);
                assert!(
                    !check.section.is_empty() && check.asks.ends_with('.'),
                    "{}",
                    check.id
                );
                assert!(!check.steps.is_empty(), "{} does nothing", check.id);
                assert!(
                    check.id.len() <= 18 && check.asks.len() <= 110,
                    "{} is too long",
                    check.id
                );
            }
            let nameless = written(text).into_iter().find(|part| part.contains('$'));
            assert_eq!(nameless, None, "it has a name without a meaning");
            let names: Vec<&str> = text.lines().filter(|line| line.starts_with('$')).collect();
            let name = |line: &str| line.split(' ').next().unwrap_or_default().to_owned();
            for (one, other) in names
                .iter()
                .flat_map(|one| names.iter().map(move |other| (one, other)))
            {
                assert!(
                    one == other || !name(one).starts_with(&name(other)),
                    "{one} begins like {other}"
                );
            }
            // No step is too strange to be read.
            let mut steps = checks.iter().flat_map(|check| &check.steps);
            assert_eq!(
                steps.find(|step| action(step).is_none()),
                None,
                "it is no step"
            );
        }
    }
}

//! Checks of an engine's protocol: 97 of xboard's and 74 of UCI, each a small script for a fresh
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

use std::str::FromStr;
use std::time::{Duration, Instant};

use serde::Serialize;

use self::session::{Done, Halt, Session};
use crate::arena::{EngineSpec, Protocol};
use crate::util::jobs::StopSignal;

/// One check of an engine.
#[derive(Serialize)]
pub struct Check {
    pub id: String,
    /// The section of the protocol's text.
    pub section: String,
    /// A sentence.
    pub asks: String,
    /// Features (options in UCI) required for the check; `!` before those that must be absent.
    #[serde(skip)]
    pub needs: Vec<String>,
    #[serde(skip)]
    steps: Vec<String>,
}

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
    let mut transcript = Vec::new();
    let done = Session::start(spec, protocol, slack, stop).and_then(|mut session| {
        let done = perform_all(check, &mut session);
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

fn perform_all(check: &Check, session: &mut Session) -> Done {
    for need in &check.needs {
        // A plus stands for a blank in a name.
        let need = need.replace('+', " ");
        let unmet = match need.strip_prefix('!') {
            Some(name) if session.has(name) => format!("it declares {name}"),
            None if !session.has(&need) => format!("it does not declare {need}"),
            _ => continue,
        };
        return Err(Halt::Skipped(unmet));
    }
    for step in &check.steps {
        perform(session, step)?;
    }
    Ok(())
}

/// The checks of a protocol, in the order of their text.
pub fn checks(protocol: Protocol) -> Vec<Check> {
    let text = match protocol {
        Protocol::Xboard => include_str!("xboard.txt"),
        Protocol::Uci => include_str!("uci.txt"),
    };
    let mut checks = Vec::new();
    for part in written(text).split("\n\n") {
        let (head, rest) = halves(part.trim(), "\n");
        if head.is_empty() || head.starts_with('#') {
            continue;
        }
        let (id, head) = halves(head, "|");
        let (section, needs) = halves(head, "|");
        let (asks, steps) = halves(rest, "\n");
        let steps = steps.replace('\n', "; ");
        checks.push(Check {
            id: id.trim().to_owned(),
            section: section.trim().to_owned(),
            asks: asks.to_owned(),
            needs: words(needs),
            steps: steps
                .split("; ")
                .map(str::trim)
                .map(str::to_owned)
                .collect(),
        });
    }
    checks
}

/// A text with checks, without the lines that give names, and with the values for the names.
fn written(text: &str) -> String {
    let mut checks = String::new();
    let mut names = Vec::new();
    for line in text.lines() {
        match line.split_once(" = ") {
            Some(name) if line.starts_with('$') => names.push(name),
            _ => checks = checks + line + "\n",
        }
    }
    // Longer names first would be needed if one began with another: the test sees to it that none
    // does.
    for (name, value) in names {
        checks = checks.replace(name, value);
    }
    checks
}

fn halves<'t>(text: &'t str, between: &str) -> (&'t str, &'t str) {
    text.split_once(between).unwrap_or((text, ""))
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// Does a step.
fn perform(session: &mut Session, step: &str) -> Done {
    let (verb, rest) = halves(step, " ");
    let all = words(rest);
    match verb {
        "new" => session.new_game(),
        "board" => {
            let (fen, moves) = halves(rest, " moves ");
            session.board(fen, &words(moves))
        }
        "say" => {
            session.say(&rest.replace("\\t", "\t").replace("\\r", "\r"));
            Ok(())
        }
        "tell" => session.tell(&all),
        "played" => session.played(&all),
        "reply" => session.answer(),
        "unplay" => session.unplay(number(rest, step)?),
        "bad" => session.bad_move(rest),
        "options" => session.set_options(),
        "forget" => session.forget(),
        "close" => {
            session.close();
            Ok(())
        }
        "sync" => session.sync(),
        "play" => match all.as_slice() {
            [moves, base, increment, moves_of_session] => session.play([
                number(moves, step)?,
                number(base, step)?,
                number(increment, step)?,
                number(moves_of_session, step)?,
            ]),
            _ => Err(wrong(step)),
        },
        "lines" => verify::lines(session, &all),
        "greeting" => verify::greeting(session, rest),
        "errors" => session.no_errors(),
        _ => perform_in_time(session, step),
    }
}

/// Does a step that begins with a verb and a time.
fn perform_in_time(session: &mut Session, step: &str) -> Done {
    let (verb, rest) = halves(step, " ");
    let (seconds, rest) = halves(rest, " ");
    let time = Duration::from_secs_f64(number(seconds, step)?);
    match verb {
        "move" => session.wanted_move(time, &words(rest)),
        "await" => {
            let (pattern, not) = halves(rest, " not ");
            session.within(time, pattern, not).map(drop)
        }
        "maybe" | "unless" => {
            let (pattern, why) = halves(rest, ": ");
            let comes = session.hear(time, pattern, "")?.is_some();
            let is_wanted = verb == "maybe";
            if comes != is_wanted {
                return Err(Halt::Skipped(why.to_owned()));
            }
            Ok(())
        }
        "quiet" => session.quiet(time, rest),
        "ends" => session.ends(time),
        _ => Err(wrong(step)),
    }
}

fn number<T: FromStr>(text: &str, step: &str) -> Done<T> {
    text.parse().map_err(|_| wrong(step))
}

fn wrong(step: &str) -> Halt {
    Halt::Failed(format!("the check is wrong: \"{step}\" is no step"))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::util::display::is_one_of;

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
            assert!(
                !written(text).contains('$'),
                "there is a name without a meaning"
            );
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
            let verbs = "new board say tell played reply unplay bad options forget close sync play lines \
                         greeting errors move await maybe unless quiet ends";
            let verb = |step: &str| step.split(' ').next().unwrap_or_default().to_owned();
            for step in checks.iter().flat_map(|check| &check.steps) {
                assert!(is_one_of(verbs, &verb(step)), "{step} is no step");
            }
        }
    }
}

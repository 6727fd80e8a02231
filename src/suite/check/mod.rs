//! How an engine keeps its protocol: 104 checks of xboard's and 77 of UCI, each a small script that says
//! something to a fresh process of the engine and looks at what comes.
//!
//! A check judges by the text of its protocol and names the section: H. G. Muller's and Tim Mann's "Chess
//! Engine Communication Protocol" (version 2), and Stefan Meyer-Kahlen's "Description of the universal chess
//! interface" (2006). What these leave to the engine is not a fault: the check is skipped where the engine
//! uses that freedom.

mod script;
mod session;
mod verify;

use std::time::{Duration, Instant};

use serde::Serialize;

pub use script::{Check, checks};
use session::{Halt, Session};

use crate::arena::{EngineSpec, Protocol};

use crate::jobs::StopSignal;

/// How many of the last lines are kept of a check that failed.
const TRANSCRIPT: usize = 14;

/// How a check ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase", tag = "result")]
pub enum Outcome {
    Passed,
    Failed {
        /// What is wrong.
        fault: String,
        /// The last lines that were said (`> `) and heard (`< `).
        transcript: Vec<String>,
    },
    Skipped {
        reason: String,
    },
}

/// Does one check. `None` if it was stopped.
pub fn run(
    check: &Check,
    spec: &EngineSpec,
    protocol: Protocol,
    slack: Duration,
    stop: &StopSignal,
) -> Option<(Outcome, Duration)> {
    let started = Instant::now();
    let greeting = if check.id == "hand.higher" { "protover 99" } else { "protover 2" };
    let mut transcript = Vec::new();
    let done = Session::start(spec, protocol, greeting, slack, stop).and_then(|mut session| {
        let done = match missing(check, &session) {
            Some(reason) => Err(Halt::Skipped(reason)),
            None => check.steps.iter().try_for_each(|step| step(&mut session)),
        };
        transcript = std::mem::take(&mut session.transcript);
        done
    });
    let outcome = match done {
        Ok(()) => Outcome::Passed,
        Err(Halt::Failed(fault)) => {
            let last = transcript.len().saturating_sub(TRANSCRIPT);
            Outcome::Failed { fault, transcript: transcript.split_off(last) }
        }
        Err(Halt::Skipped(reason)) => Outcome::Skipped { reason },
        Err(Halt::Stopped) => return None,
    };
    Some((outcome, started.elapsed()))
}

/// What the engine would have to declare, or not to declare.
fn missing(check: &Check, session: &Session) -> Option<String> {
    // A plus stands for a blank in a name.
    check.needs.iter().map(|need| need.replace('+', " ")).find_map(|need| match need.strip_prefix('!') {
        Some(name) => session.has(name).then(|| format!("it declares {name}")),
        None => (!session.has(&need)).then(|| format!("it does not declare {need}")),
    })
}

//! Which protocol an engine speaks.

use std::time::{Duration, Instant};

use super::ClientError;
use super::process::{EngineProcess, Output};
use crate::arena::{EngineSpec, Protocol};
use crate::jobs::StopSignal;

/// Asks the engine in both protocols, with a new process for each. An engine that speaks both is driven by
/// UCI. An engine that speaks version 1 of the xboard protocol cannot be told from one that speaks nothing.
///
/// # Errors
/// The program cannot be started, or answers neither.
pub fn protocol(spec: &EngineSpec, patience: Duration, stop: &StopSignal) -> Result<Protocol, ClientError> {
    let mut answers = Vec::new();
    let mut advice = "";
    for protocol in [Protocol::Uci, Protocol::Xboard] {
        let (mut process, heard) = ask(spec, protocol, patience, stop)?;
        match heard {
            Heard::Answer => {
                process.write("quit\n".to_owned());
                process.end(patience.min(Duration::from_secs(1)));
                return Ok(protocol);
            }
            Heard::Refusal => answers.push("refuses it".to_owned()),
            Heard::Nothing => {
                answers.push(format!("says nothing for {} s", patience.as_secs_f64()));
                advice = "; if it speaks an old xboard protocol, say that it is xboard";
            }
            Heard::End => answers.push(process.last_words()),
        }
    }
    let (name, answers) = (&spec.name, answers.join(", and at \"protover 2\" it "));
    Err(ClientError::Failed(format!("engine {name}: at \"uci\" it {answers}{advice}")))
}

/// Whether the engine answers in this protocol.
pub fn speaks(
    spec: &EngineSpec,
    protocol: Protocol,
    patience: Duration,
    stop: &StopSignal,
) -> Result<bool, ClientError> {
    Ok(matches!(ask(spec, protocol, patience, stop)?, (_, Heard::Answer)))
}

enum Heard {
    Answer,
    /// An error message about the question.
    Refusal,
    Nothing,
    End,
}

/// Starts the engine and asks it in a protocol.
fn ask(
    spec: &EngineSpec,
    protocol: Protocol,
    patience: Duration,
    stop: &StopSignal,
) -> Result<(EngineProcess, Heard), ClientError> {
    let (question, answer) = match protocol {
        Protocol::Uci => ("uci\n", "uciok"),
        Protocol::Xboard => ("xboard\nprotover 2\n", "feature "),
    };
    let process = EngineProcess::start(spec, None)?;
    process.write(question.to_owned());
    let started = Instant::now();
    while let Some(said) = process.next(started, patience, stop)? {
        match said.what {
            Output::Line(line) if line.trim_start().starts_with(answer) => {
                return Ok((process, Heard::Answer));
            }
            Output::Line(line) if is_refusal(&line) => return Ok((process, Heard::Refusal)),
            Output::Line(_) => {}
            Output::Flood | Output::Closed => return Ok((process, Heard::End)),
        }
    }
    Ok((process, Heard::Nothing))
}

/// `Error (unknown command): uci`, `Illegal move: uci`, `Unknown command: 'protover 2'` and the like.
fn is_refusal(line: &str) -> bool {
    let line = line.to_ascii_lowercase();
    let about = line.contains("uci") || line.contains("protover");
    about
        && ["error", "illegal", "unknown", "invalid", "unrecognized", "bad"]
            .iter()
            .any(|word| line.contains(word))
}

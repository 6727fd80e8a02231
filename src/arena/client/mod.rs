//! An engine in a process of its own, in either protocol.

pub mod driver;
pub mod offer;
pub mod process;
mod program;
pub mod uci;
pub mod xboard;

use std::time::{Duration, Instant};

use thiserror::Error;

use driver::{Beginning, Driver, DriverEvent, Outbox, Turn};
use process::{EngineProcess, ProcessOutput, Said};
pub use program::find;

use super::thinking::quote;
use super::{EngineLimits, EngineSpec, Protocol};
use crate::util::jobs::StopSignal;

/// The time for an engine to start, to name itself, and to get ready: some load large networks.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// The arena's waiting times for engines, apart from the clocks of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// For the answer to the greeting, while the protocol is not known yet.
    pub detection: Duration,
    /// For a new process to introduce itself.
    pub greeting: Duration,
    /// For the features of an xboard engine; afterwards the engine counts as one of the protocol's
    /// first version. xboard waits ten seconds.
    pub features: Duration,
    /// For an answer to `ping` or `isready`.
    pub ready: Duration,
    /// For an engine still thinking at the end of a game; then a new process replaces the old one.
    pub finish: Duration,
    /// For late lines about the game before, from an engine without a sign of life.
    pub settle: Duration,
    /// For a move where no clock decides and the engine's spec says nothing else.
    pub stall: Duration,
    /// For a process to end by itself after `quit`.
    pub quit: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Timeouts {
            detection: PATIENCE,
            greeting: PATIENCE,
            features: Duration::from_secs(10),
            ready: PATIENCE,
            finish: Duration::from_secs(5),
            settle: Duration::from_millis(300),
            stall: Duration::from_secs(60),
            quit: Duration::from_secs(1),
        }
    }
}

/// The reason for a missing engine. The text names the fault and the engine.
#[derive(Debug, Error)]
pub enum ClientError {
    /// Everything is to stop; nothing is wrong.
    #[error("stopped")]
    Stopped,
    #[error("{0}")]
    Failed(String),
}

impl From<anyhow::Error> for ClientError {
    fn from(error: anyhow::Error) -> ClientError {
        ClientError::Failed(format!("{error:#}"))
    }
}

/// An engine ready for games, or in one.
pub struct Client {
    name: String,
    pub process: EngineProcess,
    pub protocol: Protocol,
    pub driver: Box<dyn Driver>,
    timeouts: Timeouts,
    out: Outbox,
    /// The last line that was not empty.
    last_line: String,
    /// The process ended, or wrote too much: nothing more can be said.
    lost: bool,
}

impl Client {
    /// Starts an engine, finds out its protocol, and sets its options.
    ///
    /// # Errors
    /// Fails if there is no such program, or the engine does not answer or refuses a request.
    pub fn start(
        spec: &EngineSpec,
        timeouts: Timeouts,
        stop: &StopSignal,
    ) -> Result<Client, ClientError> {
        let protocol = match spec.protocol {
            Some(protocol) => protocol,
            None if spec.backend().is_some() => Protocol::Xboard,
            None => protocol_of(spec, timeouts.detection, stop)?,
        };
        let process = EngineProcess::start(spec)?;
        let mut client = Client {
            name: spec.name.clone(),
            process,
            protocol,
            driver: match protocol {
                Protocol::Xboard => Box::new(xboard::Xboard::default()),
                Protocol::Uci => Box::new(uci::Uci::default()),
            },
            timeouts,
            out: Outbox::default(),
            last_line: String::new(),
            lost: false,
        };
        client.greet(stop)?;
        client.configure(spec, stop)?;
        Ok(client)
    }

    fn greet(&mut self, stop: &StopSignal) -> Result<(), ClientError> {
        self.tell(|driver, out| driver.greet(out));
        let started = Instant::now();
        while !self.driver.is_greeted() {
            let may_be_silent = self.driver.may_be_silent();
            let mut patience = self.timeouts.greeting;
            if may_be_silent {
                patience = patience.min(self.timeouts.features);
            }
            match self.process.next(started, patience, stop)? {
                Some(said) => _ = self.heed(said)?,
                None if may_be_silent => break,
                None => return Err(self.silent("its greeting", patience)),
            }
        }
        self.driver
            .end_greeting()
            .map_err(|reason| self.failed(&reason))
    }

    fn configure(&mut self, spec: &EngineSpec, stop: &StopSignal) -> Result<(), ClientError> {
        if let Some(backend) = spec.backend() {
            self.set_option("Backend", backend)?;
        }
        for (name, value) in &spec.options {
            self.set_option(name, value)?;
        }
        for line in &spec.startup {
            self.out.say(line);
        }
        self.wait_ready("its options", stop)
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), ClientError> {
        let set = self.driver.set_option(name, value, &mut self.out);
        set.map_err(|reason| self.failed(&reason))
    }

    /// Sets up a game; the engine is silent then, until its turn.
    ///
    /// # Errors
    /// Fails if the engine does not get ready, or has no means to play such a game.
    pub fn prepare(&mut self, game: &Beginning<'_>, stop: &StopSignal) -> Result<(), ClientError> {
        self.process.forgive();
        if *game.limits == EngineLimits::default() {
            return Err(self.failed("nothing limits its moves: no time, no depth, no nodes"));
        }
        self.wait("the end of the game before", self.timeouts.finish, stop)?;
        self.driver
            .begin(game, &mut self.out)
            .map_err(|reason| self.failed(&reason))?;
        self.wait_ready("a new game", stop)?;
        match self.driver.refused() {
            Some(line) => Err(self.failed(&format!("it answered \"{line}\""))),
            None => Ok(()),
        }
    }

    /// Sends everything said so far, and waits until the engine has read all, as far as can be
    /// known.
    fn wait_ready(&mut self, after: &str, stop: &StopSignal) -> Result<(), ClientError> {
        self.driver.ask_ready(&mut self.out);
        self.wait(after, self.timeouts.ready, stop)?;
        if self.driver.can_be_asked() {
            return Ok(());
        }
        // Old claims and moves that came late would count in the next game.
        let started = Instant::now();
        while let Some(said) = self.process.next(started, self.timeouts.settle, stop)? {
            self.heed_undisputed(said)?;
        }
        Ok(())
    }

    fn wait(
        &mut self,
        after: &str,
        patience: Duration,
        stop: &StopSignal,
    ) -> Result<(), ClientError> {
        self.flush();
        let started = Instant::now();
        while !self.driver.is_ready() {
            match self.process.next(started, patience, stop)? {
                Some(said) => self.heed_undisputed(said)?,
                None => return Err(self.silent(after, patience)),
            }
        }
        Ok(())
    }

    /// Hears something while a game is set up, where a refused move is an error too.
    fn heed_undisputed(&mut self, said: Said) -> Result<(), ClientError> {
        match self.heed(said)? {
            Some(DriverEvent::Dispute(line)) => {
                Err(self.failed(&format!("it answered \"{line}\"")))
            }
            _ => Ok(()),
        }
    }

    /// Hears something outside of a game, where the end of the engine is an error.
    fn heed(&mut self, said: Said) -> Result<Option<DriverEvent>, ClientError> {
        match said.what {
            ProcessOutput::Line(line) => Ok(self.hear(&line)),
            ProcessOutput::Flood => Err(self.failed("it floods its output")),
            ProcessOutput::Closed => {
                let words = self.process.last_words();
                Err(self.failed(&format!("it {words}")))
            }
        }
    }

    fn failed(&self, reason: &str) -> ClientError {
        ClientError::Failed(format!("engine {}: {reason}", self.name))
    }

    fn silent(&self, after: &str, patience: Duration) -> ClientError {
        let said = match self.last_line.as_str() {
            "" => String::new(),
            line => format!("; it last said \"{}\"", quote(line)),
        };
        self.failed(&format!(
            "no answer for {} s after {after}{said}{}",
            patience.as_secs_f64(),
            self.process.errors()
        ))
    }

    /// The meaning of a line of output.
    pub fn hear(&mut self, line: &str) -> Option<DriverEvent> {
        if !line.trim().is_empty() {
            self.last_line = line.trim().to_owned();
        }
        self.tell(|driver, out| driver.hear(line, out))
    }

    /// Lets the driver do something, and sends its words.
    pub fn tell<T>(&mut self, act: impl FnOnce(&mut dyn Driver, &mut Outbox) -> T) -> T {
        let done = act(&mut *self.driver, &mut self.out);
        self.flush();
        done
    }

    /// Gives the turn to the engine.
    pub fn turn(&mut self, turn: &Turn<'_>) {
        self.process.forgive();
        self.tell(|driver, out| driver.turn(turn, out));
    }

    /// Gives up the process: it will be killed without a word.
    pub fn give_up(&mut self) {
        self.lost = true;
    }

    /// Returns true if the same process can play another game.
    pub fn is_reusable(&self) -> bool {
        !self.lost && self.driver.is_reusable()
    }

    fn flush(&mut self) {
        let lines = self.out.take();
        if !lines.is_empty() {
            self.process.write(lines);
        }
    }
}

/// Asks the process to end, and kills it otherwise.
impl Drop for Client {
    fn drop(&mut self) {
        if !self.lost {
            // The same word in both protocols.
            self.out.say("quit");
            self.flush();
            self.process.end(self.timeouts.quit);
        }
    }
}

/// Asks the engine in both protocols, with a new process for each. An engine with both is driven by
/// UCI. Version 1 of the xboard protocol cannot be told from silence.
///
/// # Errors
/// Fails if the program cannot be started, or answers neither.
fn protocol_of(
    spec: &EngineSpec,
    patience: Duration,
    stop: &StopSignal,
) -> Result<Protocol, ClientError> {
    let mut answers = Vec::new();
    for protocol in [Protocol::Uci, Protocol::Xboard] {
        match ask(spec, protocol, patience, stop)? {
            None => return Ok(protocol),
            Some(answer) => answers.push(answer),
        }
        if is_silent(&answers[0]) {
            break;
        }
    }
    let has_ended = answers.iter().all(|answer| answer.starts_with("ended"));
    let answers = answers.join(", and at \"protover 2\" it ");
    let advice = if has_ended {
        ""
    } else {
        "; if it speaks an old xboard protocol, say that it is xboard"
    };
    Err(ClientError::Failed(format!(
        "engine {}: at \"uci\" it {answers}{advice}",
        spec.name
    )))
}

/// Returns the protocols in which an engine answers.
///
/// # Errors
/// The engine cannot be started.
pub fn spoken(spec: &EngineSpec, stop: &StopSignal) -> Result<Vec<Protocol>, ClientError> {
    let mut spoken = Vec::new();
    for protocol in [Protocol::Xboard, Protocol::Uci] {
        match ask(spec, protocol, PATIENCE, stop)? {
            None => spoken.push(protocol),
            Some(answer) if is_silent(&answer) => break,
            Some(_) => {}
        }
    }
    Ok(spoken)
}

/// Refuses an engine that does not speak UCI.
///
/// # Errors
/// The engine's answer; or the engine cannot be started.
pub fn require_uci(spec: &EngineSpec, stop: &StopSignal) -> Result<(), ClientError> {
    match ask(spec, Protocol::Uci, PATIENCE, stop)? {
        None => Ok(()),
        Some(answer) => Err(ClientError::Failed(format!(
            "engine {}: it does not speak UCI: at \"uci\" it {answer}",
            spec.name
        ))),
    }
}

/// The beginning of the answer of an engine that says nothing.
const SILENT: &str = "does not answer";

/// Returns true for the answer of an engine that said nothing to either protocol.
fn is_silent(answer: &str) -> bool {
    answer.starts_with(&format!("{SILENT} for"))
}

/// The part of the patience after which a silent engine is asked in the other protocol: a slow one
/// that speaks the first has answered mostly.
const UNTIL_THE_OTHER: u32 = 6;

/// The greeting of a protocol, and the beginning of the answer.
fn greeting(protocol: Protocol) -> (&'static str, &'static str) {
    match protocol {
        Protocol::Uci => ("uci\n", "uciok"),
        Protocol::Xboard => ("xboard\nprotover 2\n", "feature "),
    }
}

/// Starts the engine and asks in a protocol. Returns what the engine does if it does not speak the
/// protocol. A silent engine is soon asked in the other protocol, too: its answer ends the wait.
fn ask(
    spec: &EngineSpec,
    protocol: Protocol,
    patience: Duration,
    stop: &StopSignal,
) -> Result<Option<String>, ClientError> {
    let (question, answer) = greeting(protocol);
    let (other_question, other_answer) = greeting(match protocol {
        Protocol::Uci => Protocol::Xboard,
        Protocol::Xboard => Protocol::Uci,
    });
    let mut process = EngineProcess::start(spec)?;
    process.write(question.to_owned());
    let started = Instant::now();
    let other = format!("\"{}\"", other_question.trim().replace('\n', ", "));
    let mut wait = patience / UNTIL_THE_OTHER;
    loop {
        let Some(said) = process.next(started, wait, stop)? else {
            if wait == patience {
                let patience = patience.as_secs_f64();
                return Ok(Some(format!("{SILENT} for {patience} s")));
            }
            process.write(other_question.to_owned());
            wait = patience;
            continue;
        };
        match said.what {
            ProcessOutput::Line(line) if line.trim_start().starts_with(answer) => {
                process.write("quit\n".to_owned());
                process.end(patience.min(Duration::from_secs(1)));
                return Ok(None);
            }
            ProcessOutput::Line(line) if is_refusal(&line) => {
                return Ok(Some("refuses it".to_owned()));
            }
            ProcessOutput::Line(line) if line.trim_start().starts_with(other_answer) => {
                return Ok(Some(format!("{SILENT}, but answers {other}")));
            }
            ProcessOutput::Line(_) => {}
            ProcessOutput::Flood | ProcessOutput::Closed => {
                let words = process.last_words();
                let is_asked_twice = wait == patience;
                return Ok(Some(match is_asked_twice {
                    true => format!("{SILENT}, and at {other} it {words}"),
                    false => words,
                }));
            }
        }
    }
}

/// `Error (unknown command): uci`, `Illegal move: uci`, `Unknown command: 'protover 2'` and the
/// like.
fn is_refusal(line: &str) -> bool {
    let line = line.to_ascii_lowercase();
    let about = line.contains("uci") || line.contains("protover");
    about
        && [
            "error",
            "illegal",
            "unknown",
            "invalid",
            "unrecognized",
            "bad",
        ]
        .iter()
        .any(|word| line.contains(word))
}

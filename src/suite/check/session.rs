//! One process of the engine under test, what was said to it, and what it said.

mod hearing;
mod playing;

use std::io::ErrorKind;
use std::time::{Duration, Instant};

use crate::arena::client::offer::{self, Features};
use crate::arena::client::process::{EngineProcess, Output, Said};
use crate::arena::referee::Referee;
use crate::arena::{EngineSpec, Opening, Protocol};
use crate::jobs::StopSignal;
use crate::protocol::xboard::Feature;
use crossbeam_channel::select;

pub use playing::{declared, settings, tables};

/// Why a check does not go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// The engine is at fault; the text says how.
    Failed(String),
    /// There is nothing to check.
    Skipped(String),
    /// Everything is to stop.
    Stopped,
}

pub type Done<T = ()> = Result<T, Halt>;

/// The engine is at fault.
pub fn failed<T>(fault: impl Into<String>) -> Done<T> {
    Err(Halt::Failed(fault.into()))
}

/// The engine is at fault if there is anything to say.
pub fn faultless(fault: Option<String>) -> Done {
    fault.map_or(Ok(()), failed)
}

/// A line of a search.
#[derive(Clone, Debug)]
pub struct Thought {
    /// Since the search began.
    pub at: Duration,
    pub line: String,
    /// What was searched.
    pub place: Referee,
}

/// How long an engine may take to introduce itself, and to get ready.
const PATIENCE: Duration = Duration::from_secs(15);
/// How long the first feature is waited for, as xboard does.
const SILENCE: Duration = Duration::from_secs(2);

/// A running engine.
pub struct Session {
    process: EngineProcess,
    protocol: Protocol,
    stop: StopSignal,
    /// What is added to every time in which something must happen.
    slack: Duration,
    /// Said ahead of its time: after the deadline of the step before.
    early: Option<Said>,
    /// Since when times are counted, and since when the engine thinks.
    said: Instant,
    started: Instant,
    /// What was said (`> `) and heard (`< `).
    pub transcript: Vec<String>,
    /// What it said of itself.
    pub greeting: Vec<String>,
    pub features: Vec<Feature>,
    /// What that means; of UCI engines the options alone.
    known: Features,
    pub referee: Referee,
    /// What UCI engines are told of the position.
    position: String,
    pub thoughts: Vec<Thought>,
    /// The engine's move, and how long after the last word it came.
    moved: Option<(String, Duration)>,
    /// Legal moves that were told since the last game or board.
    told: Vec<String>,
    /// An xboard engine plays neither side.
    forced: bool,
    /// A new game begins.
    settles: bool,
    /// Lines that the protocol does not know.
    pub stray: Vec<String>,
}

fn start() -> Referee {
    Referee::new(&Opening::default()).unwrap_or_else(|_| unreachable!("the usual position is one"))
}

impl Session {
    /// Starts the engine and lets it introduce itself; `greeting` is what xboard engines are greeted with.
    ///
    /// # Errors
    /// It cannot be started, ends, or does not answer.
    pub fn start(
        spec: &EngineSpec,
        protocol: Protocol,
        greeting: &str,
        slack: Duration,
        stop: &StopSignal,
    ) -> Done<Session> {
        let process = EngineProcess::start(spec, None).map_err(|error| Halt::Failed(format!("{error:#}")))?;
        let now = Instant::now();
        let mut session = Session {
            process,
            protocol,
            stop: stop.clone(),
            slack,
            early: None,
            said: now,
            started: now,
            transcript: Vec::new(),
            greeting: Vec::new(),
            features: Vec::new(),
            known: Features::default(),
            referee: start(),
            position: "startpos".to_owned(),
            thoughts: Vec::new(),
            moved: None,
            told: Vec::new(),
            forced: false,
            settles: false,
            stray: Vec::new(),
        };
        match protocol {
            Protocol::Uci => {
                session.say("uci");
                session.within(PATIENCE, "uciok", "")?;
            }
            Protocol::Xboard => {
                session.say("xboard");
                session.say(greeting);
                session.hear_features()?;
                let accepted = session.features.iter().map(|feature| format!("accepted {}", feature.name));
                session.say_all(accepted.collect::<Vec<_>>())?;
                session.say_all(&spec.startup)?;
            }
        }
        session.stray.clear();
        session.transcript.clear();
        Ok(session)
    }

    /// Until `done=1`, or as long as xboard listens.
    fn hear_features(&mut self) -> Done {
        let from = Instant::now();
        while !self.known.has("done") {
            let patience = if self.known.wants_time() { PATIENCE } else { SILENCE };
            if self.next(from + patience)?.is_none() {
                break;
            }
        }
        Ok(())
    }

    /// Whether it has declared a feature, or an option.
    pub fn has(&self, name: &str) -> bool {
        if self.protocol == Protocol::Uci {
            return offer::named(&self.known.options, name).is_some();
        }
        match name.strip_prefix("variant:") {
            Some(variant) => self.known.plays(variant),
            None => self.known.has(name),
        }
    }

    /// Says some lines.
    pub fn say_all(&mut self, lines: impl IntoIterator<Item: AsRef<str>>) -> Done {
        lines.into_iter().for_each(|line| self.say(line.as_ref()));
        Ok(())
    }

    /// Says a line. A search begins with it if it is `go`.
    pub fn say(&mut self, line: &str) {
        self.note('>', line);
        self.process.write(format!("{line}\n"));
        self.said = Instant::now();
        if line.split_whitespace().any(|word| matches!(word, "go" | "analyze")) {
            self.begins();
        }
        match line {
            "force" => self.forced = true,
            "go" | "playother" => self.forced = false,
            _ => {}
        }
    }

    fn begins(&mut self) {
        self.started = self.said;
        self.thoughts.clear();
        self.moved = None;
    }

    fn note(&mut self, mark: char, line: &str) {
        let mut line: String = line.chars().take(160).collect();
        line.insert_str(0, if mark == '>' { "> " } else { "< " });
        self.transcript.push(line);
    }

    /// Waits until it has done everything, as far as it can be asked.
    pub fn sync(&mut self) -> Done {
        match self.protocol {
            Protocol::Uci => {
                self.say("isready");
                self.within(PATIENCE, "readyok", "").map(drop)
            }
            Protocol::Xboard if self.has("ping") => {
                self.say("ping 77");
                self.within(PATIENCE, "pong 77", "").map(drop)
            }
            Protocol::Xboard => self.quiet(Duration::from_millis(150), ""),
        }
    }

    /// No line of the pattern comes in that time.
    pub fn quiet(&mut self, time: Duration, pattern: &str) -> Done {
        let until = Instant::now() + time;
        while let Some(line) = self.next(until)? {
            if self.fits(&line, pattern) {
                return failed(format!("\"{line}\" comes, and should not"));
            }
        }
        Ok(())
    }

    /// It called nothing of what it was told an error.
    pub fn no_errors(&self) -> Done {
        let mut heard = self.transcript.iter().filter_map(|line| line.strip_prefix("< "));
        let error = heard.find(|line| line.starts_with("Error") || line.starts_with("Illegal"));
        faultless(error.map(|line| format!("it answers \"{line}\"")))
    }

    /// A line of the pattern, in time, and none of `not` before.
    pub fn within(&mut self, time: Duration, pattern: &str, not: &str) -> Done<String> {
        let line = self.hear(time + self.slack, pattern, not)?;
        line.map_or_else(|| failed(format!("no \"{pattern}\" within {} s", time.as_secs_f64())), Ok)
    }

    /// A line of the pattern, if one comes in that time from the last word on.
    pub fn hear(&mut self, time: Duration, pattern: &str, not: &str) -> Done<Option<String>> {
        // It may have moved before it was asked something else.
        if let Some((text, _)) = self.moved.as_ref().filter(|_| pattern == "move") {
            return Ok(Some(text.clone()));
        }
        let until = self.said + time;
        while let Some(line) = self.next(until)? {
            if !not.is_empty() && self.fits(&line, not) {
                return failed(format!("\"{line}\" comes before \"{pattern}\""));
            }
            if self.fits(&line, pattern) {
                return Ok(Some(line));
            }
        }
        Ok(None)
    }

    /// The engine's move, in coordinates; in time from the last word on. It is legal.
    pub fn own_move(&mut self, time: Duration) -> Done<String> {
        if self.moved.is_none() {
            let Some(line) = self.hear(time + self.slack, "move|claim|resign", "")? else {
                return failed(format!("no move within {} s", time.as_secs_f64()));
            };
            if line.contains("resign") {
                return Err(Halt::Skipped("it resigns".to_owned()));
            }
        }
        match self.moved.take() {
            Some((text, took)) if took <= time + self.slack => Ok(text),
            Some((_, took)) => failed(format!(
                "its move took {:.2} s, and {} s were allowed",
                took.as_secs_f64(),
                time.as_secs_f64()
            )),
            None => failed("it has no move, though there are legal ones"),
        }
    }

    /// Forgets what came.
    pub fn forget(&mut self) -> Done {
        self.quiet(Duration::from_millis(100), "")?;
        self.thoughts.clear();
        self.moved = None;
        self.stray.clear();
        Ok(())
    }

    /// Whether the program ends by itself in that time.
    pub fn ends(&mut self, time: Duration) -> Done {
        let is_running = self.process.ended_within(time + self.slack).is_none();
        faultless(is_running.then(|| format!("it has not ended after {} s", time.as_secs_f64())))
    }

    pub fn close(&mut self) -> Done {
        self.note('>', "(end of input)");
        self.process.close_input();
        Ok(())
    }

    pub fn signal(&mut self, number: i32) -> Done {
        self.note('>', &format!("(signal {number})"));
        match self.process.signal(number) {
            Err(error) if error.kind() == ErrorKind::Unsupported => {
                Err(Halt::Skipped("there are no signals on this system".to_owned()))
            }
            // A program that has ended needs none.
            _ => Ok(()),
        }
    }

    /// The next line, but none that came later than `until`.
    fn next(&mut self, until: Instant) -> Done<Option<String>> {
        let said = match self.early.take() {
            Some(said) => Some(said),
            None => select! {
                recv(self.process.output()) -> said => said.ok(),
                recv(self.stop.receiver()) -> _ => return Err(Halt::Stopped),
                default(until.saturating_duration_since(Instant::now())) => None,
            },
        };
        let Some(said) = said else { return Ok(None) };
        if said.at > until {
            self.early = Some(said);
            return Ok(None);
        }
        match said.what {
            Output::Line(line) => {
                self.note('<', &line);
                self.heed(&line, said.at)?;
                Ok(Some(line))
            }
            Output::Flood => failed("it floods its output"),
            Output::Closed => failed(format!("it {}", self.process.last_words())),
        }
    }
}

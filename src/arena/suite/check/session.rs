//! One process of the engine under test, with everything said and received.

mod playing;

use std::time::{Duration, Instant};

use crossbeam_channel::select;
use shakmaty::Position as _;

use crate::arena::client::PATIENCE;
use crate::arena::client::offer::{self, Features};
use crate::arena::client::process::{EngineProcess, ProcessOutput, Said};
use crate::arena::referee::{MoveFault, Referee};
use crate::arena::thinking;
use crate::arena::{EngineSpec, Protocol, Verdict};
use crate::rules::protocol::uci;
use crate::rules::protocol::xboard::Reply;
use crate::util::display::is_one_of;
use crate::util::jobs::StopSignal;

/// The reason for ending a check.
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

/// The engine is at fault unless something holds.
pub fn demand(holds: bool, fault: impl Into<String>) -> Done {
    if holds { Ok(()) } else { failed(fault) }
}

/// A line of thinking, as the engine sent it.
#[derive(Clone, Debug)]
pub struct ReceivedLine {
    /// Since the search began.
    pub at: Duration,
    pub line: String,
    /// The searched position.
    pub position: Referee,
}

/// The wait for the first feature, as in xboard.
const SILENCE: Duration = Duration::from_secs(2);

/// A running engine.
pub struct Session {
    process: EngineProcess,
    protocol: Protocol,
    stop: StopSignal,
    /// The slack added to every time for a required event.
    slack: Duration,
    /// Said ahead of its time: after the deadline of the step before.
    early: Option<Said>,
    /// Since when times are counted, and since when the engine thinks.
    said: Instant,
    started: Instant,
    /// Lines said (`> `) and received (`< `).
    pub transcript: Vec<String>,
    /// The engine's lines about itself.
    pub greeting: Vec<String>,
    /// The meaning of the greeting; for UCI engines the options alone.
    pub known: Features,
    pub referee: Referee,
    pub received: Vec<ReceivedLine>,
    /// The engine's move, and its time since the last word.
    moved: Option<(String, Duration)>,
    /// Legal moves told since the last game or board.
    told: Vec<String>,
    /// An xboard engine plays neither side.
    forced: bool,
    /// A new game begins.
    begins_game: bool,
    /// Lines unknown to the protocol.
    pub stray: Vec<String>,
}

impl Session {
    /// Starts the engine and lets it introduce itself.
    ///
    /// # Errors
    /// Fails if the engine cannot be started, ends, or does not answer.
    pub fn start(
        spec: &EngineSpec,
        protocol: Protocol,
        slack: Duration,
        stop: &StopSignal,
    ) -> Done<Session> {
        let process =
            EngineProcess::start(spec).map_err(|error| Halt::Failed(format!("{error:#}")))?;
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
            known: Features::default(),
            referee: Referee::default(),
            received: Vec::new(),
            moved: None,
            told: Vec::new(),
            forced: false,
            begins_game: false,
            stray: Vec::new(),
        };
        match protocol {
            Protocol::Uci => {
                session.say("uci");
                session.within(PATIENCE, "uciok", "")?;
            }
            Protocol::Xboard => {
                session.say("xboard");
                session.say("protover 2");
                session.hear_features()?;
                for feature in session.known.said.clone() {
                    session.say(&format!("accepted {}", feature.name));
                }
                for line in &spec.startup {
                    session.say(line);
                }
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
            let patience = if self.known.wants_time() {
                PATIENCE
            } else {
                SILENCE
            };
            if self.next(from + patience)?.is_none() {
                break;
            }
        }
        Ok(())
    }

    /// Returns true if the engine has declared a feature, or an option.
    pub fn has(&self, name: &str) -> bool {
        if self.protocol == Protocol::Uci {
            return offer::named(&self.known.options, name).is_some();
        }
        match name.strip_prefix("variant:") {
            Some(variant) => self.known.plays(variant),
            None => self.known.has(name),
        }
    }

    /// Says a line. `go` begins a search.
    pub fn say(&mut self, line: &str) {
        self.note('>', line);
        self.process.write(format!("{line}\n"));
        self.said = Instant::now();
        if line
            .split_whitespace()
            .any(|word| matches!(word, "go" | "analyze"))
        {
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
        self.forget_search();
    }

    fn forget_search(&mut self) {
        self.received.clear();
        self.moved = None;
    }

    fn note(&mut self, mark: char, line: &str) {
        self.transcript.push(format!("{mark} {line:.160}"));
    }

    /// Waits until the engine has done everything, as far as it can be asked.
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

    /// Fails if a line of the pattern comes in the given time.
    pub fn quiet(&mut self, time: Duration, pattern: &str) -> Done {
        let until = Instant::now() + time;
        while let Some(line) = self.next(until)? {
            if self.fits(&line, pattern) {
                return failed(format!("\"{line}\" comes, and should not"));
            }
        }
        Ok(())
    }

    /// Fails if the engine called something an error.
    pub fn no_errors(&self) -> Done {
        for line in &self.transcript {
            if line.starts_with("< Error") || line.starts_with("< Illegal") {
                return failed(format!("it answers \"{}\"", &line[2..]));
            }
        }
        Ok(())
    }

    /// A line of the pattern, in time, and none of `not` before.
    pub fn within(&mut self, time: Duration, pattern: &str, not: &str) -> Done<String> {
        match self.hear(time + self.slack, pattern, not)? {
            Some(line) => Ok(line),
            None => failed(format!("no \"{pattern}\" within {} s", time.as_secs_f64())),
        }
    }

    /// A line of the pattern, if one comes in the given time from the last word on.
    pub fn hear(&mut self, time: Duration, pattern: &str, not: &str) -> Done<Option<String>> {
        // It may have moved before it was asked something else.
        if let Some((text, _)) = &self.moved
            && pattern == "move"
        {
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

    /// The engine's legal move, in coordinates; in time from the last word on.
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

    /// Lets the engine move in time. `wanted` are the only right moves behind `only`, or, behind
    /// `hoped`, those without which there is nothing to check.
    pub fn wanted_move(&mut self, time: Duration, wanted: &[String]) -> Done {
        let text = self.own_move(time)?;
        let Some((word, moves)) = wanted.split_first() else {
            return Ok(());
        };
        if moves.contains(&text) {
            return Ok(());
        }
        let other = format!("it plays {text} instead of {}", moves.join(" or "));
        match word.as_str() {
            "hoped" => Err(Halt::Skipped(other)),
            _ => failed(other),
        }
    }

    /// Forgets earlier lines.
    pub fn forget(&mut self) -> Done {
        self.quiet(Duration::from_millis(100), "")?;
        self.forget_search();
        self.stray.clear();
        Ok(())
    }

    /// Fails if the program does not end by itself in the given time.
    pub fn ends(&mut self, time: Duration) -> Done {
        let has_ended = self.process.ended_within(time + self.slack).is_some();
        demand(
            has_ended,
            format!("it has not ended after {} s", time.as_secs_f64()),
        )
    }

    pub fn close(&mut self) {
        self.note('>', "(end of input)");
        self.process.close_input();
    }

    /// The next line, but none later than `until`.
    fn next(&mut self, until: Instant) -> Done<Option<String>> {
        let said = match self.early.take() {
            Some(said) => said,
            None => select! {
                recv(self.process.output) -> said => match said {
                    Ok(said) => said,
                    Err(_) => return Ok(None),
                },
                recv(self.stop.receiver()) -> _ => return Err(Halt::Stopped),
                default(until.saturating_duration_since(Instant::now())) => return Ok(None),
            },
        };
        if said.at > until {
            self.early = Some(said);
            return Ok(None);
        }
        match said.what {
            ProcessOutput::Line(line) => {
                self.note('<', &line);
                self.heed(&line, said.at)?;
                Ok(Some(line))
            }
            ProcessOutput::Flood => failed("it floods its output"),
            ProcessOutput::Closed => failed(format!("it {}", self.process.last_words())),
        }
    }

    /// Returns true if a line fits a pattern.
    pub fn fits(&self, line: &str, pattern: &str) -> bool {
        let xboard = self.protocol == Protocol::Xboard;
        let Ok(reply) = line.parse::<Reply>();
        pattern.split('|').any(|pattern| match pattern {
            "" => false,
            "anything" => !line.trim().is_empty(),
            "move" if xboard => matches!(reply, Reply::Move(_)),
            "move" => line.trim_start().starts_with("bestmove"),
            "thinking" if xboard => matches!(&reply, Reply::Thinking(line) if line.depth > 0),
            "thinking" => line.starts_with("info") && !line.starts_with("info string"),
            "status" => matches!(reply, Reply::Status(_)),
            "claim" => ["1-0", "0-1", "1/2-1/2"]
                .iter()
                .any(|result| line.starts_with(result)),
            prefix => line.trim_start().starts_with(prefix),
        })
    }

    /// Handles every line; a fault here fails any check.
    fn heed(&mut self, line: &str, at: Instant) -> Done {
        let took = at.saturating_duration_since(self.said);
        if self.fits(line, "thinking") && self.moved.is_none() {
            let at = at.saturating_duration_since(self.started);
            self.received.push(ReceivedLine {
                at,
                line: line.to_owned(),
                position: self.referee.clone(),
            });
        }
        match self.protocol {
            Protocol::Xboard => self.heed_xboard(line, took),
            Protocol::Uci => self.heed_uci(line, took),
        }
    }

    fn heed_xboard(&mut self, line: &str, took: Duration) -> Done {
        let Ok(reply) = line.parse::<Reply>();
        let fen = self.referee.fen();
        match reply {
            Reply::Features(features) => {
                self.greeting.push(line.to_owned());
                for feature in &features {
                    self.known.take(feature);
                }
            }
            Reply::Move(_) | Reply::Result { .. } | Reply::IllegalMove { .. }
                if self.begins_game => {}
            Reply::Move(text) => self.heed_move(&text, took, true)?,
            Reply::IllegalMove { text, .. } if self.told.iter().any(|told| told == text.trim()) => {
                return failed(format!("it refuses {text}, which is legal in {fen}"));
            }
            // Long notation (Qe7-d8) is not for us to judge.
            Reply::Hint(text) if self.referee.read_move(&text) == Err(MoveFault::Illegal) => {
                return failed(format!("its hint {text} is not legal in {fen}"));
            }
            Reply::Result { result, comment } if !comment.contains("resign") => {
                return self.heed_claim(line, &result);
            }
            Reply::Other(text) if !text.is_empty() && !is_known(&text) => self.stray.push(text),
            _ => {}
        }
        Ok(())
    }

    fn heed_uci(&mut self, line: &str, took: Duration) -> Done {
        let Ok(reply) = line.parse::<uci::Reply>();
        match reply {
            uci::Reply::BestMove { .. } if self.begins_game => {}
            // Whatever stands for no move.
            uci::Reply::BestMove { .. } if self.referee.position().legal_moves().is_empty() => {}
            uci::Reply::Name(_) | uci::Reply::Author(_) | uci::Reply::UciOk => {
                self.greeting.push(line.to_owned());
            }
            uci::Reply::Option(option) => {
                self.greeting.push(line.to_owned());
                self.known.options.push(option);
            }
            uci::Reply::BestMove { best: None, .. } => {
                return failed(format!("it has no move in {}", self.referee.fen()));
            }
            uci::Reply::BestMove {
                best: Some(text),
                ponder,
            } => {
                self.heed_move(&text, took, false)?;
                let Some(ponder) = ponder else { return Ok(()) };
                let line = format!("{text} {ponder}");
                let (_, illegal) = thinking::follow(&line, &self.referee);
                let fault = format!("it would ponder {ponder}, which is not legal after {text}");
                return demand(illegal.is_none(), fault);
            }
            // An option that cannot be read.
            uci::Reply::Other(text) if text.starts_with("option ") => self.greeting.push(text),
            // Before it has introduced itself it may say what it likes.
            uci::Reply::Other(text)
                if !self.greeting.is_empty()
                    && !text.is_empty()
                    && !text.starts_with("copyprotection")
                    && !text.starts_with("registration") =>
            {
                self.stray.push(text);
            }
            _ => {}
        }
        Ok(())
    }

    fn heed_move(&mut self, text: &str, took: Duration, play: bool) -> Done {
        let fen = self.referee.fen();
        let Ok(mv) = self.referee.read_move(text) else {
            return failed(format!("its move {text} is not legal in {fen}"));
        };
        let coordinates = self.referee.written(mv).uci;
        if self.protocol == Protocol::Uci && coordinates != text {
            return failed(format!("it writes {text} for {coordinates} in {fen}"));
        }
        self.moved = Some((coordinates, took));
        if play {
            self.referee.play(mv);
        }
        Ok(())
    }

    fn heed_claim(&self, line: &str, result: &str) -> Done {
        let verdict = result.parse().unwrap_or(Verdict::Draw);
        let fen = self.referee.fen();
        demand(
            matches!(self.referee.outcome(), Some((known, _)) if known == verdict),
            format!("it claims \"{line}\", which is not so in {fen}"),
        )
    }
}

/// Returns true if the xboard protocol knows such a line, of those without meaning to an arena.
fn is_known(line: &str) -> bool {
    const WORDS: &str = "tellics tellicsnoalias tellopponent tellothers tellall askuser setup piece highlight \
         choice click kibitz whisper tell draw White Black Draw computer opponent game checkmate # Hint: stat01:";
    let word = line.split_whitespace().next().unwrap_or_default();
    // GNU Chess 4 marks its plies: "9." and "9&".
    let marked = word.trim_end_matches(['.', '&', '+', '-', '?', '!']);
    is_one_of(WORDS, word)
        || ["++", "--"].contains(&line.trim())
        || word.starts_with('#')
        || (!marked.is_empty() && marked.bytes().all(|b| b.is_ascii_digit()))
}

//! One process of the engine under test, what was said to it, and what it said.

mod hearing;
mod offers;

use std::io::ErrorKind;
use std::time::{Duration, Instant};

use crossbeam_channel::select;
use shakmaty::Position as _;

use super::script::Play;
use crate::arena::client::driver::Outbox;
use crate::arena::client::lines::Output;
use crate::arena::client::process::{EngineProcess, Said};
use crate::arena::client::xboard::edit;
use crate::arena::referee::Referee;
use crate::arena::{EngineSpec, Opening, Protocol, StopSignal};
use crate::protocol::uci;
use crate::protocol::xboard::{Feature, FeatureValue};

pub use offers::{declared, settings, tables};

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
    pub options: Vec<uci::OptionOffer>,
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
            options: Vec::new(),
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
                let names: Vec<String> =
                    session.features.iter().map(|feature| feature.name.clone()).collect();
                names.iter().for_each(|name| session.say(&format!("accepted {name}")));
                spec.startup.iter().for_each(|line| session.say(line));
            }
        }
        session.stray.clear();
        session.transcript.clear();
        Ok(session)
    }

    /// Until `done=1`, or as long as xboard listens.
    fn hear_features(&mut self) -> Done {
        let from = Instant::now();
        loop {
            let done = |session: &Session, value| {
                session.features.iter().any(|f| f.name == "done" && f.value == FeatureValue::Number(value))
            };
            if done(self, 1) {
                return Ok(());
            }
            let patience = if done(self, 0) { PATIENCE } else { SILENCE };
            if self.next(from + patience)?.is_none() {
                return Ok(());
            }
        }
    }

    /// Whether it has declared a feature, or an option.
    pub fn has(&self, name: &str) -> bool {
        if self.protocol == Protocol::Uci {
            return self.options.iter().any(|option| option.name.eq_ignore_ascii_case(name));
        }
        if let Some(variant) = name.strip_prefix("variant:") {
            let variants = self.features.iter().rfind(|feature| feature.name == "variants");
            return variants.is_some_and(|feature| match &feature.value {
                FeatureValue::Text(list) => list.split(',').any(|one| one.trim() == variant),
                FeatureValue::Number(_) => false,
            });
        }
        match self.features.iter().rfind(|feature| feature.name == name).map(|feature| &feature.value) {
            Some(value) => *value != FeatureValue::Number(0),
            None => ["time", "draw", "sigint", "sigterm", "reuse", "analyze", "colors"].contains(&name),
        }
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

    /// So many half-moves were taken back.
    pub fn unplay(&mut self, count: usize) -> Done {
        let played = self.referee.moves();
        let kept = played.iter().take(played.len().saturating_sub(count)).map(|played| played.uci.clone());
        let opening = Opening { fen: self.referee.start_fen(), moves: kept.collect(), name: None };
        self.referee = Referee::of_any_chess(&opening).map_err(|error| Halt::Failed(error.to_string()))?;
        self.told.clear();
        Ok(())
    }

    /// A new game. What comes before the engine is ready belongs to the game before.
    pub fn new_game(&mut self) -> Done {
        self.settles = true;
        self.told.clear();
        self.referee = start();
        self.position = "startpos".to_owned();
        match self.protocol {
            Protocol::Xboard => {
                self.forced = false;
                ["new", "easy", "st 1"].into_iter().for_each(|line| self.say(line));
            }
            Protocol::Uci => self.say("ucinewgame"),
        }
        self.sync()?;
        self.settles = false;
        self.thoughts.clear();
        self.moved = None;
        Ok(())
    }

    /// A position, after a new game.
    pub fn board(&mut self, fen: Option<&str>, moves: &[String]) -> Done {
        self.new_game()?;
        let opening = Opening { fen: fen.map(str::to_owned), ..Opening::default() };
        let referee = Referee::of_any_chess(&opening).map_err(|error| Halt::Failed(error.to_string()))?;
        self.referee = referee;
        self.position = fen.map_or("startpos".to_owned(), |fen| format!("fen {fen}"));
        if self.protocol == Protocol::Xboard {
            self.say("force");
            if let Some(fen) = fen {
                if self.has("setboard") {
                    self.say(&format!("setboard {fen}"));
                } else {
                    let mut out = Outbox::default();
                    edit::set_up(self.referee.start(), self.has("usermove"), &mut out);
                    out.take().lines().for_each(|line| self.say(line));
                }
            }
        }
        self.tell(moves)?;
        self.sync()
    }

    /// Legal moves: to xboard engines one at a time, to those of UCI all with the position.
    pub fn tell(&mut self, moves: &[String]) -> Done {
        for text in moves {
            self.played(std::slice::from_ref(text))?;
            if self.protocol == Protocol::Xboard {
                let played =
                    self.referee.moves().last().map(|played| (played.san.clone(), played.uci.clone()));
                let (san, uci) = played.unwrap_or_default();
                let castles = self.referee.is_chess960() && san.starts_with("O-O");
                self.tell_text(if self.has("san") || castles { &san } else { &uci });
            }
        }
        if self.protocol == Protocol::Uci {
            let moves: Vec<&str> = self.referee.moves().iter().map(|played| played.uci.as_str()).collect();
            let moves = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
            self.say(&format!("position {}{moves}", self.position));
        }
        Ok(())
    }

    /// Moves that the engine knows of.
    pub fn played(&mut self, moves: &[String]) -> Done {
        moves.iter().try_for_each(|text| match self.referee.read_move(text) {
            Ok(mv) => {
                self.referee.play(mv);
                Ok(())
            }
            Err(fault) => failed(format!("the check is wrong: {text} {fault}")),
        })
    }

    /// A move as it stands, legal or not.
    fn tell_text(&mut self, text: &str) {
        let line = if self.has("usermove") { format!("usermove {text}") } else { text.to_owned() };
        self.say(&line);
        self.told.push(text.to_owned());
        if !self.forced {
            self.begins();
        }
    }

    /// A move that it has to refuse.
    pub fn bad_move(&mut self, text: &str) -> Done {
        self.tell_text(text);
        self.told.pop();
        // An engine may also call it an unknown command.
        match self.hear(Duration::from_secs(1) + self.slack, "Illegal move|illegal move|move", "")? {
            Some(line) if self.fits(&line, "move") => {
                failed(format!("it answers {text}, which is not legal, with \"{line}\""))
            }
            Some(_) => Ok(()),
            None => failed(format!("it does not refuse {text}, which is not legal, as an illegal move")),
        }
    }

    /// Waits until it has done everything, as far as it can be asked.
    pub fn sync(&mut self) -> Done {
        match self.protocol {
            Protocol::Uci => {
                self.say("isready");
                self.within(PATIENCE, "readyok", "").map(|_| ())
            }
            Protocol::Xboard if self.has("ping") => {
                self.say("ping 77");
                self.within(PATIENCE, "pong 77", "").map(|_| ())
            }
            Protocol::Xboard => self.listen(Duration::from_millis(150)),
        }
    }

    /// Hears what comes in that time.
    fn listen(&mut self, time: Duration) -> Done {
        self.quiet(time, "")
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
        match self.transcript.iter().find(|line| line.starts_with("< Error") || line.starts_with("< Illegal"))
        {
            Some(line) => failed(format!("it answers \"{}\"", &line[2..])),
            None => Ok(()),
        }
    }

    /// A line of the pattern, in time, and none of `not` before.
    pub fn within(&mut self, time: Duration, pattern: &str, not: &str) -> Done<String> {
        match self.hear(time + self.slack, pattern, not)? {
            Some(line) => Ok(line),
            None => failed(format!("no \"{pattern}\" within {} s", time.as_secs_f64())),
        }
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
        self.listen(Duration::from_millis(100))?;
        self.thoughts.clear();
        self.moved = None;
        self.stray.clear();
        Ok(())
    }

    /// Whether the program ends by itself in that time.
    pub fn ends(&mut self, time: Duration) -> Done {
        match self.process.ended_within(time + self.slack) {
            Some(_) => Ok(()),
            None => failed(format!("it has not ended after {} s", time.as_secs_f64())),
        }
    }

    pub fn close(&mut self) {
        self.note('>', "(end of input)");
        self.process.close_input();
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

    /// The engine plays so many moves by a clock, against moves that look random.
    pub fn play(&mut self, game: Play) -> Done {
        let seconds =
            |milliseconds: u64| format!("{}:{:02}", milliseconds / 60_000, milliseconds / 1000 % 60);
        if self.protocol == Protocol::Xboard {
            let increment = game.increment / 1000;
            self.say(&format!("level {} {} {increment}", game.session, seconds(game.base)));
        }
        let base = Duration::from_millis(game.base);
        let mut left = base;
        for number in 0..game.moves {
            let milliseconds = left.as_millis();
            match self.protocol {
                Protocol::Xboard => {
                    if self.has("time") {
                        let centiseconds = (milliseconds / 10).max(1);
                        self.say(&format!("time {centiseconds}"));
                        self.say(&format!("otim {centiseconds}"));
                    }
                    match number {
                        0 => self.say("go"),
                        _ => self.answer()?,
                    }
                }
                Protocol::Uci => {
                    let inc = game.increment;
                    let mut go =
                        format!("go wtime {milliseconds} btime {milliseconds} winc {inc} binc {inc}");
                    if game.session > 0 {
                        go.push_str(&format!(" movestogo {}", game.session - number % game.session));
                    }
                    self.say(&go);
                }
            }
            let text = match self.hear(left + self.slack, "move|claim|resign", "")? {
                Some(line) if !self.fits(&line, "move") => return Ok(()),
                Some(_) => self.moved.take(),
                None => {
                    let left = left.as_secs_f64();
                    return failed(format!("its flag falls at move {}: it had {left:.2} s", number + 1));
                }
            };
            let Some((text, took)) = text else { return Ok(()) };
            left = left.saturating_sub(took) + Duration::from_millis(game.increment);
            if game.session > 0 && (number + 1) % game.session == 0 {
                left += base;
            }
            if self.protocol == Protocol::Uci {
                self.tell(&[text])?;
                self.answer()?;
            }
            if self.referee.outcome().is_some() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Makes a move for the other side, the same for the same number of moves.
    pub fn answer(&mut self) -> Done {
        let moves = self.referee.position().legal_moves();
        let number = self.referee.moves().len() * 7919;
        match moves.get(number % moves.len().max(1)) {
            Some(mv) => {
                let mut after = self.referee.clone();
                after.play(*mv);
                let text = after.moves().last().map(|played| played.uci.clone()).unwrap_or_default();
                self.tell(&[text])
            }
            None => Ok(()),
        }
    }
}

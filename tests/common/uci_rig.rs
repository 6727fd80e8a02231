//! A UCI conversation in this process, with the fake searcher behind it: whatever happens, happens when the test lets it.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use kashan::engine::{BuildFor, Engine, WorkerEvent};
use kashan::front::{Flow, Front, UciFront};

use super::fake::Fake;
use super::rig::{PATIENCE, Transcript};

pub struct UciRig {
    pub front: UciFront<Transcript>,
    pub fake: Arc<Fake>,
    events: Receiver<WorkerEvent>,
    transcript: Transcript,
    /// Where the lines begin that [`UciRig::lines`] has not given yet.
    read: usize,
}

impl UciRig {
    /// After `uci`, the book off.
    pub fn new() -> UciRig {
        let fake = Arc::new(Fake::default());
        UciRig::with_searchers(fake.builder(), fake)
    }

    pub fn with_searchers(build_for: BuildFor, fake: Arc<Fake>) -> UciRig {
        let (sender, events) = channel();
        let engine =
            Engine::with_searchers(build_for, Box::new(move |event| sender.send(event).is_ok())).unwrap();
        let transcript = Transcript::default();
        let mut rig = UciRig {
            front: UciFront::new(engine, transcript.clone()),
            fake,
            events,
            transcript,
            read: 0,
        };
        rig.send("uci\nsetoption name OwnBook value false\nucinewgame\nisready");
        rig.wait_for("readyok");
        rig
    }

    /// Hands lines to the front, without looking at what the search thread does meanwhile.
    pub fn send(&mut self, lines: &str) -> Flow {
        lines
            .lines()
            .map(|line| self.front.line(line))
            .last()
            .unwrap_or(Flow::Continue)
    }

    /// Handles one event of the search thread. `false` if none came in time.
    pub fn step(&mut self, patience: Duration) -> bool {
        match self.events.recv_timeout(patience) {
            Ok(event) => {
                self.front.search_event(event);
                true
            }
            Err(_) => false,
        }
    }

    /// Lets the search thread go on until it has nothing to say for `quiet`; the lines that came.
    pub fn listen(&mut self, quiet: Duration) -> Vec<String> {
        while self.step(quiet) {}
        self.lines()
    }

    /// The lines that the front has written since the last call.
    pub fn lines(&mut self) -> Vec<String> {
        let text = self.transcript.text();
        let new = &text[self.read..];
        assert!(new.is_empty() || new.ends_with('\n'), "only whole lines: {new:?}");
        self.read = text.len();
        new.lines().map(str::to_owned).collect()
    }

    /// Forgets what was said: for long tests.
    pub fn forget(&mut self) {
        self.transcript.clear();
        self.read = 0;
    }

    /// Lets the search thread go on until the front writes a line that begins with `start`; gives all lines up to then.
    pub fn wait_for(&mut self, start: &str) -> Vec<String> {
        self.wait_until(|lines| lines.iter().any(|line| line.starts_with(start)))
    }

    /// Lets the search thread go on until `enough` holds for the lines that came.
    pub fn wait_until(&mut self, enough: impl Fn(&[String]) -> bool) -> Vec<String> {
        let deadline = Instant::now() + PATIENCE;
        let mut lines = Vec::new();
        loop {
            lines.extend(self.lines());
            if enough(&lines) {
                return lines;
            }
            assert!(
                self.step(deadline.saturating_duration_since(Instant::now())),
                "not what was waited for: {lines:#?}"
            );
        }
    }

    /// Lines that end with some `go`; the `bestmove` that it leads to.
    pub fn best_move(&mut self, lines: &str) -> String {
        self.send(lines);
        let lines = self.wait_for("bestmove ");
        let answers = best_moves(&lines);
        assert_eq!(answers.len(), 1, "{lines:#?}");
        answers[0].to_owned()
    }

    pub fn fen(&self) -> String {
        self.front.engine().position().to_fen()
    }
}

/// What stands behind each `bestmove`.
pub fn best_moves(lines: &[String]) -> Vec<&str> {
    lines
        .iter()
        .filter_map(|line| line.strip_prefix("bestmove "))
        .collect()
}

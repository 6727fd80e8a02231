//! A front in this process, with the fake searcher behind it: whatever happens, happens when the test lets it.

use std::io::{self, Write};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use kashan::engine::{BuildFor, Engine, WorkerEvent};
use kashan::front::{Flow, Front, XboardFront};

use super::fake::Fake;

/// Much longer than anything should take on a busy machine; only a failing test waits for it.
pub const PATIENCE: Duration = Duration::from_secs(30);

#[derive(Clone, Default)]
pub struct Transcript(Arc<Mutex<Vec<u8>>>);

impl Transcript {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap()).into_owned()
    }
}

impl Transcript {
    pub fn clear(&self) {
        self.0.lock().unwrap().clear();
    }
}

impl Write for Transcript {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub struct Rig {
    pub front: XboardFront<Transcript>,
    pub fake: Arc<Fake>,
    events: Receiver<WorkerEvent>,
    transcript: Transcript,
    /// Where the lines begin that [`Rig::lines`] has not given yet.
    read: usize,
    ping: i64,
}

impl Rig {
    /// After `xboard`, `protover 2` and `new`, the book off, everything quiet.
    pub fn new() -> Rig {
        let mut rig = Rig::raw();
        rig.send("xboard\nprotover 2\naccepted done\noption OwnBook=0\nnew");
        rig.sync();
        rig.lines();
        rig
    }

    /// Before anybody has said anything.
    pub fn raw() -> Rig {
        let fake = Arc::new(Fake::default());
        Rig::with_searchers(fake.builder(), fake)
    }

    pub fn with_searchers(build_for: BuildFor, fake: Arc<Fake>) -> Rig {
        let (sender, events) = channel();
        let engine =
            Engine::with_searchers(build_for, Box::new(move |event| sender.send(event).is_ok())).unwrap();
        let transcript = Transcript::default();
        Rig {
            front: XboardFront::new(engine, transcript.clone()),
            fake,
            events,
            transcript,
            read: 0,
            ping: 0,
        }
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

    /// The lines that the front has written since the last call.
    pub fn lines(&mut self) -> Vec<String> {
        let bytes = self.transcript.0.lock().unwrap();
        let text = String::from_utf8_lossy(&bytes[self.read..]).into_owned();
        assert!(
            text.is_empty() || text.ends_with('\n'),
            "only whole lines: {text:?}"
        );
        self.read = bytes.len();
        text.lines().map(str::to_owned).collect()
    }

    /// Lets the search thread go on until the front writes a line that begins with `start`; gives all lines up to then.
    pub fn wait_for(&mut self, start: &str) -> Vec<String> {
        let deadline = Instant::now() + PATIENCE;
        let mut lines = Vec::new();
        loop {
            lines.extend(self.lines());
            if lines.iter().any(|line| line.starts_with(start)) {
                return lines;
            }
            assert!(
                self.step(deadline.saturating_duration_since(Instant::now())),
                "no {start:?} came; there was {lines:#?}"
            );
        }
    }

    /// Waits until everything that was asked for is done: `ping` and `pong`. Gives all lines up to then.
    pub fn sync(&mut self) -> Vec<String> {
        self.ping += 1;
        self.send(&format!("ping {}", self.ping));
        let mut lines = self.wait_for(&format!("pong {}", self.ping));
        lines.retain(|line| !line.starts_with("pong"));
        lines
    }

    /// Lines, then everything that they lead to.
    pub fn ask(&mut self, lines: &str) -> Vec<String> {
        self.send(lines);
        self.sync()
    }

    pub fn fen(&self) -> String {
        self.front.engine().position().to_fen()
    }
}

/// The lines that are moves.
pub fn moves(lines: &[String]) -> Vec<&str> {
    lines
        .iter()
        .filter_map(|line| line.strip_prefix("move "))
        .collect()
}

/// Whether some line begins with `start`.
pub fn any(lines: &[String], start: &str) -> bool {
    lines.iter().any(|line| line.starts_with(start))
}

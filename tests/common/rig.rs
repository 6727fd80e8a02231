//! A front in this process, with the fake searcher behind it: whatever happens, happens when the
//! test lets it.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use kashan::engine::front::{Flow, Front, UciFront, XboardFront};
use kashan::engine::{BuildFor, Engine, WorkerEvent, backend};
use kashan::play::Console;
use kashan::play::console::Look;

use super::dialogue::{Dialect, Notes, PATIENCE, Speaker};
use super::fake::Fake;

/// A text for two readers.
#[derive(Clone, Default)]
pub struct Transcript(Arc<Mutex<Vec<u8>>>);

impl Transcript {
    /// The text written since the last call.
    fn take(&self) -> String {
        let bytes = std::mem::take(&mut *self.0.lock().unwrap());
        String::from_utf8_lossy(&bytes).into_owned()
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

/// A front that a rig can hold.
pub trait Held: Front {
    const DIALECT: Dialect;

    fn over(engine: Engine, output: Transcript) -> Self;

    fn engine(&self) -> &Engine;
}

impl Held for XboardFront {
    const DIALECT: Dialect = Dialect::Xboard;

    fn over(engine: Engine, output: Transcript) -> Self {
        XboardFront::new(engine, output, true)
    }

    fn engine(&self) -> &Engine {
        &self.engine
    }
}

impl Held for UciFront {
    const DIALECT: Dialect = Dialect::Uci;

    fn over(engine: Engine, output: Transcript) -> Self {
        UciFront::new(engine, output, true)
    }

    fn engine(&self) -> &Engine {
        &self.engine
    }
}

impl Held for Console {
    const DIALECT: Dialect = Dialect::Console;

    fn over(engine: Engine, output: Transcript) -> Self {
        let mut console = Console::new(engine, output, false);
        console.greet();
        console
    }

    fn engine(&self) -> &Engine {
        &self.engine
    }
}

pub struct Rig<F> {
    pub front: F,
    pub fake: Arc<Fake>,
    events: Receiver<WorkerEvent>,
    transcript: Transcript,
    unread: VecDeque<String>,
    flow: Flow,
    notes: Notes,
}

pub type Xboard = Rig<XboardFront>;
pub type Uci = Rig<UciFront>;
pub type Terminal = Rig<Console>;

pub fn xboard() -> Xboard {
    Rig::raw().introduced()
}

pub fn uci() -> Uci {
    Rig::raw().introduced()
}

pub fn terminal() -> Terminal {
    Rig::raw().introduced()
}

impl Terminal {
    /// The book off, the game kept in `file`.
    pub fn keeping(file: &Path) -> Terminal {
        Rig::with_fake(|engine, output| {
            Console::new(engine, output, false).keep_in(file.to_owned())
        })
        .introduced()
    }

    /// The book off, in a terminal of so many columns.
    pub fn wide(columns: u16, look: Look) -> Terminal {
        let console = |engine: Engine, output: Transcript| {
            Console::new(engine, output, look.colors).at_a_terminal(columns, look)
        };
        Rig::with_fake(console).introduced()
    }
}

impl<F: Held> Rig<F> {
    /// Before anybody has said anything.
    pub fn raw() -> Self {
        Rig::with_fake(F::over)
    }

    /// The same with the real searchers.
    pub fn real() -> Self {
        Rig::around(F::over, backend::standard(), Arc::default())
    }

    fn with_fake(front: impl FnOnce(Engine, Transcript) -> F) -> Self {
        let fake = Arc::new(Fake::default());
        Rig::around(front, fake.builder(), fake)
    }

    fn around(
        front: impl FnOnce(Engine, Transcript) -> F,
        build_for: BuildFor,
        fake: Arc<Fake>,
    ) -> Self {
        let (sender, events) = channel();
        let engine =
            Engine::with_searchers(build_for, Box::new(move |event| sender.send(event).is_ok()))
                .unwrap();
        let transcript = Transcript::default();
        Rig {
            front: front(engine, transcript.clone()),
            fake,
            events,
            transcript,
            unread: VecDeque::new(),
            flow: Flow::Continue,
            notes: Notes::default(),
        }
    }

    pub fn engine(&self) -> &Engine {
        self.front.engine()
    }

    /// Hands a line to the front, without looking at what the search thread does meanwhile.
    pub fn send(&mut self, line: &str) -> Flow {
        self.flow = self.front.line(line);
        self.flow
    }

    /// Lets the search thread go on until it has nothing to do.
    pub fn finish_thinking(&mut self) {
        while self.engine().running().is_some() {
            assert!(self.step(PATIENCE), "the search does not end");
        }
    }

    /// Handles one event of the search thread. `false` if none came in time.
    pub fn step(&mut self, patience: Duration) -> bool {
        let event = self.events.recv_timeout(patience);
        event.map(|event| self.front.search_event(event)).is_ok()
    }

    /// The lines that the front has written and nobody has read.
    pub fn lines(&mut self) -> Vec<String> {
        let text = self.transcript.take();
        let is_whole = text.is_empty() || text.ends_with('\n') || F::DIALECT == Dialect::Console;
        assert!(is_whole, "only whole lines: {text:?}");
        self.unread.extend(text.lines().map(str::to_owned));
        self.unread.drain(..).collect()
    }
}

impl<F: Held> Speaker for Rig<F> {
    fn dialect(&self) -> Dialect {
        F::DIALECT
    }

    fn notes(&mut self) -> &mut Notes {
        &mut self.notes
    }

    fn say(&mut self, line: &str) {
        self.send(line);
    }

    fn hear(&mut self, patience: Duration) -> Option<String> {
        let deadline = Instant::now() + patience;
        loop {
            self.unread = self.lines().into();
            if let Some(line) = self.unread.pop_front() {
                return Some(line);
            }
            // What has happened already is no answer to a question that was not asked: without
            // patience only what was written counts.
            if patience.is_zero() || !self.step(deadline.saturating_duration_since(Instant::now()))
            {
                return None;
            }
        }
    }

    fn has_ended(&mut self) -> bool {
        self.flow == Flow::Quit
    }

    fn fact(&mut self, name: &str) -> Option<String> {
        let fake = &self.fake;
        let engine = self.front.engine();
        let search = || fake.searches().pop().expect("there was a search");
        if let Some(fen) = name.strip_prefix("searches of ") {
            return Some(
                fake.searches()
                    .iter()
                    .filter(|search| search.fen == fen)
                    .count()
                    .to_string(),
            );
        }
        let maybe =
            |number: Option<u64>| number.map_or("none".to_owned(), |number| number.to_string());
        Some(match name {
            "position" => engine.position().to_fen(),
            "flow" => format!("{:?}", self.flow),
            "plies" => engine.game.moves().len().to_string(),
            // The position that is searched, or none.
            "search" => engine
                .running()
                .map_or("none".to_owned(), |search| search.root.to_fen()),
            // What follows is about searches that are over; times in seconds.
            "searches" => fake.searches().len().to_string(),
            "thought" => search().thought.as_secs_f64().to_string(),
            "thought-in-all" => {
                let searches = fake.searches().into_iter();
                searches
                    .map(|search| search.thought)
                    .sum::<Duration>()
                    .as_secs_f64()
                    .to_string()
            }
            "visited" => search().nodes.to_string(),
            "repetitions" => search().repetitions.to_string(),
            "depth" => maybe(search().limits.depth.map(u64::from)),
            "nodes" => maybe(search().limits.nodes),
            "lines" => search().limits.lines.to_string(),
            "threads" => search().limits.threads.to_string(),
            "strength" => search()
                .limits
                .strength
                .map_or("max".to_owned(), |strength| strength.elo.to_string()),
            "infinite" => search().limits.infinite.to_string(),
            "excluded" => search().limits.excluded.len().to_string(),
            "megabytes" => fake.megabytes.load(SeqCst).to_string(),
            "searchers" => fake.built.load(SeqCst).to_string(),
            "games" => fake.new_games.load(SeqCst).to_string(),
            _ => return None,
        })
    }

    /// Orders to the fake searcher, moves of the opponent one after the other: `opponent plays e2e4
    /// d2d4`, and `interrupt`, as by Control-C.
    fn obey(&mut self, order: &[&str]) -> bool {
        let fake = &self.fake;
        match order {
            ["opponent", "plays", moves @ ..] => {
                for mv in moves {
                    self.send(&format!("usermove {mv}"));
                }
            }
            ["interrupt"] => self.flow = self.front.interrupt(),
            ["searcher", "waits"] => fake.wait(true),
            ["searcher", "answers"] => fake.wait(false),
            // It thinks until the deadline, with nodes as the time.
            ["searcher", "races"] => {
                fake.wait(true);
                fake.races.store(true, SeqCst);
            }
            // So much has to be found before the test goes on.
            ["searcher", "visits", nodes] => {
                let nodes: u64 = nodes.parse().expect("a number");
                let deadline = Instant::now() + PATIENCE;
                while self.engine().running().expect("it thinks").clock.nodes() < nodes {
                    assert!(Instant::now() < deadline, "it does not visit {nodes} nodes");
                    thread::sleep(Duration::from_millis(1));
                }
            }
            ["searcher", "changes", "its", "mind"] => fake.changes_its_mind.store(true, SeqCst),
            ["searcher", "has", "no", "time"] => fake.has_no_time.store(true, SeqCst),
            ["searcher", "lacks", "memory"] => fake.lacks_memory.store(true, SeqCst),
            ["searcher", "prepares", "endlessly"] => fake.is_never_ready.store(true, SeqCst),
            ["searcher", "panics"] => fake.panics.store(true, SeqCst),
            ["searcher", "scores", score] => fake.score(score.parse().expect("a score")),
            ["searcher", "plays", moves @ ..] => fake.play(moves),
            _ => return false,
        }
        true
    }
}

/// Returns true if a line begins with `start`.
pub fn any(lines: &[String], start: &str) -> bool {
    lines.iter().any(|line| line.starts_with(start))
}

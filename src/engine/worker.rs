//! The search thread: one searcher, one queue of jobs, one report for each job; and the meaning of
//! its events for the owner of the engine.
//!
//! Searches are numbered, so that the result of a cancelled search is recognised. A panic inside a
//! searcher ends neither the thread nor the program: the panic is logged, some legal move is
//! reported, and the searcher is built anew.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::{io, thread};

use super::{Engine, Running, advice};
use crate::rules::position::Position;
use crate::rules::score::Score;
use crate::search::tables::KnownRoot;
use crate::search::team::STACK_BYTES;
use crate::search::{Bound, Clock, Limits, Observer, Remark, SearchReport, Searcher, Thought};

/// The number of a search, carried by all messages about the search.
pub type SearchId = u64;

/// Makes the searcher of the options. Runs on the search thread: tables can be large.
pub type BuildSearcher = Box<dyn Fn() -> Box<dyn Searcher> + Send>;

/// Inspects a searcher, on the search thread.
pub type Inspect = Box<dyn FnOnce(&dyn Searcher) + Send>;

/// A job for the search thread; jobs are done in order.
pub enum Job {
    Search {
        id: SearchId,
        root: Box<Position>,
        limits: Limits,
        clock: Arc<Clock>,
        /// Reports on generations are wanted.
        follows_generations: bool,
    },
    /// Use another searcher from now on.
    Configure(BuildSearcher),
    NewGame,
    SetMemory(usize),
    /// Do the next search's preparations for so many threads ahead of time, until there is another
    /// job.
    Prepare {
        threads: usize,
    },
    /// Do other work than a search, to keep the user from waiting elsewhere.
    Aside {
        id: SearchId,
        work: Aside,
        clock: Arc<Clock>,
    },
    /// Inspect the searcher in its state after the last search.
    Inspect(Inspect),
    /// Do nothing: a preparation ends.
    Wake,
}

/// Work beside the game, and its result. The work ends early when the clock is stopped.
pub type Aside = Box<dyn FnOnce(&Clock) -> Told + Send>;

/// The result of work beside the game.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// The text for the user.
    pub text: String,
    /// The value of the game after so many half-moves, from White's point of view.
    pub values: BTreeMap<usize, Score>,
    /// The game with comments; empty if there are none.
    pub pgn: String,
    /// The judged moves, in their order.
    pub judged: Vec<JudgedMove>,
    /// The accuracy of White's and Black's moves, in percent.
    pub accuracy: [Option<f64>; 2],
    /// The half-move that decided the game, if one did.
    pub turning_point: Option<usize>,
    /// The judge.
    pub judge: &'static str,
    /// Moves at the end of the game that there was no time for.
    pub missing: usize,
}

/// A move of a reviewed game.
#[derive(Clone, Debug, Default)]
pub struct JudgedMove {
    /// The number of half-moves before the move.
    pub ply: usize,
    /// The annotators' sign: nothing, `?!`, `?`, `??`.
    pub sign: &'static str,
    /// The loss of winning chances, in percentage points.
    pub loss: f64,
    /// The reason and the better line in words; empty for a move without a sign.
    pub text: String,
    /// The better line, in standard algebraic notation; empty for a move without a sign.
    pub better: Vec<String>,
}

/// An event of the search thread.
#[derive(Clone, Debug)]
pub enum WorkerEvent {
    /// A better line, while a search runs.
    Thought { id: SearchId, thought: Box<Thought> },
    /// Another remark of a search.
    Remark { id: SearchId, remark: Remark },
    /// A search is over.
    Finished {
        id: SearchId,
        report: Box<SearchReport>,
    },
    /// The result of work other than a search.
    Said { id: SearchId, told: Box<Told> },
    /// A job other than a search is done.
    Done,
}

impl WorkerEvent {
    /// Returns true for news of a search's progress only: such news come far more often than a
    /// person can read.
    pub fn is_progress(&self) -> bool {
        matches!(
            self,
            WorkerEvent::Thought { .. }
                | WorkerEvent::Remark {
                    remark: Remark::Generation(_) | Remark::Draw(_),
                    ..
                }
        )
    }
}

/// The receiver of the search thread's events. Returns `false` when the receiving end is gone.
pub type EventSink = Box<dyn Fn(WorkerEvent) -> bool + Send>;

/// The handle on the search thread. The thread ends when the handle is dropped and its last job is
/// done.
pub struct SearchThread {
    jobs: Sender<Job>,
    /// Searches up to this number are wanted no more.
    cancelled: Arc<AtomicU64>,
}

impl SearchThread {
    /// Starts the thread.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub fn start(build: BuildSearcher, events: EventSink) -> io::Result<SearchThread> {
        let (jobs, queue) = channel();
        let cancelled = Arc::new(AtomicU64::new(0));
        let seen = Arc::clone(&cancelled);
        thread::Builder::new()
            .name("search".to_owned())
            .stack_size(STACK_BYTES)
            .spawn(move || {
                Thread {
                    searcher: None,
                    fresh: true,
                    build,
                    megabytes: None,
                    events,
                    cancelled: seen,
                }
                .run(&queue)
            })?;
        Ok(SearchThread { jobs, cancelled })
    }

    /// Drops the results of searches up to `id`: searches that have not begun are skipped.
    pub fn forget(&self, id: SearchId) {
        self.cancelled.fetch_max(id, Relaxed);
    }

    /// Queues a job. Every job is answered by exactly one [`WorkerEvent::Finished`] or
    /// [`WorkerEvent::Done`].
    pub fn send(&self, job: Job) {
        if self.jobs.send(job).is_err() {
            log::error!("the search thread is gone");
        }
    }
}

/// The state of the search thread.
struct Thread {
    /// Built at its first use, and again after a panic.
    searcher: Option<Box<dyn Searcher>>,
    /// True if the searcher has not searched since its building or the last new game: there is
    /// nothing to forget.
    fresh: bool,
    build: BuildSearcher,
    /// The last memory setting since `build` came.
    megabytes: Option<usize>,
    events: EventSink,
    cancelled: Arc<AtomicU64>,
}

impl Thread {
    fn run(mut self, queue: &Receiver<Job>) {
        let mut next = None;
        while let Some(job) = next.take().or_else(|| queue.recv().ok()) {
            let mut threads_to_prepare = None;
            let mut event = WorkerEvent::Done;
            match job {
                Job::Search {
                    id,
                    root,
                    limits,
                    clock,
                    follows_generations,
                } => {
                    threads_to_prepare = Some(limits.threads);
                    let report = self.search(id, &root, &limits, &clock, follows_generations);
                    let report = Box::new(report);
                    event = WorkerEvent::Finished { id, report };
                }
                Job::Configure(build) => {
                    self.build = build;
                    self.megabytes = None;
                    self.searcher = None;
                    self.fresh = true;
                    self.guarded("building a searcher", |_, _| ());
                }
                Job::NewGame => {
                    // Front ends say "new" several times in a row, and clearing large tables takes
                    // its time.
                    if !self.fresh {
                        self.guarded("a new game", |searcher, _| searcher.new_game());
                        self.fresh = true;
                    }
                }
                Job::SetMemory(megabytes) => {
                    self.megabytes = Some(megabytes);
                    self.guarded("setting the memory", |searcher, _| {
                        searcher.set_memory(megabytes)
                    });
                }
                Job::Prepare { threads } => next = self.prepare(threads, queue),
                Job::Aside { id, work, clock } => {
                    let told = self.guarded("work beside a game", |_, _| work(&clock));
                    let told = Box::new(told.unwrap_or(Told {
                        text: "That failed.".to_owned(),
                        ..Told::default()
                    }));
                    event = WorkerEvent::Said { id, told };
                }
                Job::Inspect(look) => {
                    self.guarded("a look at a search", |searcher, _| look(searcher));
                }
                Job::Wake => {}
            }
            if !(self.events)(event) {
                return;
            }
            // Not every front end asks whether we are ready: the next search is to find all of its
            // memory.
            if let Some(threads) = threads_to_prepare {
                next = self.prepare(threads, queue);
            }
        }
    }

    /// Prepares the next search until another job comes, and returns the job.
    fn prepare(&mut self, threads: usize, queue: &Receiver<Job>) -> Option<Job> {
        while self.guarded("a preparation", |searcher, _| searcher.prepare(threads)) == Some(true) {
            match queue.try_recv() {
                Err(TryRecvError::Empty) => {}
                // If nobody is there any more, the queue says it again.
                job => return job.ok(),
            }
        }
        None
    }

    fn search(
        &mut self,
        id: SearchId,
        root: &Position,
        limits: &Limits,
        clock: &Clock,
        follows_generations: bool,
    ) -> SearchReport {
        if id <= self.cancelled.load(Relaxed) {
            // Cancelled while it waited in the queue.
            return SearchReport::default();
        }
        self.fresh = false;
        self.guarded("a search", |searcher, events| {
            let known = KnownRoot::new(root, limits);
            let mut sink = Sink {
                id,
                events,
                known: known.as_ref(),
                follows_generations,
            };
            let Some(known) = &known else {
                return searcher.search(root, limits, clock, &mut sink);
            };
            let mut report = searcher.search(root, &known.limits(root, limits), clock, &mut sink);
            let score = known.score(report.score);
            if score != report.score {
                (report.score, report.bound) = (score, Bound::Exact);
            }
            report.table_hits += known.0.probes;
            report
        })
        .unwrap_or_else(|| SearchReport::without_search(root, &limits.root_moves(root)))
    }

    /// Runs `work` on the searcher, built if there is none. Returns `None` after a panic.
    fn guarded<T>(
        &mut self,
        what: &str,
        work: impl FnOnce(&mut dyn Searcher, &EventSink) -> T,
    ) -> Option<T> {
        let Thread {
            searcher,
            build,
            megabytes,
            events,
            ..
        } = self;
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let searcher = searcher.get_or_insert_with(|| {
                let mut searcher = build();
                if let Some(megabytes) = *megabytes {
                    searcher.set_memory(megabytes);
                }
                searcher
            });
            work(searcher.as_mut(), events)
        }));
        if outcome.is_err() {
            // Why is told by the panic itself. It may have left the searcher in any state.
            log::error!("panic during {what}; the searcher is built anew");
            self.searcher = None;
        }
        outcome.ok()
    }
}

/// Hands a searcher's progress to the event channel.
struct Sink<'a> {
    id: SearchId,
    events: &'a EventSink,
    /// The knowledge of endgame tables about the root.
    known: Option<&'a KnownRoot>,
    follows_generations: bool,
}

impl Observer for Sink<'_> {
    fn progress(&mut self, thought: &Thought) {
        let mut thought = Box::new(thought.clone());
        if let Some(known) = self.known {
            thought.score = known.score(thought.score);
            thought.table_hits += known.0.probes;
        }
        (self.events)(WorkerEvent::Thought {
            id: self.id,
            thought,
        });
    }

    fn remark(&mut self, remark: Remark) {
        (self.events)(WorkerEvent::Remark {
            id: self.id,
            remark,
        });
    }

    fn follows_generations(&self) -> bool {
        self.follows_generations
    }
}

/// The meaning of an event of the search thread at its arrival.
#[derive(Debug)]
pub enum EngineEvent {
    /// A new thinking line of the running search, already kept in [`Running::thought`] (the best
    /// line) or [`Running::alternatives`].
    Thought(Box<Thought>),
    /// The genetic search has got further: see [`Running::generation`].
    Generation,
    /// The library's advice for the root, in words without a full stop.
    Advice(String),
    /// The running search is over.
    Finished {
        search: Box<Running>,
        report: Box<SearchReport>,
    },
    /// News for the user, in words without a full stop.
    Notice(String),
    /// The result of work beside the game; see [`Engine::aside`].
    Said(Box<Told>),
    /// Past news: of a cancelled search, or of a job other than a search. The engine may be less
    /// busy than before.
    Past,
}

impl Engine {
    /// Interprets an event of the search thread. Every event must come through here.
    pub fn happened(&mut self, event: WorkerEvent) -> EngineEvent {
        if !matches!(
            event,
            WorkerEvent::Thought { .. } | WorkerEvent::Remark { .. }
        ) {
            self.unanswered = self.unanswered.saturating_sub(1);
        }
        self.meaning_of(event).unwrap_or(EngineEvent::Past)
    }

    /// Returns the meaning of an event that is not past.
    fn meaning_of(&mut self, event: WorkerEvent) -> Option<EngineEvent> {
        Some(match event {
            WorkerEvent::Thought { id, thought } => {
                self.running_as(id)?.keep((*thought).clone());
                EngineEvent::Thought(thought)
            }
            WorkerEvent::Remark { id, remark } => return self.remarked(id, remark),
            WorkerEvent::Finished { id, report } => {
                let search = Box::new(self.running.take_if(|running| running.id == id)?);
                EngineEvent::Finished { search, report }
            }
            WorkerEvent::Said { id, told } => {
                self.aside.take_if(|(wanted, _)| *wanted == id)?;
                EngineEvent::Said(told)
            }
            WorkerEvent::Done => return None,
        })
    }

    /// A search said something besides its lines.
    fn remarked(&mut self, id: SearchId, remark: Remark) -> Option<EngineEvent> {
        let hash = self.settings.engine.hash;
        let threads = self.settings.engine.threads;
        match remark {
            Remark::ShortOfMemory(given) => {
                let text = format!(
                    "The machine has no {hash} megabytes for the search (option Hash): {given} have to do"
                );
                self.warn("Hash", hash, text)
            }
            Remark::ShortOfThreads(given) => {
                let text = format!(
                    "The machine gives the search no {threads} threads (option Threads), but {given}"
                );
                self.warn("Threads", threads, text)
            }
            Remark::Advice(None) => {
                let text = "Backend action has no library to play from (option LibraryFile): it searches all moves";
                self.warn("LibraryFile", 0, text.to_owned())
            }
            Remark::Advice(Some(advice)) => {
                let text = advice::summary(&advice, &self.running_as(id)?.root);
                self.advice = Some(advice);
                text.map(EngineEvent::Advice)
            }
            Remark::Generation(generation) => {
                self.running_as(id)?.generation = Some(generation);
                Some(EngineEvent::Generation)
            }
            Remark::Draw(chances) => {
                self.running_as(id)?.draw = chances;
                None
            }
        }
    }

    /// Returns the running search, if its number is `id`.
    fn running_as(&mut self, id: SearchId) -> Option<&mut Running> {
        self.running.as_mut().filter(|running| running.id == id)
    }

    /// Reports the effect of an option's value once for each value: every new searcher reports the
    /// same effect again.
    fn warn(&mut self, option: &'static str, value: i64, text: String) -> Option<EngineEvent> {
        let is_new = self.warned_of.insert(option, value) != Some(value);
        is_new.then_some(EngineEvent::Notice(text))
    }
}

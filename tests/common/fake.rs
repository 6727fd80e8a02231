//! A searcher under the test's control: it plays what it is told, for as long as it is told.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use kashan::engine::BuildFor;
use kashan::rules::position::Position;
use kashan::search::{
    Births, Bound, Clock, Generation, Limits, LiveBranch, Observer, Remark, RootMove, Score,
    SearchReport, Searcher, Thought,
};

/// The facts of one search.
#[derive(Clone, Debug)]
pub struct Search {
    pub fen: String,
    pub limits: Limits,
    pub repetitions: usize,
    /// Nodes when the search ended.
    pub nodes: u64,
    pub thought: Duration,
}

/// The strings that the test pulls, shared with every searcher that is built.
#[derive(Default)]
pub struct Fake {
    /// Moves to play, each for the position where it is legal; else the first legal move is played.
    pub script: Mutex<VecDeque<String>>,
    /// True to think until a deadline or a stop, rather than answer at once.
    pub waits: AtomicBool,
    /// True to let nodes pass without taking time: for tests with nodes as time.
    pub races: AtomicBool,
    /// True to report another move than the last thinking line, and half the score.
    pub changes_its_mind: AtomicBool,
    /// True to report a search without time.
    pub has_no_time: AtomicBool,
    /// The score that is reported.
    pub score: AtomicI32,
    /// True to report no generation.
    pub is_no_genetic_search: AtomicBool,
    /// True to report less memory than wanted, with each search.
    pub lacks_memory: AtomicBool,
    /// True if preparation never ends.
    pub is_never_ready: AtomicBool,
    /// Steps of preparation.
    pub prepared: AtomicUsize,
    /// Panic at the next search.
    pub panics: AtomicBool,
    pub searches: Mutex<Vec<Search>>,
    /// Not to fill the memory of a very long test.
    pub forgets_searches: AtomicBool,
    pub new_games: AtomicUsize,
    pub megabytes: AtomicUsize,
    pub built: AtomicUsize,
}

impl Fake {
    pub fn builder(self: &Arc<Self>) -> BuildFor {
        let fake = Arc::clone(self);
        Box::new(move |settings| {
            let fake = Arc::clone(&fake);
            let megabytes = settings.engine.hash as usize;
            Box::new(move || {
                fake.built.fetch_add(1, SeqCst);
                fake.megabytes.store(megabytes, SeqCst);
                Box::new(FakeSearcher(Arc::clone(&fake)))
            })
        })
    }

    pub fn play(&self, moves: &[&str]) {
        self.script
            .lock()
            .unwrap()
            .extend(moves.iter().map(|&mv| mv.to_owned()));
    }

    pub fn wait(&self, waits: bool) {
        self.waits.store(waits, SeqCst);
    }

    pub fn score(&self, centipawns: i32) {
        self.score.store(centipawns, SeqCst);
    }

    pub fn searches(&self) -> Vec<Search> {
        self.searches.lock().unwrap().clone()
    }
}

struct FakeSearcher(Arc<Fake>);

impl Searcher for FakeSearcher {
    fn search(
        &mut self,
        root: &Position,
        limits: &Limits,
        clock: &Clock,
        observer: &mut dyn Observer,
    ) -> SearchReport {
        assert!(!self.0.panics.swap(false, SeqCst), "a panic for the test");
        if self.0.lacks_memory.load(SeqCst) {
            observer.remark(Remark::ShortOfMemory(100));
        }
        let moves = limits.root_moves(root);
        let text = self
            .0
            .script
            .lock()
            .unwrap()
            .pop_front_if(|text| root.parse_move(text).is_ok());
        let scripted = text.and_then(|text| root.parse_move(&text).ok());
        let mut report = SearchReport {
            score: Score(self.0.score.load(SeqCst)),
            depth: 3,
            selective_depth: 5,
            ..SearchReport::default()
        };
        if let Some(mv) = scripted.or(moves.first().copied()) {
            report.variation.push(mv);
            let mut after = root.clone();
            after.play(mv).unwrap();
            report
                .variation
                .extend(after.legal_moves().first().copied());
        }
        observer.progress(&Thought {
            rank: 1,
            depth: report.depth,
            selective_depth: report.selective_depth,
            score: report.score,
            bound: Bound::Exact,
            time: clock.elapsed(0),
            nodes: 1000,
            table_hits: 0,
            variation: report.variation.clone(),
        });
        if !self.0.is_no_genetic_search.load(SeqCst) {
            let (best, value) = (report.variation.first().copied(), report.score);
            let nodes = |mv| if best == Some(mv) { 500 } else { 10 };
            let root_move = |mv| RootMove {
                mv,
                nodes: nodes(mv),
                value: Some(value),
            };
            let generation = Generation {
                number: 17,
                height: report.selective_depth,
                population: 64,
                score: report.score,
                time: clock.elapsed(0),
                nodes: 1000,
                root_moves: moves.iter().copied().map(root_move).collect(),
                births: Births {
                    crossovers: 1,
                    mutations: 2,
                    growths: 3,
                },
                branches: vec![LiveBranch {
                    line: report.variation.to_vec(),
                    k: 0,
                    fitness: 18,
                    value,
                }],
                nodes_shown: Vec::new(),
            };
            observer.remark(Remark::Generation(Box::new(generation)));
        }
        if self.0.changes_its_mind.load(SeqCst) {
            report.variation = moves.last().copied().into_iter().collect();
            report.score = Score(report.score.0 / 2);
        }
        if self.0.has_no_time.load(SeqCst) {
            report.depth = 0;
        }
        report.nodes = 1000.min(limits.nodes.unwrap_or(1000));
        let waits = self.0.waits.load(SeqCst) && limits.nodes.is_none();
        while (waits || limits.infinite) && !clock.should_stop(report.nodes) {
            report.nodes += 1000;
            if !self.0.races.load(SeqCst) {
                thread::sleep(Duration::from_millis(1));
            } else if report.nodes.is_multiple_of(64_000) {
                // On a busy machine others take their time now.
                thread::yield_now();
            }
        }
        if self.0.forgets_searches.load(SeqCst) {
            return report;
        }
        self.0.searches.lock().unwrap().push(Search {
            fen: root.to_fen(),
            limits: limits.clone(),
            repetitions: root.repetitions(),
            nodes: report.nodes,
            thought: clock.elapsed(report.nodes),
        });
        report
    }

    fn new_game(&mut self) {
        self.0.new_games.fetch_add(1, SeqCst);
    }

    fn set_memory(&mut self, megabytes: usize) {
        self.0.megabytes.store(megabytes, SeqCst);
    }

    fn prepare(&mut self, _: usize) -> bool {
        self.0.prepared.fetch_add(1, SeqCst);
        self.0.is_never_ready.load(SeqCst)
    }
}

//! The workers of one search: threads that search the same position.

use std::io;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};
use std::thread::{self, Scope, ScopedJoinHandle};

use super::{SearchReport, memory};

/// Recursive searches over big positions, in a build without optimisation, want more than the default stack.
pub const STACK_BYTES: usize = 64 << 20;

/// What the workers of a search know of each other: how much each has done, and whether the search is over.
#[derive(Debug)]
pub struct Team {
    over: AtomicBool,
    work: Vec<Work>,
}

/// What one worker has done, as it said last. No two of them share a cache line.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Work {
    nodes: AtomicU64,
    table_hits: AtomicU64,
    selective_depth: AtomicUsize,
}

impl Team {
    pub fn new(workers: usize) -> Self {
        Team { over: AtomicBool::new(false), work: (0..workers).map(|_| Work::default()).collect() }
    }

    /// How many workers there are.
    pub fn size(&self) -> usize {
        self.work.len()
    }

    /// Ends the search of every worker when it next looks at the clock.
    pub fn end(&self) {
        self.over.store(true, Relaxed);
    }

    pub fn is_over(&self) -> bool {
        self.over.load(Relaxed)
    }

    /// Ends the search when it is dropped: a panic, too, ends the work of all.
    pub fn ending(&self) -> Ending<'_> {
        Ending(self)
    }

    /// A worker says what it has done: positions, hits in endgame tables, and the deepest half-move.
    pub fn note(&self, worker: usize, nodes: u64, table_hits: u64, selective_depth: usize) {
        let work = &self.work[worker];
        work.nodes.store(nodes, Relaxed);
        work.table_hits.store(table_hits, Relaxed);
        work.selective_depth.store(selective_depth, Relaxed);
    }

    /// Positions that all workers but this one have visited.
    pub fn nodes_of_others(&self, worker: usize) -> u64 {
        self.others(worker).map(|work| work.nodes.load(Relaxed)).sum()
    }

    pub fn table_hits_of_others(&self, worker: usize) -> u64 {
        self.others(worker).map(|work| work.table_hits.load(Relaxed)).sum()
    }

    /// The deepest half-move that any worker but this one has looked at.
    pub fn selective_depth_of_others(&self, worker: usize) -> usize {
        self.others(worker).map(|work| work.selective_depth.load(Relaxed)).max().unwrap_or(0)
    }

    /// The report of the first worker, with what the others have done.
    pub fn total(&self, report: SearchReport) -> SearchReport {
        SearchReport {
            selective_depth: report.selective_depth.max(self.selective_depth_of_others(0) as u32),
            nodes: report.nodes + self.nodes_of_others(0),
            table_hits: report.table_hits + self.table_hits_of_others(0),
            ..report
        }
    }

    fn others(&self, worker: usize) -> impl Iterator<Item = &Work> {
        self.work.iter().enumerate().filter(move |&(index, _)| index != worker).map(|(_, work)| work)
    }
}

/// See [`Team::ending`].
pub struct Ending<'a>(&'a Team);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// Starts a worker.
///
/// # Errors
/// If the system gives no thread, or if there would be no memory for anything else.
pub fn start<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    let started = memory::room_for(2 * STACK_BYTES).and_then(|()| {
        thread::Builder::new().name("worker".to_owned()).stack_size(STACK_BYTES).spawn_scoped(scope, work)
    });
    if let Err(error) = &started {
        log::warn!("a worker of the search cannot be started: {error}");
    }
    started
}

/// Waits for a worker. `None` if it panicked: the others have searched without it.
pub fn join<T>(worker: ScopedJoinHandle<'_, T>) -> Option<T> {
    let result = worker.join();
    if result.is_err() {
        log::error!("a worker of the search panicked");
    }
    result.ok()
}

//! The workers of one search: threads on the same position.

use std::io;
use std::sync::OnceLock;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};
use std::thread::{self, Scope, ScopedJoinHandle};

use super::{Observer, Remark, SearchReport, memory};

/// Recursive searches over big positions, in a build without optimisation, want more than the
/// default stack.
pub const STACK_BYTES: usize = 64 << 20;

/// Workers set up in one step of a preparation, in some ten milliseconds.
pub const MADE_AT_ONCE: usize = 8;

/// The common knowledge of a search's workers: the work of each, and the end of the search.
#[derive(Debug)]
pub struct Team {
    /// Set when all threads are there.
    begun: OnceLock<()>,
    over: AtomicBool,
    work: Vec<Work>,
}

/// The work of one worker at its last report. No two of them share a cache line.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Work {
    nodes: AtomicU64,
    table_hits: AtomicU64,
    selective_depth: AtomicUsize,
}

impl Team {
    pub fn new(workers: usize) -> Self {
        let work = (0..workers).map(|_| Work::default()).collect();
        Team {
            begun: OnceLock::new(),
            over: AtomicBool::new(false),
            work,
        }
    }

    /// Lets every worker do its part: the first here, each of the others on a thread of its own.
    ///
    /// No part begins before all threads are there: on a machine with fewer cores, searching
    /// workers would keep the others from being started. The report is the first worker's, who
    /// talks to the observer, with the counts of all. Exception: if others got the cores and the
    /// first finished nothing, the line is from the deepest worker.
    pub fn search<Helper: FnOnce() -> SearchReport + Send>(
        &self,
        observer: &mut dyn Observer,
        first: impl FnOnce(&mut dyn Observer) -> SearchReport,
        helpers: impl Iterator<Item = Helper>,
    ) -> SearchReport {
        thread::scope(|scope| {
            let _ending = self.ending();
            let wait_and = |helper: Helper| {
                move || {
                    self.begun.wait();
                    helper()
                }
            };
            let helpers: Vec<_> = helpers
                .map_while(|helper| start(scope, wait_and(helper)).ok())
                .collect();
            if helpers.len() + 1 < self.size() {
                observer.remark(Remark::ShortOfThreads(helpers.len() + 1));
            }
            let _ = self.begun.set(());
            let report = first(observer);
            self.end();
            let found: Vec<_> = helpers.into_iter().filter_map(join).collect();
            self.total(report, &found)
        })
    }

    /// The number of workers.
    pub fn size(&self) -> usize {
        self.work.len()
    }

    /// Ends the search of every worker at its next look at the clock.
    pub fn end(&self) {
        self.over.store(true, Relaxed);
        // After a panic some may still wait for the beginning.
        let _ = self.begun.set(());
    }

    pub fn is_over(&self) -> bool {
        self.over.load(Relaxed)
    }

    /// Ends the search when the guard is dropped: a panic, too, ends the work of all.
    fn ending(&self) -> Ending<'_> {
        Ending(self)
    }

    /// Notes the work of a worker: positions, tablebase hits, and the deepest half-move.
    pub fn note(&self, worker: usize, nodes: u64, table_hits: u64, selective_depth: usize) {
        let work = &self.work[worker];
        work.nodes.store(nodes, Relaxed);
        work.table_hits.store(table_hits, Relaxed);
        work.selective_depth.store(selective_depth, Relaxed);
    }

    /// Nodes visited by all workers but this one.
    pub fn nodes_of_others(&self, worker: usize) -> u64 {
        self.others(worker)
            .map(|work| work.nodes.load(Relaxed))
            .sum()
    }

    pub fn table_hits_of_others(&self, worker: usize) -> u64 {
        self.others(worker)
            .map(|work| work.table_hits.load(Relaxed))
            .sum()
    }

    /// The deepest half-move of any worker but this one.
    pub fn selective_depth_of_others(&self, worker: usize) -> usize {
        self.others(worker)
            .map(|work| work.selective_depth.load(Relaxed))
            .max()
            .unwrap_or(0)
    }

    /// The report of the first worker, or the others' result if the first found nothing, with the
    /// counts of all.
    fn total(&self, report: SearchReport, of_others: &[SearchReport]) -> SearchReport {
        let others = of_others.iter().filter(|_| report.depth == 0);
        let deepest = others
            .max_by_key(|other| other.depth)
            .filter(|other| other.depth > 0);
        let SearchReport {
            variation,
            score,
            bound,
            depth,
            ..
        } = deepest.unwrap_or(&report).clone();
        SearchReport {
            variation,
            score,
            bound,
            depth,
            selective_depth: report
                .selective_depth
                .max(self.selective_depth_of_others(0) as u32),
            nodes: report.nodes + self.nodes_of_others(0),
            table_hits: report.table_hits + self.table_hits_of_others(0),
            ..report
        }
    }

    fn others(&self, worker: usize) -> impl Iterator<Item = &Work> {
        self.work
            .iter()
            .enumerate()
            .filter(move |&(index, _)| index != worker)
            .map(|(_, work)| work)
    }
}

/// See [`Team::ending`].
struct Ending<'a>(&'a Team);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// Starts a worker.
///
/// # Errors
/// If the system gives no thread, or if there would be no memory for anything else.
fn start<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    let started = memory::room_for(2 * STACK_BYTES).and_then(|()| {
        thread::Builder::new()
            .name("worker".to_owned())
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, work)
    });
    if let Err(error) = &started {
        log::warn!("a worker of the search cannot be started: {error}");
    }
    started
}

/// Waits for a worker. `None` after a panic: the others have searched without the worker.
fn join<T>(worker: ScopedJoinHandle<'_, T>) -> Option<T> {
    let result = worker.join();
    if result.is_err() {
        log::error!("a worker of the search panicked");
    }
    result.ok()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::rules::score::Score;

    fn report(depth: u32) -> SearchReport {
        SearchReport {
            depth,
            score: Score(depth as i32),
            nodes: 10,
            ..SearchReport::default()
        }
    }

    #[test]
    fn what_another_worker_found_counts_if_the_first_found_nothing() {
        for (depths, depth) in [([5, 7, 6], 5), ([0, 3, 4], 4), ([0, 0, 0], 0)] {
            let team = Team::new(3);
            let helpers = [1, 2].map(|number| {
                let team = &team;
                move || {
                    team.note(number, 100, 0, 0);
                    report(depths[number])
                }
            });
            let found = team.search(&mut (), |_| report(depths[0]), helpers.into_iter());
            assert_eq!(
                (found.depth, found.score, found.nodes),
                (depth, Score(depth as i32), 210)
            );
        }
    }

    #[test]
    fn nobody_begins_before_all_threads_are_there() {
        let team = Team::new(4);
        let missing = AtomicU64::new(4);
        let helpers = (1..4).map(|_| {
            // The one before has time to begin.
            thread::sleep(Duration::from_millis(10));
            missing.fetch_sub(1, Relaxed);
            || report(missing.load(Relaxed) as u32)
        });
        let found = team.search(&mut (), |_| report(0), helpers);
        assert_eq!(found.depth, 1, "a worker began when so many were missing");
    }
}

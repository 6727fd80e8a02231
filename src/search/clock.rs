//! The clock of one search. The only place in `search/` where time is read.
//!
//! A [`Clock`] is shared by the searching thread, its reader, and the game's thread: the latter may
//! stop it, pause it, or set a deadline after a ponder hit.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::time_control::Budget;

/// The source of time.
#[derive(Clone, Debug)]
pub enum TimeSource {
    /// The wall clock.
    Wall,
    /// Nodes at a fixed rate per second (`nps RATE`): time stands still between nodes.
    Nodes { per_second: u64 },
    /// Nanoseconds of an outside counter: tests.
    Manual(Arc<AtomicU64>),
}

fn saturating_nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

/// A percentage of a time in nanoseconds.
fn percent_of(time: u64, percent: u32) -> u64 {
    (u128::from(time) * u128::from(percent) / 100).min(u128::from(u64::MAX)) as u64
}

/// "No deadline" in the atomics.
const NEVER: u64 = u64::MAX;

/// Measures a search's time and says when to end.
#[derive(Debug)]
pub struct Clock {
    source: TimeSource,
    /// The start by the wall clock, and by the counter of [`TimeSource::Manual`].
    started: (Instant, u64),
    soft: AtomicU64,
    hard: AtomicU64,
    /// The search's last wish: percent of the soft time.
    percent: AtomicU32,
    stopped: AtomicBool,
    /// Nodes visited at the search's last check of the clock.
    nodes: AtomicU64,
    /// Nanoseconds of all finished pauses. Changes only with the lock on `pause`.
    paused_before: AtomicU64,
    /// True if `pause` holds a time, so an unpaused search takes no lock.
    paused: AtomicBool,
    /// The start of the current pause, in nanoseconds of the source.
    pause: Mutex<Option<u64>>,
    resumed: Condvar,
}

impl Clock {
    /// A clock from now on. Without a budget only [`Clock::stop`] ends the search.
    pub fn start(source: TimeSource, budget: Option<Budget>) -> Self {
        let counted = if let TimeSource::Manual(now) = &source {
            now.load(Relaxed)
        } else {
            0
        };
        let deadlines = budget.map(|budget| [budget.soft, budget.hard].map(saturating_nanoseconds));
        let [soft, hard] = deadlines.unwrap_or([NEVER; 2]).map(AtomicU64::new);
        Clock {
            source,
            started: (Instant::now(), counted),
            soft,
            hard,
            percent: AtomicU32::new(100),
            stopped: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            paused_before: AtomicU64::new(0),
            paused: AtomicBool::new(false),
            pause: Mutex::default(),
            resumed: Condvar::new(),
        }
    }

    /// A clock without deadlines on the wall clock: depth- and node-limited searches, analysis,
    /// pondering.
    pub fn unlimited() -> Self {
        Clock::start(TimeSource::Wall, None)
    }

    fn lock_pause(&self) -> MutexGuard<'_, Option<u64>> {
        self.pause.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Time since the start by the source, pauses included.
    fn running(&self, nodes: u64) -> u64 {
        let (wall, counted) = self.started;
        match &self.source {
            TimeSource::Wall => saturating_nanoseconds(wall.elapsed()),
            TimeSource::Nodes { per_second } => {
                let per_second = u128::from(*per_second).max(1);
                (u128::from(nodes) * 1_000_000_000 / per_second).min(u128::from(u64::MAX)) as u64
            }
            TimeSource::Manual(now) => now.load(Relaxed).saturating_sub(counted),
        }
    }

    fn nanoseconds(&self, nodes: u64) -> u64 {
        let now = self.running(nodes);
        // `Acquire` and `Release`: whoever sees that a pause is over also sees how long it was.
        if self.paused.load(Acquire) {
            let pause = self.lock_pause();
            pause
                .unwrap_or(now)
                .saturating_sub(self.paused_before.load(Relaxed))
        } else {
            now.saturating_sub(self.paused_before.load(Relaxed))
        }
    }

    /// Time since the start, pauses left out. `nodes` matters only where nodes are the time.
    pub fn elapsed(&self, nodes: u64) -> Duration {
        Duration::from_nanos(self.nanoseconds(nodes))
    }

    /// Nodes visited at the search's last check of the clock: for status reports from another
    /// thread.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// The time for reports to the user: the wall clock's, also where nodes are the time.
    pub fn reported_time(&self) -> Duration {
        match self.source {
            TimeSource::Nodes { .. } => self.started.0.elapsed(),
            TimeSource::Wall | TimeSource::Manual(_) => {
                Duration::from_nanos(self.nanoseconds(self.nodes()))
            }
        }
    }

    /// The number of nodes that a worker may visit before its next check, after `nodes` nodes; 1
    /// where nodes are the time.
    pub fn nodes_to_next_check(&self, pace: &mut Pace, nodes: u64) -> u64 {
        if matches!(self.source, TimeSource::Nodes { .. }) {
            1
        } else {
            pace.next(nodes)
        }
    }

    /// Returns true if the search has to unwind now: stopped, or past the hard deadline. Waits
    /// while the clock is paused.
    pub fn must_stop(&self, nodes: u64) -> bool {
        self.nodes.store(nodes, Relaxed);
        if self.paused.load(Relaxed) {
            self.wait_until_resumed();
        }
        if self.stopped.load(Relaxed) {
            return true;
        }
        let hard = self.hard.load(Relaxed);
        hard != NEVER && self.nanoseconds(nodes) >= hard
    }

    /// Returns true if no new iteration or generation should begin: past the soft deadline, or
    /// [`Clock::must_stop`].
    pub fn should_stop(&self, nodes: u64) -> bool {
        self.must_stop(nodes) || {
            let soft = self.soft.load(Relaxed);
            soft != NEVER && self.nanoseconds(nodes) >= soft
        }
    }

    /// Works like [`Clock::should_stop`], with the soft deadline at `percent` of its time: less for
    /// a settled choice, more for one in doubt. A fixed time per move, with soft equal to hard, is
    /// used in full.
    pub fn should_stop_early(&self, nodes: u64, percent: u32) -> bool {
        self.percent.store(percent, Relaxed);
        let soft = self.soft.load(Relaxed);
        let hard = self.hard.load(Relaxed);
        if soft == hard {
            return self.must_stop(nodes);
        }
        self.must_stop(nodes) || self.nanoseconds(nodes) >= percent_of(soft, percent).min(hard)
    }

    /// Lets time go by until so many percent of the soft deadline, the hard one or a stop. Without
    /// a deadline, or where time is not the wall clock's, there is nothing to wait for.
    pub fn wait(&self, nodes: u64, percent: u32) {
        const STEP: Duration = Duration::from_millis(5);
        let soft = self.soft.load(Relaxed);
        while matches!(self.source, TimeSource::Wall) && soft != NEVER && !self.must_stop(nodes) {
            let left = percent_of(soft, percent).saturating_sub(self.nanoseconds(nodes));
            if left == 0 {
                return;
            }
            std::thread::sleep(Duration::from_nanos(left).min(STEP));
        }
    }

    /// Returns true if any deadline is set.
    pub fn is_limited(&self) -> bool {
        self.hard.load(Relaxed) != NEVER
    }

    /// Ends the search at its next check of the clock. Also ends a pause.
    pub fn stop(&self) {
        self.stopped.store(true, Relaxed);
        self.resume();
    }

    /// The opponent played the expected move: sets a deadline. Time pondered counts towards the
    /// soft one (it was not lost), never towards the hard one (it was not ours). A search past its
    /// soft time ends at once: with a deadline from the beginning it would not have begun its
    /// current work.
    pub fn ponder_hit(&self, budget: Budget) {
        let now = self.nanoseconds(self.nodes());
        self.soft
            .store(saturating_nanoseconds(budget.soft), Relaxed);
        let percent = if budget.soft == budget.hard {
            100
        } else {
            self.percent.load(Relaxed)
        };
        let has_had_its_time = now >= percent_of(self.soft.load(Relaxed), percent);
        let ours = if has_had_its_time {
            Duration::ZERO
        } else {
            budget.hard
        };
        self.hard
            .store(now.saturating_add(saturating_nanoseconds(ours)), Relaxed);
    }

    /// Freezes time and, at its next check of the clock, the search; no CPU is used until
    /// [`Clock::resume`].
    pub fn pause(&self) {
        let mut pause = self.lock_pause();
        if pause.is_none() && !self.stopped.load(Relaxed) {
            *pause = Some(self.running(self.nodes()));
            self.paused.store(true, Release);
        }
    }

    /// Goes on exactly where [`Clock::pause`] froze.
    pub fn resume(&self) {
        let mut pause = self.lock_pause();
        if let Some(since) = pause.take() {
            let length = self.running(self.nodes()).saturating_sub(since);
            self.paused_before.fetch_add(length, Relaxed);
        }
        self.paused.store(false, Release);
        self.resumed.notify_all();
    }

    fn wait_until_resumed(&self) {
        let mut pause = self.lock_pause();
        while pause.is_some() {
            pause = self
                .resumed
                .wait(pause)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// A worker's speed in nodes, for checks of the clock often enough.
///
/// At two million nodes a second 256 are an eighth of a millisecond, and a look at the system's
/// time costs about 25 ns. But where the system first has to find memory, as for an untouched
/// table, or to read a file, one node may take as long as a thousand.
#[derive(Debug)]
pub struct Pace {
    /// When the clock was last checked, and how many nodes had been visited then.
    checked: Instant,
    nodes: u64,
    /// The number of nodes before the next check.
    interval: u64,
}

/// No more nodes than this pass between two checks...
const MOST_BETWEEN_CHECKS: u64 = 256;
/// ... and, as fast as they passed before the last check, no more nanoseconds.
const TIME_BETWEEN_CHECKS: u128 = 250_000;

impl Pace {
    /// The pace of a new worker, still unknown.
    pub fn start() -> Self {
        Pace {
            checked: Instant::now(),
            nodes: 0,
            interval: 1,
        }
    }

    /// Takes the number of nodes visited until now. Returns how many more may pass before a check.
    fn next(&mut self, nodes: u64) -> u64 {
        let now = Instant::now();
        let passed = nodes - std::mem::replace(&mut self.nodes, nodes);
        let took = now - std::mem::replace(&mut self.checked, now);
        self.interval = interval(self.interval, passed, took);
        self.interval
    }
}

/// The next interval, after `passed` nodes took so long: at most twice the last one, for a few fast
/// nodes say little of the next.
fn interval(last: u64, passed: u64, took: Duration) -> u64 {
    let by_time = u128::from(passed) * TIME_BETWEEN_CHECKS / took.as_nanos().max(1);
    match passed {
        0 => last,
        _ => (by_time as u64).clamp(1, MOST_BETWEEN_CHECKS.min(2 * last)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn manual(budget: Option<Budget>) -> (Arc<AtomicU64>, Clock) {
        let now = Arc::new(AtomicU64::new(5_000_000));
        (now.clone(), Clock::start(TimeSource::Manual(now), budget))
    }

    fn advance(now: &AtomicU64, time: Duration) {
        now.fetch_add(saturating_nanoseconds(time), Relaxed);
    }

    #[test]
    fn soft_comes_before_hard() {
        let (now, clock) = manual(Some(Budget {
            soft: 10 * MS,
            hard: 30 * MS,
        }));
        for (milliseconds, stops) in [(9, [false, false]), (1, [true, false]), (20, [true, true])] {
            advance(&now, milliseconds * MS);
            assert_eq!(
                [clock.should_stop(0), clock.must_stop(0)],
                stops,
                "{milliseconds} ms later"
            );
        }
        assert_eq!(clock.elapsed(0), 30 * MS);
    }

    #[test]
    fn the_soft_deadline_can_be_scaled_unless_time_is_fixed() {
        let (now, clock) = manual(Some(Budget {
            soft: 10 * MS,
            hard: 30 * MS,
        }));
        advance(&now, 6 * MS);
        assert!(clock.should_stop_early(0, 60) && !clock.should_stop_early(0, 61));
        advance(&now, 23 * MS);
        assert!(clock.should_stop_early(0, 290) && !clock.should_stop_early(0, 300));
        advance(&now, MS);
        assert!(
            clock.should_stop_early(0, 1000),
            "the hard deadline is not scaled"
        );

        let (now, fixed) = manual(Some(Budget {
            soft: 10 * MS,
            hard: 10 * MS,
        }));
        advance(&now, 9 * MS);
        assert!(!fixed.should_stop_early(0, 50));
        advance(&now, MS);
        assert!(fixed.should_stop_early(0, 200));
        assert!(!manual(None).1.should_stop_early(0, 0));
    }

    #[test]
    fn a_pause_does_not_count() {
        let (now, clock) = manual(Some(Budget {
            soft: 10 * MS,
            hard: 10 * MS,
        }));
        advance(&now, 4 * MS);
        clock.pause();
        advance(&now, 1000 * MS);
        assert_eq!(clock.elapsed(0), 4 * MS);
        clock.resume();
        advance(&now, 5 * MS);
        assert!(!clock.must_stop(0));
        advance(&now, MS);
        assert!(clock.must_stop(0));
    }

    #[test]
    fn a_clock_that_is_not_paused_takes_no_lock() {
        let (_, clock) = manual(Some(Budget {
            soft: 10 * MS,
            hard: 30 * MS,
        }));
        std::thread::scope(|scope| {
            let lock = clock.lock_pause();
            let (answer, answers) = std::sync::mpsc::channel();
            let clock = &clock;
            scope.spawn(move || answer.send(clock.should_stop(0)));
            let answered = answers.recv_timeout(Duration::from_secs(30));
            drop(lock);
            assert_eq!(answered, Ok(false), "the clock waits for the lock");
        });
    }

    #[test]
    fn stopping_ends_a_pause() {
        let (_, clock) = manual(None);
        clock.pause();
        clock.stop();
        assert!(
            clock.must_stop(0),
            "would wait for ever if the pause went on"
        );
    }

    #[test]
    fn pondered_time_counts_for_the_soft_deadline_only() {
        let (now, clock) = manual(None);
        advance(&now, 60 * MS);
        assert!(!clock.should_stop(0));
        clock.ponder_hit(Budget {
            soft: 100 * MS,
            hard: 300 * MS,
        });
        assert!(!clock.should_stop(0));
        advance(&now, 40 * MS);
        assert!(clock.should_stop(0) && !clock.must_stop(0));
        advance(&now, 260 * MS);
        assert!(clock.must_stop(0));
    }

    #[test]
    fn a_ponder_hit_ends_a_search_that_has_had_its_time() {
        let budget = Budget {
            soft: 100 * MS,
            hard: 400 * MS,
        };
        for (pondered, percent, ends) in [
            (100, 100, true),
            (99, 100, false),
            (60, 60, true),
            (200, 240, false),
            (240, 240, true),
        ] {
            let (now, clock) = manual(None);
            // What the search says after each iteration.
            assert!(!clock.should_stop_early(0, percent));
            advance(&now, pondered * MS);
            clock.ponder_hit(budget);
            assert_eq!(clock.must_stop(0), ends, "{pondered} ms, {percent} %");
        }
        // A fixed time is used up, however settled the choice is.
        let (now, fixed) = manual(None);
        assert!(!fixed.should_stop_early(0, 60));
        advance(&now, 99 * MS);
        fixed.ponder_hit(Budget {
            soft: 100 * MS,
            hard: 100 * MS,
        });
        assert!(!fixed.must_stop(0));
    }

    #[test]
    fn slow_nodes_are_checked_often_and_fast_ones_soon_no_more() {
        let micros = Duration::from_micros;
        assert_eq!(
            [100, 2000].map(|time| interval(256, 256, micros(time))),
            [256, 32]
        );
        assert_eq!(interval(32, 4, micros(20_000)), 1, "each of them is slow");
        assert_eq!(
            interval(1, 1, Duration::ZERO),
            2,
            "one that is fast says little"
        );
        let grown = (0..8).fold(1, |last, _| interval(last, last, micros(1)));
        assert_eq!(grown, 256);
        assert_eq!(
            interval(16, 0, micros(500)),
            16,
            "work without nodes says nothing"
        );
    }
}

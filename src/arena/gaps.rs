//! Gaps in the time of this program: it was suspended (Control-Z and `fg`, a container that was stopped), or
//! the machine slept. Clocks and engines went on meanwhile, and nobody heard the moves.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The pause between two looks at the time.
const PAUSE: Duration = Duration::from_millis(100);
/// No look of a program that runs comes so much later than the one before.
const GAP: Duration = Duration::from_secs(1);

/// Counts the gaps.
#[derive(Debug)]
pub struct Gaps(Mutex<State>);

#[derive(Debug)]
struct State {
    last_look: Instant,
    gaps: u32,
}

impl Gaps {
    /// Watches the time in a thread, which ends with the last copy; `None` if the system gives no thread.
    pub fn watch() -> Option<Arc<Gaps>> {
        let gaps = Arc::new(Gaps(Mutex::new(State { last_look: Instant::now(), gaps: 0 })));
        let watched = Arc::downgrade(&gaps);
        let watch = move || {
            while let Some(gaps) = watched.upgrade() {
                gaps.look(Instant::now());
                drop(gaps);
                thread::sleep(PAUSE);
            }
        };
        thread::Builder::new().name("gaps".to_owned()).spawn(watch).ok().map(|_| gaps)
    }

    /// How many gaps there were so far, one that has just ended included.
    pub fn count(&self) -> u32 {
        self.look(Instant::now())
    }

    fn look(&self, now: Instant) -> u32 {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.gaps += u32::from(now.saturating_duration_since(state.last_look) > GAP);
        state.last_look = state.last_look.max(now);
        state.gaps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_counts_once_whoever_looks_first() {
        let start = Instant::now();
        let gaps = Gaps(Mutex::new(State { last_look: start, gaps: 0 }));
        let seen =
            [0, 900, 1_800, 3_000, 2_950, 3_100].map(|ms| gaps.look(start + Duration::from_millis(ms)));
        assert_eq!(seen, [0, 0, 0, 1, 1, 1]);
    }
}

//! The machine under the games: a check for an overloaded one.

use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The shortest time for a move to be counted: shorter thoughts end before any disturbance.
const SHORTEST_THOUGHT: Duration = Duration::from_millis(10);
/// Before engines have computed so long, nothing is said.
const LONG_ENOUGH: Duration = Duration::from_secs(1);
/// The share of waiting beyond which games are distorted.
const TOO_MUCH_WAITING: f64 = 0.1;
/// The cores' time of a process since it began, with all its children.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    pub ran: Duration,
    /// Ready to run, while others did.
    pub waited: Duration,
}

impl Usage {
    /// The usage of a process; zero if the system does not tell.
    pub fn of(process: u32) -> Usage {
        let mut usage = Usage::default();
        let mut processes = vec![process];
        while let Some(process) = processes.pop() {
            let threads = fs::read_dir(format!("/proc/{process}/task"));
            for thread in threads.into_iter().flatten().flatten() {
                let thread = thread.path();
                usage.add(Usage::of_thread(&thread));
                let children = fs::read_to_string(thread.join("children")).unwrap_or_default();
                let children = children.split_whitespace().map(str::parse::<u32>);
                processes.extend(children.flatten());
            }
        }
        usage
    }

    /// `/proc/PID/task/TID/schedstat`: nanoseconds on a core, nanoseconds in the queue for one,
    /// time slices.
    fn of_thread(thread: &Path) -> Usage {
        let text = fs::read_to_string(thread.join("schedstat")).unwrap_or_default();
        let mut times = text
            .split_whitespace()
            .map_while(|time| time.parse().ok())
            .map(Duration::from_nanos);
        Usage {
            ran: times.next().unwrap_or_default(),
            waited: times.next().unwrap_or_default(),
        }
    }

    fn add(&mut self, other: Usage) {
        self.ran += other.ran;
        self.waited += other.waited;
    }

    /// The usage since an earlier look; threads ended in between are missing.
    pub fn since(self, before: Usage) -> Usage {
        Usage {
            ran: self.ran.saturating_sub(before.ran),
            waited: self.waited.saturating_sub(before.waited),
        }
    }
}

/// The load of the machine: the engines' waiting for a core while they wanted to compute, in all
/// games. Only Linux tells.
#[derive(Debug, Default)]
pub struct Load(Mutex<Usage>);

impl Load {
    /// Adds a game of an engine with so many moves and so much thinking by its clock. Engines
    /// moving at once or sleeping tell nothing about the machine.
    pub fn add(&self, usage: Usage, moves: u32, thought: Duration) {
        let wanted = usage.ran + usage.waited;
        if thought >= SHORTEST_THOUGHT * moves.max(1) && wanted >= thought / 2 {
            self.0
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .add(usage);
        }
    }

    /// The warning if engines had to wait for others.
    pub fn warning(&self) -> Option<String> {
        let Usage { ran, waited } = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let wanted = (ran + waited).as_secs_f64();
        let share = waited.as_secs_f64() / wanted;
        if wanted < LONG_ENOUGH.as_secs_f64() || share < TOO_MUCH_WAITING {
            return None;
        }
        Some(format!(
            "the machine is overloaded: engines waited for a core in {:.0} % of the time in which they wanted to compute; \
            results by time are distorted: play fewer games at once, or stop what else is running",
            100.0 * share
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(moves: u32, thought: u64, ran: u64, waited: u64) -> Option<String> {
        let load = Load::default();
        let [thought, ran, waited] = [thought, ran, waited].map(Duration::from_millis);
        load.add(Usage { ran, waited }, moves, thought);
        load.warning()
    }

    #[test]
    fn only_engines_that_compute_and_had_to_wait_are_warned_of() {
        let waited = load(40, 8_000, 6_000, 2_000).expect("it waited");
        assert!(waited.contains("25 % of the time"), "{waited}");
        assert_eq!(
            load(40, 8_000, 7_900, 100),
            None,
            "it had all that it wanted"
        );
        assert_eq!(load(4_000, 8_000, 3_000, 5_000), None, "it moves at once");
        assert_eq!(load(40, 8_000, 1_000, 1_000), None, "it sleeps");
        assert_eq!(load(40, 800, 400, 400), None, "it is too early to say");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn time_on_cores_is_counted() {
        let process = std::process::id();
        let before = Usage::of(process);
        let mut sum = 0_u64;
        while Usage::of(process).since(before).ran < Duration::from_millis(20) {
            sum = (0..100_000).fold(sum, |sum, number| sum ^ number);
        }
        assert_eq!(Usage::of(u32::MAX), Usage::default(), "{sum}");
    }
}

//! Whether the machine was too busy for the engines: how long they waited for a core while they wanted to
//! compute. Only Linux tells.

use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::thread::available_parallelism;
use std::time::Duration;

use crate::display::counted;

/// An engine that takes less time for a move has done with it before it could be disturbed.
const SHORTEST_THOUGHT: Duration = Duration::from_millis(10);
/// Before engines have computed so long, nothing is said.
const LONG_ENOUGH: Duration = Duration::from_secs(1);
/// The share of waiting from which on games are distorted.
const TOO_MUCH_WAITING: f64 = 0.1;
/// A machine on which so many times more programs want to compute than it has cores. Engines and the arena
/// themselves use the cores.
const TOO_MUCH_LOAD: f64 = 1.25;

/// What a process has had of the cores since it began, with all that it has started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    pub ran: Duration,
    /// Ready to run, while others did.
    pub waited: Duration,
}

impl Usage {
    /// Of a process; zero where the system does not tell.
    pub fn of(process: u32) -> Usage {
        let mut usage = Usage::default();
        let mut processes = vec![process];
        while let Some(process) = processes.pop() {
            let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
            for thread in threads.map(|thread| thread.path()) {
                usage.add(Usage::of_thread(&thread));
                let children = fs::read_to_string(thread.join("children")).unwrap_or_default();
                processes.extend(children.split_whitespace().filter_map(|child| child.parse::<u32>().ok()));
            }
        }
        usage
    }

    /// `/proc/PID/task/TID/schedstat`: nanoseconds on a core, nanoseconds in the queue for one, time slices.
    fn of_thread(thread: &Path) -> Usage {
        let text = fs::read_to_string(thread.join("schedstat")).unwrap_or_default();
        let mut times = text.split_whitespace().map_while(|time| time.parse().ok()).map(Duration::from_nanos);
        Usage { ran: times.next().unwrap_or_default(), waited: times.next().unwrap_or_default() }
    }

    fn add(&mut self, other: Usage) {
        self.ran += other.ran;
        self.waited += other.waited;
    }

    /// What came since an earlier look; threads that ended in between are missing.
    pub fn since(self, before: Usage) -> Usage {
        Usage { ran: self.ran.saturating_sub(before.ran), waited: self.waited.saturating_sub(before.waited) }
    }
}

/// What the engines of all games have had.
#[derive(Debug, Default)]
pub struct Strain(Mutex<Usage>);

impl Strain {
    /// Adds a game of an engine that thought about so many moves for that time by its clock. Engines that
    /// move at once or sleep say nothing about the machine.
    pub fn add(&self, usage: Usage, moves: u32, thought: Duration) {
        let wanted = usage.ran + usage.waited;
        if thought >= SHORTEST_THOUGHT * moves.max(1) && wanted >= thought / 2 {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).add(usage);
        }
    }

    /// What to say if engines had to wait for others, or the machine has more to do than it can.
    pub fn warning(&self) -> Option<String> {
        let usage = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
        let load = load.split_whitespace().next().and_then(|load| load.parse().ok());
        judge(usage, load, available_parallelism().map_or(1, usize::from))
    }
}

/// `load` is how many programs wanted to compute in the last minute, on average.
fn judge(Usage { ran, waited }: Usage, load: Option<f64>, cores: usize) -> Option<String> {
    let wanted = (ran + waited).as_secs_f64();
    if wanted < LONG_ENOUGH.as_secs_f64() {
        return None;
    }
    let share = waited.as_secs_f64() / wanted;
    let advice = "results by time are distorted: play fewer games at once, or stop what else is running";
    if share >= TOO_MUCH_WAITING {
        let percent = 100.0 * share;
        return Some(format!(
            "the machine is overloaded: engines waited for a core in {percent:.0} % of the time in which they wanted to compute; {advice}"
        ));
    }
    let load = load.filter(|&load| load > TOO_MUCH_LOAD * cores as f64)?;
    Some(format!(
        "the machine is overloaded: its load average is {load:.1}, but it has {}; {advice}",
        counted(cores, "core")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strain(moves: u32, thought: u64, ran: u64, waited: u64) -> Usage {
        let strain = Strain::default();
        let [thought, ran, waited] = [thought, ran, waited].map(Duration::from_millis);
        strain.add(Usage { ran, waited }, moves, thought);
        strain.0.into_inner().expect("nobody panicked")
    }

    #[test]
    fn only_engines_that_compute_and_had_to_wait_are_warned_of() {
        let says = |usage| judge(usage, Some(2.0), 2);
        let waited = says(strain(40, 8_000, 6_000, 2_000)).expect("it waited");
        assert!(waited.contains("25 % of the time"), "{waited}");
        assert_eq!(says(strain(40, 8_000, 7_900, 100)), None, "it had all that it wanted");
        assert_eq!(says(strain(4_000, 8_000, 3_000, 5_000)), None, "it moves at once");
        assert_eq!(says(strain(40, 8_000, 1_000, 1_000)), None, "it sleeps");
        assert_eq!(says(strain(40, 800, 400, 400)), None, "it is too early to say");
        let usage = strain(40, 8_000, 8_000, 0);
        assert_eq!(judge(usage, Some(2.4), 2), None);
        assert_eq!(judge(usage, None, 2), None);
        let busy = judge(usage, Some(9.3), 2).expect("busy");
        assert!(busy.contains("load average is 9.3, but it has 2 cores"), "{busy}");
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

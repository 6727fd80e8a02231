//! The machine under the games: cores reserved for engines, and a check for an overloaded machine.

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use std::{fs, io};

use crate::util::display::counted;
use crate::util::system;

/// Exclusive cores of the processor for the engines of so many games at once, `each` for a game, no
/// core twice, by the system's numbers.
///
/// # Errors
/// Fails if there are too few, and on any system but Linux.
pub fn divide_cores(games: usize, each: usize) -> Result<Vec<Vec<usize>>, String> {
    let available = available()?;
    let wanted = games.saturating_mul(each);
    if available.len() < wanted {
        return Err(format!(
            "{} at once with {} each want {wanted} cores of their own, but there are {}",
            counted(games, "game"),
            counted(each, "engine thread"),
            available.len()
        ));
    }
    Ok(available
        .chunks_exact(each)
        .take(games)
        .map(<[usize]>::to_vec)
        .collect())
}

/// Does something with this thread on the given cores; any if none are given. A program inherits
/// the cores of its starting thread, and hands them on to its own children.
pub fn on_cores<T>(cores: Option<&[usize]>, work: impl FnOnce() -> T) -> io::Result<T> {
    match cores {
        Some(cores) => system::on_cores(cores, work),
        None => Ok(work()),
    }
}

/// The cores of this process: first one of each physical core, more useful than two halves of the
/// same.
fn available() -> Result<Vec<usize>, String> {
    let mut cores = system::cores().map_err(|error| match error.kind() {
        io::ErrorKind::Unsupported => error.to_string(),
        _ => format!("the cores cannot be asked for: {error}"),
    })?;
    cores.sort_by_key(|&core| (sibling(core), core));
    Ok(cores)
}

/// The index of a core among those on its physical core, from 0. `0,4` and `0-1` are lists of them.
fn sibling(core: usize) -> usize {
    let path = format!("/sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list");
    let list = fs::read_to_string(path).unwrap_or_default();
    let number = |text: &str| text.trim().parse::<usize>().ok();
    let siblings = list.split(',').flat_map(|part| match part.split_once('-') {
        Some((first, last)) => number(first)
            .zip(number(last))
            .map_or(0..0, |(first, last)| first..last + 1),
        None => number(part).map_or(0..0, |core| core..core + 1),
    });
    siblings.filter(|&sibling| sibling < core).count()
}

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
            let threads = fs::read_dir(format!("/proc/{process}/task"))
                .into_iter()
                .flatten()
                .flatten();
            for thread in threads.map(|thread| thread.path()) {
                usage.add(Usage::of_thread(&thread));
                let children = fs::read_to_string(thread.join("children")).unwrap_or_default();
                processes.extend(
                    children
                        .split_whitespace()
                        .filter_map(|child| child.parse::<u32>().ok()),
                );
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
        (wanted >= LONG_ENOUGH.as_secs_f64() && share >= TOO_MUCH_WAITING).then(|| {
            let percent = 100.0 * share;
            format!(
                "the machine is overloaded: engines waited for a core in {percent:.0} % of the time in which they wanted to compute; \
                 results by time are distorted: play fewer games at once, or stop what else is running"
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn cores_are_divided_and_given_back() {
        let all = match available() {
            Err(error) if !cfg!(target_os = "linux") => return eprintln!("skipped: {error}"),
            all => all.expect("cores"),
        };
        let divided = divide_cores(all.len(), 1).expect("one for each");
        assert_eq!(divided.concat().len(), all.len(), "no core twice");
        assert_eq!(
            BTreeSet::from_iter(divided.concat()),
            BTreeSet::from_iter(all.clone())
        );
        let error = divide_cores(all.len(), 2).expect_err("too many");
        assert!(
            error.contains(&format!("want {} cores", 2 * all.len())),
            "{error}"
        );
        divide_cores(2, usize::MAX / 2 + 1).expect_err("far too many");
        let inside =
            on_cores(Some(&divided[0]), || available().expect("cores")).expect("it is allowed");
        assert_eq!(inside, divided[0]);
        assert_eq!(available().expect("cores"), all);
    }

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

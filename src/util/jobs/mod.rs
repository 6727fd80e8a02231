//! Long work: its threads, its memory on the disk, and its end.
//!
//! Matches, suites, blunder checks, experiments and tuning all work this way: a [`queue`] hands out
//! the items, the [`journal`] keeps each result at once, so a killed program goes on from there,
//! and a [`StopRequest`] ends the work early. If several machines share a match, each plays a
//! [`Part`].

pub mod journal;
pub mod queue;

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};

use crossbeam_channel::{Receiver, Sender, TryRecvError, bounded};
use serde::Serialize;

/// The user's wish to stop: said once, the running games (or other items) are finished first; said
/// twice, they are broken off. Copies are the same wish.
#[derive(Clone, Debug, Default)]
pub struct StopRequest {
    after_running: StopSignal,
    now: StopSignal,
}

/// A wish that breaks off the running games at once, given by the signal.
impl From<&StopSignal> for StopRequest {
    fn from(signal: &StopSignal) -> StopRequest {
        StopRequest {
            after_running: signal.clone(),
            now: signal.clone(),
        }
    }
}

impl StopRequest {
    /// Says the wish (once more).
    pub fn say(&self) {
        if self.is_said() {
            self.now.stop();
        }
        self.after_running.stop();
    }

    /// No more games, and the running ones end at once, undecided.
    pub fn now(&self) {
        self.after_running.stop();
        self.now.stop();
    }

    /// Returns true if no more games are to begin.
    pub fn is_said(&self) -> bool {
        self.after_running.is_stopped()
    }

    /// The signal to players and other workers: given when the running games are to be broken off.
    pub fn signal(&self) -> &StopSignal {
        &self.now
    }
}

/// A signal to end running games at once. Copies are the same signal; it cannot be taken back.
///
/// ```
/// use kashan::util::jobs::StopSignal;
/// let stop = StopSignal::default();
/// let heard = stop.clone();
/// assert!(!heard.is_stopped());
/// stop.stop();
/// assert!(heard.is_stopped());
/// ```
#[derive(Clone, Debug)]
pub struct StopSignal {
    /// Never sends anything: the signal is the loss of the sender. It wakes all waiting threads,
    /// and stays visible.
    sender: Arc<Mutex<Option<Sender<Infallible>>>>,
    receiver: Receiver<Infallible>,
}

/// A signal not yet given.
impl Default for StopSignal {
    fn default() -> Self {
        let (sender, receiver) = bounded(0);
        StopSignal {
            sender: Arc::new(Mutex::new(Some(sender))),
            receiver,
        }
    }
}

impl StopSignal {
    /// Gives the signal. May be called from any thread, and more than once.
    pub fn stop(&self) {
        *self.sender.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Returns true if the signal was given.
    pub fn is_stopped(&self) -> bool {
        self.receiver.try_recv() == Err(TryRecvError::Disconnected)
    }

    /// A channel closed by the signal, to wait for several at once.
    pub(crate) fn receiver(&self) -> &Receiver<Infallible> {
        &self.receiver
    }
}

/// Into more parts no work is divided.
const MOST_PARTS: u32 = 10_000;

/// Every N-th item, beginning with the K-th: `2/5` is the second of five parts. All N parts
/// together have every item once.
///
/// ```
/// use kashan::util::jobs::Part;
/// let part: Part = "2/5".parse()?;
/// assert!(part.has(1) && part.has(6) && !part.has(2));
/// assert_eq!(part.count(7), 2);
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Part {
    of: u32,
    /// The number of the part, from 1.
    number: u32,
}

impl Part {
    /// The key of the part in a journal's settings.
    pub const KEY: &str = "part";

    /// Returns true if an item, counted from 0, belongs to the part.
    pub fn has(self, item: usize) -> bool {
        item % self.of as usize == self.number as usize - 1
    }

    /// Returns true if a game, counted from 1, belongs to the part: the items of matches are pairs
    /// of games.
    pub fn has_game(self, number: u32) -> bool {
        self.has(number.saturating_sub(1) as usize / 2)
    }

    /// The `index`-th item of the part; both count from 0.
    pub fn item(self, index: u64) -> u64 {
        index * u64::from(self.of) + u64::from(self.number - 1)
    }

    /// The part's number of items, of so many in all.
    pub fn count(self, items: usize) -> usize {
        let from_first = items.saturating_sub(self.number as usize - 1);
        from_first.div_ceil(self.of as usize)
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Part, String> {
        if let Some((number, of)) = text.split_once('/')
            && let (Ok(number), Ok(of)) = (number.parse(), of.parse())
            && of <= MOST_PARTS
            && (1..=of).contains(&number)
        {
            return Ok(Part { of, number });
        }
        Err(format!(
            "a part is K/N, with K from 1 to N, and N to {MOST_PARTS}: 2/5 is the second of five"
        ))
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

/// A number to tell settings apart, from their JSON text.
pub fn fingerprint(value: &impl Serialize) -> u64 {
    fnv(serde_json::to_vec(value).expect("text and lists of text are always JSON"))
}

/// FNV-1a (Fowler, Noll, Vo) of some bytes, because the standard library's hashes may change from
/// version to version.
pub fn fnv(bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_parts_together_have_every_item_once() {
        for of in 1..=6 {
            let parts: Vec<Part> = (1..=of)
                .map(|number| part(&format!("{number}/{of}")))
                .collect();
            for items in 0..20 {
                for item in 0..items {
                    assert_eq!(
                        parts.iter().filter(|part| part.has(item)).count(),
                        1,
                        "{item} of {of} parts"
                    );
                }
                for part in &parts {
                    let count = (0..items).filter(|&item| part.has(item)).count();
                    assert_eq!(part.count(items), count, "{part}");
                    let own = (0..count as u64).map(|index| part.item(index) as usize);
                    assert!(own.eq((0..items).filter(|&item| part.has(item))), "{part}");
                }
            }
        }
        assert_eq!(part("10000/10000").count(7), 0);
    }

    fn part(text: &str) -> Part {
        text.parse().expect("a part")
    }

    #[test]
    fn what_is_no_part_is_refused() {
        assert_eq!(part("2/5").to_string(), "2/5");
        for text in [
            "",
            "2",
            "/",
            "0/5",
            "6/5",
            "0/0",
            "-1/5",
            "1/2/3",
            "1/x",
            "1.5/2",
            "1/10001",
            "3/4294967295",
        ] {
            assert!(
                text.parse::<Part>()
                    .is_err_and(|error| error.contains("K/N")),
                "{text}"
            );
        }
    }

    #[test]
    fn the_published_value_of_fnv_1a() {
        assert_eq!(fnv(*b"a"), 0xaf63_dc4c_8601_ec8c);
    }
}

//! Work for several threads. One thread, the caller's, hands out the items and takes the results,
//! so journals and observers see one thing after the other.

use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use anyhow::anyhow;
use crossbeam_channel::{Receiver, Sender, unbounded};

use super::StopRequest;

/// The source of items and the sink of results.
pub trait Queue<I, R> {
    /// The next item; `None` if there is none, or none before running ones have ended.
    fn next(&mut self) -> Option<I>;

    /// Takes the result of an item.
    ///
    /// # Errors
    /// The result cannot be kept. The queue gets no other one then.
    fn take(&mut self, result: R) -> anyhow::Result<()>;
}

/// Works on the items of a queue until there are no more, `threads` of them at the same time.
///
/// Each thread makes its worker, of the thread's number from 0, at its first item. A worker told to
/// stop before its result returns `None`; its item counts as not done. No item begins after a stop
/// was requested. Returns after the end of all running items.
///
/// # Errors
/// The first error of making a worker, of a worker (a panic is one), or of the queue. The running
/// items are broken off then, but the queue, unless it failed itself, still takes finished results.
/// Errors of workers after the running items were to be broken off do not count.
pub fn run<I: Display + Send, R: Send, W: FnMut(I) -> anyhow::Result<Option<R>>>(
    queue: &mut dyn Queue<I, R>,
    threads: usize,
    make_worker: impl Fn(usize) -> anyhow::Result<W> + Sync,
    stop: &StopRequest,
) -> anyhow::Result<()> {
    let threads = threads.max(1);
    let (items, for_workers) = unbounded();
    let (for_us, results) = unbounded();
    thread::scope(|scope| {
        for number in 0..threads {
            let items = for_workers.clone();
            let results = for_us.clone();
            let make_worker = &make_worker;
            scope.spawn(move || work(&items, || make_worker(number), &results));
        }
        let mut running = 0;
        let mut ended = Ok(());
        let mut queue_failed = false;
        loop {
            while running < threads
                && !stop.is_said()
                && let Some(item) = queue.next()
            {
                items
                    .send(item)
                    .expect("workers live as long as this sender");
                running += 1;
            }
            if running == 0 {
                // The workers end because the sender of items goes.
                drop(items);
                return ended;
            }
            let result: anyhow::Result<Option<R>> =
                results.recv().expect("we have a sender ourselves");
            running -= 1;
            let kept = match result {
                Ok(Some(result)) if !queue_failed => {
                    queue.take(result).inspect_err(|_| queue_failed = true)
                }
                Ok(_) => Ok(()),
                // Who is told to stop, be it while it starts, may put that in its own words.
                Err(_) if stop.signal().is_stopped() => Ok(()),
                Err(error) => Err(error),
            };
            if kept.is_err() {
                stop.now();
                ended = ended.and(kept);
            }
        }
    })
}

/// The same for a list of items, with at most as many threads as items.
///
/// # Errors
/// The errors of [`run`]; `take` is the queue.
pub fn each<I: Display + Send, R: Send, W: FnMut(I) -> anyhow::Result<Option<R>>>(
    items: impl IntoIterator<Item = I>,
    threads: usize,
    make_worker: impl Fn(usize) -> anyhow::Result<W> + Sync,
    stop: &StopRequest,
    take: impl FnMut(R) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let items = items.into_iter();
    let threads = items
        .size_hint()
        .1
        .map_or(threads, |most| threads.min(most));
    run(&mut (items, take), threads, make_worker, stop)
}

/// A list of items with the taker of results.
impl<L: Iterator, R, F: FnMut(R) -> anyhow::Result<()>> Queue<L::Item, R> for (L, F) {
    fn next(&mut self) -> Option<L::Item> {
        self.0.next()
    }

    fn take(&mut self, result: R) -> anyhow::Result<()> {
        (self.1)(result)
    }
}

/// One thread: works on all items sent.
fn work<I: Display, R, W: FnMut(I) -> anyhow::Result<Option<R>>>(
    items: &Receiver<I>,
    make: impl Fn() -> anyhow::Result<W>,
    results: &Sender<anyhow::Result<Option<R>>>,
) {
    let mut worker = None;
    for item in items {
        let name = item.to_string();
        // A panic is a mistake of ours; it must not leave the caller waiting for this item.
        let result = catch_unwind(AssertUnwindSafe(|| {
            let worker = match &mut worker {
                Some(worker) => worker,
                none => none.insert(make()?),
            };
            worker(item)
        }));
        let result = result.unwrap_or_else(|_| Err(anyhow!("the work on {name} panicked")));
        if results.send(result).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Barrier, Mutex};

    use anyhow::bail;

    use super::*;

    type Work = Box<dyn FnMut(usize) -> anyhow::Result<Option<usize>>>;

    #[test]
    fn every_item_is_done_once_by_as_many_workers_as_are_needed() {
        let made = Mutex::new(Vec::new());
        let mut results = Vec::new();
        let make = |number| -> anyhow::Result<Work> {
            made.lock().expect("no panic").push(number);
            Ok(Box::new(|item| Ok(Some(item * item))))
        };
        let stop = StopRequest::default();
        let mut take = |result| {
            results.push(result);
            Ok(())
        };
        each(0..50, 3, make, &stop, &mut take).expect("done");
        each([50], 3, make, &stop, &mut take).expect("done");
        each([], 3, make, &stop, &mut take).expect("nothing to do");
        results.sort_unstable();
        assert_eq!(results, (0..51).map(|item| item * item).collect::<Vec<_>>());
        let made = made.into_inner().expect("no panic");
        assert!(
            (2..=4).contains(&made.len()) && made.ends_with(&[0]),
            "{made:?}"
        );
        assert!(!stop.is_said());
    }

    #[test]
    fn nothing_begins_after_a_request_to_stop() {
        let begun = AtomicUsize::new(0);
        let stop = StopRequest::default();
        let make = |_| {
            Ok(|item: usize| {
                begun.fetch_add(1, Ordering::Relaxed);
                // One of them was broken off.
                Ok((item > 0).then_some(item))
            })
        };
        let mut taken = Vec::new();
        let take = |item| {
            taken.push(item);
            stop.say();
            Ok(())
        };
        each(0..50, 1, make, &stop, take).expect("stopped is no error");
        assert_eq!((begun.load(Ordering::Relaxed), taken), (2, vec![1]));
    }

    /// Both workers are at work when one fails.
    #[test]
    fn a_failure_ends_it_and_the_queue_takes_what_others_had_done() {
        for panics in [false, true] {
            let both = Barrier::new(2);
            let stop = StopRequest::default();
            let make = |_| {
                Ok(|item: usize| {
                    if item > 1 {
                        return Ok(None);
                    }
                    both.wait();
                    match item {
                        0 if panics => panic!("on purpose"),
                        0 => bail!("zero"),
                        _ => Ok(Some(item)),
                    }
                })
            };
            let mut taken = Vec::new();
            let error = each(0..50, 2, make, &stop, |item| {
                taken.push(item);
                Ok(())
            });
            let error = error.expect_err("item 0 fails").to_string();
            assert_eq!(
                error,
                if panics {
                    "the work on 0 panicked"
                } else {
                    "zero"
                }
            );
            assert_eq!(taken, [1]);
            assert!(stop.signal().is_stopped());
        }
    }

    #[test]
    fn a_queue_that_failed_takes_nothing_more() {
        let both = Barrier::new(2);
        let make = |_| {
            Ok(|item: usize| {
                both.wait();
                Ok(Some(item))
            })
        };
        let mut taken = 0;
        let error = each([0, 1], 2, make, &StopRequest::default(), |_: usize| {
            taken += 1;
            bail!("the disk is full")
        });
        assert_eq!(
            error.expect_err("it failed").to_string(),
            "the disk is full"
        );
        assert_eq!(taken, 1);
    }

    #[test]
    fn a_worker_that_cannot_be_made_is_an_error() {
        let make = |_| -> anyhow::Result<Work> { bail!("nobody is there") };
        let error = each(0..9, 2, make, &StopRequest::default(), |_| Ok(()));
        assert_eq!(error.expect_err("nobody").to_string(), "nobody is there");
    }
}

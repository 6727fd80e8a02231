//! How work is stopped: at once, or when what is running has ended.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};

use crossbeam_channel::{Receiver, Sender, TryRecvError, bounded};

/// A signal that ends running games at once. Copies are the same signal; it cannot be taken back.
///
/// ```
/// use kashan::jobs::StopSignal;
/// let stop = StopSignal::new();
/// let heard = stop.clone();
/// assert!(!heard.is_stopped());
/// stop.stop();
/// assert!(heard.is_stopped());
/// ```
#[derive(Clone, Debug)]
pub struct StopSignal {
    /// Nothing is ever sent: the signal is that the sender goes, which wakes everybody who waits, and stays
    /// visible.
    sender: Arc<Mutex<Option<Sender<Infallible>>>>,
    receiver: Receiver<Infallible>,
}

impl Default for StopSignal {
    fn default() -> Self {
        StopSignal::new()
    }
}

impl StopSignal {
    /// A signal that nobody has given yet.
    pub fn new() -> Self {
        let (sender, receiver) = bounded(0);
        StopSignal { sender: Arc::new(Mutex::new(Some(sender))), receiver }
    }

    /// Gives the signal. May be called from any thread, and more than once.
    pub fn stop(&self) {
        self.sender.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// Whether the signal was given.
    pub fn is_stopped(&self) -> bool {
        self.receiver.try_recv() == Err(TryRecvError::Disconnected)
    }

    /// A channel that is closed when the signal is given, to wait for it among others.
    pub(crate) fn receiver(&self) -> &Receiver<Infallible> {
        &self.receiver
    }
}

/// The user's wish to stop: said once, the running games (or whatever is worked on) are finished first; said
/// twice, they are broken off. Copies are the same wish.
#[derive(Clone, Debug, Default)]
pub struct StopRequest {
    after_running: StopSignal,
    now: StopSignal,
}

/// A wish that breaks off the running games when it is said once: whoever gives the signal says it.
impl From<&StopSignal> for StopRequest {
    fn from(signal: &StopSignal) -> StopRequest {
        StopRequest { after_running: signal.clone(), now: signal.clone() }
    }
}

impl StopRequest {
    /// Says it (once more).
    pub fn say(&self) {
        match self.after_running.is_stopped() {
            false => self.after_running.stop(),
            true => self.now.stop(),
        }
    }

    /// No more games, and the running ones end at once, undecided.
    pub fn now(&self) {
        self.after_running.stop();
        self.now.stop();
    }

    /// Whether no more games are to begin.
    pub fn is_said(&self) -> bool {
        self.after_running.is_stopped()
    }

    /// What players and other workers have to listen to: it is given when the running games are to be broken
    /// off.
    pub fn signal(&self) -> &StopSignal {
        &self.now
    }
}

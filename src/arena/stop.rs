//! "Stop now", said once and heard by every game.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};

use crossbeam_channel::{Receiver, Sender, TryRecvError, bounded};

/// A signal that ends running games at once. Copies are the same signal; it cannot be taken back.
///
/// ```
/// use kashan::arena::StopSignal;
/// let stop = StopSignal::new();
/// let heard = stop.clone();
/// assert!(!heard.is_stopped());
/// stop.stop();
/// assert!(heard.is_stopped());
/// ```
#[derive(Clone, Debug)]
pub struct StopSignal {
    /// Nothing is ever sent: the signal is that the sender goes, which wakes everybody who waits, and stays visible.
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
        StopSignal {
            sender: Arc::new(Mutex::new(Some(sender))),
            receiver,
        }
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

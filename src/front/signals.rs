//! Signals as events. An interrupt may mean no more than "listen", and the others mean the end, so that they
//! must be told apart.

use std::sync::mpsc::Sender;

use super::Event;

/// Sends an event for every signal that comes. To be called before other threads are started: they would get
/// the signals first.
///
/// # Errors
/// If the system gives no thread, or does not let signals be waited for.
#[cfg(unix)]
pub fn listen(sender: Sender<Event>) -> std::io::Result<()> {
    use nix::sys::signal::{SigSet, Signal};

    let signals = SigSet::from_iter([Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP]);
    // What no thread takes waits for the one that asks for it.
    signals.thread_block()?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        while let Ok(signal) = signals.wait() {
            let event = match signal {
                Signal::SIGINT => Event::Interrupt,
                _ => Event::Terminate,
            };
            if sender.send(event).is_err() {
                return;
            }
        }
    })?;
    Ok(())
}

/// Sends an event for every Ctrl-C and its relatives; elsewhere nothing tells them apart.
///
/// # Errors
/// If the system does not let them be handled.
#[cfg(not(unix))]
pub fn listen(sender: Sender<Event>) -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(move || drop(sender.send(Event::Interrupt)))
}

/// Stops the program until the shell lets it go on.
#[cfg(unix)]
pub fn suspend() {
    use nix::sys::signal::{Signal, raise};

    if let Err(error) = raise(Signal::SIGTSTP) {
        log::warn!("the program cannot be stopped for a while: {error}");
    }
}

/// Shells of other systems know nothing of the kind.
#[cfg(not(unix))]
pub fn suspend() {}

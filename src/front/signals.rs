//! Signals as events.

use std::io;
use std::sync::mpsc::Sender;

use super::Event;
use crate::system::{self, Signal};

/// Sends an event for every signal that comes. An interrupt may mean no more than "listen", and the others
/// mean the end, so that they must be told apart.
///
/// # Errors
/// As [`system::on_signals`].
pub fn listen(sender: Sender<Event>) -> io::Result<()> {
    system::on_signals(move |signal| {
        let event = match signal {
            Signal::Interrupt => Event::Interrupt,
            Signal::Terminate => Event::Terminate,
        };
        sender.send(event).is_ok()
    })
}

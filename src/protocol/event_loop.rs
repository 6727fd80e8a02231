//! The loop over everything that can happen: a line of input, an event of the search, a signal.

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use super::session::{Flow, Session};
use crate::engine::{Engine, EventSink, WorkerEvent};

/// Something that happened outside the session.
#[derive(Debug)]
pub enum Event {
    /// A line of input, without its line end.
    Line(String),
    EndOfInput,
    Search(WorkerEvent),
    /// The system wants the program to end, or the user pressed Ctrl-C.
    Terminate,
}

/// Talks the xboard protocol on standard input and output until the front end quits, its input ends, or a signal comes.
///
/// # Errors
/// If the system gives no threads.
pub fn talk() -> io::Result<()> {
    let (sender, events) = channel();
    let engine = Engine::new(search_events(sender.clone()))?;
    listen(sender.clone())?;
    if let Err(error) = ctrlc::set_handler(move || drop(sender.send(Event::Terminate))) {
        log::warn!("signals will not be heeded: {error}");
    }
    converse(Session::new(engine, io::stdout()), &events);
    Ok(())
}

/// The way from the search thread into the loop.
pub fn search_events(sender: Sender<Event>) -> EventSink {
    Box::new(move |event| sender.send(Event::Search(event)).is_ok())
}

/// Feeds a session until it is over.
pub fn converse<W: Write>(mut session: Session<W>, events: &Receiver<Event>) {
    while let Ok(event) = events.recv() {
        let flow = match event {
            Event::Line(line) => session.line(&line),
            Event::Search(event) => session.search_event(event),
            Event::EndOfInput => Flow::Quit,
            Event::Terminate if session.is_ended_by_signals() => Flow::Quit,
            Event::Terminate => Flow::Continue,
        };
        if flow == Flow::Quit {
            return;
        }
    }
}

/// Starts the thread that reads standard input.
fn listen(sender: Sender<Event>) -> io::Result<()> {
    thread::Builder::new().name("input".to_owned()).spawn(move || {
        let mut input = io::stdin().lock();
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            let event = match input.read_until(b'\n', &mut bytes) {
                Ok(0) => Event::EndOfInput,
                // Not everything that comes need be UTF-8; the protocol's words are.
                Ok(_) => Event::Line(
                    String::from_utf8_lossy(&bytes)
                        .trim_end_matches(['\r', '\n'])
                        .to_owned(),
                ),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    log::warn!("cannot read standard input: {error}");
                    Event::EndOfInput
                }
            };
            let last = matches!(event, Event::EndOfInput);
            if sender.send(event).is_err() || last {
                return;
            }
        }
    })?;
    Ok(())
}

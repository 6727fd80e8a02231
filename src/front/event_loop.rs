//! The loop over everything that can happen: a line of input, an event of the search, a signal.

use std::io::{self, BufRead};
use std::sync::mpsc::{Receiver, Sender};
use std::thread;

use super::{Event, Flow, Front};
use crate::engine::EventSink;
use crate::protocol::uci;
use crate::system::{self, Signal};

/// Waits for the first line that is not empty: its protocol, and the line.
pub(super) fn listen_for_the_protocol(events: &Receiver<Event>) -> (Flow, String) {
    while let Ok(event) = events.recv() {
        match event {
            Event::Line(line) if line.trim().is_empty() => {}
            Event::Line(line) => return (protocol_of(&line), line),
            // Nothing has been asked for.
            Event::Search(_) | Event::Terminal(_) => {}
            Event::EndOfInput | Event::Interrupt | Event::Terminate => break,
        }
    }
    (Flow::Quit, String::new())
}

/// The protocol that a first line belongs to: UCI if only a UCI program sends it, else xboard, which begins
/// with any command.
fn protocol_of(line: &str) -> Flow {
    let first = line.split_whitespace().next();
    let is_uci = matches!(first, Some("uci" | "isready" | "ucinewgame" | "setoption" | "position" | "debug"));
    match line.parse::<uci::Command>() {
        Ok(_) if is_uci => Flow::Uci,
        _ => Flow::Xboard,
    }
}

/// The way from the search thread into the loop.
pub fn search_events(sender: Sender<Event>) -> EventSink {
    Box::new(move |event| sender.send(Event::Search(event)).is_ok())
}

/// Feeds a conversation until it is over, and says how it ended.
pub fn converse(front: &mut dyn Front, events: &Receiver<Event>) -> Flow {
    while let Ok(event) = events.recv() {
        let flow = handle(front, event);
        if flow != Flow::Continue {
            return flow;
        }
    }
    Flow::Quit
}

/// Sends an event for every signal that comes. An interrupt may mean no more than "listen", and the others
/// mean the end, so that they must be told apart.
pub(super) fn heed_signals(sender: Sender<Event>) -> io::Result<()> {
    system::on_signals(move |signal| {
        let event = match signal {
            Signal::Interrupt => Event::Interrupt,
            Signal::Terminate => Event::Terminate,
        };
        sender.send(event).is_ok()
    })
}

/// Hands a conversation one thing that happened.
pub(super) fn handle(front: &mut dyn Front, event: Event) -> Flow {
    match event {
        Event::Line(line) => front.line(&line),
        Event::Search(event) => front.search_event(event),
        Event::Terminal(event) => front.terminal(event),
        Event::Interrupt => front.interrupt(),
        Event::EndOfInput => front.end_of_input(),
        Event::Terminate => {
            front.farewell();
            Flow::Quit
        }
    }
}

/// Starts the thread that reads standard input.
pub(super) fn listen(sender: Sender<Event>) -> io::Result<()> {
    thread::Builder::new().name("input".to_owned()).spawn(move || read_lines(&sender))?;
    Ok(())
}

/// Reads standard input line by line to its end.
pub(super) fn read_lines(sender: &Sender<Event>) {
    let mut input = io::stdin().lock();
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let event = match input.read_until(b'\n', &mut bytes) {
            Ok(0) => Event::EndOfInput,
            // Not everything that comes need be UTF-8; the protocol's words are.
            Ok(_) => Event::Line(String::from_utf8_lossy(&bytes).trim_end_matches(['\r', '\n']).to_owned()),
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
}

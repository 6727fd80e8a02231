//! The loop over everything that can happen: a line of input, an event of the search, a signal.

use std::io::{self, BufRead, IsTerminal};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use anstream::{AutoStream, ColorChoice};

use super::{Console, Event, Flow, Front, UciFront, XboardFront, console, signals};
use crate::engine::{Engine, EventSink};
use crate::protocol::uci;

/// Talks on standard input and output until it is told to quit, its input ends, or a signal comes: with a
/// person at a terminal, else in the protocol that the first line belongs to. With `resume` the person's last
/// game goes on.
///
/// # Errors
/// If the system gives no threads, or if there is no terminal to resume a game at.
pub fn talk(resume: bool) -> io::Result<()> {
    if resume && !io::stdin().is_terminal() {
        return Err(io::Error::other("--resume needs a terminal to play at"));
    }
    let (sender, events) = channel();
    // Before any other thread is started, because threads inherit which signals they leave alone.
    if let Err(error) = signals::listen(sender.clone()) {
        log::warn!("signals will not be heeded: {error}");
    }
    let mut engine = Engine::new(search_events(sender.clone()))?;
    listen(sender)?;
    let (flow, first_line) = if io::stdin().is_terminal() {
        let output = AutoStream::auto(io::stdout());
        let colors = output.current_choice() != ColorChoice::Never;
        let mut console = Console::new(engine, output, colors);
        if let Some(file) = console::keep::usual_file() {
            console = console.keep_in(file);
        }
        if resume {
            console.greet_again();
        } else {
            console.greet();
        }
        let flow = converse(&mut console, &events);
        engine = console.into_engine();
        let word = if flow == Flow::Uci { "uci" } else { "xboard" };
        (flow, word.to_owned())
    } else {
        listen_for_the_protocol(&events)
    };
    let mut front: Box<dyn Front> = match flow {
        Flow::Xboard => Box::new(XboardFront::new(engine, io::stdout())),
        Flow::Uci => Box::new(UciFront::new(engine, io::stdout())),
        Flow::Quit | Flow::Continue => return Ok(()),
    };
    if front.line(&first_line) == Flow::Continue {
        converse(front.as_mut(), &events);
    }
    Ok(())
}

/// Waits for the first line that is not empty: its protocol, and the line.
fn listen_for_the_protocol(events: &Receiver<Event>) -> (Flow, String) {
    while let Ok(event) = events.recv() {
        match event {
            Event::Line(line) if line.trim().is_empty() => {}
            Event::Line(line) => return (protocol_of(&line), line),
            // Nothing has been asked for.
            Event::Search(_) => {}
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
        let flow = match event {
            Event::Line(line) => front.line(&line),
            Event::Search(event) => front.search_event(event),
            Event::Interrupt => front.interrupt(),
            Event::EndOfInput | Event::Terminate => {
                front.farewell();
                Flow::Quit
            }
        };
        if flow != Flow::Continue {
            return flow;
        }
    }
    Flow::Quit
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
                Ok(_) => {
                    Event::Line(String::from_utf8_lossy(&bytes).trim_end_matches(['\r', '\n']).to_owned())
                }
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

//! Talking to a front end, or to a person: the three kinds of conversation, and the loop that feeds them.
//!
//! ```text
//! standard input, signals, search thread ──> Event ──> event_loop ──> XboardFront, UciFront or Console ──> standard output
//! ```

mod clocks;
pub mod console;
pub mod event_loop;
mod judge;
pub mod options;
mod output;
mod reserve;
mod talk;
pub mod terminal;
pub mod uci;
pub mod xboard;

pub use console::Console;
pub use talk::{Start, talk};
pub use uci::UciFront;
pub use xboard::XboardFront;

use ratatui::crossterm::event::Event as TerminalEvent;

use crate::engine::WorkerEvent;

/// What the program calls itself.
pub(crate) const NAME: &str = concat!("Kashan ", env!("CARGO_PKG_VERSION"));

/// A line of input without the blanks around it, logged; `None` if it says nothing.
fn heard(line: &str) -> Option<&str> {
    let line = line.trim();
    if line.is_empty() {
        return None;
    }
    log::debug!("< {line}");
    Some(line)
}

/// Something that happened outside the conversation.
#[derive(Debug)]
pub enum Event {
    /// A line of input, without its line end.
    Line(String),
    EndOfInput,
    Search(WorkerEvent),
    /// The user pressed Ctrl-C, or an old front end wants attention.
    Interrupt,
    /// Something happened at the terminal whose lines are edited.
    Terminal(TerminalEvent),
    /// The system, or a front end, wants the program to end.
    Terminate,
}

/// Whether a conversation goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    Continue,
    Quit,
    /// What looked like a person turns out to be a program that speaks the xboard protocol.
    Xboard,
    /// The same, with the Universal Chess Interface.
    Uci,
    /// The user wants the whole screen...
    FullScreen,
    /// ... or lines again.
    Lines,
    /// The user wants to see the shell for a while.
    Suspend,
}

/// One side of a conversation: a state machine that is handed what happens and writes what it has to say.
pub trait Front {
    /// One line of input, without its line end.
    fn line(&mut self, line: &str) -> Flow;

    /// An event of the search thread.
    fn search_event(&mut self, event: WorkerEvent) -> Flow;

    /// An interrupt came: SIGINT, or Control-C.
    fn interrupt(&mut self) -> Flow;

    /// A key was pressed at a terminal whose lines are edited, or its size has changed.
    fn terminal(&mut self, _: TerminalEvent) -> Flow {
        Flow::Continue
    }

    /// Nothing has happened for a while; clocks go on.
    fn tick(&mut self) {}

    /// The input is closed: nothing more will be asked.
    fn end_of_input(&mut self) -> Flow {
        self.farewell();
        Flow::Quit
    }

    /// The conversation ends without a word of goodbye: the input is closed, or a signal came that means the
    /// end.
    fn farewell(&mut self) {}
}

//! Talking to a front end, or to a person: the three kinds of conversation, and the loop that feeds
//! them.
//!
//! ```text
//! standard input, signals, search thread ──> Event ──> talk ──> XboardFront, UciFront or Console ──> standard output
//! ```

pub(crate) mod clocks;
pub(crate) mod judge;
mod options;
mod reserve;
pub mod uci;
pub mod xboard;

pub use options::CLEAR_HASH;
pub use uci::UciFront;
pub use xboard::XboardFront;

use std::fmt::Display;
use std::io::Write;

use crate::engine::WorkerEvent;
use crate::util::system::Signal;

/// What the program calls itself.
pub(crate) const NAME: &str = concat!("Kashan ", env!("CARGO_PKG_VERSION"));

/// Something that happened outside the conversation.
#[derive(Debug)]
pub enum Event {
    /// A line of input, without its line end.
    Line(String),
    EndOfInput,
    Search(WorkerEvent),
    Signal(Signal),
    /// Control-C took the place of a line that was to be edited.
    Interrupted,
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
}

/// One side of a conversation: a state machine that is handed what happens and writes what it has
/// to say.
pub trait Front {
    /// One line of input, without its line end.
    fn line(&mut self, line: &str) -> Flow;

    /// An event of the search thread.
    fn search_event(&mut self, event: WorkerEvent) -> Flow;

    /// An interrupt came: SIGINT, or Control-C.
    fn interrupt(&mut self) -> Flow;

    /// The input is closed: nothing more will be asked.
    fn end_of_input(&mut self) -> Flow {
        self.farewell();
        Flow::Quit
    }

    /// The conversation ends without a word of goodbye: the input is closed, or a signal came that
    /// means the end.
    fn farewell(&mut self) {}
}

/// A line of input without the blanks around it, logged; `None` if it says nothing.
pub(crate) fn heard(line: &str) -> Option<&str> {
    let line = line.trim();
    if line.is_empty() {
        return None;
    }
    log::debug!("< {line}");
    Some(line)
}

/// What goes to the front end or the terminal, replies of any protocol, flushed at once. A front
/// end that no longer reads ends the conversation; that is no failure.
pub(crate) struct Output {
    writer: Box<dyn Write + Send>,
    closed: bool,
}

impl Output {
    pub(crate) fn new(writer: impl Write + Send + 'static) -> Self {
        Output {
            writer: Box::new(writer),
            closed: false,
        }
    }

    /// Writes a line.
    pub(crate) fn send(&mut self, reply: &impl Display) {
        log::debug!("> {reply}");
        self.print(&format!("{reply}\n"));
    }

    /// Writes text as it is.
    pub(crate) fn print(&mut self, text: &str) {
        if self.closed {
            return;
        }
        let written = self
            .writer
            .write_all(text.as_bytes())
            .and_then(|()| self.writer.flush());
        if let Err(error) = written {
            log::warn!("cannot write to the front end: {error}");
            self.closed = true;
        }
    }

    /// Whether the conversation can go on: it cannot when nobody reads any more.
    pub(crate) fn flow(&self) -> Flow {
        if self.closed {
            Flow::Quit
        } else {
            Flow::Continue
        }
    }
}

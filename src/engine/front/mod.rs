//! Talking to a front end, or to a person: the three kinds of conversation, and the loop that feeds
//! them.
//!
//! ```text
//! standard input, signals, search thread ──> Event ──> talk ──> XboardFront, UciFront or Console ──> standard output
//! ```

pub(crate) mod clocks;
mod options;
pub(crate) mod own_scores;
mod reserve;
pub mod uci;
pub mod xboard;

pub use uci::UciFront;
pub use xboard::XboardFront;

use std::fmt::Display;
use std::io::Write;

use crate::engine::WorkerEvent;
use crate::util::system::Signal;

/// The program's name and version.
pub(crate) const NAME: &str = concat!("Kashan ", env!("CARGO_PKG_VERSION"));

/// An event outside the conversation.
#[derive(Debug)]
pub enum Event {
    /// A line of input, without its line end.
    Line(String),
    EndOfInput,
    Search(WorkerEvent),
    Signal(Signal),
    /// Control-C in place of an edited line.
    Interrupted,
}

/// Continuation or end of a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    Continue,
    Quit,
    /// The supposed person is a program that speaks the xboard protocol.
    Xboard,
    /// The supposed person is a program that speaks the Universal Chess Interface.
    Uci,
}

/// One side of a conversation: a state machine that takes events and writes replies.
pub trait Front {
    /// Takes a line of input, without its line end.
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

    /// Ends the conversation without a word of goodbye: the input is closed, or a signal asked for
    /// the end.
    fn farewell(&mut self) {}
}

/// Trims and logs a line of input; returns `None` for an empty line.
pub(crate) fn heard(line: &str) -> Option<&str> {
    let line = Some(line.trim()).filter(|line| !line.is_empty())?;
    log::debug!("< {line}");
    Some(line)
}

/// The output to the front end or the terminal, replies of any protocol, flushed at once. A front
/// end that no longer reads ends the conversation; this is no failure.
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

    /// Writes text unchanged.
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

    /// Returns the flow of the conversation: `Quit` once the reader is gone.
    pub(crate) fn flow(&self) -> Flow {
        if self.closed {
            Flow::Quit
        } else {
            Flow::Continue
        }
    }
}

//! What goes to the front end or the terminal, flushed at once.

use std::fmt::Display;
use std::io::Write;

use super::Flow;

/// Writes replies of any protocol. A front end that no longer reads ends the conversation; that is no
/// failure.
pub struct Output {
    writer: Box<dyn Write + Send>,
    closed: bool,
}

impl Output {
    pub fn new(writer: impl Write + Send + 'static) -> Self {
        Output { writer: Box::new(writer), closed: false }
    }

    /// Writes a line.
    pub fn send(&mut self, reply: &impl Display) {
        log::debug!("> {reply}");
        self.print(&format!("{reply}\n"));
    }

    /// Writes text as it is.
    pub fn print(&mut self, text: &str) {
        if self.closed {
            return;
        }
        let written = self.writer.write_all(text.as_bytes()).and_then(|()| self.writer.flush());
        if let Err(error) = written {
            log::warn!("cannot write to the front end: {error}");
            self.closed = true;
        }
    }

    /// Whether the conversation can go on: it cannot when nobody reads any more.
    pub fn flow(&self) -> Flow {
        if self.closed { Flow::Quit } else { Flow::Continue }
    }
}

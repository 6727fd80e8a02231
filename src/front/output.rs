//! Whole lines to the front end, each flushed.

use std::fmt::Display;
use std::io::Write;

/// Writes replies, of whichever protocol. A front end that reads no more is a reason to end, not to fail.
pub struct Output<W> {
    writer: W,
    closed: bool,
}

impl<W: Write> Output<W> {
    pub fn new(writer: W) -> Self {
        Output {
            writer,
            closed: false,
        }
    }

    pub fn send(&mut self, reply: &impl Display) {
        log::debug!("> {reply}");
        if !self.closed {
            let written = self
                .writer
                .write_all(format!("{reply}\n").as_bytes())
                .and_then(|()| self.writer.flush());
            if let Err(error) = written {
                log::warn!("cannot write to the front end: {error}");
                self.closed = true;
            }
        }
    }

    /// Whether the front end has gone.
    pub fn is_closed(&self) -> bool {
        self.closed
    }
}

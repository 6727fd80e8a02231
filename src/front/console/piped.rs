//! The console at the end of a pipe: lines that come while Kashan chooses a move wait for it, because who
//! writes a script cannot.

use std::collections::VecDeque;
use std::io::Write;

use super::{Activity, Console, words};
use crate::engine::WorkerEvent;
use crate::front::{Flow, Front};

/// Feeds a console what comes through a pipe, one answer after the other.
pub struct Piped<'c, W> {
    console: &'c mut Console<W>,
    /// Lines that were not obeyed yet.
    waiting: VecDeque<String>,
    input_ended: bool,
}

impl<'c, W: Write> Piped<'c, W> {
    pub fn new(console: &'c mut Console<W>) -> Self {
        Piped { console, waiting: VecDeque::new(), input_ended: false }
    }

    /// Lines that nobody has obeyed, when the conversation is over.
    pub fn left(self) -> VecDeque<String> {
        self.waiting
    }

    fn is_choosing(&self) -> bool {
        matches!(self.console.activity, Activity::Move | Activity::Hint | Activity::Review)
    }

    fn go_on(&mut self) -> Flow {
        while !self.is_choosing() {
            let Some(line) = self.waiting.pop_front() else { break };
            let flow = self.console.line(&line);
            if flow != Flow::Continue {
                return flow;
            }
        }
        match self.input_ended && !self.is_choosing() {
            true => self.console.end_of_input(),
            false => self.console.output.flow(),
        }
    }
}

impl<W: Write> Front for Piped<'_, W> {
    fn line(&mut self, line: &str) -> Flow {
        match words::find(line.trim()) {
            Some("now") if self.waiting.is_empty() => self.console.line(line),
            _ => {
                self.waiting.push_back(line.to_owned());
                self.go_on()
            }
        }
    }

    fn search_event(&mut self, event: WorkerEvent) -> Flow {
        match self.console.search_event(event) {
            Flow::Continue => self.go_on(),
            ended => ended,
        }
    }

    fn interrupt(&mut self) -> Flow {
        self.console.interrupt()
    }

    fn end_of_input(&mut self) -> Flow {
        self.input_ended = true;
        self.go_on()
    }

    fn farewell(&mut self) {
        self.console.farewell();
    }
}

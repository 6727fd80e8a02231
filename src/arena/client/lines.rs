//! Output of a program, cut into lines and counted.

use std::io::{self, BufRead as _, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A longer line is cut, and the rest is thrown away. Real engines write lines of a tenth of this at most.
const LONGEST_LINE: usize = 1 << 16;

/// An engine that writes more bytes than this from one turn to the next is given up. A line costs
/// [`LINE_COST`] more.
const FLOOD: u64 = 64 << 20;

/// A line costs this besides its bytes, so that empty lines count, too: 250,000 of them are a flood.
const LINE_COST: u64 = 256;

/// What can come out of a program.
#[derive(Debug, PartialEq, Eq)]
pub enum Output {
    /// Without its line end.
    Line(String),
    /// More than anybody can want to read. Nothing comes after it.
    Flood,
    /// The program closed its output, usually by ending. Nothing comes after it.
    Closed,
}

/// Cuts a pipe into lines of bounded length and counts what comes.
pub struct Lines<R> {
    pipe: BufReader<R>,
    line: Vec<u8>,
    written: Arc<AtomicU64>,
}

impl<R: Read> Lines<R> {
    /// Counts into `written`.
    pub fn new(pipe: R, written: Arc<AtomicU64>) -> Self {
        Lines { pipe: BufReader::new(pipe), line: Vec::new(), written }
    }

    /// The next line, whatever bytes are in it; half a line at the end counts as one.
    pub fn next_line(&mut self) -> Output {
        loop {
            let unread = match self.pipe.fill_buf() {
                Ok([]) if self.line.is_empty() => return Output::Closed,
                Ok([]) => return self.take_line(),
                Ok(unread) => unread,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => return Output::Closed,
            };
            let end = unread.iter().position(|&byte| byte == b'\n');
            let piece = &unread[..end.unwrap_or(unread.len())];
            let room = LONGEST_LINE - self.line.len();
            self.line.extend_from_slice(&piece[..piece.len().min(room)]);
            let cost = piece.len() as u64 + end.map_or(0, |_| LINE_COST);
            let read = piece.len() + usize::from(end.is_some());
            self.pipe.consume(read);
            if self.written.fetch_add(cost, Ordering::Relaxed) + cost > FLOOD {
                return Output::Flood;
            }
            if end.is_some() {
                return self.take_line();
            }
        }
    }

    fn take_line(&mut self) -> Output {
        let line = String::from_utf8_lossy(&self.line).trim_end_matches('\r').to_owned();
        self.line.clear();
        Output::Line(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<Output> {
        let mut lines = Lines::new(bytes, Arc::default());
        let mut all = vec![lines.next_line()];
        while matches!(all.last(), Some(Output::Line(_))) {
            all.push(lines.next_line());
        }
        all
    }

    fn line(text: &str) -> Output {
        Output::Line(text.to_owned())
    }

    #[test]
    fn lines_end_in_every_usual_way_and_the_last_one_need_not() {
        let expected = [line("one"), line("two"), line(""), line("half"), Output::Closed];
        assert_eq!(lines(b"one\ntwo\r\n\nhalf"), expected);
        assert_eq!(lines(b""), [Output::Closed]);
        assert_eq!(lines(b"\xff\xfe\n"), [line("\u{fffd}\u{fffd}"), Output::Closed]);
    }

    #[test]
    fn an_endless_line_is_cut_and_the_next_one_is_whole() {
        let mut text = vec![b'x'; 3 * LONGEST_LINE];
        text.extend_from_slice(b"\nnext\n");
        assert_eq!(lines(&text), [line(&"x".repeat(LONGEST_LINE)), line("next"), Output::Closed]);
    }
}

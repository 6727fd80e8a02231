//! A program with its three pipes. Each pipe has a thread of its own, so the arena never waits for
//! the program. Its output is cut into lines and counted.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::io::{self, BufRead as _, BufReader, Read, Write};
use std::process::{ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::Context;
use crossbeam_channel::{Receiver, Sender, bounded, select, unbounded};
use process_wrap::std::{ChildWrapper, CommandWrap};

use super::{ClientError, program};
use crate::arena::EngineSpec;
use crate::arena::machine::Usage;
use crate::util::jobs::StopSignal;
use crate::util::system;

/// The number of lines of standard error kept for the message about a crash.
const LAST_WORDS: usize = 4;

/// The pause between two looks whether a program has ended.
const LOOK: Duration = Duration::from_millis(2);

/// An output of the program, and its time, taken by the reading thread before any queue.
#[derive(Debug)]
pub struct Said {
    pub at: Instant,
    pub what: ProcessOutput,
}

/// The kinds of output of a program.
#[derive(Debug, PartialEq, Eq)]
pub enum ProcessOutput {
    /// Without its line end.
    Line(String),
    /// More than anybody can want to read. Nothing comes afterwards.
    Flood,
    /// The program closed its output, usually by ending. Nothing comes afterwards.
    Closed,
}

/// A running program, killed when dropped.
#[derive(Debug)]
pub struct EngineProcess {
    /// The engine's name, with the number of the process; for the log.
    name: String,
    /// The program with all its own children.
    group: Box<dyn ChildWrapper>,
    /// The program's output, in order.
    pub output: Receiver<Said>,
    input: Option<Sender<String>>,
    written: Arc<AtomicU64>,
    last_words: Arc<Mutex<VecDeque<String>>>,
    /// Closed when standard error is read to its end.
    all_said: Receiver<Infallible>,
    /// The reading threads; they end with the pipes.
    readers: Vec<JoinHandle<()>>,
}

impl EngineProcess {
    /// Starts the program of `spec`.
    ///
    /// # Errors
    /// Fails if there is no such program, or the system refuses to start it; the text names the
    /// program.
    pub fn start(spec: &EngineSpec) -> anyhow::Result<EngineProcess> {
        let program = program::find(spec)?;
        let mut command = CommandWrap::with_new(&program, |command| {
            if spec.backend().is_some() {
                command.arg(program::ALL_OPTIONS);
            }
            command.args(&spec.arguments);
            if let Some(directory) = &spec.directory {
                command.current_dir(directory);
            }
            command
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped());
        });
        system::put_into_a_group(&mut command);
        let mut group = command
            .spawn()
            .with_context(|| format!("engine {}: cannot start {}", spec.name, program.display()))?;
        let name = format!("{}[{}]", spec.name, group.id());
        log::trace!("{name} is {}", program.display());
        let written = Arc::new(AtomicU64::new(0));
        let last_words = Arc::new(Mutex::new(VecDeque::new()));
        let (sender, output) = unbounded();
        let (saying, all_said) = bounded(0);
        let mut readers = Vec::new();
        if let Some(stdout) = group.stdout().take() {
            let lines = Lines::new(stdout, written.clone());
            let name = name.clone();
            readers.push(spawn(spec, "stdout", move || {
                hand_on(lines, &sender, &name)
            })?);
        }
        if let Some(stderr) = group.stderr().take() {
            let lines = Lines::new(stderr, written.clone());
            let name = name.clone();
            let words = last_words.clone();
            readers.push(spawn(spec, "stderr", move || {
                let _saying = saying;
                keep_last(lines, &words, &name);
            })?);
        }
        let (input, texts) = unbounded::<String>();
        if let Some(mut stdin) = group.stdin().take() {
            spawn(spec, "stdin", move || {
                // An error here needs no report: a program that no longer reads soon shows it in
                // what it writes.
                while let Ok(text) = texts.recv()
                    && stdin.write_all(text.as_bytes()).is_ok()
                {}
            })?;
        }
        Ok(EngineProcess {
            name,
            group,
            output,
            input: Some(input),
            written,
            last_words,
            all_said,
            readers,
        })
    }

    /// The program's share of the processor's cores so far.
    pub fn usage(&self) -> Usage {
        Usage::of(self.group.id())
    }

    /// The program's next output, but not later than `patience` after `started`.
    pub fn next(
        &self,
        started: Instant,
        patience: Duration,
        stop: &StopSignal,
    ) -> Result<Option<Said>, ClientError> {
        if stop.is_stopped() {
            return Err(ClientError::Stopped);
        }
        select! {
            // A program that writes all the time leaves no pause in which the time-out could
            // strike.
            recv(self.output) -> said => {
                Ok(said.ok().filter(|said| said.at.saturating_duration_since(started) <= patience))
            }
            recv(stop.receiver()) -> _ => Err(ClientError::Stopped),
            default(patience.saturating_sub(started.elapsed())) => Ok(None),
        }
    }

    /// Writes whole lines, all at once, without waiting for the program to read them.
    pub fn write(&self, lines: String) {
        if let Some(input) = &self.input {
            for line in lines.lines() {
                log::trace!("{} < {line}", self.name);
            }
            // The writing thread ends only when the pipe is broken: then the end of the output says
            // so.
            let _ = input.send(lines);
        }
    }

    /// Counts the output from zero again: earlier output no longer counts towards a flood.
    pub fn forgive(&self) {
        self.written.store(0, Ordering::Relaxed);
    }

    /// The program's last lines on standard error, for people:
    /// `; its last error messages: "no such file"`, or nothing without any.
    pub fn errors(&self) -> String {
        let words = self
            .last_words
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let mut text = String::new();
        for line in words.iter().map(|line| line.trim()) {
            if !line.is_empty() {
                let before = if text.is_empty() {
                    "; its last error messages:"
                } else {
                    ","
                };
                text += &format!("{before} \"{line:.200}\"");
            }
        }
        text
    }

    /// The end of the program's output and its last lines on standard error, for people:
    /// `ended (exit status: 1); its last error messages: "no such file"`.
    pub fn last_words(&mut self) -> String {
        // The end of the output comes a moment before the end of the program.
        let moment = Duration::from_millis(200);
        let status = match self.ended_within(moment) {
            Some(status) => format!("ended ({status})"),
            None => "closed its output and goes on running".to_owned(),
        };
        let _ = self.all_said.recv_timeout(moment);
        status + &self.errors()
    }

    /// Lets the program end by itself for at most `grace`, its input closed, then kills the
    /// program.
    pub fn end(&mut self, grace: Duration) {
        self.close_input();
        if self.ended_within(grace).is_none() {
            self.kill();
        }
    }

    /// Closes the program's input, after everything written.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// The program alone, without its children. The program remembers the exit status, the group
    /// does not.
    fn program(&mut self) -> &mut dyn ChildWrapper {
        self.group.inner_mut()
    }

    /// The program's exit status, if the program ends in the given time. Ends of processes are no
    /// events, so this polls.
    pub fn ended_within(&mut self, patience: Duration) -> Option<ExitStatus> {
        let started = Instant::now();
        loop {
            let status = self.program().try_wait().ok().flatten();
            if status.is_some() || started.elapsed() >= patience {
                return status;
            }
            thread::sleep(LOOK);
        }
    }

    fn kill(&mut self) {
        // It may be gone already, which is what is wanted.
        let _ = self.group.start_kill();
        let _ = self.program().start_kill();
        let _ = self.program().wait();
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        if self.ended_within(Duration::ZERO).is_none() {
            self.kill();
        } else if !self.readers.iter().all(JoinHandle::is_finished) {
            // The program has ended, but a process that it started (the engine of a shell script)
            // still holds the pipes and keeps our threads waiting. That process also keeps the
            // group's number from being given to anybody else.
            let _ = self.group.start_kill();
        }
    }
}

/// Hands on the program's output, up to the end.
fn hand_on(mut lines: Lines<impl Read>, sender: &Sender<Said>, name: &str) {
    loop {
        let what = lines.next_line();
        match &what {
            ProcessOutput::Line(line) => log::trace!("{name} > {line}"),
            end => log::trace!("{name}: {end:?}"),
        }
        let last = !matches!(what, ProcessOutput::Line(_));
        let at = Instant::now();
        if sender.send(Said { at, what }).is_err() || last {
            return;
        }
    }
}

/// Keeps the last lines of the program's output.
fn keep_last(mut lines: Lines<impl Read>, words: &Mutex<VecDeque<String>>, name: &str) {
    while let ProcessOutput::Line(line) = lines.next_line() {
        log::trace!("{name} ! {line}");
        let mut words = words.lock().unwrap_or_else(PoisonError::into_inner);
        words.push_back(line);
        if words.len() > LAST_WORDS {
            words.pop_front();
        }
    }
}

fn spawn(
    spec: &EngineSpec,
    pipe: &str,
    work: impl FnOnce() + Send + 'static,
) -> anyhow::Result<JoinHandle<()>> {
    thread::Builder::new()
        .name(format!("{} {pipe}", spec.name))
        .spawn(work)
        .with_context(|| format!("engine {}: no thread for its {pipe}", spec.name))
}

/// A longer line is cut, and the rest is thrown away. Real engines write lines of a tenth of this
/// at most.
const LONGEST_LINE: usize = 1 << 16;

/// The limit of bytes written from one turn to the next; beyond, the engine is given up. Each line
/// costs [`LINE_COST`] more.
const FLOOD: u64 = 64 << 20;

/// The cost of a line besides its bytes, so empty lines count, too: 250,000 of them are a flood.
const LINE_COST: u64 = 256;

/// Cuts a pipe into lines of bounded length and counts them.
struct Lines<R> {
    pipe: BufReader<R>,
    line: Vec<u8>,
    written: Arc<AtomicU64>,
}

impl<R: Read> Lines<R> {
    /// Counts into `written`.
    fn new(pipe: R, written: Arc<AtomicU64>) -> Self {
        Lines {
            pipe: BufReader::new(pipe),
            line: Vec::new(),
            written,
        }
    }

    /// The next line, of any bytes; half a line at the end counts as one.
    fn next_line(&mut self) -> ProcessOutput {
        loop {
            let unread = match self.pipe.fill_buf() {
                Ok([]) if self.line.is_empty() => return ProcessOutput::Closed,
                Ok([]) => return self.take_line(),
                Ok(unread) => unread,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => return ProcessOutput::Closed,
            };
            let end = unread.iter().position(|&byte| byte == b'\n');
            let piece = &unread[..end.unwrap_or(unread.len())];
            let room = LONGEST_LINE - self.line.len();
            self.line.extend_from_slice(&piece[..piece.len().min(room)]);
            let cost = piece.len() as u64 + end.map_or(0, |_| LINE_COST);
            let read = piece.len() + usize::from(end.is_some());
            self.pipe.consume(read);
            if self.written.fetch_add(cost, Ordering::Relaxed) + cost > FLOOD {
                return ProcessOutput::Flood;
            }
            if end.is_some() {
                return self.take_line();
            }
        }
    }

    /// The line without its end, and without NUL and byte order marks around it, which some
    /// programs write.
    fn take_line(&mut self) -> ProcessOutput {
        let line = String::from_utf8_lossy(&self.line)
            .trim_start_matches(['\0', '\u{feff}'])
            .trim_end_matches(['\0', '\r'])
            .to_owned();
        self.line.clear();
        ProcessOutput::Line(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<ProcessOutput> {
        let mut lines = Lines::new(bytes, Arc::default());
        let mut all = vec![lines.next_line()];
        while matches!(all.last(), Some(ProcessOutput::Line(_))) {
            all.push(lines.next_line());
        }
        all
    }

    fn line(text: &str) -> ProcessOutput {
        ProcessOutput::Line(text.to_owned())
    }

    #[test]
    fn lines_end_in_every_usual_way_and_the_last_one_need_not() {
        let expected = [
            line("one"),
            line("two"),
            line(""),
            line("half"),
            ProcessOutput::Closed,
        ];
        assert_eq!(lines(b"one\ntwo\r\n\nhalf"), expected);
        assert_eq!(lines(b""), [ProcessOutput::Closed]);
        assert_eq!(
            lines(b"\xef\xbb\xbfone\n\0two\0\r\n"),
            [line("one"), line("two"), ProcessOutput::Closed]
        );
        assert_eq!(
            lines(b"\xff\xfe\n"),
            [line("\u{fffd}\u{fffd}"), ProcessOutput::Closed]
        );
    }

    #[test]
    fn an_endless_line_is_cut_and_the_next_one_is_whole() {
        let mut text = vec![b'x'; 3 * LONGEST_LINE];
        text.extend_from_slice(b"\nnext\n");
        assert_eq!(
            lines(&text),
            [
                line(&"x".repeat(LONGEST_LINE)),
                line("next"),
                ProcessOutput::Closed
            ]
        );
    }
}

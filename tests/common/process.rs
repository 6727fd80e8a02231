//! The program as a front end sees it: a process, two pipes, and a deadline on every wait.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::rig::PATIENCE;

pub struct Process {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
}

impl Process {
    pub fn start(arguments: &[&str]) -> Process {
        let mut child = Command::new(env!("CARGO_BIN_EXE_kashan"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the program starts");
        let (sender, output) = channel();
        let stdout = BufReader::new(child.stdout.take().expect("it is piped"));
        thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Process {
            input: child.stdin.take(),
            child,
            output,
        }
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input
            .write_all(bytes)
            .and_then(|()| input.flush())
            .expect("it reads");
    }

    pub fn send(&mut self, lines: &str) {
        self.send_bytes(format!("{lines}\n").as_bytes());
    }

    /// The lines up to the first that begins with `start`.
    pub fn wait_for(&mut self, start: &str) -> Vec<String> {
        let deadline = Instant::now() + PATIENCE;
        let mut lines = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(line) => {
                    let found = line.starts_with(start);
                    lines.push(line);
                    if found {
                        return lines;
                    }
                }
                Err(error) => panic!("no {start:?} came ({error}); there was {lines:#?}"),
            }
        }
    }

    /// Everything that comes within `time`: to see that nothing comes.
    pub fn listen(&mut self, time: Duration) -> Vec<String> {
        let deadline = Instant::now() + time;
        let mut lines = Vec::new();
        while let Ok(line) = self
            .output
            .recv_timeout(deadline.saturating_duration_since(Instant::now()))
        {
            lines.push(line);
        }
        lines
    }

    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Waits for the end of the process.
    pub fn wait(&mut self) -> ExitStatus {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().expect("it can be waited for") {
                return status;
            }
            assert!(Instant::now() < deadline, "the program does not end");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // If a test failed half way; an ended process does not mind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

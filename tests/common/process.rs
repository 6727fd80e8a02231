//! The program as a front end sees it: a process, two pipes, and a deadline on every wait.

use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::dialogue::{Dialect, Notes, PATIENCE, Speaker};
use super::running::Running;

pub struct Process {
    running: Running,
    input: Option<ChildStdin>,
    output: Receiver<String>,
    dialect: Dialect,
    notes: Notes,
}

impl Process {
    pub fn start(dialect: Dialect) -> Process {
        Process::start_with(dialect, &[])
    }

    pub fn start_with(dialect: Dialect, arguments: &[&str]) -> Process {
        Process::spawn(
            dialect,
            Command::new(env!("CARGO_BIN_EXE_kashan")).args(arguments),
        )
    }

    /// With so much memory and no more. `ulimit` counts all that is mapped, and each thread has a
    /// stack.
    pub fn start_limited(dialect: Dialect, kilobytes: u32) -> Process {
        let limited = format!("ulimit -v {kilobytes}; exec \"$0\"");
        Process::spawn(
            dialect,
            Command::new("sh").args(["-c", &limited, env!("CARGO_BIN_EXE_kashan")]),
        )
    }

    fn spawn(dialect: Dialect, command: &mut Command) -> Process {
        let mut child = command
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
            running: Running(child),
            output,
            dialect,
            notes: Notes::default(),
        }
    }

    pub fn id(&self) -> u32 {
        self.running.0.id()
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input
            .write_all(bytes)
            .and_then(|()| input.flush())
            .expect("it reads");
    }

    /// Waits for the end of the process.
    pub fn wait(&mut self) -> ExitStatus {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.running.0.try_wait().expect("it can be waited for") {
                return status;
            }
            assert!(Instant::now() < deadline, "the program does not end");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Speaker for Process {
    fn dialect(&self) -> Dialect {
        self.dialect
    }

    fn notes(&mut self) -> &mut Notes {
        &mut self.notes
    }

    fn say(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    fn hear(&mut self, patience: Duration) -> Option<String> {
        self.output.recv_timeout(patience).ok()
    }

    /// With success.
    fn has_ended(&mut self) -> bool {
        self.wait().success()
    }

    /// `input ends`: nothing more will be said to it. `signal TERM`: it gets this signal.
    fn obey(&mut self, order: &[&str]) -> bool {
        match order {
            ["input", "ends"] => self.input = None,
            ["signal", name] => {
                let kill = Command::new("kill")
                    .args(["-s", name, &self.id().to_string()])
                    .status();
                assert!(kill.expect("kill is everywhere").success());
            }
            _ => return false,
        }
        true
    }
}

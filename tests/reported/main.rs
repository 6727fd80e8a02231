//! Reports by users of other runners, engines and libraries, tried on this program: a small
//! script for each public report, named by project and number. The content of the scripts is our
//! own.
//!
//! ```text
//! cutechess 710: a flag that falls against a lone king    The first line says what was reported.
//! # A comment.
//! file o.epd                                              A file: the lines up to a dot. \r, \0, \x1a and
//! 4k3/8/8/8/8/8/4P3/4K3 w - -                             \u{feff} stand for these characters; a \ at the
//! .                                                       end of a line for no end of the line.
//! program mute                                            The same, as a program of the shell. $KASHAN is ours.
//! > match ./mute kashan:minimax --games 2                 Our program with these words, which has to succeed;
//! >! rate games.pgn                                       which has to fail;
//! >< go depth 3; quit                                     without any, with these lines as its input.
//! $ gzip games.pgn                                        A line for the shell.
//! < 1/2-1/2                                               The last output has this in it;
//! <! inf                                                  it has not.
//! in g.pgn [TimeControl "1/0.05"]                         A file has this in it.
//! within 1                                                The last program took no more seconds than this, and a
//!                                                         few more on a busy machine;
//! lasts 0.3                                               and no fewer than this.
//! ```

#[path = "../common/mod.rs"]
mod common;

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, io::Write as _};

use common::programs::TestFolder;

/// Additional time for a busy machine.
const SLACK: Duration = Duration::from_secs(4);

/// A script while it runs.
struct Script {
    place: TestFolder,
    /// The last program's output and time.
    output: String,
    time: Duration,
}

impl Script {
    /// Does a line.
    fn step(&mut self, line: &str, block: &str) -> Result<(), String> {
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        match verb {
            "" | "#" => Ok(()),
            "file" => {
                self.place.write(rest, unescaped(block));
                Ok(())
            }
            "program" => {
                let script = block.replace("$KASHAN", env!("CARGO_BIN_EXE_kashan"));
                self.place
                    .write_script(rest, &format!("#!/bin/sh\n{script}"));
                Ok(())
            }
            ">" | ">!" => {
                let command = self.place.command(rest);
                self.run(command, "", verb == ">")
            }
            "><" => {
                let command = self.place.command("");
                self.run(command, &(unescaped(rest).replace("; ", "\n") + "\n"), true)
            }
            "$" => {
                let mut command = Command::new("sh");
                command.args(["-c", rest]).current_dir(self.place.path());
                self.run(command, "", true)
            }
            "<" | "<!" => {
                let is_there = self.output.contains(rest);
                (is_there == (verb == "<"))
                    .then_some(())
                    .ok_or(format!("it said:\n{}", self.output))
            }
            "in" => {
                let (name, text) = rest.split_once(' ').ok_or("in which file?")?;
                let content = self.place.read(name);
                content
                    .contains(text)
                    .then_some(())
                    .ok_or(format!("{name} has:\n{content}"))
            }
            "lasts" => {
                let least = rest
                    .parse()
                    .map(Duration::from_secs_f64)
                    .map_err(|_| "how many seconds?")?;
                (self.time >= least)
                    .then_some(())
                    .ok_or(format!("it took {:?}:\n{}", self.time, self.output))
            }
            "within" => {
                let most =
                    Duration::from_secs(rest.parse().map_err(|_| "how many seconds?")?) + SLACK;
                (self.time <= most)
                    .then_some(())
                    .ok_or(format!("it took {:?}:\n{}", self.time, self.output))
            }
            _ => Err("nobody knows what this means".to_owned()),
        }
    }

    fn run(&mut self, mut command: Command, input: &str, succeeds: bool) -> Result<(), String> {
        let begun = Instant::now();
        let pipes = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = pipes.spawn().map_err(|error| error.to_string())?;
        // A program that ends at once reads nothing.
        let _ = child
            .stdin
            .take()
            .expect("it is piped")
            .write_all(input.as_bytes());
        let output = child
            .wait_with_output()
            .map_err(|error| error.to_string())?;
        self.time = begun.elapsed();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        self.output = text(&output.stdout) + &text(&output.stderr);
        (succeeds == output.status.success())
            .then_some(())
            .ok_or(format!("{}:\n{}", output.status, self.output))
    }
}

/// The characters that stand for themselves badly.
fn unescaped(text: &str) -> String {
    let text = text
        .replace("\\\n", "")
        .replace("\\r", "\r")
        .replace("\\0", "\0")
        .replace("\\x1a", "\x1a");
    text.replace("\\u{feff}", "\u{feff}")
}

/// Runs a script, whose lines after the first are steps.
fn run(text: &str) -> Result<(), String> {
    let mut script = Script {
        place: TestFolder::new(),
        output: String::new(),
        time: Duration::ZERO,
    };
    let mut lines = text.lines().skip(1);
    while let Some(line) = lines.next() {
        let is_block = ["file ", "program "]
            .iter()
            .any(|verb| line.starts_with(verb));
        let block: Vec<&str> = match is_block {
            true => lines.by_ref().take_while(|line| *line != ".").collect(),
            false => Vec::new(),
        };
        script
            .step(line, &(block.join("\n") + "\n"))
            .map_err(|problem| format!("`{line}`: {problem}"))?;
    }
    Ok(())
}

/// Some scripts wait for a clock.
#[test]
#[cfg(unix)]
fn what_was_reported_elsewhere_is_right_here() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/reported");
    let entries = fs::read_dir(folder).expect("the scripts are there");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut scripts: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|end| end == "txt"))
        .collect();
    scripts.sort();
    assert!(scripts.len() > 20, "{scripts:?}");
    let mut faults = Vec::new();
    for path in scripts {
        let name = path
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let text = fs::read_to_string(&path).expect("text");
        let (source, _) = text.split_once(':').expect("it is said what was reported");
        assert!(
            name.starts_with(&source.replace(' ', "-")),
            "{name} is of {source}"
        );
        if let Err(fault) = run(&text) {
            faults.push(format!("{name}: {fault}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

//! Programs that users have, if they are installed. See the top of `tests/real/main.rs`.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use kashan::arena::spec::split_command;
use serde_json::Value;

/// Debian's folder of games, which is not in everybody's path.
const MORE_PLACES: &str = "/usr/games";

pub fn path_with_games() -> std::ffi::OsString {
    let path = env::var_os("PATH").unwrap_or_default();
    let places = env::split_paths(&path).chain([PathBuf::from(MORE_PLACES)]);
    env::join_paths(places).unwrap_or(path)
}

fn is_set(variable: &str) -> bool {
    env::var(variable).is_ok_and(|value| value == "1")
}

/// The path of a program. With `KASHAN_WITHOUT_REAL_PROGRAMS=1` none is installed, as on a machine
/// with Rust and no more.
pub fn find(program: &str) -> Option<PathBuf> {
    if is_set("KASHAN_WITHOUT_REAL_PROGRAMS") {
        return None;
    }
    kashan::util::system::find_program(Path::new(program), &path_with_games(), Path::new("."))
}

/// Returns true if an optional program is installed.
pub fn is_installed(program: &str) -> bool {
    let there = find(program).is_some();
    if !there {
        eprintln!("SKIPPED: {program} is not installed");
    }
    there
}

/// Returns true if all programs are installed. If not, the test is skipped with a message, or fails
/// where nothing may be skipped.
pub fn have(programs: &[&str]) -> bool {
    let missing: Vec<&&str> = programs
        .iter()
        .filter(|program| find(program).is_none())
        .collect();
    if missing.is_empty() {
        return true;
    }
    skip(&format!("{missing:?} not installed"))
}

fn skip(why: &str) -> bool {
    assert!(!is_set("KASHAN_REQUIRE_REAL_PROGRAMS"), "{why}");
    eprintln!("SKIPPED: {why}");
    false
}

pub fn have_python_chess() -> bool {
    have_python_package("chess", "chess.engine")
}

pub fn have_selenium() -> bool {
    have_python_package("selenium", "selenium.webdriver")
}

fn have_python_package(name: &str, module: &str) -> bool {
    have(&["python3"])
        && (run(Command::new("python3").args(["-c", &format!("import {module}")]))
            .status
            .success()
            || skip(&format!("the Python package {name} is not installed")))
}

/// One match at a time: engines that fight for the processor lose on time, and not only ours.
pub fn one_at_a_time() -> MutexGuard<'static, ()> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The number of losses on time that end a test with several tries.
pub const LOSSES_ON_TIME: usize = 3;

/// The same for faults of other programs: Fairy-Max 5.0b crashed in 6 matches of 21.
pub const FAULTS_OF_OTHERS: usize = 12;

/// The reason for another try.
pub enum Spoiled {
    /// A loss on time: a stall of the machine, unless it happens each time.
    ByTime(String),
    /// A fault of somebody else's program.
    ByOthers(String),
}

/// Tries until it succeeds. Each failure is told; after too many losses on time the test fails,
/// after too many faults of somebody else's program it is skipped.
pub fn try_again(mut play: impl FnMut() -> Result<(), Spoiled>) {
    let (mut losses, mut faults) = (0, 0);
    while let Err(spoiled) = play() {
        match spoiled {
            Spoiled::ByTime(why) => {
                losses += 1;
                eprintln!("LOSS ON TIME {losses} OF {LOSSES_ON_TIME}: {why}");
                assert!(losses < LOSSES_ON_TIME, "{why}");
            }
            Spoiled::ByOthers(why) => {
                faults += 1;
                eprintln!("FAULT {faults} OF {FAULTS_OF_OTHERS} IN ANOTHER PROGRAM: {why}");
                if faults == FAULTS_OF_OTHERS {
                    skip(&why);
                    return;
                }
            }
        }
    }
}

/// A script of `tests/python`, with what it needs. It has to succeed.
pub fn run_python(arguments: &[&str]) {
    let [script_name, arguments @ ..] = arguments else {
        panic!("which script?");
    };
    let mut command = Command::new("timeout");
    command
        .args(["-k", "5", "1800", "python3"])
        .arg(script(script_name))
        .args(arguments);
    let output = run(&mut command);
    assert!(output.status.success(), "{}", text(&output));
    println!("{}", text(&output).trim());
}

pub fn run(command: &mut Command) -> Output {
    let _alone = one_at_a_time();
    command
        .env("PATH", path_with_games())
        .output()
        .expect("it starts")
}

/// The output of a command with this input.
pub fn feed(command: &mut Command, input: &str) -> Output {
    let command = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("it runs");
    // It may have refused and ended before it reads.
    let _ = child
        .stdin
        .take()
        .expect("it is piped")
        .write_all(input.as_bytes());
    child.wait_with_output().expect("it ends")
}

pub fn text(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

pub fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/python")
        .join(name)
}

/// A file of the repository, by its path there.
pub fn source(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(name)
        .display()
        .to_string()
}

/// Files with this ending in a folder of the repository and in the folders below, in their order.
pub fn files_below(folder: &str, ending: &str) -> Vec<PathBuf> {
    let mut folders = vec![PathBuf::from(folder)];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of the repository") {
            let path = entry.expect("it can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|other| other == ending) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// The first positions of one of our suites, a line each.
pub fn first_of_suite(name: &str, count: usize) -> String {
    let text = fs::read_to_string(source(&format!("tests/suites/{name}"))).expect("our suite");
    let lines = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .take(count);
    lines.map(|line| format!("{line}\n")).collect()
}

/// A text has all of these parts.
#[track_caller]
pub fn has_all(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no {part} in\n{text}");
    }
}

/// A folder of a test's own, in which our program is started, with everything else where it
/// belongs. Its command lines are words, some of which may stand in quotation marks.
pub struct TestFolder(tempfile::TempDir);

impl TestFolder {
    pub fn new() -> TestFolder {
        TestFolder(tempfile::tempdir().expect("a folder"))
    }

    /// With these files.
    pub fn with(files: &[(&str, &str)]) -> TestFolder {
        let place = TestFolder::new();
        files
            .iter()
            .for_each(|(name, content)| place.write(name, content));
        place
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.file(name), content).expect("written");
    }

    #[track_caller]
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.file(name)).expect(name)
    }

    /// The content of each file of a folder, by name, without those of folders in it. A missing
    /// folder has none.
    pub fn files(&self, folder: &str) -> BTreeMap<String, String> {
        let entries = fs::read_dir(self.file(folder)).into_iter().flatten();
        let paths = entries
            .map(|entry| entry.expect("an entry").path())
            .filter(|path| path.is_file());
        let name = |path: &Path| {
            path.file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned()
        };
        paths
            .map(|path| (name(&path), fs::read_to_string(&path).expect("text")))
            .collect()
    }

    /// A program of text that can be started. Its path.
    #[cfg(unix)]
    pub fn write_script(&self, name: &str, script: &str) -> String {
        use std::os::unix::fs::PermissionsExt as _;
        self.write(name, script);
        fs::set_permissions(self.file(name), fs::Permissions::from_mode(0o755))
            .expect("made executable");
        self.file(name).display().to_string()
    }

    /// Our program with these words. As in the shell of somebody who writes programs in Rust; no
    /// error of a user has a stack trace for that.
    pub fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kashan"));
        command
            .current_dir(self.path())
            .env("RUST_BACKTRACE", "1")
            .env("PATH", path_with_games());
        command.args(split_command(line).expect("quotation marks come in pairs"));
        command
    }

    /// Runs a command. Returns its success, its output and its errors.
    pub fn run(&self, line: &str) -> (bool, String, String) {
        self.run_with(line, "")
    }

    /// The same of a command that reads this.
    pub fn run_with(&self, line: &str, input: &str) -> (bool, String, String) {
        let output = feed(&mut self.command(line), input);
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        (
            output.status.success(),
            text(output.stdout),
            text(output.stderr),
        )
    }

    /// The output and the errors of a command. The command must succeed.
    #[track_caller]
    pub fn says(&self, line: &str) -> (String, String) {
        let (fine, text, errors) = self.run(line);
        assert!(fine, "{line}: {text}{errors}");
        (text, errors)
    }

    #[track_caller]
    pub fn prints(&self, line: &str) -> String {
        self.says(line).0
    }

    #[track_caller]
    pub fn json(&self, line: &str) -> Value {
        serde_json::from_str(&self.prints(line)).expect("JSON")
    }

    /// The errors of a command that has to fail.
    #[track_caller]
    pub fn fails(&self, line: &str) -> String {
        let (fine, text, errors) = self.run(line);
        assert!(!fine, "{line}: {text}{errors}");
        errors
    }

    /// A command that has to fail without an answer. Its errors say all parts of `why`.
    #[track_caller]
    pub fn refuses(&self, command: &str, why: &[&str]) {
        let (fine, text, errors) = self.run(command);
        let is_said = why.iter().all(|part| errors.contains(part));
        assert!(
            !fine && text.is_empty() && is_said,
            "{command}: {text}{errors} has not all of {why:?}"
        );
    }
}

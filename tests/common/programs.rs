//! Programs that users have, if they are installed. See the top of `tests/real/main.rs`.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, MutexGuard, PoisonError};

use kashan::arena::config::split_command;

/// Where Debian puts games, which is not in everybody's path.
const MORE_PLACES: &str = "/usr/games";

pub fn path_with_games() -> std::ffi::OsString {
    let path = env::var_os("PATH").unwrap_or_default();
    let places = env::split_paths(&path).chain([PathBuf::from(MORE_PLACES)]);
    env::join_paths(places).unwrap_or(path)
}

fn is_set(variable: &str) -> bool {
    env::var(variable).is_ok_and(|value| value == "1")
}

/// Where a program is. With `KASHAN_WITHOUT_REAL_PROGRAMS=1` nothing is installed, as on a machine that has
/// Rust and no more.
pub fn find(program: &str) -> Option<PathBuf> {
    if is_set("KASHAN_WITHOUT_REAL_PROGRAMS") {
        return None;
    }
    which::which_in(program, Some(path_with_games()), ".").ok()
}

/// Whether a program is there that may always be missing.
pub fn is_installed(program: &str) -> bool {
    let there = find(program).is_some();
    if !there {
        eprintln!("SKIPPED: {program} is not installed");
    }
    there
}

/// Whether all programs are there. If not, the test is skipped with a message, or fails where nothing may be
/// skipped.
pub fn have(programs: &[&str]) -> bool {
    let missing: Vec<&&str> = programs.iter().filter(|program| find(program).is_none()).collect();
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
        && (run(Command::new("python3").args(["-c", &format!("import {module}")])).status.success()
            || skip(&format!("the Python package {name} is not installed")))
}

/// One match at a time: engines that fight for the processor lose on time, and not only ours.
pub fn one_at_a_time() -> MutexGuard<'static, ()> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How often something is tried that the machine or the program of somebody else may spoil.
pub const TRIES: usize = 3;

/// Why something is tried again.
pub enum Spoiled {
    /// A loss on time: a stall of the machine, unless it happens each time.
    ByTime(String),
    /// A fault of somebody else's program.
    ByOthers(String),
}

/// Tries until it succeeds. Each failure is told; if the last is the fault of somebody else's program, the
/// test is skipped.
pub fn try_again(mut play: impl FnMut() -> Result<(), Spoiled>) {
    for number in 1..=TRIES {
        let Err(spoiled) = play() else {
            return;
        };
        let (Spoiled::ByTime(why) | Spoiled::ByOthers(why)) = &spoiled;
        eprintln!("TRY {number} OF {TRIES}: {why}");
        match spoiled {
            _ if number < TRIES => {}
            Spoiled::ByTime(why) => panic!("{TRIES} times in a row, at last: {why}"),
            Spoiled::ByOthers(why) => _ = skip(&why),
        }
    }
}

/// A script of `tests/python`, with what it needs. It has to succeed.
pub fn run_python(arguments: &[&str]) {
    let [script_name, arguments @ ..] = arguments else {
        panic!("which script?");
    };
    let mut command = Command::new("timeout");
    command.args(["-k", "5", "1800", "python3"]).arg(script(script_name)).args(arguments);
    let output = run(&mut command);
    assert!(output.status.success(), "{}", text(&output));
    println!("{}", text(&output).trim());
}

pub fn run(command: &mut Command) -> Output {
    let _alone = one_at_a_time();
    command.env("PATH", path_with_games()).output().expect("it starts")
}

pub fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

pub fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python").join(name)
}

/// Our own program, started in `folder` with everything else where it belongs: whether it succeeded, what it
/// printed, and its errors. As in the shell of somebody who writes programs in Rust; no error of a user has a
/// stack trace for that.
pub fn kashan(folder: &Path, arguments: &[&str]) -> (bool, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_kashan"))
        .current_dir(folder)
        .env("RUST_BACKTRACE", "1")
        .env("PATH", path_with_games())
        .args(arguments)
        .output()
        .expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.success(), text(output.stdout), text(output.stderr))
}

/// The same of a line of words, some of which may stand in quotation marks.
pub fn kashan_line(folder: &Path, line: &str) -> (bool, String, String) {
    let words = split_command(line).expect("quotation marks come in pairs");
    kashan(folder, &words.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The same of a line that has to succeed: what it printed.
#[track_caller]
pub fn prints_line(folder: &Path, line: &str) -> String {
    let (fine, text, errors) = kashan_line(folder, line);
    assert!(fine, "{line}: {text}{errors}");
    text
}

/// The same of words: what it printed.
#[track_caller]
pub fn prints(folder: &Path, arguments: &[&str]) -> String {
    let (fine, text, errors) = kashan(folder, arguments);
    assert!(fine, "{arguments:?}: {text}{errors}");
    text
}

/// Commands that have to fail without an answer, a line each; behind ` | ` what their errors say, all parts
/// of it with ` & ` between them.
#[track_caller]
pub fn refuses_each(folder: &Path, commands: &str) {
    for line in commands.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (command, why) = line.rsplit_once(" | ").expect("it is said why");
        let (fine, text, errors) = kashan_line(folder, command);
        let is_said = why.split(" & ").all(|part| errors.contains(part));
        assert!(!fine && text.is_empty() && is_said, "{line}: {text}{errors}");
    }
}

/// The same of one: its errors.
#[track_caller]
pub fn refuses(folder: &Path, arguments: &[&str], why: &str) -> String {
    let (fine, text, errors) = kashan(folder, arguments);
    assert!(!fine && text.is_empty() && errors.contains(why), "{arguments:?}: {text}{errors}");
    errors
}

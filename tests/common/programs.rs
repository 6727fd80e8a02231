//! Programs that users have, if they are installed. See the top of `real_programs.rs`.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, PoisonError};

/// Where Debian puts games, which is not in everybody's path.
const MORE_PLACES: &str = "/usr/games";

pub fn path_with_games() -> std::ffi::OsString {
    let path = env::var_os("PATH").unwrap_or_default();
    let places = env::split_paths(&path).chain([PathBuf::from(MORE_PLACES)]);
    env::join_paths(places).unwrap_or(path)
}

fn is_installed(program: &str) -> bool {
    env::split_paths(&path_with_games()).any(|place| place.join(program).is_file())
}

/// Whether all programs are there. If not, the test is skipped with a message, or fails where nothing may be skipped.
pub fn have(programs: &[&str]) -> bool {
    let missing: Vec<&&str> = programs.iter().filter(|program| !is_installed(program)).collect();
    if missing.is_empty() {
        return true;
    }
    skip(&format!("{missing:?} not installed"))
}

fn skip(why: &str) -> bool {
    let required = env::var("KASHAN_REQUIRE_REAL_PROGRAMS").is_ok_and(|value| value == "1");
    assert!(!required, "{why}");
    eprintln!("SKIPPED: {why}");
    false
}

pub fn have_python_chess() -> bool {
    have(&["python3"])
        && (run(Command::new("python3").args(["-c", "import chess.engine"]))
            .status
            .success()
            || skip("the Python package chess is not installed"))
}

/// One match at a time: engines that fight for the processor lose on time, and not only ours.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

pub fn run(command: &mut Command) -> Output {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    command
        .env("PATH", path_with_games())
        .output()
        .expect("it starts")
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

/// Our own program, started in `folder` with everything else where it belongs: whether it succeeded, what it printed, and its errors.
pub fn kashan(folder: &Path, arguments: &[&str]) -> (bool, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_kashan"))
        .current_dir(folder)
        .env("RUST_BACKTRACE", "0")
        .env("PATH", path_with_games())
        .args(arguments)
        .output()
        .expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.success(), text(output.stdout), text(output.stderr))
}

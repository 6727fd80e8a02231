//! The commands as users start them: each is a process, with files in and out.

#[path = "../common/mod.rs"]
mod common;

mod blunders;
mod book;
mod check;
mod developer;
mod experiment;
mod experiment_claims;
mod explain;
mod files;
mod library;
mod machines;
mod manual;
mod mates;
mod rate;
mod running;
mod searches;
mod solve;
mod suites;
mod testers;
mod tournament;
mod tune;
mod verdicts;

/// A program that speaks UCI, and does this when it has to think. Its path.
#[cfg(unix)]
fn uci_engine(place: &common::programs::TestFolder, name: &str, thinks: &str) -> String {
    let begins =
        "#!/bin/sh\nwhile read word rest; do case $word in uci) echo uciok;; isready) echo readyok";
    place.write_script(
        name,
        &format!("{begins};; go) {thinks};; quit) exit 0;; esac; done\n"),
    )
}

/// Waits until something is so, but not for ever.
#[cfg(unix)]
#[track_caller]
fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = std::time::Instant::now();
    while !is_so() {
        assert!(
            begun.elapsed() < common::dialogue::PATIENCE,
            "{what}: it does not come to pass"
        );
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

/// The values of the lines.
fn json_lines(text: &str) -> Vec<serde_json::Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

//! The memory that the program really has, as Linux counts it: what `Hash` allows and 30 MB more, after any
//! sequence of commands.

use std::fs;

use crate::common::dialogue::{Dialect, Speaker};
use crate::common::process::Process;

/// For the program itself: its code, books, threads and the tables that do not grow.
const PROGRAM: usize = 30;

/// The megabytes of the process that are in memory.
fn resident(process: &Process) -> usize {
    let status = fs::read_to_string(format!("/proc/{}/status", process.id())).expect("it runs");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok());
    kilobytes.expect("the system counts it") / 1024
}

#[test]
fn tables_that_are_resized_or_dropped_give_their_memory_back() {
    let mut process = Process::start(Dialect::Uci);
    process.holds(
        "skip *
         > uci; setoption name OwnBook value false",
    );
    let mut said = String::new();
    // Sizes that the allocator would keep once one of them was freed, and some that it would not.
    for hash in [16, 20, 24, 16, 31, 8, 128, 16] {
        for backend in ["alphabeta", "genetic", "alphabeta", "minimax"] {
            process.call("hash", &hash.to_string()).call("backend", backend).holds(
                "> setoption name Hash value $hash; setoption name Backend value $backend
                 > setoption name Seed value $hash; ucinewgame
                 <<
                 > go nodes 2000
                 .. bestmove *",
            );
            let megabytes = resident(&process);
            said += &format!("{hash} MB, {backend}: {megabytes} MB\n");
            assert!(megabytes <= hash + PROGRAM, "{said}");
        }
    }
    process.holds("> quit\nends");
}

/// Where there is less than a tree asks for at least, a smaller one has to do. `ulimit` counts everything
/// that is mapped.
#[test]
fn a_tree_takes_what_there_is() {
    use std::io::{BufRead as _, BufReader, Read as _, Write as _};
    use std::process::{Command, Stdio};
    const LINES: &[u8] =
        b"uci\nsetoption name OwnBook value false\nsetoption name Hash value 1\ngo nodes 2000\n";
    let mut answers = 0;
    for kilobytes in (90_000..=190_000).step_by(10_000) {
        let limited = format!("ulimit -v {kilobytes}; exec \"$0\"");
        let mut child = Command::new("sh")
            .args(["-c", &limited, env!("CARGO_BIN_EXE_kashan")])
            // To write a backtrace takes memory; where that fails, Rust waits for itself.
            .env("RUST_BACKTRACE", "0")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("a shell");
        let mut input = child.stdin.take().expect("it is piped");
        // It may be too little for the program to start at all; then there is nobody to read this.
        let _ = input.write_all(LINES);
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut lines = output.lines().map_while(Result::ok);
        answers += usize::from(lines.any(|line| line.starts_with("bestmove")));
        drop(input);
        let mut complaint = String::new();
        let errors = child.stderr.as_mut().expect("it is piped");
        let _ = errors.read_to_string(&mut complaint);
        let status = child.wait().expect("it ends");
        // Where next to nothing is left nothing helps; but whatever is larger than the histories of a worker,
        // 1.2 MB, is asked for with care.
        let failed = complaint.split("memory allocation of ").nth(1);
        let bytes = failed.and_then(|rest| rest.split(' ').next()?.parse::<usize>().ok());
        assert!(bytes.unwrap_or(0) < 5 << 18, "{kilobytes}: {status}: {complaint}");
    }
    assert!(answers > 0, "most of these limits leave room for the program");
}

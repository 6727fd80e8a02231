//! The memory that the program really has, as Linux counts it: what `Hash` allows and 30 MB more, after any sequence of commands.
#![cfg(target_os = "linux")]

mod common;

use std::fs;

use common::process::Process;

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
    let mut process = Process::start(&[]);
    process.send("uci\nsetoption name OwnBook value false");
    let mut said = String::new();
    // Sizes that the allocator would keep once one of them was freed, and some that it would not.
    for hash in [16, 20, 24, 16, 31, 8, 128, 16] {
        for backend in ["alphabeta", "genetic", "alphabeta", "minimax"] {
            let change = format!(
                "setoption name Hash value {hash}\nsetoption name Backend value {backend}\n\
                 setoption name Seed value {hash}\nucinewgame\nisready"
            );
            process.send(&change);
            process.wait_for("readyok");
            process.send("go nodes 2000");
            process.wait_for("bestmove");
            let megabytes = resident(&process);
            said += &format!("{hash} MB, {backend}: {megabytes} MB\n");
            assert!(megabytes <= hash + PROGRAM, "{said}");
        }
    }
    process.send("quit");
    assert!(process.wait().success());
}

#[test]
fn the_same_holds_in_the_xboard_protocol() {
    let mut process = Process::start(&[]);
    process.send("xboard\nprotover 2\noption OwnBook=0\nnew\nforce\nst 0.01");
    for (token, megabytes) in [16, 22, 16, 30, 12, 100, 16].into_iter().enumerate() {
        for backend in ["genetic", "alphabeta"] {
            process.send(&format!(
                "memory {megabytes}\noption Backend={backend}\nnew\nusermove e2e4\nping {token}"
            ));
            process.wait_for(&format!("pong {token}"));
            let resident = resident(&process);
            assert!(
                resident <= megabytes + PROGRAM,
                "{megabytes} MB, {backend}: {resident} MB"
            );
        }
    }
    process.send("quit");
    assert!(process.wait().success());
}

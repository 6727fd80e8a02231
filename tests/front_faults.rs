//! Faults of the front ends that were found from outside: each test failed before its fault was mended.

mod common;

use common::uci_rig::{UciRig, best_moves};
#[cfg(unix)]
use {
    common::process::Process,
    nix::sys::signal::{Signal, kill},
    nix::unistd::Pid,
};

#[test]
fn every_go_is_answered_by_one_bestmove_whatever_its_numbers_are() {
    for (line, named) in [
        ("go depth x", "depth x"),
        ("go nodes -5", "nodes -5"),
        ("go movetime 1e2", "movetime 1e2"),
        ("go wtime soon btime 1000", "wtime soon"),
        ("go depth", "depth"),
    ] {
        let mut rig = UciRig::new();
        // Without its limit it is a plain `go`, which may think until `stop`.
        rig.fake.wait(true);
        rig.send(line);
        let complaint = format!("info string go: \"{named}\" has no number and is ignored");
        assert_eq!(rig.lines().first(), Some(&complaint), "{line}");
        rig.send("stop");
        let mut lines = rig.wait_for("bestmove ");
        rig.send("stop\nisready");
        lines.extend(rig.wait_for("readyok"));
        assert_eq!(best_moves(&lines).len(), 1, "{line}: {lines:?}");
    }
    // What can be read still counts.
    let mut rig = UciRig::new();
    rig.best_move("go depth 4 nodes many");
    let limits = rig.fake.last_search().limits;
    assert_eq!((limits.depth, limits.nodes), (Some(4), None));
}

#[cfg(unix)]
fn signal(process: &Process, signal: Signal) {
    let id = i32::try_from(process.id()).expect("a process id");
    kill(Pid::from_raw(id), signal).expect("it runs");
}

#[cfg(unix)]
#[test]
fn a_front_end_that_rejects_sigint_may_interrupt_a_game() {
    let mut process = Process::start(&[]);
    process.send("xboard\nprotover 2\nrejected sigint\noption OwnBook=0\nnew\nping 0");
    process.wait_for("pong 0");
    process.send("st 60\ngo");
    for token in 1..=3 {
        signal(&process, Signal::SIGINT);
        process.send(&format!("force\nping {token}"));
        process.wait_for(&format!("pong {token}"));
    }
    signal(&process, Signal::SIGTERM);
    assert!(process.wait().success());
}

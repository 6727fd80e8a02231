//! Faults of the front ends that were found from outside: each test failed before its fault was mended.

mod common;

use common::rig::Rig;
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

const SHUFFLE: [&str; 7] = ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"];
const CLAIM: &str = "1/2-1/2 {Draw by repetition}";

/// One half-move before the third occurrence of the start position, Black to move.
fn about_to_repeat(rig: &mut Rig) {
    rig.ask("new\nforce");
    for mv in SHUFFLE {
        rig.ask(&format!("usermove {mv}"));
    }
}

#[test]
fn after_a_draw_claim_the_engine_does_not_move_until_the_front_end_goes_on() {
    let mut rig = Rig::new();
    about_to_repeat(&mut rig);
    rig.ask("playother");
    assert_eq!(rig.ask("usermove f6g8"), [CLAIM]);
    assert_eq!(rig.ask("hard\n?\npost\nnopost"), [""; 0], "the result stands");
    // The front end goes on with the game: the engine plays, and does not claim the same again.
    rig.fake.play(&["g1f3", "f3g1", "g1f3"]);
    assert_eq!(rig.ask("easy\ngo"), ["move g1f3"]);
    assert_eq!(rig.ask("usermove g8f6"), ["move f3g1"]);
    assert_eq!(rig.ask("usermove f6g8"), ["move g1f3"]);
    // That was one game; in the next one draws are claimed again.
    about_to_repeat(&mut rig);
    rig.ask("playother");
    assert_eq!(rig.ask("usermove f6g8"), [CLAIM]);
}

#[test]
fn a_draw_that_the_engine_completed_is_claimed_once() {
    let mut rig = Rig::new();
    about_to_repeat(&mut rig);
    rig.fake.play(&["f6g8", "g8f6"]);
    assert_eq!(rig.ask("go"), ["offer draw", "move f6g8", CLAIM]);
    assert_eq!(rig.ask("?\nhard"), [""; 0]);
    assert_eq!(rig.ask("easy\nusermove g1f3"), ["move g8f6"]);
    rig.ask("force\nsetboard 8/8/4k3/8/8/4K3/4R3/8 w - - 101 80");
    rig.fake.play(&["e3d3"]);
    assert_eq!(rig.ask("go"), ["move e3d3"], "the front end asks for a move");
    // Mate ends a game in which draws do not count.
    rig.ask("force\nsetboard 6k1/5ppp/8/8/8/8/8/4R2K w - - 120 80");
    rig.fake.play(&["e1e8"]);
    assert_eq!(rig.ask("go"), ["move e1e8", "1-0 {White mates}"]);
}

//! The real program as a process: pipes, line ends, signals, the end of input; and each backend with a real clock.

mod common;

use std::time::{Duration, Instant};

use common::process::Process;
use common::rig::{any, moves};

const HANDSHAKE: &str = "xboard\nprotover 2\noption OwnBook=0\nnew";

fn talking(backend: &str) -> Process {
    let mut process = Process::start(&[]);
    process.send(HANDSHAKE);
    process.send(&format!("option Backend={backend}\nping 0"));
    process.wait_for("pong 0");
    process
}

#[test]
fn it_is_silent_until_spoken_to_and_ends_with_quit() {
    let mut process = Process::start(&[]);
    assert_eq!(process.listen(Duration::from_millis(300)), [""; 0]);
    process.send("xboard\nprotover 2");
    assert_eq!(process.wait_for("feature done=1")[0], "feature done=0");
    process.send("quit");
    assert!(process.wait().success());
}

// Mistake 17.

#[test]
fn m17_the_end_of_input_is_as_good_as_quit() {
    for busy in ["", "hard\nusermove e2e4", "st 60\ngo", "analyze", "pause", "edit"] {
        let mut process = talking("genetic");
        process.send(busy);
        process.close_input();
        assert!(process.wait().success(), "after {busy:?}");
    }
}

#[test]
fn m17_quit_while_thinking_is_immediate() {
    let mut process = talking("alphabeta");
    process.send("st 60\ngo");
    let asked = Instant::now();
    process.send("quit");
    assert!(process.wait().success());
    assert!(asked.elapsed() < Duration::from_secs(10));
}

#[test]
fn m17_windows_line_ends_and_bytes_that_are_no_text() {
    let mut process = Process::start(&[]);
    process.send_bytes(b"xboard\r\nprotover 2\r\noption OwnBook=0\r\nnew\r\nst 0.05\r\n");
    process.send_bytes(b"\xff\xfe\x00garbage\xc3\r\n\r\nusermove e2e4\r\nping 1\r\n");
    let lines = process.wait_for("pong 1");
    assert!(any(&lines, "Error (unknown command)"));
    assert_eq!(moves(&lines).len(), 1, "{lines:?}");
    process.send_bytes(b"quit"); // without a line end
    process.close_input();
    assert!(process.wait().success());
}

#[cfg(unix)]
#[test]
fn m17_signals_end_it_cleanly_but_an_old_front_end_may_send_sigint() {
    let signal = |process: &Process, name: &str| {
        let status = std::process::Command::new("kill")
            .args(["-s", name, &process.id().to_string()])
            .status()
            .expect("kill is everywhere");
        assert!(status.success());
    };
    for name in ["INT", "TERM"] {
        let mut process = talking("genetic");
        process.send("st 60\ngo");
        signal(&process, name);
        assert!(process.wait().success(), "SIG{name} is no crash");
    }
    // Protocol 1: a signal before almost every command, only to get attention.
    let mut process = Process::start(&[]);
    process.send("xboard\nnew\nst 0.05\nping 1");
    process.wait_for("pong 1");
    signal(&process, "INT");
    process.send("e2e4");
    process.wait_for("move ");
    process.send("quit");
    assert!(process.wait().success());
}

#[test]
fn nothing_spins_while_there_is_nothing_to_do() {
    let mut process = talking("genetic");
    // The time the process used so far, and after a while of silence: /proc is only on Linux, elsewhere this is not looked at.
    let used = |process: &Process| -> Option<u64> {
        let text = std::fs::read_to_string(format!("/proc/{}/stat", process.id())).ok()?;
        let fields: Vec<&str> = text.rsplit(')').next()?.split_whitespace().collect();
        Some(fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?)
    };
    let before = used(&process);
    process.listen(Duration::from_millis(500));
    if let (Some(before), Some(after)) = (before, used(&process)) {
        assert!(
            after - before <= 5,
            "{} hundredths of a second of CPU time in half a second",
            after - before
        );
    }
}

#[test]
fn every_backend_plays_a_game_against_itself_on_a_short_clock() {
    for backend in ["genetic", "alphabeta", "minimax"] {
        let mut white = talking(backend);
        let mut black = talking(backend);
        white.send("level 0 0:03 0.02\npost\ngo");
        black.send("level 0 0:03 0.02\npost");
        let mut players = [white, black];
        let mut half_moves = 0;
        'game: while half_moves < 60 {
            let lines = players[half_moves % 2].wait_for("move ");
            assert!(
                !any(&lines, "Illegal") && !any(&lines, "Error"),
                "{backend}: {lines:?}"
            );
            let mv = moves(&lines)[0].to_owned();
            half_moves += 1;
            players[half_moves % 2].send(&format!("usermove {mv}\nping {half_moves}"));
            // A claim can come before the pong; the game may be over for both.
            players[(half_moves + 1) % 2].send(&format!("ping {half_moves}"));
            let lines = players[(half_moves + 1) % 2].wait_for("pong");
            if ["1-0", "0-1", "1/2"].iter().any(|result| any(&lines, result)) {
                break 'game;
            }
        }
        assert!(half_moves > 3, "{backend}");
        for player in &mut players {
            player.send("force\nquit");
            assert!(player.wait().success());
        }
    }
}

#[test]
fn move_now_is_obeyed_at_once_by_every_backend() {
    for backend in ["genetic", "alphabeta", "minimax"] {
        let mut process = talking(backend);
        process.send("option MinMaxDepth=20\nst 600\ngo\n?\nping 1");
        let lines = process.wait_for("pong 1");
        assert_eq!(moves(&lines).len(), 1, "{backend}: {lines:?}");
    }
}

#[test]
fn every_backend_analyses_with_exclusions_and_status() {
    for backend in ["genetic", "alphabeta", "minimax"] {
        let mut process = talking(backend);
        process.send("exclude all\ninclude a2a3\ninclude h2h3\npost\nanalyze");
        process.send("ping 1");
        let mut lines = process.wait_for("pong 1");
        lines.extend(process.listen(Duration::from_millis(300)));
        process.send(".\nexit\nping 2");
        lines.extend(process.wait_for("pong 2"));
        assert!(any(&lines, "stat01: "), "{backend}");
        assert_eq!(moves(&lines), [""; 0], "{backend}");
        for line in lines.iter().filter(|line| line.contains('\t')) {
            assert!(
                line.contains("\ta3") || line.contains("\th3"),
                "{backend}: {line}"
            );
        }
    }
}

#[test]
fn the_book_is_used_and_can_be_switched_off() {
    let mut process = Process::start(&[]);
    process.send("xboard\nprotover 2\nnew\nst 60\npost\nusermove e2e4\nping 1");
    let lines = process.wait_for("pong 1");
    assert_eq!(moves(&lines).len(), 1);
    assert!(any(&lines, "0 0 0 0 ("), "{lines:?}");
    process.send("new\nbk\noption BookFile=no/such/book.bin\nping 2");
    let lines = process.wait_for("pong 2");
    assert!(lines.iter().any(|line| line.starts_with(" e4 ")), "{lines:?}");
    let error = lines
        .iter()
        .find(|line| line.starts_with("Error ("))
        .expect("the book is not there");
    assert!(
        error.contains("no/such/book.bin") && !error.to_lowercase().contains("no such file"),
        "{error}"
    );
    process.send("option OwnBook=0\nnew\nst 0.05\nusermove e2e4\nping 3");
    assert!(!any(&process.wait_for("pong 3"), "0 0 0 0 ("));
}

#[cfg(unix)]
#[test]
fn m17_sigterm_ends_it_for_an_old_front_end_too() {
    let mut process = Process::start(&[]);
    process.send("xboard\nnew\nst 60\ngo\nhint\nbk");
    process.wait_for(" ");
    let status = std::process::Command::new("kill")
        .args(["-s", "TERM", &process.id().to_string()])
        .status()
        .expect("kill is everywhere");
    assert!(status.success());
    assert!(process.wait().success());
}

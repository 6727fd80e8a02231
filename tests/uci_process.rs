//! The real program as a UCI engine: the first line decides, pipes, line ends, the end of input; and each backend with a real clock.

mod common;

use std::time::{Duration, Instant};

use common::process::Process;
use common::rig::any;
use kashan::position::{Position, moves::coordinate};

fn talking(backend: &str) -> Process {
    let mut process = Process::start(&[]);
    process.send("uci");
    process.wait_for("uciok");
    process.send("setoption name OwnBook value false");
    process.send(&format!("setoption name Backend value {backend}\nisready"));
    process.wait_for("readyok");
    process
}

#[test]
fn the_first_line_that_says_anything_decides() {
    for (first, answer) in [
        ("uci", "uciok"),
        ("\n  \nuci", "uciok"),
        ("isready", "readyok"),
        ("position startpos\nisready", "readyok"),
        ("xboard\nprotover 2", "feature done=1"),
        ("protover 2", "feature done=1"),
        ("ping 3", "pong 3"),
        // Whatever is no word of UCI is for the older protocol.
        ("hello uci\nping 4", "pong 4"),
    ] {
        let mut process = Process::start(&[]);
        process.send(first);
        let lines = process.wait_for(answer);
        let mixed = any(&lines, "feature") && any(&lines, "id name");
        assert!(!mixed, "{first}: {lines:?}");
        process.send("quit");
        assert!(process.wait().success());
    }
}

#[test]
fn the_end_of_input_is_as_good_as_quit() {
    for busy in [
        "",
        "go infinite",
        "go ponder wtime 1 btime 1",
        "go movetime 60000",
    ] {
        let mut process = talking("genetic");
        process.send(busy);
        process.close_input();
        assert!(process.wait().success(), "after {busy:?}");
    }
    // Before anything was said, too.
    let mut process = Process::start(&[]);
    process.send_bytes(b"\n");
    process.close_input();
    assert!(process.wait().success());
    let mut process = Process::start(&[]);
    process.send("quit");
    assert!(process.wait().success());
}

#[test]
fn quit_while_thinking_is_immediate() {
    let mut process = talking("alphabeta");
    process.send("go infinite");
    let asked = Instant::now();
    process.send("quit");
    assert!(process.wait().success());
    assert!(asked.elapsed() < Duration::from_secs(10));
}

#[test]
fn windows_line_ends_and_bytes_that_are_no_text() {
    let mut process = Process::start(&[]);
    process.send_bytes(b"uci\r\nsetoption name OwnBook value false\r\nposition startpos moves e2e4\r\n");
    process.send_bytes(b"\xff\xfe\x00garbage\xc3\r\n\r\ngo movetime 50\r\n");
    let lines = process.wait_for("bestmove ");
    assert!(any(&lines, "info string unknown command"), "{lines:?}");
    process.send_bytes(b"quit"); // without a line end
    process.close_input();
    assert!(process.wait().success());
}

/// The position after `moves`, which are legal.
fn after(moves: &[String]) -> Position {
    let mut position = Position::default();
    for text in moves {
        position
            .play(position.parse_move(text).expect("it is a move"))
            .expect("it is legal");
    }
    position
}

#[test]
fn every_backend_plays_on_a_short_clock_with_pondering() {
    const CLOCK: &str = "wtime 6000 btime 6000 winc 20 binc 20";
    // Nobody may take all that is on it.
    const MOST: Duration = Duration::from_secs(6);
    for backend in ["genetic", "alphabeta", "minimax"] {
        let mut engine = talking(backend);
        let mut moves: Vec<String> = Vec::new();
        let answer = |engine: &mut Process| {
            let lines = engine.wait_for("bestmove ");
            assert!(any(&lines, "info depth "), "{lines:?}");
            let words: Vec<String> = lines.last().unwrap().split(' ').map(str::to_owned).collect();
            (words[1].clone(), words.get(3).cloned())
        };
        engine.send(&format!("ucinewgame\nposition startpos\ngo {CLOCK}"));
        let (mut best, mut ponder) = answer(&mut engine);
        for _ in 0..10 {
            moves.push(best);
            // Not every line of the genetic search is long enough to name a reply.
            let reply = ponder.or_else(|| after(&moves).legal_moves().first().map(|&mv| coordinate(mv)));
            moves.extend(reply);
            if after(&moves).outcome().is_some() {
                // There is nothing to think about.
                break;
            }
            let position = format!("position startpos moves {}", moves.join(" "));
            engine.send(&format!("{position}\ngo ponder {CLOCK}"));
            let early = engine.listen(Duration::from_millis(30));
            assert!(!any(&early, "bestmove"), "{backend}: {early:?}");
            let asked = Instant::now();
            engine.send("ponderhit");
            (best, ponder) = answer(&mut engine);
            assert!(asked.elapsed() < MOST, "{backend}: {:?}", asked.elapsed());
        }
        engine.send("quit");
        assert!(engine.wait().success());
    }
}

//! The memory that the program really has, as Linux counts it: what `Hash` allows and 30 MB more,
//! after any sequence of commands; and it does not grow from game to game.

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::common::dialogue::{Dialect, Speaker};
use crate::common::process::Process;
use crate::common::programs::{feed, text};

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
    process.holds("skip *\n> uci; setoption name OwnBook value false");
    let mut said = String::new();
    // Sizes that the allocator would keep once one of them was freed, and some that it would not.
    for hash in [16, 20, 24, 16, 31, 8, 128, 16] {
        for backend in ["alphabeta", "genetic", "alphabeta", "minimax"] {
            process
                .call("hash", &hash.to_string())
                .call("backend", backend)
                .holds(
                    "> setoption name Hash value $hash; setoption name Backend value $backend
                 > setoption name Seed value $hash; ucinewgame <<
                 > go nodes 2000 .. bestmove *",
                );
            let megabytes = resident(&process);
            said += &format!("{hash} MB, {backend}: {megabytes} MB\n");
            assert!(megabytes <= hash + PROGRAM, "{said}");
        }
    }
    process.holds("> quit\nends");
}

/// The pages of a large table are touched before `readyok`. When the first search did it, that took
/// most of a second for some hundred positions. Other tests may run at the same time: one of five
/// tries has to do.
#[test]
fn the_pages_of_a_large_table_are_touched_before_a_clock_runs() {
    let mut process = Process::start(Dialect::Uci);
    process.holds(
        "skip *\n> uci; setoption name OwnBook value false; setoption name Backend value alphabeta",
    );
    let mut search = |hash: usize| {
        process
            .call("hash", &hash.to_string())
            .holds("> setoption name Hash value $hash; isready .. readyok\n> go movetime 100");
        let begun = Instant::now();
        let lines = process.hears("bestmove *");
        let number = |line: &String| {
            line.split(" nodes ")
                .nth(1)?
                .split(' ')
                .next()?
                .parse::<u64>()
                .ok()
        };
        (
            begun.elapsed(),
            lines.iter().filter_map(number).max().expect("it thinks"),
        )
    };
    let is_well = |_| {
        let ((_, usual), (time, nodes)) = (search(16), search(1024));
        println!("{usual} and {nodes} positions, {time:?}");
        nodes > usual / 2 && time < Duration::from_millis(200)
    };
    assert!((0..5).any(is_well));
}

/// With less memory than a tree needs at least, a smaller tree has to do. `ulimit` counts all
/// mapped memory.
#[test]
fn a_tree_takes_what_there_is() {
    let script =
        "uci\nsetoption name OwnBook value false\nsetoption name Hash value 1\ngo nodes 2000\n";
    let mut answers = 0;
    for kilobytes in (90_000..=190_000).step_by(10_000) {
        let limited = format!("ulimit -v {kilobytes}; exec \"$0\"");
        let mut shell = Command::new("sh");
        // To write a backtrace takes memory; where that fails, Rust waits for itself.
        shell
            .args(["-c", &limited, env!("CARGO_BIN_EXE_kashan")])
            .env("RUST_BACKTRACE", "0");
        // It may be too little for the program to start at all; then there is nobody to read this.
        let output = feed(&mut shell, script);
        let said = text(&output);
        answers += usize::from(said.contains("\nbestmove"));
        // Where next to nothing is left nothing helps; but whatever is larger than the histories of
        // a worker, 1.2 MB, is asked for with care.
        let failed = said.split("memory allocation of ").nth(1);
        let bytes = failed.and_then(|rest| rest.split(' ').next()?.parse::<usize>().ok());
        assert!(
            bytes.unwrap_or(0) < 5 << 18,
            "{kilobytes}: {}: {said}",
            output.status
        );
    }
    assert!(
        answers > 0,
        "most of these limits leave room for the program"
    );
}

/// Plays game after game for some seconds, or as long as `KASHAN_SESSION_SECONDS` says. In the
/// second half of that time the process is at no moment larger than at its largest moment in the
/// first half and `SWAY` more.
///
/// `go` makes the program move for whoever is to move, and says whether the game is over; the lines
/// after a game begin the next one.
fn stays_as_large_as_it_is(mut process: Process, go: fn(&mut Process) -> bool, after_a_game: &str) {
    const SWAY: usize = 2;
    let seconds =
        std::env::var("KASHAN_SESSION_SECONDS").map_or(5, |text| text.parse().expect("a number"));
    let (begun, time) = (Instant::now(), Duration::from_secs(seconds));
    let (mut games, mut moves, mut most) = (0, 0, [0; 10]);
    while begun.elapsed() < time {
        if go(&mut process) {
            games += 1;
            after_a_game.split("; ").for_each(|line| process.say(line));
        }
        moves += 1;
        let tenth = (begun.elapsed().as_millis() * 10 / time.as_millis()).min(9) as usize;
        most[tenth] = most[tenth].max(resident(&process));
    }
    println!(
        "{games} games, {moves} moves; at most so many MB in each tenth of the time: {most:?}"
    );
    assert!(
        most[5..].iter().max() <= most[..5].iter().map(|most| most + SWAY).max().as_ref(),
        "{most:?}"
    );
    assert!(games > 0, "{moves} moves and no game");
    process.holds("skip *\n> quit\nends");
}

#[test]
fn a_long_xboard_session_stays_as_large_as_it_is() {
    let mut process = Process::start(Dialect::Xboard);
    process.holds("> xboard; protover 2 .. feature done=1\n> memory 8; new; st 0.02 <<");
    let go = |process: &mut Process| {
        process.say("go");
        process.rests().iter().any(|line| line.ends_with('}'))
    };
    stays_as_large_as_it_is(
        process,
        go,
        "undo; hint; bk; analyze; exit; remove; new; st 0.02",
    );
}

#[test]
fn a_long_console_session_stays_as_large_as_it_is() {
    let process = Process::start_with(
        Dialect::Console,
        &[
            "play", "--tc", "0.02s", "--color", "both", "--option", "Hash=8",
        ],
    );
    let go = |process: &mut Process| {
        // Lines wait while a move is chosen; to this one the answer is that it is no command.
        process.say("go");
        process.say("done?");
        process
            .hears("*\"done?\" is neither*")
            .iter()
            .any(|line| line.contains("for another game"))
    };
    stays_as_large_as_it_is(
        process,
        go,
        "moves; pgn; undo; hint; analyze; undo; eval; play both; new",
    );
}

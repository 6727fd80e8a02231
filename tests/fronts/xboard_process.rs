//! The real program as a process: pipes, line ends, signals, the end of input; and each backend
//! with a real clock.

use std::time::Duration;

use crate::common::dialogue::{Dialect, Speaker};
use crate::common::process::Process;

fn silent() -> Process {
    Process::start(Dialect::Xboard)
}

/// With the genetic search, without the book.
fn talking() -> Process {
    silent().introduced()
}

dialogue! { silent: it_is_silent_until_spoken_to_and_its_features_come_in_an_order_that_all_understand "
    quiet 300
    > xboard; protover 2 < feature done=0; feature ping=1 setboard=1
    .. feature done=1
    <<
    > quit
    ends" }

// Mistake 17.

dialogue! { talking: m17_the_end_of_input_is_as_good_as_quit(busy) "
    skip *
    > $busy
    input ends
    ends" for ["", "st 0.05; hard; usermove e2e4", "analyze", "st 6000; go; pause", "pause", "edit"] }

dialogue! { talking: what_was_asked_before_the_end_of_input_is_answered(asked, answer) "
    > $asked
    input ends
    < $answer
    ends" for [
    ("ping 1", "pong 1"), ("new; memory 32; ping 2", "pong 2"), ("sd 3; go", "move *"), ("hint", "Hint: *"),
    ("st 6000; go; ?", "move *"), ("edit; ping 4", "pong 4"), ("analyze; ping 5", "pong 5"),
    // A game clock leaves minutes for the move, which nobody waits for.
    ("level 0 60 0; time 360000; otim 360000; go", "move *"), ("st 0.3; go", "move *"),
] }

dialogue! { talking: a_move_and_its_ping_are_answered_though_nothing_follows "
    > st 0.05; usermove e2e4; ping 3; ping 4
    input ends
    < move *; pong 3; pong 4
    ends" }

dialogue! { silent: a_first_line_is_answered_though_nothing_follows "
    > ping 1
    input ends
    < pong 1
    ends" }

#[test]
fn m17_windows_line_ends_and_bytes_that_are_no_text() {
    let mut process = silent();
    process.send_bytes(b"xboard\r\nprotover 2\r\noption OwnBook=0\r\nnew\r\nst 0.05\r\n");
    process.send_bytes(b"\xff\xfe\x00garbage\xc3\r\n\r\nusermove e2e4\r\nping 1\r\n");
    process.holds(".. feature done=1\n< Error (unknown command)*; move *; pong 1");
    process.send_bytes(b"quit"); // without a line end
    process.holds("input ends\nends");
}

// A signal is no crash.
#[cfg(unix)]
dialogue! { talking: m17_signals_end_it_cleanly(signal) "
    > st 6000; go
    signal $signal
    ends" for ["INT", "TERM"] }

// Protocol 1: a signal before almost every command, only to get attention.
#[cfg(unix)]
dialogue! { silent: m17_an_old_front_end_may_send_sigint "
    > xboard; new; st 0.05 <<
    signal INT
    > e2e4 < move *
    > quit
    ends" }

#[cfg(unix)]
dialogue! { silent: m17_sigterm_ends_it_for_an_old_front_end_too "
    > xboard; new; st 6000; go; hint; bk ..  *
    skip *
    signal TERM
    ends" }

#[test]
fn nothing_spins_while_there_is_nothing_to_do() {
    let process = talking();
    // The time the process used so far, and after a while of silence: /proc is only on Linux,
    // elsewhere this is not looked at.
    let used = |process: &Process| -> Option<u64> {
        let text = std::fs::read_to_string(format!("/proc/{}/stat", process.id())).ok()?;
        let fields: Vec<&str> = text.rsplit(')').next()?.split_whitespace().collect();
        Some(fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?)
    };
    let before = used(&process);
    std::thread::sleep(Duration::from_millis(500));
    if let (Some(before), Some(after)) = (before, used(&process)) {
        let used = after - before;
        assert!(
            used <= 5,
            "{used} hundredths of a second of CPU time in half a second"
        );
    }
}

dialogue! { talking: move_now_is_obeyed_at_once_by_every_backend(backend) "
    > option Backend=$backend; option MinMaxDepth=20; st 6000; go; ?
    << move *" for ["genetic", "alphabeta", "minimax"] }

// Neither a move comes, nor thoughts about what is excluded.
dialogue! { talking: every_backend_analyses_with_exclusions_and_status(backend) "
    skip *\ta3*
    skip *\th3*
    > option Backend=$backend; exclude all; include a2a3; include h2h3; post; analyze <<
    quiet 300
    > . < stat01: *
    > exit <<" for ["genetic", "alphabeta", "minimax"] }

dialogue! { silent: the_book_is_used_and_can_be_switched_off "
    > xboard; protover 2 .. feature done=1
    > new; st 6000; post; usermove e2e4 << 0 0 0 0 (*; move *
    > new; bk ..  e4 *
    ..
    # Thoughts, but none about the book.
    skip *\t*
    > option OwnBook=0; new; st 0.05; usermove e2e4 << move *" }

#[test]
fn a_missing_file_is_named_without_the_words_of_the_system() {
    for (option, file) in [
        ("BookFile", "no/such/book.bin"),
        ("WeightsFile", "no/such/weights.toml"),
    ] {
        let mut process = talking();
        process.say(&format!("option {option}={file}"));
        let lines = process.rests();
        let is_ours = lines.len() == 1 && !lines[0].to_lowercase().contains("no such file");
        assert!(is_ours && lines[0].contains(file), "{lines:?}");
    }
}

//! The real program as a UCI engine: the first line decides, what is declared, the end of input.

use crate::common::dialogue::{Dialect, Speaker};
use crate::common::process::Process;
use crate::common::rig::any;
use kashan::engine::Settings;

fn silent() -> Process {
    Process::start(Dialect::Uci)
}

/// With the genetic search, without the book.
fn talking() -> Process {
    silent().introduced()
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
        // Nor does it decide anything.
        ("\u{feff}uci", "uciok"),
        ("UCI\nuci", "uciok"),
        ("hello\n\u{feff}xboard\nprotover 2", "feature done=1"),
    ] {
        let mut process = silent();
        process.say(first);
        let lines = process.hears(answer);
        let mixed = any(&lines, "feature") && any(&lines, "id name");
        assert!(!mixed, "{first}: {lines:?}");
        process.holds("> quit\nends");
    }
}

/// Dialogs have a dozen options; who tunes or tests the engine asks for all. All can be set in any
/// case.
#[test]
fn dialogs_show_a_dozen_options_and_all_options_shows_all() {
    let all = Settings::table().len();
    for (arguments, in_uci, in_xboard) in [
        (&[][..], 17, 11),
        (&["--all-options"][..], all + 4 - 6, all),
    ] {
        for (question, end, word, count) in [
            ("uci", "uciok", "option name ", in_uci),
            (
                "xboard\nprotover 2",
                "feature done=1",
                "feature option=\"",
                in_xboard,
            ),
        ] {
            let mut process = Process::start_with(Dialect::Uci, arguments);
            process.say(question);
            let lines = process.hears(end);
            let options = lines.iter().filter(|line| line.starts_with(word)).count();
            assert_eq!(options, count, "{arguments:?}, {question}: {lines:#?}");
        }
    }
    talking().holds(
        "> setoption name LeafNodes value 2000; setoption name MinMaxDepth value 2; isready < readyok",
    );
}

dialogue! { talking: the_end_of_input_is_as_good_as_quit(busy) "
    skip *
    > $busy
    input ends
    ends" for ["", "go", "go infinite", "go mate 3", "go ponder wtime 1 btime 1", "go ponder depth 1"] }

dialogue! { talking: what_was_asked_before_the_end_of_input_is_answered(asked, answer) "
    skip info *
    > $asked
    input ends
    < $answer
    ends" for [
    ("isready", "readyok"),
    ("go depth 3", "bestmove *"), ("go nodes 3000", "bestmove *"), ("go movetime 50", "bestmove *"),
    ("go infinite; stop", "bestmove *"), ("go ponder depth 3; ponderhit", "bestmove *"),
    ("go", "bestmove *"), ("go infinite", "bestmove *"), ("go ponder wtime 99000 btime 99000", "bestmove *"),
    ("go wtime 900000 btime 900000", "bestmove *"),
] }

dialogue! { talking: ready_is_answered_before_the_move_and_before_the_end "
    skip info *
    # A mated side has its answer at once.
    > setoption name Hash value 64; position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1; isready; go
    < readyok; bestmove (none)
    skip bestmove *
    > position startpos; go infinite; position startpos; isready
    > setoption name Hash value 128; isready; quit < readyok; readyok
    ends" }

dialogue! { talking: ready_is_answered_at_the_end_of_input_and_the_move_behind_it "
    skip info *
    > setoption name Hash value 32; isready; go infinite
    input ends
    < readyok; bestmove *
    ends" }

// The last of them would go on for ever, and ends at once.
dialogue! { talking: every_go_before_the_end_of_input_is_answered "
    skip info *
    > go depth 3; go nodes 10; go depth 3; go infinite
    input ends
    < bestmove *; bestmove *; bestmove *; bestmove *
    ends" }

dialogue! { silent: the_end_of_input_ends_it_before_anything_was_said "
    >
    input ends
    ends" }

dialogue! { silent: quit_is_for_every_protocol "
    > quit
    ends" }

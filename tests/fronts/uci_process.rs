//! The real program as a UCI engine: the first line decides, pipes, line ends, the end of input; and each
//! backend with a real clock.

use std::time::{Duration, Instant};

use crate::common::dialogue::{Dialect, Speaker};
use crate::common::process::{Process, ends_at_once};
use crate::common::rig::any;
use kashan::engine::Settings;
use kashan::position::{Position, moves::coordinate};

fn silent() -> Process {
    Process::start(Dialect::Uci)
}

/// With the genetic search, without the book.
fn talking() -> Process {
    let mut process = silent();
    process.holds(
        "> uci
         .. uciok
         > setoption name OwnBook value false
         <<",
    );
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
        let mut process = silent();
        process.say(first);
        let lines = process.hears(answer);
        let mixed = any(&lines, "feature") && any(&lines, "id name");
        assert!(!mixed, "{first}: {lines:?}");
        process.holds("> quit\nends");
    }
}

/// Dialogs have a dozen options; who tunes or tests the engine asks for all. All can be set in any case.
#[test]
fn dialogs_show_a_dozen_options_and_all_options_shows_all() {
    let all = Settings::table().len();
    for (arguments, in_uci, in_xboard) in [(&[][..], 15, 11), (&["--all-options"][..], all + 2 - 6, all)] {
        for (question, end, word, count) in [
            ("uci", "uciok", "option name ", in_uci),
            ("xboard\nprotover 2", "feature done=1", "feature option=\"", in_xboard),
        ] {
            let mut process = Process::start_with(Dialect::Uci, arguments);
            process.say(question);
            let lines = process.hears(end);
            let options = lines.iter().filter(|line| line.starts_with(word)).count();
            assert_eq!(options, count, "{arguments:?}, {question}: {lines:#?}");
        }
    }
    let mut process = talking();
    process.holds(
        "> setoption name LeafNodes value 2000; setoption name MinMaxDepth value 2; isready\n< readyok",
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
    ("setoption name Hash value 32; isready; go infinite", "readyok"),
    ("go depth 3", "bestmove *"),
    ("go nodes 3000", "bestmove *"),
    ("go movetime 50", "bestmove *"),
    ("go infinite; stop", "bestmove *"),
    ("go ponder depth 3; ponderhit", "bestmove *"),
] }

// The last of them would go on for ever.
dialogue! { talking: every_go_before_the_end_of_input_is_answered "
    skip info *
    > go depth 3; go nodes 10; go depth 3; go infinite
    input ends
    < bestmove *; bestmove *; bestmove *
    ends" }

dialogue! { silent: the_end_of_input_ends_it_before_anything_was_said "
    >
    input ends
    ends" }

dialogue! { silent: quit_is_for_every_protocol "
    > quit
    ends" }

#[test]
fn quit_while_thinking_is_immediate() {
    let mut process = talking();
    process.holds(
        "skip *
         > setoption name Backend value alphabeta; go infinite
         .. info depth *",
    );
    ends_at_once(&mut process);
}

#[test]
fn windows_line_ends_and_bytes_that_are_no_text() {
    let mut process = silent();
    process.send_bytes(b"uci\r\nsetoption name OwnBook value false\r\nposition startpos moves e2e4\r\n");
    process.send_bytes(b"\xff\xfe\x00garbage\xc3\r\n\r\ngo movetime 50\r\n");
    process.holds("skip info depth *\n.. info string unknown command*\n< bestmove *");
    process.send_bytes(b"quit"); // without a line end
    process.holds("input ends\nends");
}

/// The position after `moves`, which are legal.
fn after(moves: &[String]) -> Position {
    let mut position = Position::default();
    for text in moves {
        let mv = position.parse_move(text).expect("it is a move");
        position.play(mv).expect("it is legal");
    }
    position
}

/// The move and the reply that is expected, if one is, after thoughts; and how long these took.
fn answer(engine: &mut Process) -> (String, Option<String>, Duration) {
    let lines = engine.hears("bestmove *");
    assert!(any(&lines, "info depth "), "{lines:?}");
    let words: Vec<String> = lines.last().unwrap().split(' ').map(str::to_owned).collect();
    let times = lines.iter().rev().filter_map(|line| line.split(" time ").nth(1));
    let time = times.flat_map(|rest| rest.split(' ').next()).next();
    let time = time.and_then(|time| time.parse().ok()).expect("the last thought has a time");
    (words[1].clone(), words.get(3).cloned(), Duration::from_millis(time))
}

/// Marcarelli's program, in a position in which it forks king and rook: it stops after its four plies.
#[test]
fn one_word_plays_by_threats() {
    let mut engine = talking();
    engine.say("setoption name MinMaxPreset value threats");
    engine.say("position fen r3k3/p7/8/3N4/8/8/8/4K3 w - - 0 1");
    engine.say("go movetime 600000");
    let lines = engine.hears("bestmove *");
    assert!(lines.iter().any(|line| line.starts_with("bestmove d5c7")), "{lines:?}");
    assert!(any(&lines, "info depth 4 ") && !any(&lines, "info depth 5 "), "{lines:?}");
}

/// The players of the four papers, each by one option: where the depth is set it ends the search.
#[test]
fn one_option_plays_as_each_paper() {
    let fixed = "600000";
    for (option, value, time) in [
        ("ActionPreset", "paper", fixed),
        ("AlphaBetaPreset", "factors", fixed),
        ("MinMaxPreset", "threats", fixed),
        ("Preset", "letter", "200"),
    ] {
        let mut engine = talking();
        engine.say("setoption name OwnBook value false");
        engine.say(&format!("setoption name {option} value {value}"));
        engine.say("position startpos moves e2e4");
        engine.say(&format!("go movetime {time}"));
        let lines = engine.hears("bestmove *");
        let ends = any(&lines, "info depth 4 ") && !any(&lines, "info depth 5 ");
        assert!(ends || time != fixed, "{option}: {lines:?}");
        let has_cases = any(&lines, "info string e4: ") && lines.iter().any(|line| line.contains(" cases"));
        assert_eq!(has_cases, option == "ActionPreset", "{lines:?}");
    }
}

#[test]
fn every_backend_plays_on_a_short_clock_with_pondering() {
    const CLOCK: &str = "wtime 6000 btime 6000 winc 20 binc 20";
    for backend in ["genetic", "alphabeta", "minimax"] {
        let mut engine = talking();
        engine.call("backend", backend).call("clock", CLOCK);
        engine.holds("> setoption name Backend value $backend; ucinewgame; position startpos; go $clock");
        let mut moves: Vec<String> = Vec::new();
        let (mut best, mut ponder, _) = answer(&mut engine);
        for _ in 0..10 {
            moves.push(best);
            // Not every line of the genetic search is long enough to name a reply.
            let reply = ponder.or_else(|| after(&moves).legal_moves().first().map(|&mv| coordinate(mv)));
            moves.extend(reply);
            if after(&moves).outcome().is_some() {
                // There is nothing to think about.
                break;
            }
            engine.say(&format!("position startpos moves {}", moves.join(" ")));
            let begin = Instant::now();
            engine.say(&format!("go ponder {CLOCK}"));
            let early = engine.listen(Duration::from_millis(30));
            assert!(!any(&early, "bestmove"), "{backend}: {early:?}");
            engine.say("ponderhit");
            // What the engine itself says it took: how late a busy machine hands the lines over does not
            // count.
            let most = begin.elapsed() + Duration::from_secs(6);
            let took;
            (best, ponder, took) = answer(&mut engine);
            assert!(took <= most, "{backend}: {took:?} of {most:?}");
        }
        engine.holds("> quit\nends");
    }
}

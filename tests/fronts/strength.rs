//! Limited strength, as each front asks for it, and conversations through a pipe.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::dialogue::Speaker;
use crate::common::programs::refuses_each;
use crate::common::rig::{terminal, uci, xboard};

dialogue! { uci: games_are_limited_and_analysis_is_not "
    > setoption name UCI_Elo value 1400; position startpos; go depth 4
    .. bestmove *
    strength is max
    > setoption name UCI_LimitStrength value true; go depth 4
    .. bestmove *
    strength is 1400
    > go infinite; stop
    .. bestmove *
    strength is max
    > go depth 4 searchmoves e2e4
    .. bestmove *
    strength is max
    > go mate 2; stop
    .. bestmove *
    strength is max
    > setoption name UCI_AnalyseMode value true; go depth 4
    .. bestmove *
    strength is max
    > setoption name UCI_AnalyseMode value false; setoption name Preset value paper; go nodes 50
    .. bestmove *
    strength is 1400; nodes is 50" }

dialogue! { uci: a_rating_that_is_none_is_refused(value) "
    > setoption name UCI_Elo value $value
    < info string option UCI_Elo: \"$value\" is not a whole number from 800 to 2800
    > setoption name UCI_LimitStrength value true; position startpos; go depth 4
    .. bestmove *
    strength is 1500" for ["799", "2801", "master", "1400.5", "-1"] }

dialogue! { xboard: xboard_limits_games_until_it_is_switched_off "
    > option UCI_Elo=900; option UCI_LimitStrength=1; sd 3; usermove e2e4
    < move *
    strength is 900
    > option UCI_LimitStrength=0; new; sd 3; usermove e2e4
    < move *
    strength is max" }

dialogue! { terminal: strength_is_said_and_chosen "
    > strength
    < as well as it can
    > strength 1400
    < Kashan plays at 1400 Elo.
    > e4
    < Kashan plays 1...
    strength is 1400
    > hint
    < Perhaps
    strength is max
    > analyze
    < Press Enter
    >
    < White>
    strength is max
    > strength 3000
    < \"3000\" is not a whole number from 800 to 2800
    > strength strong
    < Type a rating
    > elo
    < Kashan plays at 1400 Elo.
    > strength MAX
    < as well as it can
    > strength 700
    < not a whole number
    > strength
    < as well as it can" }

fn kashan(arguments: &[&str], input: &str) -> (bool, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kashan"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    // It may have refused and ended before it reads.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.success(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_pipe_is_a_conversation_in_lines() {
    let play = ["play", "--strength", "800", "--tc", "0.2s", "--option", "OwnBook=0"];
    // Each line waits for Kashan's move, and so does the end.
    let (ok, said, _) = kashan(&play, "e4\nlevel\nundo\nd4\nmoves\nhint\n");
    assert!(ok, "{said}");
    let place = |text: &str| said.find(text).unwrap_or_else(|| panic!("no {text:?} in {said}"));
    assert!(place("Kashan plays at 800 Elo.") < place("Kashan plays 1..."), "{said}");
    assert!(place("Kashan plays 1...") < place("The level is 0.2 seconds a move"), "{said}");
    assert_eq!(said.matches("Kashan plays 1...").count(), 2, "{said}");
    assert!(place("legal moves: ") < place("Perhaps "), "{said}");
    assert!(!said.contains("is thinking; "), "{said}");
    // What is said in a hurry is done at once.
    let (_, said, _) = kashan(&["play", "--tc", "600s", "--option", "OwnBook=0"], "e4\nnow\nquit\n");
    assert!(said.contains("Kashan plays 1..."), "{said}");
}

#[test]
fn a_pipe_may_still_speak_a_protocol() {
    let (ok, said, _) = kashan(&["play"], "uci\nquit\n");
    assert!(ok && said.contains("uciok"), "{said}");
    let (ok, said, _) =
        kashan(&["play", "--tc", "0.2s", "--option", "OwnBook=0"], "e4\nxboard\nprotover 2\nquit\n");
    assert!(ok && said.contains("Kashan plays 1...") && said.contains("feature done=1"), "{said}");
}

#[test]
fn a_game_begins_as_the_command_line_says() {
    let (_, said, _) = kashan(&["play", "--color", "black", "--tc", "0.2s"], "");
    assert!(said.contains("You are Black.") && said.contains("Kashan plays 1. "), "{said}");
    let mate = "7k/8/5KQ1/8/8/8/8/8 w - - 0 1";
    let (_, said, _) = kashan(&["play", "--fen", mate], "Qg7\n");
    assert!(said.contains("You are White.") && said.contains("White mates: 1-0"), "{said}");
    let (_, said, _) = kashan(&["play", "--fen", mate, "--color", "black", "--tc", "1s"], "");
    assert!(said.contains("White mates: 1-0"), "{said}");
    let (_, said, _) = kashan(&["play", "--color", "both"], "e4\ne5\nfen\n");
    assert!(said.contains("You play both sides.") && said.contains("4P3"), "{said}");
}

#[test]
fn what_makes_no_sense_on_the_command_line_is_refused() {
    refuses_each(
        Path::new("."),
        "play --strength 300 | \"300\" is not a whole number from 800 to 2800
         --strength best | \"best\" is not a whole number from 800 to 2800
         play --tc soon | it is a level like
         play --color green | it is white, black or both
         play --fen 8/8 | 8/8
         play --fen startpos --resume | cannot be used with
         play --option Seeed=1 | Seeed
         play --tui | --tui needs a terminal",
    );
}

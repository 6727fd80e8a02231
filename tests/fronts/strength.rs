//! Limited strength, as each front asks for it, and conversations through a pipe.

use crate::common::dialogue::Speaker;
use crate::common::programs::{TestFolder, has_all};
use crate::common::rig::{terminal, uci, xboard};

dialogue! { uci: games_are_limited_and_analysis_is_not "
    > setoption name UCI_Elo value 1400; position startpos; go depth 4 .. bestmove *
    strength is max
    > setoption name UCI_LimitStrength value true; go depth 4 .. bestmove *
    strength is 1400
    > go infinite; stop .. bestmove *
    strength is max
    > go depth 4 searchmoves e2e4 .. bestmove *
    strength is max
    > go mate 2; stop .. bestmove *
    strength is max
    > setoption name UCI_AnalyseMode value true; go depth 4 .. bestmove *
    strength is max
    > setoption name UCI_AnalyseMode value false; setoption name Preset value paper; go nodes 50
    .. bestmove *
    strength is 1400; nodes is 50" }

dialogue! { uci: a_rating_that_is_none_is_refused(value) "
    > setoption name UCI_Elo value $value
    < info string option UCI_Elo: \"$value\" is not a whole number from 800 to 2800
    > setoption name UCI_LimitStrength value true; position startpos; go depth 4 .. bestmove *
    strength is 1500" for ["799", "2801", "master", "1400.5", "-1"] }

dialogue! { xboard: xboard_limits_games_until_it_is_switched_off "
    > option UCI_Elo=900; option UCI_LimitStrength=1; sd 3; usermove e2e4 < move *
    strength is 900
    > option UCI_LimitStrength=0; new; sd 3; usermove e2e4 < move *
    strength is max" }

dialogue! { terminal: strength_is_said_and_chosen "
    > strength < as well as it can
    > strength 1400 < Kashan plays at 1400 Elo.
    > e4 < Kashan plays 1...
    strength is 1400
    > hint < Perhaps
    strength is max
    > analyze < Press Enter
    >
    < White>
    strength is max
    > strength 3000 < \"3000\" is not a whole number from 800 to 2800
    > strength strong < Type a rating
    > elo < Kashan plays at 1400 Elo.
    > strength MAX < as well as it can
    > strength 700 < not a whole number
    > strength < as well as it can" }

/// The output of a command with these lines as input.
fn said(line: &str, input: &str) -> String {
    let (fine, said, errors) = TestFolder::new().run_with(line, input);
    assert!(fine, "{line}: {said}{errors}");
    said
}

#[test]
fn a_pipe_is_a_conversation_in_lines() {
    // Each line waits for Kashan's move, and so does the end.
    let line = "play --strength 800 --tc 0.2s --option OwnBook=0";
    let said_slowly = said(line, "e4\nlevel\nundo\nd4\nmoves\nhint\n");
    let place = |text: &str| {
        said_slowly
            .find(text)
            .unwrap_or_else(|| panic!("no {text:?} in {said_slowly}"))
    };
    assert!(
        place("Kashan plays at 800 Elo.") < place("Kashan plays 1..."),
        "{said_slowly}"
    );
    assert!(
        place("Kashan plays 1...") < place("The level is 0.2 seconds a move"),
        "{said_slowly}"
    );
    assert_eq!(
        said_slowly.matches("Kashan plays 1...").count(),
        2,
        "{said_slowly}"
    );
    assert!(place("legal moves: ") < place("Perhaps "), "{said_slowly}");
    assert!(!said_slowly.contains("is thinking; "), "{said_slowly}");
    // What is said in a hurry is done at once.
    has_all(
        &said("play --tc 600s --option OwnBook=0", "e4\nnow\nquit\n"),
        &["Kashan plays 1..."],
    );
}

/// The terminal takes what comes out, whoever wrote what goes in.
#[test]
fn what_a_pipe_says_commands_no_terminal() {
    let lines = [
        "strength ?",
        "?",
        "set ? 1",
        "set BookFile ?",
        "save /no/?",
        "explain ?",
        "level ?",
    ];
    let said = said(
        "play",
        &lines
            .map(|line| line.replace('?', "\u{1b}[666m") + "\n")
            .concat(),
    );
    assert_eq!(said.matches("[666m").count(), lines.len(), "{said}");
    assert!(!said.contains('\u{1b}'), "{said:?}");
}

#[test]
fn a_pipe_may_still_speak_a_protocol() {
    has_all(&said("play", "uci\nquit\n"), &["uciok"]);
    let text = said(
        "play --tc 0.2s --option OwnBook=0",
        "e4\nxboard\nprotover 2\nquit\n",
    );
    has_all(&text, &["Kashan plays 1...", "feature done=1"]);
    // The input ended while Kashan was thinking.
    let text = said(
        "play --tc 0.5s --option OwnBook=0",
        "e4\nuci\nposition startpos\ngo nodes 300\n",
    );
    has_all(&text, &["Kashan plays 1...", "uciok", "bestmove "]);
}

#[test]
fn a_game_begins_as_the_command_line_says() {
    let mate = "--fen '7k/8/5KQ1/8/8/8/8/8 w - - 0 1'";
    let dark = format!("{mate} --color black --tc 1s");
    for (options, input, parts) in [
        (
            "--color black --tc 0.2s",
            "",
            ["You are Black.", "Kashan plays 1. "],
        ),
        (mate, "Qg7\n", ["You are White.", "White mates: 1-0"]),
        (dark.as_str(), "", ["White mates: 1-0"; 2]),
        (
            "--color both",
            "e4\ne5\nfen\n",
            ["You play both sides.", "4P3"],
        ),
    ] {
        has_all(&said(&format!("play {options}"), input), &parts);
    }
}

#[test]
fn what_makes_no_sense_on_the_command_line_is_refused() {
    let place = TestFolder::new();
    place.refuses(
        "play --strength 300",
        &["\"300\" is not a whole number from 800 to 2800"],
    );
    place.refuses(
        "--strength best",
        &["\"best\" is not a whole number from 800 to 2800"],
    );
    place.refuses("play --tc soon", &["levels are like"]);
    place.refuses("play --color green", &["it is white, black or both"]);
    place.refuses("play --fen 8/8", &["8/8"]);
    place.refuses("play --fen startpos --resume", &["cannot be used with"]);
    place.refuses("play --option Seeed=1", &["Seeed"]);
}

//! `kashan blunders` as users start it, judged by our own alpha-beta search; and, where they are
//! installed, by Stockfish with python-chess as a second opinion. What is not installed is skipped,
//! unless `KASHAN_REQUIRE_REAL_PROGRAMS=1`: then it is a failure.

use crate::common::programs::{
    TestFolder, first_of_suite, has_all, have, have_python_chess, run, run_python, text,
};

/// Judged by ourselves, quickly.
const QUICK: &str = "--reference kashan:alphabeta --reference-limits nodes=3000";

const WEAK: &str = "--engine kashan:minimax --option MinMaxDepth=1 --tc depth=1";

const GAMES: &str = "[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 {oh} Qh4# 0-1\n\n\
                     [White \"Bob\"]\n[Black \"Cid\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Ke3 1-0\n\n\
                     [White \"Bob\"]\n[Black \"Cid\"]\n[Result \"*\"]\n\n1. e4 e5 *\n\n";

/// Every position is a game of its own, so the same limits give the same numbers, one or two at a
/// time; and nobody loses anything by the judgement of himself.
#[test]
fn an_engine_finds_nothing_wrong_with_itself() {
    let place = TestFolder::with(&[("some.epd", &first_of_suite("quiet29.epd", 6))]);
    let with = |more: &str| place.json(&format!("blunders some.epd --json {QUICK} {more}"));
    let same = with("--engine kashan:alphabeta --tc nodes=3000");
    assert_eq!(same["summary"]["agreement"]["count"], 6);
    assert_eq!(same["summary"]["mean"], 0.0);
    let weak = with(WEAK);
    assert_eq!(weak, with(&format!("{WEAK} --concurrency 2")));
    assert!(
        weak["summary"]["mean"].as_f64() > Some(0.0),
        "one half-move deep is not enough: {weak:#}"
    );
}

#[test]
fn games_are_judged_and_marked() {
    let place = TestFolder::with(&[("g.pgn", GAMES)]);
    let (answer, errors) = place.says(&format!(
        "blunders g.pgn --player Ann --pgn marked.pgn {QUICK}"
    ));
    has_all(
        &errors,
        &["g.pgn, line 7: game 2: move 2. Ke3 is not legal"],
    );
    let blunder = answer
        .lines()
        .find(|line| line.contains("g4 (#-1)"))
        .expect(&answer);
    assert!(
        blunder.contains("1:2.") && blunder.ends_with("??"),
        "{blunder}"
    );
    has_all(&answer, &["1 of the lines and games could not be read"]);
    let marked = place
        .read("marked.pgn")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    has_all(&marked, &["2. g4 $4 {#-1,", "{oh} (2. ", "[White \"Bob\"]"]);
    assert!(marked.ends_with("1. e4 e5 *"), "{marked}");
    // It may be written anew, until somebody adds a game.
    let again = format!("blunders g.pgn --player Ann --pgn marked.pgn {QUICK}");
    place.says(&again);
    let more = place.read("marked.pgn") + "[Annotator \"Kashan, by its review\"]\n\n1. d4 *\n";
    place.write("marked.pgn", &more);
    has_all(
        &place.fails(&again),
        &["marked.pgn", "none of those judged here"],
    );
    assert_eq!(place.read("marked.pgn"), more);
    // What was broken is an error where it must not be, and so is a name that nobody has.
    has_all(
        &place.fails(&format!("blunders g.pgn --strict {QUICK}")),
        &["--strict"],
    );
    has_all(
        &place.fails(&format!("blunders g.pgn --player Zoe {QUICK}")),
        &["\"Zoe\""],
    );
}

#[cfg(unix)]
#[test]
fn an_engine_that_gives_no_legal_move_is_a_failure() {
    let place = TestFolder::with(&[("some.epd", &first_of_suite("quiet29.epd", 2))]);
    let engine = super::uci_engine(&place, "illegal", "echo bestmove a1h8");
    let errors = place.fails(&format!(
        "blunders some.epd --engine {engine} --tc nodes=1 {QUICK}"
    ));
    has_all(
        &errors,
        &["2 positions without a legal move from the engine"],
    );
}

#[cfg(target_os = "linux")]
#[test]
fn nobody_has_to_read_what_goes_to_standard_error() {
    let place = TestFolder::with(&[("g.pgn", GAMES)]);
    let mut command = place.command(&format!("blunders g.pgn --player Ann {QUICK}"));
    // Whatever is written there fails.
    let full = std::fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .expect("there is one");
    let output = command.stderr(full).output().expect("it runs");
    assert!(
        output.status.success() && text(&output).contains("g4 (#-1)"),
        "{}",
        text(&output)
    );
}

#[test]
fn without_stockfish_our_own_search_judges_and_it_is_said() {
    let place = TestFolder::with(&[("g.pgn", "1. f3 e5 2. g4 Qh4# 0-1\n")]);
    let mut command = place.command("blunders g.pgn --reference-limits nodes=3000");
    let output = command.env("PATH", place.path()).output().expect("it runs");
    let said = text(&output);
    assert!(output.status.success(), "{said}");
    has_all(
        &said,
        &["kashan help blunders", "Kashan's own alpha-beta judges"],
    );
    let answer = String::from_utf8_lossy(&output.stdout);
    has_all(
        &answer,
        &["by the judgement of kashan:alphabeta", "g4 (#-1)"],
    );
}

/// python-chess drives Stockfish over the same positions and computes every loss anew.
#[test]
fn python_chess_computes_the_same_losses() {
    if !have_python_chess() || !have(&["stockfish", "timeout"]) {
        return;
    }
    // With mates: thrown away, kept, run into.
    let mates = "6k1/5ppp/8/8/8/8/5PPP/3RR1K1 w - - id \"mate\";\n7k/5Q2/8/8/8/8/8/K7 w - - id \"queen\";\n\
                 6k1/5ppp/8/8/8/1r6/r4PPP/3R2K1 b - - id \"defend\";\n";
    let place = TestFolder::with(&[("more.epd", &(first_of_suite("quiet29.epd", 20) + mates))]);
    let line = format!("blunders more.epd {WEAK} --reference-limits nodes=20000 --json");
    let output = run(&mut place.command(&line));
    assert!(output.status.success(), "{}", text(&output));
    place.write("answer.json", &output.stdout);
    let answer = place.file("answer.json").display().to_string();
    run_python(&["check_blunders.py", &answer, "stockfish", "20000"]);
}

#[cfg(unix)]
#[test]
fn a_judge_that_speaks_another_protocol_is_refused() {
    let place = TestFolder::with(&[("games.pgn", "1. e4 e5 *\n")]);
    let script = "#!/bin/sh\nwhile read word rest; do case $word in\n\
        protover) echo 'feature done=1';; quit) exit 0;; esac; done\n";
    let engine = place.write_script("engine", script);
    let says = [
        "does not speak UCI",
        "does not answer, but answers \"xboard, protover 2\"",
    ];
    place.refuses(&format!("blunders games.pgn --reference {engine}"), &says);
    place.refuses(&format!("check {engine} --protocol uci"), &says);
}

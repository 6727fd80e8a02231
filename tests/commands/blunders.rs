//! `kashan blunders` as users start it, judged by our own alpha-beta search; and, where they are installed,
//! by Stockfish with python-chess as a second opinion. What is not installed is skipped, unless
//! `KASHAN_REQUIRE_REAL_PROGRAMS=1`: then it is a failure.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::programs::{self, have, have_python_chess, run, script, text};
use serde_json::Value;

const KASHAN: &str = env!("CARGO_BIN_EXE_kashan");
const OUR_SET: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suites/quiet29.epd");

/// Judged by ourselves, quickly.
const QUICK: [&str; 4] = ["--reference", "kashan:alphabeta", "--reference-limits", "nodes=3000"];

fn kashan(folder: &Path, arguments: &[&str]) -> (bool, String, String) {
    programs::kashan(folder, &[&["blunders"], arguments].concat())
}

/// The first positions of our set.
fn some_positions(count: usize) -> String {
    let text = fs::read_to_string(OUR_SET).expect("our set");
    let lines = text.lines().filter(|line| !line.starts_with('#')).take(count);
    lines.map(|line| format!("{line}\n")).collect()
}

const GAMES: &str = "[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 {oh} Qh4# 0-1\n\n\
                     [White \"Bob\"]\n[Black \"Cid\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Ke3 1-0\n\n\
                     [White \"Bob\"]\n[Black \"Cid\"]\n[Result \"*\"]\n\n1. e4 e5 *\n\n";

/// Every position is a game of its own, so the same limits give the same numbers, one or two at a time; and
/// nobody loses anything by the judgement of himself.
#[test]
fn an_engine_finds_nothing_wrong_with_itself() {
    let place = tempfile::tempdir().expect("a folder");
    fs::write(place.path().join("some.epd"), some_positions(6)).expect("written");
    let with = |more: &[&str]| {
        let arguments = [&["some.epd", "--json"][..], &QUICK, more].concat();
        let (fine, answer, errors) = kashan(place.path(), &arguments);
        assert!(fine, "{errors}");
        serde_json::from_str::<Value>(&answer).expect("JSON")
    };
    let same = with(&["--engine", "kashan:alphabeta", "--tc", "nodes=3000"]);
    assert_eq!(same["summary"]["agreement"]["count"], 6);
    assert_eq!(same["summary"]["mean"], 0.0);
    let weak = with(&["--engine", "kashan:minimax", "--tc", "depth=1", "--option", "MinMaxDepth=1"]);
    let two =
        ["--engine", "kashan:minimax", "--tc", "depth=1", "--option", "MinMaxDepth=1", "--concurrency", "2"];
    assert_eq!(weak, with(&two));
    let mean = weak["summary"]["mean"].as_f64().expect("a mean");
    assert!(mean > 0.0, "one half-move deep is not enough: {weak:#}");
}

#[test]
fn games_are_judged_and_marked() {
    let place = tempfile::tempdir().expect("a folder");
    fs::write(place.path().join("g.pgn"), GAMES).expect("written");
    let arguments = [&["g.pgn", "--player", "Ann", "--pgn", "marked.pgn"][..], &QUICK].concat();
    let (fine, answer, errors) = kashan(place.path(), &arguments);
    assert!(fine, "{errors}");
    assert!(errors.contains("g.pgn, line 7: game 2: move 2. Ke3 is not legal"), "{errors}");
    let blunder = answer.lines().find(|line| line.contains("g4 (#-1)")).expect(&answer);
    assert!(blunder.contains("1:2.") && blunder.ends_with("??"), "{blunder}");
    assert!(answer.contains("1 of the lines and games could not be read"), "{answer}");
    let marked = fs::read_to_string(place.path().join("marked.pgn")).expect("games");
    let marked = marked.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(marked.contains("2. g4 $4 {#-1,") && marked.contains("{oh} (2. "), "{marked}");
    assert!(marked.contains("[White \"Bob\"]") && marked.ends_with("1. e4 e5 *"), "{marked}");
    // What was broken is an error where it must not be, and so is a name that nobody has.
    let (fine, _, errors) = kashan(place.path(), &[&["g.pgn", "--strict"][..], &QUICK].concat());
    assert!(!fine && errors.contains("--strict"), "{errors}");
    let (fine, _, errors) = kashan(place.path(), &[&["g.pgn", "--player", "Zoe"][..], &QUICK].concat());
    assert!(!fine && errors.contains("\"Zoe\""), "{errors}");
}

#[test]
fn without_stockfish_our_own_search_judges_and_it_is_said() {
    let place = tempfile::tempdir().expect("a folder");
    fs::write(place.path().join("g.pgn"), "1. f3 e5 2. g4 Qh4# 0-1\n").expect("written");
    let mut command = Command::new(KASHAN);
    command.args(["blunders", "g.pgn", "--reference-limits", "nodes=3000"]).current_dir(&place);
    let output = command.env("PATH", place.path()).output().expect("it runs");
    let (said, answer) = (text(&output), String::from_utf8_lossy(&output.stdout).into_owned());
    assert!(output.status.success(), "{said}");
    assert!(said.contains("stockfishchess.org") && said.contains("Kashan's own alpha-beta judges"), "{said}");
    assert!(
        answer.contains("by the judgement of kashan:alphabeta") && answer.contains("g4 (#-1)"),
        "{answer}"
    );
}

/// python-chess drives Stockfish over the same positions and computes every loss anew.
#[test]
fn python_chess_computes_the_same_losses() {
    if !have_python_chess() || !have(&["stockfish", "timeout"]) {
        return;
    }
    let place = tempfile::tempdir().expect("a folder");
    let path = place.path().join("more.epd");
    // With mates: thrown away, kept, run into.
    let mates = "6k1/5ppp/8/8/8/8/5PPP/3RR1K1 w - - id \"mate\";\n7k/5Q2/8/8/8/8/8/K7 w - - id \"queen\";\n\
                 6k1/5ppp/8/8/8/1r6/r4PPP/3R2K1 b - - id \"defend\";\n";
    fs::write(&path, some_positions(20) + mates).expect("written");
    let output = run(Command::new(KASHAN)
        .arg("blunders")
        .arg(&path)
        .args(["--engine", "kashan:minimax", "--option", "MinMaxDepth=1", "--tc", "depth=1"])
        .args(["--reference-limits", "nodes=20000", "--json"]));
    assert!(output.status.success(), "{}", text(&output));
    let answer = place.path().join("answer.json");
    fs::write(&answer, &output.stdout).expect("written");
    let output = run(Command::new("timeout")
        .args(["-k", "5", "300", "python3"])
        .arg(script("check_blunders.py"))
        .arg(&answer)
        .args(["stockfish", "20000"]));
    assert!(output.status.success(), "{}", text(&output));
    println!("{}", text(&output).trim());
}

//! `kashan solve` as users start it: with our own engines, and with others where they are installed.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::programs;
use serde_json::Value;

fn suite() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suites/by_hand.epd");
    path.display().to_string()
}

fn kashan(arguments: &[&str]) -> (bool, String, String) {
    programs::kashan(Path::new("."), arguments)
}

fn solve(arguments: &[&str]) -> Value {
    let suite = suite();
    let (fine, text, errors) = kashan(&[&["solve", &suite, "--json"], arguments].concat());
    assert!(fine, "{errors}");
    serde_json::from_str(&text).expect("one JSON object")
}

fn file(folder: &tempfile::TempDir, name: &str, text: &str) -> String {
    let path: PathBuf = folder.path().join(name);
    fs::write(&path, text).expect("written");
    path.display().to_string()
}

/// Alpha-beta solves all of them, and says when.
#[test]
fn alpha_beta_solves_the_positions_composed_by_hand() {
    let report = solve(&["--engine", "kashan:alphabeta", "--limits", "nodes=60000"]);
    assert_eq!(report["limits"], "nodes=60000");
    let engine = &report["engines"][0];
    let attempts = engine["attempts"].as_array().expect("attempts");
    assert_eq!(attempts.len(), report["positions"].as_array().expect("positions").len());
    for (attempt, position) in attempts.iter().zip(report["positions"].as_array().expect("positions")) {
        assert_eq!(attempt["solved"], true, "{position} {attempt}");
        let number = |name: &str| attempt[name].as_f64().unwrap_or_else(|| panic!("{name} of {attempt}"));
        assert!(number("seconds_to_solution") <= number("seconds"), "{attempt}");
        assert!(number("nodes_to_solution") <= number("nodes"), "{attempt}");
        assert!(number("nodes") <= 60_100.0, "{attempt}");
    }
    assert_eq!(engine["solved"], attempts.len());
    assert_eq!((&engine["points"], &engine["most_points"]), (&10.into(), &10.into()));
    let smothered = attempts.iter().find(|attempt| attempt["san"] == "Qg8+").expect("it is there");
    assert_eq!((&smothered["mate_in"], &smothered["centipawns"]), (&2.into(), &Value::Null));
}

/// Nodes are counted, not timed: the same on every run, one at a time or several.
#[test]
fn several_at_once_solve_the_same() {
    let moves = |concurrency: &str| -> Vec<String> {
        let limits = ["--limits", "nodes=5000", "--concurrency", concurrency];
        let report = solve(&limits);
        let engines = report["engines"].as_array().expect("engines");
        assert_eq!(engines.len(), 2, "genetic and alpha-beta if nobody is named");
        let attempts = engines.iter().flat_map(|engine| engine["attempts"].as_array().expect("attempts"));
        attempts
            .map(|attempt| {
                format!("{} {} {}", attempt["move"], attempt["solved"], attempt["nodes_to_solution"])
            })
            .collect()
    };
    assert_eq!(moves("1"), moves("3"));
}

#[test]
fn tables_compare_engines_and_the_plot_is_drawn() {
    let place = tempfile::tempdir().expect("a directory");
    let svg = place.path().join("solved.svg").display().to_string();
    let suite = suite();
    let line = "--engine kashan:alphabeta --engine kashan:minimax --option 2:MinMaxDepth=2 --limits depth=4 --markdown";
    let words: Vec<&str> = line.split(' ').collect();
    let (fine, text, errors) = kashan(&[&["solve", &suite][..], &words, &["--svg", &svg]].concat());
    assert!(fine, "{errors}");
    for part in [
        "### kashan:alphabeta",
        "### kashan:minimax",
        "### Seconds to the solution",
        "### Summary",
        "| Smothered",
        "depth=4 each",
    ] {
        assert!(text.contains(part), "no {part} in\n{text}");
    }
    let drawn = fs::read_to_string(svg).expect("drawn");
    assert!(drawn.starts_with("<svg") && drawn.contains("kashan:minimax"));
}

#[test]
fn lines_that_cannot_be_used_are_named_and_left_out_or_fatal() {
    let place = tempfile::tempdir().expect("a directory");
    let bad = file(
        &place,
        "bad.epd",
        "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8; id \"good\";\n\nnonsense\n6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra9;\n\
         6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - id \"nothing\";\n",
    );
    let arguments = ["solve", &bad, "--engine", "kashan:alphabeta", "--limits", "depth=2"];
    let (fine, text, errors) = kashan(&arguments);
    assert!(fine && text.contains("1 position, depth=2 each; 3 lines left out"), "{text}");
    for part in ["line 3: 1 field", "line 4: bm: \"Ra9\" is not a move", "line 5: asks for nothing"] {
        assert!(errors.contains(part), "no {part} in\n{errors}");
    }
    let (fine, text, errors) = kashan(&[&arguments[..], &["--strict"]].concat());
    assert!(!fine && text.is_empty() && errors.contains("3 lines"), "{errors}");
    file(&place, "empty.epd", "# nothing\n");
    programs::refuses_each(
        place.path(),
        "solve empty.epd | nothing to solve
         solve no-such.epd | no-such.epd
         solve bad.epd --engine ./no-such-engine | no-such-engine
         solve bad.epd --engine kashan:nobody | nobody
         solve bad.epd --option 3:Hash=1 | engine 3
         solve bad.epd --st soon | soon
         solve bad.epd --option Hash | NAME=VALUE",
    );
}

/// Both protocols, from programs that are not ours.
#[test]
fn other_engines_solve_mates_too() {
    for (engine, limits) in
        [("stockfish", "depth=8"), ("hoichess --xboard", "depth=6"), ("fairymax", "depth=6")]
    {
        let program = engine.split(' ').next().expect("a word");
        let there = match program {
            "hoichess" => programs::is_installed(program),
            _ => programs::have(&[program]),
        };
        if !there {
            continue;
        }
        let report = solve(&["--engine", engine, "--limits", limits]);
        let engine = &report["engines"][0];
        let solved = engine["solved"].as_u64().expect("a number");
        assert!(engine["failed"] == 0 && solved >= 7, "{engine:#}");
    }
}

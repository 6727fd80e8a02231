//! `kashan solve` as users start it: with our own engines, and with others where they are
//! installed.

use crate::common::programs::{TestFolder, has_all, have, is_installed, source};
use serde_json::Value;

/// The positions composed by hand.
fn solve(more: &str) -> Value {
    TestFolder::new().json(&format!(
        "solve '{}' --json {more}",
        source("tests/suites/by_hand.epd")
    ))
}

fn list<'v>(value: &'v Value, key: &str) -> &'v Vec<Value> {
    value[key].as_array().expect(key)
}

/// Alpha-beta solves all of them, and says when.
#[test]
fn alpha_beta_solves_the_positions_composed_by_hand() {
    let report = solve("--engine kashan:alphabeta --limits nodes=60000");
    assert_eq!(report["limits"], "nodes=60000");
    let engine = &report["engines"][0];
    let attempts = list(engine, "attempts");
    assert_eq!(attempts.len(), list(&report, "positions").len());
    for (attempt, position) in attempts.iter().zip(list(&report, "positions")) {
        assert_eq!(attempt["solved"], true, "{position} {attempt}");
        let number = |name: &str| {
            attempt[name]
                .as_f64()
                .unwrap_or_else(|| panic!("{name} of {attempt}"))
        };
        assert!(
            number("seconds_to_solution") <= number("seconds"),
            "{attempt}"
        );
        assert!(number("nodes_to_solution") <= number("nodes"), "{attempt}");
        assert!(number("nodes") <= 60_100.0, "{attempt}");
    }
    assert_eq!(engine["solved"], attempts.len());
    assert_eq!(
        (&engine["points"], &engine["most_points"]),
        (&10.into(), &10.into())
    );
    let smothered = attempts
        .iter()
        .find(|attempt| attempt["san"] == "Qg8+")
        .expect("it is there");
    assert_eq!(
        (&smothered["mate_in"], &smothered["centipawns"]),
        (&2.into(), &Value::Null)
    );
}

/// Nodes are counted, not timed: the same on every run, one at a time or several.
#[test]
fn several_at_once_solve_the_same() {
    let moves = |concurrency: u32| -> Vec<String> {
        let report = solve(&format!("--limits nodes=5000 --concurrency {concurrency}"));
        let engines = list(&report, "engines");
        assert_eq!(
            engines.len(),
            2,
            "genetic and alpha-beta if nobody is named"
        );
        let attempts = engines.iter().flat_map(|engine| list(engine, "attempts"));
        let said = attempts
            .map(|attempt| ["move", "solved", "nodes_to_solution"].map(|key| &attempt[key]));
        said.map(|values| format!("{values:?}")).collect()
    };
    assert_eq!(moves(1), moves(3));
}

#[test]
fn tables_compare_engines() {
    let place = TestFolder::new();
    let text = place.prints(&format!(
        "solve '{}' --engine kashan:alphabeta --engine kashan:minimax --option 2:MinMaxDepth=2 --limits depth=4",
        source("tests/suites/by_hand.epd")
    ));
    has_all(&text, &["kashan:alphabeta\n\n", "kashan:minimax\n\n"]);
    has_all(&text, &["Summary\n\n", "Smothered", "depth=4 each"]);
}

#[test]
fn lines_that_cannot_be_used_are_named_and_left_out_or_fatal() {
    let bad = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8; id \"good\";\n\nnonsense\n\
               6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra9;\n6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - id \"nothing\";\n";
    let place = TestFolder::with(&[("bad.epd", bad), ("empty.epd", "# nothing\n")]);
    let line = "solve bad.epd --engine kashan:alphabeta --limits depth=2";
    let (text, errors) = place.says(line);
    has_all(&text, &["1 position, depth=2 each; 3 lines left out"]);
    has_all(
        &errors,
        &[
            "line 3: 1 field",
            "line 4: bm: \"Ra9\" is not a move",
            "line 5: asks for nothing",
        ],
    );
    place.refuses(&format!("{line} --strict"), &["3 lines"]);
    place.refuses("solve empty.epd", &["nothing to solve"]);
    place.refuses("solve no-such.epd", &["no-such.epd"]);
    place.refuses(
        "solve bad.epd --engine ./no-such-engine",
        &["no-such-engine"],
    );
    place.refuses("solve bad.epd --engine kashan:nobody", &["nobody"]);
    place.refuses("solve bad.epd --option 3:Hash=1", &["engine 3"]);
    place.refuses("solve bad.epd --limits soon", &["soon"]);
    place.refuses(
        "solve bad.epd --limits matched/0.1",
        &["time of an opponent"],
    );
    place.refuses("solve bad.epd --option Hash", &["NAME=VALUE"]);
}

/// Both protocols, from programs that are not ours.
#[test]
fn other_engines_solve_mates_too() {
    for (engine, limits) in [("stockfish", "depth=8"), ("hoichess --xboard", "depth=6")] {
        let program = engine.split(' ').next().expect("a word");
        let there = if program == "hoichess" {
            is_installed(program)
        } else {
            have(&[program])
        };
        if there {
            let engine = &solve(&format!("--engine '{engine}' --limits {limits}"))["engines"][0];
            assert!(
                engine["failed"] == 0 && engine["solved"].as_u64() >= Some(7),
                "{engine:#}"
            );
        }
    }
}

/// Fairy-Max has no setboard: it would castle with a rook that must not.
#[test]
fn a_position_that_an_engine_cannot_be_given_is_named() {
    if !have(&["fairymax"]) {
        return;
    }
    let suite = source("tests/suites/by_hand.epd");
    let line = format!("solve '{suite}' --engine fairymax --limits depth=6");
    let (fine, _, errors) = TestFolder::new().run(&line);
    assert!(!fine, "one position was not answered");
    has_all(
        &errors,
        &[
            "no setboard",
            "may not castle on the queen's side",
            "no answer 1 time",
        ],
    );
}

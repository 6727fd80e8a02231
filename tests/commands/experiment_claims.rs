//! `kashan experiment` for the claims that need no match, as users start it.

use crate::common::programs::{TestFolder, has_all, source};
use serde_json::Value;

/// Runs some experiments quickly with few nodes; what they found goes into `folder`.
fn experiment(place: &TestFolder, folder: &str, more: &str) {
    place.prints(&format!(
        "experiment --quick --concurrency 2 --output {folder} {more}"
    ));
}

/// A finding, as `folder/id`.
fn finding(place: &TestFolder, name: &str) -> Value {
    serde_json::from_str(&place.read(&format!("{name}.json"))).expect("JSON")
}

fn parts(finding: &Value) -> &Vec<Value> {
    finding["parts"].as_array().expect("parts")
}

/// Returns true if the evidence of a part has some text.
fn says(part: &Value, text: &str) -> bool {
    part["evidence"]
        .as_str()
        .is_some_and(|evidence| evidence.contains(text))
}

#[test]
fn what_can_be_checked_exactly_is_confirmed() {
    let place = TestFolder::new();
    experiment(&place, "out", "--nodes 3000 C1 C2 C3 C6");
    for id in ["c1", "c2", "c3", "c6"] {
        let finding = finding(&place, &format!("out/{id}"));
        assert_eq!(
            finding["verdict"], "confirmed",
            "{id}: {}",
            finding["parts"]
        );
        // What unit tests prove has no size.
        let expected = if id == "c6" {
            "**Confirmed.**"
        } else {
            "**Confirmed, quick run.**"
        };
        has_all(&place.read(&format!("out/{id}.md")), &[expected]);
    }
}

/// Another genetic search in the experiments that have one, the others left out.
#[test]
fn another_preset_is_named_and_plays() {
    let place = TestFolder::new();
    experiment(&place, "paper", "C1 C7 C12 --nodes 400 --games 2");
    experiment(
        &place,
        "letter",
        "C1 C7 C12 --nodes 400 --games 2 --preset letter",
    );
    assert!(place.file("paper/c1.md").exists() && !place.file("letter/c1.md").exists());
    for id in ["c7", "c12"] {
        let [paper, other] =
            ["paper", "letter"].map(|folder| finding(&place, &format!("{folder}/{id}")));
        assert!(paper["conditions"]["preset"].is_null());
        assert_eq!(other["conditions"]["preset"], "letter");
        assert_ne!(paper["data"], other["data"], "{id}: another search");
        // Paragraphs are broken anywhere.
        let text = place.read(&format!("letter/{id}.md")).replace('\n', " ");
        has_all(&text, &["preset `letter` instead of `paper`"]);
    }
    experiment(&place, "strong", "C12 --preset strong");
    assert!(finding(&place, "strong/c12")["verdict"]["not-run"].is_string());
    place.refuses("experiment M8 --preset letter", &["changes nothing in M8"]);
    place.refuses("experiment C7 --preset best", &["paper, letter, strong"]);
}

/// Judged by ourselves, with few nodes.
#[test]
fn blunders_are_judged() {
    let place = TestFolder::new();
    experiment(&place, "out", "C8 --nodes 300 --reference kashan:alphabeta");
    let finding = finding(&place, "out/c8");
    assert!(
        parts(&finding)[..2]
            .iter()
            .all(|part| part["verdict"] == "confirmed"),
        "{finding}"
    );
    assert_eq!(
        finding["data"]["check"]["positions"]
            .as_array()
            .map(Vec::len),
        Some(29)
    );
    assert_eq!(finding["data"]["reference_limits"], "nodes=50000");
}

/// The claims about a library of actions: by arithmetic, from a library of our own opening lines,
/// and without a file.
#[test]
fn a_library_of_actions_is_tried() {
    let place = TestFolder::new();
    place.prints(&format!(
        "library build '{}' -o lines.klib",
        source("book/openings")
    ));
    experiment(
        &place,
        "out",
        "--library lines.klib --nodes 100 --games 2 A5 A7 A8",
    );
    let printed = finding(&place, "out/a5");
    assert_eq!(printed["verdict"], "refuted-in-part");
    let is_cited = parts(&printed)
        .iter()
        .all(|part| says(part, "(`cargo test "));
    assert!(is_cited && parts(&printed).len() == 4, "{printed}");
    let reduced = finding(&place, "out/a7");
    let first = &parts(&reduced)[0];
    assert!(
        says(first, " % of the nodes (") && first["verdict"] != "refuted",
        "{reduced}"
    );
    assert!(
        reduced["in_words"]
            .as_str()
            .is_some_and(|words| words.ends_with(", quick run")),
        "{reduced}"
    );
    let follows = |part: &Value| (part["verdict"] == "measured") == says(part, "all are searched");
    assert!(parts(&reduced).iter().all(follows), "{reduced}");
    let retained = finding(&place, "out/a8");
    assert!(
        parts(&retained)
            .iter()
            .any(|part| says(part, "from 4 games")),
        "{retained}"
    );
    experiment(
        &place,
        "golden",
        "A6 --library built-in --library lines.klib",
    );
    let golden = finding(&place, "golden/a6");
    assert!(
        parts(&golden)[..2]
            .iter()
            .all(|part| part["verdict"] == "confirmed"),
        "{golden}"
    );
    let libraries = golden["data"]["answers"].as_array().expect("answers");
    assert_eq!(
        (libraries.len(), &libraries[0]["library"]),
        (2, &"built-in".into())
    );
    experiment(&place, "none", "A8");
    let why = &finding(&place, "none/a8")["verdict"]["not-run"];
    assert_eq!(
        *why,
        "no library was named: --library FILE, as kashan library build makes it"
    );
    place.refuses("experiment A2 --library nothing.klib", &["nothing.klib"]);
}

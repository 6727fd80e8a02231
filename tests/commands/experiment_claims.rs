//! `kashan experiment` for the claims that need no match, as users start it.

use std::fs;
use std::path::Path;

use crate::common::programs::{prints, refuses};
use serde_json::Value;

/// Runs some experiments quickly with few nodes; the folder with the findings.
fn experiment(place: &Path, folder: &str, arguments: &[&str]) -> std::path::PathBuf {
    let always = ["experiment", "--quick", "--concurrency", "2", "--output", folder];
    prints(place, &[&always[..], arguments].concat());
    place.join(folder)
}

fn finding(folder: &Path, id: &str) -> Value {
    let text = fs::read_to_string(folder.join(format!("{id}.json"))).expect("a finding");
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn what_can_be_checked_exactly_is_confirmed() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = experiment(place.path(), "out", &["--nodes", "3000", "C1", "C2", "C3", "C6"]);
    for id in ["c1", "c2", "c3", "c6"] {
        let finding = finding(&folder, id);
        assert_eq!(finding["verdict"], "confirmed", "{id}: {}", finding["parts"]);
        let markdown = fs::read_to_string(folder.join(format!("{id}.md"))).expect("Markdown");
        // What unit tests prove has no size.
        let expected = if id == "c6" { "**Confirmed.**" } else { "**Confirmed, quick run.**" };
        assert!(markdown.contains(expected), "{markdown}");
    }
}

/// Another genetic search in the experiments that have one, the others left out.
#[test]
fn another_preset_is_named_and_plays() {
    let place = tempfile::tempdir().expect("a folder");
    let arguments = ["C1", "C7", "C12", "--nodes", "400", "--games", "2"];
    let paper = experiment(place.path(), "paper", &arguments);
    let letter = experiment(place.path(), "letter", &[&arguments[..], &["--preset", "letter"]].concat());
    assert!(paper.join("c1.md").exists() && !letter.join("c1.md").exists());
    for id in ["c7", "c12"] {
        let (paper, other) = (finding(&paper, id), finding(&letter, id));
        assert!(paper["conditions"]["preset"].is_null());
        assert_eq!(other["conditions"]["preset"], "letter");
        assert_ne!(paper["data"], other["data"], "{id}: another search");
        let text = fs::read_to_string(letter.join(format!("{id}.md"))).expect("Markdown");
        assert!(text.contains("preset `letter` instead of `paper`"), "{text}");
    }
    let strong = experiment(place.path(), "strong", &["C12", "--preset", "strong"]);
    assert!(finding(&strong, "c12")["verdict"]["not-run"].is_string());
    for (wrong, said) in
        [(["M8", "letter"], "changes nothing in M8"), (["C7", "best"], "paper, letter, strong")]
    {
        refuses(place.path(), &["experiment", wrong[0], "--preset", wrong[1]], said);
    }
}

/// Judged by ourselves, with few nodes.
#[test]
fn blunders_are_judged() {
    let place = tempfile::tempdir().expect("a folder");
    let arguments = ["C8", "--nodes", "300", "--reference", "kashan:alphabeta"];
    let folder = experiment(place.path(), "out", &arguments);
    let finding = finding(&folder, "c8");
    let parts = finding["parts"].as_array().expect("parts");
    assert_eq!(parts[0]["verdict"], "confirmed");
    assert_eq!(parts[1]["verdict"], "confirmed");
    assert_eq!(finding["data"]["check"]["positions"].as_array().map(Vec::len), Some(29));
    assert_eq!(finding["data"]["reference_limits"], "nodes=50000");
}

/// The claims about a library of actions: by arithmetic, from a library of our own opening lines, and without
/// a file.
#[test]
fn a_library_of_actions_is_tried() {
    let place = tempfile::tempdir().expect("a folder");
    let lines = concat!(env!("CARGO_MANIFEST_DIR"), "/book");
    prints(place.path(), &["library", "build", lines, "-o", "lines.klib"]);
    let with_library = ["--library", "lines.klib", "--nodes", "100", "--games", "2"];
    let folder = experiment(place.path(), "out", &[&with_library[..], &["A5", "A7", "A8"]].concat());
    let printed = finding(&folder, "a5");
    assert_eq!(printed["verdict"], "refuted-in-part");
    let cites = |part: &Value| part["evidence"].as_str().is_some_and(|text| text.contains("(`cargo test "));
    let parts = printed["parts"].as_array().expect("parts");
    assert!(parts.len() == 4 && parts.iter().all(cites), "{parts:?}");
    let reduced = finding(&folder, "a7");
    let parts = reduced["parts"].as_array().expect("parts");
    let nodes =
        |part: &Value| part["evidence"].as_str().is_some_and(|text| text.contains(" % of the nodes ("));
    assert!(nodes(&parts[0]) && parts[0]["verdict"] != "refuted", "{parts:?}");
    assert!(reduced["in_words"].as_str().is_some_and(|words| words.ends_with(", quick run")), "{reduced}");
    let reduces_nothing =
        |part: &Value| part["evidence"].as_str().is_some_and(|text| text.contains("all are searched"));
    let follows = |part: &Value| (part["verdict"] == "measured") == reduces_nothing(part);
    assert!(parts.iter().all(follows), "{parts:?}");
    let retained = finding(&folder, "a8");
    let own = |part: &Value| part["evidence"].as_str().is_some_and(|text| text.contains("from 4 games"));
    assert!(retained["parts"].as_array().expect("parts").iter().any(own), "{}", retained["parts"]);
    let folder =
        experiment(place.path(), "golden", &["A6", "--library", "built-in", "--library", "lines.klib"]);
    let golden = finding(&folder, "a6");
    let parts: Vec<&Value> = golden["parts"].as_array().expect("parts").iter().collect();
    assert!(parts[..2].iter().all(|part| part["verdict"] == "confirmed"), "{parts:?}");
    let libraries: Vec<&Value> = golden["data"]["answers"].as_array().expect("answers").iter().collect();
    assert_eq!((libraries.len(), &libraries[0]["library"]), (2, &"built-in".into()));
    let folder = experiment(place.path(), "none", &["A8"]);
    assert_eq!(
        finding(&folder, "a8")["verdict"]["not-run"],
        "no library was named: --library FILE, as kashan library build makes it"
    );
    refuses(place.path(), &["experiment", "A2", "--library", "nothing.klib"], "nothing.klib");
}

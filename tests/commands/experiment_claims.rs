//! `kashan experiment` for the claims that need no match, as users start it.

use std::fs;
use std::path::Path;

use crate::common::programs::kashan;
use serde_json::Value;

/// Runs some experiments quickly with few nodes; the folder with the findings.
fn experiment(place: &Path, folder: &str, arguments: &[&str]) -> std::path::PathBuf {
    let always = ["experiment", "--quick", "--concurrency", "2", "--output", folder];
    let (fine, answer, errors) = kashan(place, &[&always[..], arguments].concat());
    assert!(fine, "{answer}{errors}");
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
        assert!(markdown.contains("**Confirmed.**"), "{markdown}");
    }
}

/// Different numbers of threads, and from the beginning both times: other folders have other journals.
#[test]
fn the_same_nodes_give_the_same_findings() {
    let place = tempfile::tempdir().expect("a folder");
    let ids = ["C4", "C5", "C7", "development"];
    let nodes = ["--nodes", "1000"];
    let first = experiment(place.path(), "first", &[&ids[..], &nodes].concat());
    let second = experiment(place.path(), "second", &[&ids[..], &nodes, &["--seed", "1"]].concat());
    let mut compared = 0;
    for entry in fs::read_dir(&first).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_file() {
            let name = path.file_name().expect("a name");
            let (a, b) = (fs::read(&path), fs::read(second.join(name)));
            assert!(a.expect("a file") == b.expect("the same file"), "{name:?}");
            compared += 1;
        }
    }
    // JSON and Markdown of each, figures of two, and the report.
    assert_eq!(compared, 2 * ids.len() + 5 + 1);
    assert_eq!(finding(&first, "c5")["verdict"], "refuted");
    let other = experiment(place.path(), "other", &["C5", "--nodes", "1000", "--seed", "2"]);
    assert_ne!(finding(&first, "c5")["data"], finding(&other, "c5")["data"]);
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
    let (fine, answer, errors) = kashan(place.path(), &["library", "build", lines, "-o", "lines.klib"]);
    assert!(fine, "{answer}{errors}");
    let with_library = ["--library", "lines.klib", "--nodes", "100", "--games", "2"];
    let folder = experiment(place.path(), "out", &[&with_library[..], &["A5", "A7", "A8"]].concat());
    let printed = finding(&folder, "a5");
    assert_eq!(printed["verdict"], "refuted");
    let cites = |part: &Value| part["evidence"].as_str().is_some_and(|text| text.contains("(`cargo test "));
    let parts = printed["parts"].as_array().expect("parts");
    assert!(parts.len() == 4 && parts.iter().all(cites), "{parts:?}");
    let reduced = finding(&folder, "a7");
    assert_eq!(reduced["verdict"], "confirmed");
    let parts = reduced["parts"].as_array().expect("parts");
    assert_eq!(parts[0]["verdict"], "confirmed", "{parts:?}");
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
    let (fine, _, errors) = kashan(place.path(), &["experiment", "A2", "--library", "nothing.klib"]);
    assert!(!fine && errors.contains("nothing.klib"), "{errors}");
}

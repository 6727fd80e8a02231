//! `kashan experiment` as users start it: matches that are the same twice, go on after a kill, and
//! mistakes that are named.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use crate::common::programs::{TestFolder, has_all};

/// The findings of experiments: every file of the folder but the journals, which know the hour.
fn run(place: &TestFolder, more: &str) -> BTreeMap<String, String> {
    place.prints(&format!("experiment {more} --output out"));
    for entry in fs::read_dir(place.file("out")).expect("a folder") {
        let path = entry.expect("an entry").path();
        assert!(
            path.is_file() || path.ends_with("journals"),
            "{}",
            path.display()
        );
    }
    place.files("out")
}

#[test]
fn the_list_has_the_matches() {
    let place = TestFolder::new();
    for line in ["experiment", "experiment list"] {
        let text = place.prints(line);
        let ids: Vec<&str> = text
            .lines()
            .filter_map(|line| line.split_whitespace().next())
            .collect();
        for id in ["C9", "C10", "C11", "C12", "C13", "A6", "A9", "M1", "M9"] {
            assert!(ids.contains(&id), "no {id} in\n{text}");
        }
    }
}

#[test]
fn mistakes_are_named() {
    // Opponents are named before anything is done, whatever comes first.
    let place = TestFolder::new();
    place.refuses("experiment C99", &["\"C99\"", "C12"]);
    place.refuses("experiment C9 --games 3", &["--games 3", "even"]);
    place.refuses(
        "experiment C9 --tc matched/0.01",
        &["--tc matched/0.01", "time of his own"],
    );
    place.refuses("experiment C9 --tc 1+0.01 --nodes 5", &["--tc", "--nodes"]);
    place.refuses(
        "experiment all --opponent no-such-engine-anywhere",
        &["no-such-engine-anywhere", "program"],
    );
    place.refuses(
        "experiment C9 --reference no-such-engine-anywhere",
        &["no-such-engine-anywhere", "program"],
    );
    place.refuses(
        "experiment C11 --opponent kashan:minimax --opponent-option 2:MinMaxDepth=1",
        &["opponent 2", "there are 1"],
    );
    place.refuses("experiment C9 --seed 0", &["--seed", "1..="]);
    place.refuses(
        "experiment C11 --opponent kashan:monkey",
        &["monkey", "genetic"],
    );
    place.refuses(
        "experiment C11 --opponent-option Hash=1",
        &["--option", "--opponent"],
    );
}

/// A kill leaves this: the first of eight matches is whole, the journal of the second is torn, and
/// there is nothing else.
#[test]
fn a_killed_experiment_goes_on_and_ends_as_if_nothing_had_been() {
    let line = "C9 --nodes 40 --games 4 --seed 7";
    let place = TestFolder::new();
    let expected = run(&place, line);
    for name in ["c9.json", "c9.md", "report.md"] {
        assert!(expected.contains_key(name), "no {name}");
    }
    has_all(
        &expected["report.md"],
        &["Min-Max is ahead at depths 1 to 3, same number of nodes"],
    );

    let out = place.file("out");
    expected
        .keys()
        .for_each(|name| fs::remove_file(out.join(name)).expect("there"));
    let mut whole = Vec::new();
    for (name, text) in place.files("out/journals") {
        let path = out.join("journals").join(&name);
        match () {
            () if name.starts_with("c9-minmax-same-clock-1-") => whole.push((path, text)),
            () if name.starts_with("c9-minmax-same-clock-2-") && name.ends_with("journal") => {
                fs::write(&path, &text.as_bytes()[..text.len() * 2 / 3]).expect("written");
            }
            () => fs::remove_file(&path).expect("there"),
        }
    }
    assert_eq!(run(&place, line), expected);
    for (path, text) in &whole {
        assert!(
            fs::read_to_string(path).expect("there") == *text,
            "{} was played again",
            path.display()
        );
    }
    assert!(!whole.is_empty(), "there is no journal of the first match");
}

#[test]
fn the_report_has_all_experiments_of_the_folder_each_once() {
    let place = TestFolder::new();
    run(&place, "c12 C12 --nodes 40 --games 2");
    let findings = run(&place, "C6 --nodes 40 --games 2");
    let titles = findings["report.md"]
        .lines()
        .filter(|line| line.starts_with("## "));
    let sections: Vec<&str> = titles
        .map(|line| line.split(':').next().unwrap_or(line))
        .collect();
    assert_eq!(sections, ["## C6", "## C12"]);
}

/// Matches and surveys, one game or position at a time or two.
#[test]
fn the_same_seed_gives_the_same_findings_byte_for_byte() {
    let with = |words: &str| {
        run(
            &TestFolder::new(),
            &format!("{words} --quick --nodes 200 --games 2"),
        )
    };
    let all = "M9 C4 C5 C7 --seed 3";
    let expected = with(all);
    for name in ["m9.md", "c4.json", "c5.json", "c7.json"] {
        assert!(
            expected.contains_key(name),
            "no {name} in {:?}",
            expected.keys()
        );
    }
    assert_eq!(with(&format!("{all} --concurrency 2")), expected);
    let data = |findings: &BTreeMap<String, String>| {
        let finding: Value = serde_json::from_str(&findings["c5.json"]).expect("JSON");
        finding["data"].clone()
    };
    assert_ne!(data(&with("C5 --seed 4")), data(&expected));
}

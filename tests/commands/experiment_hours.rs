//! `kashan experiment` with `--hours` and `--part`: what is planned, left out, shared by machines, and put
//! together.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::common::programs::{prints, refuses};

const FEW: [&str; 5] = ["--quick", "--nodes", "40", "--games", "2"];

fn run(folder: &Path, arguments: &[&str]) -> String {
    prints(folder, &[&["experiment"], arguments, &["--output", "out"]].concat())
}

/// Every file of a folder, by name, but those in folders of their own.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
    let files = entries.filter(|path| path.is_file());
    files.map(|path| (name(&path), fs::read_to_string(&path).expect("text"))).collect()
}

/// The rows of a table that begin with an experiment.
fn row<'t>(text: &'t str, id: &str) -> &'t str {
    let is_it = |line: &&str| line.split_whitespace().next() == Some(id);
    text.lines().find(is_it).unwrap_or_else(|| panic!("no {id} in\n{text}"))
}

#[test]
fn hours_plan_and_the_report_names_what_was_left_out() {
    let place = tempfile::tempdir().expect("a folder");
    let out = place.path().join("out");
    let with = |hours: &str| run(place.path(), &[&["C2", "C6", "C12", "--hours", hours], &FEW[..]].concat());
    let text = with("0");
    assert!(row(&text, "C2").contains("left out: does not fit into 0 h"), "{text}");
    assert_eq!(files(&out).keys().collect::<Vec<_>>(), ["report.md"]);
    let report = &files(&out)["report.md"];
    assert!(
        report.contains(
            "`--hours 0`; estimates are of a core): C6 (0 minutes), C2 (1 minute), C12 (1 minute)."
        ),
        "{report}"
    );
    // C6 is arithmetic, C2 is a minute by its estimate, and C12 another one.
    let text = with("0.02");
    assert!(row(&text, "C2").ends_with("planned") && row(&text, "C12").contains("left out"), "{text}");
    assert!(text.contains("2 experiments planned: 1 minute of 1 minute of a core"), "{text}");
    assert!(text.contains("whatever --games, --nodes and --tc say"), "{text}");
    // What was quicker than its estimate leaves time for others; what is finished is not done again.
    let text = with("1");
    assert!(row(&text, "C2").ends_with("finished") && !text.contains("C2: "), "{text}");
    let whole = files(&out);
    assert!(!whole["report.md"].contains("--hours"));
    // Other conditions are other work.
    let text = run(place.path(), &["C2", "--hours", "1", "--quick", "--nodes", "41"]);
    assert!(row(&text, "C2").ends_with("planned"), "{text}");
    assert_ne!(files(&out)["c2.json"], whole["c2.json"]);
}

#[test]
fn what_runs_when_the_hours_are_over_is_stopped_and_goes_on() {
    let place = tempfile::tempdir().expect("a folder");
    let games = || {
        let journals = place.path().join("out/journals");
        let journals = if journals.is_dir() { files(&journals) } else { BTreeMap::new() };
        let of_match =
            journals.iter().find(|(name, _)| name.starts_with("t2-match-1-") && name.ends_with("journal"));
        of_match.map_or(0, |(_, text)| text.lines().count())
    };
    // A busy machine needs some seconds until it comes to its first game.
    let goes_on = (1..9).any(|attempt| {
        let (before, hours) = (games(), format!("0.00{attempt}"));
        let small = [
            "T2",
            "C2",
            "--seeds",
            "1",
            "--evolution",
            "2,1,2",
            "--games",
            "20000",
            "--hours",
            hours.as_str(),
        ];
        let text = run(place.path(), &small);
        assert!(text.contains("T2 (begun; 0 minutes), C2 (1 minute)"), "{text}");
        assert!(files(&place.path().join("out"))["report.md"].contains("T2 (begun; "));
        before > 0 && games() > before
    });
    assert!(goes_on, "{} games", games());
}

#[test]
fn parts_of_the_experiments_make_the_report_of_one_machine() {
    let [one, several] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let experiments = [&["C2", "C6", "C12"], &FEW[..]].concat();
    run(one.path(), &experiments);
    for part in ["1/2", "2/2"] {
        run(several.path(), &[&experiments[..], &["--part", part]].concat());
    }
    let out = several.path().join("out");
    assert!(files(&out).is_empty());
    assert!(out.join("part-1-of-2/c6.json").is_file() && out.join("part-2-of-2/c12.json").is_file());
    // Nobody treads on the other: an experiment is in one part.
    assert!(!out.join("part-1-of-2/c12.json").exists() && !out.join("part-2-of-2/c2.json").exists());
    let text = run(several.path(), &experiments);
    assert!(text.contains("C12: taken from a part") && !text.contains("C12: Two levels"), "{text}");
    assert_eq!(files(&out), files(&one.path().join("out")));
    // What no part has is done; so is what was done under other conditions.
    fs::remove_dir_all(out.join("part-2-of-2")).expect("there");
    let text = run(several.path(), &[&["C2", "C6", "C12", "C3"], &FEW[..]].concat());
    assert!(text.contains("C2: taken from a part") && text.contains("C12: Two levels"), "{text}");
    let text = run(several.path(), &["C2", "--quick", "--nodes", "41"]);
    assert!(!text.contains("taken from a part"), "{text}");
    // A damaged finding is named with its part.
    fs::write(out.join("part-1-of-2/c2.json"), "{").expect("written");
    refuses(several.path(), &[&["experiment", "--output", "out"], &experiments[..]].concat(), "part-1-of-2");
}

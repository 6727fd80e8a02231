//! `kashan experiment` with `--hours` and `--part`: what is planned, left out, shared by machines, and put
//! together.

use std::fs;

use crate::common::programs::{Place, has_all};

const FEW: &str = "--quick --nodes 40 --games 2";

fn run(place: &Place, more: &str) -> String {
    place.prints(&format!("experiment {more} --output out"))
}

/// The rows of a table that begin with an experiment.
fn row<'t>(text: &'t str, id: &str) -> &'t str {
    let is_it = |line: &&str| line.split_whitespace().next() == Some(id);
    text.lines().find(is_it).unwrap_or_else(|| panic!("no {id} in\n{text}"))
}

#[test]
fn hours_plan_and_the_report_names_what_was_left_out() {
    let place = Place::new();
    let with = |hours: &str| run(&place, &format!("C2 C6 C12 --hours {hours} {FEW}"));
    let text = with("0");
    assert!(row(&text, "C2").contains("left out: does not fit into 0 h"), "{text}");
    assert_eq!(place.files("out").keys().collect::<Vec<_>>(), ["report.md"]);
    let left_out = "`--hours 0`; estimates are of a core): C6 (0 minutes), C2 (1 minute), C12 (1 minute).";
    has_all(&place.read("out/report.md"), &[left_out]);
    // C6 is arithmetic, C2 is a minute by its estimate, and C12 another one.
    let text = with("0.02");
    assert!(row(&text, "C2").ends_with("planned") && row(&text, "C12").contains("left out"), "{text}");
    has_all(&text, &["2 experiments planned: 1 minute of 1 minute of a core"]);
    has_all(&text, &["whatever --games, --nodes and --tc say"]);
    // What was quicker than its estimate leaves time for others; what is finished is not done again.
    let text = with("1");
    assert!(row(&text, "C2").ends_with("finished") && !text.contains("C2: "), "{text}");
    let whole = place.files("out");
    assert!(!whole["report.md"].contains("--hours"));
    // Other conditions are other work.
    let text = run(&place, "C2 --hours 1 --quick --nodes 41");
    assert!(row(&text, "C2").ends_with("planned"), "{text}");
    assert_ne!(place.read("out/c2.json"), whole["c2.json"]);
}

#[test]
fn what_runs_when_the_hours_are_over_is_stopped_and_goes_on() {
    let place = Place::new();
    let games = || {
        let journals = place.files("out/journals");
        let of_match =
            journals.iter().find(|(name, _)| name.starts_with("t2-match-1-") && name.ends_with("journal"));
        of_match.map_or(0, |(_, text)| text.lines().count())
    };
    // A busy machine needs some seconds until it comes to its first game.
    let goes_on = (1..9).any(|attempt| {
        let before = games();
        let small = "T2 C2 --seeds 1 --evolution 2,1,2 --games 20000";
        let text = run(&place, &format!("{small} --hours 0.00{attempt}"));
        has_all(&text, &["T2 (begun; 0 minutes), C2 (1 minute)"]);
        has_all(&place.read("out/report.md"), &["T2 (begun; "]);
        before > 0 && games() > before
    });
    assert!(goes_on, "{} games", games());
}

#[test]
fn parts_of_the_experiments_make_the_report_of_one_machine() {
    let [one, several] = [(); 2].map(|()| Place::new());
    let experiments = format!("C2 C6 C12 {FEW}");
    run(&one, &experiments);
    for part in ["1/2", "2/2"] {
        run(&several, &format!("{experiments} --part {part}"));
    }
    assert!(several.files("out").is_empty());
    // Nobody treads on the other: an experiment is in one part.
    let findings = ["1-of-2/c6", "2-of-2/c12", "1-of-2/c12", "2-of-2/c2"];
    let are_there = findings.map(|name| several.file(&format!("out/part-{name}.json")).is_file());
    assert_eq!(are_there, [true, true, false, false], "{findings:?}");
    let text = run(&several, &experiments);
    assert!(text.contains("C12: taken from a part") && !text.contains("C12: Two levels"), "{text}");
    assert_eq!(several.files("out"), one.files("out"));
    // What no part has is done; so is what was done under other conditions.
    fs::remove_dir_all(several.file("out/part-2-of-2")).expect("there");
    has_all(&run(&several, &format!("C3 {experiments}")), &["C2: taken from a part", "C12: Two levels"]);
    let text = run(&several, "C2 --quick --nodes 41");
    assert!(!text.contains("taken from a part"), "{text}");
    // A damaged finding is named with its part.
    several.write("out/part-1-of-2/c2.json", "{");
    several.refuses(&format!("experiment --output out {experiments}"), &["part-1-of-2"]);
}

//! `kashan explain` as users start it.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Command, Stdio};

use crate::common::programs::{TestFolder, has_all};

#[test]
fn text_and_page_are_the_same_every_time() {
    let place = TestFolder::new();
    let fen = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R b KQ - 0 8";
    let explain = |name: &str, seed: &str| {
        let (text, errors) = place.says(&format!(
            "explain '{fen}' --nodes 20000 --option Seed={seed} --option Levels=1 --branches 5 --html {name}.html"
        ));
        assert!(errors.is_empty(), "{errors}");
        [text, place.read(&format!("{name}.html"))]
    };
    let first = explain("first", "7");
    assert_eq!(first, explain("second", "7"));
    assert_ne!(first, explain("third", "8"));
    let [text, html] = first;
    has_all(
        &text,
        &[
            fen,
            "Seed 7",
            "Levels 1",
            "Fittest branches",
            "Effort",
            "The tree",
        ],
    );
    has_all(&text, &["20,000 positions"]);
    assert!(
        text.matches(" 8... ").count() >= 5,
        "moves have their numbers: {text}"
    );
    assert!(html.starts_with("<!DOCTYPE html>") && html.contains("Black plays"));
}

#[test]
fn a_position_needs_no_quotation_marks() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let place = TestFolder::new();
    for command in ["eval", "explain --nodes 1000"] {
        assert_eq!(
            place.prints(&format!("{command} {fen}")),
            place.prints(&format!("{command} '{fen}'"))
        );
    }
}

#[test]
fn time_can_be_the_limit() {
    has_all(
        &TestFolder::new().prints("explain --time 0.05"),
        &["Genetic search, at most 0.05 s;"],
    );
}

#[cfg(unix)]
#[test]
fn control_c_ends_the_search_and_shows_what_there_is() {
    let place = TestFolder::new();
    let mut command = place.command("explain --nodes 1000000000");
    command.env("RUST_LOG", "kashan=trace");
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = command.spawn().expect("it starts");
    let mut log = BufReader::new(running.stderr.take().expect("it is piped"));
    let mut line = String::new();
    while !line.contains("generation 1:") {
        line.clear();
        assert!(log.read_line(&mut line).expect("text") > 0, "it ended");
    }
    let id = running.id().to_string();
    let status = Command::new("kill").args(["-s", "INT", &id]).status();
    assert!(status.expect("kill is there").success());
    log.read_to_string(&mut line).expect("text");
    let output = running.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("text");
    has_all(&text, &["at most 1,000,000,000 positions", "The tree"]);
}

/// A line a generation, and one a birth with its operator.
#[test]
fn the_log_shows_the_search_breed() {
    let place = TestFolder::new();
    let output = place
        .command("explain --nodes 50000")
        .env("RUST_LOG", "kashan=trace")
        .output();
    let log = String::from_utf8(output.expect("it runs").stderr).expect("UTF-8");
    has_all(
        &log,
        &[
            "population:  | e2e4: ",
            "growth: e2e4 ",
            "mutation, better: ",
            "not shown to be better, dies: ",
        ],
    );
    has_all(
        &log,
        &[
            "generation 1: 0 by crossover, 0 by mutation",
            "; H = 1, P = 1; ",
            ", K = 0",
        ],
    );
}

#[test]
fn what_cannot_be_done_is_named() {
    // A search on several threads is not explained as another.
    let place = TestFolder::new();
    place.refuses("explain nonsense", &["nonsense"]);
    place.refuses(
        "explain --option Populaton=5",
        &["\"Populaton\" (did you mean Population?)"],
    );
    place.refuses("explain --option Population=many", &["many"]);
    place.refuses("explain --option Population", &["NAME=VALUE"]);
    place.refuses(
        "explain --option Backend=minimax",
        &["only the genetic search"],
    );
    place.refuses("explain --option Threads=8", &["leave Threads at 1"]);
    place.refuses("explain --option Preset=elephant", &["elephant"]);
    place.refuses("explain --nodes 0", &["0"]);
    place.refuses("explain --time never", &["number of seconds"]);
    place.refuses(
        "explain --time -1",
        &["invalid value '-1'", "number of seconds"],
    );
    place.refuses("explain --time 1 --nodes 5", &["--nodes"]);
    place.refuses("explain --branches 0", &["0"]);
    place.refuses("explain '7k/5KQ1/8/8/8/8/8/8 b - - 0 1'", &["White mates"]);
    place.refuses(
        "explain --nodes 100 --html no/such/place.html",
        &["place.html"],
    );
}

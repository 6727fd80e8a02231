//! `kashan tune` as users start it: the same twice, with any number of threads and after a kill, and mistakes
//! told.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::programs::{self, kashan, prints, refuses, refuses_each};

/// A folder with problems of both kinds, and lines that are none.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let first = |name: &str, count: usize| {
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suites").join(name));
        let lines: Vec<String> = text.expect("a suite").lines().map(str::to_owned).collect();
        lines.into_iter().filter(|line| !line.starts_with('#')).take(count).collect::<Vec<_>>().join("\n")
    };
    fs::write(folder.path().join("tactical.epd"), first("tactical100.epd", 12)).expect("written");
    fs::write(folder.path().join("positional.epd"), first("quiet100.epd", 12)).expect("written");
    folder
}

/// Two plies, so that a debug build is quick.
const TASK: &str = "--tactical tactical.epd --positional positional.epd --plies 2 --problems 6 --seed 3";
const EVOLVE: &str = "--players 4 --generations 3";

/// `kashan tune` with such words.
fn tune<'w>(words: &[&'w str], more: &[&'w str]) -> Vec<&'w str> {
    let words = words.iter().flat_map(|words| words.split(' '));
    ["tune"].into_iter().chain(words).chain(more.iter().copied()).collect()
}

fn evolved(folder: &Path, more: &[&str]) -> String {
    prints(folder, &tune(&["evolve", TASK, EVOLVE], more))
}

#[test]
fn weights_are_evolved_shown_and_played_with() {
    let folder = folder();
    let arguments =
        ["-o", "one.toml", "--not-evolved", "first.toml", "--svg", "plot.svg", "--threads", "1", "--verbose"];
    let (fine, text, errors) = kashan(folder.path(), &tune(&["evolve", TASK, EVOLVE], &arguments));
    assert!(fine, "{errors}");
    assert!(text.contains("held out") && text.contains("searches/s"), "{text}");
    assert!(errors.contains("problem 6 of 6 (") && errors.contains("of 4 players solve it"), "{errors}");
    evolved(folder.path(), &["-o", "two.toml", "--svg", "other.svg", "--threads", "2"]);
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect(name);
    assert_eq!(read("one.toml"), read("two.toml"), "the threads make no difference");
    assert_eq!(read("plot.svg"), read("other.svg"));
    assert!(read("one.toml").contains("evaluation = \"factors\"") && read("plot.svg").contains("held out"));
    assert_ne!(read("one.toml"), read("first.toml"));

    let shown = prints(folder.path(), &["tune", "show", "one.toml", "--all"]);
    for part in ["knight_mobility", "fixed", "of 23 weights differ", "command: kashan tune evolve", "seed: 3"]
    {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    let value = |more: &[&str]| {
        let text = prints(folder.path(), &[&["eval", e4, "--all"], more].concat());
        assert!(text.contains("pawn_central"), "{text}");
        text.lines().find(|line| line.starts_with("total")).expect("a total").to_owned()
    };
    assert_ne!(value(&["--weights", "one.toml"]), value(&["--evaluation", "factors"]));
    assert!(value(&["--evaluation", "factors"]).contains("+221"));
}

#[test]
fn several_runs_have_a_mean_and_json_has_everything() {
    let folder = folder();
    let text = evolved(folder.path(), &["--runs", "2", "-o", "best.toml"]);
    assert!(text.contains("mean over 2 seeds"), "{text}");
    let text = evolved(folder.path(), &["--runs", "2", "--json"]);
    let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(value["runs"].as_array().map(Vec::len), Some(2));
    assert_eq!(value["names"].as_array().map(Vec::len), Some(23));
    assert_eq!(value["runs"][0]["problems"]["held_out"], 4);
    let command = value["command"].as_str().expect("a command");
    assert!(command.starts_with("kashan tune evolve --tactical tactical.epd"), "{command}");
}

#[test]
fn cma_finds_weights_and_says_what_it_cost() {
    let folder = folder();
    let cma = |output, threads| {
        let more = ["-o", output, "--threads", threads, "--weights", "knight..queen"];
        prints(folder.path(), &tune(&["cma", TASK, "--searches 300"], &more))
    };
    let text = cma("one.toml", "1");
    assert!(text.contains("Problems solved: ") && text.contains("Fitness"), "{text}");
    cma("two.toml", "2");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect(name);
    assert_eq!(read("one.toml"), read("two.toml"));
    assert!(read("one.toml").contains("knight_mobility = 74.25"), "it was not to change");
    let all = tune(&["cma", TASK, "--searches 300", "--evaluation paper"], &[]);
    refuses(folder.path(), &all, "choose some by --weights");
}

/// As a kill leaves it: half of a journal, which is torn.
#[test]
fn a_killed_evolution_goes_on_and_ends_as_if_nothing_had_been() {
    let folder = folder();
    let output = folder.path().join("one.toml");
    evolved(folder.path(), &["-o", "one.toml"]);
    let whole = fs::read_to_string(&output).expect("written");
    fs::remove_file(&output).expect("there");
    let journal = folder.path().join("one.toml.journal");
    let text = fs::read(&journal).expect("a journal");
    fs::write(&journal, &text[..text.len() / 2]).expect("written");
    let arguments = tune(&["evolve", TASK, EVOLVE, "-o one.toml"], &[]);
    let (fine, _, errors) = kashan(folder.path(), &arguments);
    assert!(fine && errors.contains("going on from the journal"), "{errors}");
    assert_eq!(fs::read_to_string(&output).expect("written"), whole);
    // The journal is of that command alone.
    let other = [&arguments[..], &["--result", "mean"]].concat();
    refuses(folder.path(), &other, "one.toml.journal is of different work: options.result: was ");
}

#[test]
fn mistakes_are_told() {
    let folder = folder();
    fs::write(folder.path().join("bad.epd"), "4k3/8/8/8/8/8/4P3/4K3 w - - id \"nothing\";\nnonsense\n")
        .expect("written");
    fs::write(folder.path().join("bad.toml"), "evaluation = \"factors\"\n[weights]\nknight = 500\n")
        .expect("written");
    refuses_each(
        folder.path(),
        "tune evolve | tests/suites/tactical100.epd
         tune evolve --tactical none.epd | none.epd
         tune evolve --tactical bad.epd | there are no tactical problems
         tune evolve --tactical tactical.epd | 96 tactical problems are needed
         tune evolve --tactical tactical.epd --players 5 | even
         tune evolve --tactical tactical.epd --players 18446744073709551614 | even number up to
         tune evolve --tactical tactical.epd --held-out 1 | --held-out 1
         tune evolve --tactical tactical.epd --weights elephant | \"elephant\"
         tune evolve --tactical tactical.epd --tactical bad.epd --strict | --strict
         tune samples --threads 100000 -o own.epd | 1024
         tune show bad.toml | bad.toml, line 3: weights.knight: 500 is not from 200 to 400
         eval --weights bad.toml | bad.toml, line 3: weights.knight",
    );
}

/// Scripts ask the exit status whether there is everything.
#[test]
#[cfg(unix)]
fn games_for_samples_that_are_stopped_are_no_success() {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;

    let folder = tempfile::tempdir().expect("a folder");
    let mut samples = Command::new(env!("CARGO_BIN_EXE_kashan"))
        .current_dir(folder.path())
        .args(["tune", "samples", "--games", "1000000", "--nodes", "60", "--threads", "1", "-o", "own.epd"])
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let has_games = || fs::metadata(folder.path().join("own.epd")).is_ok_and(|file| file.len() > 5000);
    let begun = Instant::now();
    while !has_games() && begun.elapsed() < Duration::from_secs(300) {
        assert!(samples.try_wait().expect("ours").is_none(), "it ended by itself");
        thread::sleep(Duration::from_millis(5));
    }
    kill(Pid::from_raw(i32::try_from(samples.id()).expect("an id")), Signal::SIGINT).expect("it is ours");
    let output = samples.wait_with_output().expect("it ends");
    let said = programs::text(&output);
    assert!(!output.status.success() && said.contains("the same command goes on with own.epd"), "{said}");
}

/// From nothing to weights: games of our own, what is fitted to them, and an engine that plays with it.
#[test]
fn weights_are_fitted_to_games_of_our_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let [own, foreign, fitted] =
        ["own.epd", "foreign.epd", "fitted.toml"].map(|name| folder.path().join(name));
    let samples = ["tune", "samples", "--games", "30", "--nodes", "60", "--per-game", "6", "-o", "own.epd"];
    prints(folder.path(), &samples);
    let samples_text = fs::read_to_string(&own).expect("written");
    assert!(samples_text.starts_with("# ") && samples_text.contains("c9 \""), "{samples_text}");
    // Something else is not overwritten.
    std::fs::write(&foreign, "mine\n").expect("written");
    refuses(folder.path(), &["tune", "samples", "--games", "30", "-o", "foreign.epd"], "foreign.epd");

    let fit =
        ["tune", "fit", "own.epd", "foreign.epd", "--held-out", "0.4", "--epochs", "5", "-o", "fitted.toml"];
    let (fine, said, errors) = kashan(folder.path(), &fit);
    assert!(fine && errors.contains("foreign.epd, line 1"), "{errors}");
    assert!(said.contains(" games") && said.contains("held-out loss"), "{said}");
    let text = std::fs::read_to_string(&fitted).expect("written");
    assert!(text.contains("evaluation = \"kashan\"") && text.contains("[made]"), "{text}");
    let shown = prints(folder.path(), &["eval", "--weights", "fitted.toml"]);
    assert!(shown.contains("tempo"), "{shown}");
    refuses(folder.path(), &[&fit[..], &["--strict"]].concat(), "1 line cannot be used");
    refuses_each(
        folder.path(),
        "tune fit own.epd -o x.toml --held-out 1.5 | --held-out is from
         tune fit own.epd -o x.toml --pull -1 | '-1'
         tune fit own.epd -o x.toml --pull inf | --pull",
    );

    // Positions of which no search said anything.
    let without: Vec<&str> =
        samples_text.lines().map(|line| line.split(" ce ").next().unwrap_or(line)).collect();
    std::fs::write(folder.path().join("without.epd"), without.join(";\n")).expect("written");
    let fit = |files: &[&'static str]| {
        let words =
            ["tune", "fit", "--held-out", "0.4", "--epochs", "1", "-o", "x.toml", "--search-share", "0.5"];
        [&words, files].concat()
    };
    refuses(folder.path(), &fit(&["without.epd"]), "--search-share: no position");
    let said = prints(folder.path(), &fit(&["without.epd", "own.epd"]));
    assert!(said.contains("to fit to have the value of a search (ce)"), "{said}");
    let said = prints(folder.path(), &fit(&["own.epd"]));
    assert!(!said.contains("(ce)"), "{said}");

    // The weights are written also if nobody listens, and with a seed that TOML has no number for.
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let seed = u64::MAX.to_string();
    let done = Command::new(env!("CARGO_BIN_EXE_kashan"))
        .current_dir(folder.path())
        .args("tune fit own.epd --held-out 0.4 --epochs 2 -o deaf.toml --seed".split(' '))
        .arg(&seed)
        .stdout(writer)
        .output()
        .expect("it runs");
    assert!(done.status.success(), "{}", programs::text(&done));
    let text = fs::read_to_string(folder.path().join("deaf.toml")).expect("written");
    assert!(text.contains(&format!("seed = \"{seed}\"")), "{text}");
}

/// What an option is worth is not to be seen in so few games; that a run is the same twice is.
#[test]
fn options_are_tuned_by_games_and_a_run_that_was_cut_off_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let line = "LeafDepth, int, 4, 1, 9, 3, 0.1\n\nLeafNodes,int,100,10,1000,90,0.1\n";
    fs::write(folder.join("options.txt"), line).expect("written");
    let play = |more: &[&str]| tune(&["play options.txt --nodes 300 --games 13 --pairs 2"], more).join(" ");
    let text = programs::prints_line(folder, &play(&["--threads 1"]));
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("LeafDepth, int, ") && lines[0].ends_with(", 1, 9, 3, 0.1"), "{text}");
    assert!(lines.len() == 2 && !lines[0].contains("4.00"), "{text}");
    programs::prints_line(folder, &play(&["-o new.txt --threads 2"]));
    let read = |name: &str| fs::read_to_string(folder.join(name)).expect(name);
    assert_eq!(read("new.txt"), text);
    // One of three steps is left, and the beginning of another.
    let journal = read("new.txt.journal");
    let ends: Vec<usize> = journal.match_indices('\n').map(|(end, _)| end).collect();
    fs::write(folder.join("new.txt.journal"), &journal[..ends[2] - 1]).expect("written");
    fs::remove_file(folder.join("new.txt")).expect("there");
    programs::prints_line(folder, &play(&["-o new.txt"]));
    assert_eq!(read("new.txt"), text);
    assert_eq!(read("new.txt.journal"), journal);
    // What comes out can be tuned again, by the same rules.
    programs::prints_line(folder, "tune play new.txt --nodes 300 --games 4 --pairs 2 -o new2.txt");
    for (options, word) in [
        ("LeafNodes, int, 1000, 100, 500000, 9, 0.1", "LeafNodes is from 10 to 100000"),
        ("Backend, int, 1, 0, 9, 1, 0.1", "Backend is no number"),
        ("Nonsense, int, 1, 0, 9, 1, 0.1", "no option is called \"Nonsense\""),
        ("MinMaxDepth, int, 4, 1, 9, 1, 0.1", "do not depend on MinMaxDepth"),
        ("Threads, int, 1, 1, 9, 1, 0.1", "do not depend on Threads"),
        ("LeafNodes, int, 1000, 100, 5000, 9", "bad.txt, line 1: LeafNodes"),
        (
            "Hash, int, 9, 1, 99, 9, 1\nhash, int, 9, 1, 99, 9, 1",
            "line 2: hash, int, 9, 1, 99, 9, 1: the option",
        ),
        ("", "has no lines"),
    ] {
        fs::write(folder.join("bad.txt"), options).expect("written");
        refuses(folder, &["tune", "play", "bad.txt", "--games", "8"], word);
    }
    refuses(folder, &["tune", "play", "options.txt", "--games", "7"], "less than one step");
    refuses(folder, &["tune", "play", "options.txt", "-o", "options.txt"], "is read by this command");
    let fixed = ["tune", "play", "options.txt", "--option", "leafdepth=2"];
    refuses(folder, &fixed, "LeafDepth is to be tuned, and --option sets it");
    refuses(folder, &["tune", "play", "none.txt"], "none.txt");
    fs::write(folder.join("letter.txt"), "Dear Anna").expect("written");
    refuses(folder, &["tune", "play", "options.txt", "--games", "8", "-o", "letter.txt"], "is there already");
    assert_eq!(read("letter.txt"), "Dear Anna");
}

//! Work that several machines share: parts are played, put together, and are the same as one run.

use serde_json::{Value, json};

use super::json_lines;
use crate::common::programs::{Place, first_of_suite, has_all};

const MATCH: &str = "match kashan:alphabeta kashan:minimax --tc nodes=150 --option OwnBook=0 --max-moves 12 \
                     --win moves=1,score=150 --games 8";
const BLUNDERS: &str = "blunders some.epd --engine kashan:minimax --tc depth=1 --reference kashan:alphabeta \
                        --reference-limits nodes=1000";

/// What the games of a journal were, in the order of their numbers: all but how long they took, and when.
fn games(place: &Place, journal: &str) -> Vec<Value> {
    let mut entries = json_lines(&place.read(journal)).split_off(1);
    entries.sort_by_key(|entry| entry["game"]["number"].as_u64());
    let kept = |entry: &Value| {
        let game = &entry["game"];
        let moves: Vec<_> = game["moves"].as_array().expect("moves").iter().map(|mv| &mv["uci"]).collect();
        let kept = ["number", "round", "white", "black", "opening", "result"].map(|key| &game[key]);
        json!([kept, moves])
    };
    entries.iter().map(kept).collect()
}

/// The last event, without what it says of a busy machine.
fn result(events: &str) -> Value {
    let mut result = json_lines(events).pop().expect("a result");
    result.as_object_mut().expect("an object").remove("warning");
    result
}

#[test]
fn a_match_in_three_parts_is_the_match() {
    let place = Place::new();
    let whole = place.prints(&format!("{MATCH} --journal whole --pgn whole.pgn --json"));
    for (part, pairs) in [(1, 2), (2, 1), (3, 1)] {
        let text = place.prints(&format!("{MATCH} --part {part}/3 --journal {part} --pgn {part}.pgn"));
        assert!(text.starts_with(&format!("{} games of part {part}/3, 1 at a time", 2 * pairs)), "{text}");
    }
    has_all(&place.prints("merge 3 1 2 -o merged"), &["8 results of 3 parts in merged"]);
    let before = place.read("merged");
    let merged = place.prints(&format!("{MATCH} --journal merged --pgn merged.pgn --json"));
    assert_eq!(place.read("merged"), before, "nothing was played");
    assert_eq!(result(&merged), result(&whole));
    let expected = games(&place, "whole");
    assert_eq!(games(&place, "merged"), expected);
    let verdicts: Vec<&Value> = expected.iter().map(|game| &game[0][5]["verdict"]).collect();
    assert!(verdicts.iter().any(|verdict| *verdict != verdicts[0]), "all games end alike: {verdicts:?}");
    // The PGN files of the parts say the same of the players.
    let rated = |files: &str| place.prints(&format!("rate {files} --json"));
    assert_eq!(rated("1.pgn 2.pgn 3.pgn"), rated("whole.pgn"));
    assert_eq!(rated("merged.pgn"), rated("whole.pgn"));
    // What nobody did is done by the command of the whole.
    has_all(&place.says("merge 1 3 -o two").1, &["part 2/3 is missing"]);
    let text = place.prints(&format!("{MATCH} --journal two"));
    assert!(text.starts_with("6 of 8 games were played before"), "{text}");
    assert_eq!(games(&place, "two"), expected);
}

#[test]
fn blunders_in_two_parts_are_the_blunders() {
    let place = Place::with(&[("some.epd", &first_of_suite("quiet29.epd", 5))]);
    let whole = place.prints(&format!("{BLUNDERS} --journal whole"));
    for (part, others) in [(1, 2), (2, 3)] {
        let (text, errors) = place.says(&format!("{BLUNDERS} --part {part}/2 --journal {part}"));
        has_all(&errors, &[&format!("(part {part}/2), judged by")]);
        has_all(&text, &[&format!("{others} positions of other parts, or not judged")]);
    }
    place.prints("merge 1 2 -o merged");
    let before = place.read("merged");
    assert_eq!(place.prints(&format!("{BLUNDERS} --journal merged")), whole);
    assert_eq!(place.read("merged"), before, "nothing was judged");
}

#[test]
fn samples_in_three_parts_are_the_samples() {
    let place = Place::new();
    let line = "tune samples --games 8 --nodes 60 --per-game 6";
    place.prints(&format!("{line} -o whole.epd"));
    let part = |number: u32| format!("{line} --part {number}/3 -o {number}.epd");
    (1..=3).for_each(|number| drop(place.prints(&part(number))));
    // As a kill leaves it.
    let second = place.read("2.epd");
    place.write("2.epd", &second[..second.len() - 9]);
    place.prints(&part(2));
    let positions = |name: &str| -> Vec<String> {
        let text = place.read(name);
        text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
    };
    let parts = ["1.epd", "2.epd", "3.epd"].map(positions);
    assert!(parts.iter().all(|part| !part.is_empty()), "{parts:?}");
    assert_eq!(parts.concat(), positions("whole.epd"));
    place.refuses(&format!("{line} -o 2.epd"), &["not the beginning of these samples"]);
    // What is fitted to them is the same.
    let fitted = |files: &str, output: &str| {
        place.prints(&format!("tune fit {files} --held-out 0.5 --epochs 3 -o {output}"));
        place.read(output).split("[made]").next().map(str::to_owned)
    };
    assert_eq!(fitted("1.epd 2.epd 3.epd", "parts.toml"), fitted("whole.epd", "whole.toml"));
}

/// Each machine makes a library of its own games; what is merged is what one machine would have made.
#[test]
fn libraries_of_parts_are_the_library() {
    let games = [
        ("one.pgn", "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n"),
        ("two.pgn", "[White \"B\"]\n[Black \"C\"]\n[Result \"*\"]\n\n1. e4 e5 2. Nf3 Nf6 3. Nxe5 d6 *\n"),
        ("three.pgn", "[White \"C\"]\n[Black \"A\"]\n[Result \"0-1\"]\n\n1. d4 d5 2. c4 dxc4 3. e4 e5 0-1\n"),
    ];
    let place = Place::with(&games);
    place.prints("library build one.pgn two.pgn three.pgn -o whole.klib");
    for name in ["one", "two", "three"] {
        place.prints(&format!("library build {name}.pgn -o {name}.klib"));
    }
    place.prints("library merge one.klib two.klib three.klib -o merged.klib");
    let [merged, whole] =
        ["merged.klib", "whole.klib"].map(|name| std::fs::read(place.file(name)).expect(name));
    assert!(merged == whole, "{} and {} bytes", merged.len(), whole.len());
}

#[test]
fn what_is_no_part_or_does_not_fit_is_refused() {
    let place = Place::with(&[("there", "mine\n")]);
    let line = "match kashan:minimax kashan:action --tc nodes=60 --max-moves 1 --games 4";
    place.prints(&format!("{line} --part 1/2 --journal 1"));
    place.refuses("match kashan:minimax kashan:action --games 4 --part 4/3", &["a part is K/N"]);
    place.refuses(
        "match kashan:minimax kashan:action --games 4 --part 1/3 --sprt 0 5",
        &["sprt asks after every game"],
    );
    place.refuses(
        "tournament kashan:minimax kashan:action --swiss --part 1/2",
        &["a Swiss tournament has no parts"],
    );
    place.refuses("merge 1 1 -o merged", &["name it once"]);
    place.refuses("merge 1 nowhere -o merged", &["there is no journal nowhere"]);
    place.refuses("merge 1 -o there", &["is there already"]);
    place.refuses(&format!("{line} --journal 1"), &["part: was 1/2, is nothing"]);
    assert!(!place.file("merged").exists());
}

/// The page of the manual, line by line, with fewer games and this machine in the place of three.
#[cfg(unix)]
mod page {
    use std::path::{Path, PathBuf};
    use std::process::Command;

    use super::*;
    use crate::common::programs::{have, path_with_games, source, text};

    const PAGE: &str = include_str!("../../src/cli/manual/topics/machines.md");

    /// Its example that begins with this word, for a test that takes seconds.
    fn example(begins: &str) -> String {
        let mut lines = PAGE.lines().filter_map(|line| line.strip_prefix("    "));
        let line = lines.find(|line| line.starts_with(begins)).expect(begins);
        let long = "kashan:genetic fairymax --tc 10+0.1 --games 4000";
        let quick = "kashan:minimax kashan:action --tc nodes=60 --max-moves 2 --games 8";
        line.replace(long, quick).replace("-S one,two,three", "-S :")
    }

    /// What a shell makes of the lines, in a folder with our program on the path.
    #[track_caller]
    fn shell(place: &Place, lines: &str) -> String {
        let ours = PathBuf::from(env!("CARGO_BIN_EXE_kashan"));
        let places = [ours.parent().expect("a folder"), place.path()].map(Path::to_path_buf);
        let path = std::env::join_paths(places.into_iter().chain(std::env::split_paths(&path_with_games())));
        let mut command = Command::new("sh");
        command.args(["-ec", lines]).env("PATH", path.expect("a path")).env("HOME", place.path());
        let output = command.current_dir(place.path()).output().expect("it runs");
        assert!(output.status.success(), "{lines:?}: {}", text(&output));
        text(&output)
    }

    fn follow(place: &Place, first: &str) {
        let said = shell(place, &[first, "kashan merge", "kashan match"].map(example).join("\n"));
        has_all(&said, &["8 results of 3 parts in m.journal", "8 of 8 games were played before"]);
        assert_eq!(place.read("m.pgn").matches("[Event ").count(), 8);
    }

    #[test]
    fn gnu_parallel_plays_the_parts() {
        if !have(&["parallel"]) {
            return;
        }
        let place = Place::new();
        // Another program has the same name.
        if !shell(&place, "parallel --version 2>&1 || true").contains("GNU parallel") {
            return eprintln!("SKIPPED: parallel is not GNU parallel");
        }
        follow(&place, "parallel ");
    }

    /// OpenBench's workers call make in the folder that the page names, with the name of the program that
    /// they want. What it would do is looked at here.
    #[test]
    fn openbench_builds_what_the_page_says() {
        let rust =
            include_str!("../../Cargo.toml").lines().find_map(|line| line.strip_prefix("rust-version = "));
        let rust = format!("cargo>={}.0", rust.expect("it says which Rust").trim_matches('"'));
        has_all(PAGE, &["`\"path\": \"tests/openbench\"", &format!("\"compilers\": [\"{rust}\"]")]);
        if !have(&["make"]) {
            return;
        }
        let folder = source("tests/openbench");
        let make = |words: &str| {
            let mut command = Command::new("make");
            command.args(["-C", &folder]).args(words.split(' ')).env_remove("MAKEFLAGS");
            let output = command.output().expect("make runs");
            assert!(output.status.success(), "{words}: {}", text(&output));
            text(&output)
        };
        for (words, program) in [
            ("-n -j EXE=Kashan-1234", "/Kashan-1234\""),
            ("-n -j EXE=Kashan-1234 OS=Windows_NT", "/Kashan-1234.exe\""),
            ("-n -j EXE=Kashan-1234.exe OS=Windows_NT", "/Kashan-1234.exe\""),
        ] {
            let said = make(words);
            has_all(&said, &["cargo rustc --locked --manifest-path ../../Cargo.toml"]);
            has_all(&said, &["--profile release --bin kashan", &format!("--emit \"link={folder}{program}")]);
        }
    }

    /// Slurm itself is not asked: a script does with the line what it would do.
    #[test]
    fn a_slurm_array_is_one_command_for_each_part() {
        let place = Place::new();
        let script = "#!/bin/sh\n[ \"$1 $2\" = '--array=1-3 --wrap' ] || exit 1\n\
                      for id in 1 2 3; do SLURM_ARRAY_TASK_ID=$id sh -c \"$3\" || exit; done\n";
        place.write_script("sbatch", script);
        follow(&place, "sbatch ");
    }
}

//! A match that several machines share: the parts are the games of one run, and are rated together.

use serde_json::{Value, json};

use super::json_lines;
use crate::common::programs::{TestFolder, has_all};

const MATCH: &str = "match kashan:alphabeta kashan:minimax --tc nodes=150 --option OwnBook=0 --max-moves 12 \
                     --win moves=1,score=150 --games 8";

/// The games of a journal in the order of their numbers, without times and dates.
fn games(place: &TestFolder, journal: &str) -> Vec<Value> {
    let mut entries = json_lines(&place.read(journal)).split_off(1);
    entries.sort_by_key(|entry| entry["game"]["number"].as_u64());
    let kept = |entry: &Value| {
        let game = &entry["game"];
        let moves: Vec<_> = game["moves"]
            .as_array()
            .expect("moves")
            .iter()
            .map(|mv| &mv["uci"])
            .collect();
        let kept = ["number", "round", "white", "black", "opening", "result"].map(|key| &game[key]);
        json!([kept, moves])
    };
    entries.iter().map(kept).collect()
}

#[test]
fn a_match_in_three_parts_is_the_match() {
    let place = TestFolder::new();
    place.prints(&format!("{MATCH} --journal whole --pgn whole.pgn"));
    for (part, pairs) in [(1, 2), (2, 1), (3, 1)] {
        let text = place.prints(&format!(
            "{MATCH} --part {part}/3 --journal {part} --pgn {part}.pgn"
        ));
        assert!(
            text.starts_with(&format!(
                "{} games of part {part}/3, 1 at a time",
                2 * pairs
            )),
            "{text}"
        );
    }
    let expected = games(&place, "whole");
    let verdicts: Vec<&Value> = expected.iter().map(|game| &game[0][5]["verdict"]).collect();
    assert!(
        verdicts.iter().any(|verdict| *verdict != verdicts[0]),
        "all games end alike: {verdicts:?}"
    );
    let mut of_parts = ["1", "2", "3"]
        .map(|journal| games(&place, journal))
        .concat();
    of_parts.sort_by_key(|game| game[0][0].as_u64());
    assert_eq!(of_parts, expected);
    // The PGN files of the parts say the same of the players.
    let rated = |files: &str| place.prints(&format!("rate {files} --json"));
    assert_eq!(rated("1.pgn 2.pgn 3.pgn"), rated("whole.pgn"));
}

#[test]
fn what_is_no_part_or_does_not_fit_is_refused() {
    let place = TestFolder::new();
    let line = "match kashan:minimax kashan:action --tc nodes=60 --max-moves 1 --games 4";
    place.prints(&format!("{line} --part 1/2 --journal 1"));
    place.refuses(
        "match kashan:minimax kashan:action --games 4 --part 4/3",
        &["a part is K/N"],
    );
    place.refuses(
        "match kashan:minimax kashan:action --games 4 --part 1/3 --sprt 0 5",
        &["sprt asks after every game"],
    );
    place.refuses(
        "tournament kashan:minimax kashan:action --part 1/2",
        &["--part"],
    );
    place.refuses(
        &format!("{line} --journal 1"),
        &["part: was 1/2, is nothing"],
    );
}

/// The page of the manual, line by line, with fewer games and this machine in the place of three.
#[cfg(unix)]
mod page {
    use std::path::{Path, PathBuf};
    use std::process::Command;

    use super::*;
    use crate::common::programs::{have, path_with_games, source, text};

    const PAGE: &str = include_str!("../../book/src/machines.md");

    /// Its example that begins with this word, for a test that takes seconds.
    fn example(begins: &str) -> String {
        let mut lines = PAGE.lines().filter_map(|line| line.strip_prefix("    "));
        let line = lines.find(|line| line.starts_with(begins)).expect(begins);
        let long = "kashan:genetic fairymax --tc 10+0.1 --games 4000";
        let quick = "kashan:minimax kashan:action --tc nodes=60 --max-moves 2 --games 8";
        line.replace(long, quick)
            .replace("-S one,two,three", "-S :")
    }

    /// Runs the lines in a shell, in a folder with our program on the path.
    #[track_caller]
    fn shell(place: &TestFolder, lines: &str) -> String {
        let ours = PathBuf::from(env!("CARGO_BIN_EXE_kashan"));
        let places = [ours.parent().expect("a folder"), place.path()].map(Path::to_path_buf);
        let path = std::env::join_paths(
            places
                .into_iter()
                .chain(std::env::split_paths(&path_with_games())),
        );
        let mut command = Command::new("sh");
        command
            .args(["-ec", lines])
            .env("PATH", path.expect("a path"))
            .env("HOME", place.path());
        let output = command.current_dir(place.path()).output().expect("it runs");
        assert!(output.status.success(), "{lines:?}: {}", text(&output));
        text(&output)
    }

    fn follow(place: &TestFolder, first: &str) {
        let said = shell(place, &[first, "kashan rate"].map(example).join("\n"));
        has_all(&said, &["8 games"]);
    }

    #[test]
    fn gnu_parallel_plays_the_parts() {
        if !have(&["parallel"]) {
            return;
        }
        let place = TestFolder::new();
        // Another program has the same name.
        if !shell(&place, "parallel --version 2>&1 || true").contains("GNU parallel") {
            return eprintln!("SKIPPED: parallel is not GNU parallel");
        }
        follow(&place, "parallel ");
    }

    /// OpenBench's workers call make in the folder that the page names, with the name of the
    /// program that they want. What it would do is looked at here.
    #[test]
    fn openbench_builds_what_the_page_says() {
        let rust = include_str!("../../Cargo.toml")
            .lines()
            .find_map(|line| line.strip_prefix("rust-version = "));
        let rust = format!(
            "cargo>={}.0",
            rust.expect("it says which Rust").trim_matches('"')
        );
        has_all(
            PAGE,
            &[
                "`\"path\": \"tests/openbench\"",
                &format!("\"compilers\": [\"{rust}\"]"),
            ],
        );
        if !have(&["make"]) {
            return;
        }
        let folder = source("tests/openbench");
        let make = |words: &str| {
            let mut command = Command::new("make");
            command
                .args(["-C", &folder])
                .args(words.split(' '))
                .env_remove("MAKEFLAGS");
            let output = command.output().expect("make runs");
            assert!(output.status.success(), "{words}: {}", text(&output));
            text(&output)
        };
        for (words, program) in [
            ("-n -j EXE=Kashan-1234", "/Kashan-1234\""),
            ("-n -j EXE=Kashan-1234 OS=Windows_NT", "/Kashan-1234.exe\""),
            (
                "-n -j EXE=Kashan-1234.exe OS=Windows_NT",
                "/Kashan-1234.exe\"",
            ),
        ] {
            let said = make(words);
            has_all(
                &said,
                &["cargo rustc --locked --manifest-path ../../Cargo.toml"],
            );
            has_all(
                &said,
                &[
                    "--profile release --bin kashan",
                    &format!("--emit \"link={folder}{program}"),
                ],
            );
        }
    }

    /// Slurm itself is not asked: a script does with the line what it would do.
    #[test]
    fn a_slurm_array_is_one_command_for_each_part() {
        let place = TestFolder::new();
        let script = "#!/bin/sh\n[ \"$1 $2\" = '--array=1-3 --wrap' ] || exit 1\n\
                      for id in 1 2 3; do SLURM_ARRAY_TASK_ID=$id sh -c \"$3\" || exit; done\n";
        place.write_script("sbatch", script);
        follow(&place, "sbatch ");
    }
}

//! Work that several machines share: parts are played, put together, and are the same as one run.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::common::programs::{kashan_line, prints_line, refuses_each};

const MATCH: &str = "match kashan:alphabeta kashan:minimax --tc nodes=150 --option OwnBook=0 --max-moves 12 \
                     --win moves=1,score=150 --games 8";
const BLUNDERS: &str = "blunders some.epd --engine kashan:minimax --tc depth=1 --reference kashan:alphabeta \
                        --reference-limits nodes=1000";

fn lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).expect("a journal");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// What the games of a journal were, in the order of their numbers: all but how long they took, and when.
fn games(path: &Path) -> Vec<Value> {
    let mut games: Vec<Value> = lines(path)[1..]
        .iter()
        .map(|line| {
            let game = &line["game"];
            let moves: Vec<&Value> =
                game["moves"].as_array().expect("moves").iter().map(|mv| &mv["uci"]).collect();
            let kept = ["number", "round", "white", "black", "opening", "result"].map(|key| &game[key]);
            json!([kept, moves])
        })
        .collect();
    games.sort_by_key(|game| game[0][0].as_u64());
    games
}

/// The last event, without what it says of a busy machine.
fn result(events: &str) -> Value {
    let mut result: Value = serde_json::from_str(events.lines().last().expect("a result")).expect("JSON");
    result.as_object_mut().expect("an object").remove("warning");
    result
}

#[test]
fn a_match_in_three_parts_is_the_match() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let whole = prints_line(folder, &format!("{MATCH} --journal whole --pgn whole.pgn --json"));
    for (part, pairs) in [(1, 2), (2, 1), (3, 1)] {
        let text = prints_line(folder, &format!("{MATCH} --part {part}/3 --journal {part} --pgn {part}.pgn"));
        assert!(text.starts_with(&format!("{} games of part {part}/3, 1 at a time", 2 * pairs)), "{text}");
    }
    let text = prints_line(folder, "merge 3 1 2 -o merged");
    assert!(text.contains("8 results of 3 parts in merged"), "{text}");
    let before = fs::read(folder.join("merged")).expect("a journal");
    let merged = prints_line(folder, &format!("{MATCH} --journal merged --pgn merged.pgn --json"));
    assert_eq!(fs::read(folder.join("merged")).expect("a journal"), before, "nothing was played");
    assert_eq!(result(&merged), result(&whole));
    let expected = games(&folder.join("whole"));
    assert_eq!(games(&folder.join("merged")), expected);
    let verdicts: Vec<&Value> = expected.iter().map(|game| &game[0][5]["verdict"]).collect();
    assert!(verdicts.iter().any(|verdict| *verdict != verdicts[0]), "all games end alike: {verdicts:?}");
    // The PGN files of the parts say the same of the players.
    let rated = |files: &str| prints_line(folder, &format!("rate {files} --json"));
    assert_eq!(rated("1.pgn 2.pgn 3.pgn"), rated("whole.pgn"));
    assert_eq!(rated("merged.pgn"), rated("whole.pgn"));
    // What nobody did is done by the command of the whole.
    let (success, _, errors) = kashan_line(folder, "merge 1 3 -o two");
    assert!(success && errors.contains("part 2/3 is missing"), "{errors}");
    let text = prints_line(folder, &format!("{MATCH} --journal two"));
    assert!(text.starts_with("6 of 8 games were played before"), "{text}");
    assert_eq!(games(&folder.join("two")), expected);
}

#[test]
fn blunders_in_two_parts_are_the_blunders() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let ours = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suites/quiet29.epd");
    let ours = fs::read_to_string(ours).expect("our set");
    let some: Vec<&str> = ours.lines().filter(|line| !line.starts_with('#')).take(5).collect();
    fs::write(folder.join("some.epd"), some.join("\n")).expect("written");
    let whole = prints_line(folder, &format!("{BLUNDERS} --journal whole"));
    for (part, others) in [(1, 2), (2, 3)] {
        let (success, text, errors) =
            kashan_line(folder, &format!("{BLUNDERS} --part {part}/2 --journal {part}"));
        assert!(success && errors.contains(&format!("(part {part}/2), judged by")), "{errors}");
        assert!(text.contains(&format!("{others} positions of other parts, or not judged")), "{text}");
    }
    prints_line(folder, "merge 1 2 -o merged");
    let before = fs::read(folder.join("merged")).expect("a journal");
    assert_eq!(prints_line(folder, &format!("{BLUNDERS} --journal merged")), whole);
    assert_eq!(fs::read(folder.join("merged")).expect("a journal"), before, "nothing was judged");
}

#[test]
fn what_is_no_part_or_does_not_fit_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let line = "match kashan:minimax kashan:action --tc nodes=60 --max-moves 1 --games 4";
    prints_line(folder, &format!("{line} --part 1/2 --journal 1"));
    fs::write(folder.join("there"), "mine\n").expect("written");
    refuses_each(
        folder,
        "match kashan:minimax kashan:action --games 4 --part 4/3 | a part is K/N
         match kashan:minimax kashan:action --games 4 --part 1/3 --sprt 0 5 | sprt asks after every game
         tournament kashan:minimax kashan:action --swiss --part 1/2 | a Swiss tournament has no parts
         merge 1 1 -o merged | name it once
         merge 1 nowhere -o merged | there is no journal nowhere
         merge 1 -o there | is there already",
    );
    refuses_each(folder, &format!("{line} --journal 1 | part: was 1/2, is nothing"));
    assert!(!folder.join("merged").exists());
}

/// The page of the manual, line by line, with fewer games and this machine in the place of three.
#[cfg(unix)]
mod page {
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::PathBuf;
    use std::process::Command;

    use super::*;
    use crate::common::programs::{have, path_with_games, text};

    const PAGE: &str = include_str!("../../src/cli/manual/topics/machines.md");

    /// Its example that begins with this word, for a test that takes seconds.
    fn example(begins: &str) -> String {
        let mut lines = PAGE.lines().filter_map(|line| line.strip_prefix("    "));
        let line = lines.find(|line| line.starts_with(begins)).expect(begins);
        let quick = [
            (
                "kashan:genetic fairymax --tc 10+0.1 --games 4000",
                "kashan:minimax kashan:action --tc nodes=60 --max-moves 2 --games 8",
            ),
            ("-S one,two,three", "-S :"),
        ];
        quick.iter().fold(line.to_owned(), |line, (long, short)| line.replace(long, short))
    }

    /// What a shell makes of the lines, in a folder with our program on the path.
    #[track_caller]
    fn shell(folder: &Path, lines: &[String]) -> String {
        let ours = PathBuf::from(env!("CARGO_BIN_EXE_kashan"));
        let places = [ours.parent().expect("a folder"), folder].map(Path::to_path_buf);
        let path = std::env::join_paths(places.into_iter().chain(std::env::split_paths(&path_with_games())));
        let mut command = Command::new("sh");
        command.args(["-ec", &lines.join("\n")]).env("PATH", path.expect("a path")).env("HOME", folder);
        let output = command.current_dir(folder).output().expect("it runs");
        assert!(output.status.success(), "{lines:?}: {}", text(&output));
        text(&output)
    }

    fn follow(folder: &Path, first: &str) {
        let said = shell(folder, &[example(first), example("kashan merge"), example("kashan match")]);
        assert!(said.contains("8 results of 3 parts in m.journal"), "{said}");
        assert!(said.contains("8 of 8 games were played before"), "{said}");
        assert_eq!(fs::read_to_string(folder.join("m.pgn")).expect("games").matches("[Event ").count(), 8);
    }

    #[test]
    fn gnu_parallel_plays_the_parts() {
        if !have(&["parallel"]) {
            return;
        }
        let folder = tempfile::tempdir().expect("a folder");
        // Another program has the same name.
        if !shell(folder.path(), &["parallel --version 2>&1 || true".to_owned()]).contains("GNU parallel") {
            return eprintln!("SKIPPED: parallel is not GNU parallel");
        }
        follow(folder.path(), "parallel ");
    }

    /// Slurm itself is not asked: a script does with the line what it would do.
    #[test]
    fn a_slurm_array_is_one_command_for_each_part() {
        let folder = tempfile::tempdir().expect("a folder");
        let script = "#!/bin/sh\n[ \"$1 $2\" = '--array=1-3 --wrap' ] || exit 1\n\
                      for id in 1 2 3; do SLURM_ARRAY_TASK_ID=$id sh -c \"$3\" || exit; done\n";
        let path = folder.path().join("sbatch");
        fs::write(&path, script).expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("made executable");
        follow(folder.path(), "sbatch ");
    }
}

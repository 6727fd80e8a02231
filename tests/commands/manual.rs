//! `kashan help` and `kashan install-xboard` as users start them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::common::programs::{self, TestFolder, files_below, has_all};

#[test]
fn help_lists_topics_shows_one_and_guesses() {
    let place = TestFolder::new();
    has_all(&place.prints("help"), &["tournament", "Rate the players"]);
    let text = place.prints("help Elo");
    assert!(
        text.contains("kashan rate games.pgn") && !text.contains('\u{1b}'),
        "{text}"
    );
    assert!(
        text.lines()
            .all(|line| line.starts_with("    ") || line.chars().count() <= 80),
        "{text}"
    );
    has_all(&place.prints("help options"), &["**MinMaxDepth** (3; 1 to"]);
    has_all(&place.prints("help book build"), &["--max-plies"]);
    place.refuses("help turnament", &["did you mean tournament?"]);
}

/// Runs commands that print into this. Returns their success and their errors.
fn printing_to<T: Into<Stdio>>(out: impl Fn() -> T) -> Vec<(bool, String)> {
    let commands = ["help match", "experiment list", "explain --nodes 300"];
    let outputs = commands.map(|line| {
        TestFolder::new()
            .command(line)
            .stdout(out())
            .output()
            .expect("it runs")
    });
    outputs
        .iter()
        .map(|output| (output.status.success(), programs::text(output)))
        .collect()
}

#[test]
fn who_reads_only_the_beginning_hears_no_complaint() {
    // The end for the reader is gone at once.
    for (fine, said) in printing_to(|| std::io::pipe().expect("a pipe").1) {
        assert!(fine && said.is_empty(), "{said}");
    }
}

/// A failed write is an error, also where all output waits for the end of a line.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    for (fine, said) in printing_to(|| {
        fs::File::options()
            .write(true)
            .open("/dev/full")
            .expect("a device")
    }) {
        assert!(!fine && said.contains("cannot write the result"), "{said}");
    }
}

#[test]
fn xboard_is_told_where_the_program_is() {
    let program = Path::new(env!("CARGO_BIN_EXE_kashan"));
    let folder = program.parent().expect("a folder").display();
    has_all(
        &TestFolder::new().prints("install-xboard"),
        &["Edit Engine List", &format!("-fd \"{folder}\"")],
    );
}

#[test]
fn documents_link_to_files_that_are_there() {
    let folders = ["benches", "book", ".github"];
    let mut files: Vec<PathBuf> = vec!["README.md".into()];
    files.extend(folders.iter().flat_map(|folder| files_below(folder, "md")));
    let mut count = 0;
    for file in files {
        let text = fs::read_to_string(&file).expect("text");
        let folder = file.parent().expect("a folder");
        let targets = text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split([')', '#']).next());
        for target in targets.filter(|target| !target.contains("://") && !target.is_empty()) {
            let is_there = folder.join(target).exists();
            assert!(is_there, "{}: {target}", file.display());
            count += 1;
        }
    }
    assert!(count > 150, "{count} links");
}

/// Lines have so many letters at most; in the manual, whose prose is narrower, code between
/// backticks and in lines of its own does not count as prose.
#[test]
fn lines_of_markdown_can_be_read() {
    let folders = [
        ("book/src", 120),
        ("benches", 200),
        ("book", 200),
        (".github", 200),
    ];
    let mut files = vec![("README.md".into(), 140)];
    for (folder, most) in folders {
        files.extend(
            files_below(folder, "md")
                .into_iter()
                .map(|path| (path, most)),
        );
    }
    assert!(files.len() > 80, "{} files", files.len());
    for (path, most) in files {
        let text = fs::read_to_string(&path).expect("text");
        for (number, line) in (1..).zip(text.lines()) {
            let prose = line.split('`').step_by(2).map(|part| part.chars().count());
            let is_code = line.starts_with("    ");
            let length: usize = prose.sum();
            let is_short = line.chars().count() <= 200;
            assert!(
                is_short && (is_code || length <= most),
                "{}:{number}: {line}",
                path.display()
            );
        }
    }
}

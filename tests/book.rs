//! The `book` subcommands, and the committed book against its sources.

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use kashan::book::Book;
use kashan::making::book::BookBuilder;

fn book_directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("book")
}

fn kashan(arguments: &[&str]) -> (bool, String, String) {
    let output = Command::cargo_bin("kashan")
        .expect("the binary is built with the tests")
        .args(arguments)
        .output()
        .expect("the binary runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.success(), text(output.stdout), text(output.stderr))
}

#[test]
fn the_committed_book_is_what_its_lines_give() {
    let committed = std::fs::read(book_directory().join("kashan.bin")).expect("the committed book");
    let mut files = kashan::pgn::files(&[book_directory()]).expect("the committed lines");
    assert_eq!(files.len(), 5);
    for _ in 0..2 {
        let mut builder = BookBuilder::new(40);
        for file in &files {
            builder.add_file(file).expect("correct lines");
        }
        assert_eq!(builder.games(), 681);
        let bytes = builder.finish().to_bytes();
        assert!(
            bytes == committed,
            "book/kashan.bin is not up to date: run `kashan book build book --output book/kashan.bin`"
        );
        files.reverse();
    }
    assert_eq!(Book::built_in().to_bytes(), committed);
}

#[test]
fn the_subcommand_builds_the_same_book() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let output = directory.path().join("new.bin");
    let lines = book_directory();
    let arguments = |output: &Path| -> Vec<String> {
        ["book", "build", &lines.to_string_lossy(), "--output", &output.to_string_lossy()]
            .map(String::from)
            .to_vec()
    };
    let run = |arguments: Vec<String>| kashan(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    let (success, stdout, stderr) = run(arguments(&output));
    assert!(success, "{stderr}");
    assert!(stdout.ends_with("4927 moves in 4200 positions, from 681 games\n"), "{stdout}");
    assert_eq!(
        std::fs::read(&output).expect("a new book"),
        std::fs::read(lines.join("kashan.bin")).expect("the committed book")
    );
    let (success, _, stderr) = run(arguments(&directory.path().join("no/such/folder.bin")));
    assert!(!success && stderr.contains("folder.bin"), "{stderr}");
}

#[test]
fn a_bad_game_leaves_no_book() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let pgn = directory.path().join("bad.pgn");
    std::fs::write(&pgn, "1. e4 e5 2. Nf6 *").expect("a writable directory");
    let output = directory.path().join("bad.bin");
    let (success, _, stderr) =
        kashan(&["book", "build", &pgn.to_string_lossy(), "--output", &output.to_string_lossy()]);
    assert!(!success && !output.exists());
    for word in ["bad.pgn", "game 1", "2. Nf6"] {
        assert!(stderr.contains(word), "{stderr}");
    }
    std::fs::remove_file(&pgn).expect("the file is there");
    let (success, _, stderr) =
        kashan(&["book", "build", &directory.path().to_string_lossy(), "--output", "x.bin"]);
    assert!(!success && stderr.contains("no .pgn files"), "{stderr}");
}

#[test]
fn show_lists_moves_with_weights_and_shares() {
    let (success, from_moves, _) = kashan(&["book", "show", "1.e4", "e5", "2.", "g1f3"]);
    assert!(success);
    let lines: Vec<Vec<&str>> = from_moves.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0], ["Move", "Coord.", "Weight", "Share"]);
    assert_eq!(lines[1], ["Nc6", "b8c6", "98", "87.5%"]);
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
    assert_eq!(kashan(&["book", "show", fen]).1, from_moves);
    let words: Vec<&str> = ["book", "show"].into_iter().chain(fen.split(' ')).collect();
    assert_eq!(kashan(&words).1, from_moves, "a FEN without quotation marks");
    let bin = book_directory().join("kashan.bin");
    let (_, from_file, _) = kashan(&["book", "show", "--book", &bin.to_string_lossy(), fen]);
    assert_eq!(from_file, from_moves);
    assert_eq!(kashan(&["book", "show", "a4", "a5"]).1, "not in the book\n");
}

#[test]
fn show_says_what_it_does_not_understand() {
    for (arguments, word) in [
        (&["book", "show", "e4", "e9"][..], "\"e9\""),
        (&["book", "show", "e4", "e4"], "not legal"),
        (&["book", "show", "8/8/8/8/8/8/8/8 w - - 0 1"], "illegal position"),
        (&["book", "show", "--book", "nowhere.bin"], "nowhere.bin"),
    ] {
        let (success, stdout, stderr) = kashan(arguments);
        assert!(!success && stdout.is_empty() && stderr.contains(word), "{arguments:?}: {stderr}");
    }
}

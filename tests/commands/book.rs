//! The `book` subcommands, and the committed book against its sources.

use std::path::{Path, PathBuf};

use crate::common::programs;
use kashan::book::Book;
use kashan::making::book::BookBuilder;

fn book_directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("book")
}

fn prints(arguments: &[&str]) -> String {
    programs::prints(Path::new("."), arguments)
}

fn refuses(arguments: &[&str], why: &str) -> String {
    programs::refuses(Path::new("."), arguments, why)
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
    let build = ["book", "build", &lines.to_string_lossy(), "--output"];
    let stdout = prints(&[&build[..], &[&output.to_string_lossy()]].concat());
    assert!(stdout.ends_with("4927 moves in 4200 positions, from 681 games\n"), "{stdout}");
    assert_eq!(
        std::fs::read(&output).expect("a new book"),
        std::fs::read(lines.join("kashan.bin")).expect("the committed book")
    );
    let nowhere = directory.path().join("no/such/folder.bin");
    refuses(&[&build[..], &[&nowhere.to_string_lossy()]].concat(), "folder.bin");
}

#[test]
fn a_bad_game_leaves_no_book() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    std::fs::write(directory.path().join("bad.pgn"), "1. e4 e5 2. Nf6 *").expect("a writable directory");
    std::fs::create_dir(directory.path().join("empty")).expect("a writable directory");
    programs::refuses_each(
        directory.path(),
        "book build bad.pgn --output bad.bin | bad.pgn & game 1 & 2. Nf6
         book build empty --output x.bin | no .pgn files",
    );
    assert!(!directory.path().join("bad.bin").exists());
}

#[test]
fn show_lists_moves_with_weights_and_shares() {
    let from_moves = prints(&["book", "show", "1.e4", "e5", "2.", "g1f3"]);
    let lines: Vec<Vec<&str>> = from_moves.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0], ["Move", "Coord.", "Weight", "Share"]);
    assert_eq!(lines[1], ["Nc6", "b8c6", "98", "87.5%"]);
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
    assert_eq!(prints(&["book", "show", fen]), from_moves);
    let words: Vec<&str> = ["book", "show"].into_iter().chain(fen.split(' ')).collect();
    assert_eq!(prints(&words), from_moves, "a FEN without quotation marks");
    let bin = book_directory().join("kashan.bin");
    assert_eq!(prints(&["book", "show", "--book", &bin.to_string_lossy(), fen]), from_moves);
    assert_eq!(prints(&["book", "show", "a4", "a5"]), "not in the book\n");
}

#[test]
fn show_says_what_it_does_not_understand() {
    programs::refuses_each(
        Path::new("."),
        "book show e4 e9 | \"e9\"
         book show e4 e4 | not legal
         book show '8/8/8/8/8/8/8/8 w - - 0 1' | illegal position
         book show --book nowhere.bin | nowhere.bin",
    );
}

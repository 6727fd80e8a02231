//! The `book` subcommands, and the committed book against its sources.

use std::fs;
use std::path::PathBuf;

use crate::common::programs::{TestFolder, has_all, source};
use kashan::lab::making::BookBuilder;
use kashan::rules::book::Book;

#[test]
fn the_committed_book_is_what_its_lines_give() {
    let committed = fs::read(source("book/openings/kashan.bin")).expect("the committed book");
    let mut files = kashan::rules::pgn::files(&[PathBuf::from(source("book/openings"))])
        .expect("the committed lines");
    assert_eq!(files.len(), 5);
    for _ in 0..2 {
        let mut builder = BookBuilder::new(40);
        for file in &files {
            builder.add_file(file).expect("correct lines");
        }
        assert_eq!(builder.games, 681);
        assert!(
            builder.finish().to_bytes() == committed,
            "book/openings/kashan.bin is not up to date: run `kashan book build book/openings --output book/openings/kashan.bin`"
        );
        files.reverse();
    }
    assert_eq!(Book::built_in().to_bytes(), committed);
    let place = TestFolder::new();
    let build = format!("book build '{}' --output", source("book/openings"));
    let said = place.prints(&format!("{build} new.bin"));
    assert!(
        said.ends_with("4927 moves in 4200 positions, from 681 games\n"),
        "{said}"
    );
    assert_eq!(
        fs::read(place.file("new.bin")).expect("a new book"),
        committed
    );
    place.refuses(&format!("{build} no/such/folder.bin"), &["folder.bin"]);
}

#[test]
fn a_bad_game_leaves_no_book() {
    let place = TestFolder::with(&[("bad.pgn", "1. e4 e5 2. Nf6 *")]);
    fs::create_dir(place.file("empty")).expect("a writable directory");
    place.refuses(
        "book build bad.pgn --output bad.bin",
        &["bad.pgn", "game 1", "2. Nf6"],
    );
    place.refuses("book build empty --output x.bin", &["no .pgn files"]);
    assert!(!place.file("bad.bin").exists());
}

#[test]
fn show_lists_moves_with_weights_and_shares() {
    let place = TestFolder::new();
    let text = place.prints("book show 1.e4 e5 2. g1f3");
    let mut lines = text
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>());
    assert_eq!(
        lines.next(),
        Some(vec!["Move", "Coord.", "Weight", "Share"])
    );
    assert_eq!(lines.nth(1), Some(vec!["Nc6", "b8c6", "98", "87.5%"]));
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
    let book = source("book/openings/kashan.bin");
    for line in [
        format!("'{fen}'"),
        fen.to_owned(),
        format!("--book '{book}' '{fen}'"),
    ] {
        assert_eq!(place.prints(&format!("book show {line}")), text, "{line}");
    }
    has_all(&place.prints("book show a4 a5"), &["not in the book\n"]);
    place.refuses("book show e4 e9", &["\"e9\""]);
    place.refuses("book show e4 e4", &["not legal"]);
    place.refuses(
        "book show '8/8/8/8/8/8/8/8 w - - 0 1'",
        &["illegal position"],
    );
    place.refuses("book show --book nowhere.bin", &["nowhere.bin"]);
}

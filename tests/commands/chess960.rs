//! Chess960 in the arena: Stockfish plays it, our own engines do not.

use std::fs;
use std::path::Path;

use kashan::pgn::{Game, Reader, Rules};
use kashan::position::notation::Castling;

use crate::common::programs::{have, prints_line, refuses_each};

/// White castles with the h-rook, Black with the b-rook, whose king stays where it is.
const GAME: &str = "[Variant \"Chess960\"]\n[SetUp \"1\"]\n\
    [FEN \"1rk4r/pppppppp/8/8/8/8/PPPPPPPP/1RK4R w HBhb - 0 1\"]\n\n1. O-O O-O-O *\n";

const HEAD: &str = "match stockfish stockfish --name1 A --name2 B --variant chess960 --tc depth=3 --games 4 --max-moves 30 --pgn g.pgn --journal g.journal";

/// Plays, and then the same command again, which finds everything done.
fn play(folder: &Path, more: &str) -> String {
    for _ in 0..2 {
        prints_line(folder, &format!("{HEAD} {more}"));
    }
    let pgn = fs::read_to_string(folder.join("g.pgn")).expect("games");
    let mut games = Reader::new(pgn.as_bytes());
    let rules = Rules { strict: true, castling: Castling::Chess960, ..Rules::default() };
    let mut count = 0;
    while let Some(text) = games.next_game().expect("it can be read") {
        let game = Game::read(&text, &rules).expect("every move is legal");
        assert_eq!(game.tags.get("Variant"), Some("Chess960"));
        assert!(
            ["normal", "adjudication"].contains(&game.tags.get("Termination").unwrap_or_default()),
            "{pgn}"
        );
        count += 1;
    }
    assert_eq!(count, 4);
    pgn
}

#[test]
fn stockfish_castles_from_anywhere() {
    if !have(&["stockfish"]) {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("o.pgn"), GAME).expect("written");
    let pgn = play(folder.path(), "--openings o.pgn --plies 2");
    assert_eq!(pgn.matches("1. O-O {book} 1... O-O-O {book}").count(), 4, "{pgn}");
    assert_eq!(pgn.matches("PPPPPPPP/1RK4R w HBhb - 0 1\"]").count(), 4, "{pgn}");
}

#[test]
fn without_openings_the_arrays_are_drawn() {
    if !have(&["stockfish"]) {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let pgn = play(folder.path(), "--in-order");
    for array in ["Chess960 array 0", "Chess960 array 1"] {
        assert_eq!(pgn.matches(&format!("[Opening \"{array}\"]")).count(), 2, "{pgn}");
    }
    assert_eq!(pgn.matches("[FEN \"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1\"]").count(), 2);
}

/// Before the first game, and by name.
#[test]
fn engines_that_do_not_play_it_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("o.pgn"), GAME).expect("written");
    // Without the variant, its positions are refused by name.
    refuses_each(
        folder.path(),
        "match kashan:alphabeta kashan:minimax --variant chess960 --tc depth=1 --games 2 --journal g.journal \
         --protocol1 xboard --name1 Ours | Ours & does not play Chess960
         match kashan:alphabeta kashan:minimax --variant chess960 --tc depth=1 --games 2 --journal g.journal \
         --protocol1 uci --name1 Ours | Ours & does not play Chess960
         match kashan:alphabeta kashan:minimax --tc depth=1 --openings o.pgn | Chess960",
    );
    assert!(!folder.path().join("g.journal").exists());
}

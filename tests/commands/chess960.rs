//! Chess960 in the arena: Stockfish plays it, our own engines do not.

use kashan::rules::pgn::{PgnGame, Reader, Rules};
use shakmaty::CastlingMode;

use crate::common::programs::{Place, have};

/// White castles with the h-rook, Black with the b-rook, whose king stays where it is.
const GAME: &str = "[Variant \"Chess960\"]\n[SetUp \"1\"]\n\
    [FEN \"1rk4r/pppppppp/8/8/8/8/PPPPPPPP/1RK4R w HBhb - 0 1\"]\n\n1. O-O O-O-O *\n";

const HEAD: &str = "match stockfish stockfish --name1 A --name2 B --variant chess960 --tc depth=3 --games 4 \
                    --max-moves 30 --pgn g.pgn --journal g.journal";

/// Plays, and then the same command again, which finds everything done. Each text is in the games
/// so often.
fn plays(more: &str, texts: &[(&str, usize)]) {
    if !have(&["stockfish"]) {
        return;
    }
    let place = Place::with(&[("o.pgn", GAME)]);
    for _ in 0..2 {
        place.prints(&format!("{HEAD} {more}"));
    }
    let pgn = place.read("g.pgn");
    let mut games = Reader::new(pgn.as_bytes());
    let rules = Rules {
        strict: true,
        castling: CastlingMode::Chess960,
        ..Rules::default()
    };
    let mut count = 0;
    while let Some(text) = games.next_game().expect("it can be read") {
        let game = PgnGame::read(&text, &rules).expect("every move is legal");
        assert_eq!(game.tags.get("Variant"), Some("Chess960"));
        let termination = game.tags.get("Termination").unwrap_or_default();
        assert!(["normal", "adjudication"].contains(&termination), "{pgn}");
        count += 1;
    }
    assert_eq!(count, 4);
    for (text, times) in texts {
        assert_eq!(pgn.matches(text).count(), *times, "{text}: {pgn}");
    }
}

#[test]
fn stockfish_castles_from_anywhere() {
    let texts = [
        ("1. O-O {book} 1... O-O-O {book}", 4),
        ("PPPPPPPP/1RK4R w HBhb - 0 1\"]", 4),
    ];
    plays("--openings o.pgn --plies 2", &texts);
}

#[test]
fn without_openings_the_arrays_are_drawn() {
    let fen = "[FEN \"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1\"]";
    let arrays = [
        "[Opening \"Chess960 array 0\"]",
        "[Opening \"Chess960 array 1\"]",
    ];
    plays("--in-order", &[(fen, 2), (arrays[0], 2), (arrays[1], 2)]);
}

/// Before the first game, and by name.
#[test]
fn engines_that_do_not_play_it_are_refused() {
    let place = Place::with(&[("o.pgn", GAME)]);
    let ours = "match kashan:alphabeta kashan:minimax --tc depth=1";
    for protocol in ["xboard", "uci"] {
        place.refuses(
            &format!(
                "{ours} --variant chess960 --games 2 --journal g.journal --protocol1 {protocol} --name1 Ours"
            ),
            &["Ours", "does not play Chess960"],
        );
    }
    // Without the variant, its positions are refused by name.
    place.refuses(&format!("{ours} --openings o.pgn"), &["Chess960"]);
    assert!(!place.file("g.journal").exists());
}

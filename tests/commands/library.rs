//! `kashan library`: files in and out, and what a chess player reads.

use std::fs;
use std::path::Path;

use crate::common::programs::{TestFolder, has_all, source};

const GAMES: &str = r#"[White "Pasman, M"]
[Black "Adams, Mi"]
[Event "Lloyds Bank op"]
[Date "1984.08.20"]
[WhiteElo "2310"]
[Result "0-1"]

1. e4 c6 2. c4 d5 3. exd5 cxd5 4. cxd5 Nf6 5. Nc3 Nxd5 6. d4 Nc6 7. Nf3 e6 8. Bd3 Be7 9. O-O O-O 10. Re1 Bf6
11. Be4 Nce7 12. a3 Rb8 13. h4 b6 14. Qd3 g6 15. h5 Bb7 16. Bh6 Re8 17. Rac1 Nxc3 18. bxc3 Bxe4 19. Rxe4 Nf5
20. Bf4 Rc8 21. hxg6 hxg6 0-1

[White "Mirror"]
[Black "Image"]
[Result "1-0"]

1. a3 e5 2. e3 d5 3. Nf3 e4 4. Nd4 h5 5. c3 h4 6. d3 h3 7. dxe4 hxg2 8. Bxg2 dxe4 1-0

[White "Broken"]
[Black "?"]
[Result "*"]

1. e4 e5 2. Ke3 *
"#;

#[test]
fn a_library_is_built_and_tells_who_answered_what() {
    let one = "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n";
    let place = TestFolder::with(&[("games.pgn", GAMES), ("one.pgn", one)]);
    let (text, errors) = place.says("library build games.pgn -o gm.klib");
    assert!(
        text.starts_with("gm.klib: 2 games, 58 half-moves, 56 cases"),
        "{text}"
    );
    has_all(&text, &["left out: 1 game for a fault"]);
    has_all(
        &errors,
        &["left out: games.pgn, game 3 (line 18): move 2. Ke3 is not legal"],
    );
    let text = place.prints("library build one.pgn -o one.klib");
    assert!(
        text.starts_with("one.klib: 1 game, 2 half-moves, 1 case of 1 action\n"),
        "{text}"
    );

    let text = place.prints("library info gm.klib").to_lowercase();
    has_all(
        &text,
        &[
            "undamaged",
            "games of the year 1984",
            "2 games, 58 half-moves, 56 cases",
        ],
    );
    // The paper's figure 2, and what was played there.
    let figure = "2rqr1k1/p4p1p/1p2pbP1/5n2/3PRB2/P1PQ1N2/5PP1/2R3K1 b - - 0 21";
    let show = |more: &str| format!("library show gm.klib '{figure}' {more}");
    let parts = [
        "Answers to hxg6: 1 case in gm.klib, 1 with a similarity of 0.4 or more",
        "hxg6      1  100 %  100 %          1.00",
        "1.00  Pasman, M (2310) - Adams, Mi, Lloyds Bank op 1984, 0-1",
        "21... hxg6",
    ];
    has_all(&place.prints(&show("--last hxg6")), &parts);
    has_all(&place.prints(&show("")), &["--last MOVE says it"]);
    has_all(
        &place.prints(&show("--last Qxg6")),
        &["Nobody played that move there"],
    );
    // Black took so in the other game, with the colours changed, and the bishop took back.
    let parts = [
        "Mirror - Image, 1-0 (with the colours changed, not legal here)",
        "8. Bxg2 dxe4",
    ];
    has_all(&place.prints(&show("--last hxg7 --degree 0")), &parts);
    let answer = place.json(&show("--last hxg6 --json"));
    assert_eq!(
        (&answer["cases"], &answer["reactions"][0]["move"]),
        (&1.into(), &"hxg6".into())
    );
    assert_eq!(answer["games"][0]["continuation"], "21... hxg6");

    place.refuses(
        "library build games.pgn -o gm.klib",
        &["gm.klib is there already"],
    );
    place.refuses(
        "library build games.pgn -o strict.klib --strict",
        &["games.pgn, game 3 (line 18)"],
    );
    place.refuses(
        "library show gm.klib e4 e5 --last Nf3",
        &["the last of the moves is e5, not Nf3"],
    );
    place.refuses(
        "library build games.pgn -o high.klib --min-elo 3500",
        &["no game to be kept in what was read, with ratings from 3500 on"],
    );
    place.refuses(
        "library show gm.klib e4 --last hello",
        &["\"hello\" is no move"],
    );
    place.refuses(
        "library show gm.klib e4 --degree 40",
        &["a number from 0 to 1"],
    );
    place.refuses(
        "library show games.pgn e4",
        &["cannot read library games.pgn: game 3 (line 18): move 2. Ke3 is not legal"],
    );
    place.refuses("library info none.klib", &["none.klib"]);
    let text = place.prints("library build gm.klib -o new.klib");
    assert!(text.starts_with("new.klib: 2 games"), "{text}");
    let info = place.json("library info new.klib --json");
    assert_eq!(
        (&info["games"], &info["years"][0]),
        (&2.into(), &1984.into())
    );
}

/// Each machine makes a library of its own games; merged, they are the library of all games.
#[test]
fn merged_libraries_are_the_library_of_all_games() {
    let games = [
        (
            "one.pgn",
            "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n",
        ),
        (
            "two.pgn",
            "[White \"B\"]\n[Black \"C\"]\n[Result \"*\"]\n\n1. e4 e5 2. Nf3 Nf6 3. Nxe5 d6 *\n",
        ),
        (
            "three.pgn",
            "[White \"C\"]\n[Black \"A\"]\n[Result \"0-1\"]\n\n1. d4 d5 2. c4 dxc4 3. e4 e5 0-1\n",
        ),
    ];
    let place = TestFolder::with(&games);
    place.prints("library build one.pgn two.pgn three.pgn -o whole.klib");
    for name in ["one", "two", "three"] {
        place.prints(&format!("library build {name}.pgn -o {name}.klib"));
    }
    place.prints("library build one.klib two.klib three.klib -o merged.klib");
    let [merged, whole] =
        ["merged.klib", "whole.klib"].map(|name| fs::read(place.file(name)).expect(name));
    assert!(
        merged == whole,
        "{} and {} bytes",
        merged.len(),
        whole.len()
    );
}

/// `book/openings/kashan.klib.gz` is made so:
/// `kashan library build book/openings tests/library/self-play.pgn.gz -o kashan.klib.gz`.
#[test]
fn the_library_that_is_carried_is_what_its_games_give() {
    let place = TestFolder::new();
    let [book, games] = ["book/openings", "tests/library/self-play.pgn.gz"].map(source);
    let (_, errors) = place.says(&format!("library build '{book}' '{games}' -o kashan.klib"));
    assert!(errors.is_empty(), "{errors}");
    let committed = Path::new(&source("book/openings/kashan.klib.gz")).to_owned();
    let [built, committed] = [place.file("kashan.klib"), committed]
        .map(|path| kashan::util::input::read(&path).expect("games"));
    assert!(
        built == committed,
        "book/openings/kashan.klib.gz is not up to date"
    );
}

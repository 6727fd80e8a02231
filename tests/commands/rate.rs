//! `kashan rate` as users start it.

use std::fs;
use std::path::Path;

use crate::common::programs;

fn game(white: &str, black: &str, round: &str, moves: &str, result: &str) -> String {
    format!(
        "[Event \"Test\"]\n[Site \"?\"]\n[Date \"2025.01.01\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\
         [Result \"{result}\"]\n\n{moves} {result}\n\n"
    )
}

/// The paper's table 6 as games: 13 wins, 3 draws, 4 losses, every game with an opening of its own.
fn table6() -> String {
    let results = "1-0 ".repeat(13) + &"1/2-1/2 ".repeat(3) + &"0-1 ".repeat(4);
    let games = results.split_whitespace().zip(1..);
    games
        .map(|(result, round)| game("Two levels", "One level", &round.to_string(), "1. e4", result))
        .collect()
}

fn kashan(arguments: &[&str], directory: &Path) -> (bool, String, String) {
    programs::kashan(directory, arguments)
}

#[test]
fn a_match_is_rated_drawn_and_written() {
    let place = tempfile::tempdir().expect("a directory");
    fs::write(place.path().join("table6.pgn"), table6()).expect("written");
    let (fine, text, errors) = kashan(&["rate", "table6.pgn", "--svg", "elo.svg"], place.path());
    assert!(fine && errors.is_empty(), "{errors}");
    for part in [
        "20 games rated",
        "Two levels - One level",
        "13",
        "72.5%",
        "+168",
        "19 to 326",
        "98.7%",
        "Two levels is the stronger one with a probability of 98.7 %",
        "Pairs: how many pairs",
    ] {
        assert!(text.contains(part), "no {part} in\n{text}");
    }
    let svg = fs::read_to_string(place.path().join("elo.svg")).expect("drawn");
    assert!(svg.starts_with("<svg") && svg.contains("Two levels against One level"), "{svg}");

    let (fine, text, _) =
        kashan(&["rate", "table6.pgn", "--json", "--anchor", "One level=2000"], place.path());
    assert!(fine);
    let report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(report["rated"], 20);
    let elo = report["ratings"][0]["elo"]["value"].as_f64().expect("a rating");
    assert!((elo - 2168.402).abs() < 0.001, "{elo}");
    assert_eq!(report["encounters"][0]["score"], serde_json::json!({ "wins": 13, "draws": 3, "losses": 4 }));
    assert_eq!(report["ratings"][1]["anchored"], true);

    let (fine, text, _) = kashan(&["rate", "table6.pgn", "--markdown"], place.path());
    assert!(fine && text.contains("| Two levels"), "{text}");
}

/// Three who are linked, one who beat them all, and two on their own.
fn cup() -> String {
    [
        ("A", "B", "1-0"),
        ("B", "C", "1-0"),
        ("C", "A", "1-0"),
        (r#"A \"the\" King, I"#, "A", "1-0"),
        ("X", "Y", "1/2-1/2"),
        ("Y", "X", "1/2-1/2"),
    ]
    .iter()
    .zip(1..)
    .map(|((white, black, result), round)| game(white, black, &round.to_string(), "1. e4", result))
    .collect()
}

#[test]
fn lists_have_groups_bounds_and_other_forms() {
    let place = tempfile::tempdir().expect("a directory");
    fs::write(place.path().join("cup.pgn"), cup()).expect("written");
    let rate = |more: &[&str]| {
        let (fine, text, errors) = kashan(&[&["rate", "cup.pgn"], more].concat(), place.path());
        assert!(fine, "{errors}");
        text
    };
    let text = rate(&[]);
    for part in ["won every game", "group 2", "above", "cannot be compared"] {
        assert!(text.contains(part), "no {part} in\n{text}");
    }
    let csv = rate(&["--csv"]);
    assert!(csv.starts_with("player,group,elo,low,high,standing,"), "{csv}");
    assert_eq!(csv.lines().count(), 7);
    let king = csv.lines().find(|line| line.starts_with(r#""A ""the"" King, I",1,"#));
    assert!(king.is_some_and(|king| king.contains(",no-upper-bound,1,0,0,")), "{csv}");
    assert_eq!(rate(&["--csv", "--min-games", "2"]).lines().count(), 6, "the king has one game");
    assert!(!rate(&["--prior", "1"]).contains("group 2"), "a prior links everybody");
}

#[test]
fn names_are_merged() {
    let place = tempfile::tempdir().expect("a directory");
    let games =
        [("SF 16", "X", "1-0"), ("SF 17=x", "X", "1/2-1/2"), ("X", "SF", "1-0"), ("SF", "SF 16", "1-0")];
    let games: String = games
        .iter()
        .zip(1..)
        .map(|((white, black, result), round)| game(white, black, &round.to_string(), "1. e4", result))
        .collect();
    fs::write(place.path().join("games.pgn"), games).expect("written");
    let names = "# versions\n\"SF 16\" = \"SF\"\n\"SF 17=x\" = \"SF\"\n";
    fs::write(place.path().join("names.toml"), names).expect("written");
    fs::write(place.path().join("wrong.toml"), "SF 16 = SF\n").expect("written");
    let rate = |more: &[&str]| kashan(&[&["rate", "games.pgn"], more].concat(), place.path());
    let (fine, text, errors) = rate(&["--merge", "SF 16=SF", "--merge", "SF 17=x=SF"]);
    assert!(fine && text.contains("SF - X") && text.contains("3 games rated"), "{text}{errors}");
    assert!(errors.contains("\"SF\" plays against \"SF 16\", who are one player"), "{errors}");
    assert_eq!(rate(&["--merge", "names.toml"]).1, text);
    programs::refuses_each(
        place.path(),
        "rate games.pgn --merge 'SF 18=SF' | nobody called 'SF 18' plays
         rate games.pgn --merge X= | write ALIAS=NAME
         rate games.pgn --merge X=X | into itself
         rate games.pgn --merge X=SF --merge 'X=SF 16' | 'X' is merged into 'SF' and into 'SF 16'
         rate games.pgn --merge 'SF 16=SF' --merge SF=X | merge both into 'X'
         rate games.pgn --merge 'SF 16=SF' --merge 'SF=SF 16' | the other way round: say only one of the two
         rate games.pgn --merge 'SF 16=SF' --merge SF=X --merge 'X=SF 16' | leads back to
         rate games.pgn --merge none.toml | cannot read none.toml
         rate games.pgn --merge wrong.toml | wrong.toml: TOML parse error at line 1",
    );
}

#[test]
fn the_same_game_counts_once() {
    let place = tempfile::tempdir().expect("a directory");
    let moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7";
    let first = game("A", "B", "1", moves, "1-0");
    // Other games: later, in another round, with another move; and games that are too short to tell.
    let others = game("A", "B", "2", moves, "1-0")
        + &first.replace("2025.01.01", "2025.01.02")
        + &first.replace("Be7", "Bc5")
        + &game("A", "B", "9", "1. e4", "0-1").repeat(2);
    fs::write(place.path().join("one.pgn"), first.clone() + &others).expect("written");
    // The same without comments, and twice in this file.
    fs::write(place.path().join("two.pgn"), first.replace("1. e4 ", "1. e4 {0.1s} ").repeat(2))
        .expect("written");
    let rate = |more: &[&str]| kashan(&[&["rate", "one.pgn", "two.pgn"], more].concat(), place.path());
    let (fine, text, errors) = rate(&[]);
    assert!(fine && text.contains("6 games rated; 2 duplicates left out"), "{text}");
    assert!(errors.contains("2 games left out that stand in the files before; --duplicates"), "{errors}");
    assert!(rate(&["--json"]).1.contains("\"duplicates\": 2"));
    let (_, text, errors) = rate(&["--duplicates"]);
    assert!(
        text.contains("8 games rated") && !text.contains("left out") && errors.is_empty(),
        "{text}{errors}"
    );
}

#[test]
fn everybody_is_compared_with_everybody() {
    let place = tempfile::tempdir().expect("a directory");
    fs::write(place.path().join("cup.pgn"), cup()).expect("written");
    let rate = |more: &[&str]| {
        programs::prints(place.path(), &[&["rate", "cup.pgn", "--superiority"], more].concat())
    };
    let text = rate(&[]);
    assert!(text.contains("Stronger than: how likely the player of the row"), "{text}");
    assert!(rate(&["--json"]).contains("\"superiority\""));
    // A, B and C won and lost against each other; X and Y are on their own.
    let csv = rate(&["--csv", "--min-games", "2"]);
    assert!(csv.starts_with("player,\"A\",\"B\",\"C\",\"X\",\"Y\"\n\"A\",,0.5"), "{csv}");
    assert_eq!(csv.lines().count(), 6);
}

#[test]
fn what_is_not_counted_is_named() {
    let place = tempfile::tempdir().expect("a directory");
    let broken = game("A", "B", "1", "1. e4 e5", "1-0")
        + &game("B", "A", "2", "1. e5", "1-0")
        + &game("A", "B", "3", "", "*");
    fs::write(place.path().join("broken.pgn"), broken).expect("written");
    let (fine, text, errors) = kashan(&["rate", "broken.pgn"], place.path());
    assert!(fine, "{errors}");
    assert!(text.contains("1 game rated; not counted: 1 unfinished, 1 broken"), "{text}");
    assert!(errors.contains("broken.pgn, game 2 (line 11): move 1. e5 is not legal"), "{errors}");
    assert!(errors.contains("broken.pgn, game 3 (line 21): unfinished"), "{errors}");

    let (fine, text, errors) = kashan(&["rate", "--strict", "broken.pgn"], place.path());
    assert!(!fine && text.is_empty() && errors.contains("2 games not counted"), "{errors}");
}

#[test]
fn mistakes_are_told() {
    let place = tempfile::tempdir().expect("a directory");
    fs::write(place.path().join("table6.pgn"), table6()).expect("written");
    fs::write(place.path().join("empty.pgn"), "").expect("written");
    // As some shells write what they are told to put together.
    let utf16 = table6().encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    fs::write(place.path().join("utf16.pgn"), [&[0xff, 0xfe][..], &utf16].concat()).expect("written");
    programs::refuses_each(
        place.path(),
        "rate | PGN
         rate missing.pgn | missing.pgn
         rate empty.pgn | no finished games
         rate utf16.pgn | its text is UTF-16, and should be UTF-8
         rate table6.pgn --anchor Nobody=2000 | 'Nobody' cannot be an anchor
         rate table6.pgn --anchor 'One level' | NAME=RATING
         rate table6.pgn --anchor 'One level=high' | 'high' is no rating
         rate table6.pgn --anchor 'One level=1e308' | '1e308' is no rating
         rate table6.pgn --anchor 'One level=1' --anchor 'One level=2' | two ratings
         rate table6.pgn --prior=-1 | 0 or more
         rate table6.pgn --svg no/such/place.svg | place.svg",
    );
}

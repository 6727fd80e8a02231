//! `kashan rate` as users start it.

use crate::common::programs::{TestFolder, has_all};

fn game(white: &str, black: &str, round: usize, moves: &str, result: &str) -> String {
    format!(
        "[Event \"Test\"]\n[Site \"?\"]\n[Date \"2025.01.01\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n\
         [Black \"{black}\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n"
    )
}

/// Games of one move, each with a round of its own. In the text each is `White - Black 1-0`, with
/// `; ` before the next.
fn games(games: &str) -> String {
    let written = |(text, round): (&str, usize)| {
        let (players, result) = text.rsplit_once(' ').expect("a result");
        let (white, black) = players.split_once(" - ").expect("two players");
        game(white, black, round, "1. e4", result)
    };
    games.split("; ").zip(1..).map(written).collect()
}

/// The paper's table 6 as games: 13 wins, 3 draws, 4 losses.
fn table6() -> String {
    let of = |result: &str, count| vec![format!("Two levels - One level {result}"); count];
    games(
        &[of("1-0", 13), of("1/2-1/2", 3), of("0-1", 4)]
            .concat()
            .join("; "),
    )
}

#[test]
fn a_match_is_rated_and_written() {
    let place = TestFolder::with(&[("table6.pgn", &table6())]);
    let (text, errors) = place.says("rate table6.pgn");
    assert!(errors.is_empty(), "{errors}");
    has_all(
        &text,
        &[
            "20 games rated",
            "Two levels - One level",
            "13",
            "72.5%",
            "+168",
            "19 to 326",
        ],
    );
    has_all(
        &text,
        &[
            "98.7%",
            "Two levels is the stronger one with a probability of 98.7 %",
        ],
    );

    let report = place.json("rate table6.pgn --json --anchor 'One level=2000'");
    assert_eq!(report["rated"], 20);
    let elo = report["ratings"][0]["elo"]["value"]
        .as_f64()
        .expect("a rating");
    assert!((elo - 2168.402).abs() < 0.001, "{elo}");
    assert_eq!(
        report["encounters"][0]["score"],
        serde_json::json!({ "wins": 13, "draws": 3, "losses": 4 })
    );
    assert_eq!(report["ratings"][1]["anchored"], true);
}

/// Three who are linked, one who beat them all, and two on their own.
fn cup() -> TestFolder {
    let king = r#"A \"the\" King, I"#;
    let text =
        format!("A - B 1-0; B - C 1-0; C - A 1-0; {king} - A 1-0; X - Y 1/2-1/2; Y - X 1/2-1/2");
    TestFolder::with(&[("cup.pgn", &games(&text))])
}

#[test]
fn who_is_not_linked_is_named_and_a_prior_links_everybody() {
    let place = cup();
    let rate = |more: &str| place.prints(&format!("rate cup.pgn {more}"));
    let named = r#"links all players: A "the" King, I, X, Y"#;
    has_all(&rate(""), &[named, "--prior 1"]);
    assert!(!rate("--prior 1").contains("Not rated"));
    let report = place.json("rate cup.pgn --json");
    assert_eq!(report["ratings"].as_array().map(Vec::len), Some(3));
    assert_eq!(report["not_rated"][2], "Y");
}

#[test]
fn the_same_game_counts_once() {
    let moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7";
    let first = game("A", "B", 1, moves, "1-0");
    // Other games: later, in another round, with another move; and games that are too short to
    // tell.
    let others = [
        game("A", "B", 2, moves, "1-0"),
        first.replace("2025.01.01", "2025.01.02"),
        first.replace("Be7", "Bc5"),
        game("A", "B", 9, "1. e4", "0-1").repeat(2),
    ];
    // The same without comments, and twice in this file.
    let again = first.replace("1. e4 ", "1. e4 {0.1s} ").repeat(2);
    let place = TestFolder::with(&[
        ("one.pgn", &(first + &others.concat())),
        ("two.pgn", &again),
    ]);
    let rate = |more: &str| place.says(&format!("rate one.pgn two.pgn {more}"));
    let (text, errors) = rate("");
    has_all(&text, &["6 games rated; 2 duplicates left out"]);
    has_all(
        &errors,
        &["2 games left out that stand in the files before"],
    );
    has_all(&rate("--json").0, &["\"duplicates\": 2"]);
}

#[test]
fn what_is_not_counted_is_named() {
    let broken = game("A", "B", 1, "1. e4 e5", "1-0") + &game("B", "A", 2, "1. e5", "1-0");
    let place = TestFolder::with(&[("broken.pgn", &(broken + &game("A", "B", 3, "", "*")))]);
    let (text, errors) = place.says("rate broken.pgn");
    has_all(
        &text,
        &["1 game rated; not counted: 1 unfinished, 1 broken"],
    );
    has_all(
        &errors,
        &["broken.pgn, game 2 (line 11): move 1. e5 is not legal"],
    );
    has_all(&errors, &["broken.pgn, game 3 (line 21): unfinished"]);
    place.refuses("rate --strict broken.pgn", &["2 games cannot be used"]);
}

#[test]
fn mistakes_are_told() {
    let place = TestFolder::with(&[("table6.pgn", &table6()), ("empty.pgn", "")]);
    // As some shells write what they are told to put together.
    let utf16 = table6()
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect::<Vec<u8>>();
    place.write("utf16.pgn", [&[0xff, 0xfe][..], &utf16].concat());
    place.refuses("rate", &["PGN"]);
    place.refuses("rate missing.pgn", &["missing.pgn"]);
    place.refuses("rate empty.pgn", &["no finished games"]);
    place.refuses(
        "rate utf16.pgn",
        &["its text is UTF-16, and should be UTF-8"],
    );
    place.refuses(
        "rate table6.pgn --anchor Nobody=2000",
        &["'Nobody' cannot be an anchor"],
    );
    place.refuses("rate table6.pgn --anchor 'One level'", &["NAME=RATING"]);
    place.refuses(
        "rate table6.pgn --anchor 'One level=high'",
        &["'high' is no rating"],
    );
    place.refuses(
        "rate table6.pgn --anchor 'One level=1e308'",
        &["'1e308' is no rating"],
    );
    place.refuses(
        "rate table6.pgn --anchor 'One level=1' --anchor 'One level=2'",
        &["two ratings"],
    );
    place.refuses("rate table6.pgn --prior=-1", &["0 or more"]);
}

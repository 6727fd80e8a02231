//! Wishes of engine testers on the command line: counts without games, tournaments without a file,
//! colours that stay.

use super::json_lines;
use crate::common::programs::{TestFolder, has_all};
use std::fs;

use serde_json::Value;

#[test]
fn counts_alone_are_rated_and_tested() {
    let place = TestFolder::new();
    let text = place.prints("rate --counts 120 300 80 --sprt 0 5 --elo-model logistic");
    has_all(
        &text,
        &[
            "A scored 270 of 500 games against B, 54 %",
            "A is 28 Elo stronger",
        ],
    );
    has_all(&text, &["LLR +", "no decision yet"]);
    let report = place.json("rate --counts 10 40 200 60 20 --sprt 0 5 --json");
    assert_eq!(
        (report["games"].as_u64(), report["points"].as_f64()),
        (Some(660), Some(350.0)),
        "{report}"
    );
    assert!(report["sprt"]["llr"].as_f64() > Some(0.0), "{report}");
    place.refuses("rate --counts 1 2 3 4", &["not 4"]);
    place.refuses("rate --counts 0 0 0", &["no games"]);
    place.refuses("rate --counts 4000000000 4000000000 1", &["more games"]);
    place.refuses("rate games.pgn --counts 1 2 3", &["cannot be used with"]);
    place.refuses("rate --counts 1 2 3 --sprt 5 0", &["elo0 must be less"]);
    place.refuses("rate games.pgn --sprt 0 5", &["--counts"]);
}

/// White and Black of the games that a command plays, from its journal.
fn games(place: &TestFolder, line: &str) -> Vec<(String, String, Value)> {
    let _ = fs::remove_file(place.file("games.journal"));
    place.prints(&format!("{line} --journal games.journal"));
    let entries = json_lines(&place.read("games.journal")).into_iter().skip(1);
    let games = entries.map(|entry| entry["game"].clone());
    let name = |game: &Value, side: &str| game[side].as_str().expect("a name").to_owned();
    games
        .map(|game| (name(&game, "white"), name(&game, "black"), game))
        .collect()
}

const FAST: &str = "--tc nodes=60 --max-moves 2";

#[test]
fn a_tournament_needs_no_file() {
    let place = TestFolder::new();
    let line = format!("tournament kashan:minimax kashan:alphabeta kashan:action {FAST}");
    let played = games(&place, &format!("{line} --gauntlet --games 2"));
    assert_eq!(played.len(), 4, "{played:?}");
    for (white, black, _) in &played {
        assert!(
            [white, black].contains(&&"kashan:minimax".to_owned()),
            "{white} {black}"
        );
    }
    assert_eq!(games(&place, &line).len(), 6);
    place.refuses("tournament nowhere.toml", &["nowhere.toml"]);
    place.refuses(
        "tournament kashan:minimax kashan:action --rounds 1 --games 2",
        &["cannot be used with"],
    );
    place.refuses(
        "tournament kashan:minimax kashan:action --option 3:Hash=1",
        &["there is no engine 3"],
    );
    place.refuses(
        "tournament kashan:minimax kashan:action --gauntlet=2",
        &["can be challengers"],
    );
}

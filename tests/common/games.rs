//! Files of a tournament of two engines.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use kashan::arena::GameRecord;
use serde_json::Value;

/// The games of a journal, by number; one that is there twice fails the test. Only the last line
/// may be torn.
pub fn in_journal(journal: &Path) -> BTreeMap<u32, GameRecord> {
    let text = fs::read_to_string(journal).unwrap_or_default();
    let mut games = BTreeMap::new();
    for line in text
        .split_inclusive('\n')
        .skip(1)
        .filter(|line| line.ends_with('\n'))
    {
        let mut entry: Value = serde_json::from_str(line).expect("a whole line");
        let record: GameRecord = serde_json::from_value(entry["game"].take()).expect("a game");
        assert!(
            games.insert(record.number, record).is_none(),
            "twice: {line}"
        );
    }
    games
}

/// Every game is in the journal once and in the PGN once, in order, with the same players and the
/// same result; both games of a pair have one opening and the colours changed. Returns the games.
pub fn check_finished(journal: &Path, pgn: &Path, count: usize) -> Vec<GameRecord> {
    let games = in_journal(journal);
    assert_eq!(
        games.keys().copied().collect::<Vec<_>>(),
        (1..=count as u32).collect::<Vec<_>>()
    );
    let pgn = fs::read_to_string(pgn).expect("a PGN");
    let tags = |name: &str| -> Vec<String> {
        let start = format!("[{name} \"");
        let values = pgn
            .lines()
            .filter_map(|line| line.strip_prefix(&start)?.strip_suffix("\"]"));
        values.map(str::to_owned).collect()
    };
    let of_games = |text: fn(&GameRecord) -> String| games.values().map(text).collect::<Vec<_>>();
    assert!(
        tags("Round") == of_games(|game| game.round.clone()),
        "rounds"
    );
    assert!(
        tags("White") == of_games(|game| game.white.clone()),
        "players"
    );
    assert!(
        tags("Result") == of_games(|game| game.result.verdict.to_string()),
        "results"
    );
    let games: Vec<GameRecord> = games.into_values().collect();
    for pair in games.chunks(2) {
        assert_eq!(
            (&pair[0].white, &pair[0].black),
            (&pair[1].black, &pair[1].white)
        );
        assert_eq!(pair[0].opening, pair[1].opening);
    }
    games
}

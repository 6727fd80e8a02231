use std::fs;

use serde_json::json;

use super::*;

/// Some work's lines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Entry {
    Game { number: u32, white: String, moves: Vec<String> },
}

fn game(number: u32) -> Entry {
    let white = "A \"quoted\" ♔\nname".to_owned();
    Entry::Game { number, white, moves: vec!["e2e4".to_owned(), "e7e5".to_owned()] }
}

type Opened = anyhow::Result<(Journal, History<Entry>)>;

fn open(path: &Path, settings: &Value) -> Opened {
    Journal::open(path, settings)
}

fn settings() -> Value {
    json!({"seed": 1, "engines": ["A", "B"]})
}

/// Killed after any byte: the games that were whole are there, and the next ones can be added.
#[test]
fn a_journal_cut_at_any_byte_has_the_games_before_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("t.journal");
    let (mut journal, _) = open(&path, &settings()).expect("begun");
    let mut ends = vec![fs::metadata(&path).expect("there").len() as usize];
    for number in 1..=3 {
        journal.add(&game(number)).expect("added");
        ends.push(fs::metadata(&path).expect("there").len() as usize);
    }
    drop(journal);
    let whole = fs::read(&path).expect("readable");
    for length in 0..=whole.len() {
        fs::write(&path, &whole[..length]).expect("cut");
        let (mut journal, history) = open(&path, &settings()).expect("continued");
        // A game whose line lacks only its end is whole.
        let games = ends[1..].iter().filter(|&&end| length + 1 >= end).count();
        let expected: Vec<Entry> = (1..=games as u32).map(game).collect();
        assert_eq!(history.entries, expected, "{length} bytes");
        let whole_line = length < ends[0] || ends.contains(&length) || ends.contains(&(length + 1));
        assert_eq!(history.torn.is_some(), !whole_line, "{length} bytes: {:?}", history.torn);
        for number in games as u32 + 1..=3 {
            journal.add(&game(number)).expect("added");
        }
        drop(journal);
        assert!(fs::read(&path).expect("readable") == whole, "the same file again, {length} bytes");
    }
}

#[test]
fn other_tournaments_and_other_files_are_refused_and_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("t.journal");
    let (mut journal, _) = open(&path, &settings()).expect("begun");
    journal.add(&game(1)).expect("added");
    drop(journal);
    let good = fs::read_to_string(&path).expect("readable");
    let changed = json!({"seed": 2, "engines": ["A", "B"]});
    let error = open(&path, &changed).expect_err("changed").to_string();
    assert!(error.contains("seed: was 1, is 2") && error.contains("t.journal"), "{error}");
    assert_eq!(fs::read_to_string(&path).expect("readable"), good);

    // Of another command's work there is no point in telling each difference, and of many not all are told.
    let solve = json!({"work": "solve", "limits": "1/move"});
    let error = open(&path, &solve).expect_err("other work").to_string();
    let ending = " is that of an experiment, not of kashan solve: name another journal";
    assert!(error.ends_with(ending), "{error}");
    let many: Value = (1..50).map(|number| (format!("option{number}"), "x".repeat(200))).collect();
    let error = open(&path, &many).expect_err("changed").to_string();
    assert!(error.contains("and 43 more") && error.len() < 3000, "{error}");

    let second = good.lines().nth(1).expect("a game");
    for (content, reason) in [
        ("[Event \"?\"]\n".to_owned(), "not a journal"),
        ("{\"kashan-".to_owned() + "other", "not a journal"),
        ("{\"kashan-journal\":rubbish}\n".to_owned(), "not a journal"),
        (good.replace("journal\":1", "journal\":2"), "version 2"),
        (good.replace(second, "{\"game\":{}}\n{\"game\":"), "Remove that line"),
        // It is whole, so that no kill made it so.
        (good.replace(second, "{\"game\":{}}"), "line 2: "),
        (good.clone() + "\n", "line 3: "),
    ] {
        fs::write(&path, &content).expect("written");
        let error = open(&path, &settings()).expect_err(&content).to_string();
        assert!(error.contains(reason) && error.contains("t.journal"), "{content}: {error}");
        assert_eq!(fs::read_to_string(&path).expect("readable"), content);
    }
    let nowhere = folder.path().join("no/such/folder/t.journal");
    assert!(open(&nowhere, &settings()).expect_err("nowhere").to_string().contains("folder"));
}

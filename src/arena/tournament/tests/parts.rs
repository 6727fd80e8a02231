//! A tournament that several machines play.

use std::path::PathBuf;

use super::*;
use crate::jobs::journal;

const HEAD: &str = "schedule = \"round-robin\"\nrounds = 3";
const ENGINES: usize = 4;

fn of_part(part: &str) -> Tournament {
    let mut tournament = tournament(HEAD, ENGINES);
    tournament.config.part = Some(part.parse().expect("a part"));
    tournament
}

/// Where nothing is left to play.
fn nobody_plays(plan: &GamePlan) -> Verdict {
    panic!("game {} is played again", plan.number)
}

#[test]
fn parts_that_were_put_together_are_the_whole() {
    let whole = tournament(HEAD, ENGINES);
    let expected = ALL.records(&whole);
    let folders: Vec<_> = (0..5).map(|_| tempfile::tempdir().expect("a folder")).collect();
    let mut journals = Vec::new();
    for (part, folder) in ["1/4", "2/4", "3/4", "4/4"].into_iter().zip(&folders) {
        let (tournament, folder) = (of_part(part), folder.path());
        // Stopped after some games, it goes on as any tournament.
        let play = Play { folder: Some(folder), ..ALL };
        Play { stop_after: 2, concurrency: 1, ..play }.run(&tournament).expect("begun");
        let records = play.records(&tournament);
        assert_eq!(records.len(), tournament.games() as usize);
        let ours = |record: &&GameRecord| record.pair as usize % 4 == records[0].pair as usize % 4;
        assert_eq!(records, expected.iter().filter(ours).cloned().collect::<Vec<_>>(), "{part}");
        check_pgn(folder, &records);
        journals.push(folder.join("t.journal"));
    }
    let folder = folders[4].path();
    let size = |settings: &serde_json::Value| games_of(settings).map(journal::Size::Games);
    let merged = journal::merge(&journals, &folder.join("t.journal"), &size).expect("merged");
    assert_eq!((merged.results, merged.missing.len()), (expected.len(), 0));
    let records = Play { folder: Some(folder), results: nobody_plays, ..ALL }.records(&whole);
    assert_eq!(records, expected);
    check_pgn(folder, &records);
}

#[test]
fn a_part_that_has_nothing_to_do_is_complete() {
    let mut tournament = tournament("rounds = 2", 2);
    tournament.config.part = Some("3/3".parse().expect("a part"));
    assert_eq!(ALL.records(&tournament), []);
}

#[test]
fn the_journal_of_another_part_is_not_continued() {
    let folder = tempfile::tempdir().expect("a folder");
    let play = Play { folder: Some(folder.path()), ..ALL };
    play.records(&of_part("1/3"));
    // Its head is mended, and it still has games that the part does not play.
    let path: PathBuf = folder.path().join("t.journal");
    let text = fs::read_to_string(&path).expect("a journal");
    fs::write(&path, text.replace("\"part\":\"1/3\"", "\"part\":\"2/3\"")).expect("written");
    let error = play.run(&of_part("2/3")).expect_err("refused").to_string();
    assert!(error.contains("is none of this tournament"), "{error}");
}

//! A tournament that several machines play.

use super::*;

fn of_part(part: &str) -> Tournament {
    let mut tournament = tournament("schedule = \"round-robin\"\nrounds = 3", 4);
    tournament.config.part = Some(part.parse().expect("a part"));
    tournament
}

#[test]
fn a_part_that_has_nothing_to_do_is_complete() {
    assert_eq!(ALL.records(&of_part("19/19")), []);
}

#[test]
fn a_part_goes_on_where_it_was_stopped_and_not_in_the_journal_of_another() {
    let folder = tempfile::tempdir().expect("a folder");
    let play = Play { folder: Some(folder.path()), ..ALL };
    let part = of_part("1/3");
    Play { stop_after: 2, concurrency: 1, ..play }.run(&part).expect("begun");
    let records = play.records(&part);
    assert_eq!(records.len(), part.games() as usize);
    check_pgn(folder.path(), &records);
    // Its head is mended, and it still has games that the part does not play.
    let path = folder.path().join("t.journal");
    let text = fs::read_to_string(&path).expect("a journal");
    fs::write(&path, text.replace("\"part\":\"1/3\"", "\"part\":\"2/3\"")).expect("written");
    let error = play.run(&of_part("2/3")).expect_err("refused").to_string();
    assert!(error.contains("is none of this tournament"), "{error}");
}

use std::fs;

use super::*;
use crate::arena::{GameResult, MoveRecord, Reason, Verdict};
use crate::util::files::tests::in_a_folder;

/// The games of a tournament begun at some time.
fn records(started: u64, count: u32) -> Vec<GameRecord> {
    let uci = "e2e4".to_owned();
    let detail = "both want it".to_owned();
    let mv = MoveRecord {
        uci,
        time: 7,
        score: Some(3),
        depth: Some(1),
        ..MoveRecord::default()
    };
    let result = GameResult {
        verdict: Verdict::Draw,
        reason: Reason::DrawAgreed,
        detail,
    };
    let game = |number: u32| GameRecord {
        number,
        round: format!("{}.{}", number.div_ceil(2), 2 - number % 2),
        pair: number.div_ceil(2),
        white: "Ä".to_owned(),
        black: "B".to_owned(),
        moves: vec![mv.clone()],
        result: result.clone(),
        limits: ["1+1", "1+1"].map(str::to_owned),
        started: started + u64::from(number),
        ..GameRecord::default()
    };
    (1..=count).map(game).collect()
}

fn writer(event: &str) -> Writer {
    Writer {
        event: event.to_owned(),
        ..Writer::default()
    }
}

fn all(records: &[GameRecord], event: &str) -> String {
    records
        .iter()
        .map(|record| writer(event).write(record))
        .collect()
}

fn open(path: &Path, records: &[GameRecord], event: &str) -> io::Result<()> {
    let played: Vec<u32> = records.iter().map(|record| record.number).collect();
    let mut game = |number: u32| Ok(records[number as usize - 1].clone());
    PgnFile::create(path, &played, &mut game, &writer(event), None)?.finish()
}

/// The content of a file afterwards, with its content before.
fn opened(before: impl AsRef<[u8]>, records: &[GameRecord], event: &str) -> String {
    let file = tempfile::NamedTempFile::new().expect("a file");
    fs::write(&file, before).expect("written");
    open(file.path(), records, event).expect("games are added");
    fs::read_to_string(&file).expect("there")
}

/// The match's reason for refusing a file with this content, left as it is.
fn refused(before: impl AsRef<[u8]>, records: &[GameRecord]) -> String {
    let file = tempfile::NamedTempFile::new().expect("a file");
    fs::write(&file, &before).expect("written");
    let error = open(file.path(), records, "Match")
        .expect_err("refused")
        .to_string();
    assert_eq!(fs::read(&file).expect("there"), before.as_ref());
    error
}

/// The file of a beginning match.
fn begin(path: &Path, part: Option<Part>) -> io::Result<PgnFile> {
    PgnFile::create(path, &[], &mut |_| unreachable!(), &writer("Match"), part)
}

#[test]
fn compressed_files_are_refused() {
    let (_folder, path) = in_a_folder("new.pgn.GZ");
    let error = open(&path, &records(100, 4), "Match")
        .expect_err("refused")
        .to_string();
    assert!(error.contains("compressed") && !path.exists(), "{error}");
    assert!(refused([0x1f_u8, 0x8b, 8, 0, 0], &records(100, 4)).contains("compressed"));
}

#[test]
fn two_tournaments_may_add_to_one_file_and_none_to_one_that_is_gone() {
    let (_folder, path) = in_a_folder("games.pgn");
    let games = records(100, 2);
    let mut first = begin(&path, None).expect("begun");
    let mut second = begin(&path, None).expect("begun, too");
    second.add(&games[0]).expect("added");
    first.add(&games[0]).expect("added");
    let both = all(&games[..1], "Match").repeat(2);
    assert_eq!(fs::read_to_string(&path).expect("there"), both);
    if crate::util::system::identity(&path).is_none() {
        return eprintln!("skipped: nothing tells files apart here");
    }
    fs::remove_file(&path).expect("there");
    let error = second.finish().expect_err("they are nowhere").to_string();
    assert!(error.contains("it was removed"), "{error}");
    begin(&path, None).expect("begun anew");
    first.add(&games[1]).expect_err("it would be lost");
}

#[test]
fn games_of_a_part_wait_for_no_others() {
    let (_folder, path) = in_a_folder("part.pgn");
    let games = records(100, 12);
    let mut file = begin(&path, "2/3".parse().ok()).expect("begun");
    // Pairs 2 and 5 are of this part.
    for (number, written) in [(4, 0), (3, 2), (10, 2), (9, 4)] {
        file.add(&games[number - 1]).expect("added");
        let text = fs::read_to_string(&path).expect("there");
        assert_eq!(
            text.matches("[Event ").count(),
            written,
            "behind game {number}"
        );
    }
    file.finish().expect("finished");
    let expected = all(&games[2..4], "Match") + &all(&games[8..10], "Match");
    assert_eq!(fs::read_to_string(&path).expect("there"), expected);
}

#[test]
fn own_games_are_put_right_after_a_kill_and_keep_the_names_in_the_file() {
    let ours = records(100, 4);
    let own = all(&ours, "Match");
    for length in 0..=own.len() {
        assert_eq!(
            opened(&own.as_bytes()[..length], &ours, "Match"),
            own,
            "{length}"
        );
    }
    // A user edits the names of two games, a kill tears the fourth away, and the tournament has
    // another name by then.
    let edited = own.replacen(
        "[Event \"Match\"]\n[Site \"?\"]",
        "[Event \"Ours\"]\n[Site \"Linz\"]",
        2,
    );
    let left = &edited[..edited.rfind("[Event").expect("a game")];
    let expected = left.to_owned() + &all(&ours[3..], "Another name");
    assert_eq!(opened(left, &ours, "Another name"), expected);
}

#[test]
fn games_are_added_behind_others_and_only_once() {
    let ours = records(100, 4);
    let others = records(9_000, 4);
    let own = all(&ours, "Match");
    let foreign = all(&others, "Match");
    let both = foreign.clone() + &own;
    for (before, after) in [
        (String::new(), &own),
        (foreign.clone(), &both),
        (foreign.trim_end().to_owned(), &both),
        (both.clone(), &both),
        (own.clone() + &foreign, &(own.clone() + &foreign)),
        (foreign.clone() + &all(&ours[..2], "Match"), &both),
        // A kill tore the third game apart.
        (foreign.clone() + &own[..own.len() / 4 * 3 - 9], &both),
        (
            "{a comment} 1. e4 *\n".to_owned(),
            &("{a comment} 1. e4 *\n\n".to_owned() + &own),
        ),
    ] {
        assert_eq!(opened(before, &ours, "Match"), *after);
    }
    // A kill tore the first game apart, in the middle of a letter of White's name.
    let half = own.find('Ä').expect("the name") + 1;
    assert_eq!(
        opened(
            [foreign.as_bytes(), &own.as_bytes()[..half]].concat(),
            &ours,
            "Match"
        ),
        both
    );
    // Nothing can be added inside a comment of others.
    let error = refused(foreign.clone() + "[Event \"?\"]\n\n1. e4 {a comment", &ours);
    let place = format!("line {}", foreign.lines().count() + 1);
    assert!(
        error.contains("comment") && error.contains(&place),
        "{error}"
    );
    let (_folder, path) = in_a_folder("new.pgn");
    open(&path, &ours, "Match").expect("begun");
    assert_eq!(fs::read_to_string(path).expect("there"), own);
}

#[test]
fn games_are_not_added_to_what_is_no_pgn() {
    let ours = records(100, 2);
    let foreign = "my diary\n | {\"kashan-journal\":1,\"settings\":{}}\n | {\n  \"id\": \"C1\"\n}\n | [1, 2]\n | \
                   limits = \"1+1\"\n\n[[engines]]\n | KASHAN\0library\u{1} | { color: red }\n | 1. Buy milk\n | \
                   # Positions\n4k3/8/8/8/8/8/8/4K3 w - - bm Kd2; id \"1.\";\n | [submodule \"x\"]\n | ; a list\n";
    for foreign in foreign.split(" | ") {
        let error = refused(foreign, &ours);
        assert!(error.contains("no PGN file"), "{foreign:?}: {error}");
    }
    let own = all(&ours, "Match");
    for games in [
        "\u{feff}% by hand\n\n[White \"A\"]\n\n*\n\n",
        "1. e4 *\n\n",
        "{\na comment}\n\n1. e4 *\n\n",
        "\n\n",
    ] {
        assert_eq!(opened(games, &ours, "Match"), games.to_owned() + &own);
    }
    // What a kill left of the first game is taken away.
    assert_eq!(opened(&own[..4], &ours, "Match"), own);
}

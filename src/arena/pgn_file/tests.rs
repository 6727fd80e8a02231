use std::fs;

use super::*;
use crate::arena::{GameResult, MoveRecord, Reason, Verdict};

/// Games of a tournament that began at some time.
fn records(started: u64, count: u32) -> Vec<GameRecord> {
    let game = |number| GameRecord {
        number,
        round: format!("{}.{}", number.div_ceil(2), 2 - number % 2),
        pair: number.div_ceil(2),
        white: "Ä".to_owned(),
        black: "B".to_owned(),
        moves: vec![MoveRecord {
            uci: "e2e4".to_owned(),
            time: 7,
            score: Some(3),
            depth: Some(1),
            ..MoveRecord::default()
        }],
        result: GameResult {
            verdict: Verdict::Draw,
            reason: Reason::DrawAgreed,
            detail: "both want it".to_owned(),
        },
        limits: ["1+1".to_owned(), "1+1".to_owned()],
        started: started + u64::from(number),
        ..GameRecord::default()
    };
    (1..=count).map(game).collect()
}

fn writer(event: &str) -> Writer {
    Writer { event: event.to_owned(), ..Writer::default() }
}

fn all(records: &[GameRecord], event: &str) -> String {
    records.iter().map(|record| writer(event).write(record)).collect()
}

fn open(path: &Path, records: &[GameRecord], event: &str, append: bool) -> io::Result<()> {
    let played: Vec<u32> = records.iter().map(|record| record.number).collect();
    let mut game = |number: u32| Ok(records[number as usize - 1].clone());
    PgnFile::create(path, &played, &mut game, &writer(event), append, None)?.finish()
}

#[test]
fn games_with_other_comments_are_the_same_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("t.pgn");
    let (mut ours, others) = (records(100, 4), records(9_000, 4));
    ours.iter_mut().for_each(|record| record.moves[0].nodes = Some(9));
    let (own, foreign) = (all(&ours, "Match"), all(&others, "Match"));
    let written: String = ours.iter().map(|record| writer("Match").otherwise(record)).collect();
    assert_ne!(written, own);
    fs::write(&path, &written[..written.len() - 9]).expect("written");
    open(&path, &ours, "Match", false).expect("our own games");
    assert_eq!(fs::read_to_string(&path).expect("there"), own);
    fs::write(&path, foreign.clone() + &written).expect("written");
    open(&path, &ours, "Match", true).expect("our own games");
    assert_eq!(fs::read_to_string(&path).expect("there"), foreign.clone() + &written);
    fs::write(&path, written + &foreign).expect("written");
    assert!(open(&path, &ours, "Match", false).is_err());
}

#[test]
fn compressed_files_and_those_of_a_running_tournament_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let refused = |path: &Path, append| {
        let before = fs::read(path).ok();
        let error = open(path, &records(100, 4), "Match", append).expect_err("refused");
        assert_eq!(fs::read(path).ok(), before, "it is as it was");
        error.to_string()
    };
    let path = folder.path().join("new.pgn.GZ");
    assert!(refused(&path, false).contains("compressed") && refused(&path, true).contains("compressed"));
    let path = folder.path().join("gzip.pgn");
    fs::write(&path, [0x1f, 0x8b, 8, 0, 0]).expect("written");
    assert!(refused(&path, true).contains("compressed"));
    let path = folder.path().join("running.pgn");
    let running = PgnFile::create(&path, &[], &mut |_| unreachable!(), &writer("Match"), false, None);
    let running = running.expect("begun");
    assert!(refused(&path, false).contains("another match"));
    running.finish().expect("finished");
    open(&path, &records(100, 4), "Match", false).expect("it is free again");
}

#[test]
fn no_game_goes_into_a_file_that_another_tournament_has_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.pgn");
    let games = records(100, 2);
    let begin = || PgnFile::create(&path, &[], &mut |_| unreachable!(), &writer("Match"), false, None);
    let mut first = begin().expect("begun");
    if system::identity(&path).is_none() {
        return eprintln!("skipped: nothing tells files apart here");
    }
    // As if the second had looked before the first locked it.
    fs::remove_file(&path).expect("there");
    let mut second = begin().expect("begun, too");
    second.add(&games[0]).expect("added");
    let error = first.add(&games[0]).expect_err("it would be lost").to_string();
    assert!(error.contains("another match or tournament"), "{error}");
    second.add(&games[1]).expect("added");
}

#[test]
fn what_comes_into_a_file_while_it_is_waited_for_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.pgn");
    let games = records(100, 2);
    let begin = || PgnFile::create(&path, &[], &mut |_| unreachable!(), &writer("Match"), false, None);
    let mut first = begin().expect("begun");
    let second = std::thread::scope(|threads| {
        threads.spawn(|| {
            std::thread::sleep(std::time::Duration::from_millis(30));
            first.add(&games[0]).expect("added");
            first.finish().expect("finished");
        });
        begin()
    });
    assert!(second.is_err(), "it would write over the game");
    assert_eq!(fs::read_to_string(&path).expect("there"), all(&games[..1], "Match"));
}

#[test]
fn games_of_a_part_wait_for_no_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("part.pgn");
    let games = records(100, 12);
    let part = "2/3".parse().ok();
    let mut file =
        PgnFile::create(&path, &[], &mut |_| unreachable!(), &writer("Match"), false, part).expect("begun");
    // Pairs 2 and 5 are of this part.
    for (number, written) in [(4, 0), (3, 2), (10, 2), (9, 4)] {
        file.add(&games[number - 1]).expect("added");
        let text = fs::read_to_string(&path).expect("there");
        assert_eq!(text.matches("[Event ").count(), written, "behind game {number}");
    }
    file.finish().expect("finished");
    let expected = all(&games[2..4], "Match") + &all(&games[8..10], "Match");
    assert_eq!(fs::read_to_string(&path).expect("there"), expected);
}

#[test]
fn what_the_tournament_did_not_write_is_refused_and_kept_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("t.pgn");
    let (ours, others) = (records(100, 4), records(9_000, 4));
    let own = all(&ours, "Match");
    let behind = own.lines().count() as u64 + 1;
    for (content, line) in [
        // The tags of the first line are the same in every match.
        (all(&others, "Match"), 1),
        (own.clone() + &all(&others[3..], "Match"), behind),
        (own.clone() + "{a comment}\n", behind),
        ("; a comment\n".to_owned() + &own, 1),
        (own.clone() + "[Event \"torn", behind),
        (own.replacen("1. e4", "1. d4", 1), 1),
        ("something else".to_owned(), 1),
    ] {
        fs::write(&path, &content).expect("written");
        let error = open(&path, &ours, "Match", false).expect_err(&content).to_string();
        assert!(error.contains(&format!("line {line},")) && error.contains("--append"), "{content}\n{error}");
        assert_eq!(fs::read_to_string(&path).expect("there"), content);
        // Nor does it go on behind half a letter that is not its own.
        fs::write(&path, [own.as_bytes(), b"\xc3"].concat()).expect("written");
        assert!(open(&path, &ours, "Match", false).is_err());
        fs::write(&path, &content).expect("written");
        // Without games of its own a tournament owns nothing.
        assert!(open(&path, &[], "Match", false).is_err());
    }
}

#[test]
fn own_games_are_put_right_also_after_a_kill_and_keep_the_names_in_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("t.pgn");
    let ours = records(100, 4);
    let own = all(&ours, "Match");
    for length in 0..=own.len() {
        fs::write(&path, &own.as_bytes()[..length]).expect("written");
        open(&path, &ours, "Match", false).expect("our own games");
        assert_eq!(fs::read_to_string(&path).expect("there"), own, "{length}");
    }
    // A user edits the names of two games, a kill tears the fourth away, and the tournament has another
    // name by then.
    let edited = own.replacen("[Event \"Match\"]\n[Site \"?\"]", "[Event \"Ours\"]\n[Site \"Linz\"]", 2);
    fs::write(&path, &edited[..edited.rfind("[Event").expect("a game")]).expect("written");
    open(&path, &ours, "Another name", false).expect("our own games");
    let last = all(&ours[3..], "Another name");
    let expected = edited[..edited.rfind("[Event").expect("a game")].to_owned() + &last;
    assert_eq!(fs::read_to_string(&path).expect("there"), expected);
}

#[test]
fn games_are_added_behind_others_and_only_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("t.pgn");
    let (ours, others) = (records(100, 4), records(9_000, 4));
    let (own, foreign) = (all(&ours, "Match"), all(&others, "Match"));
    for (before, after) in [
        (String::new(), own.clone()),
        (foreign.clone(), foreign.clone() + &own),
        (foreign.trim_end().to_owned(), foreign.clone() + &own),
        (foreign.clone() + &own, foreign.clone() + &own),
        (own.clone() + &foreign, own.clone() + &foreign),
        (foreign.clone() + &all(&ours[..2], "Match"), foreign.clone() + &own),
        // A kill tore the third game apart.
        (foreign.clone() + &own[..own.len() / 4 * 3 - 9], foreign.clone() + &own),
        ("{only a comment}\n".to_owned(), "{only a comment}\n\n".to_owned() + &own),
    ] {
        fs::write(&path, &before).expect("written");
        open(&path, &ours, "Match", true).expect("added");
        assert_eq!(fs::read_to_string(&path).expect("there"), after);
    }
    // A kill tore the first game apart, in the middle of a letter of White's name.
    let half = own.find('Ä').expect("the name") + 1;
    fs::write(&path, [foreign.as_bytes(), &own.as_bytes()[..half]].concat()).expect("written");
    open(&path, &ours, "Match", true).expect("added");
    assert_eq!(fs::read_to_string(&path).expect("there"), foreign.clone() + &own);
    // Nothing can be added inside a comment of others.
    let open_end = foreign.clone() + "[Event \"?\"]\n\n1. e4 {a comment";
    fs::write(&path, &open_end).expect("written");
    let error = open(&path, &ours, "Match", true).expect_err("refused").to_string();
    assert!(
        error.contains("comment") && error.contains(&format!("line {}", foreign.lines().count() + 1)),
        "{error}"
    );
    assert_eq!(fs::read_to_string(&path).expect("there"), open_end);
    fs::remove_file(&path).expect("there");
    open(&path, &ours, "Match", true).expect("begun");
    assert_eq!(fs::read_to_string(&path).expect("there"), own);
}

#[test]
fn games_are_not_added_to_what_is_no_pgn() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("t.pgn");
    let ours = records(100, 2);
    for foreign in [
        "my diary\n",
        "{\"kashan-journal\":1,\"settings\":{}}\n",
        "{\n  \"id\": \"C1\"\n}\n",
        "[1, 2]\n",
        "limits = \"1+1\"\n\n[[engines]]\n",
        "# Positions\n4k3/8/8/8/8/8/8/4K3 w - - bm Kd2; id \"1.\";\n",
        "KASHAN\0library\u{1}",
    ] {
        fs::write(&path, foreign).expect("written");
        let error = open(&path, &ours, "Match", true).expect_err(foreign).to_string();
        assert!(error.contains("no PGN file"), "{foreign:?}: {error}");
        assert_eq!(fs::read_to_string(&path).expect("there"), foreign);
    }
    let own = all(&ours, "Match");
    for games in
        ["\u{feff}% made by hand\n\n[White \"A\"]\n\n*\n\n", "1. e4 *\n\n", "{\na comment}\n\n", "\n\n"]
    {
        fs::write(&path, games).expect("written");
        open(&path, &ours, "Match", true).expect(games);
        assert_eq!(fs::read_to_string(&path).expect("there"), games.to_owned() + &own);
    }
    // What a kill left of the first game is taken away.
    fs::write(&path, &own[..4]).expect("written");
    open(&path, &ours, "Match", true).expect("mended");
    assert_eq!(fs::read_to_string(&path).expect("there"), own);
}

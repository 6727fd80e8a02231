//! The sets of positions that we made ourselves: whether they are what their heads say, and whether `kashan
//! positions make` makes such sets. Positions are looked at with shakmaty, mates are proven with it, and some
//! are shown to Stockfish, if it is installed.

use std::collections::HashSet;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common::programs::{have, kashan};
use assert_cmd::cargo::CommandCargoExt as _;
use kashan::suite::{PositionList, SuitePosition};
use serde_json::Value;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Color, Position as _};

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suites").join(name)
}

fn read(path: PathBuf) -> Vec<SuitePosition> {
    let list = PositionList::read(&[path]).expect("it can be read");
    list.strict().expect("every line is as it should be")
}

fn board(entry: &SuitePosition) -> Chess {
    let fen: Fen = entry.fen.parse().expect("a FEN");
    fen.into_position(CastlingMode::Standard).expect("a position")
}

/// The one right move; the reader has seen that it is legal.
fn key(entry: &SuitePosition) -> shakmaty::Move {
    assert_eq!(entry.operations.best.len(), 1, "{}", entry.fen);
    let mv: UciMove = entry.operations.best[0].uci.parse().expect("coordinates");
    mv.to_move(&board(entry)).expect("legal")
}

/// What all sets have in common.
fn check(set: &[SuitePosition], name: &str, count: usize) {
    assert_eq!(set.len(), count);
    let mut boards = HashSet::new();
    let mut numbers = HashSet::new();
    let width = count.to_string().len();
    for (index, entry) in set.iter().enumerate() {
        let id = format!("{name}{count}.{:0width$}", index + 1);
        assert_eq!(entry.name(), id);
        let men = entry.fen.split(' ').next();
        assert!(boards.insert(men), "twice: {}", entry.fen);
        let position = board(entry);
        assert!(!position.is_check() && position.legal_moves().len() >= 5, "{id}");
        numbers.insert(position.fullmoves());
        key(entry);
    }
    let black = set.iter().filter(|entry| board(entry).turn() == Color::Black).count();
    assert!(black.abs_diff(count - black) <= 2, "{black} of {count} are Black's");
    assert!(numbers.len() >= count / 4, "from all parts of games: {numbers:?}");
}

/// The value that a line gives, in centipawns.
fn value(entry: &SuitePosition) -> i32 {
    let others = &entry.operations.others;
    let text = others.iter().find(|(opcode, _)| opcode == "ce").expect("ce");
    text.1.parse().expect("a number")
}

/// The value of the second best move, in centipawns, -3000 for being mated.
fn second(entry: &SuitePosition) -> i32 {
    let others = &entry.operations.others;
    let text = &others.iter().find(|(opcode, _)| opcode == "c0").expect("c0").1;
    let words: Vec<&str> = text.split(' ').collect();
    let ["second", mv, value] = words[..] else {
        panic!("{}: c0 \"{text}\"", entry.fen);
    };
    assert_ne!(mv, entry.operations.best[0].san, "{}", entry.fen);
    match value.parse::<f64>() {
        Ok(pawns) => (pawns * 100.0).round() as i32,
        Err(_) if value.starts_with("#-") => -3_000,
        Err(_) => panic!("{}: c0 \"{text}\"", entry.fen),
    }
}

#[test]
fn a_hundred_tactical_positions_with_one_move_that_stands_out() {
    let set = read(file("tactical100.epd"));
    check(&set, "tactical", 100);
    for entry in &set {
        let (best, second) = (value(entry), second(entry));
        assert!(best >= 0 && second <= 100, "{}", entry.fen);
        assert!(best - second >= 150, "{}", entry.fen);
    }
    let captures = set.iter().filter(|entry| key(entry).is_capture()).count();
    assert!(captures < 80, "not only captures: {captures}");
}

#[test]
fn a_hundred_quiet_positions_with_a_quiet_move() {
    let set = read(file("quiet100.epd"));
    check(&set, "quiet", 100);
    for entry in &set {
        let mv = key(entry);
        let after = board(entry).play(mv).expect("legal");
        assert!(!mv.is_capture() && !mv.is_promotion() && !after.is_check(), "{}", entry.fen);
        let (best, second) = (value(entry), second(entry));
        assert!(best.abs() <= 300 && second.abs() <= 300, "{}", entry.fen);
        assert!((40..=150).contains(&(best - second)), "{}", entry.fen);
        assert!(board(entry).board().occupied().count() >= 10, "{}", entry.fen);
    }
}

/// Whether the side to move mates in so many moves, whatever the other side does: all moves are tried.
fn mates(position: &Chess, moves: u32) -> bool {
    position.legal_moves().into_iter().any(|mv| is_key(position, mv, moves))
}

fn is_key(position: &Chess, mv: shakmaty::Move, moves: u32) -> bool {
    let after = position.clone().play(mv).expect("legal");
    if after.is_checkmate() {
        return true;
    }
    let replies = after.legal_moves();
    moves > 1
        && !replies.is_empty()
        && replies.into_iter().all(|reply| {
            let next = after.clone().play(reply).expect("legal");
            mates(&next, moves - 1)
        })
}

#[test]
fn thirty_mates_with_one_key() {
    let set = read(file("mates30.epd"));
    check(&set, "mates", 30);
    let mut lengths = [0; 7];
    for entry in &set {
        let moves = entry.operations.mate_in.expect("dm");
        lengths[moves as usize] += 1;
        // One more, and all moves would take minutes.
        if moves > 3 {
            continue;
        }
        let position = board(entry);
        assert!(!mates(&position, moves - 1), "faster: {}", entry.fen);
        assert!(is_key(&position, key(entry), moves), "no mate: {}", entry.fen);
        if moves == 2 {
            let legal = position.legal_moves();
            let keys = legal.into_iter().filter(|&mv| is_key(&position, mv, 2));
            assert_eq!(keys.count(), 1, "{}", entry.fen);
        }
    }
    assert_eq!(lengths, [0, 0, 6, 6, 6, 6, 6]);
}

/// The heads say how the sets were made; positions without it are worth less.
#[test]
fn heads_say_how() {
    for (name, kind) in [("tactical100.epd", "tactical"), ("quiet100.epd", "quiet"), ("mates30.epd", "mates")]
    {
        let text = fs::read_to_string(file(name)).expect("the set");
        let head: Vec<&str> = text.lines().take_while(|line| line.starts_with('#')).collect();
        let head = head.join("\n");
        for part in
            [format!("kashan positions make --kind {kind} "), "Stockfish".to_owned(), "nodes".to_owned()]
        {
            assert!(head.contains(&part), "{name}: no \"{part}\" in\n{head}");
        }
    }
}

fn make(folder: &Path, arguments: &[&str]) -> (bool, String, String) {
    kashan(folder, &[&["positions", "make"], arguments].concat())
}

/// Judged by ourselves, quickly.
const QUICK: [&str; 4] = ["--reference", "kashan:alphabeta", "--reference-limits", "nodes=3000"];

#[test]
fn sets_are_made_with_any_reference_and_are_the_same_again() {
    let place = tempfile::tempdir().expect("a folder");
    let made = |kind, output| {
        let arguments = [&["--kind", kind, "--count", "2", "-o", output][..], &QUICK].concat();
        let (fine, _, errors) = make(place.path(), &arguments);
        assert!(fine && errors.contains("2/2  "), "{errors}");
        read(place.path().join(output))
    };
    let text = |name: &str| fs::read_to_string(place.path().join(name)).expect("written");
    let tactical = made("tactical", "t.epd");
    check(&tactical, "tactical", 2);
    assert!(tactical.iter().all(|entry| value(entry) - second(entry) >= 150));
    made("tactical", "again.epd");
    assert_eq!(text("t.epd"), text("again.epd"));
    assert!(text("t.epd").lines().next().is_some_and(|head| head.contains(", made by Kashan ")));
    let command = "#     kashan positions make --kind tactical --count 2 --seed 1 --reference \"kashan:alphabeta\" \
                   --reference-limits nodes=3000\n";
    assert!(text("t.epd").contains(command), "{}", text("t.epd"));
    let quiet = made("quiet", "q.epd");
    check(&quiet, "quiet", 2);
    assert!(quiet.iter().all(|entry| (40..=150).contains(&(value(entry) - second(entry)))));
    let mates = made("mates", "m.epd");
    check(&mates, "mates", 2);
    let lengths: HashSet<_> = mates.iter().map(|entry| entry.operations.mate_in).collect();
    assert_eq!(lengths.len(), 2, "of different lengths");
}

#[test]
fn a_set_that_is_killed_goes_on() {
    let place = tempfile::tempdir().expect("a folder");
    let arguments = [&["--kind", "quiet", "--count", "2", "-o", "q.epd"][..], &QUICK].concat();
    let mut command = Command::cargo_bin("kashan").expect("the binary is built with the tests");
    command.args(["positions", "make"]).args(&arguments).current_dir(place.path());
    let mut first = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
    let heard = BufReader::new(first.stderr.take().expect("a pipe"));
    let found = heard.lines().map_while(Result::ok).find(|line| line.starts_with("1/2  "));
    first.kill().expect("killed");
    first.wait().expect("ended");
    let found = found.expect("it found a position");
    let journal = || fs::read_to_string(place.path().join("q.epd.journal"));
    let kept = journal().expect("a journal");
    assert!(kept.lines().count() > 1, "what was found is in it: {kept}");
    let (fine, _, errors) = make(place.path(), &[&arguments[..], &["--seed", "2"]].concat());
    assert!(!fine && errors.contains("q.epd.journal is of different work"), "{errors}");
    assert_eq!(journal().expect("a journal"), kept);
    let (fine, _, errors) = make(place.path(), &arguments);
    assert!(fine && errors.contains(&found) && errors.contains("2/2  "), "{errors}");
    check(&read(place.path().join("q.epd")), "quiet", 2);
    assert!(journal().is_err(), "it is of no use any more");
}

/// A device is no place for a journal beside it, and what is there is of somebody else.
#[cfg(unix)]
#[test]
fn a_set_for_a_device_has_no_journal() {
    let place = tempfile::tempdir().expect("a folder");
    std::os::unix::fs::symlink("/dev/null", place.path().join("nowhere")).expect("a link");
    for output in ["nowhere", "q.epd"] {
        fs::write(place.path().join(format!("{output}.journal")), "mine").expect("written");
        let arguments = [&["--kind", "quiet", "--count", "1", "-o", output][..], &QUICK].concat();
        let (fine, _, errors) = make(place.path(), &arguments);
        assert_eq!(fine, output == "nowhere", "{errors}");
        assert!(fine || errors.contains("q.epd.journal") && errors.contains("another --output"), "{errors}");
        let kept = fs::read_to_string(place.path().join(format!("{output}.journal")));
        assert_eq!(kept.expect("it is there"), "mine");
    }
}

#[test]
fn what_cannot_be_made_is_named() {
    let place = tempfile::tempdir().expect("a folder");
    for (arguments, reason) in [
        (&["--kind", "studies"][..], "studies"),
        (&["--count", "0"], "--count is from 1 to 10000"),
        (&["--reference", "kashan:alphabeta"], "--kind blunders asks no reference"),
        (&["--kind", "mates", "--reference-limits", "depth=5"], "--reference-limits depth=5: only nodes=N"),
        (&["--kind", "mates", "--reference-limits", "soon"], "soon"),
        (&["--kind", "mates", "--reference-limits", "nodes=18446744073709551615"], "is too many"),
        (&["--kind", "quiet", "--reference", "no-such-engine"], "no-such-engine"),
        (&["--kind", "quiet", "--reference", "kashan:oracle"], "kashan:oracle"),
    ] {
        let (fine, answer, errors) = make(place.path(), arguments);
        assert!(!fine && errors.contains(reason), "{arguments:?}: {errors}");
        assert_eq!(answer, "", "{arguments:?}");
    }
}

/// The numbers that solvers get out of sets are right answers to questions that can be answered: Stockfish,
/// without having been told, answers some of them as the sets do. Of quiet moves another version may think
/// otherwise.
#[test]
fn stockfish_agrees() {
    if !have(&["stockfish"]) {
        return;
    }
    let place = tempfile::tempdir().expect("a folder");
    for (name, least) in [("tactical100.epd", 3), ("quiet100.epd", 2), ("mates30.epd", 3)] {
        let text = fs::read_to_string(file(name)).expect("the set");
        let lines = text.lines().filter(|line| !line.starts_with('#')).take(3);
        let some: String = lines.map(|line| format!("{line}\n")).collect();
        fs::write(place.path().join(name), some).expect("written");
        let arguments = ["solve", name, "--engine", "stockfish", "--limits", "nodes=200000", "--json"];
        let (fine, answer, errors) = kashan(place.path(), &arguments);
        assert!(fine, "{errors}");
        let report: Value = serde_json::from_str(&answer).expect("JSON");
        let solved = report["engines"][0]["solved"].as_u64().expect("a number");
        assert!(solved >= least, "{name}: {solved} of 3 as in the set\n{report:#}");
    }
}

/// `kashan solve` takes the sets as they are: a mate is found by its score or by its key.
#[test]
fn alpha_beta_finds_most_mates() {
    let set = file("mates30.epd").display().to_string();
    let arguments = ["solve", &set, "--engine", "kashan:alphabeta", "--limits", "nodes=20000", "--json"];
    let (fine, answer, errors) = kashan(Path::new("."), &arguments);
    assert!(fine, "{errors}");
    let report: Value = serde_json::from_str(&answer).expect("JSON");
    let engine = &report["engines"][0];
    assert_eq!(engine["attempts"].as_array().map(Vec::len), Some(30));
    let solved = engine["solved"].as_u64().expect("a number");
    assert!(solved >= 20, "26 when the set was made, now {solved}");
}

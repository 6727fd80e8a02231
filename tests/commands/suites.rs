//! The sets of positions that we made ourselves: whether they are what their heads say. Positions
//! are looked at with shakmaty, mates are proven with it, and some are shown to Stockfish, if it is
//! installed.

use std::collections::HashSet;
use std::fs;

use super::mates::{Solver, board, read};
use crate::common::programs::{TestFolder, first_of_suite, has_all, have, source};
use kashan::arena::suite::SuitePosition;
use kashan::rules::pgn::epd::EpdLine;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Color, Position as _};

/// The one right move; the reader has seen that it is legal.
fn key(entry: &SuitePosition) -> shakmaty::Move {
    assert_eq!(entry.operations.best.len(), 1, "{}", entry.fen);
    let mv: UciMove = entry.operations.best[0].uci.parse().expect("coordinates");
    mv.to_move(&board(&entry.fen)).expect("legal")
}

/// Checks common to all sets.
fn check(set: &[SuitePosition], name: &str, count: usize) {
    assert_eq!(set.len(), count);
    let (mut boards, mut numbers) = (HashSet::new(), HashSet::new());
    let width = count.to_string().len();
    for (index, entry) in set.iter().enumerate() {
        let id = format!("{name}{count}.{:0width$}", index + 1);
        assert_eq!(entry.name(), id);
        assert!(
            boards.insert(entry.fen.split(' ').next()),
            "twice: {}",
            entry.fen
        );
        let position = board(&entry.fen);
        assert!(
            !position.is_check() && position.legal_moves().len() >= 5,
            "{id}"
        );
        numbers.insert(position.fullmoves());
        key(entry);
    }
    let black = set
        .iter()
        .filter(|entry| board(&entry.fen).turn() == Color::Black)
        .count();
    assert!(
        black.abs_diff(count - black) <= 2,
        "{black} of {count} are Black's"
    );
    assert!(
        numbers.len() >= count / 4,
        "from all parts of games: {numbers:?}"
    );
}

/// The operands of a line of the file that suites do not read.
fn operands(entry: &SuitePosition, opcode: &str) -> String {
    let text = fs::read_to_string(&entry.file).expect("it was read before");
    let line = text
        .lines()
        .nth(entry.line as usize - 1)
        .expect("it has the line");
    EpdLine::read(line)
        .expect("operations")
        .operands(opcode)
        .expect(opcode)
        .to_owned()
}

/// The value that a line gives, in centipawns.
fn value(entry: &SuitePosition) -> i32 {
    operands(entry, "ce").parse().expect("a number")
}

/// The value of the second best move, in centipawns, -3000 for being mated.
fn second(entry: &SuitePosition) -> i32 {
    let text = operands(entry, "c0");
    let words: Vec<&str> = text.split(' ').collect();
    let ["second", mv, value] = words[..] else {
        panic!("{}: c0 \"{text}\"", entry.fen)
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
    let set = read("tactical100.epd");
    check(&set, "tactical", 100);
    for entry in &set {
        let (best, second) = (value(entry), second(entry));
        assert!(
            best >= 0 && second <= 100 && best - second >= 150,
            "{}: {best}, {second}",
            entry.fen
        );
    }
    let captures = set.iter().filter(|entry| key(entry).is_capture()).count();
    assert!(captures < 80, "not only captures: {captures}");
}

#[test]
fn a_hundred_quiet_positions_with_a_quiet_move() {
    let set = read("quiet100.epd");
    check(&set, "quiet", 100);
    for entry in &set {
        let mv = key(entry);
        let after = board(&entry.fen).play(mv).expect("legal");
        assert!(
            !mv.is_capture() && !mv.is_promotion() && !after.is_check(),
            "{}",
            entry.fen
        );
        let (best, second) = (value(entry), second(entry));
        assert!(best.abs() <= 300 && second.abs() <= 300, "{}", entry.fen);
        assert!((40..=150).contains(&(best - second)), "{}", entry.fen);
        assert!(
            board(&entry.fen).board().occupied().count() >= 10,
            "{}",
            entry.fen
        );
    }
}

/// Returns true if a move mates in so many moves, itself included, against every defence: all moves
/// are tried.
fn is_key(position: &Chess, mv: shakmaty::Move, moves: u32) -> bool {
    let after = position.clone().play(mv).expect("legal");
    Solver::new(u64::MAX).is_mated(&after, moves - 1) == Some(true)
}

#[test]
fn thirty_mates_with_one_key() {
    let set = read("mates30.epd");
    check(&set, "mates", 30);
    let mut lengths = [0; 7];
    for entry in &set {
        let moves = entry.operations.mate_in.expect("dm");
        lengths[moves as usize] += 1;
        // One more, and all moves would take minutes.
        if moves > 3 {
            continue;
        }
        let position = board(&entry.fen);
        assert_eq!(
            Solver::new(u64::MAX).mates(&position, moves - 1),
            Some(false),
            "faster: {}",
            entry.fen
        );
        assert!(
            is_key(&position, key(entry), moves),
            "no mate: {}",
            entry.fen
        );
        if moves == 2 {
            let keys = position
                .legal_moves()
                .into_iter()
                .filter(|&mv| is_key(&position, mv, 2));
            assert_eq!(keys.count(), 1, "{}", entry.fen);
        }
    }
    assert_eq!(lengths, [0, 0, 6, 6, 6, 6, 6]);
}

/// The heads say how the sets were made; positions without it are worth less.
#[test]
fn heads_say_how() {
    for (name, kind) in [
        ("tactical100.epd", "tactical"),
        ("quiet100.epd", "quiet"),
        ("mates30.epd", "mates"),
    ] {
        let text = fs::read_to_string(source(&format!("tests/suites/{name}"))).expect("the set");
        let head: Vec<&str> = text
            .lines()
            .take_while(|line| line.starts_with('#'))
            .collect();
        let made = format!("kashan positions make --kind {kind} ");
        has_all(&head.join("\n"), &[&made, "Stockfish", "nodes"]);
    }
}

/// The numbers that solvers get out of sets are right answers to questions that can be answered:
/// Stockfish, without having been told, answers some of them as the sets do. Of quiet moves another
/// version may think otherwise.
#[test]
fn stockfish_agrees() {
    if !have(&["stockfish"]) {
        return;
    }
    for (name, least) in [
        ("tactical100.epd", 3),
        ("quiet100.epd", 2),
        ("mates30.epd", 3),
    ] {
        let place = TestFolder::with(&[(name, &first_of_suite(name, 3))]);
        let line = format!("solve {name} --engine stockfish --limits nodes=200000 --json");
        let report = place.json(&line);
        let solved = report["engines"][0]["solved"].as_u64().expect("a number");
        assert!(
            solved >= least,
            "{name}: {solved} of 3 as in the set\n{report:#}"
        );
    }
}

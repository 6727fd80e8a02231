//! The tables by themselves: their values, their folders, and damage.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use kashan::rules::tablebase::{AmbiguousWdl, Tablebase, Wdl};

use crate::common::programs::{TestFolder, find, have};
use crate::{QUEEN, ROOK, folder, open, position};

/// With how many half-moves each of these wins mates, as it was worked out when the tables were
/// made. A win that comes too late for the fifty-move rule is none.
#[test]
fn wins_are_wins_as_long_as_there_is_time_for_them() {
    let folder = folder(&[QUEEN, ROOK]);
    let tables = open(folder.path());
    assert_eq!(
        tables.to_string(),
        "2 WDL and 2 DTZ tables of up to 3 pieces"
    );
    for (board, plies) in [
        ("8/8/4k3/8/8/2K5/8/5Q2", 11),
        ("8/7Q/8/8/3k4/8/8/K7", 13),
        ("7K/8/8/1k6/8/4Q3/8/8", 15),
        ("4k3/8/8/8/3K4/8/8/R7", 13),
        ("7K/8/8/1k6/8/4R3/8/8", 27),
        ("8/8/8/4k3/8/8/1R6/K7", 31),
    ] {
        let last = 100 - plies;
        // The tables count in moves, so that half a move is uncertain.
        for (clock, expected) in [
            (0, AmbiguousWdl::Win),
            (last - 1, AmbiguousWdl::Win),
            (last, AmbiguousWdl::MaybeWin),
            (last + 1, AmbiguousWdl::CursedWin),
        ] {
            let root = position(&format!("{board} w - - {clock} 80"));
            assert_eq!(
                tables.result(&root.to_shakmaty()),
                Some(expected),
                "{board}, {clock}"
            );
        }
    }
}

/// Stockfish, which has a reader of its own, finds in the made tables that the win takes too long.
#[test]
fn another_reader_takes_the_made_tables() {
    if !have(&["stockfish"]) {
        return;
    }
    let folder = folder(&[ROOK]);
    let score_of = |clock: u32| {
        let commands = format!(
            "setoption name SyzygyPath value {}\nposition fen 8/8/8/4k3/8/8/1R6/K7 w - - {clock} 80\ngo depth 1\n",
            folder.path().display()
        );
        let mut stockfish = Command::new(find("stockfish").expect("it is there"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut input = stockfish.stdin.take().expect("piped");
        input.write_all(commands.as_bytes()).expect("it reads");
        let mut lines = BufReader::new(stockfish.stdout.take().expect("piped"))
            .lines()
            .map_while(Result::ok);
        let last = lines
            .by_ref()
            .take_while(|line| !line.starts_with("bestmove"));
        let last = last
            .filter(|line| line.contains(" score "))
            .last()
            .expect("a score");
        input.write_all(b"quit\n").expect("it reads");
        stockfish.wait().expect("it ends");
        assert!(!last.contains(" tbhits 0 "), "{last}");
        let mut words = last.split(' ').skip_while(|&word| word != "cp").skip(1);
        words
            .next()
            .and_then(|score| score.parse::<i32>().ok())
            .unwrap_or_else(|| panic!("{last}"))
    };
    // It takes 31 half-moves.
    let [in_time, too_late] = [49, 79].map(score_of);
    assert!(in_time > 5_000 && too_late < 1_000, "{in_time} {too_late}");
}

/// Only moves that come nearer to the mate are kept.
#[test]
fn a_win_makes_progress() {
    let folder = folder(&[QUEEN]);
    let tables = open(folder.path());
    for (fen, best) in [
        ("8/8/4k3/8/8/2K5/8/5Q2 w - - 0 80", "Kd4"),
        ("8/7Q/8/8/3k4/8/8/K7 w - - 0 80", "Qf5"),
        (
            "4k3/8/8/8/8/8/1K6/3Q4 w - - 0 80",
            "Qf1 Qf3 Qg4 Qd5 Qh5+ Qd6 Kb3 Kc3",
        ),
    ] {
        let root = position(fen);
        let kept = tables
            .kept_moves(&root, &root.legal_moves())
            .expect("it is known");
        assert_eq!(
            (kept.result, kept.probes),
            (Wdl::Win, root.legal_moves().len() as u64)
        );
        let sans: Vec<String> = kept.moves.iter().map(|&mv| root.san(mv)).collect();
        assert!(
            !sans.is_empty() && sans.iter().all(|san| best.split(' ').any(|one| one == san)),
            "{sans:?}"
        );
    }
}

#[test]
fn without_distances_the_result_is_kept_all_the_same() {
    let folder = folder(&[QUEEN]);
    fs::remove_file(folder.path().join("KQvK.rtbz")).expect("it was there");
    let tables = open(folder.path());
    assert_eq!(
        tables.to_string(),
        "1 WDL and 0 DTZ tables of up to 3 pieces"
    );
    // The bare king in the corner: some queen's moves stalemate it or lose the queen.
    let root = position("k7/8/2K5/8/8/8/8/1Q6 w - - 3 80");
    let kept = tables
        .kept_moves(&root, &root.legal_moves())
        .expect("it is known");
    assert_eq!(kept.result, Wdl::Win);
    for mv in root.legal_moves() {
        let mut after = root.clone();
        after.play(mv).expect("legal");
        let can_take = after
            .legal_moves()
            .iter()
            .any(|reply| after.board().piece_on(reply.get_dest()).is_some());
        let is_stalemate = after
            .outcome()
            .is_some_and(|outcome| outcome.result() == "1/2-1/2");
        assert_eq!(kept.moves.contains(&mv), !can_take && !is_stalemate, "{mv}");
    }
    // How much of the fifty moves the win takes is not known.
    assert_eq!(tables.result(&root.to_shakmaty()), None);
    let begun_anew = position("k7/8/2K5/8/8/8/8/1Q6 w - - 0 80").to_shakmaty();
    assert_eq!(tables.result(&begun_anew), Some(AmbiguousWdl::Win));
}

#[test]
fn what_is_in_no_table_is_not_known() {
    let folder = folder(&[ROOK]);
    let tables = open(folder.path());
    for fen in [
        "8/8/8/8/8/1k6/8/K3Q3 w - - 0 1",
        "8/8/8/8/8/1k6/7P/K3R3 w - - 0 1",
        "6k1/8/8/8/8/8/8/4K2R w K - 0 1",
    ] {
        let root = position(fen);
        assert_eq!(tables.result(&root.to_shakmaty()), None, "{fen}");
        assert!(
            tables.kept_moves(&root, &root.legal_moves()).is_none(),
            "{fen}"
        );
    }
}

/// The error for some folders, as told to the user.
fn error(folders: &str) -> String {
    Tablebase::open(folders).expect_err(folders).to_string()
}

#[test]
fn folders_that_are_no_folders_of_tables_are_named() {
    let good = folder(&[QUEEN]);
    let other = TestFolder::new();
    let [good, other] = [&good, &other].map(|folder| folder.path().display().to_string());
    let text = error("/nowhere/at/all");
    assert!(
        text.starts_with("cannot read the folder of endgame tables /nowhere/at/all: "),
        "{text}"
    );
    fs::write(Path::new(&other).join("notes.rtbw"), "no table by its name").expect("a file");
    assert_eq!(
        error(&other),
        format!("{other} has no endgame tables (files like KQvK.rtbw)")
    );
    let both = std::env::join_paths([&good, &other]).expect("names without a separator");
    assert!(error(both.to_str().expect("text")).starts_with(&other));
    assert!(error("").contains("no folder"));
    let file = format!("{good}/KQvK.rtbw");
    assert!(error(&file).starts_with(&format!(
        "cannot read the folder of endgame tables {file}: "
    )));
}

#[test]
fn damaged_tables_are_named() {
    let folder = folder(&[QUEEN]);
    for name in ["KQvK.rtbw", "KQvK.rtbz"] {
        let path = folder.path().join(name);
        let good = fs::read(&path).expect("a table");
        let is_damaged = |bytes: &[u8]| {
            fs::write(&path, bytes).expect("written");
            let text = error(&folder.path().display().to_string());
            assert!(
                text.starts_with(&format!("endgame table {} is damaged: ", path.display())),
                "{text}"
            );
        };
        is_damaged(&[]);
        is_damaged(&good[..good.len() / 2 + 1]);
        is_damaged(&[&[0; 64], &good[64..]].concat());
        fs::write(&path, good).expect("written");
    }
    open(folder.path());
}

/// A pipe like this would block each reader for ever.
#[cfg(unix)]
#[test]
fn a_pipe_that_is_called_like_a_table_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = folder.path().join("KRvK.rtbw");
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
    let error = Tablebase::open(&folder.path().to_string_lossy())
        .expect_err("refused")
        .to_string();
    assert!(
        error.contains("KRvK.rtbw is damaged: it is no regular file"),
        "{error}"
    );
}

/// Whatever a file holds, nothing panics.
#[test]
fn a_damaged_table_says_nothing_or_something_but_never_panics() {
    let folder = folder(&[QUEEN]);
    let root = position("k7/8/2K5/8/8/8/8/1Q6 w - - 3 80");
    for name in ["KQvK.rtbw", "KQvK.rtbz"] {
        let path = folder.path().join(name);
        let good = fs::read(&path).expect("a table");
        for at in (4..60).chain((60..good.len()).step_by(997)) {
            for value in [0, 1, 0x7f, 0xff] {
                let mut bytes = good.clone();
                bytes[at] = value;
                fs::write(&path, bytes).expect("written");
                let tables = open(folder.path());
                let _ = tables.result(&root.to_shakmaty());
                let _ = tables.kept_moves(&root, &root.legal_moves());
            }
        }
        fs::write(&path, good).expect("written");
    }
}

//! The tables by themselves: their values, their folders, and damage.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use kashan::tablebase::{AmbiguousWdl, Tablebase, Wdl};
use shakmaty::Square;

use crate::common::programs::{find, have};
use crate::common::syzygy::{folder, queen, rook};
use crate::{open, position};

/// A queen mates in ten moves at most, a rook in sixteen, as everybody who worked it out has found.
#[test]
fn the_made_tables_have_the_known_lengths() {
    assert_eq!(queen().longest(), Some(19));
    assert_eq!(rook().longest(), Some(31));
}

fn fen([king, piece, bare]: [u32; 3], letter: char, clock: u32) -> String {
    let mut board = shakmaty::Board::empty();
    for (square, letter) in [(king, 'K'), (piece, letter), (bare, 'k')] {
        let man = shakmaty::Piece::from_char(letter).expect("a man");
        board.set_piece_at(Square::new(square), man);
    }
    format!("{board} w - - {clock} 80")
}

/// The reader finds each value where the maker put it, wherever the men stand; and a win that comes too late
/// for the fifty-move rule is none.
#[test]
fn every_position_is_read_back() {
    let folder = folder(&[queen(), rook()]);
    let tables = open(folder.path());
    assert_eq!(tables.to_string(), "2 WDL and 2 DTZ tables of up to 3 men");
    tables.check().expect("they are whole");
    let mut wins = 0;
    for (endgame, letter) in [(queen(), 'Q'), (rook(), 'R')] {
        for start in 0..150 {
            // Nearly all over the board.
            let squares = [start * 7 % 64, start * 23 % 64, (start * 41 + 13) % 64];
            let [king, piece, bare] = squares;
            if king == piece || king == bare || piece == bare {
                continue;
            }
            let Some(plies) = endgame.won_in(squares.map(Square::new)) else {
                continue;
            };
            wins += 1;
            let result = |clock| tables.result(&position(&fen(squares, letter, clock)).to_shakmaty());
            let (last, late) = (100 - u32::from(plies), 101 - u32::from(plies));
            assert_eq!(result(0), Some(AmbiguousWdl::Win), "{}", fen(squares, letter, 0));
            // The tables count in moves, so that half a move is uncertain.
            assert_eq!(result(last - 1), Some(AmbiguousWdl::Win), "{}", fen(squares, letter, last - 1));
            assert_eq!(result(last), Some(AmbiguousWdl::MaybeWin), "{}", fen(squares, letter, last));
            assert_eq!(result(late), Some(AmbiguousWdl::CursedWin), "{}", fen(squares, letter, late));
        }
    }
    assert!(wins > 100, "only {wins} of these are positions");
}

/// Stockfish, which has a reader of its own, finds in the made tables that the win takes too long.
#[test]
fn another_reader_takes_the_made_tables() {
    if !have(&["stockfish"]) {
        return;
    }
    let folder = folder(&[rook()]);
    let squares = [0, 9, 36];
    let plies = rook().won_in(squares.map(Square::new)).expect("a win");
    let score_of = |clock: u32| {
        let commands = format!(
            "setoption name SyzygyPath value {}\nposition fen {}\ngo depth 1\n",
            folder.path().display(),
            fen(squares, 'R', clock)
        );
        let mut stockfish = Command::new(find("stockfish").expect("it is there"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut input = stockfish.stdin.take().expect("piped");
        input.write_all(commands.as_bytes()).expect("it reads");
        let mut lines = BufReader::new(stockfish.stdout.take().expect("piped")).lines().map_while(Result::ok);
        let last = lines.by_ref().take_while(|line| !line.starts_with("bestmove"));
        let last = last.filter(|line| line.contains(" score ")).last().expect("a score");
        input.write_all(b"quit\n").expect("it reads");
        stockfish.wait().expect("it ends");
        assert!(!last.contains(" tbhits 0 "), "{last}");
        let mut words = last.split(' ').skip_while(|&word| word != "cp").skip(1);
        words.next().and_then(|score| score.parse::<i32>().ok()).unwrap_or_else(|| panic!("{last}"))
    };
    let [in_time, too_late] = [80, 110].map(|limit| score_of(limit - u32::from(plies)));
    assert!(in_time > 5_000 && too_late < 1_000, "{in_time} {too_late}");
}

/// Only the moves that come nearer to the mate are kept.
#[test]
fn a_win_makes_progress() {
    let folder = folder(&[queen()]);
    let tables = open(folder.path());
    for squares in [[18, 5, 44], [0, 55, 27], [9, 3, 60]] {
        let root = position(&fen(squares, 'Q', 0));
        let plies = queen().won_in(squares.map(Square::new)).expect("a win");
        let kept = tables.kept_moves(&root, &root.legal_moves()).expect("it is known");
        assert_eq!((kept.result, kept.probes), (Wdl::Win, root.legal_moves().len() as u64));
        assert!(!kept.moves.is_empty());
        for &mv in &kept.moves {
            let mut after = root.clone();
            after.play(mv).expect("legal");
            // The longest that the bare king can go on, and then it is White's turn again.
            let longest = after.legal_moves().into_iter().map(|reply| {
                let mut next = after.clone();
                next.play(reply).expect("legal");
                let at = |square: chess::Square| Square::new(square.to_index() as u32);
                let queens = (next.board().pieces(chess::Piece::Queen)).to_square();
                let [white, black] = [chess::Color::White, chess::Color::Black]
                    .map(|color| at(next.board().king_square(color)));
                queen().won_in([white, at(queens), black]).expect("still won")
            });
            assert_eq!(longest.max().map_or(plies, |left| left + 2), plies);
        }
    }
}

#[test]
fn without_distances_the_result_is_kept_all_the_same() {
    let folder = folder(&[queen()]);
    fs::remove_file(folder.path().join("KQvK.rtbz")).expect("it was there");
    let tables = open(folder.path());
    assert_eq!(tables.to_string(), "1 WDL and 0 DTZ tables of up to 3 men");
    tables.check().expect("it is whole");
    // The bare king in the corner: some queen's moves stalemate it or lose the queen.
    let root = position("k7/8/2K5/8/8/8/8/1Q6 w - - 3 80");
    let kept = tables.kept_moves(&root, &root.legal_moves()).expect("it is known");
    assert_eq!(kept.result, Wdl::Win);
    for mv in root.legal_moves() {
        let mut after = root.clone();
        after.play(mv).expect("legal");
        let can_take =
            after.legal_moves().iter().any(|reply| after.board().piece_on(reply.get_dest()).is_some());
        let is_stalemate = after.outcome().is_some_and(|outcome| outcome.result() == "1/2-1/2");
        assert_eq!(kept.moves.contains(&mv), !can_take && !is_stalemate, "{mv}");
    }
    // How much of the fifty moves the win takes is not known.
    assert_eq!(tables.result(&root.to_shakmaty()), None);
    assert_eq!(
        tables.result(&position("k7/8/2K5/8/8/8/8/1Q6 w - - 0 80").to_shakmaty()),
        Some(AmbiguousWdl::Win)
    );
}

#[test]
fn what_is_in_no_table_is_not_known() {
    let folder = folder(&[rook()]);
    let tables = open(folder.path());
    for fen in [
        "8/8/8/8/8/1k6/8/K3Q3 w - - 0 1",
        "8/8/8/8/8/1k6/7P/K3R3 w - - 0 1",
        "6k1/8/8/8/8/8/8/4K2R w K - 0 1",
    ] {
        let root = position(fen);
        assert_eq!(tables.result(&root.to_shakmaty()), None, "{fen}");
        assert!(tables.kept_moves(&root, &root.legal_moves()).is_none(), "{fen}");
    }
}

/// What is wrong with the folders, as the user is told.
fn error(folders: &str) -> String {
    let tables = Tablebase::open(folders).and_then(|tables| tables.check().map(|()| tables));
    tables.expect_err(folders).to_string()
}

#[test]
fn folders_that_are_no_folders_of_tables_are_named() {
    let good = folder(&[queen()]);
    let other = tempfile::tempdir().expect("a folder");
    let [good, other] = [&good, &other].map(|folder| folder.path().display().to_string());
    let text = error("/nowhere/at/all");
    assert!(text.starts_with("cannot read the folder of endgame tables /nowhere/at/all: "), "{text}");
    fs::write(Path::new(&other).join("notes.rtbw"), "no table by its name").expect("a file");
    assert_eq!(error(&other), format!("{other} has no endgame tables (files like KQvK.rtbw)"));
    let both = std::env::join_paths([&good, &other]).expect("names without a separator");
    assert!(error(both.to_str().expect("text")).starts_with(&other));
    assert!(error("").contains("no folder"));
    let file = format!("{good}/KQvK.rtbw");
    assert!(error(&file).starts_with(&format!("cannot read the folder of endgame tables {file}: ")));
}

#[test]
fn damaged_tables_are_named() {
    let folder = folder(&[queen()]);
    for (name, is_results) in [("KQvK.rtbw", true), ("KQvK.rtbz", false)] {
        let path = folder.path().join(name);
        let good = fs::read(&path).expect("a table");
        let is_damaged = |bytes: &[u8]| {
            fs::write(&path, bytes).expect("written");
            let text = error(&folder.path().display().to_string());
            assert!(text.starts_with(&format!("endgame table {} is damaged: ", path.display())), "{text}");
        };
        is_damaged(&[]);
        is_damaged(&good[..good.len() / 2 + 1]);
        is_damaged(&[&[0; 64], &good[64..]].concat());
        // The beginning and the size are right.
        is_damaged(&[&good[..80], &vec![0; good.len() - 80][..]].concat());
        is_damaged(&good[..good.len() - 1024 * 30 * (1 + usize::from(is_results))]);
        fs::write(&path, good).expect("written");
    }
    open(folder.path()).check().expect("whole again");
}

/// Whatever a file holds, nothing panics.
/// Whoever opens it would wait for a writer for ever.
#[cfg(unix)]
#[test]
fn a_pipe_that_is_called_like_a_table_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = folder.path().join("KRvK.rtbw");
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
    let error = Tablebase::open(&folder.path().to_string_lossy()).expect_err("refused").to_string();
    assert!(error.contains("KRvK.rtbw is damaged: it is no regular file"), "{error}");
}

#[test]
fn a_damaged_table_says_nothing_or_something_but_never_panics() {
    let folder = folder(&[queen()]);
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
                let _ = tables.check();
                let _ = tables.result(&root.to_shakmaty());
                let _ = tables.kept_moves(&root, &root.legal_moves());
            }
        }
        fs::write(&path, good).expect("written");
    }
}

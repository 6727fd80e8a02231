//! Searches with endgame tables.

use std::sync::Arc;

use kashan::engine::{Settings, backend};
use kashan::rules::position::moves::coordinate;
use kashan::rules::tablebase::Tablebase;
use kashan::search::{Clock, Limits, Score, SearchReport, tables::KnownRoot};

use crate::{QUEEN, ROOK, folder, made, open, position};

const BACKENDS: [&str; 3] = ["genetic", "alphabeta", "minimax"];

fn search(backend: &str, fen: &str, tables: Option<&Arc<Tablebase>>) -> SearchReport {
    let mut settings = Settings::default();
    settings.set("Backend", backend).expect("a backend");
    let limits = Limits {
        depth: Some(4),
        tables: tables.cloned(),
        ..Limits::of_nodes(3_000)
    };
    backend::build(&settings).search(&position(fen), &limits, &Clock::unlimited(), &mut ())
}

/// Four pieces, and tables of three: a capture leads into them.
#[test]
fn every_search_sees_the_win_behind_a_capture() {
    let folder = folder(&[QUEEN, ROOK]);
    let tables = Arc::new(open(folder.path()));
    for backend in BACKENDS {
        for (fen, best) in [
            ("7k/8/8/3n4/8/8/3R4/K7 w - - 9 80", "d2d5"),
            // A pawn promotes by taking, and Black is to move.
            ("8/8/2k5/8/8/8/1p6/N6K b - - 9 80", "b2a1q"),
        ] {
            let without = search(backend, fen, None);
            assert!(
                without.table_hits == 0 && !without.score.counts_plies(),
                "{backend}: {without:?}"
            );
            let found = search(backend, fen, Some(&tables));
            assert_eq!(
                found.best_move().map(coordinate).as_deref(),
                Some(best),
                "{backend}: {found:?}"
            );
            assert_eq!(found.score, Score::table_win_in(1), "{backend}: {found:?}");
            assert!(found.table_hits > 0, "{backend}");
            // What the tables know is not looked into any further.
            assert_eq!(found.variation.len(), 1, "{backend}: {found:?}");
            // And the same limits give the same search.
            let again = search(backend, fen, Some(&tables));
            assert_eq!(
                (again.nodes, again.table_hits),
                (found.nodes, found.table_hits),
                "{backend}"
            );
        }
    }
}

/// Taking mates: the table has the position, too, but would only call it won.
#[test]
fn a_mate_is_more_than_a_table() {
    let folder = folder(&[ROOK]);
    let tables = Arc::new(open(folder.path()));
    for backend in BACKENDS {
        let report = search(backend, "n6k/8/6K1/8/8/8/8/R7 w - - 0 1", Some(&tables));
        assert_eq!(report.score, Score::mate_in(1), "{backend}: {report:?}");
    }
}

/// A table that says that the fifty-move rule saves every bare king.
#[test]
fn a_win_that_comes_too_late_is_hardly_more_than_a_draw() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("KRvK.rtbw"), made("cursed.rtbw")).expect("written");
    let tables = Arc::new(open(folder.path()));
    for backend in BACKENDS {
        // Taking is all that Black can do with its king: the rest is White's.
        let report = search(backend, "8/8/8/8/8/2k5/1r6/K1N5 w - - 0 1", Some(&tables));
        assert!(!report.score.counts_plies(), "{backend}: {report:?}");
        let limits = Limits {
            tables: Some(Arc::clone(&tables)),
            ..Limits::of_nodes(1_000)
        };
        let root = position("8/8/8/8/8/2k5/1r6/K7 b - - 0 1");
        let known = KnownRoot::new(&root, &limits).expect("it is known");
        assert_eq!(
            [Score(700), Score::mate_in(5)].map(|score| known.score(score)),
            [Score(1); 2]
        );
    }
}

/// At the root the tables choose the moves, and their result is what is said.
#[test]
fn the_score_of_a_known_root_is_that_of_the_tables() {
    let folder = folder(&[QUEEN]);
    let limits = Limits {
        tables: Some(Arc::new(open(folder.path()))),
        ..Limits::default()
    };
    let known = |fen: &str| KnownRoot::new(&position(fen), &limits);
    let won = known("8/8/8/8/8/1k6/8/K5Q1 w - - 0 80").expect("it is known");
    let scores = [Score(850), Score::mate_in(7), Score::mated_in(4)].map(|score| won.score(score));
    assert_eq!(
        scores,
        [
            Score::table_win_in(0),
            Score::mate_in(7),
            Score::table_win_in(0)
        ]
    );
    let lost = known("8/8/8/8/8/1k6/8/K5Q1 b - - 0 80").expect("it is known");
    assert_eq!(lost.score(Score(-850)), -Score::table_win_in(0));
    assert_eq!(lost.score(Score::mated_in(8)), Score::mated_in(8));
    // Black takes the queen.
    let root = position("8/8/8/8/8/1k6/1Q6/6K1 b - - 0 80");
    let drawn = KnownRoot::new(&root, &limits).expect("it is known");
    assert_eq!(drawn.score(Score(-850)), Score::DRAW);
    let moves = drawn.limits(&root, &limits).root_moves(&root);
    assert_eq!(
        moves.iter().copied().map(coordinate).collect::<Vec<_>>(),
        ["b3b2"]
    );
    assert!(known("8/8/8/8/8/1k6/8/K5R1 w - - 0 80").is_none());
}

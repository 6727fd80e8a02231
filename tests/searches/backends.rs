//! Min-Max and alpha-beta: they agree where they must, keep to their limits, and always have a
//! move.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use kashan::eval::Winglet;
use kashan::rules::position::Position;
use kashan::search::{
    AlphaBeta, AlphaBetaOptions, Bound, Clock, Limits, MinMaxOptions, MiniMax, Observer, Score,
    SearchReport, Searcher, Thought, clock::TimeSource, time_control::Budget,
};
use kashan::util::options::{OptionGroup as _, OptionKind};

use crate::{position, positions::POSITIONS};

fn min_max() -> MiniMax<Winglet> {
    MiniMax::new(Winglet::default(), MinMaxOptions::default())
}

fn alpha_beta(options: AlphaBetaOptions) -> AlphaBeta<Winglet> {
    AlphaBeta::new(Winglet::default(), options)
}

fn to_depth(searcher: &mut dyn Searcher, root: &Position, depth: u32) -> SearchReport {
    let limits = Limits {
        depth: Some(depth),
        ..Limits::default()
    };
    searcher.search(root, &limits, &Clock::unlimited(), &mut ())
}

/// The knights have been out and back: every position of the shuffle occurred before.
fn repeated() -> Position {
    let mut position =
        position("r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq - 4 4");
    for text in ["c3b1", "f6g8", "b1c3", "g8f6", "c3b1", "f6g8"] {
        position.play(position.parse_move(text).unwrap()).unwrap();
    }
    position
}

#[test]
fn plain_alpha_beta_finds_the_score_of_min_max() {
    for root in POSITIONS.into_iter().map(position).chain([repeated()]) {
        let deepest = if root.board().combined().popcnt() > 24 {
            2
        } else {
            3
        };
        for depth in 1..=deepest {
            let expected = to_depth(&mut min_max(), &root, depth).score;
            let plain = to_depth(&mut alpha_beta(AlphaBetaOptions::plain()), &root, depth);
            assert_eq!(
                plain.score,
                expected,
                "plain, depth {depth}, {}",
                root.to_fen()
            );
        }
    }
}

/// Neither ordering nor the window changes what is found.
#[test]
fn ordering_and_windows_change_no_score() {
    let plain = AlphaBetaOptions::plain();
    let ordered = AlphaBetaOptions {
        killers: true,
        history: true,
        exchange_evaluation: true,
        ..plain.clone()
    };
    let bounded = AlphaBetaOptions {
        aspiration_windows: true,
        mate_distance: true,
        ..ordered.clone()
    };
    let variants = [
        AlphaBetaOptions {
            principal_variation: true,
            ..plain.clone()
        },
        AlphaBetaOptions {
            principal_variation: true,
            ..bounded
        },
        ordered,
    ];
    for root in POSITIONS.into_iter().map(position).chain([repeated()]) {
        let deepest = match root.board().combined().popcnt() {
            0..=10 => 6,
            11..=24 => 4,
            _ => 3,
        };
        for depth in [deepest - 1, deepest] {
            let expected = to_depth(&mut alpha_beta(plain.clone()), &root, depth).score;
            for options in &variants {
                let found = to_depth(&mut alpha_beta(options.clone()), &root, depth).score;
                assert_eq!(
                    found,
                    expected,
                    "depth {depth}, {}, {options:?}",
                    root.to_fen()
                );
            }
        }
    }
}

#[test]
fn the_depth_of_the_option_ends_alpha_beta_unless_another_one_is_asked_for() {
    let root = Position::default();
    let depth = |limits: Limits| {
        let options = AlphaBetaOptions {
            depth: 3,
            ..AlphaBetaOptions::default()
        };
        alpha_beta(options)
            .search(&root, &limits, &Clock::unlimited(), &mut ())
            .depth
    };
    assert_eq!(depth(Limits::default()), 3);
    assert_eq!(
        depth(Limits {
            depth: Some(5),
            ..Limits::default()
        }),
        5
    );
    // An analysis goes on until something else ends it.
    assert!(
        depth(Limits {
            infinite: true,
            nodes: Some(50_000),
            ..Limits::default()
        }) > 3
    );
}

/// Returns true if a search with `options` visits another number of nodes than one with `base`.
fn differ(options: &AlphaBetaOptions, base: &AlphaBetaOptions, fen: &str, depth: u32) -> bool {
    let nodes = |options: &AlphaBetaOptions| {
        let mut searcher = alpha_beta(options.clone());
        to_depth(&mut searcher, &position(fen), depth).nodes
    };
    nodes(options) != nodes(base)
}

/// The paper's opponents are plain alpha-beta and a few switches, so a switch must not wait for
/// another one. Three of them say in their documentation what they cannot do without: iterative
/// reduction and singular extensions ask the table, and the exchange evaluation prunes (its
/// ordering it does alone) only with shallow pruning.
#[test]
fn each_switch_changes_the_search_with_all_the_others_off() {
    const MIDDLEGAME: &str = "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 10";
    const FEW_MOVES: &str = "8/8/1p1k4/5p2/1P3P2/3K4/8/8 w - - 0 1";
    const MATE_IS_NEAR: &str = "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1";
    let plain = AlphaBetaOptions::plain();
    let switches = AlphaBetaOptions::default().specs().into_iter();
    let switches = switches.filter(|option| matches!(option.kind, OptionKind::Check { .. }));
    let names: Vec<&str> = switches.map(|option| option.name).collect();
    assert_eq!(names.len(), 15);
    for name in names {
        let mut base = plain.clone();
        base.transposition_table = matches!(name, "IterativeReduction" | "SingularExtensions");
        let mut switched = base.clone();
        switched.set(name, "true").unwrap();
        let (fen, depth) = match name {
            "MateDistance" => (MATE_IS_NEAR, 5),
            // At depth 5 the iteration before has told the table of all positions that could be
            // reduced.
            "IterativeReduction" => (MIDDLEGAME, 6),
            // No shallower node is asked for a singular move.
            "SingularExtensions" => (FEW_MOVES, 7),
            _ => (MIDDLEGAME, 5),
        };
        assert!(
            differ(&switched, &base, fen, depth),
            "{name} does nothing alone"
        );
    }
    let ordered = AlphaBetaOptions {
        shallow_pruning: true,
        ..plain
    };
    let pruned = AlphaBetaOptions {
        exchange_evaluation: true,
        ..ordered.clone()
    };
    assert!(differ(&pruned, &ordered, MIDDLEGAME, 5));
}

#[test]
fn mates_are_found_at_their_distance() {
    for (fen, moves, depth) in [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 1, 3),
        ("1rr3k1/5ppp/8/8/8/8/2R5/2R3K1 w - - 0 1", 2, 4),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3, 8),
    ] {
        let root = position(fen);
        let report = to_depth(&mut alpha_beta(AlphaBetaOptions::default()), &root, depth);
        assert_eq!(report.score, Score::mate_in(2 * moves - 1), "{fen}");
        assert_eq!(report.variation.len(), 2 * moves - 1, "{fen}");
        if moves < 3 {
            let report = to_depth(&mut min_max(), &root, 2 * moves as u32);
            assert_eq!(report.score, Score::mate_in(2 * moves - 1), "{fen}");
        }
    }
}

/// Black could take the rook, but White threatens mate: passing must not look good for Black.
#[test]
fn a_null_move_does_not_hide_a_mating_threat() {
    let root = position("5rk1/1b3p1p/pp3p2/3n1N2/1P6/P1qB1PP1/3Q3P/4R1K1 w - - 0 1");
    let report = to_depth(&mut alpha_beta(AlphaBetaOptions::default()), &root, 14);
    assert_eq!(report.best_move(), root.parse_move("Qh6").ok());
}

/// After 1. Ra6 every move of Black loses at once, but to pass would not.
#[test]
fn a_null_move_does_not_hide_a_zugzwang() {
    let root = position("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
    let report = to_depth(&mut alpha_beta(AlphaBetaOptions::default()), &root, 12);
    assert_eq!(
        (report.score, report.best_move()),
        (Score::mate_in(3), root.parse_move("Ra6").ok())
    );
}

#[test]
fn draws_by_repetition_and_fifty_moves_are_seen() {
    // A rook up, but the hundredth half-move comes first.
    let root = position("8/5k2/8/8/3R4/8/1K6/8 w - - 98 120");
    // White is lost without the perpetual check.
    let perpetual = position("1r3rk1/5p1p/8/8/7Q/8/qr6/7K w - - 0 1");
    for searcher in [
        &mut min_max() as &mut dyn Searcher,
        &mut alpha_beta(AlphaBetaOptions::plain()),
        &mut alpha_beta(AlphaBetaOptions::default()),
    ] {
        assert_eq!(to_depth(searcher, &root, 3).score, Score::DRAW);
    }
    let report = to_depth(&mut alpha_beta(AlphaBetaOptions::default()), &perpetual, 10);
    assert_eq!(report.score, Score::DRAW);
}

/// Lets a manual clock run by a millisecond with every report.
struct Ticking(Arc<AtomicU64>);

impl Observer for Ticking {
    fn progress(&mut self, _: &Thought) {
        self.0.fetch_add(1_000_000, Ordering::Relaxed);
    }
}

#[test]
fn no_iteration_begins_after_the_soft_deadline() {
    let now = Arc::new(AtomicU64::new(0));
    let budget = Budget {
        soft: Duration::from_millis(3),
        hard: Duration::from_millis(1000),
    };
    let clock = Clock::start(TimeSource::Manual(now.clone()), Some(budget));
    let limits = Limits {
        depth: Some(20),
        ..Limits::default()
    };
    let report = min_max().search(&position(POSITIONS[10]), &limits, &clock, &mut Ticking(now));
    assert_eq!(report.depth, 3);
}

/// Collects what is reported.
#[derive(Default)]
struct Record(Vec<Thought>);

impl Observer for Record {
    fn progress(&mut self, progress: &Thought) {
        self.0.push(progress.clone());
    }
}

#[test]
fn every_finished_iteration_is_reported() {
    let mut record = Record::default();
    let limits = Limits {
        depth: Some(7),
        ..Limits::default()
    };
    let root = position(POSITIONS[5]);
    alpha_beta(AlphaBetaOptions::default()).search(
        &root,
        &limits,
        &Clock::unlimited(),
        &mut record,
    );
    let finished = record.0.iter().filter(|told| told.bound == Bound::Exact);
    assert!(finished.map(|told| told.depth).eq(1..=7), "{:?}", record.0);
    assert!(record.0.iter().all(|told| !told.variation.is_empty()));
    assert!(record.0.is_sorted_by_key(|told| told.nodes));
}

#[test]
fn a_single_reply_costs_no_time() {
    let single = position("6k1/8/8/8/8/8/7P/r6K w - - 1 2");
    let budget = Budget {
        soft: Duration::from_secs(100),
        hard: Duration::from_secs(100),
    };
    let clock = Clock::start(TimeSource::Manual(Arc::default()), Some(budget));
    let report = alpha_beta(AlphaBetaOptions::default()).search(
        &single,
        &Limits::default(),
        &clock,
        &mut (),
    );
    assert_eq!(report.depth, 1);
    // Who asks what one move of several is worth wants to know it.
    let root = position(POSITIONS[1]);
    let budget = Budget {
        soft: Duration::from_secs(5),
        hard: Duration::from_secs(5),
    };
    let clock = Clock::start(TimeSource::Nodes { per_second: 4_000 }, Some(budget));
    let excluded = root.legal_moves().into_iter().skip(1).collect();
    let limits = Limits {
        excluded,
        ..Limits::default()
    };
    let report = alpha_beta(AlphaBetaOptions::default()).search(&root, &limits, &clock, &mut ());
    assert!(
        report.depth > 1 && report.nodes >= 19_000,
        "{} {}",
        report.depth,
        report.nodes
    );
    let chosen = Limits {
        excludes_to_choose: true,
        ..limits
    };
    let report = alpha_beta(AlphaBetaOptions::default()).search(&root, &chosen, &clock, &mut ());
    assert_eq!(report.depth, 1);
}

/// Locked pawns: the search goes very deep, within its stack.
#[test]
fn great_depths_are_survived() {
    let root = position("k7/8/p1p1p1p1/P1P1P1P1/8/8/8/K7 w - - 0 1");
    let limits = Limits {
        infinite: true,
        ..Limits::of_nodes(500_000)
    };
    let report = alpha_beta(AlphaBetaOptions::default()).search(
        &root,
        &limits,
        &Clock::unlimited(),
        &mut (),
    );
    assert!(report.depth > 30, "only {}", report.depth);
    assert!(report.selective_depth < 128);
}

/// The K-th line is the best without the moves of those before it.
#[test]
fn each_line_is_the_best_without_those_before() {
    for fen in [POSITIONS[1], POSITIONS[2], POSITIONS[9], POSITIONS[13]] {
        let root = position(fen);
        for searcher in [
            &mut min_max() as &mut dyn Searcher,
            &mut alpha_beta(AlphaBetaOptions::plain()),
        ] {
            let mut limits = Limits {
                depth: Some(2),
                lines: 4,
                ..Limits::default()
            };
            let mut record = Record::default();
            let report = searcher.search(&root, &limits, &Clock::unlimited(), &mut record);
            // A line that is told again replaces the older.
            let of_depth_2 = record
                .0
                .iter()
                .filter(|told| told.bound == Bound::Exact && told.depth == 2);
            let found: BTreeMap<usize, &Thought> =
                of_depth_2.map(|told| (told.rank, told)).collect();
            assert_eq!(found.len(), 4.min(root.legal_moves().len()), "{fen}");
            assert_eq!(
                (found[&1].score, &found[&1].variation),
                (report.score, &report.variation),
                "{fen}"
            );
            limits.lines = 1;
            for told in found.values() {
                let expected = searcher.search(&root, &limits, &Clock::unlimited(), &mut ());
                assert_eq!(
                    told.score, expected.score,
                    "{fen} without {:?}",
                    limits.excluded
                );
                limits.excluded.push(told.variation[0]);
            }
        }
    }
}

#[test]
fn several_threads_find_what_one_finds_within_their_nodes() {
    let root = position("r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1");
    let limits = Limits {
        threads: 3,
        lines: 2,
        ..Limits::of_nodes(60_000)
    };
    let mut searcher = alpha_beta(AlphaBetaOptions::default());
    let report = searcher.search(&root, &limits, &Clock::unlimited(), &mut ());
    assert_eq!(
        (report.score, report.best_move()),
        (Score::mate_in(3), root.parse_move("Qh6+").ok())
    );
    assert!(report.nodes <= 60_000);
    // One of them alone has 20,000.
    let alone = Limits {
        threads: 3,
        ..Limits::of_nodes(100)
    };
    let mut searcher = alpha_beta(AlphaBetaOptions::default());
    let report = searcher.search(&root, &alone, &Clock::unlimited(), &mut ());
    assert!((34..=100).contains(&report.nodes), "{}", report.nodes);
}

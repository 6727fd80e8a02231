//! Properties of every search of ours: it keeps its limits, always has a legal move, sees a mate at
//! hand, shows as many lines as wanted, and is the same twice.

use std::collections::BTreeMap;
use std::time::Duration;

use chess::Color;
use kashan::engine::backend;
use kashan::engine::settings::Settings;
use kashan::rules::position::Position;
use kashan::search::clock::TimeSource;
use kashan::search::time_control::Budget;
use kashan::search::{Clock, Limits, Observer, Score, SearchReport, Searcher, Thought, Variation};
use kashan::util::system::ProcessorTime;
use shakmaty::Position as _;
use shakmaty::uci::UciMove;

use crate::common::SEARCHES;
use crate::common::positions::POSITIONS;

const RICH: &str = POSITIONS[1];
const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";

fn position(fen: &str) -> Position {
    Position::from_fen(fen).expect(fen)
}

/// Each of the searches, with little memory and no depth of its own, and what it is called.
fn searches() -> impl Iterator<Item = (String, Box<dyn Searcher>)> {
    SEARCHES.into_iter().map(|options| {
        let all = [&[("Hash", "4"), ("ActionDepth", "0")][..], options].concat();
        let settings = Settings::with(all.iter().copied()).expect("there are such options");
        (format!("{options:?}"), backend::build(&settings))
    })
}

fn with(searcher: &mut dyn Searcher, root: &Position, limits: &Limits) -> SearchReport {
    searcher.search(root, limits, &Clock::unlimited(), &mut ())
}

#[test]
fn node_limits_are_exact_and_leave_a_move() {
    let root = position(RICH);
    for (name, mut searcher) in searches() {
        for nodes in [1, 2, 100, 255, 256, 257, 12_345] {
            searcher.new_game();
            let report = searcher.search_nodes(&root, nodes);
            assert_eq!(report.nodes, nodes, "{name}");
            assert!(
                root.is_legal(report.best_move().expect("a move")),
                "{name}: {nodes} nodes"
            );
        }
    }
}

#[test]
fn there_is_a_move_even_without_time() {
    for (name, mut searcher) in searches() {
        for nanoseconds in [0, 1, 50_000, 1_000_000] {
            let time = Duration::from_nanos(nanoseconds);
            for fen in POSITIONS {
                let root = position(fen);
                let clock = Clock::start(
                    TimeSource::Wall,
                    Some(Budget {
                        soft: time,
                        hard: time,
                    }),
                );
                let report = searcher.search(&root, &Limits::default(), &clock, &mut ());
                assert!(
                    root.is_legal(report.best_move().expect("a move")),
                    "{name}: {time:?} in {fen}"
                );
            }
        }
    }
}

#[test]
fn a_mate_at_hand_is_played_unless_it_is_excluded() {
    let root = position(MATE_IN_ONE);
    let mate = root.parse_move("a1a8").expect("legal");
    let limits = Limits::of_nodes(20_000);
    let other = Limits {
        excluded: vec![mate],
        ..limits.clone()
    };
    let none = Limits {
        excluded: root.legal_moves().to_vec(),
        ..limits.clone()
    };
    // The mate comes with the hundredth half-move, which would be a draw.
    let last = position("6k1/5ppp/8/8/8/8/8/R3K3 w - - 99 80");
    for (name, mut searcher) in searches() {
        for root in [&root, &last] {
            let report = with(searcher.as_mut(), root, &limits);
            assert_eq!(
                (report.score, report.best_move()),
                (Score::mate_in(1), Some(mate)),
                "{name}"
            );
        }
        assert_ne!(
            with(searcher.as_mut(), &root, &other).best_move(),
            Some(mate),
            "{name}"
        );
        assert_eq!(
            with(searcher.as_mut(), &root, &none).best_move(),
            None,
            "{name}"
        );
    }
}

#[test]
fn a_finished_game_has_no_move_and_its_score() {
    for (fen, score) in [
        ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", Score::mated_in(0)),
        ("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1", Score::DRAW),
    ] {
        for (name, mut searcher) in searches() {
            let report = searcher.search_nodes(&position(fen), 1_000);
            assert_eq!((report.best_move(), report.score), (None, score), "{name}");
        }
    }
}

#[test]
fn where_every_move_draws_the_score_is_a_draw() {
    // Stalemate, or only kings.
    let root = position("7k/8/5K2/8/8/8/8/8 w - - 0 1");
    for (name, mut searcher) in searches() {
        let report = searcher.search_nodes(&root, 20_000);
        assert!(
            report.score == Score::DRAW && report.best_move().is_some(),
            "{name}: {}",
            report.score
        );
    }
}

/// Much more than passes between two looks at the clock, for slow processors; a search that does
/// not look takes longer still.
#[test]
fn the_deadline_holds() {
    const TIME: Duration = Duration::from_millis(10);
    const LATE: Duration = Duration::from_millis(15);
    for (name, mut searcher) in searches() {
        for (megabytes, lines) in [(1, 1), (64, 1), (4, 4)] {
            searcher.set_memory(megabytes);
            // The first search makes the tables, whose memory the system gives when it is touched.
            searcher.search_nodes(&position(RICH), 40_000);
            for fen in &POSITIONS[..8] {
                let root = position(fen);
                let limits = Limits {
                    lines,
                    ..Limits::default()
                };
                // Processor time: a busy machine may stop the thread at any moment.
                let start = ProcessorTime::of_thread();
                let clock = Clock::start(
                    TimeSource::Wall,
                    Some(Budget {
                        soft: TIME,
                        hard: TIME,
                    }),
                );
                let report = searcher.search(&root, &limits, &clock, &mut ());
                let used = start.elapsed();
                assert!(
                    root.is_legal(report.best_move().expect("a move")),
                    "{name} in {fen}"
                );
                assert!(
                    used < TIME + LATE,
                    "{name}: {used:?} in {fen}, {megabytes} MB, {lines} lines"
                );
            }
        }
    }
}

/// The line of each rank that was told last: how deep it was searched, its score and its moves.
#[derive(Default)]
struct Lines(BTreeMap<usize, (u32, Score, Variation)>);

impl Observer for Lines {
    fn progress(&mut self, thought: &Thought) {
        let variation = thought.variation.iter().copied().collect();
        self.0
            .insert(thought.rank, (thought.depth, thought.score, variation));
    }
}

/// Also if it is broken off in the middle of one.
#[test]
fn as_many_lines_as_moves_are_shown_and_no_move_leads_two() {
    let [two_moves, one_move] = [
        "7k/8/8/8/8/8/8/r6K w - - 0 1",
        "8/8/8/8/8/5k2/r7/7K w - - 0 1",
    ];
    for (name, mut searcher) in searches() {
        for fen in [POSITIONS[0], POSITIONS[9], two_moves, one_move] {
            let root = position(fen);
            for nodes in [1, 98, 1_500, 12_000] {
                searcher.new_game();
                let limits = Limits {
                    lines: 3,
                    infinite: true,
                    ..Limits::of_nodes(nodes)
                };
                let mut told = Lines::default();
                let report = searcher.search(&root, &limits, &Clock::unlimited(), &mut told);
                assert!(
                    root.is_legal(report.best_move().expect("a move")),
                    "{name}: {nodes} in {fen}"
                );
                let lines: Vec<_> = told.0.values().collect();
                let all = 3.min(root.legal_moves().len());
                assert!(
                    nodes < 12_000 || lines.len() == all,
                    "{name}, {fen}: {lines:?}"
                );
                for (index, (depth, score, variation)) in lines.iter().enumerate() {
                    let mut game = root.clone();
                    variation
                        .iter()
                        .for_each(|&mv| game.play(mv).expect("the line is legal"));
                    for before in lines[..index].iter().filter(|before| before.0 == *depth) {
                        // What others played comes first, whatever it is worth.
                        let is_ordered = before.1 >= *score || name.contains("action");
                        assert!(
                            is_ordered && before.2[0] != variation[0],
                            "{name}, {fen}: {lines:?}"
                        );
                    }
                }
            }
        }
    }
}

/// A front end ends with the report, in front of the lines told before. The table of the searches
/// before changes their minds at the first move of an iteration.
#[test]
fn the_report_of_a_search_leads_no_line_behind_the_first() {
    let root = position(RICH);
    for (name, mut searcher) in searches() {
        for nodes in (1_000..20_000).step_by(411) {
            let limits = Limits {
                lines: 3,
                ..Limits::of_nodes(nodes)
            };
            let mut told = Lines::default();
            let report = searcher.search(&root, &limits, &Clock::unlimited(), &mut told);
            let best = report.best_move().expect("a move");
            for (rank, (.., variation)) in told.0.range(2..) {
                let what = format!("{name}, {nodes} nodes: line {rank}");
                assert_ne!(variation.first(), Some(&best), "{what}");
            }
        }
    }
}

/// Whole games by nodes and by a very short clock, with all assertions and overflow checks of the
/// debug build and a tree or table that is full; a second rules library watches.
#[test]
fn games_against_itself_stay_legal() {
    const TIME: Duration = Duration::from_millis(5);
    for (name, mut searcher) in searches() {
        searcher.set_memory(1);
        for fen in [POSITIONS[0], RICH, POSITIONS[3], POSITIONS[5]] {
            searcher.new_game();
            let mut game = position(fen);
            let mut witness = game.to_shakmaty();
            while game.outcome().is_none() && game.fullmove_number() < 60 {
                let clock = Clock::start(
                    TimeSource::Wall,
                    Some(Budget {
                        soft: TIME,
                        hard: TIME,
                    }),
                );
                let report = match game.side_to_move() {
                    Color::White => searcher.search_nodes(&game, 400),
                    Color::Black => searcher.search(&game, &Limits::default(), &clock, &mut ()),
                };
                let mut line = game.clone();
                for &mv in &report.variation {
                    line.play(mv)
                        .unwrap_or_else(|error| panic!("{name}: {error} in {}", line.to_fen()));
                }
                let mv = report.best_move().expect("the game goes on");
                let uci: UciMove = mv.to_string().parse().expect("coordinates");
                let legal = uci.to_move(&witness);
                witness
                    .play_unchecked(legal.unwrap_or_else(|error| panic!("{name}: {mv}: {error}")));
                game.play(mv).expect("legal");
            }
        }
    }
}

/// The first moves of two games, in which both sides are this search, and as many lines are wanted:
/// its moves, values and node counts.
fn two_games(searcher: &mut dyn Searcher, lines: usize) -> Vec<(String, Score, u64)> {
    let mut all = Vec::new();
    for opening in [&["e2e4", "c7c5"][..], &["d2d4", "g8f6", "c2c4"]] {
        searcher.new_game();
        let mut position = Position::default();
        for mv in opening {
            position
                .play(position.parse_move(mv).expect("a move"))
                .expect("legal");
        }
        // What a search keeps for the next move of its game counts, too.
        for _ in 0..8 {
            let report = with(
                searcher,
                &position,
                &Limits {
                    lines,
                    ..Limits::of_nodes(1_500)
                },
            );
            let mv = report.best_move().expect("the game goes on");
            all.push((mv.to_string(), report.score, report.nodes));
            position.play(mv).expect("legal");
        }
    }
    all
}

/// One thread and a limit of nodes: the same, whatever was searched before.
#[test]
fn the_same_two_games_are_searched_twice_with_the_same_node_counts() {
    for ((name, mut searcher), (_, mut other)) in searches().zip(searches()) {
        for lines in [1, 3] {
            let first = two_games(searcher.as_mut(), lines);
            assert_eq!(
                two_games(searcher.as_mut(), lines),
                first,
                "{name}, {lines} lines: again"
            );
            assert_eq!(
                two_games(other.as_mut(), lines),
                first,
                "{name}, {lines} lines: anew"
            );
        }
    }
}

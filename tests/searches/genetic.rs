//! Properties of the genetic search on real positions, with a second rules library as witness.

use std::time::Duration;

use chess::{Board, ChessMove, Color, EMPTY};
use kashan::eval::{Evaluator, Winglet, evaluate_for_mover};
use kashan::rules::position::{Line, Position, legal_moves, moves};
use kashan::search::genetic::Genetic;
use kashan::search::genetic::params::{GeneticOptions, Selection};
use kashan::search::{
    AlphaBeta, AlphaBetaOptions, Clock, Limits, NodeCounter, Score, Searcher, clock::TimeSource,
    quiescence, time_control::Budget,
};
use kashan::util::options::{OptionGroup as _, OptionKind};
use shakmaty::Position as _;

use crate::{position, random_positions};

const MIDDLEGAME: &str = "r1bq1rk1/pp2ppbp/2n2np1/2ppN3/5P2/1P2P3/PBPPB1PP/RN1Q1RK1 b - - 3 8";
/// Castling, en passant, promotions and checks within a few moves.
const RICH: &str = "r3k2r/pP1pqpb1/bn3np1/2pPN3/1p2P3/2N2Q1p/PP1BBPPP/R3K2R w KQkq c6 0 2";

fn genetic(options: GeneticOptions) -> Genetic<Winglet> {
    Genetic::new(Winglet::default(), options)
}

/// A search that ends with the initial population, with quiescence in a window of so many
/// centipawns.
fn initial_population(quiescence_window: i64) -> Genetic<Winglet> {
    let options = GeneticOptions {
        crossover_rate: 0,
        mutation_rate: 0,
        ..GeneticOptions::default()
    };
    genetic(GeneticOptions {
        quiescence_window,
        ..options
    })
}

/// The line of a branch.
fn line_of(root: &Position, genes: &[ChessMove]) -> Line {
    let mut line = Line::new(root);
    genes.iter().for_each(|&gene| line.make(gene));
    line
}

/// The quiescence value, without a window, of a position so many half-moves from the root.
fn at_rest(board: &Board, ply: usize) -> Score {
    let (limits, clock, wide) = (Limits::default(), Clock::unlimited(), Score::INFINITE);
    let mut counter = NodeCounter::new(&limits, &clock);
    quiescence(
        &Winglet::default(),
        &mut counter,
        board,
        ply,
        -wide,
        wide,
        &mut (),
    )
    .unwrap()
}

/// Plays `genes` with shakmaty, panicking with the branch if one is illegal.
fn play_with_witness(root: &Position, genes: &[ChessMove]) -> shakmaty::Chess {
    let mut game = root.to_shakmaty();
    for gene in genes {
        let uci: shakmaty::uci::UciMove = gene.to_string().parse().unwrap();
        let mv = uci
            .to_move(&game)
            .unwrap_or_else(|error| panic!("{genes:?} from {}: {error}", root.to_fen()));
        game.play_unchecked(mv);
    }
    game
}

#[test]
fn every_branch_is_legal_with_every_choice_of_every_option() {
    let mut settings: Vec<Vec<(&str, String)>> = vec![vec![]];
    for spec in GeneticOptions::default().specs() {
        match spec.kind {
            OptionKind::Combo { choices, .. } => {
                settings.extend(
                    choices
                        .iter()
                        .map(|choice| vec![(spec.name, (*choice).to_owned())]),
                );
            }
            OptionKind::Spin { min, .. } => settings.push(vec![(spec.name, min.to_string())]),
            _ => {}
        }
    }
    assert!(settings.len() > 20, "the table of options is being read");
    for (index, setting) in settings.iter().enumerate() {
        let mut options = GeneticOptions::default();
        setting
            .iter()
            .for_each(|(name, value)| options.set(name, value).unwrap());
        let mut search = genetic(options);
        let mut roots = random_positions(index as u64, 2);
        roots.push(position(RICH));
        for root in roots {
            let report = search.search_nodes(&root, 20_000);
            assert!(
                root.is_legal(report.best_move().expect("the game is not over")),
                "{setting:?}"
            );
            let mut checked = 0;
            search.tree().unwrap().visit(|_, genes| {
                // Every prefix of a branch is visited by itself, so its last move is all that is
                // new.
                if checked % 7 == 0 {
                    play_with_witness(&root, genes);
                }
                checked += 1;
            });
            assert!(
                checked > 5,
                "{setting:?}: {checked} nodes in {}",
                root.to_fen()
            );
        }
    }
}

#[test]
fn branches_end_quiet_and_their_values_are_the_evaluation_there() {
    // Without a window all quiescence values are exact.
    let options = GeneticOptions {
        quiescence_window: 0,
        ..GeneticOptions::default()
    };
    let mut search = genetic(options);
    let evaluator = Winglet::default();
    let (mut ends, mut strictly_quiet) = (0, 0);
    for root in random_positions(7, 12) {
        search.search_nodes(&root, 8_000);
        let tree = search.tree().unwrap();
        tree.visit(|node, genes| {
            let Some(own) = tree.own_value(node) else {
                return;
            };
            let line = line_of(&root, genes);
            if line.is_draw() {
                assert_eq!(own, Score::DRAW);
                return;
            }
            let board = line.board();
            let is_over = legal_moves(board).is_empty();
            assert_eq!(own.is_mate(), is_over && *board.checkers() != EMPTY);
            if is_over {
                return;
            }
            assert_eq!(
                own,
                evaluator.evaluate(board),
                "{genes:?} from {}",
                root.to_fen()
            );
            if *board.checkers() != EMPTY {
                return;
            }
            let value = evaluate_for_mover(&evaluator, board);
            assert_eq!(
                at_rest(board, genes.len()),
                value,
                "{genes:?} from {}",
                root.to_fen()
            );
            ends += 1;
            strictly_quiet += usize::from(moves::captures_and_promotions(board).is_empty());
        });
    }
    assert!(
        ends > 3_000 && strictly_quiet > 0,
        "{strictly_quiet} of {ends} ends have no capture at all"
    );
}

/// The paper's section 4.9: a branch that loses the queen is not chosen, because the reply that
/// takes it is in the tree as well.
#[test]
fn no_root_move_is_worth_more_than_a_capture_in_reply_allows() {
    // The initial population alone: later generations may find the quiet move that saves the queen
    // after all.
    let mut search = initial_population(0);
    let mut replies = 0;
    for root in random_positions(11, 25) {
        search.search_nodes(&root, u64::MAX);
        let tree = search.tree().unwrap();
        for child in tree.children(tree.root()) {
            let board = root.board().make_move_new(tree.gene(child));
            if tree.is_terminal(child) {
                continue;
            }
            let value = tree
                .value(child)
                .expect("the initial population is complete");
            for reply in moves::captures_and_promotions(&board) {
                let after = board.make_move_new(reply);
                if *after.checkers() != EMPTY {
                    // Inside quiescence a side in check may stand pat; where quiescence begins it
                    // may not.
                    continue;
                }
                let best = at_rest(&after, 2);
                let ours = if root.side_to_move() == Color::White {
                    value
                } else {
                    -value
                };
                assert!(
                    ours <= best,
                    "{} {reply} in {}: {ours} > {best}",
                    tree.gene(child),
                    root.to_fen()
                );
                replies += 1;
            }
        }
    }
    assert!(replies > 500);
}

/// Quiescence of a branch is searched in a window round the root's value, but the root's value
/// itself is what quiescence without a window says.
#[test]
fn the_root_value_of_the_initial_population_rests_on_no_bound() {
    let mut compared = 0;
    for quiescence_window in [1, 30, 100] {
        let mut search = initial_population(quiescence_window);
        for root in random_positions(13, 60) {
            search.search_nodes(&root, u64::MAX);
            let tree = search.tree().unwrap();
            let branch: Vec<_> = tree.best_branch(tree.root()).skip(1).collect();
            let Some(&[_, reply]) = branch.first_chunk() else {
                continue;
            };
            let line = line_of(&root, &[branch[0], reply].map(|node| tree.gene(node)));
            // Quiescence evades checks where it begins and nowhere else, so lines through a check
            // differ with their beginnings.
            let is_over = line.is_draw() || branch.iter().any(|&node| tree.is_terminal(node));
            if is_over || *line.board().checkers() != EMPTY {
                continue;
            }
            let value = at_rest(line.board(), 2);
            let white = if root.side_to_move() == Color::White {
                value
            } else {
                -value
            };
            assert_eq!(
                tree.value(tree.root()),
                Some(white),
                "window {quiescence_window}, {}",
                root.to_fen()
            );
            compared += 1;
        }
    }
    assert!(compared > 100, "{compared}");
}

/// Middlegames of games that alpha-beta played against itself with few nodes after six random
/// half-moves.
const MIDDLEGAMES: [&str; 20] = [
    "rnb1k1n1/ppp2p1r/3P2p1/8/1b4pq/2N1PP2/P1PK3P/R1BQ1BNR b q - 0 9",
    "r1bqk2r/pppp3p/3b1pp1/6B1/3nP1QP/2N5/PPP2PP1/R3KB1R w KQkq - 0 10",
    "r3k2r/pp2n3/2p2pp1/7p/3pPp2/N2P4/2P1BPPP/4K1NR w Kkq - 0 16",
    "r1bq2k1/ppn4r/2p4p/5p2/3Ppb2/P3P2P/1PPQBPPR/2KR4 w - - 0 18",
    "2kr1b1r/ppp3pp/3qp3/4pp2/P1Q5/3PP3/1PPB1PPP/R4RK1 b - - 1 14",
    "r5kr/pppb2p1/2nbpn1p/3p4/8/1NPBPN2/PP3PPP/R1B2RK1 w - - 6 17",
    "r1b2rk1/ppp2p1p/2n2q2/4p3/3pP3/3P2PN/PPPQ1P1P/2KR1B1R w - - 0 12",
    "r1b2b1r/p1p1nkpp/p3qp2/8/4PBP1/P1N2Q1P/1PP2P2/R3K1NR b KQ - 0 11",
    "3qk2r/1p1bbpp1/3pp3/rP1n3p/1PNB4/2P2Q2/5PPP/1N2R1K1 w k - 0 20",
    "r1bqk2r/1pp2p1p/2n4p/p2p2b1/3Pp3/1N4P1/PPPNPP2/R2QKB1R w KQkq - 1 12",
    "2kr1b1r/pp1qpppp/2n2n2/3p1P2/3P4/3QBP1N/PPP1P1BP/2KR3R b - - 8 15",
    "3qr1k1/2p1bppp/1p1p1n2/2nb4/r7/P1Q1BP2/1P1N1PPP/2KR1B1R w - - 5 17",
    "4rrk1/p1p3p1/p2q1npp/3p4/3P2P1/1PN2P2/P1PQ3P/3R1RK1 w - - 0 19",
    "r2qk2r/p1p2pbp/p3p1pn/3p1b2/3P1B2/1PNP4/P1P1NPPP/R2Q1RK1 w kq - 2 10",
    "r1bqkb1r/1pp1p3/p1n4p/5p2/2QP2p1/2N1PN2/PP3PPP/R1B1K2R w KQkq - 0 12",
    "r1b2b1r/pp1kn1pp/1qnp1p2/2p1p3/4P2B/2QP1N2/PPPN1PPP/R3KB1R b KQ - 4 9",
    "r1b1kb1r/p1pnp1pp/3q4/1P1p4/3P2n1/2PQBN2/1P3PPP/RN2KB1R w KQkq - 1 10",
    "2kr4/pppbq1p1/2n1p2r/3pPp1p/3P4/2P1Q1P1/PPN1P1BP/2KR2R1 b - - 2 15",
    "rn1qk2r/p1ppb1pp/4pn2/Bb3p2/3P4/4PN2/P1P2PPP/R2QKB1R w KQkq - 0 9",
    "r3k2b/ppp1p3/2n1qn2/3p1pp1/3P1P2/2N1P3/PPP1B1P1/R1BQK3 b Qq - 0 14",
];

/// The sum of the losses of all moves by the judgement of alpha-beta, in centipawns.
fn total_loss(nodes: u64) -> i32 {
    let judge = |root: &Position| {
        let mut alphabeta =
            AlphaBeta::with_memory(Winglet::default(), AlphaBetaOptions::default(), 4);
        alphabeta.search_nodes(root, 40_000)
    };
    let loss = |fen: &str| {
        let root = position(fen);
        let value_of = |mv| {
            let mut after = root.clone();
            after.play(mv).unwrap();
            -judge(&after).score.0
        };
        let chosen = genetic(GeneticOptions::default())
            .search_nodes(&root, nodes)
            .best_move();
        let best = judge(&root).best_move();
        (value_of(best.unwrap()) - value_of(chosen.unwrap())).max(0)
    };
    MIDDLEGAMES.iter().map(|fen| loss(fen)).sum()
}

#[test]
fn four_times_the_nodes_lose_less() {
    let (little, much) = (total_loss(20_000), total_loss(80_000));
    assert!(
        much < little,
        "{much} centipawns with 80,000 nodes, {little} with 20,000"
    );
}

/// Selection decides where the nodes go: to the move that will be played, or to all moves alike.
#[test]
fn contested_selection_spends_its_nodes_on_the_best_move() {
    let mean_share = |selection| {
        let options = GeneticOptions {
            selection,
            ..GeneticOptions::default()
        };
        let share = |fen: &&str| {
            let mut search = genetic(options.clone());
            search.search_nodes(&position(fen), 20_000);
            search.tree().unwrap().effort_on_best()
        };
        MIDDLEGAMES.iter().map(share).sum::<f64>() / MIDDLEGAMES.len() as f64
    };
    // There are some 35 moves, so an even share is about 3 %.
    let (contested, fittest) = (
        mean_share(Selection::Contested),
        mean_share(Selection::Fittest),
    );
    assert!(
        contested > 0.4 && fittest < 0.3,
        "{contested:.3} contested, {fittest:.3} by fitness alone"
    );
}

/// A mutation that tries all moves in its place completes nodes; one that tries a single move
/// leaves gaps everywhere.
#[test]
fn all_mutants_at_once_complete_more_nodes() {
    let complete_nodes = |mutants| {
        let mut search = genetic(GeneticOptions {
            mutants,
            ..GeneticOptions::default()
        });
        search.search_nodes(&position(MIDDLEGAME), 60_000);
        let tree = search.tree().unwrap();
        let mut complete = 0;
        tree.visit(|node, genes| {
            complete += usize::from(genes.len() > 1 && tree.is_complete(node))
        });
        complete
    };
    let (one, all) = (complete_nodes(1), complete_nodes(250));
    assert!(
        all > 2 * one,
        "{all} complete nodes with all mutants, {one} with one at a time"
    );
}

#[test]
fn the_seed_matters() {
    let root = position(MIDDLEGAME);
    let run = |seed| {
        let mut search = genetic(GeneticOptions::default());
        search.seed = seed;
        search.new_game();
        search.search_nodes(&root, 30_000);
        search.search_nodes(&root, 30_000);
        search.statistics()
    };
    assert_ne!(run(5), run(6));
}

/// The effort on the move to play is a share of the tree: what stands at and below the root's best
/// child.
#[test]
fn the_history_goes_from_the_initial_population_to_the_end_and_the_effort_is_a_share_of_the_tree() {
    let root = position(MIDDLEGAME);
    let mut search = genetic(GeneticOptions::default());
    let report = search.search_nodes(&root, 200_000);
    let snapshots = &search.history().snapshots;
    let (first, last) = (snapshots.first().unwrap(), snapshots.last().unwrap());
    assert_eq!(
        (first.statistics.generations, first.statistics.births()),
        (0, 0)
    );
    assert!(first.statistics.branches > 0 && first.nodes > 0);
    assert_eq!(
        (last.nodes, last.best, last.value),
        (report.nodes, report.best_move(), report.score)
    );
    assert_eq!(last.statistics, search.statistics());
    for pair in snapshots.windows(2) {
        let [before, after] = [&pair[0], &pair[1]].map(|snapshot| snapshot.statistics);
        assert!(before.generations < after.generations && before.births() <= after.births());
        let step = after.generations - before.generations;
        assert!(step <= 1 + before.generations / 2, "{before:?} {after:?}");
    }
    let (tree, mut of_best) = (search.tree().unwrap(), 0);
    tree.visit(|_, genes| of_best += usize::from(Some(genes[0]) == last.best));
    let share = tree.effort_on_best();
    assert_eq!(share, of_best as f64 / (tree.len() - 1) as f64);
    let of_all: usize = tree
        .children(tree.root())
        .map(|child| tree.size_below(child))
        .sum();
    assert_eq!(
        of_all,
        tree.len() - 1,
        "every node stands at or below one root move"
    );
    assert!(share > 0.0 && share < 1.0, "{share}");
}

/// A complete node has no own value any more (`OwnValue=dropped`, the default).
#[test]
fn no_own_value_where_all_moves_are_in_the_tree() {
    let mut roots = random_positions(23, 6);
    roots.extend([MIDDLEGAME, RICH].map(position));
    let mut search = genetic(GeneticOptions::default());
    let mut complete = 0;
    for root in roots {
        search.search_nodes(&root, 60_000);
        let tree = search.tree().unwrap();
        tree.visit(|node, genes| {
            let children = tree.children(node).count();
            if children > 0 && children == legal_moves(line_of(&root, genes).board()).len() {
                complete += 1;
                assert_eq!(
                    tree.own_value(node),
                    None,
                    "{genes:?} from {}",
                    root.to_fen()
                );
            }
        });
    }
    assert!(complete > 300, "{complete} complete nodes");
}

/// The initial population begins with what is worth most, so that little time suffices to take what
/// hangs.
#[test]
fn a_search_cut_short_in_the_initial_population_takes_the_queen() {
    // Twenty moves of pawns, knight and bishop are generated before those of the rooks.
    let root = position("r4rk1/ppp2ppp/n7/3q4/8/P4N1P/1PP1BPP1/3R1RK1 w - - 0 1");
    for nodes in [20, 100, 700, 3_000] {
        let report = genetic(GeneticOptions::default()).search_nodes(&root, nodes);
        assert_eq!(
            root.san(report.best_move().unwrap()),
            "Rxd5",
            "{nodes} nodes"
        );
    }
}

#[test]
fn a_full_tree_lets_the_least_fit_die_and_the_search_goes_on() {
    let root = position(MIDDLEGAME);
    let mut search = genetic(GeneticOptions::default());
    search.set_memory(1);
    let report = search.search_nodes(&root, 900_000);
    let statistics = search.statistics();
    assert_eq!(report.nodes, 900_000, "went on to its limit");
    assert!(statistics.culls >= 2, "{statistics:?}");
    let tree = search.tree().unwrap();
    assert!(tree.len() <= tree.capacity());
    assert_eq!(tree.capacity(), 1024 * 1024 / 24);
    assert!(root.is_legal(report.best_move().unwrap()));
    tree.visit(|_, genes| {
        if genes.len() > 6 {
            play_with_witness(&root, genes);
        }
    });
}

#[test]
fn a_deadline_in_nodes_stops_within_one_look_also_with_a_full_tree() {
    let hard = Duration::from_secs(1);
    let root = position(MIDDLEGAME);
    for (megabytes, per_second, is_full) in [(64, 20_000, false), (1, 900_000, true)] {
        let clock = Clock::start(
            TimeSource::Nodes { per_second },
            Some(Budget { soft: hard, hard }),
        );
        let mut search = genetic(GeneticOptions::default());
        search.set_memory(megabytes);
        let report = search.search(&root, &Limits::default(), &clock, &mut ());
        assert!(
            (per_second..per_second + 512).contains(&report.nodes),
            "{}",
            report.nodes
        );
        assert_eq!(search.statistics().culls > 0, is_full);
    }
}

/// The rule of a depth limit: the search ends when all moves of all positions above that depth are
/// in the tree.
#[test]
fn a_search_with_a_depth_limit_ends_when_the_tree_to_that_depth_is_complete() {
    for (fen, depth) in [
        ("8/5pk1/4p1p1/4P3/3N1PK1/6P1/1b6/8 b - - 0 50", 3),
        ("8/1p3k2/p4p2/P1P2p1p/1P3P1P/2K5/8/8 w - - 0 40", 4),
        (MIDDLEGAME, 2),
    ] {
        let root = position(fen);
        let limits = Limits {
            depth: Some(depth),
            nodes: Some(2_000_000),
            ..Limits::default()
        };
        let mut search = genetic(GeneticOptions::default());
        let report = search.search(&root, &limits, &Clock::unlimited(), &mut ());
        assert!(report.nodes < 2_000_000, "{fen}: ended by nodes");
        let tree = search.tree().unwrap();
        let mut above = 0;
        tree.visit(|node, genes| {
            if genes.len() < depth as usize && !tree.is_terminal(node) {
                let legal = legal_moves(line_of(&root, genes).board()).len();
                assert_eq!(tree.children(node).count(), legal, "{genes:?} from {fen}");
                above += 1;
            }
        });
        assert!(above >= 10, "{fen}: {above} nodes above depth {depth}");
    }
}

/// A quiescence line may begin with an evasion that the tree knows to be a draw by the fifty-move
/// rule, and go on from there.
#[test]
fn evasions_that_draw_by_the_fifty_move_rule() {
    for clock in 96..100 {
        let root = position(&format!("7k/6pp/8/3q4/8/1r6/5PPP/K2R3Q w - - {clock} 80"));
        let report = genetic(GeneticOptions::default()).search_nodes(&root, 60_000);
        assert!(root.is_legal(report.best_move().unwrap()));
    }
}

#[test]
fn a_mate_ends_the_search_and_a_clock_that_ran_out_leaves_a_move() {
    let root = position("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    let limits = Limits::default();
    let report =
        genetic(GeneticOptions::default()).search(&root, &limits, &Clock::unlimited(), &mut ());
    assert_eq!(
        (report.score, root.san(report.best_move().unwrap())),
        (Score::mate_in(1), "Rd8#".to_owned())
    );
    // And a clock that ran out leaves a move, too.
    let clock = Clock::unlimited();
    clock.stop();
    let report = genetic(GeneticOptions::default()).search(&root, &limits, &clock, &mut ());
    assert!(root.is_legal(report.best_move().unwrap()));
}

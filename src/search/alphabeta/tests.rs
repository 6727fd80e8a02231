use super::ordering::{Hints, Picker};
use super::root::Root;
use super::table::{Entry, TableMemory};
use super::window::Window;
use super::worker::Worker;
use super::*;
use crate::evaluation::{Profile, Winglet, evaluate_for_mover};
use crate::search::{Bound, Score};

/// A search of the position with an empty table, about to begin.
pub(super) fn with_worker<T>(fen: &str, act: impl FnOnce(&mut Worker<'_, Winglet>) -> T) -> T {
    let root = Position::from_fen(fen).unwrap();
    let clock = Clock::unlimited();
    let evaluator = Winglet::new(Profile::Paper);
    let options = AlphaBetaOptions { correction_history: true, ..AlphaBetaOptions::default() };
    let (mut table, mut history) = (TableMemory::new(1), History::new());
    let gate = Gate::new(&Limits::default(), &clock);
    act(&mut Worker::new(&evaluator, &options, table.open(), &mut history, gate, &root))
}

fn static_evaluation(worker: &Worker<'_, Winglet>) -> Score {
    evaluate_for_mover(worker.evaluator, worker.line.board())
}

/// The table's values know nothing of the fifty-move count.
#[test]
fn the_table_does_not_answer_near_the_fifty_move_limit() {
    let claimed = Score(777);
    let answer = |halfmove_clock: u32, depth: i32| {
        let fen = format!("4k3/8/8/8/8/8/4P3/R3K3 w Q - {halfmove_clock} 80");
        with_worker(&fen, |worker| {
            let entry = Entry { mv: None, score: claimed, bound: Bound::Exact, evaluation: None, depth: 9 };
            worker.table.store(worker.line.key(), 0, entry);
            let scout = Window { alpha: Score(-1), beta: Score::DRAW, principal: false };
            worker.node(scout, depth, &mut ()).unwrap()
        })
    };
    for depth in [0, 1] {
        assert_eq!(answer(0, depth), claimed, "depth {depth}");
        assert_ne!(answer(95, depth), claimed, "depth {depth}");
    }
}

#[test]
fn what_workers_need_is_made_before_the_search_and_kept_for_the_next_game() {
    let mut search = AlphaBeta::with_memory(Winglet::default(), AlphaBetaOptions::default(), 1);
    let steps = (1..).find(|_| !search.prepare(20));
    // Of the nineteen others eight are made at once.
    assert_eq!((steps, search.desks.len()), (Some(3), 20));
    search.new_game();
    assert_eq!(search.desks.len(), 20);
}

#[test]
fn the_table_remembers_the_static_evaluation_of_leaves() {
    with_worker("4k3/8/8/3p4/4P3/8/8/R3K3 w Q - 0 1", |worker| {
        let score = worker.node(Window::FULL, 0, &mut ()).unwrap();
        let evaluation = static_evaluation(worker);
        assert!(score > evaluation, "White takes the pawn");
        let known = worker.table.probe(worker.line.key(), 0).unwrap();
        assert_eq!(known.evaluation, Some(evaluation));
    });
}

/// Whatever is hinted at: moves of this position, of another one, and both.
#[test]
fn the_picker_gives_every_legal_move_once_in_the_order_of_stages() {
    for fen in [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 3",
        "4k3/8/8/8/7b/8/3P1P2/R3K2R w KQ - 0 1",
        "4k3/8/8/8/4r3/8/3P1P2/R3K2R w KQ - 0 1",
    ] {
        let board = *Position::from_fen(fen).unwrap().board();
        let legal = crate::position::legal_moves(&board);
        let elsewhere = crate::position::legal_moves(Position::default().board());
        let hinted: Vec<_> = legal.iter().chain(&elsewhere).copied().map(Some).chain([None]).collect();
        for (index, &table_move) in hinted.iter().enumerate() {
            let killers = [1, 5].map(|step| hinted[(index + step) % hinted.len()]);
            let hints = Hints { table_move, killers, before: [None; 2] };
            let mut picker = Picker::new();
            let next = || picker.next(&board, &hints, &History::new(), &AlphaBetaOptions::default());
            let picked: Vec<_> = std::iter::from_fn(next).collect();
            assert!(picked.is_sorted_by_key(|ranked| std::cmp::Reverse(ranked.stage)), "{fen}");
            let mut moves: Vec<_> = picked.iter().map(|ranked| ranked.mv).collect();
            let mut expected = legal.to_vec();
            for list in [&mut moves, &mut expected] {
                list.sort_by_key(ToString::to_string);
            }
            assert_eq!(moves, expected, "{fen} with {table_move:?}");
        }
    }
}

/// Otherwise the side to move at the root would seem to stand better at its next turn, whatever happens.
#[test]
fn the_root_is_evaluated_for_the_turns_to_come() {
    let in_quiet_and_in_check = ["4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "4k3/8/8/8/4r3/8/8/R3K3 w Q - 0 1"];
    for (fen, is_in_check) in in_quiet_and_in_check.into_iter().zip([false, true]) {
        with_worker(fen, |worker| {
            let evaluation = static_evaluation(worker);
            let moves = crate::position::legal_moves(worker.line.board());
            worker.root(&mut Root::new(&moves), Window::FULL, 1).unwrap();
            let expected = (!is_in_check).then_some(evaluation);
            assert_eq!(worker.path[0].evaluation, expected, "{fen}");
        });
    }
}

/// What the evaluation is corrected by is no reason to take a stalemate for anything else than a draw.
#[test]
fn leaves_are_corrected_but_draws_by_rule_are_not() {
    let corrected_by = |fen: &str, centipawns: i32| {
        with_worker(fen, |worker| {
            let mut evaluation = worker.evaluate(false, None);
            evaluation.correction = centipawns;
            worker.quiescence(Window::FULL, evaluation, &mut ()).unwrap()
        })
    };
    let quiet = "4k3/8/8/8/8/8/4P3/R3K3 w Q - 0 1";
    assert_eq!(corrected_by(quiet, 30), corrected_by(quiet, 0) + 30);
    // White takes, so Black's evaluation is the one that counts.
    let capture = "4k3/8/8/3p4/4P3/8/8/R3K3 w Q - 0 1";
    assert_eq!(corrected_by(capture, 30), corrected_by(capture, 0) + 30);
    assert_eq!(corrected_by("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 30), Score::DRAW);
}

/// What a search finds is remembered, and believed where the same men stand.
#[test]
fn searches_teach_what_the_evaluation_does_not_see() {
    with_worker("8/8/8/4k3/8/8/1P6/4K3 w - - 0 1", |worker| {
        let before = worker.evaluate(false, None);
        assert_eq!(before.corrected(), before.raw);
        let score = worker.node(Window::FULL, 6, &mut ()).unwrap();
        let after = worker.evaluate(false, None);
        let [learned, missing] = [after.correction, score.0 - static_evaluation(worker).0];
        assert!(missing != 0 && learned.signum() == missing.signum(), "{learned} of {missing}");
    });
}

/// Listens whether an announced mate is taken back, or becomes a longer one.
#[derive(Default)]
struct Announced {
    fastest: Option<Score>,
    count: usize,
}

impl Observer for Announced {
    fn progress(&mut self, thought: &crate::search::Thought) {
        if thought.rank > 1 || thought.bound != Bound::Exact {
            return;
        }
        if let Some(fastest) = self.fastest {
            let is_kept = if fastest.is_lost() { thought.score <= fastest } else { thought.score >= fastest };
            assert!(is_kept, "{fastest} and then {}", thought.score);
        }
        if thought.score.is_mate() {
            self.fastest = Some(thought.score);
            self.count += 1;
        }
    }
}

/// In these the mate was found by one iteration, and the next one no longer had it.
#[test]
fn an_announced_mate_is_kept() {
    for fen in ["4K3/k7/8/8/7R/8/8/8 b - - 0 1", "8/8/7K/8/8/3R4/8/7k b - - 0 1"] {
        for (megabytes, lines, threads) in [(1, 1, 1), (16, 1, 1), (1, 3, 1), (1, 1, 2)] {
            let evaluator = crate::evaluation::Kashan::default();
            let mut search = AlphaBeta::with_memory(evaluator, AlphaBetaOptions::default(), megabytes);
            let limits =
                Limits { nodes: Some(100_000 * threads as u64), lines, threads, ..Limits::default() };
            let mut heard = Announced::default();
            let root = Position::from_fen(fen).unwrap();
            let report = search.search(&root, &limits, &Clock::unlimited(), &mut heard);
            assert_eq!(heard.fastest, heard.fastest.map(|_| report.score), "{fen}");
            assert!(heard.count > 0 || threads > 1 || lines > 1, "{fen}: no mate was announced");
        }
    }
}

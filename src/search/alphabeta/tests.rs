use super::root::Root;
use super::table::{Entry, Table};
use super::window::Window;
use super::worker::{Step, Worker};
use super::*;
use crate::evaluation::{Profile, Winglet, evaluate_for_mover};

/// A search of the position with an empty table, about to begin.
fn with_worker<T>(fen: &str, act: impl FnOnce(&mut Worker<'_, Winglet>) -> T) -> T {
    let root = Position::from_fen(fen).unwrap();
    let clock = Clock::unlimited();
    act(&mut Worker {
        evaluator: &Winglet::new(Profile::Paper),
        options: &AlphaBetaOptions::default(),
        table: &mut Table::new(1),
        history: &mut History::new(),
        gate: Gate::new(&Limits::default(), &clock),
        line: Line::new(&root),
        path: [Step::default(); MAX_PLY + 1],
    })
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
            let entry = Entry {
                mv: None,
                score: claimed,
                bound: Bound::Exact,
                evaluation: None,
                depth: 9,
            };
            worker.table.store(worker.line.key(), 0, entry);
            let scout = Window::around(Score::DRAW, 1).above_alpha();
            worker.node(scout, depth, &mut ()).unwrap()
        })
    };
    for depth in [0, 1] {
        assert_eq!(answer(0, depth), claimed, "depth {depth}");
        assert_ne!(answer(95, depth), claimed, "depth {depth}");
    }
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

/// Otherwise the side to move at the root would seem to stand better at its next turn, whatever happens.
#[test]
fn the_root_is_evaluated_for_the_turns_to_come() {
    let in_quiet_and_in_check = [
        "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
        "4k3/8/8/8/4r3/8/8/R3K3 w Q - 0 1",
    ];
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

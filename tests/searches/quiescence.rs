//! The quiescence search keeps what it promises to the searches that are built on it.

use chess::{BoardStatus, Color};
use kashan::eval::{Evaluator, Winglet};
use kashan::rules::position::Position;
use kashan::search::{Clock, Limits, NodeCounter, Score, Variation, quiescence};

use crate::{position, random_positions};

fn search(position: &Position, alpha: Score, beta: Score) -> (Score, Variation) {
    let (clock, mut line) = (Clock::unlimited(), Variation::new());
    let mut counter = NodeCounter::new(&Limits::default(), &clock);
    let score = quiescence(
        &Winglet::default(),
        &mut counter,
        position.board(),
        0,
        alpha,
        beta,
        &mut line,
    );
    (score.expect("there is no limit"), line)
}

fn full(fen: &str) -> (Score, Variation) {
    search(&position(fen), -Score::INFINITE, Score::INFINITE)
}

/// The right score of a line, from the side to move at its start.
fn value_at_end(start: &Position, line: &Variation) -> Score {
    let mut position = start.clone();
    line.iter()
        .for_each(|&mv| position.play(mv).expect("the line is legal"));
    let white = match position.board().status() {
        BoardStatus::Checkmate if position.side_to_move() == Color::White => {
            Score::mated_in(line.len())
        }
        BoardStatus::Checkmate => -Score::mated_in(line.len()),
        BoardStatus::Stalemate => Score::DRAW,
        BoardStatus::Ongoing => Winglet::default().evaluate(position.board()),
    };
    if start.side_to_move() == Color::White {
        white
    } else {
        -white
    }
}

#[test]
fn every_result_is_the_static_value_at_the_end_of_its_line() {
    for position in random_positions(17, 400) {
        let (exact, line) = search(&position, -Score::INFINITE, Score::INFINITE);
        assert_eq!(
            exact,
            value_at_end(&position, &line),
            "{}",
            position.to_fen()
        );
        for offset in [-500, -60, -1, 0, 1, 60, 500] {
            let (alpha, beta) = (exact + offset, exact + offset + 1);
            if alpha < -Score::INFINITE || beta > Score::INFINITE {
                continue;
            }
            let (score, line) = search(&position, alpha, beta);
            assert_eq!(
                score,
                value_at_end(&position, &line),
                "{}",
                position.to_fen()
            );
            let is_bound = if score <= alpha {
                exact <= score
            } else {
                exact >= score
            };
            assert!(
                is_bound,
                "{score} above {alpha} is no bound of {exact}: {}",
                position.to_fen()
            );
        }
    }
}

#[test]
fn mate_and_stalemate_are_exact() {
    assert_eq!(
        full("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1").0,
        Score::mated_in(0)
    );
    assert_eq!(full("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1").0, Score::DRAW);
    // Standing pat would be good enough here, but there is no move to stand pat instead of.
    let stalemate = position("k7/P7/K7/8/8/8/8/6B1 b - - 0 1");
    assert_eq!(
        search(&stalemate, Score(-2000), Score(-1900)).0,
        Score::DRAW
    );
    // Rxd8 mates.
    let (score, line) = full("3r2k1/5ppp/8/8/8/8/8/3RK3 w - - 0 1");
    assert_eq!((score, line.len()), (Score::mate_in(1), 1));
}

#[test]
fn captures_en_passant_and_promotes() {
    let (_, line) = full("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
    assert_eq!(line[0].to_string(), "e5d6");
    let (_, line) = full("7k/P7/8/8/8/8/8/K7 w - - 0 1");
    assert_eq!(line[0].to_string(), "a7a8q");
    // A knight mates where a queen would not even give check.
    let (score, line) = full("6nr/5Ppk/6pp/8/8/8/8/K7 w - - 0 1");
    assert_eq!(
        (score, line[0].to_string().as_str()),
        (Score::mate_in(1), "f7f8n")
    );
}

#[test]
fn a_losing_capture_is_left_alone() {
    let (score, line) = full("4k3/2p5/3p4/8/8/8/8/3QK3 w - - 0 1");
    assert!(line.is_empty(), "Qxd6 cxd6 loses the queen");
    assert!(score > Score(500));
}

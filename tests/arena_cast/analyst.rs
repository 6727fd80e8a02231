//! An engine that thinks about single positions: what it says is collected, what it does wrong is
//! named, and the next position is a new chance.

use std::time::{Duration, Instant};

use kashan::arena::Protocol;
use kashan::arena::suite::{Analyst, Fault, Question, ThinkError, Thinking};
use kashan::rules::score::Score;
use kashan::util::jobs::StopSignal;

use crate::common::programs::has_all;
use crate::scenarios::{PATIENCE, Scenario, cast, timeouts};

const BOTH: [Protocol; 2] = [Protocol::Xboard, Protocol::Uci];
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const BLACK: &str = "4k3/pppp4/8/8/8/8/PPPP4/4K3 b - - 0 1";

pub fn all() -> Vec<(String, Scenario)> {
    let mut all: Vec<(String, Scenario)> = Vec::new();
    for protocol in BOTH {
        let mut add = |name: &str, scenario: Scenario| {
            all.push((
                format!("analyst-{name}-{protocol:?}").to_lowercase(),
                scenario,
            ));
        };
        for role in ["good", "garbage"] {
            add(role, Box::new(move || answers(role, protocol)));
        }
        for (role, says) in [
            ("now-illegal", "its move e1e8 is not legal"),
            ("now-nonsense", "its move castles is not a move"),
            ("now-crash", "no more memory"),
            ("now-hang", "no move for 1 s"),
            ("now-talker", "no move for 1 s"),
            ("now-flood", "floods"),
            ("now-half-line", "no move for 1 s"),
        ] {
            add(role, Box::new(move || fails_twice(role, protocol, says)));
        }
        add("dead", Box::new(move || never_starts(protocol)));
        add("stopped", Box::new(move || is_stopped(protocol)));
        add("search-moves", Box::new(move || searches_only(protocol)));
        add(
            "wrong-question",
            Box::new(move || wrong_questions_do_no_harm(protocol)),
        );
    }
    let xboard = Protocol::Xboard;
    for role in ["san", "edit", "no-reuse", "version-1"] {
        all.push((
            format!("analyst-{role}"),
            Box::new(move || answers(role, xboard)),
        ));
    }
    for (role, says) in [
        ("now-resigns", "it moves not, but says \"resign\""),
        ("now-boasts", "it moves not"),
        ("now-false-draw", "Draw by repetition"),
    ] {
        all.push((
            format!("analyst-{role}"),
            Box::new(move || fails_twice(role, xboard, says)),
        ));
    }
    all
}

/// An analyst, or why there is none.
fn start(
    role: &str,
    protocol: Protocol,
    limits: &str,
    stop: &StopSignal,
) -> Result<Analyst, String> {
    let (engine, limits) = (cast(role, protocol), limits.parse().expect("limits"));
    let analyst = Analyst::start_with_timeouts(&engine, limits, timeouts(role), stop);
    analyst.map_err(|error| error.to_string())
}

/// One that nobody stops.
fn analyst(role: &str, protocol: Protocol, limits: &str) -> Analyst {
    start(role, protocol, limits, &StopSignal::default()).expect("it starts")
}

fn think(analyst: &mut Analyst, fen: &str) -> Result<Thinking, ThinkError> {
    analyst.think(&Question::new(fen))
}

/// Every position is a first one, and the same each time; scores are the engine's own.
fn answers(role: &'static str, protocol: Protocol) {
    for limits in ["depth=3", "nodes=1000", "0.3/move", "1/move", "10+0.1"] {
        // Nodes need a feature, which version 1 has not.
        if role == "version-1" && limits.starts_with("nodes") {
            continue;
        }
        let mut analyst = analyst(role, protocol, limits);
        let first = [START, BLACK, START].map(|fen| think(&mut analyst, fen).expect("an answer"));
        assert_eq!(
            (&first[0].best, &first[0].san),
            (&first[2].best, &first[2].san)
        );
        for thinking in &first {
            assert_eq!(thinking.score(), Some(Score(10)), "{thinking:?}");
            assert_eq!(
                (thinking.depth(), thinking.nodes()),
                (Some(5).max(thinking.depth()), Some(1234))
            );
            assert_eq!(thinking.lines[0].pv, std::slice::from_ref(&thinking.best));
            assert!(thinking.lines[0].at <= thinking.time && thinking.time < PATIENCE);
            // UCI's cast says a bound at the end, which is no score.
            let exact = thinking.lines.iter().filter(|line| line.exact).count();
            assert_eq!(exact, 1, "{thinking:?}");
        }
        let mut after = Question::new(START);
        after.moves = ["e4", "e7e5"].map(str::to_owned).to_vec();
        let answer = analyst.think(&after).expect("an answer").best;
        assert!(!["e2e4", "e7e5"].contains(&answer.as_str()), "{answer}");
    }
}

/// The engine gets a new process after each failure, and fails again.
fn fails_twice(role: &'static str, protocol: Protocol, says: &str) {
    // A flood is measured in bytes, and takes its time on a busy machine.
    let limits = if role == "now-flood" {
        "30/move"
    } else {
        "depth=3"
    };
    let mut analyst = analyst(role, protocol, limits);
    for fen in [START, BLACK] {
        let started = Instant::now();
        has_all(
            &think(&mut analyst, fen).expect_err("a failure").to_string(),
            &[says, role, fen],
        );
        assert!(started.elapsed() < PATIENCE, "{:?}", started.elapsed());
    }
}

fn never_starts(protocol: Protocol) {
    let error = start("dead", protocol, "depth=3", &StopSignal::default())
        .err()
        .expect("it is dead");
    has_all(&error, &["dead", "cannot find my book"]);
}

fn is_stopped(protocol: Protocol) {
    let stop = StopSignal::default();
    let mut analyst = start("now-hang", protocol, "60/move", &stop).expect("it starts");
    let started = Instant::now();
    let error = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(300));
            stop.stop();
        });
        think(&mut analyst, START).expect_err("it is stopped")
    });
    assert_eq!(error.fault, Fault::Stopped);
    assert!(started.elapsed() < PATIENCE, "{:?}", started.elapsed());
}

fn searches_only(protocol: Protocol) {
    let mut question = Question::new(START);
    question.search_moves = ["Nc3", "h2h4"].map(str::to_owned).to_vec();
    let answer = analyst("good", protocol, "depth=3").think(&question);
    match protocol {
        Protocol::Uci => {
            assert_eq!(answer.expect("an answer").best, "b1c3");
            // The restriction is not for the next position.
            let mut stubborn = analyst("stubborn", protocol, "depth=3");
            let free = think(&mut stubborn, START).expect("an answer").best;
            assert!(
                !["b1c3", "h2h4"].contains(&free.as_str()),
                "another choice of search moves is needed"
            );
            let error = stubborn
                .think(&question)
                .expect_err("another move")
                .to_string();
            has_all(&error, &["is not one of b1c3 h2h4"]);
            assert_eq!(think(&mut stubborn, START).expect("an answer").best, free);
        }
        Protocol::Xboard => has_all(
            &answer.expect_err("no means").to_string(),
            &["no means to restrict"],
        ),
    }
}

fn wrong_questions_do_no_harm(protocol: Protocol) {
    let mut analyst = analyst("good", protocol, "depth=3");
    for fen in ["nonsense", "7k/5KQ1/8/8/8/8/8/8 b - - 0 1"] {
        let error = think(&mut analyst, fen).expect_err("no question");
        assert!(matches!(error.fault, Fault::Question(_)), "{error}");
    }
    assert!(think(&mut analyst, START).is_ok());
}

//! The engine's side of the Universal Chess Interface, line by line.

mod common;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;
use std::time::{Duration, Instant};

use common::fake::Fake;
use common::rig::{PATIENCE, any};
use common::uci_rig::{UciRig, best_moves};
use kashan::engine::{Settings, backend};
use kashan::front::Flow;
use kashan::position::Position;
use kashan::protocol::uci::{OptionOffer, OptionType, Reply};
use kashan::score::Score;

const QUIET: Duration = Duration::from_millis(150);

fn real() -> UciRig {
    UciRig::with_searchers(backend::standard(), Arc::new(Fake::default()))
}

fn offers(lines: &[String]) -> Vec<OptionOffer> {
    lines
        .iter()
        .filter_map(|line| match line.parse() {
            Ok(Reply::Option(offer)) => Some(offer),
            _ => None,
        })
        .collect()
}

/// Whether some line is an `info string` with `text` in it.
fn informs(lines: &[String], text: &str) -> bool {
    lines
        .iter()
        .any(|line| line.starts_with("info string ") && line.contains(text))
}

#[test]
fn it_introduces_itself() {
    let mut rig = UciRig::new();
    rig.send("uci");
    let lines = rig.lines();
    assert!(lines[0].starts_with("id name Kashan "), "{lines:#?}");
    assert!(lines[1].starts_with("id author "));
    assert_eq!(lines.last().unwrap(), "uciok");
    let names: BTreeSet<String> = offers(&lines).into_iter().map(|offer| offer.name).collect();
    assert_eq!(names.len(), lines.len() - 3, "each line an option, no name twice");
    for name in [
        "Hash",
        "Threads",
        "Ponder",
        "OwnBook",
        "BookFile",
        "Backend",
        "Levels",
        "MinMaxDepth",
    ] {
        assert!(names.contains(name), "{name}");
    }
    // No backend has it.
    assert!(!names.contains("MultiPV"));
}

#[test]
fn every_option_takes_what_it_offers_in_any_writing() {
    let mut rig = UciRig::new();
    rig.send("uci");
    for offer in offers(&rig.lines()) {
        let values = match offer.kind {
            OptionType::Check { .. } => vec!["true".to_owned(), "false".to_owned()],
            OptionType::Spin { default, min, max } => [Some(default), min, max]
                .into_iter()
                .flatten()
                .map(|value| value.to_string())
                .collect(),
            OptionType::Combo { choices, .. } => choices,
            OptionType::Text { default } => vec![default, "<empty>".to_owned()],
            OptionType::Button => panic!("there is none: {}", offer.name),
        };
        // The largest hash is more than this machine has; it is only a number until a search wants it.
        for value in values.into_iter().filter(|_| offer.name != "Hash") {
            for name in [
                &offer.name,
                &offer.name.to_lowercase(),
                &offer.name.to_uppercase(),
            ] {
                rig.send(&format!("setoption name {name} value {value}"));
            }
        }
    }
    assert_eq!(rig.lines(), [""; 0]);
    rig.send("setoption name Move Overhead value 77\nsetoption name  own  book  value TRUE");
    assert_eq!(rig.lines(), [""; 0]);
    let settings = rig.front.engine().settings();
    assert_eq!(
        (settings.engine.move_overhead, settings.engine.own_book),
        (77, true)
    );
}

#[test]
fn what_cannot_be_set_is_named() {
    let mut rig = UciRig::new();
    let before = rig.front.engine().settings().clone();
    for (line, named) in [
        ("setoption name Nonsense value 3", "Nonsense"),
        ("setoption name Threads value 2", "Threads: \"2\""),
        ("setoption name Hash value many", "Hash: \"many\""),
        ("setoption name OwnBook value maybe", "OwnBook: \"maybe\""),
        ("setoption name OwnBook", "OwnBook: \"\""),
        ("setoption name BookFile value no such file", "no such file"),
        ("setoption name Backend value stockfish", "Backend: \"stockfish\""),
    ] {
        rig.send(line);
        let lines = rig.lines();
        assert!(lines.len() == 1 && informs(&lines, named), "{line}: {lines:?}");
    }
    assert_eq!(*rig.front.engine().settings(), before);
}

#[test]
fn lines_that_mean_nothing_are_named_and_harm_nothing() {
    let mut rig = UciRig::new();
    for (line, named) in [
        ("hello", "unknown command: hello"),
        (
            "setoption Hash 3",
            "setoption without the word name: setoption Hash 3",
        ),
        ("position e2e4", "position without startpos or fen: position e2e4"),
        ("debug perhaps", "debug is either on or off: debug perhaps"),
    ] {
        rig.send(line);
        assert_eq!(rig.lines(), [format!("info string {named}")]);
    }
    assert_eq!(rig.send("\n   \nregister later"), Flow::Continue);
    assert_eq!(rig.lines(), ["info string unknown command: register later"]);
    // Words before a command are skipped.
    rig.send("joho isready");
    assert_eq!(rig.lines(), ["readyok"]);
}

#[test]
fn positions_come_with_their_history() {
    let mut rig = UciRig::new();
    let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
    let moves: Vec<&str> = shuffle.into_iter().cycle().take(1000).collect();
    let started = Instant::now();
    rig.best_move(&format!(
        "position startpos moves {}\ngo depth 1",
        moves.join(" ")
    ));
    assert!(
        started.elapsed() < Duration::from_secs(20),
        "{:?}",
        started.elapsed()
    );
    assert_eq!(
        rig.fen(),
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 1000 501"
    );
    assert_eq!(rig.fake.last_search().repetitions, 251);

    let fen = "r3k2r/8/8/8/8/8/P7/R3K2R w KQkq - 3 20";
    rig.send(&format!("position fen {fen} moves e1g1 e8c8 a2a4"));
    assert_eq!(rig.fen(), "2kr3r/8/8/8/P7/8/8/R4RK1 b - - 0 21");
    rig.send("position fen 8/P6k/8/8/8/8/8/K7 w - - 0 1 moves a7a8n");
    assert_eq!(rig.fen(), "N7/7k/8/8/8/8/8/K7 b - - 0 1");
    rig.send("position startpos");
    assert_eq!(rig.fen(), Position::default().to_fen());
    assert_eq!(rig.listen(Duration::ZERO), [""; 0]);
}

#[test]
fn a_position_that_is_none_gives_no_move() {
    for (position, named) in [
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "illegal position"),
        ("position fen nonsense", "nonsense"),
        ("position startpos moves e2e4 e7e5 e4e5", "move 3 of 3"),
        ("position startpos moves e2e4 0000", "0000"),
    ] {
        let mut rig = UciRig::new();
        rig.send(position);
        let lines = rig.lines();
        assert!(
            lines.len() == 1 && informs(&lines, named),
            "{position}: {lines:?}"
        );
        assert_eq!(rig.best_move("go movetime 10"), "(none)");
        assert_ne!(rig.best_move("position startpos\ngo movetime 10"), "(none)");
        rig.send(position);
        assert_ne!(rig.best_move("ucinewgame\ngo movetime 10"), "(none)");
    }
}

#[test]
fn where_the_game_is_over_there_is_no_move_and_the_score_says_why() {
    for (fen, score) in [
        ("7k/6Q1/5K2/8/8/8/8/8 b - - 0 1", "mate 0"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "cp 0"),
    ] {
        let mut rig = UciRig::new();
        rig.send(&format!("position fen {fen}\ngo depth 3"));
        assert_eq!(
            rig.lines(),
            [
                format!("info depth 0 score {score}"),
                "bestmove (none)".to_owned()
            ]
        );
        rig.send("go infinite");
        assert_eq!(best_moves(&rig.listen(QUIET)), [""; 0]);
        rig.send("stop");
        assert_eq!(best_moves(&rig.lines()), ["(none)"]);
    }
}

#[test]
fn limits_reach_the_search() {
    let mut rig = UciRig::new();
    rig.best_move("go depth 4 nodes 500");
    let limits = rig.fake.last_search().limits;
    assert_eq!(
        (limits.depth, limits.nodes, limits.infinite),
        (Some(4), Some(500), false)
    );
    rig.best_move("go depth 0 nodes 0");
    let limits = rig.fake.last_search().limits;
    assert_eq!((limits.depth, limits.nodes), (Some(1), Some(1)));

    assert!(
        rig.best_move("go movetime 10 searchmoves d2d4")
            .starts_with("d2d4")
    );
    assert_eq!(rig.fake.last_search().limits.excluded.len(), 19);
    // What is illegal is named; if nothing is left every move may be played.
    rig.send("go movetime 10 searchmoves e2e5 xyz b1c3 b1c3");
    let lines = rig.wait_for("bestmove ");
    assert!(informs(&lines, "e2e5") && informs(&lines, "xyz"), "{lines:?}");
    assert_eq!(rig.fake.last_search().limits.excluded.len(), 19);
    rig.best_move("go movetime 10 searchmoves e2e5");
    assert!(rig.fake.last_search().limits.excluded.is_empty());
}

#[test]
fn time_is_kept() {
    let mut rig = UciRig::new();
    rig.fake.wait(true);
    // A busy machine adds seconds; a clock that was read wrongly adds more.
    for (line, least, most) in [
        ("go movetime 200", 150, 10_000),
        ("go wtime 9000 btime 1 winc 0 binc 0", 60, 9000),
        ("go wtime 300 btime 60000 movestogo 1", 100, 10_000),
        ("go wtime 0 btime 600000", 0, 10_000),
    ] {
        rig.best_move(line);
        let thought = rig.fake.last_search().thought.as_millis();
        assert!((least..most).contains(&thought), "{line}: {thought} ms");
    }
}

#[test]
fn an_infinite_search_waits_for_stop() {
    for go in ["go infinite", "go infinite depth 1 nodes 5 wtime 10 btime 10"] {
        let mut rig = UciRig::new();
        rig.send(go);
        assert_eq!(best_moves(&rig.listen(QUIET)), [""; 0], "{go}");
        rig.send("isready");
        assert!(rig.lines().contains(&"readyok".to_owned()), "while it thinks");
        assert_ne!(rig.best_move("stop"), "(none)");
        // And nothing comes later.
        rig.send("stop\nponderhit");
        assert_eq!(rig.listen(QUIET), [""; 0]);
    }
}

#[test]
fn pondering_is_answered_when_the_move_was_played_or_on_stop() {
    let mut rig = UciRig::new();
    // The search is over at once, but it is not our turn.
    rig.send("position startpos moves e2e4 e7e5\ngo ponder wtime 1000 btime 1000");
    assert_eq!(best_moves(&rig.listen(QUIET)), [""; 0]);
    rig.best_move("ponderhit");

    // The search is still running, and gets its clock only now.
    rig.fake.wait(true);
    rig.send("go ponder movetime 300");
    assert_eq!(best_moves(&rig.listen(Duration::from_millis(600))), [""; 0]);
    rig.best_move("ponderhit");
    assert!(rig.fake.last_search().thought >= Duration::from_millis(600));

    // Another move was played.
    rig.send("go ponder wtime 1000 btime 1000");
    rig.listen(QUIET);
    rig.best_move("stop");

    // "ponderhit" to a search that does not ponder changes nothing.
    rig.send("go infinite");
    rig.listen(QUIET);
    rig.send("ponderhit");
    assert_eq!(best_moves(&rig.listen(QUIET)), [""; 0]);
    rig.best_move("stop");
}

#[test]
fn whatever_comes_while_it_thinks_each_go_has_one_answer_in_order() {
    let mut rig = UciRig::new();
    rig.fake.wait(true);
    rig.send("position startpos moves d2d4\ngo infinite\nposition startpos moves e2e4\ngo infinite\nisready\nposition startpos\nucinewgame\ngo movetime 50");
    let mut lines = Vec::new();
    while best_moves(&lines).len() < 3 {
        lines.extend(rig.wait_for("bestmove"));
    }
    lines.extend(rig.listen(QUIET));
    assert_eq!(best_moves(&lines).len(), 3, "{lines:#?}");
    assert_eq!(lines.iter().filter(|line| *line == "readyok").count(), 1);
    let searched: Vec<String> = rig
        .fake
        .searches()
        .iter()
        .map(|search| search.fen.clone())
        .collect();
    assert_eq!(searched.len(), 3);
    assert!(
        searched[0].contains("3P4")
            && searched[1].contains("4P3")
            && searched[2] == Position::default().to_fen()
    );
    assert_eq!(rig.fake.new_games.load(SeqCst), 1);
}

#[test]
fn stop_goes_to_the_search_that_was_asked_for_last() {
    let mut rig = UciRig::new();
    rig.fake.wait(true);
    rig.send("go infinite\ngo infinite\nstop");
    let mut lines = rig.wait_for("bestmove");
    while best_moves(&lines).len() < 2 {
        lines.extend(rig.wait_for("bestmove"));
    }
    assert_eq!(best_moves(&lines).len(), 2);
    // Idle again: ready, and a new search is as any.
    rig.send("isready");
    rig.wait_for("readyok");
    rig.best_move("go movetime 30");
}

#[test]
fn thoughts_and_answers_are_in_coordinates() {
    let mut rig = UciRig::new();
    rig.fake.play(&["g1f3"]);
    rig.fake.score(35);
    rig.send("go depth 3");
    let lines = rig.wait_for("bestmove");
    let info = &lines[0];
    assert!(
        info.starts_with("info depth 3 seldepth 5 score cp 35 nodes 1000 nps ") && info.contains(" pv g1f3 "),
        "{info}"
    );
    let answer = best_moves(&lines)[0];
    assert!(answer.starts_with("g1f3 ponder "), "{answer}");
    rig.fake.score(Score::mated_in(4).0);
    rig.send("go depth 3");
    assert!(any(
        &rig.wait_for("bestmove"),
        "info depth 3 seldepth 5 score mate -2 "
    ));
}

#[test]
fn a_search_for_a_mate_ends_when_the_mate_is_found() {
    let mut rig = UciRig::new();
    rig.fake.score(Score::mate_in(5).0);
    rig.send("go mate 2");
    assert_eq!(
        best_moves(&rig.listen(QUIET)),
        [""; 0],
        "a mate in 3 is not what was asked for"
    );
    rig.best_move("stop");
    rig.best_move("go mate 3");
    rig.fake.score(Score::mated_in(2).0);
    rig.send("go mate 3");
    assert_eq!(best_moves(&rig.listen(QUIET)), [""; 0], "nor is being mated");
    rig.best_move("stop");
}

#[test]
fn every_backend_finds_a_mate_in_two() {
    for backend in ["genetic", "alphabeta", "minimax"] {
        let mut rig = real();
        rig.send(&format!("setoption name Backend value {backend}"));
        // A queen is given, and a bishop mates.
        let fen = "r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1";
        rig.send(&format!("position fen {fen}\ngo mate 2"));
        let lines = rig.wait_for("bestmove");
        assert!(
            lines.last().unwrap().starts_with("bestmove d2h6"),
            "{backend}: {lines:#?}"
        );
        // Runners take the score of a move from the last line before it.
        assert!(
            lines[lines.len() - 2].contains(" score mate 2 "),
            "{backend}: {lines:#?}"
        );
    }
}

#[test]
fn the_book_is_for_games() {
    let mut rig = UciRig::new();
    rig.send("setoption name OwnBook value true");
    rig.send("go wtime 1000 btime 1000");
    let lines = rig.lines();
    assert!(informs(&lines, "is a book move"), "{lines:?}");
    assert_eq!(best_moves(&lines).len(), 1);
    let searched = |rig: &UciRig| rig.fake.searches().len();
    assert_eq!(searched(&rig), 0);
    // Pondering on a book position waits all the same.
    rig.send("go ponder wtime 1000 btime 1000");
    assert_eq!(best_moves(&rig.lines()), [""; 0]);
    rig.send("ponderhit");
    assert_eq!(best_moves(&rig.lines()).len(), 1);
    rig.send("go infinite\nstop");
    rig.wait_for("bestmove");
    rig.best_move("go movetime 10 searchmoves a2a3");
    assert_eq!(searched(&rig), 2);
    rig.best_move("setoption name UCI_AnalyseMode value true\ngo movetime 10");
    assert_eq!(searched(&rig), 3);
}

#[test]
fn options_and_new_games_are_done_when_it_is_ready() {
    let mut rig = UciRig::new();
    let built = rig.fake.built.load(SeqCst);
    rig.send("setoption name Hash value 5\nsetoption name Backend value minimax\nucinewgame\nisready");
    assert_eq!(rig.lines(), [""; 0]);
    rig.wait_for("readyok");
    assert!(
        rig.fake.built.load(SeqCst) > built,
        "the searcher is there before a clock runs"
    );
    assert_eq!(rig.front.engine().settings().engine.hash, 5);
}

#[test]
fn options_set_while_it_thinks_hold_from_the_next_search_on() {
    let mut rig = UciRig::new();
    rig.send("go infinite");
    rig.listen(QUIET);
    rig.send("setoption name Hash value 7\nsetoption name Backend value minimax\nisready");
    assert_eq!(rig.lines(), ["readyok"], "and nobody waits for the search");
    rig.best_move("stop");
    rig.best_move("go depth 1");
    assert_eq!(rig.fake.megabytes.load(SeqCst), 7);
}

#[test]
fn a_panic_in_the_search_costs_one_weak_move_and_nothing_else() {
    let mut rig = UciRig::new();
    rig.fake.panics.store(true, SeqCst);
    assert_ne!(rig.best_move("go depth 3 searchmoves d2d4"), "(none)");
    assert!(rig.best_move("go depth 3 searchmoves d2d4").starts_with("d2d4"));
}

#[test]
fn quit_ends_it_in_every_state() {
    for before in [
        "",
        "go infinite",
        "go ponder",
        "go infinite\ngo infinite\nposition startpos",
    ] {
        let mut rig = UciRig::new();
        rig.fake.wait(true);
        rig.send(before);
        assert_eq!(rig.send("quit"), Flow::Quit, "after {before:?}");
    }
}

#[test]
fn debugging_says_more() {
    let mut rig = UciRig::new();
    rig.send("debug on\nsetoption name Hash value 3\ndebug off\nsetoption name Hash value 4");
    assert_eq!(rig.listen(QUIET), ["info string Hash is now 3"]);
}

#[test]
fn the_options_are_those_of_the_table() {
    let mut rig = UciRig::new();
    rig.send("uci");
    let offered: BTreeSet<String> = offers(&rig.lines()).into_iter().map(|offer| offer.name).collect();
    let hidden: Vec<&str> = Settings::table()
        .iter()
        .map(|spec| spec.name)
        .filter(|&name| !offered.contains(name))
        .collect();
    // They would do nothing: UCI knows no resignation and no draw offer.
    assert_eq!(
        hidden,
        [
            "Resign",
            "ResignThreshold",
            "ResignMoves",
            "OfferDraws",
            "DrawThreshold",
            "DrawMoves"
        ]
    );
}

#[test]
fn an_infinite_search_that_found_a_mate_is_quiet_until_stop() {
    let mut rig = real();
    rig.send(
        "setoption name Backend value alphabeta\nposition fen 7k/8/5KQ1/8/8/8/8/8 w - - 0 1\ngo infinite",
    );
    while rig.front.engine().running().is_some() {
        assert!(rig.step(PATIENCE), "the search does not end");
    }
    let lines = rig.lines();
    let thoughts = lines
        .iter()
        .filter(|line| line.starts_with("info depth "))
        .count();
    assert!((1..10).contains(&thoughts), "{lines:#?}");
    assert_eq!(best_moves(&lines), [""; 0]);
    assert_ne!(rig.best_move("stop"), "(none)");
}

//! Real games in the arena, between real engines and our own, and what other programs make of the
//! PGN.
//!
//! Fairy-Max and Stockfish are needed; the other engines and pgn-extract may always be missing.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use crate::common::programs::{
    self, Spoiled, TestFolder, have, is_installed, one_at_a_time, try_again,
};
use kashan::arena::game::Conditions;
use kashan::arena::types::Adjudication;
use kashan::arena::{
    EngineSpec, EngineTable, GamePlan, GameRecord, Opening, Protocol, Reason, Verdict,
    check_engines, pgn,
};
use kashan::util::jobs::StopSignal;
use shakmaty::ByColor;

/// Programs installed by continuous integration.
const REQUIRED: [&str; 3] = ["fairymax", "stockfish", "pgn-extract"];

fn find(program: &str) -> Option<PathBuf> {
    let is_there = if REQUIRED.contains(&program) {
        have(&[program])
    } else {
        is_installed(program)
    };
    is_there.then(|| programs::find(program)).flatten()
}

/// The program, whatever it speaks, with arguments, start-up lines and options.
fn engine(program: &str) -> Option<EngineSpec> {
    let command = find(program)?.display().to_string();
    let mut spec = EngineSpec::new(program, command);
    let strings = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
    let option = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    match program {
        "hoichess" => {
            spec.arguments = strings(&["--xboard"]);
            spec.startup = strings(&["book close"]);
        }
        "phalanx" => spec.arguments = strings(&["-b-", "-l-"]),
        "glaurung" => spec.options = vec![option("Threads", "1"), option("OwnBook", "false")],
        "stockfish" => spec.options = vec![option("Hash", "16"), option("Threads", "1")],
        _ => {}
    }
    Some(spec)
}

/// Our own program, which the test's process is not.
fn ours(backend: &str) -> EngineSpec {
    EngineSpec {
        protocol: Some(Protocol::Xboard),
        options: vec![("Backend".to_owned(), backend.to_owned())],
        ..EngineSpec::new(format!("kashan-{backend}"), env!("CARGO_BIN_EXE_kashan"))
    }
}

fn plan(number: u32, players: [usize; 2], limits: [&str; 2]) -> GamePlan {
    GamePlan {
        number,
        round: number.to_string(),
        pair: number.div_ceil(2),
        engines: ByColor {
            white: players[0],
            black: players[1],
        },
        opening: Opening {
            moves: ["d2d4", "g8f6", "c2c4"].map(str::to_owned).into(),
            ..Opening::default()
        },
        limits: ByColor {
            white: limits[0],
            black: limits[1],
        }
        .map(|limits| limits.parse().expect("limits")),
        // Other tests run beside this one.
        margin: Duration::from_millis(500),
        adjudication: Adjudication {
            max_moves: Some(30),
            ..Adjudication::default()
        },
    }
}

fn written(record: &GameRecord) -> String {
    let (event, site) = ("A test".to_owned(), "Here".to_owned());
    pgn::Writer { event, site }.write(record)
}

/// A game each way. Faults of others and of the machine are tried again.
fn plays(specs: &[EngineSpec], limits: [&str; 2]) {
    let _alone = one_at_a_time();
    try_again(|| {
        let mut table = EngineTable::new(Conditions::new(specs.into(), StopSignal::default()));
        let mut games = String::new();
        let mut lost_on_time = 0;
        for (number, players) in [(1, [0, 1]), (2, [1, 0])] {
            let limits = players.map(|player| limits[player]);
            let record = table.play(&plan(number, players, limits)).expect("a game");
            let result = &record.result;
            let plies = record.moves.len();
            let told = format!(
                "{} - {}: {result:?}, {plies} plies",
                record.white, record.black
            );
            println!("{told}");
            let loser = if result.verdict == Verdict::WhiteWins {
                &record.black
            } else {
                &record.white
            };
            let is_ours = loser.starts_with("kashan-");
            if matches!(
                result.reason,
                Reason::Crash | Reason::Stall | Reason::NoStart
            ) && !is_ours
            {
                return Err(Spoiled::ByOthers(told));
            }
            assert!(!result.reason.is_fault(), "{told}");
            lost_on_time += u32::from(is_ours && result.reason == Reason::TimeForfeit);
            games.push_str(&written(&record));
        }
        two_are_accepted_elsewhere(&games);
        // A machine that stalls may cost one game, an engine that cannot read its clock loses both,
        // each time.
        if lost_on_time < 2 {
            Ok(())
        } else {
            Err(Spoiled::ByTime(games))
        }
    });
}

/// pgn-extract reads both games, and nothing in them makes it complain.
fn two_are_accepted_elsewhere(games: &str) {
    let Some(program) = find("pgn-extract") else {
        return;
    };
    let place = TestFolder::with(&[("games.pgn", games)]);
    let output = Command::new(program)
        .arg("-r")
        .arg(place.file("games.pgn"))
        .output()
        .expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && said.contains("2 games matched out of 2."),
        "{said}\n{games}"
    );
    assert!(
        !said.lines().any(|line| line.starts_with("File ")),
        "{said}\n{games}"
    );
}

#[test]
fn engines_of_others_play_ours() {
    for (program, backend, limits) in [
        ("fairymax", "alphabeta", ["3+0.05", "3+0.05"]),
        ("stockfish", "genetic", ["nodes=2000", "2+0.05"]),
        ("hoichess", "alphabeta", ["40/3", "3+0.05"]),
        ("phalanx", "minimax", ["0.1/move", "depth=3"]),
        ("sjeng", "alphabeta", ["3+0.05", "nodes=20000"]),
    ] {
        if let Some(spec) = engine(program) {
            plays(&[spec, ours(backend)], limits);
        }
    }
}

#[test]
fn stockfish_plays_fairymax_at_a_fixed_time() {
    if let (Some(white), Some(black)) = (engine("stockfish"), engine("fairymax")) {
        plays(&[white, black], ["0.05/move", "0.1/move"]);
    }
}

/// A tenth of a second has no command in the xboard protocol; what we say for it is understood by
/// ours.
#[test]
fn our_backends_play_at_fractions_of_a_second() {
    plays(
        &[ours("genetic"), ours("alphabeta")],
        ["0.1/move", "0.1/move"],
    );
}

#[test]
fn every_engine_says_what_it_speaks() {
    for (protocol, programs) in [
        (
            Protocol::Xboard,
            ["fairymax", "hoichess", "phalanx", "sjeng"].as_slice(),
        ),
        (Protocol::Uci, &["stockfish", "glaurung"]),
    ] {
        for spec in programs.iter().filter_map(|program| engine(program)) {
            let report = check_engines(&[spec], &StopSignal::default()).expect("it speaks");
            println!("{report:?}");
            assert_eq!(report[0].protocol, Some(protocol), "{report:?}");
        }
    }
}

/// Phalanx does not know `sd`. To play on without the limit would be another match than the one
/// that was asked for.
#[test]
fn a_limit_that_an_engine_refuses_is_an_error() {
    if let Some(phalanx) = engine("phalanx") {
        let mut table = EngineTable::new(Conditions::new(
            [phalanx, ours("minimax")].into(),
            StopSignal::default(),
        ));
        let error = table
            .play(&plan(1, [0, 1], ["depth=3", "depth=2"]))
            .expect_err("it knows no depth");
        let text = error.to_string();
        assert!(text.contains("phalanx") && text.contains("sd 3"), "{text}");
    }
}

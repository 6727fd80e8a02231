//! Scenarios: a game, and its right end.

use std::env;
use std::panic::UnwindSafe;
use std::thread;
use std::time::{Duration, Instant};

use kashan::arena::game::Conditions;
use kashan::arena::types::Adjudication;
use kashan::arena::{
    EngineLimits, EngineSpec, EngineTable, GamePlan, GameRecord, Opening, Protocol, Reason,
    Timeouts, Verdict, pgn,
};
use kashan::util::jobs::StopSignal;
use shakmaty::{ByColor, Color};

use crate::common::programs::{TestFolder, has_all};

const BOTH: &[Protocol] = &[Protocol::Xboard, Protocol::Uci];
const XBOARD: &[Protocol] = &[Protocol::Xboard];

/// For what must happen: much longer than it should take on a busy machine, only a failing test
/// waits for it.
pub const PATIENCE: Duration = Duration::from_secs(30);
/// For what does not come, however long one waits.
const SHORT: Duration = Duration::from_secs(1);
/// A clock that no stall of the machine uses up. It costs nothing: the cast moves at once.
const LONG: &str = "300";

/// A game lost by its own fault, by an engine that plays a role: the role and what it speaks; the
/// limits of the role alone, for the good side has all the time in the world; the reason, and what
/// the detail says, among other things.
type Loss = (
    &'static str,
    &'static [Protocol],
    &'static str,
    Reason,
    &'static str,
);

/// With what the engine last said of its trouble.
const HUNG: &str = "has not moved for 1 s; its last error messages: \"the net is down\"";

const LOSSES: &[Loss] = &[
    (
        "illegal",
        BOTH,
        LONG,
        Reason::IllegalMove,
        "moved e1e8, which is not legal in ",
    ),
    (
        "nonsense",
        BOTH,
        LONG,
        Reason::IllegalMove,
        "moved castles, which is not a move",
    ),
    ("crash", BOTH, LONG, Reason::Crash, "no more memory"),
    ("flood", BOTH, LONG, Reason::Flood, "floods"),
    ("endless-line", BOTH, LONG, Reason::Flood, "floods"),
    (
        "no-move",
        BOTH,
        LONG,
        Reason::IllegalMove,
        "moved 0000, which is not a move",
    ),
    (
        "crash-waiting",
        XBOARD,
        LONG,
        Reason::Crash,
        "exit status: 3",
    ),
    (
        "boasts",
        XBOARD,
        LONG,
        Reason::FalseClaim,
        "mates), which is not so in ",
    ),
    (
        "false-draw",
        XBOARD,
        LONG,
        Reason::FalseClaim,
        "claims 1/2-1/2",
    ),
    (
        "disputes",
        XBOARD,
        LONG,
        Reason::FalseClaim,
        "Illegal move: ",
    ),
    ("resigns", XBOARD, LONG, Reason::Resignation, "resigns"),
    (
        "resigns-waiting",
        XBOARD,
        LONG,
        Reason::Resignation,
        "resigns",
    ),
    ("admits", XBOARD, LONG, Reason::Resignation, "resigns"),
    (
        "slow",
        BOTH,
        "0.3/move",
        Reason::TimeForfeit,
        "and did not move",
    ),
    ("slow", BOTH, "0.5", Reason::TimeForfeit, "and did not move"),
    (
        "hang",
        BOTH,
        "1+0.1",
        Reason::TimeForfeit,
        "not move; its last error message",
    ),
    ("talker", BOTH, "1", Reason::TimeForfeit, "and did not move"),
    (
        "talker",
        BOTH,
        "depth=3",
        Reason::Stall,
        "has not moved for 1 s",
    ),
    ("hang", BOTH, "depth=3", Reason::Stall, HUNG),
    ("hang", BOTH, "nodes=1000", Reason::Stall, HUNG),
    (
        "half-line",
        BOTH,
        "1+0.1",
        Reason::TimeForfeit,
        "and did not move",
    ),
];

type Named<F> = (&'static str, F);
pub type Scenario = Box<dyn FnOnce() + UnwindSafe>;

/// Every scenario with its name.
pub fn all() -> Vec<(String, Scenario)> {
    let mut all: Vec<(String, Scenario)> = Vec::new();
    let mut add = |name: String, scenario: Scenario| all.push((name, scenario));
    for loss in LOSSES {
        let &(role, protocols, limits, ..) = loss;
        for &protocol in protocols {
            let name = format!("{role}-{limits}-{protocol:?}").to_lowercase();
            add(name, Box::new(move || is_lost_twice(loss, protocol)));
        }
    }
    for &protocol in BOTH {
        let named = |name: &str| format!("{name}-{protocol:?}").to_lowercase();
        for role in ["dead", "mute"] {
            add(named(role), Box::new(move || never_starts(role, protocol)));
        }
        for role in ["good", "garbage"] {
            add(
                named(role),
                Box::new(move || plays_by_the_rules(role, protocol)),
            );
        }
        let scenarios: [Named<fn(Protocol)>; 7] = [
            ("once", starts_once),
            ("deaf", is_killed),
            ("interrupted", is_interrupted),
            ("own-stall", stall_is_per_engine),
            ("detected", is_detected),
            ("limits", every_limit_is_understood),
            ("overhead", overhead_is_small),
        ];
        for (name, scenario) in scenarios {
            add(named(name), Box::new(move || scenario(protocol)));
        }
    }
    for role in ["san", "edit", "no-reuse", "version-1", "late"] {
        add(
            role.to_owned(),
            Box::new(move || plays_by_the_rules(role, Protocol::Xboard)),
        );
    }
    let scenarios: [Named<fn()>; 7] = [
        ("other-game", plays_another_game),
        ("ends-at-uci", end_of_greeting_is_told),
        ("unready", last_line_before_silence_is_told),
        ("draw-agreed", draw_is_agreed),
        ("draw-refused", draw_is_refused),
        ("draw-claimed", draw_is_claimed),
        ("against-itself", plays_against_itself),
    ];
    for (name, scenario) in scenarios {
        add(name.to_owned(), Box::new(scenario));
    }
    #[cfg(unix)]
    add(
        "behind-a-script".to_owned(),
        Box::new(is_killed_behind_a_script),
    );
    add("no-leaks".to_owned(), Box::new(nothing_is_left_behind));
    all
}

// --- the rig

pub fn cast(role: &str, protocol: Protocol) -> EngineSpec {
    let program = env::current_exe().expect("a test knows itself");
    let protocol_name = format!("{protocol:?}").to_lowercase();
    EngineSpec {
        arguments: ["cast", role, &protocol_name].map(str::to_owned).to_vec(),
        protocol: Some(protocol),
        ..EngineSpec::new(role, program.display().to_string())
    }
}

/// Long where the role will answer, short where it never does; at the end of a game or a process it
/// is only replaced or killed earlier.
pub fn timeouts(role: &str) -> Timeouts {
    let unless = |silent: &[&str]| {
        if silent.contains(&role) {
            SHORT
        } else {
            PATIENCE
        }
    };
    Timeouts {
        detection: PATIENCE,
        greeting: PATIENCE,
        features: unless(&["mute", "version-1"]),
        ready: PATIENCE,
        finish: Duration::from_millis(700),
        settle: Duration::from_millis(100),
        stall: unless(&["hang", "talker", "now-hang", "now-talker", "now-half-line"]),
        quit: Duration::from_millis(300),
    }
}

fn table(specs: &[EngineSpec], timeouts: Timeouts) -> EngineTable {
    let mut table = EngineTable::new(Conditions::new(specs.into(), StopSignal::default()));
    table.conditions.timeouts = timeouts;
    table
}

fn plan(number: u32, [white, black]: [usize; 2], limits: &str) -> GamePlan {
    let limits: EngineLimits = limits.parse().expect("limits");
    GamePlan {
        number,
        round: number.to_string(),
        pair: number.div_ceil(2),
        engines: ByColor { white, black },
        opening: Opening::default(),
        limits: ByColor {
            white: limits,
            black: limits,
        },
        margin: Duration::from_millis(50),
        adjudication: Adjudication {
            max_moves: Some(100),
            ..Adjudication::default()
        },
    }
}

fn play(table: &mut EngineTable, plan: &GamePlan) -> GameRecord {
    let record = table.play(plan).expect("the engines start");
    // Whatever happened, it can be written.
    let text = pgn::Writer::default().write(&record);
    assert!(
        text.lines()
            .all(|line| line.starts_with('[') || line.len() < 80),
        "{text}"
    );
    assert!(
        !record.result.detail.contains("BREACH"),
        "{}",
        record.result.detail
    );
    record
}

/// The same of two new engines with a long clock, the first of them White.
fn play_one(specs: [EngineSpec; 2]) -> GameRecord {
    play(&mut table(&specs, timeouts("good")), &plan(1, [0, 1], LONG))
}

#[track_caller]
fn is_no_forfeit(record: &GameRecord) {
    assert!(!record.result.reason.is_forfeit(), "{:?}", record.result);
}

#[track_caller]
fn ended(record: &GameRecord, verdict: Verdict, reason: Reason) {
    assert_eq!(
        (record.result.verdict, record.result.reason),
        (verdict, reason),
        "{:?}",
        record.result
    );
}

// --- the scenarios

/// The role loses as Black, and again as White: the match goes on, with a new process where the old
/// one is gone.
fn is_lost_twice(&(role, _, limits, reason, says): &Loss, protocol: Protocol) {
    let mut table = table(
        &[cast("good", protocol), cast(role, protocol)],
        timeouts(role),
    );
    for (number, players, verdict) in [
        (1, [0, 1], Verdict::WhiteWins),
        (2, [1, 0], Verdict::BlackWins),
    ] {
        let started = Instant::now();
        let mut plan = plan(number, players, LONG);
        *plan
            .limits
            .get_mut(Color::from_white(plan.engines.white == 1)) = limits.parse().expect("limits");
        let record = play(&mut table, &plan);
        ended(&record, verdict, reason);
        has_all(&record.result.detail, &[says, role]);
        // A flood is measured in bytes, and takes its time on a busy machine.
        assert!(
            started.elapsed() < Duration::from_secs(120),
            "{:?}",
            started.elapsed()
        );
        // Nobody is blamed before it has done anything wrong.
        assert!(role == "slow" || record.moves.len() >= 4, "{record:?}");
    }
}

fn never_starts(role: &'static str, protocol: Protocol) {
    // The short patience is for the role alone: White is started first, and an opponent that speaks
    // UCI has no features to tell.
    let specs = [cast(role, protocol), cast("good", Protocol::Uci)];
    let greeting = if (role, protocol) == ("mute", Protocol::Uci) {
        SHORT
    } else {
        PATIENCE
    };
    let game = table(
        &specs,
        Timeouts {
            greeting,
            ..timeouts(role)
        },
    )
    .play(&plan(1, [0, 1], "0.3"));
    if (role, protocol) == ("mute", Protocol::Xboard) {
        // It is one of the first version, until its clock runs out.
        return ended(
            &game.expect("a game"),
            Verdict::BlackWins,
            Reason::TimeForfeit,
        );
    }
    let says = if role == "dead" {
        "cannot find my book"
    } else {
        "no answer"
    };
    has_all(
        &format!("{:#}", game.expect_err("it does not start")),
        &[says, role],
    );
}

/// An engine that was there before and does not start again loses the game, and the match goes on.
fn starts_once(protocol: Protocol) {
    let place = TestFolder::new();
    let mut once = EngineSpec {
        restart: true,
        ..cast("once", protocol)
    };
    once.arguments
        .push(place.file("started").display().to_string());
    let mut table = table(&[cast("good", protocol), once], timeouts("good"));
    is_no_forfeit(&play(&mut table, &plan(1, [0, 1], LONG)));
    let record = play(&mut table, &plan(2, [1, 0], LONG));
    ended(&record, Verdict::BlackWins, Reason::NoStart);
    assert!(record.result.detail.contains("only once"), "{record:?}");
}

/// Several games that end by rule, with an opening, from a position, with either colour.
fn plays_by_the_rules(role: &'static str, protocol: Protocol) {
    let mut special = cast(role, protocol);
    let options: &[(&str, &str)] = match protocol {
        _ if role == "version-1" => &[],
        Protocol::Xboard => &[("style", "true"), ("LEVEL OF NOISE", "3"), ("Hash", "64")],
        Protocol::Uci => &[("hash", "64"), ("clear hash", "")],
    };
    special.options = options
        .iter()
        .map(|&(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    // What version 1 says of a game when that is over would count in the next one, if it came later
    // than this; and who shares its time for features should have none to tell.
    let timeouts = Timeouts {
        settle: Duration::from_secs(2),
        ..timeouts(role)
    };
    let opponent = if role == "version-1" {
        Protocol::Uci
    } else {
        protocol
    };
    let mut table = table(&[cast("good", opponent), special], timeouts);
    let openings = [
        Opening::default(),
        Opening {
            moves: ["e2e4", "e7e5", "g1f3"].map(str::to_owned).to_vec(),
            ..Opening::default()
        },
        Opening {
            fen: Some("4k3/pppp4/8/8/8/8/PPPP4/4K3 b - - 0 1".to_owned()),
            moves: vec!["e8e7".to_owned()],
            name: Some("Pawns".to_owned()),
        },
    ];
    let games = openings
        .iter()
        .flat_map(|opening| [(opening, [0, 1]), (opening, [1, 0])]);
    for (number, (opening, players)) in (1..).zip(games) {
        let plan = GamePlan {
            opening: opening.clone(),
            ..plan(number, players, "40/60+0.1")
        };
        let record = play(&mut table, &plan);
        is_no_forfeit(&record);
        assert!(record.moves.len() > 10, "{record:?}");
        for mv in &record.moves {
            assert!(
                mv.depth == Some(5) && mv.score.is_some_and(|score| score < 9999),
                "{record:?}"
            );
        }
    }
}

fn is_killed(protocol: Protocol) {
    let mut table = table(
        &[cast("good", protocol), cast("deaf", protocol)],
        timeouts("good"),
    );
    is_no_forfeit(&play(&mut table, &plan(1, [0, 1], LONG)));
    let started = Instant::now();
    drop(table);
    assert!(started.elapsed() < PATIENCE, "{:?}", started.elapsed());
}

/// A shell that starts the engine and waits for it: killing the shell alone would leave an engine
/// behind that never ends.
#[cfg(unix)]
fn is_killed_behind_a_script() {
    let place = TestFolder::new();
    let EngineSpec {
        command,
        arguments,
        protocol,
        ..
    } = cast("deaf", Protocol::Uci);
    place.write_script(
        "engine.sh",
        &format!("#!/bin/sh\n'{command}' {}\nexit 0\n", arguments.join(" ")),
    );
    // By a path that is relative to the engine's own directory.
    let directory = Some(place.path().to_owned());
    let behind = EngineSpec {
        directory,
        protocol,
        ..EngineSpec::new("deaf", "./engine.sh")
    };
    is_no_forfeit(&play_one([cast("good", Protocol::Uci), behind]));
    // The threads that read its pipes end only when nobody holds them any more.
    nobody_is_left();
}

/// The reason why an engine's game with itself is not played.
fn refusal(spec: EngineSpec, timeouts: Timeouts) -> String {
    let mut table = table(&[spec.clone(), spec], timeouts);
    format!(
        "{:#}",
        table.play(&plan(1, [0, 1], LONG)).expect_err("it is wrong")
    )
}

/// Not only that it did not answer: how it ended, too, whatever the other question brings.
fn end_of_greeting_is_told() {
    let detect = |role: &str, detection: Duration| {
        let spec = EngineSpec {
            protocol: None,
            ..cast(role, Protocol::Uci)
        };
        refusal(
            spec,
            Timeouts {
                detection,
                ..timeouts("good")
            },
        )
    };
    let ends = [
        "at \"uci\" it ended (exit status: 3",
        "at \"protover 2\" it does not answer for 1 s; if",
    ];
    has_all(&detect("ends-at-uci", SHORT), &ends);
    let text = detect("dead", PATIENCE);
    assert_eq!(text.matches("cannot find my book").count(), 2, "{text}");
    assert!(!text.contains("old xboard"), "{text}");
}

fn last_line_before_silence_is_told() {
    let short = Timeouts {
        ready: SHORT,
        ..timeouts("good")
    };
    let told = refusal(cast("unready", Protocol::Uci), short);
    let expected = "no answer for 1 s after its options; it last said \"what is isready?\"";
    has_all(&told, &[expected]);
}

/// A time of its own instead of the table's, which is longer than the test.
fn stall_is_per_engine(protocol: Protocol) {
    let specs = [
        cast("good", protocol),
        EngineSpec {
            stall: Some(1),
            ..cast("now-hang", protocol)
        },
    ];
    let mut table = table(
        &specs,
        Timeouts {
            stall: Duration::from_secs(3600),
            ..timeouts("good")
        },
    );
    let record = play(&mut table, &plan(1, [0, 1], "depth=1"));
    ended(&record, Verdict::WhiteWins, Reason::Stall);
    assert!(
        record.result.detail.contains("has not moved for 1 s"),
        "{record:?}"
    );
}

fn plays_another_game() {
    has_all(
        &refusal(cast("other-game", Protocol::Xboard), timeouts("good")),
        &["suicide"],
    );
}

fn is_interrupted(protocol: Protocol) {
    let mut table = table(
        &[cast("good", protocol), cast("hang", protocol)],
        timeouts("good"),
    );
    let stop = table.conditions.stop.clone();
    let started = Instant::now();
    let stopper = thread::spawn(move || {
        thread::sleep(Duration::from_millis(700));
        stop.stop();
    });
    ended(
        &play(&mut table, &plan(1, [0, 1], LONG)),
        Verdict::Unfinished,
        Reason::Interrupted,
    );
    assert!(started.elapsed() < PATIENCE, "{:?}", started.elapsed());
    stopper.join().expect("it only stops");
    // The signal stays.
    ended(
        &play(&mut table, &plan(2, [0, 1], LONG)),
        Verdict::Unfinished,
        Reason::Interrupted,
    );
}

fn is_detected(protocol: Protocol) {
    let unknown = EngineSpec {
        protocol: None,
        ..cast("good", protocol)
    };
    let report =
        kashan::arena::check_engines(&[unknown], &StopSignal::default()).expect("it speaks");
    assert_eq!(report[0].protocol, Some(protocol));
    assert!(
        report[0]
            .own_name
            .as_ref()
            .is_some_and(|name| name.contains("Cast"))
    );
}

fn every_limit_is_understood(protocol: Protocol) {
    let mut table = table(
        &[cast("good", protocol), cast("good", protocol)],
        timeouts("good"),
    );
    // Fractions and all, but long: nobody can lose on time here, unless the clock is wrong.
    let of_clocks =
        ["30.5", "0+30.2", "3/37.5+0.25", "39+1,depth=3,nodes=70"].map(|limits| (limits, true));
    let others =
        ["30/move", "30.2/move", "31.5/move", "depth=4", "nodes=500"].map(|limits| (limits, false));
    for (number, (limits, has_clock)) in (1..).zip(of_clocks.into_iter().chain(others)) {
        let record = play(&mut table, &plan(number, [0, 1], limits));
        is_no_forfeit(&record);
        assert_eq!(
            record.moves.iter().all(|mv| mv.clock.is_some()),
            has_clock,
            "{limits}"
        );
    }
}

/// The cost of a move beside the engines' own time, which is next to nothing here: the time from
/// one turn to the next.
fn overhead_is_small(protocol: Protocol) {
    let mut table = table(
        &[cast("good", protocol), cast("good", protocol)],
        timeouts("good"),
    );
    let mut best = Duration::MAX;
    for number in 1..=5 {
        let plan = plan(number, [0, 1], LONG);
        let started = Instant::now();
        let record = play(&mut table, &plan);
        // The first game starts the processes.
        if number > 1 {
            best = best.min(started.elapsed() / record.moves.len() as u32);
        }
    }
    println!(
        "{protocol:?}: {} microseconds a move with two instant movers",
        best.as_micros()
    );
    // How fast the machine is says nothing; only a wait that nobody needs takes so long.
    assert!(best < Duration::from_millis(100), "{best:?} a move");
}

fn draw_is_agreed() {
    let record = play_one(["offers", "agreeable"].map(|role| cast(role, Protocol::Xboard)));
    ended(&record, Verdict::Draw, Reason::DrawAgreed);
}

/// An offer does not outlive the opponent's move, and UCI engines cannot even hear it.
fn draw_is_refused() {
    for protocol in [Protocol::Xboard, Protocol::Uci] {
        let record = play_one([cast("offers", Protocol::Xboard), cast("good", protocol)]);
        is_no_forfeit(&record);
        assert!(
            record.moves.len() > 10 && record.result.reason != Reason::DrawAgreed,
            "{record:?}"
        );
    }
}

/// Claimed before the move that repeats the position: the laws of chess allow it, and there is no
/// other time at which it could be true.
fn draw_is_claimed() {
    let against =
        |role: &str, protocol| play_one(["shuffle", role].map(|role| cast(role, protocol)));
    let record = against("claim-draw", Protocol::Xboard);
    ended(&record, Verdict::Draw, Reason::ThreefoldRepetition);
    let parts = [
        "claim-draw claims 1/2-1/2",
        "Ng8 makes it the same position for the third time",
    ];
    has_all(&record.result.detail, &parts);
    // Without a claim, or with an offer as xboard wants it before the move, the arena sees it a
    // move later.
    for (role, protocol) in [("shuffle", Protocol::Uci), ("offer-draw", Protocol::Xboard)] {
        let record = against(role, protocol);
        ended(&record, Verdict::Draw, Reason::ThreefoldRepetition);
        assert_eq!(record.result.detail, "the same position for the third time");
        assert!(
            record.moves.len() == 8 && record.moves[7].uci == "f6g8",
            "{record:?}"
        );
    }
    // It offers a draw where a move would repeat the position, and then plays another one.
    assert!(against("plays-on", Protocol::Xboard).moves.len() > 8);
}

fn plays_against_itself() {
    let mut table = table(&[cast("good", Protocol::Xboard)], timeouts("good"));
    for number in 1..=2 {
        is_no_forfeit(&play(&mut table, &plan(number, [0, 0], LONG)));
    }
}

/// The number of games by `KASHAN_CAST_GAMES`, or else the usual one.
pub fn number_of_games(usual: usize) -> usize {
    env::var("KASHAN_CAST_GAMES")
        .ok()
        .and_then(|games| games.parse().ok())
        .unwrap_or(usual)
}

/// Every other game has new processes.
fn nothing_is_left_behind() {
    let games = number_of_games(40);
    let [crash, good] = ["crash", "good"].map(|role| cast(role, Protocol::Uci));
    let restarted = EngineSpec {
        restart: true,
        ..good.clone()
    };
    let mut table = table(
        &[cast("good", Protocol::Xboard), restarted, crash, good],
        timeouts("good"),
    );
    let schedule = [[0, 1], [1, 0], [0, 2], [0, 3]];
    let mut before = None;
    for number in 1..=games {
        play(&mut table, &plan(number as u32, schedule[number % 4], LONG));
        if number == 4 {
            // Each process has three threads here, one for each pipe.
            before = usage(|[threads, _, children]| threads == 1 + 3 * children);
        }
    }
    if let Some((before, kilobytes)) = before
        && let Some((after, more)) = usage(|counts| counts == before)
    {
        println!(
            "after 4 games {before:?} and {kilobytes} kB, after {games} games {after:?} and {more} kB"
        );
        assert_eq!(before, after, "threads, files, children");
        assert!(more < kilobytes + 20_000, "{kilobytes} kB, then {more} kB");
    }
    drop(table);
    nobody_is_left();
}

fn nobody_is_left() {
    let is_alone = |[threads, _, children]: [usize; 3]| (threads, children) == (1, 0);
    if let Some((counts, _)) = usage(is_alone) {
        assert!(is_alone(counts), "threads, files, children: {counts:?}");
    }
}

/// A number that the system says of a process, where it does.
pub fn status(process: &str, key: &str) -> Option<usize> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with(key))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// Counts of this process's threads, open files and children, and its kilobytes, where the system
/// says so: once they are as expected, for threads need a moment to end; if that never happens, in
/// the end.
fn usage(is_expected: impl Fn([usize; 3]) -> bool) -> Option<([usize; 3], usize)> {
    let list = format!("/proc/self/task/{}/children", std::process::id());
    let deadline = Instant::now() + PATIENCE;
    loop {
        let children = std::fs::read_to_string(&list)
            .ok()?
            .split_whitespace()
            .count();
        let files = std::fs::read_dir("/proc/self/fd").ok()?.count();
        let counts = [status("self", "Threads:")?, files, children];
        if is_expected(counts) || Instant::now() > deadline {
            return Some((counts, status("self", "VmRSS:")?));
        }
        thread::sleep(Duration::from_millis(10));
    }
}

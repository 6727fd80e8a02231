//! What is played, and how it has to end.

use std::env;
use std::panic::UnwindSafe;
use std::thread;
use std::time::{Duration, Instant};

use kashan::arena::types::Adjudication;
use kashan::arena::{
    EngineSpec, EngineTable, GamePlan, GamePlayer, GameRecord, Limits, Opening, Protocol, Reason, Timeouts,
    Verdict, pgn,
};
use kashan::jobs::StopSignal;

const BOTH: &[Protocol] = &[Protocol::Xboard, Protocol::Uci];
const XBOARD: &[Protocol] = &[Protocol::Xboard];

/// For what must happen: much longer than it should take on a busy machine, only a failing test waits for it.
pub const PATIENCE: Duration = Duration::from_secs(30);
/// For what does not come, however long one waits.
const SHORT: Duration = Duration::from_secs(1);
/// A clock that no stall of the machine uses up. It costs nothing: the cast moves at once.
const LONG: &str = "300";

/// A game lost by its own fault, by an engine that plays a role.
struct Loss {
    role: &'static str,
    protocols: &'static [Protocol],
    /// Of the role alone: the good side has all the time in the world.
    limits: &'static str,
    reason: Reason,
    /// What the detail says, among other things.
    says: &'static str,
}

const fn loss(
    role: &'static str,
    protocols: &'static [Protocol],
    reason: Reason,
    says: &'static str,
) -> Loss {
    Loss { role, protocols, limits: LONG, reason, says }
}

const LOSSES: &[Loss] = &[
    loss("illegal", BOTH, Reason::IllegalMove, "moved e1e8, which is not legal in "),
    loss("nonsense", BOTH, Reason::IllegalMove, "moved castles, which is not a move"),
    loss("crash", BOTH, Reason::Crash, "no more memory"),
    loss("flood", BOTH, Reason::Flood, "floods"),
    loss("endless-line", BOTH, Reason::Flood, "floods"),
    loss("no-move", BOTH, Reason::IllegalMove, "moved 0000, which is not a move"),
    loss("crash-waiting", XBOARD, Reason::Crash, "exit status: 3"),
    loss("boasts", XBOARD, Reason::FalseClaim, "mates), which is not so in "),
    loss("false-draw", XBOARD, Reason::FalseClaim, "claims 1/2-1/2"),
    loss("disputes", XBOARD, Reason::FalseClaim, "Illegal move: "),
    loss("resigns", XBOARD, Reason::Resignation, "resigns"),
    loss("resigns-waiting", XBOARD, Reason::Resignation, "resigns"),
    loss("admits", XBOARD, Reason::Resignation, "resigns"),
    Loss { limits: "0.3/move", ..loss("slow", BOTH, Reason::TimeForfeit, "and did not move") },
    Loss { limits: "0.5", ..loss("slow", BOTH, Reason::TimeForfeit, "and did not move") },
    Loss { limits: "1+0.1", ..loss("hang", BOTH, Reason::TimeForfeit, "and did not move") },
    Loss { limits: "1", ..loss("talker", BOTH, Reason::TimeForfeit, "and did not move") },
    Loss { limits: "depth=3", ..loss("talker", BOTH, Reason::Stall, "has not moved for 1 s") },
    Loss { limits: "depth=3", ..loss("hang", BOTH, Reason::Stall, "has not moved for 1 s") },
    Loss { limits: "nodes=1000", ..loss("hang", BOTH, Reason::Stall, "has not moved for 1 s") },
    Loss { limits: "1+0.1", ..loss("half-line", BOTH, Reason::TimeForfeit, "and did not move") },
];

type Named<F> = (&'static str, F);
pub type Scenario = Box<dyn FnOnce() + UnwindSafe>;

/// Every scenario with its name.
pub fn all() -> Vec<(String, Scenario)> {
    let mut all: Vec<(String, Scenario)> = Vec::new();
    let mut add = |name: String, scenario: Scenario| all.push((name, scenario));
    for loss in LOSSES {
        for &protocol in loss.protocols {
            let name = format!("{}-{}-{protocol:?}", loss.role, loss.limits).to_lowercase();
            add(name, Box::new(move || is_lost_twice(loss, protocol)));
        }
    }
    for &protocol in BOTH {
        let named = |name: &str| format!("{name}-{protocol:?}").to_lowercase();
        for role in ["dead", "mute"] {
            add(named(role), Box::new(move || never_starts(role, protocol)));
        }
        for role in ["good", "garbage"] {
            add(named(role), Box::new(move || plays_by_the_rules(role, protocol)));
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
        add(role.to_owned(), Box::new(move || plays_by_the_rules(role, Protocol::Xboard)));
    }
    let scenarios: [Named<fn()>; 7] = [
        ("other-game", plays_another_game),
        ("ends-at-uci", end_of_greeting_is_told),
        ("ponder", ponders),
        ("draw-agreed", draw_is_agreed),
        ("draw-refused", draw_is_refused),
        ("draw-claimed", draw_is_claimed),
        ("against-itself", plays_against_itself),
    ];
    for (name, scenario) in scenarios {
        add(name.to_owned(), Box::new(scenario));
    }
    #[cfg(unix)]
    add("behind-a-script".to_owned(), Box::new(is_killed_behind_a_script));
    add("no-leaks".to_owned(), Box::new(nothing_is_left_behind));
    all
}

// --- the rig

pub fn cast(role: &str, protocol: Protocol, folder: &tempfile::TempDir) -> EngineSpec {
    let program = env::current_exe().expect("a test knows itself");
    let protocol_name = match protocol {
        Protocol::Xboard => "xboard",
        Protocol::Uci => "uci",
    };
    EngineSpec {
        arguments: ["cast", role, protocol_name, &folder.path().display().to_string()]
            .map(str::to_owned)
            .to_vec(),
        protocol: Some(protocol),
        ..EngineSpec::new(role, program.display().to_string())
    }
}

/// Long where the role will answer, short where it never does; at the end of a game or a process it is only
/// replaced or killed earlier.
pub fn timeouts(role: &str) -> Timeouts {
    let unless = |silent: &[&str]| if silent.contains(&role) { SHORT } else { PATIENCE };
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

fn table(specs: &[EngineSpec], stop: &StopSignal) -> EngineTable {
    EngineTable::new(specs.into(), stop.clone()).with_timeouts(timeouts("good"))
}

fn plan(number: u32, [white, black]: [usize; 2], limits: &str) -> GamePlan {
    let limits: Limits = limits.parse().expect("limits");
    GamePlan {
        number,
        round: number.to_string(),
        pair: number.div_ceil(2),
        white,
        black,
        opening: Opening::default(),
        limits: [limits; 2],
        margin: Duration::from_millis(50),
        adjudication: Adjudication { max_moves: Some(100), ..Adjudication::default() },
    }
}

fn play(table: &mut EngineTable, plan: &GamePlan) -> GameRecord {
    let record = table.play(plan).expect("the engines start");
    // Whatever happened, it can be written.
    let text = pgn::Writer::default().write(&record);
    assert!(text.lines().all(|line| line.starts_with('[') || line.len() < 80), "{text}");
    assert!(!record.result.detail.contains("BREACH"), "{}", record.result.detail);
    record
}

// --- the scenarios

/// The role loses as Black, and again as White: the match goes on, with a new process where the old one is
/// gone.
fn is_lost_twice(loss: &Loss, protocol: Protocol) {
    let folder = tempfile::tempdir().expect("a folder");
    let specs = [cast("good", protocol, &folder), cast(loss.role, protocol, &folder)];
    let mut table = table(&specs, &StopSignal::new()).with_timeouts(timeouts(loss.role));
    for (number, players, verdict) in [(1, [0, 1], Verdict::WhiteWins), (2, [1, 0], Verdict::BlackWins)] {
        let started = Instant::now();
        let mut plan = plan(number, players, LONG);
        plan.limits[usize::from(plan.black == 1)] = loss.limits.parse().expect("limits");
        let record = play(&mut table, &plan);
        let result = &record.result;
        assert_eq!((result.verdict, result.reason), (verdict, loss.reason), "{result:?}");
        assert!(result.detail.contains(loss.says), "{result:?}");
        assert!(result.detail.contains(loss.role), "{result:?}");
        // A flood is measured in bytes, and takes its time on a busy machine.
        assert!(started.elapsed() < Duration::from_secs(120), "{:?}", started.elapsed());
        // Nobody is blamed before it has done anything wrong.
        let fast = loss.role != "slow";
        assert!(record.moves.len() >= if fast { 4 } else { 0 }, "{record:?}");
    }
}

fn never_starts(role: &'static str, protocol: Protocol) {
    let folder = tempfile::tempdir().expect("a folder");
    // The short patience is for the role alone: White is started first, and an opponent that speaks UCI has
    // no features to tell.
    let specs = [cast(role, protocol, &folder), cast("good", Protocol::Uci, &folder)];
    let mut timeouts = timeouts(role);
    if role == "mute" && protocol == Protocol::Uci {
        timeouts.greeting = SHORT;
    }
    // An xboard engine that says nothing is one of the first version, until its clock runs out.
    let silent_xboard = role == "mute" && protocol == Protocol::Xboard;
    let mut table = table(&specs, &StopSignal::new()).with_timeouts(timeouts);
    match table.play(&plan(1, [0, 1], "0.3")) {
        Ok(record) => {
            assert!(silent_xboard, "{record:?}");
            let result = &record.result;
            assert_eq!(
                (result.verdict, result.reason),
                (Verdict::BlackWins, Reason::TimeForfeit),
                "{result:?}"
            );
        }
        Err(error) => {
            assert!(!silent_xboard);
            let text = format!("{error:#}");
            let says = if role == "dead" { "cannot find my book" } else { "no answer" };
            assert!(text.contains(says) && text.contains(role), "{text}");
        }
    }
}

/// An engine that was there before and does not start again loses the game, and the match goes on.
fn starts_once(protocol: Protocol) {
    let folder = tempfile::tempdir().expect("a folder");
    let once = EngineSpec { restart: true, ..cast("once", protocol, &folder) };
    let mut table = table(&[cast("good", protocol, &folder), once], &StopSignal::new());
    let result = play(&mut table, &plan(1, [0, 1], LONG)).result;
    assert!(!result.reason.is_forfeit(), "{result:?}");
    let result = play(&mut table, &plan(2, [1, 0], LONG)).result;
    assert_eq!((result.verdict, result.reason), (Verdict::BlackWins, Reason::NoStart));
    assert!(result.detail.contains("only once"), "{result:?}");
}

/// Several games that end by rule, with an opening, from a position, with either colour.
fn plays_by_the_rules(role: &'static str, protocol: Protocol) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut special = cast(role, protocol, &folder);
    if role != "version-1" {
        special.options = match protocol {
            Protocol::Xboard => vec![
                ("style".to_owned(), "true".to_owned()),
                ("LEVEL OF NOISE".to_owned(), "3".to_owned()),
                ("Hash".to_owned(), "64".to_owned()),
            ],
            Protocol::Uci => {
                vec![("hash".to_owned(), "64".to_owned()), ("clear hash".to_owned(), String::new())]
            }
        };
    }
    // What version 1 says of a game when that is over would count in the next one, if it came later than
    // this; and who shares its time for features should have none to tell.
    let timeouts = Timeouts { settle: Duration::from_secs(2), ..timeouts(role) };
    let opponent = match role {
        "version-1" => Protocol::Uci,
        _ => protocol,
    };
    let specs = [cast("good", opponent, &folder), special];
    let mut table = table(&specs, &StopSignal::new()).with_timeouts(timeouts);
    let openings = [
        Opening::default(),
        Opening { moves: ["e2e4", "e7e5", "g1f3"].map(str::to_owned).to_vec(), ..Opening::default() },
        Opening {
            fen: Some("4k3/pppp4/8/8/8/8/PPPP4/4K3 b - - 0 1".to_owned()),
            moves: vec!["e8e7".to_owned()],
            name: Some("Pawns".to_owned()),
        },
    ];
    let mut number = 0;
    for opening in openings {
        for players in [[0, 1], [1, 0]] {
            number += 1;
            let plan = GamePlan { opening: opening.clone(), ..plan(number, players, "40/60+0.1") };
            let record = play(&mut table, &plan);
            assert!(!record.result.reason.is_forfeit(), "{:?}", record.result);
            assert!(record.moves.len() > 10, "{record:?}");
            assert!(
                record
                    .moves
                    .iter()
                    .all(|mv| mv.depth == Some(5) && mv.score.is_some_and(|score| score < 9999)),
                "{record:?}"
            );
        }
    }
}

fn is_killed(protocol: Protocol) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut table =
        table(&[cast("good", protocol, &folder), cast("deaf", protocol, &folder)], &StopSignal::new());
    let result = play(&mut table, &plan(1, [0, 1], LONG)).result;
    assert!(!result.reason.is_forfeit(), "{result:?}");
    let started = Instant::now();
    drop(table);
    assert!(started.elapsed() < PATIENCE, "{:?}", started.elapsed());
}

/// A shell that starts the engine and waits for it: killing the shell alone would leave an engine behind that
/// never ends.
#[cfg(unix)]
fn is_killed_behind_a_script() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let deaf = cast("deaf", Protocol::Uci, &folder);
    let script = folder.path().join("engine.sh");
    let line = format!("#!/bin/sh\n'{}' {}\nexit 0\n", deaf.command, deaf.arguments.join(" "));
    std::fs::write(&script, line).expect("a place for the script");
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).expect("a file of ours");
    // By a path that is relative to the engine's own directory.
    let behind = EngineSpec {
        command: "./engine.sh".to_owned(),
        arguments: Vec::new(),
        directory: Some(folder.path().to_owned()),
        ..deaf
    };
    let mut table = table(&[cast("good", Protocol::Uci, &folder), behind], &StopSignal::new());
    let result = play(&mut table, &plan(1, [0, 1], LONG)).result;
    assert!(!result.reason.is_forfeit(), "{result:?}");
    drop(table);
    // The threads that read its pipes end only when nobody holds them any more.
    nobody_is_left();
}

fn refusal(spec: EngineSpec) -> String {
    let mut table = table(&[spec.clone(), spec], &StopSignal::new());
    let error = table.play(&plan(1, [0, 1], LONG)).expect_err("it is wrong");
    format!("{error:#}")
}

/// Not only that it did not answer: how it ended, too, whatever the other question brings.
fn end_of_greeting_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let detect = |role: &str| {
        let spec = EngineSpec { protocol: None, ..cast(role, Protocol::Uci, &folder) };
        let stop = StopSignal::new();
        let mut table = EngineTable::new([spec.clone(), spec].into(), stop).with_timeouts(Timeouts {
            detection: if role == "dead" { PATIENCE } else { SHORT },
            ..timeouts("good")
        });
        format!("{:#}", table.play(&plan(1, [0, 1], LONG)).expect_err("it speaks nothing"))
    };
    let text = detect("ends-at-uci");
    assert!(text.contains("at \"uci\" it ended (exit status: 3"), "{text}");
    assert!(text.contains("at \"protover 2\" it says nothing for 1 s; if"), "{text}");
    let text = detect("dead");
    assert_eq!(text.matches("cannot find my book").count(), 2, "{text}");
    assert!(!text.contains("old xboard"), "{text}");
}

/// A time of its own instead of the table's, which is longer than the test.
fn stall_is_per_engine(protocol: Protocol) {
    let folder = tempfile::tempdir().expect("a folder");
    let specs = [
        cast("good", protocol, &folder),
        EngineSpec { stall: Some(1), ..cast("now-hang", protocol, &folder) },
    ];
    let mut table = EngineTable::new(specs.into(), StopSignal::new())
        .with_timeouts(Timeouts { stall: Duration::from_secs(3600), ..timeouts("good") });
    let result = play(&mut table, &plan(1, [0, 1], "depth=1")).result;
    assert_eq!((result.verdict, result.reason), (Verdict::WhiteWins, Reason::Stall));
    assert!(result.detail.contains("has not moved for 1 s"), "{}", result.detail);
}

fn plays_another_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = refusal(cast("other-game", Protocol::Xboard, &folder));
    assert!(text.contains("suicide"), "{text}");
}

fn is_interrupted(protocol: Protocol) {
    let folder = tempfile::tempdir().expect("a folder");
    let stop = StopSignal::new();
    let mut table = table(&[cast("good", protocol, &folder), cast("hang", protocol, &folder)], &stop);
    let started = Instant::now();
    let stopper = thread::spawn(move || {
        thread::sleep(Duration::from_millis(700));
        stop.stop();
    });
    let result = play(&mut table, &plan(1, [0, 1], LONG)).result;
    assert_eq!((result.verdict, result.reason), (Verdict::Unfinished, Reason::Interrupted));
    assert!(started.elapsed() < PATIENCE, "{:?}", started.elapsed());
    stopper.join().expect("it only stops");
    // The signal stays.
    let result = play(&mut table, &plan(2, [0, 1], LONG)).result;
    assert_eq!(result.reason, Reason::Interrupted);
}

fn is_detected(protocol: Protocol) {
    let folder = tempfile::tempdir().expect("a folder");
    let unknown = EngineSpec { protocol: None, ..cast("good", protocol, &folder) };
    let report = kashan::arena::check_engines(&[unknown], &StopSignal::new()).expect("it speaks");
    assert_eq!(report[0].protocol, Some(protocol));
    assert!(report[0].own_name.as_ref().is_some_and(|name| name.contains("Cast")));
}

fn every_limit_is_understood(protocol: Protocol) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut table =
        table(&[cast("good", protocol, &folder), cast("good", protocol, &folder)], &StopSignal::new());
    // Fractions and all, but long: nobody can lose on time here, unless the clock is wrong.
    for (number, limits) in (1..).zip([
        "30.5",
        "0+30.2",
        "3/37.5+0.25",
        "30/move",
        "30.2/move",
        "31.5/move",
        "depth=4",
        "nodes=500",
        "39+1,depth=3,nodes=70",
    ]) {
        let record = play(&mut table, &plan(number, [0, 1], limits));
        let result = &record.result;
        assert!(!result.reason.is_forfeit(), "{limits}: {result:?}");
        let has_clock = record.moves.iter().all(|mv| mv.clock.is_some());
        assert_eq!(has_clock, !limits.contains("move") && !limits.starts_with(['d', 'n']), "{limits}");
    }
}

/// What a move costs beside the engines' own time, which is next to nothing here: the time from one turn to
/// the next.
fn overhead_is_small(protocol: Protocol) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut table =
        table(&[cast("good", protocol, &folder), cast("good", protocol, &folder)], &StopSignal::new());
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
    println!("{protocol:?}: {} microseconds a move with two instant movers", best.as_micros());
    // How fast the machine is says nothing; only a wait that nobody needs takes so long.
    assert!(best < Duration::from_millis(100), "{best:?} a move");
}

/// The cast breaks off at every breach: a search that is not stopped, a position during a search, `go ponder`
/// unasked.
fn ponders() {
    let folder = tempfile::tempdir().expect("a folder");
    let pondering = |protocol| EngineSpec { ponder: true, ..cast("good", protocol, &folder) };
    let specs = [pondering(Protocol::Uci), pondering(Protocol::Uci), pondering(Protocol::Xboard)];
    let mut table = table(&specs, &StopSignal::new());
    for (number, players) in (1..).zip([[0, 1], [1, 0], [0, 2], [2, 1]]) {
        let record = play(&mut table, &plan(number, players, LONG));
        assert!(!record.result.reason.is_forfeit(), "{:?}", record.result);
        assert!(record.moves.len() > 20 && record.moves.iter().all(|mv| mv.depth == Some(5)), "{record:?}");
    }
}

fn draw_is_agreed() {
    let folder = tempfile::tempdir().expect("a folder");
    let specs = ["offers", "agreeable"].map(|role| cast(role, Protocol::Xboard, &folder));
    let result = play(&mut table(&specs, &StopSignal::new()), &plan(1, [0, 1], LONG)).result;
    assert_eq!((result.verdict, result.reason), (Verdict::Draw, Reason::DrawAgreed));
}

/// An offer does not outlive the opponent's move, and UCI engines cannot even hear it.
fn draw_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    for protocol in [Protocol::Xboard, Protocol::Uci] {
        let specs = [cast("offers", Protocol::Xboard, &folder), cast("good", protocol, &folder)];
        let record = play(&mut table(&specs, &StopSignal::new()), &plan(1, [0, 1], LONG));
        assert!(record.moves.len() > 10, "{record:?}");
        assert!(
            !record.result.reason.is_forfeit() && record.result.reason != Reason::DrawAgreed,
            "{:?}",
            record.result
        );
    }
}

/// Claimed before the move that repeats the position: the laws of chess allow it, and there is no other time
/// at which it could be true.
fn draw_is_claimed() {
    let folder = tempfile::tempdir().expect("a folder");
    let specs = [cast("shuffle", Protocol::Xboard, &folder), cast("claim-draw", Protocol::Xboard, &folder)];
    let record = play(&mut table(&specs, &StopSignal::new()), &plan(1, [0, 1], LONG));
    let result = &record.result;
    assert_eq!((result.verdict, result.reason), (Verdict::Draw, Reason::ThreefoldRepetition), "{result:?}");
    for part in ["claim-draw claims 1/2-1/2", "Ng8 makes it the same position for the third time"] {
        assert!(result.detail.contains(part), "{result:?}");
    }
    // Without a claim, or with an offer as xboard wants it before the move, the arena sees it a move later.
    for (role, protocol) in [("shuffle", Protocol::Uci), ("offer-draw", Protocol::Xboard)] {
        let specs = [cast("shuffle", protocol, &folder), cast(role, protocol, &folder)];
        let record = play(&mut table(&specs, &StopSignal::new()), &plan(1, [0, 1], LONG));
        assert_eq!(record.result.reason, Reason::ThreefoldRepetition, "{role}: {:?}", record.result);
        assert_eq!(record.result.detail, "the same position for the third time");
        assert_eq!(record.moves.last().map(|mv| mv.uci.as_str()), Some("f6g8"));
        assert_eq!(record.moves.len(), 8);
    }
    // It offers a draw where a move would repeat the position, and then plays another one.
    let specs = [cast("shuffle", Protocol::Xboard, &folder), cast("plays-on", Protocol::Xboard, &folder)];
    let record = play(&mut table(&specs, &StopSignal::new()), &plan(1, [0, 1], LONG));
    assert!(record.moves.len() > 8, "{record:?}");
}

fn plays_against_itself() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut table = table(&[cast("good", Protocol::Xboard, &folder)], &StopSignal::new());
    for number in 1..=2 {
        let record = play(&mut table, &plan(number, [0, 0], LONG));
        assert!(!record.result.reason.is_forfeit(), "{:?}", record.result);
    }
}

/// What `KASHAN_CAST_GAMES` says, or else so many.
pub fn number_of_games(usual: usize) -> usize {
    env::var("KASHAN_CAST_GAMES").ok().and_then(|games| games.parse().ok()).unwrap_or(usual)
}

/// Every other game has new processes.
fn nothing_is_left_behind() {
    let games = number_of_games(40);
    let folder = tempfile::tempdir().expect("a folder");
    let restarted = EngineSpec { restart: true, ..cast("good", Protocol::Uci, &folder) };
    let specs = [
        cast("good", Protocol::Xboard, &folder),
        restarted,
        cast("crash", Protocol::Uci, &folder),
        cast("good", Protocol::Uci, &folder),
    ];
    let mut table = table(&specs, &StopSignal::new());
    let schedule = [[0, 1], [1, 0], [0, 2], [0, 3]];
    let mut before = None;
    for number in 1..=games {
        play(&mut table, &plan(number as u32, schedule[number % 4], LONG));
        if number == 4 {
            // Each process has three threads here, one for each pipe; and one looks for gaps in the time.
            before = usage(|usage| usage.threads == 2 + 3 * usage.children);
        }
    }
    if let Some(before) = before
        && let Some(after) = usage(|usage| usage.counts() == before.counts())
    {
        println!("after 4 games {before:?}, after {games} games {after:?}");
        assert_eq!(before.counts(), after.counts(), "threads, files, children");
        assert!(after.kilobytes < before.kilobytes + 20_000, "{before:?} {after:?}");
    }
    drop(table);
    nobody_is_left();
}

fn nobody_is_left() {
    let is_alone = |usage: &Usage| (usage.threads, usage.children) == (1, 0);
    if let Some(usage) = usage(is_alone) {
        assert!(is_alone(&usage), "{usage:?}");
    }
}

/// What this process has.
#[derive(Debug)]
struct Usage {
    threads: usize,
    files: usize,
    children: usize,
    kilobytes: usize,
}

impl Usage {
    /// Where the system says so.
    fn now() -> Option<Usage> {
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        let number = |key: &str| {
            let line = status.lines().find(|line| line.starts_with(key))?;
            line.split_whitespace().nth(1)?.parse().ok()
        };
        let children =
            std::fs::read_to_string(format!("/proc/self/task/{}/children", std::process::id())).ok()?;
        Some(Usage {
            threads: number("Threads:")?,
            files: std::fs::read_dir("/proc/self/fd").ok()?.count(),
            children: children.split_whitespace().count(),
            kilobytes: number("VmRSS:")?,
        })
    }

    /// Threads, files and children.
    fn counts(&self) -> [usize; 3] {
        [self.threads, self.files, self.children]
    }
}

/// What this process has once it is as expected, for threads need a moment to end; if that never happens,
/// what it has in the end.
fn usage(is_expected: impl Fn(&Usage) -> bool) -> Option<Usage> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let usage = Usage::now()?;
        if is_expected(&usage) || Instant::now() > deadline {
            return Some(usage);
        }
        thread::sleep(Duration::from_millis(10));
    }
}

//! `kashan match` and `kashan tournament` as users start them: real engines (our own), real kills.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::dialogue::PATIENCE;
use crate::common::games;
use crate::common::programs::{kashan_line, prints_line, refuses_each};
use kashan::arena::openings::OpeningSource;
use kashan::arena::{Reason, Verdict};
use serde_json::Value;

/// A tournament of games of so many moves at most, of which the opening has four.
fn head(limits: &str, max_moves: u32) -> String {
    format!(
        "name = \"Killed again and again\"\nseed = 9\nlimits = \"{limits}\"\n\
         adjudication = {{ max_moves = {max_moves} }}\n"
    )
}

fn engine(name: &str, more: &str) -> String {
    format!(
        "[[engines]]\nname = \"{name}\"\ncommand = \"kashan:alphabeta\"\n\
         options = {{ OwnBook = 0, {more} }}\n"
    )
}

/// A tournament, started; killed if the test fails.
struct Running(Child);

impl Running {
    fn start(file: &Path) -> Running {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kashan"));
        command.arg("tournament").arg(file).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        Running(command.spawn().expect("it starts"))
    }

    fn is_running(&mut self) -> bool {
        self.0.try_wait().expect("it can be waited for").is_none()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The games of a PGN. (Where locks are compulsory nobody can read a journal that is in use.)
fn games_in(pgn: &Path) -> usize {
    fs::read_to_string(pgn).map_or(0, |pgn| pgn.matches("[Event ").count())
}

/// Waits until the PGN has this many games.
fn wait_for_games(running: &mut Running, pgn: &Path, count: usize) {
    let deadline = Instant::now() + PATIENCE;
    while games_in(pgn) < count {
        assert!(running.is_running(), "it ended");
        assert!(Instant::now() < deadline, "no more games");
        thread::sleep(Duration::from_millis(5));
    }
}

/// The first signal lets the running game end, the second does not; both leave a tournament that can be
/// continued.
#[cfg(unix)]
#[test]
fn signals_stop_a_tournament_after_the_running_games_or_now() {
    let signal = |running: &Running, name: &str| {
        let status = Command::new("kill").args([name, &running.0.id().to_string()]).status();
        assert!(status.expect("kill is there").success());
    };
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("cup.toml");
    let [journal, pgn] = ["cup.journal", "cup.pgn"].map(|name| folder.path().join(name));
    let engines = [engine("A", "Seed = 1"), engine("B", "Seed = 2")].concat();
    let write = |limits: &str| {
        let head = head(limits, 8);
        fs::write(&file, format!("{head}games = 8\n{engines}")).expect("written");
    };
    // Four moves a side are played from the book, four more are played: 100 ms each.
    write("0.1/move");
    for signals in [["-INT"].as_slice(), &["-TERM", "-INT"]] {
        let before = games::in_journal(&journal).len();
        let mut running = Running::start(&file);
        wait_for_games(&mut running, &pgn, before + 1);
        let started = Instant::now();
        for name in signals {
            signal(&running, name);
            thread::sleep(Duration::from_millis(50));
        }
        let deadline = started + PATIENCE;
        while running.is_running() {
            assert!(Instant::now() < deadline, "it does not stop");
            thread::sleep(Duration::from_millis(5));
        }
        let status = running.0.wait().expect("it ended");
        assert_eq!(status.code(), Some(1), "not everything was played");
        let mut error = String::new();
        let mut stderr = running.0.stderr.take().expect("it is piped");
        std::io::Read::read_to_string(&mut stderr, &mut error).expect("text");
        assert!(error.contains("of 8 games were played; the same command plays the rest"), "{error}");
    }
    let left = games::in_journal(&journal).len();
    assert!((2..8).contains(&left), "{left}");
    prints_line(folder.path(), "tournament cup.toml");
    let openings = OpeningSource::default().choose(9, 4).expect("our own openings");
    let games = games::check_finished(&journal, &pgn, 8);
    for (pair, opening) in games.chunks(2).zip(&openings) {
        assert_eq!(pair[0].opening, *opening);
    }
    for game in &games {
        assert_ne!(game.result.verdict, Verdict::Unfinished, "{game:?}");
        assert!(!game.result.reason.is_fault() && game.result.reason != Reason::Interrupted, "{game:?}");
    }
}

#[test]
fn mistakes_are_errors_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, good, bad) in [
        ("engine", "kashan:alphabeta", "./no-engine"),
        ("option", "Seed", "Seeed"),
        ("backend", "alphabeta", "betaalpha"),
    ] {
        let wrong = engine("B", "Seed = 1").replace(good, bad);
        let content = head("depth=1", 60) + &engine("A", "Seed = 1") + &wrong;
        fs::write(folder.path().join(format!("{name}.toml")), content).expect("written");
    }
    refuses_each(
        folder.path(),
        "tournament engine.toml | no-engine
         tournament option.toml | Seeed
         tournament backend.toml | betaalpha
         tournament no/such.toml | such.toml
         match kashan:minimax | 2 values required
         match kashan:minimax no-such-engine | no-such-engine
         match kashan:minimax kashan:genetic --games 3 | even
         match --sprt 5 0 | elo0
         match --sprt 0 5 --alpha 0.7 | 0.7
         match --sprt 0 5 --elo-model fide | logistic or normalized
         match --alpha 0.1 | --sprt
         match --tc soon | 'soon' is no time control
         match --option1 Hash | NAME=VALUE
         match --option 2:Hash | N:NAME=VALUE
         match --option 3:Hash=1 | there is no engine 3: there are 2
         match --each 1:hash=1 | unknown field `hash`
         match --each restart=often | restart=often
         match --draw moves=3 | from_move
         match kashan:minimax kashan:minimax --openings no/such.epd | such.epd",
    );
}

/// A script that speaks UCI until it has to think, and then ends.
#[cfg(unix)]
fn crasher(folder: &Path) -> String {
    use std::os::unix::fs::PermissionsExt as _;
    let path = folder.join("crasher");
    let script = "#!/bin/sh\nwhile read word rest; do case $word in uci) echo uciok;; isready) echo readyok;; go) exit 3;; quit) exit 0;; esac; done\n";
    fs::write(&path, script).expect("written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("made executable");
    path.display().to_string()
}

#[test]
#[cfg(unix)]
fn a_match_stops_after_crashes_and_its_conversations_are_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let (engine, log) = (crasher(folder.path()), folder.path().join("wire.log"));
    let line = format!(
        "match {engine} kashan:alphabeta --tc depth=1 --games 40 --option 2:OwnBook=0 --stop-after-crashes 3 \
         --log wire.log"
    );
    let (fine, out, err) = kashan_line(folder.path(), &line);
    assert!(!fine);
    assert_eq!(
        out.lines().filter(|line| line.contains("crasher ended (exit status: 3)")).count(),
        3,
        "{out}"
    );
    assert!(out.contains("crasher lost 3 games by crash"), "{out}");
    assert!(err.contains("stopping after the running games") && err.contains("3 of 40 games"), "{err}");
    let log = fs::read_to_string(log).expect("a log");
    for part in [
        "crasher[",
        "] < uci\n",
        "] > uciok\n",
        "kashan:alphabeta[",
        "] < protover 2\n",
        "] > feature ",
        "]: Closed\n",
    ] {
        assert!(log.contains(part), "no {part} in {log}");
    }
    // 2026-11-21T22:41:31.123Z
    let is_time = |time: &str| time.len() == 24 && time.ends_with('Z') && time.contains('T');
    assert!(log.lines().all(|line| line.split(' ').next().is_some_and(is_time)), "{log}");
}

#[test]
fn a_match_takes_what_a_tournament_file_says() {
    let line = "match kashan:alphabeta kashan:alphabeta --tc depth=1 --games 2 --json --option OwnBook=0 \
                --option 2:Hash=4 --each startup=random --each 1:startup=easy --each restart=true \
                --each 2:stall=7 --each 2:name=Second --draw from_move=40,moves=8,score=10 --max-moves 1 \
                --win 'moves=4, score=700'";
    let out = prints_line(Path::new("."), line);
    let begins: Value = serde_json::from_str(out.lines().next().expect("an event")).expect("JSON");
    let settings = &begins["settings"];
    let [first, second] = [&settings["engines"][0], &settings["engines"][1]];
    assert_eq!(first["startup"], serde_json::json!(["random", "easy"]));
    assert_eq!(first["options"], serde_json::json!([["OwnBook", "0"]]));
    assert_eq!((&second["name"], &second["stall"]), (&"Second".into(), &7.into()));
    assert_eq!(second["options"], serde_json::json!([["OwnBook", "0"], ["Hash", "4"]]));
    assert_eq!((&first["restart"], &second["restart"]), (&true.into(), &true.into()));
    let adjudication = &settings["adjudication"];
    assert_eq!(adjudication["draw"], serde_json::json!({"from_move": 40, "moves": 8, "score": 10}));
    assert_eq!(adjudication["win"], serde_json::json!({"moves": 4, "score": 700}));
    assert_eq!(out.matches("1 moves were played").count(), 2, "{out}");
}

#[test]
fn a_match_is_one_line_and_tells_programs_everything() {
    let folder = tempfile::tempdir().expect("a folder");
    let [pgn, svg] = ["m.pgn", "m.svg"].map(|name| folder.path().join(name));
    let line = "match kashan:alphabeta kashan:alphabeta --tc depth=1 --games 4 --json --option1 OwnBook=0 \
                --option1 Hash=4 --option2 OwnBook=0 --option2 Hash=4 --tc2 depth=2 --concurrency 2 \
                --pgn m.pgn --svg m.svg";
    let events: Vec<Value> = prints_line(folder.path(), line)
        .lines()
        .map(|line| serde_json::from_str(line).expect("every line is JSON"))
        .collect();
    let kind = |event: &Value| event["event"].as_str().expect("a kind").to_owned();
    assert_eq!(kind(&events[0]), "begins");
    assert_eq!(events.iter().filter(|event| kind(event) == "game").count(), 4);
    let result = events.last().expect("a result");
    assert_eq!(kind(result), "result");
    assert_eq!((&result["ending"], &result["played"]), (&"complete".into(), &4.into()));
    assert_eq!(result["match"]["engines"][1], "kashan:alphabeta (2)");
    let score = &result["match"]["score"];
    let games: u64 = ["wins", "draws", "losses"].iter().filter_map(|part| score[part].as_u64()).sum();
    assert_eq!(games, 4);
    assert_eq!(fs::read_to_string(&pgn).expect("a PGN").matches("[Event ").count(), 4);
    assert!(fs::read_to_string(&svg).expect("a plot").contains("<svg"));

    // The same file again would lose games.
    refuses_each(folder.path(), &format!("{line} | m.pgn"));
}

/// Our own engines would only say so, and play without; for a pipe they would wait, and hear no signal.
#[cfg(unix)]
#[test]
fn own_engines_refuse_files_that_cannot_be_read() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("p.epd"), "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#;\n").expect("written");
    nix::unistd::mkfifo(&folder.path().join("fifo"), nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
    refuses_each(
        folder.path(),
        "match kashan:alphabeta kashan:genetic --tc nodes=9 --option 1:WeightsFile=no/such.toml | no/such.toml
         match kashan:alphabeta kashan:genetic --tc nodes=9 --option 2:BookFile=no/such.bin | no/such.bin
         match kashan:alphabeta kashan:genetic --tc nodes=9 --option LibraryFile=no/such.klib | no/such.klib
         match kashan:alphabeta kashan:genetic --tc nodes=9 --option SyzygyPath=no/folder | no/folder
         match kashan:alphabeta kashan:genetic --tc nodes=9 --option 1:BookFile=fifo | fifo
         match kashan:alphabeta kashan:genetic --tc nodes=9 --option 1:WeightsFile=fifo | fifo
         match kashan:alphabeta kashan:genetic --tc nodes=9 --option 1:LibraryFile=fifo | fifo
         solve p.epd --engine kashan:alphabeta --option WeightsFile=no/such.toml | no/such.toml",
    );
}

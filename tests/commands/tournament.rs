//! `kashan match` and `kashan tournament` as users start them: real engines (our own), real kills.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::common::games;
use crate::common::programs::{TestFolder, has_all};
use crate::common::running::Running;
use kashan::arena::openings::OpeningSource;
use kashan::arena::{Reason, Verdict};
use serde_json::json;

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

/// The games of a PGN. (Where locks are compulsory nobody can read a journal that is in use.)
fn games_in(pgn: &Path) -> usize {
    fs::read_to_string(pgn).map_or(0, |pgn| pgn.matches("[Event ").count())
}

/// The first signal lets the running game end, the second does not; both leave a tournament that
/// can be continued.
#[cfg(unix)]
#[test]
fn signals_stop_a_tournament_after_the_running_games_or_now() {
    let place = TestFolder::new();
    let [journal, pgn] = ["cup.journal", "cup.pgn"].map(|name| place.file(name));
    // Four moves a side are played from the book, four more are played: 100 ms each.
    let engines = [engine("A", "Seed = 1"), engine("B", "Seed = 2")].concat();
    place.write("cup.toml", head("0.1/move", 8) + "games = 8\n" + &engines);
    for signals in [["INT"].as_slice(), &["TERM", "INT"]] {
        let before = games::in_journal(&journal).len();
        let mut command = place.command("tournament cup.toml");
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let mut running = Running(command.spawn().expect("it starts"));
        super::wait_until("a game more", || {
            assert!(running.is_running(), "it ended");
            games_in(&pgn) > before
        });
        for name in signals {
            let status = Command::new("kill")
                .args(["-s", name, &running.0.id().to_string()])
                .status();
            assert!(status.expect("kill is there").success());
            thread::sleep(Duration::from_millis(50));
        }
        super::wait_until("it stops", || !running.is_running());
        assert_eq!(
            running.0.wait().expect("it ended").code(),
            Some(1),
            "not everything was played"
        );
        let error =
            std::io::read_to_string(running.0.stderr.take().expect("it is piped")).expect("text");
        has_all(
            &error,
            &["of 8 games were played; the same command plays the rest"],
        );
    }
    let left = games::in_journal(&journal).len();
    assert!((2..8).contains(&left), "{left}");
    place.prints("tournament cup.toml");
    let openings = OpeningSource::default()
        .choose(9, 4, &mut Vec::new())
        .expect("our own openings");
    let games = games::check_finished(&journal, &pgn, 8);
    assert!(
        games
            .iter()
            .step_by(2)
            .map(|game| &game.opening)
            .eq(&openings),
        "{games:?}"
    );
    for game in &games {
        assert_ne!(game.result.verdict, Verdict::Unfinished, "{game:?}");
        assert!(
            !game.result.reason.is_fault() && game.result.reason != Reason::Interrupted,
            "{game:?}"
        );
    }
}

#[test]
fn mistakes_are_errors_at_once() {
    let place = TestFolder::new();
    for (name, good, bad) in [
        ("engine", "kashan:alphabeta", "./no-engine"),
        ("option", "Seed", "Seeed"),
        ("backend", "alphabeta", "betaalpha"),
    ] {
        let wrong = engine("B", "Seed = 1").replace(good, bad);
        let content = head("depth=1", 60) + &engine("A", "Seed = 1") + &wrong;
        place.write(&format!("{name}.toml"), content);
    }
    place.refuses("tournament engine.toml", &["no-engine"]);
    place.refuses("tournament option.toml", &["Seeed"]);
    place.refuses("tournament backend.toml", &["betaalpha"]);
    place.refuses("tournament no/such.toml", &["such.toml"]);
    // A file whose name begins like a program is a file.
    place.write("time control.toml", "name = 1");
    place.refuses("tournament 'time control.toml'", &["time control.toml"]);
    place.refuses(
        "tournament kashan:minimax",
        &["is one engine", "two or more"],
    );
    place.refuses("match kashan:minimax", &["2 values required"]);
    place.refuses("match kashan:minimax no-such-engine", &["no-such-engine"]);
    place.refuses("match kashan:minimax kashan:genetic --games 3", &["even"]);
    place.refuses("match kashan:minimax kashan:action --sprt 5 0", &["elo0"]);
    place.refuses(
        "match kashan:minimax kashan:action --sprt 0 5 --alpha 0.7",
        &["0.7"],
    );
    place.refuses(
        "match kashan:minimax kashan:action --sprt 0 5 --elo-model fide",
        &["logistic or normalized"],
    );
    place.refuses(
        "match kashan:minimax kashan:action --alpha 0.1",
        &["--sprt"],
    );
    place.refuses(
        "match kashan:minimax kashan:action --tc soon",
        &["'soon' is no time control"],
    );
    place.refuses(
        "match kashan:minimax kashan:action --option 2:Hash",
        &["N:NAME=VALUE"],
    );
    place.refuses(
        "match kashan:minimax kashan:action --option 3:Hash=1",
        &["there is no engine 3: there are 2"],
    );
    place.refuses(
        "match kashan:minimax kashan:action --each 1:hash=1",
        &["unknown field `hash`"],
    );
    place.refuses(
        "match kashan:minimax kashan:action --each restart=often",
        &["restart=often"],
    );
    place.refuses(
        "match kashan:minimax kashan:action --draw moves=3",
        &["from_move"],
    );
    place.refuses(
        "match kashan:minimax kashan:minimax --tc nodes=20 --max-moves 0",
        &["max_moves = 0"],
    );
    place.refuses(
        "match kashan:minimax kashan:minimax --draw from_move=1,moves=0,score=5",
        &["draw.moves = 0"],
    );
    place.refuses("solve positions.epd --concurrency 0", &["--concurrency"]);
    place.refuses("blunders games.pgn --concurrency 0", &["--concurrency"]);
    place.refuses(
        "check no-such-engine --protocol uci",
        &["there is no program"],
    );
    place.refuses(
        "match kashan:minimax kashan:minimax --openings no/such.epd",
        &["such.epd"],
    );
    has_all(
        &place.fails("match kashan:minimax kashan:action --option Hahs=1 --games 2"),
        &["did you mean Hash?"],
    );
}

#[test]
#[cfg(unix)]
fn a_match_stops_after_crashes_and_its_conversations_are_written() {
    let place = TestFolder::new();
    let engine = super::uci_engine(&place, "crasher", "exit 3");
    let (fine, out, err) = place.run(&format!(
        "match {engine} kashan:alphabeta --tc depth=1 --games 40 --option 2:OwnBook=0 --stop-after-crashes 3 \
         --log wire.log"
    ));
    assert!(!fine);
    let crashes = out
        .lines()
        .filter(|line| line.contains("crasher ended (exit status: 3)"));
    assert_eq!(crashes.count(), 3, "{out}");
    has_all(
        &out,
        &[
            "crasher lost 3 games by crash; with --pgn FILE the last comment of each would say more.",
        ],
    );
    has_all(&err, &["stopping after the running games", "3 of 40 games"]);
    let log = place.read("wire.log");
    has_all(
        &log,
        &[
            "crasher[",
            "] < uci\n",
            "] > uciok\n",
            "kashan:alphabeta[",
            "] < protover 2\n",
        ],
    );
    has_all(&log, &["] > feature ", "]: Closed\n"]);
    // 2026-11-21T22:41:31.123Z
    let is_time = |time: &str| time.len() == 24 && time.ends_with('Z') && time.contains('T');
    assert!(
        log.lines()
            .all(|line| line.split(' ').next().is_some_and(is_time)),
        "{log}"
    );
}

#[test]
fn a_match_takes_what_a_tournament_file_says() {
    let line = "match kashan:alphabeta kashan:alphabeta --tc depth=1 --games 2 --json --option OwnBook=0 \
                --option 2:Hash=4 --each startup=random --each 1:startup=easy --each restart=true \
                --each 2:stall=7 --each 2:name=Second --draw from_move=40,moves=8,score=10 --max-moves 1 \
                --win 'moves=4, score=700'";
    let result = TestFolder::new().json(line);
    let settings = &result["settings"];
    let [first, second] = [&settings["engines"][0], &settings["engines"][1]];
    assert_eq!(first["startup"], json!(["random", "easy"]));
    assert_eq!(first["options"], json!([["OwnBook", "0"]]));
    assert_eq!(
        (&second["name"], &second["stall"]),
        (&"Second".into(), &7.into())
    );
    assert_eq!(second["options"], json!([["OwnBook", "0"], ["Hash", "4"]]));
    assert_eq!(
        (&first["restart"], &second["restart"]),
        (&true.into(), &true.into())
    );
    let adjudication = &settings["adjudication"];
    assert_eq!(
        adjudication["draw"],
        json!({"from_move": 40, "moves": 8, "score": 10})
    );
    assert_eq!(adjudication["win"], json!({"moves": 4, "score": 700}));
    assert_eq!(result["match"]["score"]["draws"], 2);
}

#[test]
fn a_match_is_one_line_and_tells_programs_everything() {
    let place = TestFolder::new();
    let line = "match kashan:alphabeta kashan:alphabeta --tc depth=1 --games 4 --json --option 1:OwnBook=0 \
                --option 1:Hash=4 --option 2:OwnBook=0 --option 2:Hash=4 --each 2:limits=depth=2 --concurrency 2 \
                --pgn m.pgn";
    let result = place.json(line);
    assert_eq!(
        (&result["ending"], &result["played"]),
        (&"complete".into(), &4.into())
    );
    assert_eq!(result["match"]["engines"][1], "kashan:alphabeta (2)");
    let score = &result["match"]["score"];
    let games: u64 = ["wins", "draws", "losses"]
        .iter()
        .filter_map(|part| score[part].as_u64())
        .sum();
    assert_eq!((games, games_in(&place.file("m.pgn"))), (4, 4));

    // The games of the same match once more come behind them.
    place.prints(line);
    assert_eq!(games_in(&place.file("m.pgn")), 8);
}

/// Our own engines would only say so, and play without; for a pipe they would wait, and hear no
/// signal.
#[cfg(unix)]
#[test]
fn own_engines_refuse_files_that_cannot_be_read() {
    let place = TestFolder::with(&[("p.epd", "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#;\n")]);
    nix::unistd::mkfifo(&place.file("fifo"), nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
    for (option, file) in [
        ("1:WeightsFile", "no/such.toml"),
        ("2:BookFile", "no/such.bin"),
        ("LibraryFile", "no/such.klib"),
        ("SyzygyPath", "no/folder"),
        ("1:BookFile", "fifo"),
        ("1:WeightsFile", "fifo"),
        ("1:LibraryFile", "fifo"),
    ] {
        let line = "match kashan:alphabeta kashan:genetic --tc nodes=9 --option";
        place.refuses(&format!("{line} {option}={file}"), &[file]);
    }
    place.refuses(
        "solve p.epd --engine kashan:alphabeta --option WeightsFile=no/such.toml",
        &["no/such.toml"],
    );
}

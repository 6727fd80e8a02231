//! Games and analysis under the programs that users have: xboard with Fairy-Max as the opponent, and
//! python-chess.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::programs::{Spoiled, have, have_python_chess, run, run_python, text, try_again};

const ENGINE: &str = env!("CARGO_BIN_EXE_kashan");

fn games() -> usize {
    env::var("KASHAN_GAMES").ok().and_then(|games| games.parse().ok()).unwrap_or(2)
}

fn full_time() -> bool {
    env::var("KASHAN_FULL_TIME").is_ok_and(|value| value == "1")
}

/// The seconds after which a game hangs, and is not only slow.
fn hangs() -> usize {
    if full_time() { 300 } else { 120 }
}

/// xboard without a screen, about to play a match of so many games. It calls flags, and adjudicates a draw
/// when a position has come so many times.
fn xboard(games: usize, repetitions: usize) -> Command {
    let numbers = [games * hangs(), games, repetitions];
    let [seconds, games, repetitions] = numbers.map(|number| number.to_string());
    let mut command = Command::new("xvfb-run");
    // "timeout" inside: outside it would leave xboard behind.
    command.args(["-a", "timeout", "-k", "5", &seconds, "xboard", "-noGUI", "-xexit"]);
    command.args(["-saveSettingsOnExit", "false", "-soundProgram", "true"]);
    command.args(["-matchPause", "300", "-autoCallFlag", "true"]);
    command.args(["-repeatsToDraw", &repetitions, "-mm", "-mg", &games]);
    command
}

/// A match under xboard against Fairy-Max. Fails if any game ends otherwise than by the rules of chess.
/// Stalls of the machine are what `MoveOverhead` is for: the options of all matches but one name a large one.
fn xboard_match(name: &str, level: &[&str], options: &str, more: &[&str]) {
    if have(&["xvfb-run", "xboard", "fairymax", "timeout"]) {
        try_again(|| try_match(name, level, options, more));
    }
}

/// Fairy-Max crashes now and then, and xboard may wait for its answers for ever: who starts it ends xboard.
const FAIRY_MAX: &str = "fairymax; [ $? -lt 128 ] || { echo 'Fairy-Max is dead'; sleep 1; kill $PPID; }";
const DEATH: &str = "<second: Fairy-Max is dead";

/// An error is worth another try: Fairy-Max has died or claimed what is not so, or we lost on time.
fn try_match(name: &str, level: &[&str], options: &str, more: &[&str]) -> Result<(), Spoiled> {
    let folder = tempfile::tempdir().expect("a place for the games");
    let pgn = folder.path().join("games.pgn");
    let debug = folder.path().join("debug.txt");
    let games = games();
    let mut command = xboard(games, 3);
    let first = format!("{ENGINE} --all-options");
    let fairy_max = folder.path().join("fairymax.sh");
    fs::write(&fairy_max, FAIRY_MAX).expect("a place for the games");
    let second = format!("sh {}", fairy_max.display());
    command.args(["-fcp", &first, "-fd", "", "-scp", &second, "-firstOptions"]);
    command.arg(options);
    command.args(level).args(more).arg("-sgf").arg(&pgn);
    command.args(["-debug", "-nameOfDebugFile"]).arg(&debug);
    let output = run(&mut command);
    let log = fs::read(&debug).map(|log| String::from_utf8_lossy(&log).into_owned()).unwrap_or_default();
    let told = format!("{name}: {}\n{}", text(&output), tail(&log));
    let died = |line: &&str| {
        line.contains(DEATH) || line.contains("second chess program") && line.contains("exited unexpectedly")
    };
    if let Some(line) = text(&output).lines().chain(log.lines()).find(died) {
        return Err(Spoiled::ByOthers(format!("{name}: {line}")));
    }
    assert!(output.status.success(), "{told}");
    println!("{name}: {}", text(&output).trim());

    let written = fs::read_to_string(&pgn).expect("xboard wrote the games");
    let result_tags = written.lines().filter(|line| line.starts_with("[Result ")).count();
    assert_eq!(result_tags, games, "{told}");
    let games_written: Vec<&str> = written.split("[Event ").skip(1).collect();
    for bad in ["forfeit", "crash", "exited", "illegal", "hung", "unfinished", "\"*\""] {
        let found = games_written.iter().find(|game| game.to_lowercase().contains(bad));
        assert_eq!(found, None, "{name}: {written}");
    }
    // Fairy-Max claims a repetition now and then that is none, because a pawn could be taken in passing.
    let (false_claims, fair): (Vec<&str>, Vec<&str>) =
        games_written.into_iter().partition(|game| game.to_lowercase().contains("false"));
    assert!(false_claims.iter().all(|game| won_by_us(game)), "{name}: {written}");
    for line in log.lines().filter(|line| line.contains("<first : ")) {
        let complaint = line.contains("Error (") || line.contains("Illegal move");
        assert!(!complaint, "{name}: {line}");
    }
    check_pgn(&pgn, games);
    // On a busy machine the opponent may overstep its time, and we hardly ever.
    for game in fair {
        let lost_on_time = match we_are_white(game) {
            true => "black wins on time",
            false => "white wins on time",
        };
        if game.to_lowercase().contains(lost_on_time) {
            return Err(Spoiled::ByTime(format!("{name}: {game}")));
        }
    }
    match false_claims.first() {
        Some(game) => Err(Spoiled::ByOthers(format!("{name}: {game}"))),
        None => Ok(()),
    }
}

fn we_are_white(game: &str) -> bool {
    game.contains("[White \"Kashan")
}

fn won_by_us(game: &str) -> bool {
    game.contains(if we_are_white(game) { "[Result \"1-0\"]" } else { "[Result \"0-1\"]" })
}

fn tail(log: &str) -> String {
    let lines: Vec<&str> = log.lines().collect();
    lines[lines.len().saturating_sub(60)..].join("\n")
}

/// Two independent programs read the games.
fn check_pgn(pgn: &Path, games: usize) {
    if have(&["pgn-extract"]) {
        let output = run(Command::new("pgn-extract").args(["-s", "-r"]).arg(pgn));
        assert!(output.status.success() && text(&output).trim().is_empty(), "{}", text(&output));
    }
    if have_python_chess() {
        let pgn = pgn.to_str().expect("a path of letters");
        run_python(&["check_pgn.py", &games.to_string(), pgn]);
    }
}

#[test]
fn searches_play_fairy_max_by_the_clock() {
    let [game, session] = if full_time() { ["0:10", "0:20"] } else { ["0:03", "0:06"] };
    for (name, level, options, ponders) in [
        ("genetic", ["-tc", game, "-inc", "0.1"], "Backend=genetic", "-xponder"),
        ("sessions", ["-tc", session, "-mps", "40"], "MoveOverhead=100,Backend=genetic", "-xponder"),
        (
            "alpha-beta",
            ["-tc", "0:03", "-inc", "0.05"],
            "MoveOverhead=100,Backend=alphabeta,Resign=0,Hash=16",
            "-ponder",
        ),
    ] {
        xboard_match(name, &level, options, &[ponders]);
    }
}

/// By itself, so that it is played beside the others.
#[test]
fn min_max_plays_fairy_max_at_a_fixed_time() {
    let options = "MoveOverhead=100,Backend=minimax,MinMaxDepth=2";
    xboard_match("min-max", &["-st", "0:01"], options, &["-xponder"]);
}

#[test]
fn action_against_fairy_max_from_a_library_of_opening_lines() {
    let folder = tempfile::tempdir().expect("a place for the library");
    let library = folder.path().join("lines.klib");
    let lines = concat!(env!("CARGO_MANIFEST_DIR"), "/book");
    let built = run(Command::new(ENGINE).args(["library", "build", lines, "-o"]).arg(&library));
    assert!(built.status.success(), "{}", text(&built));
    let options =
        format!("MoveOverhead=100,Backend=action,OwnBook=0,Retain=1,LibraryFile={}", library.display());
    xboard_match("action", &["-tc", "0:03", "-inc", "0.05"], &options, &["-ponder"]);
}

/// A locked position, in which nobody can do anything: both engines repeat, one claims, and xboard grants it.
/// xboard itself would wait for more repetitions, and a false claim loses.
#[test]
fn claims_of_repetition_are_granted_by_xboard() {
    if !have(&["xvfb-run", "xboard", "timeout"]) {
        return;
    }
    let folder = tempfile::tempdir().expect("a place for the games");
    let (positions, pgn) = (folder.path().join("locked.epd"), folder.path().join("games.pgn"));
    let locked = "k7/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/K7 w - - 0 1\n";
    fs::write(&positions, locked.repeat(3)).expect("a place for the position");
    let mut command = xboard(4, 6);
    command.args(["-xponder", "-lpi", "-2"]);
    let engine = format!("{ENGINE} --all-options");
    command.args(["-fcp", &engine, "-scp", &engine, "-tc", "0:03", "-inc", "0.05"]);
    command.args([
        "-firstOptions",
        "Backend=minimax,MinMaxDepth=1,Evaluation=paper",
        "-secondOptions",
        "Backend=alphabeta,Hash=8,Evaluation=paper",
    ]);
    command.arg("-lpf").arg(&positions).arg("-sgf").arg(&pgn);
    let output = run(&mut command);
    assert!(output.status.success(), "{}", text(&output));
    let written = fs::read_to_string(&pgn).expect("xboard wrote the games");
    assert_eq!(written.matches("{Draw claim: 3-fold repetition} 1/2-1/2").count(), 4, "{written}");
}

#[test]
fn python_chess_drives_every_backend() {
    if have_python_chess() && have(&["timeout"]) {
        run_python(&["drive.py", ENGINE]);
    }
}

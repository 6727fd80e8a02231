//! Games under xboard, with Fairy-Max as the opponent.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::programs::{
    Spoiled, TestFolder, have, have_python_chess, run, run_python, source, text, try_again,
};

const ENGINE: &str = env!("CARGO_BIN_EXE_kashan");

fn games() -> usize {
    env::var("KASHAN_GAMES")
        .ok()
        .and_then(|games| games.parse().ok())
        .unwrap_or(2)
}

fn full_time() -> bool {
    env::var("KASHAN_FULL_TIME").is_ok_and(|value| value == "1")
}

/// xboard without a screen, about to play a match of so many games. It calls flags, and adjudicates
/// a draw when a position has come so many times.
fn xboard(games: usize, repetitions: usize) -> Command {
    // The seconds after which a game hangs, and is not only slow.
    let hangs = if full_time() { 300 } else { 120 };
    let [seconds, games, repetitions] =
        [games * hangs, games, repetitions].map(|number| number.to_string());
    let mut command = Command::new("xvfb-run");
    // "timeout" inside: outside it would leave xboard behind.
    command.args([
        "-a", "timeout", "-k", "5", &seconds, "xboard", "-noGUI", "-xexit",
    ]);
    command.args(["-saveSettingsOnExit", "false", "-soundProgram", "true"]);
    command.args(["-matchPause", "300", "-autoCallFlag", "true"]);
    command.args(["-repeatsToDraw", &repetitions, "-mm", "-mg", &games]);
    command
}

/// A match under xboard against Fairy-Max. Fails if any game ends otherwise than by the rules of
/// chess. Stalls of the machine are what `MoveOverhead` is for: the options of all matches but one
/// name a large one.
fn xboard_match(name: &str, level: &[&str], options: &str, more: &[&str]) {
    if have(&["xvfb-run", "xboard", "fairymax", "timeout"]) {
        try_again(|| try_match(name, level, options, more));
    }
}

/// Fairy-Max crashes now and then, and xboard may wait for its answers for ever: who starts it ends
/// xboard.
const FAIRY_MAX: &str =
    "fairymax; [ $? -lt 128 ] || { echo 'Fairy-Max is dead'; sleep 1; kill $PPID; }";
const DEATH: &str = "<second: Fairy-Max is dead";

/// An error is worth another try: Fairy-Max has died or claimed what is not so, or we lost on time.
fn try_match(name: &str, level: &[&str], options: &str, more: &[&str]) -> Result<(), Spoiled> {
    let place = TestFolder::with(&[("fairymax.sh", FAIRY_MAX)]);
    let [pgn, debug, fairy_max] =
        ["games.pgn", "debug.txt", "fairymax.sh"].map(|name| place.file(name));
    let games = games();
    let mut command = xboard(games, 3);
    let first = format!("{ENGINE} --all-options");
    let second = format!("sh {}", fairy_max.display());
    command.args([
        "-fcp",
        &first,
        "-fd",
        "",
        "-scp",
        &second,
        "-firstOptions",
        options,
    ]);
    command.args(level).args(more).arg("-sgf").arg(&pgn);
    let output = run(command.args(["-debug", "-nameOfDebugFile"]).arg(&debug));
    let log = fs::read(&debug)
        .map(|log| String::from_utf8_lossy(&log).into_owned())
        .unwrap_or_default();
    let lines: Vec<&str> = log.lines().collect();
    let last_lines = lines[lines.len().saturating_sub(60)..].join("\n");
    let told = format!("{name}: {}\n{last_lines}", text(&output));
    let died = |line: &&str| {
        line.contains(DEATH)
            || line.contains("second chess program") && line.contains("exited unexpectedly")
    };
    if let Some(line) = text(&output).lines().chain(log.lines()).find(died) {
        return Err(Spoiled::ByOthers(format!("{name}: {line}")));
    }
    assert!(output.status.success(), "{told}");
    println!("{name}: {}", text(&output).trim());

    let written = fs::read_to_string(&pgn).expect("xboard wrote the games");
    let result_tags = written
        .lines()
        .filter(|line| line.starts_with("[Result "))
        .count();
    assert_eq!(result_tags, games, "{told}");
    let games_written: Vec<&str> = written.split("[Event ").skip(1).collect();
    for bad in [
        "forfeit",
        "crash",
        "exited",
        "illegal",
        "hung",
        "unfinished",
        "\"*\"",
    ] {
        let found = games_written
            .iter()
            .find(|game| game.to_lowercase().contains(bad));
        assert_eq!(found, None, "{name}: {written}");
    }
    // Fairy-Max claims a repetition now and then that is none, because a pawn could be taken in
    // passing.
    let (false_claims, fair): (Vec<&str>, Vec<&str>) = games_written
        .into_iter()
        .partition(|game| game.to_lowercase().contains("false"));
    assert!(
        false_claims.iter().all(|game| won_by_us(game)),
        "{name}: {written}"
    );
    for line in log.lines().filter(|line| line.contains("<first : ")) {
        let complaint = line.contains("Error (") || line.contains("Illegal move");
        assert!(!complaint, "{name}: {line}");
    }
    check_pgn(&pgn, games);
    // On a busy machine the opponent may overstep its time, and we hardly ever.
    for game in fair {
        let lost_on_time = if we_are_white(game) {
            "black wins on time"
        } else {
            "white wins on time"
        };
        if game.to_lowercase().contains(lost_on_time) {
            return Err(Spoiled::ByTime(format!("{name}: {game}")));
        }
    }
    false_claims.first().map_or(Ok(()), |game| {
        Err(Spoiled::ByOthers(format!("{name}: {game}")))
    })
}

fn we_are_white(game: &str) -> bool {
    game.contains("[White \"Kashan")
}

fn won_by_us(game: &str) -> bool {
    game.contains(if we_are_white(game) {
        "[Result \"1-0\"]"
    } else {
        "[Result \"0-1\"]"
    })
}

/// Two independent programs read the games.
fn check_pgn(pgn: &Path, games: usize) {
    if have(&["pgn-extract"]) {
        let output = run(Command::new("pgn-extract").args(["-s", "-r"]).arg(pgn));
        assert!(
            output.status.success() && text(&output).trim().is_empty(),
            "{}",
            text(&output)
        );
    }
    if have_python_chess() {
        let pgn = pgn.to_str().expect("a path of letters");
        run_python(&["check_pgn.py", &games.to_string(), pgn]);
    }
}

#[test]
fn searches_play_fairy_max_by_the_clock() {
    let [game, session] = if full_time() {
        ["0:10", "0:20"]
    } else {
        ["0:03", "0:06"]
    };
    let genetic = "MoveOverhead=100,Backend=genetic";
    let alpha_beta = "MoveOverhead=100,Backend=alphabeta,Resign=0,Hash=16";
    xboard_match(
        "genetic",
        &["-tc", game, "-inc", "0.1"],
        "Backend=genetic",
        &["-xponder"],
    );
    xboard_match(
        "sessions",
        &["-tc", session, "-mps", "40"],
        genetic,
        &["-xponder"],
    );
    xboard_match(
        "alpha-beta",
        &["-tc", "0:03", "-inc", "0.05"],
        alpha_beta,
        &["-ponder"],
    );
}

/// A second is the least that xboard can say; a depth ends Fairy-Max's long before.
#[test]
fn min_max_plays_fairy_max_at_a_fixed_time_and_depth() {
    let options = "MoveOverhead=100,Backend=minimax,MinMaxDepth=2";
    xboard_match(
        "min-max",
        &["-st", "0:01", "-depth", "6"],
        options,
        &["-xponder"],
    );
}

#[test]
fn action_against_fairy_max_from_a_library_of_opening_lines() {
    let place = TestFolder::new();
    let built = run(&mut place.command(&format!(
        "library build '{}' -o lines.klib",
        source("book/openings")
    )));
    assert!(built.status.success(), "{}", text(&built));
    let library = place.file("lines.klib").display().to_string();
    let options =
        format!("MoveOverhead=100,Backend=action,OwnBook=0,Retain=1,LibraryFile={library}");
    xboard_match(
        "action",
        &["-tc", "0:03", "-inc", "0.05"],
        &options,
        &["-ponder"],
    );
}

/// A locked position, in which nobody can do anything: both engines repeat, one claims, and xboard
/// grants it. xboard itself would wait for more repetitions, and a false claim loses.
#[test]
fn claims_of_repetition_are_granted_by_xboard() {
    if !have(&["xvfb-run", "xboard", "timeout"]) {
        return;
    }
    let locked = "k7/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/K7 w - - 0 1\n";
    let place = TestFolder::with(&[("locked.epd", &locked.repeat(3))]);
    let mut command = xboard(4, 6);
    command.args(["-xponder", "-lpi", "-2"]);
    let engine = format!("{ENGINE} --all-options");
    command.args([
        "-fcp", &engine, "-scp", &engine, "-tc", "0:03", "-inc", "0.05",
    ]);
    command.args([
        "-firstOptions",
        "Backend=minimax,MinMaxDepth=1,Evaluation=paper",
    ]);
    command.args([
        "-secondOptions",
        "Backend=alphabeta,Hash=8,Evaluation=paper",
    ]);
    command
        .arg("-lpf")
        .arg(place.file("locked.epd"))
        .arg("-sgf")
        .arg(place.file("games.pgn"));
    let output = run(&mut command);
    assert!(output.status.success(), "{}", text(&output));
    let written = place.read("games.pgn");
    assert_eq!(
        written
            .matches("{Draw claim: 3-fold repetition} 1/2-1/2")
            .count(),
        4,
        "{written}"
    );
}

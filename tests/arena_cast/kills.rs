//! A long tournament that is killed again and again: nothing is lost, nothing doubled, and the
//! memory does not grow with the games' moves.
//!
//! It is a scenario like the others. `KASHAN_CAST_GAMES` says how many games; with 10,000 it takes
//! minutes.

use std::fs::{self, File};
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use kashan::arena::{EngineSpec, Protocol};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::common::games;
use super::common::programs::TestFolder;
use super::common::running::Running;
use super::scenarios::{self, PATIENCE, Scenario};

pub fn all() -> Vec<(String, Scenario)> {
    vec![(
        "killed".to_owned(),
        Box::new(|| killed_again_and_again(scenarios::number_of_games(300), 10)),
    )]
}

/// A tournament of two engines that move at once. How long a game is does not matter here.
fn tournament(games: usize) -> TestFolder {
    let engine = |name: &str, protocol| {
        let EngineSpec {
            command, arguments, ..
        } = scenarios::cast("good", protocol);
        format!(
            "[[engines]]\nname = \"{name}\"\ncommand = '{command}'\narguments = {arguments:?}\n"
        )
    };
    let engines = engine("A", Protocol::Uci) + &engine("B", Protocol::Xboard);
    let text = format!(
        "games = {games}\nlimits = \"300\"\nconcurrency = 2\nadjudication = {{ max_moves = 8 }}\n{engines}"
    );
    TestFolder::with(&[("cup.toml", &text)])
}

/// Starts a tournament. Its standard error goes to the file `errors`.
fn start(tournament: &TestFolder) -> Running {
    let mut command = tournament.command("tournament cup.toml --report-every 0");
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command.stderr(File::create(tournament.file("errors")).expect("a file for the errors"));
    Running(command.spawn().expect("it starts"))
}

fn killed_again_and_again(games: usize, kills: usize) {
    let tournament = tournament(games);
    let [journal, pgn] = ["cup.journal", "cup.pgn"].map(|name| tournament.file(name));
    let errors = || tournament.read("errors");
    // Only whole lines of the journal count.
    let lines =
        || fs::read(&journal).map_or(0, |text| text.iter().filter(|&&byte| byte == b'\n').count());
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2026);
    let mut memory: Vec<(usize, usize)> = Vec::new();
    let mut before = 0;
    for kill in 1..=kills {
        let mut running = start(&tournament);
        // At a random moment behind the last games of its share: in a game, between two, while one
        // is written. Some games are left for the run that nobody kills.
        let share = games * kill / (kills + kills / 8 + 1);
        let deadline = Instant::now() + PATIENCE * 20;
        while lines() < share + 1 {
            assert!(running.is_running(), "kill {kill}: {}", errors());
            assert!(Instant::now() < deadline, "no more games");
            thread::sleep(Duration::from_millis(5));
        }
        thread::sleep(Duration::from_micros(random.random_range(0..20_000)));
        assert!(
            running.is_running(),
            "kill {kill}: it ended before it was killed; {}",
            errors()
        );
        let kilobytes = scenarios::status(&running.0.id().to_string(), "VmRSS:");
        memory.extend(kilobytes.map(|kilobytes| (share, kilobytes)));
        // SIGKILL.
        drop(running);
        let after = games::in_journal(&journal).len();
        assert!(after >= before, "kill {kill}: {before} games, then {after}");
        before = after;
    }
    assert!(
        start(&tournament).0.wait().expect("it ends").success(),
        "{}",
        errors()
    );
    games::check_finished(&journal, &pgn, games);
    println!("games and kilobytes of memory: {memory:?}");
    // It may grow by what the results need of a game, and not by its moves. In a short tournament
    // that is noise.
    if let [(first, few), .., (last, many)] = memory[..] {
        let growth = many.saturating_sub(few) as f64 / (last - first) as f64;
        assert!(
            last < 1_000 || growth < 1.5,
            "{growth:.2} kB a game: moves of games that were played"
        );
    }
}

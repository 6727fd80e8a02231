//! A long tournament that is killed again and again: nothing is lost, nothing doubled, and the memory does
//! not grow with the games' moves.
//!
//! It is a scenario like the others. `KASHAN_CAST_GAMES` says how many games; with 10,000 it takes minutes.

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use kashan::arena::Protocol;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::games;
use super::running::Running;
use super::scenarios::{self, PATIENCE, Scenario};

pub fn all() -> Vec<(String, Scenario)> {
    vec![("killed".to_owned(), Box::new(|| killed_again_and_again(scenarios::number_of_games(300), 10)))]
}

struct Tournament {
    _folder: tempfile::TempDir,
    file: PathBuf,
    journal: PathBuf,
    pgn: PathBuf,
    errors: PathBuf,
}

impl Tournament {
    /// Two engines that move at once. How long a game is does not matter here.
    fn new(games: usize) -> Tournament {
        let folder = tempfile::tempdir().expect("a folder");
        let engine = |name: &str, protocol| {
            let spec = scenarios::cast("good", protocol);
            let arguments =
                spec.arguments.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(", ");
            format!(
                "[[engines]]\nname = \"{name}\"\ncommand = '{}'\narguments = [{arguments}]\n",
                spec.command
            )
        };
        let engines = engine("A", Protocol::Uci) + &engine("B", Protocol::Xboard);
        let text = format!(
            "games = {games}\nlimits = \"300\"\nconcurrency = 2\nadjudication = {{ max_moves = 8 }}\n{engines}"
        );
        let [file, journal, pgn, errors] =
            ["cup.toml", "cup.journal", "cup.pgn", "errors"].map(|name| folder.path().join(name));
        fs::write(&file, text).expect("written");
        Tournament { _folder: folder, file, journal, pgn, errors }
    }

    fn start(&self) -> Running {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kashan"));
        command.arg("tournament").arg(&self.file).args(["--report-every", "0"]);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command.stderr(File::create(&self.errors).expect("a file for the errors"));
        Running(command.spawn().expect("it starts"))
    }

    /// What the last run wrote to standard error.
    fn errors(&self) -> String {
        fs::read_to_string(&self.errors).unwrap_or_default()
    }

    /// The whole lines of the journal.
    fn lines(&self) -> usize {
        fs::read(&self.journal).map_or(0, |text| text.iter().filter(|&&byte| byte == b'\n').count())
    }
}

fn killed_again_and_again(games: usize, kills: usize) {
    let tournament = Tournament::new(games);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2026);
    let mut memory: Vec<(usize, usize)> = Vec::new();
    let mut before = 0;
    for kill in 1..=kills {
        let mut running = tournament.start();
        // At a random moment behind the last games of its share: in a game, between two, while one is
        // written. Some games are left for the run that nobody kills.
        let share = games * kill / (kills + kills / 8 + 1);
        let deadline = Instant::now() + PATIENCE * 20;
        while tournament.lines() < share + 1 {
            assert!(running.is_running(), "kill {kill}: {}", tournament.errors());
            assert!(Instant::now() < deadline, "no more games");
            thread::sleep(Duration::from_millis(5));
        }
        thread::sleep(Duration::from_micros(random.random_range(0..20_000)));
        assert!(running.is_running(), "kill {kill}: it ended before it was killed; {}", tournament.errors());
        let kilobytes = scenarios::status(&running.0.id().to_string(), "VmRSS:");
        memory.extend(kilobytes.map(|kilobytes| (share, kilobytes)));
        // SIGKILL.
        drop(running);
        let after = games::in_journal(&tournament.journal).len();
        assert!(after >= before, "kill {kill}: {before} games, then {after}");
        before = after;
    }
    let mut running = tournament.start();
    assert!(running.0.wait().expect("it ends").success(), "{}", tournament.errors());
    games::check_finished(&tournament.journal, &tournament.pgn, games);
    println!("games and kilobytes of memory: {memory:?}");
    // It may grow by what the results need of a game, and not by its moves. In a short tournament that is
    // noise.
    if let [(first, few), .., (last, many)] = memory[..] {
        let growth = many.saturating_sub(few) as f64 / (last - first) as f64;
        assert!(last < 1_000 || growth < 1.5, "{growth:.2} kB a game: moves of games that were played");
    }
}

//! A long tournament that is killed again and again: nothing is lost, nothing doubled, and neither memory nor
//! files grow faster than the games.
//!
//! The short one is a scenario like the others. The long one, 10,000 games and 100 kills, is played only by
//! its name: `cargo test --test arena_cast -- ten-thousand-games`. It takes minutes, with a program made by
//! `cargo build --release` fewer of them: `KASHAN_EXECUTABLE=target/release/kashan` in front names it.

use std::env;
use std::fs::{self, File};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use kashan::arena::Protocol;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::games;
use super::scenarios::{self, PATIENCE, Scenario};

/// What is played with all others.
pub fn all() -> Vec<(String, Scenario)> {
    vec![("killed".to_owned(), Box::new(|| killed_again_and_again(300, 10)))]
}

/// What is played only by its name.
pub fn on_request() -> Vec<(String, Scenario)> {
    let long = |name: &str, games| -> (String, Scenario) {
        (name.to_owned(), Box::new(move || killed_again_and_again(games, 100)))
    };
    vec![long("ten-thousand-games", 10_000), long("two-thousand-games", 2_000)]
}

/// Names the program that is killed, if not the one that belongs to this test.
const PROGRAM: &str = "KASHAN_EXECUTABLE";

/// How long a game's moves are does not matter here.
const MOVES: u32 = 8;

struct Tournament {
    _folder: tempfile::TempDir,
    file: PathBuf,
    journal: PathBuf,
    pgn: PathBuf,
    errors: PathBuf,
}

impl Tournament {
    /// Two engines that move at once.
    fn new(games: usize) -> Tournament {
        let folder = tempfile::tempdir().expect("a folder");
        let engine = |name: &str, protocol| {
            let spec = scenarios::cast("good", protocol, &folder);
            let arguments =
                spec.arguments.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(", ");
            format!(
                "[[engines]]\nname = \"{name}\"\ncommand = '{}'\narguments = [{arguments}]\n",
                spec.command
            )
        };
        let engines = engine("A", Protocol::Uci) + &engine("B", Protocol::Xboard);
        let text = format!(
            "games = {games}\nlimits = \"300\"\nconcurrency = 2\nadjudication = {{ max_moves = {MOVES} }}\n{engines}"
        );
        let [file, journal, pgn, errors] =
            ["cup.toml", "cup.journal", "cup.pgn", "errors"].map(|name| folder.path().join(name));
        fs::write(&file, text).expect("written");
        Tournament { _folder: folder, file, journal, pgn, errors }
    }

    fn command(&self) -> Command {
        let program = env::var_os(PROGRAM).unwrap_or(env!("CARGO_BIN_EXE_kashan").into());
        let mut command = Command::new(program);
        command.arg("tournament").arg(&self.file).args(["--report-every", "0"]);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command.stderr(File::create(&self.errors).expect("a file for the errors"));
        command
    }

    /// What the last run wrote to standard error.
    fn errors(&self) -> String {
        fs::read_to_string(&self.errors).unwrap_or_default()
    }

    /// The size of both files.
    fn sizes(&self) -> [u64; 2] {
        [&self.journal, &self.pgn].map(|path| fs::metadata(path).map_or(0, |metadata| metadata.len()))
    }
}

/// A run of the arena; killed with its engines if the test fails.
struct Running(Child);

impl Running {
    /// Kilobytes of memory, as the system tells them: now, and the most so far.
    fn memory(&self) -> Option<[u64; 2]> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.0.id())).ok()?;
        let line = |name: &str| status.lines().find_map(|line| line.strip_prefix(name));
        let number = |name| line(name)?.split_whitespace().next()?.parse().ok();
        Some([number("VmRSS:")?, number("VmHWM:")?])
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

fn killed_again_and_again(games: usize, kills: usize) {
    let tournament = Tournament::new(games);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2026);
    let mut memory: Vec<(usize, [u64; 2])> = Vec::new();
    let mut sizes: Vec<(usize, [u64; 2])> = Vec::new();
    let mut before = 0;
    let mut lines = Lines::default();
    let begun = Instant::now();
    for kill in 1..=kills {
        let mut running = Running(tournament.command().spawn().expect("it starts"));
        // At a random moment behind the last games of its share: in a game, between two, while one is
        // written.
        // Some games are left for the run that nobody kills.
        let share = games * kill / (kills + kills / 8 + 1);
        let deadline = Instant::now() + PATIENCE * 20;
        while lines.count(&tournament.journal) < share + 1 {
            assert!(running.is_running(), "kill {kill}: {}", tournament.errors());
            assert!(Instant::now() < deadline, "no more games");
            thread::sleep(Duration::from_millis(5));
        }
        thread::sleep(Duration::from_micros(random.random_range(0..20_000)));
        assert!(running.is_running(), "kill {kill}: it ended before it was killed; {}", tournament.errors());
        memory.extend(running.memory().map(|memory| (share, memory)));
        // SIGKILL.
        drop(running);
        let after = games::in_journal(&tournament.journal).len();
        assert!(after >= before, "kill {kill}: {before} games, then {after}");
        before = after;
        sizes.push((after, tournament.sizes()));
    }
    let mut running = Running(tournament.command().spawn().expect("it starts"));
    assert!(running.0.wait().expect("it ends").success(), "{}", tournament.errors());
    games::check_finished(&tournament.journal, &tournament.pgn, games);
    println!(
        "{games} games, {kills} kills, {:.0} s: every game is there once",
        begun.elapsed().as_secs_f64()
    );
    for (games, [journal, pgn]) in sizes.iter().step_by(kills.div_ceil(10)) {
        let each = |size: &u64| size / (*games).max(1) as u64;
        println!("{games:6} games: {:5} bytes of journal and {:5} of PGN for each", each(journal), each(pgn));
    }
    for (games, [now, most]) in memory.iter().step_by(kills.div_ceil(10)) {
        println!("{games:6} games: {now:6} kB of memory, at most {most:6} kB");
    }
    is_constant(&sizes, &memory);
}

/// Files take as much for each game at the end as at the beginning. The memory may grow by what the results
/// need of a game, and not by its moves.
fn is_constant(sizes: &[(usize, [u64; 2])], memory: &[(usize, [u64; 2])]) {
    let [(first, few), .., (last, many)] = sizes else {
        panic!("two kills at least");
    };
    for (few, many) in few.iter().zip(many) {
        let (early, late) = (*few as f64 / *first as f64, *many as f64 / *last as f64);
        assert!((0.8..1.25).contains(&(late / early)), "{early:.0} bytes for a game, then {late:.0}");
    }
    if let [(first, [few, _]), .., (last, [many, _])] = memory {
        let growth = many.saturating_sub(*few) as f64 / (last - first) as f64;
        println!("memory grows by {growth:.2} kB for a game");
        // In a short tournament that is noise.
        assert!(*last < 1_000 || growth < 1.5, "moves of games that were played fill the memory");
    }
}

/// Counts the whole lines of a journal as it grows: a torn line at its end is all that is ever taken away.
#[derive(Default)]
struct Lines {
    count: usize,
    bytes: u64,
}

impl Lines {
    fn count(&mut self, journal: &Path) -> usize {
        let mut new = Vec::new();
        if let Ok(mut file) = File::open(journal) {
            file.seek(SeekFrom::Start(self.bytes)).expect("a file");
            file.read_to_end(&mut new).expect("it can be read");
        }
        for line in new.split_inclusive(|&byte| byte == b'\n').filter(|line| line.ends_with(b"\n")) {
            self.count += 1;
            self.bytes += line.len() as u64;
        }
        self.count
    }
}

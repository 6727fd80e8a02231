//! What users see of a match or a tournament while it runs and when they come back to it. The engines are
//! scripts that give up at once, so that games last no time.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use crate::common::programs;
use serde_json::Value;

/// An xboard engine that calls itself `name`, or says nothing of it, and resigns when it has to move.
fn resigner(folder: &Path, file: &str, name: &str) -> String {
    let path = folder.join(file);
    let says = if name.is_empty() { String::new() } else { format!("myname=\"{name}\" ") };
    let script = format!(
        "#!/bin/sh\nmode=play\nwhile read word rest; do case $word in\n\
         protover) echo 'feature ping=1 sigint=0 colors=0 usermove=1 setboard=1 {says}done=1';;\n\
         ping) echo \"pong $rest\";;\nforce) mode=force;;\nnew) mode=play;;\n\
         go) mode=play; echo resign;;\nusermove) [ $mode = play ] && echo resign;;\nquit) exit 0;;\nesac; done\n"
    );
    fs::write(&path, script).expect("written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("made executable");
    path.display().to_string()
}

struct Ground {
    folder: tempfile::TempDir,
    engines: [String; 2],
}

impl Ground {
    /// Two engines that call themselves the same.
    fn new() -> Ground {
        let folder = tempfile::tempdir().expect("a folder");
        let engines = ["one", "two"].map(|file| resigner(folder.path(), file, "Tortoise  1.2"));
        Ground { folder, engines }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn kashan(&self, arguments: &[&str]) -> (bool, String, String) {
        programs::kashan(self.folder.path(), arguments)
    }

    /// A match of the two, which has to succeed; what it prints.
    fn plays(&self, arguments: &[&str]) -> String {
        let (success, out, err) = self.duel(arguments);
        assert!(success, "{arguments:?}: {out}{err}");
        out
    }

    fn duel(&self, arguments: &[&str]) -> (bool, String, String) {
        let [one, two] = &self.engines;
        let all = [&["match", one, two, "--tc", "10+1", "--each", "protocol=xboard"], arguments].concat();
        self.kashan(&all)
    }

    fn games(&self, journal: &str) -> Vec<Value> {
        let text = fs::read_to_string(self.path(journal)).expect("a journal");
        text.lines().skip(1).map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }
}

/// Suspended while an engine thinks, as by Control-Z, the runner hears its move too late.
#[test]
fn a_game_in_which_the_runner_was_suspended_is_played_again() {
    use nix::sys::signal::{Signal, kill};
    let ground = Ground::new();
    // It thinks for a second, and tells by a file that it does.
    for engine in &ground.engines {
        let script = fs::read_to_string(engine)
            .expect("a script")
            .replace("echo resign", "touch thinks; sleep 1; echo resign");
        fs::write(engine, script).expect("written");
    }
    let [one, two] = &ground.engines;
    let mut runner = std::process::Command::new(env!("CARGO_BIN_EXE_kashan"))
        .current_dir(ground.folder.path())
        .args(["match", one, two, "--tc", "3", "--each", "protocol=xboard", "--games", "2", "--journal", "j"])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("it starts");
    let begun = std::time::Instant::now();
    while !ground.path("thinks").exists() {
        assert!(begun.elapsed() < std::time::Duration::from_secs(60), "no engine thinks");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let runner_id = nix::unistd::Pid::from_raw(runner.id() as i32);
    kill(runner_id, Signal::SIGSTOP).expect("it runs");
    std::thread::sleep(std::time::Duration::from_secs(4));
    kill(runner_id, Signal::SIGCONT).expect("it is there");
    let mut errors = String::new();
    std::io::Read::read_to_string(&mut runner.stderr.take().expect("piped"), &mut errors).expect("text");
    assert!(runner.wait().expect("it ends").success(), "{errors}");
    assert!(errors.contains("game 1 is played again"), "{errors}");
    let games = ground.games("j");
    let reasons: Vec<&str> =
        games.iter().filter_map(|game| game["game"]["result"]["reason"].as_str()).collect();
    assert_eq!(reasons, ["resignation"; 2], "{errors}");
}

/// Standard output is a pipe here.
#[test]
fn progress_is_printed_where_there_is_no_terminal() {
    let ground = Ground::new();
    let out = ground.plays(&["--games", "8", "--report-every", "4", "--verbose", "--sprt", "0", "5"]);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], "8 games, 1 at a time");
    assert_eq!(lines[1], "1 (1.1)  Tortoise 1.2 - Tortoise 1.2 (2)  begins");
    assert!(
        lines[2].starts_with("1 (1.1)  Tortoise 1.2 - Tortoise 1.2 (2)  0-1  Tortoise 1.2 resigns"),
        "{out}"
    );
    assert_eq!(out.matches("  begins").count(), 8);
    assert_eq!(out.matches(" resigns, ").count(), 8);
    let reports: Vec<usize> =
        (0..lines.len()).filter(|&line| lines[line].starts_with("4 of 8 games, ")).collect();
    let [report] = reports[..] else { panic!("{out}") };
    assert!(lines[report].contains(" gone, ") && lines[report].ends_with(" left"), "{out}");
    for part in ["Lost  Score  Elo", "Tortoise 1.2 - Tortoise 1.2 (2)", "SPRT of", "LLR"] {
        assert!(lines[report..report + 8].iter().any(|line| line.contains(part)), "{part}: {out}");
    }
    let quiet = ground.plays(&["--games", "12", "--report-every", "0"]);
    assert!(!quiet.contains("begins") && !quiet.contains(" of 12 games, "), "{quiet}");
    let usual = ground.plays(&["--games", "12"]);
    assert!(usual.contains("\n10 of 12 games, "), "{usual}");
}

#[test]
fn a_tournament_reports_its_table() {
    let ground = Ground::new();
    let [one, two] = &ground.engines;
    let engines: String = [one, two, one]
        .iter()
        .map(|command| format!("[[engines]]\ncommand = \"{command}\"\nprotocol = \"xboard\"\n"))
        .collect();
    fs::write(ground.path("cup.toml"), format!("rounds = 2\nlimits = \"10+1\"\n{engines}")).expect("written");
    let (success, out, err) = ground.kashan(&["tournament", "cup.toml", "--report-every", "5"]);
    assert!(success, "{out}{err}");
    assert!(out.contains("\n10 of 12 games, ") && out.contains("Tortoise 1.2 (3)"), "{out}");
    assert_eq!(ground.games("cup.journal").len(), 12);
}

#[test]
fn games_are_added_to_a_match() {
    let ground = Ground::new();
    let files = ["--journal", "m.journal", "--pgn", "m.pgn"];
    let run = |arguments: &[&str]| ground.duel(&[&files, arguments].concat());
    let refused = |arguments: &[&str], reasons: &[&str]| {
        let (success, _, err) = run(arguments);
        assert!(!success && reasons.iter().all(|reason| err.contains(reason)), "{err}");
    };
    refused(&["--games", "4", "--continue"], &["there is no journal m.journal"]);
    assert!(run(&["--games", "4"]).0);
    refused(&["--games", "8"], &["rounds: was 2, is 4", "--continue"]);
    refused(&["--games", "8", "--continue", "--seed", "2"], &["seed: was 1, is 2"]);
    refused(
        &["--games", "8", "--continue", "--name1", "Hare"],
        &["engine 1 (Tortoise 1.2), name: was Tortoise 1.2, is Hare"],
    );
    refused(&["--games", "2", "--continue"], &["none is taken away"]);
    refused(&["--continue"], &["--games"]);
    assert_eq!(ground.games("m.journal").len(), 4, "nothing was touched");
    let before = fs::read_to_string(ground.path("m.journal")).expect("a journal");
    let (success, out, err) = run(&["--games", "8", "--continue", "--report-every", "1"]);
    assert!(success, "{err}");
    // Games that were played before say nothing about the time of the others.
    assert!(out.starts_with("4 of 8 games were played before"), "{out}");
    assert!(out.contains("\n5 of 8 games, ") && !out.contains("\n4 of 8 games, "), "{out}");
    let after = fs::read_to_string(ground.path("m.journal")).expect("a journal");
    let games = |journal: &str| journal.split_once('\n').expect("a first line").1.to_owned();
    assert!(games(&after).starts_with(&games(&before)), "nothing is played again, nothing is lost");
    assert_eq!(ground.games("m.journal").len(), 8);
    assert_eq!(fs::read_to_string(ground.path("m.pgn")).expect("a PGN").matches("[Event ").count(), 8);
    // From then on it is a match of eight games.
    assert!(run(&["--games", "8"]).1.starts_with("8 of 8 games were played before"));
}

/// Which opening each pair had.
fn openings(games: &[Value]) -> Vec<Value> {
    games.iter().step_by(2).map(|game| game["game"]["opening"].clone()).collect()
}

#[test]
fn openings_begin_where_they_are_wanted() {
    let ground = Ground::new();
    let first = &["--games", "8", "--journal", "a.journal"];
    ground.plays(first);
    ground.plays(&["--games", "4", "--journal", "b.journal", "--opening-start", "3"]);
    assert_eq!(openings(&ground.games("a.journal"))[2..], openings(&ground.games("b.journal")));
}

#[test]
fn engines_are_called_what_they_call_themselves_and_keep_it() {
    let ground = Ground::new();
    let names = |journal: &str| {
        let game = ground.games(journal).pop().expect("a game");
        [&game["game"]["white"], &game["game"]["black"]].map(|name| name.as_str().expect("a name").to_owned())
    };
    ground.plays(&["--games", "2", "--journal", "a.journal"]);
    assert_eq!(names("a.journal"), ["Tortoise 1.2 (2)", "Tortoise 1.2"]);
    // A new version is still called what the match calls it; its own name is in the PGN.
    resigner(ground.folder.path(), "one", "Tortoise 1.3");
    ground.plays(&["--games", "4", "--continue", "--journal", "a.journal", "--pgn", "a.pgn"]);
    assert_eq!(names("a.journal"), ["Tortoise 1.2 (2)", "Tortoise 1.2"]);
    let pgn = fs::read_to_string(ground.path("a.pgn")).expect("a PGN");
    assert_eq!(pgn.matches("[BlackProgram \"Tortoise 1.3\"]").count(), 1, "{pgn}");
    assert!(pgn.contains("{book}") && pgn.contains("[WhiteType \"program\"]"), "{pgn}");
    // Given names count, and one that says nothing is called after its command.
    resigner(ground.folder.path(), "two", "");
    ground.plays(&["--games", "2", "--journal", "b.journal", "--name1", "Hare"]);
    assert_eq!(names("b.journal"), ["two", "Hare"]);
    // Journals of before go on with the names that they have.
    let journal = fs::read_to_string(ground.path("b.journal")).expect("a journal");
    fs::write(ground.path("c.journal"), journal.replace("\"two\"", "\"python3\"")).expect("written");
    ground.plays(&["--games", "4", "--continue", "--journal", "c.journal", "--name1", "Hare"]);
    assert_eq!(names("c.journal"), ["python3", "Hare"]);
}

#[test]
fn comments_of_moves_may_be_full() {
    let ground = Ground::new();
    let play = |comments: &[&str]| {
        let line = "match kashan:alphabeta kashan:alphabeta --tc depth=2 --games 2 --max-moves 6 \
                    --option OwnBook=0 --journal o.journal --pgn o.pgn";
        let arguments: Vec<&str> = line.split(' ').chain(comments.iter().copied()).collect();
        let (success, _, err) = ground.kashan(&arguments);
        assert!(success, "{err}");
        fs::read_to_string(ground.path("o.pgn")).expect("a PGN").replace('\n', " ")
    };
    let full = play(&["--pgn-comments", "full"]);
    let comments: Vec<&str> = full.split('{').filter_map(|part| part.split('}').next()).collect();
    assert_eq!(comments.iter().filter(|&&comment| comment == "book").count(), 16);
    let nodes = comments.iter().filter(|comment| comment.contains(" nodes, ") && comment.contains("/2 "));
    assert_eq!(nodes.count(), 8, "{full}");
    // The same games in another style are the same games.
    let short = play(&[]);
    assert!(!short.contains(" nodes") && short.matches("[Event ").count() == 2, "{short}");
    assert_eq!(play(&["--pgn-comments", "full"]), full);
}

/// Engines that write down where they run, a line for each process.
#[cfg(target_os = "linux")]
fn with_cores_noted(ground: &Ground) -> impl Fn() -> Vec<String> {
    for engine in &ground.engines {
        let script = fs::read_to_string(engine).expect("a script");
        // Children inherit it: this asks one.
        let note = "#!/bin/sh\ngrep Cpus_allowed_list /proc/self/status >> cores\n";
        fs::write(engine, script.replacen("#!/bin/sh\n", note, 1)).expect("written");
    }
    let path = ground.path("cores");
    move || {
        let text = fs::read_to_string(&path).expect("engines started");
        text.lines().filter_map(|line| line.split_whitespace().nth(1)).map(str::to_owned).collect()
    }
}

#[cfg(target_os = "linux")]
#[test]
fn engines_have_cores_of_their_own_if_that_is_wanted() {
    let ground = Ground::new();
    let cores = with_cores_noted(&ground);
    ground.plays(&["--games", "2"]);
    let (all, count) = (cores()[0].clone(), std::thread::available_parallelism().expect("cores").get());
    assert!(cores().iter().all(|allowed| *allowed == all), "{:?}", cores());
    fs::remove_file(ground.path("cores")).expect("there");
    let concurrency = count.to_string();
    let games = (20 * count).to_string();
    ground.plays(&["--games", &games, "--affinity", "--concurrency", &concurrency]);
    // Before the first game each engine is asked once, anywhere.
    let mut used = cores().split_off(2);
    used.sort();
    used.dedup();
    assert!(used.iter().all(|core| core.parse::<usize>().is_ok()), "one core each: {used:?}");
    assert!((1..=count).contains(&used.len()), "{used:?}");
    let too_many = (count + 1).to_string();
    let (success, out, err) = ground.duel(&["--games", "400", "--affinity", "--concurrency", &too_many]);
    assert!(!success && out.is_empty(), "{out}");
    assert!(
        err.contains(&format!("affinity: {too_many} games at once")) && err.contains("but there are"),
        "{err}"
    );
}

/// Everything on one core, whatever the machine has.
#[cfg(target_os = "linux")]
fn on_one_core(ground: &Ground, arguments: &[&str]) -> (String, String) {
    let output = std::process::Command::new("taskset")
        .args(["-c", "0", env!("CARGO_BIN_EXE_kashan")])
        .args(arguments)
        .current_dir(ground.folder.path())
        .output()
        .expect("taskset starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}", text(&output.stderr));
    (text(&output.stdout), text(&output.stderr))
}

#[cfg(target_os = "linux")]
#[test]
fn too_many_games_at_once_are_warned_of_and_games_that_do_not_exist_need_no_core() {
    if !programs::is_installed("taskset") {
        return;
    }
    let ground = Ground::new();
    let [one, two] = &ground.engines;
    let command = ["match", one, two, "--tc", "10+1", "--each", "protocol=xboard", "--concurrency", "8"];
    let (out, err) = on_one_core(&ground, &[&command[..], &["--games", "4"]].concat());
    assert!(out.starts_with("4 games, 4 at a time"), "{out}");
    assert!(err.contains("4 games at once") && err.contains("this machine has 1 core:"), "{err}");
    assert!(err.contains("concurrency 1 would fit"), "{err}");
    assert!(!err.contains("overloaded"), "they move at once: {err}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_machine_that_is_too_busy_is_warned_of_once_and_at_the_end() {
    if !programs::is_installed("taskset") {
        return;
    }
    let ground = Ground::new();
    let line = "match kashan:alphabeta kashan:alphabeta --tc 0.3/move --concurrency 4 --games 8 \
                --max-moves 8 --option OwnBook=0 --margin 60000";
    let (out, err) = on_one_core(&ground, &line.split(' ').collect::<Vec<_>>());
    assert_eq!(err.matches("the machine is overloaded: engines waited for a core in").count(), 1, "{err}");
    assert_eq!(out.matches("Warning: the machine is overloaded").count(), 1, "{out}");
}

/// With `ulimit -f` in front; the number is of kilobytes with most shells, half of that with some.
fn limited(ground: &Ground, blocks: u32, arguments: &[&str]) -> (bool, String) {
    let script = format!("ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let output = std::process::Command::new("sh")
        .args(["-c", &script, env!("CARGO_BIN_EXE_kashan")])
        .args(arguments)
        .current_dir(ground.folder.path())
        .output()
        .expect("sh starts");
    (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn a_limit_of_files_is_an_error_and_damages_nothing() {
    let ground = Ground::new();
    let [one, two] = &ground.engines;
    let engines = ["match", one, two, "--tc", "10+1", "--each", "protocol=xboard", "--games", "40"];
    let with = |files: &[&'static str]| [&engines[..], files].concat();
    for (files, file) in [
        (["--journal", "j.journal", "--pgn", "/dev/null"], "j.journal"),
        (["--journal", "p.journal", "--pgn", "p.pgn"], "p."),
    ] {
        let command = with(&files);
        let (success, err) = limited(&ground, 8, &command);
        assert!(!success && err.contains("File too large") && err.contains(file), "{err}");
        let journal = fs::read_to_string(ground.path(files[1])).expect("a journal");
        assert!(journal.ends_with('\n') && journal.lines().count() > 3, "{journal}");
        let played = ground.games(files[1]);
        let (success, out, err) = ground.kashan(&command);
        assert!(success, "{err}");
        assert!(!err.contains("being written"), "no line is torn: {err}");
        assert!(out.starts_with(&format!("{} of 40 games were played before", played.len())), "{out}");
        let all = ground.games(files[1]);
        assert_eq!((all.len(), &all[..played.len()]), (40, &played[..]));
    }
    assert_eq!(fs::read_to_string(ground.path("p.pgn")).expect("a PGN").matches("[Event ").count(), 40);
    // Only the PGN is too large.
    let only_pgn = ["--pgn", "only.pgn"];
    let (success, err) = limited(&ground, 8, &with(&only_pgn));
    assert!(!success && err.contains("only.pgn") && err.contains("File too large"), "{err}");
    let pgn = fs::read_to_string(ground.path("only.pgn")).expect("a PGN");
    assert!(pgn.ends_with("\n\n") && pgn.contains("[Event "), "whole games only: {pgn}");
}

/// Somebody else writes a file while the match is played that was free when it began.
#[test]
fn results_are_shown_also_where_they_cannot_be_written() {
    let ground = Ground::new();
    let script = fs::read_to_string(&ground.engines[0]).expect("a script");
    let script = script.replacen("#!/bin/sh\n", "#!/bin/sh\necho theirs > elo.svg\n", 1);
    fs::write(&ground.engines[0], script).expect("written");
    let (success, out, err) = ground.duel(&["--games", "2", "--svg", "elo.svg"]);
    assert!(!success && err.contains("elo.svg is there already"), "{err}");
    assert!(out.contains("scored 1 of 2 games"), "{out}");
    assert_eq!(fs::read_to_string(ground.path("elo.svg")).expect("there"), "theirs\n");
}

/// Who comes from another runner finds the options, and every option of ours that is named exists.
#[test]
fn options_of_other_runners_are_explained() {
    let ground = Ground::new();
    let (success, help, _) = ground.kashan(&["match", "--help"]);
    let (options, table) = help.split_once("Coming from cutechess-cli or fastchess").expect("a table");
    assert!(success && table.contains("-ratinginterval 10"), "{help}");
    let rows = table.lines().skip_while(|line| !line.starts_with("  theirs")).skip(1);
    let is_torn = |line: &&str| !line.is_empty() && !line.starts_with("  -");
    assert_eq!(rows.filter(is_torn).collect::<Vec<_>>(), [""; 0], "no row is wrapped");
    let words = table.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    let ours: Vec<&str> = words.filter(|word| word.starts_with("--")).collect();
    assert!(ours.len() > 30, "{ours:?}");
    for option in ours.iter().filter(|&&option| option != "--uci") {
        assert!(options.contains(&format!("  {option}")), "{option}");
    }
    assert!(!ground.kashan(&["match", "-h"]).1.contains("cutechess"), "the short help is short");
}

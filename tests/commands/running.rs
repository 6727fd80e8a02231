//! The view of users on a match or a tournament while it runs, and when they come back. The engines
//! are scripts that give up at once, so games last no time.
#![cfg(unix)]

use std::ops::Deref;
use std::process::{Command, Output};

use super::json_lines;
use crate::common::programs::{self, TestFolder, has_all, text};
use serde_json::Value;

/// A folder with two engines.
struct Ground(TestFolder);

impl Deref for Ground {
    type Target = TestFolder;

    fn deref(&self) -> &TestFolder {
        &self.0
    }
}

impl Ground {
    /// Two that call themselves the same.
    fn new() -> Ground {
        let ground = Ground(TestFolder::new());
        ["one", "two"]
            .iter()
            .for_each(|file| ground.resigner(file, "Tortoise  1.2"));
        ground
    }

    /// An xboard engine that calls itself `name`, or says nothing of it, and resigns when it has to
    /// move.
    fn resigner(&self, file: &str, name: &str) {
        let says = if name.is_empty() {
            String::new()
        } else {
            format!("myname=\"{name}\" ")
        };
        let script = format!(
            "#!/bin/sh\nresigns() {{ echo resign; }}\nmode=play\nwhile read word rest; do case $word in\n\
             protover) echo 'feature ping=1 sigint=0 colors=0 usermove=1 setboard=1 {says}done=1';;\n\
             ping) echo \"pong $rest\";;\nforce) mode=force;;\nnew) mode=play;;\n\
             go) mode=play; resigns;;\nusermove) [ $mode = play ] && resigns;;\nquit) exit 0;;\nesac; done\n"
        );
        self.write_script(file, &script);
    }

    /// Changes what the scripts of engines say.
    fn change(&self, files: &[&str], from: &str, to: &str) {
        files
            .iter()
            .for_each(|file| self.write(file, self.read(file).replace(from, to)));
    }

    /// The words of a match of the two.
    fn duel(&self, more: &str) -> String {
        format!("match ./one ./two --tc 10+1 --each protocol=xboard {more}")
    }

    /// A match of the two, which has to succeed; what it prints.
    fn plays(&self, more: &str) -> String {
        self.prints(&self.duel(more))
    }

    fn games(&self, journal: &str) -> Vec<Value> {
        json_lines(&self.read(journal)).split_off(1)
    }
}

/// The output and the errors of a command. The command must have succeeded.
fn said(output: &Output) -> (String, String) {
    assert!(output.status.success(), "{}", text(output));
    [&output.stdout, &output.stderr]
        .map(|bytes| String::from_utf8_lossy(bytes).into_owned())
        .into()
}

/// The number of games in a PGN.
fn count(pgn: &str) -> usize {
    pgn.matches("[Event ").count()
}

/// A line that cannot be true is told, counted, and a failure for whoever is strict.
#[test]
fn wrong_thinking_lines_are_counted_and_fail_where_it_is_strict() {
    let ground = Ground::new();
    let right = ground.plays("--games 2 --strict");
    assert!(!right.contains("thinking lines"), "{right}");
    ground.change(
        &["two"],
        "echo resign",
        "echo '1 20 1 9 a2a3 a2a4'; echo resign",
    );
    let line = "--games 4 --journal j --json";
    let result = |out: &str| serde_json::from_str::<Value>(out).expect("a result");
    assert_eq!(
        result(&ground.plays(line))["wrong_thinking"]["Tortoise 1.2 (2)"],
        2
    );
    let warned = |game: &Value| {
        game["game"]["warnings"]
            .to_string()
            .contains("is not legal")
    };
    assert_eq!(
        ground.games("j").iter().filter(|game| warned(game)).count(),
        2
    );
    let (success, out, errors) = ground.run(&ground.duel(&format!("{line} --strict")));
    assert!(!success && result(&out)["played"] == 4, "{out}");
    has_all(
        &errors,
        &["thinking lines were wrong, and --strict was asked for"],
    );
    let (success, out, _) = ground.run(&ground.duel("--games 4 --strict"));
    assert!(!success, "{out}");
    has_all(
        &out,
        &["The thinking lines of Tortoise 1.2 (2) were wrong in 2 games."],
    );
}

/// Standard output is a pipe here.
#[test]
fn progress_is_printed_where_there_is_no_terminal() {
    let ground = Ground::new();
    let out = ground.plays("--games 8 --report-every 4 --sprt 0 5");
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], "8 games, 1 at a time");
    let ends = "1 (1.1)  Tortoise 1.2 - Tortoise 1.2 (2)  0-1  Tortoise 1.2 resigns";
    assert!(lines[1].starts_with(ends), "{out}");
    let counts = [" resigns, ", "\n4 of 8 games, "].map(|text| out.matches(text).count());
    assert_eq!(counts, [8, 1], "{out}");
    let report = lines
        .iter()
        .position(|line| line.starts_with("4 of 8 games, "))
        .expect("a report");
    assert!(
        lines[report].contains(" gone, ") && lines[report].ends_with(" left"),
        "{out}"
    );
    let parts = [
        "Lost  Score  Elo",
        "Tortoise 1.2 - Tortoise 1.2 (2)",
        "SPRT of",
        "LLR",
    ];
    has_all(&lines[report..report + 8].join("\n"), &parts);
    let quiet = ground.plays("--games 12 --report-every 0");
    assert!(!quiet.contains(" of 12 games, "), "{quiet}");
    has_all(&ground.plays("--games 12"), &["\n10 of 12 games, "]);
}

#[test]
fn a_tournament_reports_its_table() {
    let ground = Ground::new();
    let engine =
        |file: &str| format!("[[engines]]\ncommand = \"./{file}\"\nprotocol = \"xboard\"\n");
    let engines = ["one", "two", "one"].map(engine).concat();
    ground.write(
        "cup.toml",
        format!("rounds = 2\nlimits = \"10+1\"\n{engines}"),
    );
    let parts = ["\n10 of 12 games, ", "Tortoise 1.2 (3)"];
    has_all(
        &ground.prints("tournament cup.toml --report-every 5"),
        &parts,
    );
    assert_eq!(ground.games("cup.journal").len(), 12);
}

#[test]
fn games_are_added_to_a_match() {
    let ground = Ground::new();
    let line = ground.duel("--journal m.journal --pgn m.pgn");
    let refused =
        |more: &str, parts: &[&str]| has_all(&ground.fails(&format!("{line} {more}")), parts);
    ground.prints(&format!("{line} --games 4"));
    refused("--games 8 --seed 2", &["seed: was 1, is 2"]);
    let name = "engine 1 (Tortoise 1.2), name: was Tortoise 1.2, is Hare";
    refused("--games 8 --each 1:name=Hare", &[name]);
    refused(
        "--games 2",
        &["the journal has a game 3, and this tournament has 2 games"],
    );
    assert_eq!(ground.games("m.journal").len(), 4, "nothing was touched");
    let before = ground.games("m.journal");
    let out = ground.prints(&format!("{line} --games 8 --report-every 1"));
    // Games that were played before say nothing about the time of the others.
    assert!(out.starts_with("4 of 8 games were played before"), "{out}");
    assert!(
        out.contains("\n5 of 8 games, ") && !out.contains("\n4 of 8 games, "),
        "{out}"
    );
    let after = ground.games("m.journal");
    assert!(
        after.starts_with(&before),
        "nothing is played again, nothing is lost"
    );
    assert_eq!((after.len(), count(&ground.read("m.pgn"))), (8, 8));
    // From then on it is a match of eight games.
    let out = ground.prints(&format!("{line} --games 8"));
    assert!(out.starts_with("8 of 8 games were played before"), "{out}");
}

#[test]
fn openings_begin_where_they_are_wanted() {
    let ground = Ground::new();
    ground.plays("--games 8 --journal a.journal");
    ground.plays("--games 4 --journal b.journal --opening-start 3");
    // Which opening each pair had.
    let openings = |journal: &str| -> Vec<Value> {
        ground
            .games(journal)
            .iter()
            .step_by(2)
            .map(|game| game["game"]["opening"].clone())
            .collect()
    };
    assert_eq!(openings("a.journal")[2..], openings("b.journal"));
}

#[test]
fn engines_are_called_what_they_call_themselves_and_keep_it() {
    let ground = Ground::new();
    let names = |journal: &str| {
        let game = ground.games(journal).pop().expect("a game");
        [&game["game"]["white"], &game["game"]["black"]]
            .map(|name| name.as_str().expect("a name").to_owned())
    };
    ground.plays("--games 2 --journal a.journal");
    assert_eq!(names("a.journal"), ["Tortoise 1.2 (2)", "Tortoise 1.2"]);
    // A new version is still called what the match calls it; its own name is in the PGN.
    ground.resigner("one", "Tortoise 1.3");
    ground.plays("--games 4 --journal a.journal --pgn a.pgn");
    assert_eq!(names("a.journal"), ["Tortoise 1.2 (2)", "Tortoise 1.2"]);
    let pgn = ground.read("a.pgn");
    assert_eq!(
        pgn.matches("[BlackProgram \"Tortoise 1.3\"]").count(),
        1,
        "{pgn}"
    );
    has_all(&pgn, &["{book}", "[WhiteType \"program\"]"]);
    // Given names count, and one that says nothing is called after its command.
    ground.resigner("two", "");
    ground.plays("--games 2 --journal b.journal --each 1:name=Hare");
    assert_eq!(names("b.journal"), ["two", "Hare"]);
    // Journals of before go on with the names that they have.
    ground.write(
        "c.journal",
        ground.read("b.journal").replace("\"two\"", "\"python3\""),
    );
    ground.plays("--games 4 --journal c.journal --each 1:name=Hare");
    assert_eq!(names("c.journal"), ["python3", "Hare"]);
}

/// With everything on one core, whatever the machine has: a machine that is too busy is warned of,
/// once and at the end.
#[cfg(target_os = "linux")]
#[test]
fn a_machine_that_is_too_busy_is_warned_of() {
    if !programs::is_installed("taskset") {
        return;
    }
    let ground = Ground::new();
    let on_one_core = |line: &str| {
        let program = ground.command(line);
        let mut command = Command::new("taskset");
        command
            .args(["-c", "0"])
            .arg(program.get_program())
            .args(program.get_args());
        said(
            &command
                .current_dir(ground.path())
                .output()
                .expect("taskset starts"),
        )
    };
    let (out, err) = on_one_core(&ground.duel("--concurrency 8 --games 4"));
    assert!(out.starts_with("4 games, 4 at a time"), "{out}");
    assert!(!err.contains("overloaded"), "they move at once: {err}");
    let (out, err) = on_one_core(
        "match kashan:alphabeta kashan:alphabeta --tc 0.3/move --concurrency 4 --games 8 --max-moves 8 \
         --option OwnBook=0 --margin 60000",
    );
    let warnings = err.matches("the machine is overloaded: engines waited for a core in");
    assert_eq!(warnings.count(), 1, "{err}");
    assert_eq!(
        out.matches("Warning: the machine is overloaded").count(),
        1,
        "{out}"
    );
}

#[test]
fn a_limit_of_files_is_an_error_and_damages_nothing() {
    let ground = Ground::new();
    // The number is of kilobytes with most shells, half of that with some.
    let too_large = |line: &str, file: &str| {
        let program = ground.command(line);
        let mut command = Command::new("sh");
        command
            .args(["-c", "ulimit -f 8; exec \"$0\" \"$@\""])
            .arg(program.get_program());
        let output = command
            .args(program.get_args())
            .current_dir(ground.path())
            .output()
            .expect("sh starts");
        assert!(!output.status.success());
        has_all(&text(&output), &["File too large", file]);
    };
    for (files, journal, file) in [
        (
            "--journal j.journal --pgn /dev/null",
            "j.journal",
            "j.journal",
        ),
        ("--journal p.journal --pgn p.pgn", "p.journal", "p."),
    ] {
        let line = ground.duel(&format!("--games 40 {files}"));
        too_large(&line, file);
        let text = ground.read(journal);
        assert!(text.ends_with('\n') && text.lines().count() > 3, "{text}");
        let played = ground.games(journal);
        let (out, err) = ground.says(&line);
        assert!(!err.contains("being written"), "no line is torn: {err}");
        assert!(
            out.starts_with(&format!("{} of 40 games were played before", played.len())),
            "{out}"
        );
        let all = ground.games(journal);
        assert_eq!((all.len(), &all[..played.len()]), (40, &played[..]));
    }
    assert_eq!(count(&ground.read("p.pgn")), 40);
    // Only the PGN is too large.
    too_large(&ground.duel("--games 40 --pgn only.pgn"), "only.pgn");
    let pgn = ground.read("only.pgn");
    assert!(
        pgn.ends_with("\n\n") && count(&pgn) > 0,
        "whole games only: {pgn}"
    );
}

/// Users of other runners find the options, and each option of ours that is named exists.
#[test]
fn options_of_other_runners_are_explained() {
    let place = TestFolder::new();
    let help = place.prints("match --help");
    let (options, table) = help
        .split_once("Coming from cutechess-cli or fastchess")
        .expect("a table");
    has_all(table, &["-ratinginterval 10"]);
    let rows = table
        .lines()
        .skip_while(|line| !line.starts_with("  theirs"))
        .skip(1);
    let is_torn = |line: &&str| !line.is_empty() && !line.starts_with("  -");
    assert_eq!(
        rows.filter(is_torn).collect::<Vec<_>>(),
        [""; 0],
        "no row is wrapped"
    );
    let words = table.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    let ours: Vec<&str> = words.filter(|word| word.starts_with("--")).collect();
    assert!(ours.len() > 30, "{ours:?}");
    for option in ours.iter().filter(|&&option| option != "--uci") {
        assert!(options.contains(&format!("  {option}")), "{option}");
    }
    assert!(
        !place.prints("match -h").contains("cutechess"),
        "the short help is short"
    );
}

//! What the commands read and write: nothing of somebody else is written over, and what is no file is named.

use std::fs;
use std::path::Path;

use crate::common::programs::{kashan_line, refuses_each};

const GAMES: &str = "[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
const POSITIONS: &str = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#;\n";
const TOURNAMENT: &str = "limits = \"nodes=20\"\nrounds = 1\nadjudication = { max_moves = 2 }\noutput = { json = \"t.json\" }\n\
                          [[engines]]\ncommand = \"kashan:minimax\"\n[[engines]]\ncommand = \"kashan:minimax\"\n";
const QUICK: &str = "--reference kashan:alphabeta --reference-limits nodes=50";

/// Commands that write a file, and its name. The command is done at once.
fn writers() -> Vec<(String, &'static str)> {
    vec![
        ("rate games.pgn --svg out.svg".to_owned(), "out.svg"),
        (
            "solve positions.epd --engine kashan:alphabeta --limits nodes=50 --svg out.svg".to_owned(),
            "out.svg",
        ),
        (format!("blunders games.pgn --pgn out.pgn {QUICK}"), "out.pgn"),
        ("explain --nodes 500 --html out.html".to_owned(), "out.html"),
        ("explain --nodes 500 --dot out.dot".to_owned(), "out.dot"),
        (
            "match kashan:minimax kashan:minimax --tc nodes=20 --games 2 --max-moves 2 --svg out.svg"
                .to_owned(),
            "out.svg",
        ),
        ("tournament t.toml".to_owned(), "t.json"),
    ]
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in [("games.pgn", GAMES), ("positions.epd", POSITIONS), ("t.toml", TOURNAMENT)] {
        fs::write(folder.path().join(name), text).expect("written");
    }
    folder
}

fn run(folder: &Path, line: &str) -> Result<(), String> {
    let (fine, _, errors) = kashan_line(folder, line);
    fine.then_some(()).ok_or(errors)
}

#[test]
fn reports_replace_reports_and_nothing_else() {
    for (line, name) in writers() {
        let place = folder();
        let file = place.path().join(name);
        for content in ["of somebody else\n", "{\n  \"name\": \"of somebody else\"\n}\n"] {
            fs::write(&file, content).expect("written");
            let error = run(place.path(), &line).expect_err(&line);
            assert!(error.contains(name) && error.contains("move this one away"), "{line}: {error}");
            assert_eq!(fs::read_to_string(&file).expect("there"), content, "{line}");
        }
        fs::remove_file(&file).expect("there");
        for _ in 0..2 {
            run(place.path(), &line).unwrap_or_else(|error| panic!("{line}: {error}"));
        }
        assert!(file.metadata().expect("there").len() > 0, "{line}");
    }
}

#[test]
fn what_a_command_reads_is_not_written_and_not_counted_twice() {
    let place = folder();
    fs::write(place.path().join("other.pgn"), GAMES.replace('A', "C")).expect("written");
    fs::create_dir(place.path().join("other")).expect("made");
    for name in ["c2.json", "c3.md", "other/report.md"] {
        fs::write(place.path().join(name), "# Notes\n").expect("written");
    }
    // The reports of experiments before any work is done.
    refuses_each(
        place.path(),
        "rate games.pgn ./games.pgn | games.pgn & the same file
         rate . games.pgn | games.pgn & the same file
         rate games.pgn --svg ./games.pgn | games.pgn & read by this command
         rate games.pgn --svg . | . & a folder
         rate games.pgn --svg no/such.svg | such.svg & no such folder
         solve positions.epd positions.epd | positions.epd & the same file
         solve positions.epd --journal positions.epd | positions.epd & read by this command
         solve positions.epd --journal j --svg ./j | j & the same file
         book build games.pgn -o games.pgn | games.pgn & read by this command
         book build games.pgn -o other.pgn | other.pgn & move this one away
         blunders games.pgn --pgn games.pgn | games.pgn & read by this command
         match --openings positions.epd --pgn positions.epd | positions.epd & the same file
         match --pgn a --journal a | a & the same file
         explain --html a.html --dot a.html | a.html & the same file
         experiment C2 --output . | c2.json & move this one away
         experiment C3 --output . | c3.md & move this one away
         experiment C4 --output other | report.md & move this one away",
    );
    let text = |name: &str| fs::read_to_string(place.path().join(name)).expect("there");
    assert_eq!((text("games.pgn"), text("positions.epd")), (GAMES.to_owned(), POSITIONS.to_owned()));
    let tournament = TOURNAMENT.replace("t.json", "t.toml");
    fs::write(place.path().join("t.toml"), &tournament).expect("written");
    assert!(run(place.path(), "tournament t.toml").expect_err("itself").contains("read by this command"));
    assert_eq!(text("t.toml"), tournament);
}

#[test]
fn options_that_name_the_same_file_are_refused_at_once() {
    let place = folder();
    let at = place.path();
    fs::create_dir(at.join("folder")).expect("made");
    let content = |at: &Path| fs::read_dir(at).expect("a folder").count();
    let before = content(at);
    let own = "match kashan:minimax kashan:minimax --tc nodes=20 --games 2 --max-moves 2";
    for (line, names) in [
        (format!("{own} --journal z --log z"), ["--journal", "--log"]),
        (format!("{own} --journal z --log folder/../z"), ["--journal", "--log"]),
        (format!("{own} --pgn z --log ./z"), ["--pgn", "--log"]),
        (format!("{own} --pgn z --journal ./z"), ["--pgn", "--journal"]),
        ("merge one two -o z --log ./z".to_owned(), ["--output", "--log"]),
        ("merge one two -o z --log one".to_owned(), ["PART", "--log"]),
        ("rate games.pgn --svg folder/z --log folder/z".to_owned(), ["--svg", "--log"]),
    ] {
        let error = run(at, &line).expect_err(&line);
        let says = error.contains("name the same file") && names.iter().all(|name| error.contains(name));
        assert!(says, "{line}: {error}");
        assert_eq!((content(at), content(&at.join("folder"))), (before, 0), "{line}: nothing is written");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("z", at.join("link")).expect("linked");
        let error = run(at, &format!("{own} --journal z --log link")).expect_err("the same file");
        assert!(error.contains("--journal and --log name the same file"), "{error}");
        // The journal that a tournament has beside its file.
        let file = fs::read_to_string(at.join("t.toml")).expect("there");
        let file = file.replace("output = { json = \"t.json\" }", "output = { journal = \"link\" }");
        fs::write(at.join("t.toml"), file).expect("written");
        let error = run(at, "tournament t.toml --log z").expect_err("the same file");
        assert!(error.contains("z is to be written twice") || error.contains("link is to be"), "{error}");
    }
    run(at, &format!("{own} --journal z --log y --pgn x")).expect("three files");
}

#[test]
#[cfg(unix)]
fn what_is_no_file_is_named_and_pipes_are_read() {
    use std::io::Write as _;
    use std::process::{Command, Stdio};
    let place = folder();
    nix::unistd::mkfifo(&place.path().join("pipe"), nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
    fs::write(place.path().join("zeros.epd"), vec![b'0'; 1 << 20]).expect("written");
    // None of these ended before.
    refuses_each(
        place.path(),
        "match kashan:minimax kashan:minimax --tc nodes=20 --games 2 --pgn pipe | pipe: it is a named pipe
         match kashan:minimax kashan:minimax --journal pipe | pipe: it is a named pipe
         match kashan:minimax kashan:minimax --openings /dev/zero | /dev/zero: it is a device
         rate /dev/zero | /dev/zero: it is a device, not a file
         rate games.pgn --svg pipe | pipe: it is a named pipe
         rate games.pgn --log pipe | pipe: it is a named pipe
         solve /dev/zero | /dev/zero: it is a device
         solve . | .: it is a folder
         blunders /dev/zero | /dev/zero: it is a device
         book show -b /dev/zero | /dev/zero: it is a device
         tournament /dev/zero | /dev/zero: it is a device
         tournament . | .: it is a folder",
    );
    let error = run(place.path(), "solve zeros.epd").expect_err("no positions");
    assert_eq!(error.matches("zeros.epd, line 1:").count(), 1, "{error}");
    for path in ["/dev/null", "/dev/stdout"] {
        run(
            place.path(),
            &format!(
                "match kashan:minimax kashan:minimax --tc nodes=20 --games 2 --max-moves 2 --pgn {path}"
            ),
        )
        .unwrap_or_else(|error| panic!("{path}: {error}"));
    }
    for (line, input) in [
        ("rate -", GAMES),
        ("rate /dev/stdin", GAMES),
        ("solve - --engine kashan:alphabeta --limits nodes=50", POSITIONS),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kashan"));
        let command = command.current_dir(place.path()).args(line.split(' '));
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it runs");
        child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("written");
        assert!(child.wait_with_output().expect("it ends").status.success(), "{line}");
    }
}

#[test]
fn an_error_of_the_user_is_one_line_without_a_stack_trace() {
    let place = folder();
    for (line, bad) in [
        ("eval 8/8/8/8", "8/8/8/8"),
        ("library show none.klib", "none.klib"),
        ("solve none.epd --engine kashan:alphabeta", "none.epd"),
        ("match kashan:alphabeta kashan:betaalpha --games 2", "kashan:betaalpha"),
    ] {
        let error = run(place.path(), line).expect_err(line);
        let is_one_line = error.starts_with("Error: ") && error.lines().count() == 1;
        assert!(is_one_line && error.contains(bad), "{line}: {error}");
    }
}

#[test]
fn the_journal_of_another_command_is_named_in_a_line() {
    let place = folder();
    let solve = "solve positions.epd --engine kashan:alphabeta --limits nodes=50 --journal j";
    run(place.path(), solve).expect("solved");
    let error = run(place.path(), &solve.replace("nodes=50", "nodes=60")).expect_err("other limits");
    assert!(error.contains("limits: was nodes=50, is nodes=60"), "{error}");
    for (line, is) in [
        (format!("blunders positions.epd --engine kashan:alphabeta --journal j {QUICK}"), "kashan blunders"),
        (
            "match kashan:minimax kashan:minimax --tc nodes=20 --games 2 --journal j".to_owned(),
            "a match or tournament",
        ),
    ] {
        let error = run(place.path(), &line).expect_err(&line);
        let expected =
            format!("Error: journal j is that of kashan solve, not of {is}: name another journal\n");
        assert!(error.ends_with(&expected), "{line}: {error}");
    }
}

/// Its name is the same, and yet it is another library: what is in the journal was played with the first one.
#[test]
fn journals_know_what_was_in_the_files_of_engines() {
    let place = folder();
    let library = |moves: &str| {
        let _ = fs::remove_file(place.path().join("l.klib"));
        fs::write(place.path().join("l.pgn"), moves).expect("written");
        run(place.path(), "library build l.pgn -o l.klib").expect("built");
    };
    let engine = "kashan:alphabeta --option LibraryFile=l.klib";
    let commands = [
        format!("solve positions.epd --engine {engine} --limits nodes=50 --journal s"),
        format!("blunders positions.epd --engine {engine} --tc nodes=50 --journal b {QUICK}"),
        "match kashan:minimax kashan:minimax --option 1:LibraryFile=l.klib --tc nodes=20 --games 2 --max-moves 2 --journal m"
            .to_owned(),
    ];
    library("1. e4 e5 *\n");
    for line in &commands {
        run(place.path(), line).expect(line);
        run(place.path(), line).expect("the same library");
    }
    library("1. d4 d5 2. c4 *\n");
    for line in &commands {
        let error = run(place.path(), line).expect_err(line);
        assert!(error.contains("files.") && error.contains("LibraryFile: was "), "{line}: {error}");
    }
}

/// What is in a file and commands a terminal: it clears the screen, in two ways.
const COMMAND: &str = "\u{1b}[2J\u{9b}2J";

/// Weights, games, positions and a tournament that say it, and what reads them.
#[test]
fn nothing_in_a_file_commands_a_terminal_or_a_spreadsheet() {
    let place = folder();
    let write = |name: &str, text: &str| fs::write(place.path().join(name), text).expect("written");
    let escaped = "\\u001b[2J\\u009b2J";
    write("made.toml", &format!("evaluation = \"paper\"\n[made]\ncommand = \"{escaped}\"\n"));
    write("field.toml", &format!("evaluation = \"paper\"\n\"{escaped}\" = 1\n"));
    write("weight.toml", &format!("evaluation = \"paper\"\n[weights]\n\"{escaped}\" = 1\n"));
    write("raw.toml", &format!("rounds = {COMMAND}\n"));
    let engine = format!("[[engines]]\ncommand = \"no/such {escaped}\"\n");
    write("engine.toml", &engine.repeat(2));
    write("bad.epd", &format!("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm R{COMMAND};\n"));
    write("bad.pgn", &GAMES.replace("g4", &format!("g{COMMAND}")));
    write("names.pgn", &GAMES.replace("\"A\"", &format!("\"=cmd{COMMAND}\"")).replace("\"B\"", "\"@B\""));
    for line in [
        "tune show made.toml",
        "tune show field.toml",
        "tune show weight.toml",
        "tournament raw.toml",
        "tournament engine.toml",
        "solve bad.epd",
        "blunders bad.epd --reference kashan:alphabeta",
        "blunders bad.pgn --reference kashan:alphabeta",
        "rate bad.pgn",
        "rate names.pgn",
        "rate names.pgn --csv",
    ] {
        let (_, out, errors) = kashan_line(place.path(), line);
        let said = out.clone() + &errors;
        assert!(said.contains("2J") || line == "rate bad.pgn", "{line}: {said}");
        assert!(!said.contains(|c: char| c.is_control() && c != '\n'), "{line}: {said:?}");
        for cell in out.split([',', '\n']).filter(|_| line.ends_with("--csv")) {
            assert!(
                !cell.starts_with(['=', '@']) && !cell.starts_with("\"=") && !cell.starts_with("\"@"),
                "{out}"
            );
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_log_that_ends_is_told_once() {
    let place = folder();
    let line = "match kashan:minimax kashan:minimax --tc nodes=20 --games 2 --max-moves 4 --log /dev/full";
    let (fine, out, errors) = kashan_line(place.path(), line);
    assert!(fine && out.contains("2 games"), "{out}{errors}");
    assert_eq!(errors.matches("the log /dev/full ends here: ").count(), 1, "{errors}");
}

#[test]
fn settings_that_mean_nothing_are_refused() {
    refuses_each(
        folder().path(),
        "match kashan:minimax kashan:minimax --tc nodes=20 --max-moves 0 | max_moves = 0
         match kashan:minimax kashan:minimax --draw from_move=1,moves=0,score=5 | draw.moves = 0
         solve positions.epd --concurrency 0 | --concurrency
         blunders games.pgn --concurrency 0 | --concurrency",
    );
}

#[test]
fn a_line_without_end_is_not_quoted_as_a_whole() {
    let place = folder();
    fs::write(place.path().join("long.toml"), "x".repeat(3_000_000)).expect("written");
    let error = run(place.path(), "tournament long.toml").expect_err("no TOML");
    assert!(error.contains("long.toml") && error.len() < 3_000, "{} bytes", error.len());
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_takes_no_file_is_said_before_the_work_begins() {
    let place = folder();
    for (line, name) in writers().into_iter().filter(|(line, _)| line.contains(" out.")) {
        let line = line.replace(name, &format!("/proc/{name}"));
        let (fine, said, error) = kashan_line(place.path(), &line);
        assert!(!fine && said.is_empty() && error.contains("/proc/"), "{line}: {said}{error}");
    }
}

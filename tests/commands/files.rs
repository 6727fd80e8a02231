//! Input and output files of the commands: no foreign file is written over, and a missing file is
//! named.

use std::fs;

use crate::common::programs::{TestFolder, has_all};

const GAMES: &str = "[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
const POSITIONS: &str = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#;\n";
const TOURNAMENT: &str = "limits = \"nodes=20\"\nrounds = 1\nadjudication = { max_moves = 2 }\n\
                          [[engines]]\ncommand = \"kashan:minimax\"\n[[engines]]\ncommand = \"kashan:minimax\"\n";
const QUICK: &str = "--reference kashan:alphabeta --reference-limits nodes=50";
const MATCH: &str = "match kashan:minimax kashan:minimax --tc nodes=20 --games 2 --max-moves 2";
const SOLVE: &str = "solve positions.epd --engine kashan:alphabeta --limits nodes=50";

/// Commands that write a file, and its name. The command is done at once.
fn writers() -> [(String, &'static str); 2] {
    [
        (
            format!("blunders games.pgn --pgn out.pgn {QUICK}"),
            "out.pgn",
        ),
        ("explain --nodes 500 --html out.html".to_owned(), "out.html"),
    ]
}

fn place() -> TestFolder {
    TestFolder::with(&[
        ("games.pgn", GAMES),
        ("positions.epd", POSITIONS),
        ("t.toml", TOURNAMENT),
    ])
}

#[test]
fn reports_replace_reports_and_nothing_else() {
    for (line, name) in writers() {
        let place = place();
        for content in [
            "of somebody else\n",
            "{\n  \"name\": \"of somebody else\"\n}\n",
        ] {
            place.write(name, content);
            has_all(&place.fails(&line), &[name, "move this one away"]);
            assert_eq!(place.read(name), content, "{line}");
        }
        fs::remove_file(place.file(name)).expect("there");
        for _ in 0..2 {
            place.prints(&line);
        }
        assert!(!place.read(name).is_empty(), "{line}");
    }
}

#[test]
fn what_a_command_reads_is_not_written_and_not_counted_twice() {
    let place = place();
    place.write("other.pgn", GAMES.replace('A', "C"));
    fs::create_dir(place.file("other")).expect("made");
    for name in ["c2.json", "c3.md", "other/report.md"] {
        place.write(name, "# Notes\n");
    }
    let tournament = format!("output = {{ pgn = \"own.toml\" }}\n{TOURNAMENT}");
    place.write("own.toml", &tournament);
    // The reports of experiments before any work is done.
    place.refuses(
        "rate games.pgn ./games.pgn",
        &["games.pgn", "the same file"],
    );
    place.refuses("rate . games.pgn", &["games.pgn", "the same file"]);
    place.refuses(
        "blunders games.pgn --pgn ./games.pgn",
        &["games.pgn", "read by this command"],
    );
    place.refuses("blunders games.pgn --pgn .", &[".", "a folder"]);
    place.refuses(
        "blunders games.pgn --pgn no/such.pgn",
        &["such.pgn", "no such folder"],
    );
    place.refuses(
        "solve positions.epd positions.epd",
        &["positions.epd", "the same file"],
    );
    place.refuses(
        "solve positions.epd --journal positions.epd",
        &["positions.epd", "read by this command"],
    );
    place.refuses(
        "blunders games.pgn --journal j --pgn ./j",
        &["j", "to be written twice"],
    );
    place.refuses(
        "book build games.pgn -o games.pgn",
        &["games.pgn", "read by this command"],
    );
    place.refuses(
        "book build games.pgn -o other.pgn",
        &["other.pgn", "move this one away"],
    );
    place.refuses(
        "blunders games.pgn --pgn games.pgn",
        &["games.pgn", "read by this command"],
    );
    place.refuses(
        "blunders games.pgn --option Hash=1",
        &["name one with --engine"],
    );
    place.refuses(
        "match kashan:minimax kashan:action --openings positions.epd --pgn positions.epd",
        &["positions.epd", "read by this command"],
    );
    place.refuses(
        "match kashan:minimax kashan:action --pgn a --journal a",
        &["a", "to be written twice"],
    );
    place.refuses("tournament own.toml", &["read by this command"]);
    place.refuses(
        "experiment C2 --output .",
        &["c2.json", "move this one away"],
    );
    place.refuses("experiment C3 --output .", &["c3.md", "move this one away"]);
    place.refuses(
        "experiment C4 --output other",
        &["report.md", "move this one away"],
    );
    let kept = ["games.pgn", "positions.epd", "own.toml"].map(|name| place.read(name));
    assert_eq!(kept, [GAMES, POSITIONS, &tournament]);
}

#[test]
fn options_that_name_the_same_file_are_refused() {
    let place = place();
    for (line, part) in [
        (
            format!("{MATCH} --journal z --log z"),
            "z is to be written twice",
        ),
        (
            format!("{MATCH} --pgn y --log ./y"),
            "y is to be written twice",
        ),
        (
            format!("{MATCH} --pgn x --journal ./x"),
            "x is to be written twice",
        ),
        (
            "blunders games.pgn --pgn w --log w".to_owned(),
            "w is to be written twice",
        ),
    ] {
        has_all(&place.fails(&line), &[part]);
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("v", place.file("link")).expect("linked");
        place.refuses(
            &format!("{MATCH} --journal v --pgn link"),
            &["is to be written twice"],
        );
    }
    place.prints(&format!("{MATCH} --journal d --log e --pgn f"));
}

#[test]
#[cfg(unix)]
fn what_is_no_file_is_named_and_pipes_are_read() {
    let place = place();
    nix::unistd::mkfifo(&place.file("pipe"), nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
    place.write("zeros.epd", vec![b'0'; 1 << 20]);
    // None of these ended before.
    place.refuses(
        "match kashan:minimax kashan:minimax --tc nodes=20 --games 2 --pgn pipe",
        &["pipe: it is a named pipe"],
    );
    place.refuses(
        "match kashan:minimax kashan:minimax --journal pipe",
        &["pipe: it is a named pipe"],
    );
    place.refuses(
        "match kashan:minimax kashan:minimax --openings /dev/zero",
        &["/dev/zero: it is a device"],
    );
    place.refuses("rate /dev/zero", &["/dev/zero: it is a device, not a file"]);
    place.refuses(
        "blunders games.pgn --pgn pipe",
        &["pipe: it is a named pipe"],
    );
    place.refuses("rate games.pgn --log pipe", &["pipe: it is a named pipe"]);
    place.refuses("solve /dev/zero", &["/dev/zero: it is a device"]);
    place.refuses("solve .", &[".: it is a folder"]);
    place.refuses("blunders /dev/zero", &["/dev/zero: it is a device"]);
    place.refuses("book show -b /dev/zero", &["/dev/zero: it is a device"]);
    place.refuses("tournament /dev/zero", &["/dev/zero: it is a device"]);
    place.refuses("tournament .", &[".: it is a folder"]);
    let error = place.fails("solve zeros.epd");
    assert_eq!(error.matches("zeros.epd, line 1:").count(), 1, "{error}");
    for path in ["/dev/null", "/dev/stdout"] {
        place.prints(&format!("{MATCH} --pgn {path}"));
    }
    let solve = SOLVE.replace("positions.epd", "-");
    for (line, input) in [
        ("rate -", GAMES),
        ("rate /dev/stdin", GAMES),
        (solve.as_str(), POSITIONS),
    ] {
        assert!(place.run_with(line, input).0, "{line}");
    }
}

/// It does not quote as a whole a line without end.
#[test]
fn an_error_of_the_user_is_one_line_without_a_stack_trace() {
    let place = place();
    for (line, bad) in [
        ("eval 8/8/8/8", "8/8/8/8"),
        ("library show none.klib", "none.klib"),
        ("solve none.epd --engine kashan:alphabeta", "none.epd"),
        (
            "match kashan:alphabeta kashan:betaalpha --games 2",
            "kashan:betaalpha",
        ),
    ] {
        let error = place.fails(line);
        let is_one_line = error.starts_with("Error: ") && error.lines().count() == 1;
        assert!(is_one_line && error.contains(bad), "{line}: {error}");
    }
    place.write("long.toml", "x".repeat(3_000_000));
    let error = place.fails("tournament long.toml");
    assert!(
        error.contains("long.toml") && error.len() < 3_000,
        "{} bytes",
        error.len()
    );
}

#[test]
fn the_journal_of_another_command_is_named_in_a_line() {
    let place = place();
    let solve = format!("{SOLVE} --journal j");
    place.prints(&solve);
    let other = solve.replace("nodes=50", "nodes=60");
    has_all(&place.fails(&other), &["limits: was nodes=50, is nodes=60"]);
    for (line, is) in [
        (
            format!("blunders positions.epd --engine kashan:alphabeta --journal j {QUICK}"),
            "kashan blunders",
        ),
        (format!("{MATCH} --journal j"), "a match or tournament"),
    ] {
        let why = format!("journal j is that of kashan solve, not of {is}: name another journal\n");
        let error = place.fails(&line);
        assert!(error.ends_with(&format!("Error: {why}")), "{line}: {error}");
    }
}

/// Its name is the same, and yet it is another library: what is in the journal was played with the
/// first one.
#[test]
fn journals_know_what_was_in_the_files_of_engines() {
    let place = place();
    let library = |moves: &str| {
        let _ = fs::remove_file(place.file("l.klib"));
        place.write("l.pgn", moves);
        place.prints("library build l.pgn -o l.klib");
    };
    let blunders = "blunders positions.epd --engine kashan:alphabeta --tc nodes=50";
    let commands = [
        format!("{SOLVE} --option LibraryFile=l.klib --journal s"),
        format!("{blunders} --option LibraryFile=l.klib --journal b {QUICK}"),
        format!("{MATCH} --option 1:LibraryFile=l.klib --journal m"),
    ];
    library("1. e4 e5 *\n");
    for line in commands.iter().chain(&commands) {
        place.prints(line);
    }
    library("1. d4 d5 2. c4 *\n");
    commands
        .iter()
        .for_each(|line| has_all(&place.fails(line), &["files.", "LibraryFile: was "]));
}

/// A command to a terminal, as content of a file: it clears the screen, in two ways.
const COMMAND: &str = "\u{1b}[2J\u{9b}2J";

/// Weights, games, positions and a tournament that say it, and what reads them.
#[test]
fn nothing_in_a_file_commands_a_terminal_or_a_spreadsheet() {
    let place = place();
    let escaped = "\\u001b[2J\\u009b2J";
    place.write(
        "field.toml",
        format!("evaluation = \"paper\"\n\"{escaped}\" = 1\n"),
    );
    place.write(
        "weight.toml",
        format!("evaluation = \"paper\"\n[weights]\n\"{escaped}\" = 1\n"),
    );
    place.write("raw.toml", format!("rounds = {COMMAND}\n"));
    place.write(
        "engine.toml",
        format!("[[engines]]\ncommand = \"no/such {escaped}\"\n").repeat(2),
    );
    place.write(
        "bad.epd",
        format!("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm R{COMMAND};\n"),
    );
    place.write("bad.pgn", GAMES.replace("g4", &format!("g{COMMAND}")));
    let names = GAMES
        .replace("\"A\"", &format!("\"=cmd{COMMAND}\""))
        .replace("\"B\"", "\"@B\"");
    place.write("names.pgn", names);
    for line in [
        "eval --weights field.toml",
        "eval --weights weight.toml",
        "tournament raw.toml",
        "tournament engine.toml",
        "solve bad.epd",
        "blunders bad.epd --reference kashan:alphabeta",
        "blunders bad.pgn --reference kashan:alphabeta",
        "rate bad.pgn",
        "rate names.pgn",
    ] {
        let (_, out, errors) = place.run(line);
        let said = out.clone() + &errors;
        assert!(
            said.contains("2J") || line == "rate bad.pgn",
            "{line}: {said}"
        );
        assert!(
            !said.contains(|c: char| c.is_control() && c != '\n'),
            "{line}: {said:?}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_log_that_ends_is_told_once() {
    let (out, errors) = place().says(&format!("{MATCH} --log /dev/full"));
    has_all(&out, &["2 games"]);
    assert_eq!(
        errors.matches("the log /dev/full ends here: ").count(),
        1,
        "{errors}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_takes_no_file_is_said_before_the_work_begins() {
    let place = place();
    for (line, name) in writers()
        .into_iter()
        .filter(|(line, _)| line.contains(" out."))
    {
        let line = line.replace(name, &format!("/proc/{name}"));
        place.refuses(&line, &["/proc/"]);
    }
}

use std::fs;

use super::*;
use crate::arena::Protocol;
use crate::arena::openings::Order;
use crate::arena::statistics::EloModel;

const TWO: &str = "[[engines]]\ncommand = \"one\"\n[[engines]]\ncommand = \"two\"\n";

fn parse(text: &str) -> Config {
    Config::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn error(text: &str) -> String {
    Config::parse(text)
        .and_then(|config| config.tournament())
        .map(drop)
        .expect_err(text)
        .to_string()
}

#[test]
fn two_commands_are_enough() {
    let config = parse(TWO);
    assert_eq!(config.kind(), Kind::Match);
    let tournament = config.tournament().expect("a match");
    assert_eq!(tournament.games(), 20);
    let names: Vec<&str> = tournament
        .config
        .engines
        .iter()
        .map(|engine| engine.name.as_str())
        .collect();
    assert_eq!(names, ["one", "two"]);
    assert_eq!(tournament.config.limits.to_string(), DEFAULT_LIMITS);
}

#[test]
fn everything_can_be_said() {
    let config = parse(
        r#"
        name = "All of it"
        site = "here"
        seed = 42
        schedule = "gauntlet"
        challengers = 2
        games = 6
        limits = "40/60+0.5"
        margin = 20
        concurrency = 3
        openings = { file = "some.epd", order = "sequential", plies = 6, start = 3 }
        output = { journal = "a", pgn = "b" }
        adjudication.max_moves = 100
        adjudication.draw = { from_move = 40, moves = 8, score = 10 }
        adjudication.win = { moves = 4, score = 700 }

        [[engines]]
        name = "First"
        command = "first"
        arguments = ["-x", "a b"]
        directory = "somewhere"
        protocol = "uci"
        options = { Zeta = 3, Alpha = true, "With Blanks" = "text" }
        startup = ["book close"]
        limits = "nodes=500"
        restart = true

        [[engines]]
        command = "dir/second.exe"
        options = { Hash = 16, "Clear Hash" = "" }

        [[engines]]
        command = "dir/second.exe"
        "#,
    );
    assert_eq!(
        (config.openings.order, config.openings.start),
        (Order::Sequential, 3)
    );
    assert_eq!(config.adjudication.max_moves, Some(100));
    assert_eq!(config.rounds_of(config.kind()).expect("rounds"), 3);
    let specs = config.specs().expect("engines");
    let first = &specs[0];
    assert_eq!(first.protocol, Some(Protocol::Uci));
    let options = first
        .options
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()));
    assert!(
        options.eq([("Zeta", "3"), ("Alpha", "true"), ("With Blanks", "text")]),
        "{:?}",
        first.options
    );
    assert_eq!(
        specs[1].options[1],
        ("Clear Hash".to_owned(), String::new())
    );
    assert_eq!([&specs[1].name, &specs[2].name], ["second", "second (2)"]);
    assert!(first.restart);
}

#[test]
fn a_test_ends_a_match_so_that_it_may_be_long() {
    let config = parse(&format!("sprt = {{ elo0 = 0, elo1 = 5 }}\n{TWO}"));
    let sprt = Sprt::new(0.0, 5.0, 0.05, 0.05, EloModel::default()).expect("a test");
    assert_eq!(config.sprt, Some(sprt));
    assert_eq!(config.rounds_of(Kind::Match).expect("rounds"), SPRT_ROUNDS);
}

#[test]
fn mistakes_are_named_with_their_line() {
    for (line, parts) in [
        ("rouns = 3", ["line 1", "rouns"]),
        ("seed = \"x\"", ["line 1", "seed"]),
        ("limits = \"fast\"", ["line 1", "'fast' is no time control"]),
        ("schedule = \"cup\"", ["line 1", "cup"]),
        ("openings = { plys = 3 }", ["line 1", "plys"]),
        (
            "adjudication = { draw = { moves = 3 } }",
            ["line 1", "from_move"],
        ),
        ("output = { pgm = \"x\" }", ["line 1", "pgm"]),
        ("margin = -1", ["line 1", "margin"]),
        ("[[engines]]\ncommand = \"x\"\nhash = 3", ["line 3", "hash"]),
        ("[[engines]]\nname = \"x\"", ["line 1", "command"]),
        (
            "[[engines]]\ncommand = \"x\"\noptions = 3",
            ["line 3", "options are a table"],
        ),
        (
            "[[engines]]\ncommand = \"x\"\noptions = { X = [1] }",
            ["line 3", "option X"],
        ),
        (
            "[[engines]]\ncommand = \"x\"\nprotocol = \"usi\"",
            ["line 3", "usi"],
        ),
        (
            "[[engines]]\ncommand = \"x\"\nlimits = \"0\"",
            ["line 3", "no time"],
        ),
    ] {
        let error = error(&format!("{line}\n{TWO}"));
        for part in parts {
            assert!(error.contains(part), "{line}: no {part} in: {error}");
        }
    }
}

#[test]
fn senseless_tournaments_are_refused() {
    let one = "[[engines]]\ncommand = \"x\"";
    let named = |name: &str| TWO.replace("command", &format!("name = \"{name}\"\ncommand"));
    for (text, part) in [
        ("", "at least two engines, not 0"),
        (one, "at least two engines, not 1"),
        (
            &TWO.replacen("command", "stall = 0\ncommand", 1),
            "engine 1: with stall = 0",
        ),
        (&format!("schedule = \"match\"\n{TWO}{TWO}"), "not 4"),
        (
            &format!("sprt = {{ elo0 = 0, elo1 = 5 }}\n{TWO}{TWO}"),
            "two engines",
        ),
        (
            &format!("{TWO}[[engines]]\ncommand = \" \""),
            "engine 3 has no command",
        ),
        (&named("A"), "two engines are called \"A\""),
        (
            &named("A").replacen('A', "A ", 1),
            "two engines are called \"A\"",
        ),
        (&named(""), "empty name"),
    ] {
        let error = error(text);
        assert!(error.contains(part), "{text}: {error}");
    }
    for (head, part) in [
        ("games = 0", "no games"),
        ("games = 2\nrounds = 1", "only one of them"),
        ("rounds = 4000000000", "more than"),
        ("concurrency = 0", "concurrency"),
        ("stop_after_crashes = 0", "stop_after_crashes"),
        (
            "adjudication.win = { moves = 0, score = 700 }",
            "win.moves = 0",
        ),
        (
            "adjudication.win = { moves = 4, score = -1 }",
            "win.score = -1",
        ),
        (
            "adjudication.draw = { from_move = 1, moves = 4, score = -9 }",
            "draw.score = -9",
        ),
        ("challengers = 2\nschedule = \"gauntlet\"", "challengers"),
    ] {
        let error = error(&format!("{head}\n{TWO}"));
        assert!(error.contains(part), "{head}: {error}");
    }
}

#[test]
fn a_matched_side_needs_an_opponent_with_time_of_its_own() {
    let engine = |limits: &str| format!("[[engines]]\ncommand = \"x\"\nlimits = \"{limits}\"\n");
    let own = engine("5+0.05");
    let matched = engine("matched/0.01");
    let tournament = parse(&format!("{own}{matched}"))
        .tournament()
        .expect("sense");
    let limits = |engine: usize| tournament.config.engines[engine].limits.expect("its own");
    assert!(limits(1).are_matched() && !limits(0).are_matched());
    let gauntlet = format!("schedule = \"gauntlet\"\n{own}{matched}{matched}");
    parse(&gauntlet).tournament().expect("the two do not meet");
    let all = gauntlet.replace("gauntlet", "round-robin");
    assert!(
        error(&all).contains("both have the time that the other takes"),
        "{}",
        error(&all)
    );
}

#[test]
fn paths_start_from_the_folder_of_the_file() {
    let (folder, path) = crate::util::files::tests::in_a_folder("my.cup.toml");
    let text = "openings = { file = \"o.epd\" }\noutput = { pgn = \"r.pgn\" }\n\
        [[engines]]\ncommand = \"bin/one\"\n[[engines]]\ncommand = \"two\"\ndirectory = \"d\"\n";
    fs::write(&path, text).expect("written");
    fs::write(folder.path().join("o.epd"), "4k3/8/8/8/8/8/4P3/4K3 w - -\n").expect("written");
    let config = Config::load(&path).expect("a tournament");
    let here = |name: &str| Some(folder.path().join(name));
    let output = &config.output;
    let files = [&output.journal, &output.pgn];
    assert_eq!(files, [&here("my.cup.journal"), &here("r.pgn")]);
    let specs = config.specs().expect("engines");
    assert_eq!(Some(PathBuf::from(&specs[0].command)), here("bin/one"));
    assert_eq!(
        (specs[1].command.as_str(), &specs[1].directory),
        ("two", &here("d"))
    );
    assert_eq!(config.tournament().expect("with openings").games(), 20);
    fs::write(&path, "seeed = 1").expect("written");
    let error = Config::load(&path).expect_err("a mistake").to_string();
    assert!(
        error.contains("my.cup.toml") && error.contains("seeed"),
        "{error}"
    );
}

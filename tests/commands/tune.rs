//! `kashan tune` as users start it: the same twice, with any number of threads and after a kill,
//! and mistakes told.

use std::fs;

use crate::common::programs::{TestFolder, first_of_suite, has_all};

/// A folder with problems of both kinds.
fn problems() -> TestFolder {
    let [tactical, positional] =
        ["tactical100.epd", "quiet100.epd"].map(|name| first_of_suite(name, 12));
    TestFolder::with(&[("tactical.epd", &tactical), ("positional.epd", &positional)])
}

/// Two plies, so that a debug build is quick.
const TASK: &str =
    "--tactical tactical.epd --positional positional.epd --plies 2 --problems 6 --seed 3";

/// The line of a small evolution.
fn evolve(more: &str) -> String {
    format!("tune evolve {TASK} --players 4 --generations 3 {more}")
}

#[test]
fn weights_are_evolved_and_played_with() {
    let place = problems();
    let text = place.prints(&evolve("-o one.toml --threads 1"));
    has_all(&text, &["held out", "searches/s"]);
    place.prints(&evolve("-o two.toml --threads 2"));
    assert_eq!(
        place.read("one.toml"),
        place.read("two.toml"),
        "the threads make no difference"
    );
    has_all(&place.read("one.toml"), &["evaluation = \"factors\""]);

    has_all(
        &place.read("one.toml"),
        &["command = \"kashan tune evolve\"", "\"seed\":3"],
    );
    let value = |more: &str| {
        let e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        let text = place.prints(&format!("eval '{e4}' --all {more}"));
        assert!(text.contains("pawn_central"), "{text}");
        text.lines()
            .find(|line| line.starts_with("total"))
            .expect("a total")
            .to_owned()
    };
    assert_ne!(value("--weights one.toml"), value("--evaluation factors"));
    assert!(value("--evaluation factors").contains("+221"));
}

/// A kill leaves this: a journal whose last line is torn.
#[test]
fn a_killed_evolution_goes_on_and_ends_as_if_nothing_had_been() {
    let place = problems();
    let line = evolve("-o one.toml");
    place.prints(&line);
    let whole = place.read("one.toml");
    fs::remove_file(place.file("one.toml")).expect("there");
    let journal = fs::read(place.file("one.toml.journal")).expect("a journal");
    place.write("one.toml.journal", &journal[..journal.len() - 12]);
    has_all(&place.says(&line).1, &["going on from the journal"]);
    assert_eq!(place.read("one.toml"), whole);
    // The journal is of that command alone.
    let why = "one.toml.journal is of different work: evolution.involved: was ";
    place.refuses(&format!("{line} --mutate all"), &[why]);
}

#[test]
fn mistakes_are_told() {
    let place = problems();
    place.write(
        "bad.epd",
        "4k3/8/8/8/8/8/4P3/4K3 w - - id \"nothing\";\nnonsense\n",
    );
    place.write(
        "bad.toml",
        "evaluation = \"factors\"\n[weights]\nknight = 500\n",
    );
    place.refuses("tune evolve", &["tests/suites/tactical100.epd"]);
    place.refuses("tune evolve --tactical none.epd", &["none.epd"]);
    place.refuses(
        "tune evolve --tactical bad.epd",
        &["there are no tactical problems"],
    );
    place.refuses(
        "tune evolve --tactical tactical.epd",
        &["96 tactical problems are needed"],
    );
    place.refuses("tune evolve --tactical tactical.epd --players 5", &["even"]);
    place.refuses(
        "tune evolve --tactical tactical.epd --players 18446744073709551614",
        &["even number up to"],
    );
    place.refuses(
        "tune evolve --tactical tactical.epd --held-out 1",
        &["--held-out 1"],
    );
    place.refuses(
        "tune evolve --tactical tactical.epd --tactical bad.epd --strict",
        &["--strict"],
    );
    place.refuses("tune self-play --threads 100000 -o own.bin", &["1024"]);
    place.refuses(
        "tune evolve --tactical tactical.epd --evaluation network",
        &["--evaluation network has no weights"],
    );
    place.refuses(
        "eval --weights bad.toml",
        &["bad.toml, line 3: weights.knight: 500 is not from 200 to 400"],
    );
}

/// The worth of an option is not to be seen in so few games; that a run is the same twice is.
#[test]
fn options_are_tuned_by_games_and_a_run_that_was_cut_off_goes_on() {
    let options = "LeafDepth, int, 4, 1, 9, 3, 0.1\n\nLeafNodes,int,100,10,1000,90,0.1\n";
    let place = TestFolder::with(&[("options.txt", options), ("letter.txt", "Dear Anna")]);
    let line = "tune play options.txt --nodes 300 --games 13 --pairs 2";
    let text = place.prints(&format!("{line} --threads 1"));
    let lines: Vec<&str> = text.lines().collect();
    assert!(
        lines[0].starts_with("LeafDepth, int, ") && lines[0].ends_with(", 1, 9, 3, 0.1"),
        "{text}"
    );
    assert!(lines.len() == 2 && !lines[0].contains("4.00"), "{text}");
    place.prints(&format!("{line} -o new.txt --threads 2"));
    assert_eq!(place.read("new.txt"), text);
    // One of three steps is left, and the beginning of another.
    let journal = place.read("new.txt.journal");
    let ends: Vec<usize> = journal.match_indices('\n').map(|(end, _)| end).collect();
    place.write("new.txt.journal", &journal[..ends[2] - 1]);
    fs::remove_file(place.file("new.txt")).expect("there");
    place.prints(&format!("{line} -o new.txt"));
    assert_eq!(place.read("new.txt"), text);
    assert_eq!(place.read("new.txt.journal"), journal);
    // What comes out can be tuned again, by the same rules.
    place.prints("tune play new.txt --nodes 300 --games 4 --pairs 2 -o new2.txt");
    for (options, why) in [
        (
            "LeafNodes, int, 1000, 100, 500000, 9, 0.1",
            "LeafNodes is from 10 to 100000",
        ),
        ("Backend, int, 1, 0, 9, 1, 0.1", "Backend is no number"),
        (
            "Nonsense, int, 1, 0, 9, 1, 0.1",
            "bad.txt, line 1: Nonsense, int, 1, 0, 9, 1, 0.1: no option is called \"Nonsense\"",
        ),
        (
            "MinMaxDepth, int, 4, 1, 9, 1, 0.1",
            "do not depend on MinMaxDepth",
        ),
        ("Threads, int, 1, 1, 9, 1, 0.1", "do not depend on Threads"),
        (
            "LeafNodes, int, 1000, 100, 5000, 9",
            "bad.txt, line 1: LeafNodes",
        ),
        (
            "Hash, int, 9, 1, 99, 9, 1\nhash, int, 9, 1, 99, 9, 1",
            "line 2: hash, int, 9, 1, 99, 9, 1: the option",
        ),
        ("", "has no lines"),
    ] {
        place.write("bad.txt", options);
        place.refuses("tune play bad.txt --games 8", &[why]);
    }
    place.refuses("tune play options.txt --games 7", &["less than one step"]);
    place.refuses(
        "tune play options.txt -o options.txt",
        &["is read by this command"],
    );
    place.refuses(
        "tune play options.txt --option leafdepth=2",
        &["LeafDepth is to be tuned, and --option sets it"],
    );
    place.refuses("tune play none.txt", &["none.txt"]);
    place.refuses(
        "tune play options.txt --games 8 -o letter.txt",
        &["is there already"],
    );
    assert_eq!(place.read("letter.txt"), "Dear Anna");
}

/// Steps from nothing to a network, which is the same with any number of threads and after an
/// interruption.
#[test]
fn a_network_is_trained_on_games_of_our_own() {
    let place = TestFolder::with(&[("foreign.bin", "mine, and long enough\n")]);
    let games = |more: &str| place.prints(&format!("tune self-play --nodes 50 {more}"));
    has_all(
        &games("--games 70 --threads 2 -o games.journal"),
        &["70 games with ", " positions in games.journal"],
    );
    // Begun with fewer, then torn, then gone on with.
    games("--games 30 --threads 1 -o other.journal");
    let begun = fs::read(place.file("other.journal")).expect("games");
    place.write("other.journal", &begun[..begun.len() - 5]);
    games("--games 70 --threads 1 -o other.journal");
    let [one, other] =
        ["games.journal", "other.journal"].map(|name| fs::read(place.file(name)).expect("games"));
    assert_eq!(one, other);
    has_all(
        &games("--games 70 --part 2/2 -o part.journal"),
        &["35 games with "],
    );

    let line = "tune network games.journal part.journal --held-out 0.2 --epochs 2 --batch 256";
    let said = place.prints(&format!("{line} --threads 1 -o one.nn"));
    has_all(&said, &["epoch 2: loss", "network", "built-in network"]);
    place.prints(&format!("{line} --threads 2 -o other.nn"));
    let [one, other] =
        ["one.nn", "other.nn"].map(|name| fs::read(place.file(name)).expect("a network"));
    assert_eq!(one, other, "the threads make no difference");
    let engines =
        "match kashan:alphabeta kashan:alphabeta --option OwnBook=0 --tc nodes=100 --games 2";
    place.prints(&format!(
        "{engines} --option 1:NetworkFile=one.nn --pgn games.pgn"
    ));
    assert_eq!(place.read("games.pgn").matches("[Result ").count(), 2);
    place.refuses(
        &format!("{engines} --option NetworkFile=games.journal"),
        &["games.journal is no network to play with: it begins with something else"],
    );

    place.refuses(
        "tune self-play --games 70 --nodes 51 -o games.journal",
        &["games.journal is of different work: nodes: was 50, is 51"],
    );
    place.refuses(
        "tune self-play -o foreign.bin",
        &["foreign.bin is not a journal"],
    );
    place.refuses(
        "tune network foreign.bin -o x.nn",
        &["foreign.bin is not a journal"],
    );
    let other = place.read("games.journal");
    place.write(
        "match.journal",
        other.replacen("tune self-play", "match", 1),
    );
    place.refuses(
        "tune network match.journal -o x.nn",
        &["match.journal is no journal of games"],
    );
    place.write("odd.journal", other.replacen("\"1-0\"", "\"2-0\"", 1));
    place.refuses(
        "tune network odd.journal -o x.nn",
        &["odd.journal: game ", "\"2-0\" is no result"],
    );
    place.refuses(
        "tune network games.journal -o games.journal",
        &["is read by this command"],
    );
    place.refuses(
        "tune network games.journal -o foreign.bin",
        &["foreign.bin is there already"],
    );
    place.refuses(
        "tune network games.journal -o x.nn --result-share 2",
        &["--result-share"],
    );
    place.refuses(
        "tune network games.journal -o x.nn --held-out 0",
        &["--held-out"],
    );
    place.refuses("tune network games.journal -o x.nn --rate 0", &["--rate"]);
}

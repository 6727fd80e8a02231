//! More of the xboard protocol than its mistakes: features, book display, hints, pausing, panics.

mod common;

use std::sync::atomic::Ordering::SeqCst;
use std::time::Duration;

use common::rig::{Rig, any, moves};
use kashan::engine::Settings;
use kashan::protocol::Front;
use kashan::protocol::xboard::{FeatureValue, Reply};

#[test]
fn features_come_in_an_order_that_every_front_end_understands() {
    let mut rig = Rig::raw();
    rig.send("xboard\nprotover 2");
    let lines = rig.lines();
    assert_eq!(lines.first().unwrap(), "feature done=0");
    assert_eq!(lines[1], "feature ping=1 setboard=1");
    assert_eq!(lines.last().unwrap(), "feature done=1");
    let options = lines
        .iter()
        .filter(|line| line.starts_with("feature option=\""))
        .count();
    assert_eq!(options, Settings::table().len(), "one a line");
    let mut names = Vec::new();
    for line in &lines {
        let Ok(Reply::Features(features)) = line.parse::<Reply>() else {
            panic!("{line}");
        };
        for feature in features {
            if let ("option", FeatureValue::Text(text)) = (feature.name.as_str(), &feature.value) {
                let mut words = text.split(' ');
                assert!(words.next().unwrap().chars().all(|c| c.is_ascii_alphanumeric()));
                assert!(["-check", "-spin", "-combo", "-string", "-file"].contains(&words.next().unwrap()));
            }
            names.push(feature.name);
        }
    }
    for name in [
        "usermove", "colors", "sigint", "sigterm", "pause", "nps", "memory", "exclude", "variants", "myname",
    ] {
        assert!(names.iter().any(|known| known == name), "{name}");
    }
    rig.send("protover 99");
    assert!(!rig.lines().is_empty(), "higher versions are not refused");
}

#[test]
fn a_front_end_of_protocol_1_can_play() {
    let mut rig = Rig::raw();
    let lines = rig.ask("xboard\nnew\nrandom\nlevel 40 5 0\nhard\neasy\nbook\ne2e4");
    assert!(!any(&lines, "feature"));
    assert_eq!(moves(&lines).len(), 1, "{lines:?}");
    assert!(
        !rig.session.is_ended_by_signals(),
        "it sends SIGINT for attention"
    );
    rig.send("protover 2");
    assert!(rig.session.is_ended_by_signals());
}

#[test]
fn pausing_freezes_the_search_and_the_clock() {
    let mut rig = Rig::new();
    rig.fake.wait(true);
    rig.send("st 0.3\nusermove e2e4\npause");
    while rig.step(Duration::from_millis(600)) {}
    assert_eq!(moves(&rig.lines()), [""; 0], "the deadline passed while paused");
    rig.send("resume");
    rig.wait_for("move ");
    assert!(rig.fake.last_search().thought <= Duration::from_millis(590));
}

#[test]
fn a_panic_in_the_search_costs_one_weak_move_and_nothing_else() {
    let mut rig = Rig::new();
    rig.fake.panics.store(true, SeqCst);
    assert_eq!(moves(&rig.ask("usermove e2e4")).len(), 1);
    assert_eq!(moves(&rig.ask("usermove d2d4")).len(), 1);
    assert_eq!(rig.fake.built.load(SeqCst), 2, "its searcher is not used again");
}

#[test]
fn hints_are_legal_moves_in_every_mode() {
    let mut rig = Rig::new();
    for setup in ["", "force", "usermove e2e4", "hard\nusermove d2d4"] {
        rig.ask(setup);
        let lines = rig.ask("hint");
        let hint = lines.iter().rev().find_map(|line| line.strip_prefix("Hint: "));
        let hint = hint.unwrap_or_else(|| panic!("no hint after {setup:?}: {lines:?}"));
        assert!(rig.session.engine().position().parse_move(hint).is_ok());
        assert_eq!(moves(&lines), [""; 0]);
    }
    assert_eq!(
        rig.ask("force\nsetboard 7k/6Q1/5K2/8/8/8/8/8 b - - 0 1\nhint"),
        [""; 0]
    );
}

#[test]
fn the_book_display_is_indented_and_ends_with_an_empty_line() {
    let mut rig = Rig::new();
    for position in ["new", "setboard 4k3/8/8/8/8/8/8/4K2R w K - 0 1"] {
        let lines = rig.ask(&format!("{position}\nbk"));
        let (last, text) = lines.split_last().unwrap();
        assert_eq!(last, "");
        assert!(
            !text.is_empty() && text.iter().all(|line| line.starts_with(' ')),
            "{lines:?}"
        );
    }
}

#[test]
fn the_block_that_xboard_sends_twice_before_each_game() {
    let mut rig = Rig::raw();
    rig.send("xboard\nprotover 2\naccepted done\naccepted ping\noption OwnBook=0");
    let block = "memory 68\ncores 1\nnew\nrandom\nlevel 0 0:02 0.1\npost\nhard\neasy\n";
    rig.send(block);
    rig.ask("force");
    rig.send(block);
    rig.ask("force");
    rig.send("computer\nname Somebody\ntime 200\notim 200\ngo");
    rig.wait_for("move ");
    let lines = rig.ask("time 190\notim 200\nusermove e7e5");
    assert_eq!(moves(&lines).len(), 1);
    let lines = rig.ask("result 1-0 {somebody resigns}\nforce");
    assert_eq!(moves(&lines), [""; 0]);
    assert!(!any(&lines, "Error"));
}

#[test]
fn thinking_while_pondering_shows_the_expected_move_first() {
    let mut rig = Rig::new();
    rig.fake.play(&["e7e5"]);
    rig.send("post\nhard\nusermove e2e4");
    let lines = rig.wait_for("Hint: ");
    let hint = lines
        .iter()
        .find_map(|line| line.strip_prefix("Hint: "))
        .unwrap()
        .to_owned();
    rig.fake.wait(true);
    let lines = rig.wait_for("3 ");
    let position = rig.session.engine().position();
    let san = position.san(position.parse_move(&hint).unwrap());
    let thinking = lines.iter().rfind(|line| line.starts_with("3 ")).unwrap();
    assert!(
        thinking.contains(&format!("\t{san} ")),
        "{thinking} after Hint: {hint}"
    );
}

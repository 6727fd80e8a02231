//! More of the xboard protocol than its mistakes: features, book display, hints, pausing, panics.

mod common;

use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;
use std::time::Duration;

use common::rig::{PATIENCE, Rig, any, moves};
use common::uci_rig::UciRig;
use kashan::engine::{BuildFor, Settings, backend};
use kashan::front::{Flow, Front};
use kashan::position::Position;
use kashan::protocol::xboard::{FeatureValue, Reply};
use kashan::search::{Clock, Limits, Observer, SearchReport, Searcher};

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
    assert_eq!(
        rig.front.interrupt(),
        Flow::Continue,
        "it sends SIGINT for attention"
    );
    rig.send("protover 2");
    assert_eq!(rig.front.interrupt(), Flow::Quit);
}

#[test]
fn pausing_freezes_the_search_and_the_clock() {
    let mut rig = Rig::new();
    rig.fake.wait(true);
    // Twice what the move has: a clock that ran on would show more than the pause, and a busy machine has two seconds to spare.
    let pause = Duration::from_secs(4);
    rig.send("st 2\nusermove e2e4\npause");
    while rig.step(pause) {}
    assert_eq!(moves(&rig.lines()), [""; 0], "the deadline passed while paused");
    rig.send("resume");
    rig.wait_for("move ");
    assert!(rig.fake.last_search().thought < pause);
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
        assert!(rig.front.engine().position().parse_move(hint).is_ok());
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
    let position = rig.front.engine().position();
    let san = position.san(position.parse_move(&hint).unwrap());
    let thinking = lines.iter().rfind(|line| line.starts_with("3 ")).unwrap();
    assert!(
        thinking.contains(&format!("\t{san} ")),
        "{thinking} after Hint: {hint}"
    );
}

#[test]
fn no_move_comes_before_a_pong_that_is_owed() {
    for book in [0, 1] {
        let mut rig = Rig::new();
        // What the search thread has done is not looked at before everything is sent: to the session it is busy.
        rig.send(&format!(
            "option OwnBook={book}\nmemory 5\nnew\nping 71\nping 72\nusermove e2e4\nping 73"
        ));
        let lines = rig.wait_for("pong 73");
        assert_eq!(lines.len(), 4, "{lines:?}");
        assert_eq!(&lines[..2], ["pong 71", "pong 72"]);
        assert!(lines[2].starts_with("move "), "{lines:?}");
    }
}

#[test]
fn a_move_that_waits_for_a_pong_obeys_what_comes_meanwhile() {
    let mut rig = Rig::new();
    rig.fake.wait(true);
    rig.send("st 60\nmemory 5\nping 71\nusermove e2e4\n?\nping 72");
    let lines = rig.wait_for("pong 72");
    assert!(
        lines[0] == "pong 71" && lines[1].starts_with("move "),
        "{lines:?}"
    );

    rig.send("memory 6\nping 73\nusermove d2d4\nforce");
    let lines = rig.sync();
    assert_eq!(moves(&lines), [""; 0], "{lines:?}");

    rig.fake.wait(false);
    rig.send("memory 7\nping 74\ngo\npause");
    while rig.step(Duration::from_millis(300)) {}
    let lines = rig.lines();
    assert_eq!(lines, ["pong 74"], "nothing is thought about in a pause");
    rig.send("resume");
    assert_eq!(moves(&rig.wait_for("move ")).len(), 1);
}

#[test]
fn what_was_thought_of_another_position_decides_no_draw() {
    for change in [
        "setboard 4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "edit\nxa2\n.",
        "remove",
    ] {
        let mut rig = Rig::new();
        rig.fake.score(-200);
        rig.ask("usermove e2e4");
        assert_eq!(rig.ask(&format!("{change}\ndraw")), [""; 0], "after {change}");
    }
}

#[test]
fn pondered_nodes_are_not_taken_off_the_clock() {
    let mut rig = Rig::new();
    rig.fake.race();
    rig.fake.play(&["e7e5"]);
    // Nodes are the time, and the fake searcher visits a second's worth at a time.
    rig.send("nps 1000\nlevel 0 10 0\nhard\nusermove e2e4\n?");
    let lines = rig.wait_for("Hint: ");
    let hint = lines.iter().find_map(|line| line.strip_prefix("Hint: "));
    let hint = hint.expect("it was waited for").to_owned();
    let pondered = |rig: &Rig| {
        let running = rig.front.engine().running();
        running.expect("it ponders").clock.nodes()
    };
    while pondered(&rig) < 700_000 {
        std::thread::sleep(Duration::from_millis(1));
    }
    rig.send(&format!("usermove {hint}"));
    rig.wait_for("move ");
    rig.ask("easy");
    let mv = rig.front.engine().position().legal_moves()[0];
    assert_eq!(moves(&rig.ask(&format!("usermove {mv}"))).len(), 1);
    let thought = rig.fake.last_search().thought;
    assert!(
        thought >= Duration::from_secs(5),
        "most of the ten minutes is left, but it thought for {thought:?}"
    );
}

#[test]
fn an_analysis_with_nothing_left_to_find_is_quiet_and_answers_all_the_same() {
    let mut rig = Rig::with_searchers(backend::standard(), Arc::default());
    rig.ask("xboard\nprotover 2\noption Backend=alphabeta\nmemory 1\nforce\npost");
    rig.ask("setboard 7k/8/5KQ1/8/8/8/8/8 w - - 0 1");
    rig.send("analyze");
    while rig.front.engine().running().is_some() {
        assert!(rig.step(PATIENCE), "the search does not end");
    }
    let lines = rig.lines();
    let thoughts = lines.iter().filter(|line| line.contains('\t')).count();
    assert!((1..10).contains(&thoughts), "{lines:#?}");
    for _ in 0..2 {
        let lines = rig.ask(".");
        assert!(any(&lines, "stat01: ") && lines[0].ends_with('#'), "{lines:?}");
    }
    assert!(any(&rig.ask("hint"), "Hint: "));
    rig.send("new");
    assert!(
        rig.front.engine().running().is_some(),
        "another position is analysed"
    );
    rig.ask("exit");
    assert_eq!(rig.ask("."), [""; 0]);
}

/// Says before each search that there is less memory than it should have.
struct Starved;

impl Searcher for Starved {
    fn search(
        &mut self,
        root: &Position,
        limits: &Limits,
        _: &Clock,
        observer: &mut dyn Observer,
    ) -> SearchReport {
        observer.short_of_memory(100);
        SearchReport::without_search(root, &limits.root_moves(root))
    }

    fn new_game(&mut self) {}

    fn set_memory(&mut self, _: usize) {}
}

fn starved() -> BuildFor {
    Box::new(|_| Box::new(|| Box::new(Starved)))
}

#[test]
fn front_ends_are_told_once_that_memory_is_short() {
    let mut rig = Rig::with_searchers(starved(), Arc::default());
    rig.ask("xboard\nprotover 2\noption OwnBook=0\nmemory 60000\nnew");
    let told = |lines: &[String]| {
        lines
            .iter()
            .filter(|line| line.contains("60000") && line.contains(" 100 "))
            .count()
    };
    let lines = rig.ask("go");
    assert!(any(&lines, "telluser ") && told(&lines) == 1, "{lines:?}");
    assert_eq!(told(&rig.ask("force\ngo")), 0);

    let mut rig = UciRig::with_searchers(starved(), Arc::default());
    rig.send("setoption name Hash value 60000\ngo depth 1");
    let lines = rig.wait_for("bestmove ");
    assert!(any(&lines, "info string ") && told(&lines) == 1, "{lines:?}");
    rig.send("go depth 1");
    assert_eq!(told(&rig.wait_for("bestmove ")), 0);
}

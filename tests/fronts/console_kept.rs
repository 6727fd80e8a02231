//! Control-C at the console, and the game that is kept: with the fake searcher behind it, and as a program in
//! a terminal.

use std::path::Path;
#[cfg(unix)]
use std::sync::mpsc::{Receiver, channel};

use kashan::front::{Flow, Front};

use crate::common::dialogue::PATIENCE;
use crate::common::rig::Terminal;

/// A console that keeps its game in a file, and all that it ever printed.
struct Kept {
    rig: Terminal,
    screen: String,
}

impl Kept {
    fn new(file: &Path) -> Kept {
        Kept { rig: Terminal::keeping(file), screen: String::new() }
    }

    fn say(&mut self, line: &str) {
        assert_eq!(self.rig.send(line), Flow::Continue, "{line}");
    }

    /// Lets the search thread go on until `text` stands on the screen.
    fn wait_for(&mut self, text: &str) {
        while !self.printed(text) {
            assert!(self.rig.step(PATIENCE), "no {text:?}: {}", self.screen);
        }
    }

    fn printed(&mut self, text: &str) -> bool {
        self.screen += &self.rig.lines().join("\n");
        self.screen.contains(text)
    }
}

#[test]
fn once_makes_kashan_move_and_twice_in_a_row_leaves_with_the_game_kept() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("deep/er/game.pgn");
    let mut terminal = Kept::new(&file);
    terminal.rig.fake.wait(true);
    terminal.rig.fake.play(&["e7e5", "b8c6"]);
    terminal.say("level 3600s");
    terminal.say("e4");
    assert_eq!(terminal.rig.front.interrupt(), Flow::Continue, "it thinks");
    terminal.wait_for("Kashan plays 1... e5");
    terminal.say("Nf3");
    assert_eq!(terminal.rig.front.interrupt(), Flow::Continue, "something was typed since");
    terminal.wait_for("Kashan plays 2... Nc6");
    assert!(!terminal.printed("--resume"));
    assert_eq!(terminal.rig.front.interrupt(), Flow::Quit);
    assert!(terminal.printed("The game is kept; \"kashan --resume\" goes on with it."));
    let pgn = std::fs::read_to_string(&file).unwrap();
    assert!(pgn.contains("1. e4 e5 2. Nf3 Nc6 *"), "{pgn}");
}

#[test]
fn at_the_prompt_and_in_an_analysis_nothing_is_lost_by_the_first() {
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = Kept::new(&folder.path().join("game.pgn"));
    assert_eq!(terminal.rig.front.interrupt(), Flow::Continue);
    terminal.say("analyze");
    assert_eq!(terminal.rig.front.interrupt(), Flow::Continue);
    assert!(terminal.rig.front.engine.running().is_none(), "the analysis is over");
    terminal.say("");
    terminal.rig.fake.wait(true);
    terminal.say("play black");
    assert_eq!(terminal.rig.front.interrupt(), Flow::Continue);
    // Kashan need not have moved before the second.
    assert_eq!(terminal.rig.front.interrupt(), Flow::Quit);
    assert!(!terminal.printed("--resume"), "there is no game yet");
}

#[test]
fn a_game_goes_on_where_it_was_left_on_either_side_and_from_any_start() {
    const START: &str = "4k3/8/8/8/8/8/4P3/4K3 b - - 3 40";
    for (side, first, answer, kept) in [
        ("play white", "fen 4k3/8/8/8/8/8/4P3/4K3 w - - 3 40\ne4", "Ke7", "40. e4 Ke7 *"),
        ("play black", &format!("fen {START}\nKe7"), "e4", "40... Ke7 41. e4 *"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("game.pgn");
        let mut terminal = Kept::new(&file);
        terminal.rig.fake.play(&[answer]);
        terminal.say("play both");
        first.lines().take(1).for_each(|line| terminal.say(line));
        terminal.say(side);
        first.lines().skip(1).for_each(|line| terminal.say(line));
        terminal.wait_for(&format!("{answer} ("));
        let fen = terminal.rig.front.engine.position().to_fen();
        terminal.rig.front.farewell();
        assert!(terminal.printed("--resume"));

        let mut next = Kept::new(&file);
        next.rig.front.greet();
        assert!(next.printed("Your last game is not over"));
        next.say("resume");
        assert_eq!(next.rig.front.engine.position().to_fen(), fen);
        next.say("pgn");
        assert!(next.printed(kept), "{}", next.screen);
        // Kashan plays the side that it played.
        let reply = if side == "play white" { "Kd1" } else { "Ke6" };
        next.say(reply);
        next.wait_for("Kashan plays 4");
    }
}

#[test]
fn what_is_no_game_is_named_and_a_game_that_is_over_is_not_offered() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.pgn");
    let mut terminal = Kept::new(&file);
    terminal.say("resume");
    assert!(terminal.printed("No game is kept."));
    std::fs::write(&file, "1. e4 Ke3 *").unwrap();
    terminal.say("resume");
    assert!(terminal.printed("cannot be read"), "{}", terminal.screen);
    terminal.say("play both");
    for mv in ["f3", "e5", "g4", "Qh4"] {
        terminal.say(mv);
    }
    let mut next = Kept::new(&file);
    next.rig.front.greet();
    assert!(!next.printed("Your last game"));
    next.say("resume");
    assert!(next.printed("That game is over"));
    // Taken back, it is a game again; another game leaves it where it can be had by hand.
    next.say("play both");
    next.say("undo 1");
    next.say("new");
    next.say("d4");
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(read("game-before-2.pgn").contains("1. f3 e5 2. g4 *"));
    assert!(read("game.pgn").contains("1. d4 *"));
}

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Two people at two consoles, each playing both sides of a game of their own.
fn two_consoles(folder: &Path) -> [Kept; 2] {
    [(); 2].map(|()| {
        let mut terminal = Kept::new(&folder.join("game.pgn"));
        terminal.say("play both");
        terminal
    })
}

#[test]
fn two_consoles_lose_neither_game_and_both_say_the_truth() {
    let folder = tempfile::tempdir().unwrap();
    let [mut first, mut second] = two_consoles(folder.path());
    for (white, black) in [("e4", "d4"), ("e5", "d5"), ("Nf3", "Nf3"), ("Nc6", "Nf6")] {
        first.say(white);
        second.say(black);
    }
    let game = |name| read(folder.path(), name);
    assert!(game("game.pgn").contains("1. d4 d5 2. Nf3 Nf6 *"));
    assert!(second.printed("game-before-1.pgn"), "{}", second.screen);
    assert!(game("game-before-1.pgn").contains("1. e4 e5 2. Nf3 Nc6 *"));
    // Whoever leaves has the last word.
    first.rig.front.farewell();
    assert!(first.printed("The game is kept"));
    assert!(game("game.pgn").contains("1. e4 e5 2. Nf3 Nc6 *"));
    assert!(game("game-before-2.pgn").contains("1. d4 d5 2. Nf3 Nf6 *"));
    let files = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(files, 3, "each game is put aside once");
}

#[test]
fn the_last_ten_games_are_held_and_a_linked_file_stays_a_link() {
    let folder = tempfile::tempdir().unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let target = elsewhere.path().join("mine.pgn");
    std::fs::write(&target, "").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(&target, folder.path().join("game.pgn")).unwrap();
    let [mut terminal, _] = two_consoles(folder.path());
    for mv in ["e4", "e5", "Nf3"] {
        terminal.say(mv);
    }
    for mv in "a3 a4 b3 b4 c3 c4 d3 d4 e3 f3 f4".split(' ') {
        terminal.say("new");
        terminal.say(mv);
        // A game of one move does not drive out the long one.
        let texts = std::fs::read_dir(folder.path()).unwrap().map(|entry| {
            let path = entry.unwrap().path();
            std::fs::read_to_string(path).unwrap()
        });
        let is_held = texts.into_iter().any(|text| text.contains("1. e4 e5 2. Nf3 *"));
        assert!(is_held || mv == "f4", "after {mv}");
    }
    let files = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(files, 11, "ten, and the kept one");
    #[cfg(unix)]
    assert!(std::fs::read_to_string(&target).unwrap().contains("1. f4 *"));
}

#[test]
fn a_game_that_was_given_up_is_over_when_it_is_resumed() {
    for (order, reason) in [("resign", "White resigns"), ("draw", "Draw agreed")] {
        let folder = tempfile::tempdir().unwrap();
        let [mut terminal, mut next] = two_consoles(folder.path());
        for line in ["e4", "e5", order] {
            terminal.say(line);
        }
        next.say("resume");
        assert!(next.printed(&format!("That game is over ({reason})")), "{}", next.screen);
        next.say("play both");
        next.say("Nf3");
        assert!(next.printed("The game is over"), "{}", next.screen);
        assert_eq!(next.rig.front.engine.game.moves().len(), 2);
        next.say("undo 1");
        next.say("c5");
        assert!(read(folder.path(), "game.pgn").contains("1. e4 c5 *"));
    }
}

#[test]
fn what_could_not_be_written_is_said_once_and_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("kashan");
    std::fs::write(&data, "a file where a folder is to be").unwrap();
    let mut terminal = Kept::new(&data.join("game.pgn"));
    terminal.say("play both");
    terminal.say("e4");
    assert!(terminal.printed("The game cannot be kept in "));
    terminal.screen.clear();
    terminal.say("e5");
    assert!(!terminal.printed("cannot be kept"), "once is enough");
    terminal.rig.front.farewell();
    assert!(!terminal.printed("The game is kept"));
    terminal.say("resume");
    assert!(!terminal.printed("there is no folder for it"), "{}", terminal.screen);
    assert!(terminal.printed("game.pgn"), "{}", terminal.screen);
    std::fs::remove_file(&data).unwrap();
    terminal.say("Nf3");
    assert!(read(&data, "game.pgn").contains("1. e4 e5 2. Nf3 *"));
    terminal.rig.front.farewell();
    assert!(terminal.printed("The game is kept"));
}

/// A real terminal, made by the program `script`, with Kashan in it.
#[cfg(target_os = "linux")]
struct RealTerminal {
    child: std::process::Child,
    keys: std::process::ChildStdin,
    output: Receiver<String>,
    /// What came and was not waited for: behind one text may come the next.
    seen: String,
}

#[cfg(target_os = "linux")]
impl RealTerminal {
    fn start(folder: &Path, kind: &str, arguments: &str) -> RealTerminal {
        use std::io::Read as _;
        use std::process::{Command, Stdio};

        let program = env!("CARGO_BIN_EXE_kashan");
        let mut child = Command::new("script")
            .args(["-qec", &format!("stty cols 80 rows 24; {program} {arguments}"), "/dev/null"])
            .env("XDG_DATA_HOME", folder)
            .env("TERM", kind)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let (sender, output) = channel();
        let mut stdout = child.stdout.take().expect("it is piped");
        std::thread::spawn(move || {
            let mut bytes = [0; 1024];
            while let Ok(count @ 1..) = stdout.read(&mut bytes) {
                if sender.send(String::from_utf8_lossy(&bytes[..count]).into_owned()).is_err() {
                    break;
                }
            }
        });
        let keys = child.stdin.take().expect("it is piped");
        RealTerminal { child, keys, output, seen: String::new() }
    }

    #[track_caller]
    fn wait_for(&mut self, text: &str) {
        while !self.seen.contains(text) {
            match self.output.recv_timeout(2 * PATIENCE) {
                Ok(more) => self.seen += &more,
                Err(_) => panic!("no {text:?} in {:?}", self.seen),
            }
        }
        self.seen.drain(..self.seen.find(text).unwrap_or(0) + text.len());
    }

    fn press(&mut self, keys: &str) {
        use std::io::Write as _;

        self.keys.write_all(keys.as_bytes()).and_then(|()| self.keys.flush()).unwrap();
    }

    fn ends_in_peace(mut self) {
        assert!(self.child.wait().expect("it ends").success());
    }
}

/// Control-C is a signal where lines are lines, and a key where they are edited.
#[cfg(target_os = "linux")]
#[test]
fn the_key_in_a_terminal() {
    if !crate::common::programs::is_installed("script") {
        return;
    }
    for kind in ["dumb", "xterm"] {
        let folder = tempfile::tempdir().unwrap();
        let mut terminal = RealTerminal::start(folder.path(), kind, "");
        terminal.wait_for("1. White> ");
        terminal.press("set OwnBook 0\r");
        terminal.wait_for("OwnBook is 0.");
        terminal.press("level 3600s\r");
        terminal.wait_for("The level is");
        terminal.press("a3\r");
        terminal.wait_for(" kN ");
        terminal.press("\x03");
        terminal.wait_for("Kashan plays 1... ");
        terminal.wait_for("2. White> ");
        terminal.press("\x03");
        terminal.wait_for("The game is kept");
        terminal.ends_in_peace();

        let mut terminal = RealTerminal::start(folder.path(), kind, "--resume");
        terminal.wait_for("2. White> ");
        terminal.press("quit\r");
        terminal.wait_for("The game is kept");
        terminal.ends_in_peace();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_whole_screen_is_given_back() {
    const ENTER: &str = "\x1b[?1049h";
    const LEAVE: &str = "\x1b[?1049l";
    const F9: &str = "\x1b[20~";
    const F10: &str = "\x1b[21~";

    if !crate::common::programs::is_installed("script") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = RealTerminal::start(folder.path(), "xterm", "play --tui");
    terminal.wait_for(ENTER);
    // Blanks that are blank already are not written.
    terminal.wait_for("Evaluation");
    terminal.press("e4\r");
    terminal.wait_for("plays");
    terminal.press(F9);
    terminal.wait_for(LEAVE);
    terminal.wait_for("2. White> ");
    // Lines are edited there, in the terminal where the screen was.
    terminal.press("tu\t\r");
    terminal.wait_for(ENTER);
    terminal.wait_for("Evaluation");
    terminal.press(F10);
    terminal.wait_for(LEAVE);
    terminal.wait_for("The game is kept");
    terminal.ends_in_peace();
}

#[cfg(unix)]
#[test]
fn what_is_no_file_keeps_no_game_and_holds_nobody_up() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.pgn");
    nix::unistd::mkfifo(&file, nix::sys::stat::Mode::S_IRWXU).unwrap();
    let mut terminal = Kept::new(&file);
    terminal.rig.fake.play(&["e7e5"]);
    terminal.say("e4");
    terminal.wait_for("The game cannot be kept");
    assert!(terminal.printed("it is no regular file"), "{}", terminal.screen);
    terminal.wait_for("Kashan plays 1... e5");
    terminal.say("resume");
    assert!(terminal.printed("no regular file"));
}

//! Control-C at the console, and the game that is kept: with the fake searcher behind it, and as a
//! program in a terminal.

use std::fs;
#[cfg(target_os = "linux")]
use std::path::PathBuf;
#[cfg(unix)]
use std::process::Command;
#[cfg(target_os = "linux")]
use std::sync::mpsc::{Receiver, channel};

use kashan::engine::front::Front as _;
use tempfile::TempDir;

use crate::common::dialogue::Speaker;
#[cfg(unix)]
use crate::common::programs::{TestFolder, feed, has_all, text};
use crate::common::rig::Terminal;

/// A console that keeps its game in a folder.
fn keeping(folder: &TempDir) -> Terminal {
    Terminal::keeping(&folder.path().join("game.pgn"))
}

/// Two people at two consoles, each playing both sides of a game of their own.
fn two_consoles(folder: &TempDir) -> [Terminal; 2] {
    [(); 2].map(|()| {
        let mut terminal = keeping(folder);
        terminal.holds("> play both");
        terminal
    })
}

/// The content of all files but the lock.
fn games(folder: &TempDir) -> Vec<String> {
    let paths = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let games = paths.filter(|path| !path.ends_with("game.pgn.lock"));
    games
        .map(|path| fs::read_to_string(path).unwrap())
        .collect()
}

/// A file of the folder has a text in it.
#[track_caller]
fn has(folder: &TempDir, name: &str, text: &str) {
    let content = fs::read_to_string(folder.path().join(name)).unwrap_or_default();
    assert!(content.contains(text), "{name}: {content}");
}

#[test]
fn once_makes_kashan_move_and_twice_in_a_row_leaves_with_the_game_kept() {
    let folder = tempfile::tempdir().unwrap();
    Terminal::keeping(&folder.path().join("deep/er/game.pgn")).holds(
        "searcher waits; searcher plays e7e5 b8c6
         > level 3600s; e4
         interrupt; flow is Continue
         < Kashan plays 1... e5
         > Nf3
         # Something was typed since.
         interrupt; flow is Continue
         < Kashan plays 2... Nc6
         never --resume
         interrupt; flow is Quit
         < \"kashan --resume\" goes on with it.",
    );
    has(&folder, "deep/er/game.pgn", "1. e4 e5 2. Nf3 Nc6 *");
}

#[test]
fn at_the_prompt_and_in_an_analysis_nothing_is_lost_by_the_first() {
    keeping(&tempfile::tempdir().unwrap()).holds(
        "interrupt; flow is Continue
         > analyze
         interrupt; flow is Continue; search is none
         >
         searcher waits
         > play black
         interrupt; flow is Continue
         # Kashan need not have moved before the second.
         interrupt; flow is Quit
         # There is no game yet.
         never --resume",
    );
}

#[test]
fn a_game_goes_on_where_it_was_left_on_either_side_and_from_any_start() {
    for (begin, answer, kept, reply) in [
        (
            "fen 4k3/8/8/8/8/8/4P3/4K3 w - - 3 40; play white; e4",
            "Ke7",
            "40. e4 Ke7 *",
            "Kd1",
        ),
        (
            "fen 4k3/8/8/8/8/8/4P3/4K3 b - - 3 40; play black; Ke7",
            "e4",
            "40... Ke7 41. e4 *",
            "Ke6",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut terminal = keeping(&folder);
        terminal.call("begin", begin).call("answer", answer).holds(
            "searcher plays $answer
             > play both; $begin < $answer (",
        );
        let fen = terminal.engine().position().to_fen();
        terminal.front.farewell();
        terminal.holds("< --resume");

        let mut next = keeping(&folder);
        next.front.greet();
        // Kashan plays the side that it played.
        next.call("fen", &fen)
            .call("kept", kept)
            .call("reply", reply)
            .holds(
                "< Your last game is not over
             > resume
             position is $fen
             > pgn < $kept
             > $reply < Kashan plays 4",
            );
    }
}

/// It is offered, and Kashan's first move of another takes it from nobody.
#[test]
fn a_game_that_kashan_begins_is_kept_from_the_first_answer_on() {
    let folder = tempfile::tempdir().unwrap();
    keeping(&folder).holds("> play both; d4; d5");
    let begins = "searcher plays e4\n> play black < Kashan plays 1. e4\n";
    keeping(&folder).holds(&format!("{begins}> resume; pgn < 1. d4 d5 *"));
    keeping(&folder).holds(&format!("{begins}> e5 < games-before.pgn"));
    has(&folder, "games-before.pgn", "1. d4 d5 *");
}

#[test]
fn strength_and_level_are_kept_as_soon_as_they_are_chosen() {
    for (order, said) in [
        ("strength 1400", "Kashan plays at 1400 Elo."),
        (
            "set UCI_Elo 900; set UCI_LimitStrength 1",
            "Kashan plays at 900 Elo.",
        ),
        ("level 5+3", "The level is 5 minutes"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        keeping(&folder)
            .call("order", order)
            .holds("> e4 < Kashan plays 1...\n> $order");
        keeping(&folder)
            .call("said", said)
            .holds("> resume; level; strength < $said");
    }
    // Neither a game that is over nor another console's is touched.
    let folder = tempfile::tempdir().unwrap();
    let [mut first, mut second] = [(); 2].map(|()| keeping(&folder));
    first.holds("> e4 < Kashan plays 1...");
    second.holds("> d4 < Kashan plays 1...\n> resign; strength 1400; level 5+3");
    first.holds("> strength 1400");
    has(&folder, "game.pgn", "1. d4 ");
    let kept = fs::read_to_string(folder.path().join("game.pgn")).unwrap();
    assert!(!kept.contains("Elo") && !kept.contains("300+3"), "{kept}");
}

#[test]
fn what_is_no_game_is_named_and_a_game_that_is_over_is_not_offered() {
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = keeping(&folder);
    terminal.holds("> resume < No game is kept.");
    fs::write(folder.path().join("game.pgn"), "1. e4 Ke3 *").unwrap();
    terminal.holds("> resume < cannot be read\n> play both; f3; e5; g4; Qh4");
    let mut next = keeping(&folder);
    next.front.greet();
    // Taken back, it is a game again; another game leaves it where it can be had by hand.
    next.holds(
        "never Your last game
         > resume < That game is over
         > play both; undo 1; new; d4",
    );
    has(
        &folder,
        "games-before.pgn",
        "1. f3 e5 2. g4 Qh4# {Black mates} 0-1",
    );
    has(&folder, "games-before.pgn", "1. f3 e5 2. g4 *");
    has(&folder, "game.pgn", "1. d4 *");
}

#[test]
fn a_game_that_is_over_stays_as_it_was_whoever_plays_on() {
    let folder = tempfile::tempdir().unwrap();
    keeping(&folder).holds(
        "> play both; f3; e5; g4; Qh4; go < The game is over
         > play black; pgn < [White \"Human\"]
         never Kashan 0
         > review < in 2 moves
         > play both; undo 4; d4",
    );
    has(&folder, "games-before.pgn", "1. f3 e5 2. g4 Qh4#");
    has(&folder, "game.pgn", "1. d4 *");
}

#[test]
fn what_a_kept_game_was_begun_with_stays_and_what_else_is_in_its_file_is_not_lost() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.pgn");
    keeping(&folder).holds("> play both; strength 1200; level 5+3; e4; e5");
    let own = fs::read_to_string(&file).unwrap();
    let today = own.split('"').nth(5).unwrap().to_owned();
    fs::write(&file, own.replace(&today, "2025.01.02")).unwrap();
    keeping(&folder).holds(
        "> resume < Kashan plays at 1200 Elo.
         > level < The level is 5 minutes
         > play both; Nf3
         never games-before",
    );
    has(&folder, "game.pgn", "[Date \"2025.01.02\"]");
    let own = fs::read_to_string(&file)
        .unwrap()
        .replace("[Result", "[WhiteElo \"1850\"]\n[Result");
    fs::write(&file, &own).unwrap();
    keeping(&folder).holds("> resume; play both; Nc6 < games-before.pgn");
    has(&folder, "games-before.pgn", &own);
    let two =
        "[White \"Human\"]\r\n[Black \"Kashan\"]\r\n\r\n1. e4 {mine} e5 *\r\n\r\n1. d4 d5 *\r\n";
    fs::write(&file, two).unwrap();
    keeping(&folder).holds("> resume; play both; Nf3 < games-before.pgn");
    has(&folder, "games-before.pgn", two);
}

#[test]
fn a_game_of_several_players_stays_one_when_it_is_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let game = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 *\n";
    fs::write(folder.path().join("game.pgn"), game).unwrap();
    keeping(&folder).holds("searcher plays f8c5\n> resume; go < Kashan plays 3... Bc5\n> d3");
    keeping(&folder).holds("> resume; review < Looking back at 7 moves");
    keeping(&folder).holds("> resume; undo 7; play both; d4; d5; review < Looking back at 2 moves");
}

#[test]
fn what_is_chosen_when_all_moves_are_taken_back_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    keeping(&folder).holds("> play both; e4; undo; strength 1200; level 5+3");
    keeping(&folder).holds(
        "never Your last game
         > resume < Kashan plays at 1200 Elo.
         > level < The level is 5 minutes",
    );
}

#[test]
fn a_look_back_at_a_very_long_game_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let round = "1. Nf3 Nf6 2. Ng1 Ng8 ";
    fs::write(
        folder.path().join("game.pgn"),
        round.repeat(300) + "3. e4 *",
    )
    .unwrap();
    keeping(&folder).holds("> resume; review < The game has 1201 half-moves");
}

#[test]
fn line_ends_of_windows_are_line_ends() {
    let folder = tempfile::tempdir().unwrap();
    let game = "[White \"A\"]\r\n[Black \"B\"]\r\n\r\n1. e4 e5 2. Nf3\r\n1-0\r\n";
    fs::write(folder.path().join("game.pgn"), game).unwrap();
    keeping(&folder).holds(
        "> resume < That game is over
         > pgn < [Black \"B\"]
         > review < in 2 moves
         never \u{fffd}",
    );
}

#[test]
fn two_consoles_lose_neither_game_and_both_say_the_truth() {
    let folder = tempfile::tempdir().unwrap();
    let [mut first, mut second] = two_consoles(&folder);
    for (white, black) in [("e4", "d4"), ("e5", "d5"), ("Nf3", "Nf3"), ("Nc6", "Nf6")] {
        first.send(white);
        second.send(black);
    }
    second.holds("< games-before.pgn");
    has(&folder, "game.pgn", "1. d4 d5 2. Nf3 Nf6 *");
    has(&folder, "games-before.pgn", "1. e4 e5 2. Nf3 Nc6 *");
    // Whoever leaves has the last word.
    first.front.farewell();
    first.holds("< The game is kept");
    has(&folder, "game.pgn", "1. e4 e5 2. Nf3 Nc6 *");
    has(&folder, "games-before.pgn", "1. d4 d5 2. Nf3 Nf6 *");
    assert_eq!(games(&folder).len(), 2, "the kept one, and all others");
}

#[test]
fn every_game_is_held_and_a_linked_file_stays_a_link() {
    let folder = tempfile::tempdir().unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let target = elsewhere.path().join("mine.pgn");
    fs::write(&target, "").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(&target, folder.path().join("game.pgn")).unwrap();
    let [mut terminal, _] = two_consoles(&folder);
    terminal.holds("> e4; e5; Nf3");
    for mv in "a3 a4 b3 b4 c3 c4 d3 d4 e3 f3 f4".split(' ') {
        terminal.call("mv", mv).holds("> new; $mv");
        // A game of one move does not drive out the long one.
        let is_held = games(&folder)
            .iter()
            .any(|text| text.contains("1. e4 e5 2. Nf3 *"));
        assert!(is_held, "after {mv}");
    }
    assert_eq!(games(&folder).len(), 2, "the kept one, and all others");
    #[cfg(unix)]
    has(&elsewhere, "mine.pgn", "1. f4 *");
}

#[test]
fn a_game_that_was_given_up_is_over_when_it_is_resumed() {
    for (order, reason) in [("resign", "White resigns"), ("draw", "Draw agreed")] {
        let folder = tempfile::tempdir().unwrap();
        let [mut terminal, mut next] = two_consoles(&folder);
        terminal.call("order", order).holds("> e4; e5; $order");
        next.call("reason", reason).holds(
            "> resume < That game is over ($reason)
             > play both; Nf3 < The game is over
             plies is 2
             > undo 1; c5",
        );
        has(&folder, "game.pgn", "1. e4 c5 *");
    }
}

#[test]
fn what_could_not_be_written_is_said_once_and_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("kashan");
    fs::write(&data, "a file where a folder is to be").unwrap();
    let mut terminal = Terminal::keeping(&data.join("game.pgn"));
    terminal.holds("> play both; e4 < The game cannot be kept in ");
    let mut said = |line: &str| {
        terminal.send(line);
        terminal.lines().join("\n")
    };
    assert!(!said("e5").contains("cannot be kept"), "once is enough");
    let named = said("resume");
    assert!(
        named.contains("game.pgn") && !named.contains("there is no folder for it"),
        "{named}"
    );
    terminal.front.farewell();
    terminal.holds("never The game is kept");
    fs::remove_file(&data).unwrap();
    terminal.holds("> Nf3");
    has(&folder, "kashan/game.pgn", "1. e4 e5 2. Nf3 *");
    terminal.front.farewell();
    terminal.holds("< The game is kept");
}

/// A real terminal, made by the program `script`, with Kashan in it.
#[cfg(target_os = "linux")]
struct RealTerminal {
    child: std::process::Child,
    keys: std::process::ChildStdin,
    output: Receiver<String>,
    /// Output not waited for yet: behind one text may come the next.
    seen: String,
    folder: PathBuf,
}

#[cfg(target_os = "linux")]
impl RealTerminal {
    fn start(folder: &TempDir, kind: &str, arguments: &str) -> RealTerminal {
        use std::io::Read as _;
        use std::process::Stdio;

        let program = env!("CARGO_BIN_EXE_kashan");
        let script = format!(
            "stty cols 80 rows 24; stty -g >before; sh -c 'echo $$ >pid; exec {program} {arguments}'; \
             status=$?; stty -g >after; exit $status"
        );
        let mut child = Command::new("script")
            .args(["-qec", &script, "/dev/null"])
            .current_dir(folder.path())
            .env("XDG_DATA_HOME", folder.path())
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
                if sender
                    .send(String::from_utf8_lossy(&bytes[..count]).into_owned())
                    .is_err()
                {
                    break;
                }
            }
        });
        let keys = child.stdin.take().expect("it is piped");
        RealTerminal {
            child,
            keys,
            output,
            seen: String::new(),
            folder: folder.path().to_owned(),
        }
    }

    #[track_caller]
    fn wait_for(&mut self, text: &str) {
        while !self.seen.contains(text) {
            let more = self
                .output
                .recv_timeout(2 * crate::common::dialogue::PATIENCE);
            let Ok(more) = more else {
                panic!("no {text:?} in {:?}", self.seen)
            };
            self.seen += &more;
        }
        self.seen
            .drain(..self.seen.find(text).unwrap_or(0) + text.len());
    }

    /// Keys are pressed, and this comes.
    #[track_caller]
    fn answers(&mut self, keys: &str, text: &str) {
        use std::io::Write as _;

        self.keys
            .write_all(keys.as_bytes())
            .and_then(|()| self.keys.flush())
            .unwrap();
        self.wait_for(text);
    }

    /// Reads a file that the script has written.
    fn file(&self, name: &str) -> String {
        fs::read_to_string(self.folder.join(name)).expect("the script has written it")
    }

    /// The program ends, and leaves the terminal as it was.
    #[track_caller]
    fn ends_in_peace(mut self) {
        assert!(self.child.wait().expect("it ends").success());
        assert_eq!(
            self.file("before"),
            self.file("after"),
            "the terminal is as it was"
        );
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
        let mut terminal = RealTerminal::start(&folder, kind, "");
        terminal.wait_for("1. White> ");
        terminal.answers("set OwnBook 0\r", "OwnBook is 0.");
        terminal.answers("level 3600s\r", "The level is");
        terminal.answers("a3\r", " kN ");
        terminal.answers("\x03", "Kashan plays 1... ");
        terminal.wait_for("2. White> ");
        terminal.answers("\x03", "The game is kept");
        terminal.ends_in_peace();

        let mut terminal = RealTerminal::start(&folder, kind, "--resume");
        terminal.wait_for("2. White> ");
        terminal.answers("quit\r", "The game is kept");
        terminal.ends_in_peace();
    }
}

/// A line that is edited is completed, comes back on another day, and leaves the terminal as it
/// was, even where a signal ends the program.
#[cfg(target_os = "linux")]
#[test]
fn a_line_is_edited_in_a_terminal() {
    const UP: &str = "\x1b[A";

    if !crate::common::programs::is_installed("script") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let history = folder.path().join("kashan/history");
    let mut terminal = RealTerminal::start(&folder, "xterm", "play --color both");
    terminal.wait_for("1. White> ");
    terminal.answers("Nh\t\r", "1. Black> ");
    terminal.answers("se\tHash 9\r", "Hash is 9.");
    terminal.answers("d5x\x7f\r", "2. White> ");
    terminal.answers("\x04", "The game is kept");
    terminal.ends_in_peace();
    has(&folder, "kashan/game.pgn", "1. Nh3 d5 *");
    assert_eq!(
        fs::read_to_string(&history).unwrap(),
        "#V2\nNh3 \nset Hash 9\nd5\n"
    );

    let mut terminal = RealTerminal::start(&folder, "xterm", "");
    terminal.wait_for("1. White> ");
    terminal.answers(&format!("{UP}{UP}8\r"), "Hash is 98.");
    terminal.answers("half a line\x03", "once more leaves");
    terminal.answers("\x03", "");
    terminal.ends_in_peace();

    let mut terminal = RealTerminal::start(&folder, "xterm", "");
    terminal.wait_for("1. White> ");
    terminal.answers("half a line", "half a line");
    let program = terminal.file("pid").trim().parse().expect("a number");
    nix::sys::signal::kill(
        nix::unistd::Pid::from_raw(program),
        nix::sys::signal::Signal::SIGTERM,
    )
    .unwrap();
    terminal.ends_in_peace();
}

/// Lines typed during a search wait for its move.
#[cfg(target_os = "linux")]
#[test]
fn lines_that_are_typed_ahead_are_obeyed_one_after_the_other() {
    if !crate::common::programs::is_installed("script") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = RealTerminal::start(&folder, "xterm", "play --tc 1s --option OwnBook=0");
    terminal.wait_for("1. White> ");
    terminal.answers("a3\rpgn\rundo\rh3\r", "1. a3 ");
    terminal.wait_for("1. White> ");
    terminal.wait_for("Kashan plays 1... ");
    terminal.answers("quit\r", "The game is kept");
    has(&folder, "kashan/game.pgn", "1. h3 ");
    terminal.ends_in_peace();
}

#[cfg(unix)]
#[test]
fn what_is_no_file_keeps_no_game_and_holds_nobody_up() {
    let folder = tempfile::tempdir().unwrap();
    nix::unistd::mkfifo(
        &folder.path().join("game.pgn"),
        nix::sys::stat::Mode::S_IRWXU,
    )
    .unwrap();
    keeping(&folder).holds(
        "searcher plays e7e5
         > e4 < The game cannot be kept*it is no regular file; Kashan plays 1... e5
         > resume < no regular file",
    );
    let folder = tempfile::tempdir().unwrap();
    nix::unistd::mkfifo(
        &folder.path().join("game.pgn.lock"),
        nix::sys::stat::Mode::S_IRWXU,
    )
    .unwrap();
    keeping(&folder).holds("> play both; e4");
    has(&folder, "game.pgn", "1. e4 *");
}

/// Each looks at the file before it writes: what the other writes in between must not be lost.
#[test]
fn of_two_consoles_that_write_at_the_same_moment_neither_loses_its_game() {
    let folder = tempfile::tempdir().unwrap();
    for round in 0..20 {
        std::thread::scope(|scope| {
            for moves in [
                "f3; e5; g4; Qh4",
                "d4; d5; c4; e6; Nc3; Nf6; Bg5; Be7; e3; O-O",
            ] {
                scope.spawn(|| {
                    keeping(&folder)
                        .call("moves", moves)
                        .holds("> play both; $moves");
                });
            }
        });
        let texts = games(&folder);
        for end in ["2. g4 Qh4#", "5. e3 O-O"] {
            assert!(
                texts.iter().any(|text| text.contains(end)),
                "{round}: {end} is in none of {texts:?}"
            );
        }
        fs::read_dir(folder.path())
            .unwrap()
            .for_each(|file| fs::remove_file(file.unwrap().path()).unwrap());
    }
}

#[cfg(unix)]
#[test]
fn a_file_to_which_a_game_does_not_fit_stays_as_it_was() {
    let others = "[Event \"?\"]\n\n1. e4 {".to_owned() + &"a long comment ".repeat(60) + "} e5 *\n";
    let place = TestFolder::with(&[("games.pgn", &others)]);
    // A link to a file that is not there yet stays one.
    std::os::unix::fs::symlink("new.pgn", place.path().join("link.pgn")).unwrap();
    for (blocks, file) in [(2, "games.pgn"), (0, "link.pgn")] {
        let script = format!(
            "trap '' XFSZ; ulimit -f {blocks}; exec {} play",
            env!("CARGO_BIN_EXE_kashan")
        );
        let mut limited = Command::new("sh");
        limited.args(["-c", &script]).current_dir(place.path());
        let output = feed(&mut limited, &format!("play both\nd4\nsave {file}\n"));
        has_all(
            &text(&output),
            &[&format!("Cannot write {file}: File too large")],
        );
    }
    assert_eq!(place.read("games.pgn"), others);
    assert!(place.path().join("link.pgn").is_symlink() && !place.path().join("new.pgn").exists());
}

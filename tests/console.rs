//! The console, with the fake searcher behind it.

mod common;

use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Instant;

use common::fake::Fake;
use common::rig::{PATIENCE, Transcript};
use kashan::engine::{Engine, WorkerEvent};
use kashan::front::{Console, Flow, Front};
use kashan::front::{Event, event_loop::converse};

struct Terminal {
    console: Console<Transcript>,
    fake: Arc<Fake>,
    events: Receiver<WorkerEvent>,
    transcript: Transcript,
    read: usize,
}

impl Terminal {
    fn new(colors: bool) -> Terminal {
        let fake = Arc::new(Fake::default());
        let (sender, events) = channel();
        let engine =
            Engine::with_searchers(fake.builder(), Box::new(move |event| sender.send(event).is_ok()))
                .unwrap();
        let transcript = Transcript::default();
        let mut terminal = Terminal {
            console: Console::new(engine, transcript.clone(), colors),
            fake,
            events,
            transcript,
            read: 0,
        };
        terminal.console.greet();
        terminal.say("set OwnBook 0");
        terminal
    }

    /// Types a line and gives what is printed at once.
    fn say(&mut self, line: &str) -> String {
        assert_eq!(self.console.line(line), Flow::Continue, "{line}");
        self.printed()
    }

    fn printed(&mut self) -> String {
        let text = self.transcript.text();
        let new = text[self.read..].to_owned();
        self.read = text.len();
        new
    }

    /// Types a line and waits until `text` is printed.
    fn until(&mut self, line: &str, text: &str) -> String {
        let mut printed = self.say(line);
        let deadline = Instant::now() + PATIENCE;
        while !printed.contains(text) {
            let left = deadline.saturating_duration_since(Instant::now());
            let event = self.events.recv_timeout(left);
            let event = event.unwrap_or_else(|_| panic!("no {text:?} after {line:?}: {printed}"));
            self.console.search_event(event);
            printed.push_str(&self.printed());
        }
        printed
    }
}

#[test]
fn a_game_in_either_notation_to_the_end() {
    let mut terminal = Terminal::new(false);
    terminal.fake.play(&["e5", "Ke7"]);
    let printed = terminal.until("e4", "Kashan plays 1... e5");
    assert!(printed.contains("  5  . . . . p . . .\n"), "the board: {printed}");
    assert!(terminal.say("e2e5").contains("not legal"));
    assert!(terminal.say("Nf9").contains("neither a move nor a command"));
    terminal.until("d1h5", "Kashan plays 2... Ke7");
    let printed = terminal.say("Qxe5#");
    assert!(printed.contains("White mates: 1-0"), "{printed}");
    assert!(terminal.say("e4").contains("The game is over"));
    let pgn = terminal.say("pgn");
    assert!(
        pgn.contains("[Result \"1-0\"]") && pgn.contains("1. e4 e5 2. Qh5 Ke7 3. Qxe5# {White mates} 1-0"),
        "{pgn}"
    );
    assert!(terminal.say("undo").contains("2... Ke7") || terminal.say("fen").contains(" w "));
}

#[test]
fn nonsense_is_answered_with_what_may_have_been_meant() {
    let mut terminal = Terminal::new(false);
    assert!(terminal.say("hlep").contains("Did you mean \"help\"?"));
    assert!(terminal.say("what is this").contains("help for a list"));
    assert!(
        terminal
            .say("set Populaton 9")
            .contains("Did you mean Population?")
    );
    assert!(
        terminal
            .say("set Population many")
            .contains("\"many\" is not a whole number")
    );
    assert!(terminal.say("set Population=128").contains("Population is 128."));
    assert!(
        terminal
            .say("backend fastest")
            .contains("genetic, alphabeta, minimax")
    );
    assert!(terminal.say("level tomorrow").contains("Examples:"));
    assert!(terminal.say("fen nonsense").contains("nonsense"));
    assert!(terminal.say("undo").contains("nothing to take back"));
    assert!(terminal.say("undo seven").contains("not a number"));
    assert!(terminal.say("save").contains("Save to which file?"));
    assert!(
        terminal
            .say("save no/such/place/game.pgn")
            .contains("Cannot write no/such/place/game.pgn")
    );
    assert!(terminal.say("").ends_with("> "), "an empty line only prompts");
}

#[test]
fn sides_can_be_changed_and_moves_taken_back() {
    let mut terminal = Terminal::new(false);
    let printed = terminal.until("play black", "Kashan plays 1. ");
    assert!(
        printed.contains("     h g f e d c b a"),
        "seen from Black's side: {printed}"
    );
    terminal.fake.play(&["Nc3"]);
    terminal.until("e5", "Kashan plays 2. Nc3");
    assert!(terminal.say("undo").contains("1. Black> "));
    terminal.until("c5", "Kashan plays 2. ");
    terminal.until("switch", "Kashan plays 2... ");
    terminal.say("play both");
    terminal.say("new");
    for mv in ["e4", "e5", "Nf3"] {
        assert!(!terminal.say(mv).contains("Kashan"));
    }
    assert!(terminal.say("undo 3").contains("1. White> "));
    assert!(terminal.say("undo 1").contains("nothing to take back"));
}

#[test]
fn thinking_can_be_hurried_and_does_not_block() {
    let mut terminal = Terminal::new(false);
    terminal.fake.wait(true);
    terminal.say("level 600s");
    terminal.say("e4");
    assert!(terminal.say("Nf3").contains("Kashan is thinking"));
    assert!(terminal.say("options").contains("Kashan is thinking"));
    terminal.until("now", "Kashan plays 1... ");
    assert!(terminal.say("analyze").contains("Press Enter"));
    assert!(terminal.say("").contains("White> "));
    let hint = terminal.until("hint", "Perhaps ");
    assert!(hint.contains("White> "), "{hint}");
}

#[test]
fn positions_levels_and_lists() {
    let mut terminal = Terminal::new(false);
    let fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 5 40";
    assert!(terminal.say(&format!("fen {fen}")).contains("40. Black> "));
    assert!(terminal.say("fen").contains(fen));
    assert!(terminal.say("level 40/5").contains("40 moves in 5 minutes"));
    assert!(terminal.say("depth 3").contains("3 half-moves"));
    assert!(terminal.say("moves").contains("5 legal moves: Kd7"));
    assert!(terminal.say("eval").contains("good for White"));
    assert!(terminal.say("options").contains("  Levels = 2  (1 to 2)\n"));
    let help = terminal.say("help");
    assert!(
        ["new", "undo", "hint", "level", "backend", "save"]
            .iter()
            .all(|word| help.contains(&format!("  {word} ")))
    );
    assert!(terminal.say("draw").contains("Kashan plays on."));
    assert!(terminal.say("resign").contains("Black resigns: 1-0"));
    assert_eq!(terminal.console.line("xboard"), Flow::Xboard);
    assert_eq!(terminal.console.line("uci"), Flow::Uci);
    assert_eq!(terminal.console.line("quit"), Flow::Quit);
}

#[test]
fn a_search_of_the_position_can_be_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = Terminal::new(false);
    terminal.say("play both");
    terminal.say("e4");
    let text = terminal.say("explain");
    assert!(
        text.contains("Fittest branches") && text.contains("1... "),
        "{text}"
    );
    for (name, begins) in [("a tree.html", "<!DOCTYPE html>"), ("tree.DOT", "digraph")] {
        let path = folder.path().join(name);
        let said = terminal.say(&format!("explain {}", path.display()));
        assert!(said.contains("The search is in"), "{said}");
        assert!(std::fs::read_to_string(&path).unwrap().starts_with(begins));
    }
    assert!(terminal.say("explain tree.png").contains(".html or .dot"));
    assert!(
        terminal
            .say("explain no/such/place.html")
            .contains("Cannot write no/such/place.html")
    );
    terminal.say("fen 7k/5KQ1/8/8/8/8/8/8 b - - 0 1");
    assert!(
        terminal
            .say("explain")
            .contains("There is nothing to search: White mates")
    );
}

#[test]
fn saved_games_are_appended() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my games.pgn");
    let mut terminal = Terminal::new(true);
    terminal.say("play both");
    terminal.say("e4");
    let save = format!("save {}", path.display());
    assert!(terminal.say(&save).contains("The game is in"));
    terminal.say(&save);
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text.matches("\n1. e4 *\n").count(), 2, "{text}");
    assert!(!text.contains('\x1b'));
}

#[test]
fn the_engine_can_resign_if_it_may() {
    let mut terminal = Terminal::new(false);
    terminal.fake.score(-3000);
    terminal.say("set Resign 1");
    terminal.say("set ResignMoves 1");
    terminal.until("e4", "Black resigns: 1-0");
    assert!(!terminal.until("new", "White> ").contains("resigns"));
}

#[test]
fn a_game_that_is_over_stays_as_it_ended() {
    let mut terminal = Terminal::new(false);
    terminal.say("play both");
    terminal.say("fen 7k/8/5KQ1/8/8/8/8/8 w - - 0 1");
    assert!(terminal.say("Qg7").contains("White mates: 1-0"));
    for command in ["draw", "resign"] {
        let said = terminal.say(command);
        assert!(said.contains("The game is over (White mates)"), "{said}");
    }
    let pgn = terminal.say("pgn");
    assert!(
        pgn.contains("[Result \"1-0\"]") && pgn.contains("{White mates} 1-0"),
        "{pgn}"
    );
}

#[test]
fn what_makes_no_sense_does_not_stop_kashan() {
    let mut terminal = Terminal::new(false);
    terminal.fake.wait(true);
    terminal.say("level 600s");
    terminal.say("e4");
    assert!(terminal.say("fen").contains(" b KQkq "));
    assert!(terminal.say("fen nonsense").contains("nonsense"));
    assert!(terminal.say("play nonsense").contains("play white"));
    assert!(terminal.say("undo seven").contains("not a number"));
    assert!(terminal.say("undo 0").contains("not a number"));
    assert!(terminal.say("undo 9").contains("Only one half-move"));
    terminal.until("now", "Kashan plays 1... ");
}

#[test]
fn moves_as_people_type_them() {
    let mut terminal = Terminal::new(false);
    terminal.say("play both");
    for typed in ["e2-e4", "E5", "nf3", "Nb8-c6", "bc4", "bc5", "0-0"] {
        let said = terminal.say(typed);
        assert!(!said.contains("not legal") && !said.contains("neither"), "{said}");
    }
    let pgn = terminal.say("pgn");
    assert!(pgn.contains("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O *"), "{pgn}");
    let said = terminal.say("Ke6");
    assert!(said.contains("not legal") && said.contains("Ke7, Kf8"), "{said}");
    let said = terminal.say("Nf9");
    assert!(
        said.contains("neither a move nor a command. Did you mean one of N"),
        "{said}"
    );
    assert!(terminal.say("e7e5").contains("\"moves\" lists"));
}

#[test]
fn the_shell_gets_a_line_of_its_own() {
    for end in [Event::EndOfInput, Event::Terminate] {
        let mut terminal = Terminal::new(false);
        let (sender, events) = channel();
        sender.send(end).unwrap();
        assert_eq!(converse(&mut terminal.console, &events), Flow::Quit);
        assert_eq!(terminal.printed(), "\n");
    }
}

//! The console with its line editor: keys in, and what a terminal is sent.

use kashan::engine::front::{Flow, Front};
use kashan::play::console::{Look, Pieces};
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};

use crate::common::dialogue::PATIENCE;
use crate::common::programs::has_all;
use crate::common::rig::Terminal;

/// Presses keys one after the other; `\n` is Return, `\t` Tab, and `^X` Control-X.
fn press(terminal: &mut Terminal, keys: &str) -> Flow {
    let mut flow = Flow::Continue;
    let mut keys = keys.chars();
    while let Some(key) = keys.next() {
        let (code, modifiers) = match key {
            '\n' => (KeyCode::Enter, KeyModifiers::NONE),
            '\t' => (KeyCode::Tab, KeyModifiers::NONE),
            '^' => (keys.next().map_or(KeyCode::Esc, KeyCode::Char), KeyModifiers::CONTROL),
            letter => (KeyCode::Char(letter), KeyModifiers::NONE),
        };
        flow = terminal.front.terminal(Event::Key(KeyEvent::new(code, modifiers)));
    }
    flow
}

/// What was sent to the terminal, without the orders to its cursor.
fn text(terminal: &mut Terminal) -> String {
    let sent = terminal.lines().join("\n");
    let mut text = String::new();
    let mut rest = sent.as_str();
    while let Some((before, order)) = rest.split_once("\x1b[") {
        text.push_str(before);
        // To the first column.
        if order.starts_with("1G") {
            text.push('\n');
        }
        rest = order.split_once(|c: char| c.is_ascii_alphabetic()).map_or("", |(_, rest)| rest);
    }
    text + rest
}

fn edited(columns: u16) -> Terminal {
    Terminal::edited(columns, Look::PLAIN)
}

#[test]
fn moves_commands_and_options_are_completed() {
    let mut terminal = edited(80);
    press(&mut terminal, "play bo\t\nNf\t\n");
    assert_eq!(terminal.engine().game.moves().len(), 1);
    press(&mut terminal, "e7\t");
    terminal.lines();
    press(&mut terminal, "\t");
    assert!(text(&mut terminal).contains("e7e5  e7e6"));
    press(&mut terminal, "5\nset backe\t alp\t\n");
    assert_eq!(terminal.engine().settings().get("Backend").as_deref(), Some("alphabeta"));
    press(&mut terminal, "und\t\n");
    assert_eq!(terminal.engine().game.moves().len(), 1);
}

#[test]
fn thinking_stands_on_one_line_that_no_terminal_wraps() {
    for columns in [50, 80, 140] {
        let mut terminal = edited(columns);
        terminal.fake.wait(true);
        press(&mut terminal, "level 3600s\ne4\n");
        terminal.lines();
        while !text(&mut terminal).contains(" kN ") {
            assert!(terminal.step(PATIENCE), "no thinking");
        }
        // What is typed meanwhile stays below it.
        press(&mut terminal, "no");
        let screen = text(&mut terminal);
        assert!(screen.lines().all(|line| line.chars().count() < usize::from(columns)), "{screen}");
        assert!(screen.trim_end().ends_with("Kashan thinks> no"), "{screen}");
        press(&mut terminal, "w\n");
        terminal.finish_thinking();
        let screen = text(&mut terminal);
        has_all(&screen, &["Kashan plays 1... ", "2. White> "]);
    }
}

#[test]
fn control_c_drops_a_line_then_makes_kashan_move_and_twice_in_a_row_leaves() {
    let mut terminal = edited(80);
    terminal.fake.wait(true);
    press(&mut terminal, "level 3600s\ne4\n");
    assert_eq!(press(&mut terminal, "undo^c"), Flow::Continue);
    assert!(terminal.engine().running().is_some(), "it was about the line");
    press(&mut terminal, "thinking off\n");
    assert_eq!(press(&mut terminal, "^c"), Flow::Continue);
    terminal.finish_thinking();
    assert_eq!(terminal.engine().game.moves().len(), 2);
    assert_eq!(press(&mut terminal, "^c"), Flow::Quit);
    let flows = ["^d", "^z", "tui\n"].map(|keys| press(&mut edited(80), keys));
    assert_eq!(flows, [Flow::Quit, Flow::Suspend, Flow::FullScreen]);
}

#[test]
fn everything_fits_at_every_width() {
    for columns in [30, 50, 80, 140] {
        let mut terminal = edited(columns);
        press(&mut terminal, "play both\nhelp\nmoves\noptions\nlevel 40/5\nboard\nhlep\ndepth x\n");
        let screen = text(&mut terminal);
        for line in screen.lines() {
            assert!(line.chars().count() < usize::from(columns), "{columns}: {line}");
        }
    }
}

#[test]
fn beside_the_board_stand_clocks_captured_pieces_and_the_last_move() {
    let look = Look { colors: false, pieces: Pieces::Unicode };
    let mut terminal = Terminal::edited(80, look);
    press(&mut terminal, "play both\nlevel 5+3\ne4\nd5\n");
    terminal.lines();
    press(&mut terminal, "exd5\n");
    let screen = text(&mut terminal);
    has_all(&screen, &["5:0", "  Black", "  White", "2. exd5", "♟ +1"]);
    has_all(&screen, &["5 minutes for the game and 3 seconds a move"]);
    // Without colours the last move is marked by a sign, where it began and where it ended.
    has_all(&screen, &["  5  . . .>♙", "  4  . . . .>."]);
}

#[test]
fn a_narrower_terminal_is_a_terminal_too() {
    let mut terminal = edited(80);
    press(&mut terminal, "fen 4k3/8/8/8/8/8/4P3/4K3 w");
    terminal.lines();
    terminal.front.terminal(Event::Resize(20, 10));
    let screen = text(&mut terminal);
    assert!(screen.trim_end().ends_with("4K3 w"), "{screen}");
    assert!(screen.lines().all(|line| line.chars().count() < 20), "{screen}");
}

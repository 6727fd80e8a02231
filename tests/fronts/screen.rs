//! The whole screen: keys and clicks in, a picture out.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, channel};

use chess::Square;
use kashan::engine::front::{Flow, Front};
use kashan::engine::{Engine, WorkerEvent};
use kashan::play::Console;
use kashan::play::console::screen::Screen;
use kashan::play::console::{Look, Pieces};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Cell;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

use crate::common::dialogue::PATIENCE;
use crate::common::fake::Fake;
use crate::common::programs::has_all;

/// A screen with the fake searcher behind it.
struct Seat<'c> {
    screen: Screen<'c, TestBackend>,
    events: Receiver<WorkerEvent>,
    fake: Arc<Fake>,
}

const PLAIN: Look = Look::PLAIN;
const RICH: Look = Look { colors: true, pieces: Pieces::Unicode };

/// Lets a test sit at a screen of so many columns and rows.
fn sit(columns: u16, rows: u16, look: Look, test: impl FnOnce(&mut Seat<'_>)) {
    let fake = Arc::new(Fake::default());
    let (sender, events) = channel();
    let send = Box::new(move |event| sender.send(event).is_ok());
    let engine = Engine::with_searchers(fake.builder(), send).unwrap();
    let mut console = Console::new(engine, Vec::new(), look.colors).with_line_editor(columns, look, None);
    console.line("set OwnBook 0");
    let terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
    let screen = Screen::new(&mut console, terminal, look.pieces == Pieces::Unicode);
    test(&mut Seat { screen, events, fake });
}

impl Seat<'_> {
    fn key(&mut self, code: KeyCode) -> Flow {
        self.screen.terminal(Event::Key(KeyEvent::new(code, KeyModifiers::NONE)))
    }

    fn keys(&mut self, codes: &[KeyCode]) {
        for &code in codes {
            assert_eq!(self.key(code), Flow::Continue, "{code:?}");
        }
    }

    fn types(&mut self, line: &str) {
        line.chars().for_each(|letter| self.keys(&[KeyCode::Char(letter)]));
        self.keys(&[KeyCode::Enter]);
    }

    fn resize(&mut self, columns: u16, rows: u16) {
        self.screen.terminal.backend_mut().resize(columns, rows);
        self.screen.terminal(Event::Resize(columns, rows));
    }

    /// Clicks squares.
    fn clicks(&mut self, names: &str) {
        for name in names.split(' ') {
            let (column, row) = self.place_of(name);
            let kind = MouseEventKind::Down(MouseButton::Left);
            let mouse = MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
            self.screen.terminal(Event::Mouse(mouse));
        }
    }

    fn place_of(&self, name: &str) -> (u16, u16) {
        let square: Square = name.parse().unwrap();
        let place = self.screen.board().unwrap().place_of(square);
        (place.x + (place.width - 1) / 2, place.y + (place.height - 1) / 2)
    }

    /// What stands on a square.
    fn sign(&self, name: &str) -> String {
        let place = self.place_of(name);
        self.screen.terminal.backend().buffer()[place].symbol().to_owned()
    }

    fn answers(&mut self) {
        while self.screen.console.engine.running().is_some() {
            let event = self.events.recv_timeout(PATIENCE).expect("the search ends");
            self.screen.search_event(event);
        }
    }

    fn picture(&self) -> String {
        let buffer = self.screen.terminal.backend().buffer();
        let rows = buffer.content.chunks(usize::from(buffer.area.width));
        let row = |cells: &[Cell]| cells.iter().map(Cell::symbol).collect::<String>();
        rows.map(|cells| row(cells).trim_end().to_owned() + "\n").collect()
    }

    fn played(&self) -> usize {
        self.screen.console.engine.game.moves().len()
    }

    #[track_caller]
    fn shows(&self, parts: &[&str]) {
        has_all(&self.picture(), parts);
    }
}

#[test]
fn everything_is_on_the_screen_at_every_size() {
    for (columns, rows) in [(64, 20), (80, 24), (140, 40), (240, 70)] {
        sit(columns, rows, RICH, |seat| {
            seat.fake.score(35);
            seat.types("e4");
            seat.answers();
            seat.shows(&["Black (Kashan)", "> White", "  1. e4     a5", "2. White>", "Kashan plays 1... a5"]);
            seat.shows(&["Evaluation for White: -0.35", "Search (genetic): last search"]);
            seat.shows(&["Generation 17   H 5   P 64", "Births 6   1 kN", ">a5     █", "+0.35"]);
            seat.shows(&["F1 Help ", if columns < 80 { " F7 Save " } else { " F10 Quit" }]);
            assert_eq!(["e4", "e8", "e2"].map(|name| seat.sign(name)), ["♟", "♚", " "]);
        });
    }
}

#[test]
fn a_window_that_is_too_small_says_so_and_grows_again() {
    sit(40, 10, RICH, |seat| {
        seat.shows(&["too small", "needed"]);
        seat.types("e4");
        assert_eq!(seat.played(), 1);
        seat.resize(80, 24);
        seat.shows(&["  1. e4", "Moves"]);
        seat.resize(3, 1);
    });
}

#[test]
fn without_unicode_nothing_but_ascii_is_shown() {
    for (columns, rows) in [(64, 20), (80, 24), (140, 40)] {
        sit(columns, rows, PLAIN, |seat| {
            seat.types("e4");
            seat.answers();
            seat.clicks("d2");
            assert!(seat.picture().is_ascii(), "{}", seat.picture());
            assert_eq!(["d2", "d4", "d8"].map(|name| seat.sign(name)), ["P", "*", "q"]);
            seat.shows(&[">a5     #"]);
        });
    }
}

#[test]
fn moves_are_clicked_stepped_and_typed() {
    sit(80, 24, RICH, |seat| {
        seat.types("play both");
        seat.clicks("e2");
        assert_eq!(seat.sign("e4"), "•", "where it can go");
        seat.clicks("e5");
        assert_eq!((seat.played(), seat.sign("e4").as_str()), (0, " "), "there it cannot");
        seat.clicks("e2 e4");
        assert_eq!(seat.played(), 1);
        seat.types("e5");
        use KeyCode::{Enter, Esc, Right, Up};
        // The first key shows the cursor on e2; from there to the bishop, and with it to e2.
        seat.keys(&[Right, Right, KeyCode::Down, Enter]);
        seat.keys(&[KeyCode::Left, Up, Enter]);
        assert_eq!(seat.played(), 3, "{}", seat.picture());
        seat.keys(&[Esc, Esc]);
        seat.shows(&["  1. e4     e5", "  2. Be2"]);
        seat.types("Nf9");
        seat.shows(&["neither a move nor a command"]);
    });
}

#[test]
fn a_pawn_asks_what_it_is_to_become() {
    sit(80, 24, RICH, |seat| {
        seat.types("play both");
        for (key, sign) in [('n', "♞"), ('q', "♛")] {
            seat.types("fen 8/4P1k1/8/8/8/8/8/4K3 w - - 0 1");
            seat.clicks("e7 e8");
            assert_eq!(seat.played(), 0);
            seat.shows(&["Promote to"]);
            seat.keys(&[KeyCode::Char(key)]);
            assert_eq!((seat.played(), seat.sign("e8").as_str()), (1, sign));
        }
        seat.types("fen 8/4P1k1/8/8/8/8/8/4K3 w - - 0 1");
        seat.clicks("e7 e8");
        seat.keys(&[KeyCode::Esc]);
        assert_eq!(seat.played(), 0, "thought better of it");
        // Another move is clicked instead: what is typed next is no answer to the question.
        seat.clicks("e7 e8 e1 e2");
        assert_eq!(seat.played(), 1);
        seat.types("now");
        assert_eq!(seat.played(), 1);
        seat.shows(&["Kashan is not thinking"]);
    });
}

#[test]
fn keys_do_what_the_screen_says() {
    sit(80, 24, RICH, |seat| {
        seat.types("e4");
        seat.answers();
        seat.keys(&[KeyCode::F(3)]);
        assert_eq!(seat.played(), 0);
        let before = seat.place_of("a1");
        seat.keys(&[KeyCode::F(5)]);
        assert_ne!(seat.place_of("a1"), before);
        seat.keys(&[KeyCode::F(4)]);
        seat.answers();
        seat.shows(&["Perhaps "]);
        seat.keys(&[KeyCode::F(6)]);
        seat.types("5+3");
        seat.shows(&["5:00  White", "5:00  Black (Kashan)"]);
        seat.keys(&[KeyCode::F(1)]);
        seat.shows(&[" level: type how long Kashan may think\n", "Lines 1 to 22 of"]);
        seat.shows(&[" move now; twice in a row: leave\n", "the move."]);
        assert!(!seat.picture().contains("White"));
        seat.keys(&[KeyCode::PageDown]);
        seat.shows(&["Lines 23 to"]);
        seat.keys(&[KeyCode::Esc]);
        // A long answer gets a page.
        seat.types("options");
        seat.shows(&["Backend = genetic", "Page down"]);
        seat.keys(&[KeyCode::Esc]);
        assert_eq!(seat.key(KeyCode::F(9)), Flow::Lines);
        assert_eq!(seat.key(KeyCode::F(10)), Flow::Quit);
    });
}

#[test]
fn other_searches_show_depth_and_line() {
    sit(80, 24, RICH, |seat| {
        seat.fake.is_no_genetic_search.store(true, Ordering::SeqCst);
        seat.types("backend alphabeta");
        seat.types("e4");
        seat.answers();
        seat.shows(&["Search (alphabeta)", "Depth 3 of at most 5, 1 kN", "+0.00 a5"]);
        assert!(!seat.picture().contains("Generation"));
    });
}

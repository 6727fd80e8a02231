//! The whole screen: board, moves, clocks, the evaluation over the game, and the search at work. What happens
//! on the board is the console's; this is another way to see it and to say what it shall do.

pub mod graph;
mod layout;
mod view;

use std::time::{Duration, Instant};

use chess::{ChessMove, Color, File, Piece, Rank, Square};
use ratatui::Terminal;
use ratatui::backend::Backend;
use ratatui::crossterm::event::{
    Event as TerminalEvent, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind,
};

use self::layout::BoardPlace;
use super::{Activity, Console, Face, commands};
use crate::engine::WorkerEvent;
use crate::engine::front::{Flow, Front};
use crate::rules::position::piece_at;
use crate::util::display::fill;

/// How long a picture stays at least while a search gets on.
const BETWEEN_PICTURES: Duration = Duration::from_millis(80);

/// What the function keys do: key, word on the screen, command, meaning. A blank at a command's end waits for
/// more.
const KEYS: [(u8, &str, &str, &str); 9] = [
    (2, "New", "new", "a new game"),
    (3, "Undo", "undo", "take back a move and its answer"),
    (4, "Hint", "hint", "a hint"),
    (5, "Flip", "flip", "turn the board round"),
    (6, "Level", "level ", "level: type how long Kashan may think"),
    (7, "Save", "save ", "save: type the name of a PGN file"),
    (8, "Now", "now", "Kashan moves now"),
    (9, "Lines", "lines", "lines in place of the screen"),
    (10, "Quit", "quit", "leave; the game is kept"),
];
const OTHER_KEYS: [(&str, &str); 4] = [
    ("Tab", "complete what is typed"),
    ("Esc", "forget what is typed or chosen"),
    ("Page up, page down", "read this"),
    ("Control-C", "move now; twice in a row: leave"),
];

/// What keys do, in words, and then what can be typed; as wide as the screen.
fn help(columns: Option<usize>) -> String {
    let intro = "Click a piece and its square, or go there with cursor keys and Return, or type the move.";
    let mut text = fill(intro, columns, "", "") + "\n\n";
    let mut row = |key: &str, meaning: &str| {
        text += &(fill(meaning, columns, &format!("  {key:<18}  "), &" ".repeat(22)) + "\n");
    };
    row("F1", "this help");
    KEYS.iter().for_each(|(key, _, _, meaning)| row(&format!("F{key}"), meaning));
    OTHER_KEYS.iter().for_each(|(key, meaning)| row(key, meaning));
    text + "\n" + &commands::help(columns)
}

/// A text that does not fit among the messages.
struct Page {
    lines: Vec<String>,
    top: usize,
}

/// What is on the screen and not in the console.
#[derive(Default)]
struct State {
    /// More than ASCII can be shown.
    unicode: bool,
    /// Where the cursor keys are.
    cursor: Option<Square>,
    /// The piece that is to move.
    chosen: Option<Square>,
    /// A pawn is to be promoted: from where to where.
    promotion: Option<(Square, Square)>,
    messages: Vec<String>,
    page: Option<Page>,
    /// Where the board was drawn.
    board: Option<BoardPlace>,
    /// How many messages can be seen.
    room: usize,
}

/// See the [module](self).
pub struct Screen<'c, B: Backend> {
    pub console: &'c mut Console,
    pub terminal: Terminal<B>,
    state: State,
    drawn: Instant,
    broken: bool,
}

impl<'c, B: Backend> Screen<'c, B> {
    /// Takes the console's place at the terminal, and shows what is on its board.
    pub fn new(console: &'c mut Console, terminal: Terminal<B>, unicode: bool) -> Self {
        // What was searched before is of another position.
        console.seen = None;
        console.face = Face::Screen { said: String::new(), columns: 80 };
        let state = State {
            unicode,
            messages: vec!["Type a move, or click it. F1 helps.".to_owned()],
            room: 1,
            ..State::default()
        };
        let mut screen = Screen { console, terminal, state, drawn: Instant::now(), broken: false };
        screen.draw();
        screen
    }

    /// Goes on with the game that was kept, or begins another.
    pub fn begin(&mut self, resumes: bool) {
        self.console.begin(resumes);
        self.fetch(false);
        self.draw();
    }

    /// Where the board is on the screen; `None` if there is no room for it.
    pub fn board(&self) -> Option<BoardPlace> {
        self.state.board
    }

    /// Gives the console a line, and shows what it says.
    fn command(&mut self, line: &str) -> Flow {
        self.by_console(|console| console.line(line))
    }

    /// Lets the console do something, and shows what it says.
    fn by_console(&mut self, act: impl FnOnce(&mut Console) -> Flow) -> Flow {
        let played = self.console.engine.game.moves().len();
        let flow = act(self.console);
        let is_same = self.console.engine.game.moves().len() == played;
        self.state.chosen = self.state.chosen.filter(|_| is_same);
        // What is said about a move is no answer to read at leisure.
        self.fetch(is_same);
        flow
    }

    /// Takes what the console has said. A long answer gets a page of its own.
    fn fetch(&mut self, is_answer: bool) {
        let Face::Screen { said, .. } = &mut self.console.face else {
            return;
        };
        let said = std::mem::take(said);
        let said = said.trim_matches('\n');
        if is_answer && said.lines().count() > self.state.room {
            self.open(said);
        } else {
            self.state.messages.extend(said.lines().map(str::to_owned));
        }
    }

    fn draw(&mut self) {
        if let (Face::Screen { columns, .. }, Ok(size)) = (&mut self.console.face, self.terminal.size()) {
            *columns = usize::from(size.width.max(20)) - 1;
        }
        let (console, state) = (&*self.console, &mut self.state);
        if let Err(error) = self.terminal.draw(|frame| view::draw(frame, console, state)) {
            log::warn!("cannot write to the terminal: {error}");
            self.broken = true;
        }
        self.drawn = Instant::now();
    }

    fn flow(&self) -> Flow {
        if self.broken { Flow::Quit } else { Flow::Continue }
    }

    fn key(&mut self, key: KeyEvent) -> Flow {
        if self.state.page.is_some() {
            return self.turn(key.code);
        }
        if let Some((from, to)) = self.state.promotion.take() {
            let piece = match key.code {
                KeyCode::Char('q' | 'Q') | KeyCode::Enter => Piece::Queen,
                KeyCode::Char('r' | 'R') => Piece::Rook,
                KeyCode::Char('b' | 'B') => Piece::Bishop,
                KeyCode::Char('n' | 'N') => Piece::Knight,
                _ => return Flow::Continue,
            };
            return self.command(&ChessMove::new(from, to, Some(piece)).to_string());
        }
        let is_empty = self.console.editor.is_empty();
        match key.code {
            KeyCode::F(1) => self.open(&help(self.console.columns())),
            KeyCode::F(number) => return self.function_key(number),
            KeyCode::Up if is_empty => self.step(0, 1),
            KeyCode::Down if is_empty => self.step(0, -1),
            KeyCode::Left if is_empty => self.step(-1, 0),
            KeyCode::Right if is_empty => self.step(1, 0),
            KeyCode::Enter if is_empty && let Some(square) = self.state.cursor => return self.choose(square),
            KeyCode::Esc if is_empty => (self.state.chosen, self.state.cursor) = (None, None),
            KeyCode::Char('l') if key.modifiers == KeyModifiers::CONTROL => {
                self.broken = self.terminal.clear().is_err();
            }
            _ => return self.by_console(|console| console.terminal(TerminalEvent::Key(key))),
        }
        Flow::Continue
    }

    fn function_key(&mut self, number: u8) -> Flow {
        match KEYS.iter().find(|(key, ..)| *key == number) {
            Some((_, _, command, _)) if command.ends_with(' ') => self.console.editor.set(command),
            Some((_, _, command, _)) => return self.command(command),
            None => {}
        }
        Flow::Continue
    }

    fn open(&mut self, text: &str) {
        self.state.page = Some(Page { lines: text.lines().map(str::to_owned).collect(), top: 0 });
    }

    /// Turns the page, or closes it, if there is one.
    fn turn(&mut self, key: KeyCode) -> Flow {
        let Some(page) = &mut self.state.page else {
            return Flow::Continue;
        };
        let rows = self.terminal.size().map_or(20, |size| usize::from(size.height).saturating_sub(2).max(1));
        let last = page.lines.len().saturating_sub(rows);
        page.top = match key {
            KeyCode::Down => page.top + 1,
            KeyCode::Up => page.top.saturating_sub(1),
            KeyCode::PageDown | KeyCode::Char(' ') => page.top + rows,
            KeyCode::PageUp => page.top.saturating_sub(rows),
            KeyCode::Home => 0,
            KeyCode::End => last,
            _ => {
                self.state.page = None;
                return Flow::Continue;
            }
        }
        .min(last);
        Flow::Continue
    }

    /// Moves the cursor on the board, as the board is seen.
    fn step(&mut self, right: i32, up: i32) {
        let turn = if self.console.seat() == Color::White { 1 } else { -1 };
        let (file, rank) = match self.state.cursor {
            Some(square) => (
                square.get_file().to_index() as i32 + right * turn,
                square.get_rank().to_index() as i32 + up * turn,
            ),
            None if turn > 0 => (4, 1),
            None => (3, 6),
        };
        if let (Ok(file @ 0..8), Ok(rank @ 0..8)) = (usize::try_from(file), usize::try_from(rank)) {
            self.state.cursor = Some(Square::make_square(Rank::from_index(rank), File::from_index(file)));
        }
    }

    /// The user chose a piece, or where it goes.
    fn choose(&mut self, square: Square) -> Flow {
        // A click elsewhere takes back what was to be promoted.
        self.state.promotion = None;
        let position = self.console.engine.position();
        let is_own = |square| {
            piece_at(position.board(), square).is_some_and(|(_, side)| side == position.side_to_move())
        };
        let moves: Vec<ChessMove> = position
            .legal_moves()
            .into_iter()
            .filter(|mv| Some(mv.get_source()) == self.state.chosen && mv.get_dest() == square)
            .collect();
        match moves.as_slice() {
            [] if self.state.chosen != Some(square) && is_own(square) => self.state.chosen = Some(square),
            [] => self.state.chosen = None,
            [mv] => return self.command(&mv.to_string()),
            [mv, ..] => {
                self.state.promotion = Some((mv.get_source(), mv.get_dest()));
                self.state.messages.push("Promote to: q(ueen), r(ook), b(ishop) or n (knight)?".to_owned());
            }
        }
        Flow::Continue
    }
}

impl<B: Backend> Front for Screen<'_, B> {
    fn line(&mut self, line: &str) -> Flow {
        let flow = self.command(line);
        self.draw();
        flow
    }

    fn search_event(&mut self, event: WorkerEvent) -> Flow {
        let is_progress = event.is_progress();
        let is_answer = matches!(event, WorkerEvent::Said { .. });
        let was_busy = self.console.activity != Activity::Idle;
        let flow = self.console.search_event(event);
        self.fetch(is_answer);
        if was_busy && self.console.activity == Activity::Idle {
            // Another side is to move now.
            self.state.chosen = None;
        }
        if !is_progress || self.drawn.elapsed() >= BETWEEN_PICTURES {
            self.draw();
        }
        if flow == Flow::Continue { self.flow() } else { flow }
    }

    fn interrupt(&mut self) -> Flow {
        let flow = self.console.interrupt();
        self.fetch(false);
        self.draw();
        flow
    }

    fn terminal(&mut self, event: TerminalEvent) -> Flow {
        let flow = match event {
            TerminalEvent::Key(key) if key.kind != KeyEventKind::Release => self.key(key),
            TerminalEvent::Mouse(mouse) => match mouse.kind {
                MouseEventKind::Down(MouseButton::Left) if self.state.page.take().is_none() => {
                    let square =
                        self.state.board.as_ref().and_then(|board| board.square_at(mouse.column, mouse.row));
                    square.map_or(Flow::Continue, |square| self.choose(square))
                }
                MouseEventKind::ScrollDown => self.turn(KeyCode::Down),
                MouseEventKind::ScrollUp => self.turn(KeyCode::Up),
                // The mouse only moves.
                _ => return Flow::Continue,
            },
            _ => Flow::Continue,
        };
        self.draw();
        if flow == Flow::Continue { self.flow() } else { flow }
    }

    fn tick(&mut self) {
        self.draw();
    }

    fn farewell(&mut self) {
        self.console.farewell();
    }
}

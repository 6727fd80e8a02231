//! The console: playing against Kashan at a terminal.

mod beside;
pub(crate) mod board;
mod commands;
mod conversation;
mod editor;
mod explain;
pub mod keep;
mod level;
mod live;
pub mod look;
mod notation;
mod play;
mod record;
mod review;
pub mod screen;
mod seen;
mod threats;
pub mod web;

pub use level::parse as level;

use std::collections::{BTreeMap, VecDeque};
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use self::editor::Editor;
use self::keep::Keeper;
use self::live::Live;
use self::look::Look;
use super::clocks::Clocks;
use super::judge::Judge;
use super::output::Output;
use super::{Flow, NAME};
use crate::display::fill;
use crate::engine::{Engine, Game, Running, Told};
use crate::position::Position;
use crate::score::Score;
use crate::search::time_control::TimeControl;
use chess::{ChessMove, Color};

/// What Kashan thinks on a move if nobody says otherwise.
const USUAL_TIME: Duration = Duration::from_secs(3);

/// What the running search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Activity {
    Idle,
    Move,
    Hint,
    Analysis,
    Review,
}

/// How a game ended: the result as PGN writes it, and why.
#[derive(Clone, Debug)]
struct Ending {
    result: &'static str,
    reason: String,
}

/// What a first game is like, where it is not as usual.
#[derive(Clone, Copy, Debug, Default)]
pub struct Setup<'s> {
    pub control: Option<TimeControl>,
    /// Where it begins; the user has the side to move there unless `kashan` says otherwise.
    pub position: Option<&'s Position>,
    /// The side that Kashan plays, if any.
    pub kashan: Option<Option<Color>>,
}

/// The side that Kashan plays, if any, when the user plays `seat`: `white`, `black` or `both`. `None` if that
/// is no side.
pub fn opposite(seat: &str) -> Option<Option<Color>> {
    match seat.to_ascii_lowercase().as_str() {
        "white" | "w" => Some(Some(Color::Black)),
        "black" | "b" => Some(Some(Color::White)),
        "both" | "none" => Some(None),
        _ => None,
    }
}

/// Where the text goes.
enum Face {
    /// Line after line.
    Plain,
    /// Above the line that the user edits.
    Live(Live),
    /// To the full screen, which fetches it here, and wants it so wide.
    Screen { said: String, columns: usize },
}

/// A game at a terminal.
pub struct Console {
    pub engine: Engine,
    output: Output,
    face: Face,
    editor: Editor,
    look: Look,
    /// The side that Kashan plays; none if the user plays both.
    kashan: Option<Color>,
    flipped: bool,
    clocks: Clocks,
    depth_limit: Option<u32>,
    show_thinking: bool,
    activity: Activity,
    /// When the last thinking line was shown.
    shown: Option<Instant>,
    judge: Judge,
    ending: Option<Ending>,
    /// What Kashan thought of its moves, from White's point of view, by how many half-moves had been played
    /// then.
    scores: BTreeMap<usize, Score>,
    /// The moves that were listed last, in their order, and the position as FEN.
    listed: Option<(String, Vec<ChessMove>)>,
    /// Where the game in progress is kept.
    keeper: Option<Keeper>,
    /// What was searched last, where it is shown.
    seen: Option<Running>,
    /// The last look back at this game.
    reviewed: Option<Told>,
    /// Control-C came, and nothing was typed since.
    interrupted: bool,
    /// How the conversation goes on after a command.
    flow: Flow,
    /// Lines come through a pipe: those that come while Kashan chooses a move wait for it, because who writes
    /// a script cannot.
    is_pipe: bool,
    /// Lines that were not obeyed yet.
    waiting: VecDeque<String>,
    input_ended: bool,
}

impl Console {
    /// A new game, the user playing White.
    pub fn new(engine: Engine, output: impl Write + Send + 'static, colors: bool) -> Self {
        let mut clocks = Clocks::default();
        clocks.set_control(TimeControl::Fixed { per_move: USUAL_TIME });
        Console {
            engine,
            output: Output::new(output),
            face: Face::Plain,
            editor: Editor::default(),
            look: Look { colors, ..Look::PLAIN },
            kashan: Some(Color::Black),
            flipped: false,
            clocks,
            depth_limit: None,
            show_thinking: true,
            activity: Activity::Idle,
            shown: None,
            judge: Judge::default(),
            ending: None,
            scores: BTreeMap::new(),
            listed: None,
            keeper: None,
            seen: None,
            reviewed: None,
            interrupted: false,
            flow: Flow::Continue,
            is_pipe: false,
            waiting: VecDeque::new(),
            input_ended: false,
        }
    }

    /// What comes through a pipe is obeyed one answer after the other.
    pub fn at_a_pipe(&mut self) {
        self.is_pipe = true;
    }

    /// Lines that nobody has obeyed, when the conversation is over.
    pub fn left(&mut self) -> VecDeque<String> {
        std::mem::take(&mut self.waiting)
    }

    /// The user edits lines in the terminal's raw mode, and those of earlier days are in the file.
    pub fn with_line_editor(mut self, columns: u16, look: Look, history: Option<PathBuf>) -> Self {
        self.face = Face::Live(Live::new(columns));
        self.editor = Editor::with_history(history);
        self.look = look;
        self
    }

    /// The first game is to be as the setup says.
    pub fn with_setup(mut self, setup: Setup<'_>) -> Self {
        if let Some(control) = setup.control {
            self.clocks.set_control(control);
        }
        if let Some(position) = setup.position {
            self.kashan = Some(!position.side_to_move());
            self.engine.game = Game::new(position.clone());
            self.notice_end();
        }
        self.kashan = setup.kashan.unwrap_or(self.kashan);
        self
    }

    /// Kashan moves, if the first move of the game is its own.
    fn begin(&mut self) {
        if self.ending.is_some() {
            self.announce_end();
        } else if self.kashan == Some(self.engine.game.side_to_move()) {
            self.answer();
        }
    }

    /// Goes on with lines after the full screen.
    pub fn live_again(&mut self, columns: u16) {
        self.face = Face::Live(Live::new(columns));
        self.show_board();
        self.prompt();
    }

    /// Leaves the terminal to somebody else, without the lines that are edited.
    pub fn step_aside(&mut self) {
        if let Face::Live(live) = &mut self.face {
            let erase = live.erase();
            self.output.print(&erase);
        }
    }

    /// Says hello and shows the board.
    pub fn greet(&mut self) {
        let seat =
            self.kashan.map_or("You play both sides".to_owned(), |side| format!("You are {}", name(!side)));
        let strength = self.engine.settings().limited_to();
        let strength = strength.map_or(String::new(), |elo| format!(" Kashan plays at {elo} Elo."));
        self.say(format!("{NAME}: chess by genetic search. {seat}.{strength} Type a move, or help."));
        self.show_board();
        if self.keeper.as_ref().is_some_and(Keeper::has_unfinished_game) {
            self.say("Your last game is not over: \"resume\" goes on with it.");
        }
        self.begin();
        self.prompt();
    }

    /// Gives the engine to another kind of conversation.
    pub fn into_engine(mut self) -> Engine {
        self.engine.cancel();
        self.engine
    }

    fn print(&mut self, text: &str) {
        match &mut self.face {
            Face::Plain => self.output.print(text),
            Face::Live(live) => {
                let text = live.above(text, &self.editor);
                self.output.print(&text);
            }
            Face::Screen { said, .. } => said.push_str(text),
        }
    }

    /// Says a sentence or a few, wrapped between words where the width is known.
    fn say(&mut self, text: impl AsRef<str>) {
        let text = fill(text.as_ref(), self.columns(), "", "");
        self.print(&format!("{text}\n"));
    }

    /// How wide a line may be; `None` where nobody knows.
    fn columns(&self) -> Option<usize> {
        match &self.face {
            Face::Plain => None,
            Face::Live(live) => Some(usize::from(live.columns.max(20)) - 1),
            Face::Screen { columns, .. } => Some(*columns),
        }
    }

    /// Shows whose turn it is, where something can be typed.
    fn prompt(&mut self) {
        let prompt = self.prompt_text();
        match &mut self.face {
            Face::Plain if self.activity == Activity::Idle => self.print(&prompt),
            Face::Live(live) => {
                live.prompt = prompt;
                self.print("");
            }
            Face::Plain | Face::Screen { .. } => {}
        }
    }

    fn prompt_text(&self) -> String {
        match self.activity {
            Activity::Idle => {
                let number = self.engine.position().fullmove_number();
                format!("{number}. {}> ", name(self.engine.game.side_to_move()))
            }
            _ => "Kashan thinks> ".to_owned(),
        }
    }

    /// The side at which the user sits: the lower one on the board.
    fn seat(&self) -> Color {
        let seat = self.kashan.map_or(Color::White, |side| !side);
        if self.flipped { !seat } else { seat }
    }

    fn show_board(&mut self) {
        let beside = match &self.face {
            Face::Plain => Default::default(),
            Face::Live(live) => {
                let room = usize::from(live.columns).saturating_sub(board::width(self.look) + 4);
                self.beside_the_board(room)
            }
            // It has a board of its own.
            Face::Screen { .. } => return,
        };
        let last = self.engine.game.moves().last().copied();
        let last = last.filter(|_| self.look.colors || !matches!(self.face, Face::Plain));
        let board =
            board::draw(self.engine.position(), self.seat(), self.look, &beside, board::of_last_move(last));
        self.print(&board);
    }
}

/// A side's name.
fn name(side: Color) -> &'static str {
    match side {
        Color::White => "White",
        Color::Black => "Black",
    }
}

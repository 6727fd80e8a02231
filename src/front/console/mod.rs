//! The console: playing against Kashan at a terminal.

pub(crate) mod board;
mod commands;
mod explain;
pub mod keep;
mod level;
mod notation;
mod play;
mod record;
mod words;

use std::io::Write;
use std::time::{Duration, Instant};

use chess::Color;

use self::keep::Keeper;
use super::clocks::Clocks;
use super::judge::Judge;
use super::output::Output;
use super::{Flow, Front, NAME};
use crate::engine::{Engine, Happened, WorkerEvent};
use crate::search::time_control::TimeControl;

/// What Kashan thinks on a move if nobody says otherwise.
const USUAL_TIME: Duration = Duration::from_secs(3);

/// What the running search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Activity {
    Idle,
    Move,
    Hint,
    Analysis,
}

/// How a game ended: the result as PGN writes it, and why.
#[derive(Clone, Debug)]
struct Ending {
    result: &'static str,
    reason: String,
}

/// A game at a terminal.
pub struct Console<W> {
    engine: Engine,
    output: Output<W>,
    /// Whether the terminal shows colours.
    colors: bool,
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
    /// Where the game in progress is kept.
    keeper: Option<Keeper>,
    /// Control-C came, and nothing was typed since.
    interrupted: bool,
}

impl<W: Write> Console<W> {
    /// A new game, the user playing White.
    pub fn new(engine: Engine, output: W, colors: bool) -> Self {
        let mut clocks = Clocks::default();
        clocks.set_control(TimeControl::Fixed { per_move: USUAL_TIME });
        Console {
            engine,
            output: Output::new(output),
            colors,
            kashan: Some(Color::Black),
            flipped: false,
            clocks,
            depth_limit: None,
            show_thinking: true,
            activity: Activity::Idle,
            shown: None,
            judge: Judge::default(),
            ending: None,
            keeper: None,
            interrupted: false,
        }
    }

    /// Says hello and shows the board.
    pub fn greet(&mut self) {
        self.print(&format!("{NAME}: chess by genetic search. You are White. Type a move, or help.\n"));
        self.show_board();
        if self.keeper.as_ref().is_some_and(Keeper::has_unfinished_game) {
            self.say("Your last game is not over: \"resume\" goes on with it.");
        }
        self.prompt();
    }

    /// The engine behind the conversation.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Gives the engine to another kind of conversation.
    pub fn into_engine(mut self) -> Engine {
        self.engine.cancel();
        self.engine
    }

    fn print(&mut self, text: &str) {
        self.output.print(text);
    }

    fn say(&mut self, text: impl AsRef<str>) {
        self.print(&format!("{}\n", text.as_ref()));
    }

    /// Shows whose turn it is, where something can be typed.
    fn prompt(&mut self) {
        if self.activity == Activity::Idle {
            let side = name(self.engine.game.side_to_move());
            let number = self.engine.position().fullmove_number();
            self.print(&format!("{number}. {side}> "));
        }
    }

    fn show_board(&mut self) {
        let seat = match self.kashan {
            Some(side) => !side,
            None => Color::White,
        };
        let from = if self.flipped { !seat } else { seat };
        let last = self.engine.game.moves().last().copied();
        let board = board::draw(self.engine.position(), from, last, self.colors);
        self.print(&board);
    }
}

impl<W: Write> Front for Console<W> {
    fn line(&mut self, line: &str) -> Flow {
        self.interrupted = false;
        let flow = self.typed(line.trim());
        if flow == Flow::Continue {
            self.prompt();
        }
        match flow {
            Flow::Continue => self.output.flow(),
            ended => ended,
        }
    }

    fn search_event(&mut self, event: WorkerEvent) -> Flow {
        match self.engine.happened(event) {
            Happened::Thought(thought) => self.think_aloud(&thought),
            Happened::Finished { root, clock, report } => {
                self.finished(&root, &clock, &report);
                self.prompt();
            }
            Happened::Notice(text) => self.say(format!("{text}.")),
            Happened::Generation | Happened::Past => {}
        }
        self.output.flow()
    }

    /// Once it ends what is going on: Kashan moves now, an analysis is over, a line that was begun is
    /// dropped. Twice in a row it leaves.
    fn interrupt(&mut self) -> Flow {
        if std::mem::replace(&mut self.interrupted, true) {
            self.farewell();
            return Flow::Quit;
        }
        self.print("\n");
        match self.activity {
            Activity::Move | Activity::Hint => self.engine.stop(),
            Activity::Analysis => self.cancel(),
            Activity::Idle => {}
        }
        self.say("Control-C once more leaves.");
        self.prompt();
        self.output.flow()
    }

    // The shell's prompt begins a line of its own.
    fn farewell(&mut self) {
        self.print("\n");
        self.say_what_is_kept();
    }
}

/// A side's name.
fn name(side: Color) -> &'static str {
    match side {
        Color::White => "White",
        Color::Black => "Black",
    }
}

//! The console: playing against Kashan at a terminal.

pub(crate) mod board;
mod commands;
mod face;
pub(super) mod keep;
mod notation;
mod play;
mod review;
pub(super) mod web;

pub use board::{Look, Pieces};
pub use commands::{candidates, last_word};
pub use notation::level;

use std::collections::{BTreeMap, VecDeque};
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::time::{Duration, Instant};

use chess::{ChessMove, Color};

use self::face::{Face, Terminal};
use self::keep::Keeper;
use crate::engine::front::clocks::Clocks;
use crate::engine::front::own_scores::OwnScores;
use crate::engine::front::{Flow, Front, NAME, Output};
use crate::engine::{Engine, EngineEvent, Game, Running, Told, WorkerEvent};
use crate::rules::position::Position;
use crate::rules::score::Score;
use crate::search::time_control::TimeControl;

/// Kashan's default time for a move.
const USUAL_TIME: Duration = Duration::from_secs(3);

/// The purpose of the running search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Activity {
    Idle,
    Move,
    Hint,
    Analysis,
    Review,
    Explanation,
}

/// The end of a game: the result in PGN notation, and the reason.
#[derive(Clone, Debug)]
struct Ending {
    result: &'static str,
    reason: String,
}

impl Ending {
    /// `White mates: 1-0`. Of a game from a file only the result may be known.
    fn in_words(&self) -> String {
        if self.reason == self.result {
            return self.reason.clone();
        }
        format!("{}: {}", self.reason, self.result)
    }
}

/// The properties of a first game that differ from the defaults.
#[derive(Clone, Copy, Debug, Default)]
pub struct Setup<'s> {
    pub control: Option<TimeControl>,
    /// The start of the game; the user has the side to move there unless `kashan` says otherwise.
    pub position: Option<&'s Position>,
    /// Kashan's side, if any.
    pub kashan: Option<Option<Color>>,
    /// The options say how well Kashan is to play.
    pub has_strength: bool,
}

/// Returns Kashan's side, if any, when the user plays `seat`: `white`, `black` or `both`. `None`
/// for another word.
pub fn opposite(seat: &str) -> Option<Option<Color>> {
    match seat.to_ascii_lowercase().as_str() {
        "white" | "w" => Some(Some(Color::Black)),
        "black" | "b" => Some(Some(Color::White)),
        "both" | "none" => Some(None),
        _ => None,
    }
}

/// A game at a terminal.
pub struct Console {
    pub engine: Engine,
    output: Output,
    face: Face,
    look: Look,
    /// Kashan's side; none if the user plays both.
    kashan: Option<Color>,
    flipped: bool,
    clocks: Clocks,
    depth_limit: Option<u32>,
    show_thinking: bool,
    activity: Activity,
    /// The time of the last thinking line on show.
    shown: Option<Instant>,
    own_scores: OwnScores,
    ending: Option<Ending>,
    /// Kashan's scores of its moves, from White's point of view, by the number of half-moves played
    /// before.
    scores: BTreeMap<usize, Score>,
    /// The keeper of the game in progress.
    keeper: Option<Keeper>,
    /// The last search on show.
    seen: Option<Running>,
    /// The last look back at this game.
    reviewed: Option<Told>,
    /// The moves judged by a look back under way, in percent.
    progress: Arc<AtomicU32>,
    /// The file for the game with the comments of a look back under way.
    review_file: Option<String>,
    /// The names of the players of a loaded game, White's first; if they are others.
    players: Option<[String; 2]>,
    /// The answer to the last request for a hint, in this position.
    hinted: Option<ChessMove>,
    /// Control-C came, and nothing was typed since.
    interrupted: bool,
    /// True if the program was started with a level, and with a strength: a kept game does not
    /// change either.
    has_level: bool,
    has_strength: bool,
    /// The date of the game's beginning.
    begun: String,
    /// The written form of the game, as long as nothing changes: of a loaded game, or of a finished
    /// one.
    written: Option<String>,
    /// True if the makers of the moves are unknown: others played, or sides were changed since the
    /// first move.
    is_mixed: bool,
    /// The flow of the conversation after a command.
    flow: Flow,
    /// True if lines come through a pipe: lines during Kashan's choice of a move wait, because the
    /// writer of a script cannot.
    pub(super) is_pipe: bool,
    /// Lines still to be obeyed.
    pub(super) waiting: VecDeque<String>,
    /// True after the end of input.
    pub(super) input_ended: bool,
}

impl Console {
    /// A new game, the user playing White.
    pub fn new(mut engine: Engine, output: impl Write + Send + 'static, colors: bool) -> Self {
        engine.follows_generations = true;
        Console {
            engine,
            output: Output::new(output),
            face: Face::Plain,
            look: Look {
                colors,
                ..Look::PLAIN
            },
            kashan: Some(Color::Black),
            flipped: false,
            clocks: Clocks::new(TimeControl::Fixed {
                per_move: USUAL_TIME,
            }),
            depth_limit: None,
            show_thinking: true,
            activity: Activity::Idle,
            shown: None,
            own_scores: OwnScores::default(),
            ending: None,
            scores: BTreeMap::new(),
            keeper: None,
            seen: None,
            reviewed: None,
            progress: Arc::default(),
            review_file: None,
            players: None,
            hinted: None,
            interrupted: false,
            has_level: false,
            has_strength: false,
            begun: keep::today(),
            written: None,
            is_mixed: false,
            flow: Flow::Continue,
            is_pipe: false,
            waiting: VecDeque::new(),
            input_ended: false,
        }
    }

    /// Puts the console at a terminal of so many columns, with line editing and a prompt of its
    /// own.
    pub fn at_a_terminal(mut self, columns: u16, look: Look) -> Self {
        self.face = Face::Terminal(Terminal::new(columns));
        self.look = look;
        self
    }

    /// The first game is to be as the setup says.
    pub fn with_setup(mut self, setup: Setup<'_>) -> Self {
        if let Some(control) = setup.control {
            self.clocks.set_control(control);
        }
        self.has_level = setup.control.is_some();
        self.has_strength = setup.has_strength;
        if let Some(position) = setup.position {
            self.kashan = Some(!position.side_to_move());
            self.engine.game = Game::new(position.clone());
        }
        self.kashan = setup.kashan.unwrap_or(self.kashan);
        self.notice_end();
        self
    }

    /// Goes on with the kept game; or begins another one, in which Kashan moves first if the first
    /// move is its own.
    fn begin(&mut self, resumes: bool) {
        if resumes {
            self.resume();
        } else if self.ending.is_some() {
            self.announce_end();
        } else if self.kashan == Some(self.engine.game.side_to_move()) {
            self.answer();
        }
    }

    /// Returns true if nothing is being searched: then the user is asked for a line.
    pub fn is_idle(&self) -> bool {
        self.activity == Activity::Idle
    }

    /// Returns true if an unfinished game is kept.
    fn can_resume(&self) -> bool {
        self.keeper
            .as_ref()
            .is_some_and(Keeper::has_unfinished_game)
    }

    /// Says hello and shows the board.
    pub fn greet(&mut self) {
        let seat = match self.kashan {
            Some(side) => format!("You are {}", name(!side)),
            None => "You play both sides".to_owned(),
        };
        self.say(format!("{NAME}: chess by genetic search. {seat}."));
        let strength = match self.engine.settings().limited_to() {
            Some(elo) => format!("Kashan plays at {elo} Elo. "),
            None if self.kashan.is_some() => {
                "Kashan plays as well as it can; \"strength 1400\" is easier. ".to_owned()
            }
            None => String::new(),
        };
        self.say(strength + "Type a move, or help.");
        self.show_board();
        if self.can_resume() {
            self.say("Your last game is not over: \"resume\" goes on with it.");
        }
        self.begin(false);
        self.prompt();
    }
}

impl Front for Console {
    fn line(&mut self, line: &str) -> Flow {
        let is_hurried = commands::find(line.trim()).is_some_and(|command| command.name == "now");
        if !self.is_pipe || is_hurried && self.waiting.is_empty() {
            return self.obey(line);
        }
        self.waiting.push_back(line.to_owned());
        self.go_on()
    }

    fn search_event(&mut self, event: WorkerEvent) -> Flow {
        let happened = self.engine.happened(event);
        if let (Face::Page { .. }, Some(running)) = (&self.face, self.engine.running())
            && (running.thought.is_some() || running.generation.is_some())
        {
            self.seen = Some(running.clone());
        }
        match happened {
            EngineEvent::Thought(thought) => self.think_aloud(&thought),
            EngineEvent::Finished { search, report } => {
                self.finished(&search, &report);
                self.prompt();
            }
            EngineEvent::Notice(text) => self.say(format!("{text}.")),
            EngineEvent::Said(told) => {
                match std::mem::replace(&mut self.activity, Activity::Idle) {
                    Activity::Review => self.looked_back(*told),
                    _ => self.print_tables(&told.text),
                }
                self.prompt();
            }
            EngineEvent::Generation => self.think_further(),
            EngineEvent::Advice(text) => self.think_of_others(&text),
            EngineEvent::Past => {}
        }
        match self.output.flow() {
            Flow::Continue => self.go_on(),
            ended => ended,
        }
    }

    fn end_of_input(&mut self) -> Flow {
        self.input_ended = true;
        self.go_on()
    }

    /// Ends the current work at the first interrupt: Kashan moves now, an analysis is over, a begun
    /// line is dropped. Leaves at the second in a row.
    fn interrupt(&mut self) -> Flow {
        if std::mem::replace(&mut self.interrupted, true) {
            self.farewell();
            return Flow::Quit;
        }
        if matches!(self.face, Face::Plain) || !self.is_idle() {
            // The terminal has shown the key.
            self.print("\n");
        }
        match self.activity {
            Activity::Move | Activity::Hint | Activity::Review | Activity::Explanation => {
                self.engine.stop();
            }
            Activity::Analysis => self.cancel(),
            Activity::Idle => {}
        }
        self.say("Control-C once more leaves.");
        self.prompt();
        self.output.flow()
    }

    // The shell's prompt begins a line of its own.
    fn farewell(&mut self) {
        if let Face::Plain = self.face {
            self.print("\n");
        }
        self.say_what_is_kept();
    }
}

impl Console {
    fn obey(&mut self, line: &str) -> Flow {
        self.interrupted = false;
        let flow = self.typed(line.trim());
        if flow != Flow::Continue {
            return flow;
        }
        self.prompt();
        self.output.flow()
    }

    /// Obeys the waiting lines, unless they have to wait for Kashan.
    fn go_on(&mut self) -> Flow {
        while !self.is_pipe
            || !matches!(
                self.activity,
                Activity::Move | Activity::Hint | Activity::Review | Activity::Explanation
            )
        {
            let Some(line) = self.waiting.pop_front() else {
                if self.input_ended {
                    self.farewell();
                    return Flow::Quit;
                }
                break;
            };
            let flow = self.obey(&line);
            if flow != Flow::Continue {
                return flow;
            }
        }
        self.output.flow()
    }
}

/// A side's name.
fn name(side: Color) -> &'static str {
    ["White", "Black"][side.to_index()]
}

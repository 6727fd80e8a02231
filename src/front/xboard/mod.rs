//! The engine's side of the xboard protocol: what each command does, and what the search's results become.
//!
//! A [`XboardFront`] is a state machine without a thread and without a clock of its own to wait on: it is handed lines of input and events of
//! the search thread, and writes replies. Section numbers in comments are those of the protocol's document.

mod claims;
mod display;
mod editor;
mod handshake;
mod settings;
mod setup;
mod thinking;

use std::collections::VecDeque;
use std::io::Write;
use std::time::Duration;

use chess::{ChessMove, Color};

use self::editor::Editor;
use super::clocks::Clocks;
use super::judge::Judge;
use super::output::Output;
use super::{Flow, Front};
use crate::engine::{Engine, Happened, WorkerEvent};
use crate::protocol::xboard::{Command, Reply, Status};
use crate::search::SearchReport;
use crate::search::clock::TimeSource;
use crate::search::time_control::TimeControl;

/// What the engine is to do with the position on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Play neither colour, only follow the moves.
    Force,
    /// Play this colour.
    Play(Color),
    /// Think about whatever is on the board, for as long as it is there.
    Analyze,
}

/// What the running search is for.
#[derive(Debug)]
enum Activity {
    Idle,
    /// Nothing yet. It is the engine's turn, but so many pongs are owed first: until it has them, a front end listens to no move.
    Due {
        pongs: usize,
        /// `?` came meanwhile.
        at_once: bool,
    },
    /// An own move.
    Move {
        /// What the search's clock showed when it became the engine's turn: time that was pondered, and is not charged.
        pondered: Duration,
    },
    /// The move that the opponent is likely to make, to ponder on.
    Guess,
    /// The reply to `expected`, which the opponent has not played yet. The search may be over before he does.
    Ponder {
        expected: ChessMove,
        report: Option<Box<SearchReport>>,
    },
    /// The position on the board. A search can have nothing left to find before the front end has seen enough: then `end` is how it stood.
    Analysis {
        end: Option<Box<Status>>,
    },
    Hint,
}

/// A conversation with a front end.
pub struct XboardFront<W> {
    engine: Engine,
    output: Output<W>,
    mode: Mode,
    /// The colour that the engine plays, or played last.
    engine_side: Color,
    activity: Activity,
    clocks: Clocks,
    /// `sd`: stays until `new`.
    depth_limit: Option<u32>,
    /// Root moves not to be considered on the present position.
    excluded: Vec<ChessMove>,
    /// `white` and `black` may give the move to the other side; that is done when somebody moves.
    turn: Option<Color>,
    editor: Option<Editor>,
    /// The front end set up something that cannot be played from.
    illegal_position: bool,
    post: bool,
    /// `hard` and `easy`.
    ponder: bool,
    /// Not between `new` and the first own move.
    may_ponder: bool,
    paused: bool,
    /// The front end said `xboard`, and did not (yet) ask for features: one of protocol 1.
    old_front_end: bool,
    /// Whether `#` lines are welcome.
    debug: bool,
    /// Pings that wait for earlier commands to be finished.
    pings: VecDeque<i64>,
    /// The opponent offers a draw.
    draw_offered: bool,
    judge: Judge,
    /// The reply that the engine expects to its last move.
    expected: Option<ChessMove>,
    /// The front end knows which move is pondered on.
    hinted: bool,
}

impl<W: Write> Front for XboardFront<W> {
    fn line(&mut self, line: &str) -> Flow {
        let line = line.trim();
        if line.is_empty() {
            return Flow::Continue;
        }
        log::debug!("< {line}");
        if self.edit_line(line) {
            return self.flow();
        }
        match line.parse::<Command>() {
            Ok(Command::Quit) => {
                self.cancel();
                return Flow::Quit;
            }
            Ok(command) => {
                if self.paused && command != Command::Pause {
                    // "The only command that the interface may send is resume." Whatever else comes, the pause is over.
                    self.resume();
                }
                self.command(command, line);
            }
            Err(error) => self.say(Reply::Other(error.to_string())),
        }
        self.answer_pings();
        self.flow()
    }

    fn search_event(&mut self, event: WorkerEvent) -> Flow {
        match self.engine.happened(event) {
            Happened::Thought(thought) => self.show(&thought),
            Happened::Finished { root, clock, report } => self.finished(&root, &clock, report),
            Happened::Notice(text) => self.say(Reply::TellUser(text)),
            Happened::Past => {}
        }
        self.answer_pings();
        self.flow()
    }

    // A front end of protocol 1 cannot be told that none are needed; it sends an interrupt before
    // almost every command and only wants attention.
    fn is_ended_by_signals(&self) -> bool {
        !self.old_front_end
    }
}

impl<W: Write> XboardFront<W> {
    /// A conversation that begins with the start position, the engine playing Black, as after `new`.
    pub fn new(engine: Engine, writer: W) -> Self {
        XboardFront {
            engine,
            output: Output::new(writer),
            mode: Mode::Play(Color::Black),
            engine_side: Color::Black,
            activity: Activity::Idle,
            clocks: Clocks::default(),
            depth_limit: None,
            excluded: Vec::new(),
            turn: None,
            editor: None,
            illegal_position: false,
            post: false,
            ponder: false,
            may_ponder: false,
            paused: false,
            old_front_end: false,
            debug: false,
            pings: VecDeque::new(),
            draw_offered: false,
            judge: Judge::default(),
            expected: None,
            hinted: false,
        }
    }

    /// The engine behind the conversation.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    fn flow(&self) -> Flow {
        if self.output.is_closed() {
            Flow::Quit
        } else {
            Flow::Continue
        }
    }

    fn command(&mut self, command: Command, line: &str) {
        match command {
            Command::Xboard => self.old_front_end = true,
            Command::Quit | Command::Random | Command::Computer => {}
            Command::Name(_) | Command::Rating { .. } | Command::Ics(_) => {}
            // One thread searches, and no endgame tables are read.
            Command::Cores(_) | Command::EgtPath { .. } => {}
            Command::Protover(version) => self.announce(version),
            Command::Accepted(feature) => self.debug |= feature == "debug",
            Command::Rejected(feature) => self.debug &= feature != "debug",
            Command::Variant(name) => {
                if name != "normal" {
                    self.error("variant not supported", line);
                }
            }
            Command::New => self.new_game(),
            Command::Force => {
                self.cancel();
                self.clocks.stop();
                self.mode = Mode::Force;
            }
            Command::Go => self.go(),
            Command::PlayOther => self.play_other(),
            Command::White => self.give_turn(Color::White, line),
            Command::Black => self.give_turn(Color::Black, line),
            Command::Level {
                moves: 0,
                base,
                increment,
            } => self
                .clocks
                .set_control(TimeControl::Incremental { base, increment }),
            Command::Level {
                moves,
                base,
                increment,
            } => self.clocks.set_control(TimeControl::Conventional {
                moves,
                base,
                increment,
            }),
            Command::TimePerMove(per_move) => self.clocks.set_control(TimeControl::Fixed { per_move }),
            Command::Depth(depth) => self.depth_limit = Some(depth.max(1)),
            Command::NodesPerSecond(0) => self.clocks.set_source(TimeSource::Cpu),
            Command::NodesPerSecond(per_second) => self.clocks.set_source(TimeSource::Nodes { per_second }),
            Command::Time(time) => self.clocks.tell_own(time),
            Command::OpponentTime(time) => self.clocks.tell_opponent(time),
            Command::Move(text) => self.opponent_move(&text, line),
            Command::MoveNow => match &mut self.activity {
                Activity::Move { .. } => self.engine.stop(),
                Activity::Due { at_once, .. } => *at_once = true,
                _ => {}
            },
            Command::Ping(token) => {
                // Options too are to be in force when the pong comes.
                if matches!(self.activity, Activity::Idle) {
                    self.engine.prepare();
                }
                self.pings.push_back(token);
            }
            Command::Draw => self.consider_draw(),
            Command::Result { .. } => {
                self.cancel();
                self.clocks.stop();
                self.mode = Mode::Force;
                self.draw_offered = false;
            }
            Command::SetBoard(fen) => self.set_board(&fen),
            Command::Edit => self.begin_edit(),
            Command::Hint => self.hint(),
            Command::Book => self.show_book(),
            Command::Undo => self.take_back(1, line),
            Command::Remove => self.take_back(2, line),
            Command::Hard => {
                self.ponder = true;
                if matches!(self.activity, Activity::Idle) {
                    self.start_background();
                }
            }
            Command::Easy => {
                self.ponder = false;
                if matches!(self.activity, Activity::Guess | Activity::Ponder { .. }) {
                    self.cancel();
                }
            }
            Command::Post => self.post = true,
            Command::NoPost => self.post = false,
            Command::Analyze => {
                self.cancel();
                self.clocks.stop();
                self.mode = Mode::Analyze;
                self.start_background();
            }
            Command::Exit => {
                if self.mode == Mode::Analyze {
                    self.cancel();
                    self.mode = Mode::Force;
                }
            }
            Command::Status => self.show_status(),
            Command::Pause => self.pause(),
            Command::Resume => self.resume(),
            Command::Memory(megabytes) => self.configure(|engine| engine.set_memory(megabytes)),
            Command::Option { name, value } => self.set_option(&name, value.as_deref(), line),
            Command::Exclude(moves) => self.exclude(&moves, line),
            Command::Include(moves) => self.include(&moves, line),
        }
    }

    fn say(&mut self, reply: Reply) {
        self.output.send(&reply);
    }

    fn error(&mut self, kind: &str, line: &str) {
        self.say(Reply::Error {
            kind: kind.to_owned(),
            command: line.to_owned(),
        });
    }

    /// A line for the front end's log, if it takes such lines.
    fn comment(&mut self, text: String) {
        if self.debug {
            self.say(Reply::Debug(text));
        }
    }

    /// Ends whatever is being searched; no result of it will be heard of.
    fn cancel(&mut self) {
        self.engine.cancel();
        self.activity = Activity::Idle;
    }

    /// Pongs are due when everything that came before the ping is done: an own move is out, the search thread has put the tables in
    /// order. Pondering and analysis go on. A move that had to wait for its turn is thought about after them.
    fn answer_pings(&mut self) {
        if matches!(self.activity, Activity::Move { .. } | Activity::Hint) || self.engine.is_busy() {
            return;
        }
        let due = match &mut self.activity {
            Activity::Due { pongs, .. } => std::mem::take(pongs),
            _ => self.pings.len(),
        };
        for token in self.pings.drain(..due).collect::<Vec<_>>() {
            self.say(Reply::Pong(token));
        }
        if let Activity::Due { at_once, .. } = self.activity
            && !self.paused
        {
            self.think_now();
            if at_once && matches!(self.activity, Activity::Move { .. }) {
                self.engine.stop();
            }
            // A move of the book is out already, and what was asked after it can be answered.
            self.answer_pings();
        }
    }

    fn new_game(&mut self) {
        self.cancel();
        self.engine.new_game();
        self.clocks.new_game();
        self.depth_limit = None;
        self.judge = Judge::default();
        self.may_ponder = false;
        self.engine_side = Color::Black;
        self.new_position();
        if self.mode == Mode::Analyze {
            self.start_background();
        } else {
            self.mode = Mode::Play(Color::Black);
        }
    }

    /// What holds for one position only is over.
    fn new_position(&mut self) {
        self.excluded.clear();
        self.turn = None;
        self.editor = None;
        self.illegal_position = false;
        self.expected = None;
        self.hinted = false;
        self.draw_offered = false;
    }

    fn pause(&mut self) {
        self.paused = true;
        self.clocks.pause();
        if let Some(running) = self.engine.running() {
            running.clock.pause();
        }
    }

    fn resume(&mut self) {
        self.paused = false;
        self.clocks.resume();
        if let Some(running) = self.engine.running() {
            running.clock.resume();
        }
    }
}

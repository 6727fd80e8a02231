//! The engine's side of the xboard protocol: what each command does, and what the search's results become.
//!
//! A [`XboardFront`] is a state machine without a thread and without a clock of its own to wait on: it is
//! handed lines of input and events of the search thread, and writes replies. Section numbers in comments are
//! those of the protocol's document.

mod claims;
mod display;
mod editor;
mod handshake;
mod settings;
mod setup;
mod state;
mod thinking;

use std::collections::VecDeque;
use std::io::Write;

use chess::{ChessMove, Color};

use self::state::{Activity, Board, Draws, Interrupt, Mode, Ponder};
use super::clocks::Clocks;
use super::judge::Judge;
use super::output::Output;
use super::{Flow, Front, heard};
use crate::engine::{Engine, Happened, WorkerEvent};
use crate::protocol::xboard::{Command, Reply};
use crate::search::clock::TimeSource;
use crate::search::time_control::TimeControl;

/// The format of endgame tables that is read, as the protocol calls it.
const TABLE_FORMAT: &str = "syzygy";

/// A conversation with a front end.
pub struct XboardFront {
    pub engine: Engine,
    output: Output,
    interrupt: Interrupt,
    /// Whether the front end takes `#` lines.
    debug: bool,
    /// All options are declared, not only what players want to change.
    declares_all: bool,
    mode: Mode,
    /// The colour that the engine plays, or played last.
    engine_side: Color,
    activity: Activity,
    board: Board,
    clocks: Clocks,
    /// `sd`: stays until `new`.
    depth_limit: Option<u32>,
    /// Root moves not to be considered in the position on the board.
    excluded: Vec<ChessMove>,
    /// `white` or `black` gave the move to this side. The board changes only when somebody moves.
    turn: Option<Color>,
    /// Whether thinking is shown.
    post: bool,
    ponder: Ponder,
    /// Pings that wait for earlier commands to be finished.
    pings: VecDeque<i64>,
    draws: Draws,
    /// Whether a draw offer of the opponent stands.
    draw_offered: bool,
    judge: Judge,
    /// The opponent's move that the engine expects in the position on the board.
    expected: Option<ChessMove>,
    /// The expected move that the front end was told.
    hinted: Option<ChessMove>,
    /// Nothing more will be asked.
    input_ended: bool,
}

impl Front for XboardFront {
    fn line(&mut self, line: &str) -> Flow {
        let Some(line) = heard(line) else {
            return Flow::Continue;
        };
        if self.edit_line(line) {
            return self.flow();
        }
        match line.parse::<Command>() {
            Ok(Command::Quit) => {
                self.cancel();
                return Flow::Quit;
            }
            Ok(command) => {
                if self.clocks.is_paused() && command != Command::Pause {
                    // "The only command that the interface may send is resume." Whatever else comes, the
                    // pause is over.
                    self.resume();
                }
                self.command(command, line);
            }
            Err(refusal) => self.say(Reply::Other(refusal)),
        }
        self.answer_pings();
        self.flow()
    }

    fn search_event(&mut self, event: WorkerEvent) -> Flow {
        match self.engine.happened(event) {
            Happened::Thought(thought) => self.show(&thought),
            Happened::Finished { search, report } => {
                self.show_last(&search, &report);
                self.finished(&search, report);
            }
            Happened::Notice(text) => self.say(Reply::TellUser(text)),
            Happened::Advice(text) => self.show_advice(&text),
            Happened::Generation | Happened::Said(_) | Happened::Past => {}
        }
        self.answer_pings();
        self.flow()
    }

    fn end_of_input(&mut self) -> Flow {
        self.input_ended = true;
        self.flow()
    }

    fn interrupt(&mut self) -> Flow {
        match self.interrupt {
            Interrupt::End => Flow::Quit,
            Interrupt::Attention => Flow::Continue,
        }
    }
}

impl XboardFront {
    /// A conversation that begins with the start position, the engine playing Black, as after `new`. All
    /// options are declared, or only what players want to change.
    pub fn new(engine: Engine, writer: impl Write + Send + 'static, declares_all: bool) -> Self {
        XboardFront {
            engine,
            output: Output::new(writer),
            interrupt: Interrupt::End,
            debug: false,
            declares_all,
            mode: Mode::Play(Color::Black),
            engine_side: Color::Black,
            activity: Activity::Idle,
            board: Board::Playable,
            clocks: Clocks::default(),
            depth_limit: None,
            excluded: Vec::new(),
            turn: None,
            post: false,
            ponder: Ponder::Off,
            pings: VecDeque::new(),
            draws: Draws::ToClaim,
            draw_offered: false,
            judge: Judge::default(),
            expected: None,
            hinted: None,
            input_ended: false,
        }
    }

    /// The end of input is as good as `quit`, but for what was asked before and will be answered by itself.
    fn flow(&self) -> Flow {
        let is_asked = matches!(self.activity, Activity::Due { .. } | Activity::Move { .. } | Activity::Hint);
        let owes_an_answer = (is_asked || !self.pings.is_empty()) && !self.clocks.is_paused();
        if self.input_ended && !owes_an_answer { Flow::Quit } else { self.output.flow() }
    }

    fn command(&mut self, command: Command, line: &str) {
        match command {
            // One that does not go on to `protover` cannot be told that the engine needs no interrupts.
            Command::Xboard => self.interrupt = Interrupt::Attention,
            Command::Quit | Command::Random | Command::Computer => {}
            Command::Name(_) | Command::Rating { .. } | Command::Ics(_) => {}
            Command::Variant(name) if name == "normal" => {}
            Command::Variant(_) => self.error("variant not supported", line),
            Command::Cores(cores) => self.set_cores(cores, line),
            Command::EgtPath { kind, path } => self.set_tables(&kind, &path),
            Command::Protover(version) => self.announce(version),
            Command::Accepted(feature) => self.feature_answered(&feature, true),
            Command::Rejected(feature) => self.feature_answered(&feature, false),
            Command::New => self.new_game(),
            Command::Force => self.begin_mode(Mode::Force),
            Command::Go => self.go(),
            Command::PlayOther => self.play_other(),
            Command::White => self.give_turn(Color::White, line),
            Command::Black => self.give_turn(Color::Black, line),
            Command::Level { moves, base, increment } => {
                self.clocks.set_control(TimeControl::new(moves, base, increment))
            }
            Command::TimePerMove(per_move) => self.clocks.set_control(TimeControl::Fixed { per_move }),
            Command::Depth(depth) => self.depth_limit = Some(depth.max(1)),
            Command::NodesPerSecond(0) => self.clocks.set_source(TimeSource::Cpu),
            Command::NodesPerSecond(per_second) => self.clocks.set_source(TimeSource::Nodes { per_second }),
            Command::Time(time) => self.clocks.tell_own(time),
            Command::OpponentTime(time) => self.clocks.tell_opponent(time),
            Command::Move(text) => self.opponent_move(&text, line),
            Command::MoveNow => self.move_now(),
            Command::Ping(token) => self.ping(token),
            Command::Draw => self.consider_draw(),
            Command::Result { result, .. } => {
                self.begin_mode(Mode::Force);
                self.engine.game_over(Some(&result));
                self.draw_offered = false;
            }
            Command::SetBoard(fen) => self.set_board(&fen),
            Command::Edit => self.begin_edit(),
            Command::Hint => self.hint(),
            Command::Book => self.show_book(),
            Command::Undo => self.take_back(1, line),
            Command::Remove => self.take_back(2, line),
            Command::Hard => self.hard(),
            Command::Easy => self.easy(),
            Command::Post => self.post = true,
            Command::NoPost => self.post = false,
            Command::Analyze => self.begin_mode(Mode::Analyze),
            Command::Exit if self.mode == Mode::Analyze => self.begin_mode(Mode::Force),
            Command::Exit => {}
            Command::Status => self.show_status(),
            Command::Pause => self.pause(),
            Command::Resume => self.resume(),
            Command::Memory(megabytes) => self.configure(|engine| engine.set_memory(megabytes)),
            Command::Option { name, value } => self.set_option(&name, value.as_deref(), line),
            Command::Exclude(moves) => self.exclude(&moves, true, line),
            Command::Include(moves) => self.exclude(&moves, false, line),
        }
    }

    fn say(&mut self, reply: Reply) {
        self.output.send(&reply);
    }

    fn error(&mut self, kind: &str, line: &str) {
        self.say(Reply::Error { kind: kind.to_owned(), command: line.to_owned() });
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

    /// The engine plays neither colour from now on.
    fn begin_mode(&mut self, mode: Mode) {
        self.cancel();
        self.clocks.stop();
        self.mode = mode;
        self.start_background();
    }

    fn ping(&mut self, token: i64) {
        // Options too are to be in force when the pong comes.
        if matches!(self.activity, Activity::Idle) {
            self.engine.prepare();
        }
        self.pings.push_back(token);
    }

    /// Pongs are due when everything that came before the ping is done: an own move is out, the search thread
    /// has put the tables in order. Pondering and analysis go on. A move that had to wait for its turn is
    /// thought about after them.
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
            && !self.clocks.is_paused()
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
        if self.ponder == Ponder::On {
            self.ponder = Ponder::NotYet;
        }
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
        self.board = Board::Playable;
        self.expected = None;
        self.hinted = None;
        self.draws = Draws::ToClaim;
        self.draw_offered = false;
    }

    /// The game goes on: the engine may ponder, if it is to.
    fn has_begun(&mut self) {
        if self.ponder == Ponder::NotYet {
            self.ponder = Ponder::On;
        }
    }

    fn pause(&mut self) {
        self.clocks.pause();
        if let Some(running) = self.engine.running() {
            running.clock.pause();
        }
    }

    fn resume(&mut self) {
        self.clocks.resume();
        if let Some(running) = self.engine.running() {
            running.clock.resume();
        }
    }
}

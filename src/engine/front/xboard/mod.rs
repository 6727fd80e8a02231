//! The engine's side of the xboard protocol: the commands, and the replies to them.
//!
//! A [`XboardFront`] is a state machine without a thread and without a clock to wait on: it takes
//! lines of input and events of the search thread, and writes replies. Section numbers in comments
//! are sections of the protocol's document.

mod display;
mod game;
mod settings;
mod thinking;

use std::collections::VecDeque;
use std::io::Write;
use std::time::Duration;

use chess::{ChessMove, Color};

use self::game::Editor;
use super::clocks::Clocks;
use super::own_scores::OwnScores;
use super::{Flow, Front, Output, heard};
use crate::engine::{Engine, EngineEvent, WorkerEvent};
use crate::rules::position::Position;
use crate::rules::protocol::xboard::{Command, Reply, Status};
use crate::search::SearchReport;
use crate::search::clock::TimeSource;
use crate::search::time_control::TimeControl;

/// A conversation with a front end.
pub struct XboardFront {
    pub engine: Engine,
    output: Output,
    /// True if SIGINT means that the front end wants attention, as before almost every command, and
    /// does not ask the program to end.
    is_interrupted: bool,
    /// True if the front end takes `#` lines.
    debug: bool,
    /// True if all options are declared, not only the options for players.
    declares_all: bool,
    mode: Mode,
    /// The present or last colour of the engine.
    engine_side: Color,
    activity: Activity,
    board: Board,
    clocks: Clocks,
    /// `sd`: stays until `new`.
    depth_limit: Option<u32>,
    /// Root moves not to be considered in the position on the board.
    excluded: Vec<ChessMove>,
    /// The side to move by `white` or `black`. The board changes only with the next move.
    turn: Option<Color>,
    /// True if thinking is shown.
    post: bool,
    ponder: Ponder,
    /// Pings to answer after earlier commands.
    pings: VecDeque<i64>,
    draws: ClaimState,
    /// True if a draw offer of the opponent stands.
    draw_offered: bool,
    own_scores: OwnScores,
    /// The expected move of the opponent in the position on the board.
    expected: Option<ChessMove>,
    /// The expected move as told to the front end.
    hinted: Option<ChessMove>,
    /// True after the end of input.
    input_ended: bool,
}

/// The engine's task in the position on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Play neither colour, only follow the moves.
    Force,
    /// Play this colour.
    Play(Color),
    /// Analyse the position on the board, for as long as it is there.
    Analyze,
}

/// The purpose of the running search.
#[derive(Debug)]
enum Activity {
    Idle,
    /// No activity yet. The engine is to move, but owes so many pongs first: a front end ignores
    /// moves until its pongs arrive.
    Due {
        pongs: usize,
        /// `?` came meanwhile.
        at_once: bool,
    },
    /// An own move.
    Move {
        /// The time on the search's clock at the start of the engine's turn: pondering, free of
        /// charge.
        pondered: Duration,
    },
    /// The opponent's likely move, to ponder on.
    Guess,
    /// The reply to `expected`, still to be played by the opponent. The search may be over before.
    Ponder {
        expected: ChessMove,
        report: Option<Box<SearchReport>>,
    },
    /// The position on the board. A search can have nothing left to find before the front end has
    /// seen enough: then `end` is how it stood.
    Analysis {
        end: Option<Box<Status>>,
    },
    Hint,
}

/// The state of the board.
enum Board {
    /// The position of the engine's game.
    Playable,
    /// The front end set up an unplayable position.
    Illegal,
    /// `edit`: the front end is setting up a position piece by piece.
    Editing(Editor),
}

/// The state of pondering during the opponent's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ponder {
    /// `easy`
    Off,
    /// `hard`, but "do not ponder on this move" holds from `new` up to the first move.
    NotYet,
    On,
}

/// The engine's conduct when the game is a draw with moves left to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ClaimState {
    /// The engine claims the draw and does not move.
    ToClaim,
    /// The engine has claimed a draw, and the front end has not gone on with the game.
    Claimed,
    /// The front end went on with a game that was a draw: the engine plays, and does not claim
    /// again until a capture or a pawn move begins something new.
    Overruled,
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
                    // "The only command that the interface may send is resume." Whatever else
                    // comes, the pause is over.
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
            EngineEvent::Thought(thought) => self.show(&thought),
            EngineEvent::Finished { search, report } => {
                self.show_last(&search, &report);
                self.finished(&search, report);
            }
            EngineEvent::Notice(text) => self.say(Reply::TellUser(text)),
            EngineEvent::Advice(text) => self.show_advice(&text),
            EngineEvent::Generation | EngineEvent::Said(_) | EngineEvent::Past => {}
        }
        self.answer_pings();
        self.flow()
    }

    fn end_of_input(&mut self) -> Flow {
        self.input_ended = true;
        let is_fixed = matches!(self.clocks.control(), TimeControl::Fixed { .. });
        let counts_nodes = matches!(self.clocks.source(), TimeSource::Nodes { .. });
        if !is_fixed && !counts_nodes && self.depth_limit.is_none() {
            self.move_now();
        }
        self.flow()
    }

    fn interrupt(&mut self) -> Flow {
        if self.is_interrupted {
            Flow::Continue
        } else {
            Flow::Quit
        }
    }
}

impl XboardFront {
    /// Begins a conversation at the start position, the engine playing Black, as after `new`. All
    /// options are declared, or only the options for players.
    pub fn new(engine: Engine, writer: impl Write + Send + 'static, declares_all: bool) -> Self {
        XboardFront {
            engine,
            output: Output::new(writer),
            is_interrupted: false,
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
            draws: ClaimState::ToClaim,
            draw_offered: false,
            own_scores: OwnScores::default(),
            expected: None,
            hinted: None,
            input_ended: false,
        }
    }

    /// Returns the flow of the conversation. The end of input equals `quit`, but for earlier
    /// commands: a move by a game clock comes at once, a move limited by depth, nodes or a fixed
    /// time by its limit.
    fn flow(&self) -> Flow {
        let is_asked = matches!(
            self.activity,
            Activity::Due { .. } | Activity::Move { .. } | Activity::Hint
        );
        let owes_an_answer = (is_asked || !self.pings.is_empty()) && !self.clocks.is_paused();
        if self.input_ended && !owes_an_answer {
            Flow::Quit
        } else {
            self.output.flow()
        }
    }

    fn command(&mut self, command: Command, line: &str) {
        match command {
            // One that does not go on to `protover` cannot be told that the engine needs no
            // interrupts.
            Command::Xboard => self.is_interrupted = true,
            Command::Quit | Command::Random | Command::Computer => {}
            Command::Name(_) | Command::Rating(_) | Command::Ics(_) => {}
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
            Command::Level {
                moves,
                base,
                increment,
            } => self
                .clocks
                .set_control(TimeControl::new(moves, base, increment)),
            Command::TimePerMove(per_move) => {
                self.clocks.set_control(TimeControl::Fixed { per_move })
            }
            Command::Depth(0) => self.error("a search has a depth of 1 at least", line),
            Command::Depth(depth) => self.depth_limit = Some(depth),
            Command::NodesPerSecond(0) => self.error("processor time not supported", line),
            Command::NodesPerSecond(per_second) => {
                self.clocks.set_source(TimeSource::Nodes { per_second })
            }
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
            Command::SetBoard(fen) => self.put_position(Position::from_fen(&fen)),
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
        self.say(Reply::Error {
            kind: kind.to_owned(),
            command: line.to_owned(),
        });
    }

    /// Writes a line for the front end's log, if the front end takes such lines.
    fn comment(&mut self, text: String) {
        if self.debug {
            self.say(Reply::Debug(text));
        }
    }

    /// Ends the running search and ignores its results.
    fn cancel(&mut self) {
        self.engine.cancel();
        self.activity = Activity::Idle;
    }

    /// Begins a mode in which the engine plays neither colour.
    fn begin_mode(&mut self, mode: Mode) {
        self.cancel();
        self.clocks.stop();
        self.mode = mode;
        self.start_background();
    }

    fn new_game(&mut self) {
        self.cancel();
        self.engine.new_game();
        self.clocks.new_game();
        self.depth_limit = None;
        self.own_scores = OwnScores::default();
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

    /// Resets the state of a single position.
    fn new_position(&mut self) {
        self.excluded.clear();
        self.turn = None;
        self.board = Board::Playable;
        self.expected = None;
        self.hinted = None;
        self.draws = ClaimState::ToClaim;
        self.draw_offered = false;
    }

    /// Notes that the game goes on: the engine may ponder, if the mode allows.
    fn has_begun(&mut self) {
        if self.ponder == Ponder::NotYet {
            self.ponder = Ponder::On;
        }
    }

    /// Returns true if the engine plays and the opponent is to move.
    fn waits_for_the_opponent(&self) -> bool {
        matches!(self.mode, Mode::Play(side) if side != self.engine.game.side_to_move())
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

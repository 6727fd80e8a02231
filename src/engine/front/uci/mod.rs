//! The engine's side of the Universal Chess Interface: the commands, and the replies to them.
//!
//! A [`UciFront`] is a state machine like [`XboardFront`](super::XboardFront): it takes lines of
//! input and events of the search thread, and writes replies. Every `go` is answered by exactly one
//! `bestmove`, even with other commands in between, unless the conversation ends. Choices where the
//! specification is silent:
//!
//! * `go`, `position` and `ucinewgame` during a search end the search like `stop`, and are obeyed
//!   after its `bestmove`.
//! * An unplayable position (no FEN, an illegal move in the list) is named in an `info string`; a
//!   `go` there is answered with `bestmove (none)`, because any move would be one for another
//!   position.
//! * Plain `go` thinks until `stop`, or until there is nothing left to find. `go mate N` thinks
//!   until a mate in N moves is found; another limit or `stop` ends the search too, and so does a
//!   longer mate that the search cannot improve. Min-Max and the paper's genetic search look 2 N -
//!   1 half-moves deep at most.
//! * The book is for games: analysis (`infinite`, `searchmoves`, `mate`, the option
//!   `UCI_AnalyseMode`) goes without the book.
//! * Options take effect with the next search.
//! * After the end of input all earlier commands are answered, and the program ends: a search by a
//!   game clock, without a limit or on the opponent's time stops at once; a search limited by
//!   depth, positions or a fixed time ends by its limit.

mod go;

use std::collections::VecDeque;
use std::io::Write;

use self::go::PendingGo;
use super::options::{UciOptions, uci_options};
use super::reserve::Reserve;
use super::{Flow, Front, NAME, Output, heard};
use crate::engine::{Engine, EngineEvent, Game, WorkerEvent};
use crate::rules::position::Position;
use crate::rules::protocol::uci::{Command, Info, Reply};
use crate::util::options::OptionGroup as _;

/// A conversation with a GUI.
pub struct UciFront {
    pub engine: Engine,
    output: Output,
    options: UciOptions,
    /// True if all options are declared, not only the options for players.
    declares_all: bool,
    /// The current `go`, until its `bestmove` is out.
    pending: Option<PendingGo>,
    /// Commands to obey after the search.
    waiting: VecDeque<Command>,
    /// The number of `isready` to answer once the tables are in order.
    unready: usize,
    reserve: Reserve,
    /// The last `position` cannot be played from.
    illegal_position: bool,
    /// `debug on`
    debug: bool,
    /// True after the end of input.
    input_ended: bool,
}

impl Front for UciFront {
    fn line(&mut self, line: &str) -> Flow {
        let Some(line) = heard(line) else {
            return Flow::Continue;
        };
        match line.parse::<Command>() {
            Ok(Command::Quit) => {
                for asked in &self.waiting {
                    self.unready += usize::from(*asked == Command::IsReady);
                }
                self.say_ready();
                self.engine.cancel();
                return Flow::Quit;
            }
            Ok(command) => {
                self.waiting.push_back(command);
                self.obey();
            }
            Err(refusal) => self.inform(refusal),
        }
        self.flow()
    }

    fn search_event(&mut self, event: WorkerEvent) -> Flow {
        match self.engine.happened(event) {
            EngineEvent::Thought(thought) => self.thought(*thought),
            EngineEvent::Finished { search, report } => self.finished(&search, &report),
            EngineEvent::Notice(text) | EngineEvent::Advice(text) => self.inform(text),
            EngineEvent::Generation | EngineEvent::Said(_) | EngineEvent::Past => {}
        }
        self.obey();
        self.flow()
    }

    fn end_of_input(&mut self) -> Flow {
        self.input_ended = true;
        self.end_endless();
        self.flow()
    }

    fn interrupt(&mut self) -> Flow {
        Flow::Quit
    }
}

impl UciFront {
    /// Begins a conversation at the start position. All options are declared, or only the options
    /// for players.
    pub fn new(engine: Engine, writer: impl Write + Send + 'static, declares_all: bool) -> Self {
        UciFront {
            engine,
            output: Output::new(writer),
            options: UciOptions::default(),
            declares_all,
            pending: None,
            waiting: VecDeque::new(),
            unready: 0,
            reserve: Reserve::default(),
            illegal_position: false,
            debug: false,
            input_ended: false,
        }
    }

    fn flow(&self) -> Flow {
        let owes_an_answer = self.unready > 0 || self.pending.is_some();
        if self.input_ended && !owes_an_answer {
            Flow::Quit
        } else {
            self.output.flow()
        }
    }

    /// Obeys the waiting commands in order, as far as the search allows.
    fn obey(&mut self) {
        while let Some(command) = self.waiting.front() {
            if let Command::Go(_) | Command::Position { .. } | Command::NewGame = command {
                self.stop();
                if self.pending.is_some() {
                    return;
                }
            }
            if let Some(command) = self.waiting.pop_front() {
                self.command(command);
            }
        }
        if self.input_ended {
            self.end_endless();
        }
        self.answer_if_ready();
    }

    /// Stops a search without a limit of its own: no `stop` will come any more.
    fn end_endless(&mut self) {
        if let Some(pending) = &self.pending
            && !pending.ends_by_its_limit()
        {
            self.stop();
        }
    }

    fn command(&mut self, command: Command) {
        match command {
            Command::Uci => self.introduce(),
            Command::Debug(on) => self.debug = on,
            Command::IsReady => {
                // Tables are to be in order before the game's clocks run.
                if self.pending.is_none() {
                    self.engine.prepare();
                }
                self.unready += 1;
            }
            Command::SetOption { name, value } => {
                self.set_option(&name, &value.unwrap_or_default())
            }
            Command::NewGame => {
                self.engine.new_game();
                self.reserve.new_game();
                self.illegal_position = false;
            }
            Command::Position { fen, moves } => self.set_position(fen.as_deref(), &moves),
            Command::Go(go) => {
                // The search begins with the tables as they are.
                self.say_ready();
                self.go(go);
            }
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            // Nobody has to register; and `quit` does not wait for anything.
            Command::Register | Command::Quit => {}
        }
    }

    fn introduce(&mut self) {
        self.say(&Reply::Name(NAME.to_owned()));
        self.say(&Reply::Author("the Kashan authors".to_owned()));
        for option in uci_options(&self.options, self.engine.settings(), self.declares_all) {
            self.say(&Reply::Option(option));
        }
        self.say(&Reply::UciOk);
    }

    /// Sets up a position with its history, or reports the fault to the GUI.
    fn set_position(&mut self, fen: Option<&str>, moves: &[String]) {
        let game = game(fen, moves);
        self.illegal_position = game.is_err();
        match game {
            Ok(game) => self.engine.game = game,
            Err(why) => self.inform(format!("position is ignored: {why}")),
        }
    }

    /// Our options have one-word names; GUIs may write them with blanks ("Move Overhead"), and in
    /// any case.
    fn set_option(&mut self, name: &str, value: &str) {
        let one_word: String = name.split_whitespace().collect();
        let result = match self.options.get(&one_word) {
            Some(_) => self.options.set(&one_word, value).map_err(Into::into),
            None => self.engine.set_option(&one_word, value),
        };
        if let Err(error) = result {
            log::warn!("{error}");
            return self.inform(error.to_string());
        }
        if !one_word.eq_ignore_ascii_case("SyzygyPath") {
            if self.debug {
                self.inform(format!("{one_word} is now {value}"));
            }
        } else if let Some(tables) = self.engine.tables() {
            self.inform(tables.to_string());
        }
    }

    /// "This command must always be answered and can be sent also when the engine is calculating":
    /// then at once, else when the search thread has put its tables in order.
    fn answer_if_ready(&mut self) {
        if self.engine.running().is_some() || !self.engine.is_busy() {
            self.say_ready();
        }
    }

    /// Answers every `isready`.
    fn say_ready(&mut self) {
        while self.unready > 0 {
            self.unready -= 1;
            self.say(&Reply::ReadyOk);
        }
    }

    fn say(&mut self, reply: &Reply) {
        self.output.send(reply);
    }

    /// Writes an `info string`.
    fn inform(&mut self, text: impl Into<String>) {
        self.say(&Reply::Info(Info::text(text)));
    }
}

/// Returns the game described by `position`, or the fault in the description.
pub(crate) fn game(fen: Option<&str>, moves: &[String]) -> Result<Game, String> {
    let start = match fen {
        None => Position::default(),
        Some(fen) => Position::from_fen(fen).map_err(|error| error.to_string())?,
    };
    let mut game = Game::new(start);
    for (index, text) in moves.iter().enumerate() {
        let mv = game.position().parse_move(text);
        if let Err(error) = mv.and_then(|mv| game.play(mv)) {
            return Err(format!("move {} of {}: {error}", index + 1, moves.len()));
        }
    }
    Ok(game)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;
    use crate::search::time_control::Budget;

    /// Returns the budget of the next move, after a move that left 60.9 s by the engine's own
    /// count, or a little less.
    fn next_budget(next: &str) -> Budget {
        let (sender, events) = channel();
        let engine = Engine::new(Box::new(move |event| sender.send(event).is_ok())).unwrap();
        let mut front = UciFront::new(engine, std::io::sink(), false);
        front.line("position startpos moves h2h3 a7a6");
        front.line("go nodes 1 wtime 60000 winc 900");
        while front.pending.is_some() {
            front.search_event(events.recv().unwrap());
        }
        front.line("position startpos moves h2h3 a7a6 h3h4 a6a5");
        for line in next.lines() {
            front.line(line);
            while !front.waiting.is_empty() {
                front.search_event(events.recv().unwrap());
            }
        }
        let pending = front
            .pending
            .take()
            .expect("it ponders until it is told otherwise");
        front.engine.cancel();
        pending.budget.expect("there is a clock")
    }

    #[test]
    fn what_the_clock_of_the_gui_lost_is_kept_back() {
        // Less can be lost than this only on a machine that thinks for seconds about one node.
        let late = next_budget("go ponder wtime 57500 winc 900");
        let on_time = next_budget("go ponder wtime 60900 winc 900");
        assert!(late.hard < on_time.hard);
        // The reserve is there for later moves, too, and there most of a second is more than half
        // of it.
        let later =
            next_budget("go ponder wtime 57500 winc 900\nstop\ngo ponder wtime 1000 winc 900");
        assert!(later.hard.as_millis() <= 125, "{later:?}");
        // The last move of a session may use what is on the clock, but not the reserve: 1.1 s were
        // lost, and 2 s are kept.
        let last =
            next_budget("go ponder wtime 59800 winc 900\nstop\ngo ponder wtime 2500 movestogo 1");
        assert!(last.hard.as_millis() <= 1500, "{last:?}");
        // A clock of another game cannot be compared.
        let other = next_budget("ucinewgame\nposition startpos\ngo ponder wtime 57500 winc 900");
        assert!(other.hard > late.hard, "{other:?}, {late:?}");
    }
}

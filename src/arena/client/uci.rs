//! UCI from the GUI's side.

use std::time::Duration;

use shakmaty::{ByColor, Color};

use super::driver::{Beginning, Driver, DriverEvent, Outbox, SearchLine, Turn};
use super::offer::{self, unknown_option};
use crate::arena::clock::SideClock;
use crate::arena::referee::Referee;
use crate::arena::{GameResult, Time};
use crate::rules::protocol::uci::{Command, Go, Info, OptionOffer, Reply};
use crate::rules::score::Bound;

/// The engine's task. An engine answers each `go` with exactly one `bestmove`, and is asked nothing
/// else until then.
#[derive(Debug, Default, PartialEq, Eq)]
enum Search {
    #[default]
    Idle,
    Thinking,
    /// The engine was told to stop, and its answer does not count.
    Stopping,
}

/// An engine with UCI; by default a process just started.
#[derive(Debug, Default)]
pub struct Uci {
    own_name: Option<String>,
    options: Vec<OptionOffer>,
    greeted: bool,
    /// `isready` was not answered yet.
    is_asked: bool,
    search: Search,
    /// Root moves that the coming search is restricted to; all if empty.
    search_moves: Vec<String>,
    thought: Option<SearchLine>,
}

impl Uci {
    fn best_move(&mut self, text: String) -> Option<DriverEvent> {
        let thought = self.thought.take();
        match std::mem::replace(&mut self.search, Search::Idle) {
            Search::Thinking => Some(DriverEvent::Move { text, thought }),
            Search::Stopping | Search::Idle => None,
        }
    }

    fn heard_info(&mut self, info: &Info) -> Option<DriverEvent> {
        if self.search != Search::Thinking || info.line.is_some_and(|line| line > 1) {
            return None;
        }
        if let (Some(thought), Some(nodes)) = (&mut self.thought, info.nodes) {
            thought.nodes = Some(nodes);
        }
        let line = search_line(info)?;
        if line.exact || self.thought.is_none() {
            self.thought = Some(line.clone());
        }
        Some(DriverEvent::Thinking(line))
    }
}

impl Driver for Uci {
    fn own_name(&self) -> Option<&str> {
        self.own_name.as_deref()
    }

    fn greet(&mut self, out: &mut Outbox) {
        out.say(Command::Uci);
    }

    fn is_greeted(&self) -> bool {
        self.greeted
    }

    fn set_option(&mut self, name: &str, value: &str, out: &mut Outbox) -> Result<(), String> {
        let Some(option) = offer::named(&self.options, name) else {
            return Err(unknown_option(name, &self.options, &[], self.own_name()));
        };
        out.say(Command::SetOption {
            name: option.name.clone(),
            value: offer::fit(option, value)?,
        });
        Ok(())
    }

    fn ask_ready(&mut self, out: &mut Outbox) {
        self.is_asked = true;
        out.say(Command::IsReady);
    }

    fn is_ready(&self) -> bool {
        !self.is_asked && self.search == Search::Idle
    }

    fn begin(&mut self, game: &Beginning<'_>, out: &mut Outbox) -> Result<(), String> {
        self.search_moves = game.search_moves.to_vec();
        out.say(Command::NewGame);
        Ok(())
    }

    fn turn(&mut self, turn: &Turn<'_>, out: &mut Outbox) {
        self.thought = None;
        self.search = Search::Thinking;
        out.say(position(turn.referee));
        out.say(Command::Go(Go {
            search_moves: self.search_moves.clone(),
            ..go(turn.referee.turn(), turn.clocks)
        }));
    }

    fn end(&mut self, _: &GameResult, out: &mut Outbox) {
        if self.search == Search::Thinking {
            out.say(Command::Stop);
            self.search = Search::Stopping;
        }
    }

    fn hear(&mut self, line: &str, _: &mut Outbox) -> Option<DriverEvent> {
        let Ok(reply) = line.parse::<Reply>();
        match reply {
            Reply::Name(name) => self.own_name = Some(name),
            Reply::Option(option) => self.options.push(option),
            Reply::UciOk => self.greeted = true,
            Reply::ReadyOk => self.is_asked = false,
            Reply::Info(info) => return self.heard_info(&info),
            Reply::BestMove { best, .. } => {
                // What is no move is repeated in the engine's own words.
                let said = line.split_whitespace().nth(1).unwrap_or("(none)");
                return self.best_move(best.unwrap_or(said.to_owned()));
            }
            Reply::Author(_) | Reply::Other(_) => {}
        }
        None
    }
}

/// The line of play that an engine tells of; `None` without a score.
pub fn search_line(info: &Info) -> Option<SearchLine> {
    let score = info.score?;
    Some(SearchLine {
        score: score.value,
        exact: score.bound == Bound::Exact,
        depth: info.depth,
        nodes: info.nodes,
        time: info.time.map(Duration::from_millis),
        variation: info.variation.join(" "),
    })
}

/// The whole game so far: UCI repeats all of it every time.
pub fn position(referee: &Referee) -> Command {
    Command::Position {
        fen: referee.start_fen(),
        moves: referee.coordinates(0),
    }
}

/// The allowance of `color` for its move.
fn go(color: Color, clocks: &ByColor<SideClock>) -> Go {
    let own = clocks.get(color);
    let limits = own.limits;
    let mut go = Go {
        depth: limits.depth,
        nodes: limits.nodes,
        ..Go::default()
    };
    match limits.time {
        Some(Time::PerMove(_) | Time::Matched(_)) => go.move_time = own.left().map(milliseconds),
        Some(Time::Clock { .. }) => {
            // An opponent without a clock is given as much time as the engine has itself.
            let left = |side: Color| clocks.get(side).left().or(own.left()).map(milliseconds);
            let increment = |side: Color| {
                let increment = clocks.get(side).increment();
                (!increment.is_zero()).then(|| milliseconds(increment))
            };
            go.white_time = left(Color::White);
            go.black_time = left(Color::Black);
            go.white_increment = increment(Color::White);
            go.black_increment = increment(Color::Black);
            go.moves_to_go = own.moves_to_go();
        }
        None => {}
    }
    go
}

/// At least 1, because some engines take 0 for no limit.
fn milliseconds(time: Duration) -> i64 {
    i64::try_from(time.as_millis().max(1)).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hear(engine: &mut Uci, lines: &[&str]) -> Vec<DriverEvent> {
        let mut out = Outbox::default();
        lines
            .iter()
            .filter_map(|line| engine.hear(line, &mut out))
            .collect()
    }

    #[test]
    fn the_last_exact_score_of_the_best_line_counts() {
        let mut engine = Uci {
            search: Search::Thinking,
            ..Uci::default()
        };
        let lines = [
            "info depth 3 score cp 12 nodes 100 pv e2e4",
            "info depth 4 score cp 99 lowerbound nodes 150",
            "info depth 5 multipv 1 score mate -2 nodes 200 pv e2e4",
            "info depth 5 multipv 2 score cp 7 nodes 210 pv d2d4",
            "info nodes 250 nps 1000",
            "bestmove e2e4",
        ];
        let thought = SearchLine {
            score: crate::rules::score::Score::mated_in(4),
            exact: true,
            depth: Some(5),
            nodes: Some(250),
            time: None,
            variation: "e2e4".to_owned(),
        };
        let text = "e2e4".to_owned();
        let thought = Some(thought);
        assert_eq!(
            hear(&mut engine, &lines).pop(),
            Some(DriverEvent::Move { text, thought })
        );
        // Nobody asked for another.
        assert_eq!(hear(&mut engine, &["bestmove d2d4"]), []);
    }

    #[test]
    fn thinking_is_that_of_the_best_line() {
        let mut engine = Uci {
            search: Search::Thinking,
            ..Uci::default()
        };
        let line = "info depth 4 score cp 99 lowerbound nodes 150 time 70 pv e2e4 e7e5";
        let [DriverEvent::Thinking(text)] = &hear(&mut engine, &[line])[..] else {
            panic!("{line}")
        };
        assert_eq!(
            (text.exact, text.time),
            (false, Some(Duration::from_millis(70)))
        );
        assert_eq!(text.variation, "e2e4 e7e5");
        assert_eq!(
            (text.score.0, text.depth, text.nodes),
            (99, Some(4), Some(150))
        );
        for line in [
            "info depth 5 multipv 2 score cp 7 pv d2d4",
            "info currmove e2e4",
            "info string score",
        ] {
            assert_eq!(hear(&mut engine, &[line]), [], "{line}");
        }
    }

    #[test]
    fn a_matched_time_is_a_time_for_the_move() {
        let clock =
            |limits: &str| SideClock::new(limits.parse().expect("limits"), Duration::ZERO, 0);
        let mut clocks = ByColor {
            white: clock("matched/0.01"),
            black: clock("5+0.05"),
        };
        assert_eq!(go(Color::White, &clocks).move_time, Some(10));
        clocks.white.opponent_spent(Duration::from_micros(123_900));
        let go = go(Color::White, &clocks);
        assert_eq!(
            (go.move_time, go.white_time, go.black_time),
            (Some(123), None, None)
        );
    }

    #[test]
    fn a_kashan_that_declares_no_such_option_is_to_declare_all() {
        for (name, is_hinted) in [("Kashan 0.3.0", true), ("Stockfish 15.1", false)] {
            let mut engine = Uci::default();
            hear(
                &mut engine,
                &[
                    &format!("id name {name}"),
                    "option name Hash type spin default 16",
                ],
            );
            let error = engine
                .set_option("LeafNodes", "1", &mut Outbox::default())
                .expect_err(name);
            assert_eq!(error.contains("--all-options"), is_hinted, "{error}");
        }
    }
}

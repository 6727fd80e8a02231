//! One engine thinking about one position after the other.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use shakmaty::{ByColor, Position as _};
use thiserror::Error;

use crate::arena::client::driver::{Beginning, DriverEvent, Turn};
use crate::arena::client::process::{ProcessOutput, Said};
use crate::arena::client::{Client, ClientError, Timeouts};
use crate::arena::clock::SideClock;
use crate::arena::referee::{Played, Referee};
use crate::arena::thinking::{self, quote};
use crate::arena::{EngineLimits, EngineSpec, Protocol, Time};
use crate::rules::score::Score;
use crate::util::jobs::StopSignal;

/// The time beyond its limit before an engine is given up. Suites are no games: late is late, and
/// not lost.
const LATE: Duration = Duration::from_secs(5);
/// The wait for a move without a time limit: a deep search may take minutes.
const STALL: Duration = Duration::from_secs(3600);

/// A position to think about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Question {
    /// The starting position.
    pub fen: String,
    /// Moves from there to the position in question, in coordinates or SAN; they let an engine see
    /// repetitions.
    pub moves: Vec<String>,
    /// The only moves to consider, in coordinates or SAN; all if empty. Only UCI engines can be
    /// told.
    pub search_moves: Vec<String>,
}

impl Question {
    /// A question about all moves of a position.
    pub fn new(fen: impl Into<String>) -> Question {
        Question {
            fen: fen.into(),
            ..Question::default()
        }
    }
}

/// One line of an engine's thinking.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThoughtLine {
    /// The time of arrival, counted from the start of thinking.
    pub at: Duration,
    /// The score from the engine's point of view: the side to move's.
    pub score: Score,
    /// True if the score is the value itself, and no bound.
    pub exact: bool,
    /// Half-moves.
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    /// The expected line, in coordinates, as far as readable and playable; the engine's own move
    /// first.
    pub pv: Vec<String>,
}

/// An engine's answer to a position.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thinking {
    /// Its move, in coordinates (`e2e4`, `e7e8q`, `e1g1`); legal.
    pub best: String,
    /// The same in standard algebraic notation.
    pub san: String,
    /// The lines in the order of arrival.
    pub lines: Vec<ThoughtLine>,
    /// The time from the start of thinking to the move.
    pub time: Duration,
}

impl Thinking {
    /// The last score with a value and no bound; a bound if there was nothing else. From the
    /// engine's point of view.
    pub fn score(&self) -> Option<Score> {
        let exact = self.lines.iter().rfind(|line| line.exact);
        exact.or(self.lines.last()).map(|line| line.score)
    }

    /// The largest reported number of nodes.
    pub fn nodes(&self) -> Option<u64> {
        self.lines.iter().filter_map(|line| line.nodes).max()
    }

    /// The greatest reported depth, in half-moves.
    pub fn depth(&self) -> Option<u32> {
        self.lines.iter().filter_map(|line| line.depth).max()
    }
}

/// The reason for a missing answer. The text names the engine and the position.
#[derive(Clone, Debug, Error, PartialEq, Eq, Serialize, Deserialize)]
#[error("{fault} (engine {engine}, position \"{position}\")")]
pub struct ThinkError {
    /// Its name.
    pub engine: String,
    /// FEN, as in the question.
    pub position: String,
    pub fault: Fault,
}

impl ThinkError {
    pub fn new(engine: &str, position: &str, fault: Fault) -> ThinkError {
        ThinkError {
            engine: engine.to_owned(),
            position: position.to_owned(),
            fault,
        }
    }
}

/// A fault in an engine's answer, or in the question.
#[derive(Clone, Debug, Error, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fault {
    /// The question is none: no position, no legal move, or illegal search moves. The engine was
    /// not asked.
    #[error("{0}")]
    Question(String),
    /// The engine has no means to be told the position. The engine was not asked.
    #[error("the position cannot be given: {0}")]
    NotGiven(String),
    /// The engine cannot be started, has no means to think under these limits, or does not take the
    /// position.
    #[error("{0}")]
    Unready(String),
    #[error("it {0}")]
    Died(String),
    #[error("no move for {} s", .0.as_secs_f64())]
    Silent(Duration),
    #[error("it floods its output")]
    Flood,
    /// The engine resigned, or claimed a result, instead of a move.
    #[error("it moves not, but says \"{0}\"")]
    NoMove(String),
    /// The answer is no legal move, or not one of the search moves.
    #[error("its move {text} {reason}")]
    IllegalMove { text: String, reason: String },
    /// Everything is to stop; nothing is wrong.
    #[error("stopped")]
    Stopped,
}

/// An engine, one position at a time.
///
/// Every position is a new game to the engine (`new`, `ucinewgame`), so none helps with another. A
/// failed engine gets a new process for the next position.
pub struct Analyst {
    spec: EngineSpec,
    limits: EngineLimits,
    timeouts: Timeouts,
    stop: StopSignal,
    client: Option<Client>,
}

impl Analyst {
    /// Starts an engine. The spec's own limits, if any, are preferred to `limits`. Our own backends
    /// are driven by UCI, the richer protocol.
    ///
    /// # Errors
    /// Fails if the engine cannot be started or refuses its options: [`ClientError::Failed`] names
    /// the engine.
    pub fn start(
        spec: &EngineSpec,
        limits: EngineLimits,
        stop: &StopSignal,
    ) -> Result<Analyst, ClientError> {
        let timeouts = Timeouts {
            stall: STALL,
            ..Timeouts::default()
        };
        Analyst::start_with_timeouts(spec, limits, timeouts, stop)
    }

    /// The same with other timeouts; `stall` is how long to wait for a move where no time is
    /// limited.
    pub fn start_with_timeouts(
        spec: &EngineSpec,
        limits: EngineLimits,
        timeouts: Timeouts,
        stop: &StopSignal,
    ) -> Result<Analyst, ClientError> {
        let mut spec = spec.clone();
        if spec.backend().is_some() {
            spec.protocol = spec.protocol.or(Some(Protocol::Uci));
        }
        let limits = spec.limits.unwrap_or(limits);
        let client = Client::start(&spec, timeouts, stop)?;
        // It need not be found out again.
        spec.protocol = Some(client.protocol);
        Ok(Analyst {
            spec,
            limits,
            timeouts,
            stop: stop.clone(),
            client: Some(client),
        })
    }

    /// Lets the engine think about a position, and waits for its move.
    ///
    /// # Errors
    /// See [`Fault`]. The next position can be tried after any of them.
    pub fn think(&mut self, question: &Question) -> Result<Thinking, ThinkError> {
        let thought = match read(question) {
            Ok((referee, search_moves)) => self.ask(&referee, &search_moves),
            Err(reason) => Err(Fault::Question(reason)),
        };
        if self.client.is_none() {
            log::debug!("{} is started anew for the next position", self.spec.name);
        }
        thought.map_err(|fault| ThinkError::new(&self.spec.name, &question.fen, fault))
    }

    /// Asks the client. A failed engine's client is dropped: only an answer puts the client back.
    fn ask(&mut self, referee: &Referee, search_moves: &[String]) -> Result<Thinking, Fault> {
        let unready = |error| Fault::unready(&self.spec.name, error);
        let mut client = match self.client.take() {
            Some(client) => client,
            None => Client::start(&self.spec, self.timeouts, &self.stop).map_err(unready)?,
        };
        client
            .driver
            .takes_start(referee.start(), &self.limits)
            .map_err(Fault::NotGiven)?;
        let beginning = Beginning {
            referee,
            limits: &self.limits,
            search_moves,
            opponent: "suite",
        };
        client.prepare(&beginning, &self.stop).map_err(unready)?;
        let thinking = self.listen(&mut client, referee, search_moves);
        if thinking.is_err() {
            // It may be thinking still.
            client.give_up();
        }
        if client.is_reusable() {
            self.client = Some(client);
        }
        thinking
    }

    fn listen(
        &self,
        client: &mut Client,
        referee: &Referee,
        search_moves: &[String],
    ) -> Result<Thinking, Fault> {
        let clock = SideClock::new(self.limits, Duration::ZERO, 0);
        let clocks = ByColor {
            white: clock.clone(),
            black: clock,
        };
        let patience = match self.limits.time {
            // Here is no opponent: the minimum is what there is.
            Some(Time::PerMove(time) | Time::Matched(time)) => time + LATE,
            Some(Time::Clock {
                base, increment, ..
            }) => base + increment + LATE,
            None => self.timeouts.stall,
        };
        let started = Instant::now();
        client.turn(&Turn {
            referee,
            clocks: &clocks,
        });
        let mut lines = Vec::new();
        loop {
            let said = client
                .process
                .next(started, patience, &self.stop)
                .map_err(|_| Fault::Stopped)?;
            let Said { at, what } = said.ok_or(Fault::Silent(patience))?;
            let spent = at.saturating_duration_since(started);
            let line = match what {
                ProcessOutput::Line(line) => line,
                ProcessOutput::Flood => return Err(Fault::Flood),
                ProcessOutput::Closed => return Err(Fault::Died(client.process.last_words())),
            };
            match client.hear(&line) {
                Some(DriverEvent::Move { text, .. }) => {
                    let Played { uci, san } =
                        read_answer(&text, referee, search_moves).map_err(|reason| {
                            Fault::IllegalMove {
                                text: quote(&text),
                                reason,
                            }
                        })?;
                    return Ok(Thinking {
                        best: uci,
                        san,
                        lines,
                        time: spent,
                    });
                }
                Some(DriverEvent::Resign | DriverEvent::Claim { .. } | DriverEvent::Dispute(_)) => {
                    return Err(Fault::NoMove(quote(line.trim())));
                }
                Some(DriverEvent::Thinking(line)) => lines.push(ThoughtLine {
                    at: spent,
                    score: line.score,
                    exact: line.exact,
                    depth: line.depth,
                    nodes: line.nodes,
                    pv: thinking::variation(&line.variation, referee),
                }),
                Some(DriverEvent::OfferDraw) | None => {}
            }
            if let Some(refused) = client.driver.refused() {
                return Err(Fault::Unready(format!(
                    "it answered \"{}\"",
                    quote(refused)
                )));
            }
        }
    }
}

impl Fault {
    /// The fault of an engine not ready, without the engine's name: [`ThinkError`] has the name.
    pub(super) fn unready(engine: &str, error: ClientError) -> Fault {
        match error {
            ClientError::Stopped => Fault::Stopped,
            ClientError::Failed(reason) => {
                let named = reason.strip_prefix(&format!("engine {engine}: "));
                Fault::Unready(named.unwrap_or(&reason).to_owned())
            }
        }
    }
}

/// The position of a question, and its search moves in coordinates.
fn read(question: &Question) -> Result<(Referee, Vec<String>), String> {
    let referee =
        Referee::after(&question.fen, &question.moves).map_err(|error| error.to_string())?;
    if referee.position().legal_moves().is_empty() {
        return Err("there is no legal move".to_owned());
    }
    let mut search_moves = Vec::new();
    for text in &question.search_moves {
        match referee.read_move(text) {
            Ok(mv) => search_moves.push(referee.written(mv).uci),
            Err(fault) => return Err(format!("the search move \"{}\" {fault}", quote(text))),
        }
    }
    Ok((referee, search_moves))
}

/// Reads an engine's move.
///
/// # Errors
/// An illegal move, or one that was not allowed; the text gives the reason.
fn read_answer(text: &str, referee: &Referee, search_moves: &[String]) -> Result<Played, String> {
    match referee.read_move(text).map(|mv| referee.written(mv)) {
        Ok(Played { uci, .. }) if !search_moves.is_empty() && !search_moves.contains(&uci) => {
            Err(format!("is not one of {}", search_moves.join(" ")))
        }
        read => read.map_err(|fault| fault.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::suite::tests::{thinking, told};

    #[test]
    fn tasks_that_cannot_be_thought_about_are_named() {
        let why = |question: &Question| read(question).map(|_| ()).expect_err("no question");
        assert!(why(&Question::new("nonsense")).contains("nonsense"));
        let mated = Question::new("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
        assert_eq!(why(&mated), "there is no legal move");
        let mut question = Question::new("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
        question.search_moves = vec!["e4".to_owned(), "e2e5".to_owned()];
        assert_eq!(why(&question), "the search move \"e2e5\" is not legal");
        question.search_moves.pop();
        assert_eq!(
            read(&question).expect("a question").1,
            ["e2e4"],
            "engines get coordinates"
        );
        question.moves = vec!["Ke2".to_owned()];
        assert!(why(&question).contains("move 1"));
    }

    #[test]
    fn answers_are_legal_and_among_the_moves_asked_for() {
        let (referee, _) =
            read(&Question::new("4k3/8/8/8/8/8/4P3/4K2R w K - 0 1")).expect("a question");
        for (text, only, expected) in [
            ("O-O", &[][..], "e1g1 O-O"),
            ("h1h8", &["h1h8", "e2e4"], "h1h8 Rh8+"),
            ("e1c1", &[], "is not legal"),
            ("(none)", &[], "is not a move"),
            ("h1h7", &["h1h8"], "is not one of h1h8"),
        ] {
            let only: Vec<String> = only.iter().map(|mv: &&str| mv.to_string()).collect();
            let said = match read_answer(text, &referee, &only) {
                Ok(Played { uci, san }) => format!("{uci} {san}"),
                Err(reason) => reason,
            };
            assert_eq!(said, expected, "{text}");
        }
    }

    #[test]
    fn the_last_exact_score_counts() {
        let line = |score, exact, nodes| ThoughtLine {
            exact,
            depth: Some(3),
            nodes,
            ..told(Score(score), "")
        };
        let all = thinking(
            "",
            &[
                line(10, true, Some(5)),
                line(50, false, Some(9)),
                line(60, false, None),
            ],
        );
        assert_eq!(
            (all.score(), all.nodes(), all.depth()),
            (Some(Score(10)), Some(9), Some(3))
        );
        assert_eq!(
            thinking("", &[line(50, false, None)]).score(),
            Some(Score(50))
        );
        assert_eq!(thinking("", &[]).score(), None);
    }
}

//! One game between two engines, from the first move to the result. The game ends whatever the
//! engines do.

use std::fmt::Display;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crossbeam_channel::select;
use shakmaty::{ByColor, Color};

use super::adjudicate::{self, Adjudicator};
use super::client::driver::{DriverEvent, SearchLine, Turn};
use super::client::process::{ProcessOutput, Said};
use super::client::{Client, Timeouts};
use super::clock::SideClock;
use super::machine::Load;
use super::mating;
use super::referee::Referee;
use super::thinking::{self, quote};
use super::{EngineSpec, GamePlan, GameRecord, GameResult, MoveRecord, Reason, Verdict};
use crate::rules::tablebase::Tablebase;
use crate::util::jobs::StopSignal;

/// The longest wait in the queue of a move made just before the deadline; such a move counts.
const HANDING_ON: Duration = Duration::from_millis(5);

/// The conditions common to the games of a tournament.
#[derive(Clone)]
pub struct Conditions {
    pub specs: Arc<[EngineSpec]>,
    /// Engines once ready for a game. Failing to start later loses such an engine a game; an engine
    /// never started is the user's mistake and ends the tournament. All tables share this.
    pub(super) proven: Arc<[AtomicBool]>,
    pub stop: StopSignal,
    pub timeouts: Timeouts,
    /// The engines' share of the processor. All tables share this.
    pub load: Arc<Load>,
    /// Endgame tables to end games with a certain result.
    pub tables: Option<Arc<Tablebase>>,
}

impl Conditions {
    /// The usual conditions for games between these engines.
    pub fn new(specs: Arc<[EngineSpec]>, stop: StopSignal) -> Conditions {
        Conditions {
            proven: specs.iter().map(|_| AtomicBool::new(false)).collect(),
            specs,
            stop,
            timeouts: Timeouts::default(),
            load: Arc::default(),
            tables: None,
        }
    }
}

/// A game in progress, with both engines prepared.
pub struct RunningGame<'a> {
    conditions: &'a Conditions,
    specs: ByColor<&'a EngineSpec>,
    clients: ByColor<&'a mut Client>,
    referee: Referee,
    clocks: ByColor<SideClock>,
    adjudicator: Adjudicator,
    /// The draw offers. An offer stands until the opponent has made a move. In the xboard protocol
    /// an engine also claims a draw by its next move in this way: the move ends the game by rule.
    offers: ByColor<bool>,
    moves: Vec<MoveRecord>,
    /// The last line of the engine on move in this turn; empty if there was none.
    last_said: String,
    /// The first impossible thinking line of each engine, with the reason: one is usually followed
    /// by many.
    warnings: ByColor<Option<String>>,
}

impl<'a> RunningGame<'a> {
    /// The game of `plan`, after its opening.
    pub fn new(
        conditions: &'a Conditions,
        plan: &GamePlan,
        referee: Referee,
        clients: ByColor<&'a mut Client>,
    ) -> Self {
        let specs = plan.engines.map(|engine| &conditions.specs[engine]);
        let clock =
            |(color, limits)| SideClock::new(limits, plan.margin, referee.opening_moves_of(color));
        RunningGame {
            conditions,
            specs,
            clients,
            clocks: plan.limits.zip_color().map(clock),
            adjudicator: Adjudicator::new(plan.adjudication.clone()),
            offers: ByColor::default(),
            moves: Vec::new(),
            last_said: String::new(),
            warnings: ByColor::default(),
            referee,
        }
    }

    /// The longest thinking of a side about a move without a clock.
    fn stall(&self, color: Color) -> Duration {
        match self.specs.get(color).stall {
            Some(seconds) => Duration::from_secs(seconds.into()),
            None => self.conditions.timeouts.stall,
        }
    }

    fn name(&self, color: Color) -> &'a str {
        &self.specs.get(color).name
    }

    /// Plays the game to its end and tells the engines. The record has the course of the game, and
    /// nothing of the plan.
    pub fn play(mut self) -> GameRecord {
        let result = loop {
            if let Some(result) = self.decided() {
                break result;
            }
            if let Err(result) = self.turn() {
                break result;
            }
        };
        for client in &mut self.clients {
            client.tell(|driver, out| driver.end(&result, out));
        }
        let ByColor { white, black } = self.warnings;
        GameRecord {
            moves: self.moves,
            result,
            warnings: [white, black],
            ..GameRecord::default()
        }
    }

    /// The result, if the position or the adjudication decides the game.
    fn decided(&self) -> Option<GameResult> {
        if let Some((verdict, reason)) = self.referee.outcome() {
            let detail = match reason {
                Reason::Checkmate => format!("{} mates", self.name(!self.referee.turn())),
                Reason::Stalemate => format!("{} is stalemated", self.name(self.referee.turn())),
                Reason::InsufficientMaterial => "nobody can mate with what is left".to_owned(),
                reason => rule(reason).to_owned(),
            };
            return Some(GameResult {
                verdict,
                reason,
                detail,
            });
        }
        if let Some(tables) = &self.conditions.tables
            && let Some(result) = adjudicate::by_tables(tables, &self.referee)
        {
            return Some(result);
        }
        self.adjudicator.decision(self.referee.moves().len())
    }

    /// One move of the side to move, or the end of the game.
    fn turn(&mut self) -> Result<(), GameResult> {
        let mover = self.referee.turn();
        let started = Instant::now();
        self.last_said.clear();
        self.clients.get_mut(mover).turn(&Turn {
            referee: &self.referee,
            clocks: &self.clocks,
        });
        let (text, thought, spent) = self.wait_for_move(mover, started)?;
        self.make(mover, text, thought, spent)
    }

    /// The answer of the engine on move, its thought, and the time of its turn.
    fn wait_for_move(
        &mut self,
        mover: Color,
        started: Instant,
    ) -> Result<(String, Option<SearchLine>, Duration), GameResult> {
        let limit = self.clocks.get(mover).deadline();
        let patience = limit.unwrap_or(self.stall(mover)) + HANDING_ON;
        loop {
            if self.conditions.stop.is_stopped() {
                return Err(interrupted());
            }
            let (speaker, said) = select! {
                recv(self.clients.white.process.output) -> said => (Color::White, said),
                recv(self.clients.black.process.output) -> said => (Color::Black, said),
                                recv(self.conditions.stop.receiver()) -> _ => return Err(interrupted()),
                default(patience.saturating_sub(started.elapsed())) => return Err(self.no_move(mover)),
            };
            // `ProcessOutput::Closed` comes before the channel closes and ends the game, so this is
            // only for safety.
            let Said { at, what } = said.unwrap_or(Said {
                at: started,
                what: ProcessOutput::Closed,
            });
            // An engine that writes all the time leaves no pause in which the time-out could
            // strike.
            if at.saturating_duration_since(started) > patience {
                return Err(self.no_move(mover));
            }
            let line = match what {
                ProcessOutput::Line(line) => line,
                ProcessOutput::Flood => {
                    return Err(self.broken(speaker, Reason::Flood, "floods its output"));
                }
                ProcessOutput::Closed => {
                    let words = self.clients.get_mut(speaker).process.last_words();
                    return Err(self.broken(speaker, Reason::Crash, words));
                }
            };
            if speaker == mover && !line.trim().is_empty() {
                self.last_said.clone_from(&line);
            }
            match self.clients.get_mut(speaker).hear(&line) {
                Some(DriverEvent::Move { text, thought }) if speaker == mover => {
                    return Ok((text, thought, at.saturating_duration_since(started)));
                }
                Some(event) => self.heed(speaker, mover, event)?,
                None => {}
            }
        }
    }

    /// The meaning of an event other than the awaited move: nothing, or the end of the game.
    fn heed(&mut self, speaker: Color, mover: Color, event: DriverEvent) -> Result<(), GameResult> {
        match event {
            DriverEvent::Move { text, .. } => {
                // As xboard does: there are engines that say their move twice.
                log::debug!("{} moves {} out of turn", self.name(speaker), quote(&text));
            }
            DriverEvent::Thinking(said) if speaker == mover => {
                let warning = self.warnings.get_mut(speaker);
                if warning.is_none() {
                    *warning = thinking::fault(&said, &self.referee);
                }
            }
            DriverEvent::Thinking(_) => {}
            DriverEvent::OfferDraw if *self.offers.get(!speaker) => return Err(self.agreed()),
            DriverEvent::OfferDraw => {
                if !std::mem::replace(self.offers.get_mut(speaker), true) {
                    self.clients
                        .get_mut(!speaker)
                        .tell(|driver, out| driver.draw_offered(out));
                }
            }
            DriverEvent::Resign => {
                return Err(self.lost(speaker, Reason::Resignation, "resigns"));
            }
            DriverEvent::Claim { verdict, comment } => {
                return Err(self.claimed(speaker, verdict, &comment));
            }
            DriverEvent::Dispute(line) => {
                let how = format!("does not take a legal move: \"{}\"", quote(&line));
                return Err(self.lost(speaker, Reason::FalseClaim, how));
            }
        }
        Ok(())
    }

    fn agreed(&self) -> GameResult {
        let detail = format!(
            "{} and {} agree",
            self.name(Color::White),
            self.name(Color::Black)
        );
        GameResult::draw(Reason::DrawAgreed, detail)
    }

    /// `loser` loses; `how` is a sentence without its name. Where the opponent cannot mate it is a
    /// draw.
    fn lost(&self, loser: Color, reason: Reason, how: impl Display) -> GameResult {
        let detail = format!("{} {how}", self.name(loser));
        if !mating::cannot_mate(self.referee.position(), !loser) {
            return GameResult::win_of(!loser, reason, detail);
        }
        let detail = format!(
            "{detail}; {} cannot mate by any series of legal moves",
            self.name(!loser)
        );
        GameResult::draw(reason, detail)
    }

    /// The same for an engine with a useless process.
    fn broken(&mut self, loser: Color, reason: Reason, how: impl Display) -> GameResult {
        self.clients.get_mut(loser).give_up();
        self.lost(loser, reason, how)
    }

    /// The result of an engine's claim. A claim of one's own loss is a resignation. A claimed draw
    /// counts if the rules or the opponent agree. A claimed win never counts: a mate ends the game
    /// before any claim.
    fn claimed(&self, speaker: Color, verdict: Verdict, comment: &str) -> GameResult {
        if verdict == Verdict::win_of(!speaker) {
            return self.lost(speaker, Reason::Resignation, "resigns");
        }
        let claim = match comment.trim() {
            "" => format!("claims {verdict}"),
            comment => format!("claims {verdict} ({})", quote(comment)),
        };
        if verdict == Verdict::Draw {
            if *self.offers.get(!speaker) {
                return self.agreed();
            }
            if let Some((mv, reason)) = self.referee.drawing_move(speaker) {
                let detail = format!(
                    "{} {claim}: {mv} makes it {}",
                    self.name(speaker),
                    rule(reason)
                );
                return GameResult::draw(reason, detail);
            }
        }
        let how = format!("{claim}, which is not so in {}", self.referee.fen());
        self.lost(speaker, Reason::FalseClaim, how)
    }

    fn no_move(&self, mover: Color) -> GameResult {
        let (reason, mut how) = match self.clocks.get(mover).left() {
            Some(left) => (
                Reason::TimeForfeit,
                format!("had {:.2} s and did not move", left.as_secs_f64()),
            ),
            None => (
                Reason::Stall,
                format!("has not moved for {} s", self.stall(mover).as_secs_f64()),
            ),
        };
        let client = self.clients.get(mover);
        let refused = client.driver.refused();
        if let Some(line) = refused {
            how += &format!("; it had answered \"{}\"", quote(line));
        }
        let last = self.last_said.trim();
        if !last.is_empty() && refused != Some(last) {
            how += &format!("; it last said \"{}\"", quote(last));
        }
        self.lost(mover, reason, how + &client.process.errors())
    }

    /// Stops the clock, checks the move, and makes it.
    fn make(
        &mut self,
        mover: Color,
        text: String,
        thought: Option<SearchLine>,
        spent: Duration,
    ) -> Result<(), GameResult> {
        let clock = self.clocks.get_mut(mover);
        let left = clock.left();
        if clock.spend(spent).is_err() {
            let how = format!(
                "moved {} after {:.3} s and had {:.3} s",
                quote(&text),
                spent.as_secs_f64(),
                left.unwrap_or_default().as_secs_f64()
            );
            return Err(self.lost(mover, Reason::TimeForfeit, how));
        }
        let clock = clock.reading();
        self.clocks.get_mut(!mover).opponent_spent(spent);
        let mv = match self.referee.read_move(&text) {
            Ok(mv) => mv,
            Err(fault) => {
                let how = format!(
                    "moved {}, which {fault} in {}",
                    quote(&text),
                    self.referee.fen()
                );
                return Err(self.lost(mover, Reason::IllegalMove, how));
            }
        };
        let mut record = MoveRecord {
            uci: self.referee.written(mv).uci,
            time: u64::try_from(spent.as_millis()).unwrap_or(u64::MAX),
            clock,
            ..MoveRecord::default()
        };
        if let Some(thought) = thought {
            record.score = Some(thought.score.0);
            record.depth = thought.depth;
            record.nodes = thought.nodes;
        }
        let number = self.referee.move_number();
        self.referee.play(mv);
        self.adjudicator.moved(mover, number, record.score);
        *self.offers.get_mut(!mover) = false;
        self.moves.push(record);
        Ok(())
    }
}

/// The rule for claiming a draw, in words.
fn rule(reason: Reason) -> &'static str {
    match reason {
        Reason::FiftyMoves => "fifty moves without a capture or a pawn's move",
        _ => "the same position for the third time",
    }
}

/// The user wants to stop.
pub(super) fn interrupted() -> GameResult {
    GameResult {
        detail: "the game was broken off".to_owned(),
        ..GameResult::default()
    }
}

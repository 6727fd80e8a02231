//! One game between two engines, from the first move to the result. Whatever the engines do, it ends.

use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crossbeam_channel::select;
use shakmaty::{ByColor, Color};

use super::adjudicate::{self, Adjudicator};
use super::client::driver::{Event, Thought, Turn};
use super::client::process::{Output, Said};
use super::client::{Client, Timeouts};
use super::clock::Clock;
use super::machine::{Cores, Gaps, Strain};
use super::referee::Referee;
use super::thinking::{self, Inspector, quote};
use super::{EngineSpec, GamePlan, GameRecord, GameResult, MoveRecord, Reason, Verdict};
use crate::jobs::StopSignal;
use crate::tablebase::Tablebase;

/// A move that arrives just before the deadline counts although it waits in the queue for up to this long.
const HANDING_ON: Duration = Duration::from_millis(5);

/// What the games of a tournament have in common.
#[derive(Clone)]
pub struct Conditions {
    pub specs: Arc<[EngineSpec]>,
    /// Which engines were ready for a game before. If one of them fails to start later, it loses a game; one
    /// that never started is the user's mistake and ends the tournament. All tables share this.
    pub(super) proven: Arc<[AtomicBool]>,
    pub stop: StopSignal,
    pub timeouts: Timeouts,
    /// Whether the engines' variations are kept with their moves; usually they are not.
    pub keeps_variations: bool,
    /// Where the engines run; anywhere if not said.
    pub cores: Option<Cores>,
    /// What the engines had of the processor. All tables share this.
    pub strain: Arc<Strain>,
    /// When this program stood still. All tables share this.
    pub(super) gaps: Option<Arc<Gaps>>,
    /// Endgame tables that end the games where they are certain of the result.
    pub tables: Option<Arc<Tablebase>>,
}

/// A game in progress. Both engines have been prepared for it.
pub struct Game<'a> {
    conditions: &'a Conditions,
    specs: ByColor<&'a EngineSpec>,
    clients: ByColor<&'a mut Client>,
    referee: Referee,
    clocks: ByColor<Clock>,
    adjudicator: Adjudicator,
    /// Who offers a draw. An offer stands until the opponent has made a move. In the xboard protocol it is
    /// also how an engine claims a draw that its next move brings about: that move ends the game by rule.
    offers: ByColor<bool>,
    moves: Vec<MoveRecord>,
    /// The last variation that the engine on move wrote, where variations are kept.
    variation: String,
    /// Where thinking lines can be told from those of pondering.
    inspectors: ByColor<Option<Inspector>>,
}

impl<'a> Game<'a> {
    /// The game that `plan` wants, after its opening.
    pub fn new(
        conditions: &'a Conditions,
        plan: &GamePlan,
        referee: Referee,
        clients: ByColor<&'a mut Client>,
    ) -> Self {
        let specs = plan.engines().map(|engine| &conditions.specs[engine]);
        let clock = |color: Color| {
            let limits = plan.limits[color.fold_wb(0, 1)];
            Clock::new(limits, plan.margin, referee.opening_moves_of(color))
        };
        Game {
            conditions,
            specs,
            clients,
            clocks: ByColor { white: clock(Color::White), black: clock(Color::Black) },
            adjudicator: Adjudicator::new(plan.adjudication.clone()),
            offers: ByColor::default(),
            moves: Vec::new(),
            variation: String::new(),
            // Lines of pondering that arrive late look like others in the xboard protocol.
            inspectors: specs.map(|spec| (!spec.ponder).then(Inspector::default)),
            referee,
        }
    }

    /// How long a side may think about a move where no clock decides.
    fn stall(&self, color: Color) -> Duration {
        let own = self.specs.get(color).stall;
        own.map_or(self.conditions.timeouts.stall, |seconds| Duration::from_secs(seconds.into()))
    }

    fn name(&self, color: Color) -> &'a str {
        &self.specs.get(color).name
    }

    /// Plays the game to its end and tells the engines. The record says how it went, and nothing of the plan.
    pub fn play(mut self) -> GameRecord {
        let result = loop {
            let turn = match self.decided() {
                Some(result) => Break(result),
                None => self.turn(),
            };
            if let Break(result) = turn {
                break result;
            }
        };
        for client in [&mut self.clients.white, &mut self.clients.black] {
            client.end_game(&result);
        }
        let ByColor { white, black } = self.inspectors;
        let warnings = [white, black].map(|inspector| inspector?.fault());
        GameRecord { moves: self.moves, result, warnings, ..GameRecord::default() }
    }

    /// The result, if the position or the adjudication decides it.
    fn decided(&self) -> Option<GameResult> {
        if let Some((verdict, reason)) = self.referee.outcome() {
            let detail = match reason {
                Reason::Checkmate => format!("{} mates", self.name(!self.referee.turn())),
                Reason::Stalemate => format!("{} is stalemated", self.name(self.referee.turn())),
                Reason::InsufficientMaterial => "nobody can mate with what is left".to_owned(),
                reason => rule(reason).to_owned(),
            };
            return Some(GameResult { verdict, reason, detail });
        }
        let by_tables =
            self.conditions.tables.as_ref().and_then(|tables| adjudicate::by_tables(tables, &self.referee));
        by_tables.or_else(|| self.adjudicator.decision(self.referee.moves().len()))
    }

    /// One move of the side to move, or the end of the game.
    fn turn(&mut self) -> ControlFlow<GameResult> {
        let mover = self.referee.turn();
        let started = Instant::now();
        self.clients.get_mut(mover).turn(&Turn { referee: &self.referee, clocks: &self.clocks });
        let mv = self.wait_for_move(mover, started)?;
        self.make(mover, mv)?;
        // Pondering starts only in a game that goes on.
        if self.decided().is_none() {
            self.clients.get_mut(mover).ponder(&Turn { referee: &self.referee, clocks: &self.clocks });
        }
        Continue(())
    }

    fn wait_for_move(&mut self, mover: Color, started: Instant) -> ControlFlow<GameResult, Answer> {
        let limit = self.clocks.get(mover).deadline();
        let patience = limit.unwrap_or(self.stall(mover)) + HANDING_ON;
        loop {
            if self.conditions.stop.is_stopped() {
                return Break(interrupted());
            }
            let (speaker, said) = select! {
                recv(self.clients.white.process.output()) -> said => (Color::White, said),
                recv(self.clients.black.process.output()) -> said => (Color::Black, said),
                recv(self.conditions.stop.receiver()) -> _ => return Break(interrupted()),
                default(patience.saturating_sub(started.elapsed())) => return Break(self.no_move(mover)),
            };
            // `Output::Closed` comes before the channel closes and ends the game, so this is only for safety.
            let Ok(Said { at, what }) = said else {
                return Break(self.crashed(speaker));
            };
            // An engine that writes all the time leaves no pause in which the time-out could strike.
            if at.saturating_duration_since(started) > patience {
                return Break(self.no_move(mover));
            }
            let line = match what {
                Output::Line(line) => line,
                Output::Flood => return Break(self.flooded(speaker)),
                Output::Closed => return Break(self.crashed(speaker)),
            };
            if let Some(event) = self.clients.get_mut(speaker).hear(&line)
                && let Some((text, thought)) = self.heed(speaker, mover, event)?
            {
                let spent = at.saturating_duration_since(started);
                return Continue(Answer { text, thought, spent });
            }
        }
    }

    /// What an event means for the game: nothing, its end, or the move that is waited for.
    fn heed(
        &mut self,
        speaker: Color,
        mover: Color,
        event: Event,
    ) -> ControlFlow<GameResult, Option<(String, Option<Thought>)>> {
        let name = self.name(speaker);
        match event {
            Event::Move { text, thought } if speaker == mover => Continue(Some((text, thought))),
            Event::Move { text, .. } => {
                // As xboard does: there are engines that say their move twice.
                log::debug!("{name} moves {} out of turn", quote(&text));
                Continue(None)
            }
            Event::Thinking(said) => {
                if speaker == mover
                    && let Some(inspector) = self.inspectors.get_mut(speaker)
                {
                    inspector.heard(&said, &self.referee);
                }
                if self.conditions.keeps_variations
                    && speaker == mover
                    && said.exact
                    && !said.variation.is_empty()
                {
                    self.variation = said.variation;
                }
                Continue(None)
            }
            Event::OfferDraw => self.draw_offered(speaker).map_continue(|()| None),
            Event::Resign => Break(self.resigned(speaker)),
            Event::Claim { verdict, comment } => Break(self.claimed(speaker, verdict, &comment)),
            Event::Dispute(line) => {
                let detail = format!("{name} does not take a legal move: \"{}\"", quote(&line));
                Break(lost(speaker, Reason::FalseClaim, detail))
            }
        }
    }

    fn draw_offered(&mut self, speaker: Color) -> ControlFlow<GameResult> {
        if *self.offers.get(!speaker) {
            return Break(self.agreed());
        }
        if !std::mem::replace(self.offers.get_mut(speaker), true) {
            self.clients.get_mut(!speaker).draw_offered();
        }
        Continue(())
    }

    fn agreed(&self) -> GameResult {
        let detail = format!("{} and {} agree", self.name(Color::White), self.name(Color::Black));
        GameResult { verdict: Verdict::Draw, reason: Reason::DrawAgreed, detail }
    }

    fn resigned(&self, loser: Color) -> GameResult {
        lost(loser, Reason::Resignation, format!("{} resigns", self.name(loser)))
    }

    /// A result that an engine claims. To claim one's own loss is to resign. A claimed draw counts if the
    /// rules or the opponent agree. A claimed win never counts: a mate ends the game before anybody can claim
    /// it.
    fn claimed(&self, speaker: Color, verdict: Verdict, comment: &str) -> GameResult {
        if verdict == Verdict::win_of(!speaker) {
            return self.resigned(speaker);
        }
        let claim = format!("{} claims {verdict} ({})", self.name(speaker), quote(comment));
        if verdict == Verdict::Draw {
            if *self.offers.get(!speaker) {
                return self.agreed();
            }
            if let Some((mv, reason)) = self.referee.drawing_move(speaker) {
                let detail = format!("{claim}: {mv} makes it {}", rule(reason));
                return GameResult { verdict: Verdict::Draw, reason, detail };
            }
        }
        let detail = format!("{claim}, which is not so in {}", self.referee.fen());
        lost(speaker, Reason::FalseClaim, detail)
    }

    fn no_move(&self, mover: Color) -> GameResult {
        let name = self.name(mover);
        let refusal = match self.clients.get(mover).driver.refused() {
            Some(line) => format!("; it had answered \"{}\"", quote(line)),
            None => String::new(),
        };
        let refusal = refusal + &self.clients.get(mover).process.errors();
        match self.clocks.get(mover).left() {
            Some(left) => {
                let detail = format!("{name} had {:.2} s and did not move{refusal}", left.as_secs_f64());
                lost(mover, Reason::TimeForfeit, detail)
            }
            None => {
                let patience = self.stall(mover).as_secs_f64();
                let detail = format!("{name} has not moved for {patience} s{refusal}");
                lost(mover, Reason::Stall, detail)
            }
        }
    }

    fn crashed(&mut self, speaker: Color) -> GameResult {
        let client = self.clients.get_mut(speaker);
        let words = client.process.last_words();
        client.give_up();
        lost(speaker, Reason::Crash, format!("{} {words}", self.name(speaker)))
    }

    fn flooded(&mut self, speaker: Color) -> GameResult {
        self.clients.get_mut(speaker).give_up();
        let detail = format!("{} floods its output", self.name(speaker));
        lost(speaker, Reason::Flood, detail)
    }

    /// Stops the clock, checks the move, and makes it.
    fn make(&mut self, mover: Color, answer: Answer) -> ControlFlow<GameResult> {
        let Answer { text, thought, spent } = answer;
        let name = self.name(mover);
        let clock = self.clocks.get_mut(mover);
        let left = clock.left();
        if clock.spend(spent).is_err() {
            let detail = format!(
                "{name} moved {} after {:.3} s and had {:.3} s",
                quote(&text),
                spent.as_secs_f64(),
                left.unwrap_or_default().as_secs_f64()
            );
            return Break(lost(mover, Reason::TimeForfeit, detail));
        }
        let clock = clock.reading();
        self.clocks.get_mut(!mover).opponent_spent(spent);
        let mv = match self.referee.read_move(&text) {
            Ok(mv) => mv,
            Err(fault) => {
                let detail =
                    format!("{name} moved {}, which {fault} in {}", quote(&text), self.referee.fen());
                return Break(lost(mover, Reason::IllegalMove, detail));
            }
        };
        let number = self.referee.move_number();
        let variation = thinking::variation(&std::mem::take(&mut self.variation), &self.referee);
        self.referee.play(mv);
        let score = thought.map(|thought| thought.score.0);
        self.adjudicator.moved(mover, number, score);
        *self.offers.get_mut(!mover) = false;
        let uci = self.referee.moves().last().map_or(text, |played| played.uci.clone());
        if let Some(inspector) = self.inspectors.get_mut(mover) {
            inspector.moved(&uci);
        }
        self.moves.push(MoveRecord {
            // A line that begins otherwise is about another position, or was given up.
            variation: (variation.first() == Some(&uci)).then(|| variation.join(" ")),
            uci,
            time: u64::try_from(spent.as_millis()).unwrap_or(u64::MAX),
            clock,
            score,
            depth: thought.and_then(|thought| thought.depth),
            nodes: thought.and_then(|thought| thought.nodes),
        });
        Continue(())
    }
}

/// What the engine on move answered, when its turn was over.
#[derive(Debug)]
struct Answer {
    text: String,
    thought: Option<Thought>,
    spent: Duration,
}

/// The rule by which a player may claim a draw, in words.
fn rule(reason: Reason) -> &'static str {
    match reason {
        Reason::FiftyMoves => "fifty moves without a capture or a pawn's move",
        _ => "the same position for the third time",
    }
}

/// `loser` loses.
pub(super) fn lost(loser: Color, reason: Reason, detail: String) -> GameResult {
    GameResult { verdict: Verdict::win_of(!loser), reason, detail }
}

/// The user wants to stop.
pub(super) fn interrupted() -> GameResult {
    let detail = "the game was broken off".to_owned();
    GameResult { verdict: Verdict::Unfinished, reason: Reason::Interrupted, detail }
}

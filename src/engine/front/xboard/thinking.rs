//! The engine's own searches: for a move, on the opponent's time, in analysis, for a hint; and the
//! pongs behind them.

use std::time::Duration;

use chess::ChessMove;

use super::{Activity, Board, Mode, Ponder, XboardFront};
use crate::engine::Running;
use crate::rules::position::Outcome;
use crate::rules::position::moves::coordinate;
use crate::rules::protocol::xboard::Reply;
use crate::search::time_control::Budget;
use crate::search::{Clock, Limits, SearchReport};

/// Enough for a sensible move within a few hundredths of a second: hints, and guesses to ponder on.
const NODES_FOR_A_GUESS: u64 = 20_000;

impl XboardFront {
    /// `go`: play the colour on move.
    pub(super) fn go(&mut self) {
        self.apply_turn();
        let side = self.engine.game.side_to_move();
        let thinks = matches!(self.activity, Activity::Due { .. } | Activity::Move { .. });
        if thinks && self.mode == Mode::Play(side) {
            return;
        }
        self.cancel();
        self.overrule_draw(true);
        self.mode = Mode::Play(side);
        self.engine_side = side;
        self.clocks.apply_told(side, self.engine.move_overhead());
        self.think();
    }

    /// Handles `playother`: the engine plays the colour not on move.
    pub(super) fn play_other(&mut self) {
        self.apply_turn();
        self.cancel();
        let opponent = self.engine.game.side_to_move();
        self.mode = Mode::Play(!opponent);
        self.engine_side = !opponent;
        self.clocks
            .apply_told(!opponent, self.engine.move_overhead());
        self.clocks.start(opponent);
        self.has_begun();
        self.start_background();
    }

    /// `?`
    pub(super) fn move_now(&mut self) {
        match &mut self.activity {
            Activity::Move { .. } => self.engine.stop(),
            Activity::Due { at_once, .. } => *at_once = true,
            _ => {}
        }
    }

    pub(super) fn hard(&mut self) {
        self.ponder = match self.engine.game.moves() {
            [] => Ponder::NotYet,
            _ => Ponder::On,
        };
        if matches!(self.activity, Activity::Idle) {
            self.start_background();
        }
    }

    pub(super) fn easy(&mut self) {
        self.ponder = Ponder::Off;
        if matches!(self.activity, Activity::Guess | Activity::Ponder { .. }) {
            self.cancel();
        }
    }

    /// Plays the opponent's legal move `mv`, and searches for an answer.
    pub(super) fn reply_to(&mut self, mv: ChessMove) {
        let report = match std::mem::replace(&mut self.activity, Activity::Idle) {
            // While a pong is owed the tables are not in order yet: nothing was pondered that would
            // be lost.
            Activity::Ponder { expected, report } if expected == mv && self.pings.is_empty() => {
                report
            }
            _ => {
                self.cancel();
                self.put_move(mv);
                return self.think();
            }
        };
        // A ponder hit: what was found so far is kept.
        self.put_move(mv);
        if self.game_is_over() {
            self.clocks.stop();
            return self.cancel();
        }
        self.clocks.start(self.engine_side);
        if let Some(book_move) = self.engine.book_move() {
            self.cancel();
            return self.play_from_book(book_move);
        }
        if let Some(report) = report {
            self.move_found(&report, Duration::ZERO);
        } else if let Some(running) = self.engine.running() {
            running.clock.ponder_hit(self.budget());
            let pondered = running.clock.elapsed(running.clock.nodes());
            self.activity = Activity::Move { pondered };
        } else {
            self.think();
        }
    }

    fn budget(&self) -> Budget {
        self.clocks
            .budget(self.engine_side, self.engine.move_overhead())
    }

    /// Begins the engine's turn. Front ends ignore a move while they wait for a pong, so the pongs
    /// come first; see [`XboardFront::answer_pings`]. The clock runs meanwhile, like the front
    /// end's.
    fn think(&mut self) {
        self.clocks.start(self.engine_side);
        if self.pings.is_empty() {
            return self.think_now();
        }
        self.engine.wake();
        self.activity = Activity::Due {
            pongs: self.pings.len(),
            at_once: false,
        };
    }

    pub(super) fn ping(&mut self, token: i64) {
        // Options too are to be in force when the pong comes.
        if matches!(self.activity, Activity::Idle) {
            self.engine.prepare();
        }
        self.pings.push_back(token);
    }

    /// Answers pings once everything before the ping is done: an own move is out, the search thread
    /// has put the tables in order. Pondering and analysis go on. A move that had to wait for its
    /// turn is searched afterwards.
    pub(super) fn answer_pings(&mut self) {
        if matches!(self.activity, Activity::Move { .. } | Activity::Hint) || self.engine.is_busy()
        {
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

    /// Starts the search for a move on the engine's turn, with no pong owed.
    fn think_now(&mut self) {
        self.activity = Activity::Idle;
        if matches!(self.board, Board::Illegal) || self.game_is_over() {
            return self.clocks.stop();
        }
        if let Some(mv) = self.engine.book_move()
            && !self.excluded.contains(&mv)
        {
            return self.play_from_book(mv);
        }
        let position = self.engine.position().clone();
        let mut limits = Limits {
            depth: self.depth_limit,
            excluded: self.excluded.clone(),
            ..Limits::default()
        };
        if limits.root_moves(&position).is_empty() {
            // The front end excluded every move. A move that it excluded is better than a loss on
            // time.
            limits.excluded.clear();
        }
        let clock = Clock::start(self.clocks.source(), Some(self.budget()));
        self.engine.play(position, limits, clock);
        self.activity = Activity::Move {
            pondered: Duration::ZERO,
        };
    }

    fn play_from_book(&mut self, mv: ChessMove) {
        self.remark(&self.book_text().join(", "));
        self.make_own_move(mv, None, Duration::ZERO);
    }

    /// Handles the end of the running search.
    pub(super) fn finished(&mut self, search: &Running, report: Box<SearchReport>) {
        match std::mem::replace(&mut self.activity, Activity::Idle) {
            Activity::Move { pondered } => {
                let spent = search.clock.elapsed(report.nodes).saturating_sub(pondered);
                self.move_found(&report, spent);
            }
            Activity::Ponder { expected, .. } => {
                self.activity = Activity::Ponder {
                    expected,
                    report: Some(report),
                };
            }
            Activity::Guess => {
                if let Some(mv) = report.best_move() {
                    self.ponder_on(mv);
                }
            }
            Activity::Hint => {
                if let Some(mv) = report.best_move().filter(|&mv| search.root.is_legal(mv)) {
                    self.say(Reply::Hint(coordinate(mv)));
                }
                self.start_background();
            }
            Activity::Analysis { .. } => {
                self.expected = report.best_move();
                self.activity = Activity::Analysis {
                    end: Some(Box::new(self.status(search, &report))),
                };
            }
            Activity::Idle | Activity::Due { .. } => {}
        }
    }

    fn move_found(&mut self, report: &SearchReport, spent: Duration) {
        let position = self.engine.position();
        let found = report.best_move().filter(|&mv| position.is_legal(mv));
        let Some(mv) = found.or_else(|| position.legal_moves().first().copied()) else {
            log::error!("a search was started without a legal move");
            return;
        };
        if found.is_none() {
            log::error!("the search gave no legal move in {}", position.to_fen());
        }
        let options = &self.engine.settings().engine;
        if report.depth > 0 {
            self.own_scores
                .record(self.engine_side, report.score, report.bound, options);
        }
        if self.own_scores.resigns(self.engine_side, options) {
            self.clocks.stop();
            return self.say(Reply::Resign);
        }
        let expected = found.and(report.variation.get(1).copied());
        self.make_own_move(mv, expected, spent);
    }

    fn make_own_move(&mut self, mv: ChessMove, expected: Option<ChessMove>, spent: Duration) {
        let mut after = self.engine.position().clone();
        if let Err(error) = after.play(mv) {
            return log::error!("{error}");
        }
        let outcome = after.outcome().filter(|_| self.may_claim(&after));
        // "offer draw" before the move accepts an offer, and claims a draw that the move completes.
        let accepted = self.accept_draw_if_good();
        let options = &self.engine.settings().engine;
        let offers = match outcome {
            Some(outcome) => matches!(outcome, Outcome::Repetition | Outcome::FiftyMoves),
            None => self.own_scores.offers_draw(self.engine_side, options),
        };
        if offers && !accepted {
            self.say(Reply::OfferDraw);
        }
        self.say(Reply::Move(coordinate(mv)));
        if let Some(notice) = self.engine.retain(mv) {
            self.say(Reply::TellUser(notice));
        }
        self.clocks.moved(self.engine_side, spent);
        self.put_move(mv);
        self.draw_offered = false;
        self.activity = Activity::Idle;
        self.has_begun();
        self.expected = expected.filter(|&reply| self.engine.position().is_legal(reply));
        self.clocks.start(!self.engine_side);
        match outcome {
            Some(outcome) => self.claim(outcome),
            None => self.start_background(),
        }
    }

    /// Starts the engine's background work on the opponent's turn: analysis, or pondering.
    pub(super) fn start_background(&mut self) {
        match self.mode {
            Mode::Force => {}
            Mode::Analyze => self.analyze(),
            Mode::Play(_) => {
                let playable = matches!(self.board, Board::Playable) && self.turn.is_none();
                if self.waits_for_the_opponent() && playable && self.ponder == Ponder::On {
                    self.start_pondering();
                }
            }
        }
    }

    fn analyze(&mut self) {
        self.apply_turn();
        self.cancel();
        let position = self.engine.position().clone();
        let limits = Limits {
            excluded: self.excluded.clone(),
            infinite: true,
            lines: self.engine.lines(),
            ..Limits::default()
        };
        if matches!(self.board, Board::Playable) && !limits.root_moves(&position).is_empty() {
            self.engine.search(position, limits, Clock::unlimited());
            self.activity = Activity::Analysis { end: None };
        }
    }

    fn start_pondering(&mut self) {
        if self.engine.position().outcome().is_some() {
            return;
        }
        match self.expected.or_else(|| self.engine.book_move()) {
            Some(mv) => self.ponder_on(mv),
            None => self.guess(Activity::Guess),
        }
    }

    /// Starts a short search of the position on the board.
    fn guess(&mut self, activity: Activity) {
        let position = self.engine.position().clone();
        self.engine.search(
            position,
            Limits::of_nodes(NODES_FOR_A_GUESS),
            Clock::unlimited(),
        );
        self.activity = activity;
    }

    fn ponder_on(&mut self, expected: ChessMove) {
        let mut position = self.engine.position().clone();
        if position.play(expected).is_err() || position.outcome().is_some() {
            return;
        }
        self.expected = Some(expected);
        if self.hinted.replace(expected) != Some(expected) {
            self.say(Reply::Hint(coordinate(expected)));
        }
        let limits = Limits {
            depth: self.depth_limit,
            ..Limits::default()
        };
        self.engine
            .play(position, limits, Clock::start(self.clocks.source(), None));
        self.activity = Activity::Ponder {
            expected,
            report: None,
        };
    }

    /// Handles `hint`: the engine's move, or its expected move of the opponent.
    pub(super) fn hint(&mut self) {
        self.apply_turn();
        let known = match &self.activity {
            Activity::Due { .. } | Activity::Move { .. } | Activity::Hint => return,
            Activity::Ponder { expected, .. } => Some(*expected),
            Activity::Analysis { end: Some(_) } => self.expected,
            Activity::Analysis { end: None } => self.engine.running().and_then(Running::best),
            Activity::Idle | Activity::Guess => self.expected.or_else(|| self.engine.book_move()),
        };
        if let Some(mv) = known {
            return self.say(Reply::Hint(coordinate(mv)));
        }
        let nothing_to_hint =
            matches!(self.board, Board::Illegal) || self.engine.position().legal_moves().is_empty();
        if !nothing_to_hint && !matches!(self.activity, Activity::Analysis { .. }) {
            self.guess(Activity::Hint);
        }
    }
}

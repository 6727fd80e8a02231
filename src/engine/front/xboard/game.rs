//! The game on the board: moves, moves taken back, positions set up; and its end: claims, which
//! must be true, and draw offers.

use std::time::Duration;

use chess::ChessMove;

use super::{Activity, ClaimState, Judge, Mode, XboardFront};
use crate::engine::Game;
use crate::rules::position::{FenError, MoveError, Outcome, Position};
use crate::rules::protocol::xboard::Reply;

const NOT_NOW: &str = "command not legal now";

impl XboardFront {
    /// Plays a move of the opponent, or in force mode and analysis a move of either side.
    pub(super) fn opponent_move(&mut self, text: &str, line: &str) {
        if self.illegal_position {
            return self.illegal("illegal position", text);
        }
        let mv = match self.engine.position().parse_move(text) {
            Ok(mv) => mv,
            Err(MoveError::Ambiguous(_)) => return self.illegal("ambiguous move", text),
            Err(_) => return self.illegal("", text),
        };
        let mover = self.engine.game.side_to_move();
        if matches!(self.activity, Activity::Due { .. } | Activity::Move { .. }) {
            // It is legal, but for the colour that the engine is thinking for.
            return self.error(NOT_NOW, line);
        }
        self.overrule_draw(false);
        match self.mode {
            Mode::Play(side) if side != mover => {
                self.clocks.moved(mover, Duration::ZERO);
                self.clocks.settle(side, self.engine.move_overhead());
                self.reply_to(mv);
            }
            _ => {
                self.cancel();
                self.clocks.moved(mover, Duration::ZERO);
                self.put_move(mv);
                self.start_background();
            }
        }
    }

    /// Plays a move on the board. The caller has checked its legality.
    pub(super) fn put_move(&mut self, mv: ChessMove) {
        // An offer comes before or after the move that it belongs to, and stands until the answer.
        let draw_offered = self.draw_offered;
        let draws = self.draws;
        if let Err(error) = self.engine.game.play(mv) {
            log::error!("{error}");
        }
        self.new_position();
        self.draw_offered = draw_offered;
        self.draws = draws;
        self.allow_new_claims();
    }

    fn illegal(&mut self, reason: &str, text: &str) {
        self.say(Reply::IllegalMove {
            reason: reason.to_owned(),
            text: text.to_owned(),
        });
    }

    /// `undo` and `remove`. All or nothing.
    pub(super) fn take_back(&mut self, half_moves: usize, line: &str) {
        if self.illegal_position || self.engine.game.moves().len() < half_moves {
            return self.error(NOT_NOW, line);
        }
        self.cancel();
        for _ in 0..half_moves {
            self.engine.game.undo();
            let mover = self.engine.game.side_to_move();
            self.clocks.taken_back(mover);
        }
        self.judge = Judge::default();
        self.new_position();
        if self.waits_for_the_opponent() {
            self.clocks.start(self.engine.game.side_to_move());
        }
        self.start_background();
    }

    /// Puts a playable position on the board. "I suggest that you send the response tellusererror
    /// Illegal position, and then respond to any attempted move with Illegal move."
    pub(super) fn put_position(&mut self, position: Result<Position, FenError>) {
        self.cancel();
        match position {
            Ok(position) => {
                self.engine.game = Game::new(position);
                // What was thought of the old position says nothing about this one.
                self.judge = Judge::default();
                self.new_position();
                self.restart_analysis();
            }
            Err(why) => {
                self.new_position();
                self.illegal_position = true;
                self.say(Reply::TellUserError("Illegal position".to_owned()));
                self.comment(why.to_string());
            }
        }
    }

    /// Claims the outcome of the position on the board. `true` if there is one and it may be
    /// claimed: then the result stands, and no move follows.
    pub(super) fn game_is_over(&mut self) -> bool {
        let position = self.engine.position();
        match position.outcome().filter(|_| self.may_claim(position)) {
            Some(outcome) => self.claim(outcome),
            None => return false,
        }
        true
    }

    /// Returns true if the engine may claim the outcome of `position`: the end of the game always,
    /// a draw with moves to play unless the front end went on after such a draw.
    pub(super) fn may_claim(&self, position: &Position) -> bool {
        self.draws != ClaimState::Overruled || position.legal_moves().is_empty()
    }

    /// Notes that the front end goes on with the game despite a claim: the opponent moves, or the
    /// engine `is_told_to_move`. Moves that are only played over do not limit later claims.
    pub(super) fn overrule_draw(&mut self, is_told_to_move: bool) {
        let is_drawn = || self.engine.position().outcome().is_some();
        if self.draws == ClaimState::Claimed || is_told_to_move && is_drawn() {
            self.draws = ClaimState::Overruled;
        }
    }

    /// Allows new claims after a capture or a pawn move: no earlier draw can come back.
    fn allow_new_claims(&mut self) {
        let position = self.engine.position();
        if position.halfmove_clock() == 0 && position.outcome().is_none() {
            self.draws = ClaimState::ToClaim;
        }
    }

    /// Reports the end of the game by rule to the front end.
    pub(super) fn claim(&mut self, outcome: Outcome) {
        self.draws = ClaimState::Claimed;
        self.say(Reply::Result {
            result: outcome.result().to_owned(),
            comment: outcome.reason().to_owned(),
        });
    }

    /// `draw`: the opponent offers a draw. While the engine thinks the answer comes with its move;
    /// declining is silence.
    pub(super) fn consider_draw(&mut self) {
        self.draw_offered = true;
        if self.waits_for_the_opponent() && !matches!(self.activity, Activity::Move { .. }) {
            self.accept_draw_if_good();
        }
    }

    /// Accepts a standing offer. "Do not use the 1/2-1/2 command for that", and do not assume that
    /// the game is over.
    pub(super) fn accept_draw_if_good(&mut self) -> bool {
        let accepted = self.draw_offered
            && self
                .judge
                .accepts_draw(self.engine_side, &self.engine.settings().engine);
        if accepted {
            self.draw_offered = false;
            self.say(Reply::OfferDraw);
        }
        accepted
    }
}

/// Returns true if a player has to claim this draw: such a draw does not end the game on its own.
pub(super) fn needs_claim(outcome: Outcome) -> bool {
    matches!(outcome, Outcome::Repetition | Outcome::FiftyMoves)
}

//! The end of a game: claims, which must be true, and draw offers.

use super::{Activity, Draws, Mode, XboardFront};
use crate::position::{Outcome, Position};
use crate::protocol::xboard::Reply;

impl XboardFront {
    /// Claims the outcome of the position on the board. `true` if there is one and it may be claimed: then
    /// the result stands, and no move follows.
    pub(super) fn game_is_over(&mut self) -> bool {
        let position = self.engine.position();
        match position.outcome().filter(|_| self.may_claim(position)) {
            Some(outcome) => self.claim(outcome),
            None => return false,
        }
        true
    }

    /// Whether the engine may claim the outcome of `position`: the end of the game always, a draw with moves
    /// to play unless the front end went on with a game that was one.
    pub(super) fn may_claim(&self, position: &Position) -> bool {
        self.draws != Draws::Overruled || position.legal_moves().is_empty()
    }

    /// The front end goes on with the game, whatever was claimed: the opponent moves, or the engine
    /// `is_told_to_move`. Moves that are only played over say nothing about what this engine may claim later.
    pub(super) fn overrule_draw(&mut self, is_told_to_move: bool) {
        let is_drawn = || self.engine.position().outcome().is_some();
        if self.draws == Draws::Claimed || is_told_to_move && is_drawn() {
            self.draws = Draws::Overruled;
        }
    }

    /// After a capture or a pawn move nothing that was a draw can come back.
    pub(super) fn allow_new_claims(&mut self) {
        let position = self.engine.position();
        if position.halfmove_clock() == 0 && position.outcome().is_none() {
            self.draws = Draws::ToClaim;
        }
    }

    /// Tells the front end that the game is over by rule.
    pub(super) fn claim(&mut self, outcome: Outcome) {
        self.draws = Draws::Claimed;
        self.say(Reply::Result { result: outcome.result().to_owned(), comment: outcome.reason().to_owned() });
    }

    /// `draw`: the opponent offers a draw. While the engine thinks the answer comes with its move; declining
    /// is silence.
    pub(super) fn consider_draw(&mut self) {
        self.draw_offered = true;
        let waiting = match self.mode {
            Mode::Play(side) => self.engine.game.side_to_move() != side,
            _ => false,
        };
        if waiting && !matches!(self.activity, Activity::Move { .. }) {
            self.accept_draw_if_good();
        }
    }

    /// Accepts an offer that stands. "Do not use the 1/2-1/2 command for that", and do not assume that the
    /// game is over.
    pub(super) fn accept_draw_if_good(&mut self) -> bool {
        let accepted =
            self.draw_offered && self.judge.accepts_draw(self.engine_side, &self.engine.settings().engine);
        if accepted {
            self.draw_offered = false;
            self.say(Reply::OfferDraw);
        }
        accepted
    }
}

/// Whether a player has to claim this draw: unlike the others it does not end the game on its own.
pub(super) fn needs_claim(outcome: Outcome) -> bool {
    matches!(outcome, Outcome::Repetition | Outcome::FiftyMoves)
}

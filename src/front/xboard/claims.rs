//! The end of a game: claims, which must be true, and draw offers.

use std::io::Write;

use super::{Activity, Mode, XboardFront};
use crate::position::Outcome;
use crate::protocol::xboard::Reply;

impl<W: Write> XboardFront<W> {
    /// Tells the front end that the game is over by rule.
    pub(super) fn claim(&mut self, outcome: Outcome) {
        self.say(Reply::Result {
            result: outcome.result().to_owned(),
            comment: outcome.reason().to_owned(),
        });
    }

    /// `draw`: the opponent offers a draw. While the engine thinks the answer comes with its move; declining is silence.
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

    /// Accepts an offer that stands. "Do not use the 1/2-1/2 command for that", and do not assume that the game is over.
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

/// Whether a player has to claim this draw: unlike the others it does not end the game on its own.
pub(super) fn needs_claim(outcome: Outcome) -> bool {
    matches!(outcome, Outcome::Repetition | Outcome::FiftyMoves)
}

//! The user's wish to stop.

use crate::arena::StopSignal;

/// A wish to stop: said once, the running games are finished first; said twice, they are broken off. Copies are the same wish.
#[derive(Clone, Debug, Default)]
pub struct StopRequest {
    after_running_games: StopSignal,
    now: StopSignal,
}

impl StopRequest {
    /// Says it (once more).
    pub fn say(&self) {
        match self.after_running_games.is_stopped() {
            false => self.after_running_games.stop(),
            true => self.now.stop(),
        }
    }

    /// No more games, and the running ones end at once, undecided.
    pub fn now(&self) {
        self.after_running_games.stop();
        self.now.stop();
    }

    /// Whether no more games are to begin.
    pub fn is_said(&self) -> bool {
        self.after_running_games.is_stopped()
    }

    /// What players have to listen to: it is given when the running games are to be broken off.
    pub fn signal(&self) -> &StopSignal {
        &self.now
    }
}

//! Time controls, a player's clock, and how much of it one move may cost.

use std::time::Duration;

/// How time is given for a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeControl {
    /// `base` for every session of `moves` moves, for ever (`level 40 5 0`). An increment is added after each own move.
    Conventional {
        moves: u32,
        base: Duration,
        increment: Duration,
    },
    /// `base` for the whole game and `increment` after each own move (`level 0 2 12`).
    Incremental { base: Duration, increment: Duration },
    /// At most this long for each move; nothing is carried over (`st 5`).
    Fixed { per_move: Duration },
}

/// How long one search may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// After this no new iteration or generation begins.
    pub soft: Duration,
    /// This is never passed.
    pub hard: Duration,
}

/// The clock of one player: kept by the engine itself, and set right whenever the front end says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameClock {
    control: TimeControl,
    /// Zero when the flag has fallen.
    remaining: Duration,
    /// Moves left in this session; only conventional controls have sessions.
    moves_left: u32,
}

/// What a chess server gives where neither base nor increment is: ten seconds.
const ZERO_BASE: Duration = Duration::from_secs(10);
/// Moves the rest of a game without sessions is planned for.
const MOVES_EXPECTED: u32 = 28;
/// A hard deadline is at most this many times the soft one...
const HARD_OVER_SOFT: u32 = 4;
/// ... and at most this part of what is left, in percent, unless the move is the last of its session.
const HARD_PERCENT: u32 = 60;

impl GameClock {
    /// A full clock at the start of a game or session. An increment comes after each move, so the first move has the
    /// base alone; a base of zero still gives something to move with, as chess servers do.
    pub fn new(control: TimeControl) -> Self {
        let (remaining, moves_left) = match control {
            TimeControl::Conventional { moves, base, .. } => (base, moves.max(1)),
            TimeControl::Incremental { base, increment } if base.is_zero() => {
                (if increment.is_zero() { ZERO_BASE } else { increment }, 0)
            }
            TimeControl::Incremental { base, .. } => (base, 0),
            TimeControl::Fixed { per_move } => (per_move, 0),
        };
        GameClock {
            control,
            remaining,
            moves_left,
        }
    }

    pub fn control(&self) -> TimeControl {
        self.control
    }

    pub fn remaining(&self) -> Duration {
        self.remaining
    }

    /// The front end's word on how much is left (`time`, `otim`).
    pub fn set_remaining(&mut self, remaining: Duration) {
        self.remaining = remaining;
    }

    /// The player made a move that took `spent`.
    pub fn moved(&mut self, spent: Duration) {
        self.remaining = self.remaining.saturating_sub(spent);
        match self.control {
            TimeControl::Conventional {
                moves,
                base,
                increment,
            } => {
                self.remaining += increment;
                self.moves_left -= 1;
                if self.moves_left == 0 {
                    self.moves_left = moves.max(1);
                    self.remaining += base;
                }
            }
            TimeControl::Incremental { increment, .. } => self.remaining += increment,
            TimeControl::Fixed { per_move } => self.remaining = per_move,
        }
    }

    /// The player's last move was taken back: one more to do in this session. What is left on the clock stays as it is until
    /// the front end says otherwise.
    pub fn taken_back(&mut self) {
        if let TimeControl::Conventional { moves, .. } = self.control {
            self.moves_left = self.moves_left % moves.max(1) + 1;
        }
    }

    /// What the coming move may cost. `overhead` is time lost between the engine and the referee's clock, each move.
    pub fn budget(&self, overhead: Duration) -> Budget {
        // With less on the clock than the overhead there is no right answer; half of what is left is a quick one.
        let usable = self.remaining.saturating_sub(overhead).max(self.remaining / 2);
        let (moves, increment) = match self.control {
            TimeControl::Fixed { .. } => {
                return Budget {
                    soft: usable,
                    hard: usable,
                };
            }
            TimeControl::Conventional { increment, .. } => {
                (self.moves_left.min(MOVES_EXPECTED + 12), increment)
            }
            TimeControl::Incremental { increment, .. } => (MOVES_EXPECTED, increment),
        };
        let most = if moves == 1 {
            usable
        } else {
            usable * HARD_PERCENT / 100
        };
        // The increment of this move arrives only after it: it may be planned with, but not beyond what is left.
        let share = (usable + increment * (moves - 1)) / moves;
        let soft = share.saturating_sub(overhead).max(share / 2).min(most);
        Budget {
            soft,
            hard: (soft * HARD_OVER_SOFT).min(most),
        }
    }
}

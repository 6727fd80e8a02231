//! The arena's clock: the truth about what a side has left.

use std::time::Duration;

use super::{Limits, Time};

/// The flag has fallen, the margin included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlagFallen;

/// The clock of one side. It may run below zero by the margin, once: what it is below zero it stays.
#[derive(Clone, Debug)]
pub struct Clock {
    limits: Limits,
    margin: Duration,
    /// Until the flag falls, so with what is left of the margin. Without meaning where `limits` have no
    /// clock.
    left: Duration,
    /// Own moves in the current session.
    moves: u32,
    /// What the opponent's last move took; nothing before that.
    matched: Duration,
}

impl Clock {
    /// A clock at the start of a game. The `opening` moves of its side took no time, but count for the
    /// session: an engine counts moves, and does not ask who chose them.
    pub fn new(limits: Limits, margin: Duration, opening: u32) -> Clock {
        let (left, moves) = match limits.time {
            Some(Time::Clock { base, increment, moves }) => {
                // With nothing on the clock the first move would be lost already: as on real clocks, the
                // increment is there from the start.
                let start = if base.is_zero() { increment } else { base };
                (start + margin, moves.map_or(0, |session| opening % session))
            }
            _ => (Duration::ZERO, 0),
        };
        Clock { limits, margin, left, moves, matched: Duration::ZERO }
    }

    /// What this side may spend.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// What the coming move may take at most, the margin not included; `None` if no clock decides.
    pub fn left(&self) -> Option<Duration> {
        match self.limits.time? {
            Time::PerMove(time) => Some(time),
            Time::Matched(minimum) => Some(self.matched.max(minimum)),
            Time::Clock { .. } => Some(self.left.saturating_sub(self.margin)),
        }
    }

    /// Moves to the next session, this one included.
    pub fn moves_to_go(&self) -> Option<u32> {
        match self.limits.time? {
            Time::Clock { moves: Some(session), .. } => Some(session - self.moves),
            _ => None,
        }
    }

    /// What comes back after each move.
    pub fn increment(&self) -> Duration {
        match self.limits.time {
            Some(Time::Clock { increment, .. }) => increment,
            _ => Duration::ZERO,
        }
    }

    /// When the flag falls, counted from the start of the move, the margin included.
    pub fn deadline(&self) -> Option<Duration> {
        match self.limits.time? {
            Time::Clock { .. } => Some(self.left),
            _ => self.left().map(|left| left + self.margin),
        }
    }

    /// A move was made after `spent`: the clock is stopped, and set for the next one.
    pub fn spend(&mut self, spent: Duration) -> Result<(), FlagFallen> {
        if self.deadline().is_some_and(|deadline| spent > deadline) {
            return Err(FlagFallen);
        }
        if let Some(Time::Clock { moves, base, increment }) = self.limits.time {
            self.left = self.left - spent + increment;
            self.moves += 1;
            if moves == Some(self.moves) {
                self.moves = 0;
                self.left += base;
            }
        }
        Ok(())
    }

    /// The opponent made a move that took so long.
    pub fn opponent_spent(&mut self, spent: Duration) {
        self.matched = spent;
    }

    /// What a record says: milliseconds on the clock, none where nothing is carried over from move to move.
    pub fn reading(&self) -> Option<u64> {
        let clock = self.left().filter(|_| matches!(self.limits.time, Some(Time::Clock { .. })))?;
        u64::try_from(clock.as_millis()).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARGIN: Duration = Duration::from_millis(50);

    fn clock(limits: &str, opening: u32) -> Clock {
        Clock::new(limits.parse().expect("limits"), MARGIN, opening)
    }

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn increments_come_after_the_move_and_what_is_lost_stays_lost() {
        let mut clock = clock("1+0.1", 0);
        assert_eq!((clock.spend(ms(900)), clock.left()), (Ok(()), Some(ms(200))));
        // Into the margin: 30 ms below zero, then 70 left of the increment.
        assert_eq!(clock.spend(ms(230)), Ok(()));
        assert_eq!((clock.left(), clock.deadline()), (Some(ms(70)), Some(ms(70) + MARGIN)));
        assert_eq!((clock.spend(ms(121)), clock.reading()), (Err(FlagFallen), Some(70)));
    }

    #[test]
    fn the_margin_is_there_once_not_at_every_move() {
        let mut clock = clock("1", 0);
        assert_eq!(clock.spend(ms(1030)), Ok(()));
        assert_eq!((clock.left(), clock.deadline()), (Some(Duration::ZERO), Some(ms(20))));
        assert_eq!(clock.spend(ms(21)), Err(FlagFallen));
    }

    #[test]
    fn sessions_count_the_opening_and_add_the_base() {
        let mut clock = clock("3/1", 2);
        assert_eq!(clock.moves_to_go(), Some(1));
        assert_eq!(clock.spend(ms(400)), Ok(()));
        assert_eq!((clock.left(), clock.moves_to_go()), (Some(ms(1600)), Some(3)));
        assert_eq!(self::clock("3/1", 7).moves_to_go(), Some(2));
        assert_eq!(self::clock("60+0.6", 7).moves_to_go(), None);
    }

    #[test]
    fn a_fixed_time_is_the_same_for_every_move() {
        let mut clock = clock("0.3/move", 0);
        for _ in 0..3 {
            assert_eq!(clock.spend(ms(310)), Ok(()));
            assert_eq!((clock.left(), clock.reading()), (Some(ms(300)), None));
        }
        assert_eq!(clock.spend(ms(351)), Err(FlagFallen));
    }

    #[test]
    fn a_matched_time_is_the_opponents_but_not_less_than_agreed() {
        let mut clock = clock("matched/0.02", 3);
        assert_eq!((clock.left(), clock.reading()), (Some(ms(20)), None));
        assert_eq!(clock.spend(ms(70)), Ok(()));
        clock.opponent_spent(ms(400));
        assert_eq!((clock.left(), clock.deadline()), (Some(ms(400)), Some(ms(400) + MARGIN)));
        assert_eq!(clock.spend(ms(10)), Ok(()));
        clock.opponent_spent(ms(3));
        assert_eq!((clock.left(), clock.moves_to_go()), (Some(ms(20)), None));
        assert_eq!(clock.spend(ms(71)), Err(FlagFallen));
        let mut other = self::clock("0.3/move", 0);
        other.opponent_spent(ms(400));
        assert_eq!(other.left(), Some(ms(300)));
    }

    #[test]
    fn nothing_falls_without_a_clock_and_nothing_starts_at_zero() {
        let mut clock = clock("depth=3", 0);
        assert_eq!((clock.left(), clock.deadline(), clock.reading()), (None, None, None));
        assert_eq!(clock.spend(Duration::from_secs(100_000)), Ok(()));
        assert_eq!(self::clock("0+0.1", 0).left(), Some(ms(100)));
    }
}

//! The clocks of both players. A clock belongs to a colour, with any player. The engine keeps the
//! clocks itself; a front end may correct them, but need not.

use std::time::{Duration, Instant};

use chess::Color;

use super::reserve::Reserve;
use crate::search::clock::TimeSource;
use crate::search::time_control::{Budget, GameClock, Losses, TimeControl};

/// xboard's own default: 40 moves in 5 minutes.
const USUAL: TimeControl = TimeControl::Conventional {
    moves: 40,
    base: Duration::from_secs(300),
    increment: Duration::ZERO,
};

/// The clocks of a game.
#[derive(Debug)]
pub struct Clocks {
    control: TimeControl,
    /// White's, Black's.
    clocks: [GameClock; 2],
    source: TimeSource,
    /// The colour whose clock runs, and the time of the clock's start.
    running: Option<(Color, Instant)>,
    paused: Option<Instant>,
    reserve: Reserve,
    /// The largest expected loss of a move when the front end last named a time.
    overhead: Duration,
    /// The front end named the time of this colour for its coming or running move.
    named: Option<Color>,
    /// The last `time`, until the engine's colour is known.
    told_own: Option<Duration>,
    /// The last `otim`, likewise.
    told_opponent: Option<Duration>,
}

impl Default for Clocks {
    fn default() -> Self {
        Clocks::new(USUAL)
    }
}

impl Clocks {
    /// Full clocks, stopped, measured by the wall clock.
    pub fn new(control: TimeControl) -> Clocks {
        Clocks {
            control,
            clocks: [GameClock::new(control); 2],
            source: TimeSource::Wall,
            running: None,
            paused: None,
            reserve: Reserve::default(),
            overhead: Duration::ZERO,
            named: None,
            told_own: None,
            told_opponent: None,
        }
    }

    /// Resets the clocks. The time control and the knowledge of the machine stay.
    pub fn new_game(&mut self) {
        self.reserve.new_game();
        let reserve = self.reserve.clone();
        *self = Clocks {
            reserve,
            overhead: self.overhead,
            ..Clocks::new(self.control)
        };
    }

    /// Sets both clocks anew, for `level` and `st`. In the middle of a game the numbers are the
    /// rest of the time.
    pub fn set_control(&mut self, control: TimeControl) {
        self.control = control;
        self.clocks = [GameClock::new(control); 2];
    }

    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// Sets the measure of time from the next search on.
    pub fn set_source(&mut self, source: TimeSource) {
        self.source = source;
    }

    pub fn source(&self) -> TimeSource {
        self.source.clone()
    }

    fn is_wall(&self) -> bool {
        matches!(self.source, TimeSource::Wall)
    }

    /// Takes `time N`, in centiseconds, for the colour of the engine when the game goes on: see
    /// [`Clocks::apply_told`].
    pub fn tell_own(&mut self, centiseconds: i64) {
        self.told_own = Some(milliseconds(centiseconds.saturating_mul(10)));
    }

    /// `otim N` in centiseconds.
    pub fn tell_opponent(&mut self, centiseconds: i64) {
        self.told_opponent = Some(milliseconds(centiseconds.saturating_mul(10)));
    }

    /// Sets the clocks by the last `time` and `otim`: the engine plays `engine`. What its clock
    /// lost beyond its own count is learned from; a move was expected to lose `overhead` at most.
    pub fn apply_told(&mut self, engine: Color, overhead: Duration) {
        if let Some(time) = self.told_own.take() {
            // With a fixed time for each move a clock that shows less has lost nothing: nothing is
            // carried over.
            if self.is_wall() && !matches!(self.control, TimeControl::Fixed { .. }) {
                self.reserve
                    .learn(engine, time, overhead, self.control.increment());
            }
            self.overhead = overhead;
            self.named = Some(engine);
            self.clock_mut(engine).set_remaining(time);
        }
        if let Some(time) = self.told_opponent.take() {
            self.clock_mut(!engine).set_remaining(time);
        }
    }

    fn clock_mut(&mut self, color: Color) -> &mut GameClock {
        &mut self.clocks[color.to_index()]
    }

    /// The clock of a colour.
    pub fn clock(&self, color: Color) -> &GameClock {
        &self.clocks[color.to_index()]
    }

    /// Returns the time left to `color` at this moment.
    pub fn left(&self, color: Color) -> Duration {
        self.clock(color)
            .remaining()
            .saturating_sub(self.gone(color))
    }

    /// Returns the time since the clock of `color` was started.
    fn gone(&self, color: Color) -> Duration {
        match self.running {
            Some((running, since)) if running == color => since.elapsed(),
            _ => Duration::ZERO,
        }
    }

    /// Starts the clock of `color` and stops the other.
    pub fn start(&mut self, color: Color) {
        self.running = Some((color, Instant::now()));
    }

    /// Stops both.
    pub fn stop(&mut self) {
        self.running = None;
    }

    /// Stops both clocks at the end of the game, with the time left at this moment.
    pub fn end(&mut self) {
        if let Some((color, _)) = self.running
            && !matches!(self.control, TimeControl::Fixed { .. })
        {
            let left = self.left(color);
            self.clock_mut(color).set_remaining(left);
        }
        self.stop();
    }

    /// `color` moved. The wall clock is read here; `measured` is the time by any other source.
    pub fn moved(&mut self, color: Color, measured: Duration) {
        let spent = if self.is_wall() {
            self.gone(color)
        } else {
            measured
        };
        self.running = None;
        let most = self.clock(color).budget(self.losses(self.overhead)).hard;
        let mut counted = *self.clock(color);
        counted.moved(spent.min(most));
        self.clock_mut(color).moved(spent);
        // Only where the front end named the time before the move can its next word be compared.
        // Time beyond the hard deadline is not counted: the machine lost it.
        self.reserve.forget_count_of(color);
        if self.named.take_if(|named| *named == color).is_some() {
            self.reserve.count(color, counted.remaining());
        }
    }

    /// Takes back the last move of `color`.
    pub fn taken_back(&mut self, color: Color) {
        self.clock_mut(color).taken_back();
        self.reserve.forget_count_of(color);
    }

    /// Returns the budget of the next move of `color`. The time since the start of the clock, for
    /// instance while tables were cleared, is taken off.
    pub fn budget(&self, color: Color, overhead: Duration) -> Budget {
        // Where nodes or CPU time are the time, nothing is lost between engine and referee.
        if !self.is_wall() {
            return self
                .clock(color)
                .budget(Losses::of_each_move(Duration::ZERO));
        }
        let mut clock = *self.clock(color);
        clock.set_remaining(self.left(color));
        clock.budget(self.losses(overhead))
    }

    /// Returns the losses to plan moves with.
    fn losses(&self, overhead: Duration) -> Losses {
        self.reserve.losses(overhead, self.control.increment())
    }

    pub fn is_paused(&self) -> bool {
        self.paused.is_some()
    }

    pub fn pause(&mut self) {
        self.paused.get_or_insert_with(Instant::now);
    }

    /// Resumes the paused clock.
    pub fn resume(&mut self) {
        if let (Some(paused), Some((_, since))) = (self.paused.take(), &mut self.running) {
            *since += paused.elapsed();
        }
    }
}

/// Converts the milliseconds of a front end's clock. A negative number becomes zero. A number
/// beyond the length of any game is cut, so that sums do not overflow.
pub fn milliseconds(number: i64) -> Duration {
    const MOST: Duration = Duration::from_secs(10_000_000_000);
    Duration::from_millis(u64::try_from(number).unwrap_or(0)).min(MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn incremental(base: Duration, increment: Duration) -> Clocks {
        Clocks::new(TimeControl::Incremental { base, increment })
    }

    /// Names the time of the engine, with White, like a front end.
    fn tell(clocks: &mut Clocks, centiseconds: i64, overhead: Duration) {
        clocks.tell_own(centiseconds);
        clocks.apply_told(Color::White, overhead);
    }

    #[test]
    fn moves_are_taken_back_and_times_may_be_negative() {
        let base = 10 * SECOND;
        let white = Color::White;
        let mut clocks = Clocks::new(TimeControl::new(2, base, Duration::ZERO));
        clocks.set_source(TimeSource::Nodes { per_second: 1 });
        clocks.moved(white, 4 * SECOND);
        clocks.moved(white, 4 * SECOND);
        assert!(
            clocks.budget(white, Duration::ZERO).hard < 12 * SECOND,
            "a new session of two moves"
        );
        clocks.taken_back(white);
        assert_eq!(
            clocks.budget(white, Duration::ZERO).hard,
            2 * SECOND,
            "the last move may use all"
        );
        tell(&mut clocks, -5, Duration::ZERO);
        assert_eq!(clocks.clock(white).remaining(), Duration::ZERO);
        clocks.new_game();
        assert_eq!(clocks.clock(white).remaining(), 10 * SECOND);
    }

    #[test]
    fn what_passed_before_the_search_began_is_not_there_to_think_with() {
        let fixed = Clocks::new(TimeControl::Fixed {
            per_move: 10 * SECOND,
        });
        for mut clocks in [fixed, incremental(10 * SECOND, Duration::ZERO)] {
            let full = clocks.budget(Color::White, Duration::ZERO).hard;
            clocks.running = Instant::now()
                .checked_sub(4 * SECOND)
                .map(|since| (Color::White, since));
            let rest = clocks.budget(Color::White, Duration::ZERO).hard;
            assert!(
                rest < full && clocks.running.is_some(),
                "{rest:?} of {full:?}"
            );
            assert_eq!(clocks.budget(Color::Black, Duration::ZERO).hard, full);
        }
    }

    #[test]
    fn what_the_front_end_clock_lost_is_kept_back() {
        let overhead = Duration::from_millis(20);
        let mut clocks = incremental(60 * SECOND, SECOND);
        tell(&mut clocks, 1000, overhead);
        let before = clocks.budget(Color::White, overhead);
        // The move takes no time by the engine's own count, so that 11 s are left; the front end's
        // clock shows 10.4 s.
        clocks.moved(Color::White, Duration::ZERO);
        clocks.moved(Color::Black, Duration::ZERO);
        tell(&mut clocks, 1040, overhead);
        tell(&mut clocks, 100, overhead);
        let careful = clocks.budget(Color::White, overhead);
        assert!(
            careful.hard <= SECOND / 8,
            "all but an eighth of the second is kept: {careful:?}"
        );
        // The next game is on the same machine; its clock is full, and none that this one can be
        // compared with.
        clocks.new_game();
        tell(&mut clocks, 1000, overhead);
        let next_game = clocks.budget(Color::White, overhead);
        assert!(next_game.soft < before.soft && next_game.soft > before.soft / 2);
        // Without the front end's word there is nothing to compare.
        clocks.moved(Color::White, Duration::ZERO);
        clocks.moved(Color::White, Duration::ZERO);
        tell(&mut clocks, 700, overhead);
        tell(&mut clocks, 1000, overhead);
        assert_eq!(clocks.budget(Color::White, overhead), next_game);
    }

    #[test]
    fn a_stall_while_the_engine_thinks_is_kept_back_for() {
        let overhead = Duration::from_millis(20);
        let mut clocks = incremental(10 * SECOND, Duration::ZERO);
        tell(&mut clocks, 1000, overhead);
        let before = clocks.losses(overhead);
        let hard = clocks.budget(Color::White, overhead).hard;
        let think = |clocks: &mut Clocks, time: Duration| {
            clocks.running = Instant::now()
                .checked_sub(time)
                .map(|since| (Color::White, since));
            clocks.moved(Color::White, Duration::ZERO);
            let shown = clocks.clock(Color::White).remaining().as_millis() as i64 / 10;
            tell(clocks, shown, overhead);
        };
        think(&mut clocks, hard / 2);
        assert_eq!(
            clocks.losses(overhead).reserve,
            before.reserve,
            "it was planned"
        );
        let hard = clocks.budget(Color::White, overhead).hard;
        think(&mut clocks, hard + SECOND / 2);
        assert!(
            clocks.losses(overhead).reserve > SECOND * 3 / 4,
            "twice of what was lost"
        );
    }

    #[test]
    fn a_fixed_time_teaches_nothing() {
        let mut clocks = Clocks::default();
        let untaught = clocks.losses(SECOND);
        clocks.set_control(TimeControl::Fixed {
            per_move: 10 * SECOND,
        });
        for shown in [1000, 900] {
            tell(&mut clocks, shown, SECOND);
            clocks.moved(Color::White, Duration::ZERO);
        }
        assert_eq!(clocks.losses(SECOND), untaught);
    }
}

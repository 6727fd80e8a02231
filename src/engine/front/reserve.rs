//! The estimate of time that passes outside the engine's count.
//!
//! A busy machine hands moves over late, and a slow front end reads them late. The engine sees no
//! such loss while thinking, but the front end's clock shows the loss afterwards. The option
//! `MoveOverhead` is the possible loss of any move, but no more than a fiftieth of a short clock:
//! whoever lost more could not play such a game at all. With an increment, later moves are planned
//! to lose as much until the usual loss is known to be less; without an increment such a plan would
//! keep most of a short clock, and moves are planned to lose little until the loss is known to be
//! larger. The reserve covers the losses of some moves only.
//!
//! Front ends round clocks down, xboard to hundredths of a second. A clock that shows a little less
//! than expected need not have lost anything, and the expectation goes on: only what it misses
//! beyond the rounding is a loss.

use std::time::Duration;

use chess::Color;

use crate::search::time_control::Losses;

/// The largest reserve.
const MOST: Duration = Duration::from_secs(2);
/// The reserve is at most one of so many parts of a game's clock, if the clock is known.
const PARTS: u32 = 8;
/// The largest plausible loss. A larger difference means a clock set by hand.
const MOST_LOST: Duration = Duration::from_secs(5);
/// The ratio of the reserve to the largest loss seen: the next loss may be larger.
const SAFETY: u32 = 2;
/// The part of the reserve lost with each move: one of so many.
const SHRINKING: u32 = 64;
/// The least reserve, as a multiple of `MoveOverhead`.
const LEAST: u32 = 5;
/// The usual loss moves half of the way to the last loss if the last loss is larger...
const GROWING: u32 = 2;
/// ... and an eighth of the way if the last loss is smaller.
const EASING: u32 = 8;
/// The most of one loss that counts as usual, as a multiple of `MoveOverhead`.
const USUAL: u32 = 2;
/// A loss to plan with is at most one of so many parts of a game's clock, or the increment.
const LOSSES_OF_A_CLOCK: u32 = 50;
/// The least possible loss of the coming move, unless `MoveOverhead` is less.
const LEAST_LOSS: Duration = Duration::from_millis(2);
/// The least planned loss of later moves.
const LEAST_USUAL_LOSS: Duration = Duration::from_micros(300);
/// The rounding of front ends, to hundredths of a second. A clock with a larger gain was set.
const ROUNDING: Duration = Duration::from_millis(10);

/// The learned reserve, and the data to learn from.
#[derive(Clone, Debug, Default)]
pub struct Reserve {
    kept: Duration,
    /// The usual loss of a move beyond the engine's count.
    usual: Option<Duration>,
    /// The largest time on the front end's clock in this game.
    fullest: Option<Duration>,
    /// A colour, and the expected time on its clock by the engine's own count, from the time shown
    /// before.
    counted: Option<(Color, Duration)>,
    /// The time on the clock beyond the time shown, by the count through all moves; at most the
    /// rounding.
    unseen: Duration,
}

impl Reserve {
    /// Returns the losses to plan with, where `overhead` is the largest expected loss of a move and
    /// `increment` is the gain for each move.
    pub fn losses(&self, overhead: Duration, increment: Duration) -> Losses {
        let overhead = self.bounded(overhead, increment);
        let most = self.fullest.map_or(MOST, |fullest| fullest / PARTS);
        let usual = self.usual.unwrap_or(first_guess(overhead, increment));
        Losses {
            next: overhead,
            later: (usual + usual / 2).clamp(LEAST_USUAL_LOSS.min(overhead), overhead),
            reserve: self.kept.max(overhead.saturating_mul(LEAST)).min(most),
        }
    }

    /// Returns the part of `overhead` that a move can lose with this clock.
    fn bounded(&self, overhead: Duration, increment: Duration) -> Duration {
        let Some(fullest) = self.fullest else {
            return overhead;
        };
        let most = (fullest / LOSSES_OF_A_CLOCK).max(increment).max(LEAST_LOSS);
        overhead.min(most)
    }

    /// Begins another game, perhaps with another clock. The knowledge of the machine stays.
    pub fn new_game(&mut self) {
        self.forget_count();
        self.fullest = None;
    }

    /// Notes the time `left` on the clock of `side` after the engine's move, by the engine's own
    /// count.
    pub fn count(&mut self, side: Color, left: Duration) {
        self.counted = Some((side, left));
    }

    /// Forgets the engine's last count: the next clock on show is unrelated.
    pub fn forget_count(&mut self) {
        self.counted = None;
        self.unseen = Duration::ZERO;
    }

    /// Forgets the engine's last count, if the count was for `side`.
    pub fn forget_count_of(&mut self, side: Color) {
        if self.counted.is_some_and(|(counted, _)| counted == side) {
            self.forget_count();
        }
    }

    /// Learns from the front end's clock of `side`, which shows `shown`. A move was expected to
    /// lose `overhead` at most, and gives back `increment`.
    pub fn learn(&mut self, side: Color, shown: Duration, overhead: Duration, increment: Duration) {
        self.fullest = self.fullest.max(Some(shown));
        let overhead = self.bounded(overhead, increment);
        let Some((_, left)) = self.counted.take().filter(|&(counted, _)| counted == side) else {
            self.unseen = Duration::ZERO;
            return;
        };
        let left = left.saturating_add(self.unseen);
        let missing = left.saturating_sub(shown);
        if missing > MOST_LOST || shown > left.saturating_add(ROUNDING) {
            self.unseen = Duration::ZERO;
            return;
        }
        self.unseen = missing.min(ROUNDING);
        let lost = missing - self.unseen;
        let wanted = lost.saturating_sub(overhead).saturating_mul(SAFETY);
        self.kept = (self.kept - self.kept / SHRINKING).max(wanted).min(MOST);
        let usual = self.usual.unwrap_or(first_guess(overhead, increment));
        let last = lost.min(overhead.saturating_mul(USUAL));
        self.usual = Some(match last.checked_sub(usual) {
            Some(more) => usual + more / GROWING,
            None => usual - (usual - last) / EASING,
        });
    }
}

/// Returns the assumed loss of a move while nothing is known.
fn first_guess(overhead: Duration, increment: Duration) -> Duration {
    if increment.is_zero() {
        overhead.min(LEAST_LOSS)
    } else {
        overhead
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::time_control::{Budget, GameClock, TimeControl};

    const MS: Duration = Duration::from_millis(1);
    const OVERHEAD: Duration = Duration::from_millis(20);
    const WHITE: Color = Color::White;

    const ZERO: Duration = Duration::ZERO;
    /// Five seconds, and a tenth of one for each move.
    const GAME: TimeControl = incremental(5000, 100);

    const fn incremental(base: u64, increment: u64) -> TimeControl {
        let base = Duration::from_millis(base);
        let increment = Duration::from_millis(increment);
        TimeControl::Incremental { base, increment }
    }

    /// Plays a game in which every move takes its soft budget, and loses `late(number)` on the way.
    /// Returns the front end's clock before each move, or the number of the move whose flag fell.
    fn play(
        control: TimeControl,
        moves: u32,
        learning: bool,
        late: impl Fn(u32) -> Duration,
    ) -> Result<Vec<Duration>, u32> {
        let mut reserve = Reserve::default();
        let mut clock = GameClock::new(control);
        let mut shown = Vec::new();
        for number in 1..=moves {
            if learning {
                reserve.learn(WHITE, clock.remaining(), OVERHEAD, control.increment());
            }
            shown.push(clock.remaining());
            let losses = if learning {
                reserve.losses(OVERHEAD, control.increment())
            } else {
                Losses::of_each_move(OVERHEAD)
            };
            let thought = clock.budget(losses).soft;
            let mut own = clock;
            own.moved(thought);
            reserve.count(WHITE, own.remaining());
            if thought + late(number) >= clock.remaining() {
                return Err(number);
            }
            clock.moved(thought + late(number));
        }
        Ok(shown)
    }

    /// The same, learning, where no flag falls.
    fn survives(control: TimeControl, moves: u32, late: impl Fn(u32) -> Duration) -> Vec<Duration> {
        play(control, moves, true, late)
            .unwrap_or_else(|number| panic!("{control:?}: move {number}"))
    }

    #[test]
    fn a_machine_that_is_late_now_and_then_does_not_lose_on_time() {
        let spikes = |number: u32| MS * if number.is_multiple_of(12) { 180 } else { 18 };
        assert!(
            play(GAME, 300, false, spikes).is_err(),
            "the overhead alone is not enough"
        );
        let shown = survives(GAME, 300, spikes);
        assert!(shown.iter().all(|&shown| shown > 180 * MS), "{shown:?}");
        // The machine gets busier as the game goes on.
        let worse =
            |number: u32| 18 * MS + MS * number.min(200) * u32::from(number.is_multiple_of(10));
        assert!(play(GAME, 300, false, worse).is_err());
        survives(GAME, 300, worse);
    }

    /// Lets so many moves lose so much each, and returns the losses to plan with.
    fn lose(reserve: &mut Reserve, lost: Duration, moves: u32) -> Losses {
        for _ in 0..moves {
            reserve.count(WHITE, 20_000 * MS);
            reserve.learn(WHITE, 20_000 * MS - lost, OVERHEAD, MS);
        }
        reserve.losses(OVERHEAD, MS)
    }

    #[test]
    fn short_games_use_their_time_and_survive_what_moves_may_lose() {
        let session = TimeControl::Conventional {
            moves: 40,
            base: 4000 * MS,
            increment: ZERO,
        };
        for (control, least_gain) in [
            (incremental(1000, 10), 300),
            (incremental(5000, 0), 400),
            (session, 0),
        ] {
            let careful = play(control, 120, false, |_| MS).expect("no flag falls");
            let left = careful[100].saturating_sub(survives(control, 120, |_| MS)[100]);
            assert!(left >= least_gain * MS, "{control:?}: {left:?}");
            // All at once each of twenty moves loses all that it may.
            survives(
                control,
                60,
                |number| if number > 40 { OVERHEAD } else { MS },
            );
            survives(
                control,
                120,
                |number| if number == 60 { 150 * MS } else { MS },
            );
        }
    }

    #[test]
    fn where_little_is_lost_more_is_thought() {
        let mut reserve = Reserve::default();
        assert_eq!(
            reserve.losses(OVERHEAD, MS).later,
            OVERHEAD,
            "nothing is known"
        );
        let mut lose = |lost: Duration, moves: u32| lose(&mut reserve, lost, moves).later;
        let quiet = lose(MS, 40);
        assert!((MS..=2 * MS).contains(&quiet), "{quiet:?}");
        assert_eq!(
            lose(1000 * MS, 1),
            OVERHEAD,
            "a stall may be followed by others"
        );
        let later = lose(MS, 6);
        assert!((12 * MS..18 * MS).contains(&later), "{later:?}");
        assert_eq!(lose(18 * MS, 40), OVERHEAD, "never more than that");
        assert_eq!(reserve.losses(ZERO, MS).later, ZERO);
        // A clock that is not far from its end is used up to what the reserve keeps.
        let quick = |learning| play(GAME, 300, learning, |_| ZERO).expect("no flag falls");
        assert!(quick(true)[299] < quick(false)[299]);
    }

    /// The first moves of a process are as good as later ones, and a clock with an increment is
    /// planned as it was measured.
    #[test]
    fn without_an_increment_the_last_second_is_used_though_nothing_is_known() {
        let first = |left: u64, increment: u64| {
            let mut reserve = Reserve::default();
            let control = incremental(left, increment);
            let clock = GameClock::new(control);
            reserve.learn(
                WHITE,
                Duration::from_millis(left),
                OVERHEAD,
                control.increment(),
            );
            clock.budget(reserve.losses(OVERHEAD, control.increment()))
        };
        for left in [500, 1000, 2000, 60_000] {
            let soft = first(left, 0).soft;
            let fair = Duration::from_millis(left) - OVERHEAD;
            assert!(
                fair / 50 <= soft && soft <= fair / 25,
                "{left} ms: {soft:?}"
            );
        }
        assert!(first(50, 0).hard <= 2 * MS);
        let budgets = [(5000, 50), (10_000, 100), (1000, 10)].map(|(base, increment)| {
            let Budget { soft, hard } = first(base, increment);
            (soft.as_micros(), hard.as_micros())
        });
        assert_eq!(
            budgets,
            [(201_785, 807_142), (428_571, 1_714_285), (19_285, 77_142)]
        );
        // A front end that is slow is known after its first moves: none loses by what was hoped.
        survives(incremental(1000, 0), 35, |_| OVERHEAD);
    }

    #[test]
    fn of_a_very_short_clock_a_fiftieth_may_be_lost_with_a_move() {
        let losses = |left: Duration, increment| {
            let mut reserve = Reserve::default();
            reserve.learn(WHITE, left, OVERHEAD, increment);
            reserve.losses(OVERHEAD, increment).next
        };
        assert_eq!(losses(200 * MS, 2 * MS), 4 * MS);
        assert_eq!(losses(200 * MS, 10 * MS), 10 * MS);
        assert_eq!(losses(50 * MS, ZERO), LEAST_LOSS);
        assert_eq!(losses(1000 * MS, ZERO), OVERHEAD);
        // Most of the clock is used, and yet no flag falls.
        let control = incremental(200, 2);
        let shown = survives(control, 200, |_| MS / 10);
        assert!(shown[60] < 110 * MS, "{shown:?}");
        survives(
            control,
            60,
            |number| if number == 30 { 25 * MS } else { MS },
        );
    }

    /// Plays on a clock that is shown in whole hundredths of a second, and loses `lost` with each
    /// move. Returns the planned loss of a move in the end.
    fn planned_by_a_rounded_clock(lost: Duration) -> Duration {
        let spent = Duration::from_micros(7_300);
        let mut reserve = Reserve::default();
        let mut clock = 60_000 * MS;
        for _ in 0..200 {
            let shown = MS * (clock.as_millis() as u32 / 10 * 10);
            reserve.learn(WHITE, shown, OVERHEAD, MS);
            reserve.count(WHITE, shown - spent + MS);
            clock = clock - spent - lost + MS;
        }
        reserve.losses(OVERHEAD, MS).later
    }

    #[test]
    fn a_rounded_clock_has_lost_nothing_and_real_losses_are_seen() {
        assert_eq!(planned_by_a_rounded_clock(ZERO), LEAST_USUAL_LOSS);
        let planned = planned_by_a_rounded_clock(5 * MS);
        assert!((5 * MS..OVERHEAD).contains(&planned), "{planned:?}");
    }

    #[test]
    fn it_grows_at_once_and_shrinks_slowly() {
        let mut reserve = Reserve::default();
        let mut lose = |lost: Duration| lose(&mut reserve, lost, 1).reserve;
        // Five overheads are always there.
        assert_eq!(
            [20, 120, 420].map(|lost| lose(lost * MS)),
            [100 * MS, 200 * MS, 800 * MS]
        );
        let later = (0..44).map(|_| lose(ZERO)).last().unwrap();
        assert!(
            (360 * MS..440 * MS).contains(&later),
            "half of it: {later:?}"
        );
        assert_eq!(lose(4000 * MS), MOST);
    }

    #[test]
    fn of_a_short_clock_an_eighth_is_kept() {
        let mut reserve = Reserve::default();
        reserve.learn(WHITE, 4000 * MS, OVERHEAD, MS);
        reserve.count(WHITE, 3900 * MS);
        reserve.learn(WHITE, 2800 * MS, OVERHEAD, MS);
        assert_eq!(reserve.losses(OVERHEAD, MS).reserve, 500 * MS);
        reserve.new_game();
        reserve.learn(WHITE, 60_000 * MS, OVERHEAD, MS);
        assert_eq!(
            reserve.losses(OVERHEAD, MS).reserve,
            MOST,
            "the machine is what it was"
        );
    }

    #[test]
    fn a_clock_that_was_set_is_no_loss() {
        let mut reserve = Reserve::default();
        reserve.count(WHITE, 60_000 * MS);
        reserve.learn(WHITE, 10_000 * MS, OVERHEAD, MS);
        for _ in 0..20 {
            reserve.count(WHITE, 10_000 * MS);
            reserve.learn(WHITE, 60_000 * MS, OVERHEAD, MS);
        }
        // The count was of the other colour, was forgotten, or was never made.
        reserve.count(Color::Black, 10_000 * MS);
        reserve.learn(WHITE, 9000 * MS, OVERHEAD, MS);
        reserve.count(WHITE, 10_000 * MS);
        reserve.forget_count();
        reserve.learn(WHITE, 9000 * MS, OVERHEAD, MS);
        reserve.learn(WHITE, 8000 * MS, OVERHEAD, MS);
        assert_eq!(
            reserve.losses(OVERHEAD, MS),
            Reserve::default().losses(OVERHEAD, MS)
        );
    }
}

//! Time controls, a player's clock, and the time for one move.

use std::time::Duration;

/// The time of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeControl {
    /// `base` for every session of `moves` moves, for ever (`level 40 5 0`). An increment is added
    /// after each own move.
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

impl TimeControl {
    /// `base` for every session of `moves` moves, or for the whole game if `moves` is 0.
    pub fn new(moves: u32, base: Duration, increment: Duration) -> Self {
        match moves {
            0 => TimeControl::Incremental { base, increment },
            moves => TimeControl::Conventional {
                moves,
                base,
                increment,
            },
        }
    }

    /// The time added to the clock after each own move.
    pub fn increment(self) -> Duration {
        match self {
            TimeControl::Conventional { increment, .. }
            | TimeControl::Incremental { increment, .. } => increment,
            TimeControl::Fixed { .. } => Duration::ZERO,
        }
    }
}

/// The time for one search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The planned time: no new iteration or generation begins after this, or, in a search that
    /// measures the stability of its choice, after 31 to 156 percent of it.
    pub soft: Duration,
    /// This is never passed.
    pub hard: Duration,
}

/// The share of the soft time for a search, in percent, by the stability of its choice: the number
/// of deeper iterations in a row with the same best move, and the move's percentage of the effort.
/// A search that begins another iteration before this share takes as much again for it, and so
/// about the soft time on the whole.
pub fn percent_of_soft(unchanged: u32, effort: u32) -> u32 {
    let by_stability = [104, 78, 65, 58, 52][unchanged.min(4) as usize];
    // All of the effort on one move: no alternative needs time.
    let by_effort = 150 - effort.min(100) * 3 / 4;
    by_stability * by_effort / 100
}

/// Time lost between the engine and the referee's clock while nobody thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Losses {
    /// The loss of the coming move.
    pub next: Duration,
    /// The planned loss of each later move; no more than `next`.
    pub later: Duration,
    /// The reserve for rare losses.
    pub reserve: Duration,
}

impl Losses {
    /// Each move loses `overhead`.
    pub fn of_each_move(overhead: Duration) -> Self {
        Losses {
            next: overhead,
            later: overhead,
            reserve: Duration::ZERO,
        }
    }
}

/// The clock of one player: kept by the engine itself, and set right whenever the front end says
/// so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameClock {
    control: TimeControl,
    /// Zero when the flag has fallen.
    remaining: Duration,
    /// Moves left in this session; only conventional controls have sessions.
    moves_left: u32,
    /// Made on this clock, and not taken back.
    moves: u32,
}

/// The time from a chess server if neither base nor increment is given: ten seconds.
const ZERO_BASE: Duration = Duration::from_secs(10);
/// Moves the rest of a game without sessions is planned for.
const MOVES_EXPECTED: u32 = 28;
/// The losses of so many more moves are kept back. Each move looks so far ahead anew, so longer
/// games only get quicker.
const MOVES_TO_SURVIVE: u32 = 30;
/// Longer sessions are planned as if they had so many moves left; few games last longer.
const MOVES_OF_A_SESSION: u32 = 40;
/// A hard deadline is at most this many times the soft one...
const HARD_OVER_SOFT: u32 = 4;
/// ... and at most this part of the time left, in percent, unless the move is the last of its
/// session.
const HARD_PERCENT: u32 = 60;

impl GameClock {
    /// A full clock at the start of a game or session. An increment comes after each move, so the
    /// first move has the base alone; a base of zero still gives something to move with, as chess
    /// servers do.
    pub fn new(control: TimeControl) -> Self {
        let (remaining, moves_left) = match control {
            TimeControl::Conventional { moves, base, .. } => (base, moves.max(1)),
            TimeControl::Incremental { base, increment } if base.is_zero() => (
                if increment.is_zero() {
                    ZERO_BASE
                } else {
                    increment
                },
                0,
            ),
            TimeControl::Incremental { base, .. } => (base, 0),
            TimeControl::Fixed { per_move } => (per_move, 0),
        };
        GameClock {
            control,
            remaining,
            moves_left,
            moves: 0,
        }
    }

    pub fn remaining(&self) -> Duration {
        self.remaining
    }

    /// The front end's word on how much is left (`time`, `otim`).
    pub fn set_remaining(&mut self, remaining: Duration) {
        self.remaining = match self.control {
            // "At most" stays what it is, whatever else the front end's clock shows.
            TimeControl::Fixed { per_move } => remaining.min(per_move),
            _ => remaining,
        };
    }

    /// Counts a move of the player, with the time `spent`.
    pub fn moved(&mut self, spent: Duration) {
        self.moves += 1;
        self.remaining = self
            .remaining
            .saturating_sub(spent)
            .saturating_add(self.control.increment());
        match self.control {
            TimeControl::Conventional { moves, base, .. } => {
                self.moves_left -= 1;
                if self.moves_left == 0 {
                    self.moves_left = moves.max(1);
                    self.remaining = self.remaining.saturating_add(base);
                }
            }
            TimeControl::Incremental { .. } => {}
            TimeControl::Fixed { per_move } => self.remaining = per_move,
        }
    }

    /// Takes the player's last move back: one more to do in this session. The time added with the
    /// move goes, if it was made on this clock; the time spent is lost, unless the front end says
    /// otherwise.
    pub fn taken_back(&mut self) {
        let mut came = self.control.increment();
        if let TimeControl::Conventional { moves, base, .. } = self.control {
            let session = if self.moves_left == moves.max(1) {
                base
            } else {
                Duration::ZERO
            };
            came = came.saturating_add(session);
            self.moves_left = self.moves_left % moves.max(1) + 1;
        }
        if let Some(moves) = self.moves.checked_sub(1) {
            self.moves = moves;
            self.remaining = self.remaining.saturating_sub(came);
        }
    }

    /// The budget of the coming move. The reserve stays on the clock, but if hardly more is left,
    /// an eighth of it may be spent. If no time is carried over to the next move, none is kept.
    ///
    /// The hard deadline and the loss of the move together fit into the time left, unless this is
    /// less than two such losses.
    pub fn budget(&self, losses: Losses) -> Budget {
        let mut clock = *self;
        let carries_over = !matches!(
            self.control,
            TimeControl::Fixed { .. } | TimeControl::Conventional { moves: 1, .. }
        );
        if carries_over {
            clock.remaining -= losses.reserve.min(clock.remaining / 8 * 7);
        }
        clock.budget_of_all(losses.next, losses.later)
    }

    /// The coming move loses `overhead`, and each of the others `later`.
    fn budget_of_all(&self, overhead: Duration, later: Duration) -> Budget {
        // With less on the clock than that there is no right answer; half of what is left is a
        // quick one.
        let left = self.remaining - overhead.min(self.remaining / 2);
        let (moves, moves_to_survive) = match self.control {
            // A fixed time by another name: front ends use it for fractions of a second. One
            // overhead more is kept back, so that the session does not end at zero.
            TimeControl::Conventional { moves: 1, .. } => {
                let all = left - overhead.min(left / 2);
                return Budget {
                    soft: all,
                    hard: all,
                };
            }
            TimeControl::Fixed { .. } => {
                return Budget {
                    soft: left,
                    hard: left,
                };
            }
            TimeControl::Conventional { .. } => (
                self.moves_left.min(MOVES_OF_A_SESSION),
                (self.moves_left - 1).min(MOVES_OF_A_SESSION),
            ),
            TimeControl::Incremental { .. } => (MOVES_EXPECTED, MOVES_TO_SURVIVE),
        };
        let increment = self.control.increment();
        // What later moves lose on their way is not ours to spend, and twice what this one may
        // lose, so that a session does not end at zero; but for their sake we do not stop thinking
        // either.
        let loss = later
            .saturating_sub(increment)
            .saturating_mul(moves_to_survive);
        let loss = loss.saturating_add(overhead.saturating_mul(2));
        let ours = left - loss.min(left / 16 * 15);
        // An increment arrives only after its move: it may be planned with, but not beyond what is
        // there.
        let gain = increment.saturating_sub(later).saturating_mul(moves - 1);
        let most = if moves == 1 {
            ours
        } else {
            (ours / 100).saturating_mul(HARD_PERCENT)
        };
        let soft = (ours.saturating_add(gain) / moves).min(most);
        Budget {
            soft,
            hard: soft.saturating_mul(HARD_OVER_SOFT).min(most),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_with_a_move_goes_when_it_is_taken_back() {
        for (moves, after) in [(0, 67 * SECOND), (1, 127 * SECOND), (2, 67 * SECOND)] {
            let mut clock = GameClock::new(TimeControl::new(moves, 60 * SECOND, 10 * SECOND));
            clock.moved(3 * SECOND);
            assert_eq!(clock.remaining(), after, "{moves}");
            clock.taken_back();
            assert_eq!(clock.remaining(), 57 * SECOND, "{moves}");
        }
    }

    const MS: Duration = Duration::from_millis(1);
    const SECOND: Duration = Duration::from_secs(1);
    /// The default of the option.
    const OVERHEAD: Duration = Duration::from_millis(20);

    fn each(overhead: Duration) -> Losses {
        Losses::of_each_move(overhead)
    }

    fn conventional(moves: u32, base: Duration, increment: Duration) -> TimeControl {
        TimeControl::Conventional {
            moves,
            base,
            increment,
        }
    }

    fn incremental(base: Duration, increment: Duration) -> TimeControl {
        TimeControl::Incremental { base, increment }
    }

    /// Plays `moves` moves, each as long as `choose` says of its budget, with `lost` on the way: in
    /// time. What was on the referee's clock after each move, before increment and new session.
    fn play(
        control: TimeControl,
        moves: usize,
        lost: Duration,
        choose: fn(Budget) -> Duration,
    ) -> Vec<Duration> {
        let mut clock = GameClock::new(control);
        let step = |number: usize| {
            let before = clock.remaining();
            let spent = choose(clock.budget(each(OVERHEAD))) + lost;
            clock.moved(spent);
            assert!(
                spent < before,
                "{control:?}: the flag fell at move {number}"
            );
            before - spent
        };
        (1..=moves).map(step).collect()
    }

    #[test]
    fn budgets_fit_into_what_is_left() {
        let sessions = [
            (40, 300, 0),
            (40, 20, 1),
            (1, 5, 0),
            (0, 5, 0),
            (u32::MAX, 5, 50),
        ]
        .map(|(moves, seconds, tenths)| conventional(moves, seconds * SECOND, tenths * 100 * MS));
        let games = [(120, 120), (60, 0), (0, 1)]
            .map(|(seconds, tenths)| incremental(seconds * SECOND, tenths * 100 * MS));
        let fixed = [5 * SECOND, Duration::MAX].map(|per_move| TimeControl::Fixed { per_move });
        let endless = incremental(Duration::MAX, Duration::MAX);
        let overheads = [Duration::ZERO, MS, OVERHEAD, SECOND, Duration::MAX].map(each);
        let learnt = [
            Losses {
                later: Duration::ZERO,
                ..each(OVERHEAD)
            },
            Losses {
                later: MS,
                reserve: 125 * MS,
                ..each(OVERHEAD)
            },
            Losses {
                reserve: Duration::MAX,
                ..each(SECOND)
            },
        ];
        let mut times: Vec<Duration> = (0..64)
            .map(|bits| Duration::from_nanos(1 << bits))
            .collect();
        times.extend([
            Duration::ZERO,
            10 * MS,
            21 * MS,
            40 * MS,
            41 * MS,
            Duration::MAX,
        ]);
        for control in sessions
            .into_iter()
            .chain(games)
            .chain(fixed)
            .chain([endless])
        {
            let mut clock = GameClock::new(control);
            for _ in 0..45 {
                for &losses in overheads.iter().chain(&learnt) {
                    for &time in &times {
                        clock.set_remaining(time);
                        let Budget { soft, hard } = clock.budget(losses);
                        let kept = losses.next.min(time / 2);
                        assert!(soft <= hard && hard <= time - kept, "{clock:?} {losses:?}");
                        // Something to think with, except where there is nothing.
                        assert!(!soft.is_zero() || time < 100 * MS, "{clock:?} {losses:?}");
                    }
                }
                clock.moved(MS);
            }
        }
    }

    #[test]
    fn no_flag_falls_though_every_move_takes_its_hard_budget() {
        let hard = |budget: Budget| budget.hard;
        let sessions = [
            (40, 300_000, 0),
            (40, 20_000, 0),
            (40, 4_000, 0),
            (10, 1_000, 50),
            (1, 1_000, 0),
        ]
        .map(|(moves, base, increment)| (conventional(moves, base * MS, increment * MS), 200));
        let games = [(120_000, 12_000), (10_000, 100), (1_000, 50), (0, 100)]
            .map(|(base, increment)| (incremental(base * MS, increment * MS), 200));
        // Every overhead is gone for good.
        let without = [(300, 75), (60, 65)]
            .map(|(base, moves)| (incremental(base * SECOND, Duration::ZERO), moves));
        for (control, moves) in sessions.into_iter().chain(games).chain(without) {
            play(control, moves, OVERHEAD, hard);
            // A fast connection: nothing is lost, and no number of moves brings the flag down.
            play(control, 200, Duration::ZERO, hard);
        }
        let rest = play(
            TimeControl::Fixed { per_move: 100 * MS },
            200,
            Duration::ZERO,
            hard,
        );
        assert!(
            rest.iter().all(|&rest| rest == OVERHEAD),
            "all but the overhead is used"
        );
    }

    #[test]
    fn ordinary_games_last() {
        for (base, moves) in [(10, 110), (60, 160), (300, 200), (3600, 200)] {
            let control = incremental(base * SECOND, Duration::ZERO);
            let left = play(control, moves, OVERHEAD, |budget| budget.soft)[39];
            assert!(
                left < base * SECOND * 2 / 5,
                "time is there to be used: {left:?} left of {base} s"
            );
        }
    }

    #[test]
    fn the_last_seconds_are_used() {
        // Where nothing is known of what moves lose, and where they are known to lose next to
        // nothing.
        for (left, unknown, known) in [(2000, 40, 60), (1000, 8, 25)] {
            let mut clock = GameClock::new(incremental(60 * SECOND, Duration::ZERO));
            clock.set_remaining(left * MS);
            let reserve = 100 * MS;
            let soft = |later| {
                clock
                    .budget(Losses {
                        next: OVERHEAD,
                        later,
                        reserve,
                    })
                    .soft
            };
            let [at_first, later] = [soft(OVERHEAD), soft(2 * MS)];
            assert!(
                at_first >= unknown * MS && later >= known * MS,
                "{left}: {at_first:?}, {later:?}"
            );
        }
    }

    #[test]
    fn a_session_is_used_up_by_its_last_move() {
        let soft = |budget: Budget| budget.soft;
        let rest = play(
            conventional(40, 300 * SECOND, Duration::ZERO),
            80,
            OVERHEAD,
            soft,
        );
        assert!(rest[38] > SECOND, "{:?} for the last move", rest[38]);
        assert!(
            rest[39] < 100 * MS && rest[79] < 100 * MS,
            "{:?} {:?}",
            rest[39],
            rest[79]
        );
        assert!(rest[40] > 290 * SECOND, "a new session: {:?}", rest[40]);
        // About the same for each move.
        let mut clock = GameClock::new(conventional(40, 300 * SECOND, Duration::ZERO));
        for _ in 0..40 {
            let soft = clock.budget(each(OVERHEAD)).soft;
            assert!((7 * SECOND..8 * SECOND).contains(&soft), "{soft:?}");
            clock.moved(soft + OVERHEAD);
        }
    }

    #[test]
    fn increments_are_spent_once_the_base_is_gone() {
        let control = incremental(10 * SECOND, SECOND);
        let rest = play(control, 200, OVERHEAD, |budget| budget.soft);
        let mut clock = GameClock::new(control);
        clock.set_remaining(rest[199] + SECOND);
        let soft = clock.budget(each(OVERHEAD)).soft;
        assert!(
            (800 * MS..=SECOND).contains(&soft),
            "{soft:?} with {:?} left",
            rest[199] + SECOND
        );
    }

    #[test]
    fn a_reserve_stays_on_the_clock() {
        let mut clock = GameClock::new(incremental(10 * SECOND, 100 * MS));
        for remaining in [10 * SECOND, SECOND, 600 * MS] {
            clock.set_remaining(remaining);
            let budget = clock.budget(Losses {
                reserve: 500 * MS,
                ..each(OVERHEAD)
            });
            assert!(
                budget.hard <= remaining - 500 * MS,
                "{remaining:?}: {budget:?}"
            );
            assert!(budget.soft > MS, "{remaining:?}: {budget:?}");
        }
        clock.set_remaining(400 * MS);
        let budget = clock.budget(Losses {
            reserve: 500 * MS,
            ..each(OVERHEAD)
        });
        assert!(
            !budget.soft.is_zero() && budget.hard <= 50 * MS,
            "{budget:?}"
        );
        for control in [
            TimeControl::Fixed { per_move: SECOND },
            conventional(1, SECOND, Duration::ZERO),
        ] {
            let with = |reserve| {
                GameClock::new(control).budget(Losses {
                    reserve,
                    ..each(OVERHEAD)
                })
            };
            assert_eq!(with(500 * MS), with(each(OVERHEAD).reserve));
        }
    }

    #[test]
    fn later_moves_that_lose_little_leave_more_to_think_with() {
        let fast = Losses {
            later: Duration::ZERO,
            ..each(OVERHEAD)
        };
        for control in [
            incremental(SECOND, 10 * MS),
            incremental(5 * SECOND, Duration::ZERO),
            conventional(40, 4 * SECOND, Duration::ZERO),
        ] {
            let clock = GameClock::new(control);
            let [slow, fast] = [each(OVERHEAD), fast].map(|losses| clock.budget(losses));
            assert!(fast.soft > slow.soft, "{control:?}: {fast:?} {slow:?}");
            assert!(
                fast.hard <= clock.remaining() - OVERHEAD,
                "{control:?}: {fast:?}"
            );
        }
        let alone = GameClock::new(TimeControl::Fixed { per_move: SECOND });
        assert_eq!(alone.budget(fast), alone.budget(each(OVERHEAD)));
    }

    #[test]
    fn a_hundredth_of_a_second_is_enough() {
        let clock = GameClock::new(TimeControl::Fixed { per_move: 10 * MS });
        let budgets =
            [OVERHEAD, 2 * MS, Duration::ZERO].map(|overhead| clock.budget(each(overhead)));
        assert_eq!(budgets.map(|budget| budget.hard), [5 * MS, 8 * MS, 10 * MS]);
        assert_eq!(budgets[0].soft, 5 * MS);
    }

    #[test]
    fn the_clock_follows_sessions_increments_and_the_front_end() {
        let mut clock = GameClock::new(conventional(2, 10 * SECOND, SECOND));
        assert_eq!(clock.control, conventional(2, 10 * SECOND, SECOND));
        // With the second move comes a new session; below zero is zero, and then there is the
        // increment.
        for (spent, left) in [(4, 7), (4, 14), (15, 1)] {
            clock.moved(spent * SECOND);
            assert_eq!(clock.remaining(), left * SECOND, "{spent} s later");
        }
        clock.set_remaining(3 * SECOND);
        assert_eq!(clock.remaining(), 3 * SECOND);

        let mut clock = GameClock::new(incremental(10 * SECOND, SECOND));
        assert_eq!(
            clock.remaining(),
            10 * SECOND,
            "the increment comes after the move"
        );
        clock.moved(4 * SECOND);
        assert_eq!(clock.remaining(), 7 * SECOND);
        assert_eq!(
            GameClock::new(incremental(Duration::ZERO, SECOND)).remaining(),
            SECOND
        );

        let mut clock = GameClock::new(TimeControl::Fixed { per_move: SECOND });
        clock.moved(SECOND / 2);
        assert_eq!(clock.remaining(), SECOND, "nothing is carried over");
    }

    #[test]
    fn moves_taken_back_belong_to_their_session() {
        let mut clock = GameClock::new(conventional(2, 10 * SECOND, Duration::ZERO));
        let full = clock.budget(each(Duration::ZERO));
        clock.moved(Duration::ZERO);
        let last = clock.budget(each(Duration::ZERO));
        assert_eq!(last.hard, 10 * SECOND);
        clock.moved(Duration::ZERO);
        clock.taken_back();
        assert_eq!(
            clock.budget(each(Duration::ZERO)),
            last,
            "back into the session before"
        );
        clock.taken_back();
        assert_eq!(clock.budget(each(Duration::ZERO)), full);
        clock.taken_back();
        assert_eq!(
            clock.budget(each(Duration::ZERO)),
            last,
            "that move was made on another clock"
        );
    }
}

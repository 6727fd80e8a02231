//! An engine's allowance for its moves: the arena's time controls, and its clock, the truth about a
//! side's remaining time.

use std::fmt;
use std::num::NonZero;
use std::str::FromStr;
use std::time::Duration;

use anyhow::anyhow;
use serde::{Deserialize, Serialize};

/// The kind of a time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Time {
    /// `base` for every session of `moves` moves, or for the whole game, and `increment` after each
    /// own move.
    Clock {
        moves: Option<u32>,
        base: Duration,
        increment: Duration,
    },
    /// A fixed time for each move; nothing is carried over.
    PerMove(Duration),
    /// The time of the opponent's last move, at least so long; nothing is carried over. Only one
    /// side of a game can have it.
    ///
    /// Until the opponent has moved, the minimum is everything: a side with White has the minimum
    /// for its first move, and loses a little.
    Matched(Duration),
}

/// Time, depth and nodes of one side; at least one of them is set.
///
/// Text: `60+0.6` (seconds for the game + seconds a move), `40/60` (seconds for 40 moves),
/// `40/60+0.5`, `0.3/move`, `matched/0.01` (as long as the opponent took, at least 0.01 seconds),
/// `depth=5`, `nodes=20000`, and more of these with commas between: `10+0.1,depth=8`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct EngineLimits {
    pub time: Option<Time>,
    /// Half-moves.
    pub depth: Option<u32>,
    /// A move.
    pub nodes: Option<u64>,
}

/// No game is planned to last longer; more seconds are a mistake of typing, and would overflow
/// sums.
pub const MAX_SECONDS: f64 = 1e7;

impl EngineLimits {
    /// Limits of so many nodes a move, and nothing else.
    pub fn of_nodes(nodes: u64) -> EngineLimits {
        EngineLimits {
            nodes: Some(nodes),
            ..EngineLimits::default()
        }
    }

    /// Limits of a fixed time for each move, and nothing else.
    pub fn per_move(time: Duration) -> EngineLimits {
        EngineLimits {
            time: Some(Time::PerMove(time)),
            ..EngineLimits::default()
        }
    }

    /// Returns true if the opponent decides the time.
    pub fn are_matched(&self) -> bool {
        matches!(self.time, Some(Time::Matched(_)))
    }
}

/// The flag has fallen, the margin included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlagFallen;

/// The clock of one side. The margin lets it run below zero, once: the debt stays.
#[derive(Clone, Debug)]
pub struct SideClock {
    /// This side's limits.
    pub limits: EngineLimits,
    margin: Duration,
    /// The time until the flag falls, so with the rest of the margin. Without meaning if `limits`
    /// have no clock.
    left: Duration,
    /// Own moves in the current session.
    moves: u32,
    /// The time of the opponent's last move; zero before.
    matched: Duration,
}

impl SideClock {
    /// A clock at the start of a game. The `opening` moves of its side took no time, but count for
    /// the session: an engine counts all moves.
    pub fn new(limits: EngineLimits, margin: Duration, opening: u32) -> SideClock {
        let mut clock = SideClock {
            limits,
            margin,
            left: Duration::ZERO,
            moves: opening,
            matched: Duration::ZERO,
        };
        if let Some(Time::Clock {
            base,
            increment,
            moves,
        }) = limits.time
        {
            // With nothing on the clock the first move would be lost already: as on real
            // clocks, the increment is there from the start.
            clock.left = margin + if base.is_zero() { increment } else { base };
            if let Some(session) = moves {
                clock.moves %= session;
            }
        }
        clock
    }

    /// The most time for the coming move, the margin not included; `None` if no clock decides.
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
            Time::Clock {
                moves: Some(session),
                ..
            } => Some(session - self.moves),
            _ => None,
        }
    }

    /// The time added after each move.
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
        if let Some(Time::Clock {
            moves,
            base,
            increment,
        }) = self.limits.time
        {
            self.left = self.left - spent + increment;
            self.moves += 1;
            if moves == Some(self.moves) {
                self.moves = 0;
                self.left += base;
            }
        }
        Ok(())
    }

    /// Takes the time of the opponent's move.
    pub fn opponent_spent(&mut self, spent: Duration) {
        self.matched = spent;
    }

    /// The reading for a record: milliseconds on the clock, none if nothing is carried over from
    /// move to move.
    pub fn reading(&self) -> Option<u64> {
        match self.limits.time? {
            Time::Clock { .. } => u64::try_from(self.left()?.as_millis()).ok(),
            Time::PerMove(_) | Time::Matched(_) => None,
        }
    }
}

impl FromStr for EngineLimits {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<EngineLimits> {
        let error = |reason| {
            anyhow!(
                "'{text}' is no time control ({reason}); examples: 60+0.6, 40/60+0.5, 0.3/move, matched/0.01, depth=5, nodes=20000, 10+0.1,depth=8"
            )
        };
        let mut limits = EngineLimits::default();
        for part in text.split(',').map(str::trim) {
            let twice = match part.split_once('=') {
                Some(("depth", depth)) => {
                    let depth: NonZero<u32> = depth.parse().map_err(|_| error("no depth"))?;
                    limits.depth.replace(depth.get()).is_some()
                }
                Some(("nodes", nodes)) => {
                    let nodes: NonZero<u64> =
                        nodes.parse().map_err(|_| error("no number of nodes"))?;
                    limits.nodes.replace(nodes.get()).is_some()
                }
                Some(_) => return Err(error("only depth and nodes are written with =")),
                None => limits
                    .time
                    .replace(parse_time(part).map_err(error)?)
                    .is_some(),
            };
            if twice {
                return Err(error("the same limit twice"));
            }
        }
        Ok(limits)
    }
}

fn parse_time(text: &str) -> Result<Time, &'static str> {
    if let Some(seconds) = text.strip_suffix("/move") {
        return match parse_seconds(seconds) {
            Some(time) if !time.is_zero() => Ok(Time::PerMove(time)),
            _ => Err("no time a move"),
        };
    }
    let (moves, rest) = match text.split_once('/') {
        Some(("matched", minimum)) => {
            return match parse_seconds(minimum) {
                Some(time) if !time.is_zero() => Ok(Time::Matched(time)),
                _ => Err("no least time a move"),
            };
        }
        Some((moves, rest)) => match moves.parse() {
            Ok(moves @ 1..) => (Some(moves), rest),
            _ => return Err("no number of moves"),
        },
        None => (None, text),
    };
    let (base, increment) = match rest.split_once('+') {
        Some((base, increment)) => (base, parse_seconds(increment).ok_or("no increment")?),
        None => (rest, Duration::ZERO),
    };
    let base = parse_seconds(base).ok_or("no time")?;
    if base.is_zero() && increment.is_zero() {
        return Err("no time at all");
    }
    Ok(Time::Clock {
        moves,
        base,
        increment,
    })
}

/// Seconds, fractions allowed; or minutes and seconds, `2:30`.
fn parse_seconds(text: &str) -> Option<Duration> {
    let (minutes, seconds) = match text.split_once(':') {
        Some((minutes, seconds)) => (minutes.parse::<u32>().ok()?, seconds),
        None => (0, text),
    };
    // Rust's own numbers may be signs, words and powers of ten.
    if seconds.contains(|c: char| !c.is_ascii_digit() && c != '.') {
        return None;
    }
    let seconds: f64 = seconds.parse().ok()?;
    let total = f64::from(minutes) * 60.0 + seconds;
    (total <= MAX_SECONDS).then(|| Duration::from_secs_f64(total))
}

impl fmt::Display for EngineLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        match self.time {
            Some(Time::PerMove(time)) => text = format!(",{}/move", time.as_secs_f64()),
            Some(Time::Matched(minimum)) => text = format!(",matched/{}", minimum.as_secs_f64()),
            Some(Time::Clock {
                moves,
                base,
                increment,
            }) => {
                text.push(',');
                if let Some(moves) = moves {
                    text += &format!("{moves}/");
                }
                text += &base.as_secs_f64().to_string();
                if !increment.is_zero() {
                    text += &format!("+{}", increment.as_secs_f64());
                }
            }
            None => {}
        }
        if let Some(depth) = self.depth {
            text += &format!(",depth={depth}");
        }
        if let Some(nodes) = self.nodes {
            text += &format!(",nodes={nodes}");
        }
        f.write_str(text.trim_start_matches(','))
    }
}

impl TryFrom<String> for EngineLimits {
    type Error = anyhow::Error;
    fn try_from(text: String) -> anyhow::Result<EngineLimits> {
        text.parse()
    }
}

impl From<EngineLimits> for String {
    fn from(limits: EngineLimits) -> String {
        limits.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_and_written() {
        let texts = "60+0.6 60 40/60 40/60+0.5 0.3/move matched/0.01 matched/0.5,depth=6 depth=5 nodes=20000 \
                     10+0.1,depth=8,nodes=7";
        for text in texts.split(' ') {
            assert_eq!(text.parse::<EngineLimits>().expect(text).to_string(), text);
        }
        assert_eq!(
            "2:30+1"
                .parse::<EngineLimits>()
                .expect("minutes")
                .to_string(),
            "150+1"
        );
        let read: EngineLimits = "40/60+0.5".parse().expect("a time control");
        let time = Time::Clock {
            moves: Some(40),
            base: ms(60_000),
            increment: ms(500),
        };
        assert_eq!(
            read,
            EngineLimits {
                time: Some(time),
                ..EngineLimits::default()
            }
        );
    }

    #[test]
    fn other_texts_are_named() {
        let texts = " x 0 0+0 -5 +1 5+ 0/60 1e9 inf NaN 60,60 depth=0 depth=-1 nodes=x depth=3,depth=4 mate=3 0/move \
                     matched/0 matched/ matched matched/x matched/1,2/move 99999999999 4/ 1:2:3 ,";
        for text in texts.split(' ') {
            let error = text.parse::<EngineLimits>().expect_err(text);
            assert!(
                error
                    .to_string()
                    .starts_with(&format!("'{text}' is no time control (")),
                "{error}"
            );
        }
    }

    const MARGIN: Duration = Duration::from_millis(50);

    fn clock(limits: &str, opening: u32) -> SideClock {
        SideClock::new(limits.parse().expect("limits"), MARGIN, opening)
    }

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn increments_come_after_the_move_and_what_is_lost_stays_lost() {
        let mut clock = clock("1+0.1", 0);
        assert_eq!(
            (clock.spend(ms(900)), clock.left()),
            (Ok(()), Some(ms(200)))
        );
        // Into the margin: 30 ms below zero, then 70 left of the increment.
        assert_eq!((clock.spend(ms(230)), clock.left()), (Ok(()), Some(ms(70))));
        assert_eq!(clock.deadline(), Some(ms(70) + MARGIN));
        assert_eq!(
            (clock.spend(ms(121)), clock.reading()),
            (Err(FlagFallen), Some(70))
        );
    }

    #[test]
    fn the_margin_is_there_once_not_at_every_move() {
        let mut clock = clock("1", 0);
        assert_eq!((clock.spend(ms(1030)), clock.left()), (Ok(()), Some(ms(0))));
        assert_eq!(clock.deadline(), Some(ms(20)));
        assert_eq!(clock.spend(ms(21)), Err(FlagFallen));
    }

    #[test]
    fn sessions_count_the_opening_and_add_the_base() {
        let mut clock = clock("3/1", 2);
        assert_eq!(
            (clock.moves_to_go(), clock.spend(ms(400))),
            (Some(1), Ok(()))
        );
        assert_eq!(
            (clock.left(), clock.moves_to_go()),
            (Some(ms(1600)), Some(3))
        );
        assert_eq!(
            ["3/1", "60+0.6"].map(|limits| self::clock(limits, 7).moves_to_go()),
            [Some(2), None]
        );
    }

    #[test]
    fn a_fixed_time_is_the_same_for_every_move() {
        let mut clock = clock("0.3/move", 0);
        for _ in 0..3 {
            assert_eq!(
                (clock.spend(ms(310)), clock.left(), clock.reading()),
                (Ok(()), Some(ms(300)), None)
            );
        }
        assert_eq!(clock.spend(ms(351)), Err(FlagFallen));
    }

    #[test]
    fn a_matched_time_is_the_opponents_but_not_less_than_agreed() {
        let mut clock = clock("matched/0.02", 3);
        assert_eq!((clock.left(), clock.reading()), (Some(ms(20)), None));
        assert_eq!(clock.spend(ms(70)), Ok(()));
        clock.opponent_spent(ms(400));
        assert_eq!(
            (clock.left(), clock.deadline()),
            (Some(ms(400)), Some(ms(400) + MARGIN))
        );
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
        assert_eq!(
            (clock.left(), clock.deadline(), clock.reading()),
            (None, None, None)
        );
        assert_eq!(clock.spend(Duration::from_secs(100_000)), Ok(()));
        assert_eq!(self::clock("0+0.1", 0).left(), Some(ms(100)));
    }
}

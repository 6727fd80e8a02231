//! Wins, draws and losses; scores of game pairs; and what they say about strength.

use std::ops::{Add, AddAssign};

use serde::{Deserialize, Serialize};

use super::elo::{self, Estimate, Z95};

/// Normalised Elo of a score that lies one standard deviation of a game above one half: `800 / ln 10`.
///
/// The factor makes normalised and logistic Elo agree for small differences without draws (Van den Bergh, "Normalized Elo").
pub(super) const NORMALIZED_ELO_SCALE: f64 = 800.0 / std::f64::consts::LN_10;

/// Wins, draws and losses of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchScore {
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
}

impl MatchScore {
    /// Counts a game worth `points` for this side, as [`Verdict::points`](crate::arena::Verdict::points) gives them: a win above ½, a loss
    /// below.
    pub fn add_game(&mut self, points: f64) {
        *match points {
            points if points > 0.5 => &mut self.wins,
            points if points < 0.5 => &mut self.losses,
            _ => &mut self.draws,
        } += 1;
    }

    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// A win counts 1, a draw ½.
    pub fn points(&self) -> f64 {
        f64::from(self.wins) + f64::from(self.draws) / 2.0
    }

    /// Points a game, 0 to 1; `None` without games.
    pub fn rate(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.points() / f64::from(self.games()))
    }

    /// The same games seen by the other side.
    pub fn reversed(&self) -> MatchScore {
        MatchScore {
            wins: self.losses,
            draws: self.draws,
            losses: self.wins,
        }
    }

    /// See [`Outcomes::elo`]: every game on its own.
    pub fn elo(&self) -> Option<Estimate> {
        Outcomes::from(*self).elo()
    }

    /// See [`Outcomes::superiority`]: every game on its own.
    pub fn superiority(&self) -> Option<f64> {
        Outcomes::from(*self).superiority()
    }

    /// How often a game was worth 0, ½ and 1.
    pub(super) fn counts(&self) -> [u32; 3] {
        [self.losses, self.draws, self.wins]
    }
}

impl Add for MatchScore {
    type Output = MatchScore;
    fn add(self, other: MatchScore) -> MatchScore {
        MatchScore {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }
}

impl AddAssign for MatchScore {
    fn add_assign(&mut self, other: MatchScore) {
        *self = *self + other;
    }
}

/// How many game pairs were worth 0, ½, 1, 1½ and 2 points for one side.
///
/// Two games from the same opening with colours reversed are not independent: a good opening for White is won by both. The pair as the unit
/// takes that out of the error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pentanomial(pub [u32; 5]);

impl Add for Pentanomial {
    type Output = Pentanomial;
    fn add(self, other: Pentanomial) -> Pentanomial {
        Pentanomial(std::array::from_fn(|index| self.0[index] + other.0[index]))
    }
}

impl Pentanomial {
    /// Counts a pair whose games were worth `first` and `second` (1, ½ or 0 each).
    pub fn add_pair(&mut self, first: f64, second: f64) {
        self.0[((first + second) * 2.0).round().clamp(0.0, 4.0) as usize] += 1;
    }

    pub fn pairs(&self) -> u32 {
        self.0.iter().sum()
    }

    /// Points of all games.
    pub fn points(&self) -> f64 {
        (0u32..)
            .zip(self.0)
            .map(|(half_points, count)| f64::from(half_points * count) / 2.0)
            .sum()
    }

    /// The same pairs seen by the other side.
    pub fn reversed(&self) -> Pentanomial {
        let mut counts = self.0;
        counts.reverse();
        Pentanomial(counts)
    }

    /// See [`Outcomes::elo`].
    pub fn elo(&self) -> Option<Estimate> {
        Outcomes::from(*self).elo()
    }

    /// See [`Outcomes::superiority`].
    pub fn superiority(&self) -> Option<f64> {
        Outcomes::from(*self).superiority()
    }
}

/// The results of one side: game pairs, and games that belong to no complete pair. The pair, or the single game, is the unit that is taken as
/// independent of the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Outcomes {
    pub pairs: Pentanomial,
    pub singles: MatchScore,
}

impl Add for Outcomes {
    type Output = Outcomes;
    fn add(self, other: Outcomes) -> Outcomes {
        Outcomes {
            pairs: self.pairs + other.pairs,
            singles: self.singles + other.singles,
        }
    }
}

impl From<MatchScore> for Outcomes {
    fn from(singles: MatchScore) -> Outcomes {
        Outcomes {
            singles,
            ..Outcomes::default()
        }
    }
}

impl From<Pentanomial> for Outcomes {
    fn from(pairs: Pentanomial) -> Outcomes {
        Outcomes {
            pairs,
            ..Outcomes::default()
        }
    }
}

impl Outcomes {
    pub fn games(&self) -> u32 {
        2 * self.pairs.pairs() + self.singles.games()
    }

    pub fn points(&self) -> f64 {
        self.pairs.points() + self.singles.points()
    }

    /// Points a game, 0 to 1; `None` without games.
    pub fn rate(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.points() / f64::from(self.games()))
    }

    /// The same games seen by the other side.
    pub fn reversed(&self) -> Outcomes {
        Outcomes {
            pairs: self.pairs.reversed(),
            singles: self.singles.reversed(),
        }
    }

    /// Variance of the score per game, in points²: the squared deviations of the units' points from what the mean leads to expect of them,
    /// over the number of games; `None` without games.
    ///
    /// For single games this is the trinomial variance, for pairs the pentanomial one (fishtest's `stats`); a mixture is the usual estimate
    /// for clusters of unequal size.
    pub fn variance(&self) -> Option<f64> {
        let mean = self.rate()?;
        let squares = |counts: &[u32], games: f64| -> f64 {
            (0u32..)
                .zip(counts)
                .map(|(half_points, &count)| {
                    f64::from(count) * (f64::from(half_points) / 2.0 - games * mean).powi(2)
                })
                .sum()
        };
        let sum = squares(&self.singles.counts(), 1.0) + squares(&self.pairs.0, 2.0);
        // Equal results leave nothing but rounding errors.
        let sum = if self.is_uniform() { 0.0 } else { sum };
        Some(sum / f64::from(self.games()))
    }

    /// The Elo difference that explains the score, with its 95 % interval; `None` without games.
    ///
    /// The interval is that of the mean score (normal approximation) seen through the logistic curve; it ends at infinity where the score's
    /// interval goes beyond 0 or 1. If all `n` results (pairs, or games if all were won or all lost) are the
    /// same, there is no variance to see: then other results may still have a probability of up to `1 - 0.025^(1/n)`, and the interval says so.
    pub fn elo(&self) -> Option<Estimate> {
        let (mean, variance, games) = (self.rate()?, self.variance()?, f64::from(self.games()));
        let (low, high) = if self.is_uniform() {
            let unseen = elo::bound_of_the_unseen(f64::from(self.equal_trials()));
            (mean * (1.0 - unseen), mean * (1.0 - unseen) + unseen)
        } else {
            let error = Z95 * (variance / games).sqrt();
            (mean - error, mean + error)
        };
        Some(Estimate {
            value: elo::elo_difference(mean),
            low: elo::elo_difference(low),
            high: elo::elo_difference(high),
        })
    }

    /// The difference in normalised Elo: how many standard deviations of a game the mean lies above ½, times `800 / ln 10`, with its 95 %
    /// interval; `None` without games. What it takes to measure a difference depends on this number alone, whatever the share of draws.
    pub fn normalized_elo(&self) -> Option<Estimate> {
        let (mean, variance, games) = (self.rate()?, self.variance()?, f64::from(self.games()));
        let value = match mean - 0.5 {
            0.0 => 0.0,
            ahead => NORMALIZED_ELO_SCALE * ahead / variance.sqrt(),
        };
        let error = Z95 * NORMALIZED_ELO_SCALE / games.sqrt();
        Some(Estimate {
            value,
            low: value - error,
            high: value + error,
        })
    }

    /// The likelihood of superiority: how probable it is, 0 to 1, that this side is the stronger one; `None` without games.
    ///
    /// Normal approximation of the mean score. If all `n` results are the same: ½ if they are even, else `1 - 2^-(n+1)`, what is certain after so
    /// many equal results when any probability of them was equally likely before.
    pub fn superiority(&self) -> Option<f64> {
        let (mean, variance, games) = (self.rate()?, self.variance()?, f64::from(self.games()));
        if !self.is_uniform() {
            return Some(elo::normal_probability((mean - 0.5) / (variance / games).sqrt()));
        }
        let doubt = 0.5f64.powi(self.equal_trials() as i32 + 1);
        Some(match mean {
            mean if mean > 0.5 => 1.0 - doubt,
            mean if mean < 0.5 => doubt,
            _ => 0.5,
        })
    }

    /// How many independent trials had the same result, if all had: the units, or the games where each was won, or each lost.
    fn equal_trials(&self) -> u32 {
        let points = self.points();
        if points == 0.0 || points == f64::from(self.games()) {
            self.games()
        } else {
            self.pairs.pairs() + self.singles.games()
        }
    }

    /// Whether every unit scored the same per game.
    fn is_uniform(&self) -> bool {
        // In quarter points a game: a pair of h half points is worth h, a single game of h half points 2h.
        let singles = [0, 2, 4].into_iter().zip(self.singles.counts());
        let mut seen = (0..)
            .zip(self.pairs.0)
            .chain(singles)
            .filter(|&(_, count)| count > 0);
        let first: Option<(u32, u32)> = seen.next();
        seen.all(|(worth, _)| Some(worth) == first.map(|(worth, _)| worth))
    }
}

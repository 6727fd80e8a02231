//! Wins, draws and losses; scores of game pairs; and their meaning for strength.

use std::f64::consts::{LN_10, PI};
use std::ops::Add;

use serde::{Deserialize, Serialize};

use super::elo::{self, Estimate, Z95};

/// The normalised Elo of a score one standard deviation of a game above one half: `800 / ln 10`.
///
/// The factor makes normalised and logistic Elo agree for small differences without draws (Van den
/// Bergh, "Normalized Elo").
pub(super) const NORMALIZED_ELO_SCALE: f64 = 800.0 / LN_10;

/// Wins, draws and losses of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct MatchScore {
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
}

impl MatchScore {
    /// Counts a game worth `points` for this side, as
    /// [`Verdict::points`](crate::arena::Verdict::points) gives them: a win above ½, a loss below.
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

    /// The number of games worth 0, ½ and 1.
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

/// The number of game pairs worth 0, ½, 1, 1½ and 2 points for one side.
///
/// Two games from the same opening with colours reversed are not independent: a good opening for
/// White is won by both. The pair as the unit takes the opening out of the error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pentanomial(pub [u32; 5]);

impl Add for Pentanomial {
    type Output = Pentanomial;
    fn add(self, other: Pentanomial) -> Pentanomial {
        Pentanomial(std::array::from_fn(|index| self.0[index] + other.0[index]))
    }
}

impl Pentanomial {
    /// Counts a pair with games worth `first` and `second` (1, ½ or 0 each).
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
        let [lost, behind, even, ahead, won] = self.0;
        Pentanomial([won, ahead, even, behind, lost])
    }
}

/// The results of one side: game pairs, and games outside of complete pairs. The pair, or the
/// single game, is the unit, taken as independent of the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
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

impl From<Pentanomial> for Outcomes {
    fn from(pairs: Pentanomial) -> Outcomes {
        Outcomes {
            pairs,
            ..Outcomes::default()
        }
    }
}

/// Ten pairs: with fewer games neither side is called the stronger one, whatever the results.
const GAMES_FOR_A_JUDGEMENT: u32 = 20;

/// A judgement on the stronger side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Judgement {
    /// Fewer than ten pairs were played.
    TooFew,
    /// The interval has room for both.
    Open,
    /// The whole 95 % interval lies above an even score.
    Stronger,
    /// The whole 95 % interval lies below an even score.
    Weaker,
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

    /// Variance of the score per game, in points²: the squared deviations of the units' points from
    /// their expectation by the mean, over the number of games; `None` without games.
    ///
    /// For single games this is the trinomial variance, for pairs the pentanomial one (fishtest's
    /// `stats`); a mixture is the usual estimate for clusters of unequal size.
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
        // Equal results leave nothing but rounding errors; one that differs adds 0.03 at least.
        let sum = if sum < 1e-6 { 0.0 } else { sum };
        Some(sum / f64::from(self.games()))
    }

    /// Independent trials: pairs and single games.
    pub(super) fn units(&self) -> u32 {
        self.pairs.pairs() + self.singles.games()
    }

    /// The Elo difference to explain the score, with its 95 % interval; `None` without games.
    ///
    /// After these results the mean score lies in the interval with a probability of 95 %, seen
    /// through the logistic curve. The interval has no end on the side of a perfect score.
    pub fn elo(&self) -> Option<Estimate> {
        let mean = self.rate()?;
        let posterior = Posterior::new(self);
        let mut elo = Estimate::around(elo::elo_difference(mean), f64::INFINITY);
        if mean > 0.0 {
            elo.low = elo::elo_difference(posterior.quantile(0.025));
        }
        if mean < 1.0 {
            elo.high = elo::elo_difference(posterior.quantile(0.975));
        }
        Some(elo)
    }

    /// The difference in normalised Elo: the mean's distance from ½ in standard deviations of a
    /// game, times `800 / ln 10`, with its 95 % interval; `None` without games. The cost of
    /// measuring a difference depends on this number alone, whatever the share of draws.
    ///
    /// The interval is that of many games (normal approximation); with [too few](Judgement::TooFew)
    /// there is none. Perfect scores have a bound: that of the mean score, with the largest
    /// deviation that games with this mean can have.
    pub fn normalized_elo(&self) -> Option<Estimate> {
        let mean = self.rate()?;
        let variance = self.variance()?;
        let games = f64::from(self.games());
        let value = match mean - 0.5 {
            0.0 => 0.0,
            ahead => NORMALIZED_ELO_SCALE * ahead / variance.sqrt(),
        };
        if value.is_infinite() {
            let ahead = self.normalized_bound(if value > 0.0 { 0.025 } else { 0.975 });
            let low = f64::min(ahead, value);
            let high = f64::max(ahead, value);
            return Some(Estimate { value, low, high });
        }
        let half_width = match self.games() < GAMES_FOR_A_JUDGEMENT {
            true => f64::INFINITY,
            false => Z95 * NORMALIZED_ELO_SCALE / games.sqrt(),
        };
        Some(Estimate::around(value, half_width))
    }

    /// The normalised Elo of the mean score that the truth is below with this probability, if the
    /// results of games differ as much as they can.
    fn normalized_bound(&self, probability: f64) -> f64 {
        let mean = Posterior::new(self).quantile(probability);
        // Of a unit of g games, all won or all lost, the variance is g² m (1 - m); that of a game,
        // g m (1 - m).
        let size = f64::from(self.games()) / f64::from(self.units());
        NORMALIZED_ELO_SCALE * (mean - 0.5) / (size * mean * (1.0 - mean)).sqrt()
    }

    /// The likelihood of superiority: the probability after these results, 0 to 1, for this side to
    /// be the stronger one, with a mean score above ½; `None` without games.
    pub fn superiority(&self) -> Option<f64> {
        (self.games() > 0).then(|| Posterior::new(self).above(0.5))
    }

    /// The stronger side, as far as these games can tell.
    pub fn judgement(&self) -> Judgement {
        match self.elo() {
            _ if self.games() < GAMES_FOR_A_JUDGEMENT => Judgement::TooFew,
            Some(elo) if elo.low > 0.0 => Judgement::Stronger,
            Some(elo) if elo.high < 0.0 => Judgement::Weaker,
            _ => Judgement::Open,
        }
    }
}

/// The prior weight of one unit's best result, and of its worst.
const PRIOR: f64 = 0.5;

/// The distribution of the mean score of a game after the results.
///
/// The probabilities of a unit's results (of a pair: 0, ½, 1, 1½, 2 points) have a Dirichlet
/// distribution after `n` units: the counts, and before the first unit one half each for the best
/// and the worst result. (For single games without draws this is the prior of Jeffreys, "An
/// Invariant Form for the Prior Probability", 1946. By simulation, `benches/results/coverage.md`,
/// its intervals hold the truth as often as they claim, for a handful of pairs more often;
/// intervals with the variance of a handful of pairs hold the truth less often.) A better result in
/// the place of a worse one moves the whole distribution up.
///
/// A Dirichlet distribution is one of independent gamma variables `G` over their sum. So the mean
/// score exceeds `m` if `Q = Σ g (s - m) G` is above 0, for results with the score `s` per game in
/// units of `g` games. Gil-Pelaez's formula ("Note on the Inversion Theorem", 1951) gives this
/// probability from the characteristic function of `Q`: `Π (1 - i g (s - m) u)^-n`.
pub(super) struct Posterior {
    terms: Vec<Term>,
}

/// A kind of result, and how often it came.
struct Term {
    /// The score of a game, 0 to 1.
    score: f64,
    /// Games of a unit.
    games: f64,
    count: f64,
}

impl Term {
    fn new(score: f64, games: f64, count: f64) -> Term {
        Term {
            score,
            games,
            count,
        }
    }
}

impl Posterior {
    /// After at least one game.
    pub fn new(outcomes: &Outcomes) -> Posterior {
        let size = f64::from(outcomes.games()) / f64::from(outcomes.units());
        let mut terms = vec![];
        for (quarter, count) in (0u32..).zip(outcomes.pairs.0) {
            terms.push(Term::new(f64::from(quarter) / 4.0, 2.0, count.into()));
        }
        for (half, count) in (0u32..).zip(outcomes.singles.counts()) {
            terms.push(Term::new(f64::from(half) / 2.0, 1.0, count.into()));
        }
        terms.push(Term::new(0.0, size, PRIOR));
        terms.push(Term::new(1.0, size, PRIOR));
        Posterior { terms }
    }

    /// The probability of a mean greater than `mean`.
    pub fn above(&self, mean: f64) -> f64 {
        // With u = e^t the integrand is smooth and falls at both ends: sums converge faster than
        // any power of the step.
        const START: f64 = -8.0;
        /// The end of the integral: with a characteristic function of e^-26 nothing is left.
        const END: f64 = 26.0;
        const FAR: f64 = 40.0;
        let mut weights = Vec::new();
        let mut centre = 0.0;
        let mut variance = 0.0;
        for term in &self.terms {
            let weight = term.games * (term.score - mean);
            weights.push((weight, term.count));
            centre += weight * term.count;
            variance += weight * weight * term.count;
        }
        let deviation = f64::sqrt(variance);
        let distance: f64 = centre / deviation;
        if distance.abs() > FAR {
            return if distance > 0.0 { 1.0 } else { 0.0 };
        }
        let step = f64::min(0.2, 0.6 / distance.abs());
        // Before the start the integrand is `distance · e^t`: a geometric series.
        let mut sum = distance * START.exp() / step.exp_m1();
        for index in 0.. {
            let u = (START + step * f64::from(index)).exp() / deviation;
            let mut angle = 0.0;
            let mut fall = 0.0;
            for &(weight, count) in &weights {
                angle += count * (weight * u).atan();
                fall += count / 2.0 * (weight * u).powi(2).ln_1p();
            }
            if fall > END {
                break;
            }
            sum += angle.sin() * (-fall).exp();
        }
        (0.5 + sum * step / PI).clamp(0.0, 1.0)
    }

    /// The upper bound of the mean with this probability: false position, the Illinois way.
    fn quantile(&self, probability: f64) -> f64 {
        const STEPS: usize = 60;
        const STEEP: f64 = 40.0;
        let logit = |p: f64| (p / (1.0 - p)).ln().clamp(-STEEP, STEEP);
        let miss = |mean: f64| logit(1.0 - self.above(mean)) - logit(probability);
        let mut low = (0.0, -STEEP);
        let mut high = (1.0, STEEP);
        for _ in 0..STEPS {
            let next = (low.0 * high.1 - high.0 * low.1) / (high.1 - low.1);
            let missed = miss(next);
            if missed.abs() < 1e-10 || high.0 - low.0 < 1e-13 {
                return next;
            }
            if missed < 0.0 {
                low = (next, missed);
                high.1 /= 2.0;
            } else {
                high = (next, missed);
                low.1 /= 2.0;
            }
        }
        low.0 + (high.0 - low.0) / 2.0
    }
}

//! What results leave open: the distribution of the mean score after them.
//!
//! The probabilities of a unit's results (of a pair: 0, ½, 1, 1½, 2 points) have a Dirichlet distribution
//! after `n` units: the counts, and before the first unit one half each for the best and the worst result.
//! (For single games without draws that is the prior of Jeffreys, "An Invariant Form for the Prior
//! Probability", 1946; by simulation, `benches/coverage.md`, its intervals hold the truth as often as they
//! say, of a handful of pairs more often; those that take the variance from a handful of pairs hold it less
//! often.) A better result in the place
//! of a worse one moves the whole distribution up.
//!
//! A Dirichlet distribution is one of independent gamma variables `G` over their sum. So the mean score
//! exceeds `m` if `Q = Σ g (s - m) G` is above 0, for results with the score `s` per game in units of `g`
//! games. Gil-Pelaez's formula ("Note on the Inversion Theorem", 1951) gives the probability of that from the
//! characteristic function of `Q`, which is `Π (1 - i g (s - m) u)^-n`.

use std::f64::consts::PI;

use super::Outcomes;

/// How much one unit's best and worst results each weigh beforehand.
const PRIOR: f64 = 0.5;

/// The distribution of the mean score of a game.
pub(super) struct Posterior {
    terms: Vec<Term>,
}

struct Term {
    /// Of a game, 0 to 1.
    score: f64,
    /// Games of a unit.
    games: f64,
    count: f64,
}

impl Posterior {
    /// After at least one game.
    pub fn new(outcomes: &Outcomes) -> Posterior {
        let mut terms = Vec::with_capacity(10);
        let mut add = |score: f64, games: f64, count: f64| {
            if count > 0.0 {
                terms.push(Term { score, games, count });
            }
        };
        for (quarter, count) in (0u32..).zip(outcomes.pairs.0) {
            add(f64::from(quarter) / 4.0, 2.0, count.into());
        }
        for (half, count) in (0u32..).zip(outcomes.singles.counts()) {
            add(f64::from(half) / 2.0, 1.0, count.into());
        }
        let size = f64::from(outcomes.games()) / f64::from(outcomes.units());
        add(0.0, size, PRIOR);
        add(1.0, size, PRIOR);
        Posterior { terms }
    }

    /// The probability that the mean is greater than `mean`.
    pub fn above(&self, mean: f64) -> f64 {
        // With u = e^t the integrand is smooth and falls at both ends: sums converge faster than any power of
        // the step.
        const START: f64 = -8.0;
        /// Where the characteristic function is e^-26, nothing is left of the integral.
        const END: f64 = 26.0;
        const FAR: f64 = 40.0;
        let weights = || self.terms.iter().map(|term| (term.games * (term.score - mean), term.count));
        let centre: f64 = weights().map(|(weight, count)| weight * count).sum();
        let deviation = weights().map(|(weight, count)| weight * weight * count).sum::<f64>().sqrt();
        let distance = centre / deviation;
        if distance.abs() > FAR {
            return if distance > 0.0 { 1.0 } else { 0.0 };
        }
        let step = f64::min(0.2, 0.6 / distance.abs());
        // Before the start the integrand is `distance · e^t`: a geometric series.
        let mut sum = distance * START.exp() / step.exp_m1();
        for index in 0.. {
            let u = (START + step * f64::from(index)).exp() / deviation;
            let (mut angle, mut fall) = (0.0, 0.0);
            for (weight, count) in weights() {
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

    /// The mean that the truth is below with this probability: false position, the Illinois way.
    pub fn quantile(&self, probability: f64) -> f64 {
        const STEPS: usize = 60;
        const STEEP: f64 = 40.0;
        let logit = |p: f64| (p / (1.0 - p)).ln().clamp(-STEEP, STEEP);
        let miss = |mean: f64| logit(1.0 - self.above(mean)) - logit(probability);
        let (mut low, mut high) = ((0.0, -STEEP), (1.0, STEEP));
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

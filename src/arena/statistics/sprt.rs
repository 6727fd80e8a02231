//! The sequential probability ratio test: the end of a match, and its answer.

use std::fmt;

use anyhow::ensure;
use serde::{Deserialize, Serialize};
use strum::EnumString;

use super::score::NORMALIZED_ELO_SCALE;
use super::{Outcomes, expected_score};

/// The scale of the two hypotheses: `logistic` or `normalized`, as in files.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, EnumString, strum::Display,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase", parse_err_ty = String, parse_err_fn = no_model)]
pub enum EloModel {
    /// Ordinary Elo differences: the mean score is `1 / (1 + 10^(-elo/400))`.
    Logistic,
    /// Normalised Elo: the mean score in standard deviations of a game, times `800 / ln 10`. The
    /// length of a test does not depend on the share of draws.
    #[default]
    Normalized,
}

fn no_model(_: &str) -> String {
    "it is logistic or normalized".to_owned()
}

/// A test of the difference `elo0` (H0) against the difference `elo1` (H1).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: EloModel,
}

/// `0 against 5 normalized Elo, errors 5 % and 5 %`
impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [alpha, beta] = [self.alpha, self.beta].map(|error| (1e6 * error).round() / 1e4);
        let Sprt {
            elo0, elo1, model, ..
        } = self;
        write!(
            f,
            "{elo0} against {elo1} {model} Elo, errors {alpha} % and {beta} %"
        )
    }
}

/// A test as read from a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Unchecked {
    elo0: f64,
    elo1: f64,
    #[serde(default = "five_percent")]
    alpha: f64,
    #[serde(default = "five_percent")]
    beta: f64,
    #[serde(default)]
    model: EloModel,
}

fn five_percent() -> f64 {
    0.05
}

impl TryFrom<Unchecked> for Sprt {
    type Error = anyhow::Error;
    fn try_from(test: Unchecked) -> anyhow::Result<Sprt> {
        Sprt::new(test.elo0, test.elo1, test.alpha, test.beta, test.model)
    }
}

/// The largest difference to test: 200 are a score of 76 %.
const MAX_ELO: f64 = 200.0;

/// The next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// Neither hypothesis is established: play on.
    Continue,
    /// The difference is not `elo1` or more.
    AcceptH0,
    /// The difference is more than `elo0`.
    AcceptH1,
}

/// The standing of a test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtStatus {
    /// The logarithm of how much likelier the results are under H1 than under H0.
    pub llr: f64,
    /// The bound to accept H0, at or below.
    pub lower: f64,
    /// The bound to accept H1, at or above.
    pub upper: f64,
    pub decision: Decision,
}

impl Sprt {
    /// A test with the probabilities `alpha` of accepting H1 though H0 is true, and `beta` of the
    /// opposite.
    ///
    /// # Errors
    /// If `elo0 < elo1` does not hold, for Elo differences beyond ±200, and for probabilities not
    /// between 0 and 0.5.
    pub fn new(
        elo0: f64,
        elo1: f64,
        alpha: f64,
        beta: f64,
        model: EloModel,
    ) -> anyhow::Result<Sprt> {
        for elo in [elo0, elo1] {
            // Written so that NaN is refused as well.
            ensure!(
                (-MAX_ELO..=MAX_ELO).contains(&elo),
                "the test's Elo differences lie between -{MAX_ELO} and {MAX_ELO}, not {elo}"
            );
        }
        ensure!(
            elo0 < elo1,
            "elo0 must be less than elo1, but {elo0} is not less than {elo1}"
        );
        for probability in [alpha, beta] {
            ensure!(
                probability > 0.0 && probability < 0.5,
                "a probability of error lies above 0 and below 0.5, which {probability} does not"
            );
        }
        Ok(Sprt {
            elo0,
            elo1,
            alpha,
            beta,
            model,
        })
    }

    /// The bounds of the logarithm of the likelihood ratio (Wald): below and above.
    pub fn bounds(&self) -> (f64, f64) {
        (
            (self.beta / (1.0 - self.alpha)).ln(),
            ((1.0 - self.beta) / self.alpha).ln(),
        )
    }

    /// The standing of the test after these results, seen by the tested side: after the pairs, or,
    /// if there are none, after the single games.
    pub fn status(&self, outcomes: Outcomes) -> SprtStatus {
        let llr = match outcomes.pairs.pairs() {
            0 => self.llr(&outcomes.singles.counts(), 1.0),
            _ => self.llr(&outcomes.pairs.0, 2.0),
        };
        let (lower, upper) = self.bounds();
        let decision = if llr <= lower {
            Decision::AcceptH0
        } else if llr >= upper {
            Decision::AcceptH1
        } else {
            Decision::Continue
        };
        SprtStatus {
            llr,
            lower,
            upper,
            decision,
        }
    }

    /// The generalised log likelihood ratio: each hypothesis stands for the distribution with the
    /// best explanation of the results among those with its Elo difference. `counts` has the number
    /// of each result, from the worst on, each of so many games. Results never seen count as 0.001
    /// of one, as in fishtest, or no distribution could have them.
    fn llr(&self, counts: &[u32], games_each: f64) -> f64 {
        const UNSEEN: f64 = 1e-3;
        if counts.iter().all(|&count| count == 0) {
            return 0.0;
        }
        let seen = counts.iter().map(|&count| f64::from(count).max(UNSEEN));
        let counts: Vec<f64> = seen.collect();
        let total: f64 = counts.iter().sum();
        let observed: Vec<f64> = counts.iter().map(|count| count / total).collect();
        let last = (counts.len() - 1) as f64;
        let values: Vec<f64> = (0..counts.len()).map(|index| index as f64 / last).collect();
        // The mean of n games deviates √n times less than a game does.
        let distance = |elo: f64| elo / NORMALIZED_ELO_SCALE * games_each.sqrt();
        let under = |elo: f64| match self.model {
            EloModel::Logistic => with_mean(&values, &observed, expected_score(elo)),
            EloModel::Normalized => at_distance(&values, &observed, distance(elo)),
        };
        let hypotheses = under(self.elo0).into_iter().zip(under(self.elo1));
        let mut llr = 0.0;
        for (count, (p0, p1)) in counts.iter().zip(hypotheses) {
            llr += count * (p1 / p0).ln();
        }
        llr
    }
}

/// The most likely distribution with mean `mean`, strictly between the smallest and the largest
/// value. Here and below a distribution is given by its probabilities of some `values`; the wanted
/// one maximises `Σ observed · ln p`, with every observed probability positive.
///
/// Van den Bergh, <https://www.cantate.be/Fishtest/support_MLE_multinomial.pdf>, proposition 1.1.
fn with_mean(values: &[f64], observed: &[f64], mean: f64) -> Vec<f64> {
    let deviations: Vec<f64> = values.iter().map(|value| value - mean).collect();
    tilted(&deviations, observed).expect("the mean lies between the values")
}

/// The most likely distribution with a mean `distance` of its standard deviations above ½.
///
/// Van den Bergh, "Comments on normalized Elo",
/// <https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>, section 4.1: the condition is
/// made linear at the last distribution, until nothing changes. Lopsided results need more care:
/// the iteration begins with a distribution fulfilling the condition, and steps are shortened as
/// soon as they stop shrinking. If even so no end is seen, far from the observed results, the
/// beginning has to do.
fn at_distance(values: &[f64], observed: &[f64], distance: f64) -> Vec<f64> {
    const STEPS: usize = 2_000;
    // Near the poles of the condition rounding leaves about 1e-12.
    const PRECISION: f64 = 1e-10;
    let first = some_at_distance(values, observed, distance);
    let mut probabilities = first.clone();
    let mut share = 1.0;
    let mut last_change = f64::INFINITY;
    for _ in 0..STEPS {
        let (mean, deviation) = moments(values, &probabilities);
        let linear = |value: &f64| {
            value - 0.5 - distance * deviation * (1.0 + ((mean - value) / deviation).powi(2)) / 2.0
        };
        let condition: Vec<f64> = values.iter().map(linear).collect();
        let Some(next) = tilted(&condition, observed) else {
            break;
        };
        let steps = next.iter().zip(&probabilities);
        let change = steps
            .map(|(new, old)| (new - old).abs())
            .fold(0.0, f64::max);
        if change < PRECISION {
            return next;
        }
        if change > 0.9 * last_change {
            share = f64::max(share / 2.0, 1.0 / 64.0);
        }
        last_change = change;
        for (old, new) in probabilities.iter_mut().zip(next) {
            *old += share * (new - *old);
        }
    }
    first
}

/// The distribution at this distance among the most likely ones of every mean; the distance grows
/// with the mean.
fn some_at_distance(values: &[f64], observed: &[f64], distance: f64) -> Vec<f64> {
    let [low, high] = if distance < 0.0 {
        [values[0], 0.5]
    } else {
        [0.5, values[values.len() - 1]]
    };
    let is_below =
        |mean: f64| mean - 0.5 < distance * moments(values, &with_mean(values, observed, mean)).1;
    let mean = halved([low, high], low + (high - low) / 2.0, is_below);
    with_mean(values, observed, mean)
}

/// The border between the numbers below and the others: an interval is halved until nothing is left
/// between its ends. The ends are not tried; `first` is tried first.
fn halved([mut low, mut high]: [f64; 2], first: f64, is_below: impl Fn(f64) -> bool) -> f64 {
    let mut x = first;
    loop {
        *if is_below(x) { &mut low } else { &mut high } = x;
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            return x;
        }
        x = middle;
    }
}

/// The most likely distribution with a zero mean of `deviations`:
/// `p = observed / (1 + x · deviation)`. The one `x` solves
/// `Σ observed · deviation / (1 + x · deviation) = 0` with all probabilities positive. `None` if
/// all deviations have one sign.
fn tilted(deviations: &[f64], observed: &[f64]) -> Option<Vec<f64>> {
    let least = deviations.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = deviations.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !(least < 0.0 && greatest > 0.0) {
        return None;
    }
    // The sum falls from +∞ to -∞ between the poles: halving never fails, where steps of Newton's
    // might.
    let results = || deviations.iter().zip(observed);
    let sum = |x: f64| -> f64 { results().map(|(d, p)| p * d / (1.0 + x * d)).sum() };
    let x = halved([-1.0 / greatest, -1.0 / least], 0.0, |x| sum(x) > 0.0);
    let probabilities: Vec<f64> = results().map(|(d, p)| p / (1.0 + x * d)).collect();
    let are_all = probabilities.iter().all(|p| p.is_finite() && *p > 0.0);
    are_all.then_some(probabilities)
}

/// Mean and standard deviation of a distribution over `values`.
fn moments(values: &[f64], probabilities: &[f64]) -> (f64, f64) {
    let results = || values.iter().zip(probabilities);
    let mean: f64 = results().map(|(value, p)| value * p).sum();
    let variance: f64 = results().map(|(value, p)| p * (value - mean).powi(2)).sum();
    (mean, variance.sqrt())
}

//! Statistics of many losses.

use serde::Serialize;

use super::loss::{Grade, Loss};
use crate::arena::statistics::Z95;

/// A part of a number of trials, with the interval of the rate behind.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rate {
    pub count: usize,
    pub of: usize,
    /// `count / of`
    pub rate: f64,
    /// The 95 % interval for the true rate.
    pub lower: f64,
    pub upper: f64,
}

impl Rate {
    /// The rate with Wilson's score interval, good for few trials and rates near 0 too (E. B.
    /// Wilson, "Probable inference, the law of succession, and statistical inference", Journal of
    /// the American Statistical Association 22, 1927). `None` without trials.
    pub fn new(count: usize, of: usize) -> Option<Rate> {
        if of == 0 {
            return None;
        }
        let n = of as f64;
        let z2 = Z95 * Z95;
        let rate = count as f64 / n;
        let middle = rate + z2 / (2.0 * n);
        let half = Z95 * (rate * (1.0 - rate) / n + z2 / (4.0 * n * n)).sqrt();
        let part = |value: f64| (value / (1.0 + z2 / n)).clamp(0.0, 1.0);
        Some(Rate {
            count,
            of,
            rate,
            // What was seen is always possible, whatever the rounding says.
            lower: part(middle - half).min(rate),
            upper: part(middle + half).max(rate),
        })
    }

    /// The rate and the ends of its interval in percent.
    pub fn percents(&self) -> [f64; 3] {
        [self.rate, self.lower, self.upper].map(|part| 100.0 * part)
    }
}

/// The difference of two rates from different trials.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The first rate less the second.
    pub value: f64,
    /// The 95 % interval for the true difference.
    pub lower: f64,
    pub upper: f64,
}

impl Difference {
    /// The difference with Newcombe's hybrid interval, made of the two rates' own (R. G. Newcombe,
    /// "Interval estimation for the difference between independent proportions", Statistics in
    /// Medicine 17, 1998, method 10).
    pub fn new(first: &Rate, second: &Rate) -> Difference {
        let value = first.rate - second.rate;
        let reach = |a: f64, b: f64| (a * a + b * b).sqrt();
        Difference {
            value,
            lower: value - reach(first.rate - first.lower, second.upper - second.rate),
            upper: value + reach(first.upper - first.rate, second.rate - second.lower),
        }
    }
}

/// A judged move, reduced to a summary's needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    pub loss: Loss,
    pub grade: Grade,
    /// True for the reference's own move.
    pub agrees: bool,
}

/// Numbers of judged moves.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    pub moves: usize,
    pub inaccuracies: usize,
    pub mistakes: usize,
    /// `None` if no move was judged, like all fields below.
    pub blunders: Option<Rate>,
    /// The rate of the reference's own moves.
    pub agreement: Option<Rate>,
    /// The mean and median loss, in pawns.
    pub mean: Option<f64>,
    pub median: Option<f64>,
    /// The mean loss of winning chances, in percentage points.
    pub mean_chances: Option<f64>,
    /// The mean of two means of the moves' [`accuracy`](super::Loss::accuracy), the arithmetic and
    /// the harmonic, as lichess has them for a game, but without its weights.
    pub accuracy: Option<f64>,
}

impl Summary {
    /// The summary of these moves.
    pub fn new(samples: impl IntoIterator<Item = Sample>) -> Summary {
        let mut losses = Vec::new();
        let mut graded = [0; 4];
        let mut agreed = 0;
        let mut centipawns = 0;
        let mut chances = 0.0;
        let mut accuracy = 0.0;
        let mut inverse = 0.0;
        for Sample {
            loss,
            grade,
            agrees,
        } in samples
        {
            losses.push(loss.centipawns);
            graded[grade as usize] += 1;
            agreed += usize::from(agrees);
            centipawns += i64::from(loss.centipawns);
            chances += loss.chances;
            accuracy += loss.accuracy();
            inverse += 1.0 / loss.accuracy().max(1.0);
        }
        let [_, inaccuracies, mistakes, blunders] = graded;
        let moves = losses.len();
        let mean = |total: f64| (moves > 0).then(|| total / moves as f64);
        Summary {
            moves,
            inaccuracies,
            mistakes,
            blunders: Rate::new(blunders, moves),
            agreement: Rate::new(agreed, moves),
            mean: mean(centipawns as f64 / 100.0),
            median: median(losses),
            mean_chances: mean(chances),
            accuracy: mean(accuracy).map(|mean| (mean + moves as f64 / inverse) / 2.0),
        }
    }
}

/// The median in pawns; of an even number the mean of the two in the middle.
fn median(mut losses: Vec<i32>) -> Option<f64> {
    losses.sort_unstable();
    let upper = *losses.get(losses.len() / 2)?;
    let lower = losses[(losses.len() - 1) / 2];
    Some(f64::from(lower + upper) / 200.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilsons_interval_has_its_known_values() {
        // Newcombe 1998 ("Two-sided confidence intervals for the single proportion"), table I,
        // method 3.
        for (count, of, lower, upper) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let rate = Rate::new(count, of).expect("trials");
            assert!(
                (rate.lower - lower).abs() < 1e-4 && (rate.upper - upper).abs() < 1e-4,
                "{rate:?}"
            );
        }
        assert_eq!(Rate::new(0, 0), None);
        assert_eq!(Rate::new(20, 20).expect("trials").upper, 1.0);
    }

    #[test]
    fn newcombes_interval_has_its_known_values() {
        // Newcombe 1998 ("... for the difference between independent proportions"), table II,
        // method 10.
        for (first, second, lower, upper) in [
            ((56, 70), (48, 80), 0.0524, 0.3339),
            ((9, 10), (3, 10), 0.1705, 0.8090),
            ((10, 10), (0, 20), 0.6791, 1.0),
        ] {
            let rate = |(count, of)| Rate::new(count, of).expect("trials");
            let difference = Difference::new(&rate(first), &rate(second));
            let off = [difference.lower - lower, difference.upper - upper];
            assert!(off.iter().all(|off| off.abs() < 1e-4), "{difference:?}");
        }
    }

    #[test]
    fn nothing_judged_says_nothing() {
        let empty = Summary::new([]);
        assert_eq!(
            (empty.moves, empty.mean, empty.median, empty.blunders),
            (0, None, None, None)
        );
        let loss = |centipawns| Loss {
            centipawns,
            chances: 1.0,
        };
        let sample = |lost| Sample {
            loss: loss(lost),
            grade: Grade::Fine,
            agrees: lost == 0,
        };
        let even = Summary::new([10, 0, 40, 20].map(sample));
        assert_eq!(
            (even.median, even.mean, even.mean_chances),
            (Some(0.15), Some(0.175), Some(1.0))
        );
        assert_eq!(even.agreement.map(|rate| rate.rate), Some(0.25));
        assert_eq!(even.accuracy, Some(loss(0).accuracy()));
        let mut samples = [sample(0), sample(0)];
        samples[1].loss.chances = 20.0;
        let [good, bad] = samples.map(|sample| sample.loss.accuracy());
        let arithmetic = (good + bad) / 2.0;
        let harmonic = 2.0 / (1.0 / good + 1.0 / bad);
        let accuracy = Summary::new(samples).accuracy.expect("two moves");
        assert!((accuracy - (arithmetic + harmonic) / 2.0).abs() < 1e-9);
    }
}

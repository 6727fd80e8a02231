//! Logistic regression: weights whose sums predict results best. The rows are numbers, without any
//! chess.
//!
//! A row's value v is the sum of its coefficients times the weights. The predicted result is p =
//! 1/(1 + 10^(-K v / 400)), its loss is the negative of r ln p + (1 - r) ln(1 - p). First K is
//! found and fixed, then the weights, by Adam (Kingma & Ba 2015) on all rows at once.

use rayon::prelude::*;

/// The coefficients of a position that are not 0, each in 256ths with the number of its weight.
pub struct SparseRow(Vec<(i16, u16)>);

/// The factor to store a coefficient as a whole number.
const UNIT: f64 = 256.0;

impl SparseRow {
    /// A row of coefficients, one for each weight; most are 0. None may be beyond 127.
    pub fn new(coefficients: &[f64]) -> SparseRow {
        let limit = f64::from(i16::MAX);
        let kept = |coefficient: &f64| (coefficient * UNIT).round().clamp(-limit, limit) as i16;
        let mut entries: Vec<(i16, u16)> = coefficients.iter().map(kept).zip(0..).collect();
        entries.retain(|&(coefficient, _)| coefficient != 0);
        // In this order sums were rounded when the weights that ship were fitted.
        entries.sort_unstable();
        SparseRow(entries)
    }
}

/// Sparse rows with their results.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// The entries of all rows, one after the other: see [`SparseRow`].
    entries: Vec<(i16, u16)>,
    /// The end of each row.
    ends: Vec<u32>,
    /// 1, 0 or between.
    results: Vec<f32>,
    /// The value of each row by a search. NaN where unknown.
    values: Vec<f32>,
}

impl Rows {
    /// Adds a row, with another's opinion of its value if there is one.
    pub fn push(&mut self, row: &SparseRow, result: f32, value: Option<f32>) {
        self.entries.extend(&row.0);
        self.ends
            .push(u32::try_from(self.entries.len()).expect("fewer than four thousand million"));
        self.results.push(result);
        self.values.push(value.unwrap_or(f32::NAN));
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns true if there is no row.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the bytes of the rows.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.entries) + 12 * self.len()
    }

    /// Calls `tell` for all weights of a row with a coefficient, with the coefficient in 256ths.
    #[inline]
    fn each(&self, index: usize, mut tell: impl FnMut(usize, f32)) {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        for &(coefficient, weight) in &self.entries[start as usize..self.ends[index] as usize] {
            tell(usize::from(weight), f32::from(coefficient));
        }
    }

    fn value(&self, index: usize, weights: &[f32]) -> f32 {
        let mut sum = 0.0;
        self.each(index, |weight, times| sum += weights[weight] * times);
        sum / UNIT as f32
    }

    /// Returns the sums of `each` over all rows, in pieces that do not depend on the number of
    /// threads.
    fn sum<T: Send>(
        &self,
        empty: impl Fn() -> T + Sync,
        each: impl Fn(&mut T, usize) + Sync,
    ) -> Vec<T> {
        const PIECE: usize = 4096;
        (0..self.len().div_ceil(PIECE))
            .into_par_iter()
            .map(|piece| {
                let mut sum = empty();
                (piece * PIECE..((piece + 1) * PIECE).min(self.len()))
                    .for_each(|row| each(&mut sum, row));
                sum
            })
            .collect()
    }

    /// The mean loss.
    pub fn loss(&self, weights: &[f64], k: f64) -> f64 {
        let weights: Vec<f32> = weights.iter().map(|&weight| weight as f32).collect();
        let k = scale(k);
        let sums = self.sum(
            || 0.0,
            |sum, row| *sum += f64::from(loss(k * self.value(row, &weights), self.results[row])),
        );
        sums.into_iter().sum::<f64>() / self.len() as f64
    }

    /// Returns the number of rows with a value.
    pub fn valued(&self) -> usize {
        self.values.iter().filter(|value| !value.is_nan()).count()
    }

    /// Returns the target of each row: its result, or with a known value, the share of the value's
    /// prediction and the rest of the result.
    fn targets(&self, k: f64, share: f64) -> Vec<f32> {
        let k = scale(k);
        let share = share as f32;
        let target = |(&result, &value): (&f32, &f32)| {
            if value.is_nan() {
                result
            } else {
                (1.0 - share) * result + share * sigmoid(k * value)
            }
        };
        self.results.iter().zip(&self.values).map(target).collect()
    }

    /// Returns the growth of the mean loss with each weight.
    fn gradient(&self, weights: &[f64], k: f64, targets: &[f32]) -> Vec<f64> {
        let rounded: Vec<f32> = weights.iter().map(|&weight| weight as f32).collect();
        let k = scale(k);
        let pieces = self.sum(
            || (vec![0.0_f32; weights.len()], Vec::new()),
            |(sum, read), row| {
                read.clear();
                let mut value = 0.0;
                self.each(row, |weight, times| {
                    value += rounded[weight] * times;
                    read.push((weight, times));
                });
                let error = sigmoid(k * (value / UNIT as f32)) - targets[row];
                read.iter()
                    .for_each(|&(weight, times)| sum[weight] += error * times);
            },
        );
        let mut gradient = vec![0.0; weights.len()];
        for (piece, _) in pieces {
            gradient
                .iter_mut()
                .zip(piece)
                .for_each(|(sum, part)| *sum += f64::from(part));
        }
        let factor = f64::from(k) / UNIT / self.len() as f64;
        gradient.iter_mut().for_each(|sum| *sum *= factor);
        gradient
    }

    /// The K with the smallest loss, by golden section.
    pub fn best_k(&self, weights: &[f64]) -> f64 {
        let ratio = (5.0_f64.sqrt() - 1.0) / 2.0;
        let mut low = 0.01;
        let mut high = 5.0;
        for _ in 0..30 {
            let left = high - ratio * (high - low);
            let right = low + ratio * (high - low);
            if self.loss(weights, left) < self.loss(weights, right) {
                high = right
            } else {
                low = left
            }
        }
        (low + high) / 2.0
    }
}

/// K for the natural logarithm and hundredths.
fn scale(k: f64) -> f32 {
    (k * std::f64::consts::LN_10 / 400.0) as f32
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// -r ln p - (1 - r) ln(1 - p) for p = sigmoid(x), without overflow.
fn loss(x: f32, result: f32) -> f32 {
    x.max(0.0) - result * x + (-x.abs()).exp().ln_1p()
}

/// The options of the search for weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The factor of the sum of the squares of the weights' changes, added to the mean loss.
    pub pull: f64,
    pub epochs: u32,
    /// Epochs without a better held-out loss before the search ends.
    pub patience: u32,
    /// The share of a row's value, where known, in the target, from 0 to 1; the rest is its result.
    /// Held-out rows are judged by results alone.
    pub search_share: f64,
}

/// The progress of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Epoch {
    pub number: u32,
    pub held_out_loss: f64,
}

/// The result of the search.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// The weights with the smallest held-out loss.
    pub weights: Vec<f64>,
    pub k: f64,
    /// The losses on the held-out rows: of the first weights, and then after each epoch.
    pub held_out_losses: Vec<f64>,
    /// The epoch of `weights`; 0 if nothing was better than the first ones.
    pub best_epoch: usize,
}

/// The largest change of a weight in an epoch, about.
const STEP: f64 = 1.0;
/// The decay of the means of the gradient and of its square.
const MEMORY: [f64; 2] = [0.9, 0.999];

/// Looks for weights within their ranges, from `first` on. `tell` gets every epoch.
pub fn fit(
    rows: &Rows,
    held_out: &Rows,
    first: &[f64],
    ranges: &[[f64; 2]],
    options: Options,
    tell: &mut dyn FnMut(Epoch),
) -> Fitted {
    let k = rows.best_k(first);
    let targets = rows.targets(k, options.search_share);
    let mut weights = first.to_vec();
    let mut means = vec![[0.0_f64; 2]; weights.len()];
    let mut forgotten = [1.0, 1.0];
    let mut fitted = Fitted {
        weights: weights.clone(),
        k,
        held_out_losses: vec![held_out.loss(first, k)],
        best_epoch: 0,
    };
    for number in 1..=options.epochs {
        let gradient = rows.gradient(&weights, k, &targets);
        forgotten = [0, 1].map(|moment| forgotten[moment] * MEMORY[moment]);
        for ((((weight, &first), &[low, high]), gradient), mean) in weights
            .iter_mut()
            .zip(first)
            .zip(ranges)
            .zip(gradient)
            .zip(&mut means)
        {
            let gradient = gradient + 2.0 * options.pull * (*weight - first);
            let moments = [gradient, gradient * gradient];
            for moment in 0..2 {
                mean[moment] += (1.0 - MEMORY[moment]) * (moments[moment] - mean[moment]);
            }
            let [mean, square] = [0, 1].map(|moment| mean[moment] / (1.0 - forgotten[moment]));
            *weight = (*weight - STEP * mean / (square.sqrt() + 1e-9)).clamp(low, high);
        }
        let loss = held_out.loss(&weights, k);
        fitted.held_out_losses.push(loss);
        if loss < fitted.held_out_losses[fitted.best_epoch] {
            fitted.best_epoch = number as usize;
            fitted.weights.clone_from(&weights);
        }
        tell(Epoch {
            number,
            held_out_loss: loss,
        });
        if number as usize - fitted.best_epoch >= options.patience as usize {
            break;
        }
    }
    fitted
}

#[cfg(test)]
mod tests {
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};

    use super::*;

    const TRUE: [f64; 5] = [100.0, -40.0, 15.0, 0.0, 325.0];

    /// Rows of small whole numbers, with results drawn as the weights say.
    fn synthetic(count: usize, seed: u64) -> Rows {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut rows = Rows::default();
        for _ in 0..count {
            let coefficients: Vec<f64> = TRUE
                .iter()
                .map(|_| f64::from(random.random_range(-2..=2_i32)) / 2.0)
                .collect();
            let value: f64 = coefficients
                .iter()
                .zip(TRUE)
                .map(|(times, weight)| times * weight)
                .sum();
            let wins = random.random_bool(f64::from(sigmoid(scale(1.0) * value as f32)));
            rows.push(
                &SparseRow::new(&coefficients),
                if wins { 1.0 } else { 0.0 },
                Some(value as f32),
            );
        }
        rows
    }

    const OPTIONS: Options = Options {
        pull: 0.0,
        epochs: 400,
        patience: 40,
        search_share: 0.0,
    };
    const FIRST: [f64; 5] = [60.0, 0.0, 0.0, 20.0, 280.0];
    const ANY: [[f64; 2]; 5] = [[-2_000.0, 2_000.0]; 5];

    #[test]
    fn known_weights_are_found_again() {
        let rows = synthetic(40_000, 1);
        let held_out = synthetic(10_000, 2);
        let k = rows.best_k(&TRUE);
        assert!((k - 1.0).abs() < 0.05, "{k}");
        let fitted = fit(&rows, &held_out, &FIRST, &ANY, OPTIONS, &mut |_| ());
        // What cannot be told apart is the size of all weights from K.
        for (found, expected) in fitted.weights.iter().zip(TRUE) {
            assert!(
                (found * fitted.k - expected).abs() < 12.0,
                "{:?}, K {}",
                fitted.weights,
                fitted.k
            );
        }
        assert!(fitted.held_out_losses[fitted.best_epoch] < fitted.held_out_losses[0]);
    }

    /// The results of few rows tell little; their values, known here, tell all.
    #[test]
    fn values_help_where_results_are_few() {
        let rows = synthetic(400, 1);
        let held_out = synthetic(10_000, 2);
        let off = |search_share| -> f64 {
            let options = Options {
                search_share,
                ..OPTIONS
            };
            let fitted = fit(&rows, &held_out, &FIRST, &ANY, options, &mut |_| ());
            fitted
                .weights
                .iter()
                .zip(TRUE)
                .map(|(found, expected)| (found - expected).abs())
                .sum()
        };
        assert!(off(1.0) < off(0.0) / 2.0, "{} {}", off(1.0), off(0.0));
    }

    #[test]
    fn rows_are_what_was_pushed() {
        let mut rows = Rows::default();
        let pushed: [&dyn Fn(usize) -> f64; 4] = [
            &|weight| if weight % 255 == 0 { -1.5 } else { 0.0 },
            &|weight| [0.0, 0.25, 2.0][weight % 3],
            &|_| 0.0,
            &|weight| {
                if [3, 258, 767, 1_299].contains(&weight) {
                    weight as f64 / 100.0
                } else {
                    0.0
                }
            },
        ];
        for row in pushed {
            rows.push(
                &SparseRow::new(&(0..1_300).map(row).collect::<Vec<_>>()),
                0.5,
                None,
            );
        }
        for (index, row) in pushed.into_iter().enumerate() {
            let mut seen = vec![0.0; 1_300];
            rows.each(index, |weight, times| {
                seen[weight] += f64::from(times) / UNIT
            });
            let differs = |weight: &usize| (seen[*weight] - row(*weight)).abs() > 0.5 / UNIT;
            assert_eq!((0..1_300).find(differs), None, "row {index}");
        }
    }

    #[test]
    fn a_pull_keeps_weights_and_results_do_not_depend_on_threads() {
        let rows = synthetic(10_000, 1);
        let held_out = synthetic(3_000, 2);
        let run = |threads, pull| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .expect("threads");
            let options = Options { pull, ..OPTIONS };
            pool.install(|| fit(&rows, &held_out, &FIRST, &ANY, options, &mut |_| ()))
        };
        let moved = |fitted: &Fitted| -> f64 {
            fitted
                .weights
                .iter()
                .zip(FIRST)
                .map(|(weight, first)| (weight - first).abs())
                .sum()
        };
        let free = run(1, 0.0);
        assert!(moved(&run(1, 1e-3)) < moved(&free) / 4.0);
        assert_eq!(run(3, 0.0), free);
    }

    /// The others are found as they are beside the one that may not change.
    #[test]
    fn weights_stay_in_their_ranges() {
        let rows = synthetic(10_000, 1);
        let held_out = synthetic(3_000, 2);
        let first = [150.0, 0.0, 0.0, 20.0, 280.0];
        let mut ranges = ANY;
        ranges[0] = [150.0, 150.0];
        ranges[4] = [200.0, 300.0];
        let fitted = fit(&rows, &held_out, &first, &ranges, OPTIONS, &mut |_| ());
        assert_eq!(fitted.weights[0], 150.0);
        assert!(
            (200.0..=300.0).contains(&fitted.weights[4]),
            "{:?}",
            fitted.weights
        );
        assert!(fitted.weights[1] < -20.0, "{:?}", fitted.weights);
    }

    #[test]
    fn the_loss_is_that_of_the_definition() {
        for (x, result) in [(0.3_f32, 1.0_f32), (-2.0, 0.5), (4.0, 0.0)] {
            let p = f64::from(sigmoid(x));
            let r = f64::from(result);
            let expected = -r * p.ln() - (1.0 - r) * (1.0 - p).ln();
            assert!((f64::from(loss(x, result)) - expected).abs() < 1e-5);
        }
        assert!(loss(-1e6, 1.0).is_finite());
    }
}

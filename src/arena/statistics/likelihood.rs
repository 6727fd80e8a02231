//! The most likely distribution of results under a condition.
//!
//! Results take equally spaced values; a distribution is given by its probabilities. Both functions maximise
//! `Σ observed · ln p`.

/// Mean and variance of a distribution over `values`.
pub(super) fn moments(values: &[f64], probabilities: &[f64]) -> (f64, f64) {
    let mean: f64 = values.iter().zip(probabilities).map(|(value, p)| value * p).sum();
    let variance = values.iter().zip(probabilities).map(|(value, p)| p * (value - mean).powi(2)).sum();
    (mean, variance)
}

/// The most likely distribution with mean `mean`, which lies strictly between the smallest and the largest
/// value; every probability observed is positive. `None` if that is not so.
///
/// Van den Bergh, <https://www.cantate.be/Fishtest/support_MLE_multinomial.pdf>, proposition 1.1.
pub(super) fn with_mean(values: &[f64], observed: &[f64], mean: f64) -> Option<Vec<f64>> {
    let deviations: Vec<f64> = values.iter().map(|value| value - mean).collect();
    tilted(&deviations, observed)
}

/// The most likely distribution with `(mean - reference) / standard deviation = t`; `None` if the iteration
/// finds none.
///
/// Van den Bergh, "Comments on normalized Elo",
/// <https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>, section 4.1: the condition is made linear
/// at the last distribution, until nothing changes. Lopsided results need more care than that: it begins with
/// a distribution that fulfils the condition, and steps are shortened as soon as they stop shrinking.
pub(super) fn with_t_value(values: &[f64], observed: &[f64], reference: f64, t: f64) -> Option<Vec<f64>> {
    const ITERATIONS: usize = 2_000;
    // Near the poles of the condition rounding leaves about 1e-12.
    const PRECISION: f64 = 1e-10;
    let mut probabilities = some_with_t_value(values, observed, reference, t)?;
    let (mut share, mut last_change) = (1.0, f64::INFINITY);
    for _ in 0..ITERATIONS {
        let (mean, variance) = moments(values, &probabilities);
        let deviation = variance.sqrt();
        let condition: Vec<f64> = values
            .iter()
            .map(|value| {
                value - reference - t * deviation * (1.0 + ((mean - value) / deviation).powi(2)) / 2.0
            })
            .collect();
        let next = tilted(&condition, observed)?;
        let change = next.iter().zip(&probabilities).map(|(new, old)| (new - old).abs()).fold(0.0, f64::max);
        if change < PRECISION {
            return Some(next);
        }
        if change > 0.9 * last_change {
            share = f64::max(share / 2.0, 1.0 / 64.0);
        }
        last_change = change;
        for (old, new) in probabilities.iter_mut().zip(next) {
            *old += share * (new - *old);
        }
    }
    None
}

/// Among the most likely distributions of every mean, the one with this `t`: it grows with the mean, without
/// bound at both ends.
fn some_with_t_value(values: &[f64], observed: &[f64], reference: f64, t: f64) -> Option<Vec<f64>> {
    const HALVINGS: usize = 100;
    let (mut low, mut high) =
        if t < 0.0 { (values[0], reference) } else { (reference, values[values.len() - 1]) };
    let mut found = with_mean(values, observed, reference);
    for _ in 0..HALVINGS {
        let Some(next) = with_mean(values, observed, low + (high - low) / 2.0) else {
            break;
        };
        let (mean, variance) = moments(values, &next);
        if mean - reference < t * variance.sqrt() {
            low = mean;
        } else {
            high = mean;
        }
        found = Some(next);
    }
    found
}

/// The most likely distribution that makes the mean of `deviations` zero: `p = observed / (1 + x ·
/// deviation)`, with the one `x` for which
/// `Σ observed · deviation / (1 + x · deviation) = 0` and all probabilities are positive.
fn tilted(deviations: &[f64], observed: &[f64]) -> Option<Vec<f64>> {
    let least = deviations.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = deviations.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !(least < 0.0 && greatest > 0.0) {
        return None;
    }
    // The sum falls from +∞ to -∞ between the poles: halving never fails, where steps of Newton's might.
    let (mut low, mut high) = (-1.0 / greatest, -1.0 / least);
    let mut x = 0.0;
    loop {
        let sum: f64 = deviations.iter().zip(observed).map(|(d, p)| p * d / (1.0 + x * d)).sum();
        if sum > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high || middle == x {
            break;
        }
        x = middle;
    }
    let probabilities: Vec<f64> = deviations.iter().zip(observed).map(|(d, p)| p / (1.0 + x * d)).collect();
    probabilities.iter().all(|p| p.is_finite() && *p > 0.0).then_some(probabilities)
}

//! The most likely distribution of results under a condition.
//!
//! A distribution is given by its probabilities of some values. What is looked for maximises
//! `Σ observed · ln p`, where every probability observed is positive.

/// Mean and standard deviation of a distribution over `values`.
fn moments(values: &[f64], probabilities: &[f64]) -> (f64, f64) {
    let mean: f64 = values.iter().zip(probabilities).map(|(value, p)| value * p).sum();
    let variance: f64 = values.iter().zip(probabilities).map(|(value, p)| p * (value - mean).powi(2)).sum();
    (mean, variance.sqrt())
}

/// The most likely distribution with mean `mean`, which lies strictly between the smallest and the largest
/// value.
///
/// Van den Bergh, <https://www.cantate.be/Fishtest/support_MLE_multinomial.pdf>, proposition 1.1.
pub(super) fn with_mean(values: &[f64], observed: &[f64], mean: f64) -> Vec<f64> {
    let deviations: Vec<f64> = values.iter().map(|value| value - mean).collect();
    tilted(&deviations, observed).expect("the mean lies between the values")
}

/// The most likely distribution whose mean lies `distance` of its standard deviations above ½.
///
/// Van den Bergh, "Comments on normalized Elo",
/// <https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>, section 4.1: the condition is made linear
/// at the last distribution, until nothing changes. Lopsided results need more care than that: it begins with
/// a distribution that fulfils the condition, and steps are shortened as soon as they stop shrinking. Where
/// even so no end is seen, far from what was observed, the beginning has to do.
pub(super) fn at_distance(values: &[f64], observed: &[f64], distance: f64) -> Vec<f64> {
    const STEPS: usize = 2_000;
    // Near the poles of the condition rounding leaves about 1e-12.
    const PRECISION: f64 = 1e-10;
    let first = some_at_distance(values, observed, distance);
    let mut probabilities = first.clone();
    let (mut share, mut last_change) = (1.0, f64::INFINITY);
    for _ in 0..STEPS {
        let (mean, deviation) = moments(values, &probabilities);
        let linear = |value: &f64| {
            value - 0.5 - distance * deviation * (1.0 + ((mean - value) / deviation).powi(2)) / 2.0
        };
        let condition: Vec<f64> = values.iter().map(linear).collect();
        let Some(next) = tilted(&condition, observed) else { break };
        let change = next.iter().zip(&probabilities).map(|(new, old)| (new - old).abs()).fold(0.0, f64::max);
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

/// Among the most likely distributions of every mean, the one at this distance, which grows with the mean.
fn some_at_distance(values: &[f64], observed: &[f64], distance: f64) -> Vec<f64> {
    let (least, greatest) = (values[0], values[values.len() - 1]);
    let (mut low, mut high) = if distance < 0.0 { (least, 0.5) } else { (0.5, greatest) };
    let mut found = with_mean(values, observed, 0.5);
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            break found;
        }
        found = with_mean(values, observed, middle);
        if middle - 0.5 < distance * moments(values, &found).1 {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// The most likely distribution in which the mean of `deviations` is zero: `p = observed / (1 + x ·
/// deviation)`, with the one `x` for which `Σ observed · deviation / (1 + x · deviation) = 0` and all
/// probabilities are positive. `None` if all deviations have one sign.
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

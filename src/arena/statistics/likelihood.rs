//! The most likely distribution of results with a given mean.
//!
//! A distribution is given by its probabilities of some values.

/// The standard deviation of a distribution over `values`.
fn deviation(values: &[f64], probabilities: &[f64]) -> f64 {
    let mean: f64 = values.iter().zip(probabilities).map(|(value, p)| value * p).sum();
    values.iter().zip(probabilities).map(|(value, p)| p * (value - mean).powi(2)).sum::<f64>().sqrt()
}

/// The distribution with mean `mean` that maximises `Σ observed · ln p`. The mean lies strictly between the
/// smallest and the largest value, and every probability observed is positive.
///
/// It is `p = observed / (1 + x · (value - mean))`, with the one `x` for which `Σ observed · (value - mean) /
/// (1 + x · (value - mean)) = 0` and all probabilities are positive (Van den Bergh,
/// <https://www.cantate.be/Fishtest/support_MLE_multinomial.pdf>, proposition 1.1).
pub(super) fn with_mean(values: &[f64], observed: &[f64], mean: f64) -> Vec<f64> {
    let deviations: Vec<f64> = values.iter().map(|value| value - mean).collect();
    let least = deviations.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = deviations.iter().copied().fold(f64::NEG_INFINITY, f64::max);
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
    deviations.iter().zip(observed).map(|(d, p)| p / (1.0 + x * d)).collect()
}

/// The same for the mean that lies `distance` of its own standard deviations above ½.
pub(super) fn at_distance(values: &[f64], observed: &[f64], distance: f64) -> Vec<f64> {
    let (least, greatest) = (values[0], values[values.len() - 1]);
    let (mut low, mut high) = if distance < 0.0 { (least, 0.5) } else { (0.5, greatest) };
    let mut found = with_mean(values, observed, 0.5);
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            break found;
        }
        found = with_mean(values, observed, middle);
        if middle - 0.5 < distance * deviation(values, &found) {
            low = middle;
        } else {
            high = middle;
        }
    }
}

//! The evidence of a few runs, and its reliability.

/// The mean and half of its 95 % interval, by Student's distribution; of a single value the
/// interval has no width.
pub fn mean_with_interval(values: &[f64]) -> [f64; 2] {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    if values.len() < 2 {
        return [mean, 0.0];
    }
    let variance = values
        .iter()
        .map(|value| (value - mean).powi(2))
        .sum::<f64>()
        / (n - 1.0);
    [mean, student(values.len() - 1) * libm::sqrt(variance / n)]
}

/// The sum of some numbers as a part of the sum of those beside them, with the ends of its 95 %
/// interval over the pairs (the ratio estimator: W. G. Cochran, "Sampling Techniques", 1977,
/// section 6.3).
pub fn share_with_interval(pairs: &[[f64; 2]]) -> [f64; 3] {
    let [mut sum, mut whole] = [0.0; 2];
    for pair in pairs {
        sum += pair[0];
        whole += pair[1];
    }
    let share = sum / whole;
    let residuals: Vec<f64> = pairs.iter().map(|pair| pair[0] - share * pair[1]).collect();
    let [_, half] = mean_with_interval(&residuals);
    let half = half * pairs.len() as f64 / whole;
    [share, share - half, share + half]
}

/// The 97.5 % quantile of Student's distribution, within 0.1 % from two degrees of freedom on
/// (Cornish-Fisher expansion about the normal quantile).
fn student(degrees: usize) -> f64 {
    if degrees == 1 {
        return 12.706;
    }
    let z = 1.959_964_f64;
    let n = degrees as f64;
    let [z3, z5, z7, z9] = [z.powi(3), z.powi(5), z.powi(7), z.powi(9)];
    z + (z3 + z) / (4.0 * n)
        + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * n.powi(2))
        + (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / (384.0 * n.powi(3))
        + (79.0 * z9 + 776.0 * z7 + 1482.0 * z5 - 1920.0 * z3 - 945.0 * z) / (92160.0 * n.powi(4))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Printed in every table of the distribution.
    #[test]
    fn students_quantiles() {
        for (degrees, expected) in [
            (1, 12.706),
            (2, 4.303),
            (4, 2.776),
            (9, 2.262),
            (19, 2.093),
            (100, 1.984),
        ] {
            assert!(
                (student(degrees) / expected - 1.0).abs() < 0.02,
                "{degrees}: {}",
                student(degrees)
            );
        }
        let [mean, half] = mean_with_interval(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        assert!(
            (mean - 3.0).abs() < 1e-12 && (half - 1.963).abs() < 0.01,
            "{mean} {half}"
        );
    }

    #[test]
    fn shares_of_sums() {
        // By hand: 6 of 20; residuals 0.7, -1, 0.3, whose standard error is 0.513; Student's 4.303.
        let [share, low, high] = share_with_interval(&[[1.0, 1.0], [2.0, 10.0], [3.0, 9.0]]);
        assert!((share - 0.3).abs() < 1e-12);
        let half = 4.303 * 0.5132 * 3.0 / 20.0;
        assert!(
            (high - share - half).abs() < 0.01 && (share - low - half).abs() < 0.01,
            "{low} {high}"
        );
        let [share, low, high] = share_with_interval(&[[1.0, 2.0], [2.0, 4.0]]);
        assert_eq!([share, low, high], [0.5; 3], "always the same share");
    }
}

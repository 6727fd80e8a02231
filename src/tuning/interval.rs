//! The mean of a few runs, and how far it can be believed.

/// The mean and half of its 95 % interval, by Student's distribution; of a single value the interval has no
/// width.
pub fn mean_with_interval(values: &[f64]) -> [f64; 2] {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    if values.len() < 2 {
        return [mean, 0.0];
    }
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
    [mean, student(values.len() - 1) * libm::sqrt(variance / n)]
}

/// The 97.5 % quantile of Student's distribution, within 0.1 % from two degrees of freedom on (Cornish-Fisher
/// expansion about the normal quantile).
fn student(degrees: usize) -> f64 {
    if degrees == 1 {
        return 12.706;
    }
    let (z, n) = (1.959_964_f64, degrees as f64);
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
        for (degrees, expected) in
            [(1, 12.706), (2, 4.303), (4, 2.776), (9, 2.262), (19, 2.093), (100, 1.984)]
        {
            assert!((student(degrees) / expected - 1.0).abs() < 0.02, "{degrees}: {}", student(degrees));
        }
        let [mean, half] = mean_with_interval(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        assert!((mean - 3.0).abs() < 1e-12 && (half - 1.963).abs() < 0.01, "{mean} {half}");
    }
}

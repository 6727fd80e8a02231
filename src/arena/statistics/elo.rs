//! Elo differences and scores: one logistic curve, and estimates with their intervals.

use std::f64::consts::{LN_10, SQRT_2};
use std::fmt;

use serde::Serialize;

/// The 97.5 % quantile of the normal distribution: 95 % lie within so many standard errors.
pub const Z95: f64 = 1.959_963_984_540_054;

/// A player's average score (0 to 1) against one `elo` weaker: `1 / (1 + 10^(-elo/400))`.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + (-elo * LN_10 / 400.0).exp())
}

/// The Elo difference to explain a score between 0 and 1, the inverse of [`expected_score`];
/// infinite at the ends.
pub fn elo_difference(score: f64) -> f64 {
    // Rounding may carry the end of an interval past the end of the scale.
    let score = score.clamp(0.0, 1.0);
    400.0 / LN_10 * (score / (1.0 - score)).ln()
}

/// The probability of a standard normal variable below `z`.
pub(super) fn normal_probability(z: f64) -> f64 {
    0.5 * libm::erfc(-z / SQRT_2)
}

/// A number with its 95 % interval. Any of the three may be infinite (`null` in JSON): a winner of
/// every game may be of any strength.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

impl Estimate {
    /// A value with a symmetric interval.
    pub(super) fn around(value: f64, half_width: f64) -> Estimate {
        Estimate {
            value,
            low: value - half_width,
            high: value + half_width,
        }
    }

    /// The estimate seen from the other side.
    pub fn reversed(self) -> Estimate {
        Estimate {
            value: -self.value,
            low: -self.high,
            high: -self.low,
        }
    }

    /// The value and the ends of its interval, as charts and tables have them.
    pub fn interval(self) -> [f64; 3] {
        [self.value, self.low, self.high]
    }
}

/// Whole numbers with signs: `+168 (+34 to +384)`, `at least +180` of perfect scores, `+56 (no
/// interval)`.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [value, low, high] = self.interval().map(signed);
        match (self.low.is_finite(), self.high.is_finite()) {
            (true, true) => write!(f, "{value} ({low} to {high})"),
            (true, false) => write!(f, "at least {low}"),
            (false, true) => write!(f, "at most {high}"),
            (false, false) => write!(f, "{value} (no interval)"),
        }
    }
}

/// A whole number with its sign; `+0` for anything rounded to zero from either side.
fn signed(number: f64) -> String {
    format!("{:+.0}", if number.abs() < 0.5 { 0.0 } else { number })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_has_its_known_points() {
        // Elo, "The Rating of Chessplayers", table 2.11 is of the normal curve; these are of the
        // logistic one: 10^(d/400) : 1.
        for (elo, score) in [
            (0.0, 0.5),
            (400.0, 10.0 / 11.0),
            (-400.0, 1.0 / 11.0),
            (800.0, 100.0 / 101.0),
        ] {
            assert!((expected_score(elo) - score).abs() < 1e-12, "{elo}");
            assert!((elo_difference(score) - elo).abs() < 1e-9, "{elo}");
        }
        assert_eq!(
            [1.0, 1.2, 0.0].map(elo_difference),
            [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY]
        );
    }

    #[test]
    fn the_normal_distribution_has_its_known_points() {
        for (z, probability) in [
            (0.0, 0.5),
            (Z95, 0.975),
            (-Z95, 0.025),
            (-1.0, 0.158_655_253_931_457_05),
        ] {
            assert!((normal_probability(z) - probability).abs() < 1e-14, "{z}");
        }
        // Far out it is small, not zero.
        assert!(normal_probability(-30.0) > 0.0);
    }

    #[test]
    fn estimates_are_printed_with_signs() {
        let estimate = Estimate {
            value: -0.3,
            low: f64::NEG_INFINITY,
            high: 12.6,
        };
        assert_eq!(estimate.to_string(), "at most +13");
        assert_eq!(estimate.reversed().to_string(), "at least -13");
        assert_eq!(Estimate::around(56.4, 20.0).to_string(), "+56 (+36 to +76)");
        // Infinity stands on neither side of a number.
        assert_eq!(
            Estimate::around(56.4, f64::INFINITY).to_string(),
            "+56 (no interval)"
        );
    }
}

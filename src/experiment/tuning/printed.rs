//! T1: what is printed, computed again.

#[cfg(test)]
mod tests {
    use crate::arena::statistics::{elo_difference, expected_score};

    /// Table II: wins, draws, losses, percentage.
    const TABLE_2: &str = "189 11 0 97.25, 189 10 1 97.00, 188 12 0 97.00, 188 12 0 97.00, 188 12 0 97.00, \
                           187 13 0 96.75, 187 13 0 96.75, 187 13 0 96.75, 188 11 1 96.75, 186 14 0 96.50, \
                           186 13 1 96.25, 186 13 1 96.25, 186 13 1 96.25, 184 16 0 96.00, 185 13 2 95.75, \
                           184 15 1 95.75, 185 13 2 95.75, 184 15 1 95.75, 183 16 1 95.50, 183 15 2 95.25";

    /// Equation (14).
    fn expected(rating: f64, opponent: f64) -> f64 {
        expected_score(rating - opponent)
    }

    /// Equation (13).
    fn updated(rating: f64, k: f64, outcome: f64, opponent: f64) -> f64 {
        rating + k * (outcome - expected(rating, opponent))
    }

    fn is_right(row: &str) -> bool {
        let numbers: Vec<f64> = row.split(' ').map(|number| number.parse().expect(row)).collect();
        let &[wins, draws, losses, percentage] = &numbers[..] else { panic!("{row}") };
        wins + draws + losses == 200.0 && (wins + draws / 2.0) / 2.0 == percentage
    }

    #[test]
    fn table_2_adds_up() {
        assert_eq!(TABLE_2.split(", ").filter(|row| is_right(row)).count(), 20);
        assert!(!is_right("189 11 0 97.00") && !is_right("188 11 0 96.75"));
        assert_eq!(elo_difference(0.9725).round() as i32, 619);
    }

    #[test]
    fn equations_13_and_14() {
        assert!((expected(1500.0, 1700.0) - 0.2403).abs() < 5e-5);
        assert!((updated(1500.0, 32.0, 1.0, 1700.0) - 1524.31).abs() < 5e-3);
        assert!((expected(2317.0, 1501.0) + expected(1501.0, 2317.0) - 1.0).abs() < 1e-12);
    }
}

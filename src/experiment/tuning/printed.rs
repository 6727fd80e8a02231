//! T1: what is printed, computed again.

#[cfg(test)]
mod tests {
    use crate::arena::statistics::{elo_difference, expected_score};

    /// Table II: wins, draws, losses, percentage in hundredths.
    const TABLE_2: [[u32; 4]; 20] = [
        [189, 11, 0, 9725],
        [189, 10, 1, 9700],
        [188, 12, 0, 9700],
        [188, 12, 0, 9700],
        [188, 12, 0, 9700],
        [187, 13, 0, 9675],
        [187, 13, 0, 9675],
        [187, 13, 0, 9675],
        [188, 11, 1, 9675],
        [186, 14, 0, 9650],
        [186, 13, 1, 9625],
        [186, 13, 1, 9625],
        [186, 13, 1, 9625],
        [184, 16, 0, 9600],
        [185, 13, 2, 9575],
        [184, 15, 1, 9575],
        [185, 13, 2, 9575],
        [184, 15, 1, 9575],
        [183, 16, 1, 9550],
        [183, 15, 2, 9525],
    ];

    /// Equation (14).
    fn expected(rating: f64, opponent: f64) -> f64 {
        expected_score(rating - opponent)
    }

    /// Equation (13).
    fn updated(rating: f64, k: f64, outcome: f64, opponent: f64) -> f64 {
        rating + k * (outcome - expected(rating, opponent))
    }

    fn is_right(row: &[u32; 4]) -> bool {
        let [wins, draws, losses, percentage] = *row;
        // Hundredths of a percent of 200 games: 50 for a win, 25 for a draw.
        wins + draws + losses == 200 && 50 * wins + 25 * draws == percentage
    }

    #[test]
    fn table_2_adds_up() {
        assert!(TABLE_2.iter().all(is_right));
        assert!(!is_right(&[189, 11, 0, 9700]) && !is_right(&[188, 11, 0, 9675]));
        assert_eq!(elo_difference(0.9725).round() as i32, 619);
    }

    #[test]
    fn equations_13_and_14() {
        assert!((expected(1500.0, 1700.0) - 0.2403).abs() < 5e-5);
        assert!((updated(1500.0, 32.0, 1.0, 1700.0) - 1524.31).abs() < 5e-3);
        assert!((expected(2317.0, 1501.0) + expected(1501.0, 2317.0) - 1.0).abs() < 1e-12);
    }
}

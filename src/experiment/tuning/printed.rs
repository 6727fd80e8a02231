//! T1: what is printed, computed again.

use serde_json::json;

use crate::arena::statistics::{elo_difference, expected_score};
use crate::display::{Table, cells};
use crate::experiment::{Conclusion, Experiment, Laboratory, Part};

pub const EXPERIMENT: Experiment = Experiment {
    id: "T1",
    title: "The tuning paper's tables and equations",
    claim: "Table II's percentages follow from its wins, draws and losses, and ratings change by equations (13) and (14).",
    source: "Vázquez-Fernández & Coello 2013, Tables II and III, equations (13) and (14)",
    run,
};

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

/// Ratings of the evolved and the non-evolved player in Table III, the gain of the abstract, and the rating
/// that the abstract begins with.
const EVOLVED: u32 = 2317;
const NOT_EVOLVED: u32 = 1501;
const GAIN_OF_THE_ABSTRACT: u32 = 557;
const BEGINNING_OF_THE_ABSTRACT: u32 = 1760;

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

fn run(_: &Laboratory<'_>) -> anyhow::Result<Conclusion> {
    let right = TABLE_2.iter().filter(|row| is_right(row)).count();
    let first = elo_difference(0.9725);
    let (expectation, new) = (expected(1500.0, 1700.0), updated(1500.0, 32.0, 1.0, 1700.0));
    let parts = vec![
        Part::exact(
            "The percentages of Table II are (wins + draws/2)/2",
            right == TABLE_2.len(),
            format!("{right} of {} rows; the first is {first:+.0} Elo", TABLE_2.len()),
        ),
        Part::exact(
            "1500 against 1700 expects 0.2403, and a win with K = 32 makes it 1524.31",
            (expectation - 0.2403).abs() < 5e-5 && (new - 1524.31).abs() < 5e-3,
            format!("{expectation:.4}, {new:.2}"),
        ),
        Part::measured(
            "The gain of the abstract beside that of Table III",
            format!(
                "Table III has {EVOLVED} - {NOT_EVOLVED} = {}; the abstract's {GAIN_OF_THE_ABSTRACT} begins with {BEGINNING_OF_THE_ABSTRACT}, which is \
                 another paper's engine",
                EVOLVED - NOT_EVOLVED
            ),
        ),
    ];
    let rows = TABLE_2.iter().map(|[wins, draws, losses, printed]| {
        let rate = (f64::from(*wins) + f64::from(*draws) / 2.0) / 200.0;
        let elo = format!("{:+.0}", elo_difference(rate));
        cells![
            wins,
            draws,
            losses,
            format!("{:.2}", f64::from(*printed) / 100.0),
            format!("{:.2}", 100.0 * rate),
            elo
        ]
    });
    let table = Table::headed("Wins: | Draws: | Losses: | Printed %: | Computed %: | Elo:").with_rows(rows);
    let data =
        json!({ "right": right, "elo_of_the_first_row": first, "expected": expectation, "new_rating": new });
    Ok(Conclusion::new("Arithmetic on what is printed.", parts, data)
        .with_table("Table II, computed again", table))
}

#[cfg(test)]
mod tests {
    use super::*;

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

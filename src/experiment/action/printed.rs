//! A5: what is printed, computed again, with a draw as half a point. Another model of draws finds others.

use serde_json::json;

use crate::arena::statistics::expected_score;
use crate::display::{Table, cells};
use crate::experiment::{Conclusion, Experiment, Laboratory, Part};

pub const EXPERIMENT: Experiment = Experiment {
    id: "A5",
    title: "The action paper's ratings from its own games",
    claim: "The engine's rating was 2167 in experiment A, 2217 in B and 2483 in C, by 200 games against each of Rybka's levels 2500, 2300, 2100 and 1900.",
    source: "Hesham, Abu-Elnasr & Elmougy 2021, section 4.4, Tables 2 to 5",
    run,
};

/// Rybka's levels.
const LEVELS: [f64; 4] = [2500.0, 2300.0, 2100.0, 1900.0];

/// A row of Tables 2 to 4: name, wins, draws and losses against each level, the printed rating.
struct Row(&'static str, [[u32; 3]; 4], Option<f64>);

const ROWS: [Row; 8] = [
    Row("A, standard evaluation", [[0, 1, 199], [49, 13, 138], [71, 33, 96], [105, 44, 51]], None),
    Row("A, proposed evaluation", [[18, 1, 181], [69, 43, 88], [98, 23, 79], [113, 31, 56]], Some(2167.0)),
    Row("B, action library", [[37, 4, 159], [78, 36, 86], [117, 29, 54], [167, 9, 24]], Some(2217.0)),
    Row("C, degree 0.4", [[38, 44, 118], [109, 46, 45], [127, 35, 38], [179, 15, 6]], Some(2483.0)),
    Row("C, degree 0.5", [[42, 37, 121], [111, 46, 43], [124, 41, 35], [181, 13, 6]], None),
    Row("C, degree 0.6", [[30, 12, 158], [82, 23, 95], [109, 14, 77], [156, 20, 24]], None),
    Row("C, degree 0.7", [[18, 5, 177], [41, 13, 146], [74, 26, 100], [96, 11, 93]], None),
    Row("C, degree 0.8", [[0, 4, 196], [2, 1, 197], [8, 1, 191], [12, 3, 195]], None),
];

/// The rating at which the logistic curve expects the points of a row: it is the most likely one.
fn rating(row: &Row) -> f64 {
    let Row(_, scores, _) = row;
    let points: f64 = scores.iter().map(|&[wins, draws, _]| f64::from(wins) + f64::from(draws) / 2.0).sum();
    let expected = |rating: f64| -> f64 {
        let games = scores.iter().map(|score| f64::from(score.iter().sum::<u32>()));
        games.zip(LEVELS).map(|(games, level)| games * expected_score(rating - level)).sum()
    };
    let (mut low, mut high) = (0.0, 5000.0);
    while high - low > 0.01 {
        let middle = f64::midpoint(low, high);
        if expected(middle) < points { low = middle } else { high = middle }
    }
    low
}

/// The evolved player of the tuning paper against the same levels, and its rating there: what the ratings are
/// anchored at.
const ANCHOR: Row =
    Row("Evolved virtual player", [[29, 40, 131], [77, 48, 75], [110, 30, 60], [166, 27, 7]], Some(2317.0));

/// What is added to all ratings, so that the anchor has its own.
fn offset() -> f64 {
    ANCHOR.2.unwrap_or_default() - rating(&ANCHOR)
}

/// A printed rating is right within rounding and the model's choice of how draws count.
const TOLERANCE: f64 = 25.0;

fn run(_: &Laboratory<'_>) -> anyhow::Result<Conclusion> {
    let ratings: Vec<f64> = ROWS.iter().map(|row| rating(row) + offset()).collect();
    let mut parts: Vec<Part> = ROWS
        .iter()
        .zip(&ratings)
        .filter_map(|(Row(name, _, printed), computed)| {
            let printed = (*printed)?;
            Some(Part::exact(
                format!("{name}: {printed:.0}"),
                (computed - printed).abs() <= TOLERANCE,
                format!("its games make {computed:.0}"),
            ))
        })
        .collect();
    let cells_of = |Row(_, scores, _): &Row| scores.map(|score| score.iter().sum::<u32>());
    let odd: Vec<String> = ROWS
        .iter()
        .flat_map(|row| {
            cells_of(row).into_iter().zip(LEVELS).map(move |(games, level)| (row.0, games, level))
        })
        .filter(|&(_, games, _)| games != 200)
        .map(|(name, games, level)| format!("{name} against {level:.0}: {games}"))
        .collect();
    parts.push(Part::exact("Each level played 200 games", odd.is_empty(), odd.join("; ")));
    let rows = ROWS.iter().zip(&ratings).map(|(Row(name, scores, printed), computed)| {
        let scores = scores.map(|[wins, draws, losses]| format!("{wins}-{draws}-{losses}"));
        let [a, b, c, d] = scores;
        cells![
            name,
            a,
            b,
            c,
            d,
            printed.map_or(String::new(), |printed| format!("{printed:.0}")),
            format!("{computed:.0}")
        ]
    });
    let table =
        Table::headed("Experiment | 2500: | 2300: | 2100: | 1900: | Printed: | Computed:").with_rows(rows);
    let method = "Arithmetic on what is printed: the rating at which the logistic curve expects the points against all four levels, a draw being half a point, moved so \
                  that the evolved player of Table 5 has its 2317.";
    Ok(Conclusion::new(method, parts, json!({ "ratings": ratings }))
        .with_table("Tables 2 to 4 with their ratings", table))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_are_those_of_the_games() {
        // A draw counts half; a score of one half against four levels is their middle.
        let even = Row("even", [[100, 0, 100]; 4], None);
        assert!((rating(&even) - 2200.0).abs() < 1.0);
        let ratings: Vec<i32> = ROWS.iter().map(|row| (rating(row) + offset()).round() as i32).collect();
        assert_eq!(ratings, [2090, 2186, 2297, 2403, 2407, 2265, 2072, 1542]);
    }
}

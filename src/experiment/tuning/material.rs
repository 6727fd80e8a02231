//! T10: whether material comes out as everybody knows it, when the bounds do not say so already.

use serde::Serialize;
use serde_json::json;

use super::runs::{Run, Setup, WIDE, evolve, mean_and_ends, seeds, verdict_within};
use crate::display::{Mark, Row};
use crate::evaluation::{Evaluation, WeightSpec};
use crate::experiment::{Conclusion, Laboratory, Part, Text, Words};

/// The known values in centipawns; the paper's bounds have them in the middle.
const KNOWN: [(&str, f64); 4] = [("knight", 300.0), ("bishop", 300.0), ("rook", 500.0), ("queen", 900.0)];
/// How near is near, as a share of the value.
const NEAR: f64 = 0.15;

/// What one piece is worth in the results, in centipawns.
#[derive(Serialize)]
struct Worth {
    piece: &'static str,
    known: f64,
    mean: f64,
    low: f64,
    high: f64,
    least: f64,
    most: f64,
    values: Vec<f64>,
}

impl Worth {
    fn new((piece, known): (&'static str, f64), runs: &[Run], table: &[WeightSpec]) -> Worth {
        let weight = table.iter().position(|spec| spec.name == piece).expect("a weight of Table I");
        let units = f64::from(Evaluation::Factors.per_centipawn());
        let mut values: Vec<f64> = runs.iter().map(|run| f64::from(run.weights[weight]) / units).collect();
        values.sort_by(f64::total_cmp);
        let [mean, low, high] = mean_and_ends(values.iter().copied());
        let [least, most] = [values.first(), values.last()].map(|end| end.copied().unwrap_or(f64::NAN));
        Worth { piece, known, mean, low, high, least, most, values }
    }

    fn part(&self) -> Part {
        let Worth { piece, known, mean, low, high, values, .. } = self;
        Part::new(
            format!("A {piece} is worth {known} within {:.0} %", 100.0 * NEAR),
            verdict_within([known * (1.0 - NEAR), known * (1.0 + NEAR)], values),
            format!("{mean:.0} ({low:.0} to {high:.0})"),
        )
    }
}

/// T10: Material without bounds that say it.
pub fn run(laboratory: &Laboratory<'_>, text: &Text) -> anyhow::Result<Conclusion> {
    let (_, setup, _) = Setup::all(laboratory, text)?.swap_remove(0);
    let runs = evolve(laboratory, &setup, seeds(laboratory))?;
    let worths = KNOWN.map(|known| Worth::new(known, &runs, &setup.table()));
    let parts = worths.iter().map(Worth::part).collect();
    let bars = worths.iter().map(|worth| Row::new(worth.piece, [worth.mean, worth.low, worth.high]));
    let words: Words<'_> = &[("wide", &WIDE), ("middle", &(WIDE / 2)), ("seeds", &runs.len())];
    let conclusion = text.conclude(laboratory, words, parts, json!({ "runs": runs, "worths": worths }));
    Ok(conclusion.with_rows("worths", &worths).with_bars("material", Mark::Dot, bars))
}

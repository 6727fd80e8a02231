//! T10: whether material comes out as everybody knows it, when the bounds do not say so already.

use serde_json::json;

use super::runs::{METHOD, Run, Setup, WIDE, evolve, seeds, verdict_within};
use crate::display::{BarChart, Mark, Row, Table, cells};
use crate::evaluation::Evaluation;
use crate::experiment::{Conclusion, Experiment, Laboratory, Part};
use crate::tuning::mean_with_interval;

pub const EXPERIMENT: Experiment = Experiment {
    id: "T10",
    title: "Material without bounds that say it",
    claim: "The material values come out near the known ones.",
    source: "Vázquez-Fernández & Coello 2013, section VI",
    run,
};

/// The known values in centipawns; the paper's bounds have them in the middle.
const KNOWN: [(&str, f64); 4] = [("knight", 300.0), ("bishop", 300.0), ("rook", 500.0), ("queen", 900.0)];
/// How near is near, as a share of the value.
const NEAR: f64 = 0.15;

fn run(laboratory: &Laboratory<'_>) -> anyhow::Result<Conclusion> {
    let setup = Setup { wide_material: true, ..Setup::paper(laboratory) };
    let runs = evolve(laboratory, &setup, seeds(laboratory))?;
    let table = setup.table();
    let values = |name: &str| -> Vec<f64> {
        let weight = table.iter().position(|spec| spec.name == name).expect("a weight of Table I");
        let value =
            |run: &Run| f64::from(run.weights[weight]) / f64::from(Evaluation::Factors.per_centipawn());
        runs.iter().map(value).collect()
    };
    let found = KNOWN.map(|(name, known)| {
        let values = values(name);
        let [mean, half] = mean_with_interval(&values);
        (name, known, values, [mean, mean - half, mean + half])
    });
    let parts = found.iter().map(|(name, known, values, [mean, low, high])| {
        Part::new(
            format!("A {name} is worth {known} within {:.0} %", 100.0 * NEAR),
            verdict_within([known * (1.0 - NEAR), known * (1.0 + NEAR)], values),
            format!("{mean:.0} ({low:.0} to {high:.0})"),
        )
    });
    let rows = found.iter().map(|(name, known, values, [mean, low, high])| {
        let mut sorted = values.clone();
        sorted.sort_by(f64::total_cmp);
        let [least, most] = [sorted[0], sorted[sorted.len() - 1]];
        cells![
            name,
            known,
            format!("{mean:.0}"),
            format!("{low:.0} to {high:.0}"),
            format!("{least:.0} to {most:.0}")
        ]
    });
    let results =
        Table::headed("Piece | Known: | Mean: | 95 % interval | From least to most").with_rows(rows);
    let chart = BarChart {
        title: format!("Material with bounds from 0 to {WIDE}"),
        x_title: "Centipawns; a pawn is 100".to_owned(),
        mark: Mark::Dot,
        rows: found.iter().map(|(name, _, _, interval)| Row::new(*name, *interval)).collect(),
    };
    let method = format!(
        "{METHOD} Table I's bounds of material have the known values in their middle, and its values are within 13 of them. Here knight, bishop, rook and \
         queen may be worth 0 to {WIDE} centipawns; a random one is worth {} on average. {} seeds.",
        WIDE / 2,
        runs.len()
    );
    Ok(Conclusion::new(method, parts.collect(), json!({ "runs": runs }))
        .with_table("Material of the results, in centipawns", results)
        .with_figure("material", "Means over the seeds with their 95 % intervals", chart.to_svg()))
}

//! T4 to T9: evolutions that differ in one thing, compared by the held-out problems that they solve.

use serde::Serialize;

use super::runs::{Run, Setup, evolve, mean_and_ends, mean_in_words, seeds, verdict_above};
use crate::display::{Mark, Row};
use crate::experiment::{Conclusion, Laboratory, Part, Text};
use crate::tuning::mean_with_interval;

/// What came out of one variant: means over the seeds.
#[derive(Serialize)]
struct Variant {
    variant: String,
    players: usize,
    problems: usize,
    generations: u32,
    searches: u64,
    held_out: String,
    not_evolved: String,
    runs: Vec<Run>,
}

impl Variant {
    fn new(name: String, setup: &Setup, runs: Vec<Run>) -> Variant {
        let of = |value: fn(&Run) -> f64| mean_in_words(&runs.iter().map(value).collect::<Vec<_>>());
        Variant {
            variant: name,
            players: setup.evolution.players,
            problems: setup.problems,
            generations: setup.evolution.generations,
            searches: runs.iter().map(|run| run.searches).sum::<u64>() / runs.len().max(1) as u64,
            held_out: of(|run| run.held_out),
            not_evolved: of(|run| run.held_out_before),
            runs,
        }
    }
}

/// T4 to T9: the setups of the catalogue, the first against each other.
pub fn run(laboratory: &Laboratory<'_>, text: &Text) -> anyhow::Result<Conclusion> {
    let (seeds, setups) = (seeds(laboratory), Setup::all(laboratory, text)?);
    let claimed: Vec<bool> = setups.iter().map(|(.., claimed)| *claimed).collect();
    let variants = setups
        .into_iter()
        .map(|(name, setup, _)| Ok(Variant::new(name, &setup, evolve(laboratory, &setup, seeds)?)));
    let variants = variants.collect::<anyhow::Result<Vec<Variant>>>()?;
    let (first, others) = variants.split_first().expect("a comparison has variants");
    let parts = others.iter().zip(&claimed[1..]).map(|(other, claimed)| {
        let statement = format!(
            "More held-out problems solved with \"{}\" than with \"{}\"",
            first.variant, other.variant
        );
        let pairs = first.runs.iter().zip(&other.runs);
        let differences: Vec<f64> = pairs.map(|(one, other)| one.held_out - other.held_out).collect();
        let [mean, half] = mean_with_interval(&differences);
        let evidence = format!("{mean:+.1} percent points ± {half:.1} over {seeds} seeds");
        match claimed {
            true => Part::new(statement, verdict_above(0.0, &differences), evidence),
            false => Part::measured(statement, evidence),
        }
    });
    let row = |variant: &Variant| {
        Row::new(&variant.variant, mean_and_ends(variant.runs.iter().map(|run| run.held_out)))
    };
    let conclusion = text.conclude(laboratory, &[("seeds", &seeds)], parts.collect(), &variants);
    Ok(conclusion.with_rows("variants", &variants).with_bars("held-out", Mark::Dot, variants.iter().map(row)))
}

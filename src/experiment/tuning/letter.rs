//! T11: as printed, the mutation leaves most weights alone.

use serde_json::json;

use super::runs::{Setup, evolve, seeds};
use crate::evaluation::Evaluation;
use crate::experiment::{Conclusion, Laboratory, Part, Text};

/// T11: Mutation to the letter.
pub fn run(laboratory: &Laboratory<'_>, text: &Text) -> anyhow::Result<Conclusion> {
    let (_, setup, _) = Setup::all(laboratory, text)?.swap_remove(0);
    let runs = evolve(laboratory, &setup, seeds(laboratory).min(3))?;
    let table = Evaluation::Factors.table();
    let around_zero: Vec<usize> =
        (0..table.len()).filter(|&weight| table[weight].min == -table[weight].max).collect();
    let mut changed = 0;
    let mut others = 0;
    for run in &runs {
        let first = setup.first_weights(run.seed);
        for weights in &run.population {
            let is_as_it_began = |first: &Vec<i32>| around_zero.iter().all(|&w| first[w] == weights[w]);
            changed += usize::from(!first.iter().any(is_as_it_began));
            others += usize::from(!first.contains(weights));
        }
    }
    let players: usize = runs.iter().map(|run| run.population.len()).sum();
    let parts = vec![
        Part::exact(
            "18 weights have bounds around 0",
            around_zero.len() == 18,
            format!("{} of {}", around_zero.len(), table.len()),
        ),
        Part::exact(
            "No player's 18 weights differ from those of a player of the first generation",
            changed == 0,
            format!("{changed} of {players} players at the end of {} runs", runs.len()),
        ),
        Part::measured("Players whose material changed", format!("{others} of {players}")),
    ];
    Ok(text.conclude(laboratory, &[], parts, json!({ "runs": runs })))
}

//! The claims of Vázquez-Fernández & Coello, "An adaptive evolutionary algorithm based on tactical
//! and positional chess problems to adjust the weights of a chess engine", IEEE CEC 2013, which the
//! tuning of weights follows: T1 to T11.

pub mod runs;
pub(super) mod setups;
pub(super) mod strength;

use serde::Serialize;
use serde_json::json;

use super::verdict::above;
use super::{ClaimVerdict, Conclusion, Laboratory, Part, Text};
use crate::eval::Evaluation;
use crate::lab::tuning::mean_with_interval;
use runs::{Run, Setup, WIDE, evolve, mean_and_ends, mean_in_words, seeds, verdict_within};
use setups::Variation;

/// Compares evolutions with one difference, the first with each other one, by the held-out problems
/// solved.
pub(super) fn compare(
    laboratory: &Laboratory,
    text: &Text,
    setups: fn(&Setup) -> Vec<Variation>,
) -> anyhow::Result<Conclusion> {
    let setups = setups(&Setup::paper(laboratory));
    let seeds = seeds(laboratory);
    let mut variants = Vec::new();
    for (name, setup, _) in &setups {
        variants.push(Variant::new(name, setup, evolve(laboratory, setup, seeds)?));
    }
    let (first, others) = variants.split_first().expect("there are variants");
    let mut parts = Vec::new();
    for (other, (_, _, is_claimed)) in others.iter().zip(&setups[1..]) {
        parts.push(first.more_solved_than(other, *is_claimed));
    }
    Ok(text.conclude(laboratory, &[("seeds", &seeds)], parts, &variants))
}

/// The results of one variant: means over the seeds.
#[derive(Serialize)]
struct Variant {
    variant: &'static str,
    players: usize,
    problems: usize,
    generations: u32,
    searches: u64,
    held_out: String,
    not_evolved: String,
    runs: Vec<Run>,
}

impl Variant {
    fn new(variant: &'static str, setup: &Setup, runs: Vec<Run>) -> Variant {
        let of =
            |value: fn(&Run) -> f64| mean_in_words(&runs.iter().map(value).collect::<Vec<_>>());
        Variant {
            variant,
            players: setup.evolution.players,
            problems: setup.problems,
            generations: setup.evolution.generations,
            searches: runs.iter().map(|run| run.searches).sum::<u64>() / runs.len().max(1) as u64,
            held_out: of(|run| run.held_out),
            not_evolved: of(|run| run.held_out_before),
            runs,
        }
    }

    /// Compares the held-out problems solved, seed by seed.
    fn more_solved_than(&self, other: &Variant, is_claimed: bool) -> Part {
        let pairs = self.runs.iter().zip(&other.runs);
        let differences = pairs.map(|(one, other)| one.held_out - other.held_out);
        let differences = Vec::from_iter(differences);
        let [mean, half] = mean_with_interval(&differences);
        let verdict = if is_claimed {
            verdict_within(above(0.0), &differences)
        } else {
            ClaimVerdict::Measured
        };
        let statement = format!(
            "More held-out problems solved with \"{}\" than with \"{}\"",
            self.variant, other.variant
        );
        let seeds = differences.len();
        let evidence = format!(
            "{mean:+.1} percent points ± {half:.1} over {seeds} seeds: {} against {} ({} not evolved)",
            self.held_out, other.held_out, self.not_evolved
        );
        Part::new(statement, verdict, evidence)
    }
}

/// T10: material values evolved with bounds that do not imply the known values.
pub fn material(laboratory: &Laboratory, text: &Text) -> anyhow::Result<Conclusion> {
    let setup = Setup {
        wide_material: true,
        ..Setup::paper(laboratory)
    };
    let runs = evolve(laboratory, &setup, seeds(laboratory))?;
    let table = setup.table();
    let units = f64::from(Evaluation::Factors.per_centipawn());
    let mut parts = Vec::new();
    for (piece, known) in KNOWN {
        let weight = table.iter().position(|spec| spec.name == piece);
        let weight = weight.expect("a weight of Table I");
        let centipawns = |run: &Run| f64::from(run.weights[weight]) / units;
        let values: Vec<f64> = runs.iter().map(centipawns).collect();
        let [mean, low, high] = mean_and_ends(&values);
        parts.push(Part::new(
            format!("A {piece} is worth {known} within {:.0} %", 100.0 * NEAR),
            verdict_within([known * (1.0 - NEAR), known * (1.0 + NEAR)], &values),
            format!("{mean:.0} ({low:.0} to {high:.0})"),
        ));
    }
    Ok(text.conclude(
        laboratory,
        &[
            ("wide", &WIDE),
            ("middle", &(WIDE / 2)),
            ("seeds", &runs.len()),
        ],
        parts,
        json!({ "runs": runs }),
    ))
}

/// The known values in centipawns; the paper's bounds have them in the middle.
const KNOWN: [(&str, f64); 4] = [
    ("knight", 300.0),
    ("bishop", 300.0),
    ("rook", 500.0),
    ("queen", 900.0),
];
/// The tolerance for a known value, as a share of the value.
const NEAR: f64 = 0.15;

/// T11: mutation to the letter: as printed, most weights never change.
pub fn letter(laboratory: &Laboratory, text: &Text) -> anyhow::Result<Conclusion> {
    let setup = setups::letter(&Setup::paper(laboratory));
    let runs = evolve(laboratory, &setup, seeds(laboratory).min(3))?;
    let table = Evaluation::Factors.table();
    let around_zero: Vec<usize> = (0..table.len())
        .filter(|&weight| table[weight].min == -table[weight].max)
        .collect();
    let mut changed = 0;
    let mut others = 0;
    for run in &runs {
        let first = setup.first_weights(run.seed);
        for weights in &run.population {
            let is_as_it_began =
                |first: &Vec<i32>| around_zero.iter().all(|&w| first[w] == weights[w]);
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
            format!(
                "{changed} of {players} players at the end of {} runs",
                runs.len()
            ),
        ),
        Part::measured(
            "Players whose material changed",
            format!("{others} of {players}"),
        ),
    ];
    Ok(text.conclude(laboratory, &[], parts, json!({ "runs": runs })))
}

#[cfg(test)]
mod tests {
    //! T1: the printed numbers, computed again.

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

    fn is_right(row: &str) -> bool {
        let numbers: Vec<f64> = row
            .split(' ')
            .map(|number| number.parse().expect(row))
            .collect();
        let &[wins, draws, losses, percentage] = &numbers[..] else {
            panic!("{row}")
        };
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
        // Equation (13): a win with K = 32.
        assert!((1500.0 + 32.0 * (1.0 - expected(1500.0, 1700.0)) - 1524.31).abs() < 5e-3);
        assert!((expected(2317.0, 1501.0) + expected(1501.0, 2317.0) - 1.0).abs() < 1e-12);
    }
}

//! How much time it takes not to blunder.

use std::time::Duration;

use serde::Serialize;
use serde_json::json;

use crate::arena::Limits;
use crate::display::{Point, Series, Spread};
use crate::experiment::laboratory::{Reference, ours};
use crate::experiment::positions::{cases, quiet_middlegame};
use crate::experiment::words::or;
use crate::experiment::{Conclusion, Conditions, Laboratory, Part, Text, Words};
use crate::suite::Bands;
use crate::suite::blunders::{Case, Report};
use crate::suite::summary::Summary;

/// The searches that are compared.
const BACKENDS: [(&str, &str); 2] = [("genetic", "Genetic search"), ("alphabeta", "Alpha-beta")];

/// What each search may spend; every step is twice the one before.
fn steps(conditions: &Conditions) -> Vec<Limits> {
    let count = conditions.pick(3, 6);
    (0..count)
        .map(|step: u32| match conditions.nodes {
            // The last step has the number of nodes that the user named.
            Some(nodes) => Limits::of_nodes((nodes >> (count - 1 - step)).max(1)),
            None => Limits::per_move(Duration::from_millis(50 << step)),
        })
        .collect()
}

/// One search with one budget.
#[derive(Serialize)]
struct Measured {
    backend: &'static str,
    limits: Limits,
    summary: Summary,
}

/// Blunders against time.
pub fn run(laboratory: &Laboratory<'_>, text: &Text) -> anyhow::Result<Conclusion> {
    let conditions = &laboratory.conditions;
    let reference = laboratory.reference(conditions.pick(50_000, 200_000))?;
    let cases = positions(laboratory, conditions.pick(24, 200))?;
    let mut all = Vec::new();
    for limits in steps(conditions) {
        for (backend, _) in BACKENDS {
            all.push(measure(laboratory, backend, limits, &reference, &cases)?);
        }
    }
    let parts = BACKENDS.iter().filter_map(|(backend, name)| part(backend, name, &all));
    let data = json!({
        "reference": reference.name,
        "reference_limits": reference.limits,
        "measured": all,
    });
    let (judge, first) = (reference.in_words(), or(all.first().map(|one| one.limits), ""));
    let words: Words<'_> = &[("count", &cases.len()), ("reference", &judge), ("first", &first)];
    Ok(text
        .conclude(laboratory, words, parts.collect(), data)
        .with_lines("rate", Some(0.0), lines(&all, |one| Some(one.summary.blunders?.percents())))
        .with_lines("loss", Some(0.0), lines(&all, |one| Some([one.summary.mean?; 3])))
        .with_rows("measured", &all))
}

/// Positions that C8 does not have: its 29 are those of seed 1.
fn positions(laboratory: &Laboratory<'_>, count: usize) -> anyhow::Result<Vec<Case>> {
    let seed = laboratory.conditions.seed.wrapping_add(1_000);
    let fens = laboratory.each("blunders-positions", &json!({ "seed": seed }), count, |index| {
        Ok(quiet_middlegame(seed, index)?.to_fen())
    })?;
    cases(&fens)
}

fn measure(
    laboratory: &Laboratory<'_>,
    backend: &'static str,
    limits: Limits,
    reference: &Reference,
    cases: &[Case],
) -> anyhow::Result<Measured> {
    let seed = laboratory.conditions.seed.to_string();
    let options = [("Seed", seed.as_str())];
    let engine = ours(&laboratory.conditions, backend, backend, &options);
    let findings = laboratory.judge(&format!("blunders-{backend}"), engine, limits, reference, cases)?;
    let report = Report { cases, findings: &findings, bands: &Bands::default() };
    Ok(Measured { backend, limits, summary: report.summary() })
}

/// What a search did with its smallest and its largest budget.
fn part(backend: &str, name: &str, all: &[Measured]) -> Option<Part> {
    let mut of_backend = all.iter().filter(|one| one.backend == backend);
    let (first, last) = (of_backend.next()?, of_backend.next_back()?);
    let in_words = |one: &Measured| {
        let [rate, lower, upper] = one.summary.blunders?.percents();
        let mean = one.summary.mean?;
        Some(format!(
            "{rate:.0} % blunders ({lower:.0} to {upper:.0}) and mean loss {mean:.2} with {}",
            one.limits
        ))
    };
    Some(Part::measured(name, format!("{}; {}", in_words(first)?, in_words(last)?)))
}

fn lines(all: &[Measured], interval: impl Fn(&Measured) -> Option<[f64; 3]>) -> impl Iterator<Item = Series> {
    BACKENDS.iter().enumerate().map(move |(shift, (backend, name))| {
        let of_backend = all.iter().filter(|one| one.backend == *backend).enumerate();
        // A little apart, so that intervals do not hide one another.
        let point = |(step, one)| Some(Point::new(step as f64 + 0.06 * shift as f64, interval(one)?));
        Series::new(*name, Spread::Bars, of_backend.filter_map(point))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Scale;

    #[test]
    fn steps_double() {
        let mut conditions = Conditions { scale: Scale::Full, ..Conditions::default() };
        let said = |conditions: &Conditions| -> Vec<String> {
            steps(conditions).iter().map(ToString::to_string).collect()
        };
        let times = ["0.05/move", "0.1/move", "0.2/move", "0.4/move", "0.8/move", "1.6/move"];
        assert_eq!(said(&conditions), times);
        conditions.nodes = Some(4_000);
        conditions.scale = Scale::Quick;
        assert_eq!(said(&conditions), ["nodes=1000", "nodes=2000", "nodes=4000"]);
    }
}

//! How much time it takes not to blunder.

use std::time::Duration;

use serde_json::{Value, json};

use crate::arena::{Limits, Time};
use crate::display::{Align, LineChart, Point, Series, Spread, Table};
use crate::experiment::laboratory::{Contestants, Reference};
use crate::experiment::{Conditions, Experiment, Finding, Laboratory, Part, Verdict};
use crate::making::{Recipe, blunders};
use crate::suite::blunders::{Case, Report, Terms};
use crate::suite::summary::Summary;
use crate::suite::{Bands, PositionList};

pub const EXPERIMENT: Experiment = Experiment {
    id: "blunders",
    title: "Blunders against time",
    claim: "How often a move loses more than 1.5 pawns, and what moves lose on average, by time per move, doubling from 0.05 s up.",
    source: "",
    run,
};

/// The searches that are compared.
const BACKENDS: [(&str, &str); 2] = [("genetic", "Genetic search"), ("alphabeta", "Alpha-beta")];

/// What each search may spend; every step is twice the one before.
fn steps(conditions: &Conditions) -> Vec<Limits> {
    let count = conditions.pick(3, 6);
    (0..count)
        .map(|step: u32| match conditions.nodes {
            // The last step is what was asked for.
            Some(nodes) => Limits {
                nodes: Some((nodes >> (count - 1 - step)).max(1)),
                ..Limits::default()
            },
            None => Limits {
                time: Some(Time::PerMove(Duration::from_millis(50 << step))),
                ..Limits::default()
            },
        })
        .collect()
}

/// One search with one budget.
struct Measured {
    backend: &'static str,
    limits: Limits,
    summary: Summary,
    data: Value,
}

fn run(laboratory: &Laboratory<'_>) -> anyhow::Result<Finding> {
    let conditions = &laboratory.conditions;
    let reference = laboratory.reference(conditions.pick(50_000, 200_000))?;
    let cases = positions(laboratory, conditions.pick(24, 60))?;
    let mut all = Vec::new();
    for limits in steps(conditions) {
        for (backend, _) in BACKENDS {
            all.push(measure(laboratory, backend, limits, &reference, &cases)?);
        }
    }
    let unit = match conditions.nodes {
        Some(_) => "nodes",
        None => "time",
    };
    let method = format!(
        "{} quiet, even middlegame positions of our own, made as those of C8 with another seed. Each search has the limits of the table for each \
         position; its move and the reference's own are judged by {} with {} for each search, each move searched alone. Rates have Wilson's intervals.",
        cases.len(),
        reference.name,
        reference.limits
    );
    let parts = BACKENDS
        .iter()
        .filter_map(|(backend, name)| part(backend, name, &all));
    let data = json!({
        "reference": reference.name,
        "reference_limits": reference.limits,
        "measured": all.iter().map(|one| one.data.clone()).collect::<Vec<_>>(),
    });
    Ok(Finding::new(method, parts.collect(), data)
        .with_figure(
            "rate",
            format!("Blunder rate by {unit} per move, with 95 % intervals"),
            rate_chart(&all, unit),
        )
        .with_figure(
            "loss",
            format!("Mean loss by {unit} per move"),
            loss_chart(&all, unit),
        )
        .with_table("By limits", table(&all)))
}

/// Positions are made in sets of so many, each with a seed of its own: one early and one late, of both colours.
const SET: u32 = 4;
/// A seed may give no set; another one is tried then.
const TRIES: u64 = 50;

/// Positions that C8 does not have; made once.
fn positions(laboratory: &Laboratory<'_>, count: u32) -> anyhow::Result<Vec<Case>> {
    // The 29 of C8 are those of seed 1.
    let first = laboratory.conditions.seed.wrapping_add(1_000);
    let settings = json!({ "seed": first, "set": SET });
    let sets = (count / SET) as usize;
    let made = laboratory.each("blunders-positions", &settings, sets, |index| {
        let recipe = |number| Recipe {
            count: SET,
            seed: first.wrapping_add(index as u64 * TRIES + number),
        };
        let mut tries = (0..TRIES).map(recipe);
        let set =
            tries.find_map(|recipe| Some(blunders::epd(&blunders::make(recipe, &mut |_| {}).ok()?, recipe)));
        set.ok_or_else(|| anyhow::anyhow!("no set of quiet positions with {TRIES} seeds"))
    })?;
    let mut list = PositionList::default();
    for epd in &made {
        list.add(std::path::Path::new("quiet.epd"), epd.as_bytes());
    }
    list.positions.iter().map(Case::of_position).collect()
}

fn measure(
    laboratory: &Laboratory<'_>,
    backend: &'static str,
    limits: Limits,
    reference: &Reference,
    cases: &[Case],
) -> anyhow::Result<Measured> {
    let seed = laboratory.conditions.seed.to_string();
    let terms = Terms {
        engine: Some(Contestants::ours(backend, backend, &[("Seed", &seed)])),
        limits,
        reference: reference.spec.clone(),
        reference_limits: reference.limits,
    };
    let findings = laboratory.judge(&format!("blunders-{backend}"), &terms, cases)?;
    let findings: Vec<_> = findings.into_iter().map(Some).collect();
    let report = Report {
        cases,
        findings: &findings,
        bands: &Bands::default(),
    };
    Ok(Measured {
        backend,
        limits,
        summary: report.summary(),
        data: json!({ "backend": backend, "limits": limits, "summary": report.summary() }),
    })
}

/// From the least to the most, in words.
fn part(backend: &str, name: &str, all: &[Measured]) -> Option<Part> {
    let mut of_backend = all.iter().filter(|one| one.backend == backend);
    let (first, last) = (of_backend.next()?, of_backend.next_back()?);
    let in_words = |one: &Measured| {
        let rate = one.summary.blunders?;
        Some(format!(
            "{:.0} % blunders ({:.0} to {:.0}) and mean loss {:.2} with {}",
            100.0 * rate.rate,
            100.0 * rate.lower,
            100.0 * rate.upper,
            one.summary.mean?,
            one.limits
        ))
    };
    Some(Part {
        statement: name.to_owned(),
        verdict: Verdict::Measured,
        evidence: format!("{}; {}", in_words(first)?, in_words(last)?),
    })
}

fn rate_chart(all: &[Measured], unit: &str) -> String {
    let point = |x, one: &Measured| {
        let rate = one.summary.blunders?;
        Some(Point {
            x,
            y: 100.0 * rate.rate,
            low: 100.0 * rate.lower,
            high: 100.0 * rate.upper,
        })
    };
    chart("Blunder rate", "blunders, %", Spread::Bars, all, unit, point)
}

fn loss_chart(all: &[Measured], unit: &str) -> String {
    let point = |x, one: &Measured| {
        let y = one.summary.mean?;
        Some(Point {
            x,
            y,
            low: y,
            high: y,
        })
    };
    chart("Mean loss", "mean loss, pawns", Spread::Bars, all, unit, point)
}

fn chart(
    title: &str,
    y_title: &str,
    spread: Spread,
    all: &[Measured],
    unit: &str,
    point: impl Fn(f64, &Measured) -> Option<Point>,
) -> String {
    let series = BACKENDS
        .iter()
        .enumerate()
        .map(|(shift, (backend, name))| Series {
            name: (*name).to_owned(),
            points: all
                .iter()
                .filter(|one| one.backend == *backend)
                .enumerate()
                // A little apart, so that intervals do not hide one another.
                .filter_map(|(step, one)| point(step as f64 + 0.06 * shift as f64, one))
                .collect(),
            spread,
        });
    let least = all.first().map_or(String::new(), |one| one.limits.to_string());
    LineChart {
        title: format!("{title} by {unit} per move"),
        x_title: format!("doublings of {unit}, from {least}"),
        y_title: y_title.to_owned(),
        reference: Some(0.0),
        series: series.collect(),
    }
    .to_svg()
}

fn table(all: &[Measured]) -> Table {
    let mut table = Table::new([
        ("Limits", Align::Left),
        ("Search", Align::Left),
        ("Moves", Align::Right),
        ("Blunders", Align::Right),
        ("Rate %", Align::Right),
        ("95 % interval", Align::Right),
        ("Mean loss", Align::Right),
        ("Median", Align::Right),
        ("Agreement %", Align::Right),
    ]);
    for Measured {
        backend,
        limits,
        summary,
        ..
    } in all
    {
        let pawns = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.2}"));
        let (rate, agreement) = (summary.blunders, summary.agreement);
        table.row([
            limits.to_string(),
            (*backend).to_owned(),
            summary.moves.to_string(),
            rate.map_or("-".to_owned(), |rate| rate.count.to_string()),
            rate.map_or("-".to_owned(), |rate| format!("{:.1}", 100.0 * rate.rate)),
            rate.map_or("-".to_owned(), |rate| {
                format!("{:.1} to {:.1}", 100.0 * rate.lower, 100.0 * rate.upper)
            }),
            pawns(summary.mean),
            pawns(summary.median),
            agreement.map_or("-".to_owned(), |rate| format!("{:.1}", 100.0 * rate.rate)),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Scale;

    #[test]
    fn steps_double() {
        let mut conditions = Conditions {
            scale: Scale::Full,
            ..Conditions::default()
        };
        let said = |conditions: &Conditions| -> Vec<String> {
            steps(conditions).iter().map(ToString::to_string).collect()
        };
        let times = [
            "0.05/move",
            "0.1/move",
            "0.2/move",
            "0.4/move",
            "0.8/move",
            "1.6/move",
        ];
        assert_eq!(said(&conditions), times);
        conditions.nodes = Some(4_000);
        conditions.scale = Scale::Quick;
        assert_eq!(said(&conditions), ["nodes=1000", "nodes=2000", "nodes=4000"]);
    }
}

//! Strength against time: the genetic search against itself with half the time.

use std::time::Duration;

use serde_json::{Value, json};

use crate::arena::statistics::Estimate;
use crate::arena::{EngineSpec, Limits};
use crate::display::{LineChart, Point, Series, Spread, Table, cells};
use crate::experiment::laboratory::{Contest, interval, ours};
use crate::experiment::words::signed;
use crate::experiment::{Conclusion, Conditions, Experiment, Laboratory, Part};

pub const EXPERIMENT: Experiment = Experiment {
    id: "time",
    title: "Strength against time",
    claim: "What doubling the time for each move is worth to the genetic search, from 0.05 seconds up.",
    source: "",
    run,
};

/// The shorter time of the first doubling.
const FIRST: Duration = Duration::from_millis(25);
/// Games of each doubling, quick and full.
const GAMES: [(u32, u32); 6] = [(4, 100), (4, 100), (2, 100), (0, 100), (0, 100), (0, 100)];

/// The presets that are tried, and how many doublings of each. The last two take six hours, and are tried
/// with the paper's alone.
const PRESETS: [(&str, usize); 2] = [("paper", GAMES.len()), ("strong", 4)];

/// What more time is worth to one preset.
struct Growth {
    preset: &'static str,
    doublings: Vec<Doubling>,
    /// What the doublings up to each one gained together.
    sums: Vec<Option<Estimate>>,
}

/// A match of the search against itself with half the time.
struct Doubling {
    half: Limits,
    whole: Limits,
    contest: Contest,
}

fn run(laboratory: &Laboratory<'_>) -> anyhow::Result<Conclusion> {
    let conditions = &laboratory.conditions;
    let growths = PRESETS.iter().map(|&(preset, most)| {
        let doublings = play(preset, most, laboratory)?;
        let gains: Vec<_> =
            doublings.iter().map(|doubling| doubling.contest.encounter.outcomes.elo()).collect();
        Ok(Growth { preset, doublings, sums: summed(&gains) })
    });
    let growths = growths.collect::<anyhow::Result<Vec<Growth>>>()?;
    let every =
        || growths.iter().flat_map(|growth| growth.doublings.iter().map(move |doubling| (growth, doubling)));
    let parts = every().map(|(growth, doubling)| {
        let statement = format!("`{}`, {} against {}", growth.preset, doubling.whole, doubling.half);
        Part::measured(statement, doubling.contest.in_words())
    });
    let presets =
        growths.iter().map(|growth| format!("`{}` ({} doublings)", growth.preset, growth.doublings.len()));
    let method = format!(
        "The genetic search against itself with half of what it has for a move ({}), with each of two presets, {}, and `Evaluation=paper`; each opening (eight \
         half-moves of Kashan's own lines) with both colours. Sums have intervals under the assumption that matches are independent.",
        match conditions.are_reproducible() {
            true => "nodes instead of time",
            false => "always the same time for each move, of which 2 ms are kept back",
        },
        presets.collect::<Vec<_>>().join(" and ")
    );
    let rows = every()
        .map(|(growth, doubling)| (format!("{}, {}", growth.preset, doubling.whole), &doubling.contest));
    let data: Vec<_> = growths.iter().map(Growth::data).collect();
    Ok(Conclusion::new(method, parts.collect(), json!({ "presets": data }))
        .with_figure(
            "elo",
            format!(
                "Elo gained by each doubling, and summed up from {}, with 95 % intervals; a doubling that won every game is drawn \
                 as if one had been a draw, and ends the sum",
                spent(conditions, 0)
            ),
            chart(conditions, &growths).to_svg(),
        )
        .with_matches("Each doubling, from game pairs", "Against half of it", rows)
        .with_table("Summed up", sum_table(&growths)))
}

fn play(preset: &str, most: usize, laboratory: &Laboratory<'_>) -> anyhow::Result<Vec<Doubling>> {
    let conditions = &laboratory.conditions;
    let mut doublings = Vec::new();
    for (step, games) in games(conditions).into_iter().take(most).enumerate() {
        let [half, whole] = [step, step + 1].map(|doubled| spent(conditions, doubled));
        let engine = |limits: Limits| EngineSpec {
            limits: Some(limits),
            ..ours(&limits.to_string(), "genetic", &[("Preset", preset), ("MoveOverhead", "2")])
        };
        let work = format!("time-{preset}-doubling-{}", step + 1);
        let contest = laboratory.play(&work, [engine(whole), engine(half)], whole, games)?;
        doublings.push(Doubling { half, whole, contest });
    }
    Ok(doublings)
}

impl Growth {
    fn data(&self) -> Value {
        let doublings: Vec<_> = self
            .doublings
            .iter()
            .zip(&self.sums)
            .map(|(doubling, sum)| {
                json!({
                    "half": doubling.half,
                    "whole": doubling.whole,
                    "match": doubling.contest,
                    "summed_up": sum,
                })
            })
            .collect();
        json!({ "preset": self.preset, "doublings": doublings })
    }
}

/// How many games each doubling has; doublings without any are left out.
fn games(conditions: &Conditions) -> Vec<u32> {
    let planned = GAMES.iter().map(|&(quick, full)| conditions.pick(quick, full));
    planned.filter(|&games| games > 0).map(|games| conditions.games.unwrap_or(games)).collect()
}

/// The limits of a move after so many doublings.
fn spent(conditions: &Conditions, doubled: usize) -> Limits {
    let times = 1 << doubled;
    match conditions.nodes {
        // As with time, what was asked for is the longer one of the first doubling.
        Some(nodes) => Limits::of_nodes((nodes.div_ceil(2)).saturating_mul(u64::from(times))),
        None => Limits::per_move(FIRST * times),
    }
}

/// Running sums; the half widths of intervals add like errors that know nothing of each other.
fn summed(gains: &[Option<Estimate>]) -> Vec<Option<Estimate>> {
    let mut sum = Some([0.0; 3]);
    let add = |gain: &Option<Estimate>| {
        sum = sum.zip(*gain).map(|([value, below, above], gain)| {
            [
                value + gain.value,
                below + (gain.value - gain.low).powi(2),
                above + (gain.high - gain.value).powi(2),
            ]
        });
        // Of a match won or lost in every game nothing more can be said.
        sum = sum.filter(|[value, ..]| value.is_finite());
        sum.map(|[value, below, above]| Estimate {
            value,
            low: value - below.sqrt(),
            high: value + above.sqrt(),
        })
    };
    gains.iter().map(add).collect()
}

fn chart(conditions: &Conditions, growths: &[Growth]) -> LineChart {
    let series = |name: String, estimates: &[Option<Estimate>], aside: f64| {
        let points = (1..).zip(estimates).filter_map(|(doublings, estimate)| {
            Some(Point::new(f64::from(doublings) + aside, interval((*estimate)?)))
        });
        Series::new(name, Spread::Bars, points)
    };
    let both = growths.iter().zip([0.0, 0.08]).flat_map(|(Growth { preset, doublings, sums }, aside)| {
        let gains: Vec<_> = doublings.iter().map(|doubling| doubling.contest.charted_elo()).collect();
        [
            series(format!("{preset}: gained by this doubling"), &gains, aside),
            series(format!("{preset}: summed up"), sums, aside + 0.04),
        ]
    });
    LineChart {
        title: "The genetic search with more time".to_owned(),
        x_title: format!("doublings of {}", spent(conditions, 0)),
        y_title: "Elo".to_owned(),
        reference: Some(0.0),
        series: both.collect(),
    }
}

fn sum_table(growths: &[Growth]) -> Table {
    let rows = growths.iter().flat_map(|growth| {
        growth.doublings.iter().zip(&growth.sums).map(|(doubling, sum)| {
            let [value, low, high] = sum.map_or_else(Default::default, |sum| interval(sum).map(signed));
            let between = if sum.is_some() { format!("{low} to {high}") } else { String::new() };
            cells![growth.preset, doubling.whole, value, between]
        })
    });
    Table::headed("Preset | With | Elo above the shortest: | 95 % interval").with_rows(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_nodes_double() {
        let texts = |conditions: &Conditions| [0, 1, 6].map(|doubled| spent(conditions, doubled).to_string());
        let mut conditions = Conditions::default();
        assert_eq!(texts(&conditions), ["0.025/move", "0.05/move", "1.6/move"]);
        assert_eq!(games(&conditions), [100; 6]);
        conditions.nodes = Some(1000);
        assert_eq!(texts(&conditions), ["nodes=500", "nodes=1000", "nodes=32000"]);
        conditions.nodes = Some(1);
        assert_eq!(texts(&conditions), ["nodes=1", "nodes=2", "nodes=64"]);
        conditions.games = Some(2);
        assert_eq!(games(&conditions), [2; 6]);
    }

    #[test]
    fn sums_go_as_far_as_numbers_are_finite() {
        let gain = |value: f64| Some(Estimate { value, low: value - 30.0, high: value + 40.0 });
        let sums = summed(&[gain(10.0), gain(20.0), gain(f64::INFINITY), gain(5.0)]);
        let second = sums[1].expect("a sum");
        assert_eq!(second.value, 30.0);
        assert!((second.low - (30.0 - 1800f64.sqrt())).abs() < 1e-9);
        assert!((second.high - (30.0 + 3200f64.sqrt())).abs() < 1e-9);
        assert_eq!(&sums[2..], [None, None]);
        assert_eq!(summed(&[None, gain(1.0)]), [None, None]);
    }
}

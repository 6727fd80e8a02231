//! Strength against time: the genetic search against itself with half the time.

use std::time::Duration;

use serde::Serialize;
use serde_json::json;

use crate::arena::statistics::Estimate;
use crate::arena::{EngineLimits, EngineSpec};
use crate::lab::experiment::laboratory::{Match, PlayedMatch, ours};
use crate::lab::experiment::words::{listed, signed};
use crate::lab::experiment::{Conclusion, Conditions, Laboratory, Text, Words};
use crate::util::display::{Point, Series, Spread, cells};

/// The shorter time of the first doubling.
const FIRST: Duration = Duration::from_millis(25);
/// Games of each doubling, quick and full.
const GAMES: [(u32, u32); 6] = [(4, 100), (4, 100), (2, 100), (0, 100), (0, 100), (0, 100)];

/// The presets to try, and the number of doublings of each. The last two take six hours, and are
/// tried with the paper's alone.
const PRESETS: [(&str, usize); 3] = [("paper", GAMES.len()), ("letter", 4), ("strong", 4)];

/// A match of the search against itself with half the time.
#[derive(Serialize)]
struct Doubling {
    preset: &'static str,
    half: EngineLimits,
    #[serde(rename = "match")]
    played_match: PlayedMatch,
    /// The sum of this gain and the gains of all doublings before.
    summed_up: Option<Estimate>,
}

/// Strength against time.
pub fn run(laboratory: &Laboratory, text: &Text) -> anyhow::Result<Conclusion> {
    let conditions = &laboratory.conditions;
    let growths = PRESETS
        .iter()
        .map(|&(preset, most)| play(preset, most, laboratory));
    let growths = growths.collect::<anyhow::Result<Vec<_>>>()?;
    let presets = PRESETS.iter().zip(&growths);
    let presets = listed(presets, " and ", |((preset, _), all)| {
        format!("`{preset}` ({} doublings)", all.len())
    });
    let all = || growths.iter().flatten();
    let parts = all().map(|doubling| doubling.played_match.part()).collect();
    let played_matches: Vec<&PlayedMatch> = all().map(|doubling| &doubling.played_match).collect();
    let words: Words<'_> = &[("presets", &presets), ("first", &spent(conditions, 0))];
    Ok(text
        .conclude(laboratory, words, parts, json!({ "doublings": growths }))
        .with_lines("elo", Some(0.0), lines(&growths))
        .with_matches("Each doubling, from game pairs", "Match", played_matches)
        .with_rows(
            "Summed up",
            "Preset | With | Elo above the shortest: | 95 % interval",
            all().map(
                |Doubling {
                     preset,
                     played_match,
                     summed_up,
                     ..
                 }| {
                    let [value, between] = sum_in_cells(*summed_up);
                    cells![preset, played_match.wanted.limits, value, between]
                },
            ),
        ))
}

/// A sum and its interval; hyphens if there is none.
fn sum_in_cells(sum: Option<Estimate>) -> [String; 2] {
    let Some(sum) = sum else {
        return ["-", "-"].map(str::to_owned);
    };
    let [value, low, high] = sum.interval().map(signed);
    [value, format!("{low} to {high}")]
}

fn play(
    preset: &'static str,
    most: usize,
    laboratory: &Laboratory,
) -> anyhow::Result<Vec<Doubling>> {
    let conditions = &laboratory.conditions;
    let mut played_matches = Vec::new();
    for (step, games) in games(conditions).into_iter().take(most).enumerate() {
        let [half, whole] = [step, step + 1].map(|doubled| spent(conditions, doubled));
        let engine = |limits: EngineLimits| EngineSpec {
            limits: Some(limits),
            ..ours(
                conditions,
                &limits.to_string(),
                "genetic",
                &[("Preset", preset), ("MoveOverhead", "2")],
            )
        };
        let work = format!("time-{preset}-doubling-{}", step + 1);
        let what = format!("`{preset}`, {whole} against {half}");
        let wanted = Match::new(work, what, [engine(whole), engine(half)], whole, games);
        played_matches.push((half, laboratory.play(wanted)?));
    }
    let gains: Vec<_> = played_matches
        .iter()
        .map(|(_, played_match)| played_match.encounter.outcomes.elo())
        .collect();
    let doublings = played_matches.into_iter().zip(summed(&gains));
    Ok(doublings
        .map(|((half, played_match), summed_up)| Doubling {
            preset,
            half,
            played_match,
            summed_up,
        })
        .collect())
}

/// Returns the number of games of each doubling; doublings without games are left out.
fn games(conditions: &Conditions) -> Vec<u32> {
    let planned = GAMES
        .iter()
        .map(|&(quick, full)| conditions.pick(quick, full));
    planned
        .filter(|&games| games > 0)
        .map(|games| conditions.games.unwrap_or(games))
        .collect()
}

/// The limits of a move after so many doublings.
fn spent(conditions: &Conditions, doubled: usize) -> EngineLimits {
    let times = 1 << doubled;
    match conditions.nodes {
        // As with time, what was asked for is the longer one of the first doubling.
        Some(nodes) => EngineLimits::of_nodes((nodes.div_ceil(2)).saturating_mul(u64::from(times))),
        None => EngineLimits::per_move(FIRST * times),
    }
}

/// Returns running sums; the half widths of intervals add like independent errors.
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

fn lines(growths: &[Vec<Doubling>]) -> impl Iterator<Item = Series> {
    let series =
        |name: String, of: fn(&Doubling) -> Option<Estimate>, growth: &[Doubling], aside: f64| {
            let points = (1..).zip(growth).filter_map(|(doublings, doubling)| {
                Some(Point::new(
                    f64::from(doublings) + aside,
                    of(doubling)?.interval(),
                ))
            });
            Series::new(name, Spread::Bars, points)
        };
    growths.iter().zip(PRESETS).zip([0.0, 0.08, 0.16]).flat_map(
        move |((growth, (preset, _)), aside)| {
            let gained = |doubling: &Doubling| doubling.played_match.charted_elo();
            [
                series(
                    format!("{preset}: gained by this doubling"),
                    gained,
                    growth,
                    aside,
                ),
                series(
                    format!("{preset}: summed up"),
                    |doubling| doubling.summed_up,
                    growth,
                    aside + 0.04,
                ),
            ]
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_nodes_double() {
        let texts = |conditions: &Conditions| {
            [0, 1, 6].map(|doubled| spent(conditions, doubled).to_string())
        };
        let mut conditions = Conditions::default();
        assert_eq!(texts(&conditions), ["0.025/move", "0.05/move", "1.6/move"]);
        assert_eq!(games(&conditions), [100; 6]);
        conditions.nodes = Some(1000);
        assert_eq!(
            texts(&conditions),
            ["nodes=500", "nodes=1000", "nodes=32000"]
        );
        conditions.nodes = Some(1);
        assert_eq!(texts(&conditions), ["nodes=1", "nodes=2", "nodes=64"]);
        conditions.games = Some(2);
        assert_eq!(games(&conditions), [2; 6]);
    }

    #[test]
    fn sums_go_as_far_as_numbers_are_finite() {
        let gain = |value: f64| {
            Some(Estimate {
                value,
                low: value - 30.0,
                high: value + 40.0,
            })
        };
        let sums = summed(&[gain(10.0), gain(20.0), gain(f64::INFINITY), gain(5.0)]);
        let second = sums[1].expect("a sum");
        assert_eq!(second.value, 30.0);
        assert!((second.low - (30.0 - 1800f64.sqrt())).abs() < 1e-9);
        assert!((second.high - (30.0 + 3200f64.sqrt())).abs() < 1e-9);
        assert_eq!(&sums[2..], [None, None]);
        assert_eq!(summed(&[None, gain(1.0)]), [None, None]);
    }
}

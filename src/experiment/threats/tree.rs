//! M3: how many states there are.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::program::SOURCE;
use crate::display::{Table, cells};
use crate::experiment::positions::{MIDDLEGAMES, survey};
use crate::experiment::{ClaimVerdict, Conclusion, Experiment, Laboratory, Part};
use crate::tuning::mean_with_interval;

pub const STATES: Experiment = Experiment {
    id: "M3",
    title: "The size of the tree",
    claim: "Looking ahead n plies requires searching approximately 35^n states.",
    source: SOURCE,
    run,
};

/// What still is approximately 35.
const APPROXIMATELY: [f64; 2] = [30.0, 40.0];

/// Positions after 1, 2, 3 and 4 plies.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
struct Leaves([u64; 4]);

fn run(laboratory: &Laboratory<'_>) -> anyhow::Result<Conclusion> {
    let count = laboratory.conditions.pick(20, 200);
    let leaves = survey(laboratory, "m3-leaves", count, &[], |position| {
        Ok(Leaves([1, 2, 3, 4].map(|plies| position.perft(plies))))
    })?;
    let of_plies = |plies: usize| {
        let numbers = leaves.iter().map(|leaves| leaves.0[plies - 1] as f64);
        let numbers: Vec<f64> = numbers.collect();
        let roots: Vec<f64> = numbers.iter().map(|&number| libm::pow(number, 1.0 / plies as f64)).collect();
        (mean_with_interval(&numbers)[0], mean_with_interval(&roots))
    };
    let parts = (1..=4).map(|plies| {
        let (mean, [root, half]) = of_plies(plies);
        let [low, high] = APPROXIMATELY;
        let (from, to) = (root - half, root + half);
        let verdict = match () {
            () if low <= from && to <= high => ClaimVerdict::Confirmed,
            () if to < low || high < from => ClaimVerdict::Refuted,
            () => ClaimVerdict::NotDecided(format!("{count} positions")),
        };
        Part::new(
            format!("n = {plies}: the n-th root of the number of states is from 30 to 40"),
            verdict,
            format!(
                "{root:.1} ± {half:.1}; {mean:.0} states on average, 35^{plies} is {}",
                35_u64.pow(plies as u32)
            ),
        )
    });
    let parts: Vec<Part> = parts.collect();
    let rows = (1..=4).map(|plies| {
        let (mean, [root, half]) = of_plies(plies);
        let root_of_mean = libm::pow(mean, 1.0 / plies as f64);
        cells![
            plies,
            35_u64.pow(plies as u32),
            format!("{mean:.0}"),
            format!("{root:.1} ± {half:.1}"),
            format!("{root_of_mean:.1}")
        ]
    });
    let head = "Plies: | 35^n: | States, mean: | n-th root, mean: | n-th root of the mean:";
    let table = Table::headed(head).with_rows(rows);
    let method = format!(
        "The legal sequences of moves from {count} {MIDDLEGAMES} are counted. The interval of the mean is Student's; \"approximately 35\" is taken as 30 \
         to 40."
    );
    let data = json!({ "leaves": leaves });
    Ok(Conclusion::new(method, parts, data).with_table("States at the end of n plies", table))
}

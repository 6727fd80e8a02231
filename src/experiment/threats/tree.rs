//! M3: how many states there are.

use serde::Serialize;
use serde_json::json;

use crate::experiment::positions::survey;
use crate::experiment::{ClaimVerdict, Conclusion, Laboratory, Part, Text};
use crate::tuning::mean_with_interval;

/// What still is approximately 35.
const APPROXIMATELY: [f64; 2] = [30.0, 40.0];

/// Positions after so many plies.
#[derive(Serialize)]
struct States {
    plies: u32,
    /// 35^n.
    claimed: u64,
    mean: f64,
    root_of_mean: f64,
    /// The mean of the n-th roots, and half of its interval.
    root: f64,
    half: f64,
}

impl States {
    fn new(plies: u32, leaves: &[[u64; 4]]) -> States {
        let numbers: Vec<f64> = leaves.iter().map(|leaves| leaves[plies as usize - 1] as f64).collect();
        let root = |number: f64| libm::pow(number, 1.0 / f64::from(plies));
        let [mean, _] = mean_with_interval(&numbers);
        let roots: Vec<f64> = numbers.iter().copied().map(root).collect();
        let [mean_root, half] = mean_with_interval(&roots);
        States { plies, claimed: 35_u64.pow(plies), mean, root_of_mean: root(mean), root: mean_root, half }
    }

    fn part(&self, tried: usize) -> Part {
        let States { plies, claimed, mean, root, half, .. } = self;
        let tried = format!("{tried} positions");
        let verdict = ClaimVerdict::of_range(APPROXIMATELY, root - half, root + half, tried);
        let statement = format!("n = {plies}: the n-th root of the number of states is from 30 to 40");
        let evidence = format!("{root:.1} ± {half:.1}; {mean:.0} states on average, 35^{plies} is {claimed}");
        Part::new(statement, verdict, evidence)
    }
}

/// M3: The size of the tree.
pub fn run(laboratory: &Laboratory<'_>, text: &Text) -> anyhow::Result<Conclusion> {
    let count = laboratory.conditions.pick(20, 200);
    let leaves: Vec<[u64; 4]> = survey(laboratory, "m3-leaves", count, &[], |position| {
        Ok([1, 2, 3, 4].map(|plies| position.perft(plies)))
    })?;
    let states = [1, 2, 3, 4].map(|plies| States::new(plies, &leaves));
    let parts = states.iter().map(|states| states.part(count)).collect();
    let data = json!({ "leaves": leaves, "states": states });
    Ok(text.conclude(laboratory, &[("count", &count)], parts, data).with_rows("states", &states))
}

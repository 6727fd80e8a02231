//! Experiments on questions that a reader of the paper may have and the papers do not ask.

mod blunder_rate;
mod development;
mod time;
mod tuning;

use serde_json::json;

use super::laboratory::Contest;
use super::{Conclusion, Laboratory, Run, Text};
use crate::display::Mark;

/// In the order in which reports have them.
pub const RUNS: &[(&str, Run)] = &[
    ("ablation", ablation),
    ("development", development::run),
    ("time", time::run),
    ("blunders", blunder_rate::run),
    ("tuning", tuning::run),
];

/// What each part of the genetic search is worth: the search without it against the search with it.
fn ablation(laboratory: &Laboratory<'_>, text: &Text) -> anyhow::Result<Conclusion> {
    let contests = text.play(laboratory)?;
    let parts = contests.iter().map(Contest::part).collect();
    let data = json!({ "limits": contests.first().map(|contest| contest.limits), "matches": contests });
    let conclusion = text.conclude(laboratory, &[], parts, data);
    Ok(conclusion.with_bars("elo", Mark::Bar, Contest::bars(&contests)).with_matches(&contests))
}

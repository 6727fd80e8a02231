//! Experiments on questions that a reader of the paper may have and the papers do not ask.

pub(super) mod development;
pub(super) mod time;
pub(super) mod tuning;

use serde_json::json;

use super::laboratory::Contest;
use super::{Conclusion, Laboratory, Text};
use crate::util::display::Mark;

/// What each part of the genetic search is worth: the search without it against the search with it.
pub fn ablation(laboratory: &Laboratory, text: &Text) -> anyhow::Result<Conclusion> {
    let contests = text.play(laboratory)?;
    let parts = contests.iter().map(Contest::part).collect();
    let data =
        json!({ "limits": contests.first().map(|contest| contest.wanted.limits), "matches": contests });
    let conclusion = text.conclude(laboratory, &[], parts, data);
    Ok(conclusion.with_bars("elo", Mark::Bar, Contest::bars(&contests)).with_matches(&contests))
}

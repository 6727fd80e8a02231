//! What each part of the genetic search is worth: the search without it against the search with it.

use serde_json::json;

use crate::display::Mark;
use crate::experiment::laboratory::Contest;
use crate::experiment::{Conclusion, Laboratory, Text};

/// What each part of the genetic search is worth.
pub fn run(laboratory: &Laboratory<'_>, text: &Text) -> anyhow::Result<Conclusion> {
    let contests = text.play(laboratory)?;
    let parts = contests.iter().map(Contest::part).collect();
    let data = json!({ "limits": contests.first().map(|contest| contest.limits), "matches": contests });
    let conclusion = text.conclude(laboratory, &[], parts, data);
    Ok(conclusion.with_bars("elo", Mark::Bar, Contest::bars(&contests)).with_matches(&contests))
}

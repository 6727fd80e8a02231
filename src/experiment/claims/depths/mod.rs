//! C9 and C10: the genetic search against Min-Max and alpha-beta of fixed depth, with the same evaluation.
//!
//! The paper does not say what "depth d" leaves its opponents for a move, so both readings are tried: with
//! the same clock the opponent stops at its depth, or when its clock tells it to, and the genetic search uses
//! its time; with equal time the genetic search has, move by move, the time that the opponent took for its
//! last one.

mod exhibits;
mod judgement;

use serde::Serialize;
use serde_json::json;

use crate::experiment::laboratory::Contest;
use crate::experiment::{Conclusion, Conditions, Laboratory, Text, Words};
pub use judgement::Claim;

/// The share of the opponent's moves that have to be of the depth.
const REACHED: f64 = 0.5;

/// A match against an opponent of one depth.
#[derive(Serialize)]
struct Bout {
    /// Who has how much time: `same-clock` or `equal-time`.
    condition: String,
    depth: u32,
    #[serde(rename = "match")]
    contest: Contest,
    /// On which share of its moves the opponent finished its depth; `None` without moves.
    finished: Option<f64>,
    /// Of each engine, on average; reproducible findings have no times, which differ from run to run.
    milliseconds_a_move: Option<[Option<f64>; 2]>,
}

impl Bout {
    /// In the catalogue the statement of such a match is its condition, and its last word the depth.
    fn new(contest: Contest, with_times: bool) -> Bout {
        let depth = contest.what.rsplit(' ').next().and_then(|depth| depth.parse().ok());
        let depth = depth.expect("the match is called after its depth");
        Bout {
            condition: contest.statement.clone(),
            depth,
            finished: contest.share_finished(depth),
            milliseconds_a_move: with_times.then(|| contest.mean_times()),
            contest,
        }
    }

    /// Whether the opponent was one of this depth: a limit that its time hardly ever lets it reach tells
    /// nothing about the depth.
    fn is_of_its_depth(&self) -> bool {
        self.finished.is_some_and(|share| share >= REACHED)
    }
}

/// All matches under one condition, and how texts call it.
struct Reading<'b> {
    words: &'static str,
    bouts: &'b [Bout],
}

impl Reading<'_> {
    fn new<'b>(bouts: &'b [Bout], conditions: &Conditions) -> Reading<'b> {
        let words = match bouts[0].condition.as_str() {
            "same-clock" if conditions.are_reproducible() => "same number of nodes",
            "same-clock" => "same clock",
            _ => "equal time for each move",
        };
        Reading { words, bouts }
    }
}

/// C9 and C10: Against Min-Max and alpha-beta of fixed depth.
pub fn run(laboratory: &Laboratory<'_>, text: &Text) -> anyhow::Result<Conclusion> {
    let conditions = &laboratory.conditions;
    let contests = text.play(laboratory)?;
    let (limits, rival) = (contests[0].limits, contests[0].names[1].clone());
    let with_times = !conditions.are_reproducible();
    let bouts: Vec<Bout> = contests.into_iter().map(|contest| Bout::new(contest, with_times)).collect();
    let of_conditions = bouts.chunk_by(|one, next| one.condition == next.condition);
    let readings: Vec<Reading<'_>> = of_conditions.map(|bouts| Reading::new(bouts, conditions)).collect();
    let (parts, verdict) = judgement::parts(&rival, &text.depths, &readings);
    let data = json!({ "limits": limits, "matches": bouts });
    let words: Words<'_> =
        &[("rival", &rival), ("reached", &(100.0 * REACHED)), ("same", &readings[0].words)];
    let conclusion = Conclusion { verdict, ..text.conclude(laboratory, words, parts, data) };
    let games = text.games(conditions);
    Ok(exhibits::add(&rival, games, &readings, conclusion)
        .with_rows("moves", &bouts)
        .with_text(Contest::endings_in_words(bouts.iter().map(|bout| &bout.contest))))
}

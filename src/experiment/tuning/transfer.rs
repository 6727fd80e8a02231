//! T12: whether solving more held-out problems means playing better.

use serde::Serialize;
use serde_json::json;

use super::runs::{Setup, evolve, seeds};
use super::strength::meeting;
use crate::display::{Point, Series, Spread};
use crate::evaluation::{Evaluation, WeightSet};
use crate::experiment::{ClaimVerdict, Conclusion, Laboratory, Part, Text};
use crate::tuning::rank_correlation;

/// Fewer decide nothing.
const FEWEST_PLAYERS: usize = 10;

/// A player, the share of held-out problems that it solves, and its score, both in percent.
#[derive(Serialize)]
struct Seen {
    player: String,
    held_out: f64,
    score: f64,
}

/// T12: Solved problems and strength.
pub fn run(laboratory: &Laboratory<'_>, text: &Text) -> anyhow::Result<Conclusion> {
    // But for the first those of T4, T7 and T9, whose evolutions are not made again.
    let setups = Setup::all(laboratory, text)?;
    let mut players = Vec::new();
    for (name, setup, _) in &setups {
        for run in evolve(laboratory, setup, seeds(laboratory))? {
            if name == "paper" {
                players.push((format!("not-evolved-{}", run.seed), run.not_evolved, run.held_out_before));
            }
            players.push((format!("{name}-{}", run.seed), run.weights, run.held_out));
        }
    }
    let games = laboratory.conditions.games(4, 40);
    let table_1 = WeightSet::of(Evaluation::Factors);
    let mut seen = Vec::new();
    for (player, weights, held_out) in players {
        let sides = [(player.as_str(), weights.as_slice()), ("table-1", table_1.row())];
        let contest = laboratory.play(meeting(laboratory, format!("t12-{player}"), sides, games)?)?;
        let score = 100.0 * contest.encounter.score.rate().unwrap_or(f64::NAN);
        seen.push(Seen { player, held_out, score });
    }
    let pairs: Vec<[f64; 2]> = seen.iter().map(|one| [one.held_out, one.score]).collect();
    let tried = format!("{} players", pairs.len());
    let (verdict, evidence) = match rank_correlation(&pairs) {
        None => (ClaimVerdict::NotDecided(tried), "all solve or score the same".to_owned()),
        Some([value, low, high]) => {
            let verdict = match pairs.len() < FEWEST_PLAYERS {
                true => ClaimVerdict::too_few(&tried),
                false => ClaimVerdict::of_interval(true, 0.0, low, high, tried),
            };
            (verdict, format!("rank correlation {value:+.2} (95 % from {low:+.2} to {high:+.2})"))
        }
    };
    let points = pairs.iter().map(|&[held_out, score]| Point::exact(held_out, score));
    let parts = vec![Part::new("More held-out problems solved, more points", verdict, evidence)];
    let conclusion = text.conclude(laboratory, &[("games", &games)], parts, json!({ "players": seen }));
    Ok(conclusion.with_lines("players", Some(50.0), [Series::new("players", Spread::Dots, points)]))
}

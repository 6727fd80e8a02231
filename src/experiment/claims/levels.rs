//! C12: two levels of the initial population against one.

use serde_json::json;

use crate::display::Mark;
use crate::experiment::laboratory::Contest;
use crate::experiment::{ClaimVerdict, Conclusion, Laboratory, Part, Text};
use crate::search::genetic::params::Preset;

/// What Table 6's 72.5 % are in Elo.
const GAIN: f64 = 168.0;

/// C12: Two levels of the initial population against one.
pub fn run(laboratory: &Laboratory<'_>, text: &Text) -> anyhow::Result<Conclusion> {
    if laboratory.conditions.preset == Preset::Strong {
        let why = "the preset strong begins with every move of the root, whatever Levels says";
        return Ok(Conclusion::not_run("Two levels are stronger than one", why, "nothing was played"));
    }
    let contests = text.play(laboratory)?;
    let score = |name, [wins, losses, draws]: [u32; 3]| {
        let games = wins + losses + draws;
        let rate = (f64::from(wins) + f64::from(draws) / 2.0) / f64::from(games.max(1));
        json!({ "of": name, "games": games, "wins": wins, "losses": losses, "draws": draws, "rate": rate })
    };
    let here = contests[0].encounter.score;
    let scores = [score("paper", [13, 4, 3]), score("here", [here.wins, here.losses, here.draws])];
    let mut parts: Vec<Part> = contests.iter().map(Contest::part).collect();
    let statement = format!("They are worth {GAIN:+.0} Elo, as in Table 6, {}", contests[0].limits);
    let verdict = ClaimVerdict::of_elo([GAIN; 2], &contests[0].encounter);
    parts.insert(1, Part::new(statement, verdict, contests[0].in_words()));
    let conclusion =
        text.conclude(laboratory, &[], parts, &contests).with_matches(&contests).with_rows("scores", scores);
    Ok(conclusion.with_bars("elo", Mark::Dot, Contest::bars(&contests)))
}

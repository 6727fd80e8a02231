//! C12: two levels of the initial population against one.

use serde_json::json;

use crate::arena::Limits;
use crate::display::Mark;
use crate::experiment::laboratory::{Contest, Match, genetic};
use crate::experiment::{ClaimVerdict, Conclusion, Laboratory, Part, Text, Words};
use crate::search::genetic::params::Preset;

/// Nodes a move, for the question how much the second level matters when there is less to spend, and games:
/// quick, full.
const BUDGETS: [(u64, u32, u32); 2] = [(5_000, 20, 400), (20_000, 10, 400)];

/// What Table 6's 72.5 % are in Elo.
const GAIN: f64 = 168.0;

/// C12: Two levels of the initial population against one.
pub fn run(laboratory: &Laboratory<'_>, text: &Text) -> anyhow::Result<Conclusion> {
    let conditions = &laboratory.conditions;
    if conditions.preset == Preset::Strong {
        let why = "the preset strong begins with every move of the root, whatever Levels says";
        return Ok(Conclusion::not_run("Two levels are stronger than one", why, "nothing was played"));
    }
    let limits = conditions.limits("0.02/move", "0.1/move");
    let ask = |limits: Limits, games| {
        let engines = [("Two levels", "2"), ("One level", "1")]
            .map(|(name, levels)| genetic(conditions, name, &[("Levels", levels), ("MoveOverhead", "5")]));
        Match::new("c12-levels", limits.to_string(), engines, limits, games)
    };
    let claim = format!("Two levels are stronger than one, {limits}");
    let mut matches = vec![ask(limits, conditions.games(40, 500)).claiming(claim)];
    // Otherwise the match itself is one by nodes.
    if !conditions.are_reproducible() {
        let few =
            BUDGETS.map(|(nodes, quick, full)| ask(Limits::of_nodes(nodes), conditions.games(quick, full)));
        matches.extend(few);
    }
    let contests = laboratory.play_all(matches)?;
    let score = |name, [wins, losses, draws]: [u32; 3]| {
        let games = wins + losses + draws;
        let rate = (f64::from(wins) + f64::from(draws) / 2.0) / f64::from(games.max(1));
        json!({ "of": name, "games": games, "wins": wins, "losses": losses, "draws": draws, "rate": rate })
    };
    let here = contests[0].encounter.score;
    let scores = [score("paper", [13, 4, 3]), score("here", [here.wins, here.losses, here.draws])];
    let words: Words<'_> = &[("limits", &limits), ("games", &contests[0].records.len())];
    let mut parts: Vec<Part> = contests.iter().map(Contest::part).collect();
    let statement = format!("They are worth {GAIN:+.0} Elo, as in Table 6, {limits}");
    let verdict = ClaimVerdict::of_elo([GAIN; 2], &contests[0].encounter);
    parts.insert(1, Part::new(statement, verdict, contests[0].in_words()));
    let conclusion = text
        .conclude(laboratory, words, parts, &contests)
        .with_matches(&contests)
        .with_rows("scores", scores);
    Ok(conclusion.with_bars("elo", Mark::Dot, Contest::bars(&contests)))
}

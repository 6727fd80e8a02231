//! C12: two levels of the initial population against one.

use serde_json::json;

use crate::arena::Limits;
use crate::display::Mark;
use crate::experiment::laboratory::{Contest, Match, ours};
use crate::experiment::{Conclusion, Laboratory};

/// Nodes a move, for the question how much the second level matters when there is less to spend, and games:
/// quick, full.
const BUDGETS: [(u64, u32, u32); 2] = [(5_000, 20, 400), (20_000, 10, 400)];

/// C12: Two levels of the initial population against one.
pub fn run(laboratory: &Laboratory<'_>) -> anyhow::Result<Conclusion> {
    let conditions = &laboratory.conditions;
    let limits = conditions.limits("0.02/move", "0.1/move");
    let ask = |limits: Limits, games, claim| Match {
        work: "c12-levels".to_owned(),
        what: limits.to_string(),
        engines: [("Two levels", "2"), ("One level", "1")]
            .map(|(name, levels)| ours(name, "genetic", &[("Levels", levels), ("MoveOverhead", "5")])),
        limits,
        games,
        claim,
    };
    let claim = format!("Two levels are stronger than one, {limits}");
    let mut matches = vec![ask(limits, conditions.games(40, 500), Some(claim))];
    // Otherwise the match itself is one by nodes.
    if !conditions.are_reproducible() {
        let few = BUDGETS
            .map(|(nodes, quick, full)| ask(Limits::of_nodes(nodes), conditions.games(quick, full), None));
        matches.extend(few);
    }
    let contests = laboratory.play_all(matches)?;
    let method = format!(
        "The genetic search with `Levels=2` against itself with `Levels=1` (both `MoveOverhead` 5 ms), {limits}, {} games, each opening (eight half-moves \
         of Kashan's own lines) with both colours{}.",
        contests[0].records.len(),
        match contests.len() {
            1 => "",
            _ =>
                "; and with few nodes a move, because a search that makes many branches soon has all pairs of moves whatever it began with",
        }
    );
    let score = |name, [wins, losses, draws]: [u32; 3]| {
        let games = wins + losses + draws;
        let rate = (f64::from(wins) + f64::from(draws) / 2.0) / f64::from(games.max(1));
        json!({ "of": name, "games": games, "wins": wins, "losses": losses, "draws": draws, "rate": rate })
    };
    let here = contests[0].encounter.score;
    let scores = [score("paper", [13, 4, 3]), score("here", [here.wins, here.losses, here.draws])];
    let columns = "{of} | Games: {games} | Wins of two levels: {wins} | Wins of one level: {losses} | Draws: {draws} | Score of two levels: {rate%}";
    Ok(Conclusion::of_matches(method, "With intervals, from game pairs", "A move", &contests)
        .with_rows("As in the paper's Table 6", columns, scores)
        .with_figure(
            "elo",
            "What the second level is worth, by what a move may cost, with 95 % intervals",
            Contest::chart("Two levels against one", "one level", Mark::Dot, &contests),
        ))
}

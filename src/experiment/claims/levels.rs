//! C12: two levels of the initial population against one.

use serde_json::{Value, json};

use crate::arena::Limits;
use crate::display::{BarChart, Mark, Table, cells};
use crate::experiment::laboratory::{Contest, ours};
use crate::experiment::{ClaimVerdict, Conclusion, Experiment, Laboratory, Part};

pub const EXPERIMENT: Experiment = Experiment {
    id: "C12",
    title: "Two levels of the initial population against one",
    claim: "An initial population of every pair of moves plays better than one of every move: 13 wins, 4 losses and 3 draws in 20 games, 72.5 %.",
    source: "Section 6.5, Table 6",
    run,
};

/// The paper's result, seen by two levels: wins, losses, draws.
const PAPER: [u32; 3] = [13, 4, 3];

/// Nodes a move, for the question how much the second level matters when there is less to spend, and games:
/// quick, full.
const BUDGETS: [(u64, u32, u32); 2] = [(5_000, 20, 400), (20_000, 10, 400)];

fn run(laboratory: &Laboratory<'_>) -> anyhow::Result<Conclusion> {
    let conditions = &laboratory.conditions;
    let limits = conditions.limits("0.02/move", "0.1/move");
    let contest = play(laboratory, limits, conditions.games(40, 500))?;
    let small = match conditions.are_reproducible() {
        // Then the match itself is one by nodes.
        true => Vec::new(),
        false => with_less(laboratory)?,
    };
    let claimed = Part::new(
        format!("Two levels are stronger than one, {limits}"),
        ClaimVerdict::of_encounter(true, &contest.encounter),
        contest.in_words(),
    );
    let measured = small
        .iter()
        .map(|(limits, contest)| Part::measured(format!("The same with {limits}"), contest.in_words()));
    let parts = std::iter::once(claimed).chain(measured).collect();
    let less = match small.is_empty() {
        true => "",
        false => {
            "; and with few nodes a move, because a search that makes many branches soon has all pairs of moves whatever it began with"
        }
    };
    let method = format!(
        "The genetic search with `Levels=2` against itself with `Levels=1` (both `MoveOverhead` 5 ms), {limits}, {} games, each opening (eight half-moves \
         of Kashan's own lines) with both colours{less}.",
        contest.records.len()
    );
    let all: Vec<(String, &Contest)> = small
        .iter()
        .map(|(limits, contest)| (limits, contest))
        .chain([(&limits, &contest)])
        .map(|(limits, contest)| (limits.to_string(), contest))
        .collect();
    let data: Vec<Value> =
        all.iter().map(|(limits, contest)| json!({ "limits": limits, "match": contest })).collect();
    let chart = BarChart {
        title: "Two levels against one".to_owned(),
        x_title: "Elo of two levels above one".to_owned(),
        mark: Mark::Dot,
        rows: all.iter().map(|(limits, contest)| contest.elo_row(limits)).collect(),
    };
    Ok(Conclusion::new(method, parts, json!(data))
        .with_table("As in the paper's Table 6", table_6(&contest))
        .with_figure(
            "elo",
            "What the second level is worth, by what a move may cost, with 95 % intervals",
            chart.to_svg(),
        )
        .with_matches("With intervals, from game pairs", "A move", all.into_iter()))
}

fn play(laboratory: &Laboratory<'_>, limits: Limits, games: u32) -> anyhow::Result<Contest> {
    let engine = |name, levels| ours(name, "genetic", &[("Levels", levels), ("MoveOverhead", "5")]);
    let engines = [engine("Two levels", "2"), engine("One level", "1")];
    laboratory.play("c12-levels", engines, limits, games)
}

fn with_less(laboratory: &Laboratory<'_>) -> anyhow::Result<Vec<(Limits, Contest)>> {
    let conditions = &laboratory.conditions;
    let planned = BUDGETS.iter().map(|&(nodes, quick, full)| (nodes, conditions.pick(quick, full)));
    let wanted = planned
        .filter(|&(_, games)| games > 0)
        .map(|(nodes, games)| (nodes, conditions.games.unwrap_or(games)));
    wanted
        .map(|(nodes, games)| {
            let limits = Limits::of_nodes(nodes);
            Ok((limits, play(laboratory, limits, games)?))
        })
        .collect()
}

fn table_6(contest: &Contest) -> Table {
    let score = contest.encounter.score;
    let rows = [("paper", PAPER), ("here", [score.wins, score.losses, score.draws])];
    let head = " | Games: | Wins of two levels: | Wins of one level: | Draws: | Score of two levels %:";
    Table::headed(head).with_rows(rows.map(|(name, [wins, losses, draws])| {
        let games = wins + losses + draws;
        let rate = (f64::from(wins) + f64::from(draws) / 2.0) / f64::from(games.max(1));
        cells![name, games, wins, losses, draws, format!("{:.1}", 100.0 * rate)]
    }))
}

//! C12: two levels of the initial population against one.

use serde_json::json;

use crate::experiment::laboratory::{Contest, Contestants};
use crate::experiment::{Experiment, Finding, Laboratory, Part, Verdict};
use crate::report::{Align, Table};

pub const EXPERIMENT: Experiment = Experiment {
    id: "C12",
    title: "Two levels of the initial population against one",
    claim: "An initial population of every pair of moves plays better than one of every move: 13 wins, 4 losses and 3 draws in 20 games, 72.5 %.",
    source: "Section 6.5, Table 6",
    run,
};

/// The paper's result, seen by two levels: wins, losses, draws.
const PAPER: [u32; 3] = [13, 4, 3];

fn run(laboratory: &Laboratory<'_>) -> anyhow::Result<Finding> {
    let conditions = &laboratory.conditions;
    let limits = conditions.limits("0.02/move", "0.1/move");
    let engine =
        |name, levels| Contestants::ours(name, "genetic", &[("Levels", levels), ("MoveOverhead", "5")]);
    let contest = laboratory.play(&Contestants {
        work: "c12-levels".to_owned(),
        engines: [engine("Two levels", "2"), engine("One level", "1")],
        limits,
        games: conditions.games(40, 500),
    })?;
    let verdict = Verdict::of_encounter(true, &contest.encounter);
    let stronger = Part {
        statement: "Two levels are stronger than one".to_owned(),
        verdict,
        evidence: contest.in_words(),
    };
    let method = format!(
        "The genetic search with `Levels=2` against itself with `Levels=1`, {limits}, {} games, each opening (eight half-moves of Kashan's own lines) \
         with both colours.",
        contest.records.len()
    );
    let finding = Finding::new(
        method,
        vec![stronger],
        json!({ "limits": limits, "match": contest.to_json() }),
    );
    Ok(finding
        .with_table("As in the paper's Table 6", table_6(&contest))
        .with_table(
            "With intervals, from game pairs",
            Contest::table("Match", [("two levels against one".to_owned(), &contest)]),
        ))
}

fn table_6(contest: &Contest) -> Table {
    let mut table = Table::new([
        ("", Align::Left),
        ("Games", Align::Right),
        ("Wins of two levels", Align::Right),
        ("Wins of one level", Align::Right),
        ("Draws", Align::Right),
        ("Score of two levels %", Align::Right),
    ]);
    let score = contest.encounter.score;
    for (name, [wins, losses, draws]) in [
        ("paper", PAPER),
        ("here", [score.wins, score.losses, score.draws]),
    ] {
        let games = wins + losses + draws;
        let rate = (f64::from(wins) + f64::from(draws) / 2.0) / f64::from(games.max(1));
        table.row([
            name.to_owned(),
            games.to_string(),
            wins.to_string(),
            losses.to_string(),
            draws.to_string(),
            format!("{:.1}", 100.0 * rate),
        ]);
    }
    table
}

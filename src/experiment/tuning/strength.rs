//! T2 and T3: the evolved player and the best of the first generation, against each other and against others.

use anyhow::Context as _;
use serde_json::json;

use super::runs::{METHOD, PLIES, Run, Setup, evolve, mean_and_ends, mean_in_words, seeds, verdict_above};
use crate::arena::statistics::{Anchors, RatingList, Results};
use crate::arena::{EngineSpec, Limits};
use crate::display::{self, BarChart, LineChart, Mark, Row, Series, Spread};
use crate::evaluation::{Evaluation, WeightSet, WeightsFile};
use crate::experiment::laboratory::{Contest, Match, alphabeta_with, elo_in_words, ours, stockfish};
use crate::experiment::words::listed;
use crate::experiment::{ClaimVerdict, Conclusion, Laboratory, Part};
use crate::jobs::fingerprint;
use crate::tuning::evolution::Point;

/// What Table II's best row has, in percent.
const PRINTED: f64 = 97.25;

/// T2: The evolved against the non-evolved player.
pub fn run(laboratory: &Laboratory<'_>) -> anyhow::Result<Conclusion> {
    let conditions = &laboratory.conditions;
    let setup = Setup::paper(laboratory);
    let runs = evolve(laboratory, &setup, seeds(laboratory))?;
    let games = conditions.games(4, 200);
    let play = |run: &Run| {
        let [evolved, before] = ["evolved", "not-evolved"].map(|name| format!("{name}-{}", run.seed));
        let sides = [(evolved.as_str(), run.weights.as_slice()), (&before, &run.not_evolved)];
        laboratory.play(meeting(laboratory, format!("t2-match-{}", run.seed), sides, games)?)
    };
    let contests: Vec<Contest> = runs.iter().map(play).collect::<anyhow::Result<_>>()?;
    let rates: Vec<f64> = contests
        .iter()
        .filter_map(|contest| contest.encounter.score.rate())
        .map(|rate| 100.0 * rate)
        .collect();
    let [_, low, high] = mean_and_ends(rates.iter().copied());
    let printed = match (low..=high).contains(&PRINTED) {
        true => "inside the interval",
        false => "outside the interval; it is the best of 15,840 runs",
    };
    let parts = vec![
        Part::new(
            "The evolved player scores more than half",
            verdict_above(50.0, &rates),
            mean_in_words(&rates),
        ),
        Part::measured(format!("Table II's {PRINTED} %"), printed),
    ];
    let method = format!(
        "{METHOD} Each seed's result plays {games} games against the best of its first generation, both searching 4 plies as the problems were searched; \
         each opening with both colours."
    );
    let rows: Vec<_> =
        runs.iter().zip(&contests).map(|(run, contest)| json!({ "run": run, "match": contest })).collect();
    let columns = "Seed: {run.seed} | Wins: {match.score.wins} | Draws: {match.score.draws} | Losses: {match.score.losses} | Score: {match.rate%}";
    Ok(Conclusion::new(method, parts, &rows)
        .with_rows("As in the paper's Table II", columns, &rows)
        .with_figure(
            "solved",
            "Problems solved in the course of the evolution, means over the seeds with their 95 % intervals",
            solved(&runs).to_svg(),
        )
        .with_figure(
            "weights",
            "What the weights became: means over the seeds with their 95 % intervals, as shares of their ranges (0 the lower bound, 100 the upper one)",
            weights(&runs, &setup).to_svg(),
        ))
}

/// How many problems are solved after so many were learned from.
fn solved(runs: &[Run]) -> LineChart {
    let curve = |name: &str, value: &dyn Fn(&Point, &Run) -> f64| {
        let length = runs.iter().map(|run| run.curve.len()).min().unwrap_or(0);
        let points = (0..length).map(|index| {
            let values = runs.iter().map(|run| value(&run.curve[index], run));
            display::Point::new(runs[0].curve[index].problems as f64, mean_and_ends(values))
        });
        Series::new(name, Spread::Band, points)
    };
    LineChart {
        title: "Solved problems in the course of the evolution".to_owned(),
        x_title: "Problems learned from".to_owned(),
        y_title: "Solved (%)".to_owned(),
        reference: None,
        series: vec![
            curve("of these, best player", &|point, _| 100.0 * f64::from(point.best) / point.problems as f64),
            curve("of these, mean of the players", &|point, _| 100.0 * point.mean / point.problems as f64),
            curve("held out, best player", &|point, run| {
                100.0 * point.held_out as f64 / run.held_out_problems as f64
            }),
        ],
    }
}

/// Every weight that may change, as a share of its range.
fn weights(runs: &[Run], setup: &Setup) -> BarChart {
    let table = setup.table().into_iter().enumerate();
    let rows = table.filter(|(_, spec)| spec.min < spec.max).map(|(weight, spec)| {
        let share =
            |run: &Run| 100.0 * f64::from(run.weights[weight] - spec.min) / f64::from(spec.max - spec.min);
        Row::new(spec.name, mean_and_ends(runs.iter().map(share)))
    });
    BarChart {
        title: "Evolved weights and their spread".to_owned(),
        x_title: "Share of the range (%)".to_owned(),
        mark: Mark::Dot,
        rows: rows.collect(),
    }
}

/// Table III's gain.
const GAIN: f64 = 816.0;
/// What Stockfish is limited to, by its own scale.
const LEVELS: [u32; 4] = [1500, 1800, 2200, 2500];
/// Of each of Stockfish's moves.
const STOCKFISHS_NODES: u64 = 20_000;

/// T3: Both against others.
pub fn against_others(laboratory: &Laboratory<'_>) -> anyhow::Result<Conclusion> {
    let conditions = &laboratory.conditions;
    let opponents = match conditions.opponents.as_slice() {
        [] => match no_stand_in(conditions.are_reproducible(), which::which("stockfish").is_ok()) {
            None => LEVELS
                .map(|level| {
                    let options = [("UCI_LimitStrength", "true"), ("UCI_Elo", &level.to_string())];
                    stockfish(
                        format!("Stockfish, UCI_Elo {level}"),
                        &options,
                        Limits::of_nodes(STOCKFISHS_NODES),
                    )
                })
                .to_vec(),
            Some(why) => {
                let hint = "`--opponent` names other engines";
                return Ok(Conclusion::not_run("The gain of Table III", why, hint));
            }
        },
        // Four plies are our players' limit, not theirs.
        named => {
            let limits = Some(conditions.limits("0.1/move", "0.5/move"));
            named.iter().map(|spec| EngineSpec { limits: spec.limits.or(limits), ..spec.clone() }).collect()
        }
    };
    let runs = evolve(laboratory, &Setup::paper(laboratory), seeds(laboratory))?;
    // The paper's is the best of 15,840 runs; ours is chosen before it plays.
    let best = runs.iter().rev().max_by(|one, other| one.held_out.total_cmp(&other.held_out));
    let best = best.expect("there is one run at least");
    let games = conditions.games(2, 200);
    let players = [("evolved", &best.weights), ("not-evolved", &best.not_evolved)];
    let mut contests = Vec::new();
    for (name, weights) in players {
        for (number, opponent) in opponents.iter().enumerate() {
            contests.push(laboratory.play(Match {
                work: format!("t3-{name}-{}", number + 1),
                what: format!("{name} against {}", opponent.name),
                engines: [player(laboratory, name, weights)?, opponent.clone()],
                limits: DEPTH,
                games,
                claim: None,
            })?);
        }
    }
    let results = Results::from_records(contests.iter().flat_map(|contest| &contest.records));
    let ratings = [(players[1].0.to_owned(), 0.0)].into();
    let list = RatingList::estimate(&results, &Anchors { ratings, prior_games: 1.0, ..Anchors::default() })?;
    let gain = list.of(players[0].0).map(|rating| rating.elo).context("the evolved player has no rating")?;
    let tried = format!("{} games", results.games().len());
    let verdict = match games < FEWEST_GAMES {
        true => ClaimVerdict::NotDecided(format!("{tried}, which are too few")),
        false => ClaimVerdict::of_interval(true, 0.0, gain.low, gain.high, tried),
    };
    let inside = if gain.contains(GAIN) { "inside" } else { "outside" };
    let parts = vec![
        Part::new("The evolved player is stronger against others", verdict, elo_in_words(gain)),
        Part::measured(format!("Table III's {GAIN}"), format!("{inside} the interval")),
    ];
    let method = format!(
        "{METHOD} The run of seed {} (of {} the one that solves most held-out problems), 4 plies, {games} games against each. Rybka 2.3.2a cannot be had: \
         instead of it play {}. The rating list is that of `kashan rate` (one drawn game with the middle assumed for everybody), the non-evolved player at 0.",
        best.seed,
        runs.len(),
        match conditions.opponents.is_empty() {
            true => format!(
                "stand-ins, Stockfish at UCI_Elo {}, {STOCKFISHS_NODES} nodes a move, a scale that is not the paper's, and its mistakes are drawn anew each time",
                listed(&LEVELS, ", ", u32::to_string)
            ),
            false => format!(
                "the opponents that were named on the command line, {}",
                conditions.limits("0.1/move", "0.5/move")
            ),
        }
    );
    let data = json!({ "run": best.seed, "gain": gain, "ratings": list.ratings, "matches": contests });
    Ok(Conclusion::new(method, parts, data).with_matches("Matches", "Match", &contests))
}

/// Why Stockfish does not stand in for Rybka.
fn no_stand_in(is_reproducible: bool, is_installed: bool) -> Option<&'static str> {
    match (is_reproducible, is_installed) {
        (true, _) => Some("the mistakes of limited engines cannot be repeated"),
        (false, true) => None,
        (false, false) => Some("neither Rybka nor Stockfish is here"),
    }
}

/// Of each match; fewer decide nothing.
const FEWEST_GAMES: u32 = 20;

/// A player with these weights that searches as problems are searched, but for its depth.
fn player(laboratory: &Laboratory<'_>, name: &str, weights: &[i32]) -> anyhow::Result<EngineSpec> {
    let weights = WeightSet::with_row(Evaluation::Factors, weights);
    let text = WeightsFile { weights, made: toml::Table::new() }.to_text();
    // By what is in it: weights of another run are another player, and another match.
    let path = laboratory.keep(&format!("{name}-{:016x}.toml", fingerprint(&text)), &text)?;
    let path = path.display().to_string();
    let options = [("WeightsFile", path.as_str()), ("Hash", "1")].into_iter().chain(alphabeta_with(TABLE));
    Ok(ours(name, "alphabeta", &options.collect::<Vec<_>>()))
}

/// How deep games are searched.
const DEPTH: Limits = Limits { time: None, depth: Some(PLIES), nodes: None };

/// A match between two players, by their names and weights.
pub fn meeting(
    laboratory: &Laboratory<'_>,
    work: String,
    sides: [(&str, &[i32]); 2],
    games: u32,
) -> anyhow::Result<Match> {
    let [(first, one), (second, other)] = sides;
    let engines = [player(laboratory, first, one)?, player(laboratory, second, other)?];
    let what = format!("{first} against {second}");
    Ok(Match { work, what, engines, limits: DEPTH, games, claim: None })
}

/// What problems are searched with.
const TABLE: &[&str] = &["TranspositionTable"];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Settings;
    use crate::search::AlphaBetaOptions;

    #[test]
    fn without_opponents_t3_says_why_it_was_not_run() {
        assert_eq!(no_stand_in(false, true), None);
        assert!(no_stand_in(true, true).is_some_and(|why| why.contains("repeated")));
        assert!(no_stand_in(false, false).is_some_and(|why| why.contains("Stockfish")));
    }

    #[test]
    fn games_are_searched_as_problems_are() {
        let mut settings = Settings::default();
        for (name, value) in alphabeta_with(TABLE) {
            settings.set(name, value).expect("an option");
        }
        let searched = AlphaBetaOptions { transposition_table: true, ..AlphaBetaOptions::plain() };
        assert_eq!(settings.alphabeta, searched);
    }
}

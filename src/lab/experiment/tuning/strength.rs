//! T2 and T3: the evolved player and the best of the first generation, against each other and
//! against others.

use anyhow::Context as _;
use serde_json::json;

use super::runs::{PLIES, Setup, evolve, mean_in_words, seeds, verdict_within};
use crate::arena::statistics::{Anchors, RatingList, Results};
use crate::arena::{EngineLimits, EngineSpec};
use crate::eval::{Evaluation, WeightSet};
use crate::lab::experiment::laboratory::{
    Match, PlayedMatch, alphabeta_with, elo_in_words, ours, stockfish,
};
use crate::lab::experiment::matches::written;
use crate::lab::experiment::verdict::above;
use crate::lab::experiment::words::listed;
use crate::lab::experiment::{ClaimVerdict, Conclusion, Conditions, Laboratory, Part, Text};
use crate::util::jobs::fingerprint;
use crate::util::system;

/// The percentages in the rows of Table II: "95 to 97 %".
const PRINTED: [f64; 2] = [95.0, 97.25];

/// T2: The evolved against the non-evolved player.
pub fn run(laboratory: &Laboratory, text: &Text) -> anyhow::Result<Conclusion> {
    let conditions = &laboratory.conditions;
    let setup = Setup::paper(laboratory);
    let runs = evolve(laboratory, &setup, seeds(laboratory))?;
    let games = conditions.games(4, 200);
    let mut played_matches = Vec::new();
    let mut rates = Vec::new();
    let mut rows = Vec::new();
    for run in &runs {
        let seed = run.seed;
        let evolved = (format!("evolved-{seed}"), &run.weights[..]);
        let before = (format!("not-evolved-{seed}"), &run.not_evolved[..]);
        let played_match = meet(
            laboratory,
            format!("t2-match-{seed}"),
            [evolved, before],
            games,
        )?;
        rates.extend(played_match.encounter.score.rate().map(|rate| 100.0 * rate));
        rows.push(json!({ "run": run, "match": played_match }));
        played_matches.push(played_match);
    }
    let mean = mean_in_words(&rates);
    let [low, high] = PRINTED;
    let parts = vec![
        Part::new(
            "The evolved player scores more than half",
            verdict_within(above(50.0), &rates),
            &mean,
        ),
        Part::new(
            format!("The evolved player scores {low} to {high} %, as in Table II"),
            verdict_within(PRINTED, &rates),
            format!("{mean}; Table II has the 20 best of 15,840 runs"),
        ),
    ];
    Ok(text
        .conclude(laboratory, &[("games", &games)], parts, &rows)
        .with_endings(&played_matches))
}

/// Table III's gain.
const GAIN: f64 = 816.0;
/// The ratings of the limited Stockfish, by its own scale.
const LEVELS: [u32; 4] = [1500, 1800, 2200, 2500];
/// The nodes of each of Stockfish's moves.
const STOCKFISHS_NODES: u64 = 20_000;

/// T3: Both against others.
pub fn against_others(laboratory: &Laboratory, text: &Text) -> anyhow::Result<Conclusion> {
    let conditions = &laboratory.conditions;
    let opponents = match opponents(conditions, system::has_program("stockfish")) {
        Ok(opponents) => opponents,
        Err(why) => {
            let hint = "`--opponent` names other engines";
            return Ok(Conclusion::not_run("The gain of Table III", why, hint));
        }
    };
    let runs = evolve(laboratory, &Setup::paper(laboratory), seeds(laboratory))?;
    // The paper's is the best of 15,840 runs; ours is chosen before it plays.
    let best = runs
        .iter()
        .rev()
        .max_by(|one, other| one.held_out.total_cmp(&other.held_out));
    let best = best.expect("there is one run at least");
    let games = conditions.games(2, 200);
    let players = [
        ("evolved", &best.weights),
        ("not-evolved", &best.not_evolved),
    ];
    let mut played_matches = Vec::new();
    for (name, weights) in players {
        for (number, opponent) in opponents.iter().enumerate() {
            let engines = [player(laboratory, name, weights)?, opponent.clone()];
            let work = format!("t3-{name}-{}", number + 1);
            let what = format!("{name} against {}", opponent.name);
            played_matches.push(laboratory.play(Match::new(work, what, engines, DEPTH, games))?);
        }
    }
    let mut results = Results::default();
    for record in played_matches.iter().flat_map(|one| &one.records) {
        results.add_record(record);
    }
    let anchors = Anchors {
        ratings: [(players[1].0.to_owned(), 0.0)].into(),
        prior_games: 1.0,
    };
    let list = RatingList::estimate(&results, &anchors)?;
    let rating = list.of(players[0].0);
    let gain = rating.context("the evolved player has no rating")?.elo;
    let tried = format!("{} games", results.games().len());
    let is_enough = games >= FEWEST_GAMES;
    let verdict =
        |claimed| ClaimVerdict::of_enough(is_enough, claimed, gain.low, gain.high, tried.clone());
    let stronger = "The evolved player is stronger against others";
    let as_printed = format!("It gains {GAIN} points, as in Table III");
    let parts = vec![
        Part::new(stronger, verdict(above(0.0)), elo_in_words(gain)),
        Part::new(as_printed, verdict([GAIN; 2]), elo_in_words(gain)),
    ];
    let who = if conditions.opponents.is_empty() {
        format!(
            "stand-ins, Stockfish at UCI_Elo {}, {STOCKFISHS_NODES} nodes a move, a scale that is not the paper's, and its mistakes are drawn anew each time",
            listed(&LEVELS, ", ", u32::to_string)
        )
    } else {
        format!(
            "the opponents that were named on the command line, {}",
            conditions.limits("0.1/move", "0.5/move")
        )
    };
    let data = json!({ "run": best.seed, "gain": gain, "ratings": list.ratings, "matches": played_matches });
    Ok(text
        .conclude(
            laboratory,
            &[
                ("seed", &best.seed),
                ("runs", &runs.len()),
                ("games", &games),
                ("opponents", &who),
            ],
            parts,
            data,
        )
        .with_endings(&played_matches))
}

/// Returns the user's opponents, or Stockfish; or the reason against Stockfish as a stand-in for
/// Rybka.
fn opponents(
    conditions: &Conditions,
    has_stockfish: bool,
) -> Result<Vec<EngineSpec>, &'static str> {
    if !conditions.opponents.is_empty() {
        // Four plies are our players' limit, not theirs.
        let limits = Some(conditions.limits("0.1/move", "0.5/move"));
        let limited = |spec: &EngineSpec| EngineSpec {
            limits: spec.limits.or(limits),
            ..spec.clone()
        };
        return Ok(conditions.opponents.iter().map(limited).collect());
    }
    let level = |level: u32| {
        let elo = level.to_string();
        let options = [("UCI_LimitStrength", "true"), ("UCI_Elo", &elo)];
        let limits = EngineLimits::of_nodes(STOCKFISHS_NODES);
        stockfish(&format!("Stockfish, UCI_Elo {elo}"), &options, limits)
    };
    if conditions.are_reproducible() {
        Err("the mistakes of limited engines cannot be repeated")
    } else if has_stockfish {
        Ok(LEVELS.map(level).to_vec())
    } else {
        Err("neither Rybka nor Stockfish is here")
    }
}

/// The least number of games of each match; fewer decide nothing.
const FEWEST_GAMES: u32 = 20;

/// Makes a player with these weights and the search of the problems, but for its depth.
fn player(laboratory: &Laboratory, name: &str, weights: &[i32]) -> anyhow::Result<EngineSpec> {
    // By what is in it: weights of another run are another player, and another match.
    let file = format!("{name}-{:016x}", fingerprint(&weights));
    let weights = WeightSet::with_row(Evaluation::Factors, weights);
    let path = written(laboratory, &file, weights)?;
    let options = [
        &[("WeightsFile", path.as_str()), ("Hash", "1")],
        &*alphabeta_with(TABLE),
    ];
    let options = options.concat();
    Ok(ours(&laboratory.conditions, name, "alphabeta", &options))
}

/// The depth of games.
const DEPTH: EngineLimits = EngineLimits {
    time: None,
    depth: Some(PLIES),
    nodes: None,
};

/// Plays a match between two players, by their names and weights.
pub fn meet(
    laboratory: &Laboratory,
    work: String,
    [(first, one), (second, other)]: [(String, &[i32]); 2],
    games: u32,
) -> anyhow::Result<PlayedMatch> {
    let engines = [
        player(laboratory, &first, one)?,
        player(laboratory, &second, other)?,
    ];
    let what = format!("{first} against {second}");
    laboratory.play(Match::new(work, what, engines, DEPTH, games))
}

/// The search options for problems.
const TABLE: &[&str] = &["TranspositionTable"];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Settings;
    use crate::search::AlphaBetaOptions;

    #[test]
    fn without_opponents_t3_says_why_it_was_not_run() {
        let with_clocks = Conditions::default();
        let reproducible = Conditions {
            nodes: Some(100),
            ..Conditions::default()
        };
        assert_eq!(
            opponents(&with_clocks, true).map(|opponents| opponents.len()),
            Ok(LEVELS.len())
        );
        assert!(opponents(&reproducible, true).is_err_and(|why| why.contains("repeated")));
        assert!(opponents(&with_clocks, false).is_err_and(|why| why.contains("Stockfish")));
    }

    #[test]
    fn games_are_searched_as_problems_are() {
        let settings = Settings::with(alphabeta_with(TABLE)).expect("options");
        let searched = AlphaBetaOptions {
            transposition_table: true,
            ..AlphaBetaOptions::plain()
        };
        assert_eq!(settings.alphabeta, searched);
    }
}

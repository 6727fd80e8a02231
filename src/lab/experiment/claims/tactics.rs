//! C7: position 2 of BT2450.

use anyhow::Context as _;
use chess::ChessMove;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::engine::backend;
use crate::engine::settings::Settings;
use crate::eval::{Evaluation, Evaluator as _, Winglet};
use crate::lab::experiment::positions::{alphabeta, moves, planted};
use crate::lab::experiment::words::or;
use crate::lab::experiment::{ClaimVerdict, Conclusion, Conditions, Laboratory, Part, Text, Words};
use crate::rules::position::Position;
use crate::rules::score::Score;
use crate::search::genetic::params::Preset;
use crate::search::{Bound, Clock, Limits, Observer, SearchReport, Searcher as _, Thought};
use crate::util::display::cells;

const FEN: &str = "6k1/2b2p1p/ppP3p1/4p3/PP1B4/5PP1/7P/7K w - - 0 1";
const BRANCH: &str = "Bxb6 Bxb6 a5 Bd8 b5 axb5 a6 Bb6 a7 Bxa7 c7 Kg7 c8=Q";
const SOLUTION: &str = "Bxb6";
/// White's least score, in centipawns, at which Bxb6 is no accident.
const SEEN: Score = Score(200);

/// An engine at work on the position.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Attempt {
    backend: String,
    seed: u64,
    budget: u64,
    /// Nodes from which on Bxb6 was the move with +2.00 or more, until the end.
    found: Option<u64>,
    /// The engine's move at the end.
    best: String,
    score: i32,
    nodes: u64,
}

/// C7: Position 2 of BT2450.
pub fn run(laboratory: &Laboratory, text: &Text) -> anyhow::Result<Conclusion> {
    let tasks = tasks(&laboratory.conditions);
    let preset = laboratory.conditions.preset;
    let mut settings = json!({ "tasks": tasks });
    if preset != Preset::Paper {
        settings["preset"] = json!(preset.into_str());
    }
    let attempts = laboratory.each("c7-attempts", &settings, tasks.len(), |index| {
        let (backend, seed, budget) = &tasks[index];
        attempt(backend, preset, *seed, *budget)
    })?;
    let root = Position::from_fen(FEN)?;
    let branch = moves(&root, BRANCH).context("the branch of Table 5")?;
    let mut end = root.clone();
    branch.iter().try_for_each(|&mv| end.play(mv))?;
    let budget = laboratory.conditions.pick(200_000, 2_000_000);
    let value = Winglet::default().evaluate(end.board());
    let searched = -alphabeta().search_nodes(&end, budget).score;
    let planted = planted(
        &root,
        &branch,
        preset,
        engine_seed(laboratory.conditions.seed),
        budget,
    );
    let mut parts = vec![
        Part::exact(
            "White has won material at its end",
            value >= SEEN,
            format!(
                "our evaluation says {value}, our alpha-beta search of {budget} nodes {searched}"
            ),
        ),
        with_the_branch(&root, planted.as_ref(), budget),
        found_by_genetic(&attempts),
    ];
    parts.extend(
        ["alphabeta", "minimax"]
            .into_iter()
            .map(|name| found_by_other(name, &attempts)),
    );
    let seeds = attempts
        .iter()
        .filter(|one| one.backend == "genetic")
        .count();
    let data = json!({
        "evaluation": value.0,
        "alphabeta": searched.0,
        "planted": planted.map(|reports| reports.map(|report| report.score.0)),
        "attempts": attempts,
    });
    let words: Words<'_> = &[
        ("fen", &FEN),
        ("seeds", &seeds),
        ("solution", &SOLUTION),
        ("seen", &SEEN),
    ];
    let conclusion = text.conclude(laboratory, words, parts, data);
    let head =
        "Kashan's search | Seed: | Budget: | Found after: | Move at the end | Value, centipawns:";
    let rows = attempts.iter().map(|one| {
        cells![
            one.backend,
            one.seed,
            one.budget,
            or(one.found, "-"),
            one.best,
            one.score
        ]
    });
    Ok(conclusion
        .with_rows("Nodes until Bxb6 was found", head, rows)
        .with_text(&text.remark))
}

/// Backend, seed and nodes of each attempt.
fn tasks(conditions: &Conditions) -> Vec<(String, u64, u64)> {
    let genetic = (0..conditions.pick(2, 5)).map(|index| {
        let budget = conditions.nodes(2_000_000, 10_000_000);
        (
            "genetic".to_owned(),
            conditions.seed.wrapping_add(index),
            budget,
        )
    });
    let others = ["alphabeta", "minimax"].map(|name| {
        let budget = conditions.nodes(2_000_000, 50_000_000);
        (name.to_owned(), conditions.seed, budget)
    });
    genetic.chain(others).collect()
}

fn attempt(name: &str, preset: Preset, seed: u64, budget: u64) -> anyhow::Result<Attempt> {
    let root = Position::from_fen(FEN)?;
    let seed_text = engine_seed(seed).to_string();
    let settings = Settings::with([
        ("Backend", name),
        ("Preset", preset.into_str()),
        ("Evaluation", Evaluation::Paper.into_str()),
        ("Seed", &seed_text),
        // Nodes limit Min-Max, not its depth.
        ("MinMaxDepth", "20"),
    ])?;
    let mut searcher = backend::build(&settings);
    let mut watch = Watch {
        solution: root.parse_move(SOLUTION)?,
        since: None,
    };
    let report = searcher.search(
        &root,
        &Limits::of_nodes(budget),
        &Clock::unlimited(),
        &mut watch,
    );
    watch.see(report.best_move(), report.score, report.nodes);
    Ok(Attempt {
        backend: name.to_owned(),
        seed,
        budget,
        found: watch.since,
        best: or(report.best_move().map(|mv| root.san(mv)), "-"),
        score: report.score.0,
        nodes: report.nodes,
    })
}

/// A seed in the range of the option `Seed`, where 0 means a random one.
fn engine_seed(seed: u64) -> u64 {
    (seed % u64::from(u32::MAX)).max(1)
}

/// Describes the best move with the branch in the initial population, and the search's later
/// choice.
fn with_the_branch(root: &Position, planted: Option<&[SearchReport; 2]>, nodes: u64) -> Part {
    let choice = |report: &SearchReport| {
        (
            or(report.best_move().map(|mv| root.san(mv)), "-"),
            report.score,
        )
    };
    let evidence = planted.map_or("it cannot be put there".to_owned(), |planted| {
        let [(first, value), (last, later)] = planted.each_ref().map(choice);
        format!("put into the initial population, it makes {first} the move, with {value}; after {nodes} nodes it is {last}, with {later}")
    });
    Part::measured(
        "Whether that branch in the reservation tree is enough",
        evidence,
    )
}

/// Notes since when the solution has been the search's move.
struct Watch {
    solution: ChessMove,
    since: Option<u64>,
}

impl Watch {
    fn see(&mut self, best: Option<ChessMove>, score: Score, nodes: u64) {
        let is_seen = best == Some(self.solution) && score >= SEEN;
        self.since = if is_seen {
            self.since.or(Some(nodes))
        } else {
            None
        };
    }
}

impl Observer for Watch {
    fn progress(&mut self, progress: &Thought) {
        if progress.bound == Bound::Exact {
            self.see(
                progress.variation.first().copied(),
                progress.score,
                progress.nodes,
            );
        }
    }
}

fn found_by_genetic(attempts: &[Attempt]) -> Part {
    let ours = || attempts.iter().filter(|one| one.backend == "genetic");
    let budget = ours().map(|one| one.budget).max().unwrap_or(0);
    let found: Vec<String> = ours()
        .filter_map(|one| one.found)
        .map(|nodes| nodes.to_string())
        .collect();
    let verdict = if !found.is_empty() && found.len() == ours().count() {
        ClaimVerdict::Confirmed
    } else {
        ClaimVerdict::NotDecided(format!("{budget} nodes"))
    };
    let evidence = if found.is_empty() {
        format!(
            "with none of {} seeds within {budget} nodes",
            ours().count()
        )
    } else {
        format!(
            "with {} of {} seeds within {budget} nodes, after {}",
            found.len(),
            ours().count(),
            found.join(", ")
        )
    };
    Part::new(
        "The genetic search finds Bxb6 and keeps it",
        verdict,
        evidence,
    )
}

fn found_by_other(name: &str, attempts: &[Attempt]) -> Part {
    let found = attempts.iter().find(|one| one.backend == name);
    let evidence = found.map_or("it was not asked".to_owned(), |one| match one.found {
        Some(nodes) => format!("after {nodes} nodes"),
        None => format!(
            "not within {} nodes; {} with {} at the end",
            one.nodes,
            one.best,
            Score(one.score)
        ),
    });
    Part::measured(format!("For comparison, our {name} search"), evidence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_branch_ends_where_the_paper_says() {
        let root = Position::from_fen(FEN).expect("a position");
        let branch = moves(&root, BRANCH).expect("it can be played");
        assert_eq!(branch.len(), 13);
        let mut end = root.clone();
        branch
            .into_iter()
            .for_each(|mv| end.play(mv).expect("legal"));
        assert_eq!(end.to_fen(), "2Q5/b4pkp/6p1/1p2p3/8/5PP1/7P/7K b - - 0 7");
        assert!(moves(&root, "Bxb6 Kh1").is_none());
    }

    #[test]
    fn found_means_kept() {
        let (solution, other) = (ChessMove::default(), "a2a3".parse().expect("squares"));
        let mut watch = Watch {
            solution,
            since: None,
        };
        watch.see(Some(solution), Score(250), 10);
        watch.see(Some(solution), Score(300), 20);
        assert_eq!(watch.since, Some(10));
        watch.see(Some(other), Score(300), 30);
        assert_eq!(watch.since, None);
        watch.see(Some(solution), Score(199), 40);
        assert_eq!(watch.since, None);
        watch.see(Some(solution), SEEN, 50);
        assert_eq!(watch.since, Some(50));
    }

    #[test]
    fn only_all_seeds_confirm() {
        let attempt = |&found: &Option<u64>| {
            let (backend, best) = ("genetic".to_owned(), "Bxb6".to_owned());
            Attempt {
                backend,
                seed: 1,
                budget: 100,
                found,
                best,
                score: 0,
                nodes: 100,
            }
        };
        let verdict = |found: &[Option<u64>]| {
            found_by_genetic(&found.iter().map(attempt).collect::<Vec<_>>())
                .verdict
                .to_string()
        };
        let verdicts = [&[Some(5), Some(70)][..], &[Some(5), None], &[None]].map(verdict);
        assert_eq!(
            verdicts,
            [
                "confirmed",
                "not decided by 100 nodes",
                "not decided by 100 nodes"
            ]
        );
    }
}

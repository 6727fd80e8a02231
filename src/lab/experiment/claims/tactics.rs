//! C7: position 2 of BT2450.

use anyhow::Context as _;
use chess::ChessMove;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::engine::backend;
use crate::engine::settings::Settings;
use crate::eval::{Evaluation, Evaluator as _, Winglet};
use crate::lab::experiment::positions::{alphabeta, moves};
use crate::lab::experiment::words::listed;
use crate::lab::experiment::{ClaimVerdict, Conclusion, Laboratory, Part, Text};
use crate::rules::position::Position;
use crate::rules::score::Score;
use crate::search::{Bound, Clock, Limits, Observer, Searcher as _, Thought};

const FEN: &str = "6k1/2b2p1p/ppP3p1/4p3/PP1B4/5PP1/7P/7K w - - 0 1";
const BRANCH: &str = "Bxb6 Bxb6 a5 Bd8 b5 axb5 a6 Bb6 a7 Bxa7 c7 Kg7 c8=Q";
const SOLUTION: &str = "Bxb6";
/// White's least score, in centipawns, at which Bxb6 is no accident.
const SEEN: Score = Score(200);

/// A search of the position with one seed.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Attempt {
    seed: u64,
    /// Nodes from which on Bxb6 was the move with +2.00 or more, until the end.
    found: Option<u64>,
    /// The move at the end.
    best: String,
    score: i32,
    nodes: u64,
}

/// C7: Position 2 of BT2450.
pub fn run(laboratory: &Laboratory, text: &Text) -> anyhow::Result<Conclusion> {
    let conditions = &laboratory.conditions;
    let preset = conditions.preset.into_str();
    let seeds = conditions.pick(2, 5);
    let budget = conditions.nodes(2_000_000, 10_000_000);
    let settings = json!({ "seed": conditions.seed, "budget": budget, "preset": preset });
    let attempts = laboratory.each("c7-genetic", &settings, seeds, |index| {
        attempt(preset, conditions.seed.wrapping_add(index as u64), budget)
    })?;
    let mut end = Position::from_fen(FEN)?;
    let branch = moves(&end, BRANCH).context("the branch of Table 5")?;
    branch.iter().try_for_each(|&mv| end.play(mv))?;
    let nodes = conditions.pick(200_000, 2_000_000);
    let value = Winglet::default().evaluate(end.board());
    let searched = -alphabeta().search_nodes(&end, nodes).score;
    let evidence =
        format!("our evaluation says {value}, our alpha-beta search of {nodes} nodes {searched}");
    let parts = vec![
        Part::exact("White has won material at its end", value >= SEEN, evidence),
        found_and_kept(&attempts, budget),
    ];
    let data = json!({
        "preset": preset,
        "budget": budget,
        "evaluation": value.0,
        "alphabeta": searched.0,
        "attempts": attempts,
    });
    Ok(text
        .conclude(
            laboratory,
            &[
                ("fen", &FEN),
                ("seeds", &seeds),
                ("solution", &SOLUTION),
                ("seen", &SEEN),
            ],
            parts,
            data,
        )
        .with_text(&text.remark))
}

fn attempt(preset: &str, seed: u64, budget: u64) -> anyhow::Result<Attempt> {
    let root = Position::from_fen(FEN)?;
    let settings = Settings::with([
        ("Backend", "genetic"),
        ("Preset", preset),
        ("Evaluation", Evaluation::Paper.into_str()),
        ("Seed", &engine_seed(seed).to_string()),
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
        seed,
        found: watch.since,
        best: report.best_move().map_or("-".to_owned(), |mv| root.san(mv)),
        score: report.score.0,
        nodes: report.nodes,
    })
}

/// A seed in the range of the option `Seed`, where 0 means a random one.
fn engine_seed(seed: u64) -> u64 {
    (seed % u64::from(u32::MAX)).max(1)
}

/// Notes since when the solution has been the search's move.
struct Watch {
    solution: ChessMove,
    since: Option<u64>,
}

impl Watch {
    fn see(&mut self, best: Option<ChessMove>, score: Score, nodes: u64) {
        if best != Some(self.solution) || score < SEEN {
            self.since = None;
        } else if self.since.is_none() {
            self.since = Some(nodes);
        }
    }
}

impl Observer for Watch {
    fn progress(&mut self, progress: &Thought) {
        if progress.bound == Bound::Exact {
            let best = progress.variation.first().copied();
            self.see(best, progress.score, progress.nodes);
        }
    }
}

fn found_and_kept(attempts: &[Attempt], budget: u64) -> Part {
    let found: Vec<u64> = attempts.iter().filter_map(|one| one.found).collect();
    let count = found.len();
    let of = attempts.len();
    let verdict = if count == of {
        ClaimVerdict::Confirmed
    } else {
        ClaimVerdict::NotDecided(format!("{budget} nodes"))
    };
    let mut evidence = format!("with {count} of {of} seeds within {budget} nodes");
    if count > 0 {
        evidence += &format!(", after {}", listed(found, ", ", |nodes| nodes.to_string()));
    }
    let statement = "The genetic search finds Bxb6 and keeps it";
    Part::new(statement, verdict, evidence)
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
        let solution = ChessMove::default();
        let other = "a2a3".parse().expect("squares");
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
            let best = "Bxb6".to_owned();
            Attempt {
                seed: 1,
                found,
                best,
                score: 0,
                nodes: 100,
            }
        };
        let verdict = |found: &[Option<u64>]| {
            found_and_kept(&found.iter().map(attempt).collect::<Vec<_>>(), 100)
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

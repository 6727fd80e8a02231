//! M4 and M5: the pruning of the second to last ply, by what it chooses and how much it visits.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::program::{PRUNINGS, Thought, program, think};
use super::time;
use crate::evaluation::threats::ThreatWeights;
use crate::experiment::laboratory::Contest;
use crate::experiment::positions::survey;
use crate::experiment::{ClaimVerdict, Conclusion, Laboratory, Part, Text, Words};
use crate::search::minimax::Pruning;
use crate::tuning::share_with_interval;

/// A position searched with each way to prune, in the order of [`PRUNINGS`].
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Searched {
    fen: String,
    thoughts: [Thought; 3],
}

/// What one way to prune changes in middlegames searched to a depth.
#[derive(Serialize)]
struct Change {
    plies: u32,
    pruning: &'static str,
    positions: usize,
    same_move: usize,
    same_move_and_value: usize,
    nodes: u64,
    /// The part of the positions visited without pruning, and the ends of its interval.
    visited: f64,
    visited_between: [f64; 2],
}

impl Change {
    /// Of the pruning at an index of [`PRUNINGS`].
    fn new(plies: u32, index: usize, searched: &[Searched]) -> Change {
        let count = |is_same: &dyn Fn(&Thought, &Thought) -> bool| {
            searched.iter().filter(|one| is_same(&one.thoughts[0], &one.thoughts[index])).count()
        };
        let nodes = |index: usize| searched.iter().map(|one| one.thoughts[index].nodes).sum::<u64>();
        let of_both = searched.iter().map(|one| [index, 0].map(|index| one.thoughts[index].nodes as f64));
        let [visited, low, high] = share_with_interval(&of_both.collect::<Vec<_>>());
        Change {
            plies,
            pruning: PRUNINGS[index].into_str(),
            positions: searched.len(),
            same_move: count(&|off, other| off.san == other.san),
            same_move_and_value: count(&|off, other| (&off.san, off.score) == (&other.san, other.score)),
            nodes: nodes(index),
            visited,
            visited_between: [low, high],
        }
    }
}

/// How many middlegames are searched to 3 and to 4 plies.
fn counts(laboratory: &Laboratory<'_>) -> [usize; 2] {
    laboratory.conditions.pick([20, 2], [500, 100])
}

/// What each way to prune changes in them.
fn changes(laboratory: &Laboratory<'_>) -> anyhow::Result<Vec<Change>> {
    let mut changes = Vec::new();
    for (plies, count) in [3, 4].into_iter().zip(counts(laboratory)) {
        let work = format!("m4-plies-{plies}");
        let searched = survey(laboratory, &work, count, &[("plies", plies.into())], |root| {
            let thought = |pruning| think(&mut program(plies, pruning, &ThreatWeights::DEFAULT), root);
            Ok(Searched { fen: root.to_fen(), thoughts: PRUNINGS.map(thought) })
        })?;
        changes.extend((0..PRUNINGS.len()).map(|index| Change::new(plies, index, &searched)));
    }
    Ok(changes)
}

/// Those of `last` and of `static`.
fn of_prunings(changes: &[Change]) -> impl Iterator<Item = &Change> {
    [1, 2].into_iter().flat_map(move |index| changes.iter().skip(index).step_by(PRUNINGS.len()))
}

/// M4: Pruning and the choice of moves.
pub fn choice(laboratory: &Laboratory<'_>, text: &Text) -> anyhow::Result<Conclusion> {
    let changes = changes(laboratory)?;
    let contests = text.play(laboratory)?;
    let parts = of_prunings(&changes).map(|change| {
        let Change { plies, pruning, positions, same_move, same_move_and_value: same, .. } = change;
        Part::exact(
            format!("`{pruning}` changes neither move nor value at {plies} plies"),
            same == positions,
            format!("both are the same in {same} of {positions} positions, the move in {same_move}"),
        )
    });
    let parts = parts.chain(contests.iter().map(Contest::part)).collect();
    let data = json!({ "positions": changes, "matches": contests });
    let [few, more] = counts(laboratory);
    let words: Words<'_> = &[("few_plies", &few), ("more_plies", &more)];
    let conclusion = text.conclude(laboratory, words, parts, data);
    Ok(conclusion.with_rows("changes", &changes).with_matches(&contests))
}

/// Fewer decide nothing.
const FEWEST_POSITIONS: usize = 10;

/// On a share with its interval, over so many positions.
fn less_than_half(statement: String, [share, low, high]: [f64; 3], positions: usize) -> Part {
    let tried = format!("{positions} positions");
    let verdict = match positions < FEWEST_POSITIONS {
        true => ClaimVerdict::too_few(&tried),
        false => ClaimVerdict::of_interval(false, 0.5, low, high, tried),
    };
    let [share, low, high] = [share, low, high].map(|part| 100.0 * part);
    Part::new(statement, verdict, format!("{share:.1} % ({low:.1} to {high:.1})"))
}

/// M5: Pruning and speed.
pub fn speed(laboratory: &Laboratory<'_>, text: &Text) -> anyhow::Result<Conclusion> {
    let changes = changes(laboratory)?;
    let visited = of_prunings(&changes).map(|change| {
        let Change { plies, pruning, positions, visited, visited_between: [low, high], .. } = *change;
        let statement = format!("`{pruning}` visits less than half of the positions at {plies} plies");
        less_than_half(statement, [visited, low, high], positions)
    });
    let mut parts: Vec<Part> = visited.collect();
    let times = match laboratory.conditions.are_reproducible() {
        true => None,
        false => Some(time::in_middlegames(laboratory)?),
    };
    for pruning in [Pruning::Last, Pruning::Static] {
        let statement = format!("`{}` takes less than half of the time", pruning.into_str());
        parts.push(match &times {
            None => Part::new(statement, ClaimVerdict::NotRun("nothing is timed here".to_owned()), ""),
            Some(times) => {
                let pairs = times.pairs(pruning);
                less_than_half(statement, share_with_interval(&pairs), pairs.len())
            }
        });
    }
    let [few, more] = counts(laboratory);
    let words: Words<'_> = &[("few_plies", &few), ("more_plies", &more)];
    Ok(text.conclude(laboratory, words, parts, json!({ "nodes": changes })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_less_than_half_if_its_interval_is() {
        let verdict =
            |share, positions| less_than_half("It is".to_owned(), share, positions).verdict.in_words();
        assert_eq!(verdict([0.33, 0.31, 0.35], 40), "confirmed");
        assert_eq!(verdict([0.45, 0.39, 0.51], 40), "not decided by 40 positions");
        assert_eq!(verdict([0.60, 0.55, 0.65], 40), "refuted");
        assert_eq!(verdict([0.14, 0.10, 0.18], 2), "not decided by 2 positions, which are too few");
    }

    #[test]
    fn shares_and_sameness() {
        let thought = |san: &str, score, nodes| Thought { san: san.to_owned(), score, nodes };
        let searched = |san: &str, score| Searched {
            fen: String::new(),
            thoughts: [thought("e4", 10, 100), thought("e4", 10, 30), thought(san, score, 10)],
        };
        let searched = [searched("e4", 10), searched("e4", 5), searched("d4", 10)];
        let changes: Vec<Change> = (0..3).map(|index| Change::new(3, index, &searched)).collect();
        let same = |change: &Change| [change.same_move, change.same_move_and_value];
        let of_prunings: Vec<_> =
            of_prunings(&changes).map(|change| (change.pruning, same(change))).collect();
        assert_eq!(of_prunings, [("last", [3, 3]), ("static", [2, 1])]);
        assert_eq!(changes[0].nodes, 300);
        assert!((changes[1].visited - 0.3).abs() < 1e-12);
    }
}

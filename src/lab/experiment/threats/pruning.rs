//! M2, M4 and M5: the time of a move; and the pruning of the second to last ply, by its choices and
//! its nodes.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{PRUNINGS, ThreatResult, engine, program, published, think};
use crate::arena::EngineLimits;
use crate::lab::experiment::laboratory::{Match, PlayedMatch};
use crate::lab::experiment::positions::survey;
use crate::lab::experiment::verdict::below;
use crate::lab::experiment::{ClaimVerdict, Conclusion, Laboratory, Part, Text};
use crate::lab::tuning::share_with_interval;
use crate::rules::position::Position;
use crate::search::minimax::Pruning;
use crate::util::system::ProcessorTime;

/// A search of one position with one way to prune.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
struct Timed {
    /// Processor time.
    seconds: f64,
    nodes: u64,
}

fn timed(plies: u32, pruning: Pruning, root: &Position) -> Timed {
    let mut searcher = program(plies, pruning, &published());
    let begin = ProcessorTime::of_thread();
    let nodes = think(&mut searcher, root).nodes;
    Timed {
        seconds: begin.elapsed().as_secs_f64(),
        nodes,
    }
}

/// Returns the depth of the program.
fn plies(laboratory: &Laboratory) -> u32 {
    laboratory.conditions.pick(3, 4)
}

/// Returns the times in middlegames with each kind of pruning, in the order of [`PRUNINGS`].
fn in_middlegames(laboratory: &Laboratory) -> anyhow::Result<[Vec<Timed>; 3]> {
    let plies = plies(laboratory);
    let count = laboratory.conditions.pick(10, 40);
    let terms = [("plies", plies.into())];
    let searches = survey(laboratory, "m2-middlegames", count, &terms, |root| {
        Ok(PRUNINGS.map(|pruning| timed(plies, pruning, root)))
    })?;
    let mut times = [const { Vec::new() }; 3];
    for of_position in searches {
        for (times, timed) in times.iter_mut().zip(of_position) {
            times.push(timed);
        }
    }
    Ok(times)
}

/// Describes the time of moves with one kind of pruning.
fn times_in_words(pruning: Pruning, moves: &[Timed]) -> Part {
    let mut seconds: Vec<f64> = moves.iter().map(|timed| timed.seconds).collect();
    seconds.sort_by(f64::total_cmp);
    let [least, median, most] = [0, seconds.len() / 2, seconds.len() - 1].map(|at| seconds[at]);
    let nodes: u64 = moves.iter().map(|timed| timed.nodes).sum();
    let a_move = nodes / moves.len() as u64;
    let a_second = nodes as f64 / seconds.iter().sum::<f64>().max(1e-9) / 1e6;
    Part::measured(
        format!("Seconds a move with pruning `{}`", pruning.into_str()),
        format!(
            "{least:.3} to {most:.3}, median {median:.3}; {a_move} positions a move, {a_second:.2} million a second"
        ),
    )
}

/// M2: Time for a move.
pub fn time(laboratory: &Laboratory, text: &Text) -> anyhow::Result<Conclusion> {
    if laboratory.conditions.are_reproducible() {
        let why = "with nodes instead of time nothing is timed";
        return Ok(Conclusion::not_run("Time for a move", why, ""));
    }
    let times = in_middlegames(laboratory)?;
    let of_prunings = PRUNINGS.into_iter().zip(&times);
    let parts = of_prunings.map(|(pruning, moves)| times_in_words(pruning, moves));
    Ok(text.conclude(
        laboratory,
        &[
            ("plies", &plies(laboratory)),
            ("count", &times[0].len()),
            ("os", &std::env::consts::OS),
            ("architecture", &std::env::consts::ARCH),
        ],
        parts.collect(),
        &times,
    ))
}

/// A position searched with each way to prune, in the order of [`PRUNINGS`].
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Searched {
    fen: String,
    thoughts: [ThreatResult; 3],
}

/// The change by one kind of pruning in middlegames searched to a depth.
#[derive(Serialize)]
struct Change {
    plies: u32,
    pruning: &'static str,
    positions: usize,
    same_move: usize,
    same_move_and_value: usize,
    nodes: u64,
    /// The part of the nodes visited without pruning, and the ends of its interval.
    visited: f64,
    visited_between: [f64; 2],
}

impl Change {
    /// Compares the pruning at an index of [`PRUNINGS`] with the first one.
    fn new(plies: u32, index: usize, searched: &[Searched]) -> Change {
        let mut change = Change {
            plies,
            pruning: PRUNINGS[index].into_str(),
            positions: searched.len(),
            same_move: 0,
            same_move_and_value: 0,
            nodes: 0,
            visited: 0.0,
            visited_between: [0.0; 2],
        };
        let mut of_both = Vec::new();
        for Searched { thoughts, .. } in searched {
            let off = &thoughts[0];
            let pruned = &thoughts[index];
            let is_same = pruned.san == off.san;
            change.same_move += usize::from(is_same);
            change.same_move_and_value += usize::from(is_same && pruned.score == off.score);
            change.nodes += pruned.nodes;
            of_both.push([pruned.nodes as f64, off.nodes as f64]);
        }
        let [visited, low, high] = share_with_interval(&of_both);
        change.visited = visited;
        change.visited_between = [low, high];
        change
    }
}

/// Returns the numbers of middlegames searched to 3 and to 4 plies.
fn counts(laboratory: &Laboratory) -> [usize; 2] {
    laboratory.conditions.pick([20, 2], [500, 100])
}

/// Returns the changes by each kind of pruning in the middlegames.
fn changes(laboratory: &Laboratory) -> anyhow::Result<Vec<Change>> {
    let mut changes = Vec::new();
    for (plies, count) in [3, 4].into_iter().zip(counts(laboratory)) {
        let work = format!("m4-plies-{plies}");
        let terms = [("plies", plies.into())];
        let searched = survey(laboratory, &work, count, &terms, |root| {
            let thought = |pruning| think(&mut program(plies, pruning, &published()), root);
            Ok(Searched {
                fen: root.to_fen(),
                thoughts: PRUNINGS.map(thought),
            })
        })?;
        for index in 0..PRUNINGS.len() {
            changes.push(Change::new(plies, index, &searched));
        }
    }
    Ok(changes)
}

/// Returns the changes by `last` and by `static`.
fn of_prunings(changes: &[Change]) -> impl Iterator<Item = &Change> {
    [1, 2]
        .into_iter()
        .flat_map(move |index| changes.iter().skip(index).step_by(PRUNINGS.len()))
}

/// M4: `static` against `off`, at the same depth, and with equal numbers of positions for each
/// move. These stand for equal time: both rate as many a second.
pub fn matches(laboratory: &Laboratory) -> anyhow::Result<Vec<Match>> {
    let conditions = &laboratory.conditions;
    let engines = |depth: &str| {
        ["static", "off"].map(|pruning| {
            let options = [("MinMaxPruning", pruning), ("MinMaxDepth", depth)];
            engine(laboratory, pruning, &options)
        })
    };
    let games = conditions.games(4, 400);
    let limits = conditions.limits("depth=2", "depth=4");
    let what = format!("`static` against `off`, {limits}");
    let by_depth = Match::new("m4-depth", what, engines("4"), limits, games);
    let limits = EngineLimits::of_nodes(conditions.nodes(5_000, 50_000));
    let what = format!(
        "`static` against `off`, {} positions a move",
        limits.nodes.unwrap_or_default()
    );
    Ok(vec![
        by_depth,
        Match::new("m4-nodes", what, engines("20"), limits, games),
    ])
}

/// M4: Pruning and the choice of moves.
pub fn choice(laboratory: &Laboratory, text: &Text) -> anyhow::Result<Conclusion> {
    let changes = changes(laboratory)?;
    let played_matches = laboratory.play_all(matches(laboratory)?)?;
    let mut parts = Vec::new();
    for change in of_prunings(&changes) {
        let Change {
            plies,
            pruning,
            positions,
            same_move,
            same_move_and_value: same,
            ..
        } = change;
        parts.push(Part::exact(
            format!("`{pruning}` changes neither move nor value at {plies} plies"),
            same == positions,
            format!(
                "both are the same in {same} of {positions} positions, the move in {same_move}"
            ),
        ));
    }
    parts.extend(played_matches.iter().map(PlayedMatch::part));
    let data = json!({ "positions": changes, "matches": played_matches });
    let [few, more] = counts(laboratory);
    Ok(text
        .conclude(
            laboratory,
            &[("few_plies", &few), ("more_plies", &more)],
            parts,
            data,
        )
        .with_endings(&played_matches))
}

/// Fewer decide nothing.
const FEWEST_POSITIONS: usize = 10;

/// Makes the part of a claim that a share, with its interval, is less than half.
fn less_than_half(statement: String, [share, low, high]: [f64; 3], positions: usize) -> Part {
    let tried = format!("{positions} positions");
    let is_enough = positions >= FEWEST_POSITIONS;
    let verdict = ClaimVerdict::of_enough(is_enough, below(0.5), low, high, tried);
    let [share, low, high] = [share, low, high].map(|part| 100.0 * part);
    Part::new(
        statement,
        verdict,
        format!("{share:.1} % ({low:.1} to {high:.1})"),
    )
}

/// M5: Pruning and speed.
pub fn speed(laboratory: &Laboratory, text: &Text) -> anyhow::Result<Conclusion> {
    let changes = changes(laboratory)?;
    let mut parts = Vec::new();
    for change in of_prunings(&changes) {
        let Change {
            plies,
            pruning,
            positions,
            visited,
            visited_between: [low, high],
            ..
        } = *change;
        let statement =
            format!("`{pruning}` visits less than half of the positions at {plies} plies");
        parts.push(less_than_half(statement, [visited, low, high], positions));
    }
    let times = if laboratory.conditions.are_reproducible() {
        None
    } else {
        Some(in_middlegames(laboratory)?)
    };
    for index in [1, 2] {
        let pruning = PRUNINGS[index].into_str();
        let statement = format!("`{pruning}` takes less than half of the time");
        parts.push(match &times {
            None => {
                let verdict = ClaimVerdict::NotRun("nothing is timed here".to_owned());
                Part::new(statement, verdict, "")
            }
            Some(times) => {
                let mut pairs = Vec::new();
                for (one, off) in times[index].iter().zip(&times[0]) {
                    pairs.push([one.seconds, off.seconds]);
                }
                less_than_half(statement, share_with_interval(&pairs), pairs.len())
            }
        });
    }
    let [few, more] = counts(laboratory);
    Ok(text.conclude(
        laboratory,
        &[("few_plies", &few), ("more_plies", &more)],
        parts,
        json!({ "nodes": changes }),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_less_than_half_if_its_interval_is() {
        let verdict = |share, positions| {
            less_than_half("It is".to_owned(), share, positions)
                .verdict
                .to_string()
        };
        let verdicts =
            [[0.33, 0.31, 0.35], [0.45, 0.39, 0.51], [0.60, 0.55, 0.65]].map(|it| verdict(it, 40));
        assert_eq!(
            verdicts,
            ["confirmed", "not decided by 40 positions", "refuted"]
        );
        assert_eq!(
            verdict([0.14, 0.10, 0.18], 2),
            "not decided by 2 positions, which are too few"
        );
    }

    #[test]
    fn shares_and_sameness() {
        let thought = |san: &str, score, nodes| ThreatResult {
            san: san.to_owned(),
            score,
            nodes,
        };
        let searched = |san: &str, score| Searched {
            fen: String::new(),
            thoughts: [
                thought("e4", 10, 100),
                thought("e4", 10, 30),
                thought(san, score, 10),
            ],
        };
        let searched = [searched("e4", 10), searched("e4", 5), searched("d4", 10)];
        let changes: Vec<Change> = (0..3)
            .map(|index| Change::new(3, index, &searched))
            .collect();
        let same = |change: &Change| [change.same_move, change.same_move_and_value];
        let of_prunings: Vec<_> = of_prunings(&changes)
            .map(|change| (change.pruning, same(change)))
            .collect();
        assert_eq!(of_prunings, [("last", [3, 3]), ("static", [2, 1])]);
        assert_eq!(changes[0].nodes, 300);
        assert!((changes[1].visited - 0.3).abs() < 1e-12);
    }
}

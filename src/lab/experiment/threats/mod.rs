//! The claims of Marcarelli, "Chess AI Project", 2010, a program that rates positions by threats and searches
//! four plies of Min-Max: M1 and so on.

pub(super) mod pruning;
pub(super) mod tactics;

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::positions::survey;
use super::{ClaimVerdict, Conclusion, Laboratory, Part, Text, matches};
use crate::eval::{Dynamic, Evaluation, Interpretations, Threats, WeightSet};
use crate::lab::tuning::mean_with_interval;
use crate::rules::position::Position;
use crate::search::minimax::{Preset, Pruning};
use crate::search::{Clock, Limits, MinMaxOptions, MiniMax, Searcher as _};

/// The three ways to prune, in the order of tables.
const PRUNINGS: [Pruning; 3] = [Pruning::Off, Pruning::Last, Pruning::Static];

/// What the program made of a position.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
struct Thought {
    san: String,
    /// From the side to move.
    score: i32,
    /// Positions visited, those of the shallower searches before the last one included.
    nodes: u64,
}

/// The program as published, with so many plies, a way to prune and any weights.
fn program(depth: u32, pruning: Pruning, weights: &WeightSet) -> MiniMax<Dynamic> {
    let options = MinMaxOptions { depth: depth.into(), pruning, ..Preset::Threats.options() };
    MiniMax::new(Arc::new(Threats::new(weights.row(), Interpretations::default())), options)
}

/// What it thinks of a position that is not over.
fn think(searcher: &mut MiniMax<Dynamic>, root: &Position) -> Thought {
    let report = searcher.search(root, &Limits::default(), &Clock::unlimited(), &mut ());
    Thought {
        san: report.best_move().map(|mv| root.san(mv)).unwrap_or_default(),
        score: report.score.0,
        nodes: report.nodes,
    }
}

/// The weights that it has as published.
fn published() -> WeightSet {
    WeightSet::of(Evaluation::Threats)
}

/// Weights for which pieces are worth their base values and nothing else.
fn material_alone() -> WeightSet {
    let set = "row=0 threatened=100 threatened_pawn=100 defended=100 neutral=100 centre=100";
    matches::changed(Evaluation::Threats, set).0
}

/// What still is approximately 35.
const APPROXIMATELY: [f64; 2] = [30.0, 40.0];

/// How many positions there are after so many plies: what it says of the claim, and as a row.
fn states(plies: u32, leaves: &[[u64; 4]]) -> (Part, Value) {
    let numbers: Vec<f64> = leaves.iter().map(|leaves| leaves[plies as usize - 1] as f64).collect();
    let nth_root = |number: f64| libm::pow(number, 1.0 / f64::from(plies));
    let [mean, _] = mean_with_interval(&numbers);
    let roots: Vec<f64> = numbers.iter().copied().map(nth_root).collect();
    let [root, half] = mean_with_interval(&roots);
    let claimed = 35_u64.pow(plies);
    let tried = format!("{} positions", leaves.len());
    let verdict = ClaimVerdict::of_range(APPROXIMATELY, root - half, root + half, tried);
    let statement = format!("n = {plies}: the n-th root of the number of states is from 30 to 40");
    let evidence = format!("{root:.1} ± {half:.1}; {mean:.0} states on average, 35^{plies} is {claimed}");
    let row = json!({
        "plies": plies, "claimed": claimed, "mean": mean, "root_of_mean": nth_root(mean), "root": root, "half": half,
    });
    (Part::new(statement, verdict, evidence), row)
}

/// M3: The size of the tree: how many states there are.
pub fn tree(laboratory: &Laboratory, text: &Text) -> anyhow::Result<Conclusion> {
    let count = laboratory.conditions.pick(20, 200);
    let leaves: Vec<[u64; 4]> = survey(laboratory, "m3-leaves", count, &[], |position| {
        Ok([1, 2, 3, 4].map(|plies| position.perft(plies)))
    })?;
    let (parts, states): (_, Vec<Value>) = (1..=4).map(|plies| states(plies, &leaves)).unzip();
    let data = json!({ "leaves": leaves, "states": states });
    Ok(text.conclude(laboratory, &[("count", &count)], parts, data).with_rows("states", &states))
}

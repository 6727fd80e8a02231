//! The claims of Marcarelli, "Chess AI Project", 2010, a program that rates positions by threats
//! and searches four plies of Min-Max: M1 and so on.

pub(super) mod pruning;
pub(super) mod tactics;

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::laboratory::{Match, ours};
use super::matches::{changed, value_of, written};
use super::positions::survey;
use super::{ClaimVerdict, Conclusion, Laboratory, Part, Text};
use crate::arena::EngineSpec;
use crate::eval::{Dynamic, Evaluation, Interpretations, Threats, WeightSet};
use crate::lab::tuning::mean_with_interval;
use crate::rules::position::Position;
use crate::search::minimax::{Preset, Pruning};
use crate::search::{Clock, Limits, MinMaxOptions, MiniMax, Searcher as _};

/// The three ways to prune, in the order of tables.
const PRUNINGS: [Pruning; 3] = [Pruning::Off, Pruning::Last, Pruning::Static];

/// The program's result for a position.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
struct ThreatResult {
    san: String,
    /// The score, from the side to move.
    score: i32,
    /// Nodes visited, those of the shallower searches before the last one included.
    nodes: u64,
}

/// The program as published, with so many plies, a way to prune and any weights.
fn program(depth: u32, pruning: Pruning, weights: &WeightSet) -> MiniMax<Dynamic> {
    let options = MinMaxOptions {
        depth: depth.into(),
        pruning,
        ..Preset::Threats.options()
    };
    MiniMax::new(
        Arc::new(Threats::new(weights.row(), Interpretations::default())),
        options,
    )
}

/// Searches a position in which the game goes on.
fn think(searcher: &mut MiniMax<Dynamic>, root: &Position) -> ThreatResult {
    let report = searcher.search(root, &Limits::default(), &Clock::unlimited(), &mut ());
    let best = report.best_move().map(|mv| root.san(mv));
    ThreatResult {
        san: best.unwrap_or_default(),
        score: report.score.0,
        nodes: report.nodes,
    }
}

/// Returns the published weights of the program.
fn published() -> WeightSet {
    WeightSet::of(Evaluation::Threats)
}

/// The factors, with their neutral values.
const NO_FACTORS: [(&str, i32); 6] = [
    ("threatened", 100),
    ("threatened_pawn", 100),
    ("defended", 100),
    ("neutral", 100),
    ("centre", 100),
    ("row", 0),
];

/// Each factor to take away, with its weights and their neutral values.
pub(super) const FACTORS: [(&str, &[(&str, i32)]); 5] = [
    (
        "threatened",
        &[("threatened", 100), ("threatened_pawn", 100)],
    ),
    ("defended", &[("defended", 100)]),
    ("centre", &[("centre", 100)]),
    ("rows", &[("row", 0)]),
    ("all", &NO_FACTORS),
];

/// The program as an engine, with more options.
fn engine(laboratory: &Laboratory, name: &str, options: &[(&str, &str)]) -> EngineSpec {
    let options = [&[("MinMaxPreset", "threats")], options].concat();
    ours(&laboratory.conditions, name, "minimax", &options)
}

/// M8: the whole program against itself without each factor, and without all.
pub fn factors(laboratory: &Laboratory) -> anyhow::Result<Vec<Match>> {
    let conditions = &laboratory.conditions;
    let mut matches = Vec::new();
    for (factor, values) in FACTORS {
        let (weights, _) = changed(Evaluation::Threats, |name| value_of(values, name));
        let path = written(laboratory, &format!("m8-without-{factor}"), weights)?;
        let without = engine(laboratory, "without", &[("WeightsFile", &path)]);
        let engines = [engine(laboratory, "whole", &[]), without];
        let limits = conditions.limits("depth=2", "depth=4");
        let claim = if factor == "all" {
            "The whole program is stronger than material alone".to_owned()
        } else {
            format!("The whole program is stronger than without \"{factor}\"")
        };
        let games = conditions.games(4, 400);
        let one = Match::new(format!("m8-{factor}"), factor, engines, limits, games);
        matches.push(one.claiming(claim));
    }
    Ok(matches)
}

/// M9: the program with its book against itself without.
pub fn book(laboratory: &Laboratory) -> anyhow::Result<Vec<Match>> {
    let conditions = &laboratory.conditions;
    let with_book = engine(laboratory, "with-book", &[("OwnBook", "true")]);
    let engines = [with_book, engine(laboratory, "without-book", &[])];
    let limits = conditions.limits("depth=2", "depth=4");
    let what = "The program with its book against itself without";
    let games = conditions.games(4, 400);
    Ok(vec![Match::new("m9-book", what, engines, limits, games)])
}

/// Returns weights that give pieces their base values and nothing else.
fn material_alone() -> WeightSet {
    changed(Evaluation::Threats, |name| value_of(&NO_FACTORS, name)).0
}

/// The range of "approximately 35".
const APPROXIMATELY: [f64; 2] = [30.0, 40.0];

/// Returns the verdict on the number of positions after so many plies.
fn states(plies: u32, leaves: &[[u64; 4]]) -> Part {
    let mut numbers = Vec::new();
    let mut roots = Vec::new();
    for leaves in leaves {
        let number = leaves[plies as usize - 1] as f64;
        numbers.push(number);
        roots.push(libm::pow(number, 1.0 / f64::from(plies)));
    }
    let [mean, _] = mean_with_interval(&numbers);
    let [root, half] = mean_with_interval(&roots);
    let claimed = 35_u64.pow(plies);
    let tried = format!("{} positions", leaves.len());
    let verdict = ClaimVerdict::of_range(APPROXIMATELY, root - half, root + half, tried);
    Part::new(
        format!("n = {plies}: the n-th root of the number of states is from 30 to 40"),
        verdict,
        format!("{root:.1} ± {half:.1}; {mean:.0} states on average, 35^{plies} is {claimed}"),
    )
}

/// M3: The size of the tree: how many states there are.
pub fn tree(laboratory: &Laboratory, text: &Text) -> anyhow::Result<Conclusion> {
    let count = laboratory.conditions.pick(20, 200);
    let leaves: Vec<[u64; 4]> = survey(laboratory, "m3-leaves", count, &[], |position| {
        Ok([1, 2, 3, 4].map(|plies| position.perft(plies)))
    })?;
    let parts = (1..=4).map(|plies| states(plies, &leaves)).collect();
    let data = json!({ "leaves": leaves });
    Ok(text.conclude(laboratory, &[("count", &count)], parts, data))
}

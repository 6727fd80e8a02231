//! The program itself, ready to search.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::evaluation::threats::ThreatWeights;
use crate::evaluation::{Dynamic, Threats, Tunable as _};
use crate::position::Position;
use crate::search::minimax::{Preset, Pruning};
use crate::search::{Clock, Limits, MinMaxOptions, MiniMax, Searcher as _};

/// The three ways to prune, in the order of tables.
pub const PRUNINGS: [Pruning; 3] = [Pruning::Off, Pruning::Last, Pruning::Static];

/// What it made of a position.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Thought {
    pub san: String,
    /// From the side to move.
    pub score: i32,
    /// Positions visited, those of the shallower searches before the last one included.
    pub nodes: u64,
}

/// The program as published, with so many plies, a way to prune and any weights.
pub fn program(depth: u32, pruning: Pruning, weights: &ThreatWeights) -> MiniMax<Dynamic> {
    let options = MinMaxOptions { depth: depth.into(), pruning, ..Preset::Threats.options() };
    MiniMax::new(Arc::new(Threats::with_weights(weights.clone())), options)
}

/// What it thinks of a position that is not over.
pub fn think(searcher: &mut MiniMax<Dynamic>, root: &Position) -> Thought {
    let report = searcher.search(root, &Limits::default(), &Clock::unlimited(), &mut ());
    Thought {
        san: report.best_move().map(|mv| root.san(mv)).unwrap_or_default(),
        score: report.score.0,
        nodes: report.nodes,
    }
}

/// Weights for which men are worth their base values and nothing else.
pub fn material_alone() -> ThreatWeights {
    ThreatWeights {
        row: 0,
        threatened: 100,
        threatened_pawn: 100,
        defended: 100,
        neutral: 100,
        centre: 100,
        ..ThreatWeights::DEFAULT
    }
}

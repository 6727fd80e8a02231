//! The search at work, as the whole screen and the page in the browser show it; and the last one, for as long
//! as nothing else is searched.

use std::cmp::Reverse;

use chess::ChessMove;

use crate::engine::{Running, Thought};
use crate::position::Position;
use crate::search::{Generation, RootMove};

/// How far a search is, or was.
pub struct Seen {
    pub root: Position,
    pub thought: Option<Thought>,
    pub alternatives: Vec<Thought>,
    pub generation: Option<Box<Generation>>,
}

impl Seen {
    /// `None` before it has found anything.
    pub fn of(running: &Running) -> Option<Seen> {
        (running.thought.is_some() || running.generation.is_some()).then(|| Seen {
            root: running.root.clone(),
            thought: running.thought.clone(),
            alternatives: running.alternatives.values().cloned().collect(),
            generation: running.generation.clone(),
        })
    }

    /// The move that would be played now.
    pub fn best(&self) -> Option<ChessMove> {
        self.thought.as_ref().and_then(|thought| thought.variation.first().copied())
    }

    /// The root moves of the genetic search: the one to play, then those with the most nodes; each with its
    /// percentage of all nodes.
    pub fn efforts(&self) -> Vec<(RootMove, f64)> {
        let best = self.best();
        let mut moves =
            self.generation.as_ref().map_or(Vec::new(), |generation| generation.root_moves.clone());
        // The sort keeps the order of equals.
        moves.sort_by_key(|root_move| (best != Some(root_move.mv), Reverse(root_move.nodes)));
        let all = moves.iter().map(|root_move| root_move.nodes).sum::<u64>().max(1) as f64;
        let with_share = |root_move: RootMove| {
            let percent = 100.0 * root_move.nodes as f64 / all;
            (root_move, percent)
        };
        moves.into_iter().map(with_share).collect()
    }
}

//! The search at work, as the whole screen and the page in the browser show it; and the last one, for as long
//! as nothing else is searched.

use std::cmp::Reverse;

use chess::ChessMove;

use crate::engine::Running;
use crate::search::RootMove;

impl Running {
    /// Whether it has found anything yet.
    pub(super) fn has_news(&self) -> bool {
        self.thought.is_some() || self.generation.is_some()
    }

    /// The move that would be played now.
    pub(super) fn best(&self) -> Option<ChessMove> {
        self.thought.as_ref().and_then(|thought| thought.variation.first().copied())
    }

    /// The root moves of the genetic search: the one to play, then those with the most nodes; each with its
    /// percentage of all nodes.
    pub(super) fn efforts(&self) -> Vec<(RootMove, f64)> {
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

//! What ends a search besides time.

use chess::ChessMove;

use crate::position::{MoveList, Position};

/// Limits of one search that do not depend on time. Time is the [`Clock`](super::Clock)'s business.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Greatest depth in half-moves (`sd`); for the genetic search the greatest length of a bred branch.
    pub depth: Option<u32>,
    /// Greatest number of positions visited. Exact for one thread: the same limit gives the same search.
    pub nodes: Option<u64>,
    /// Root moves not to be considered (`exclude`).
    pub excluded: Vec<ChessMove>,
    /// Never stop by yourself, not even with one legal move or a forced mate (analysis, pondering).
    pub infinite: bool,
}

impl Limits {
    /// The legal root moves that the limits allow.
    pub fn root_moves(&self, root: &Position) -> MoveList {
        root.legal_moves()
            .into_iter()
            .filter(|mv| !self.excluded.contains(mv))
            .collect()
    }
}

//! What ends a search besides time, and how wide it is.

use std::sync::Arc;

use chess::ChessMove;

use super::Strength;
use crate::position::{MoveList, Position};
use crate::tablebase::Tablebase;

/// Limits of one search that do not depend on time. Time is the [`Clock`](super::Clock)'s business.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Greatest depth in half-moves (`sd`).
    ///
    /// For the genetic search it is the greatest length of a bred branch, quiescence line left out. That
    /// search ends when all moves of all positions above this depth are in the reservation tree: once hardly
    /// any child is new, it breeds what is missing from the root down. If neither time nor nodes nor a `stop`
    /// is going to end it, it also ends when the tree is full. With alpha-beta at the leaves it is the
    /// greatest depth of a branch with its leaf search, and the search ends when none is left to be searched
    /// deeper.
    pub depth: Option<u32>,
    /// Greatest number of positions visited. Exact for one thread: the same limit gives the same search. Of
    /// several threads each gets its share, and the search may end with less when one is slower.
    pub nodes: Option<u64>,
    /// Root moves not to be considered (`exclude`).
    pub excluded: Vec<ChessMove>,
    /// They were excluded for the choice of a move, as by endgame tables. Else who excludes moves asks what
    /// the others are worth, and wants to know it of a single one, too.
    pub excludes_to_choose: bool,
    /// Analysis: go on although the move to play is settled, as long as there is something to find. When
    /// nothing is left the search is over all the same (alpha-beta: a mate that cannot be improved, or the
    /// last depth; the genetic search: no new branch for long, or with alpha-beta at the leaves none that
    /// may be searched deeper), and whoever asked for it keeps what it found
    /// until the front end has seen enough.
    pub infinite: bool,
    /// How many best lines are wanted, each with another first move; at least 1. There are fewer if fewer
    /// moves are allowed. The report is about the first of them.
    pub lines: usize,
    /// How many threads search; at least 1.
    pub threads: usize,
    /// How well to play, if not as well as possible. Only a searcher that stands between the engine and the
    /// others knows it: the rest search as they always do.
    pub strength: Option<Strength>,
    /// Endgame tables, which end a branch wherever they know its value.
    pub tables: Option<Arc<Tablebase>>,
}

impl Default for Limits {
    /// None at all, for one line and one thread.
    fn default() -> Self {
        Limits {
            depth: None,
            nodes: None,
            excluded: Vec::new(),
            excludes_to_choose: false,
            infinite: false,
            lines: 1,
            threads: 1,
            strength: None,
            tables: None,
        }
    }
}

impl Limits {
    /// The legal root moves that the limits allow.
    pub fn root_moves(&self, root: &Position) -> MoveList {
        root.legal_moves().into_iter().filter(|mv| !self.excluded.contains(mv)).collect()
    }

    /// Whether the search is to choose a move: every legal one is allowed, or all that might be chosen.
    pub fn ask_for_a_choice(&self, root: &Position) -> bool {
        self.excludes_to_choose || root.legal_moves().iter().all(|mv| !self.excluded.contains(mv))
    }
}

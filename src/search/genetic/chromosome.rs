//! Chromosomes: branches of the reservation tree, taken out of it to breed.

use arrayvec::ArrayVec;
use chess::ChessMove;

use super::tree::{NodeId, ReservationTree};
use crate::search::MAX_PLY;

/// A branch: its genes (moves from the root on) and the nodes they lead to.
#[derive(Clone, Debug, Default)]
pub struct Chromosome {
    genes: ArrayVec<ChessMove, MAX_PLY>,
    /// `nodes[i]` is where `genes[i]` leads.
    nodes: ArrayVec<NodeId, MAX_PLY>,
}

impl Chromosome {
    /// Reads the branch that runs along `stem` (the root left out) and on from its end along best children.
    pub fn read(&mut self, tree: &ReservationTree, stem: impl IntoIterator<Item = NodeId>) {
        self.genes.clear();
        self.nodes.clear();
        self.nodes.extend(stem);
        let head = self.nodes.last().copied().unwrap_or(tree.root());
        self.nodes.extend(tree.best_branch(head).skip(1));
        self.genes.extend(self.nodes.iter().map(|&node| tree.gene(node)));
    }

    /// The moves, from the root on.
    pub fn genes(&self) -> &[ChessMove] {
        &self.genes
    }

    /// The nodes the moves lead to; as many as there are genes.
    pub fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    /// Length in half-moves.
    pub fn len(&self) -> usize {
        self.genes.len()
    }

    /// Whether there is no gene: the branch of a root without moves.
    pub fn is_empty(&self) -> bool {
        self.genes.is_empty()
    }
}

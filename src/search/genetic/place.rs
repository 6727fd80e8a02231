//! Where the search stands: the boards and the nodes from the root to the position where the next birth
//! happens.

use chess::{Board, ChessMove};

use super::tree::NodeId;
use crate::position::{Line, Position};

/// A walk through the tree that remembers its way, so that no branch is replayed from the root.
pub struct Place {
    /// The boards. It may be longer than `path` while a birth makes moves that are not in the tree yet.
    pub line: Line,
    /// The nodes; the root is the first.
    path: Vec<NodeId>,
}

impl Place {
    /// At the root.
    pub fn new(position: &Position, root: NodeId) -> Self {
        Place { line: Line::new(position), path: vec![root] }
    }

    /// Goes to the node at the end of `nodes` (root left out), making `genes`, which are known to be legal,
    /// on the way.
    ///
    /// What the old place and the new one have in common is neither taken back nor made again.
    pub fn walk_to(&mut self, nodes: &[NodeId], genes: &[ChessMove]) {
        let common = self.path[1..].iter().zip(nodes).take_while(|(a, b)| a == b).count();
        self.path.truncate(common + 1);
        self.line.truncate(common);
        for (&node, &gene) in nodes.iter().zip(genes).skip(common) {
            self.step_to(node, gene);
        }
    }

    /// Makes `gene`, which leads to the child `node`.
    pub fn step_to(&mut self, node: NodeId, gene: ChessMove) {
        self.line.make(gene);
        self.path.push(node);
    }

    /// Goes to a child whose move is made on the line already.
    pub fn enter(&mut self, node: NodeId) {
        self.path.push(node);
    }

    /// The node where the search stands.
    pub fn node(&self) -> NodeId {
        *self.path.last().expect("the path begins with the root")
    }

    /// Its level; the root has 0.
    pub fn level(&self) -> usize {
        self.path.len() - 1
    }

    /// The nodes from the root, which is the first, to [`Place::node`].
    pub fn path(&self) -> &[NodeId] {
        &self.path
    }

    /// The board at the end of the line.
    pub fn board(&self) -> &Board {
        self.line.board()
    }

    pub fn root_board(&self) -> &Board {
        self.line.board_at(0)
    }
}

//! Walks through a reservation tree.

use std::collections::VecDeque;

use chess::ChessMove;

use super::{NodeId, ReservationTree};

impl ReservationTree {
    /// The nodes from `head` down along best children to the end of the branch, `head` first.
    pub fn best_branch(&self, head: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(head), |&id| self.best_child(id))
    }

    /// Whether no node above `depth` lacks a move.
    pub fn is_complete_above(&self, depth: usize) -> bool {
        let mut stack = vec![(self.root, 0)];
        while let Some((node, level)) = stack.pop() {
            if self.lacks_moves(node) {
                return false;
            }
            if level + 1 < depth {
                stack.extend(self.children(node).map(|child| (child, level + 1)));
            }
        }
        true
    }

    /// How many nodes there are at and below `id`.
    pub fn size_below(&self, id: NodeId) -> usize {
        let (mut size, mut stack) = (0, vec![id]);
        while let Some(node) = stack.pop() {
            size += 1;
            stack.extend(self.children(node));
        }
        size
    }

    /// The search's effort on the move it would play: the share, from 0 to 1, of all nodes but the root that
    /// stand at and below the root's best child. 0 while there is none.
    pub fn effort_on_best(&self) -> f64 {
        let best = self.best_child(self.root);
        best.map_or(0.0, |best| self.size_below(best) as f64 / (self.len() - 1) as f64)
    }

    /// The nodes above `depth`, level by level, that lack a move, each with its path: the root first, the
    /// node itself last.
    pub fn incomplete_above(&self, depth: usize) -> impl Iterator<Item = Vec<NodeId>> + '_ {
        let mut queue = VecDeque::from([vec![self.root]]);
        std::iter::from_fn(move || {
            while let Some(path) = queue.pop_front() {
                let node = path[path.len() - 1];
                if path.len() < depth {
                    let below = self.children(node).map(|child| [&path[..], &[child]].concat());
                    queue.extend(below);
                }
                if self.lacks_moves(node) {
                    return Some(path);
                }
            }
            None
        })
    }

    /// Visits every node but the root, parents before children, with the genes that lead to it.
    pub fn visit(&self, mut visitor: impl FnMut(NodeId, &[ChessMove])) {
        let mut genes = Vec::new();
        let mut stack: Vec<(NodeId, usize)> = self.children(self.root).map(|child| (child, 0)).collect();
        while let Some((id, depth)) = stack.pop() {
            genes.truncate(depth);
            genes.push(self.gene(id));
            visitor(id, &genes);
            stack.extend(self.children(id).map(|child| (child, depth + 1)));
        }
    }
}

//! What becomes of branches that claim to be the best when the search has to end.

use super::{Higher, Memetic};
use crate::evaluation::Evaluator;
use crate::score::Bound;
use crate::search::genetic::tree::NodeId;

impl<E: Evaluator> Memetic<'_, E> {
    /// At the end: takes nodes away that got no value any more.
    pub(super) fn remove_unborn(&mut self) {
        while let [.., parent, node] = self.path[..]
            && self.search.tree.value(node).is_none()
        {
            self.search.tree.remove_newest_child(parent, self.path.len() - 2);
            self.path.pop();
        }
    }

    /// At the end: a branch that was about to become the best, but was neither settled nor shown to be
    /// better, is no better than the one that is.
    pub(super) fn withdraw_claims(&mut self) {
        loop {
            self.walk_best();
            let rival = self.rival().filter(|_| !self.is_settled(&self.path));
            let Some((rival, at)) = rival else { break };
            let Some(value) = self.search.tree.value(rival) else { break };
            let high = self.search.tree.is_max(at - 1);
            let of_rival = self.search.tree.best_branch(rival);
            let path_of_rival: Vec<NodeId> = self.path[..at].iter().copied().chain(of_rival).collect();
            if self.is_shown(&self.path, at, high) && self.is_down_to(&path_of_rival, high) {
                break;
            }
            let (node, level) = (self.node(), self.level());
            let no_better = if high { value - 1 } else { value + 1 };
            self.search.tree.set_own(node, level, no_better, self.search.tree.is_terminal(node));
            self.search.tree.back_up(&self.path);
        }
        self.search.tail = self.tail();
        if self.search.tail.is_empty() && self.level() > 0 && !self.search.tree.is_terminal(self.node()) {
            self.go();
            self.search.tail.extend(self.leaf.table_move());
        }
    }

    /// Whether a path, a best branch that has left another one at a level for the good of one side, was asked
    /// to the depth that has been reached, and found to be at least so good for that side.
    fn is_shown(&self, path: &[NodeId], at: usize, high: Higher) -> bool {
        let tree = &self.search.tree;
        let claimed = if high { Bound::Lower } else { Bound::Upper };
        // A value of its own speaks for all moves that are not in the tree.
        let is_end_shown = |node: NodeId, level: usize| {
            let is_claim = [claimed, Bound::Exact].contains(&self.end(node).bound);
            tree.own_value(node).is_some()
                && (is_claim && self.is_asked(node, level) || tree.is_terminal(node))
        };
        path.iter().copied().enumerate().skip(at).all(|(level, node)| {
            let is_end = level + 1 == path.len();
            let is_choice = tree.is_max(level) == high;
            !is_end && (is_choice || tree.is_complete(node)) || is_end_shown(node, level)
        })
    }

    /// Whether a path, the best branch below a node of the settled one, is worth no more for one side than it
    /// is said to be.
    fn is_down_to(&self, path: &[NodeId], high: Higher) -> bool {
        let settled = self.settled.iter().flat_map(|settled| &settled.path);
        let left = path.iter().zip(settled).take_while(|(a, b)| a == b).count();
        let tree = &self.search.tree;
        // Where that side could do something else, all that it could do is in the tree.
        let is_closed = |above: NodeId| tree.is_max(left - 1) != high || tree.is_complete(above);
        let leaves = left > 0 && left < path.len() && is_closed(path[left - 1]);
        self.is_settled(path) || leaves && self.is_shown(path, left, !high)
    }
}

//! What becomes of branches that claim to be the best when the search has to end.

use super::{Higher, Memetic};
use crate::evaluation::Evaluator;
use crate::score::{Bound, Score};
use crate::search::genetic::tree::NodeId;

/// A path leaves the settled branch.
struct Departure {
    /// The level of its first node that is not on the branch.
    at: usize,
    /// For whose good.
    high: Higher,
    /// What the branch is worth there, from White's point of view.
    left: Score,
}

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
    /// better, is no better than the one that is. Nor is that one any worse by something that was not shown.
    pub(super) fn withdraw_claims(&mut self) {
        self.keep_best_line();
        loop {
            self.walk_best();
            let Some(claim) = self.departure(&self.path) else { break };
            let Departure { at, high, left } = claim;
            let is_better = |value: Score| if high { value > left } else { value < left };
            let is_better = self.search.tree.value(self.path[at]).is_some_and(is_better);
            let is_settled = self.is_known(&self.path);
            let stands = is_settled || is_better && self.is_shown(&self.path, at, high);
            let rival = self.settled_way(&self.path[..at]);
            let fall = self.departure(&rival);
            let is_rival_down =
                rival.len() == at || self.is_down_to(&rival, high) || is_settled && fall.is_none();
            match fall {
                _ if stands && is_rival_down => {
                    self.search.depth = Some(self.line.depth as usize);
                    break;
                }
                Some(fall) if stands => self.withdraw(&rival, &fall),
                _ => self.withdraw(&self.path.clone(), &claim),
            }
        }
        self.search.tail = self.tail();
        if self.search.tail.is_empty() && self.level() > 0 && !self.search.tree.is_terminal(self.node()) {
            self.go();
            self.search.tail.extend(self.leaf.table_move());
        }
    }

    /// Where a path leaves the settled branch, if it does: sideways, or behind its end for moves of that end
    /// of which not all were tried.
    fn departure(&self, path: &[NodeId]) -> Option<Departure> {
        let tree = &self.search.tree;
        let settled = self.line.settled.as_ref()?;
        let at = settled.shared_with(path);
        let left = match settled.path.get(at) {
            Some(&node) => tree.value(node),
            None => tree.own_value(settled.path[at - 1]),
        };
        (at < path.len()).then_some(Departure { at, high: tree.is_max(at - 1), left: left? })
    }

    /// The beginning of the settled branch, and what is the best way on from its next node now. Nothing is
    /// added if the settled branch ends there.
    fn settled_way(&self, beginning: &[NodeId]) -> Vec<NodeId> {
        let next = self.line.settled.as_ref().and_then(|settled| settled.path.get(beginning.len()));
        let way_on = next.into_iter().flat_map(|&node| self.search.tree.best_branch(node));
        beginning.iter().copied().chain(way_on).collect()
    }

    /// What is at the end of a path makes it no better than what it leaves.
    fn withdraw(&mut self, path: &[NodeId], departure: &Departure) {
        let (node, level) = (path[path.len() - 1], path.len() - 1);
        let no_better = if departure.high { departure.left - 1 } else { departure.left + 1 };
        self.search.tree.set_own(node, level, no_better, self.search.tree.is_terminal(node));
        self.search.tree.back_up(path);
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
        let Some(settled) = &self.line.settled else { return false };
        let left = settled.shared_with(path);
        if left == path.len() {
            return self.is_known(path);
        }
        let (tree, above) = (&self.search.tree, path[left - 1]);
        // Where that side could do something else, all that it could do is in the tree, and what it would
        // have done is no better any more.
        let has_nothing_else = || {
            let way = self.settled_way(&path[..left]);
            tree.is_complete(above) && (way.len() == left || self.is_down_to(&way, high))
        };
        self.is_shown(path, left, !high) && (tree.is_max(left - 1) != high || has_nothing_else())
    }
}

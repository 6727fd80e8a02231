//! The values of a reservation tree: those of ends, and how they climb.

use super::{HAS_OWN, HAS_VALUE, NodeId, ReservationTree, STAND_IN, TERMINAL};
use crate::rules::score::Score;
use crate::search::genetic::params::InnerValue;

impl ReservationTree {
    /// A branch ends at this node with this value (White's point of view). `terminal`: the game is
    /// over here.
    ///
    /// Only the node's own value changes; [`ReservationTree::back_up`] carries the change upwards.
    pub fn set_own(&mut self, id: NodeId, level: usize, value: Score, terminal: bool) {
        let node = self.node_mut(id);
        node.own = value.0 as i16;
        node.flags &= !STAND_IN;
        node.flags |= HAS_OWN | if terminal { TERMINAL } else { 0 };
        self.recompute(id, level);
    }

    /// Takes an own value away again. The node must have children with values to live on.
    pub fn drop_own(&mut self, id: NodeId, level: usize) {
        self.node_mut(id).flags &= !HAS_OWN;
        self.recompute(id, level);
    }

    /// Returns true if the side to move at a node on `level` is mated by every move in the tree,
    /// but moves are missing.
    pub fn is_unproved_mate(&self, id: NodeId, level: usize) -> bool {
        let node = self.node(id);
        node.best_child != NodeId::NONE
            && self.is_mate_against(level, node.value)
            && self.lacks_moves(id)
    }

    /// Lets a static value (White's point of view) stand for the missing moves, as long as all
    /// others lead to mate: an avoidable mate is none. A node's own value that does not count (see
    /// [`InnerValue`]) is taken instead.
    pub fn set_stand_in(&mut self, id: NodeId, level: usize, value: Score) {
        let node = self.node_mut(id);
        debug_assert!(!node.has(TERMINAL));
        if !node.has(HAS_OWN) {
            node.own = value.0 as i16;
        }
        node.flags |= STAND_IN;
        self.recompute(id, level);
    }

    /// Returns true if a value is a mate of the side to move on `level`.
    pub(super) fn is_mate_against(&self, level: usize, value: i16) -> bool {
        Score(i32::from(value)).is_mate() && (value < 0) == self.is_max(level)
    }

    /// Computes a node's value anew from its own value and all its children's values.
    ///
    /// Ties: the own value, then the child inserted first.
    pub fn recompute(&mut self, id: NodeId, level: usize) {
        let node = *self.node(id);
        let own_counts = node.has(HAS_OWN)
            && (self.inner_value == InnerValue::Changed || node.first_child == NodeId::NONE);
        let mut best = own_counts.then_some((node.own, NodeId::NONE));
        for child in self.children(id) {
            let child_node = self.node(child);
            if !child_node.has(HAS_VALUE) {
                continue;
            }
            let value = child_node.value;
            let takes_over = match best {
                None => true,
                Some((best_value, NodeId::NONE)) => self.is_better(level, value, best_value),
                // Children come newest first: among equals the later one in the list was inserted
                // earlier.
                Some((best_value, _)) => !self.is_better(level, best_value, value),
            };
            if takes_over {
                best = Some((value, child));
            }
        }
        if let Some((value, _)) = best
            && self.is_mate_against(level, value)
            && node.has(STAND_IN)
            && self.lacks_moves(id)
        {
            best = Some((node.own, NodeId::NONE));
        }
        let Some((value, best_child)) = best else {
            let node = self.node_mut(id);
            node.flags &= !HAS_VALUE;
            node.best_child = NodeId::NONE;
            return;
        };
        let had_own_best = node.has(HAS_VALUE) && node.best_child == NodeId::NONE;
        let born = match best_child.some() {
            Some(child) => self.born(child),
            None if had_own_best => node.born,
            None => {
                // After some thousand million births none is called older than another.
                self.born = self.born.saturating_add(1);
                self.born
            }
        };
        let node = self.node_mut(id);
        (node.value, node.best_child, node.born) = (value, best_child, born);
        node.flags |= HAS_VALUE;
    }

    /// Makes this child of `parent`, a node on `level`, the best among equals from now on, as if it
    /// were the oldest.
    pub fn prefer(&mut self, parent: NodeId, level: usize, child: NodeId) {
        let Some(oldest) = self
            .children(parent)
            .last()
            .filter(|&oldest| oldest != child)
        else {
            return;
        };
        self.unlink(parent, child);
        self.node_mut(oldest).next_sibling = child;
        self.node_mut(child).next_sibling = NodeId::NONE;
        self.recompute(parent, level);
    }

    /// Turns the ages of all branches round: the oldest becomes the newest. Changes no value.
    pub fn reverse_births(&mut self) {
        for (_, node) in &mut self.nodes {
            node.born = self.born - node.born + 1;
        }
    }

    /// Takes the value of a node away; its subtree stays.
    pub fn hide(&mut self, id: NodeId) {
        let node = self.node_mut(id);
        node.flags &= !(HAS_OWN | HAS_VALUE);
        node.best_child = NodeId::NONE;
    }

    /// Carries the value of the last node of `path` up to the root, until nothing changes.
    ///
    /// `path` starts with the root; each node is a child of the one before.
    pub fn back_up(&mut self, path: &[NodeId]) {
        for level in (0..path.len().saturating_sub(1)).rev() {
            let state = |tree: &Self| (tree.value(path[level]), tree.born(path[level]));
            let before = state(self);
            self.take_over(path[level], level, path[level + 1]);
            if state(self) == before && before.0.is_some() {
                return;
            }
        }
    }

    /// Brings `parent`, on `level`, up to date after its child `child` changed. Looks at all
    /// children only if the best one got worse.
    fn take_over(&mut self, parent: NodeId, level: usize, child: NodeId) {
        let (node, changed) = (*self.node(parent), *self.node(child));
        let ignores_own = self.inner_value == InnerValue::Regular && node.has(HAS_OWN);
        let best_got_worse =
            node.best_child == child && self.is_better(level, node.value, changed.value);
        let has_stand_in = node.has(STAND_IN);
        if !node.has(HAS_VALUE)
            || ignores_own
            || has_stand_in
            || !changed.has(HAS_VALUE)
            || best_got_worse
        {
            self.recompute(parent, level);
        } else if node.best_child == child
            || self.is_better(level, changed.value, node.value)
            || (changed.value == node.value && self.is_older_sibling(child, node.best_child))
        {
            let node = self.node_mut(parent);
            (node.value, node.best_child, node.born) = (changed.value, child, changed.born);
        }
    }

    /// Returns true if `node` was inserted before its sibling `other`; false if there is no other.
    fn is_older_sibling(&self, node: NodeId, other: NodeId) -> bool {
        // The newest comes first, so the older come after.
        std::iter::successors(other.some(), |&id| self.node(id).next_sibling.some())
            .any(|id| id == node)
    }

    fn is_better(&self, level: usize, a: i16, b: i16) -> bool {
        if self.is_max(level) { a > b } else { a < b }
    }
}

//! Walks through a reservation tree: to look at nodes, and to remove them, as for room in a full
//! tree.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use chess::ChessMove;

use super::{NodeId, ReservationTree, UNCOUNTED};

/// The weight of a rank among siblings, in levels: once for the second and third best, twice for
/// the fourth to seventh, and so on.
const RANK_WEIGHT: usize = 3;

/// A node of an [outline](ReservationTree::outline).
#[derive(Clone, Copy, Debug)]
pub struct Outlined {
    pub node: NodeId,
    /// The index of the parent in the outline; `None` for children of the root.
    pub parent: Option<usize>,
    /// The node is on the best branch.
    pub is_best: bool,
}

impl ReservationTree {
    /// Returns all children of a node on a level: the best one, then the others by their value for
    /// the side to move, ties to the older.
    pub fn children_by_value(&self, node: NodeId, level: usize) -> Vec<NodeId> {
        let best = self.best_child(node);
        let mut children: Vec<NodeId> = self.children(node).collect();
        // The newest come first.
        children.reverse();
        children.sort_by_key(|&child| {
            let value = self.value(child);
            let for_mover = value.map(|value| if self.is_max(level) { value } else { -value });
            (best != Some(child), Reverse(for_mover))
        });
        children
    }

    /// The nodes from the root outwards, the nearest to the best branch first, each with its
    /// parent. Parents come before their children.
    pub fn outwards(&self) -> impl Iterator<Item = (NodeId, Option<NodeId>)> + '_ {
        // The number of the entry settles ties.
        let mut waiting = BinaryHeap::from([Reverse((0, 0, self.root, None, 0))]);
        let mut entries = 0;
        std::iter::from_fn(move || {
            let Reverse((distance, _, node, parent, level)) = waiting.pop()?;
            let children = self.children_by_value(node, level);
            for (rank, child) in children.into_iter().enumerate() {
                entries += 1;
                let further = distance + 1 + RANK_WEIGHT * (rank + 1).ilog2() as usize;
                waiting.push(Reverse((further, entries, child, Some(node), level + 1)));
            }
            Some((node, parent))
        })
    }

    /// The outline of the tree: at most `most` nodes, the best branch first, down to a level, then
    /// the nodes nearest to it.
    pub fn outline(&self, levels: usize, most: usize) -> Vec<Outlined> {
        let best: Vec<NodeId> = self.best_branch(self.root).take(1 + levels).collect();
        let on_best_branch = best.windows(2).map(|pair| (pair[1], Some(pair[0])));
        let others = self.outwards().filter(|(node, _)| !best.contains(node));
        let mut outline: Vec<Outlined> = Vec::new();
        for (node, parent) in on_best_branch.chain(others).take(most) {
            let is_parent = |outlined: &Outlined| Some(outlined.node) == parent;
            outline.push(Outlined {
                node,
                parent: outline.iter().position(is_parent),
                is_best: best.contains(&node),
            });
        }
        outline
    }

    /// The nodes from `top` down along best children to the end of the branch, `top` first.
    pub fn best_branch(&self, top: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(top), |&id| self.best_child(id))
    }

    /// Returns true if no node above `depth` lacks a move.
    pub fn is_complete_above(&self, depth: usize) -> bool {
        self.at_and_below(self.root, depth)
            .all(|(node, _)| !self.lacks_moves(node))
    }

    /// The number of nodes at and below `id`.
    pub fn size_below(&self, id: NodeId) -> usize {
        self.at_and_below(id, usize::MAX).count()
    }

    /// A node and its subtree, parents before children, each with its level from there: less than
    /// `depth`, or only the node itself.
    fn at_and_below(&self, id: NodeId, depth: usize) -> impl Iterator<Item = (NodeId, usize)> {
        let mut stack = vec![(id, 0)];
        std::iter::from_fn(move || {
            let (node, level) = stack.pop()?;
            if level + 1 < depth {
                stack.extend(self.children(node).map(|child| (child, level + 1)));
            }
            Some((node, level))
        })
    }

    /// The search's effort on the move to play: the share, from 0 to 1, of the nodes at and below
    /// the root's best child among all but the root. 0 while there is none.
    pub fn effort_on_best(&self) -> f64 {
        let best = self.best_child(self.root);
        best.map_or(0.0, |best| {
            self.size_below(best) as f64 / (self.len() - 1) as f64
        })
    }

    /// The nodes above `depth` with a missing move, level by level, each as its path from the root.
    pub fn incomplete_above(&self, depth: usize) -> impl Iterator<Item = Vec<NodeId>> + '_ {
        let mut queue = VecDeque::from([vec![self.root]]);
        std::iter::from_fn(move || {
            while let Some(path) = queue.pop_front() {
                let node = path[path.len() - 1];
                if path.len() < depth {
                    let below = self
                        .children(node)
                        .map(|child| [&path[..], &[child]].concat());
                    queue.extend(below);
                }
                if self.lacks_moves(node) {
                    return Some(path);
                }
            }
            None
        })
    }

    /// Visits every node but the root, parents before children, with the genes of its path.
    pub fn visit(&self, mut visitor: impl FnMut(NodeId, &[ChessMove])) {
        let mut genes = Vec::new();
        for (id, level) in self.at_and_below(self.root, usize::MAX).skip(1) {
            genes.truncate(level - 1);
            genes.push(self.gene(id));
            visitor(id, &genes);
        }
    }

    /// Makes room by letting the least fit branches die: of all branches with fitness H - K + 1,
    /// those with K above a bound, chosen so that at most half of the tree's capacity stays.
    /// Returns true if at least a quarter is free afterwards.
    ///
    /// No victim is its parent's best child, nor a move needed to prove a mate, so no value of any
    /// remaining node changes, and the work can be given up after any step: `go_on` is asked now
    /// and then, and `false` ends it.
    pub fn cull(&mut self, mut go_on: impl FnMut() -> bool) -> bool {
        let mut steps = 0u32;
        let mut go_on = || {
            steps += 1;
            !steps.is_multiple_of(STEPS_BETWEEN_QUESTIONS) || go_on()
        };
        let Some(bound) = self.largest_k_to_keep(&mut go_on) else {
            return false;
        };
        let mut stack = vec![(self.root, 0usize, 0usize)];
        while let Some((id, level, class)) = stack.pop() {
            if !go_on() {
                return false;
            }
            let best = self.node(id).best_child;
            let proves_mate =
                !self.lacks_moves(id) && self.is_mate_against(level, self.node(id).value);
            let mut kept_last = NodeId::NONE;
            let mut next = self.node(id).first_child;
            while let Some(child) = next.some() {
                next = self.node(child).next_sibling;
                let child_class = if child == best { class } else { level + 1 };
                if child == best || child_class <= bound || proves_mate {
                    kept_last = child;
                    stack.push((child, level + 1, child_class));
                    continue;
                }
                let node = self.node_mut(id);
                if node.untried != UNCOUNTED {
                    node.untried += 1;
                }
                match kept_last.some() {
                    None => self.node_mut(id).first_child = next,
                    Some(previous) => self.node_mut(previous).next_sibling = next,
                }
                if !self.remove_subtree(child, level + 1, &mut go_on) {
                    return false;
                }
            }
        }
        self.has_room_for(self.capacity / 4)
    }

    /// The largest K for which the branches with at most this K take no more than half of the
    /// capacity, but at least 1: every root move keeps its branch. `None` if `go_on` ended the
    /// count.
    fn largest_k_to_keep(&self, mut go_on: impl FnMut() -> bool) -> Option<usize> {
        // Every node lies on the best walk from exactly one head; the head's level is K of that
        // branch.
        let mut nodes_by_k = vec![0usize; self.height() + 1];
        let mut stack = vec![(self.root, 0usize, 0usize)];
        while let Some((id, level, class)) = stack.pop() {
            if !go_on() {
                return None;
            }
            nodes_by_k[class] += 1;
            let best = self.node(id).best_child;
            stack.extend(self.children(id).map(|child| {
                (
                    child,
                    level + 1,
                    if child == best { class } else { level + 1 },
                )
            }));
        }
        let mut kept = 0;
        let over = nodes_by_k.iter().position(|&count| {
            kept += count;
            kept > self.capacity / 2
        });
        Some(
            over.map_or(nodes_by_k.len(), |k| k.saturating_sub(1))
                .max(1),
        )
    }

    /// Takes a child out of its parent's list.
    pub(super) fn unlink(&mut self, parent: NodeId, child: NodeId) {
        let next = self.node(child).next_sibling;
        let before = self
            .children(parent)
            .find(|&id| self.node(id).next_sibling == child);
        match before {
            Some(before) => self.node_mut(before).next_sibling = next,
            None => self.node_mut(parent).first_child = next,
        }
    }

    /// Removes a node with its subtree; `false` if `go_on` ended the work.
    fn remove_subtree(
        &mut self,
        top: NodeId,
        level: usize,
        mut go_on: impl FnMut() -> bool,
    ) -> bool {
        let mut stack = vec![(top, level)];
        while let Some((id, level)) = stack.pop() {
            if !go_on() {
                return false;
            }
            stack.extend(self.children(id).map(|child| (child, level + 1)));
            self.nodes.remove(id.index());
            self.level_counts[level] -= 1;
        }
        true
    }
}

/// At some 30 ns a step this is 0.1 ms.
const STEPS_BETWEEN_QUESTIONS: u32 = 4096;

//! Fitness: how far the value of a branch's leaf climbs towards the root.
//!
//! Fitness is H - K + 1 (Dehghani & Babamir 2017, section 4.2, after Hong, Huang & Lin 2001), where H is the
//! height of the reservation tree and K the smallest level whose value comes from the branch's leaf.

use super::tree::{NodeId, ReservationTree};

/// H - K + 1.
pub fn fitness(height: usize, k: usize) -> usize {
    height + 1 - k
}

/// Whether the value of the branch that ends at `leaf` counts there. If not, because a child is better, the
/// branch has no fitness and never breeds.
pub fn has_fitness(tree: &ReservationTree, leaf: NodeId) -> bool {
    tree.value(leaf).is_some() && tree.best_child(leaf).is_none()
}

/// K of the branch that ends at the last node of `path` (root first, so a node's index is its level).
///
/// `None` if it has no fitness.
pub fn climb(tree: &ReservationTree, path: &[NodeId]) -> Option<usize> {
    let (&leaf, ancestors) = path.split_last()?;
    if !has_fitness(tree, leaf) {
        return None;
    }
    let mut child = leaf;
    let mut k = ancestors.len();
    for &parent in ancestors.iter().rev() {
        if tree.best_child(parent) != Some(child) {
            break;
        }
        child = parent;
        k -= 1;
    }
    Some(k)
}

//! Chromosomes, their fitness, and selection: the choice of the branches to breed next.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use arrayvec::ArrayVec;
use chess::ChessMove;
use rand::{Rng, RngExt};

use super::params::{GeneticOptions, Selection};
use super::tree::{NodeId, ReservationTree};
use crate::search::MAX_PLY;

/// A branch, taken out of the reservation tree to breed: its genes (moves from the root on) and the
/// nodes they lead to.
#[derive(Clone, Debug, Default)]
pub struct Chromosome {
    pub genes: ArrayVec<ChessMove, MAX_PLY>,
    /// `nodes[i]` is where `genes[i]` leads.
    pub nodes: ArrayVec<NodeId, MAX_PLY>,
}

impl Chromosome {
    /// Reads the branch along `stem` (the root left out) and on from its end along best children.
    pub fn read(&mut self, tree: &ReservationTree, stem: impl IntoIterator<Item = NodeId>) {
        self.genes.clear();
        self.nodes.clear();
        self.nodes.extend(stem);
        let entry = self.nodes.last().copied().unwrap_or(tree.root());
        self.nodes.extend(tree.best_branch(entry).skip(1));
        self.genes
            .extend(self.nodes.iter().map(|&node| tree.gene(node)));
    }
}

/// Fitness: the climb of a leaf's value towards the root. It is H - K + 1 (Dehghani & Babamir 2017,
/// section 4.2, after Hong, Huang & Lin 2001): H is the height of the reservation tree, K the
/// smallest level with its value from the branch's leaf.
pub fn fitness(height: usize, k: usize) -> usize {
    height + 1 - k
}

/// Returns true if the value of the branch to `leaf` counts there. Otherwise a child is better, and
/// the branch has no fitness and never breeds.
pub fn has_fitness(tree: &ReservationTree, leaf: NodeId) -> bool {
    tree.value(leaf).is_some() && tree.best_child(leaf).is_none()
}

/// K of the branch along `path` (root first, so a node's index is its level).
///
/// `None` if the branch has no fitness.
pub fn k_of(tree: &ReservationTree, path: &[NodeId]) -> Option<usize> {
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

/// Chooses the `count` branches to breed next into `parents`, reusing its buffers.
///
/// If they are drawn at random, the tree has to remember parents.
pub fn select(
    tree: &ReservationTree,
    options: &GeneticOptions,
    discounts: &[(ChessMove, i32)],
    count: usize,
    random: &mut impl Rng,
    parents: &mut Vec<Chromosome>,
) {
    match options.selection {
        Selection::Contested => {
            contested(tree, count, options.step_price as i32, discounts, parents)
        }
        Selection::Fittest => fittest(tree, count, parents),
        Selection::Proportionate => {
            parents.resize_with(count, Chromosome::default);
            let mut path = Vec::new();
            for parent in parents {
                draw_branch(tree, random, &mut path);
                parent.read(tree, path[1..].iter().copied());
            }
        }
    }
}

/// A node on a walk over the branches that may be contested.
struct PathEntry {
    node: NodeId,
    /// Index of the entry before, or [`NO_ENTRY`] for the root.
    from: usize,
}

/// The index of no entry.
const NO_ENTRY: usize = usize::MAX;

/// The node at which a branch leaves the best branch of a node above. Sorts as in [`contested`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct OpenEntry {
    deficit: i32,
    k: usize,
    born: Reverse<u32>,
    node: NodeId,
    /// Index of the entry to its parent.
    from: usize,
}

/// The `count` least contested branches, the least contested first.
///
/// The deficit of a branch is the change needed to make it the best one: at each node where the
/// branch leaves the best branch, the difference between the value of the node and of the child
/// taken, and `price` in centipawns. `discounts` are taken off by its first gene if the branch
/// leaves the best branch at the root, down to 0. The branch with K = 0 has deficit 0. Ties go to
/// the fitter, then to the newer.
///
/// The deficit only grows on the way down, so a walk always on from the least contested entry finds
/// the branches in their order, and looks at no child but of their nodes.
pub fn contested(
    tree: &ReservationTree,
    count: usize,
    price: i32,
    discounts: &[(ChessMove, i32)],
    parents: &mut Vec<Chromosome>,
) {
    let discount = |first: NodeId| {
        discounts
            .iter()
            .find(|&&(mv, _)| mv == tree.gene(first))
            .map_or(0, |&(_, discount)| discount)
    };
    let mut path_entries = Vec::with_capacity(2048);
    let mut chosen = Vec::with_capacity(count);
    let root = OpenEntry {
        deficit: 0,
        k: 0,
        born: Reverse(0),
        node: tree.root(),
        from: NO_ENTRY,
    };
    let mut open = BTreeSet::from([root]);
    while chosen.len() < count
        && let Some(entry) = open.pop_first()
    {
        chosen.push(path_entries.len());
        // More than these are not chosen.
        let room = count - chosen.len();
        let enters =
            |deficit| open.len() < room || open.last().is_some_and(|last| deficit <= last.deficit);
        if !enters(entry.deficit + price) {
            // Nothing that leaves this branch is less contested than the open that there are.
            path_entries.push(PathEntry {
                node: entry.node,
                from: entry.from,
            });
            continue;
        }
        let mut from = entry.from;
        for (k, node) in (entry.k + 1..).zip(tree.best_branch(entry.node)) {
            path_entries.push(PathEntry { node, from });
            from = path_entries.len() - 1;
            let best = tree.best_child(node);
            let value = tree.value(node);
            for child in tree.children(node).filter(|&child| best != Some(child)) {
                let Some((value, other)) = value.zip(tree.value(child)) else {
                    continue;
                };
                let mut deficit = entry.deficit + (value.0 - other.0).abs() + price;
                if node == tree.root() {
                    deficit = (deficit - discount(child)).max(0);
                }
                let other_entry = OpenEntry {
                    deficit,
                    k,
                    born: Reverse(tree.born(child)),
                    node: child,
                    from,
                };
                if open.len() < room || open.last().is_some_and(|last| other_entry < *last) {
                    open.insert(other_entry);
                    if open.len() > room {
                        open.pop_last();
                    }
                }
            }
        }
    }
    read_all(tree, &path_entries, &chosen, parents);
}

/// The `count` fittest branches, the fittest first, ties to the newer. Nothing is sorted but the
/// last tie.
///
/// A branch with K = k goes through a node on level k other than its parent's best child, and on
/// along best children; so the levels, taken in order, give the branches by fitness.
pub fn fittest(tree: &ReservationTree, count: usize, parents: &mut Vec<Chromosome>) {
    let mut path_entries = Vec::with_capacity(2048);
    path_entries.push(PathEntry {
        node: tree.root(),
        from: NO_ENTRY,
    });
    let mut chosen = vec![0];
    let mut level = 0..1;
    while chosen.len() < count && !level.is_empty() {
        let mut open = Vec::with_capacity(1024);
        for parent in level.clone() {
            let best = tree.best_child(path_entries[parent].node);
            for child in tree.children(path_entries[parent].node) {
                if best != Some(child) {
                    open.push((Reverse(tree.born(child)), path_entries.len()));
                }
                path_entries.push(PathEntry {
                    node: child,
                    from: parent,
                });
            }
        }
        level = level.end..path_entries.len();
        let room = count - chosen.len();
        if open.len() > room {
            open.select_nth_unstable(room);
            open.truncate(room);
        }
        open.sort_unstable();
        chosen.extend(open.iter().map(|&(_, step)| step));
    }
    read_all(tree, &path_entries, &chosen, parents);
}

/// Reads the branches through the `chosen` path_entries and on along best children.
fn read_all(
    tree: &ReservationTree,
    path_entries: &[PathEntry],
    chosen: &[usize],
    parents: &mut Vec<Chromosome>,
) {
    parents.resize_with(chosen.len(), Chromosome::default);
    let mut stem = Vec::new();
    for (parent, &entry) in parents.iter_mut().zip(chosen) {
        stem.clear();
        stem.extend(
            std::iter::successors(Some(entry), |&step| Some(path_entries[step].from))
                .take_while(|&step| path_entries[step].from != NO_ENTRY)
                .map(|step| path_entries[step].node),
        );
        parent.read(tree, stem.iter().rev().copied());
    }
}

/// Draws a branch in proportion to its fitness: `path` becomes its nodes from the root to its end.
fn draw_branch(tree: &ReservationTree, random: &mut impl Rng, path: &mut Vec<NodeId>) {
    path.clear();
    if tree.is_empty() {
        path.push(tree.root());
        return;
    }
    // Drawing any branch and then rejecting it at times gives every chance exactly, and needs no
    // look at the other branches.
    loop {
        let end = tree.draw_node(random);
        if !has_fitness(tree, end) {
            continue;
        }
        path.clear();
        path.extend(std::iter::successors(Some(end), |&node| tree.parent(node)));
        path.reverse();
        let k = k_of(tree, path).unwrap_or(0);
        if random.random_range(0..fitness(tree.height(), 0)) < fitness(tree.height(), k) {
            return;
        }
    }
}

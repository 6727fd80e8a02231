//! Selection: which branches of the tree breed the next generation.

use std::cmp::Reverse;

use rand::{Rng, RngExt};

use super::chromosome::Chromosome;
use super::fitness::{climb, fitness, has_fitness};
use super::params::{GeneticOptions, Selection};
use super::tree::{NodeId, ReservationTree};

/// Chooses the `count` branches that breed the next generation into `parents`, reusing its buffers.
///
/// If they are drawn at random, the tree has to remember parents.
pub fn select(
    tree: &ReservationTree,
    options: &GeneticOptions,
    count: usize,
    random: &mut impl Rng,
    parents: &mut Vec<Chromosome>,
) {
    if options.selection == Selection::Fittest {
        return fittest(tree, count, parents);
    }
    parents.resize_with(count, Chromosome::default);
    let mut path = Vec::new();
    for parent in parents {
        let end = draw_branch(tree, options, random);
        path_to(tree, end, &mut path);
        parent.read(tree, path[1..].iter().copied());
    }
}

/// A step of the breadth-first walk over possible heads of branches.
struct Step {
    node: NodeId,
    /// Index of the step before, or `usize::MAX` for the root.
    from: usize,
}

/// The `count` fittest branches, the fittest first, ties to the newer. Nothing is sorted but the last tie.
///
/// A branch with K = k goes through a node on level k that is not its parent's best child, and from there
/// along best children; so the levels, taken in order, give the branches by fitness.
pub fn fittest(tree: &ReservationTree, count: usize, parents: &mut Vec<Chromosome>) {
    let mut steps = Vec::with_capacity(2048);
    steps.push(Step { node: tree.root(), from: usize::MAX });
    let mut chosen = vec![0];
    let mut level = 0..1;
    while chosen.len() < count && !level.is_empty() {
        let mut heads = Vec::with_capacity(1024);
        for parent in level.clone() {
            let best = tree.best_child(steps[parent].node);
            for child in tree.children(steps[parent].node) {
                if best != Some(child) {
                    heads.push((Reverse(tree.born(child)), steps.len()));
                }
                steps.push(Step { node: child, from: parent });
            }
        }
        level = level.end..steps.len();
        let room = count - chosen.len();
        if heads.len() > room {
            heads.select_nth_unstable(room);
            heads.truncate(room);
        }
        heads.sort_unstable();
        chosen.extend(heads.iter().map(|&(_, step)| step));
    }
    parents.resize_with(chosen.len(), Chromosome::default);
    let mut stem = Vec::new();
    for (parent, &head) in parents.iter_mut().zip(&chosen) {
        stem.clear();
        stem.extend(
            std::iter::successors(Some(head), |&step| Some(steps[step].from))
                .take_while(|&step| steps[step].from != usize::MAX)
                .map(|step| steps[step].node),
        );
        parent.read(tree, stem.iter().rev().copied());
    }
}

/// The end of a branch, drawn by its fitness as the selection says.
fn draw_branch(tree: &ReservationTree, options: &GeneticOptions, random: &mut impl Rng) -> NodeId {
    if tree.is_empty() {
        return tree.root();
    }
    let mut path = Vec::new();
    let mut k_of = |end| {
        path_to(tree, end, &mut path);
        climb(tree, &path).unwrap_or(0)
    };
    // Drawing any branch and then rejecting it at times gives every chance exactly, and needs no look at the
    // other branches.
    match options.selection {
        Selection::Fittest | Selection::Random => any_branch(tree, random),
        Selection::Tournament => (0..options.tournament_size)
            .map(|_| any_branch(tree, random))
            .min_by_key(|&end| k_of(end))
            .unwrap_or(tree.root()),
        Selection::Proportionate => loop {
            let end = any_branch(tree, random);
            let greatest = fitness(tree.height(), 0);
            if random.random_range(0..greatest) < fitness(tree.height(), k_of(end)) {
                return end;
            }
        },
        Selection::Softmax => loop {
            let end = any_branch(tree, random);
            // So many zeros in a row come with the chance 2^-K.
            if random.random::<u128>().trailing_zeros() as usize >= k_of(end) {
                return end;
            }
        },
    }
}

/// The end of any branch that has a fitness, each with the same chance.
fn any_branch(tree: &ReservationTree, random: &mut impl Rng) -> NodeId {
    loop {
        let node = tree.draw_node(random);
        if has_fitness(tree, node) {
            return node;
        }
    }
}

/// The nodes from the root to `end`.
fn path_to(tree: &ReservationTree, end: NodeId, path: &mut Vec<NodeId>) {
    path.clear();
    path.extend(std::iter::successors(Some(end), |&node| tree.parent(node)));
    path.reverse();
}

//! Selection: which branches of the tree breed the next generation.

use std::cmp::Reverse;

use rand::{Rng, RngExt};

use super::chromosome::Chromosome;
use super::params::{GeneticOptions, Selection};
use super::tree::{NodeId, ReservationTree};

/// Draws the `count` branches that breed the next generation into `parents`, reusing its buffers.
pub fn select(
    tree: &ReservationTree,
    options: &GeneticOptions,
    count: usize,
    random: &mut impl Rng,
    parents: &mut Vec<Chromosome>,
) {
    match options.selection {
        Selection::Fittest => fittest(tree, count, parents),
        selection => {
            let wheel = Wheel::new(tree, selection);
            parents.resize_with(count, Chromosome::default);
            for parent in parents {
                let k = match selection {
                    Selection::Tournament => (0..options.tournament_size)
                        .map(|_| wheel.spin(random))
                        .min()
                        .unwrap_or(0),
                    _ => wheel.spin(random),
                };
                parent.read(tree, random_stem(tree, k, random));
            }
        }
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
/// A branch with K = k goes through a node on level k that is not its parent's best child, and from there along best
/// children; so the levels, taken in order, give the branches by fitness.
pub fn fittest(tree: &ReservationTree, count: usize, parents: &mut Vec<Chromosome>) {
    let mut steps = Vec::with_capacity(2048);
    steps.push(Step {
        node: tree.root(),
        from: usize::MAX,
    });
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
                steps.push(Step {
                    node: child,
                    from: parent,
                });
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

/// A roulette wheel over K.
struct Wheel {
    /// Running sums of the chances of K = 0, 1, 2, ...
    sums: Vec<f64>,
}

impl Wheel {
    /// Nodes on level k stand for the branches with K = k: all but one child of each parent are heads.
    fn new(tree: &ReservationTree, selection: Selection) -> Self {
        let height = tree.height();
        let mut sum = 0.0;
        let weigh = |(k, &count): (usize, &u32)| {
            let weight = match selection {
                Selection::Proportionate => super::fitness::fitness(height, k) as f64,
                // Powers of two are exact, so the draw is the same on every machine.
                Selection::Softmax => (-(k.min(1000) as f64)).exp2(),
                Selection::Fittest | Selection::Tournament | Selection::Random => 1.0,
            };
            sum += weight * f64::from(count);
            sum
        };
        Wheel {
            sums: tree.level_counts().iter().enumerate().map(weigh).collect(),
        }
    }

    fn spin(&self, random: &mut impl Rng) -> usize {
        let total = self.sums.last().copied().unwrap_or(0.0);
        let point = random.random::<f64>() * total;
        self.sums.iter().position(|&sum| point < sum).unwrap_or(0)
    }
}

/// The way to a random node on level `k` that is not its parent's best child; where there is none on the way down,
/// to the last node before.
fn random_stem(tree: &ReservationTree, k: usize, random: &mut impl Rng) -> Vec<NodeId> {
    let mut stem = Vec::with_capacity(k);
    let mut node = tree.root();
    for level in 1..=k {
        let best = tree.best_child(node);
        let candidates = tree
            .children(node)
            .filter(|&child| level < k || best != Some(child));
        let mut chosen = None;
        for (seen, child) in candidates.enumerate() {
            if random.random_range(0..=seen) == 0 {
                chosen = Some(child);
            }
        }
        let Some(child) = chosen else { break };
        stem.push(child);
        node = child;
    }
    stem
}

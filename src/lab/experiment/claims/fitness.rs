//! C2: fitness H - K + 1.

use serde::{Deserialize, Serialize};
use serde_json::json;
use std::cmp::Reverse;

use crate::lab::experiment::positions::after_searches;
use crate::lab::experiment::{Conclusion, Laboratory, Part, Text};
use crate::search::genetic::selection::{fittest, k_of};
use crate::search::genetic::tree::{NodeId, ReservationTree};

/// The facts on the tree of a search.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Selected {
    fen: String,
    /// Branches with a fitness.
    branches: usize,
    height: usize,
    /// True if the fittest, chosen level by level, are the same as by sorting, for every tested
    /// number of them.
    same_as_sorted: bool,
    /// True if the one branch with K = 0 ends with the root's value.
    fittest_gives_root: bool,
}

/// C2: Fitness H - K + 1.
pub fn run(laboratory: &Laboratory, text: &Text) -> anyhow::Result<Conclusion> {
    let conditions = &laboratory.conditions;
    let nodes = conditions.nodes(20_000, 100_000);
    let count = conditions.pick(40, 200);
    let work = "c2-selection";
    let searched = after_searches(laboratory, work, count, nodes, |position, search| {
        let tree = search.tree().expect("a search has made its tree");
        look_at(tree, position.to_fen())
    })?;
    let [mut branches, mut trees, mut sorted, mut roots] = [0; 4];
    // With very few nodes a search may end before its first branch.
    for one in searched.iter().filter(|one| one.branches > 0) {
        branches += one.branches;
        trees += 1;
        sorted += usize::from(one.same_as_sorted);
        roots += usize::from(one.fittest_gives_root);
    }
    let parts = vec![
        Part::exact(
            "In real searches the branch with K = 0 gives the root its value",
            roots == trees && trees > 0,
            format!("{roots} of {trees} searches"),
        ),
        Part::exact(
            "Choosing the fittest level by level is the same as sorting all branches by H - K + 1",
            sorted == trees && trees > 0,
            format!("{sorted} of {trees} searches, {branches} branches"),
        ),
    ];
    Ok(text.conclude(
        laboratory,
        &[("count", &count), ("nodes", &nodes)],
        parts,
        json!({ "searches": searched }),
    ))
}

/// Sorts all branches of a tree and compares.
fn look_at(tree: &ReservationTree, fen: String) -> Selected {
    let mut sorted = Vec::new();
    let mut path = vec![tree.root()];
    collect(tree, &mut path, &mut sorted);
    sorted.sort_by_key(|&(k, born, _)| (k, Reverse(born)));
    let mut parents = Vec::new();
    let same = [1, 64, 1024, sorted.len()].into_iter().all(|count| {
        fittest(tree, count, &mut parents);
        let chosen = parents.iter().map(|parent| parent.nodes.last().copied());
        let expected = sorted.iter().take(count).map(|&(_, _, end)| Some(end));
        chosen.eq(expected)
    });
    let fittest_gives_root = match sorted[..] {
        [(0, _, _), (0, _, _), ..] => false,
        [(0, _, end), ..] => {
            let value = tree.value(end);
            value.is_some() && value == tree.value(tree.root())
        }
        _ => false,
    };
    Selected {
        fen,
        branches: sorted.len(),
        height: tree.height(),
        same_as_sorted: same,
        fittest_gives_root,
    }
}

/// Collects K, birth and end of every branch with a fitness, below the end of `path`.
fn collect(
    tree: &ReservationTree,
    path: &mut Vec<NodeId>,
    branches: &mut Vec<(usize, u32, NodeId)>,
) {
    let here = path[path.len() - 1];
    if let Some(k) = k_of(tree, path) {
        branches.push((k, tree.born(here), here));
    }
    for child in tree.children(here) {
        path.push(child);
        collect(tree, path, branches);
        path.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::genetic::{params::InnerValue, selection::fitness, tests::add};

    /// A reservation tree of the paper with the path of each of its branches.
    struct Figure {
        tree: ReservationTree,
        /// The value at the branch's end, and its nodes with the root in front.
        branches: Vec<(i32, Vec<NodeId>)>,
    }

    impl Figure {
        /// A tree of branches given by numbers of genes, which mean nothing: the tree knows no
        /// rules.
        fn new(white_moves: bool, values: InnerValue, branches: &[(&[usize], i32)]) -> Figure {
            let mut tree = ReservationTree::with_capacity(100);
            tree.clear(white_moves, values);
            let added =
                |&(genes, value): &(&[usize], _)| (value, add(&mut tree, genes, Some(value)));
            let branches = branches.iter().map(added).collect();
            Figure { tree, branches }
        }

        /// Figs 13 to 16: the smallest tree that agrees with every number in the text; the
        /// drawing's own shape is not said.
        fn of_figs_13_to_16(values: InnerValue) -> Figure {
            let branches: [(&[usize], i32); 5] = [
                (&[1], -5),
                (&[1, 3], 35),
                (&[1, 4, 5], 80),
                (&[1, 4, 6, 7, 8], 90),
                (&[2], 8),
            ];
            Figure::new(true, values, &branches)
        }

        fn root_value(&self) -> Option<i32> {
            self.tree.value(self.tree.root()).map(|value| value.0)
        }

        /// Returns the fitness of the branch with this value at its end; `None` if the branch has
        /// no fitness, or does not exist.
        fn fitness_of(&self, value: i32) -> Option<usize> {
            let (_, path) = self.branches.iter().find(|branch| branch.0 == value)?;
            k_of(&self.tree, path).map(|k| fitness(self.tree.height(), k))
        }
    }

    #[test]
    fn figs_13_to_16() {
        let regular = Figure::of_figs_13_to_16(InnerValue::Regular);
        assert_eq!(
            (regular.root_value(), regular.fitness_of(-5)),
            (Some(35), None)
        );
        let changed = Figure::of_figs_13_to_16(InnerValue::Changed);
        assert_eq!((changed.tree.height(), changed.root_value()), (5, Some(8)));
        // The first is said by the paper, the others are worked out by hand from what it says.
        for (value, fitness) in [(8, 6), (-5, 5), (35, 4), (90, 4), (80, 3)] {
            assert_eq!(changed.fitness_of(value), Some(fitness), "{value}");
        }
    }

    #[test]
    fn fig_28() {
        // Black to move: 1...Qxc3 2.Ra3 Qxa3, with quiescence also 1...Qxc3 2.Bxc3, which takes the
        // queen.
        let branches: [(&[usize], i32); 2] = [(&[1, 2, 3], -620), (&[1, 4], 799)];
        let figure = |shown: usize| Figure::new(false, InnerValue::Changed, &branches[..shown]);
        assert_eq!(figure(1).root_value(), Some(-620));
        let figure = figure(2);
        assert_eq!(figure.root_value(), Some(799));
        assert_eq!(
            [-620, 799].map(|value| figure.fitness_of(value)),
            [Some(2), Some(4)]
        );
    }

    #[test]
    fn sorting_is_compared_with_the_selection() {
        let figure = Figure::of_figs_13_to_16(InnerValue::Changed);
        let seen = look_at(&figure.tree, String::new());
        assert!(seen.same_as_sorted && seen.fittest_gives_root, "{seen:?}");
        assert_eq!((seen.branches, seen.height), (5, 5));
    }
}

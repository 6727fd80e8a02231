//! C2: fitness H - K + 1.

use std::cmp::Reverse;

use chess::{ALL_SQUARES, ChessMove};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::display::{Table, cells};
use crate::experiment::positions::{MIDDLEGAMES, after_searches};
use crate::experiment::words::or;
use crate::experiment::{Conclusion, Experiment, Laboratory, Part};
use crate::score::Score;
use crate::search::genetic::fitness::{climb, fitness};
use crate::search::genetic::params::InnerValue;
use crate::search::genetic::selection::fittest;
use crate::search::genetic::tree::{NodeId, ReservationTree};

pub const EXPERIMENT: Experiment = Experiment {
    id: "C2",
    title: "Fitness H - K + 1",
    claim: "A branch whose value climbs from its leaf to level K of a reservation tree of height H has fitness H - K + 1: 6 for the branch that ends \
            with 8 in Fig. 16, 2 and 4 in Fig. 28.",
    source: "Sections 4.2 and 4.9, Figs 13 to 16 and 28",
    run,
};

/// A reservation tree of the paper with the path of each of its branches.
pub struct Figure {
    pub tree: ReservationTree,
    /// The value at the branch's end, and its nodes with the root in front.
    pub branches: Vec<(i32, Vec<NodeId>)>,
}

impl Figure {
    /// A tree of branches given by numbers of genes, which mean nothing: the tree knows no rules.
    fn new(white_moves: bool, values: InnerValue, branches: &[(&[usize], i32)]) -> Figure {
        let mut tree = ReservationTree::with_capacity(100);
        tree.clear(white_moves, values);
        let branches = branches.iter().map(|&(genes, value)| (value, add(&mut tree, genes, value))).collect();
        Figure { tree, branches }
    }

    /// Figs 13 to 16: the smallest tree that agrees with every number in the text; the drawing's own shape is
    /// not said.
    pub fn of_figs_13_to_16(values: InnerValue) -> Figure {
        let branches: [(&[usize], i32); 5] =
            [(&[1], -5), (&[1, 3], 35), (&[1, 4, 5], 80), (&[1, 4, 6, 7, 8], 90), (&[2], 8)];
        Figure::new(true, values, &branches)
    }

    /// Fig. 28, Black to move: 1...Qxc3 2.Ra3 Qxa3, and if `with_quiescence` 1...Qxc3 2.Bxc3, which takes the
    /// queen.
    pub fn of_fig_28(with_quiescence: bool) -> Figure {
        let branches: [(&[usize], i32); 2] = [(&[1, 2, 3], -620), (&[1, 4], 799)];
        let shown = if with_quiescence { 2 } else { 1 };
        Figure::new(false, InnerValue::Changed, &branches[..shown])
    }

    pub fn root_value(&self) -> Option<i32> {
        self.tree.value(self.tree.root()).map(|value| value.0)
    }

    /// Of the branch that ends with this value; `None` if it has none, or there is no such branch.
    pub fn fitness_of(&self, value: i32) -> Option<usize> {
        let (_, path) = self.branches.iter().find(|branch| branch.0 == value)?;
        climb(&self.tree, path).map(|k| fitness(self.tree.height(), k))
    }
}

fn add(tree: &mut ReservationTree, genes: &[usize], value: i32) -> Vec<NodeId> {
    let mut path = vec![tree.root()];
    for (index, &number) in genes.iter().enumerate() {
        let (parent, gene) = (path[index], ChessMove::new(ALL_SQUARES[0], ALL_SQUARES[number], None));
        let node = match tree.child(parent, gene) {
            Some(node) => node,
            None => tree.insert(parent, index + 1, gene),
        };
        path.push(node);
    }
    tree.set_own(path[genes.len()], genes.len(), Score(value), false);
    tree.back_up(&path);
    path
}

/// A number that a figure must have and the same of our tree.
#[derive(Debug, Serialize)]
struct Number {
    figure: &'static str,
    what: String,
    /// Whether the paper says it; otherwise it is worked out by hand from what the paper says.
    #[serde(rename = "stated")]
    is_stated: bool,
    expected: Option<i64>,
    here: Option<i64>,
}

fn numbers() -> Vec<Number> {
    let changed = Figure::of_figs_13_to_16(InnerValue::Changed);
    let regular = Figure::of_figs_13_to_16(InnerValue::Regular);
    let fig_28 = Figure::of_fig_28(true);
    let number = |figure, what: &str, expected: Option<i64>, here: Option<i64>| Number {
        figure,
        what: what.to_owned(),
        is_stated: true,
        expected,
        here,
    };
    let of_fitness = |figure, tree: &Figure, value: i32, expected: i64| {
        let here = tree.fitness_of(value).map(|fitness| fitness as i64);
        number(figure, &format!("fitness of the branch with {value}"), Some(expected), here)
    };
    let root = |tree: &Figure| tree.root_value().map(i64::from);
    let mut numbers = vec![
        number("Fig. 15", "root, regular Min-Max", Some(35), root(&regular)),
        number(
            "Fig. 15",
            "fitness of the branch with -5, which is removed",
            None,
            regular.fitness_of(-5).map(|fitness| fitness as i64),
        ),
        number("Fig. 16", "H", Some(5), Some(changed.tree.height() as i64)),
        number("Fig. 16", "root, changed Min-Max", Some(8), root(&changed)),
    ];
    numbers.push(of_fitness("Fig. 16", &changed, 8, 6));
    for (value, expected) in [(-5, 5), (35, 4), (90, 4), (80, 3)] {
        numbers.push(Number { is_stated: false, ..of_fitness("Fig. 16", &changed, value, expected) });
    }
    numbers.push(number("Fig. 28", "root", Some(799), root(&fig_28)));
    numbers.push(of_fitness("Fig. 28", &fig_28, -620, 2));
    numbers.push(of_fitness("Fig. 28", &fig_28, 799, 4));
    numbers
}

/// What was seen in the tree of a search.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Selected {
    fen: String,
    /// Branches that have a fitness.
    branches: usize,
    height: usize,
    /// Whether the fittest, chosen level by level, are those that sorting gives, for every number of them
    /// that was tried.
    same_as_sorted: bool,
    /// Whether the one branch with K = 0 ends with the root's value.
    fittest_gives_root: bool,
}

fn run(laboratory: &Laboratory<'_>) -> anyhow::Result<Conclusion> {
    let conditions = &laboratory.conditions;
    let nodes = conditions.nodes(20_000, 100_000);
    let count = conditions.pick(40, 200);
    let searched = after_searches(laboratory, "c2-selection", count, nodes, |position, search| {
        let tree = search.tree().ok_or_else(|| anyhow::anyhow!("there was no search"))?;
        Ok(look_at(tree, position.to_fen()))
    })?;
    let numbers = numbers();
    let branches: usize = searched.iter().map(|selected| selected.branches).sum();
    // With very few nodes a search may end before its first branch.
    let of_searches =
        |holds: fn(&Selected) -> bool| searched.iter().filter(|one| one.branches > 0 && holds(one)).count();
    let trees = of_searches(|_| true);
    let (sorted, roots) = (of_searches(|one| one.same_as_sorted), of_searches(|one| one.fittest_gives_root));
    let mut parts: Vec<Part> =
        ["Fig. 15", "Fig. 16", "Fig. 28"].into_iter().map(|figure| agreement(figure, &numbers)).collect();
    parts.push(Part::exact(
        "In real searches the branch with K = 0 gives the root its value",
        roots == trees && trees > 0,
        format!("{roots} of {trees} searches"),
    ));
    parts.push(Part::exact(
        "Choosing the fittest level by level is the same as sorting all branches by H - K + 1",
        sorted == trees && trees > 0,
        format!("{sorted} of {trees} searches, {branches} branches"),
    ));
    let method = format!(
        "The paper's trees are built anew, with moves that mean nothing, and every number that the text gives is compared, and some that follow from \
         them. (Of Figs 13 to 16 the text says only some numbers; the tree is the smallest that agrees with all of them.) Then {count} {MIDDLEGAMES} are searched with {nodes} nodes \
         each, all branches of the reservation tree are sorted by fitness, ties to the newer, and compared with the selection that sorts nothing."
    );
    let data = json!({ "numbers": numbers, "searches": searched });
    Ok(Conclusion::new(method, parts, data).with_table("The figures' numbers", table(&numbers)))
}

impl Number {
    fn agrees(&self) -> bool {
        self.expected == self.here
    }
}

fn agreement(figure: &str, numbers: &[Number]) -> Part {
    let of_figure = || numbers.iter().filter(|number| number.figure == figure);
    let (right, all) = (of_figure().filter(|number| number.agrees()).count(), of_figure().count());
    Part::exact(format!("{figure} comes out"), right == all, format!("{right} of {all} numbers"))
}

fn table(numbers: &[Number]) -> Table {
    Table::headed("Figure |  | Expected: | Here: | Expected by").with_rows(numbers.iter().map(|number| {
        cells![
            number.figure,
            number.what,
            or(number.expected, "none"),
            or(number.here, "none"),
            if number.is_stated { "the paper" } else { "hand" }
        ]
    }))
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
        let chosen = parents.iter().map(|parent| parent.nodes().last().copied());
        let expected = sorted.iter().take(count).map(|&(_, _, end)| Some(end));
        chosen.eq(expected)
    });
    let best = sorted.first();
    let value = best.and_then(|&(_, _, end)| tree.own_value(end));
    Selected {
        fen,
        branches: sorted.len(),
        height: tree.height(),
        same_as_sorted: same,
        fittest_gives_root: best.is_some_and(|&(k, _, _)| k == 0)
            && sorted.iter().filter(|branch| branch.0 == 0).count() == 1
            && value.is_some()
            && value == tree.value(tree.root()),
    }
}

/// K, birth and end of every branch that has a fitness, below the end of `path`.
fn collect(tree: &ReservationTree, path: &mut Vec<NodeId>, branches: &mut Vec<(usize, u32, NodeId)>) {
    let here = path[path.len() - 1];
    if let Some(k) = climb(tree, path) {
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
    use crate::experiment::ClaimVerdict;

    #[test]
    fn every_number_of_the_figures_comes_out() {
        let numbers = numbers();
        assert_eq!(numbers.len(), 12);
        for number in &numbers {
            assert!(number.agrees(), "{number:?}");
        }
        assert_eq!(agreement("Fig. 16", &numbers).verdict, ClaimVerdict::Confirmed);
    }

    #[test]
    fn a_wrong_number_refutes_its_figure_only() {
        let mut numbers = numbers();
        let wrong = numbers.iter_mut().find(|number| number.figure == "Fig. 28");
        wrong.expect("a number").here = Some(-629);
        assert_eq!(agreement("Fig. 28", &numbers).verdict, ClaimVerdict::Refuted);
        assert_eq!(agreement("Fig. 28", &numbers).evidence, "2 of 3 numbers");
        assert_eq!(agreement("Fig. 16", &numbers).verdict, ClaimVerdict::Confirmed);
    }

    #[test]
    fn sorting_is_compared_with_the_selection() {
        let figure = Figure::of_figs_13_to_16(InnerValue::Changed);
        let seen = look_at(&figure.tree, String::new());
        assert!(seen.same_as_sorted && seen.fittest_gives_root, "{seen:?}");
        assert_eq!((seen.branches, seen.height), (5, 5));
    }
}

//! C3: crossover and mutation.

use serde::{Deserialize, Serialize};
use serde_json::json;
use shakmaty::Position as _;

use crate::display::{Table, cells};
use crate::experiment::demonstration::{self, Offspring};
use crate::experiment::positions::{MIDDLEGAMES, after_searches, by_witness, moves};
use crate::experiment::words::percent;
use crate::experiment::{Conclusion, Experiment, Laboratory, Part};
use crate::position::Position;
use crate::search::genetic::tree::{NodeId, ReservationTree};

pub const EXPERIMENT: Experiment = Experiment {
    id: "C3",
    title: "Crossover and mutation",
    claim: "Crossover swaps the tails of two branches (Fig. 17), mutation changes one move and cuts what can no longer be played (Figs 18 to 22); \
            children of crossover with an impossible move are discarded.",
    source: "Sections 4.3 to 4.8, Figs 17 to 22",
    run,
};

/// An operation on parents of the paper, or made up where it only describes one.
enum Operation {
    Crossover {
        a: &'static str,
        b: &'static str,
        cut: usize,
    },
    Mutation {
        parent: &'static str,
        /// Index of the move that is replaced.
        point: usize,
        by: &'static str,
    },
}

struct Example {
    /// The statement that the example confirms or refutes.
    statement: &'static str,
    operation: Operation,
    children: &'static [&'static str],
    /// Children with a move that cannot be made.
    illegal: u64,
}

const EXAMPLES: [Example; 4] = [
    Example {
        statement: "Crossover gives A' and B' of Fig. 17",
        operation: Operation::Crossover { a: "e4 e5 Nf3 Nc6", b: "e4 c5 Nc3 g6", cut: 2 },
        children: &["e4 e5 Nc3 g6", "e4 c5 Nf3 Nc6"],
        illegal: 0,
    },
    Example {
        statement: "Children of crossover with an impossible move are discarded (section 4.5)",
        operation: Operation::Crossover { a: "d4 d6 Bf4 g6", b: "e3 g6 Bd3 Nf6", cut: 2 },
        children: &[],
        illegal: 2,
    },
    Example {
        statement: "Mutation gives C' of Fig. 18",
        operation: Operation::Mutation { parent: "e4 e5 Nf3 Nc6", point: 2, by: "c3" },
        children: &["e4 e5 c3 Nc6"],
        illegal: 0,
    },
    Example {
        statement: "A mutant is cut before the first move that became impossible (Fig. 22)",
        operation: Operation::Mutation { parent: "d4 e6 g3 Bb4+ Nd2", point: 1, by: "g6" },
        children: &["d4 g6 g3"],
        illegal: 0,
    },
];

impl Operation {
    fn perform(&self) -> Option<Offspring> {
        let root = Position::default();
        match self {
            Operation::Crossover { a, b, cut } => {
                demonstration::crossover(&root, &moves(&root, a)?, &moves(&root, b)?, *cut)
            }
            Operation::Mutation { parent, point, by } => {
                let parent = moves(&root, parent)?;
                let mut before = root.clone();
                for &mv in &parent[..*point] {
                    before.play(mv).ok()?;
                }
                demonstration::mutation(&root, &parent, *point, before.parse_move(by).ok()?)
            }
        }
    }

    fn in_words(&self) -> String {
        match self {
            Operation::Crossover { a, b, cut } => format!("`{a}` and `{b}`, cut after {cut}"),
            Operation::Mutation { parent, point, by } => {
                format!("`{parent}`, move {} becomes `{by}`", point + 1)
            }
        }
    }
}

impl Example {
    /// The children in words, and whether they are those expected.
    fn check(&self) -> (String, bool) {
        let Some(offspring) = self.operation.perform() else {
            return ("the parents cannot be made".to_owned(), false);
        };
        let root = Position::default();
        let children: Vec<String> =
            offspring.children.iter().map(|genes| root.san_line(genes).join(" ")).collect();
        let illegal = offspring.statistics.illegal;
        let right = children == self.children && illegal == self.illegal;
        (in_words(&children, illegal), right)
    }
}

/// Children that were born, and how many were discarded.
fn in_words<S: AsRef<str>>(children: &[S], illegal: u64) -> String {
    let born = children.iter().map(|child| format!("`{}`", child.as_ref()));
    let discarded = (illegal > 0).then(|| format!("{illegal} discarded"));
    born.chain(discarded).collect::<Vec<_>>().join(", ")
}

/// What was counted in a search.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Searched {
    fen: String,
    /// Nodes of the tree but the root, and those of them whose move shakmaty does not call legal.
    nodes: usize,
    illegal_nodes: usize,
    /// Children of each operator that entered the tree, and those that did not and why.
    crossovers: u64,
    mutations: u64,
    illegal: u64,
    duplicates: u64,
    too_long: u64,
}

fn run(laboratory: &Laboratory<'_>) -> anyhow::Result<Conclusion> {
    let conditions = &laboratory.conditions;
    let nodes = conditions.nodes(20_000, 100_000);
    let count = conditions.pick(40, 200);
    let searched = after_searches(laboratory, "c3-children", count, nodes, |position, search| {
        let statistics = search.statistics();
        let (nodes, illegal_nodes) = search.tree().map_or((0, 0), |tree| count_illegal(tree, position));
        Ok(Searched {
            fen: position.to_fen(),
            nodes,
            illegal_nodes,
            crossovers: statistics.crossovers,
            mutations: statistics.mutations,
            illegal: statistics.illegal,
            duplicates: statistics.duplicates,
            too_long: statistics.too_long,
        })
    })?;
    let sum = |of: fn(&Searched) -> u64| searched.iter().map(of).sum::<u64>() as usize;
    let born = sum(|one| one.crossovers) + sum(|one| one.mutations);
    let fates = [
        ("born of crossover", sum(|one| one.crossovers)),
        ("born of mutation", sum(|one| one.mutations)),
        ("discarded: a move cannot be made", sum(|one| one.illegal)),
        ("discarded: in the tree already", sum(|one| one.duplicates)),
        ("discarded: too long", sum(|one| one.too_long)),
    ];
    let conceived: usize = fates.iter().map(|fate| fate.1).sum();
    let (in_trees, wrong) = (sum(|one| one.nodes as u64), sum(|one| one.illegal_nodes as u64));
    let mut parts: Vec<Part> = EXAMPLES
        .iter()
        .map(|example| {
            let (seen, right) = example.check();
            Part::exact(example.statement, right, seen)
        })
        .collect();
    parts.push(Part::exact(
        "In real searches no branch has an impossible move",
        wrong == 0 && in_trees > 0,
        format!("{wrong} of {in_trees} moves in {} trees", searched.len()),
    ));
    parts.push(Part::measured(
        "Children discarded because a move cannot be made",
        format!(
            "{} of {conceived} children, {}; {} were born",
            fates[2].1,
            percent(fates[2].1, conceived),
            percent(born, conceived)
        ),
    ));
    let method = format!(
        "The operators of the search, applied to the paper's branches. (For section 4.5 and Fig. 22 the paper has no branches of its own in which \
         something becomes impossible; ours are chosen so that it does.) Then {count} {MIDDLEGAMES} are searched with {nodes} nodes each; every move \
         in every reservation tree is played with shakmaty, another implementation of the rules, and the children that did not get there are counted."
    );
    let data = json!({ "searches": searched });
    Ok(Conclusion::new(method, parts, data)
        .with_table("The figures", examples_table())
        .with_table("What became of children in searches", fates_table(&fates, conceived)))
}

fn examples_table() -> Table {
    Table::headed("Parents | Expected | Here").with_rows(EXAMPLES.iter().map(|example| {
        let expected = in_words(example.children, example.illegal);
        cells![example.operation.in_words(), expected, example.check().0]
    }))
}

fn fates_table(fates: &[(&str, usize)], conceived: usize) -> Table {
    let rows = fates.iter().map(|(fate, count)| cells![fate, count, percent(*count, conceived)]);
    Table::headed(" | Children: | Share:").with_rows(rows)
}

/// How many nodes a tree has, and how many of their moves shakmaty refuses.
fn count_illegal(tree: &ReservationTree, root: &Position) -> (usize, usize) {
    let mut counts = (0, 0);
    descend(tree, tree.root(), &root.to_shakmaty(), &mut counts);
    counts
}

fn descend(tree: &ReservationTree, node: NodeId, game: &shakmaty::Chess, counts: &mut (usize, usize)) {
    for child in tree.children(node) {
        counts.0 += 1;
        match by_witness(game, tree.gene(child)) {
            Some(mv) => {
                let mut after = game.clone();
                after.play_unchecked(mv);
                descend(tree, child, &after, counts);
            }
            None => counts.1 += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figures_come_out() {
        for example in &EXAMPLES {
            let (seen, right) = example.check();
            assert!(right, "{}: {seen}", example.statement);
        }
    }

    #[test]
    fn other_children_are_noticed() {
        let Example { operation, .. } = &EXAMPLES[2];
        assert!(operation.perform().is_some());
        let wrong = Example {
            statement: "",
            operation: Operation::Mutation { parent: "e4 e5 Nf3 Nc6", point: 2, by: "d3" },
            children: EXAMPLES[2].children,
            illegal: 0,
        };
        assert!(!wrong.check().1);
    }

    #[test]
    fn an_illegal_move_in_a_tree_is_counted() {
        let mut tree = ReservationTree::with_capacity(10);
        let e4 = tree.insert(tree.root(), 1, "e2e4".parse().expect("squares"));
        tree.insert(e4, 2, "e2e4".parse().expect("squares"));
        assert_eq!(count_illegal(&tree, &Position::default()), (2, 1));
    }
}

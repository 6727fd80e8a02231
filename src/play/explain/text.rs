//! An explanation for a terminal; and the words and the table of the development for every form of
//! an explanation.

use std::fmt::Write as _;

use chess::Color;

use super::{Excerpt, Explanation, Limit};
use crate::rules::position::notation::numbered;
use crate::rules::score::Score;
use crate::search::genetic::Statistics;
use crate::util::display::{self, Format, Table, cells, grouped};

/// Percent of all positions in a block of a bar.
const PERCENT_A_BLOCK: f64 = 2.0;

/// The number of children in the picture of the tree: the root's, its best child's, and so on. A
/// second best child shows as many as its best sibling's best child, a third best one step less,
/// and so on.
const WIDTHS: [usize; 6] = [5, 3, 2, 1, 1, 1];

impl Explanation {
    /// Summary, fittest branches, effort, and the beginning of the tree; the page also has the
    /// development.
    pub fn to_text(&self) -> String {
        let mut text = format!("{}\n", self.root.to_fen());
        let _ = writeln!(
            text,
            "Genetic search, at most {}; {}\n",
            limit(self.limit),
            self.settings_in_words()
        );
        for sentence in summary(self) {
            let _ = writeln!(text, "{sentence}");
        }
        for (title, table) in [
            (
                "Fittest branches (fitness H - K + 1; the value reaches level K)",
                self.branch_table(),
            ),
            (
                "Effort (positions visited for each move of the root, percent of all)",
                self.effort_table(),
            ),
        ] {
            let _ = write!(text, "\n{title}\n\n{}", table.render(Format::Terminal));
        }
        text.push_str("\nThe tree (value, fitness, K, how it was born, nodes from here on)\n\n");
        picture(&self.tree, 0, 0, "", &mut text);
        text
    }

    /// Number, fitness, K, value and moves of each of the fittest branches.
    pub(super) fn branch_rows(&self) -> Vec<[String; 5]> {
        let mut rows = Vec::new();
        for (&leaf, number) in self.branches.iter().zip(1..) {
            let node = &self.tree.nodes[leaf];
            let fitness = self.tree.fitness(leaf);
            let moves = moves(&self.tree, leaf);
            rows.push(cells![number, fitness, node.k, value(&node.value), moves]);
        }
        rows
    }

    /// Move, value, positions and their share in percent for each move of the root.
    pub(super) fn effort_rows(&self) -> impl Iterator<Item = [String; 4]> {
        self.efforts.iter().map(|effort| {
            [
                effort.san.clone(),
                value(&effort.value),
                grouped(effort.positions),
                format!("{:.1}", percent(self, effort.positions)),
            ]
        })
    }

    fn branch_table(&self) -> Table {
        Table::headed("#: | Fitness: | K: | Value: | Moves").with_rows(self.branch_rows())
    }

    fn effort_table(&self) -> Table {
        let mut table = Table::headed("Move | Value: | Positions: | %: | ");
        for ([san, value, positions, share], effort) in self.effort_rows().zip(&self.efforts) {
            let blocks = percent(self, effort.positions) / PERCENT_A_BLOCK;
            let bar = "█".repeat(blocks.round() as usize);
            table.row([san, value, positions, share, bar]);
        }
        table
    }
}

/// Draws the subtree of a node, one line a node, like the listing of a folder; `step` is the index
/// in [`WIDTHS`].
fn picture(tree: &Excerpt, index: usize, step: usize, indent: &str, text: &mut String) {
    let node = &tree.nodes[index];
    if index == 0 {
        let value = format!("root  {}", value(&node.value));
        let _ = writeln!(text, "{}  {}", value.trim_end(), counted(node.size, "node"));
    }
    let Some(&width) = WIDTHS.get(step) else {
        return;
    };
    let shown = &node.children[..width.min(node.children.len())];
    let rest = (node.children.len() - shown.len()) as u64 + node.hidden_children;
    let mut rest_nodes = node.size - 1;
    for (rank, &child) in shown.iter().enumerate() {
        let is_last = rank + 1 == shown.len() && rest == 0;
        let [fork, below] = if is_last {
            ["└─ ", "   "]
        } else {
            ["├─ ", "│  "]
        };
        let _ = writeln!(text, "{indent}{fork}{}", line(tree, child));
        let indent = format!("{indent}{below}");
        picture(tree, child, step + 1 + rank, &indent, text);
        rest_nodes -= tree.nodes[child].size;
    }
    if rest > 0 {
        let moves = counted(rest, "more move");
        let nodes = counted(rest_nodes, "node");
        let _ = writeln!(text, "{indent}└─ ... {moves}, {nodes}");
    }
}

fn line(tree: &Excerpt, index: usize) -> String {
    let node = &tree.nodes[index];
    let mut line = format!("{} {}", node.number(), node.san);
    if let Some(value) = node.value {
        line += &format!("  {value}  fitness {}, K {}", tree.fitness(index), node.k);
    }
    if let Some(origin) = node.origin {
        line += &format!("  {}", origin.into_str());
    }
    let end = match node.ended {
        Some(ended) => ended.to_owned(),
        None => counted(node.size, "node"),
    };
    format!("{line}  {end}")
}

/// `1 node`, `2,000 nodes`.
pub(super) fn counted(number: u64, thing: &str) -> String {
    display::counted(grouped(number), thing)
}

/// Returns the limit of the search, in words.
pub(super) fn limit(limit: Limit) -> String {
    match limit {
        Limit::Nodes(nodes) => counted(nodes, "position"),
        Limit::Time(time) => format!("{} s", time.as_secs_f64()),
    }
}

/// Moves from the root to a node: `1. e4 e5 2. Nf3`.
pub(super) fn moves(tree: &Excerpt, leaf: usize) -> String {
    let mut moves = Vec::new();
    let mut node = &tree.nodes[leaf];
    while let Some(parent) = node.parent {
        moves.insert(0, node.san.clone());
        node = &tree.nodes[parent];
    }
    let number = node.position.fullmove_number() as usize;
    numbered(&moves, number, node.position.side_to_move() == Color::Black)
}

/// Returns a number of positions in percent of all.
pub(super) fn percent(explanation: &Explanation, positions: u64) -> f64 {
    100.0 * positions as f64 / explanation.nodes.max(1) as f64
}

/// A value, or nothing.
pub(super) fn value(value: &Option<Score>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

/// Summarises the search, in sentences.
pub(super) fn summary(explanation: &Explanation) -> Vec<String> {
    let done = &explanation.statistics;
    let best = explanation.best.as_deref().unwrap_or("no move");
    let mut choice = format!(
        "The move is {best}; the best branch is worth {}, from White's point of view as every value here.",
        explanation.value,
    );
    if let Some(value) = explanation.tree.nodes[0].value
        && value != explanation.value
    {
        choice += &format!(
            " (The tree has {value}: it was being looked at deeper when the search ended.)"
        );
    }
    let effort = format!(
        "{} visited, {} after the initial population.",
        counted(explanation.nodes, "position"),
        counted(done.generations, "generation"),
    );
    let culls = match done.culls {
        0 => String::new(),
        culls => format!("; the least fit made room {}", counted(culls, "time")),
    };
    let tree = format!(
        "The reservation tree has {}, {:.1} % of these nodes behind the move to play, and height H = {}; branches born: {}{culls}.",
        counted(done.tree_nodes, "node"),
        100.0 * explanation.effort_on_best,
        done.height,
        grouped(done.branches),
    );
    let mut sentences = vec![choice, reason(explanation), effort];
    sentences.extend(births(explanation));
    sentences.push(tree);
    sentences
}

/// Gives the reason for the move: the expected line, and the second best move.
fn reason(explanation: &Explanation) -> String {
    let best = explanation.best.as_deref().unwrap_or("no move");
    let is_white = explanation.root.side_to_move() == Color::White;
    let mut text = format!("Why {best}? ");
    // A search that was cut short may have valued the move after its tree.
    if let Some(&leaf) = explanation.branches.first()
        && let line = moves(&explanation.tree, leaf)
        && line.contains(best)
    {
        text += &format!("Kashan expects {line}. ");
    }
    text += "No other move was found to be better";
    let others = explanation
        .efforts
        .iter()
        .filter(|effort| effort.san != best);
    let nearest = others
        .filter_map(|effort| Some((effort.value?, &effort.san)))
        .max_by_key(|&(value, _)| if is_white { value } else { -value });
    if let Some((value, san)) = nearest {
        let bound = if is_white { "at most" } else { "at least" };
        text += &format!("; {san} comes nearest, with {bound} {value}");
    }
    text + "."
}

/// Describes the births of branches.
fn births(explanation: &Explanation) -> Vec<String> {
    let done = &explanation.statistics;
    let conceived = done.births() + done.stillborn();
    if done.leaves == 0 && conceived == 0 {
        return Vec::new();
    }
    if done.leaves == 0 {
        let share = |part: u64| 100.0 * part as f64 / conceived as f64;
        return vec![format!(
            "Children bred: {}; {:.1} % new ({} by crossover, {} by mutation), {:.1} % in the tree already, {:.1} % with a move that cannot be made, {} too long.",
            grouped(conceived),
            share(done.births()),
            grouped(done.crossovers),
            grouped(done.mutations),
            share(done.duplicates),
            share(done.illegal),
            grouped(done.too_long),
        )];
    }
    vec![
        format!(
            "Branches were born by mutation ({}), crossover ({}) and growth ({}); {} died. {} mutants were made, most of which died at once: of those that live {} were shown to be better, the others were too large to be valued. Of all positions {:.1} % were visited by mutation, {:.1} % by children of crossover; {:.1} % led to a birth. {:.1} % were visited behind the move to play.",
            grouped(done.mutations),
            grouped(done.crossovers),
            grouped(done.growths),
            grouped(done.deaths),
            grouped(done.mutants),
            grouped(done.mutations - done.mutants_over_budget),
            percent(explanation, done.mutation_nodes),
            percent(explanation, done.crossover_nodes),
            percent(explanation, done.surviving_child_nodes),
            percent(explanation, done.best_nodes),
        ),
        format!(
            "Ends of branches were valued {} by small alpha-beta searches. The largest search below the tree visited {}; {} searches of an end became too large, so that the branch grew instead. The singular test was made {}; {} moves had no rival and were searched deeper. Off the best branch values are bounds: it was only asked whether they are better.",
            counted(done.leaves, "time"),
            counted(done.largest_local_search, "position"),
            grouped(done.grown_over_budget),
            counted(done.singular_tests, "time"),
            grouped(done.extensions),
        ),
    ]
}

/// Returns the kinds of children in a search's counts. The search of
/// [`strong`](crate::search::genetic::strong) counts the operators of birth, the paper's search the
/// fates of children.
pub(super) fn kinds(done: &Statistics) -> [&'static str; 3] {
    if done.leaves > 0 {
        ["Mutation", "Crossover", "Growth"]
    } else {
        ["New", "Duplicate", "Illegal"]
    }
}

/// Returns the children between two states of a search by their [kinds], in percent of all; illegal
/// children have an impossible move or too many moves. `None` if there was no child.
pub(super) fn shares(before: &Statistics, now: &Statistics) -> Option<[f64; 3]> {
    let kinds = |done: &Statistics| match now.leaves {
        0 => [done.births(), done.duplicates, done.illegal + done.too_long],
        _ => [done.mutations, done.crossovers, done.growths],
    };
    let [before, now] = [before, now].map(kinds);
    let since = [0, 1, 2].map(|kind| (now[kind] - before[kind]) as f64);
    let all: f64 = since.iter().sum();
    (all > 0.0).then(|| since.map(|part| 100.0 * part / all))
}

impl Explanation {
    /// Returns at most about `count` stages for tables: generation, positions, branches; children
    /// by their kinds since the stage before in percent; H, P, move and value.
    pub fn stages(&self, count: usize) -> Vec<[String; 10]> {
        let stages = thinned(&self.snapshots, count);
        let mut rows = Vec::new();
        for (before, stage) in stages.iter().take(1).chain(&stages).zip(&stages) {
            let done = &stage.statistics;
            let [first, second, third] = match shares(&before.statistics, done) {
                Some(shares) => shares.map(|share| format!("{share:.0}")),
                None => Default::default(),
            };
            rows.push([
                grouped(done.generations),
                grouped(stage.nodes),
                grouped(done.branches),
                first,
                second,
                third,
                done.height.to_string(),
                stage.population.to_string(),
                stage.best.map_or(String::new(), |mv| self.root.san(mv)),
                stage.value.to_string(),
            ]);
        }
        rows
    }
}

/// Returns at most about `count` of all, evenly spread, the first and the last among them.
fn thinned<T: Copy>(all: &[T], count: usize) -> Vec<T> {
    let last = all.len().saturating_sub(1);
    let mut kept = Vec::new();
    for (index, &one) in all.iter().enumerate() {
        // The index of the one that comes next in a row of `count`.
        let due = kept.len() * last / count.saturating_sub(1).max(1);
        if index >= due || index == last {
            kept.push(one);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        assert_eq!(
            [0, 999, 1000, 1_234_567].map(grouped),
            ["0", "999", "1,000", "1,234,567"]
        );
        assert_eq!(
            [1, 1000].map(|number| counted(number, "node")),
            ["1 node", "1,000 nodes"]
        );
    }

    #[test]
    fn thinning_keeps_both_ends() {
        for (length, count) in [
            (0, 12),
            (1, 12),
            (5, 12),
            (12, 12),
            (13, 12),
            (77, 12),
            (40, 2),
        ] {
            let all: Vec<usize> = (0..length).collect();
            let kept = thinned(&all, count);
            assert!(kept.len() <= count.min(length), "{length}: {}", kept.len());
            assert_eq!((kept.first(), kept.last()), (all.first(), all.last()));
        }
        assert_eq!(thinned(&[(); 77], 12).len(), 12);
    }

    #[test]
    fn shares_add_up_to_a_hundred() {
        let none = Statistics::default();
        assert_eq!(shares(&none, &none), None);
        let some = Statistics {
            mutations: 1,
            duplicates: 2,
            illegal: 2,
            too_long: 1,
            ..none
        };
        let shares = shares(&none, &some).unwrap();
        assert!((shares.iter().sum::<f64>() - 100.0).abs() < 1e-9);
        assert_eq!(shares[2], 50.0);
    }
}

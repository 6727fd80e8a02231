//! An explanation for a terminal.

use std::fmt::Write as _;

use super::words::{counted, grouped, limit, moves, percent, share, summary, value};
use super::{Excerpt, Explanation};
use crate::display::{Format, Table, cells};

/// Rows of the table of the development.
const STAGES: usize = 12;
/// Percent of all positions that a block of a bar stands for.
const PERCENT_A_BLOCK: f64 = 2.0;
/// How many children the picture of the tree shows: the root's, its best child's, and so on. A second best
/// child shows as many as its best sibling's best child, a third best one step less, and so on.
const WIDTHS: [usize; 6] = [5, 3, 2, 1, 1, 1];

impl Explanation {
    /// Summary, fittest branches, effort, development, and the beginning of the tree.
    pub fn to_text(&self) -> String {
        let mut text = format!("{}\n", self.root.to_fen());
        let _ = writeln!(text, "Genetic search, {}; {}\n", limit(self.limit), self.settings_in_words());
        for sentence in summary(self) {
            let _ = writeln!(text, "{sentence}");
        }
        for (title, table) in [
            ("Fittest branches (fitness H - K + 1; the value reaches level K)", self.branch_table()),
            ("Effort (positions visited for each move of the root, percent of all)", effort_table(self)),
            ("Development (percent of the children since the line before)", self.development_table()),
        ] {
            let _ = write!(text, "\n{title}\n\n{table}");
        }
        text.push_str("\nThe tree (value, fitness, K, how it was born, nodes from here on)\n\n");
        picture(&self.tree, 0, 0, "", &mut text);
        text
    }

    fn branch_table(&self) -> String {
        let rows = self.branches.iter().zip(1..).map(|(&leaf, number)| {
            let node = &self.tree.nodes[leaf];
            cells![number, self.tree.fitness(leaf), node.k, value(&node.value), moves(&self.tree, leaf)]
        });
        Table::headed("#: | Fitness: | K: | Value: | Moves").with_rows(rows).render(Format::Terminal)
    }

    fn development_table(&self) -> String {
        let head =
            "Generation: | Positions: | Branches: | New: | Duplicate: | Illegal: | H: | P: | Move | Value:";
        Table::headed(head).with_rows(self.stages(STAGES)).render(Format::Terminal)
    }
}

fn effort_table(explanation: &Explanation) -> String {
    let rows = explanation.efforts.iter().map(|effort| {
        let percent = percent(explanation, effort);
        let bar = "█".repeat((percent / PERCENT_A_BLOCK).round() as usize);
        [effort.san.clone(), value(&effort.value), grouped(effort.positions), share(percent), bar]
    });
    Table::headed("Move | Value: | Positions: | %: | ").with_rows(rows).render(Format::Terminal)
}

/// The subtree of a node, one line a node, drawn like the listing of a folder; `step` is the place in
/// [`WIDTHS`].
fn picture(tree: &Excerpt, place: usize, step: usize, indent: &str, text: &mut String) {
    let node = &tree.nodes[place];
    if place == 0 {
        let value = node.value.map_or(String::new(), |value| format!("  {value}"));
        let _ = writeln!(text, "root{value}  {}", counted(node.size, "node"));
    }
    let Some(&width) = WIDTHS.get(step) else { return };
    let shown = &node.children[..width.min(node.children.len())];
    let rest = (node.children.len() - shown.len()) as u64 + node.hidden_children;
    let rest_nodes = node.size - 1 - shown.iter().map(|&child| tree.nodes[child].size).sum::<u64>();
    for (rank, &child) in shown.iter().enumerate() {
        let last = rank + 1 == shown.len() && rest == 0;
        let (fork, below) = if last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
        let _ = writeln!(text, "{indent}{fork}{}", line(tree, child));
        picture(tree, child, step + 1 + rank, &format!("{indent}{below}"), text);
    }
    if rest > 0 {
        let _ =
            writeln!(text, "{indent}└─ ... {}, {}", counted(rest, "more move"), counted(rest_nodes, "node"));
    }
}

fn line(tree: &Excerpt, place: usize) -> String {
    let node = &tree.nodes[place];
    let mut line = format!("{} {}", node.number(), node.san);
    if let Some(value) = node.value {
        let _ = write!(line, "  {value}  fitness {}, K {}", tree.fitness(place), node.k);
    }
    if let Some(origin) = node.origin {
        let _ = write!(line, "  {origin}");
    }
    match node.ended {
        Some(ended) => {
            let _ = write!(line, "  {ended}");
        }
        None => {
            let _ = write!(line, "  {}", counted(node.size, "node"));
        }
    }
    line
}

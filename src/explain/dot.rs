//! An explanation as a graph in the language of Graphviz.

use std::fmt::Write as _;

use super::words::{counted, limit};
use super::{Excerpt, Explanation, Node};

impl Explanation {
    /// The fittest branches and all moves of the root, for `dot -Tsvg`. Best moves are bold; a branch's end
    /// is the greener, the fitter it is.
    pub fn to_dot(&self) -> String {
        let tree = &self.tree;
        let title =
            format!("{}\n{}, H = {}; values are White's", self.root.to_fen(), limit(self.limit), tree.height);
        let mut text = format!(
            "digraph kashan {{\n  rankdir=LR; ranksep=0.4; nodesep=0.12; labelloc=t; fontname=\"Helvetica\"; label={};\n  \
             node [shape=box, style=\"rounded,filled\", fillcolor=\"#ffffff\", color=\"#999999\", fontname=\"Helvetica\", fontsize=11];\n  \
             edge [color=\"#999999\", arrowhead=none];\n",
            quoted(&title)
        );
        let drawn = |place: usize| tree.nodes[place].is_fit || tree.nodes[place].level <= 1;
        for (place, node) in tree.nodes.iter().enumerate().filter(|&(place, _)| drawn(place)) {
            let shown: Vec<usize> = node.children.iter().copied().filter(|&child| drawn(child)).collect();
            let label = quoted(&label(tree, place, shown.len() as u64));
            let _ = writeln!(text, "  n{place} [label={label}{}];", colour(node));
            for &child in &shown {
                let weight = match tree.nodes[child].is_best {
                    true => " [penwidth=3, color=\"#333333\", weight=8]",
                    false => "",
                };
                let _ = writeln!(text, "  n{place} -> n{child}{weight};");
            }
        }
        text.push_str("}\n");
        text
    }
}

/// Move and value, fitness, and how much is not drawn. `drawn` children are.
fn label(tree: &Excerpt, place: usize, drawn: u64) -> String {
    let node = &tree.nodes[place];
    let value = node.value.map_or(String::new(), |value| value.to_string());
    let name = match node.mv {
        None => "root".to_owned(),
        Some(_) => format!("{} {}", node.number(), node.san),
    };
    let mut label = format!("{name}  {value}");
    if node.value.is_some() {
        let _ = write!(label, "\nfitness {}, K {}", tree.fitness(place), node.k);
    }
    let rest = node.children.len() as u64 + node.hidden_children - drawn;
    if let Some(ended) = node.ended {
        let _ = write!(label, "\n{ended}");
    } else if rest > 0 {
        let other = if drawn > 0 { "other move" } else { "move" };
        let _ = write!(label, "\n+ {}", counted(rest, other));
    }
    label
}

/// Ends of branches from green (K = 0) to nearly white.
fn colour(node: &Node) -> String {
    if !node.is_end {
        return String::new();
    }
    // Weaker by a third with every level, so that the first few are told apart in trees of any height.
    let strength = 0.6 * 0.67f64.powi(node.k.min(100) as i32);
    format!(", fillcolor=\"0.38 {strength:.3} 0.93\"")
}

/// A string in quotation marks.
fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{escaped}\"")
}

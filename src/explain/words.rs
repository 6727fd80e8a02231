//! Words that every form of an explanation uses.

use super::{Effort, Excerpt, Explanation, Limit};
use crate::display;
pub(super) use crate::display::grouped;
use crate::score::Score;

/// `1 node`, `2,000 nodes`.
pub(super) fn counted(number: u64, thing: &str) -> String {
    display::counted(grouped(number), thing)
}

/// What ended the search.
pub(super) fn limit(limit: Limit) -> String {
    match limit {
        Limit::Nodes(nodes) => counted(nodes, "position"),
        Limit::Time(time) => format!("{} s", time.as_secs_f64()),
    }
}

/// Moves from the root to a node: `1. e4 e5 2. Nf3`.
pub(super) fn moves(tree: &Excerpt, leaf: usize) -> String {
    let path = tree.path(leaf).into_iter().skip(1).map(|place| &tree.nodes[place]);
    let moves = path.enumerate().map(|(index, node)| match node.white_moved || index == 0 {
        true => format!("{} {}", node.number(), node.san),
        false => node.san.clone(),
    });
    moves.collect::<Vec<_>>().join(" ")
}

/// How many percent of all positions were visited for a move of the root.
pub(super) fn percent(explanation: &Explanation, effort: &Effort) -> f64 {
    100.0 * effort.positions as f64 / explanation.nodes.max(1) as f64
}

/// A share in percent.
pub(super) fn share(percent: f64) -> String {
    format!("{percent:.1}")
}

/// A value, or nothing.
pub(super) fn value(value: &Option<Score>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

/// What the search did, in sentences.
pub(super) fn summary(explanation: &Explanation) -> Vec<String> {
    let done = &explanation.statistics;
    let mut all = Vec::new();
    let best = explanation.best.as_deref().unwrap_or("no move");
    all.push(format!(
        "The move is {best}; the best branch is worth {}, from White's point of view as every value here.{}",
        explanation.value,
        match explanation.tree.nodes[0].value {
            Some(value) if value != explanation.value =>
                format!(" (The tree has {value}: it was being looked at deeper when the search ended.)"),
            _ => String::new(),
        }
    ));
    all.push(format!(
        "{} visited, {} after the initial population.",
        counted(explanation.nodes, "position"),
        counted(done.generations, "generation"),
    ));
    all.extend(births(explanation));
    let culls = match done.culls {
        0 => String::new(),
        culls => format!("; the least fit made room {}", counted(culls, "time")),
    };
    all.push(format!(
        "The reservation tree has {}, {:.1} % of them for the move to play, and height H = {}; {}{culls}.",
        counted(done.tree_nodes, "node"),
        100.0 * explanation.effort_on_best,
        done.height,
        match done.branches {
            1 => "1 branch was born".to_owned(),
            branches => format!("{} branches were born", grouped(branches)),
        },
    ));
    all
}

/// How branches came to be.
fn births(explanation: &Explanation) -> Vec<String> {
    let done = &explanation.statistics;
    let stillborn = done.stillborn();
    let conceived = done.births() + stillborn;
    if conceived > 0 && done.leaves == 0 {
        let share = |part: u64| format!("{:.1} %", 100.0 * part as f64 / conceived as f64);
        return vec![format!(
            "{}: {} new ({} by crossover, {} by mutation), {} in the tree already, {} with a move that cannot be made, {} too long.",
            if conceived == 1 { "1 child".to_owned() } else { format!("{} children", grouped(conceived)) },
            share(done.births()),
            grouped(done.crossovers),
            grouped(done.mutations),
            share(done.duplicates),
            share(done.illegal),
            grouped(done.too_long),
        )];
    }
    if done.leaves == 0 {
        return Vec::new();
    }
    let share = |part: u64| 100.0 * part as f64 / explanation.nodes.max(1) as f64;
    vec![
        format!(
            "Branches were born by mutation ({}), crossover ({}) and growth ({}); {} died. Of the mutants {} were shown to be better; of the others nothing was known yet. {:.1} % of the positions were visited by mutation, {:.1} % by children of crossover, {:.1} % for the move to play.",
            grouped(done.mutations),
            grouped(done.crossovers),
            grouped(done.growths),
            grouped(done.deaths),
            grouped(done.mutations - done.undecided),
            share(done.mutation_nodes),
            share(done.crossover_nodes),
            share(done.best_nodes),
        ),
        format!(
            "Ends of branches were valued {} by small alpha-beta searches. The largest search below the tree visited {}; {} searches of an end became too large, so that the branch grew instead. Best moves were compared with what else could be played {}; {} had no rival and were looked at deeper. Off the best branch values are bounds: it was only asked whether they are better.",
            counted(done.leaves, "time"),
            counted(done.largest_leaf, "position"),
            grouped(done.passed_on),
            counted(done.comparisons, "time"),
            grouped(done.extensions),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1234567, "1,234,567")] {
            assert_eq!(grouped(number), text);
        }
        assert_eq!(counted(1, "node"), "1 node");
        assert_eq!(counted(1000, "node"), "1,000 nodes");
    }
}

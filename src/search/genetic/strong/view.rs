//! The view of the population that reports, pages and experiments read: a reservation tree with
//! scores from White's point of view, K and fitness.

use chess::ChessMove;

use super::StrongSearch;
use super::node::NodeId;
use crate::eval::Evaluator;
use crate::rules::score::Score;
use crate::search::Thought;
use crate::search::genetic::tree::{NodeId as ViewId, ReservationTree};

impl<E: Evaluator> StrongSearch<'_, E> {
    /// Writes the population into the reservation tree. Its branch with K = 0 is the line that
    /// would be played: whatever looks better was not searched to the end, and shows no score.
    pub(super) fn publish(&mut self, line: Option<&Thought>) {
        let view = &mut *self.search.tree;
        view.clear_nodes();
        let root = view.root();
        let played = line.map(|line| (&line.variation[..], line.score));
        self.show(self.population.root(), root, 0, played);
    }

    /// Shows a node and all below it. `played` is the rest of the line to play, with its score, if
    /// the line comes here.
    fn show(
        &mut self,
        node: NodeId,
        shown: ViewId,
        level: usize,
        played: Option<(&[ChessMove], Score)>,
    ) {
        let gene = played.and_then(|(genes, _)| genes.first().copied());
        let is_end_of_line = played.is_some() && gene.is_none();
        let mut on_line = None;
        for child in self.population[node].children.clone() {
            let of_child = &self.population[child];
            let is_played = gene == Some(of_child.gene);
            let child_gene = of_child.gene;
            let origin = of_child.origin;
            let view = &mut *self.search.tree;
            let id = view.insert(shown, level + 1, child_gene);
            view.set_origin(id, origin);
            let rest = played
                .filter(|_| is_played)
                .map(|(genes, score)| (&genes[1..], -score));
            self.show(child, id, level + 1, rest);
            if is_played {
                on_line = Some(id);
            }
        }
        let result = self.population[node].result;
        let score = played
            .map(|(_, score)| score)
            .or_else(|| (!result.says_nothing()).then_some(result.score));
        let is_terminal = self.population[node].is_terminal;
        let view = &mut *self.search.tree;
        let white = |score: Score| if view.is_max(level) { score } else { -score };
        let value = score.map(white);
        if let Some(value) = value {
            give_value(view, shown, level, value, on_line);
        }
        if let Some(value) = value.filter(|_| is_end_of_line || is_terminal) {
            view.set_own(shown, level, value, is_terminal);
        }
    }
}

/// Makes `value` the value of a node whose children are shown already: of `best` among equals.
fn give_value(
    view: &mut ReservationTree,
    id: ViewId,
    level: usize,
    value: Score,
    best: Option<ViewId>,
) {
    for child in view.children(id).collect::<Vec<_>>() {
        let Some(of_child) = view.value(child) else {
            continue;
        };
        let is_better = if view.is_max(level) {
            of_child > value
        } else {
            of_child < value
        };
        if is_better {
            view.hide(child);
        }
    }
    if let Some(best) = best {
        view.prefer(id, level, best);
    }
    let is_given = view
        .children(id)
        .any(|child| view.value(child) == Some(value));
    if is_given {
        view.recompute(id, level);
    } else {
        view.set_own(id, level, value, false);
    }
}

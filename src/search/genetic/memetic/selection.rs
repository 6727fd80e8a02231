//! Selection: which end of a branch is searched deeper.

use super::{Higher, Memetic};
use crate::evaluation::Evaluator;
use crate::score::Score;
use crate::search::genetic::tree::NodeId;

/// The end of a branch that was selected.
pub(super) struct Selected {
    pub path: Vec<NodeId>,
    /// Whether a higher or a lower value of the end would make its branch the best; `None` if it is.
    pub gains: Option<Higher>,
    /// To which depth it was searched, its level included.
    pub depth: i32,
    key: i32,
}

/// The selection so far.
struct Choice {
    /// The value of the best branch in view, from White's point of view.
    reference: Score,
    best: Option<Selected>,
}

impl<E: Evaluator> Memetic<'_, E> {
    /// Of all ends in view that may be searched deeper, the one that is worth it most. `None` also if no
    /// deeper search can change what is best.
    pub(super) fn select(&self) -> Option<Selected> {
        if (self.leads || !self.others.is_empty()) && self.line.is_final() {
            return None;
        }
        let mut choice = Choice { reference: self.value_in_view(), best: None };
        self.visit(&mut vec![self.search.tree.root()], None, 0, &mut choice);
        choice.best
    }

    /// Looks at the ends at and below the end of `path`. Once a branch has left the best one, for the good of
    /// one side, only that side's choices make new branches: as long as its own move is no better, the other
    /// side need not look for another answer.
    fn visit(&self, path: &mut Vec<NodeId>, gains: Option<Higher>, price: i32, choice: &mut Choice) {
        let tree = &self.search.tree;
        let (node, level) = (path[path.len() - 1], path.len() - 1);
        if !tree.has_children(node) {
            let depth = level as i32 + self.end(node).depth;
            let Some(value) = tree.value(node) else { return };
            // What is proved to be lost for the side that it is to be the good of gets no better.
            let is_lost = gains.is_some_and(|high| self.is_proved_lost(node, level, high));
            if is_lost || tree.is_terminal(node) || depth >= self.limit {
                return;
            }
            let missing = (value.0 - choice.reference.0).abs();
            let contest = missing.min(self.search.options.greatest_gap as i32) + price;
            let key = contest + self.search.options.depth_price as i32 * depth;
            if choice.best.as_ref().is_none_or(|best| key < best.key) {
                choice.best = Some(Selected { path: path.clone(), gains, depth, key });
            }
            return;
        }
        let high = tree.is_max(level);
        let best_child = if level == 0 { self.best_in_view() } else { tree.best_child(node) };
        let leaving = price + self.search.options.leaving_price as i32;
        for child in tree.children(node).filter(|&child| level > 0 || self.is_in_view(child)) {
            path.push(child);
            if best_child == Some(child) {
                self.visit(path, gains, price, choice);
            } else if gains.is_none_or(|gains| gains == high) {
                self.visit(path, Some(high), leaving, choice);
            }
            path.pop();
        }
    }
}

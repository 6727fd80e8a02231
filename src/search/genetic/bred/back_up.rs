//! Back-up: what a birth or a score shows of the nodes above it, and which branches die.

use super::Bred;
use super::node::{Bounded, Node, NodeId};
use super::survey::{Survey, Visit};
use crate::eval::Evaluator;
use crate::rules::score::Bound;

impl<E: Evaluator> Bred<'_, E> {
    /// The goal of a node is reached.
    pub(super) fn resolve(&mut self, visit: Visit, survey: &Survey, result: Bounded) {
        let node = visit.node;
        let best = match result.bound {
            Bound::Exact => self.best_child(node, survey),
            Bound::Lower => self.pv_child(node),
            Bound::Upper => None,
        };
        let mut tail = Vec::new();
        if result.bound == Bound::Exact
            && let Some(best) = best
        {
            let Node {
                gene, tail: rest, ..
            } = &self.population[best];
            tail.push(*gene);
            tail.extend(rest);
        }
        let gene = best.map(|best| self.population[best].gene);
        self.population[node].tail = tail;
        self.population[node].result = result;
        let level = self.level();
        if level > 0 {
            self.go_to_end();
            let depth = result.depth + self.check_extension(node, level);
            if let Some(gene) = gene
                && result.bound == Bound::Lower
            {
                self.local.update_history(depth, gene);
            }
            self.local.store_tt(depth, result.score, result.bound, gene);
        }
        self.prune(visit, survey);
    }

    /// The least fit of the refuted children die, until `Contenders` divided by the half-moves to
    /// go, and one more, are left: a branch costs more the deeper it is searched. Their moves are
    /// unexpanded again, and no better than they were.
    fn prune(&mut self, visit: Visit, survey: &Survey) {
        let Visit { node, goal } = visit;
        let unexpanded = self.population[node].unexpanded;
        if !unexpanded.is_at_most(survey.alpha, goal.depth) {
            return;
        }
        let is_root = node == self.population.root();
        let mut most = self.search.options.contenders as usize / goal.depth.max(1) as usize + 1;
        if is_root {
            most = most.max(self.search.limits.lines);
        }
        while self.population[node].children.len() > most {
            let Some(child) = self.least_fit(node, survey) else {
                return;
            };
            self.bury(node, child, goal.depth);
        }
    }

    fn bury(&mut self, node: NodeId, child: NodeId, depth: i32) {
        let shown = -self.population[child].result.score;
        let unexpanded = &mut self.population[node].unexpanded;
        let score = unexpanded.score.max(shown);
        *unexpanded = Bounded::at_most(depth, score);
        self.search.statistics.deaths += self.population.remove(node, child) as u64;
    }

    /// The end of the path loses all branches below it; its score stands.
    pub(super) fn collapse(&mut self, node: NodeId) {
        for child in self.population[node].children.clone() {
            self.search.statistics.deaths += self.population.remove(node, child) as u64;
        }
        let node = &mut self.population[node];
        node.unexpanded = Bounded::UNKNOWN;
        node.crossed_depth = 0;
        node.tested_depth = 0;
        node.tail.clear();
    }
}

//! Back-up: the result of a node follows from its children, and the worst of them die.

use super::StrongSearch;
use super::node::{NodeId, NodeResult};
use super::survey::{Survey, Visit};
use crate::eval::Evaluator;
use crate::rules::score::Bound;

/// The most refuted children that a node keeps beside its best.
const MOST_CONTENDERS: usize = 4;

impl<E: Evaluator> StrongSearch<'_, E> {
    /// The goal of the node at the end of the path is reached: its result goes into the tree, the
    /// transposition table and the history heuristic.
    pub(super) fn resolve(&mut self, survey: &Survey, result: NodeResult) {
        let node = survey.node;
        let best = match result.bound {
            Bound::Exact => self.best_child(survey),
            Bound::Lower => self.refuting_child(survey, result.score),
            Bound::Upper => None,
        };
        if let Some(best) = best {
            // Shown to be better than alpha: from now on as deep as its siblings.
            self.population[best].reduction = 0;
        }
        let best = best.map(|best| &self.population[best]);
        let gene = best.map(|best| best.gene);
        let tail = match best {
            Some(best) if result.bound == Bound::Exact => [&[best.gene], &best.tail[..]].concat(),
            _ => Vec::new(),
        };
        self.population[node].tail = tail;
        self.population[node].result = result;
        let level = self.level();
        if level > 0 {
            self.move_board_to_end();
            let goal = survey.goal;
            let depth = self.extended_depth(Visit { node, goal }, level);
            if let Some(gene) = gene
                && result.bound == Bound::Lower
            {
                self.local.update_history(depth, gene);
            }
            self.local.store_tt(depth, result.score, result.bound, gene);
        }
        self.prune(survey);
    }

    /// The worst of the children that are shown to be worse die, until at most `Contenders` / D
    /// children and one more are left, D being the half-moves to go, and no more than
    /// [`MOST_CONTENDERS`] and one: a branch costs more the deeper it is searched, and shallow
    /// scores say little. Their moves are unexpanded again, and their upper bounds go into that of
    /// the unexpanded moves.
    fn prune(&mut self, survey: &Survey) {
        let Survey { node, goal, .. } = *survey;
        if !self.population[node]
            .unexpanded
            .is_at_most(survey.alpha, goal.depth)
        {
            return;
        }
        let contenders = self.search.options.contenders as usize / goal.depth.max(1) as usize;
        let mut most = contenders.min(MOST_CONTENDERS) + 1;
        if node == self.population.root() {
            most = most.max(self.search.limits.lines);
        }
        while self.population[node].children.len() > most {
            let Some(child) = self.worst_child(survey) else {
                return;
            };
            let score = -self.population[child].result.score;
            let unexpanded = &mut self.population[node].unexpanded;
            *unexpanded = NodeResult::at_most(goal.depth, unexpanded.score.max(score));
            self.kill(node, child);
        }
    }

    /// A child dies, and all below it.
    pub(super) fn kill(&mut self, parent: NodeId, child: NodeId) {
        self.search.statistics.deaths += self.population.remove(parent, child) as u64;
    }

    /// Removes all below a node; its own result stands.
    pub(super) fn collapse(&mut self, node: NodeId) {
        for child in self.population[node].children.clone() {
            self.kill(node, child);
        }
        let node = &mut self.population[node];
        node.unexpanded = NodeResult::UNKNOWN;
        node.crossed_depth = 0;
        node.tested_depth = 0;
        node.tail.clear();
    }
}

//! Crossover: a node gets the best reply of a related node, and the line behind it.

use chess::ChessMove;
use rand::RngExt;

use super::StrongSearch;
use super::node::NodeResult;
use super::survey::{Survey, Visit};
use crate::eval::Evaluator;
use crate::search::Stop;
use crate::search::alphabeta::local::{Found, Goal};
use crate::search::genetic::search::draw;
use crate::search::genetic::tree::Origin;

/// Children of crossover are searched so many half-moves less deep than their siblings. One that
/// raises alpha even so lives, and is searched again.
const CROSSOVER_REDUCTION: i32 = 1;

/// Nodes with fewer half-moves to go than this are not worth a crossover.
const LEAST_CROSSED: i32 = 3;

/// The most genes that are transplanted: the first becomes a node, the others follow as the branch
/// grows.
const LONGEST_TAIL: usize = 4;

impl<E: Evaluator> StrongSearch<'_, E> {
    /// Crossover: the node that breeds gets the tail of another branch. Returns true if the child
    /// raises alpha, and lives; one whose local search would be too large dies, too.
    pub(super) fn crossover(&mut self, survey: &Survey) -> Result<bool, Stop> {
        let Visit { node, goal } = self.end();
        if goal.depth < LEAST_CROSSED || self.population[node].crossed_depth >= goal.depth {
            return Ok(false);
        }
        self.population[node].crossed_depth = goal.depth;
        if self.search.random.random_range(0..100) >= self.search.options.crossover_rate {
            return Ok(false);
        }
        let Some(tail) = self.donor() else {
            return Ok(false);
        };
        let child = self.add_child(tail[0], Origin::Crossover)?;
        self.search.statistics.crossovers += 1;
        let depth = (survey.depth - CROSSOVER_REDUCTION).max(0);
        let child_goal = Goal::child_null_window(depth, survey.alpha);
        if !self.population[child].is_terminal {
            let before = self.nodes();
            let budget = self.budget();
            let counter = &mut self.search.counter;
            let found = self.local.value(counter, budget, child_goal, &mut ())?;
            let cost = self.note_local_search(before);
            self.search.statistics.crossover_nodes += cost;
            self.population[child].cost = cost;
            if let Found::Score(score) = found {
                self.set_result(child, NodeResult::found(child_goal, score));
            }
            self.population[child].tail = self.local.validated(&tail[1..]);
        }
        let result = self.population[child].result.for_opponent();
        let lives = result.is_at_least(survey.alpha + 1, child_goal.depth);
        if lives {
            self.search.statistics.surviving_child_nodes += self.population[child].cost;
            self.log_birth("crossover, better");
        } else {
            self.log_birth("crossover, not shown to be better, dies");
            self.path.pop();
            self.kill(node, child);
        }
        Ok(lives)
    }

    /// Draws a donor's best line (while its children have no score, its oldest child), whose first
    /// gene is legal and not in the tree here. Donors are the siblings of this node, and its
    /// cousins with the same gene: this move after another move of the opponent.
    fn donor(&mut self) -> Option<Vec<ChessMove>> {
        let population = &self.population;
        let node = self.end().node;
        let children_above = |levels: usize| {
            let above = self.path.iter().rev().nth(levels);
            above
                .into_iter()
                .flat_map(|visit| population[visit.node].children.iter().copied())
        };
        let gene = population[node].gene;
        let cousins = children_above(2).filter_map(|uncle| population.child(uncle, gene));
        let related = children_above(1).chain(cousins);
        let mut donors: Vec<Vec<ChessMove>> = Vec::new();
        for other in related.filter(|&other| other != node) {
            let Some(best) = population.highest_child(other) else {
                continue;
            };
            let gene = population[best].gene;
            if population.child(node, gene).is_none() && self.local.is_legal(gene) {
                donors.push(population.best_genes(best).take(LONGEST_TAIL).collect());
            }
        }
        draw(self.search.random, &donors).cloned()
    }
}

//! Crossover: a stem gets the tail of a branch that was the answer elsewhere.

use arrayvec::ArrayVec;
use chess::ChessMove;
use rand::RngExt;

use super::Bred;
use super::node::Bounded;
use super::survey::{Survey, Visit};
use crate::eval::Evaluator;
use crate::search::Stop;
use crate::search::alphabeta::local::{Found, Goal};
use crate::search::genetic::search::draw;
use crate::search::genetic::tree::Origin;

/// Children of crossover are searched so many half-moves less deep than their siblings: one that is
/// better even so lives, and is searched again.
const CROSSOVER_REDUCTION: i32 = 1;

/// Nodes with fewer half-moves to go than this are not worth a crossover.
const LEAST_CROSSED: i32 = 3;

/// The genes that are transplanted: the first becomes a node, the others follow as the branch
/// grows.
type Tail = ArrayVec<ChessMove, 4>;

impl<E: Evaluator> Bred<'_, E> {
    /// Crossover: the end of the branch gets the tail of another branch. The child lives if it
    /// raises alpha. Returns true if it does.
    pub(super) fn crossover(&mut self, survey: &Survey) -> Result<bool, Stop> {
        let Visit { node, goal } = self.end();
        if goal.depth < LEAST_CROSSED || self.population[node].crossed_depth >= goal.depth {
            return Ok(false);
        }
        self.population[node].crossed_depth = goal.depth;
        if self.search.random.random_range(0..100) >= self.search.options.crossover_rate {
            return Ok(false);
        }
        self.go_to_end();
        let Some(tail) = self.donor() else {
            return Ok(false);
        };
        let child = self.add_child(tail[0], Origin::Crossover)?;
        self.search.statistics.crossovers += 1;
        let goal = Goal::scout((survey.depth - CROSSOVER_REDUCTION).max(0), survey.alpha);
        if !self.population[child].is_terminal {
            let before = self.search.counter.nodes();
            let budget = self.budget();
            let counter = &mut self.search.counter;
            let found = self.local.value(counter, budget, goal, &mut ())?;
            let cost = self.count_local_search(before);
            self.search.statistics.crossover_nodes += cost;
            self.population[child].cost = cost;
            if let Found::Score(score) = found {
                self.set_result(child, Bounded::found(goal, score));
            }
            self.population[child].tail = self.local.validated(&tail[1..]);
        }
        let result = self.population[child].result.for_opponent();
        let lives = result.is_at_least(survey.alpha + 1, goal.depth);
        if lives {
            self.search.statistics.birth_nodes += self.population[child].cost;
            self.log_birth("crossover, better");
        } else {
            self.log_birth("crossover, no better, dies");
            self.path.pop();
            self.search.statistics.deaths += self.population.remove(node, child) as u64;
        }
        Ok(lives)
    }

    /// Draws a tail whose first gene can be made at the end of the branch and is not in the tree
    /// there: the best line behind a sibling of the end, or behind the same gene below a sibling of
    /// its parent.
    fn donor(&mut self) -> Option<Tail> {
        let population = &self.population;
        let node = self.end().node;
        let above = |levels: usize| {
            self.path
                .len()
                .checked_sub(levels + 1)
                .map(|index| self.path[index].node)
        };
        let siblings = above(1)
            .into_iter()
            .flat_map(|parent| &population[parent].children)
            .copied();
        let uncles = above(2)
            .into_iter()
            .flat_map(|grandparent| &population[grandparent].children);
        let cousins = uncles.filter_map(|&uncle| population.child(uncle, population[node].gene));
        let others = siblings.chain(cousins).filter(|&other| other != node);
        let mut donors: Vec<Tail> = Vec::new();
        for best in others.filter_map(|other| population.pv_child(other)) {
            let gene = population[best].gene;
            if population.child(node, gene).is_none() && self.local.is_legal(gene) {
                donors.push(
                    population
                        .best_genes(best)
                        .take(Tail::new().capacity())
                        .collect(),
                );
            }
        }
        draw(self.search.random, &donors).cloned()
    }
}

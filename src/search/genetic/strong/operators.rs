//! The operators growth and mutation, the local search that scores leaves, and the singular test.
//! Crossover has its own file.

use chess::ChessMove;

use super::StrongSearch;
use super::node::{Node, NodeId, NodeResult};
use super::survey::{Survey, Visit};
use crate::eval::Evaluator;
use crate::rules::position::{MoveList, legal_moves};
use crate::rules::score::Bound;
use crate::search::Stop;
use crate::search::alphabeta::local::{Found, Goal, MutantsOf, Singularity};
use crate::search::genetic::report::genes_in_words;
use crate::search::genetic::search::LONGEST_BRANCH;
use crate::search::genetic::tree::Origin;
use crate::search::{MAX_PLY, Variation};

/// The assumed growth of a local search's cost for a half-move more.
const COST_OF_DEPTH: u64 = 8;

impl<E: Evaluator> StrongSearch<'_, E> {
    /// The most positions that one local search may visit.
    pub(super) fn budget(&self) -> u64 {
        let least = self.search.options.leaf_nodes as u64;
        let visited = self.nodes();
        // A power of them is not greater.
        if visited <= least {
            return least;
        }
        let exponent = self.search.options.leaf_growth as f64 / 100.0;
        let grown = libm::pow(visited as f64, exponent) as u64;
        grown.max(least)
    }

    /// Scores the leaf by a local search. Instead the branch grows if the search is expected to be
    /// too large, or turns out so, or if more than `LeafDepth` half-moves are left on the principal
    /// variation. At the greatest length of a branch the static evaluation stands in for a search
    /// that is too large.
    pub(super) fn value_or_grow(&mut self) -> Result<(), Stop> {
        let Visit { node, goal } = self.end();
        // A quiescence search is never too large, so that its value is the same as alpha-beta's.
        let is_quiescence = goal.depth == 0;
        let budget = if is_quiescence {
            u64::MAX
        } else {
            self.budget()
        };
        let may_grow = self.level() < LONGEST_BRANCH && !is_quiescence;
        let is_deep = goal.is_pv() && goal.depth > self.search.options.leaf_depth as i32;
        let is_large = self.population[node].cost * COST_OF_DEPTH > budget;
        if (is_deep || is_large) && may_grow {
            return self.grow();
        }
        let before = self.nodes();
        let mut tail = Variation::new();
        let counter = &mut self.search.counter;
        let found = if goal.is_pv() {
            self.local.value(counter, budget, goal, &mut tail)?
        } else {
            self.local.value(counter, budget, goal, &mut ())?
        };
        self.population[node].cost = self.note_local_search(before);
        match found {
            Found::Score(score) => {
                self.set_result(node, NodeResult::found(goal, score));
                // A null-window search knows no line: the old tail stays, until the node has
                // children.
                if goal.is_pv() {
                    self.population[node].tail = tail.to_vec();
                }
                self.log_birth("valued");
            }
            Found::OutOfBudget if may_grow => {
                self.search.statistics.grown_over_budget += 1;
                self.grow()?;
            }
            Found::OutOfBudget => {
                let score = self.local.static_score();
                self.set_result(node, NodeResult::exact(goal.depth, score));
            }
        }
        Ok(())
    }

    /// Growth: the branch gets one gene more, the next of its tail or else the most promising move.
    fn grow(&mut self) -> Result<(), Stop> {
        let Node { tail, cost, .. } = &self.population[self.end().node];
        let cost = cost / 2;
        let mut genes = tail.clone();
        if genes.first().is_none_or(|&mv| !self.local.is_legal(mv)) {
            genes = self.local.first_move().into_iter().collect();
        }
        let Some((&gene, tail)) = genes.split_first() else {
            return Ok(());
        };
        let child = self.add_child(gene, Origin::Growth)?;
        let grown = &mut self.population[child];
        grown.tail = tail.to_vec();
        grown.cost = cost;
        self.search.statistics.growths += 1;
        self.log_birth("growth");
        Ok(())
    }

    /// Mutation: each move that is not in the tree becomes a mutant, one after the other, and gets
    /// a score by a local search. The first that raises alpha, or whose search would be too large,
    /// lives and ends the mutation; the others die at once.
    pub(super) fn mutate(&mut self, survey: &Survey) -> Result<(), Stop> {
        let Visit { node, goal } = self.end();
        let level = self.level();
        let alpha = survey.alpha;
        self.move_board_to_end();
        if self.search.options.mutation_rate == 0 && !alpha.is_mated() {
            // Nothing is tried. Only where every child loses to a mate it has to be shown
            // that no move avoids it.
            self.population[node].unexpanded = NodeResult::at_most(goal.depth, alpha);
            return Ok(());
        }
        let known = self.moves_to_skip(node, level);
        let budget = self.budget();
        let board = self.local.board();
        let counter = &mut self.search.counter;
        let mut mutants = match self
            .local
            .mutants(counter, budget, &board, goal, alpha, known)?
        {
            MutantsOf::Node(mutants) => mutants,
            MutantsOf::Bound(score) => {
                if score > alpha {
                    self.set_result(node, NodeResult::at_least(goal.depth, score));
                } else {
                    self.population[node].unexpanded = NodeResult::at_most(goal.depth, score);
                }
                return Ok(());
            }
        };
        while let Some(mutant) = self.local.next_mutant(&mut mutants) {
            let start = self.nodes();
            let found =
                self.local
                    .value_mutant(&mut self.search.counter, budget, &mut mutants, &mutant);
            let cost = self.note_local_search(start);
            if level == 0 {
                self.search.count_nodes(mutant.mv, cost);
            }
            self.search.statistics.mutants += 1;
            match found? {
                Found::Score(score) if score <= alpha => (),
                found => {
                    self.search.statistics.surviving_child_nodes += cost;
                    let reduction = mutants.last_reduction();
                    return self.give_birth(mutant.mv, found, cost, survey.depth, reduction);
                }
            }
        }
        self.population[node].unexpanded = NodeResult::at_most(goal.depth, mutants.best());
        Ok(())
    }

    /// Makes a mutant a child of this node: it lives. `reduction` is that of its local search.
    fn give_birth(
        &mut self,
        gene: ChessMove,
        found: Found,
        cost: u64,
        depth: i32,
        reduction: i32,
    ) -> Result<(), Stop> {
        let child = self.add_child(gene, Origin::Mutation)?;
        self.search.statistics.mutations += 1;
        self.population[child].cost = cost;
        match found {
            Found::Score(score) => {
                if !self.population[child].is_terminal {
                    self.set_result(child, NodeResult::at_most(depth, -score));
                }
                self.log_birth("mutation, better");
            }
            Found::OutOfBudget => {
                self.population[child].reduction = reduction;
                self.search.statistics.mutants_over_budget += 1;
                self.log_birth("mutation, not decided");
            }
        }
        Ok(())
    }

    /// The moves that mutation leaves out: those in the tree, and at the root those that are not to
    /// be searched.
    fn moves_to_skip(&self, node: NodeId, level: usize) -> MoveList {
        let children = self.population[node].children.iter();
        let mut genes: MoveList = children.map(|&child| self.population[child].gene).collect();
        if level == 0 {
            let root_moves = &self.search.root_moves;
            let moves = legal_moves(&self.local.board());
            genes.extend(moves.into_iter().filter(|mv| !root_moves.contains(mv)));
        }
        genes
    }

    /// Singular test: searches whether another move comes near the one that the transposition table
    /// prefers. If none does, its branch, if it has one, is searched deeper. If one does, its
    /// branch may be less deep, or the node has a lower bound at once (multi-cut).
    pub(super) fn test_singularity(&mut self) -> Result<(), Stop> {
        let Visit { node, goal } = self.end();
        self.population[node].tested_depth = goal.depth;
        self.population[node].is_tested_as_pv = goal.is_pv();
        self.search.statistics.singular_tests += 1;
        let depth = self.extended_depth(self.end(), self.level());
        let extensions = self
            .path
            .iter()
            .map(|visit| self.population[visit.node].extension.max(0))
            .sum();
        let before = self.nodes();
        let budget = self.budget();
        let counter = &mut self.search.counter;
        let goal_here = Goal { depth, ..goal };
        let found = self
            .local
            .singularity(counter, budget, goal_here, extensions)?;
        self.note_local_search(before);
        self.end_extensions(node);
        match found {
            Some((mv, Singularity::Extension(by))) => {
                let child = self.population.child(node, mv);
                if let Some(child) = child.filter(|&child| !self.population[child].is_terminal) {
                    self.population[child].extension = by;
                    self.search.statistics.extensions += u64::from(by > 0);
                }
            }
            Some((_, Singularity::Settled(score))) => {
                self.set_result(node, NodeResult::at_least(goal.depth, score));
            }
            None => (),
        }
        Ok(())
    }

    /// No child of a node is searched deeper or less deep than the others.
    pub(super) fn end_extensions(&mut self, node: NodeId) {
        for child in self.population[node].children.clone() {
            self.population[child].extension = 0;
        }
    }

    /// Makes a gene at the end of the path and goes to the new child, which has a score if the game
    /// is over there. It has no goal of its own yet.
    pub(super) fn add_child(&mut self, gene: ChessMove, origin: Origin) -> Result<NodeId, Stop> {
        let visit = self.end();
        let child = self.population.insert(visit.node, gene, origin);
        self.search.statistics.branches += 1;
        let level = self.level() + 1;
        self.path.push(Visit {
            node: child,
            ..visit
        });
        self.move_board_to_end();
        self.population[child].extends_check = self.local.is_extended();
        if let Some(score) = self.local.ended(&mut self.search.counter) {
            let result = NodeResult::exact(MAX_PLY as i32, score);
            self.population[child].is_terminal = true;
            self.population[child].result = result;
        }
        self.search.counter.enter(level)?;
        Ok(child)
    }

    /// Sets a node's result that a local search found, and counts it.
    pub(super) fn set_result(&mut self, node: NodeId, result: NodeResult) {
        self.population[node].result = result;
        self.search.statistics.leaves += 1;
    }

    /// Returns how many positions a local search visited that began after `before` positions, and
    /// remembers the largest.
    pub(super) fn note_local_search(&mut self, before: u64) -> u64 {
        let used = self.nodes() - before;
        let largest = &mut self.search.statistics.largest_local_search;
        *largest = (*largest).max(used);
        used
    }

    /// Writes a line of the log for the node at the end of the path: how it was born, or that it
    /// was valued; its stem and tail, and its score from White's point of view.
    pub(super) fn log_birth(&self, birth: &str) {
        if !log::log_enabled!(log::Level::Trace) {
            return;
        }
        let genes: Vec<ChessMove> = self.path[1..]
            .iter()
            .map(|visit| self.population[visit.node].gene)
            .collect();
        let Some((gene, stem)) = genes.split_last() else {
            return;
        };
        let node = &self.population[self.end().node];
        let stem = genes_in_words(stem.iter().copied());
        let tail = genes_in_words([*gene].into_iter().chain(node.tail.iter().copied()));
        let result = if self.search.tree.is_max(self.level()) {
            node.result
        } else {
            node.result.for_opponent()
        };
        let bound = match result.bound {
            Bound::Exact => "",
            Bound::Lower => "at least ",
            Bound::Upper => "at most ",
        };
        let score = if result.is_known() {
            format!("{bound}{} to depth {}", result.score, result.depth)
        } else {
            "no value yet".to_owned()
        };
        log::trace!("{birth}: {stem} | {tail}: {score}");
    }
}

//! The default search, preset `strong`: a population of branches, scored by small alpha-beta
//! searches.
//!
//! ```text
//!              root                     Each node has a few moves as children, oldest first, and one
//!            /   |   \                  bound on all other moves together: the unexpanded ones (u).
//!          Bf4  Be3   u                 A branch leads from the root to a leaf; a gene is a move.
//!         /  \    :
//!      dxc4   u
//!      /  \
//!    Bxc4  u
//! ```
//!
//! The search deepens iteratively, with an aspiration window at the root. Each node on the path of
//! the search has a *goal*, a depth and a window: a full window on the principal variation, where a
//! score is wanted, and a null window elsewhere, where a bound is enough.
//!
//! One generation (`StrongSearch::generation`) works on one node, the last of the path:
//!
//! * A leaf gets a score by a *local search*, a small alpha-beta search of at most `LeafNodes`
//!   positions (a power of this worker's positions so far, `LeafGrowth`, if that is more). It
//!   *grows* by one move instead if that would not suffice, or if it is on the principal variation
//!   with more than `LeafDepth` half-moves to go.
//! * An inner node gets another move if no child lacks a score or bound or reaches beta, and the
//!   bound on its unexpanded moves does not suffice. *Crossover*, tried once for each depth, draws
//!   a donor: a sibling, or a cousin that the same move led to. The donor's best move is tried
//!   here, and the rest of its best line follows as the branch grows. If that does not raise alpha,
//!   *mutation* scores the moves that are not in the tree one after the other, in the order and
//!   with the pruning of alpha-beta. The first *mutant* that raises alpha, or whose local search
//!   would be too large, becomes a child and ends the mutation. If there is none, the unexpanded
//!   moves are shown to be no better than alpha, and the node has its score. Late mutants are
//!   searched less deep until they raise alpha (late-move reductions), also as children.
//! * Before the walk descends from a node, once for each depth, the move of the transposition table
//!   is tested: its branch is searched deeper if no other move comes near it, or less deep, or the
//!   node gets a bound at once, as in alpha-beta (singular extension and multi-cut).
//!
//! A walk (`StrongSearch::walk`) then leads to the next node. It goes on where the last one ended,
//! and climbs while goals are reached: results are backed up by Min-Max, into the transposition
//! table, too, and the worst of the refuted children *die*, until the node has at most `Contenders`
//! / D and one more, D being its half-moves to go, and never more than five. From there it descends
//! to a child whose score or bound is missing (`survey.rs`): the principal variation first, then
//! the oldest. A child that is shown to be better than alpha is searched again with the full
//! window. If the goal of the root is reached the iteration is over, or the window is opened. The
//! best line, K = 0 in reports, is the one that would be played now.
//!
//! The next search of the game goes on with the subtree of the position that was reached
//! (`kept.rs`).
//!
//! From Dehghani and Babamir are branches of moves as chromosomes in one tree, an initial
//! population of all moves of the root, crossover and mutation validated by making the moves,
//! Min-Max, and H - K + 1 as the fitness that reports show. The selection differs: they breed the
//! fittest branch, here that branch breeds whose score is needed next, because scores of different
//! depths do not compare. Local searches stand in place of their quiescence branches. Chance draws
//! the donors of crossover, and with `CrossoverRate` below 100 the nodes where it is tried.

mod back_up;
mod crossover;
mod kept;
mod lines;
mod node;
mod operators;
mod survey;
mod view;

use chess::ChessMove;

use super::report::{News, Watch, report_generation};
use super::search::Search;
use super::statistics::Timeline;
use super::tree::Origin;
use crate::eval::Evaluator;
use crate::rules::position::MoveList;
use crate::rules::score::Score;
use crate::search::alphabeta::local::{Goal, LocalSearch};
use crate::search::alphabeta::window::Aspiration;
use crate::search::{MAX_PLY, Observer, SearchReport, Stop, Thought};

pub use self::kept::Kept;
use self::node::Population;
use self::survey::{Survey, Visit};

/// Nodes that are free in the tree when a generation begins.
const LEAST_ROOM: usize = 2 * MAX_PLY;

/// The work of a generation at the end of the path.
enum Operation {
    /// A leaf gets a score, or grows.
    ValueOrGrow,
    /// The singular test is due.
    TestSingularity,
    /// Crossover and mutation: every child has the score or bound that is needed.
    Breed(Survey),
}

/// See the [module](self).
pub struct StrongSearch<'a, E> {
    search: Search<'a, E>,
    local: LocalSearch<'a, E>,
    population: Population,
    /// The nodes from the root to the one of this generation, each with its goal.
    path: Vec<Visit>,
    /// The depth of this iteration.
    depth: i32,
    /// The aspiration window of the root's score.
    window: Aspiration,
    /// Moves of the root that lead lines already found in this iteration, if several are wanted.
    excluded_root_moves: MoveList,
    /// The lines found in this iteration, the best first.
    lines: Vec<Thought>,
    /// The lines of the last finished iteration.
    reported: Vec<Thought>,
    /// Iterations in a row in which the move to play has been the same.
    unchanged: u32,
    /// Positions visited for each move of the root when the last iteration ended.
    root_nodes_before: Vec<u64>,
    /// This worker decides when the search is over. The others help until it ends.
    leads: bool,
}

impl<'a, E: Evaluator> StrongSearch<'a, E> {
    /// The search of one of the workers. The first leads; every second one begins a half-move
    /// deeper.
    pub fn new(mut search: Search<'a, E>, local: LocalSearch<'a, E>, number: usize) -> Self {
        search.parents = 1;
        let population = Population::new(search.tree.capacity());
        let root_nodes_before = vec![0; search.root_moves.len()];
        StrongSearch {
            search,
            local,
            population,
            path: Vec::with_capacity(MAX_PLY),
            depth: 1 + number as i32 % 2,
            window: Aspiration::FULL,
            excluded_root_moves: MoveList::new(),
            lines: Vec::new(),
            reported: Vec::new(),
            unchanged: 0,
            root_nodes_before,
            leads: number == 0,
        }
    }

    /// Searches until a limit or the clock ends it, or nothing is left to decide. Returns the
    /// population, too, for the next search.
    pub fn search(mut self, observer: &mut dyn Observer) -> (SearchReport, Timeline, Population) {
        let mut history = Timeline::default();
        let mut news = News::default();
        if !self.search.root_moves.is_empty() {
            // It always ends with `Stop`.
            let _ = self.run(&mut history, &mut news, observer);
        }
        let lines = self.lines_at_the_end();
        self.publish(lines.first());
        history.end(self.search.snapshot(), self.search.effort());
        // The other workers hear of the last positions, too.
        let _ = self.search.counter.check_clock();
        let report = self.report(lines.first());
        if report.depth > 0 {
            news.finish(&self.search, &lines, observer);
        }
        report_generation(&self.search, observer);
        (report, history, self.population)
    }

    /// The initial population, then generation after generation, until the search has to end.
    fn run(
        &mut self,
        history: &mut Timeline,
        news: &mut News,
        observer: &mut dyn Observer,
    ) -> Result<(), Stop> {
        let mut watch = Watch::new(observer);
        if self.population.len() == 1 {
            self.initial_population()?;
        }
        let mut operation = None;
        loop {
            let depth = self.depth;
            operation = self.generation(operation)?;
            if watch.is_due(&self.search) {
                let line = self.line_to_play();
                self.publish(line.as_ref());
                news.follow(&self.search, line, observer);
                watch.sample(&self.search, observer);
            }
            if history.is_due(self.search.statistics.generations) {
                history.add(self.snapshot());
            }
            if self.depth > depth {
                self.search.depth = Some(depth as usize);
                news.announce(&self.search, &self.reported, observer);
                self.check_time(depth)?;
            }
        }
    }

    /// One generation: the operation is done at the end of the path, and the walk leads to the next
    /// one; `None` if the goal of the root is reached.
    fn generation(&mut self, operation: Option<Operation>) -> Result<Option<Operation>, Stop> {
        if let Some(operation) = operation {
            let nodes_before = self.nodes();
            let level = self.level();
            let done = self.perform(operation);
            // Mutation of the root counts the positions of each mutant by itself.
            if level > 0 {
                self.count_nodes(nodes_before);
            }
            done?;
            self.search.statistics.generations += 1;
            // A newborn leaves the path: it has no goal before its parent is surveyed.
            self.path.truncate(level + 1);
        } else {
            self.restart_path();
        }
        self.make_room();
        Ok(self.walk())
    }

    fn perform(&mut self, operation: Operation) -> Result<(), Stop> {
        self.move_board_to_end();
        match operation {
            Operation::ValueOrGrow => self.value_or_grow(),
            Operation::TestSingularity => self.test_singularity(),
            Operation::Breed(survey) => {
                if self.crossover(&survey)? {
                    return Ok(());
                }
                let before = self.nodes();
                let mutated = self.mutate(&survey);
                self.search.statistics.mutation_nodes += self.nodes() - before;
                mutated
            }
        }
    }

    /// Climbs from the end of the path as far as goals are reached, and descends to the node that
    /// breeds next. `None` if the goal of the root is reached.
    fn walk(&mut self) -> Option<Operation> {
        loop {
            let visit = self.end();
            let level = self.level();
            if self.population[visit.node].result.satisfies(visit.goal) {
                if level == 0 {
                    self.finish_iteration(visit.goal.depth);
                    return None;
                }
                self.path.pop();
                continue;
            }
            let Some(survey) = self.survey(visit, level) else {
                return Some(Operation::ValueOrGrow);
            };
            if let Some(result) = survey.outcome {
                self.resolve(&survey, result);
                continue;
            }
            if self.must_test_singularity(visit, level) {
                return Some(Operation::TestSingularity);
            }
            match survey.next {
                Some(next) => self.path.push(next),
                None => return Some(Operation::Breed(survey)),
            }
        }
    }

    /// Makes the root the end of the path.
    fn restart_path(&mut self) {
        self.path.clear();
        self.path.push(self.root_visit());
    }

    /// Every move of the root becomes a branch (section 4.1 of the paper, one level), and is scored
    /// by quiescence: exactly if it is better than those before it, else by a bound.
    fn initial_population(&mut self) -> Result<(), Stop> {
        self.restart_path();
        self.move_board_to_end();
        self.search.root_moves = self.moves_of_root();
        let Visit { node: root, goal } = self.root_visit();
        self.population[root].extends_check = self.local.is_extended();
        let mut alpha = goal.alpha;
        for mv in self.search.root_moves.clone() {
            let before = self.nodes();
            let score = self.initial_branch(mv, alpha);
            self.count_nodes(before);
            alpha = alpha.max(score?);
        }
        Ok(())
    }

    /// A move of the root becomes a branch. Returns its exact score, or alpha.
    fn initial_branch(&mut self, mv: ChessMove, alpha: Score) -> Result<Score, Stop> {
        self.restart_path();
        let child = self.add_child(mv, Origin::Initial)?;
        self.log_birth("initial population");
        if !self.population[child].is_terminal {
            self.path[1].goal = self.path[0].goal.child_full_window(0, alpha);
            self.value_or_grow()?;
        }
        let result = self.population[child].result.for_opponent();
        Ok(if result.is_exact(0) {
            result.score
        } else {
            alpha
        })
    }

    /// When the tree is nearly full, all nodes die that are below a child off the best line.
    fn make_room(&mut self) {
        if self.population.has_room_for(LEAST_ROOM) {
            return;
        }
        self.search.statistics.culls += 1;
        self.restart_path();
        let mut node = self.population.root();
        while let Some(best) = self.population.highest_child(node) {
            for child in self.population[node].children.clone() {
                if child != best {
                    self.collapse(child);
                }
            }
            node = best;
        }
    }

    /// Returns true if the singular test of the table's move is still to be made at this depth, or
    /// once more because the node has come onto the principal variation.
    fn must_test_singularity(&self, visit: Visit, level: usize) -> bool {
        let Visit { node, goal } = visit;
        let known = &self.population[node];
        let is_due = known.tested_depth < goal.depth
            || known.tested_depth == goal.depth && goal.is_pv() && !known.is_tested_as_pv;
        let depth = self.extended_depth(visit, level);
        level > 0 && is_due && self.local.tests_singularity(depth)
    }

    /// The root with its goal.
    fn root_visit(&self) -> Visit {
        let Aspiration { alpha, beta, .. } = self.window;
        let goal = Goal {
            depth: self.depth,
            alpha,
            beta,
        };
        Visit {
            node: self.population.root(),
            goal,
        }
    }

    /// The end of the path.
    fn end(&self) -> Visit {
        *self.path.last().expect("the path begins with the root")
    }

    /// Positions visited by this worker.
    fn nodes(&self) -> u64 {
        self.search.counter.nodes()
    }

    /// The level of the end of the path.
    fn level(&self) -> usize {
        self.path.len() - 1
    }

    /// Takes the local search to the end of the path.
    fn move_board_to_end(&mut self) {
        let genes = self
            .path
            .iter()
            .skip(1)
            .map(|visit| self.population[visit.node].gene);
        self.local.go_to(genes);
    }

    /// The moves of the root that are to be searched, the most promising first.
    fn moves_of_root(&self) -> MoveList {
        let mut moves = self.local.moves();
        moves.retain(|mv| self.search.root_moves.contains(mv));
        moves
    }

    /// Counts positions for the move of the root that the path begins with.
    fn count_nodes(&mut self, before: u64) {
        let used = self.nodes() - before;
        if let Some(visit) = self.path.get(1) {
            let gene = self.population[visit.node].gene;
            self.search.count_nodes(gene, used);
        }
    }
}

#[cfg(test)]
mod tests;

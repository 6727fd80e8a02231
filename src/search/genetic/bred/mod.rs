//! The bred search, which plays by default: a population of branches, valued by small alpha-beta
//! searches.
//!
//! ```text
//!              root                     Each node has a few children, oldest first, and a bound on all
//!            /   |   \                  other moves together: the unexpanded ones (u). A goal asks for
//!          Bf4  Be3   u                 the score of a node, or only whether it is better than alpha.
//!         /  \    :                     The branch with K = 0 is the line that would be played now: its
//!      dxc4   u                         score is exact, and every other branch is shown to be no better.
//!      /  \
//!    Bxc4  u
//! ```
//!
//! One generation (`Bred::generation`):
//!
//! 1. *Select*: a walk leads from the root, at each node to a child of which something has to be
//!    known that is not: the principal variation first (the best child, for its score), then the
//!    others (whether they are better). It ends at the end of a branch, or where all children are
//!    settled. It goes on from where the last generation ended. See `survey.rs`.
//! 2. *Breed*. The end of a branch is valued by a local search; where that would take more than
//!    `LeafNodes` positions, the branch *grows* by one gene. Where all children are settled,
//!    *crossover* tries the tail of a related branch; if that does not raise alpha, *mutation*
//!    tries each move that is not in the tree, one after the other: a mutant that raises alpha
//!    lives, one that is too large to be valued lives too, the others die at once.
//! 3. *Validate* by making the moves, and *value* by a local search: a small alpha-beta search
//!    takes the place of the quiescence branch that Dehghani and Babamir append.
//! 4. *Back up*: results rise towards the root as far as goals are reached.
//! 5. *Prune*: the least fit of the refuted children die.
//!
//! After the move played and the expected reply the next search goes on with the population behind
//! them (`kept.rs`), otherwise with an initial one.
//!
//! From the paper are branches of moves as chromosomes in one tree, an initial population of all
//! moves of the root, crossover and mutation validated by making the moves, Min-Max, and H - K + 1
//! as the fitness that reports show. Not from the paper is the selection: the paper breeds the
//! fittest, here that branch breeds whose score has to be known next, because scores of different
//! depths do not compare. Chance only draws the tails of crossover.
//!
//! An evolutionary algorithm whose individuals are improved by a local search is called *memetic*.

mod back_up;
mod crossover;
mod kept;
mod lines;
mod node;
mod operators;
mod survey;
mod view;

use super::history::Timeline;
use super::report::{News, Watch};
use super::search::Search;
use super::tree::Origin;
use crate::eval::Evaluator;
use crate::rules::position::MoveList;
use crate::search::alphabeta::local::{Goal, LocalSearch};
use crate::search::alphabeta::window::Aspiration;
use crate::search::{MAX_PLY, Observer, SearchReport, Stop, Thought};

pub use self::kept::Kept;
use self::node::{NodeId, Population};
use self::survey::{Survey, Visit};

/// Nodes that are free in the tree when a generation begins.
const LEAST_ROOM: usize = 2 * MAX_PLY;

/// The operation at the end of the path walked by selection.
enum Operation {
    /// The branch ends here: it is valued, or grows.
    Value,
    /// The best move may have no rival: its branch is searched deeper then.
    TestSingularity,
    /// Every child is settled: another move may be better.
    Breed(Survey),
    /// The root has a new goal: nothing breeds.
    NextIteration,
}

/// See the [module](self).
pub struct Bred<'a, E> {
    search: Search<'a, E>,
    local: LocalSearch<'a, E>,
    population: Population,
    /// The nodes from the root to where the search stands, each with its goal.
    path: Vec<Visit>,
    /// The depth of this iteration: the score of the best branch is to be exact to so many
    /// half-moves.
    depth: i32,
    /// The aspiration window of the root's score.
    window: Aspiration,
    /// Moves of the root that lead lines already found in this iteration, if several are wanted.
    excluded_root_moves: MoveList,
    /// The lines found in this iteration, the best first, and those of the last finished one.
    lines: Vec<Thought>,
    reported: Vec<Thought>,
    /// Iterations in a row in which the move to play has been the same.
    unchanged: u32,
    /// Positions visited for each move of the root when the last iteration ended.
    root_nodes_before: Vec<u64>,
    /// Decides when the search is over. Other workers go on until it ends.
    leads: bool,
}

impl<'a, E: Evaluator> Bred<'a, E> {
    /// The search of one of the workers. The first leads; every second one begins a half-move
    /// deeper.
    pub fn new(mut search: Search<'a, E>, local: LocalSearch<'a, E>, number: usize) -> Self {
        search.population = 1;
        let population = Population::new(search.tree.capacity());
        Bred {
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
            root_nodes_before: Vec::new(),
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
        (report, history, self.population)
    }

    /// The initial population, then generation after generation, until the search has to end.
    fn run(
        &mut self,
        history: &mut Timeline,
        news: &mut News,
        observer: &mut dyn Observer,
    ) -> Result<(), Stop> {
        let mut watch = Watch::default();
        if self.population.len() == 1 {
            self.initial_population()?;
        }
        let mut operation = Operation::NextIteration;
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

    /// One generation: the branch at the end of the path breeds, and what came of it is backed up
    /// on the way to the branch that breeds next.
    fn generation(&mut self, operation: Operation) -> Result<Operation, Stop> {
        let nodes_before = self.search.counter.nodes();
        let level = self.level();
        let bred = self.breed(operation);
        // Mutation of the root counts the positions of each mutant by itself.
        if level > 0 {
            self.count_nodes(nodes_before);
        }
        bred?;
        // Newborns have no goal yet: they get it from the survey of their parent.
        self.path.truncate(level + 1);
        self.make_room();
        Ok(self.walk())
    }

    fn breed(&mut self, operation: Operation) -> Result<(), Stop> {
        match operation {
            Operation::NextIteration => return Ok(()),
            Operation::Value => self.value_or_grow()?,
            Operation::TestSingularity => self.test_singularity()?,
            Operation::Breed(survey) => {
                if !self.crossover(&survey)? {
                    self.mutate(&survey)?;
                }
            }
        }
        self.search.statistics.generations += 1;
        Ok(())
    }

    /// Walks from where the path ends towards the root, as far as goals are reached, and from there
    /// to the end of the branch that breeds next.
    fn walk(&mut self) -> Operation {
        loop {
            let visit = self.end();
            let level = self.level();
            if self.population[visit.node].result.satisfies(visit.goal) {
                if level == 0 {
                    self.finish_iteration(visit.goal.depth);
                    self.go_to_root();
                    return Operation::NextIteration;
                }
                self.path.pop();
                continue;
            }
            let Some(survey) = self.survey(visit, level) else {
                return Operation::Value;
            };
            if let Some(result) = survey.outcome {
                self.resolve(visit, &survey, result);
                continue;
            }
            if self.must_test_singularity(visit, level) {
                return Operation::TestSingularity;
            }
            match survey.next {
                Some(next) => self.path.push(next),
                None => return Operation::Breed(survey),
            }
        }
    }

    /// Makes the root the end of the path.
    fn go_to_root(&mut self) {
        let node = self.population.root();
        let goal = self.root_goal();
        self.path.clear();
        self.path.push(Visit { node, goal });
    }

    /// Every move of the root becomes a branch (section 4.1 of the paper, one level), and is valued
    /// by quiescence: exactly if it is better than those before it, else by a bound.
    fn initial_population(&mut self) -> Result<(), Stop> {
        let root = self.population.root();
        self.path.clear();
        self.go_to_end();
        self.search.root_moves = self.moves_of_root();
        self.population[root].in_check = self.local.is_extended();
        let goal = self.root_goal();
        let mut alpha = goal.alpha;
        for mv in self.search.root_moves.clone() {
            let before = self.search.counter.nodes();
            self.path.clear();
            self.path.push(Visit { node: root, goal });
            let child = self.add_child(mv, Origin::Initial);
            self.log_birth("initial population");
            let valued = child.and_then(|child| {
                if self.population[child].is_terminal {
                    return Ok(());
                }
                self.path[1].goal = goal.pv(0, alpha);
                self.value_or_grow()
            });
            self.count_nodes(before);
            valued?;
            let result = self.population[self.path[1].node].result.for_opponent();
            if result.is_exact(0) {
                alpha = alpha.max(result.score);
            }
        }
        self.go_to_root();
        self.search.complete_root_moves = self.search.root_moves.len();
        Ok(())
    }

    /// When the tree is nearly full, all branches off the best one lose what they have grown.
    fn make_room(&mut self) {
        if self.population.has_room_for(LEAST_ROOM) {
            return;
        }
        self.search.statistics.culls += 1;
        self.go_to_root();
        let mut node = self.population.root();
        while let Some(best) = self.population.pv_child(node) {
            for child in self.population[node].children.clone() {
                if child != best {
                    self.collapse(child);
                }
            }
            node = best;
        }
    }

    /// Returns true if the move that the transposition table prefers was not compared with its
    /// rivals yet.
    fn must_test_singularity(&self, visit: Visit, level: usize) -> bool {
        let Visit { node, goal } = visit;
        let depth = goal.depth + self.check_extension(node, level);
        level > 0
            && self.local.tests_singularity(depth)
            && self.population[node].tested_depth < goal.depth
    }

    /// The goal of the root.
    fn root_goal(&self) -> Goal {
        let Aspiration { alpha, beta, .. } = self.window;
        Goal {
            depth: self.depth,
            alpha,
            beta,
        }
    }

    fn is_excluded(&self, child: NodeId) -> bool {
        let excluded = &self.excluded_root_moves;
        !excluded.is_empty() && excluded.contains(&self.population[child].gene)
    }

    /// The end of the path.
    fn end(&self) -> Visit {
        *self.path.last().expect("the path begins with the root")
    }

    /// The level of the end of the path.
    fn level(&self) -> usize {
        self.path.len() - 1
    }

    /// Takes the local search to the end of the path.
    fn go_to_end(&mut self) {
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
        let used = self.search.counter.nodes() - before;
        if let Some(visit) = self.path.get(1) {
            let gene = self.population[visit.node].gene;
            self.search.count_nodes(gene, used);
        }
    }
}

#[cfg(test)]
mod tests;

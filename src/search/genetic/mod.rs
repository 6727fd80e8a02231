//! The genetic search of Dehghani & Babamir (2017): branches of the game tree are chromosomes, kept in a reservation tree.
//!
//! ```text
//!                root                 A branch is a chromosome, a move a gene. Overlapping branches
//!               /    \                share nodes. A value stands where a branch ended, at a quiet
//!             e4      d4              position, and climbs as far as Min-Max lets it: a branch whose
//!            /  \       \             value climbs from its leaf up to level K has fitness H - K + 1.
//!          e5    c5      d5           The branch with K = 0 gave the root its value: its first move
//!          |     |       |            is the move to play.
//!         Nf3   Nc3     c4
//!         +12   +31     +8
//! ```
//!
//! One search: initial population, then generations of crossover and mutation until the deadline.

pub mod chromosome;
pub mod demonstration;
pub mod fitness;
pub mod history;
pub mod params;
pub mod population;
pub mod tree;

mod birth;
mod operators;

use chess::{ChessMove, Color};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use self::birth::{Fresh, Sprout};
use self::chromosome::Chromosome;
use self::history::{History, Snapshot};
use self::params::{GeneticOptions, InnerValue};
use self::tree::{NodeId, ReservationTree, Values};
use super::gate::Gate;
use super::{Clock, Limits, MAX_PLY, Observer, Progress, SearchReport, Searcher, Variation};
use crate::evaluation::Evaluator;
use crate::position::{Line, MoveList, Position};
use crate::score::Score;

/// Half-moves that are kept free for the quiescence line of a bred branch: an evasion, and then nothing but captures (30 at most, for the kings
/// stay) and promotions (16 at most). Quiescence stops at [`MAX_PLY`] in any case.
const QUIESCENCE_ROOM: usize = 48;
/// The greatest length of a bred branch, its quiescence line left out.
const LONGEST_BRED: usize = MAX_PLY - QUIESCENCE_ROOM;

/// Of the tree, if nothing else is said.
const DEFAULT_MEGABYTES: usize = 64;

/// Generations in a row without a new branch after which the search gives up: everything in reach is in the tree.
const BARREN_GENERATIONS: u32 = 200;

/// P doubles when fewer than one child in so many is new...
const SCARCE: u64 = 8;
/// ... and halves when more than one in so many is.
const PLENTY: u64 = 3;
/// Eight thousand parents take 7 MB.
const LARGEST_POPULATION: usize = 1 << 13;

/// What a search did, for reports and experiments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    pub generations: u64,
    /// Branches that ended where none had ended before, quiescence branches included.
    pub branches: u64,
    /// Children of crossover that entered the tree.
    pub crossovers: u64,
    /// Children of mutation that entered the tree.
    pub mutations: u64,
    /// Children with a move that cannot be made.
    pub illegal: u64,
    /// Children that were in the tree before.
    pub duplicates: u64,
    /// Children longer than branches may get.
    pub too_long: u64,
    /// How often the least fit branches had to make room.
    pub culls: u64,
    /// Nodes in the tree at the end.
    pub tree_nodes: u64,
    /// H at the end.
    pub height: u64,
}

impl Statistics {
    /// Children that entered the tree.
    pub fn births(&self) -> u64 {
        self.crossovers + self.mutations
    }

    /// Children that did not.
    pub fn stillborn(&self) -> u64 {
        self.illegal + self.duplicates + self.too_long
    }
}

/// The genetic search as a backend. See the [module](self).
pub struct Genetic<E> {
    evaluator: E,
    pub options: GeneticOptions,
    seed: u64,
    random: Xoshiro256PlusPlus,
    megabytes: usize,
    /// Made at the first search, kept for the next.
    tree: Option<ReservationTree>,
    /// Of the last search.
    history: History,
}

impl<E: Evaluator> Genetic<E> {
    /// A search with 64 MB and seed 1.
    pub fn new(evaluator: E, options: GeneticOptions) -> Self {
        let seed = 1;
        Genetic {
            evaluator,
            options,
            seed,
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
            megabytes: DEFAULT_MEGABYTES,
            tree: None,
            history: History::default(),
        }
    }

    /// Sets the seed of all randomness, from the next [`Searcher::new_game`] on: the same seed gives the same searches under node limits.
    pub fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// What the last search did.
    pub fn statistics(&self) -> Statistics {
        let end = self.history.snapshots().last();
        end.map(|snapshot| snapshot.statistics).unwrap_or_default()
    }

    /// How the last search developed.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The reservation tree as the last search left it.
    pub fn tree(&self) -> Option<&ReservationTree> {
        self.tree.as_ref()
    }
}

impl<E: Evaluator> Searcher for Genetic<E> {
    fn search(
        &mut self,
        root: &Position,
        limits: &Limits,
        clock: &Clock,
        observer: &mut dyn Observer,
    ) -> SearchReport {
        let capacity = ReservationTree::capacity_of(self.megabytes);
        let tree = self.tree.get_or_insert_with(|| {
            let tree = ReservationTree::with_capacity(capacity);
            if tree.capacity() < capacity {
                observer.short_of_memory(self.megabytes * tree.capacity() / capacity);
            }
            tree
        });
        let values = match self.options.inner_value {
            InnerValue::Changed => Values::Changed,
            InnerValue::Regular => Values::Regular,
        };
        tree.clear(root.side_to_move() == Color::White, values);
        let mut run = Run::new(
            &self.evaluator,
            &self.options,
            tree,
            &mut self.random,
            root,
            limits,
            clock,
        );
        let report = run.search(observer);
        self.history = run.finish();
        report
    }

    fn new_game(&mut self) {
        self.random = Xoshiro256PlusPlus::seed_from_u64(self.seed);
    }

    fn set_memory(&mut self, megabytes: usize) {
        if megabytes != self.megabytes {
            self.megabytes = megabytes;
            self.tree = None;
        }
    }
}

/// One search of one position.
struct Run<'a, E> {
    evaluator: &'a E,
    options: &'a GeneticOptions,
    tree: &'a mut ReservationTree,
    random: &'a mut Xoshiro256PlusPlus,
    gate: Gate<'a>,
    root_moves: MoveList,
    /// The search goes on when nothing is left to decide.
    infinite: bool,
    /// Root moves whose part of the initial population is complete.
    complete_root_moves: usize,
    /// The root's value by quiescence alone, White's point of view.
    first_guess: Score,
    /// The greatest length of a bred branch in this search.
    longest: usize,
    /// P now: how many branches breed.
    population: usize,
    /// The last birth found no room.
    full: bool,
    statistics: Statistics,
    history: History,
    /// Boards and nodes from the root to where births happen; `path` has the root in front, as `line` does.
    line: Line,
    path: Vec<NodeId>,
    // Buffers of births, kept so that none allocates.
    fresh: Vec<Fresh>,
    sprouts: Vec<Sprout>,
    sprouts_used: usize,
    side: Vec<NodeId>,
}

impl<'a, E: Evaluator> Run<'a, E> {
    fn new(
        evaluator: &'a E,
        options: &'a GeneticOptions,
        tree: &'a mut ReservationTree,
        random: &'a mut Xoshiro256PlusPlus,
        root: &Position,
        limits: &Limits,
        clock: &'a Clock,
    ) -> Self {
        let longest = limits
            .depth
            .map_or(LONGEST_BRED, |depth| (depth.max(1) as usize).min(LONGEST_BRED));
        Run {
            evaluator,
            options,
            path: vec![tree.root()],
            tree,
            random,
            gate: Gate::new(limits, clock),
            root_moves: limits.root_moves(root),
            infinite: limits.infinite,
            complete_root_moves: 0,
            first_guess: Score::DRAW,
            longest,
            population: options.population as usize,
            full: false,
            statistics: Statistics::default(),
            history: History::default(),
            line: Line::new(root),
            fresh: Vec::new(),
            sprouts: Vec::new(),
            sprouts_used: 0,
            side: Vec::new(),
        }
    }

    /// The paper's steps 2 to 5.
    fn search(&mut self, observer: &mut dyn Observer) -> SearchReport {
        if population::initial(self).is_some() {
            self.generations(observer);
        }
        self.report()
    }

    fn generations(&mut self, observer: &mut dyn Observer) {
        let mut parents = Vec::new();
        let mut news = News::default();
        let mut barren = 0;
        self.announce(&mut news, observer);
        self.take_down();
        while barren < BARREN_GENERATIONS && !self.is_decided() {
            let before = self.statistics;
            population::select(
                self.tree,
                self.options,
                self.population,
                self.random,
                &mut parents,
            );
            let alive = operators::breed(self, &parents);
            self.statistics.generations += 1;
            self.announce(&mut news, observer);
            barren = if self.statistics.branches == before.branches {
                barren + 1
            } else {
                0
            };
            self.adapt_population(&before);
            if self.history.is_due(self.statistics.generations) {
                self.take_down();
            }
            if alive.is_none() || (self.full && !self.make_room()) {
                break;
            }
        }
    }

    /// When the neighbourhood of the fittest is exhausted, more branches breed; when it is fruitful again, fewer.
    fn adapt_population(&mut self, before: &Statistics) {
        if !self.options.population_grows {
            return;
        }
        let (now, least) = (&self.statistics, self.options.population as usize);
        let born = now.births() - before.births();
        let conceived = born + now.stillborn() - before.stillborn();
        if born * SCARCE < conceived {
            self.population = (self.population * 2).min(LARGEST_POPULATION);
        } else if born * PLENTY > conceived {
            self.population = (self.population / 2).max(least);
        }
    }

    /// Whether there is nothing left to decide.
    fn is_decided(&self) -> bool {
        let mate_at_once = self.for_mover(self.root_value()) >= Score::mate_in(1);
        let nothing_to_decide = self.root_moves.len() <= 1 || mate_at_once;
        nothing_to_decide && !self.infinite
    }

    /// `None` when the search has to end, or has reached its soft deadline.
    fn look(&mut self) -> Option<()> {
        self.gate.check_clock()?;
        (!self.gate.clock().should_stop(self.gate.nodes())).then_some(())
    }

    fn is_initial_complete(&self) -> bool {
        self.complete_root_moves == self.root_moves.len()
    }

    /// The least fit branches die; parents are chosen anew afterwards.
    fn make_room(&mut self) -> bool {
        self.statistics.culls += 1;
        self.full = false;
        self.walk_to(&[], &[]);
        let gate = &mut self.gate;
        self.tree.cull(|| gate.check_clock().is_some())
    }

    fn draw<'p>(&mut self, parents: &'p [Chromosome]) -> &'p Chromosome {
        &parents[self.random.random_range(0..parents.len())]
    }

    /// White's point of view; a draw while nothing is known.
    fn root_value(&self) -> Score {
        self.tree.value(self.tree.root()).unwrap_or_default()
    }

    /// A value from White's point of view for the side to move at the root.
    fn for_mover(&self, value: Score) -> Score {
        if self.root_board().side_to_move() == Color::White {
            value
        } else {
            -value
        }
    }

    /// The best branch: K = 0.
    fn best_line(&self) -> Variation {
        self.tree
            .best_branch(self.tree.root())
            .skip(1)
            .map(|node| self.tree.gene(node))
            .collect()
    }

    /// Tells the observer if the move to play or the outlook changed enough to be worth a line.
    fn announce(&self, news: &mut News, observer: &mut dyn Observer) {
        let variation = self.best_line();
        let value = self.root_value();
        if !news.is_due(variation.first().copied(), value, self.statistics.generations) {
            return;
        }
        observer.progress(&Progress {
            depth: variation.len() as u32,
            selective_depth: self.tree.height() as u32,
            score: self.for_mover(value),
            bound: super::Bound::Exact,
            time: self.gate.clock().elapsed(self.gate.nodes()),
            nodes: self.gate.nodes(),
            variation: &variation,
        });
    }

    fn report(&self) -> SearchReport {
        let (variation, score) = if self.is_initial_complete() {
            (self.best_line(), self.root_value())
        } else {
            self.best_of_the_complete()
        };
        SearchReport {
            depth: variation.len() as u32,
            variation,
            score: self.for_mover(score),
            selective_depth: self.tree.height() as u32,
            nodes: self.gate.nodes(),
            branches: self.statistics.branches,
        }
    }

    /// The clock cut the initial population short: only root moves with all their replies can be compared. Without any, the first move
    /// has to do.
    fn best_of_the_complete(&self) -> (Variation, Score) {
        let best = population::best_complete(self).or(self.root_moves.first().copied());
        let node = best.and_then(|mv| self.tree.child(self.tree.root(), mv));
        let branch = node.into_iter().flat_map(|node| self.tree.best_branch(node));
        let mut variation: Variation = branch.map(|node| self.tree.gene(node)).collect();
        if variation.is_empty() {
            variation.extend(best);
        }
        (
            variation,
            node.and_then(|node| self.tree.value(node)).unwrap_or_default(),
        )
    }

    fn take_down(&mut self) {
        let best = self.tree.best_child(self.tree.root());
        self.history.add(Snapshot {
            statistics: Statistics {
                tree_nodes: self.tree.len() as u64,
                height: self.tree.height() as u64,
                ..self.statistics
            },
            population: self.population,
            nodes: self.gate.nodes(),
            best: best.map(|node| self.tree.gene(node)),
            value: self.for_mover(self.root_value()),
        });
    }

    fn finish(mut self) -> History {
        self.take_down();
        self.history
    }
}

/// Decides which changes are worth a thinking line, without looking at the clock.
#[derive(Default)]
struct News {
    mv: Option<ChessMove>,
    value: Score,
    generation: u64,
}

impl News {
    fn is_due(&mut self, mv: Option<ChessMove>, value: Score, generation: u64) -> bool {
        // A new move at once; a new value when an eighth of the search has gone by since the last line; the same
        // line again each time the search has doubled.
        let age = generation - self.generation.min(generation);
        let due = mv != self.mv
            || (value != self.value && age * 8 >= generation)
            || (age > 0 && age * 2 >= generation);
        if due {
            *self = News {
                mv,
                value,
                generation,
            };
        }
        due
    }
}

#[cfg(test)]
mod tests;

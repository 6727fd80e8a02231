//! One search of one position: its tools, its counts, and the state of the root.

use chess::{Board, ChessMove, Color};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, RngExt};

use super::paper::success::{Slot, Success};
use super::params::{GeneticOptions, InnerValue, Leaves, MutationMove, Selection};
use super::statistics::{Snapshot, Statistics};
use super::tree::ReservationTree;
use crate::eval::Evaluator;
use crate::rules::position::{MoveList, Position};
use crate::rules::score::Score;
use crate::search::{Clock, Limits, LineKeeper, MAX_PLY, NodeCounter, Quiescence, Stop, Variation};

/// Half-moves kept free for the quiescence line of a branch: an evasion, then nothing but
/// captures (30 at most, for the kings stay) and promotions (16 at most); `LineEvasions` may need
/// more. Quiescence stops at [`MAX_PLY`] in any case.
const QUIESCENCE_ROOM: usize = 48;
/// The greatest length of a branch, its quiescence line left out.
pub const LONGEST_BRANCH: usize = MAX_PLY - QUIESCENCE_ROOM;

/// See the [module](self).
pub struct Search<'a, E> {
    pub evaluator: &'a E,
    pub options: &'a GeneticOptions,
    /// The reservation tree; in the default search the copy of its tree that reports show.
    pub tree: &'a mut ReservationTree,
    pub random: &'a mut Xoshiro256PlusPlus,
    pub limits: &'a Limits,
    pub counter: NodeCounter<'a>,
    /// The root moves allowed by the limits.
    pub root_moves: MoveList,
    /// Nodes visited for the branches of each root move.
    pub root_nodes: Vec<u64>,
    /// To move at the root.
    side: Color,
    /// The search is to choose a move: see [`Limits::ask_for_a_choice`].
    pub chooses: bool,
    /// The number of root moves, in their order, with their whole part of the initial population in
    /// the tree.
    pub complete_root_moves: usize,
    /// The greatest length of a branch in this search. The default search ends with the iteration
    /// of this depth.
    pub longest: usize,
    /// P at this moment: how many branches breed.
    pub parents: usize,
    pub statistics: Statistics,
    /// The depth of the search, if branches end with alpha-beta searches; else the depth is the
    /// length of the best branch.
    pub depth: Option<usize>,

    // What follows is set by `paper` and `letter` alone.
    /// The root's value by quiescence alone, from White's point of view.
    pub first_guess: Score,
    /// The success of moves, if mutation draws by it.
    pub success: Option<Success>,
    /// The last move before the root.
    pub last: Option<Slot>,
    /// The last birth found no room in the tree.
    pub full: bool,
}

impl<'a, E> Search<'a, E> {
    pub fn new(
        evaluator: &'a E,
        options: &'a GeneticOptions,
        tree: &'a mut ReservationTree,
        random: &'a mut Xoshiro256PlusPlus,
        root: &Position,
        limits: &'a Limits,
        clock: &'a Clock,
    ) -> Self {
        let longest = limits.depth.map_or(LONGEST_BRANCH, |depth| {
            (depth.max(1) as usize).min(LONGEST_BRANCH)
        });
        let root_moves = limits.root_moves(root);
        // The default search draws no parents, and what an end was worth counts until
        // all its moves are there.
        let is_papers = options.leaves == Leaves::Quiescence;
        tree.clear(
            root.side_to_move() == Color::White,
            if is_papers {
                options.inner_value
            } else {
                InnerValue::Changed
            },
        );
        if is_papers && options.selection != Selection::Contested {
            tree.remember_parents();
        }
        tree.count_moves(tree.root(), root_moves.len());
        Search {
            evaluator,
            options,
            tree,
            random,
            limits,
            counter: NodeCounter::new(limits, clock),
            root_nodes: vec![0; root_moves.len()],
            root_moves,
            side: root.side_to_move(),
            chooses: limits.ask_for_a_choice(root),
            complete_root_moves: 0,
            first_guess: Score::DRAW,
            longest,
            parents: options.population as usize,
            success: (is_papers && options.mutation_move == MutationMove::Successful)
                .then(Success::new),
            last: root.last_move().map(|(before, mv)| Slot::of(before, mv)),
            full: false,
            statistics: Statistics::default(),
            depth: None,
        }
    }

    /// `Stop` when the search has to end, or has reached its soft deadline.
    pub fn check_clock(&mut self) -> Result<(), Stop> {
        self.counter.check_clock()?;
        if self.counter.clock().should_stop(self.counter.all_nodes()) {
            return Err(Stop);
        }
        Ok(())
    }

    pub fn is_initial_complete(&self) -> bool {
        self.complete_root_moves == self.root_moves.len()
    }

    /// White's point of view; a draw while nothing is known.
    pub fn root_value(&self) -> Score {
        self.tree.value(self.tree.root()).unwrap_or_default()
    }

    /// Turns a value from White's point of view into one from the side to move at the root, or
    /// back.
    pub fn for_mover(&self, value: Score) -> Score {
        for_side(self.side, value)
    }

    /// The value of a position at the end of its quiescence `line`, with a window; all from its
    /// side to move. `Stop` if the search has to end.
    pub fn quiescence<L: LineKeeper>(
        &mut self,
        board: &Board,
        level: usize,
        (alpha, beta): (Score, Score),
        line: &mut L,
    ) -> Result<Score, Stop>
    where
        E: Evaluator,
    {
        let search = Quiescence {
            evaluator: self.evaluator,
            counter: &mut self.counter,
            evaluation: None,
            correction: 0,
            evades: self.options.line_evasions,
        };
        search.value(board, level, alpha, beta, line)
    }

    /// The first gene of the best branch.
    pub fn best_gene(&self) -> Option<ChessMove> {
        self.tree
            .best_child(self.tree.root())
            .map(|node| self.tree.gene(node))
    }

    /// The genes of the best branch, the one with K = 0.
    pub fn best_line(&self) -> Variation {
        let branch = self
            .tree
            .best_branch(self.tree.root())
            .skip(1)
            .map(|node| self.tree.gene(node));
        branch.take(MAX_PLY).collect()
    }

    /// Counts `nodes` for the branches of a root move.
    pub fn count_nodes(&mut self, first: ChessMove, nodes: u64) {
        if let Some(index) = self.root_moves.iter().position(|&mv| mv == first) {
            self.root_nodes[index] += nodes;
        }
    }

    /// The moves of the root, and how many nodes were visited for the branches of each.
    pub fn effort(&self) -> Vec<(ChessMove, u64)> {
        self.root_moves
            .iter()
            .copied()
            .zip(self.root_nodes.iter().copied())
            .collect()
    }

    /// The state at this moment, for the history.
    pub fn snapshot(&self) -> Snapshot {
        let value = self.for_mover(self.root_value());
        self.snapshot_of(self.best_gene(), value, self.tree.len(), self.tree.height())
    }

    /// The state at this moment, with the move to play, its value for the side to move, and the
    /// size of the tree.
    pub fn snapshot_of(
        &self,
        best: Option<ChessMove>,
        value: Score,
        tree_nodes: usize,
        height: usize,
    ) -> Snapshot {
        let index = self.root_moves.iter().position(|&mv| Some(mv) == best);
        Snapshot {
            statistics: Statistics {
                best_nodes: index.map_or(0, |index| self.root_nodes[index]),
                tree_nodes: tree_nodes as u64,
                height: height as u64,
                ..self.statistics
            },
            population: self.parents,
            nodes: self.counter.nodes(),
            best,
            value,
        }
    }
}

/// Turns a value from White's point of view into one from `side`, or back.
pub fn for_side(side: Color, value: Score) -> Score {
    if side == Color::White { value } else { -value }
}

/// Any of `items`, each with the same chance.
pub fn draw<'i, T>(random: &mut impl Rng, items: &'i [T]) -> Option<&'i T> {
    (!items.is_empty()).then(|| &items[random.random_range(0..items.len())])
}

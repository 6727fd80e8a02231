//! One search of one position: what it works with, what it has counted, and what it knows at any moment.

use std::cmp::Reverse;

use chess::{Board, ChessMove, Color};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, RngExt};

use super::history::{Snapshot, Statistics};
use super::params::{GeneticOptions, InnerValue, Leaves, MutationMove, Selection};
use super::success::Success;
use super::tree::ReservationTree;
use crate::evaluation::Evaluator;
use crate::position::{MoveList, Position};
use crate::score::Score;
use crate::search::prior::{Prior, Slot};
use crate::search::{Clock, Limits, LineKeeper, MAX_PLY, NodeCounter, Quiescence, Thought, Variation};

/// Half-moves that are kept free for the quiescence line of a bred branch: an evasion, then nothing but
/// captures (30 at most, for the kings stay) and promotions (16 at most); `LineEvasions` may need more.
/// Quiescence stops at [`MAX_PLY`] in any case.
const QUIESCENCE_ROOM: usize = 48;
/// The greatest length of a bred branch, its quiescence line left out.
pub const LONGEST_BRED: usize = MAX_PLY - QUIESCENCE_ROOM;

/// See the [module](self).
pub struct Search<'a, E> {
    pub evaluator: &'a E,
    pub options: &'a GeneticOptions,
    pub tree: &'a mut ReservationTree,
    pub random: &'a mut Xoshiro256PlusPlus,
    pub limits: &'a Limits,
    pub counter: NodeCounter<'a>,
    /// The legal moves at the root that the limits allow.
    pub root_moves: MoveList,
    /// Positions visited for the branches that begin with each of them.
    pub root_nodes: Vec<u64>,
    /// To move at the root.
    side: Color,
    /// It is to choose a move: see [`Limits::ask_for_a_choice`].
    pub chooses: bool,
    /// Other workers search other root moves.
    pub is_part: bool,
    /// How many root moves, in their order, have their whole part of the initial population in the tree.
    pub complete_root_moves: usize,
    /// The root's value by quiescence alone, from White's point of view.
    pub first_guess: Score,
    /// The greatest length of a bred branch in this search.
    pub longest: usize,
    /// P at this moment: how many branches breed.
    pub population: usize,
    /// What others answered, for mutation.
    pub prior: Option<&'a Prior>,
    /// What mutation learns, if it draws by it.
    pub success: Option<Success>,
    /// The move that led to the root.
    pub last: Option<Slot>,
    /// Branches of the initial population besides all moves.
    pub seeds: Vec<Variation>,
    /// The last birth found no room in the tree.
    pub full: bool,
    pub statistics: Statistics,
    /// The depth of the search, where branches end with alpha-beta searches; else it is the length of the
    /// best branch.
    pub depth: Option<usize>,
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
        let longest = limits.depth.map_or(LONGEST_BRED, |depth| (depth.max(1) as usize).min(LONGEST_BRED));
        let root_moves = limits.root_moves(root);
        // With alpha-beta at the leaves no branch is drawn, and what an end was worth counts until all its
        // moves are there.
        let breeds = options.leaves == Leaves::Quiescence;
        tree.clear(
            root.side_to_move() == Color::White,
            if breeds { options.inner_value } else { InnerValue::Changed },
        );
        if breeds && options.selection != Selection::Contested {
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
            is_part: false,
            complete_root_moves: 0,
            first_guess: Score::DRAW,
            longest,
            population: options.population as usize,
            prior: None,
            success: (breeds && options.mutation_move == MutationMove::Successful).then(Success::new),
            last: root.last_move().map(|(before, mv)| Slot::of(before, mv)),
            seeds: Vec::new(),
            full: false,
            statistics: Statistics::default(),
            depth: None,
        }
    }

    /// `None` when the search has to end, or has reached its soft deadline.
    pub fn check_clock(&mut self) -> Option<()> {
        self.counter.check_clock()?;
        (!self.counter.clock().should_stop(self.counter.all_nodes())).then_some(())
    }

    pub fn is_initial_complete(&self) -> bool {
        self.complete_root_moves == self.root_moves.len()
    }

    /// Whether there is nothing left to decide. Nobody waits for the only move while there is no deadline.
    pub fn is_decided(&self) -> bool {
        let mate_at_once = self.for_mover(self.root_value()) >= Score::mate_in(1);
        let is_forced =
            self.root_moves.len() == 1 && self.chooses && !self.is_part && self.counter.clock().is_limited();
        (is_forced || mate_at_once || self.root_moves.is_empty()) && !self.limits.infinite
    }

    /// White's point of view; a draw while nothing is known.
    pub fn root_value(&self) -> Score {
        self.tree.value(self.tree.root()).unwrap_or_default()
    }

    /// Turns a value from White's point of view into one from that of the side to move at the root, or back.
    pub fn for_mover(&self, value: Score) -> Score {
        for_side(self.side, value)
    }

    /// The value of a position at the end of its quiescence `line`, with a window; all from its side to move.
    /// `None` if the search has to end.
    pub fn quiescence<L: LineKeeper>(
        &mut self,
        board: &Board,
        level: usize,
        (alpha, beta): (Score, Score),
        line: &mut L,
    ) -> Option<Score>
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

    /// The quiescence window round the root's value, from White's point of view. What lies outside is only a
    /// bound, which seldom decides; where it gives the root its value, the line is searched again.
    pub fn window(&self) -> (Score, Score) {
        let width = self.options.quiescence_window as i32;
        // While the initial population is being made, the root's value is that of its first few moves.
        let centre = if self.is_initial_complete() { self.root_value() } else { self.first_guess };
        if width == 0 || centre.is_mate() {
            (-Score::INFINITE, Score::INFINITE)
        } else {
            (centre - width, centre + width)
        }
    }

    /// The first gene of the best branch.
    pub fn best_gene(&self) -> Option<ChessMove> {
        self.tree.best_child(self.tree.root()).map(|node| self.tree.gene(node))
    }

    /// The genes of the best branch, the one with K = 0.
    pub fn best_line(&self) -> Variation {
        let branch = self.tree.best_branch(self.tree.root()).skip(1).map(|node| self.tree.gene(node));
        branch.take(MAX_PLY).collect()
    }

    /// The best branch of each of the best root moves, as many as are wanted. The first is the one
    /// with K = 0.
    pub fn best_lines(&self) -> Vec<Thought> {
        let wanted = self.limits.lines;
        let exact = |variation, score| Thought { variation, score, ..Thought::default() };
        let best_line = exact(self.best_line(), self.for_mover(self.root_value()));
        if wanted <= 1 {
            return vec![best_line];
        }
        let (tree, root) = (&self.tree, self.tree.root());
        let best = tree.best_child(root);
        let mut others: Vec<_> = tree
            .children(root)
            .filter(|&child| best != Some(child))
            .filter_map(|child| Some((child, self.for_mover(tree.value(child)?))))
            .collect();
        // The newest child is the first. Equals keep the order in which they were born.
        others.reverse();
        others.sort_by_key(|&(_, value)| Reverse(value));
        let genes = |child| tree.best_branch(child).map(|node| tree.gene(node)).collect();
        let others = others.into_iter().map(|(child, value)| exact(genes(child), value));
        std::iter::once(best_line).chain(others).take(wanted).collect()
    }

    /// Counts `nodes` for the branches that begin with a root move.
    pub fn count_nodes(&mut self, first: ChessMove, nodes: u64) {
        if let Some(index) = self.root_moves.iter().position(|&mv| mv == first) {
            self.root_nodes[index] += nodes;
        }
    }

    /// The moves of the root, and how many positions were visited for the branches of each.
    pub fn effort(&self) -> Vec<(ChessMove, u64)> {
        self.root_moves.iter().copied().zip(self.root_nodes.iter().copied()).collect()
    }

    /// How many centipawns are taken off the contest of each move of the root: see
    /// [`GeneticOptions::effort_discount`].
    pub fn discounts(&self) -> Vec<(ChessMove, i32)> {
        let best = self.best_gene();
        let effort = self.effort();
        let of_best = effort.iter().find(|&&(mv, _)| Some(mv) == best).map_or(0, |&(_, nodes)| nodes);
        let halvings = |nodes: u64| (of_best / nodes.max(1)).checked_ilog2().unwrap_or(0);
        let discount = |nodes| halvings(nodes) as i32 * self.options.effort_discount as i32;
        effort.into_iter().map(|(mv, nodes)| (mv, discount(nodes))).collect()
    }

    /// The state at this moment, for the history.
    pub fn snapshot(&self) -> Snapshot {
        let best = self.best_gene();
        let index = self.root_moves.iter().position(|&mv| Some(mv) == best);
        Snapshot {
            statistics: Statistics {
                best_nodes: index.map_or(0, |index| self.root_nodes[index]),
                tree_nodes: self.tree.len() as u64,
                height: self.tree.height() as u64,
                ..self.statistics
            },
            population: self.population,
            nodes: self.counter.nodes(),
            best,
            value: self.for_mover(self.root_value()),
        }
    }
}

/// Turns a value from White's point of view into one from that of `side`, or back.
pub fn for_side(side: Color, value: Score) -> Score {
    if side == Color::White { value } else { -value }
}

/// Any of `items`, each with the same chance.
pub fn draw<'i, T>(random: &mut impl Rng, items: &'i [T]) -> Option<&'i T> {
    (!items.is_empty()).then(|| &items[random.random_range(0..items.len())])
}

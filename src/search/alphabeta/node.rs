//! The recursion: one position of the alpha-beta search.

use arrayvec::ArrayVec;
use chess::{Board, ChessMove, EMPTY};

use super::history::{self, Arrival, History};
use super::margins;
use super::options::AlphaBetaOptions;
use super::ordering::{Hints, Picker, Ranked, Stage};
use super::pruning::quiets_are_hopeless;
use super::table::{Entry, Table};
use super::window::Window;
use crate::evaluation::{Evaluator, evaluate_for_mover};
use crate::position::Line;
use crate::search::{Bound, Gate, LineKeeper, MAX_PLY, Score, quiescence};

/// Everything one search works with.
pub(super) struct Worker<'a, E> {
    pub evaluator: &'a E,
    pub options: &'a AlphaBetaOptions,
    pub table: &'a mut Table,
    pub history: &'a mut History,
    pub gate: Gate<'a>,
    pub line: Line,
    pub path: [Step; MAX_PLY + 1],
}

/// What the search remembers of a half-move of the line it is in.
#[derive(Clone, Copy, Default)]
pub(super) struct Step {
    /// Static evaluation of the position from its side to move; `None` in check.
    evaluation: Option<Score>,
    /// The move that was made here; `None` for a null move.
    pub made: Option<Arrival>,
}

/// What a node knows about itself before it looks at moves.
pub(super) struct Node {
    pub ply: usize,
    pub depth: i32,
    pub in_check: bool,
    /// The static evaluation, corrected by what the table knows; meaningless in check.
    pub evaluation: Score,
    /// Better than at the side's last turn: less is pruned.
    pub improving: bool,
    table_move: Option<ChessMove>,
}

impl<E: Evaluator> Worker<'_, E> {
    /// The value of the position at the end of the line, from its side to move, fail-soft; `None` if the search has to end.
    ///
    /// `L` says whether the line of best play is wanted: it is in nodes of the principal variation, whose window is
    /// open. The caller has counted the position at the gate.
    pub fn node<L: LineKeeper>(&mut self, window: Window, depth: i32, best_line: &mut L) -> Option<Score> {
        best_line.clear();
        if self.line.is_draw() {
            return Some(Score::DRAW);
        }
        let ply = self.line.ply();
        let in_check = *self.line.board().checkers() != EMPTY;
        let depth = depth + i32::from(in_check && self.options.check_extension);
        if depth <= 0 || ply + 1 >= MAX_PLY {
            return self.horizon(window, best_line);
        }
        let mut window = window;
        if self.options.mate_distance {
            window = window.within_mates(ply);
            if window.is_empty() {
                return Some(window.alpha);
            }
        }

        let known = self.probe(ply);
        if let Some(known) = &known
            && !L::KEEPS
            && known.depth >= depth
            && settles(known, window)
            && self.line.halfmove_clock() < 90
        {
            return Some(known.score);
        }

        let (raw_evaluation, evaluation) = self.evaluate(in_check, known.as_ref());
        self.path[ply].evaluation = raw_evaluation;
        let mut node = Node {
            ply,
            depth,
            in_check,
            evaluation,
            improving: raw_evaluation.is_some_and(|now| self.is_improving(ply, now)),
            table_move: known.and_then(|known| known.mv),
        };
        if !L::KEEPS
            && !in_check
            && let Some(score) = self.refuted_without_moves(&node, window)?
        {
            return Some(score);
        }
        // Internal iterative reduction (Schroeder 2020): a position that the table does not know is not worth its full depth
        // yet. If it matters it comes again.
        if self.options.iterative_reduction
            && self.options.transposition_table
            && known.is_none()
            && node.depth >= margins::ITERATIVE_REDUCTION_DEPTH
        {
            node.depth -= 1;
        }
        let (score, bound, mv) = self.best_move(&node, window, best_line)?;
        if self.options.transposition_table {
            let entry = Entry {
                mv,
                score,
                bound,
                evaluation: raw_evaluation,
                depth: node.depth,
            };
            self.table.store(self.line.key(), ply, entry);
        }
        Some(score)
    }

    /// A leaf of the tree proper: the table may know it from another way here.
    fn horizon<L: LineKeeper>(&mut self, window: Window, best_line: &mut L) -> Option<Score> {
        let ply = self.line.ply();
        if !L::KEEPS
            && let Some(known) = self.probe(ply)
            && settles(&known, window)
        {
            return Some(known.score);
        }
        let score = self.quiescence(window, best_line)?;
        if self.options.transposition_table {
            let entry = Entry {
                mv: None,
                score,
                bound: window.bound_of(score),
                evaluation: None,
                depth: 0,
            };
            self.table.store(self.line.key(), ply, entry);
        }
        Some(score)
    }

    pub fn quiescence<L: LineKeeper>(&mut self, window: Window, best_line: &mut L) -> Option<Score> {
        let (board, ply) = (self.line.board(), self.line.ply());
        quiescence(
            self.evaluator,
            &mut self.gate,
            board,
            ply,
            window.alpha,
            window.beta,
            best_line,
        )
    }

    fn probe(&self, ply: usize) -> Option<Entry> {
        if self.options.transposition_table {
            self.table.probe(self.line.key(), ply)
        } else {
            None
        }
    }

    /// The static evaluation, if there is one, and the best guess at the position's value that costs nothing.
    fn evaluate(&self, in_check: bool, known: Option<&Entry>) -> (Option<Score>, Score) {
        if in_check {
            return (None, -Score::INFINITE);
        }
        let raw = known
            .and_then(|known| known.evaluation)
            .unwrap_or_else(|| evaluate_for_mover(self.evaluator, self.line.board()));
        let better = known.filter(|known| {
            !known.score.is_mate()
                && match known.bound {
                    Bound::Exact => true,
                    Bound::Lower => known.score > raw,
                    Bound::Upper => known.score < raw,
                }
        });
        (Some(raw), better.map_or(raw, |known| known.score))
    }

    /// Whether the side to move stands better than at its last turn, or the one before if it was in check.
    fn is_improving(&self, ply: usize, now: Score) -> bool {
        let earlier = |back: usize| ply.checked_sub(back).and_then(|ply| self.path[ply].evaluation);
        earlier(2).or_else(|| earlier(4)).is_none_or(|then| now > then)
    }

    /// Searches the moves of a node: its value, what kind of value that is, and the move to remember.
    fn best_move<L: LineKeeper>(
        &mut self,
        node: &Node,
        window: Window,
        best_line: &mut L,
    ) -> Option<(Score, Bound, Option<ChessMove>)> {
        let board = *self.line.board();
        let hints = Hints {
            table_move: node.table_move,
            killers: if self.options.killers {
                self.history.killers(node.ply)
            } else {
                [None; 2]
            },
            before: self.moves_before(node.ply),
        };
        let mut picker = Picker::empty();
        picker.fill(&board, &hints, self.history, self.options);
        if picker.len() == 0 {
            let score = if node.in_check {
                Score::mated_in(node.ply)
            } else {
                Score::DRAW
            };
            return Some((score, Bound::Exact, None));
        }

        let mut open = window;
        let mut best = -Score::INFINITE;
        let mut best_move = None;
        let mut rest = L::empty();
        let mut quiets_tried = ArrayVec::<Ranked, 64>::new();
        let mut index = 0;
        // Near the leaves of lines that are not the principal one, once a move has saved the side from mate.
        let may_prune = self.options.shallow_pruning && !L::KEEPS;
        let mut quiets_are_left = true;
        while let Some(ranked) = picker.next(&board) {
            if may_prune && !best.is_lost() && index > 0 {
                if quiets_are_left && quiets_are_hopeless(node, open, index) {
                    quiets_are_left = false;
                    picker.drop_quiets(&board);
                    if ranked.stage == Stage::Quiet && !ranked.attacks_king(&board) {
                        continue;
                    }
                }
                if self.loses_material(node, &board, &ranked) {
                    continue;
                }
            }
            self.gate.enter(node.ply + 1)?;
            self.path[node.ply].made = Some(Arrival::new(board.side_to_move(), ranked.piece, ranked.mv));
            self.line.make(ranked.mv);
            let score = self.search_move(node, open, &ranked, index, &mut rest)?;
            self.line.unmake();
            index += 1;
            if score > best {
                best = score;
                if !open.fails_low(score) {
                    best_move = Some(ranked.mv);
                    best_line.lead_with(ranked.mv, &rest);
                    open.raise_alpha(score);
                    if open.fails_high(score) {
                        self.learn(node, &hints, &board, &ranked, &quiets_tried);
                        break;
                    }
                }
            }
            if ranked.quiet {
                // More would be the tail of a very long list: nothing to learn from.
                let _ = quiets_tried.try_push(ranked);
            }
        }
        Some((best, window.bound_of(best), best_move))
    }

    /// The moves one and two half-moves before the position at half-move `ply`.
    fn moves_before(&self, ply: usize) -> [Option<Arrival>; 2] {
        [1, 2].map(|back| ply.checked_sub(back).and_then(|ply| self.path[ply].made))
    }

    /// The value, for the side that made it, of a move that was just made.
    fn search_move<L: LineKeeper>(
        &mut self,
        node: &Node,
        window: Window,
        ranked: &Ranked,
        index: i32,
        rest: &mut L,
    ) -> Option<Score> {
        let depth = node.depth - 1;
        if index > 0 {
            let reduction = self.reduction::<L>(node, ranked, index);
            if reduction > 0 || self.options.principal_variation && L::KEEPS {
                let scout = window.above_alpha().for_opponent();
                let mut score = -self.node(scout, depth - reduction, &mut ())?;
                if reduction > 0 && !window.fails_low(score) {
                    score = -self.node(scout, depth, &mut ())?;
                }
                if window.fails_low(score) || !L::KEEPS {
                    rest.clear();
                    return Some(score);
                }
            }
        }
        Some(-self.node(window.for_opponent(), depth, rest)?)
    }

    /// A move refuted the position: it will be tried earlier elsewhere, and the quiet ones before it later.
    fn learn(&mut self, node: &Node, hints: &Hints, board: &Board, good: &Ranked, tried: &[Ranked]) {
        if !good.quiet {
            return;
        }
        if self.options.killers {
            self.history.add_killer(node.ply, good.mv);
        }
        if self.options.history {
            let side = board.side_to_move();
            let bonus = history::bonus(node.depth);
            let mut learn = |ranked: &Ranked, bonus| {
                let arrival = Arrival::new(side, ranked.piece, ranked.mv);
                self.history.learn(arrival, ranked.mv, hints.before, bonus);
            };
            learn(good, bonus);
            for bad in tried {
                learn(bad, -bonus);
            }
        }
    }
}

/// Whether the bound in the table answers the question that the window asks.
fn settles(known: &Entry, window: Window) -> bool {
    match known.bound {
        Bound::Exact => true,
        Bound::Lower => window.fails_high(known.score),
        Bound::Upper => window.fails_low(known.score),
    }
}

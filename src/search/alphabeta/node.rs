//! The recursion: one position of the alpha-beta search.

use arrayvec::ArrayVec;
use chess::{Board, ChessMove, EMPTY, Piece};

use super::history::{self, Arrival, History};
use super::margins;
use super::options::AlphaBetaOptions;
use super::ordering::{Hints, Picker, Ranked, Stage};
use super::table::{Entry, Table};
use super::window::Window;
use crate::evaluation::{Evaluator, evaluate_for_mover};
use crate::position::Line;
use crate::search::exchange::at_least;
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
struct Node {
    ply: usize,
    depth: i32,
    in_check: bool,
    /// The static evaluation, corrected by what the table knows; meaningless in check.
    evaluation: Score,
    /// Better than at the side's last turn: less is pruned.
    improving: bool,
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
        // Ed Schroeder's and Rebel's idea in its modern form: without a move from the table the node was not worth
        // much so far, or will be visited again.
        if self.options.iterative_reduction
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

    fn quiescence<L: LineKeeper>(&mut self, window: Window, best_line: &mut L) -> Option<Score> {
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

    fn is_improving(&self, ply: usize, now: Score) -> bool {
        let earlier = |back: usize| ply.checked_sub(back).and_then(|ply| self.path[ply].evaluation);
        earlier(2).or_else(|| earlier(4)).is_none_or(|then| now > then)
    }

    /// Tries to settle a node outside the principal variation by its evaluation and the right to pass.
    fn refuted_without_moves(&mut self, node: &Node, window: Window) -> Option<Option<Score>> {
        let Window { alpha, beta } = window;
        if self.options.shallow_pruning && !beta.is_mate() && !alpha.is_mate() {
            if node.depth <= margins::REVERSE_FUTILITY_DEPTH
                && node.evaluation - margins::reverse_futility(node.depth, node.improving) >= beta
            {
                return Some(Some(node.evaluation));
            }
            if node.depth <= margins::RAZORING_DEPTH
                && node.evaluation + margins::razoring(node.depth) <= alpha
            {
                let score = self.quiescence(window, &mut ())?;
                if window.fails_low(score) {
                    return Some(Some(score));
                }
            }
        }
        if self.options.null_move
            && node.depth >= margins::NULL_MOVE_DEPTH
            && node.evaluation >= beta
            && !beta.is_mate()
            && self.may_pass(node.ply)
        {
            return self.null_move(node, window);
        }
        Some(None)
    }

    /// Passing twice in a row proves nothing, and with pawns only zugzwang is the rule.
    fn may_pass(&self, ply: usize) -> bool {
        let board = self.line.board();
        let pieces = *board.color_combined(board.side_to_move())
            & !(*board.pieces(Piece::Pawn) | *board.pieces(Piece::King));
        ply > 0 && self.path[ply - 1].made.is_some() && pieces != EMPTY
    }

    /// Null-move pruning (Donninger 1993): if even passing holds beta, some move will.
    fn null_move(&mut self, node: &Node, window: Window) -> Option<Option<Score>> {
        if !self.line.make_null() {
            return Some(None);
        }
        self.path[node.ply].made = None;
        self.gate.enter(node.ply + 1)?;
        let above = node.evaluation.0 - window.beta.0;
        let depth = node.depth - margins::null_move_reduction(node.depth, above);
        let score = -self.node(window.below_beta().for_opponent(), depth, &mut ())?;
        self.line.unmake();
        // A mate that follows a pass cannot be announced.
        let announced = if score.is_mate() { window.beta } else { score };
        Some(window.fails_high(score).then_some(announced))
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

    /// Whether a late move near the leaves gives away more than it can be worth.
    fn loses_material(&self, node: &Node, board: &Board, ranked: &Ranked) -> bool {
        self.options.exchange_evaluation
            && node.depth <= margins::EXCHANGE_DEPTH
            && ranked.stage <= Stage::Quiet
            && !ranked.attacks_king(board)
            && !at_least(
                board,
                ranked.mv,
                margins::exchange_margin(node.depth, ranked.quiet),
            )
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

    /// Late-move reduction: half-moves that the scout search of a move is less deep.
    fn reduction<L: LineKeeper>(&self, node: &Node, ranked: &Ranked, index: i32) -> i32 {
        if !self.options.late_move_reductions
            || node.depth < margins::LATE_MOVE_REDUCTION_DEPTH
            || index < 2
            || ranked.stage > Stage::SecondKiller
        {
            return 0;
        }
        let gives_check = *self.line.board().checkers() != EMPTY;
        let mut reduction = margins::late_move_reduction(node.depth, index);
        reduction -= i32::from(L::KEEPS) + i32::from(gives_check) + i32::from(node.in_check);
        reduction += i32::from(!node.improving);
        if ranked.quiet {
            reduction -= (ranked.value / 8_192).clamp(-2, 2);
        }
        reduction.clamp(0, node.depth - 2)
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

/// Whether, near the leaves, none of the quiet moves that are left is worth trying, after `index` moves: late-move and futility
/// pruning.
fn quiets_are_hopeless(node: &Node, window: Window, index: i32) -> bool {
    let depth = node.depth;
    !node.in_check
        && (depth <= margins::LATE_MOVE_DEPTH && index >= margins::late_move_count(depth, node.improving)
            || depth <= margins::FUTILITY_DEPTH && node.evaluation + margins::futility(depth) <= window.alpha)
}

/// Whether the bound in the table answers the question that the window asks.
fn settles(known: &Entry, window: Window) -> bool {
    match known.bound {
        Bound::Exact => true,
        Bound::Lower => window.fails_high(known.score),
        Bound::Upper => window.fails_low(known.score),
    }
}

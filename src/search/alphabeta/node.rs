//! The recursion: one position of the alpha-beta search.

use arrayvec::ArrayVec;
use chess::{ChessMove, EMPTY};

use super::history::{self, Arrival, CorrectionEntries};
use super::ordering::{Hints, Picker, Ranked, Stage};
use super::pruning::{self, Singularity, quiets_are_hopeless};
use super::table::Entry;
use super::window::Window;
use super::worker::{NEAR_FIFTY_MOVES, NodeInfo, Worker, corrects};
use crate::eval::Evaluator;
use crate::rules::position::key::likely_key_after;
use crate::search::{Bound, LineKeeper, MAX_PLY, Score, Stop};

/// The result of a reduced search of a late move.
enum Late {
    FailsLow(Score),
    /// The move may be better than alpha: the depth of the next search.
    Depth(i32),
}

impl<E: Evaluator> Worker<'_, E> {
    /// The value of the position at the end of the line, from its side to move, fail-soft; `Stop`
    /// if the search has to end.
    ///
    /// `L` says whether the caller wants the line of best play. The caller has counted the position
    /// at the counter.
    pub fn node<L: LineKeeper>(
        &mut self,
        window: Window,
        depth: i32,
        best_line: &mut L,
    ) -> Result<Score, Stop> {
        best_line.clear();
        if self.line.is_draw() {
            return Ok(Score::DRAW);
        }
        let ply = self.line.ply();
        let in_check = *self.line.board().checkers() != EMPTY;
        let depth = depth + i32::from(in_check && self.options.check_extension);
        if depth <= 0 || ply + 1 >= MAX_PLY {
            return self.leaf(window, best_line);
        }
        let mut window = window;
        if self.options.mate_distance {
            window = window.within_mates(ply);
            if window.is_empty() {
                return Ok(window.alpha);
            }
        }

        let known = self.probe_tt(ply);
        if let Some(score) = self
            .tt_cutoff(known.as_ref(), window, depth)
            .or_else(|| self.probe_tablebase())
        {
            return Ok(score);
        }

        let mut node = self.static_info(depth, in_check, known);
        if self.options.history {
            self.update_by_evaluation(ply);
        }
        if !window.principal
            && !in_check
            && let Some(score) = self.prune_node(&node, window)?
        {
            return Ok(score);
        }
        // Internal iterative reduction (Schroeder 2020): a position that the table does not know is
        // not worth its full depth yet. If it matters it comes again.
        if self.options.iterative_reduction
            && self.options.transposition_table
            && known.is_none()
            && node.depth >= pruning::ITERATIVE_REDUCTION_DEPTH
        {
            node.depth -= 1;
        }
        if let Some(known) = known
            && self.options.singular_extensions
        {
            match self.singularity(&node, window, &known)? {
                Singularity::Settled(score) => return Ok(score),
                Singularity::Extension(extension) => node.extension = extension,
            }
        }
        let (score, bound, mv) = self.best_move(&node, window, best_line)?;
        if self.options.correction_history && self.line.halfmove_clock() < NEAR_FIFTY_MOVES {
            self.correct(&node, score, bound, mv);
        }
        let evaluation = node.evaluation.raw;
        self.store_tt(
            ply,
            Entry {
                mv,
                score,
                bound,
                evaluation,
                depth: node.depth,
            },
        );
        Ok(score)
    }

    /// The node at the end of the line, before any of its moves.
    pub(super) fn static_info(
        &mut self,
        depth: i32,
        in_check: bool,
        known: Option<Entry>,
    ) -> NodeInfo {
        let ply = self.line.ply();
        let evaluation = self.evaluate(in_check, known.as_ref());
        let corrected = evaluation.corrected();
        self.path[ply].evaluation = corrected;
        // Those of the positions that the moves of this node's children lead to.
        self.path[ply + 2].refutations = 0;
        NodeInfo {
            ply,
            depth,
            in_check,
            evaluation,
            improving: corrected.is_some_and(|now| self.is_improving(ply, now)),
            table_move: known.and_then(|known| known.mv),
            excluded: None,
            extension: 0,
        }
    }

    /// Learns the error of the static evaluation, unless a capture explains it.
    fn correct(&mut self, node: &NodeInfo, score: Score, bound: Bound, mv: Option<ChessMove>) {
        let Some(evaluation) = node.evaluation.corrected() else {
            return;
        };
        let board = self.line.board();
        let is_quiet = mv.is_none_or(|mv| {
            board.piece_on(mv.get_dest()).is_none() && mv.get_promotion().is_none()
        });
        if is_quiet && corrects(score, bound, evaluation) && !score.counts_plies() {
            self.history.corrections.update(
                CorrectionEntries::of(board),
                score.0 - evaluation.0,
                node.depth,
            );
        }
    }

    /// Tries to prune a node outside the principal variation before any of its moves is searched:
    /// its value, fail-soft. `Stop` if the search has to end.
    pub(super) fn prune_node(
        &mut self,
        node: &NodeInfo,
        window: Window,
    ) -> Result<Option<Score>, Stop> {
        match self.prune_by_evaluation(node, window)? {
            None => self.null_move(node, window),
            pruned => Ok(pruned),
        }
    }

    /// Null-move pruning (Donninger 1993): if even passing holds beta, some move will.
    fn null_move(&mut self, node: &NodeInfo, window: Window) -> Result<Option<Score>, Stop> {
        let Some(depth) = self.null_move_depth(node, window) else {
            return Ok(None);
        };
        if !self.line.make_null() {
            return Ok(None);
        }
        (self.path[node.ply].made, self.path[node.ply].quiet) = (None, None);
        self.path[node.ply + 1].extensions = self.path[node.ply].extensions;
        self.counter.enter(node.ply + 1)?;
        let score = -self.node(window.below_beta().for_opponent(), depth, &mut ())?;
        self.line.unmake();
        Ok(match score {
            _ if !window.fails_high(score) => None,
            // A mate that follows a pass cannot be announced.
            _ if score.is_mate() => Some(window.beta),
            _ => Some(score),
        })
    }

    /// A leaf of the tree proper: its value by the table (from a transposition) or by quiescence.
    fn leaf<L: LineKeeper>(&mut self, window: Window, best_line: &mut L) -> Result<Score, Stop> {
        let ply = self.line.ply();
        let known = self.probe_tt(ply);
        if let Some(score) = self
            .tt_cutoff(known.as_ref(), window, 0)
            .or_else(|| self.probe_tablebase())
        {
            return Ok(score);
        }
        let in_check = *self.line.board().checkers() != EMPTY;
        let evaluation = self.evaluate(in_check, known.as_ref());
        let score = self.quiescence(window, evaluation, best_line)?;
        let bound = window.bound_of(score);
        self.store_tt(
            ply,
            Entry {
                mv: None,
                score,
                bound,
                evaluation: evaluation.raw,
                depth: 0,
            },
        );
        Ok(score)
    }

    /// Searches the moves of a node. Returns its value, the kind of bound, and the move to
    /// remember.
    pub fn best_move<L: LineKeeper>(
        &mut self,
        node: &NodeInfo,
        window: Window,
        best_line: &mut L,
    ) -> Result<(Score, Bound, Option<ChessMove>), Stop> {
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
        let mut picker = Picker::new(&board, hints, self.options);
        let mut open = window;
        let mut best = -Score::INFINITE;
        let mut best_move = None;
        let mut child_line = L::default();
        let mut quiets_tried = ArrayVec::<Ranked, 64>::new();
        let mut index = 0;
        // Near the leaves of lines that are not the principal one, once a move has saved the side
        // from mate.
        let may_prune = self.options.shallow_pruning && !window.principal;
        let mut quiets_are_left = true;
        while let Some(ranked) = picker.next(self.history) {
            if node.excluded == Some(ranked.mv) {
                continue;
            }
            if may_prune && !best.is_mated() && index > 0 {
                if quiets_are_left && quiets_are_hopeless(node, open, index) {
                    quiets_are_left = false;
                    picker.drop_quiets();
                    if ranked.stage == Stage::Quiet && !picker.attacks_king(&ranked) {
                        continue;
                    }
                }
                if self.loses_material(node, &picker, &ranked) {
                    continue;
                }
            }
            // What the table knows of the next position is on its way while the move is made.
            let likely = likely_key_after(&board, self.line.key(), ranked.piece, ranked.mv);
            self.table.prefetch(likely);
            self.counter.enter(node.ply + 1)?;
            self.note_move(node.ply, ranked.mv);
            self.line.make(ranked.mv);
            let score = self.search_move(node, open, &ranked, (index, best), &mut child_line)?;
            self.line.unmake();
            index += 1;
            if score > best {
                best = score;
                if !open.fails_low(score) {
                    best_move = Some(ranked.mv);
                    best_line.lead_with(ranked.mv, &child_line);
                    open.raise_alpha(score);
                    if open.fails_high(score) {
                        self.path[node.ply].refutations += 1;
                        self.update_history(node, hints.before, &ranked, &quiets_tried);
                        break;
                    }
                }
            }
            if ranked.quiet {
                // More would be the tail of a very long list: nothing to learn from.
                let _ = quiets_tried.try_push(ranked);
            }
        }
        Ok(match index {
            0 if node.excluded.is_some() => (window.alpha, Bound::Upper, None),
            0 if node.in_check => (Score::mated_in(node.ply), Bound::Exact, None),
            0 => (Score::DRAW, Bound::Exact, None),
            _ => (best, window.bound_of(best), best_move),
        })
    }

    /// The value of the move just made, for its mover. `index` is the number of moves before,
    /// `best` their best value. `child_line` becomes the line after the move, if the value is above
    /// alpha.
    fn search_move<L: LineKeeper>(
        &mut self,
        node: &NodeInfo,
        window: Window,
        ranked: &Ranked,
        (index, best): (i32, Score),
        child_line: &mut L,
    ) -> Result<Score, Stop> {
        let extension = if ranked.stage == Stage::TableMove {
            node.extension
        } else {
            0
        };
        self.path[node.ply + 1].extensions = self.path[node.ply].extensions + extension.max(0);
        let mut depth = node.depth - 1 + extension;
        if index > 0 {
            match self.late_move(node, window, ranked, (index, best), depth)? {
                Late::FailsLow(score) => return Ok(score),
                Late::Depth(deeper) => depth = deeper,
            }
            if self.options.principal_variation && window.principal {
                let scout = window.above_alpha().for_opponent();
                let score = -self.node(scout, depth, &mut ())?;
                if window.fails_low(score) {
                    return Ok(score);
                }
            }
        }
        let window = window.principal_if(index == 0 || self.options.principal_variation);
        Ok(-self.node(window.for_opponent(), depth, child_line)?)
    }

    /// Does the same as [`Worker::search_move`], but only with a null window above alpha.
    pub fn scout(
        &mut self,
        node: &NodeInfo,
        window: Window,
        ranked: &Ranked,
        index: i32,
        best: Score,
    ) -> Result<Score, Stop> {
        self.path[node.ply + 1].extensions = self.path[node.ply].extensions;
        match self.late_move(node, window, ranked, (index, best), node.depth - 1)? {
            Late::FailsLow(score) => Ok(score),
            Late::Depth(depth) => {
                Ok(-self.node(window.above_alpha().for_opponent(), depth, &mut ())?)
            }
        }
    }

    /// Searches a late move, just made, less deep. Returns its score if it fails low, else the
    /// depth of the re-search.
    fn late_move(
        &mut self,
        node: &NodeInfo,
        window: Window,
        ranked: &Ranked,
        (index, best): (i32, Score),
        depth: i32,
    ) -> Result<Late, Stop> {
        let reduction = self.reduction(node, window, ranked, index);
        if reduction <= 0 {
            return Ok(Late::Depth(depth));
        }
        let score = -self.node(
            window.above_alpha().for_opponent(),
            depth - reduction,
            &mut (),
        )?;
        if window.fails_low(score) {
            return Ok(Late::FailsLow(score));
        }
        // How surprising that was says how deep to make sure of it (Stockfish).
        let is_much_better = reduction >= 2 && score > best + 27 + 2 * depth;
        let is_hardly_better = score < best + 2;
        Ok(Late::Depth(
            depth + i32::from(is_much_better) - i32::from(is_hardly_better),
        ))
    }

    /// A move refuted the position: tries it earlier elsewhere, and the quiet ones before later.
    pub(super) fn update_history(
        &mut self,
        node: &NodeInfo,
        before: [Option<Arrival>; 2],
        good: &Ranked,
        tried: &[Ranked],
    ) {
        if !good.quiet {
            return;
        }
        if self.options.killers {
            self.history.add_killer(node.ply, good.mv);
        }
        if self.options.history {
            let side = self.line.board().side_to_move();
            let bonus = history::bonus(node.depth);
            let mut update = |ranked: &Ranked, bonus| {
                let arrival = Arrival::new(side, ranked.piece, ranked.mv);
                self.history.update(arrival, ranked.mv, before, bonus);
            };
            update(good, bonus);
            for bad in tried {
                update(bad, -bonus);
            }
        }
    }
}

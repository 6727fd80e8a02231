//! Local searches: small alpha-beta searches from positions of the tree. The default search values
//! the ends of its branches and its mutants with them.

use arrayvec::ArrayVec;
use chess::{Board, ChessMove, EMPTY};

use super::ordering::{Hints, Picker, Ranked, Stage, rank};
use super::pruning::{SINGULAR_DEPTH, quiets_are_hopeless};
use super::table::Entry;
use super::window::Window;
use super::worker::{NodeInfo, Worker};
use super::{AlphaBetaOptions, WorkerMemory};
use crate::eval::{Evaluator, evaluate_for_mover};
use crate::rules::position::moves::is_legal;
use crate::rules::position::{MoveList, Position};
use crate::search::quiescence::ended;
use crate::search::{Bound, Clock, Limits, LineKeeper, NodeCounter, Score, Stop, Variation};

pub use super::pruning::Singularity;

/// A question about a position: its score to `depth` half-moves, exact between `alpha` and `beta`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Goal {
    pub depth: i32,
    pub alpha: Score,
    pub beta: Score,
}

impl Goal {
    /// Returns true if a score is asked for, on the principal variation, and not only a bound.
    pub fn is_pv(self) -> bool {
        self.beta.0 - self.alpha.0 > 1
    }

    fn window(self) -> Window {
        Window {
            alpha: self.alpha,
            beta: self.beta,
            principal: self.is_pv(),
        }
    }

    /// The kind of bound of a score that a search for this goal found.
    pub fn bound_of(self, score: Score) -> Bound {
        self.window().bound_of(score)
    }

    /// The goal for a child that may be the best: its score between `alpha` and this goal's beta.
    pub fn child_full_window(self, depth: i32, alpha: Score) -> Self {
        Goal {
            depth,
            alpha: -self.beta,
            beta: -alpha,
        }
    }

    /// The goal for another child: proof that the child is better than `alpha` (from the side to
    /// move above), or that the child is not.
    pub fn child_null_window(depth: i32, alpha: Score) -> Self {
        Goal {
            depth,
            alpha: -alpha - 1,
            beta: -alpha,
        }
    }
}

/// The result of a local search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// A score for the side to move at the node where the search began; a mutant's is for the side
    /// that made the move.
    Score(Score),
    /// The search would visit more positions than allowed.
    OutOfBudget,
}

/// The mutants of a position, or a bound without them.
#[allow(
    clippy::large_enum_variant,
    reason = "one lives at a time, on the stack"
)]
pub enum MutantsOf<'b> {
    Node(Mutants<'b>),
    /// The node is decided without its moves: above alpha, a lower bound by static pruning or the
    /// null move; else an upper bound on the unexpanded moves, by razoring or the transposition
    /// table.
    Bound(Score),
}

/// The moves of a position without a node, in alpha-beta's order and with its pruning.
pub struct Mutants<'b> {
    picker: Picker<'b>,
    node: NodeInfo,
    window: Window,
    /// The moves in the tree.
    known: MoveList,
    /// The number of moves before, those in the tree included.
    index: i32,
    /// The best score of a mutant so far.
    best: Score,
    quiets_tried: ArrayVec<Ranked, 64>,
    drops_quiets: bool,
    /// Half-moves by which the last mutant was searched less deep at first.
    last_reduction: i32,
}

impl Mutants<'_> {
    /// The half-moves by which the last mutant was searched less deep at first.
    pub fn last_reduction(&self) -> i32 {
        self.last_reduction
    }

    /// The bound on all mutants valued so far.
    pub fn best(&self) -> Score {
        if self.best > -Score::INFINITE {
            self.best
        } else {
            self.window.alpha
        }
    }
}

/// A position in the tree that local searches begin at. It moves from node to node, with one
/// worker for all searches.
pub struct LocalSearch<'a, E> {
    worker: Worker<'a, E>,
    /// The moves from the root to the position.
    walked: Variation,
}

impl<'a, E: Evaluator> LocalSearch<'a, E> {
    /// A local search at the root.
    pub fn new(
        evaluator: &'a E,
        options: &'a AlphaBetaOptions,
        own: WorkerMemory<'a>,
        root: &Position,
        clock: &'a Clock,
    ) -> Self {
        // The counter stands here only until a search brings its own.
        let counter = NodeCounter::new(&Limits::default(), clock);
        let worker = Worker::new(evaluator, options, own, counter, root);
        let mut local = LocalSearch {
            worker,
            walked: Variation::new(),
        };
        local.prepare_ply();
        local
    }

    /// Goes to the end of `moves`, a legal line from the root.
    pub fn go_to(&mut self, moves: impl Iterator<Item = ChessMove>) {
        let mut level = 0;
        for mv in moves {
            if self.walked.get(level) != Some(&mv) {
                self.walked.truncate(level);
                self.worker.line.truncate(level);
                self.worker.note_move(level, mv);
                self.worker.line.make(mv);
                self.walked.push(mv);
                self.prepare_ply();
            }
            level += 1;
        }
        self.walked.truncate(level);
        self.worker.line.truncate(level);
    }

    /// Notes the static evaluation of this position for searches below.
    fn prepare_ply(&mut self) {
        let ply = self.walked.len();
        let in_check = *self.worker.line.board().checkers() != EMPTY;
        // The table knows the evaluation of most positions, and is faster.
        let evaluation = self
            .worker
            .evaluate(in_check, self.worker.probe_tt(ply).as_ref())
            .corrected();
        let step = &mut self.worker.path[ply];
        step.evaluation = evaluation;
        // An earlier search may have come here from another position.
        step.extensions = 0;
    }

    pub fn board(&self) -> Board {
        *self.worker.line.board()
    }

    /// The score for the side to move if the game is over here, or decided by an endgame table.
    pub fn ended(&self, counter: &mut NodeCounter<'a>) -> Option<Score> {
        let line = &self.worker.line;
        let ply = self.walked.len();
        if let Some(score) = ended(line.board(), ply) {
            return Some(score);
        }
        if line.is_draw() {
            return Some(Score::DRAW);
        }
        counter.table_value(line.board(), line.halfmove_clock(), ply)
    }

    pub fn is_legal(&self, mv: ChessMove) -> bool {
        is_legal(self.worker.line.board(), mv)
    }

    /// The table move, if it is legal here.
    fn table_move(&self) -> Option<ChessMove> {
        let mv = self.worker.probe_tt(self.walked.len())?.mv?;
        self.is_legal(mv).then_some(mv)
    }

    /// The most promising move.
    pub fn first_move(&self) -> Option<ChessMove> {
        let board = self.board();
        let first = self.picker(&board).next(self.worker.history);
        first.map(|ranked| ranked.mv)
    }

    /// The legal moves, the most promising first.
    pub fn moves(&self) -> MoveList {
        let board = self.board();
        let mut picker = self.picker(&board);
        let mut moves = MoveList::new();
        while let Some(ranked) = picker.next(self.worker.history) {
            moves.push(ranked.mv);
        }
        moves
    }

    fn picker<'b>(&self, board: &'b Board) -> Picker<'b>
    where
        'a: 'b,
    {
        Picker::new(board, self.hints(self.table_move()), self.worker.options)
    }

    fn hints(&self, table_move: Option<ChessMove>) -> Hints {
        let ply = self.walked.len();
        let killers = if self.worker.options.killers {
            self.worker.history.killers(ply)
        } else {
            [None; 2]
        };
        Hints {
            table_move,
            killers,
            before: self.worker.moves_before(ply),
        }
    }

    /// Returns true if the side to move has no move behind `moves` from the root, which are legal.
    pub fn is_over_behind(&self, moves: &[ChessMove]) -> bool {
        let mut board = *self.worker.line.board_at(0);
        for &mv in moves {
            board = board.make_move_new(mv);
        }
        ended(&board, moves.len()).is_some()
    }

    /// The longest beginning of `genes` that can be played from here.
    pub fn validated(&self, genes: &[ChessMove]) -> Vec<ChessMove> {
        let mut board = self.board();
        let mut made = Vec::new();
        for &gene in genes {
            if !is_legal(&board, gene) {
                break;
            }
            board = board.make_move_new(gene);
            made.push(gene);
        }
        made
    }

    /// The score of the position for its side to move, by a search of at most `budget` positions.
    ///
    /// # Errors
    /// If the search has to end.
    pub fn value<L: LineKeeper>(
        &mut self,
        counter: &mut NodeCounter<'a>,
        budget: u64,
        goal: Goal,
        best_line: &mut L,
    ) -> Result<Found, Stop> {
        let Goal { depth, .. } = goal;
        let window = goal.window();
        let ply = self.walked.len();
        let score = self.within(counter, budget, |worker| {
            worker.counter.enter(ply)?;
            worker.node(window, depth, best_line)
        })?;
        Ok(score.map_or(Found::OutOfBudget, Found::Score))
    }

    /// The mutants of the position: its moves outside `known`, to be searched to the depth of
    /// `goal` and compared with `alpha`. On the principal variation nothing is pruned, and a null
    /// move proves nothing.
    ///
    /// # Errors
    /// If the search has to end.
    pub fn mutants<'b>(
        &mut self,
        counter: &mut NodeCounter<'a>,
        budget: u64,
        board: &'b Board,
        goal: Goal,
        alpha: Score,
        known: MoveList,
    ) -> Result<MutantsOf<'b>, Stop>
    where
        'a: 'b,
    {
        let window = Window {
            alpha,
            beta: alpha + 1,
            principal: goal.is_pv(),
        };
        let ply = self.walked.len();
        counter.enter(ply)?;
        let depth = (goal.depth + i32::from(self.is_extended())).max(1);
        let in_check = *board.checkers() != EMPTY;
        let entry = self.worker.probe_tt(ply);
        // The table knows the position with all its moves: it can only say that none is better.
        let cutoff = self.worker.tt_cutoff(entry.as_ref(), window, depth);
        if let Some(score) = cutoff.filter(|&score| window.fails_low(score)) {
            return Ok(MutantsOf::Bound(score));
        }
        let node = self.worker.static_info(depth, in_check, entry);
        self.worker.path[ply + 1].refutations = 0;
        if !window.principal && !in_check {
            let settled =
                self.within(counter, budget, |worker| worker.prune_node(&node, window))?;
            if let Some(Some(score)) = settled {
                return Ok(MutantsOf::Bound(score));
            }
        }
        let picker = Picker::new(board, self.hints(node.table_move), self.worker.options);
        let index = known.len() as i32;
        Ok(MutantsOf::Node(Mutants {
            picker,
            node,
            window,
            known,
            index,
            best: -Score::INFINITE,
            quiets_tried: ArrayVec::new(),
            drops_quiets: false,
            last_reduction: 0,
        }))
    }

    /// The next unpruned mutant; `None` if none is left.
    pub fn next_mutant(&mut self, mutants: &mut Mutants<'_>) -> Option<Ranked> {
        let worker = &self.worker;
        let Mutants {
            picker,
            node,
            window,
            known,
            index,
            ..
        } = mutants;
        let may_prune = worker.options.shallow_pruning
            && !window.principal
            && *index > 0
            && !window.alpha.is_mated();
        while let Some(ranked) = picker.next(worker.history) {
            if known.contains(&ranked.mv) {
                continue;
            }
            if may_prune {
                if !mutants.drops_quiets && quiets_are_hopeless(node, *window, *index) {
                    mutants.drops_quiets = true;
                    picker.drop_quiets();
                    if ranked.stage == Stage::Quiet && !picker.attacks_king(&ranked) {
                        continue;
                    }
                }
                if worker.loses_material(node, picker, &ranked) {
                    continue;
                }
            }
            return Some(ranked);
        }
        None
    }

    /// Makes a mutant and searches against alpha, with at most `budget` positions; late mutants
    /// with a reduced depth at first.
    ///
    /// # Errors
    /// If the search has to end.
    pub fn value_mutant(
        &mut self,
        counter: &mut NodeCounter<'a>,
        budget: u64,
        mutants: &mut Mutants<'_>,
        mutant: &Ranked,
    ) -> Result<Found, Stop> {
        let Mutants {
            node,
            window,
            index,
            ..
        } = mutants;
        let index = *index;
        let window = *window;
        mutants.index += 1;
        let to_beat = mutants.best.max(window.alpha);
        let mut reduction = 0;
        let score = self.within(counter, budget, |worker| {
            worker.counter.enter(node.ply + 1)?;
            worker.note_move(node.ply, mutant.mv);
            worker.line.make(mutant.mv);
            reduction = worker.reduction(node, window, mutant, index);
            worker.scout(node, window, mutant, index, to_beat)
        })?;
        mutants.last_reduction = reduction;
        let Some(score) = score else {
            return Ok(Found::OutOfBudget);
        };
        mutants.best = mutants.best.max(score);
        if window.fails_high(score) {
            self.worker.path[node.ply].refutations += 1;
            let before = self.worker.moves_before(node.ply);
            self.worker
                .update_history(node, before, mutant, &mutants.quiets_tried);
        } else if mutant.quiet {
            let _ = mutants.quiets_tried.try_push(*mutant);
        }
        Ok(Found::Score(score))
    }

    /// Searches with at most `budget` positions: `Ok(None)` if they are not enough.
    fn within<T>(
        &mut self,
        counter: &mut NodeCounter<'a>,
        budget: u64,
        search: impl FnOnce(&mut Worker<'a, E>) -> Result<T, Stop>,
    ) -> Result<Option<T>, Stop> {
        let limit = counter.begin_budget(budget);
        std::mem::swap(&mut self.worker.counter, counter);
        let found = search(&mut self.worker);
        std::mem::swap(&mut self.worker.counter, counter);
        self.worker.line.truncate(self.walked.len());
        counter.end_budget(limit);
        match found {
            Ok(found) => Ok(Some(found)),
            // The budget was too small, unless the whole search has to end.
            Err(Stop) => counter.check_clock().map(|()| None),
        }
    }

    /// Returns true if scores are looked for near those of the iteration before.
    pub fn aspires(&self) -> bool {
        self.worker.options.aspiration_windows
    }

    /// Returns true if the singular test is made of positions with so many half-moves to go.
    pub fn tests_singularity(&self, depth: i32) -> bool {
        let options = &self.worker.options;
        options.singular_extensions && options.transposition_table && depth >= SINGULAR_DEPTH
    }

    /// The singular test: a search to half the depth of `goal`, with at most `budget` positions,
    /// for another move near the table move. `extensions` are the half-moves by which the branch
    /// was extended already. Returns the table move and the result; `None` without a table move, or
    /// if the budget is too small.
    ///
    /// # Errors
    /// If the search has to end.
    pub fn singularity(
        &mut self,
        counter: &mut NodeCounter<'a>,
        budget: u64,
        goal: Goal,
        extensions: i32,
    ) -> Result<Option<(ChessMove, Singularity)>, Stop> {
        let ply = self.walked.len();
        let Some(known) = self.worker.probe_tt(ply) else {
            return Ok(None);
        };
        let Some(mv) = known.mv else { return Ok(None) };
        let window = goal.window();
        self.worker.path[ply].extensions = extensions;
        let found = self.within(counter, budget, |worker| {
            let in_check = *worker.line.board().checkers() != EMPTY;
            let node = worker.static_info(goal.depth, in_check, Some(known));
            worker.singularity(&node, window, &known)
        });
        self.worker.path[ply].extensions = 0;
        Ok(found?.map(|singularity| (mv, singularity)))
    }

    /// Teaches the killers and the history a refutation of the position.
    pub fn update_history(&mut self, depth: i32, mv: ChessMove) {
        let board = self.board();
        let in_check = *board.checkers() != EMPTY;
        let ranked = rank(&board, mv, self.worker.options);
        let node = self.worker.static_info(depth, in_check, None);
        let before = self.worker.moves_before(self.walked.len());
        self.worker.update_history(&node, before, &ranked, &[]);
    }

    /// Stores the tree's result for the position, for its side to move, in the transposition table.
    pub fn store_tt(&mut self, depth: i32, score: Score, bound: Bound, mv: Option<ChessMove>) {
        let ply = self.walked.len();
        let evaluation = self.worker.probe_tt(ply).and_then(|known| known.evaluation);
        self.worker.store_tt(
            ply,
            Entry {
                mv,
                score,
                bound,
                evaluation,
                depth,
            },
        );
    }

    /// Returns true if searches from here go a half-move deeper, because the side to move is in
    /// check.
    pub fn is_extended(&self) -> bool {
        *self.worker.line.board().checkers() != EMPTY && self.worker.options.check_extension
    }

    /// The static evaluation of the position for its side to move.
    pub fn static_score(&self) -> Score {
        evaluate_for_mover(self.worker.evaluator, self.worker.line.board())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Winglet;
    use crate::search::alphabeta::Memory;

    #[test]
    fn no_place_has_the_extensions_of_an_earlier_search() {
        let root = Position::default();
        let clock = Clock::unlimited();
        let evaluator = Winglet::default();
        let options = AlphaBetaOptions::default();
        let mut memory = Memory::new(1);
        let own = memory
            .open(1, false)
            .pop()
            .expect("one worker has its memory");
        let mut local = LocalSearch::new(&evaluator, &options, own, &root, &clock);
        // As a search from the root leaves it that has extended everything on its last way.
        local
            .worker
            .path
            .iter_mut()
            .skip(1)
            .for_each(|step| step.extensions = 20);
        let mut position = root;
        let mut line = Variation::new();
        for text in ["e4", "e5"] {
            let mv = position.parse_move(text).expect("legal");
            position.play(mv).expect("legal");
            line.push(mv);
        }
        local.go_to(line.iter().copied());
        assert!(
            local.worker.path[..=line.len()]
                .iter()
                .all(|step| step.extensions == 0)
        );
    }
}

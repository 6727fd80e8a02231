//! Small searches from the ends of branches: by them the preset `strong` of the genetic search values what
//! its branches come to.

use chess::{ChessMove, EMPTY};

use super::ordering::{Hints, Picker};
use super::pruning::SINGULAR_DEPTH;
use super::table::Entry;
use super::window::Window;
use super::worker::Worker;
use super::{AlphaBetaOptions, WorkerMemory};
use crate::eval::{Evaluator, evaluate_for_mover};
use crate::rules::position::{MoveList, Position};
use crate::search::quiescence::ended;
use crate::search::{Bound, Clock, Limits, LineKeeper, NodeCounter, Score, Variation};

pub use super::pruning::Singularity;

/// What a search from the end of a branch found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// The value of the end for its side to move.
    Worth(Score),
    /// It would visit more positions than it may.
    TooLarge,
}

/// What a search of the moves that are not in the tree found, from the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// None of them reaches beta: an upper bound of all of them.
    NoneBetter(Score),
    /// This one does: a lower bound.
    Better(Score, ChessMove),
    /// Passing does, or the position is so good without any move: a lower bound of the position.
    Passing(Score),
    /// The search would visit more positions than it may. Says which move it was at, and by how many
    /// half-moves less deep that one was searched because it came late; `None` if it was at no move yet.
    TooLarge(Option<(ChessMove, i32)>),
}

/// A place in the tree from which alpha-beta can be asked.
pub struct LeafSearch<'a, E> {
    worker: Worker<'a, E>,
    /// The moves from the root to the place.
    walked: Variation,
}

impl<'a, E: Evaluator> LeafSearch<'a, E> {
    /// At the root.
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
        let mut leaf = LeafSearch { worker, walked: Variation::new() };
        leaf.look();
        leaf
    }

    /// Goes to the end of `moves`, which are legal one after the other from the root.
    pub fn go_to(&mut self, moves: impl Iterator<Item = ChessMove>) {
        let mut level = 0;
        for mv in moves {
            if self.walked.get(level) != Some(&mv) {
                self.walked.truncate(level);
                self.worker.line.truncate(level);
                self.step(mv);
            }
            level += 1;
        }
        self.walked.truncate(level);
        self.worker.line.truncate(level);
    }

    fn step(&mut self, mv: ChessMove) {
        self.worker.note_move(self.walked.len(), mv);
        self.worker.line.make(mv);
        self.walked.push(mv);
        self.look();
    }

    /// Takes down what the searches below will want to know of this place.
    fn look(&mut self) {
        let ply = self.walked.len();
        let in_check = *self.worker.line.board().checkers() != EMPTY;
        // The table knows the evaluation of most places, and is asked sooner than it is computed.
        let evaluation = self.worker.evaluate(in_check, self.worker.probe(ply).as_ref()).corrected();
        let step = &mut self.worker.path[ply];
        step.evaluation = evaluation;
        // Of what an earlier search from another place came to here.
        step.extensions = 0;
    }

    /// The value for the side to move if the game is over here, or decided by an endgame table.
    pub fn ended(&self, counter: &mut NodeCounter<'a>) -> Option<Score> {
        let (line, ply) = (&self.worker.line, self.walked.len());
        ended(line.board(), ply)
            .or_else(|| line.is_draw().then_some(Score::DRAW))
            .or_else(|| counter.table_value(line.board(), line.halfmove_clock(), ply))
    }

    /// What the table thinks is the best move.
    pub fn table_move(&self) -> Option<ChessMove> {
        let known = self.worker.probe(self.walked.len())?.mv?;
        self.worker.line.board().legal(known).then_some(known)
    }

    /// The legal moves, the most promising first.
    pub fn moves(&self) -> MoveList {
        let worker = &self.worker;
        let (board, ply) = (*worker.line.board(), self.walked.len());
        let hints = Hints {
            table_move: self.table_move(),
            killers: worker.history.killers(ply),
            before: worker.moves_before(ply),
        };
        let mut picker = Picker::new(&board, hints, worker.options);
        std::iter::from_fn(|| picker.next(worker.history)).map(|ranked| ranked.mv).collect()
    }

    /// Those of `genes` that can be made from here, one after the other, up to the first that cannot.
    pub fn validated(&self, genes: &[ChessMove]) -> Vec<ChessMove> {
        let mut board = *self.worker.line.board();
        let is_made = |&gene: &ChessMove| {
            let is_legal = board.legal(gene);
            if is_legal {
                board = board.make_move_new(gene);
            }
            is_legal
        };
        genes.iter().copied().take_while(is_made).collect()
    }

    /// Whether any move but those of `without` reaches `alpha + 1`, by a search to `depth` half-moves of at
    /// most so many positions. On the principal variation nothing is pruned here, and passing proves
    /// nothing. `None` if the search has to end.
    pub fn rest(
        &mut self,
        counter: &mut NodeCounter<'a>,
        positions: u64,
        depth: i32,
        alpha: Score,
        principal: bool,
        without: MoveList,
    ) -> Option<Rest> {
        let window = Window { alpha, beta: alpha + 1, principal };
        let ply = self.walked.len();
        let left_out = &mut self.worker.without;
        left_out.searched.clear();
        (left_out.ply, left_out.moves, left_out.in_progress) = (ply, without, None);
        let found = self.within(counter, positions, |worker| worker.rest(window, depth, !principal));
        self.worker.without.ply = usize::MAX;
        Some(match found? {
            Some((score, Some(mv))) => Rest::Better(score, mv),
            Some((score, None)) if score > alpha => Rest::Passing(score),
            Some((score, None)) => Rest::NoneBetter(score),
            None => Rest::TooLarge(self.worker.without.in_progress),
        })
    }

    /// Searches from the place with at most so many positions: `Some(None)` if they are not enough, `None`
    /// if the search has to end.
    fn within<T>(
        &mut self,
        counter: &mut NodeCounter<'a>,
        positions: u64,
        search: impl FnOnce(&mut Worker<'a, E>) -> Option<T>,
    ) -> Option<Option<T>> {
        let limit = counter.end_after(positions);
        std::mem::swap(&mut self.worker.counter, counter);
        let found = search(&mut self.worker);
        std::mem::swap(&mut self.worker.counter, counter);
        self.worker.line.truncate(self.walked.len());
        counter.set_limit(limit);
        match found {
            Some(found) => Some(Some(found)),
            None => counter.check_clock().map(|()| None),
        }
    }

    /// Whether values are looked for near what they were.
    pub fn aspires(&self) -> bool {
        self.worker.options.aspiration_windows
    }

    /// Whether the best move of a place with so many half-moves to go is worth comparing with its rivals.
    pub fn asks_for_rivals(&self, depth: i32) -> bool {
        let options = &self.worker.options;
        options.singular_extensions && options.transposition_table && depth >= SINGULAR_DEPTH
    }

    /// Whether another move comes near the one that the table thinks best, by a search to half of `depth`
    /// of at most so many positions: that move, and what follows. The line to the place was extended by
    /// `extensions` half-moves. `Some(None)` if the table knows no move, or the search would visit more
    /// positions than it may; `None` if the search has to end.
    pub fn compare(
        &mut self,
        counter: &mut NodeCounter<'a>,
        positions: u64,
        depth: i32,
        alpha: Score,
        beta: Score,
        extensions: i32,
    ) -> Option<Option<(ChessMove, Singularity)>> {
        let ply = self.walked.len();
        let Some(known) = self.worker.probe(ply) else { return Some(None) };
        let Some(mv) = known.mv else { return Some(None) };
        let window = Window { alpha, beta, principal: beta.0 - alpha.0 > 1 };
        self.worker.path[ply].extensions = extensions;
        let found = self.within(counter, positions, |worker| {
            let in_check = *worker.line.board().checkers() != EMPTY;
            let node = worker.look(depth, in_check, Some(known));
            worker.singularity(&node, window, &known)
        });
        self.worker.path[ply].extensions = 0;
        Some(found?.map(|singularity| (mv, singularity)))
    }

    /// The moves that the last [`LeafSearch::rest`] looked at, each with how many positions the counter had
    /// counted before.
    pub fn searched(&self) -> &[(ChessMove, u64)] {
        &self.worker.without.searched
    }

    /// Tells the table what the tree found out about the place, for its side to move.
    pub fn learn(&mut self, depth: i32, score: Score, bound: Bound, mv: Option<ChessMove>) {
        let ply = self.walked.len();
        let evaluation = self.worker.probe(ply).and_then(|known| known.evaluation);
        self.worker.remember(ply, Entry { mv, score, bound, evaluation, depth });
    }

    /// What the table answers to the question whether the place reaches `alpha + 1` with so many half-moves
    /// to go, for its side to move.
    pub fn answer(&self, depth: i32, alpha: Score) -> Option<Score> {
        let worker = &self.worker;
        let depth = depth + i32::from(self.is_extended());
        let window = Window { alpha, beta: alpha + 1, principal: false };
        worker.answer(worker.probe(self.walked.len()).as_ref(), window, depth)
    }

    /// Whether a search from here goes a half-move deeper, because the side to move is in check.
    pub fn is_extended(&self) -> bool {
        *self.worker.line.board().checkers() != EMPTY && self.worker.options.check_extension
    }

    /// What the place is worth without a search, for its side to move.
    pub fn static_value(&self) -> Score {
        evaluate_for_mover(self.worker.evaluator, self.worker.line.board())
    }

    /// The value of the place for its side to move, by a search to `depth` half-moves of at most so many
    /// positions: exact between `alpha` and `beta`, else a bound. `None` if the search has to end.
    pub fn value<L: LineKeeper>(
        &mut self,
        counter: &mut NodeCounter<'a>,
        positions: u64,
        depth: i32,
        alpha: Score,
        beta: Score,
        best_line: &mut L,
    ) -> Option<Leaf> {
        let window = Window { alpha, beta, principal: beta.0 - alpha.0 > 1 };
        let ply = self.walked.len();
        let value = self.within(counter, positions, |worker| {
            worker.counter.enter(ply)?;
            worker.node(window, depth, best_line)
        })?;
        Some(value.map_or(Leaf::TooLarge, Leaf::Worth))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Winglet;
    use crate::search::alphabeta::Memory;

    #[test]
    fn no_place_has_the_extensions_of_an_earlier_search() {
        let (root, clock) = (Position::default(), Clock::unlimited());
        let (evaluator, options) = (Winglet::default(), AlphaBetaOptions::default());
        let mut memory = Memory::new(1);
        let own = memory.open(1, false).pop().expect("one worker has its memory");
        let mut leaf = LeafSearch::new(&evaluator, &options, own, &root, &clock);
        // As a search from the root leaves it that has extended everything on its last way.
        leaf.worker.path.iter_mut().skip(1).for_each(|step| step.extensions = 20);
        let (mut position, mut line) = (root, Variation::new());
        for text in ["e4", "e5"] {
            let mv = position.parse_move(text).expect("legal");
            position.play(mv).expect("legal");
            line.push(mv);
        }
        leaf.go_to(line.iter().copied());
        assert!(leaf.worker.path[..=line.len()].iter().all(|step| step.extensions == 0));
    }
}

//! Iterative deepening: iteration after iteration, each for as many lines as are wanted; and the
//! root: the moves of the position itself, and the aspiration window around them.

use std::cmp::Reverse;

use chess::{BoardStatus, ChessMove, EMPTY};

use super::pruning::root_reduction;
use super::window::{Aspiration, Window};
use super::worker::Worker;
use crate::eval::Evaluator;
use crate::rules::position::{MoveList, Position, legal_moves};
use crate::search::time_control::percent_of_soft;
use crate::search::{
    Bound, Clock, Limits, LineKeeper, MAX_PLY, Observer, Score, SearchReport, Stop, Thought,
    Variation,
};

/// The deepest iteration. Extensions and quiescence need the rest of
/// [`MAX_PLY`](crate::search::MAX_PLY).
const MAX_DEPTH: u32 = 100;

/// Receives every line of a worker, with its depth, rank and bound.
type Tell<'t, E> = dyn FnMut(&Worker<'_, E>, u32, usize, &RankedLine, Bound) + 't;

/// One worker's way through the iterations.
pub(super) struct Deepening<'a, E> {
    worker: Worker<'a, E>,
    root: Root,
    lines: usize,
    last_depth: u32,
    /// No iteration begins after so many positions.
    soft_nodes: u64,
    /// There is only one move, and no request for its score.
    is_forced: bool,
}

impl<'a, E: Evaluator> Deepening<'a, E> {
    /// A worker's iterations over `moves`: the allowed ones, in the order of first trying; at least
    /// one.
    pub fn new(worker: Worker<'a, E>, limits: &Limits, root: &Position, moves: &MoveList) -> Self {
        let last_depth = limits.depth_or(worker.options.depth).unwrap_or(MAX_DEPTH);
        Deepening {
            worker,
            root: Root::new(moves),
            lines: limits.lines.clamp(1, moves.len()),
            last_depth: last_depth.clamp(1, MAX_DEPTH),
            soft_nodes: limits.soft_nodes.unwrap_or(u64::MAX),
            is_forced: moves.len() == 1 && !limits.infinite && limits.ask_for_a_choice(root),
        }
    }

    /// Searches as the first worker: reports to the observer and decides when to end. The report
    /// counts this worker's work only.
    pub fn lead(mut self, clock: &Clock, observer: &mut dyn Observer) -> SearchReport {
        let mut finished = 0;
        let mut time_factor = TimeFactor::default();
        let mut tell = |worker: &Worker<'_, E>, depth, rank, line: &RankedLine, bound| {
            let score = line.score;
            let variation = line.variation.clone();
            observer.progress(&Thought {
                rank,
                depth,
                score,
                bound,
                variation,
                ..worker.counter.done_by_all()
            });
        };
        for depth in 1..=self.last_depth {
            if self.iteration(depth, &mut tell).is_err() {
                self.tell_lines_left(finished, &mut tell);
                break;
            }
            finished = depth;
            // Nobody waits for the only move while there is no deadline, and pondering may get one
            // at any time.
            let is_settled = self.is_forced && clock.is_limited() || self.is_final(depth);
            let percent = time_factor.percent(&self.root);
            let is_past_soft_limit = self.worker.counter.all_nodes() >= self.soft_nodes;
            if is_settled
                || is_past_soft_limit
                || clock.should_stop_early(self.worker.counter.all_nodes(), percent)
            {
                break;
            }
        }
        self.report(finished)
    }

    /// Searches as one of the other workers, to fill the table. Its line counts only if the first
    /// worker has none. Every other one is an iteration ahead.
    pub fn follow(mut self, number: usize) -> SearchReport {
        let mut finished = 0;
        for depth in 1 + number as u32 % 2..=self.last_depth {
            if self.iteration(depth, &mut |_, _, _, _, _| ()).is_err() {
                break;
            }
            finished = depth;
        }
        // The others hear of the last positions, too.
        let _ = self.worker.counter.check_clock();
        self.report(finished)
    }

    /// The result and counts of this worker after the iteration to `depth`.
    fn report(&self, depth: u32) -> SearchReport {
        let RankedLine { variation, score } = self.root.best_line();
        SearchReport {
            variation,
            score,
            depth,
            ..self.worker.counter.done()
        }
    }

    /// Searches every line to `depth`. Each new line is told with its rank, and so are the lines
    /// overtaken by it. `Stop` if the search has to end.
    fn iteration(&mut self, depth: u32, tell: &mut Tell<'_, E>) -> Result<(), Stop> {
        self.root.before = std::mem::take(&mut self.root.lines);
        for rank in 1..=self.lines {
            self.root.begin_line();
            let failed = |worker: &Worker<'_, E>, root: &Root, score: Score, bound| {
                let line = RankedLine {
                    variation: root.best.clone(),
                    score,
                };
                tell(worker, depth, rank, &line, bound);
            };
            self.root.score = self
                .worker
                .aspiration(&mut self.root, depth as i32, failed)?;
            let index = self.root.end_line();
            for (line, rank) in self.root.lines.iter().zip(1..).skip(index) {
                tell(&self.worker, depth, rank, line, Bound::Exact);
            }
        }
        Ok(())
    }

    /// Tells the lines as they stand when the iteration after the one to `finished` is broken off.
    /// Those that it did not reach come behind those that it found, so that no move leads two of
    /// the lines told last.
    fn tell_lines_left(&mut self, finished: u32, tell: &mut Tell<'_, E>) {
        if self.lines > 1 && self.root.has_new_best() {
            let bound = self.root.bound;
            self.root.end_line();
            tell(&self.worker, finished + 1, 1, &self.root.lines[0], bound);
        }
        let found = self.root.lines.len();
        if found > 0 {
            for (line, rank) in self.root.lines_left().zip(found + 1..=self.lines) {
                tell(&self.worker, finished, rank, line, Bound::Exact);
            }
        }
    }

    /// Returns true if no deeper iteration can find a shorter mate.
    fn is_final(&self, depth: u32) -> bool {
        let is_final = |score: Score| {
            score
                .mate_distance()
                .is_some_and(|mate| mate.unsigned_abs() <= depth)
        };
        self.root.lines.iter().all(|line| is_final(line.score))
    }
}

/// The share of the planned time to use, by the stability of the choice.
#[derive(Default)]
struct TimeFactor {
    best: Option<ChessMove>,
    /// Iterations in a row with the same best move.
    unchanged: u32,
}

impl TimeFactor {
    /// Percent of the soft time, after an iteration.
    fn percent(&mut self, root: &Root) -> u32 {
        let best = root.best_line().variation.first().copied();
        self.unchanged = if best == self.best {
            self.unchanged + 1
        } else {
            0
        };
        self.best = best;
        percent_of_soft(self.unchanged, root.effort_on_best_move() as u32)
    }
}

/// The root moves and their results.
pub(super) struct Root {
    moves: Vec<RootMove>,
    /// The lines found in this iteration, the best first.
    pub lines: Vec<RankedLine>,
    /// Those of the iteration before.
    before: Vec<RankedLine>,
    /// The line being searched, kept across iterations and when one is broken off. Its first move
    /// leads none of `lines`.
    pub best: Variation,
    /// The score of `best`, from the side to move.
    pub score: Score,
    /// The bound of `score`.
    bound: Bound,
}

struct RootMove {
    mv: ChessMove,
    /// Positions searched below the move in the last iteration: the effort of its refutation.
    nodes: u64,
    /// The fastest mate proved by any iteration, with the line behind the move as far as known.
    proved: Option<RankedLine>,
}

impl RootMove {
    /// Returns the move's score after another search in `window`, and in `child_line` its line. A
    /// mate once proved stays: the table may have lost the proof since, and a deeper search may
    /// prune its line.
    fn keep_mates(&mut self, window: Window, score: Score, child_line: &mut Variation) -> Score {
        // All moves were tried before a side is called mated. But outside of the window a score is
        // a bound on one side only, which proves no mate on the other.
        let is_proved = if score.is_mated() {
            !window.fails_high(score)
        } else {
            !window.fails_low(score)
        };
        let is_slower = |proved: &RankedLine| {
            if proved.score.is_mated() {
                score > proved.score
            } else {
                score < proved.score
            }
        };
        // A search that failed low has no line.
        let has_line = !window.fails_low(score);
        match &self.proved {
            Some(proved) if is_slower(proved) || proved.score == score && !has_line => {
                child_line.clone_from(&proved.variation);
                proved.score
            }
            _ => {
                if score.is_mate() && is_proved {
                    let variation = if has_line {
                        child_line.clone()
                    } else {
                        Variation::new()
                    };
                    self.proved = Some(RankedLine { variation, score });
                }
                score
            }
        }
    }
}

/// A line and its score, from the side to move.
#[derive(Clone)]
pub(super) struct RankedLine {
    pub variation: Variation,
    pub score: Score,
}

impl Root {
    /// At least one move, in the order to try them first.
    pub fn new(moves: &MoveList) -> Self {
        Root {
            moves: moves
                .iter()
                .map(|&mv| RootMove {
                    mv,
                    nodes: 0,
                    proved: None,
                })
                .collect(),
            lines: Vec::new(),
            before: Vec::new(),
            best: moves.iter().copied().take(1).collect(),
            score: Score::DRAW,
            bound: Bound::Exact,
        }
    }

    /// The lines of the iteration before whose moves lead none of this one yet, best first.
    pub fn lines_left(&self) -> impl Iterator<Item = &RankedLine> {
        self.before
            .iter()
            .filter(|line| line.variation.first().is_some_and(|&mv| !self.is_taken(mv)))
    }

    /// Takes up the next line: one of the last iteration, if any is left. Its first move leads none
    /// of the lines before.
    pub fn begin_line(&mut self) {
        let is_open = |mv: Option<&ChessMove>| mv.is_some_and(|&mv| !self.is_taken(mv));
        if let Some(line) = self
            .before
            .iter()
            .find(|line| is_open(line.variation.first()))
        {
            (self.best, self.score) = (line.variation.clone(), line.score);
        } else if !is_open(self.best.first()) {
            let free = self
                .moves
                .iter()
                .map(|root_move| root_move.mv)
                .find(|&mv| !self.is_taken(mv));
            (self.best, self.score) = (free.into_iter().collect(), Score::DRAW);
        }
    }

    /// Ends the line being searched: inserts it among the others. Returns its index there.
    pub fn end_line(&mut self) -> usize {
        let index = self.lines.partition_point(|line| line.score >= self.score);
        self.lines.insert(
            index,
            RankedLine {
                variation: self.best.clone(),
                score: self.score,
            },
        );
        index
    }

    /// The best line so far: of this iteration, else the one before.
    pub fn best_line(&self) -> RankedLine {
        let best = RankedLine {
            variation: self.best.clone(),
            score: self.score,
        };
        self.lines.first().cloned().unwrap_or(best)
    }

    fn is_taken(&self, mv: ChessMove) -> bool {
        self.lines
            .iter()
            .any(|line| line.variation.first() == Some(&mv))
    }

    /// Returns true if this iteration has no line yet, but a better move than the one before.
    fn has_new_best(&self) -> bool {
        let before = self.before.first();
        self.lines.is_empty()
            && before.is_some_and(|line| line.variation.first() != self.best.first())
    }

    /// The share of the last iteration's positions searched below the best move, in percent.
    pub fn effort_on_best_move(&self) -> u64 {
        let all: u64 = self.moves.iter().map(|root_move| root_move.nodes).sum();
        let best = self.best_line().variation.first().copied();
        let best_move = self
            .moves
            .iter()
            .find(|root_move| Some(root_move.mv) == best);
        best_move.map_or(0, |root_move| root_move.nodes) * 100 / all.max(1)
    }

    /// Sorts the moves: the best first, then the hardest to refute, last those of other lines.
    fn sort(&mut self) {
        let best = self.best.first().copied();
        let mut moves = std::mem::take(&mut self.moves);
        moves.sort_by_cached_key(|root_move| {
            (
                self.is_taken(root_move.mv),
                Some(root_move.mv) != best,
                Reverse(root_move.nodes),
            )
        });
        self.moves = moves;
    }
}

impl<E: Evaluator> Worker<'_, E> {
    /// Searches one line of an iteration in one window. The score is outside if the true value is;
    /// `Stop` if the search has to end.
    ///
    /// [`Root::best`] follows every improvement, so that no broken-off iteration is in vain: a new
    /// best move is better than the old one at the same depth.
    pub fn root(&mut self, root: &mut Root, window: Window, depth: i32) -> Result<Score, Stop> {
        root.sort();
        self.line.truncate(0);
        self.counter.enter(0)?;
        let board = *self.line.board();
        self.path[0].evaluation = self.evaluate(*board.checkers() != EMPTY, None).corrected();
        let mut open = window;
        let mut best = -Score::INFINITE;
        let mut child_line = Variation::new();
        for index in 0..root.moves.len() - root.lines.len() {
            let mv = root.moves[index].mv;
            let nodes_before = self.counter.nodes();
            self.counter.enter(1)?;
            self.note_move(0, mv);
            self.line.make(mv);
            let score = self.root_move(open, depth - 1, index, &mut child_line)?;
            self.complete_mate(score, &mut child_line);
            self.line.unmake();
            root.moves[index].nodes = self.counter.nodes() - nodes_before;
            let score = root.moves[index].keep_mates(open, score, &mut child_line);
            best = best.max(score);
            if !open.fails_low(score) {
                root.best.lead_with(mv, &child_line);
                root.score = score;
                root.bound = open.bound_of(score);
                open.raise_alpha(score);
                if open.fails_high(score) {
                    break;
                }
            }
        }
        Ok(best)
    }

    fn root_move(
        &mut self,
        window: Window,
        depth: i32,
        index: usize,
        child_line: &mut Variation,
    ) -> Result<Score, Stop> {
        if self.options.principal_variation && index > 0 {
            let reduction = match self.options.late_move_reductions {
                true => root_reduction(depth + 1, index as i32),
                false => 0,
            };
            let scout = window.above_alpha().for_opponent();
            let mut score = -self.node(scout, depth - reduction, &mut ())?;
            if reduction > 0 && !window.fails_low(score) {
                score = -self.node(scout, depth, &mut ())?;
            }
            if window.fails_low(score) {
                return Ok(score);
            }
        }
        let window = window.principal_if(index == 0 || self.options.principal_variation);
        Ok(-self.node(window.for_opponent(), depth, child_line)?)
    }

    /// Lengthens `child_line`, the line after the first move, if it ends before the mate of
    /// `score`. A scout that proved the mate has no line, but the table has its moves, most often
    /// up to the mate.
    fn complete_mate(&mut self, score: Score, child_line: &mut Variation) {
        let distance = score
            .mate_distance()
            .map(|distance| distance.unsigned_abs() as usize);
        let ply = self.line.ply();
        let is_short = |&distance: &usize| (ply + child_line.len()..MAX_PLY).contains(&distance);
        let Some(distance) = distance.filter(is_short) else {
            return;
        };
        let mut found = Variation::new();
        while let Some(mv) = self.towards_mate(distance) {
            found.push(mv);
            self.line.make(mv);
        }
        let ending = match self.line.ply() == distance {
            true => BoardStatus::Checkmate,
            false => BoardStatus::Ongoing,
        };
        if self.line.board().status() == ending && found.len() > child_line.len() {
            *child_line = found;
        }
        self.line.truncate(ply);
    }

    /// The next move of a mate `distance` half-moves from the root: the table move if the side to
    /// move mates, else a move that delays it until then.
    fn towards_mate(&mut self, distance: usize) -> Option<ChessMove> {
        let ply = self.line.ply();
        let mate = Score::mate_in(distance);
        let proof = |worker: &Self, ply| {
            worker
                .probe_tt(ply)
                .filter(|known| known.score == mate && known.bound != Bound::Upper)
        };
        if ply >= distance {
            return None;
        }
        let board = *self.line.board();
        if (distance - ply) % 2 == 1 {
            return proof(self, ply)?.mv.filter(|&mv| board.legal(mv));
        }
        legal_moves(&board).into_iter().find(|&mv| {
            self.line.make(mv);
            let is_proved = proof(self, ply + 1).is_some();
            self.line.unmake();
            is_proved
        })
    }

    /// An iteration with a window around the last score, opened where it fails; each failure is
    /// told to `failed`.
    pub fn aspiration(
        &mut self,
        root: &mut Root,
        depth: i32,
        mut failed: impl FnMut(&Self, &Root, Score, Bound),
    ) -> Result<Score, Stop> {
        let mut aspiration = match self.options.aspiration_windows {
            true => Aspiration::around(root.score, depth),
            false => Aspiration::FULL,
        };
        loop {
            let window = Window {
                alpha: aspiration.alpha,
                beta: aspiration.beta,
                principal: true,
            };
            let score = self.root(root, window, depth)?;
            if aspiration.contains(score) {
                return Ok(score);
            }
            failed(self, root, score, window.bound_of(score));
            aspiration.open(score);
        }
    }
}

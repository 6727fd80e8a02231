//! Iterative deepening: iteration after iteration, each for as many lines as are wanted.

use super::root::{RankedLine, Root};
use super::worker::Worker;
use crate::evaluation::Evaluator;
use crate::position::MoveList;
use crate::search::time_control::percent_of_soft;
use crate::search::{Bound, Clock, Limits, Observer, Score, SearchReport, Thought};

/// The deepest iteration. Extensions and quiescence need the rest of [`MAX_PLY`](crate::search::MAX_PLY).
const MAX_DEPTH: u32 = 100;

/// Is told of every line that a worker finds, with its depth and rank and what kind its score is.
type Tell<'t, E> = dyn FnMut(&Worker<'_, E>, u32, usize, &RankedLine, Bound) + 't;

/// One worker's way through the iterations.
pub(super) struct Deepening<'a, E> {
    worker: Worker<'a, E>,
    root: Root,
    lines: usize,
    last_depth: u32,
    /// There is nothing to choose, and nobody wants to know more.
    is_forced: bool,
}

impl<'a, E: Evaluator> Deepening<'a, E> {
    /// `moves` are those that the limits allow, in the order to try them first; at least one. If the choice
    /// `is_forced` there is no other. It ends with the `last_depth`, if there is one.
    pub fn new(
        worker: Worker<'a, E>,
        limits: &Limits,
        last_depth: Option<u32>,
        moves: &MoveList,
        is_forced: bool,
    ) -> Self {
        Deepening {
            worker,
            root: Root::new(moves),
            lines: limits.lines.clamp(1, moves.len()),
            last_depth: last_depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH),
            is_forced: is_forced && !limits.infinite,
        }
    }

    /// Searches as the first worker, which talks to the observer and knows when it is enough. The report
    /// says what this worker has done.
    pub fn lead(mut self, clock: &Clock, observer: &mut dyn Observer) -> SearchReport {
        let mut finished = 0;
        let mut time_factor = TimeFactor::default();
        let mut tell = |worker: &Worker<'_, E>, depth, rank, line: &RankedLine, bound| {
            let nodes = worker.gate.all_nodes();
            observer.progress(&Thought {
                rank,
                depth,
                selective_depth: worker.gate.deepest() as u32,
                score: line.score,
                bound,
                time: clock.elapsed(nodes),
                nodes,
                table_hits: worker.gate.all_table_hits(),
                variation: line.variation.clone(),
            });
        };
        for depth in 1..=self.last_depth {
            if self.iteration(depth, &mut tell).is_none() {
                // The lines that were not reached stand as they were, behind those that were: no move leads
                // two of those that were told last.
                let found = self.root.lines().len();
                for (line, rank) in self.root.lines_left().zip(found + 1..=self.lines) {
                    if found > 0 {
                        tell(&self.worker, finished, rank, line, Bound::Exact);
                    }
                }
                break;
            }
            finished = depth;
            // Nobody waits for the only move while there is no deadline, and pondering may get one at any
            // time.
            let is_settled = self.is_forced && clock.is_limited() || self.is_final(depth);
            let percent = time_factor.percent(&self.root);
            if is_settled || clock.should_stop_early(self.worker.gate.all_nodes(), percent) {
                break;
            }
        }
        self.report(finished)
    }

    /// Searches as one of the other workers, which fill the table, and whose line counts if the first worker
    /// has none. Every other one is an iteration ahead.
    pub fn follow(mut self, number: usize) -> SearchReport {
        let mut finished = 0;
        for depth in 1 + number as u32 % 2..=self.last_depth {
            if self.iteration(depth, &mut |_, _, _, _, _| ()).is_none() {
                break;
            }
            finished = depth;
        }
        // The others hear of the last positions, too.
        let _ = self.worker.gate.check_clock();
        self.report(finished)
    }

    /// What this worker has found and done, after it has finished the iteration to that depth.
    fn report(&self, depth: u32) -> SearchReport {
        let RankedLine { variation, score } = self.root.best_line();
        let gate = &self.worker.gate;
        SearchReport {
            variation,
            score,
            depth,
            selective_depth: gate.selective_depth as u32,
            nodes: gate.nodes(),
            table_hits: gate.table_hits(),
            ..SearchReport::default()
        }
    }

    /// Searches every line to `depth`. Each line that is found is told with its rank, and so are those that
    /// it overtakes. `None` if the search has to end.
    fn iteration(&mut self, depth: u32, tell: &mut Tell<'_, E>) -> Option<()> {
        self.root.begin_iteration();
        for rank in 1..=self.lines {
            self.root.begin_line();
            let failed = |worker: &Worker<'_, E>, root: &Root, score: Score, bound| {
                let line = RankedLine { variation: root.best.clone(), score };
                tell(worker, depth, rank, &line, bound);
            };
            self.root.score = self.worker.aspiration(&mut self.root, depth as i32, failed)?;
            let place = self.root.end_line();
            for (line, rank) in self.root.lines().iter().zip(1..).skip(place) {
                tell(&self.worker, depth, rank, line, Bound::Exact);
            }
        }
        Some(())
    }

    /// Whether no deeper iteration can find a shorter mate.
    fn is_final(&self, depth: u32) -> bool {
        let is_final = |score: Score| score.mate_distance().is_some_and(|mate| mate.unsigned_abs() <= depth);
        self.root.lines().iter().all(|line| is_final(line.score))
    }
}

/// How much of the planned time to use, by how settled the choice is.
#[derive(Default)]
struct TimeFactor {
    best: Option<chess::ChessMove>,
    /// Iterations in a row with the same best move.
    unchanged: u32,
}

impl TimeFactor {
    /// Percent of the soft time, after an iteration.
    fn percent(&mut self, root: &Root) -> u32 {
        let best = root.best_line().variation.first().copied();
        self.unchanged = if best == self.best { self.unchanged + 1 } else { 0 };
        self.best = best;
        percent_of_soft(self.unchanged, root.effort_on_best_move() as u32)
    }
}

//! Alpha-beta with iterative deepening: the backend that the genetic search is compared with.
//!
//! Every technique beyond plain alpha-beta is an option, so that the paper's opponents can be rebuilt.
//!
//! # What was tried
//!
//! Version 0.2.0 with one idea against itself without; evaluation kashan, random openings with both colours,
//! the same nodes for both sides (or a clock that counts nodes), Elo with 95 % intervals. "Speed" is nodes a
//! second with the idea over without. The machine was overloaded, so there are few games: no interval
//! excludes zero.
//!
//! | idea | nodes a move | games | Elo | speed | kept |
//! |---|---|---|---|---|---|
//! | singular extensions, cut nodes less deep too | 25,000 | 32 | +77 \[-27, +198\] | 0.98 | see next |
//! | singular extensions | 20,000 | 40 | +35 \[-46, +120\] | 0.98 | yes |
//! | correction history, also by the last two moves | 6,000 | 156 | 0 \[-46, +46\] | 0.91 | no |
//! | correction history (pawns and men) | 12,000 | 64 | +11 \[-63, +86\] | 0.95 | as an option, off |
//! | both | 15,000 | 56 | +12 \[-65, +91\] | 0.92 | no |
//! | capture history | 3,500 | 282 | +1 \[-33, +35\] | 1.00 | no |
//! | more time while the score falls | 1.2 s + 0.02 s at 50,000 a second | 300 | 0 \[-33, +33\] | 1.00 | no |
//! | a game planned for 21 moves instead of 28 | the same | 300 | -27 \[-60, +6\] | 1.00 | no |
//!
//! Both forms of singular extensions together: 72 games, +30 =23 -19, +54 \[-16, +126\], as if games were
//! independent.

mod correction;
mod history;
mod margins;
mod node;
mod options;
mod ordering;
mod pruning;
mod root;
mod singular;
mod table;
#[cfg(test)]
mod tests;
mod window;
mod worker;

pub use options::AlphaBetaOptions;

use self::history::History;
use self::root::Root;
use self::table::Table;
use self::worker::{Step, Worker};
use super::{Bound, Clock, Gate, Limits, MAX_PLY, Observer, Progress, Score, SearchReport, Searcher};
use crate::evaluation::Evaluator;
use crate::position::{Line, Position};

/// Megabytes of the transposition table until somebody says otherwise.
const DEFAULT_MEMORY: usize = 16;

/// The deepest iteration. Extensions and quiescence need the rest of [`MAX_PLY`].
const MAX_DEPTH: u32 = 100;

/// The alpha-beta backend.
pub struct AlphaBeta<E> {
    evaluator: E,
    /// May be changed between searches.
    pub options: AlphaBetaOptions,
    table: Table,
    history: History,
}

impl<E: Evaluator> AlphaBeta<E> {
    pub fn new(evaluator: E, options: AlphaBetaOptions) -> Self {
        AlphaBeta::with_memory(evaluator, options, DEFAULT_MEMORY)
    }

    /// A backend with a table of so many megabytes of 2^20 bytes.
    pub fn with_memory(evaluator: E, options: AlphaBetaOptions, megabytes: usize) -> Self {
        AlphaBeta { evaluator, options, table: Table::new(megabytes), history: History::new() }
    }
}

impl<E: Evaluator> Searcher for AlphaBeta<E> {
    fn search(
        &mut self,
        root: &Position,
        limits: &Limits,
        clock: &Clock,
        observer: &mut dyn Observer,
    ) -> SearchReport {
        let moves = ordering::in_order(root.board(), &limits.root_moves(root), &self.history);
        let mut report = SearchReport::without_search(root, &moves);
        if moves.is_empty() {
            return report;
        }
        if let Some(megabytes) = self.table.take_shortage() {
            observer.short_of_memory(megabytes);
        }
        self.table.next_search();
        self.history.next_search();
        let mut worker = Worker {
            evaluator: &self.evaluator,
            options: &self.options,
            table: &mut self.table,
            history: &mut self.history,
            gate: Gate::new(limits, clock),
            line: Line::new(root),
            path: [Step::default(); MAX_PLY + 1],
        };
        let mut root = Root::new(&moves);
        let mut time_factor = TimeFactor::default();
        let last_depth = limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        for depth in 1..=last_depth {
            let mut tell = |worker: &Worker<'_, E>, root: &Root, score: Score, bound: Bound| {
                observer.progress(&Progress {
                    depth,
                    selective_depth: worker.gate.selective_depth as u32,
                    score,
                    bound,
                    time: clock.elapsed(worker.gate.nodes()),
                    nodes: worker.gate.nodes(),
                    table_hits: worker.gate.table_hits(),
                    variation: &root.best,
                });
            };
            let Some(score) = worker.aspiration(&mut root, depth as i32, &mut tell) else {
                break;
            };
            root.score = score;
            report.depth = depth;
            tell(&worker, &root, score, Bound::Exact);
            // Nobody waits for the only move while there is no deadline, and pondering may get one at any
            // time.
            let settled = moves.len() == 1 && clock.is_limited() || is_final(score, depth);
            let percent = time_factor.percent(&root);
            if settled || clock.should_stop_early(worker.gate.nodes(), percent) {
                break;
            }
        }
        report.score = root.score;
        report.variation = root.best;
        report.selective_depth = worker.gate.selective_depth as u32;
        report.nodes = worker.gate.nodes();
        report.table_hits = worker.gate.table_hits();
        report
    }

    fn new_game(&mut self) {
        self.table.clear();
        self.history.clear();
    }

    fn set_memory(&mut self, megabytes: usize) {
        self.table.resize(megabytes);
    }
}

/// Whether no deeper iteration can find a shorter mate.
fn is_final(score: Score, depth: u32) -> bool {
    score.mate_distance().is_some_and(|distance| distance.unsigned_abs() <= depth)
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
        let best = root.best.first().copied();
        self.unchanged = if best == self.best { self.unchanged + 1 } else { 0 };
        self.best = best;
        let by_stability = [160, 120, 100, 90, 80][self.unchanged.min(4) as usize];
        // 100 % of the effort on one move: no alternative needs time.
        let by_effort = 150 - root.effort_on_best_move().min(100) as u32 * 3 / 4;
        by_stability * by_effort / 100
    }
}

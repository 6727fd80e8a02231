//! The line to play: at each moment, at the end of an iteration, and at the end of the search; and
//! how much time is worth spending on it.

use std::cmp::Reverse;

use chess::ChessMove;

use super::StrongSearch;
use super::node::{Node, NodeId, NodeResult};
use crate::eval::Evaluator;
use crate::rules::score::{Bound, Score};
use crate::search::Stop;
use crate::search::alphabeta::window::Aspiration;
use crate::search::genetic::statistics::Snapshot;
use crate::search::time_control::percent_of_soft;
use crate::search::{MAX_PLY, SearchReport, Thought, Variation};

/// The factor from the effort on the best move here to alpha-beta's, in percent: the mean effort is
/// 53 % here and 58 % there (3,000 iterations of games with 1 s + 0.01 s), and
/// [`percent_of_soft`] was tuned for the latter.
const EFFORT_OF_ALPHA_BETA: u32 = 110;
/// The share of the soft time after which no iteration begins, in percent of alpha-beta's share: an
/// iteration here takes longer than there, compared with those before.
const SHARE_OF_ALPHA_BETA: u32 = 80;

impl<E: Evaluator> StrongSearch<'_, E> {
    /// The goal of the root is reached. A score outside of the aspiration window opens it. A score
    /// inside gives a line, and the next iteration begins, or the search for the next line of
    /// `MultiPV`.
    pub(super) fn finish_iteration(&mut self, depth: i32) {
        let root = self.population.root();
        let result = self.population[root].result;
        if !result.is_exact(depth) {
            self.window.open(result.score);
            return;
        }
        let found = self.best_line().expect("the root has an exact score");
        self.excluded_root_moves.extend(found.best_move());
        let rank = self.lines.partition_point(|line| line.score >= found.score);
        self.lines.insert(rank, found);
        let wanted = self
            .search
            .limits
            .lines
            .clamp(1, self.search.root_moves.len());
        if self.lines.len() == wanted {
            let is_same = first_move(&self.lines) == first_move(&self.reported);
            self.unchanged = if is_same { self.unchanged + 1 } else { 0 };
            self.reported = std::mem::take(&mut self.lines);
            self.excluded_root_moves.clear();
            self.depth = depth + 1;
        }
        if wanted > 1 {
            // They do not hold for the moves that are left.
            self.population[root].result = NodeResult::UNKNOWN;
            self.population[root].unexpanded = NodeResult::UNKNOWN;
        }
        self.window = match self.reported.get(self.lines.len()) {
            Some(line) if self.local.aspires() => Aspiration::around(line.score, self.depth),
            _ => Aspiration::FULL,
        };
    }

    /// The child of the root that leads the best line found so far in this iteration, with its
    /// score for the root: of the moves with an exact score or a lower bound to this depth, the one
    /// with the greatest. `None` before the principal variation was searched to this depth.
    fn best_at_root(&self) -> Option<(NodeId, NodeResult)> {
        let root = self.root_visit();
        let depth = self.depth_below(root, 0);
        let depth_of = |child| self.population[child].result.depth;
        // Of equals the deepest: a late child that is refuted with the score of the best was
        // searched less deep.
        let highest = self
            .children(root.node)
            .max_by_key(|&child| (self.population.shown(child), depth_of(child)))?;
        if depth_of(highest) < depth {
            return None;
        }
        let results = self
            .children(root.node)
            .map(|child| (child, self.population[child].result.for_opponent()));
        results
            .filter(|(_, result)| result.is_at_least(-Score::INFINITE, depth))
            .min_by_key(|(_, result)| Reverse((result.score, result.bound == Bound::Exact)))
    }

    /// The best line that this iteration has found so far.
    pub(super) fn best_line(&self) -> Option<Thought> {
        let (child, NodeResult { score, bound, .. }) = self.best_at_root()?;
        let mut variation = self.line_from(child);
        let plies = score
            .mate_distance()
            .map_or(0, |plies| plies.unsigned_abs() as usize);
        if variation.len() < plies && self.local.is_over_behind(&variation) {
            // The score is a longer mate than the one that the line shows: its first move is sure.
            variation.truncate(1);
        }
        Some(Thought {
            variation,
            score,
            bound,
            ..Thought::default()
        })
    }

    /// A child of the root and what follows it: the line of its exact score, else the best line in
    /// the tree.
    fn line_from(&self, child: NodeId) -> Variation {
        let Node {
            gene, result, tail, ..
        } = &self.population[child];
        if result.bound == Bound::Exact {
            let line = [*gene].into_iter().chain(tail.iter().copied());
            return line.take(MAX_PLY).collect();
        }
        self.population.best_genes(child).take(MAX_PLY).collect()
    }

    /// The line that would be played if the search ended now.
    pub(super) fn line_to_play(&self) -> Option<Thought> {
        let reported = self.reported.first();
        let found = self.lines.first().cloned().or_else(|| self.best_line());
        let mut found = found.or_else(|| reported.cloned())?;
        let is_worse = reported.is_some_and(|reported| found.score < reported.score);
        if self.lines.is_empty() && is_worse {
            // Another move may be better: they were not all searched so deep yet.
            found.bound = Bound::Lower;
        }
        Some(found)
    }

    /// The first move of [`StrongSearch::line_to_play`], and its score.
    pub(super) fn choice(&self) -> Option<(ChessMove, Score)> {
        let of_line = |line: &Thought| line.best_move().map(|mv| (mv, line.score));
        if let Some(found) = self.lines.first() {
            return of_line(found);
        }
        match self.best_at_root() {
            Some((child, result)) => Some((self.population[child].gene, result.score)),
            None => self.reported.first().and_then(of_line),
        }
    }

    /// The lines when the search has to end, the best first. If several are wanted they are those
    /// of the last finished iteration, with the best line of this iteration in front unless its
    /// score is lower.
    pub(super) fn lines_at_the_end(&self) -> Vec<Thought> {
        if self.search.limits.lines <= 1 || self.reported.is_empty() {
            return self.line_to_play().into_iter().collect();
        }
        let Some(best) = self.lines.first() else {
            return self.reported.clone();
        };
        let others = self
            .reported
            .iter()
            .filter(|line| line.best_move() != best.best_move());
        let lines: Vec<Thought> = [best]
            .into_iter()
            .chain(others)
            .take(self.search.limits.lines)
            .cloned()
            .collect();
        if lines.is_sorted_by(|a, b| a.score >= b.score) {
            lines
        } else {
            self.reported.clone()
        }
    }

    /// Returns true if the move leads a line that may be told when the search ends.
    pub(super) fn is_reported(&self, child: NodeId) -> bool {
        let gene = Some(self.population[child].gene);
        self.lines
            .iter()
            .chain(&self.reported)
            .any(|line| line.best_move() == gene)
    }

    /// The state at this moment, for the history. It is taken often, and so without the view.
    pub(super) fn snapshot(&self) -> Snapshot {
        let choice = self.choice();
        self.search.snapshot_of(
            choice.map(|(mv, _)| mv),
            choice.map_or(Score::DRAW, |(_, score)| score),
            self.population.len(),
            self.population.height(),
        )
    }

    pub(super) fn report(&self, best: Option<&Thought>) -> SearchReport {
        let search = &self.search;
        let Thought {
            variation,
            score,
            bound,
            ..
        } = best.cloned().unwrap_or_else(|| Thought {
            variation: search.root_moves.first().copied().into_iter().collect(),
            ..Thought::default()
        });
        let depth = search.depth.map_or(0, |depth| depth as u32);
        SearchReport {
            depth,
            variation,
            score,
            bound,
            ..search.counter.done()
        }
    }

    /// Ends the search after an iteration if nothing is left to decide, or if more time is hardly
    /// worth it: the longer the move to play has been the same, and the more of the effort it has
    /// had, the sooner.
    pub(super) fn check_time(&mut self, depth: i32) -> Result<(), Stop> {
        let search = &mut self.search;
        search.counter.check_clock()?;
        if depth >= search.longest as i32 {
            return Err(Stop);
        }
        if !self.leads {
            return Ok(());
        }
        let is_final = |line: &Thought| {
            line.score
                .mate_distance()
                .is_some_and(|mate| mate.unsigned_abs() as i32 <= depth)
        };
        let is_limited = search.counter.clock().is_limited();
        let is_forced = search.root_moves.len() == 1 && search.chooses && is_limited;
        let is_found = if is_limited || self.reported.len() <= 1 {
            self.reported.first().is_some_and(is_final)
        } else {
            self.reported.iter().all(is_final)
        };
        if (is_found || is_forced) && !search.limits.infinite {
            return Err(Stop);
        }
        let effort = self.effort_on_best_move() * EFFORT_OF_ALPHA_BETA / 100;
        let percent = percent_of_soft(self.unchanged, effort) * SHARE_OF_ALPHA_BETA / 100;
        let search = &self.search;
        if search
            .counter
            .clock()
            .should_stop_early(search.counter.all_nodes(), percent)
        {
            return Err(Stop);
        }
        Ok(())
    }

    /// The share of the positions since the last iteration that were visited for the move to play,
    /// in percent.
    fn effort_on_best_move(&mut self) -> u32 {
        let best = first_move(&self.reported);
        let mut all = 0;
        let mut on_best = 0;
        for ((mv, now), before) in self.search.effort().iter().zip(&self.root_nodes_before) {
            let effort = now - before;
            all += effort;
            if Some(*mv) == best {
                on_best = effort;
            }
        }
        self.root_nodes_before.clone_from(&self.search.root_nodes);
        // Where the table answers everything no other move needs time.
        (on_best * 100).checked_div(all).unwrap_or(100) as u32
    }
}

fn first_move(lines: &[Thought]) -> Option<ChessMove> {
    lines.first().and_then(Thought::best_move)
}

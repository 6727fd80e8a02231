//! The line to play: at each moment, at the end of an iteration, and at the end of the search; and
//! how much time is worth spending on it.

use super::Bred;
use super::node::{Bounded, Node, NodeId};
use crate::eval::Evaluator;
use crate::rules::score::{Bound, Score};
use crate::search::Stop;
use crate::search::alphabeta::window::Aspiration;
use crate::search::genetic::history::{Snapshot, Statistics};
use crate::search::time_control::percent_of_soft;
use crate::search::{MAX_PLY, SearchReport, Thought, Variation};

/// Alpha-beta's effort on its best move, in percent of the effort here: the mean is 58 % of the
/// positions there, and 53 % here (3,000 iterations of games with 1 s + 0.01 s). The plan of time
/// stands on the former.
const EFFORT_OF_ALPHA_BETA: u32 = 110;

impl<E: Evaluator> Bred<'_, E> {
    /// The root is known to a depth: the next iteration begins, or first the search for another
    /// line; unless its score lies outside of the window, which is opened there.
    pub(super) fn finish_iteration(&mut self, depth: i32) {
        let root = self.population.root();
        let result = self.population[root].result;
        if !result.is_exact(depth) {
            self.window.open(result.score);
            return;
        }
        let Some(found) = self.best_line() else {
            return;
        };
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
            // Among other moves others are the best.
            self.population[root].result = Bounded::UNKNOWN;
            self.population[root].unexpanded = Bounded::UNKNOWN;
        }
        self.window = match self.reported.get(self.lines.len()) {
            Some(line) if self.local.aspires() => Aspiration::around(line.score, self.depth),
            _ => Aspiration::FULL,
        };
    }

    /// The best line that this iteration has found so far: that of the best child of the root which
    /// is exact, or shown to be better. `None` before the best child was searched as deep as it has
    /// to be.
    pub(super) fn best_line(&self) -> Option<Thought> {
        let root = self.population.root();
        let depth = (self.depth - 1 + self.check_extension(root, 0)).max(0);
        if self.population[self.pv_child(root)?].result.depth < depth {
            return None;
        }
        let mut best: Option<(NodeId, Bounded)> = None;
        for child in self.children(root) {
            let result = self.population[child].result.for_opponent();
            let rank = |result: Bounded| (result.score, result.bound == Bound::Exact);
            let is_better = best.is_none_or(|(_, best)| rank(result) > rank(best));
            if result.is_at_least(-Score::INFINITE, depth) && is_better {
                best = Some((child, result));
            }
        }
        let (child, Bounded { score, bound, .. }) = best?;
        let mut variation = self.line_from(child);
        let plies = score
            .mate_distance()
            .map_or(0, |plies| plies.unsigned_abs() as usize);
        if variation.len() < plies && self.local.is_over_behind(&variation) {
            // The table knew a longer mate of the same move: this line is not what the score says.
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
    pub(super) fn line_from(&self, child: NodeId) -> Variation {
        let Node {
            gene, result, tail, ..
        } = &self.population[child];
        if result.bound == Bound::Exact {
            return [*gene]
                .into_iter()
                .chain(tail.iter().copied())
                .take(MAX_PLY)
                .collect();
        }
        self.population.best_genes(child).take(MAX_PLY).collect()
    }

    /// The line that would be played if the search ended now.
    pub(super) fn line_to_play(&self) -> Option<Thought> {
        let reported = self.reported.first();
        let found = self.lines.first().cloned().or_else(|| self.best_line());
        let found = found
            .or_else(|| reported.cloned())
            .or_else(|| self.mate_at_hand());
        found.map(|mut found| {
            if self.lines.is_empty()
                && reported.is_some_and(|reported| found.score < reported.score)
            {
                // Another move may be better: they were not all searched so deep yet.
                found.bound = Bound::Lower;
            }
            found
        })
    }

    /// The lines when the search has to end, the best first. If several are wanted they are those
    /// of the last finished iteration, or the best one of this iteration before them, if it is not
    /// worse than they were.
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

    /// A move of the root that mates, before the first iteration is finished.
    fn mate_at_hand(&self) -> Option<Thought> {
        let mate = Score::mate_in(1);
        let mating = self
            .children(self.population.root())
            .find(|&child| self.population.shown(child) == Some(mate))?;
        let variation = [self.population[mating].gene].into_iter().collect();
        Some(Thought {
            variation,
            score: mate,
            ..Thought::default()
        })
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
        let line = self.line_to_play();
        let best = line.as_ref().and_then(Thought::best_move);
        let root_moves = &self.search.root_moves;
        let index = root_moves.iter().position(|&mv| Some(mv) == best);
        Snapshot {
            statistics: Statistics {
                best_nodes: index.map_or(0, |index| self.search.root_nodes[index]),
                tree_nodes: self.population.len() as u64,
                height: self.population.height() as u64,
                ..self.search.statistics
            },
            population: self.search.population,
            nodes: self.search.counter.nodes(),
            best,
            value: line.map_or(Score::DRAW, |line| line.score),
        }
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
        let percent = percent_of_soft(self.unchanged, effort);
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
        let now = self.search.root_nodes.clone();
        let before = std::mem::replace(&mut self.root_nodes_before, now.clone());
        let best = first_move(&self.reported);
        let mut all = 0;
        let mut on_best = 0;
        for (index, nodes) in now.iter().enumerate() {
            let effort = nodes - before.get(index).copied().unwrap_or(0);
            all += effort;
            if Some(self.search.root_moves[index]) == best {
                on_best = effort;
            }
        }
        // Where the table answers everything no other move needs time.
        (on_best * 100).checked_div(all).unwrap_or(100) as u32
    }
}

fn first_move(lines: &[Thought]) -> Option<chess::ChessMove> {
    lines.first().and_then(Thought::best_move)
}

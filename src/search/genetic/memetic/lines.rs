//! Several lines: the best branches of several moves of the root, each of which is carried deeper as if it
//! was the best one.
//!
//! ```text
//!     lines    depth            of which may others take the place?
//!     e4 +31     12   closed
//!     d4 +28     12   closed
//!     c4 +25     11   open      moves of the root that lead no line
//! ```
//!
//! One line is in hand, and everything that is done for the best branch is done for the best branch in its
//! view. A closed line sees its own move of the root only; the open one, the least valued, sees also those
//! that lead no line, so that none of these can be better than any line unseen. The line that is least deep
//! comes next. With one line, it is open and sees all.

use std::cmp::Reverse;

use super::Memetic;
use crate::evaluation::Evaluator;
use crate::score::Score;
use crate::search::genetic::report::ToldLine;
use crate::search::genetic::tree::NodeId;
use crate::search::{Bound, MAX_PLY, SearchReport, Variation};

/// One of the lines that are wanted.
pub(super) struct WantedLine {
    /// The depth that its branch has reached, its end's included.
    pub depth: i32,
    /// Its branch, when it was last both the best in view and exact.
    pub settled: Option<Settled>,
    pub is_open: bool,
    /// Whether it was opened, and not settled since.
    is_due: bool,
    /// Whether nothing is left to find out about it.
    is_done: bool,
}

/// A branch that was both the best in view and exact.
pub(super) struct Settled {
    pub path: Vec<NodeId>,
    /// From White's point of view.
    pub value: Score,
}

impl WantedLine {
    /// A line that is still to be found, to a depth.
    pub fn open(depth: i32) -> Self {
        WantedLine { depth, settled: None, is_open: true, is_due: false, is_done: false }
    }

    /// The branch is the best in view, and exact.
    pub fn settle(&mut self, settled: Settled) {
        self.settled = Some(settled);
        self.is_due = false;
    }

    /// Whether no deeper search can find a shorter mate.
    pub fn is_final(&self) -> bool {
        let distance = self.settled.as_ref().and_then(|settled| settled.value.mate_distance());
        distance.is_some_and(|distance| distance.unsigned_abs() <= self.depth as u32)
    }

    /// Its move of the root.
    pub fn head(&self) -> Option<NodeId> {
        self.settled.as_ref().and_then(|settled| settled.path.get(1).copied())
    }

    /// Which line it is, and of which kind.
    fn mark(&self) -> (Option<NodeId>, bool) {
        (self.head(), self.is_open)
    }
}

impl Settled {
    /// How many nodes from the root on are the same on a path.
    pub fn shared_with(&self, path: &[NodeId]) -> usize {
        self.path.iter().zip(path).take_while(|(a, b)| a == b).count()
    }
}

/// The depth that all of these lines have reached about which something is left to find out; if there are
/// none, the greatest.
fn depth_of<'a, I: Iterator<Item = &'a WantedLine>>(lines: impl Fn() -> I) -> i32 {
    let unfinished = lines().filter(|line| !line.is_done && !line.is_final());
    let depth = unfinished.map(|line| line.depth).min();
    depth.or_else(|| lines().map(|line| line.depth).max()).unwrap_or_default()
}

impl<E: Evaluator> Memetic<'_, E> {
    /// When the line in hand is settled: takes up one that is still missing, or was opened, or is least deep
    /// of those about which something is left to find out; of equals the best. Returns whether that is
    /// another one, or the same with another view: then it has to be settled first.
    pub(super) fn take_turns(&mut self) -> bool {
        let wanted = self.search.lines.min(self.search.root_moves.len());
        // Without room for them, the moves of the root are not in the tree.
        if wanted <= 1 || self.line.head().is_none() {
            return false;
        }
        let before = self.line.mark();
        let is_one_missing = self.others.len() + 1 < wanted;
        // As soon as all are there, the last one is opened, and compared with all moves that lead none.
        self.line.is_open &= !is_one_missing;
        self.lay_aside();
        if !is_one_missing {
            self.rank_lines();
            let next = (0..wanted).min_by_key(|&rank| {
                let line = &self.others[rank];
                (!line.is_due, line.is_done, line.depth, rank)
            });
            self.line = self.others.remove(next.unwrap_or(0));
        }
        self.line.mark() != before
    }

    /// Puts the line in hand to the others. One that is missing is in hand then.
    fn lay_aside(&mut self) {
        let missing = WantedLine::open(self.line.depth);
        self.others.push(std::mem::replace(&mut self.line, missing));
    }

    /// What comes first is better; of equals the one that is on the branch with K = 0.
    fn order(&self, line: &WantedLine) -> (Reverse<Option<Score>>, bool, Option<usize>) {
        let tree = &self.search.tree;
        let value = line.settled.as_ref().map(|settled| self.search.for_mover(settled.value));
        let is_other = line.head() != tree.best_child(tree.root());
        (Reverse(value), is_other, line.head().map(NodeId::index))
    }

    /// Puts the lines that are not in hand in order, the best first, of which only the last is open.
    fn rank_lines(&mut self) {
        let mut lines = std::mem::take(&mut self.others);
        lines.sort_by_key(|line| self.order(line));
        self.others = lines;
        let (last, depth) = (self.others.len().saturating_sub(1), depth_of(|| self.others.iter()));
        for (rank, line) in self.others.iter_mut().enumerate() {
            let is_open = rank == last;
            if is_open && !line.is_open {
                if line.is_done {
                    // What nothing was left to find out about has not stayed behind.
                    line.depth = line.depth.max(depth);
                }
                (line.is_due, line.is_done) = (true, false);
            }
            line.is_open = is_open;
        }
    }

    /// Nothing is left to find out about the line in hand. `None` if that goes for all.
    pub(super) fn put_aside(&mut self) -> Option<()> {
        self.line.is_done = true;
        self.others.iter().any(|line| !line.is_done).then_some(())
    }

    /// At the end: only the best line is left, and all moves of the root are in its view.
    pub(super) fn keep_best_line(&mut self) {
        if self.others.is_empty() {
            return;
        }
        // What is exact to the depth of all is no claim.
        let depth = self.depth_of_all();
        self.lay_aside();
        self.rank_lines();
        self.line = self.others.remove(0);
        self.line.is_open = true;
        self.line.depth = depth;
        self.known.extend(self.others.drain(..).filter_map(|line| line.settled));
    }

    /// The best of the lines, as they were last settled.
    pub(super) fn best_line(&self) -> &WantedLine {
        self.all_lines().min_by_key(|line| self.order(line)).unwrap_or(&self.line)
    }

    pub(super) fn all_lines(&self) -> impl Iterator<Item = &WantedLine> {
        self.others.iter().chain([&self.line])
    }

    /// The depth that all lines have reached about which something is left to find out.
    pub(super) fn depth_of_all(&self) -> i32 {
        depth_of(|| self.all_lines())
    }

    /// Whether a move of the root is one that the line in hand can have, or can be compared with.
    pub(super) fn is_in_view(&self, head: NodeId) -> bool {
        match self.line.is_open {
            true => self.others.iter().all(|line| line.head() != Some(head)),
            false => self.line.head() == Some(head),
        }
    }

    /// The best move of the root in view.
    pub(super) fn best_in_view(&self) -> Option<NodeId> {
        let tree = &self.search.tree;
        if self.others.is_empty() {
            return tree.best_child(tree.root());
        }
        let own = self.line.head();
        let in_view = tree.children(tree.root()).filter(|&head| self.is_in_view(head));
        let valued = in_view.filter_map(|head| Some((self.search.for_mover(tree.value(head)?), head)));
        valued.max_by_key(|&(value, head)| (value, Some(head) == own)).map(|(_, head)| head)
    }

    /// What it is worth, from White's point of view.
    pub(super) fn value_in_view(&self) -> Score {
        match self.others.is_empty() {
            true => self.search.root_value(),
            false => self.best_in_view().and_then(|head| self.search.tree.value(head)).unwrap_or_default(),
        }
    }

    /// What is told of the lines, the best first: moves, and values from White's point of view.
    pub(super) fn lines(&self) -> Vec<(Variation, Score)> {
        if self.others.is_empty() {
            return vec![(self.search.best_line(), self.search.root_value())];
        }
        let mut lines: Vec<_> = self.all_lines().collect();
        lines.sort_by_key(|line| self.order(line));
        let settled = lines.into_iter().filter_map(|line| line.settled.as_ref());
        settled.map(|settled| (self.variation(&settled.path), settled.value)).collect()
    }

    /// A branch that ends with the game gets no deeper: its line is as deep as what is compared with it.
    pub(super) fn keep_pace(&mut self, compared: i32) {
        let end = self.line.settled.as_ref().and_then(|settled| settled.path.last());
        if end.is_some_and(|&end| self.search.tree.is_terminal(end)) {
            self.deepen_line(compared);
        }
    }

    /// The line in hand has reached a depth.
    pub(super) fn deepen_line(&mut self, depth: i32) {
        if self.line.depth < depth {
            self.line.depth = depth;
            self.unchanged += u32::from(self.line.head() == self.head);
        }
    }

    /// What is told at the end of lines that were settled before: the one that is played comes first. What
    /// has got worse since is worth no more than that, nor than what it was.
    pub(super) fn last_lines(
        &self,
        settled: Vec<(Variation, Score)>,
        report: &SearchReport,
    ) -> Vec<ToldLine> {
        let (search, value_played) = (&self.search, self.search.root_value());
        let value_now = |line: &Variation| {
            let head = search.tree.child(search.tree.root(), *line.first()?)?;
            search.tree.value(head).map(|value| search.for_mover(value))
        };
        let others = settled.into_iter().filter(|(line, _)| line.first() != report.variation.first());
        let others = others.map(|(line, value)| {
            let then = search.for_mover(value);
            let is_worse = value_now(&line).is_some_and(|now| now < then);
            match then > report.score {
                true => (line, value_played, Bound::Upper),
                false if is_worse => (line, value, Bound::Upper),
                false => (line, value, Bound::Exact),
            }
        });
        let played = (report.variation.clone(), value_played, report.bound);
        std::iter::once(played).chain(others).take(self.search.lines).collect()
    }

    /// The moves of a path, and what follows its end.
    fn variation(&self, path: &[NodeId]) -> Variation {
        let genes = path.iter().skip(1).map(|&node| self.search.tree.gene(node));
        genes.chain(self.tail_of(path[path.len() - 1])).take(MAX_PLY).collect()
    }
}

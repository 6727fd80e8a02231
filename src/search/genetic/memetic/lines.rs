//! Several lines: the best branches of several moves of the root, each of which is carried deeper as if it was
//! the best one.
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

use chess::ChessMove;

use super::Memetic;
use crate::evaluation::Evaluator;
use crate::score::Score;
use crate::search::genetic::tree::NodeId;
use crate::search::{MAX_PLY, Variation};

/// One of the lines that are wanted.
pub(super) struct WantedLine {
    /// The depth that its branch has reached, its end's included.
    pub depth: i32,
    /// Its branch, when it was last both the best in view and exact.
    pub settled: Option<Settled>,
    /// How often its branch was carried deeper since its first move was another one.
    pub unchanged: u32,
    pub is_open: bool,
    /// Whether it was settled before it was opened.
    is_due: bool,
    /// Whether nothing is left to find out about it.
    is_done: bool,
}

/// A branch that was both the best in view and exact.
pub(super) struct Settled {
    pub path: Vec<NodeId>,
    /// Its first move.
    pub first: Option<ChessMove>,
    /// From White's point of view.
    pub value: Score,
}

impl WantedLine {
    /// A line that is still to be found, to a depth.
    pub fn open(depth: i32) -> Self {
        WantedLine { depth, settled: None, unchanged: 0, is_open: true, is_due: false, is_done: false }
    }

    /// The branch is the best in view, and exact.
    pub fn settle(&mut self, path: Vec<NodeId>, first: Option<ChessMove>, value: Score) {
        if self.settled.as_ref().is_none_or(|old| old.first != first) {
            self.unchanged = 0;
        }
        self.settled = Some(Settled { path, first, value });
        self.is_due = false;
    }

    /// Its move of the root.
    pub fn head(&self) -> Option<NodeId> {
        self.settled.as_ref().and_then(|settled| settled.path.get(1).copied())
    }

    /// Whether another one is in hand, or as another kind.
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

impl<E: Evaluator> Memetic<'_, E> {
    /// When the line in hand is settled: takes up one that is still missing, or was opened, or is least deep;
    /// of equals the best. Returns whether that is another one, or the same with another view: then it has to
    /// be settled first.
    pub(super) fn take_turns(&mut self) -> bool {
        let wanted = self.search.lines.min(self.search.root_moves.len());
        if wanted <= 1 {
            return false;
        }
        let before = self.line.mark();
        let missing = WantedLine::open(self.line.depth);
        self.others.push(std::mem::replace(&mut self.line, missing));
        if self.others.len() == wanted {
            self.rank_lines();
            let next = (0..wanted).min_by_key(|&rank| {
                let line = &self.others[rank];
                (!line.is_due, line.is_done, line.depth, rank)
            });
            self.line = self.others.remove(next.unwrap_or(0));
        }
        self.line.mark() != before
    }

    /// Puts the lines that are not in hand in order, the best first, of which only the last is open.
    fn rank_lines(&mut self) {
        let search = &self.search;
        self.others.sort_by_key(|line| {
            let value = line.settled.as_ref().map(|settled| search.for_mover(settled.value));
            (Reverse(value), line.head().map(NodeId::index))
        });
        let last = self.others.len().saturating_sub(1);
        for (rank, line) in self.others.iter_mut().enumerate() {
            let is_open = rank == last;
            if is_open && !line.is_open {
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
        let missing = WantedLine::open(self.line.depth);
        self.others.push(std::mem::replace(&mut self.line, missing));
        self.rank_lines();
        self.line = self.others.swap_remove(0);
        self.line.is_open = true;
        self.others.clear();
    }

    /// The best of the lines, as they were last settled.
    pub(super) fn best_line(&self) -> &WantedLine {
        let value =
            |line: &&WantedLine| line.settled.as_ref().map(|settled| self.search.for_mover(settled.value));
        self.others.iter().chain([&self.line]).max_by_key(value).unwrap_or(&self.line)
    }

    /// The depth that all lines have reached about which something is left to find out.
    pub(super) fn depth_of_all(&self) -> i32 {
        let lines = self.others.iter().chain([&self.line]).filter(|line| !line.is_done);
        lines.map(|line| line.depth).min().unwrap_or(self.line.depth)
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
            return self.search.best_lines();
        }
        let settled = self.others.iter().chain([&self.line]).filter_map(|line| line.settled.as_ref());
        let mut lines: Vec<_> =
            settled.map(|settled| (self.variation(&settled.path), settled.value)).collect();
        lines.sort_by_key(|&(_, value)| Reverse(self.search.for_mover(value)));
        lines
    }

    /// The moves of a path, and what follows its end.
    fn variation(&self, path: &[NodeId]) -> Variation {
        let genes = path.iter().skip(1).map(|&node| self.search.tree.gene(node));
        genes.chain(self.tail_of(path[path.len() - 1])).take(MAX_PLY).collect()
    }
}

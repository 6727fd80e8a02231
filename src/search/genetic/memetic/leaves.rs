//! Leaf searches, and how ends of branches grow.

use chess::ChessMove;

use super::{End, Higher, LEAST_ROOM, Memetic};
use crate::evaluation::Evaluator;
use crate::position::MoveList;
use crate::score::{Bound, Score};
use crate::search::Variation;
use crate::search::alphabeta::leaf::Leaf;

/// A leaf search that asks may always visit so many positions.
pub(super) const SMALL_LEAF: u64 = 1_000;

/// Half the width, in centipawns, of the window in which an exact value is first looked for.
const WIDTH: i32 = 40;

impl<E: Evaluator> Memetic<'_, E> {
    /// The value at the end of the path becomes `value`, from the side to move there.
    fn set_end(&mut self, value: Score, depth: i32, bound: Bound) {
        let (node, level) = (self.node(), self.level());
        let white = self.for_side_on(level, value);
        let bound = if self.search.tree.is_max(level) { bound } else { bound.for_opponent() };
        self.know_end(node, End { depth: depth.max(0), bound });
        self.search.tree.set_own(node, level, white, false);
        self.search.tree.back_up(&self.path);
        self.search.statistics.leaves += 1;
    }

    /// Values the end of the path exactly.
    pub(super) fn value_end(&mut self, depth: i32) -> Option<()> {
        self.go();
        let level = self.level();
        let mut tail = Variation::new();
        let tree = &self.search.tree;
        let of_parent = level.checked_sub(1).and_then(|above| tree.own_value(self.path[above]));
        let guess = tree.own_value(self.node()).or(of_parent).filter(|value| !value.is_mate());
        let (mut alpha, mut beta) = match guess {
            Some(guess) if depth > 2 => {
                let guess = self.for_side_on(level, guess);
                (guess - WIDTH, guess + WIDTH)
            }
            _ => (-Score::INFINITE, Score::INFINITE),
        };
        let value = loop {
            let leaf = self.leaf.value(&mut self.search.gate, u64::MAX, depth, alpha, beta, &mut tail)?;
            let Leaf::Worth(value) = leaf else { return None };
            if value <= alpha && alpha > -Score::INFINITE {
                alpha = -Score::INFINITE;
            } else if value >= beta && beta < Score::INFINITE {
                beta = Score::INFINITE;
            } else {
                break value;
            }
        };
        self.set_end(value, depth, Bound::Exact);
        self.tails.insert(self.node(), tail.into_iter().collect());
        Some(())
    }

    /// Asks whether the value at the end of the path is above `reference` (`high`) or below it. All from
    /// White's point of view.
    pub(super) fn ask(&mut self, depth: i32, reference: Score, high: Higher) -> Option<bool> {
        self.go();
        let level = self.level();
        let (low, up) = if high { (reference, reference + 1) } else { (reference - 1, reference) };
        let (alpha, beta) = if self.search.tree.is_max(level) { (low, up) } else { (-up, -low) };
        let (most, before) = (self.largest_leaf(), self.search.gate.nodes());
        let leaf = self.leaf.value(&mut self.search.gate, most, depth, alpha, beta, &mut ())?;
        let largest = &mut self.search.statistics.largest_leaf;
        *largest = (*largest).max(self.search.gate.nodes() - before);
        let value = match leaf {
            Leaf::Worth(value) => value,
            Leaf::TooLarge => {
                self.search.statistics.passed_on += 1;
                let is_max = self.search.tree.is_max(level);
                let reference = match (is_max == high, high) {
                    (true, _) => reference,
                    (false, true) => reference + 1,
                    (false, false) => reference - 1,
                };
                let found = self.try_moves(depth, reference)?;
                return Some(found == (is_max == high));
            }
        };
        let white = self.for_side_on(level, value);
        let beats = if high { white > reference } else { white < reference };
        // An equal is no better: it must not become the best because it is older.
        let white = match (beats, high) {
            (true, _) => white,
            (false, true) => white.min(reference - 1),
            (false, false) => white.max(reference + 1),
        };
        let bound = if value >= beta { Bound::Lower } else { Bound::Upper };
        self.set_end(self.for_side_on(level, white), depth, bound);
        Some(beats)
    }

    /// How many positions one search may visit that only asks whether an end is better than something.
    fn largest_leaf(&self) -> u64 {
        let share = self.search.options.leaf_share as u64;
        if !self.search.tree.has_room_for(LEAST_ROOM) {
            return u64::MAX;
        }
        (self.search.gate.nodes() * share / 100).max(SMALL_LEAF)
    }

    /// Tries the moves at the end of the path that are not in the tree, one after the other, until one is
    /// better for its side than `reference` (White's point of view). Returns whether one is. What the end was
    /// valued by itself counts no more.
    pub(super) fn try_moves(&mut self, depth: i32, reference: Score) -> Option<bool> {
        let (node, level) = (self.node(), self.level());
        let high = self.search.tree.is_max(level);
        let mut found = false;
        for (index, mv) in self.moves_here().into_iter().enumerate() {
            if found || self.search.tree.child(node, mv).is_some() {
                continue;
            }
            found = match self.add_child(mv)? {
                Some(value) => {
                    if high {
                        value > reference
                    } else {
                        value < reference
                    }
                }
                None => self.ask_late(depth - 1, index, reference, high)?,
            };
            self.path.pop();
        }
        self.forget_own();
        Some(found)
    }

    /// The legal moves at the end of the path, the most promising first.
    pub(super) fn moves_here(&mut self) -> MoveList {
        self.go();
        let mut moves = self.leaf.moves();
        if self.level() == 0 {
            moves.retain(|mv| self.search.root_moves.contains(mv));
        }
        self.search.tree.count_moves(self.node(), moves.len());
        moves
    }

    /// Goes to a new child. Returns its value if the game is over there.
    fn add_child(&mut self, mv: ChessMove) -> Option<Option<Score>> {
        let (node, level) = (self.node(), self.level() + 1);
        let child = self.search.tree.insert(node, level, mv);
        self.path.push(child);
        self.go();
        let Some(value) = self.leaf.ended(&mut self.search.gate) else {
            return Some(None);
        };
        self.search.gate.enter(level)?;
        self.set_end(value, 0, Bound::Exact);
        let white = self.for_side_on(level, value);
        self.search.tree.set_own(child, level, white, true);
        self.search.tree.back_up(&self.path);
        Some(Some(white))
    }

    /// As [`Memetic::ask`], for a child that is the `index`-th of its siblings: late ones are asked at less
    /// depth first.
    fn ask_late(&mut self, depth: i32, index: usize, reference: Score, high: Higher) -> Option<bool> {
        let reduction = match index {
            _ if depth < 2 => 0,
            0..4 => 0,
            4..12 => 1,
            _ => 2,
        };
        let beats = self.ask(depth - reduction, reference, high)?;
        // One that has grown has no value of its own any more.
        let is_final = !beats || reduction == 0 || self.search.tree.has_children(self.node());
        if is_final { Some(beats) } else { self.ask(depth, reference, high) }
    }

    /// The value at the end of the path comes from its children only.
    fn forget_own(&mut self) {
        let (node, level) = (self.node(), self.level());
        let tree = &mut self.search.tree;
        if tree.own_value(node).is_some() && tree.has_children(node) && !tree.is_terminal(node) {
            tree.drop_own(node, level);
            tree.back_up(&self.path);
        }
    }

    /// Makes the value at the end of the path exact: with many half-moves to go, by all its moves.
    pub(super) fn settle(&mut self, depth: i32) -> Option<()> {
        if depth > self.search.options.leaf_depth as i32 { self.expand(depth) } else { self.value_end(depth) }
    }

    /// Adds all moves at the end of the path.
    pub(super) fn expand(&mut self, depth: i32) -> Option<()> {
        let level = self.level();
        if !self.search.tree.has_room_for(LEAST_ROOM) {
            return self.value_end(depth);
        }
        let high = self.search.tree.is_max(level);
        let mut best: Option<Score> = None;
        for (index, mv) in self.moves_here().into_iter().enumerate() {
            let before = self.search.gate.nodes();
            let goes_on = self.add_valued(mv, index, depth - 1, best);
            if level == 0 {
                self.search.count_nodes(mv, self.search.gate.nodes() - before);
            }
            goes_on?;
            let value = self.search.tree.value(self.node());
            self.path.pop();
            let better =
                |value: &Score| best.is_none_or(|best| if high { *value > best } else { *value < best });
            best = value.filter(better).or(best);
        }
        self.forget_own();
        self.search.statistics.branches += 1;
        Some(())
    }

    /// Adds a move to the end of the path, which ends with it then, and values it: exactly if it is the first
    /// or better than the best before it, for who makes it.
    fn add_valued(&mut self, mv: ChessMove, index: usize, depth: i32, best: Option<Score>) -> Option<()> {
        let high = self.search.tree.is_max(self.level());
        if self.add_child(mv)?.is_some() {
            return Some(());
        }
        match best {
            None => self.settle(depth)?,
            Some(best) if self.ask_late(depth, index, best, high)? => self.settle_unless_grown(depth)?,
            Some(_) => {}
        }
        Some(())
    }

    /// As [`Memetic::settle`], unless asking has given children to the end of the path: then what is best
    /// among them will be asked when it decides.
    pub(super) fn settle_unless_grown(&mut self, depth: i32) -> Option<()> {
        if self.search.tree.has_children(self.node()) { Some(()) } else { self.settle(depth) }
    }
}

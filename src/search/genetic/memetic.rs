//! The search of the preset `strong`: what its branches come to is valued by small alpha-beta searches.

use std::collections::HashMap;

use chess::ChessMove;

use super::history::History;
use super::report::{News, Watch};
use super::search::Search;
use super::tree::NodeId;
use crate::evaluation::Evaluator;
use crate::position::MoveList;
use crate::score::{Bound, Score};
use crate::search::alphabeta::leaf::{Leaf, LeafSearch};
use crate::search::{Observer, SearchReport, Variation};

/// Nodes that are kept free in the tree for the children of one node.
const LEAST_ROOM: usize = 256;

/// A leaf search may always visit so many positions.
const SMALL_LEAF: u64 = 4_000;

/// What is known of the end of a branch.
#[derive(Clone, Copy, Default)]
struct End {
    /// Half-moves of the alpha-beta search that valued it.
    depth: i32,
    /// What the value is, from White's point of view.
    bound: Bound,
}

/// A branch that was exact to the depth that the search had reached when it was the best.
struct Settled {
    path: Vec<NodeId>,
    first: Option<ChessMove>,
}

/// The end of a branch that was selected.
struct Selected {
    path: Vec<NodeId>,
    /// Who would gain if the value of the end changed: White if it got higher. `None` for the best branch.
    gains: Option<Higher>,
    key: i32,
}

/// Whether higher is better for somebody: for White.
type Higher = bool;

/// See the [module](self).
pub struct Memetic<'a, E> {
    search: Search<'a, E>,
    leaf: LeafSearch<'a, E>,
    ends: Vec<End>,
    /// What follows ends with an exact value.
    tails: HashMap<NodeId, Variation>,
    /// Where the search stands; the root is the first.
    path: Vec<NodeId>,
    /// The depth that the best branch has reached, its end's included.
    depth: i32,
    limit: i32,
    settled: Option<Settled>,
    unchanged: u32,
}

impl<'a, E: Evaluator> Memetic<'a, E> {
    pub fn new(search: Search<'a, E>, leaf: LeafSearch<'a, E>) -> Self {
        let limit = search.longest as i32;
        let path = vec![search.tree.root()];
        Memetic {
            search,
            leaf,
            ends: Vec::new(),
            tails: HashMap::new(),
            path,
            depth: 1,
            limit,
            settled: None,
            unchanged: 0,
        }
    }

    pub fn search(mut self, observer: &mut dyn Observer) -> (SearchReport, History) {
        let mut history = History::default();
        self.run(&mut history, observer);
        self.withdraw_claims();
        history.add(self.search.snapshot());
        (self.report(), history)
    }

    fn run(&mut self, history: &mut History, observer: &mut dyn Observer) -> Option<()> {
        let mut news = News::default();
        let mut watch = Watch::default();
        if self.search.root_moves.is_empty() {
            return None;
        }
        self.expand(1)?;
        self.search.complete_root_moves = self.search.root_moves.len();
        self.search.statistics.first_nodes = self.search.gate.nodes();
        loop {
            if !self.challenge_best()? {
                continue;
            }
            self.settle_best();
            news.announce(&self.search, observer);
            watch.look(&self.search, observer);
            if history.is_due(self.search.statistics.generations) {
                history.add(self.search.snapshot());
            }
            self.check_time()?;
            if !self.search.tree.has_room_for(2 * LEAST_ROOM) {
                self.search.statistics.culls += 1;
                let gate = &mut self.search.gate;
                self.search.tree.cull(|| gate.check_clock().is_some());
            }
            let selected = self.select()?;
            self.improve(selected)?;
            self.search.statistics.generations += 1;
        }
    }

    fn check_time(&mut self) -> Option<()> {
        self.search.gate.check_clock()?;
        if self.search.is_decided() || self.is_final() {
            return None;
        }
        let percent = [160, 120, 100, 90, 80][(self.unchanged as usize).min(4)];
        let all: u64 = self.search.root_nodes.iter().sum();
        let best = self.settled.as_ref().and_then(|settled| settled.first);
        let index = best.and_then(|best| self.search.root_moves.iter().position(|&mv| mv == best));
        let effort = index.map_or(0, |index| self.search.root_nodes[index]) * 100 / all.max(1);
        let percent = percent * (150 - effort.min(100) as u32 * 3 / 4) / 100;
        (!self.search.gate.clock().should_stop_early(self.search.gate.nodes(), percent)).then_some(())
    }

    /// Whether no deeper search can find a shorter mate.
    fn is_final(&self) -> bool {
        let distance = self.search.root_value().mate_distance();
        distance.is_some_and(|distance| distance.unsigned_abs() <= self.depth as u32)
    }

    fn level(&self) -> usize {
        self.path.len() - 1
    }

    fn node(&self) -> NodeId {
        *self.path.last().expect("the path begins with the root")
    }

    fn end(&self, node: NodeId) -> End {
        self.ends.get(node.index()).copied().unwrap_or_default()
    }

    /// Turns a value from White's point of view into that of the side to move on a level, or back.
    fn for_side_on(&self, level: usize, value: Score) -> Score {
        if self.search.tree.is_max(level) { value } else { -value }
    }

    fn go(&mut self) {
        let tree = &self.search.tree;
        self.leaf.go_to(self.path[1..].iter().map(|&node| tree.gene(node)));
    }

    /// The value at the end of the path becomes `value`, from the side to move there.
    fn set_end(&mut self, value: Score, depth: i32, bound: Bound) {
        let (node, level) = (self.node(), self.level());
        let white = self.for_side_on(level, value);
        let bound = match bound {
            Bound::Exact => Bound::Exact,
            Bound::Lower if self.search.tree.is_max(level) => Bound::Lower,
            Bound::Upper if !self.search.tree.is_max(level) => Bound::Lower,
            _ => Bound::Upper,
        };
        if self.ends.len() <= node.index() {
            self.ends.resize(node.index() + 1, End::default());
        }
        self.ends[node.index()] = End { depth: depth.max(0), bound };
        self.tails.remove(&node);
        self.search.tree.set_own(node, level, white, false);
        self.search.tree.back_up(&self.path);
        self.search.statistics.leaves += 1;
    }

    /// Values the end of the path exactly.
    fn value_end(&mut self, depth: i32) -> Option<()> {
        const WIDTH: i32 = 40;
        self.go();
        let level = self.level();
        let mut tail = Variation::new();
        let guess = self.search.tree.own_value(self.node()).filter(|value| !value.is_mate());
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
        self.tails.insert(self.node(), tail);
        Some(())
    }

    /// Asks whether the value at the end of the path is above `reference` (`high`) or below it. All from
    /// White's point of view.
    fn ask(&mut self, depth: i32, reference: Score, high: Higher) -> Option<bool> {
        self.go();
        let level = self.level();
        let (low, up) = if high { (reference, reference + 1) } else { (reference - 1, reference) };
        let (alpha, beta) = if self.search.tree.is_max(level) { (low, up) } else { (-up, -low) };
        let most = self.largest_leaf();
        let value = match self.leaf.value(&mut self.search.gate, most, depth, alpha, beta, &mut ())? {
            Leaf::Worth(value) => value,
            Leaf::TooLarge => {
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
    fn try_moves(&mut self, depth: i32, reference: Score) -> Option<bool> {
        let (node, level) = (self.node(), self.level());
        let high = self.search.tree.is_max(level);
        let mut found = false;
        for (index, mv) in self.moves_here().into_iter().enumerate() {
            if found || self.search.tree.child(node, mv).is_some() {
                continue;
            }
            found = match self.add_child(mv)? {
                Some(value) => if high { value > reference } else { value < reference },
                None => self.ask_late(depth - 1, index, reference, high)?,
            };
            self.path.pop();
        }
        self.forget_own();
        Some(found)
    }

    /// The legal moves at the end of the path, the most promising first.
    fn moves_here(&mut self) -> MoveList {
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
            _ if depth < 2 || !self.search.options.late_reductions => 0,
            0..4 => 0,
            4..12 => 1,
            _ => 2,
        };
        let beats = self.ask(depth - reduction, reference, high)?;
        if beats && reduction > 0 { self.ask(depth, reference, high) } else { Some(beats) }
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
    fn settle(&mut self, depth: i32) -> Option<()> {
        if depth > self.search.options.leaf_depth as i32 { self.expand(depth) } else { self.value_end(depth) }
    }

    /// Adds all moves at the end of the path.
    fn expand(&mut self, depth: i32) -> Option<()> {
        let level = self.level();
        if !self.search.tree.has_room_for(LEAST_ROOM) {
            return self.value_end(depth);
        }
        let high = self.search.tree.is_max(level);
        let mut best: Option<Score> = None;
        for (index, mv) in self.moves_here().into_iter().enumerate() {
            let before = self.search.gate.nodes();
            if self.add_child(mv)?.is_none() {
                match best {
                    None => self.settle(depth - 1)?,
                    Some(best) if self.ask_late(depth - 1, index, best, high)? => {
                        self.settle_again(depth - 1)?;
                    }
                    Some(_) => {}
                }
            }
            let value = self.search.tree.value(self.node());
            self.path.pop();
            if level == 0 {
                self.search.count_nodes(mv, self.search.gate.nodes() - before);
            }
            let better = |value: &Score| best.is_none_or(|best| if high { *value > best } else { *value < best });
            best = value.filter(better).or(best);
        }
        self.forget_own();
        self.search.statistics.branches += 1;
        Some(())
    }

    /// As [`Memetic::settle`], unless asking has given children to the end of the path: then what is best
    /// among them will be asked when it decides.
    fn settle_again(&mut self, depth: i32) -> Option<()> {
        if self.search.tree.has_children(self.node()) { Some(()) } else { self.settle(depth) }
    }

    /// Goes to the end of the best branch.
    fn walk_best(&mut self) {
        let tree = &self.search.tree;
        self.path.clear();
        self.path.extend(tree.best_branch(tree.root()));
    }

    /// Whether the best branch is exact to the depth that has been reached. If not, it is searched again.
    fn challenge_best(&mut self) -> Option<bool> {
        self.walk_best();
        let tree = &self.search.tree;
        if let Some(level) = self.path.iter().position(|&node| tree.has_children(node) && !tree.is_complete(node)) {
            // Only those moves were tried that refute another branch.
            let before = self.search.gate.nodes();
            let reference = self.search.root_value();
            self.path.truncate(level + 1);
            self.try_moves((self.depth - level as i32).max(1), reference)?;
            self.count(before);
            return Some(false);
        }
        let (node, level) = (self.node(), self.level());
        if self.search.tree.is_terminal(node) {
            return Some(true);
        }
        let end = self.end(node);
        let wanted = self.depth - level as i32;
        if end.bound == Bound::Exact && end.depth >= wanted {
            return Some(true);
        }
        let before = self.search.gate.nodes();
        let depth = wanted.max(end.depth);
        if let Some((rival, at)) = self.rival() {
            let high = self.search.tree.is_max(at - 1);
            let reference = self.search.tree.value(rival).unwrap_or_default();
            let proved = end.depth >= depth && (end.bound == Bound::Lower) == high && end.bound != Bound::Exact;
            if !proved && !self.ask(depth, reference, high)? {
                self.count(before);
                return Some(false);
            }
        }
        self.settle_again(depth)?;
        self.count(before);
        Some(false)
    }

    /// The node of the settled branch where the path has left it, and its level.
    fn rival(&self) -> Option<(NodeId, usize)> {
        let settled = self.settled.as_ref()?;
        let at = settled.path.iter().zip(&self.path).position(|(a, b)| a != b)?;
        Some((settled.path[at], at))
    }

    fn count(&mut self, before: u64) {
        if let Some(&first) = self.path.get(1) {
            self.search.count_nodes(self.search.tree.gene(first), self.search.gate.nodes() - before);
        }
    }

    fn settle_best(&mut self) {
        self.search.depth = Some(self.depth as usize);
        self.search.tail = self.tails.get(&self.node()).cloned().unwrap_or_default();
        let first = self.path.get(1).map(|&node| self.search.tree.gene(node));
        if self.settled.as_ref().is_none_or(|old| old.first != first) {
            self.unchanged = 0;
        }
        self.settled = Some(Settled { path: self.path.clone(), first });
    }

    /// The end that is to be searched deeper.
    fn select(&self) -> Option<Selected> {
        let mut best = None;
        let mut path = vec![self.search.tree.root()];
        self.visit(&mut path, None, 0, &mut best);
        best
    }

    fn visit(&self, path: &mut Vec<NodeId>, gains: Option<Higher>, price: i32, best: &mut Option<Selected>) {
        let tree = &self.search.tree;
        let (node, level) = (path[path.len() - 1], path.len() - 1);
        if !tree.has_children(node) {
            let depth = level as i32 + self.end(node).depth;
            let Some(value) = tree.value(node) else { return };
            if tree.is_terminal(node) || depth >= self.limit {
                return;
            }
            let contest = (value.0 - self.search.root_value().0).abs() + price;
            let key = contest + self.search.options.depth_price as i32 * depth;
            if best.as_ref().is_none_or(|best| key < best.key) {
                *best = Some(Selected { path: path.clone(), gains, key });
            }
            return;
        }
        let high = tree.is_max(level);
        let best_child = tree.best_child(node);
        let step = self.search.options.step_price as i32;
        let by_rank = self.search.options.rank_price as i32;
        // The newest child comes first, and it is the one that was the least promising.
        let mut rank = if by_rank > 0 { tree.children(node).count() } else { 0 };
        for child in tree.children(node) {
            rank = rank.saturating_sub(1);
            path.push(child);
            if best_child == Some(child) {
                self.visit(path, gains, price, best);
            } else if gains.is_none_or(|gains| gains == high) {
                let by_rank = if level > 0 { by_rank * log2(rank as i32 + 1) / 16 } else { by_rank };
                self.visit(path, Some(high), price + step + by_rank, best);
            }
            path.pop();
        }
    }

    /// Searches a selected end deeper.
    fn improve(&mut self, selected: Selected) -> Option<()> {
        let before = self.search.gate.nodes();
        self.path = selected.path;
        let depth = self.end(self.node()).depth + 1;
        match selected.gains {
            None => {
                if self.depth < self.level() as i32 + depth {
                    self.depth = self.level() as i32 + depth;
                    self.unchanged += 1;
                }
                self.settle(depth)?;
            }
            Some(high) => {
                let reference = self.search.root_value();
                self.ask(depth, reference, high)?;
            }
        }
        self.count(before);
        Some(())
    }

    /// At the end: a branch that was about to become the best, but is not settled, is no better than the one
    /// that is.
    fn withdraw_claims(&mut self) {
        loop {
            self.walk_best();
            let (node, level) = (self.node(), self.level());
            let Some((rival, at)) = self.rival() else {
                return self.search.tail = self.tails.get(&node).cloned().unwrap_or_default();
            };
            let Some(value) = self.search.tree.value(rival) else { return };
            let no_better = if self.search.tree.is_max(at - 1) { value - 1 } else { value + 1 };
            let is_terminal = self.search.tree.is_terminal(node);
            self.search.tree.set_own(node, level, no_better, is_terminal);
            self.search.tree.back_up(&self.path);
        }
    }

    fn report(&self) -> SearchReport {
        let search = &self.search;
        let mut variation = search.best_line();
        if variation.is_empty() {
            variation.extend(search.root_moves.first().copied());
        }
        SearchReport {
            depth: self.depth as u32,
            variation,
            score: search.for_mover(search.root_value()),
            selective_depth: search.gate.selective_depth as u32,
            nodes: search.gate.nodes(),
            table_hits: search.gate.table_hits(),
            branches: search.statistics.branches,
        }
    }
}

/// The logarithm to base 2 of a positive number, in sixteenths, linear between the powers of two.
const fn log2(number: i32) -> i32 {
    if number <= 1 {
        return 0;
    }
    let whole = number.ilog2();
    (16 * whole as i32) + ((16 * (number - (1 << whole))) >> whole)
}

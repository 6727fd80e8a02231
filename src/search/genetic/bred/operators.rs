//! Breeding: growth and mutation, validated by making the moves, and the local search that values the ends of
//! branches. Crossover has its own file.

use chess::ChessMove;

use super::Bred;
use super::select::{Operation, Parent};
use super::verdict::{Need, Record, Verdict};
use crate::eval::Evaluator;
use crate::rules::position::MoveList;
use crate::rules::score::{Bound, Score};
use crate::search::alphabeta::leaf::{Leaf, Rest, Singularity};
use crate::search::genetic::report::{genes_in_words, k_in_words};
use crate::search::genetic::search::LONGEST_BRED;
use crate::search::genetic::tree::{NodeId, Origin};
use crate::search::{MAX_PLY, Variation};

/// Half the width, in centipawns, of the window in which an exact value is first looked for.
const WIDTH: i32 = 40;

/// A local search that is a half-move deeper than the last one from the same place visits up to so many
/// times as many positions.
const COST_OF_DEPTH: u64 = 4;

impl<E: Evaluator> Bred<'_, E> {
    /// Something is born or valued at a place. `None` if the search has to end.
    pub(super) fn breed(&mut self, parent: &Parent) -> Option<()> {
        self.path.clone_from(&parent.path);
        if self.ask_the_table(&parent.needs) {
            return Some(());
        }
        let need = parent.needs[parent.needs.len() - 1];
        match parent.operation {
            Operation::Climb => Some(()),
            Operation::Value => self.value(&parent.needs),
            Operation::Compare => self.compare(need),
            Operation::Breed => match self.crossover(need)? {
                true => Some(()),
                false => self.mutate(need),
            },
        }
    }

    /// A line of the log for the child at the end of the path: how it was born, or that it was valued, its
    /// stem and its tail, its value from White's point of view with the depth to which it holds, and K.
    pub(super) fn log_birth(&self, birth: &str) {
        if !log::log_enabled!(log::Level::Trace) {
            return;
        }
        let (tree, (&child, stem)) = (&self.search.tree, self.path.split_last().expect("it has a root"));
        let stem = genes_in_words(stem.iter().skip(1).map(|&node| tree.gene(node)));
        let record = &self.records[child.index()];
        let tail = genes_in_words(std::iter::once(tree.gene(child)).chain(record.tail.iter().copied()));
        let Verdict { depth, bound, value } = record.whole;
        let bound = match (bound, tree.is_max(self.level())) {
            (Bound::Exact, _) => "",
            (Bound::Lower, true) | (Bound::Upper, false) => "at least ",
            _ => "at most ",
        };
        let value = match depth {
            ..0 => "no value yet".to_owned(),
            _ => format!("{bound}{} to depth {depth}", self.for_side_on(self.level(), value)),
        };
        log::trace!("{birth}: {stem} | {tail}: {value}, {}", k_in_words(tree, &self.path));
    }

    /// How many positions a local search may visit.
    pub(super) fn leaf_nodes(&self) -> u64 {
        (self.search.options.leaf_nodes as u64).max(self.search.counter.nodes().isqrt())
    }

    /// By another order of moves the table may know a position on the path that has grown: the path ends at
    /// the first of which it answers what has to be known.
    fn ask_the_table(&mut self, needs: &[Need]) -> bool {
        for (level, &need) in needs.iter().enumerate().skip(1) {
            let node = self.path[level];
            if need.is_wide() || !self.search.tree.has_children(node) {
                continue;
            }
            self.go_to_level(level);
            if let Some(value) = self.local.answer(need.depth, need.alpha) {
                self.record(node).whole = Verdict::found(need, value);
                self.path.truncate(level + 1);
                return true;
            }
        }
        false
    }

    /// The end of the path was valued.
    pub(super) fn set_verdict(&mut self, verdict: Verdict) {
        let node = self.node();
        self.record(node).whole = verdict;
        self.set_own(verdict.value);
        self.search.statistics.leaves += 1;
    }

    /// Values the end of the path by a local search. If that would be too large the branch grows, unless it
    /// cannot get longer, or has grown already where quiescence alone was too large: then its end is worth
    /// what it looks like.
    pub(super) fn value(&mut self, needs: &[Need]) -> Option<()> {
        self.go();
        let (node, most, need) = (self.node(), self.leaf_nodes(), needs[needs.len() - 1]);
        let is_quiescence = needs.iter().rev().take(2).all(|need| need.depth == 0);
        let is_longest = self.level() >= LONGEST_BRED || is_quiescence;
        let is_deep = need.is_wide() && need.depth > self.search.options.leaf_depth as i32;
        let is_large = self.records[node.index()].cost * COST_OF_DEPTH > most;
        if (is_deep || is_large) && !is_longest {
            return self.grow();
        }
        let before = self.search.counter.nodes();
        let mut tail = Variation::new();
        let found = self.local_search(need, most, &mut tail)?;
        self.record(node).cost = self.count_local_search(before);
        match found {
            Leaf::Worth(value) => {
                self.set_verdict(Verdict::found(need, value));
                // Where only a bound was asked for nothing is known of what follows: the old tail stays.
                if need.is_wide() {
                    let record = self.record(node);
                    (record.tail, record.is_transplanted) = (tail.to_vec(), false);
                }
                self.log_birth("valued");
                Some(())
            }
            Leaf::TooLarge if is_longest => {
                let value = self.local.static_value();
                self.set_verdict(Verdict { depth: need.depth, bound: Bound::Exact, value });
                Some(())
            }
            Leaf::TooLarge => {
                self.search.statistics.passed_on += 1;
                self.grow()
            }
        }
    }

    /// The value of the end of the path in the window of a need: first in a narrow window round what it
    /// was, if it has to be exact.
    fn local_search(&mut self, need: Need, most: u64, tail: &mut Variation) -> Option<Leaf> {
        let Need { depth, alpha, beta } = need;
        let whole = self.whole(self.node());
        let is_guess = whole.depth >= 2 && !whole.value.is_mate();
        let (mut low, mut high) = (alpha, beta);
        if need.is_wide() && is_guess && alpha < whole.value + WIDTH && whole.value - WIDTH < beta {
            (low, high) = (alpha.max(whole.value - WIDTH), beta.min(whole.value + WIDTH));
        }
        let counter = &mut self.search.counter;
        let end = counter.nodes() + most;
        loop {
            let left = end.saturating_sub(counter.nodes());
            let found = match need.is_wide() {
                true => self.local.value(counter, left, depth, low, high, tail)?,
                false => self.local.value(counter, left, depth, low, high, &mut ())?,
            };
            match found {
                Leaf::Worth(value) if value <= low && low > alpha => low = alpha,
                Leaf::Worth(value) if value >= high && high < beta => high = beta,
                found => return Some(found),
            }
        }
    }

    /// How many positions a local search has visited that began after so many.
    pub(super) fn count_local_search(&mut self, before: u64) -> u64 {
        let used = self.search.counter.nodes() - before;
        let largest = &mut self.search.statistics.largest_leaf;
        *largest = (*largest).max(used);
        used
    }

    /// Goes to a new child. If the game is over there it has its value.
    pub(super) fn add_child(&mut self, mv: ChessMove, origin: Origin) -> Option<NodeId> {
        let (node, level) = (self.node(), self.level() + 1);
        let child = self.search.tree.insert(node, level, mv);
        self.search.tree.set_origin(child, origin);
        self.search.statistics.branches += 1;
        let places = self.records.len().max(child.index() + 1);
        self.records.resize_with(places, Record::default);
        self.records[child.index()] = Record::default();
        self.path.push(child);
        self.go();
        self.record(child).is_extended = self.local.is_extended();
        if let Some(value) = self.local.ended(&mut self.search.counter) {
            self.record(child).whole = Verdict { depth: MAX_PLY as i32, bound: Bound::Exact, value };
            let white = self.for_side_on(level, value);
            self.search.tree.set_own(child, level, white, true);
            self.search.tree.back_up(&self.path);
        }
        self.search.counter.enter(level)?;
        Some(child)
    }

    /// Growth: the end of the path gets one child, by the next gene of its tail or else the move that the
    /// table thinks best.
    fn grow(&mut self) -> Option<()> {
        let node = self.node();
        let moves = self.moves_here();
        let Record { tail, is_transplanted, cost, .. } = self.record(node).clone();
        let mv = tail.first().filter(|mv| moves.contains(mv)).or(moves.first()).copied()?;
        let child = self.add_child(mv, Origin::Growth)?;
        let record = self.record(child);
        record.cost = cost / 2;
        if tail.first() == Some(&mv) {
            (record.tail, record.is_transplanted) = (tail[1..].to_vec(), is_transplanted);
            self.search.statistics.transplanted += u64::from(is_transplanted);
        }
        self.search.statistics.growths += 1;
        self.log_birth("growth");
        Some(())
    }

    /// Whether the move that the table thinks best at the end of the path is looked at deeper than others,
    /// because no other one comes near it (singular extensions), or less deep, because others do.
    fn compare(&mut self, need: Need) -> Option<()> {
        self.go();
        let (node, level, most) = (self.node(), self.level(), self.leaf_nodes());
        self.record(node).compared = need.depth;
        self.search.statistics.comparisons += 1;
        let depth = need.depth + self.extension(node, level);
        let extensions = self.path.iter().map(|node| self.records[node.index()].extension.max(0)).sum();
        let before = self.search.counter.nodes();
        let (alpha, beta) = (need.alpha, need.beta);
        let found = self.local.compare(&mut self.search.counter, most, depth, alpha, beta, extensions)?;
        self.count_local_search(before);
        for child in self.search.tree.children(node).collect::<Vec<_>>() {
            self.record(child).extension = 0;
        }
        match found {
            Some((mv, Singularity::Extension(by))) => {
                let child = self.search.tree.children(node).find(|&child| self.search.tree.gene(child) == mv);
                if let Some(child) = child.filter(|&child| !self.search.tree.is_terminal(child)) {
                    self.record(child).extension = by;
                    self.search.statistics.extensions += u64::from(by > 0);
                }
            }
            Some((_, Singularity::Settled(value))) => {
                self.record(node).whole = Verdict { depth: need.depth, bound: Bound::Lower, value };
                self.set_own(value);
            }
            None => (),
        }
        Some(())
    }

    /// Mutation: one search of all moves that are not in the tree says that none is better than the best
    /// child, or which one is. That one is born.
    fn mutate(&mut self, need: Need) -> Option<()> {
        let (node, level) = (self.node(), self.level());
        self.go();
        if !self.search.tree.is_counted(node) {
            // The tree has to hear how many moves there are.
            _ = self.moves_here();
        }
        let depth = self.depth_below(node, level, need);
        let alpha = self.reference(self.contenders(node, level), depth, need.alpha);
        let mut without: MoveList =
            self.search.tree.children(node).map(|child| self.search.tree.gene(child)).collect();
        if level == 0 {
            let root_moves = &self.search.root_moves;
            let is_left_out = |mv: &ChessMove| !root_moves.contains(mv) && !without.contains(mv);
            let left_out: Vec<_> = self.local.moves().into_iter().filter(is_left_out).collect();
            without.extend(left_out);
        }
        let before = self.search.counter.nodes();
        let most = self.leaf_nodes();
        let (counter, principal) = (&mut self.search.counter, need.is_wide());
        let found = match self.search.options.mutation_rate {
            // That nothing saves the side to move has to be shown.
            0 if !alpha.is_mate() || alpha > Score::DRAW => {
                counter.enter(level).map(|()| Rest::NoneBetter(alpha))?
            }
            _ => self.local.rest(counter, most, need.depth, alpha, principal, without.clone())?,
        };
        let used = self.count_local_search(before);
        self.search.statistics.mutation_nodes += used;
        if level == 0 && self.search.options.mutation_rate > 0 {
            self.count_rest_of_root(before + used);
        }
        match found {
            Rest::NoneBetter(value) => {
                self.record(node).rest = Verdict { depth: need.depth, bound: Bound::Upper, value };
                self.set_own(value.min(alpha - 1));
            }
            Rest::Passing(value) => {
                self.record(node).whole = Verdict { depth: need.depth, bound: Bound::Lower, value };
                self.set_own(value);
            }
            Rest::Better(value, mv) => {
                let child = self.add_child(mv, Origin::Mutation)?;
                self.search.statistics.mutations += 1;
                self.search.statistics.birth_nodes += used;
                if !self.search.tree.is_terminal(child) {
                    self.record(child).cost = used;
                    self.set_verdict(Verdict { depth, bound: Bound::Upper, value: -value });
                }
                self.log_birth("mutation, better");
                self.path.pop();
            }
            Rest::TooLarge(mv) => {
                // The positions may be spent before a move was made.
                let next = || Some((self.moves_here().into_iter().find(|mv| !without.contains(mv))?, 0));
                let Some((mv, late)) = mv.or_else(next) else { return Some(()) };
                let start = self.local.searched().last().map_or(before, |&(_, start)| start);
                let child = self.add_child(mv, Origin::Mutation)?;
                self.search.statistics.mutations += 1;
                self.search.statistics.birth_nodes += used;
                let record = self.record(child);
                (record.lag, record.cost) = (late, before + used - start);
                self.search.statistics.undecided += 1;
                self.log_birth("mutation, not decided");
                self.path.pop();
            }
        }
        Some(())
    }

    /// Counts the positions of the search of the root's rest, which ended at `end`, for the moves that it
    /// looked at.
    fn count_rest_of_root(&mut self, end: u64) {
        let searched = self.local.searched();
        let ends = searched.iter().skip(1).map(|&(_, start)| start).chain([end]);
        for (&(mv, start), end) in searched.iter().zip(ends) {
            self.search.count_nodes(mv, end - start);
        }
    }
}

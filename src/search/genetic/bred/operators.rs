//! Breeding: growth and mutation, validated by making the moves, and the local search that values the ends of
//! branches. Crossover has its own file.

use chess::ChessMove;

use super::Bred;
use super::select::{Parent, Task};
use super::verdict::{Need, Record, Verdict};
use crate::evaluation::Evaluator;
use crate::position::MoveList;
use crate::score::Bound;
use crate::search::Variation;
use crate::search::alphabeta::leaf::{Comparison, Leaf, Rest};
use crate::search::genetic::Statistics;
use crate::search::genetic::fitness::climb;
use crate::search::genetic::report::genes_in_words;
use crate::search::genetic::search::LONGEST_BRED;
use crate::search::genetic::tree::{NodeId, Origin};

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
        let before = self.search.statistics;
        let goes_on = match parent.task {
            Task::Climb => Some(()),
            Task::Value => self.value(need),
            Task::Compare => self.compare(need),
            Task::Breed => match self.crossover(need)? {
                true => Some(()),
                false => self.mutate(need),
            },
        };
        if log::log_enabled!(log::Level::Trace) {
            self.log_birth(need, &before);
        }
        goes_on
    }

    /// A line of the log for what was born at the end of the path, or why nothing was.
    fn log_birth(&self, need: Need, before: &Statistics) {
        let (now, tree) = (&self.search.statistics, &self.search.tree);
        let what = match () {
            () if now.growths > before.growths => "growth",
            () if now.mutations > before.mutations => "mutation",
            () if now.crossovers > before.crossovers && now.deaths > before.deaths => "crossover: no better",
            () if now.crossovers > before.crossovers => "crossover",
            () if now.illegal > before.illegal => "crossover: illegal; no mutant is better",
            () if now.leaves > before.leaves => "valued",
            () if now.comparisons > before.comparisons => "compared with its rivals",
            () => "no mutant is better",
        };
        let stem = genes_in_words(self.path[1..].iter().map(|&node| tree.gene(node)));
        let newest = tree.children(self.node()).next().filter(|_| now.branches > before.branches);
        let value = newest.or(Some(self.node())).and_then(|node| tree.value(node));
        // K of the best branch that runs along the path.
        let branch: Vec<NodeId> =
            self.path.iter().copied().chain(tree.best_branch(self.node()).skip(1)).collect();
        let k = climb(tree, &branch);
        log::trace!(
            "{what}: {stem} | {}: {}; depth {}, {}",
            newest.map_or_else(
                || "-".to_owned(),
                |child| genes_in_words(tree.best_branch(child).map(|node| tree.gene(node)))
            ),
            value.map_or_else(|| "no value yet".to_owned(), |value| value.to_string()),
            need.depth,
            k.map_or_else(|| "no K".to_owned(), |k| format!("K = {k}")),
        );
    }

    /// How many positions a local search may visit.
    pub(super) fn leaf_nodes(&self) -> u64 {
        (self.search.options.leaf_nodes as u64).max(self.search.gate.nodes().isqrt())
    }

    /// Another way may have led to a position on the path that has grown: the path ends at the first for
    /// which the table answers what has to be known of it.
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

    /// Values the end of the path by a local search. If that would be too large the branch grows.
    fn value(&mut self, need: Need) -> Option<()> {
        self.go();
        let (node, most) = (self.node(), self.leaf_nodes());
        let is_longest = self.level() >= LONGEST_BRED;
        let is_deep = need.is_wide() && need.depth > self.search.options.leaf_depth as i32;
        let is_large = self.records[node.index()].cost * COST_OF_DEPTH > most;
        if (is_deep || is_large) && !is_longest {
            return self.grow();
        }
        let before = self.search.gate.nodes();
        let mut tail = Variation::new();
        let found = self.local_search(need, most, &mut tail)?;
        let used = self.search.gate.nodes() - before;
        self.count_local_search(used);
        self.record(node).cost = used;
        match found {
            Leaf::Worth(value) => {
                self.set_verdict(Verdict::found(need, value));
                self.record(node).tail = tail.to_vec();
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
        let gate = &mut self.search.gate;
        let end = gate.nodes() + most;
        loop {
            let left = end.saturating_sub(gate.nodes());
            let found = match need.is_wide() {
                true => self.local.value(gate, left, depth, low, high, tail)?,
                false => self.local.value(gate, left, depth, low, high, &mut ())?,
            };
            match found {
                Leaf::Worth(value) if value <= low && low > alpha => low = alpha,
                Leaf::Worth(value) if value >= high && high < beta => high = beta,
                found => return Some(found),
            }
        }
    }

    pub(super) fn count_local_search(&mut self, used: u64) {
        let largest = &mut self.search.statistics.largest_leaf;
        *largest = (*largest).max(used);
    }

    /// Goes to a new child, which takes the place of a dead one. If the game is over there it has its value.
    pub(super) fn add_child(&mut self, mv: ChessMove, origin: Origin) -> Option<NodeId> {
        let (node, level) = (self.node(), self.level() + 1);
        if let Some(dead) = self.search.tree.child(node, mv) {
            self.search.tree.remove_child(node, level - 1, dead);
        }
        let child = self.search.tree.insert(node, level, mv);
        self.search.tree.set_origin(child, origin);
        self.search.statistics.branches += 1;
        let places = self.records.len().max(child.index() + 1);
        self.records.resize_with(places, Record::default);
        self.records[child.index()] = Record::default();
        self.path.push(child);
        self.go();
        self.record(child).is_extended = self.local.is_extended();
        if let Some(value) = self.local.ended(&mut self.search.gate) {
            self.record(child).whole = Verdict::of_the_end(value);
            let white = self.for_side_on(level, value);
            self.search.tree.set_own(child, level, white, true);
            self.search.tree.back_up(&self.path);
        }
        self.search.gate.enter(level)?;
        Some(child)
    }

    /// Growth: the end of the path gets one child, by the next gene of its tail or else the move that the
    /// table thinks best.
    fn grow(&mut self) -> Option<()> {
        let node = self.node();
        let moves = self.moves_here();
        let tail = std::mem::take(&mut self.record(node).tail);
        let mv = tail.first().filter(|mv| moves.contains(mv)).or(moves.first()).copied()?;
        let cost = self.record(node).cost;
        let child = self.add_child(mv, Origin::Growth)?;
        let record = self.record(child);
        record.cost = cost / 2;
        if tail.first() == Some(&mv) {
            record.tail = tail[1..].to_vec();
        }
        self.search.statistics.growths += 1;
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
        let before = self.search.gate.nodes();
        let (alpha, beta) = (need.alpha, need.beta);
        let found = self.local.compare(&mut self.search.gate, most, depth, alpha, beta, extensions)?;
        self.count_local_search(self.search.gate.nodes() - before);
        for child in self.living(node).collect::<Vec<_>>() {
            self.record(child).extension = 0;
        }
        match found {
            Comparison::Extension(mv, by) => {
                let child = self.living(node).find(|&child| self.search.tree.gene(child) == mv);
                if let Some(child) = child.filter(|&child| !self.search.tree.is_terminal(child)) {
                    self.record(child).extension = by;
                    self.search.statistics.extensions += u64::from(by > 0);
                }
            }
            Comparison::Settled(value) => {
                self.record(node).whole = Verdict { depth: need.depth, bound: Bound::Lower, value };
                self.set_own(value);
            }
            Comparison::Unknown => (),
        }
        Some(())
    }

    /// Mutation: one search of all moves that are not in the tree says that none is better than the best
    /// child, or which one is. That one is born.
    fn mutate(&mut self, need: Need) -> Option<()> {
        let (node, level) = (self.node(), self.level());
        let moves = self.moves_here();
        let depth = self.depth_below(node, level, need);
        let alpha = self.reference(&self.contenders(node, level), depth, need.alpha);
        let mut without: MoveList = self.living(node).map(|child| self.search.tree.gene(child)).collect();
        if level == 0 {
            let is_left_out = |mv: &ChessMove| !moves.contains(mv) && !without.contains(mv);
            let left_out: Vec<_> = self.local.moves().into_iter().filter(is_left_out).collect();
            without.extend(left_out);
        }
        let before = self.search.gate.nodes();
        let most = self.leaf_nodes();
        let (gate, principal) = (&mut self.search.gate, need.is_wide());
        let found = match self.search.options.mutation_rate {
            0 => gate.enter(level).map(|()| Rest::NoneBetter(alpha))?,
            _ => self.local.rest(gate, most, need.depth, alpha, principal, without.clone())?,
        };
        let used = self.search.gate.nodes() - before;
        self.count_local_search(used);
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
                if !self.search.tree.is_terminal(child) {
                    self.record(child).cost = used;
                    self.set_verdict(Verdict { depth, bound: Bound::Upper, value: -value });
                }
                self.path.pop();
            }
            Rest::TooLarge(mv) => {
                self.search.statistics.passed_on += 1;
                // The positions may be spent before a move was made.
                let next = || Some((moves.into_iter().find(|mv| !without.contains(mv))?, 0));
                let Some((mv, late)) = mv.or_else(next) else { return Some(()) };
                let start = self.local.searched().last().map_or(before, |&(_, start)| start);
                let child = self.add_child(mv, Origin::Mutation)?;
                self.search.statistics.mutations += 1;
                let record = self.record(child);
                (record.lag, record.cost) = (late, before + used - start);
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

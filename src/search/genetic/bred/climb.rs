//! Climbing and survival: what a birth shows of the nodes above it, and who dies.

use std::cmp::Reverse;

use super::Bred;
use super::verdict::{Need, Verdict};
use crate::eval::Evaluator;
use crate::rules::score::{Bound, Score};
use crate::search::alphabeta::window::Aspiration;
use crate::search::genetic::tree::NodeId;
use crate::search::{MAX_PLY, Thought, Variation};

/// So many moves of the root live on at least, the best one included. They cost little, because the rest of
/// the root is hardly looked at less deep than they are.
const LEAST_AT_ROOT: usize = 3;

impl<E: Evaluator> Bred<'_, E> {
    /// Carries what was found out at the end of the path towards the root, as far as it answers what had to
    /// be known.
    pub(super) fn climb(&mut self, needs: &[Need]) {
        let path = self.path.clone();
        let (mut is_answered, mut is_news_to_root) = (true, path.len() <= 2);
        // The line of a choice that is a bound comes from the tree, and may be another one now.
        let child = path.get(1).map(|&child| self.search.tree.gene(child));
        let bound = self.choice.as_ref().filter(|choice| choice.bound != Bound::Exact);
        is_news_to_root |= bound.is_some_and(|choice| choice.best_move() == child);
        for level in (0..needs.len().min(path.len())).rev() {
            self.path.truncate(level + 1);
            let (node, need) = (path[level], needs[level]);
            if is_answered && !self.whole(node).answers(need) {
                let conclusion = self.conclusion(node, level, need);
                is_answered = conclusion.is_some();
                if let Some(verdict) = conclusion {
                    self.conclude(need, verdict);
                }
            }
            is_news_to_root |= is_answered && level == 1;
            match level {
                // The value of the child may have fallen: what stands for the rest stays below it.
                _ if !is_answered => self.set_rest_below_children(),
                0 => self.reach(need.depth),
                // A late branch that has turned out to be better is looked at as deep as others from now on.
                _ if self.whole(node).for_opponent().value > needs[level - 1].alpha => {
                    self.record(node).lag = 0;
                }
                _ => (),
            }
        }
        self.path = path;
        if is_news_to_root {
            self.choose();
        }
    }

    /// The end of the path is known.
    fn conclude(&mut self, need: Need, verdict: Verdict) {
        let node = self.node();
        self.record(node).whole = verdict;
        self.set_rest_below_children();
        self.prefer_exact(need, verdict);
        self.learn(verdict);
        if verdict.bound == Bound::Lower {
            self.remember_reply();
        }
    }

    /// What follows for a node from what is known of its children and of its rest, if that is enough.
    fn conclusion(&self, node: NodeId, level: usize, need: Need) -> Option<Verdict> {
        let children = self.contenders(node, level);
        let depth = self.depth_below(node, level, need);
        let shown = |child: NodeId| self.whole(child).for_opponent();
        let refutes = |&child: &NodeId| shown(child).is_at_least(need.beta, self.depth_of(child, depth));
        if let Some(best) = children.clone().filter(refutes).map(|child| shown(child).value).max() {
            return Some(Verdict { depth: need.depth, bound: Bound::Lower, value: best });
        }
        let alpha = self.reference(children.clone(), depth, need.alpha);
        if !self.is_rest_known(node, need, alpha) {
            return None;
        }
        let fittest = self.fittest(children.clone())?;
        let is_known = |child| self.is_exact(child, depth) || self.is_refuted(child, fittest, depth, alpha);
        if !children.clone().all(is_known) {
            return None;
        }
        if alpha > need.alpha {
            return Some(Verdict { depth: need.depth, bound: Bound::Exact, value: alpha });
        }
        let rest = self.records[node.index()].rest;
        let of_rest = Some(rest.value).filter(|_| rest.depth >= 0 && !self.search.tree.is_complete(node));
        let value = children.map(|child| shown(child).value).chain(of_rest).max()?;
        Some(Verdict { depth: need.depth, bound: Bound::Upper, value })
    }

    /// What stands for the moves that are not in the tree never hides the best child, which was shown to be
    /// no worse, unless it is mated and nobody has shown yet that the other moves do not save the side to
    /// move; where all moves are there, nothing stands for others.
    pub(super) fn set_rest_below_children(&mut self) {
        let (node, level) = (self.node(), self.level());
        let tree = &self.search.tree;
        let values = tree.children(node).filter_map(|child| tree.value(child));
        let best = values.map(|value| self.for_side_on(level, value)).max();
        let (Some(best), Some(own)) = (best, tree.own_value(node)) else { return };
        if self.search.tree.is_complete(node) {
            self.search.tree.drop_own(node, level);
            self.search.tree.back_up(&self.path);
            return;
        }
        let own = self.for_side_on(level, own);
        // The best branch of the root is the one that is played, also if it is mated.
        let may_be_saved = level > 0
            && best.is_mated()
            && !own.is_mate()
            && !self.records[node.index()].rest.is_at_most(best, 0);
        if own >= best && !may_be_saved {
            self.set_own(best - 1);
        }
    }

    /// The best branch runs through a child that is exact, not through one that is only shown to be no better
    /// and has the same value. What follows the node is written into its tail, because the child may be
    /// looked at deeper before the node is known again.
    fn prefer_exact(&mut self, need: Need, verdict: Verdict) {
        let (node, level) = (self.node(), self.level());
        self.record(node).tail.clear();
        let depth = self.depth_below(node, level, need);
        let is_best = |&child: &NodeId| {
            self.is_exact(child, depth) && self.whole(child).for_opponent().value == verdict.value
        };
        if verdict.bound == Bound::Exact
            && let Some(best) = self.contenders(node, level).filter(is_best).last()
        {
            let mut line = vec![self.search.tree.gene(best)];
            line.extend(&self.records[best.index()].tail);
            self.record(node).tail = line;
            self.search.tree.prefer(node, level, best);
            self.search.tree.back_up(&self.path);
        }
    }

    /// The table hears what the tree found out.
    fn learn(&mut self, verdict: Verdict) {
        if self.level() == 0 {
            return;
        }
        self.go();
        let tree = &self.search.tree;
        let best = tree.best_child(self.node()).map(|child| tree.gene(child));
        let depth = verdict.depth + self.extension(self.node(), self.level());
        self.local.learn(depth, verdict.value, verdict.bound, best);
    }

    /// All is known of the root to a depth: the next one is to be reached, or first another line; unless its
    /// value lies outside of the window, which is opened there.
    fn reach(&mut self, depth: i32) {
        let whole = self.whole(self.search.tree.root());
        if !whole.is_exact(depth) {
            self.window.open(whole.value);
            return;
        }
        self.choose();
        let Some(found) = self.choice.take() else { return };
        let place = self.lines.partition_point(|line| line.score >= found.score);
        self.taken.extend(found.best_move());
        self.lines.insert(place, found);
        let root = self.search.tree.root();
        let wanted = self.search.limits.lines.clamp(1, self.search.root_moves.len());
        if self.lines.len() == wanted {
            let first = |lines: &[Thought]| lines.first().and_then(Thought::best_move);
            let is_same = first(&self.lines) == first(&self.lines_before);
            self.unchanged = if is_same { self.unchanged + 1 } else { 0 };
            self.lines_before = std::mem::take(&mut self.lines);
            self.taken.clear();
            self.depth = depth + 1;
        }
        if wanted > 1 {
            // Among other moves others are the best.
            let record = self.record(root);
            (record.whole, record.rest) = (Verdict::default(), Verdict::default());
        }
        let before = self.lines_before.get(self.lines.len());
        self.window = match before {
            Some(line) if self.local.aspires() => Aspiration::around(line.score, self.depth),
            _ => Aspiration::FULL,
        };
    }

    /// What has to be known of the root.
    pub(super) fn need_of_root(&self) -> Need {
        let Aspiration { alpha, beta, .. } = self.window;
        Need { depth: self.depth, alpha, beta }
    }

    /// Looks for the move that would be played now: the best child of the root that is exact, or one that is
    /// shown to be better.
    pub(super) fn choose(&mut self) {
        let root = self.search.tree.root();
        let shown = |child| (child, self.whole(child).for_opponent());
        let below = self.depth_below(root, 0, self.need_of_root());
        let children = self.contenders(root, 0);
        // Before the fittest has been looked at as deep, a game that is over after another move is no choice.
        if self.fittest(children.clone()).is_none_or(|fittest| self.whole(fittest).depth < below) {
            return;
        }
        // Of equals the exact one, then the oldest.
        let at_least = children.map(shown).filter(|(_, whole)| whole.is_at_least(-Score::INFINITE, below));
        let best = at_least.max_by_key(|(_, whole)| (whole.value, whole.bound == Bound::Exact));
        let Some((child, whole)) = best else { return };
        let mut line = self.line_from(child);
        if whole.value.mate_distance().is_some_and(|plies| line.len() < plies.unsigned_abs() as usize) {
            self.local.go_to(line.iter().copied());
            if self.local.moves().is_empty() {
                // Another worker knew a shorter mate than was found here: it is not what follows.
                line.truncate(1);
            }
            self.go();
        }
        self.choice =
            Some(Thought { variation: line, score: whole.value, bound: whole.bound, ..Thought::default() });
    }

    /// All lines that may be told when the search ends.
    fn told(&self) -> impl Iterator<Item = &Thought> {
        self.lines.iter().chain(&self.choice).chain(&self.lines_before)
    }

    /// A child of the root and what follows it: if it is exact, the line that was found to be worth so much,
    /// else the genes of its best branch.
    pub(super) fn line_from(&self, child: NodeId) -> Variation {
        let (tree, record) = (&self.search.tree, &self.records[child.index()]);
        if record.whole.bound == Bound::Exact {
            return std::iter::once(tree.gene(child))
                .chain(record.tail.iter().copied())
                .take(MAX_PLY)
                .collect();
        }
        tree.best_branch(child).map(|node| tree.gene(node)).take(MAX_PLY).collect()
    }

    /// All along the path the least fit of the refuted children die, until one child and `Contenders` divided
    /// by the half-moves still to be searched are left: a branch costs more the deeper it is searched. Their
    /// moves go back into the rest, which is no better than they are. A place whose rest is not known keeps
    /// all: they would only come back. Returns whether any died.
    pub(super) fn survive(&mut self, needs: &[Need]) -> bool {
        let path = self.path.clone();
        let mut deaths = false;
        for level in 0..needs.len().min(path.len()) {
            let (node, need) = (path[level], needs[level]);
            let on_path = path.get(level + 1).copied();
            let most = self.search.options.contenders as usize / need.depth.max(1) as usize + 1;
            // Each line that is wanted begins with a contender.
            let most = if level == 0 { most.max(self.search.limits.lines).max(LEAST_AT_ROOT) } else { most };
            self.path.truncate(level + 1);
            while self.search.tree.children(node).count() > most
                && let Some(least) = self.worst_refuted(node, level, need, on_path)
            {
                self.bury(least, need.depth);
                deaths = true;
            }
            self.path.extend(on_path);
        }
        self.path = path;
        deaths
    }

    /// A refuted child of the end of the path dies. Its move belongs to the rest, of which nothing else is
    /// known then than before: the child was looked at as deep as it had to be.
    fn bury(&mut self, child: NodeId, depth: i32) {
        let (node, level) = (self.node(), self.level());
        let shown = self.whole(child).for_opponent().value;
        // Where all moves were in the tree nothing was left.
        let of_rest = (!self.search.tree.is_complete(node)).then(|| self.records[node.index()].rest.value);
        let value = of_rest.into_iter().fold(shown, Score::max);
        self.record(node).rest = Verdict { depth, bound: Bound::Upper, value };
        self.search.statistics.deaths += self.search.tree.remove_child(node, level, child) as u64;
        self.set_own(value);
        self.set_rest_below_children();
    }

    /// The least fit child that is refuted, if the rest of its node is known. The best child is not, nor one
    /// that is still being worked on, nor, at the root, one that may be told when the search ends.
    fn worst_refuted(
        &self,
        node: NodeId,
        level: usize,
        need: Need,
        spared: Option<NodeId>,
    ) -> Option<NodeId> {
        let children = self.contenders(node, level);
        let depth = self.depth_below(node, level, need);
        let alpha = self.reference(children.clone(), depth, need.alpha);
        if !self.is_rest_known(node, need, alpha) {
            return None;
        }
        let fittest = self.fittest(children.clone())?;
        let is_best = |child| {
            let whole = self.whole(child).for_opponent();
            child == fittest || self.is_exact(child, depth) && whole.value >= alpha
        };
        let may_be_told = |child| {
            let gene = Some(self.search.tree.gene(child));
            level == 0 && self.told().any(|choice| choice.best_move() == gene)
        };
        let is_unfit = |&child: &NodeId| {
            !is_best(child)
                && Some(child) != spared
                && !may_be_told(child)
                && self.is_refuted(child, fittest, depth, alpha)
        };
        let unfit = children.filter(is_unfit);
        unfit.max_by_key(|&child| Reverse(self.whole(child).for_opponent().value))
    }

    /// The end of the path loses what it has grown: its value stands, and its branches die.
    pub(super) fn fold(&mut self) {
        let (node, level) = (self.node(), self.level());
        let children: Vec<NodeId> = self.search.tree.children(node).collect();
        let value = self.search.tree.value(node);
        for child in children {
            self.search.statistics.deaths += self.search.tree.remove_child(node, level, child) as u64;
        }
        let record = self.record(node);
        (record.rest, record.crossed, record.compared) = (Verdict::default(), 0, 0);
        record.tail.clear();
        if let Some(value) = value {
            let value = self.for_side_on(level, value);
            self.set_own(value);
        }
    }
}

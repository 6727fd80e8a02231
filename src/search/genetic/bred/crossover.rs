//! Crossover: a stem gets the tail of a branch that was the answer elsewhere.

use std::collections::HashMap;

use arrayvec::ArrayVec;
use chess::ChessMove;
use rand::RngExt;

use super::Bred;
use super::verdict::{Need, Verdict};
use crate::eval::Evaluator;
use crate::search::alphabeta::leaf::Leaf;
use crate::search::genetic::search::draw;
use crate::search::genetic::tree::{NodeId, Origin};

/// Children of crossover are looked at so many half-moves less deep than their siblings: what is better
/// even so lives, and is looked at again.
const CROSSOVER_LAG: i32 = 1;

/// Nodes with fewer half-moves to go than this are not worth a crossover.
const LEAST_CROSSED: i32 = 3;

/// More replies are not remembered: all are forgotten.
const MOST_REPLIES: usize = 1 << 15;

/// What crossover transplants, as far as its moves can be made: the first gene is a node of its own, the
/// others follow as the branch grows, unless a local search has found another tail by then.
type Tail = ArrayVec<ChessMove, 4>;

/// The last two genes before a tail, or no move and the last one.
type Stem = [ChessMove; 2];

/// Which tails refuted what: the answers to the last two moves of a stem, and to the last one, forgotten at
/// their first failure (Baier and Drake, "The power of forgetting", 2010).
pub(super) type Replies = HashMap<Stem, Tail>;

impl<E: Evaluator> Bred<'_, E> {
    /// The stem that ends here gets the tail of a branch that was the answer elsewhere. Returns whether a
    /// child lives: one that is better than the best child. Others die at once, and their moves belong to the
    /// rest.
    pub(super) fn crossover(&mut self, need: Need) -> Option<bool> {
        let (node, level) = (self.node(), self.level());
        if need.depth < LEAST_CROSSED || self.records[node.index()].crossed >= need.depth {
            return Some(false);
        }
        self.record(node).crossed = need.depth;
        if self.search.random.random_range(0..100) >= self.search.options.crossover_rate {
            return Some(false);
        }
        let moves = self.moves_here();
        let Some((tail, stem)) = self.donor(&moves) else { return Some(false) };
        let depth = self.depth_below(node, level, need);
        let alpha = self.reference(self.contenders(node, level), depth, need.alpha);
        let child = self.add_child(tail[0], Origin::Crossover)?;
        self.search.statistics.crossovers += 1;
        let lag = CROSSOVER_LAG.min(depth);
        let asked = Need::of_rival(depth - lag, alpha);
        let mut is_decided = true;
        if !self.search.tree.is_terminal(child) {
            let before = self.search.counter.nodes();
            let most = self.leaf_nodes();
            let Need { depth, alpha, beta } = asked;
            let found = self.local.value(&mut self.search.counter, most, depth, alpha, beta, &mut ())?;
            let used = self.count_local_search(before);
            self.search.statistics.crossover_nodes += used;
            self.record(child).cost = used;
            match found {
                Leaf::Worth(value) => self.set_verdict(Verdict::found(asked, value)),
                Leaf::TooLarge => is_decided = false,
            }
            let tail = self.local.validated(&tail[1..]);
            let record = self.record(child);
            (record.tail, record.is_transplanted) = (tail, true);
        }
        let lives = self.whole(child).for_opponent().is_at_least(alpha + 1, asked.depth);
        self.log_birth(match (lives, is_decided) {
            (true, _) => "crossover, better",
            (false, true) => "crossover, no better, dies",
            (false, false) => "crossover, too large, dies",
        });
        self.path.pop();
        if !lives {
            // Of a tail that was too large nothing was shown.
            stem.filter(|_| is_decided).and_then(|stem| self.replies.remove(&stem));
            self.search.statistics.deaths += self.search.tree.remove_child(node, level, child) as u64;
            self.search.tree.back_up(&self.path);
        } else {
            self.search.statistics.birth_nodes += self.records[child.index()].cost;
        }
        Some(lives)
    }

    /// The last two genes of the path, and the last one.
    fn stems(&self) -> impl Iterator<Item = Stem> + use<E> {
        let gene = |node: &NodeId| self.search.tree.gene(*node);
        let two = match &self.path[1..] {
            [.., before, last] => Some([gene(before), gene(last)]),
            _ => None,
        };
        let one = self.path[1..].last().map(|last| [ChessMove::default(), gene(last)]);
        two.into_iter().chain(one)
    }

    /// A tail from elsewhere whose first gene can be made here and is not here already, drawn from what
    /// answered the last two moves of the path, or the last one; what refutes a sibling of its end; and what
    /// refutes it where only the move before that is another one. Also where it
    /// was remembered, if it was.
    fn donor(&mut self, moves: &[ChessMove]) -> Option<(Tail, Option<Stem>)> {
        let (node, tree) = (self.node(), &self.search.tree);
        let replies = self.stems().filter_map(|stem| Some((self.replies.get(&stem)?.clone(), Some(stem))));
        let above = |levels: usize| Some(self.path[self.level().checked_sub(levels)?]);
        let siblings = above(1).into_iter().flat_map(|parent| tree.children(parent));
        let uncles = above(2).into_iter().flat_map(|grandparent| tree.children(grandparent));
        let cousins = uncles.filter_map(|uncle| tree.child(uncle, tree.gene(node)));
        let others = siblings.chain(cousins).filter(|&other| other != node);
        let best = others.filter_map(|other| tree.best_child(other));
        let tails = best.map(|best| (self.tail_from(best), None));
        let is_new = |(tail, _): &(Tail, Option<Stem>)| {
            moves.contains(&tail[0]) && tree.child(node, tail[0]).is_none()
        };
        let donors: Vec<_> = replies.chain(tails).filter(is_new).collect();
        draw(self.search.random, &donors).cloned()
    }

    /// The genes of the best branch from a node on, that of the node itself included.
    fn tail_from(&self, node: NodeId) -> Tail {
        let tree = &self.search.tree;
        tree.best_branch(node).map(|node| tree.gene(node)).take(Tail::new().capacity()).collect()
    }

    /// The best child of the end of the path refutes what was played before.
    pub(super) fn remember_reply(&mut self) {
        let Some(best) = self.search.tree.best_child(self.node()) else { return };
        let tail = self.tail_from(best);
        if self.replies.len() > MOST_REPLIES {
            self.replies.clear();
        }
        for stem in self.stems() {
            self.replies.insert(stem, tail.clone());
        }
    }
}

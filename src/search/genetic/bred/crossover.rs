//! Crossover: a stem gets the tail of a branch that was the answer elsewhere.

use std::collections::HashMap;

use arrayvec::ArrayVec;
use chess::ChessMove;
use rand::RngExt;

use super::Bred;
use super::verdict::{Need, Verdict};
use crate::evaluation::Evaluator;
use crate::search::alphabeta::leaf::Leaf;
use crate::search::genetic::tree::{NodeId, Origin};

/// Children of crossover are looked at so many half-moves less deep than their siblings: what is better
/// even so lives, and is looked at again.
const CROSSOVER_LAG: i32 = 1;

/// Nodes with fewer half-moves to go than this are not worth a crossover.
const LEAST_CROSSED: i32 = 3;

/// More replies are not remembered: all are forgotten.
const MOST_REPLIES: usize = 1 << 15;

/// Genes of a tail that crossover transplants.
type Tail = ArrayVec<ChessMove, 2>;

/// Which tails refuted what: the answers to the last two moves of a stem, and to the last one, forgotten at
/// their first failure (Baier and Drake, "The power of forgetting", 2010).
#[derive(Default)]
pub(super) struct Replies {
    tails: HashMap<[ChessMove; 2], Tail>,
}

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
        let Some(tail) = self.donor(&moves) else { return Some(false) };
        let depth = self.depth_below(node, level, need);
        let alpha = self.reference(&self.contenders(node, level), depth, need.alpha);
        let child = self.add_child(tail[0], Origin::Crossover)?;
        self.search.statistics.crossovers += 1;
        let lag = CROSSOVER_LAG.min(depth);
        let asked = Need::of_rival(depth - lag, alpha);
        if !self.search.tree.is_terminal(child) {
            let before = self.search.gate.nodes();
            let most = self.leaf_nodes();
            let found = self.local.value(
                &mut self.search.gate,
                most,
                asked.depth,
                asked.alpha,
                asked.beta,
                &mut (),
            )?;
            let used = self.search.gate.nodes() - before;
            self.count_local_search(used);
            self.search.statistics.crossover_nodes += used;
            self.record(child).cost = used;
            if let Leaf::Worth(value) = found {
                self.set_verdict(Verdict::found(asked, value));
            }
        }
        self.path.pop();
        let lives = self.whole(child).for_opponent().is_at_least(alpha + 1, asked.depth);
        if !lives {
            self.forget_reply();
            self.record(child).is_dead = true;
            self.search.tree.retire(node, level, child);
            self.search.tree.back_up(&self.path);
            self.search.statistics.deaths += 1;
        }
        Some(lives)
    }

    /// The last two genes of the path, and the last one.
    fn stems(&self) -> impl Iterator<Item = [ChessMove; 2]> + use<E> {
        let gene = |node: &NodeId| self.search.tree.gene(*node);
        let two = match &self.path[1..] {
            [.., before, last] => Some([gene(before), gene(last)]),
            _ => None,
        };
        let one = self.path[1..].last().map(|last| [ChessMove::default(), gene(last)]);
        two.into_iter().chain(one)
    }

    /// A tail from elsewhere whose first gene can be made here and is not here already: what answered the
    /// last two moves of the path, or the last one, or what refutes a sibling of its end.
    fn donor(&mut self, moves: &[ChessMove]) -> Option<Tail> {
        let (node, tree) = (self.node(), &self.search.tree);
        let replies = self.stems().filter_map(|stem| self.replies.tails.get(&stem).cloned());
        let parent = self.level().checked_sub(1).map(|above| self.path[above]);
        let siblings = parent.into_iter().flat_map(|parent| tree.children(parent));
        let best = siblings.filter(|&sibling| sibling != node).filter_map(|sibling| tree.best_child(sibling));
        let donors: Vec<Tail> = replies.chain(best.map(|best| self.tail_from(best))).collect();
        for tail in donors {
            if !moves.contains(&tail[0]) {
                self.search.statistics.illegal += 1;
            } else if self.search.tree.child(node, tail[0]).is_some() {
                self.search.statistics.duplicates += 1;
            } else {
                return Some(tail);
            }
        }
        None
    }

    /// The genes of the best branch from a node on, that of the node itself included.
    fn tail_from(&self, node: NodeId) -> Tail {
        let tree = &self.search.tree;
        tree.best_branch(node).map(|node| tree.gene(node)).take(Tail::new().capacity()).collect()
    }

    fn forget_reply(&mut self) {
        for stem in self.stems() {
            self.replies.tails.remove(&stem);
        }
    }

    /// The best child of the end of the path refutes what was played before.
    pub(super) fn remember_reply(&mut self) {
        let Some(best) = self.search.tree.best_child(self.node()) else { return };
        let tail = self.tail_from(best);
        if self.replies.tails.len() > MOST_REPLIES {
            self.replies.tails.clear();
        }
        for stem in self.stems() {
            self.replies.tails.insert(stem, tail.clone());
        }
    }
}

//! Selection: which branches breed next.
//!
//! A walk from the root goes to where something has to be known that is not. On the best branch, that is its
//! value to the depth that is being reached; for every other branch, that it is no better. At each node
//! there are *ways* on: children of which that is not known, and the rest. The contest of a way is what is
//! missing to make it the best of its node, by what was shown of it; of a child of which nothing was shown
//! yet, nothing is missing, and of the rest as much as of the child of which most is. That of a branch is the
//! sum along its way, so that the best branch has none. As many of the least contested are chosen as breed in
//! one generation; ties go to the fitter, whose H - K + 1 is greater (of tied ways from one node, to the
//! first). A way without contest is followed alone: if it leads to what it looks like, the other ways from
//! there need not be walked. So the rest breeds where all children are known, or beside the last one of which
//! that is not so.

use std::collections::BTreeSet;

use super::Bred;
use super::verdict::Need;
use crate::eval::Evaluator;
use crate::rules::score::Score;
use crate::search::genetic::tree::NodeId;

/// A place in the tree where something is born or valued next.
#[derive(Debug)]
pub(super) struct Parent {
    /// The nodes from the root.
    pub path: Vec<NodeId>,
    /// What has to be known of each.
    pub needs: Vec<Need>,
    pub operation: Operation,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    /// The branch ends here: it is valued, or grows.
    Value,
    /// All contenders are known, or are looked at beside it: another move may be better.
    Breed,
    /// The move that the table thinks best is looked at deeper if no other one comes near it.
    Compare,
    /// All is known, and only has to climb.
    Climb,
}

/// A way on from a node: to a child, or to something that is to be done at the node itself.
#[derive(Clone, Copy)]
struct Way {
    /// In centipawns.
    contest: i32,
    to: Option<(NodeId, Need)>,
}

/// A step of the walk.
struct Step {
    node: NodeId,
    need: Need,
    level: usize,
    /// K of the branches that come here: one more than the level at which they last leave the best branch of
    /// a node.
    k: usize,
    /// Index of the step before, or its own for the root.
    from: usize,
}

/// How far the walk along a branch has come. Sorts by contest, then by K.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Head {
    contest: i32,
    k: usize,
    /// The step to its node, and which of the ways it takes there.
    step: usize,
    way: usize,
}

impl<E: Evaluator> Bred<'_, E> {
    /// The places of the least contested branches, the least contested first: at most P.
    pub(super) fn select(&self) -> Vec<Parent> {
        let most = self.search.population;
        let mut parents = Vec::with_capacity(most);
        let root = self.search.tree.root();
        let mut steps = vec![Step { node: root, need: self.need_of_root(), level: 0, k: 0, from: 0 }];
        // The ways of each step that was looked at, the least contested first.
        let mut all_ways: Vec<Vec<Way>> = vec![self.ways(&steps[0])];
        let mut heads = BTreeSet::from([self.head(0, &steps, 0, 0, &all_ways[0])]);
        'branches: while parents.len() < most
            && let Some(Head { contest, k, mut step, mut way }) = heads.pop_first()
        {
            let operation = loop {
                if !self.search.tree.has_children(steps[step].node) {
                    break Operation::Value;
                }
                let ways = &all_ways[step];
                let Some(taken) = ways.get(way) else { break Operation::Climb };
                if way + 1 < ways.len() && taken.contest > 0 {
                    heads.insert(self.head(contest - taken.contest, &steps, step, way + 1, ways));
                }
                let &Step { node, need, level, .. } = &steps[step];
                let must_compare = || self.must_compare(node, level, need);
                let Some((node, need)) = taken.to else {
                    break if must_compare() { Operation::Compare } else { Operation::Breed };
                };
                let level = level + 1;
                steps.push(Step { node, need, level, k, from: step });
                (step, way) = (steps.len() - 1, 0);
                all_ways.push(self.ways(&steps[step]));
                let head = self.head(contest, &steps, step, way, &all_ways[step]);
                if (head.contest, head.k) > (contest, k) {
                    // By now another branch may be less contested, or fitter.
                    heads.insert(head);
                    continue 'branches;
                }
            };
            parents.push(parent_at(&steps, step, operation));
        }
        parents
    }

    /// The head of the branches that come to a step with so much contest, and take one of the ways there.
    fn head(&self, contest: i32, steps: &[Step], step: usize, way: usize, ways: &[Way]) -> Head {
        let (taken, &Step { node, level, k, .. }) = (ways.get(way), &steps[step]);
        let best = self.search.tree.best_child(node);
        let leaves_best = taken.and_then(|way| way.to).is_some_and(|(child, _)| best != Some(child));
        let contest = contest + taken.map_or(0, |way| way.contest);
        Head { contest, k: if leaves_best { level + 1 } else { k }, step, way }
    }

    /// The ways on from a step, the least contested first. There are none from the end of a branch, nor from
    /// where all is known.
    fn ways(&self, step: &Step) -> Vec<Way> {
        let &Step { node, need, level, .. } = step;
        let children = self.contenders(node, level);
        let Some(fittest) = self.fittest(children.clone()) else { return Vec::new() };
        if self.must_compare(node, level, need) {
            return vec![Way { contest: 0, to: None }];
        }
        let depth = self.depth_below(node, level, need);
        let alpha = self.reference(children.clone(), depth, need.alpha);
        let is_known = |child: NodeId| {
            let (whole, child_depth) = (self.whole(child).for_opponent(), self.depth_of(child, depth));
            whole.is_exact(child_depth)
                || whole.is_at_least(need.beta, child_depth)
                || self.is_refuted(child, fittest, depth, alpha)
        };
        // Where the game is over all is known at any depth, which says nothing of the others.
        let is_looked_at = |child| is_known(child) && !self.search.tree.is_terminal(child);
        if need.is_wide() && !is_known(fittest) && !children.clone().any(is_looked_at) {
            let next = need.of_best(self.depth_of(fittest, depth), alpha);
            return vec![Way { contest: 0, to: Some((fittest, next)) }];
        }
        let mut ways = Vec::new();
        for child in children {
            let (whole, child_depth) = (self.whole(child).for_opponent(), self.depth_of(child, depth));
            let is_worse = whole.is_exact(child_depth) && whole.value <= alpha;
            if is_worse || self.is_refuted(child, fittest, depth, alpha) {
                continue;
            }
            let missing = if whole.depth < 0 { 0 } else { (alpha.0 + 1 - whole.value.0).max(0) };
            let next = match whole.is_at_least(alpha + 1, child_depth) {
                true => need.of_best(child_depth, alpha),
                false => Need::of_rival(child_depth - self.lag_of(child, fittest, child_depth, alpha), alpha),
            };
            ways.push(Way { contest: missing, to: Some((child, next)) });
        }
        // Of equals the oldest comes first.
        ways.reverse();
        ways.sort_by_key(|way| way.contest);
        if !self.is_rest_known(node, need, alpha) {
            let contest = ways.last().map_or(0, |way| way.contest);
            ways.push(Way { contest, to: None });
        }
        ways
    }

    /// The children of a node, the newest first; of the root, those that lead no line that was found already.
    pub(super) fn contenders(&self, node: NodeId, level: usize) -> impl Iterator<Item = NodeId> + Clone {
        let tree = &self.search.tree;
        let leads_a_line = move |&child: &NodeId| self.taken.iter().any(|&mv| mv == tree.gene(child));
        tree.children(node).filter(move |child| level > 0 || !leads_a_line(child))
    }

    /// Of children, the newest first, the one of which the best was shown, for the side to move; while
    /// nothing was shown of any, the oldest. What a child comes to while it is being looked at deeper does
    /// not count before that is done.
    pub(super) fn fittest(&self, children: impl Iterator<Item = NodeId>) -> Option<NodeId> {
        let shown = |&child: &NodeId| {
            let whole = self.whole(child).for_opponent();
            (whole.depth >= 0).then_some(whole.value)
        };
        children.max_by_key(shown)
    }

    /// How deep the children of a node have to be looked at: a half-move less than the node itself, and not
    /// less where the side to move is in check, as in alpha-beta.
    pub(super) fn depth_below(&self, node: NodeId, level: usize, need: Need) -> i32 {
        (need.depth - 1 + self.extension(node, level)).max(0)
    }

    /// By how many half-moves the children of a node are looked at deeper than others.
    pub(super) fn extension(&self, node: NodeId, level: usize) -> i32 {
        i32::from(self.records[node.index()].is_extended && level < 2 * self.depth as usize)
    }

    /// What another child must exceed to be the best of its node: the value of the best one that is exact to
    /// `depth`, or `alpha`.
    pub(super) fn reference(
        &self,
        children: impl Iterator<Item = NodeId>,
        depth: i32,
        alpha: Score,
    ) -> Score {
        let exact = children.filter(|&child| self.is_exact(child, depth));
        exact.map(|child| self.whole(child).for_opponent().value).fold(alpha, Score::max)
    }

    /// Whether a child is shown to be no better than `alpha`, by looking as deep as it has to be.
    pub(super) fn is_refuted(&self, child: NodeId, fittest: NodeId, depth: i32, alpha: Score) -> bool {
        let depth = self.depth_of(child, depth);
        let depth = depth - self.lag_of(child, fittest, depth, alpha);
        self.whole(child).for_opponent().is_at_most(alpha, depth)
    }

    /// By how many half-moves less than `depth` a child that is not the fittest is looked at, until it looks
    /// better than `alpha` there.
    fn lag_of(&self, child: NodeId, fittest: NodeId, depth: i32, alpha: Score) -> i32 {
        let lag = self.records[child.index()].lag.min(depth);
        let looks_better = self.whole(child).for_opponent().is_at_least(alpha + 1, depth - lag);
        if child == fittest || looks_better { 0 } else { lag }
    }

    /// How deep a child has to be looked at where its siblings are to `depth` half-moves.
    pub(super) fn depth_of(&self, child: NodeId, depth: i32) -> i32 {
        (depth + self.records[child.index()].extension).max(0)
    }

    /// Whether the value of a child is known where its siblings are looked at to `depth` half-moves.
    pub(super) fn is_exact(&self, child: NodeId, depth: i32) -> bool {
        self.whole(child).is_exact(self.depth_of(child, depth))
    }

    /// Whether the move that the table thinks best at a node has not been compared with its rivals yet.
    fn must_compare(&self, node: NodeId, level: usize, need: Need) -> bool {
        let depth = need.depth + self.extension(node, level);
        level > 0 && self.local.asks_for_rivals(depth) && self.records[node.index()].compared < need.depth
    }

    /// Whether no move outside the tree is better than `alpha`.
    pub(super) fn is_rest_known(&self, node: NodeId, need: Need, alpha: Score) -> bool {
        self.records[node.index()].rest.is_at_most(alpha, need.depth) || self.search.tree.is_complete(node)
    }
}

/// The place of a step.
fn parent_at(steps: &[Step], step: usize, operation: Operation) -> Parent {
    let length = steps[step].level + 1;
    let (mut path, mut needs) = (Vec::with_capacity(length), Vec::with_capacity(length));
    let before = |&at: &usize| Some(steps[at].from).filter(|&from| from != at);
    for at in std::iter::successors(Some(step), before) {
        path.push(steps[at].node);
        needs.push(steps[at].need);
    }
    path.reverse();
    needs.reverse();
    Parent { path, needs, operation }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::kashan::Kashan;
    use crate::search::genetic::bred::tests::with_bred;
    use crate::search::genetic::params::{GeneticOptions, Preset};
    use crate::search::{AlphaBetaOptions, Limits};

    /// Contest and K of a branch that was chosen, by going its way.
    fn of_parent(bred: &Bred<'_, Kashan>, parent: &Parent) -> (i32, usize) {
        let mut contest = 0;
        for (level, (&node, &need)) in parent.path.iter().zip(&parent.needs).enumerate() {
            let next = parent.path.get(level + 1);
            let ways = bred.ways(&Step { node, need, level, k: 0, from: 0 });
            let taken = ways.iter().find(|way| way.to.map(|(child, _)| child) == next.copied());
            contest += taken.map_or(0, |way| way.contest);
        }
        (contest, k_of(bred, &parent.path))
    }

    /// K of a branch, by its nodes.
    fn k_of(bred: &Bred<'_, Kashan>, path: &[NodeId]) -> usize {
        let tree = &bred.search.tree;
        let leaves = path.windows(2).rposition(|pair| tree.best_child(pair[0]) != Some(pair[1]));
        leaves.map_or(0, |level| level + 1)
    }

    /// Contest and K of every branch that may be chosen, by going all ways.
    fn all(
        bred: &Bred<'_, Kashan>,
        path: &mut Vec<NodeId>,
        need: Need,
        contest: i32,
        found: &mut Vec<(i32, usize)>,
    ) {
        let level = path.len() - 1;
        let ways = bred.ways(&Step { node: path[level], need, level, k: 0, from: 0 });
        if ways.is_empty() {
            found.push((contest, k_of(bred, path)));
        }
        // What comes after a way without contest is not walked.
        let walked = 1 + ways.iter().take_while(|way| way.contest > 0).count();
        for way in ways.iter().take(walked) {
            let contest = contest + way.contest;
            match way.to {
                None => found.push((contest, k_of(bred, path))),
                Some((node, need)) => {
                    path.push(node);
                    all(bred, path, need, contest, found);
                    path.pop();
                }
            }
        }
    }

    #[test]
    fn the_least_contested_branches_are_chosen_and_of_those_the_fittest() {
        let (mut sizes, mut same) = ([0; 7], 0);
        for fen in [
            "r1bq1rk1/pp2ppbp/2n2np1/2ppN3/5P2/1P2P3/PBPPB1PP/RN1Q1RK1 b - - 3 8",
            "5rk1/pp3p1p/3p2p1/2qPb3/2P1Q3/1P4P1/P4PBP/4R1K1 b - - 0 25",
        ] {
            for nodes in (500..20_000).step_by(500) {
                let options = GeneticOptions { population: 6, ..Preset::Strong.options() };
                let (local, limits) = (AlphaBetaOptions::default(), Limits::of_nodes(nodes));
                with_bred(fen, &options, &local, &limits, |bred| {
                    let mut expected = Vec::new();
                    let mut path = vec![bred.search.tree.root()];
                    all(bred, &mut path, bred.need_of_root(), 0, &mut expected);
                    expected.sort();
                    expected.truncate(6);
                    let chosen = bred.select();
                    let mut found: Vec<_> = chosen.iter().map(|parent| of_parent(bred, parent)).collect();
                    let contests = |branches: &[(i32, usize)]| -> Vec<i32> {
                        branches.iter().map(|&(contest, _)| contest).collect()
                    };
                    assert_eq!(contests(&found), contests(&expected), "{fen}, {nodes}");
                    found.sort();
                    same += usize::from(found == expected);
                    sizes[chosen.len()] += 1;
                });
            }
        }
        // Of equally contested ways of one place the first is taken first, whatever its K.
        assert!(same * 10 >= 9 * sizes.iter().sum::<usize>(), "{same} of {sizes:?}");
        assert!(sizes[1] > 0 && sizes[6] > 0, "{sizes:?}");
    }
}

//! The survey of a node for a goal: what its children show, and what follows from that. Selection,
//! breeding, backing up and death all ask it.

use super::Bred;
use super::node::{Bounded, NodeId};
use crate::eval::Evaluator;
use crate::rules::score::Score;
use crate::search::alphabeta::local::Goal;

/// A node on the way from the root, and what has to be known of it.
#[derive(Clone, Copy, Debug)]
pub struct Visit {
    pub node: NodeId,
    pub goal: Goal,
}

/// The state of a child, for the side to move above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Its score is known.
    Exact(Score),
    /// It is shown to be no better than alpha: an upper bound.
    Refuted(Score),
    /// It reaches beta: a lower bound.
    Cutoff(Score),
    /// More has to be known of it.
    Open(Goal),
}

/// See the [module](self).
pub struct Survey {
    pub goal: Goal,
    /// The score to exceed for another move: the goal's alpha, or the best exact score of a child.
    pub alpha: Score,
    /// The depth to which children are searched, extensions left out.
    pub depth: i32,
    /// The child with the greatest score so far.
    pub pv_child: NodeId,
    /// The oldest first.
    pub children: Vec<(NodeId, State)>,
    /// The moves without a node are shown to be no better than alpha.
    pub is_unexpanded_refuted: bool,
    /// The bound on the moves without a node.
    unexpanded: Bounded,
}

impl Survey {
    /// The child to go to next, if any is open: the principal variation first, and while nothing
    /// else was searched as deep, for its score; then the others, the oldest first.
    pub fn next(&self) -> Option<Visit> {
        let open = |&(node, state): &(NodeId, State)| match state {
            State::Open(goal) => Some(Visit { node, goal }),
            _ => None,
        };
        let of_pv = self
            .children
            .iter()
            .filter(|(node, _)| *node == self.pv_child)
            .find_map(open);
        of_pv.or_else(|| self.children.iter().find_map(open))
    }

    /// The result of the node, if its goal is reached.
    pub fn outcome(&self) -> Option<Bounded> {
        let depth = self.goal.depth;
        let cutoffs = self.children.iter().filter_map(|(_, state)| match state {
            State::Cutoff(score) => Some(*score),
            _ => None,
        });
        if let Some(score) = cutoffs.max() {
            return Some(Bounded::at_least(depth, score));
        }
        let is_open = self
            .children
            .iter()
            .any(|(_, state)| matches!(state, State::Open(_)));
        if is_open || !self.is_unexpanded_refuted {
            return None;
        }
        if self.alpha > self.goal.alpha {
            return Some(Bounded::exact(depth, self.alpha));
        }
        let shown = self.children.iter().map(|(_, state)| match state {
            State::Exact(score) | State::Refuted(score) | State::Cutoff(score) => *score,
            State::Open(_) => -Score::INFINITE,
        });
        let score = shown.chain([self.unexpanded.score]).max()?;
        Some(Bounded::at_most(depth, score))
    }

    /// The oldest child with the score of the node.
    pub fn best_child(&self) -> Option<NodeId> {
        let is_best = |&&(_, state): &&(NodeId, State)| state == State::Exact(self.alpha);
        self.children.iter().find(is_best).map(|&(node, _)| node)
    }

    /// The refuted child with the least score, if another one is better.
    pub fn least_fit(&self, may_die: impl Fn(NodeId) -> bool) -> Option<NodeId> {
        let refuted = self
            .children
            .iter()
            .filter_map(|&(node, state)| match state {
                State::Refuted(score) => Some((node, score)),
                State::Exact(score) if score < self.alpha => Some((node, score)),
                _ => None,
            });
        let others = refuted.filter(|&(node, _)| node != self.pv_child && may_die(node));
        others.min_by_key(|&(_, score)| score).map(|(node, _)| node)
    }
}

impl<E: Evaluator> Bred<'_, E> {
    /// Surveys a node on a level; `None` while it has no children.
    pub fn survey(&self, visit: Visit, level: usize) -> Option<Survey> {
        let Visit { node, goal } = visit;
        let depth = self.depth_below(visit, level);
        let result_of = |child: NodeId| {
            let known = &self.population[child];
            (
                known.result.for_opponent(),
                (depth + known.extension).max(0),
            )
        };
        let mut alpha = goal.alpha;
        let mut best = None;
        for child in self.children(node) {
            let (result, depth) = result_of(child);
            if result.is_exact(depth) {
                alpha = alpha.max(result.score);
            }
            let shown = result.is_known().then_some(result.score);
            if best.is_none_or(|(_, best)| shown > best) {
                best = Some((child, shown));
            }
        }
        let (pv_child, _) = best?;
        let mut children = Vec::with_capacity(self.population[node].children.len());
        for child in self.children(node) {
            let (result, depth) = result_of(child);
            let state = if result.is_at_least(goal.beta, depth) {
                State::Cutoff(result.score)
            } else if result.is_exact(depth) {
                State::Exact(result.score)
            } else if result.is_at_most(alpha, depth) {
                State::Refuted(result.score)
            } else if result.is_at_least(alpha + 1, depth) {
                State::Open(goal.pv(depth, alpha))
            } else {
                State::Open(Goal::scout(depth, alpha))
            };
            children.push((child, state));
        }
        if goal.is_pv() {
            self.ask_for_the_score(&mut children, pv_child, goal, alpha);
        }
        let unexpanded = self.population[node].unexpanded;
        let is_unexpanded_refuted = unexpanded.is_at_most(alpha, goal.depth);
        Some(Survey {
            goal,
            alpha,
            depth,
            pv_child,
            children,
            is_unexpanded_refuted,
            unexpanded,
        })
    }

    /// While no child of a node of the principal variation is settled, its score is looked for
    /// below the best child. Where the game is over a child is settled at any depth, which says
    /// nothing of the others.
    fn ask_for_the_score(
        &self,
        children: &mut [(NodeId, State)],
        pv_child: NodeId,
        goal: Goal,
        alpha: Score,
    ) {
        let is_settled = |&(child, state): &(NodeId, State)| {
            !matches!(state, State::Open(_)) && !self.population[child].is_terminal
        };
        if children.iter().any(is_settled) {
            return;
        }
        for (child, state) in children {
            if let State::Open(scout) = *state
                && *child == pv_child
            {
                *state = State::Open(goal.pv(scout.depth, alpha));
            }
        }
    }

    /// The children of a node, the oldest first; of the root, those that lead no line that was
    /// found already.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let is_root = node == self.population.root();
        let children = self.population[node].children.iter().copied();
        children.filter(move |&child| !is_root || !self.is_excluded(child))
    }

    /// The one of [`Bred::children`] with the greatest score so far; while none has one, the
    /// oldest.
    pub fn pv_child(&self, node: NodeId) -> Option<NodeId> {
        let mut best = None;
        for child in self.children(node) {
            let is_better =
                best.is_none_or(|best| self.population.shown(child) > self.population.shown(best));
            if is_better {
                best = Some(child);
            }
        }
        best
    }

    /// The depth to which the children of a node are searched: a half-move less than the node, and
    /// not less where the side to move is in check, as in alpha-beta.
    pub fn depth_below(&self, visit: Visit, level: usize) -> i32 {
        (visit.goal.depth - 1 + self.check_extension(visit.node, level)).max(0)
    }

    /// Half-moves that the children of a node are searched deeper because the side to move is in
    /// check.
    pub fn check_extension(&self, node: NodeId, level: usize) -> i32 {
        i32::from(self.population[node].in_check && level < 2 * self.depth as usize)
    }
}

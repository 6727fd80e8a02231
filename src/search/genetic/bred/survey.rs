//! The survey of a node for a goal: what its children show, and what follows from that. The walk to
//! the branch that breeds next, breeding and death all ask it.

use super::Bred;
use super::node::{Bounded, Node, NodeId};
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
enum State {
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
#[derive(Clone, Copy)]
pub struct Survey {
    pub goal: Goal,
    /// The score to exceed for another move: the goal's alpha, or the best exact score of a child.
    pub alpha: Score,
    /// The depth to which children are searched, extensions left out.
    pub depth: i32,
    /// The child to go to next, if any is open: the principal variation first, and while nothing
    /// else was searched as deep, for its score; then the others, the oldest first.
    pub next: Option<Visit>,
    /// The result of the node, if its goal is reached.
    pub outcome: Option<Bounded>,
}

impl<E: Evaluator> Bred<'_, E> {
    /// Surveys a node on a level; `None` while it has no children.
    pub fn survey(&self, visit: Visit, level: usize) -> Option<Survey> {
        let Visit { node, goal } = visit;
        let depth = self.depth_below(visit, level);
        let mut alpha = goal.alpha;
        let mut best = None;
        for child in self.children(node) {
            let known = &self.population[child];
            let result = known.result.for_opponent();
            if result.is_exact(child_depth(depth, known)) {
                alpha = alpha.max(result.score);
            }
            let shown = result.is_known().then_some(result.score);
            if best.is_none_or(|(_, best)| shown > best) {
                best = Some((child, shown));
            }
        }
        let (pv_child, _) = best?;
        let mut greatest = -Score::INFINITE;
        let mut cutoff = None;
        let mut next: Option<Visit> = None;
        let mut is_settled = false;
        for child in self.children(node) {
            let known = &self.population[child];
            match self.state(child, goal, alpha, depth) {
                State::Open(goal) => {
                    if next.is_none() || child == pv_child {
                        next = Some(Visit { node: child, goal });
                    }
                }
                State::Cutoff(score) => cutoff = cutoff.max(Some(score)),
                State::Exact(score) | State::Refuted(score) => {
                    greatest = greatest.max(score);
                    // Where the game is over a child is settled at any depth, which says nothing
                    // of the others.
                    is_settled |= !known.is_terminal;
                }
            }
        }
        if let Some(next) = &mut next
            && goal.is_pv()
            && next.node == pv_child
            && !is_settled
        {
            // Nothing else was searched as deep: the score of the principal variation comes first.
            next.goal = goal.pv(next.goal.depth, alpha);
        }
        let unexpanded = self.population[node].unexpanded;
        let is_complete = next.is_none() && unexpanded.is_at_most(alpha, goal.depth);
        let outcome = match cutoff {
            Some(score) => Some(Bounded::at_least(goal.depth, score)),
            None if !is_complete => None,
            None if alpha > goal.alpha => Some(Bounded::exact(goal.depth, alpha)),
            None => {
                let score = greatest.max(unexpanded.score);
                Some(Bounded::at_most(goal.depth, score))
            }
        };
        Some(Survey {
            goal,
            alpha,
            depth,
            next,
            outcome,
        })
    }

    /// The state of a child that is to be compared with `alpha`, at `depth` and its extension.
    fn state(&self, child: NodeId, goal: Goal, alpha: Score, depth: i32) -> State {
        let known = &self.population[child];
        let result = known.result.for_opponent();
        let depth = child_depth(depth, known);
        if result.is_at_least(goal.beta, depth) {
            State::Cutoff(result.score)
        } else if result.is_exact(depth) {
            State::Exact(result.score)
        } else if result.is_at_most(alpha, depth) {
            State::Refuted(result.score)
        } else if result.is_at_least(alpha + 1, depth) {
            State::Open(goal.pv(depth, alpha))
        } else {
            State::Open(Goal::scout(depth, alpha))
        }
    }

    /// The oldest child with the score of a node that is known exactly.
    pub fn best_child(&self, node: NodeId, survey: &Survey) -> Option<NodeId> {
        self.children(node).find(|&child| {
            let state = self.state(child, survey.goal, survey.alpha, survey.depth);
            state == State::Exact(survey.alpha)
        })
    }

    /// The refuted child with the least score, if another one is better and it may die.
    pub fn least_fit(&self, node: NodeId, survey: &Survey) -> Option<NodeId> {
        let pv_child = self.pv_child(node);
        let mut least: Option<(NodeId, Score)> = None;
        for child in self.children(node) {
            let score = match self.state(child, survey.goal, survey.alpha, survey.depth) {
                State::Refuted(score) => score,
                State::Exact(score) if score < survey.alpha => score,
                _ => continue,
            };
            let may_die = Some(child) != pv_child
                && !(node == self.population.root() && self.is_reported(child));
            if may_die && least.is_none_or(|(_, least)| score < least) {
                least = Some((child, score));
            }
        }
        least.map(|(child, _)| child)
    }

    /// The children of a node, the oldest first; of the root, those that lead no line that was
    /// found already.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let may_exclude = node == self.population.root() && !self.excluded_root_moves.is_empty();
        let children = self.population[node].children.iter().copied();
        children.filter(move |&child| !may_exclude || !self.is_excluded(child))
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

/// The depth to which a child is searched, where those without an extension are searched to
/// `depth`.
fn child_depth(depth: i32, child: &Node) -> i32 {
    (depth + child.extension).max(0)
}

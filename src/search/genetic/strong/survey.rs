//! The survey of a node for a goal: the states of its children, the next child to go to, and the
//! node's result. Walk, breeding and pruning use it.

use std::cmp::Reverse;

use chess::ChessMove;

use super::StrongSearch;
use super::node::{Node, NodeId, NodeResult};
use crate::eval::Evaluator;
use crate::rules::score::Score;
use crate::search::alphabeta::local::Goal;

/// A node on the path from the root, with its goal.
#[derive(Clone, Copy, Debug)]
pub struct Visit {
    pub node: NodeId,
    pub goal: Goal,
}

/// The state of a child, for the side to move above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The score is exact.
    Exact(Score),
    /// Fails low: an upper bound, at most alpha.
    Refuted(Score),
    /// Fails high: a lower bound, at least beta.
    Cutoff(Score),
    /// Score or bound is missing; the child's goal.
    Open(Goal),
}

/// See the [module](self).
#[derive(Clone, Copy)]
pub struct Survey {
    pub node: NodeId,
    pub goal: Goal,
    /// The raised alpha: the goal's, or the best exact score of a child.
    pub alpha: Score,
    /// The depth to which children are searched, extensions left out.
    pub depth: i32,
    /// The child to go to next, if one is open: the best one so far before the oldest of the
    /// others. At a node with a full window the best one has the full window, too, until another
    /// child is known to this depth.
    pub next: Option<Visit>,
    /// The result of the node, if its goal is reached.
    pub outcome: Option<NodeResult>,
}

impl Survey {
    /// The state of a child of the node.
    fn state_of(&self, child: &Node) -> State {
        let Survey { goal, alpha, .. } = *self;
        let result = child.result.for_opponent();
        let depth = child_depth(self.depth, child);
        let reduced_depth = (depth - child.reduction).max(0);
        if result.is_at_least(goal.beta, depth) {
            State::Cutoff(result.score)
        } else if result.is_exact(depth) {
            State::Exact(result.score)
        } else if result.is_at_most(alpha, reduced_depth) {
            State::Refuted(result.score)
        } else if result.is_at_least(alpha + 1, depth) {
            State::Open(goal.child_full_window(depth, alpha))
        } else if result.is_at_least(alpha + 1, reduced_depth) {
            State::Open(Goal::child_null_window(depth, alpha))
        } else {
            State::Open(Goal::child_null_window(reduced_depth, alpha))
        }
    }
}

impl<E: Evaluator> StrongSearch<'_, E> {
    /// Surveys a node on a level; `None` while it has no children.
    pub(super) fn survey(&self, visit: Visit, level: usize) -> Option<Survey> {
        let Visit { node, goal } = visit;
        let depth = self.depth_below(visit, level);
        let mut alpha = goal.alpha;
        let mut best_shown = None;
        for child in self.children(node) {
            let known = &self.population[child];
            let result = known.result.for_opponent();
            if result.is_exact(child_depth(depth, known)) {
                alpha = alpha.max(result.score);
            }
            let shown = result.is_known().then_some(result.score);
            if best_shown.is_none_or(|(_, best)| shown > best) {
                best_shown = Some((child, shown));
            }
        }
        let (highest_child, _) = best_shown?;
        let mut survey = Survey {
            node,
            goal,
            alpha,
            depth,
            next: None,
            outcome: None,
        };
        let mut greatest = -Score::INFINITE;
        let mut cutoff = None;
        let mut is_another_known = false;
        for child in self.children(node) {
            let known = &self.population[child];
            match survey.state_of(known) {
                State::Open(goal) => {
                    if survey.next.is_none() || child == highest_child {
                        survey.next = Some(Visit { node: child, goal });
                    }
                }
                State::Cutoff(score) => cutoff = cutoff.max(Some(score)),
                State::Exact(score) | State::Refuted(score) => {
                    greatest = greatest.max(score);
                    // A child where the game is over is exact at every depth: it is no evidence
                    // that this depth was searched.
                    is_another_known |= !known.is_terminal;
                }
            }
        }
        if let Some(next) = &mut survey.next
            && goal.is_pv()
            && next.node == highest_child
            && !is_another_known
        {
            next.goal = goal.child_full_window(next.goal.depth, alpha);
        }
        let unexpanded = self.population[node].unexpanded;
        let is_complete = survey.next.is_none() && unexpanded.is_at_most(alpha, goal.depth);
        survey.outcome = match cutoff {
            Some(score) => Some(NodeResult::at_least(goal.depth, score)),
            None if !is_complete => None,
            None if alpha > goal.alpha => Some(NodeResult::exact(goal.depth, alpha)),
            None => {
                let score = greatest.max(unexpanded.score);
                Some(NodeResult::at_most(goal.depth, score))
            }
        };
        Some(survey)
    }

    /// The oldest child with the exact score of its parent.
    pub(super) fn best_child(&self, survey: &Survey) -> Option<NodeId> {
        self.children(survey.node)
            .find(|&child| survey.state_of(&self.population[child]) == State::Exact(survey.alpha))
    }

    /// The oldest child that reaches beta with this score.
    pub(super) fn refuting_child(&self, survey: &Survey, score: Score) -> Option<NodeId> {
        self.children(survey.node)
            .find(|&child| survey.state_of(&self.population[child]) == State::Cutoff(score))
    }

    /// The child that dies first: of the refuted, and of those with an exact score below alpha, the
    /// oldest with the least score. The principal variation and reported moves of the root do not
    /// die.
    pub(super) fn worst_child(&self, survey: &Survey) -> Option<NodeId> {
        let node = survey.node;
        let highest_child = self.highest_child(node);
        let is_root = node == self.population.root();
        let mut least: Option<(Score, NodeId)> = None;
        for child in self.children(node) {
            let score = match survey.state_of(&self.population[child]) {
                State::Refuted(score) => score,
                State::Exact(score) if score < survey.alpha => score,
                _ => continue,
            };
            let may_die = Some(child) != highest_child && !(is_root && self.is_reported(child));
            if may_die && least.is_none_or(|(least, _)| score < least) {
                least = Some((score, child));
            }
        }
        least.map(|(_, child)| child)
    }

    /// The children of a node, the oldest first; of the root, those that lead no line that was
    /// found already.
    pub(super) fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let excluded: &[ChessMove] = if node == self.population.root() {
            &self.excluded_root_moves
        } else {
            &[]
        };
        let children = self.population[node].children.iter().copied();
        children.filter(|&child| {
            excluded.is_empty() || !excluded.contains(&self.population[child].gene)
        })
    }

    /// The one of [`StrongSearch::children`] with the greatest score so far; of equals, and while
    /// none has a score, the oldest.
    pub(super) fn highest_child(&self, node: NodeId) -> Option<NodeId> {
        self.children(node)
            .min_by_key(|&child| Reverse(self.population.shown(child)))
    }

    /// The depth of a goal, and a half-move more where the side to move is in check, as in
    /// alpha-beta. Unlike there, checks are not extended below twice the depth of the iteration.
    pub(super) fn extended_depth(&self, visit: Visit, level: usize) -> i32 {
        let extends_check = self.population[visit.node].extends_check;
        visit.goal.depth + i32::from(extends_check && level < 2 * self.depth as usize)
    }

    /// The depth to which the children of a node are searched.
    pub(super) fn depth_below(&self, visit: Visit, level: usize) -> i32 {
        (self.extended_depth(visit, level) - 1).max(0)
    }
}

/// The depth to which a child is searched, where those without an extension are searched to
/// `depth`; before any reduction.
fn child_depth(depth: i32, child: &Node) -> i32 {
    (depth + child.extension).max(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::AlphaBetaOptions;
    use crate::search::Limits;
    use crate::search::genetic::params::Preset;
    use crate::search::genetic::strong::tests::with_search;
    use crate::search::genetic::tree::Origin;

    #[test]
    fn a_late_child_above_alpha_is_searched_again_as_deep_as_its_siblings() {
        let fen = "r1bq1rk1/pp2ppbp/2n2np1/2ppN3/5P2/1P2P3/PBPPB1PP/RN1Q1RK1 b - - 3 8";
        let limits = Limits::of_nodes(1_000);
        let options = Preset::Strong.options();
        with_search(
            fen,
            &options,
            &AlphaBetaOptions::default(),
            &limits,
            |strong| {
                let node = strong.population.root();
                let alpha = Score(10_000);
                let goal = Goal {
                    depth: 8,
                    alpha,
                    beta: alpha + 100,
                };
                let child = strong
                    .population
                    .insert(node, ChessMove::default(), Origin::Mutation);
                strong.population[child].reduction = 2;
                let mut state_with = |result: NodeResult| {
                    strong.population[child].result = result.for_opponent();
                    let survey = strong
                        .survey(Visit { node, goal }, 0)
                        .expect("it has children");
                    survey.state_of(&strong.population[child])
                };
                let better = alpha + 1;
                let reduced = State::Open(Goal::child_null_window(5, alpha));
                assert_eq!(state_with(NodeResult::UNKNOWN), reduced);
                assert_eq!(state_with(NodeResult::at_most(4, alpha)), reduced);
                assert_eq!(
                    state_with(NodeResult::at_most(5, alpha)),
                    State::Refuted(alpha)
                );
                assert_eq!(
                    state_with(NodeResult::at_least(5, better)),
                    State::Open(Goal::child_null_window(7, alpha))
                );
                assert_eq!(
                    state_with(NodeResult::at_least(7, better)),
                    State::Open(goal.child_full_window(7, alpha))
                );
                assert_eq!(
                    state_with(NodeResult::exact(5, better)),
                    State::Open(Goal::child_null_window(7, alpha))
                );
                assert_eq!(
                    state_with(NodeResult::exact(7, better)),
                    State::Exact(better)
                );
            },
        );
    }
}

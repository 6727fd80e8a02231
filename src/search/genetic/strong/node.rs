//! The nodes of the tree, and the population in its slab. Scores are from a node's side to move.

use chess::ChessMove;
use slab::Slab;

use crate::rules::score::{Bound, Score};
use crate::search::alphabeta::local::Goal;
use crate::search::genetic::tree::Origin;

/// A score or a bound, shown by looking `depth` half-moves ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeResult {
    /// Below 0 while nothing is known.
    pub depth: i32,
    pub bound: Bound,
    pub score: Score,
}

impl NodeResult {
    /// Nothing is known: the depth is -1, and bound and score mean nothing.
    pub const UNKNOWN: NodeResult = NodeResult::exact(-1, Score::DRAW);

    pub const fn exact(depth: i32, score: Score) -> Self {
        NodeResult {
            depth,
            bound: Bound::Exact,
            score,
        }
    }

    /// The score is at most so much.
    pub fn at_most(depth: i32, score: Score) -> Self {
        NodeResult {
            depth,
            bound: Bound::Upper,
            score,
        }
    }

    /// The score is at least so much.
    pub fn at_least(depth: i32, score: Score) -> Self {
        NodeResult {
            depth,
            bound: Bound::Lower,
            score,
        }
    }

    /// The meaning of a score that was found in the window of a goal.
    pub fn found(goal: Goal, score: Score) -> Self {
        NodeResult {
            depth: goal.depth,
            bound: goal.bound_of(score),
            score,
        }
    }

    /// The same from the other side's point of view.
    pub fn for_opponent(self) -> Self {
        NodeResult {
            bound: self.bound.for_opponent(),
            score: -self.score,
            ..self
        }
    }

    pub fn is_known(self) -> bool {
        self.depth >= 0
    }

    /// Returns true if nothing is known, or only that a mate is no nearer than so many moves.
    pub fn says_nothing(self) -> bool {
        match self.bound {
            Bound::Exact => !self.is_known(),
            Bound::Upper => self.score.is_mate() && !self.score.is_mated(),
            Bound::Lower => self.score.is_mated(),
        }
    }

    /// Returns true if the score is shown to be at most `alpha`, at least so deep.
    pub fn is_at_most(self, alpha: Score, depth: i32) -> bool {
        self.depth >= depth && self.bound != Bound::Lower && self.score <= alpha
    }

    /// Returns true if the score is shown to be at least `beta`, at least so deep.
    pub fn is_at_least(self, beta: Score, depth: i32) -> bool {
        self.depth >= depth && self.bound != Bound::Upper && self.score >= beta
    }

    /// Returns true if the score is exact, at least so deep.
    pub fn is_exact(self, depth: i32) -> bool {
        self.depth >= depth && self.bound == Bound::Exact
    }

    pub fn satisfies(self, goal: Goal) -> bool {
        self.is_exact(goal.depth)
            || self.is_at_most(goal.alpha, goal.depth)
            || self.is_at_least(goal.beta, goal.depth)
    }
}

/// The place of a node in the slab.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeId(u32);

/// A position in the tree, with the gene that leads to the position and its result.
#[derive(Clone, Debug)]
pub struct Node {
    /// Meaningless for the root.
    pub gene: ChessMove,
    pub origin: Origin,
    /// The oldest first.
    pub children: Vec<NodeId>,
    /// The score of the node.
    pub result: NodeResult,
    /// The bound on all moves that have no node.
    pub unexpanded: NodeResult,
    /// The game is over here, or an endgame table knows the score.
    pub is_terminal: bool,
    /// The side to move is in check, and the local search extends checks: children are searched a
    /// half-move deeper.
    pub extends_check: bool,
    /// Half-moves that the node is searched deeper than its siblings (singular extension), or less
    /// deep, if below 0.
    pub extension: i32,
    /// Half-moves that the node is searched less deep than its siblings, until it is shown to be
    /// better than alpha: those of a late mutant whose local search was too large.
    pub reduction: i32,
    /// The greatest depth at which the singular test was made here.
    pub tested_depth: i32,
    /// The last singular test was made on the principal variation.
    pub is_tested_as_pv: bool,
    /// The greatest depth at which crossover was tried here.
    pub crossed_depth: i32,
    /// Positions that the last local search from here visited. A newly grown leaf begins with half
    /// of its parent's.
    pub cost: u64,
    /// The line behind an exact score; none behind a bound. Of a leaf, the genes by which it grows.
    pub tail: Vec<ChessMove>,
}

const _: () = assert!(size_of::<Node>() <= 112, "the memory budget counts on it");

impl Node {
    fn new(gene: ChessMove, origin: Origin) -> Self {
        Node {
            gene,
            origin,
            children: Vec::new(),
            result: NodeResult::UNKNOWN,
            unexpanded: NodeResult::UNKNOWN,
            is_terminal: false,
            extends_check: false,
            extension: 0,
            reduction: 0,
            tested_depth: 0,
            is_tested_as_pv: false,
            crossed_depth: 0,
            cost: 0,
            tail: Vec::new(),
        }
    }
}

/// The population: branches of moves that share their stems, in a slab.
pub struct Population {
    nodes: Slab<Node>,
    root: NodeId,
    capacity: usize,
}

impl Population {
    /// The root alone. `capacity` is the greatest number of nodes.
    pub fn new(capacity: usize) -> Self {
        let mut nodes = Slab::new();
        let root = NodeId(nodes.insert(Node::new(ChessMove::default(), Origin::Initial)) as u32);
        Population {
            nodes,
            root,
            capacity,
        }
    }

    pub fn root(&self) -> NodeId {
        self.root
    }

    /// The part of the population behind a node, which is `plies` half-moves below the root and
    /// becomes the root. The other nodes die.
    pub fn rooted_at(mut self, root: NodeId, plies: i32) -> Self {
        self.remove_subtree(self.root, Some(root));
        for (_, node) in &mut self.nodes {
            for known in [&mut node.result, &mut node.unexpanded] {
                known.score = known.score.counted_from(plies);
            }
        }
        self.root = root;
        self
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// H, the level of the deepest node.
    pub fn height(&self) -> usize {
        let mut height = 0;
        let mut open = vec![(self.root, 0)];
        while let Some((node, level)) = open.pop() {
            height = height.max(level);
            open.extend(self[node].children.iter().map(|&child| (child, level + 1)));
        }
        height
    }

    /// Returns true if so many more nodes fit.
    pub fn has_room_for(&self, count: usize) -> bool {
        self.len() + count <= self.capacity
    }

    /// Adds a child without a score.
    pub fn insert(&mut self, parent: NodeId, gene: ChessMove, origin: Origin) -> NodeId {
        let child = NodeId(self.nodes.insert(Node::new(gene, origin)) as u32);
        self[parent].children.push(child);
        child
    }

    /// Removes a child and all below it. Returns how many nodes went.
    pub fn remove(&mut self, parent: NodeId, child: NodeId) -> usize {
        let before = self.len();
        self[parent].children.retain(|&other| other != child);
        self.remove_subtree(child, None);
        before - self.len()
    }

    /// Removes a node and all below it, but not the subtree of `spared`.
    fn remove_subtree(&mut self, top: NodeId, spared: Option<NodeId>) {
        let mut open = vec![top];
        while let Some(node) = open.pop() {
            if Some(node) != spared {
                open.extend(self.nodes.remove(node.0 as usize).children);
            }
        }
    }

    /// The child that a gene leads to.
    pub fn child(&self, node: NodeId, gene: ChessMove) -> Option<NodeId> {
        self[node]
            .children
            .iter()
            .copied()
            .find(|&child| self[child].gene == gene)
    }

    /// The child with the greatest score so far, for the side to move at `node`; of equals, and
    /// while no child has a score, the oldest.
    pub fn highest_child(&self, node: NodeId) -> Option<NodeId> {
        let children = &self[node].children;
        children
            .iter()
            .copied()
            .rev()
            .max_by_key(|&child| self.shown(child))
    }

    /// The score of a child so far, for the side to move above it.
    pub fn shown(&self, child: NodeId) -> Option<Score> {
        let result = self[child].result;
        result.is_known().then_some(-result.score)
    }

    /// The genes from `node` on along the children with the greatest scores, its own gene first.
    pub fn best_genes(&self, node: NodeId) -> impl Iterator<Item = ChessMove> + '_ {
        let nodes = std::iter::successors(Some(node), |&node| self.highest_child(node));
        nodes.map(|node| self[node].gene)
    }
}

impl std::ops::Index<NodeId> for Population {
    type Output = Node;

    #[inline]
    fn index(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }
}

impl std::ops::IndexMut<NodeId> for Population {
    #[inline]
    fn index_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.0 as usize]
    }
}

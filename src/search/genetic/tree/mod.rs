//! The reservation tree: all branches produced so far, overlapping ones merged.
//!
//! A node is a position, reached from the root by the moves of its path; no board is stored. Values
//! are from White's point of view as in the paper: White's nodes take the maximum, Black's the
//! minimum.

mod values;
mod walks;

use std::num::NonZeroU16;

use chess::ChessMove;
use rand::{Rng, RngExt};
use slab::Slab;

use super::params::InnerValue;
use crate::rules::position::moves;
use crate::rules::score::Score;
use crate::search::{MAX_PLY, memory};

/// A node's place in the slab.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// No node. Keeps a node at 24 bytes, unlike `Option<NodeId>`.
    const NONE: NodeId = NodeId(u32::MAX);

    fn some(self) -> Option<NodeId> {
        (self != NodeId::NONE).then_some(self)
    }

    /// Its place in the slab.
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A [`ChessMove`] as nodes store it: in 15 bits. The 16th bit is always set, so 0 is no gene, and
/// the slab finds room there for its own mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Gene(NonZeroU16);

impl Gene {
    const MARK: NonZeroU16 = NonZeroU16::MIN.saturating_add(0x7fff);

    fn pack(mv: ChessMove) -> Self {
        Gene(Self::MARK | moves::pack(mv))
    }

    fn unpack(self) -> ChessMove {
        moves::unpack(self.0.get())
    }
}

/// A node of the reservation tree: the gene to it, and the facts of its position.
#[derive(Clone, Copy, Debug)]
pub struct TreeNode {
    gene: Gene,
    flags: u8,
    /// Legal moves without a node, or [`UNCOUNTED`].
    untried: u8,
    first_child: NodeId,
    next_sibling: NodeId,
    /// The child this node's value comes from; none while the node's own value is the best, or
    /// stands in.
    best_child: NodeId,
    /// Ordinal of the birth of the branch with this node's value: smaller is older.
    born: u32,
    own: i16,
    value: i16,
}

/// Some branch ended here.
const HAS_OWN: u8 = 1;
/// Some branch ended here or below, and counts.
const HAS_VALUE: u8 = 2;
/// The game is over here: the own value is exact, and there are no children.
const TERMINAL: u8 = 4;
/// A quiescence line starts here: a branch to here adds nothing.
const QUIESCED: u8 = 8;
/// The continuation of the quiescence line through here is undecided: the search left its window,
/// so another capture may be better.
const BOUND: u8 = 16;
/// The own value stands in where a mate is not proved: see [`ReservationTree::set_stand_in`].
const STAND_IN: u8 = 128;
/// An [`Origin`].
const ORIGIN: u8 = 32 | 64;

/// The origin of a branch.
///
/// Its words go on after "born".
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::FromRepr, strum::IntoStaticStr)]
#[strum(const_into_str)]
pub enum Origin {
    /// The branch is of the initial population.
    #[strum(serialize = "in the initial population")]
    Initial,
    /// The branch got one gene more, the next of its tail.
    #[strum(serialize = "by growth")]
    Growth,
    /// Another branch's tail follows a stem.
    #[strum(serialize = "by crossover")]
    Crossover,
    /// A gene was replaced by another; in the default search, a move not in the tree was added.
    #[strum(serialize = "by mutation")]
    Mutation,
}

impl Origin {
    /// The name of the operator, in one word.
    pub fn name(self) -> &'static str {
        match self {
            Origin::Initial => "initial",
            Origin::Growth => "growth",
            Origin::Crossover => "crossover",
            Origin::Mutation => "mutation",
        }
    }
}

/// The mark of uncounted moves in [`TreeNode::untried`]. No position has so many.
const UNCOUNTED: u8 = u8::MAX;

const _: () = assert!(
    size_of::<TreeNode>() == 24,
    "the memory budget counts on 24 bytes a node"
);
/// The slab's entry: the tag must fit into the node's niche.
#[allow(dead_code, reason = "never built, only measured")]
enum SlabEntry {
    Vacant(usize),
    Occupied(TreeNode),
}
const _: () = assert!(size_of::<SlabEntry>() == size_of::<TreeNode>());

impl TreeNode {
    fn new(gene: Gene) -> Self {
        let none = NodeId::NONE;
        TreeNode {
            gene,
            flags: 0,
            untried: UNCOUNTED,
            first_child: none,
            next_sibling: none,
            best_child: none,
            born: 0,
            own: 0,
            value: 0,
        }
    }

    /// Returns true if any of `flags` is set.
    fn has(&self, flags: u8) -> bool {
        self.flags & flags != 0
    }
}

/// See the [module](self).
#[derive(Clone, Debug)]
pub struct ReservationTree {
    nodes: Slab<TreeNode>,
    root: NodeId,
    capacity: usize,
    /// The capacity as long as parents take no memory.
    capacity_without_parents: usize,
    white_moves_at_root: bool,
    inner_value: InnerValue,
    /// Nodes on each level; the root is level 0.
    level_counts: Vec<u32>,
    born: u32,
    /// The parent of each node by the node's place in the slab, after
    /// [`ReservationTree::remember_parents`]; else empty.
    parents: Vec<NodeId>,
}

impl ReservationTree {
    /// An empty tree for at most `capacity` nodes, or fewer if the machine has no memory for them.
    /// The memory is reserved now.
    pub fn with_capacity(capacity: usize) -> Self {
        let capacity = capacity.clamp(1, NodeId::NONE.index());
        // A slab cannot fail to get its memory without ending the program: what there is is tried
        // out before.
        let room = memory::reserve::<SlabEntry>(capacity).capacity();
        let capacity = room.min(capacity);
        let mut tree = ReservationTree {
            nodes: Slab::with_capacity(room),
            root: NodeId::NONE,
            capacity,
            capacity_without_parents: capacity,
            white_moves_at_root: true,
            inner_value: InnerValue::Changed,
            level_counts: vec![0; MAX_PLY + 1],
            born: 0,
            parents: Vec::new(),
        };
        tree.clear(true, InnerValue::Changed);
        tree
    }

    /// The number of nodes that fit into `megabytes` of 2^20 bytes.
    pub fn capacity_of(megabytes: usize) -> usize {
        megabytes.saturating_mul(1 << 20) / size_of::<TreeNode>()
    }

    /// Removes everything but the root, and forgets parents until they are asked for again. Keeps
    /// the memory.
    pub fn clear(&mut self, white_moves_at_root: bool, inner_value: InnerValue) {
        self.nodes.clear();
        self.white_moves_at_root = white_moves_at_root;
        self.inner_value = inner_value;
        self.level_counts.fill(0);
        self.level_counts[0] = 1;
        self.born = 1;
        self.parents.clear();
        self.capacity = self.capacity_without_parents;
        self.root = NodeId(
            self.nodes
                .insert(TreeNode::new(Gene::pack(ChessMove::default()))) as u32,
        );
    }

    /// Removes everything but the root, and keeps the settings.
    pub fn clear_nodes(&mut self) {
        self.clear(self.white_moves_at_root, self.inner_value);
    }

    /// Makes the tree remember parents from now on. Call it while there is only the root.
    ///
    /// The parents cost four bytes a node, so the tree holds fewer nodes until it is cleared. Only
    /// random draws of branches need them.
    pub fn remember_parents(&mut self) {
        debug_assert!(
            self.is_empty(),
            "parents are remembered from the first node on"
        );
        let with_parent = size_of::<TreeNode>() + size_of::<NodeId>();
        self.capacity =
            (self.capacity_without_parents / with_parent * size_of::<TreeNode>()).max(1);
        self.parents.push(NodeId::NONE);
    }

    /// The node above this one; `None` for the root.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.parents[id.index()].some()
    }

    /// Any node, each with the same chance.
    pub fn draw_node(&self, random: &mut impl Rng) -> NodeId {
        loop {
            // Culling leaves places without a node.
            let slot = random.random_range(0..self.parents.len());
            if self.nodes.contains(slot) {
                return NodeId(slot as u32);
            }
        }
    }

    pub fn root(&self) -> NodeId {
        self.root
    }

    /// Nodes now in the tree, the root included.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns true if the tree holds nothing but the root.
    pub fn is_empty(&self) -> bool {
        self.len() <= 1
    }

    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// Pretends to have less memory.
    #[cfg(test)]
    pub(super) fn set_capacity_for_test(&mut self, capacity: usize) {
        self.capacity = capacity;
    }

    /// Returns true if `count` more nodes fit.
    pub fn has_room_for(&self, count: usize) -> bool {
        self.len() + count <= self.capacity
    }

    /// H, the level of the deepest node now in the tree.
    pub fn height(&self) -> usize {
        self.level_counts
            .iter()
            .rposition(|&count| count > 0)
            .unwrap_or(0)
    }

    /// The number of nodes on each level from the root's, level 0, to [`ReservationTree::height`].
    pub fn level_counts(&self) -> &[u32] {
        &self.level_counts[..=self.height()]
    }

    fn node(&self, id: NodeId) -> &TreeNode {
        &self.nodes[id.index()]
    }

    fn node_mut(&mut self, id: NodeId) -> &mut TreeNode {
        &mut self.nodes[id.index()]
    }

    /// The move to a node. Meaningless for the root.
    pub fn gene(&self, id: NodeId) -> ChessMove {
        self.node(id).gene.unpack()
    }

    /// Ordinal of the birth of the branch with a node's value: smaller is older.
    pub fn born(&self, id: NodeId) -> u32 {
        self.node(id).born
    }

    /// The value of a branch that ended here, from White's point of view.
    pub fn own_value(&self, id: NodeId) -> Option<Score> {
        let node = self.node(id);
        node.has(HAS_OWN).then_some(Score(i32::from(node.own)))
    }

    /// The value by Min-Max, changed or regular (see [`InnerValue`]), from White's point of view;
    /// `None` only while no branch below is finished.
    pub fn value(&self, id: NodeId) -> Option<Score> {
        let node = self.node(id);
        node.has(HAS_VALUE).then_some(Score(i32::from(node.value)))
    }

    /// Returns true if the game is over at this node.
    pub fn is_terminal(&self, id: NodeId) -> bool {
        self.node(id).has(TERMINAL)
    }

    /// Returns true if a branch to this node is in the tree already: by its own value, or by its
    /// quiescence line.
    pub fn is_end(&self, id: NodeId) -> bool {
        self.node(id).has(HAS_OWN | QUIESCED)
    }

    /// The quiescence line from this node is now in the tree.
    pub fn set_quiesced(&mut self, id: NodeId) {
        self.node_mut(id).flags |= QUIESCED;
    }

    /// Returns true if the node's value is only a bound: the last quiescence line from this node or
    /// through it left its window.
    pub fn is_bound(&self, id: NodeId) -> bool {
        self.node(id).has(BOUND)
    }

    /// Sets [`ReservationTree::is_bound`].
    pub fn set_bound(&mut self, id: NodeId, is_bound: bool) {
        let flags = &mut self.node_mut(id).flags;
        *flags = if is_bound {
            *flags | BOUND
        } else {
            *flags & !BOUND
        };
    }

    /// Counts the legal moves of a node. Needed once a node; from then on the tree knows the number
    /// of missing ones.
    pub fn count_moves(&mut self, id: NodeId, legal_moves: usize) {
        if self.node(id).untried == UNCOUNTED {
            let untried = legal_moves.saturating_sub(self.children(id).count());
            self.node_mut(id).untried = untried as u8;
        }
    }

    /// Returns true if [`ReservationTree::count_moves`] was called for this node.
    pub fn is_counted(&self, id: NodeId) -> bool {
        self.node(id).untried != UNCOUNTED
    }

    /// Returns true if this node has moves and all of them are in the tree. `false` while they are
    /// not counted.
    pub fn is_complete(&self, id: NodeId) -> bool {
        self.node(id).untried == 0 && self.has_children(id)
    }

    /// Returns true if moves of this node are missing in the tree, or not counted. A node whose
    /// game is over lacks nothing.
    pub fn lacks_moves(&self, id: NodeId) -> bool {
        let node = self.node(id);
        node.untried != 0 && !node.has(TERMINAL)
    }

    /// The child the value comes from; `None` at the end of a branch.
    pub fn best_child(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).best_child.some()
    }

    /// The children, newest first.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + Clone + '_ {
        std::iter::successors(self.node(id).first_child.some(), |&child| {
            self.node(child).next_sibling.some()
        })
    }

    pub fn has_children(&self, id: NodeId) -> bool {
        self.node(id).first_child != NodeId::NONE
    }

    /// The child after a move.
    pub fn child(&self, id: NodeId, gene: ChessMove) -> Option<NodeId> {
        let gene = Gene::pack(gene);
        self.children(id)
            .find(|&child| self.node(child).gene == gene)
    }

    /// Returns true if the nodes of a level take the maximum.
    pub fn is_max(&self, level: usize) -> bool {
        level.is_multiple_of(2) == self.white_moves_at_root
    }

    /// Adds a node below `parent`, a node of level `level - 1` without a child of this gene.
    ///
    /// The caller has made sure of room ([`ReservationTree::has_room_for`]). The node has no value
    /// yet.
    pub fn insert(&mut self, parent: NodeId, level: usize, gene: ChessMove) -> NodeId {
        debug_assert!(self.has_room_for(1), "insertion into a full tree");
        debug_assert!(self.child(parent, gene).is_none() && !self.is_terminal(parent));
        let gene = Gene::pack(gene);
        let mut node = TreeNode::new(gene);
        node.next_sibling = self.node(parent).first_child;
        let id = NodeId(self.nodes.insert(node) as u32);
        let parent_node = self.node_mut(parent);
        parent_node.first_child = id;
        if parent_node.untried != UNCOUNTED {
            parent_node.untried -= 1;
        }
        if !self.parents.is_empty() {
            match self.parents.get_mut(id.index()) {
                Some(slot) => *slot = parent,
                None => self.parents.push(parent),
            }
        }
        self.level_counts[level] += 1;
        id
    }

    /// Sets the origin of the first branch through this node.
    pub fn set_origin(&mut self, id: NodeId, origin: Origin) {
        let flags = &mut self.node_mut(id).flags;
        *flags = *flags & !ORIGIN | (origin as u8) << ORIGIN.trailing_zeros();
    }

    /// The origin of the first branch through this node.
    pub fn origin(&self, id: NodeId) -> Origin {
        let origin = (self.node(id).flags & ORIGIN) >> ORIGIN.trailing_zeros();
        Origin::from_repr(usize::from(origin)).expect("two bits say which of the four")
    }
}

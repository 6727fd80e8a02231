//! The interesting part of a reservation tree: the fittest branches, every move of the root with
//! its best line, and of the rest the nodes nearest to the best branch.

use std::collections::{HashMap, HashSet};

use chess::{ChessMove, Color};

use crate::rules::position::{Line, Position, is_insufficient_material};
use crate::rules::score::Score;
use crate::search::genetic::report::{OUTLINE_LEVELS, OUTLINE_NODES};
use crate::search::genetic::tree::{NodeId, Origin, ReservationTree};

/// The number of nodes on show, the fittest branches and the root's moves first. A web page of so
/// many has some 400 kB.
const ROOM: usize = 1000;

/// A node of the reservation tree, with facts that the tree does not store.
#[derive(Clone, Debug)]
pub struct ShownNode {
    /// Index of the parent; none for the root, which is the first.
    pub parent: Option<usize>,
    /// Indices of the children on show: the best child first, the others by value.
    pub children: Vec<usize>,
    /// 0 for the root.
    pub level: usize,
    /// The move to this node; none at the root.
    pub mv: Option<ChessMove>,
    /// The move in standard algebraic notation; empty at the root.
    pub san: String,
    /// True if White made the move.
    pub white_moved: bool,
    /// The position after the move.
    pub position: Position,
    /// The value by changed Min-Max, White's point of view; `None` if nothing was shown before the
    /// end of the search.
    pub value: Option<Score>,
    /// The value of a branch that ended here, White's point of view.
    pub own: Option<Score>,
    /// The operator behind the first branch through this node; `None` at the root, and where the
    /// search does not say.
    pub origin: Option<Origin>,
    /// The level nearest to the root that has its value from the same branch as this node; fitness
    /// is H - K + 1.
    pub k: usize,
    /// True if its parent has its value from here.
    pub is_best: bool,
    /// A branch ends here, and its value is this node's: no child is better.
    pub is_end: bool,
    /// Nodes of the tree from here on, this one included.
    pub size: u64,
    /// The number of hidden children.
    pub hidden_children: u64,
    /// The number of hidden nodes, from the hidden children on.
    pub hidden_nodes: u64,
    /// The reason for the end of the game here.
    pub ended: Option<&'static str>,
}

impl ShownNode {
    /// Returns true if the node has no child in the tree.
    pub fn is_leaf(&self) -> bool {
        self.children.is_empty() && self.hidden_children == 0
    }

    /// The number of its move: `12.` or `12...`.
    pub fn number(&self) -> String {
        let number = self.position.fullmove_number();
        if self.white_moved {
            format!("{number}.")
        } else {
            // After Black's move the next one counts.
            format!("{}...", number.saturating_sub(1))
        }
    }
}

/// A part of a reservation tree; parents come before their children.
#[derive(Clone, Debug)]
pub struct Excerpt {
    pub nodes: Vec<ShownNode>,
    /// The indices of the nodes to draw, the best branch first.
    pub outline: Vec<usize>,
    /// H of the whole tree.
    pub height: usize,
}

impl Excerpt {
    /// Returns the fitness H - K + 1 of the branch behind a node's value.
    pub fn fitness(&self, node: usize) -> usize {
        crate::search::genetic::selection::fitness(self.height, self.nodes[node].k)
    }
}

/// Takes the part to show, and returns the end of each of the `branches` (without the root) in this
/// part. Branches of the preset `strong` are bred one by one, with the operator of their birth.
pub(super) fn take<'p>(
    tree: &ReservationTree,
    root: &Position,
    branches: impl Iterator<Item = &'p [NodeId]> + Clone,
    is_bred: bool,
) -> (Vec<usize>, Excerpt) {
    let fit: HashSet<NodeId> = branches.clone().flatten().copied().collect();
    let shown = choose(tree, &fit);
    let mut taking = Taking {
        tree,
        shown: &shown,
        line: Line::new(root),
        is_bred,
        nodes: Vec::new(),
        indices: HashMap::new(),
    };
    taking.add(tree.root(), None, root.clone(), 0);
    let ends = branches
        .filter_map(|path| path.last())
        .map(|leaf| taking.indices[leaf])
        .collect();
    let outline = tree.outline(OUTLINE_LEVELS, OUTLINE_NODES).into_iter();
    let outline = outline.filter_map(|outlined| taking.indices.get(&outlined.node).copied());
    let excerpt = Excerpt {
        outline: outline.collect(),
        nodes: taking.nodes,
        height: tree.height(),
    };
    (ends, excerpt)
}

/// Chooses the nodes to show. The parent of each of them is on show, too.
fn choose(tree: &ReservationTree, fit: &HashSet<NodeId>) -> HashSet<NodeId> {
    let mut shown = fit.clone();
    shown.insert(tree.root());
    for child in tree.children(tree.root()) {
        shown.extend(tree.best_branch(child));
    }
    for (node, _) in tree.outwards() {
        if shown.len() >= ROOM {
            break;
        }
        shown.insert(node);
    }
    shown
}

struct Taking<'a> {
    tree: &'a ReservationTree,
    shown: &'a HashSet<NodeId>,
    line: Line,
    is_bred: bool,
    nodes: Vec<ShownNode>,
    indices: HashMap<NodeId, usize>,
}

impl Taking<'_> {
    /// Adds a node with all shown nodes below. No branch is longer than [`crate::search::MAX_PLY`],
    /// so the stack is deep enough.
    fn add(&mut self, id: NodeId, parent: Option<usize>, position: Position, k: usize) {
        let tree = self.tree;
        let index = self.nodes.len();
        self.indices.insert(id, index);
        let level = self.line.ply();
        let mover = position.side_to_move();
        let (shown, hidden): (Vec<NodeId>, Vec<NodeId>) = tree
            .children_by_value(id, level)
            .into_iter()
            .partition(|child| self.shown.contains(child));
        let mv = parent.map(|_| tree.gene(id));
        let san = match (parent, mv) {
            (Some(parent), Some(mv)) => self.nodes[parent].position.san(mv),
            _ => String::new(),
        };
        self.nodes.push(ShownNode {
            parent,
            children: Vec::new(),
            level,
            mv,
            san,
            white_moved: mover == Color::Black,
            value: tree.value(id),
            own: tree.own_value(id),
            origin: parent.filter(|_| self.is_bred).map(|_| tree.origin(id)),
            k,
            is_best: level > k || parent.is_none(),
            is_end: parent.is_some() && tree.best_child(id).is_none(),
            size: tree.size_below(id) as u64,
            hidden_children: hidden.len() as u64,
            hidden_nodes: hidden
                .iter()
                .map(|&child| tree.size_below(child) as u64)
                .sum(),
            ended: tree.is_terminal(id).then(|| ended(&self.line)),
            position: position.clone(),
        });
        for child in shown {
            let mv = tree.gene(child);
            let mut after = position.clone();
            after
                .play(mv)
                .expect("every gene was made when it was born");
            self.line.make(mv);
            let k = if tree.best_child(id) == Some(child) {
                k
            } else {
                level + 1
            };
            let at = self.nodes.len();
            self.nodes[index].children.push(at);
            self.add(child, Some(index), after, k);
            self.line.unmake();
        }
    }
}

/// Returns the reason for the end of the tree after `line`.
fn ended(line: &Line) -> &'static str {
    let board = line.board();
    match board.status() {
        chess::BoardStatus::Checkmate => "checkmate",
        chess::BoardStatus::Stalemate => "stalemate",
        chess::BoardStatus::Ongoing if is_insufficient_material(board) => "nobody can mate",
        chess::BoardStatus::Ongoing if line.halfmove_clock() >= 100 => "fifty moves",
        chess::BoardStatus::Ongoing if line.is_draw() => "repetition",
        chess::BoardStatus::Ongoing => "decided",
    }
}

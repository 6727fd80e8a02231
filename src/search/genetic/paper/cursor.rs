//! The tools of a birth: a cursor in the tree, with the boards and nodes from the root, and the
//! facts of a branch before its insertion.

use chess::{Board, ChessMove, EMPTY, MoveGen};

use crate::rules::position::moves::is_quiet;
use crate::rules::position::{Line, Position};
use crate::rules::score::Score;
use crate::search::Variation;
use crate::search::genetic::search::for_side;
use crate::search::genetic::tree::NodeId;

/// A walk through the tree with its boards, so that no branch is replayed from the root.
pub struct TreeCursor {
    /// The boards. The line may be longer than `path` while a birth makes moves that are not in the
    /// tree yet.
    pub line: Line,
    /// The nodes; the root is the first.
    path: Vec<NodeId>,
}

impl TreeCursor {
    /// At the root.
    pub fn new(position: &Position, root: NodeId) -> Self {
        TreeCursor {
            line: Line::new(position),
            path: vec![root],
        }
    }

    /// Goes to the node at the end of `nodes` (root left out), making the legal moves `genes` on
    /// the way.
    ///
    /// The common part of the old path and the new one is neither taken back nor made again.
    pub fn walk_to(&mut self, nodes: &[NodeId], genes: &[ChessMove]) {
        let common = self.path[1..]
            .iter()
            .zip(nodes)
            .take_while(|(a, b)| a == b)
            .count();
        self.path.truncate(common + 1);
        self.line.truncate(common);
        for (&node, &gene) in nodes.iter().zip(genes).skip(common) {
            self.step_to(node, gene);
        }
    }

    /// Makes `gene`, the move to the child `node`.
    pub fn step_to(&mut self, node: NodeId, gene: ChessMove) {
        self.line.make(gene);
        self.path.push(node);
    }

    /// Goes to a child whose move is on the line already.
    pub fn enter(&mut self, node: NodeId) {
        self.path.push(node);
    }

    /// The node where the search stands.
    pub fn node(&self) -> NodeId {
        *self.path.last().expect("the path begins with the root")
    }

    /// Its level; the root has 0.
    pub fn level(&self) -> usize {
        self.path.len() - 1
    }

    /// The nodes from the root to [`TreeCursor::node`].
    pub fn path(&self) -> &[NodeId] {
        &self.path
    }

    /// The board at the end of the line.
    pub fn board(&self) -> &Board {
        self.line.board()
    }

    pub fn root_board(&self) -> &Board {
        self.line.board_at(0)
    }
}

/// The facts of a new position after validation.
#[derive(Clone, Copy, Debug)]
pub struct NewPosition {
    /// The number of legal moves.
    pub moves: usize,
    /// The side to move can capture or promote.
    pub tactical: bool,
    /// The exact value, from White's point of view, if the game is over here, or decided by an
    /// endgame table.
    pub ended: Option<Score>,
}

/// A quiescence line: a branch along the new branch to `level` and on with `line`.
#[derive(Clone, Debug, Default)]
pub struct QuiescenceLine {
    pub level: usize,
    pub line: Variation,
    /// White's point of view.
    pub value: Score,
    /// The game is over at the end of the line, or decided by an endgame table.
    pub terminal: bool,
    /// The search left its window: the line need not be the best one.
    pub is_bound: bool,
}

impl NewPosition {
    /// Looks at the end of `line` with its unused `generator`.
    pub fn of(line: &Line, generator: &mut MoveGen) -> Self {
        let board = line.board();
        let moves = generator.len();
        let ended = if moves == 0 {
            let is_stalemate = *board.checkers() == EMPTY;
            let value = if is_stalemate {
                Score::DRAW
            } else {
                Score::mated_in(line.ply())
            };
            Some(for_side(board.side_to_move(), value))
        } else {
            line.is_draw().then_some(Score::DRAW)
        };
        NewPosition {
            moves,
            tactical: ended.is_none() && !is_quiet(board, generator),
            ended,
        }
    }
}

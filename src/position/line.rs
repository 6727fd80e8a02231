//! The stack of positions that a search walks: make, look, unmake, without allocation per move.

use chess::{Board, ChessMove, MoveGen};

use super::{Position, insufficient, key, moves};

/// A line of play from a root position. The root's own history counts for repetitions.
#[derive(Clone, Debug)]
pub struct Line {
    frames: Vec<Frame>,
    /// Keys of the game before the root, since its last irreversible move; the root's key is in its frame.
    history: Vec<u64>,
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    board: Board,
    key: u64,
    halfmove_clock: u32,
    /// How many frames and history keys back, in half-moves, repetition can reach: 0 after an irreversible
    /// move.
    reversible: u32,
}

impl Line {
    /// A line that consists of the root only.
    pub fn new(root: &Position) -> Self {
        let (&key, history) = root.keys().split_last().expect("a position always has its own key");
        let mut frames = Vec::with_capacity(256);
        frames.push(Frame {
            board: *root.board(),
            key,
            halfmove_clock: root.halfmove_clock(),
            reversible: history.len() as u32,
        });
        Line { frames, history: history.to_vec() }
    }

    fn top(&self) -> &Frame {
        self.frames.last().expect("the root frame is never popped")
    }

    /// The board at the end of the line.
    pub fn board(&self) -> &Board {
        &self.top().board
    }

    /// The board after `ply` moves of the line; 0 is the root.
    pub fn board_at(&self, ply: usize) -> &Board {
        &self.frames[ply].board
    }

    /// The position key at the end of the line.
    pub fn key(&self) -> u64 {
        self.top().key
    }

    /// Half-moves from the root.
    pub fn ply(&self) -> usize {
        self.frames.len() - 1
    }

    /// Half-moves since the last capture or pawn move, the game before the root included.
    pub fn halfmove_clock(&self) -> u32 {
        self.top().halfmove_clock
    }

    /// Makes a move that must be legal: the paper's `makeMove`.
    pub fn make(&mut self, mv: ChessMove) {
        let top = self.top();
        debug_assert!(top.board.legal(mv), "{mv} is not legal on {}", top.board);
        let board = top.board.make_move_new(mv);
        let irreversible = moves::is_irreversible(&top.board, mv);
        let last_repeatable =
            irreversible || moves::castling_rights(&board) != moves::castling_rights(&top.board);
        let frame = Frame {
            key: key::position_key(&board),
            board,
            halfmove_clock: if irreversible { 0 } else { top.halfmove_clock + 1 },
            reversible: if last_repeatable { 0 } else { top.reversible + 1 },
        };
        self.frames.push(frame);
    }

    /// Passes the turn, if the side to move is not in check. Nothing before a null move can be repeated.
    pub fn make_null(&mut self) -> bool {
        let top = *self.top();
        let Some(board) = top.board.null_move() else {
            return false;
        };
        self.frames.push(Frame {
            key: key::position_key(&board),
            board,
            halfmove_clock: top.halfmove_clock + 1,
            reversible: 0,
        });
        true
    }

    /// Takes back the last move, null or not. The root stays.
    pub fn unmake(&mut self) {
        debug_assert!(self.frames.len() > 1, "unmake at the root");
        self.frames.pop();
    }

    /// Takes back moves until the line is `ply` half-moves long.
    pub fn truncate(&mut self, ply: usize) {
        self.frames.truncate(ply + 1);
    }

    /// Whether the end of the line is a draw by repetition, fifty moves or material. Stalemate is the
    /// search's business; a mate with the last move of the fifty is no draw.
    ///
    /// A position that occurred once since the root, or twice before it, counts as a draw: what could be
    /// forced once inside the search can be forced again.
    pub fn is_draw(&self) -> bool {
        self.is_fifty_moves()
            || self.is_repetition()
            || insufficient::is_insufficient_material(&self.top().board)
    }

    fn is_fifty_moves(&self) -> bool {
        let top = self.top();
        top.halfmove_clock >= 100
            && (*top.board.checkers() == chess::EMPTY || MoveGen::new_legal(&top.board).len() > 0)
    }

    fn is_repetition(&self) -> bool {
        let top = self.top();
        let ply = self.ply();
        let mut seen_before_root = 0;
        for back in (4..=top.reversible as usize).step_by(2) {
            if back <= ply {
                if self.frames[ply - back].key == top.key {
                    return true;
                }
            } else {
                let before_root = back - ply;
                if self.history[self.history.len() - before_root] == top.key {
                    seen_before_root += 1;
                    if seen_before_root == 2 {
                        return true;
                    }
                }
            }
        }
        false
    }
}

//! Chess positions: a [`chess::Board`] with the state of a game.
//!
//! [`Position`] adds the clocks, the keys of earlier positions, and the outcome by rule. [`Line`]
//! is the allocation-free stack of positions of a search. [`notation`] reads and writes FEN and
//! SAN; only there text from outside becomes a position or a move.

pub mod key;
pub mod moves;
pub mod notation;
pub(crate) mod polyglot;

pub use moves::{MoveList, legal_moves};
pub use notation::{FenError, MoveError};

use chess::{BitBoard, Board, BoardStatus, ChessMove, Color, EMPTY, MoveGen, Piece};

/// The end of a game by the rules, from the board alone, without a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The side to move is mated; `winner` is the other side.
    Checkmate { winner: Color },
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// The position occurred for the third time.
    Repetition,
    /// Fifty moves by each side without a capture or a pawn move.
    FiftyMoves,
    /// Neither side can ever mate.
    InsufficientMaterial,
}

impl Outcome {
    /// The result in PGN and the xboard protocol: `1-0`, `0-1` or `1/2-1/2`.
    pub fn result(self) -> &'static str {
        match self {
            Outcome::Checkmate { winner } => ["1-0", "0-1"][winner.to_index()],
            _ => "1/2-1/2",
        }
    }

    /// The reason in words, fit for a PGN comment and a protocol claim.
    pub fn reason(self) -> &'static str {
        match self {
            Outcome::Checkmate { winner } => ["White mates", "Black mates"][winner.to_index()],
            Outcome::Stalemate => "Stalemate",
            Outcome::Repetition => "Draw by repetition",
            Outcome::FiftyMoves => "Draw by fifty move rule",
            Outcome::InsufficientMaterial => "Insufficient material",
        }
    }
}

/// A position of a game: the board, both clocks, and the keys of the positions since the last
/// irreversible move, enough to decide repetitions and the fifty-move rule.
#[derive(Clone, Debug)]
pub struct Position {
    board: Board,
    halfmove_clock: u32,
    fullmove_number: u32,
    /// Keys since the last irreversible move, oldest first, the current position last. Never empty,
    /// and never more than [`MOST_KEYS`].
    keys: Vec<u64>,
    /// The last move, and the board before.
    last: Option<(Board, ChessMove)>,
}

/// Positions more than a hundred half-moves back cannot matter: the fifty-move rule has ended such
/// a game before. So a position takes the same memory, and the same time to be copied, in a game of
/// any length.
const MOST_KEYS: usize = 101;

impl Default for Position {
    /// The start of a game.
    fn default() -> Self {
        Position::new(Board::default(), 0, 1)
    }
}

impl Position {
    /// A position without history. `halfmove_clock` counts half-moves since the last capture or
    /// pawn move.
    fn new(board: Board, halfmove_clock: u32, fullmove_number: u32) -> Self {
        Position {
            keys: vec![key::position_key(&board)],
            board,
            halfmove_clock,
            fullmove_number,
            last: None,
        }
    }

    /// The board, for move generation and evaluation.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The side to move.
    pub fn side_to_move(&self) -> Color {
        self.board.side_to_move()
    }

    /// Half-moves since the last capture or pawn move.
    pub fn halfmove_clock(&self) -> u32 {
        self.halfmove_clock
    }

    /// The number of the coming full move, from 1.
    pub fn fullmove_number(&self) -> u32 {
        self.fullmove_number
    }

    /// The key of this position; equal keys mean the same moves are possible (see
    /// [`key::position_key`]).
    pub fn key(&self) -> u64 {
        *self.keys.last().expect("a position always has its own key")
    }

    /// Keys of the positions since the last irreversible move, oldest first, this one last; those
    /// of the last hundred half-moves at most.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// The last move, with the board before; `None` at the beginning of the game.
    pub fn last_move(&self) -> Option<(&Board, ChessMove)> {
        self.last.as_ref().map(|(before, mv)| (before, *mv))
    }

    /// The legal moves, in the order of move generation.
    pub fn legal_moves(&self) -> MoveList {
        legal_moves(&self.board)
    }

    /// Returns true if `mv` can be played here.
    pub fn is_legal(&self, mv: ChessMove) -> bool {
        self.legal_moves().contains(&mv)
    }

    /// Plays a legal move: the paper's `makeMove` on the real board.
    ///
    /// # Errors
    /// An illegal move is refused and the position stays as it was.
    pub fn play(&mut self, mv: ChessMove) -> Result<(), MoveError> {
        if !self.is_legal(mv) {
            return Err(MoveError::Illegal(moves::coordinate(mv)));
        }
        let before = self.board;
        let can_repeat;
        (self.board, self.halfmove_clock, can_repeat) = made(&before, self.halfmove_clock, mv);
        self.fullmove_number += u32::from(before.side_to_move() == Color::Black);
        self.last = Some((before, mv));
        if !can_repeat {
            self.keys.clear();
        } else if self.keys.len() == MOST_KEYS {
            self.keys.remove(0);
        }
        self.keys.push(key::position_key(&self.board));
        Ok(())
    }

    /// The number of occurrences of this position since the last irreversible move, this one
    /// included; within the last hundred half-moves.
    pub fn repetitions(&self) -> usize {
        self.keys.iter().filter(|&&key| key == self.key()).count()
    }

    /// The outcome, if the game is over by rule. Mate comes before the fifty-move rule, as in the
    /// laws.
    pub fn outcome(&self) -> Option<Outcome> {
        match self.board.status() {
            BoardStatus::Checkmate => {
                return Some(Outcome::Checkmate {
                    winner: !self.side_to_move(),
                });
            }
            BoardStatus::Stalemate => return Some(Outcome::Stalemate),
            BoardStatus::Ongoing => {}
        }
        if is_insufficient_material(&self.board) {
            Some(Outcome::InsufficientMaterial)
        } else if self.repetitions() >= 3 {
            Some(Outcome::Repetition)
        } else if self.halfmove_clock >= 100 {
            Some(Outcome::FiftyMoves)
        } else {
            None
        }
    }

    /// The number of leaves of the full tree of `depth` half-moves: the standard check of move
    /// generation.
    pub fn perft(&self, depth: u32) -> u64 {
        fn count(line: &mut Line, depth: u32) -> u64 {
            let moves = legal_moves(line.board());
            if depth <= 1 {
                return moves.len() as u64;
            }
            let mut leaves = 0;
            for mv in moves {
                line.make(mv);
                leaves += count(line, depth - 1);
                line.unmake();
            }
            leaves
        }
        if depth == 0 {
            1
        } else {
            count(&mut Line::new(self), depth)
        }
    }
}

/// The board and the half-move clock after a legal move, and true if positions before can come
/// again.
#[inline]
fn made(board: &Board, halfmove_clock: u32, mv: ChessMove) -> (Board, u32, bool) {
    let after = board.make_move_new(mv);
    if moves::is_irreversible(board, mv) {
        return (after, 0, false);
    }
    let can_repeat = moves::castling_rights(&after) == moves::castling_rights(board);
    (after, halfmove_clock + 1, can_repeat)
}

const DARK_SQUARES: BitBoard = BitBoard(0xAA55_AA55_AA55_AA55);

/// Returns true if neither side can ever mate: K v K, K+N v K, or any number of bishops all on one
/// colour. An engine may claim only these dead positions by the xboard protocol.
pub fn is_insufficient_material(board: &Board) -> bool {
    let bishops = *board.pieces(Piece::Bishop);
    let kings_and_bishops = *board.pieces(Piece::King) | bishops;
    match (*board.combined() ^ kings_and_bishops).popcnt() {
        0 => bishops & DARK_SQUARES == EMPTY || bishops & !DARK_SQUARES == EMPTY,
        1 => bishops == EMPTY && *board.pieces(Piece::Knight) != EMPTY,
        _ => false,
    }
}

/// Material of both sides, 78 at the start of a game; see [`material_of`].
pub fn material(board: &Board) -> u32 {
    material_of(board, Color::White) + material_of(board, Color::Black)
}

/// Material of a side: pawns count 1, knights and bishops 3, rooks 5, queens 9.
pub fn material_of(board: &Board, side: Color) -> u32 {
    let own = board.color_combined(side);
    let mut material = 0;
    for (piece, value) in chess::ALL_PIECES.into_iter().zip([1, 3, 3, 5, 9]) {
        material += value * (board.pieces(piece) & own).popcnt();
    }
    material
}

/// The piece on a square and its colour.
pub fn piece_at(board: &Board, square: chess::Square) -> Option<(Piece, Color)> {
    board.piece_on(square).zip(board.color_on(square))
}

/// A line of play from a root position. The root's own history counts for repetitions.
#[derive(Clone, Debug)]
pub struct Line {
    frames: Vec<Frame>,
    /// Keys of the game before the root, since its last irreversible move; the root's key is in its
    /// frame.
    history: Vec<u64>,
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    board: Board,
    key: u64,
    halfmove_clock: u32,
    /// The reach of repetitions back over frames and history keys, in half-moves: 0 after an
    /// irreversible move.
    reversible: u32,
}

impl Line {
    /// A line with the root only.
    pub fn new(root: &Position) -> Self {
        let (&key, history) = root
            .keys()
            .split_last()
            .expect("a position always has its own key");
        let mut frames = Vec::with_capacity(256);
        frames.push(Frame {
            board: *root.board(),
            key,
            halfmove_clock: root.halfmove_clock(),
            reversible: history.len() as u32,
        });
        Line {
            frames,
            history: history.to_vec(),
        }
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

    /// Makes a legal move: the paper's `makeMove`.
    pub fn make(&mut self, mv: ChessMove) {
        let top = self.top();
        debug_assert!(top.board.legal(mv), "{mv} is not legal on {}", top.board);
        let (board, halfmove_clock, can_repeat) = made(&top.board, top.halfmove_clock, mv);
        let reversible = if can_repeat { top.reversible + 1 } else { 0 };
        self.frames.push(Frame {
            key: key::position_key(&board),
            board,
            halfmove_clock,
            reversible,
        });
    }

    /// Passes the turn, if the side to move is not in check. Nothing before a null move can be
    /// repeated.
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

    /// Returns true if the end of the line is a draw by repetition, fifty moves or material.
    /// Stalemate is the search's business; a mate with the last move of the fifty is no draw.
    ///
    /// A position that occurred once since the root, or twice before it, counts as a draw: a line
    /// forced once inside the search can be forced again.
    pub fn is_draw(&self) -> bool {
        self.is_fifty_moves() || self.is_repetition() || is_insufficient_material(&self.top().board)
    }

    /// Returns true if the game is drawn, as in [`Line::is_draw`], by a legal move after `ply`
    /// moves of the line. The line stays unchanged.
    pub fn is_drawn_by(&mut self, ply: usize, mv: ChessMove) -> bool {
        let later = self.frames.split_off(ply + 1);
        self.make(mv);
        let is_draw = self.is_draw();
        self.unmake();
        self.frames.extend(later);
        is_draw
    }

    fn is_fifty_moves(&self) -> bool {
        let top = self.top();
        top.halfmove_clock >= 100
            && (*top.board.checkers() == EMPTY || MoveGen::new_legal(&top.board).len() > 0)
    }

    fn is_repetition(&self) -> bool {
        let key = self.top().key;
        let reach = self.top().reversible as usize;
        let ply = self.ply();
        // An even number of half-moves back, once since the root or twice before it.
        let mut before_root = 0;
        for back in (4..=reach).step_by(2) {
            if back > ply {
                before_root += u32::from(self.history[self.history.len() + ply - back] == key);
            } else if self.frames[ply - back].key == key {
                return true;
            }
        }
        before_root > 1
    }
}

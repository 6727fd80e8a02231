//! Chess positions: a [`chess::Board`] with what it lacks for play.
//!
//! [`Position`] adds the clocks, the keys of earlier positions, and the outcome by rule. [`Line`] is the
//! allocation-free stack of positions that a search walks up and down. [`notation`] reads and writes FEN and
//! SAN, and is the only place where text from outside becomes a position or a move.

pub mod insufficient;
pub mod key;
pub mod line;
pub mod moves;
pub mod notation;
pub(crate) mod polyglot;

pub use line::Line;
pub use moves::{MoveList, legal_moves};
pub use notation::{FenError, MoveError};

use chess::{Board, BoardStatus, ChessMove, Color, Piece};

/// How a game ended by the rules, without anyone having to claim more than what is on the board.
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
    /// The result as PGN and the xboard protocol write it: `1-0`, `0-1` or `1/2-1/2`.
    pub fn result(self) -> &'static str {
        match self {
            Outcome::Checkmate { winner: Color::White } => "1-0",
            Outcome::Checkmate { winner: Color::Black } => "0-1",
            _ => "1/2-1/2",
        }
    }

    /// The reason in words, fit for a PGN comment and a protocol claim.
    pub fn reason(self) -> &'static str {
        match self {
            Outcome::Checkmate { winner: Color::White } => "White mates",
            Outcome::Checkmate { winner: Color::Black } => "Black mates",
            Outcome::Stalemate => "Stalemate",
            Outcome::Repetition => "Draw by repetition",
            Outcome::FiftyMoves => "Draw by fifty move rule",
            Outcome::InsufficientMaterial => "Insufficient material",
        }
    }
}

/// A position of a game: the board, both clocks, and the keys of the positions since the last irreversible
/// move, so that repetitions and the fifty-move rule can be decided from it alone.
#[derive(Clone, Debug)]
pub struct Position {
    board: Board,
    halfmove_clock: u32,
    fullmove_number: u32,
    /// Keys since the last irreversible move, oldest first, the current position last. Never empty, and never
    /// more than [`MOST_KEYS`].
    keys: Vec<u64>,
    /// The move that led here, and the board that it was made on.
    last: Option<(Board, ChessMove)>,
}

/// What lies more than a hundred half-moves back cannot matter: the fifty-move rule has ended such a game
/// before. So a position takes the same memory, and the same time to be copied, however long its game is.
const MOST_KEYS: usize = 101;

impl Default for Position {
    /// The start of a game.
    fn default() -> Self {
        Position::new(Board::default(), 0, 1)
    }
}

impl Position {
    /// A position without history. `halfmove_clock` counts half-moves since the last capture or pawn move.
    fn new(board: Board, halfmove_clock: u32, fullmove_number: u32) -> Self {
        let keys = vec![key::position_key(&board)];
        Position { keys, board, halfmove_clock, fullmove_number, last: None }
    }

    /// The board, for move generation and evaluation.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Whose turn it is.
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

    /// The key of this position; equal keys mean the same moves are possible (see [`key::position_key`]).
    pub fn key(&self) -> u64 {
        *self.keys.last().expect("a position always has its own key")
    }

    /// Keys of the positions since the last irreversible move, oldest first, this one last; those of the last
    /// hundred half-moves at most.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// The move that led here, with the board that it was made on; `None` where the game began.
    pub fn last_move(&self) -> Option<(&Board, ChessMove)> {
        self.last.as_ref().map(|(before, mv)| (before, *mv))
    }

    /// All legal moves, in the order of move generation.
    pub fn legal_moves(&self) -> MoveList {
        legal_moves(&self.board)
    }

    /// Whether `mv` can be played here.
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
        let irreversible = moves::is_irreversible(&self.board, mv);
        let rights_before = moves::castling_rights(&self.board);
        self.halfmove_clock = if irreversible { 0 } else { self.halfmove_clock + 1 };
        self.fullmove_number += u32::from(self.side_to_move() == Color::Black);
        self.last = Some((self.board, mv));
        self.board = self.board.make_move_new(mv);
        if irreversible || moves::castling_rights(&self.board) != rights_before {
            self.keys.clear();
        } else if self.keys.len() == MOST_KEYS {
            self.keys.remove(0);
        }
        self.keys.push(key::position_key(&self.board));
        Ok(())
    }

    /// How often this position has occurred since the last irreversible move, this time included; within the
    /// last hundred half-moves.
    pub fn repetitions(&self) -> usize {
        self.keys.iter().filter(|&&key| key == self.key()).count()
    }

    /// Whether the game is over by rule, and how. Mate comes before the fifty-move rule, as the laws say.
    pub fn outcome(&self) -> Option<Outcome> {
        match self.board.status() {
            BoardStatus::Checkmate => {
                return Some(Outcome::Checkmate { winner: !self.side_to_move() });
            }
            BoardStatus::Stalemate => return Some(Outcome::Stalemate),
            BoardStatus::Ongoing => {}
        }
        if insufficient::is_insufficient_material(&self.board) {
            Some(Outcome::InsufficientMaterial)
        } else if self.repetitions() >= 3 {
            Some(Outcome::Repetition)
        } else if self.halfmove_clock >= 100 {
            Some(Outcome::FiftyMoves)
        } else {
            None
        }
    }

    /// The number of leaves of the full tree of `depth` half-moves: the standard check of move generation.
    pub fn perft(&self, depth: u32) -> u64 {
        fn count(line: &mut Line, depth: u32) -> u64 {
            let moves = legal_moves(line.board());
            if depth <= 1 {
                return moves.len() as u64;
            }
            moves
                .into_iter()
                .map(|mv| {
                    line.make(mv);
                    let leaves = count(line, depth - 1);
                    line.unmake();
                    leaves
                })
                .sum()
        }
        if depth == 0 { 1 } else { count(&mut Line::new(self), depth) }
    }
}

/// The piece on each square as `Some((piece, color))`, a1 first: for drawing boards.
pub fn piece_at(board: &Board, square: chess::Square) -> Option<(Piece, Color)> {
    board.piece_on(square).zip(board.color_on(square))
}

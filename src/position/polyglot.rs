//! One entry of a Polyglot book: 16 bytes, big-endian.
//!
//! Format: Michel Van den Bergh, "Polyglot book format" (book_format.html of the Polyglot distribution).
//! Castling is written as the king taking its own rook; the key has an en-passant file where a pawn stands
//! ready, even if it is pinned.

use chess::{Board, ChessMove, Color, File, Piece, Square};

/// A move in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Of the position; see [`Position::polyglot_key`](crate::position::Position::polyglot_key).
    pub key: u64,
    /// From bit 0: target square (6 bits, a1 = 0, h8 = 63), source square (6), promotion (3: none, N, B, R,
    /// Q).
    pub mv: u16,
    /// How good the move is; only the ratio to the other moves of the position matters.
    pub weight: u16,
    /// For programs that learn; we write 0 and ignore it.
    pub learn: u32,
}

const PROMOTIONS: [Option<Piece>; 5] =
    [None, Some(Piece::Knight), Some(Piece::Bishop), Some(Piece::Rook), Some(Piece::Queen)];

impl Entry {
    /// Bytes of an entry.
    pub const SIZE: usize = 16;

    /// Reads an entry; any bytes are one.
    pub fn from_bytes(bytes: &[u8; Self::SIZE]) -> Entry {
        let bits = u128::from_be_bytes(*bytes);
        Entry {
            key: (bits >> 64) as u64,
            mv: (bits >> 48) as u16,
            weight: (bits >> 32) as u16,
            learn: bits as u32,
        }
    }

    /// Writes the entry.
    pub fn to_bytes(self) -> [u8; Self::SIZE] {
        let [mv, weight] = [self.mv, self.weight].map(u128::from);
        (u128::from(self.key) << 64 | mv << 48 | weight << 32 | u128::from(self.learn)).to_be_bytes()
    }

    /// The move on `board`, which need not be legal there; `None` for a promotion that does not exist.
    /// Castling is understood in both spellings, as the king taking its rook and as its two squares.
    pub fn chess_move(&self, board: &Board) -> Option<ChessMove> {
        let square = |shift: u16| {
            let index = usize::from(self.mv >> shift & 0o77);
            Square::make_square(chess::Rank::from_index(index / 8), File::from_index(index % 8))
        };
        let (source, dest) = (square(6), square(0));
        let promotion = *PROMOTIONS.get(usize::from(self.mv >> 12))?;
        Some(ChessMove::new(source, castling_target(board, source, dest).unwrap_or(dest), promotion))
    }
}

/// Where the king lands if going from `source` to `dest` means taking its own rook.
fn castling_target(board: &Board, source: Square, dest: Square) -> Option<Square> {
    let side = board.side_to_move();
    let home = Square::make_square(side.to_my_backrank(), File::E);
    let ours = |square, piece: Piece, color: Color| {
        board.piece_on(square) == Some(piece) && board.color_on(square) == Some(color)
    };
    if source != home || !ours(source, Piece::King, side) || !ours(dest, Piece::Rook, side) {
        return None;
    }
    let file = match dest.get_file() {
        File::H => File::G,
        File::A => File::C,
        _ => return None,
    };
    (dest.get_rank() == home.get_rank()).then(|| Square::make_square(home.get_rank(), file))
}

/// A move as Polyglot writes it. shakmaty's castling already is the king taking its rook.
pub fn encode(mv: shakmaty::Move) -> u16 {
    let from = mv.from().map_or(0, |square| u32::from(square) as u16);
    // shakmaty counts from the pawn, which is 1.
    let promotion = mv.promotion().map_or(0, |role| role as u16 - 1);
    promotion << 12 | from << 6 | u32::from(mv.to()) as u16
}

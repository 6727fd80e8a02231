//! One entry of a Polyglot book: 16 bytes, big-endian.
//!
//! Format: Michel Van den Bergh, "Polyglot book format" (book_format.html of the Polyglot
//! distribution). Castling is written as the king taking its own rook; the key has an en-passant
//! file if a pawn stands ready, even a pinned one.

use chess::{Board, ChessMove, File, Piece, Square};

use super::moves::unpack;
use super::piece_at;

/// A move in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookEntry {
    /// The key of the position; see
    /// [`Position::polyglot_key`](crate::rules::position::Position::polyglot_key).
    pub key: u64,
    /// See [`pack`](super::moves::pack).
    pub mv: u16,
    /// The quality of the move; only the ratio to the other moves of the position matters.
    pub weight: u16,
    /// The data of learning programs; written as 0 and ignored.
    pub learn: u32,
}

impl BookEntry {
    /// Bytes of an entry.
    pub const SIZE: usize = 16;

    /// Reads an entry; any bytes are one.
    pub fn from_bytes(bytes: &[u8; Self::SIZE]) -> BookEntry {
        let bits = u128::from_be_bytes(*bytes);
        BookEntry {
            key: (bits >> 64) as u64,
            mv: (bits >> 48) as u16,
            weight: (bits >> 32) as u16,
            learn: bits as u32,
        }
    }

    /// Writes the entry.
    pub fn to_bytes(self) -> [u8; Self::SIZE] {
        let [mv, weight] = [self.mv, self.weight].map(u128::from);
        (u128::from(self.key) << 64 | mv << 48 | weight << 32 | u128::from(self.learn))
            .to_be_bytes()
    }

    /// The move on `board`, legal there or not; `None` for an impossible promotion. Castling is
    /// understood in both spellings, as the king taking its rook and as its two squares.
    pub fn chess_move(&self, board: &Board) -> Option<ChessMove> {
        if self.mv >> 12 > 4 {
            return None;
        }
        let mv = unpack(self.mv);
        let source = mv.get_source();
        let dest = castling_target(board, source, mv.get_dest());
        Some(ChessMove::new(source, dest, mv.get_promotion()))
    }
}

/// The king's target if going from `source` to `dest` means taking its own rook; else `dest`.
fn castling_target(board: &Board, source: Square, dest: Square) -> Square {
    let side = board.side_to_move();
    let rank = side.to_my_backrank();
    let file = match dest.get_file() {
        File::H => File::G,
        File::A => File::C,
        _ => return dest,
    };
    let takes_rook = source == Square::make_square(rank, File::E)
        && dest.get_rank() == rank
        && piece_at(board, source) == Some((Piece::King, side))
        && piece_at(board, dest) == Some((Piece::Rook, side));
    if takes_rook {
        Square::make_square(rank, file)
    } else {
        dest
    }
}

/// A move in Polyglot's encoding. shakmaty's castling already is the king taking its rook.
pub fn encode(mv: shakmaty::Move) -> u16 {
    let from = mv.from().map_or(0, |square| u32::from(square) as u16);
    // shakmaty counts from the pawn, which is 1.
    let promotion = mv.promotion().map_or(0, |role| role as u16 - 1);
    promotion << 12 | from << 6 | u32::from(mv.to()) as u16
}

//! Insufficient material: the only dead positions that the xboard protocol lets an engine claim.

use chess::{BitBoard, Board, EMPTY, Piece};

const DARK_SQUARES: BitBoard = BitBoard(0xAA55_AA55_AA55_AA55);

/// Whether neither side can ever mate: K v K, K+N v K, or any number of bishops all on one colour.
pub fn is_insufficient_material(board: &Board) -> bool {
    let bishops = *board.pieces(Piece::Bishop);
    let kings_and_bishops = *board.pieces(Piece::King) | bishops;
    match (*board.combined() ^ kings_and_bishops).popcnt() {
        0 => bishops & DARK_SQUARES == EMPTY || bishops & !DARK_SQUARES == EMPTY,
        1 => bishops == EMPTY && *board.pieces(Piece::Knight) != EMPTY,
        _ => false,
    }
}

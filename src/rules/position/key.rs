//! Position keys for repetition and transposition tables.

use std::sync::LazyLock;

use chess::{
    ALL_COLORS, ALL_PIECES, ALL_SQUARES, Board, BoardBuilder, CastleRights, ChessMove, Color, File,
    MoveGen, Piece, Square,
};

/// The key of a position: equal for two positions exactly when (up to hash collisions) the same
/// pieces stand on the same squares, the same side moves, and the same castling and en-passant
/// captures are possible.
///
/// `Board::get_hash` keeps the file of a double push even if no en-passant capture is legal. This
/// hides repetitions, so the part is taken out again here.
pub fn position_key(board: &Board) -> u64 {
    match board.en_passant() {
        Some(pawn) if !can_capture_en_passant(board, pawn) => {
            board.get_hash()
                ^ EN_PASSANT_KEYS[board.side_to_move().to_index()][pawn.get_file().to_index()]
        }
        _ => board.get_hash(),
    }
}

/// The most likely key after `mv`, a legal move of `piece` in a position with the key `key`:
/// castling, en passant and castling rights are left out. It is known before the move is made, so
/// the next position's table entry can be fetched meanwhile.
#[inline]
pub fn likely_key_after(board: &Board, key: u64, piece: Piece, mv: ChessMove) -> u64 {
    let side = board.side_to_move();
    let source = mv.get_source();
    let target = mv.get_dest();
    let keys = &*PIECE_KEYS;
    let on = |square: Square, piece: Piece, color: Color| {
        keys[color.to_index()][piece.to_index()][square.to_index()]
    };
    let taken = board
        .piece_on(target)
        .map_or(0, |victim| on(target, victim, !side));
    let arrived = on(target, mv.get_promotion().unwrap_or(piece), side);
    key ^ *TURN_KEY ^ on(source, piece, side) ^ arrived ^ taken
}

/// The square *behind* a pawn after its double step, the target of a capturing pawn.
/// (`Board::en_passant` returns the pawn's own square.)
pub fn en_passant_target(board: &Board) -> Option<Square> {
    board
        .en_passant()
        .map(|pawn| pawn.uforward(board.side_to_move()))
}

fn can_capture_en_passant(board: &Board, pawn: Square) -> bool {
    let target = pawn.uforward(board.side_to_move());
    let mut captures = MoveGen::new_legal(board);
    captures.set_iterator_mask(chess::BitBoard::from_square(target));
    captures.any(|mv| board.piece_on(mv.get_source()) == Some(Piece::Pawn))
}

/// The part of `Board::get_hash` for an en-passant file, by side to move and file. The crate keeps
/// its Zobrist numbers private, so each is read off a pair of boards that differ in nothing else.
static EN_PASSANT_KEYS: LazyLock<[[u64; 8]; 2]> = LazyLock::new(|| {
    let key = |to_move: Color, file: File| {
        let rank = (!to_move).to_fourth_rank();
        let neighbour = if file == File::A {
            File::B
        } else {
            file.left()
        };
        let pieces = [
            (Square::E1, Piece::King, Color::White),
            (Square::E8, Piece::King, Color::Black),
            (Square::make_square(rank, file), Piece::Pawn, !to_move),
            (Square::make_square(rank, neighbour), Piece::Pawn, to_move),
        ];
        hash(&pieces, to_move, None) ^ hash(&pieces, to_move, Some(file))
    };
    ALL_COLORS.map(|side| std::array::from_fn(|file| key(side, File::from_index(file))))
});

/// The same for a piece on a square, by colour, piece and square; for a king, the difference to the
/// one on e4, enough for moves.
static PIECE_KEYS: LazyLock<[[[u64; 64]; 6]; 2]> = LazyLock::new(|| {
    let key = |color: Color, piece: Piece, square: Square| {
        // Kings that stand elsewhere; and the side of the piece does not move, for it may give
        // check.
        let [own, other] = match square.get_rank().to_index() {
            0..4 => [Square::H6, Square::H8],
            _ => [Square::A3, Square::A1],
        };
        let own = (own, Piece::King, color);
        let other = (other, Piece::King, !color);
        let placed = (square, piece, color);
        let [with, without] = match piece {
            Piece::King => [vec![placed, other], vec![(Square::E4, piece, color), other]],
            _ => [vec![placed, own, other], vec![own, other]],
        };
        hash(&with, !color, None) ^ hash(&without, !color, None)
    };
    ALL_COLORS
        .map(|color| ALL_PIECES.map(|piece| ALL_SQUARES.map(|square| key(color, piece, square))))
});

/// The same for the side to move, changed by every move.
static TURN_KEY: LazyLock<u64> = LazyLock::new(|| {
    let kings = [
        (Square::E1, Piece::King, Color::White),
        (Square::E8, Piece::King, Color::Black),
    ];
    hash(&kings, Color::White, None) ^ hash(&kings, Color::Black, None)
});

/// The crate's hash of a legal board without castling rights.
fn hash(pieces: &[(Square, Piece, Color)], to_move: Color, en_passant: Option<File>) -> u64 {
    let none = CastleRights::NoRights;
    let board = BoardBuilder::setup(pieces, to_move, none, none, en_passant);
    Board::try_from(&board).expect("it is legal").get_hash()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::position::Position;

    #[test]
    fn the_key_after_a_move_is_known_before_it_is_made() {
        // All kinds of pieces of both sides, captures and promotions.
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w - - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w - - 0 1",
            "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b - - 0 1",
            "8/8/4k3/8/8/2K5/8/8 w - - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        ] {
            let board = *Position::from_fen(fen).unwrap().board();
            let key = position_key(&board);
            for mv in MoveGen::new_legal(&board) {
                let piece = board.piece_on(mv.get_source()).unwrap();
                let after = board.make_move_new(mv);
                let likely = likely_key_after(&board, key, piece, mv);
                assert!(
                    after.en_passant().is_some() || likely == position_key(&after),
                    "{mv} in {fen}"
                );
            }
        }
    }
}

//! Static exchange evaluation: the gain of a capture after all recaptures on its square that pay.

use chess::{
    BitBoard, Board, ChessMove, Color, EMPTY, Piece, Square, get_bishop_moves, get_king_moves,
    get_knight_moves, get_pawn_attacks, get_rook_moves,
};

use crate::rules::position::moves::is_en_passant;

/// The value of a piece in an exchange, pawn to king, in centipawns. Knight and bishop are equal,
/// so their exchange is never a loss; the king is dearer than any gain.
pub const EXCHANGE_VALUES: [i32; 6] = [100, 300, 300, 500, 900, 20_000];

/// The exchange value of a piece.
#[inline]
pub fn exchange_value(piece: Piece) -> i32 {
    EXCHANGE_VALUES[piece.to_index()]
}

/// Returns true if the exchange begun by `mv` (legal on `board`, a capture or not) wins at least
/// `threshold` centipawns for the mover. X-rays take part; pins and promotions of recapturing pawns
/// are not seen.
///
/// The loop is the usual one with a threshold ("swap off"), as in Stockfish's `see_ge`.
pub fn at_least(board: &Board, mv: ChessMove, threshold: i32) -> bool {
    let source = mv.get_source();
    let target = mv.get_dest();
    let Some(mover) = board.piece_on(source) else {
        return false;
    };
    let mut occupied = *board.combined() ^ BitBoard::from_square(source);
    let mut gain = board.piece_on(target).map_or(0, exchange_value);
    if mover == Piece::Pawn && is_en_passant(board, mv) {
        gain = exchange_value(Piece::Pawn);
        occupied ^= BitBoard::from_square(target.ubackward(board.side_to_move()));
    }
    let mut on_target = exchange_value(mover);
    if let Some(promoted) = mv.get_promotion() {
        gain += exchange_value(promoted) - exchange_value(Piece::Pawn);
        on_target = exchange_value(promoted);
    }
    // `balance` is what the side to take has above what it needs, if it stops taking now.
    let mut balance = gain - threshold;
    if balance < 0 {
        return false;
    }
    balance -= on_target;
    if balance >= 0 {
        return true;
    }
    occupied |= BitBoard::from_square(target);
    let diagonal = *board.pieces(Piece::Bishop) | *board.pieces(Piece::Queen);
    let straight = *board.pieces(Piece::Rook) | *board.pieces(Piece::Queen);
    let mut attackers = attackers(board, target, occupied);
    let mut side = !board.side_to_move();
    loop {
        let own = attackers & *board.color_combined(side) & occupied;
        if own == EMPTY {
            break;
        }
        let (piece, set) = least_valuable(board, own);
        side = !side;
        if piece == Piece::King {
            // The king may take only what is no longer defended.
            if attackers & *board.color_combined(side) & occupied != EMPTY {
                side = !side;
            }
            break;
        }
        balance = -balance - 1 - exchange_value(piece);
        if balance >= 0 {
            break;
        }
        occupied ^= BitBoard::from_square(set.to_square());
        if matches!(piece, Piece::Pawn | Piece::Bishop | Piece::Queen) {
            attackers |= get_bishop_moves(target, occupied) & diagonal;
        }
        if matches!(piece, Piece::Rook | Piece::Queen) {
            attackers |= get_rook_moves(target, occupied) & straight;
        }
    }
    // Whoever would have to take next has lost the argument.
    side != board.side_to_move()
}

/// The pieces of either side that attack `target`, given the occupied squares.
fn attackers(board: &Board, target: Square, occupied: BitBoard) -> BitBoard {
    let of = |piece| *board.pieces(piece);
    let pawns = |color: Color| {
        get_pawn_attacks(
            target,
            !color,
            of(Piece::Pawn) & *board.color_combined(color),
        )
    };
    let queens = of(Piece::Queen);
    pawns(Color::White)
        | pawns(Color::Black)
        | get_knight_moves(target) & of(Piece::Knight)
        | get_king_moves(target) & of(Piece::King)
        | get_bishop_moves(target, occupied) & (of(Piece::Bishop) | queens)
        | get_rook_moves(target, occupied) & (of(Piece::Rook) | queens)
}

/// The cheapest kind of piece in a non-empty set, and its pieces.
fn least_valuable(board: &Board, set: BitBoard) -> (Piece, BitBoard) {
    for piece in [
        Piece::Pawn,
        Piece::Knight,
        Piece::Bishop,
        Piece::Rook,
        Piece::Queen,
    ] {
        let pieces = set & *board.pieces(piece);
        if pieces != EMPTY {
            return (piece, pieces);
        }
    }
    (Piece::King, set)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::position::Position;

    /// The exact value of the exchange: the largest threshold that it reaches.
    fn value(fen: &str, mv: &str) -> i32 {
        let position = Position::from_fen(fen).unwrap();
        let mv = position.parse_move(mv).unwrap();
        (-2_000..=2_000)
            .rev()
            .find(|&least| at_least(position.board(), mv, least))
            .expect("it has a value")
    }

    /// Positions of the usual collections (Chess Programming Wiki, "SEE - The Swap Algorithm", and
    /// others).
    #[test]
    fn known_exchanges() {
        for (fen, mv, expected) in [
            (
                "1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1",
                "e1e5",
                100,
            ),
            (
                "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1",
                "d3e5",
                -200,
            ),
            (
                "4R3/2r3p1/5bk1/1p1r3p/p2PR1P1/P1BK1P2/1P6/8 b - - 0 1",
                "h5g4",
                0,
            ),
            (
                "4R3/2r3p1/5bk1/1p1r1p1p/p2PR1P1/P1BK1P2/1P6/8 b - - 0 1",
                "h5g4",
                0,
            ),
            (
                "4r1k1/5pp1/nbp4p/1p2p2q/1P2P1b1/1BP2N1P/1B2QPPK/3R4 b - - 0 1",
                "g4f3",
                0,
            ),
            (
                "2r1r1k1/pp1bppbp/3p1np1/q3P3/2P2P2/1P2B3/P1N1B1PP/2RQ1RK1 b - - 0 1",
                "d6e5",
                100,
            ),
            (
                "7r/5qpk/p1Qp1b1p/3r3n/BB3p2/5p2/P1P2P2/4RK1R w - - 0 1",
                "e1e8",
                0,
            ),
            (
                "6rr/6pk/p1Qp1b1p/2n5/1B3p2/5p2/P1P2P2/4RK1R w - - 0 1",
                "e1e8",
                -500,
            ),
            (
                "7r/5qpk/2Qp1b1p/1N1r3n/BB3p2/5p2/P1P2P2/4RK1R w - - 0 1",
                "e1e8",
                -500,
            ),
            ("6RR/4bP2/8/8/5r2/3K4/5p2/4k3 w - - 0 1", "f7f8q", 200),
            ("6RR/4bP2/8/8/5r2/3K4/5p2/4k3 w - - 0 1", "f7f8n", 200),
            ("7R/4bP2/8/8/1q6/3K4/5p2/4k3 w - - 0 1", "f7f8r", -100),
            (
                "8/4kp2/2npp3/1Nn5/1p2PQP1/7q/1PP1B3/4KR1r b - - 0 1",
                "h1f1",
                0,
            ),
            (
                "2r2r1k/6bp/p7/2q2p1Q/3PpP2/1B6/P5PP/2RR3K b - - 0 1",
                "c5c1",
                100,
            ),
            (
                "r2qk1nr/pp2ppbp/2b3p1/2p1p3/8/2N2N2/PPPP1PPP/R1BQR1K1 w kq - 0 1",
                "f3e5",
                100,
            ),
            (
                "6r1/4kq2/b2p1p2/p1pPb3/p1P2B1Q/2P4P/2B1R1P1/6K1 w - - 0 1",
                "f4e5",
                0,
            ),
            ("3N4/2K5/2n5/1k6/8/8/8/8 b - - 0 1", "c6d8", 0),
            ("3k3r/2p2p1p/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6", 0),
            ("3k3r/5p1p/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6", 100),
            // Quiet moves can lose the piece that moves.
            ("4k3/3p4/8/8/8/8/8/2B1K3 w - - 0 1", "c1h6", 0),
            ("4k3/6p1/8/8/8/8/8/2B1K3 w - - 0 1", "c1h6", -300),
        ] {
            assert_eq!(value(fen, mv), expected, "{mv} in {fen}");
        }
    }
}

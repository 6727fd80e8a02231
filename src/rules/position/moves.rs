//! Moves: lists, coordinate text, and the properties of a move for the search.

use arrayvec::ArrayVec;
use chess::{
    ALL_COLORS, ALL_PIECES, ALL_SQUARES, BitBoard, Board, CastleRights, ChessMove, Color, EMPTY,
    MoveGen, Piece, Square, between, get_bishop_moves, get_king_moves, get_knight_moves,
    get_pawn_attacks, get_pawn_moves, get_rank, get_rook_moves, line,
};

use super::key::en_passant_target;

/// A list of moves of one position. No legal position has more than 218.
pub type MoveList = ArrayVec<ChessMove, 256>;

/// A set of moves with quick look-up.
#[derive(Clone, Debug)]
pub struct MoveSet {
    /// A bit for each target square, by source square.
    targets: [u64; 64],
    /// Promotions share their squares, and are few.
    promotions: MoveList,
}

impl MoveSet {
    /// Returns true if `mv` is in the set.
    pub fn contains(&self, mv: ChessMove) -> bool {
        match mv.get_promotion() {
            Some(_) => self.promotions.contains(&mv),
            None => self.targets[mv.get_source().to_index()] & 1 << mv.get_dest().to_index() != 0,
        }
    }
}

impl FromIterator<ChessMove> for MoveSet {
    fn from_iter<I: IntoIterator<Item = ChessMove>>(moves: I) -> Self {
        let mut set = MoveSet {
            targets: [0; 64],
            promotions: MoveList::new(),
        };
        for mv in moves {
            match mv.get_promotion() {
                Some(_) => set.promotions.push(mv),
                None => set.targets[mv.get_source().to_index()] |= 1 << mv.get_dest().to_index(),
            }
        }
        set
    }
}

/// The legal moves, in the generator's order.
pub fn legal_moves(board: &Board) -> MoveList {
    MoveGen::new_legal(board).collect()
}

/// The legal captures (en passant included) and promotions, captures first.
pub fn captures_and_promotions(board: &Board) -> MoveList {
    let mut list = MoveList::new();
    for_each_tactical_move(board, &mut MoveGen::new_legal(board), |mv| list.push(mv));
    list
}

/// Visits [`captures_and_promotions`] without a list, from the caller's generator for `board`:
/// captures first, en passant and promotions after them.
#[inline]
pub fn for_each_tactical_move(
    board: &Board,
    generator: &mut MoveGen,
    mut visit: impl FnMut(ChessMove),
) {
    let enemies = *board.color_combined(!board.side_to_move());
    generator.set_iterator_mask(enemies);
    generator.by_ref().for_each(&mut visit);
    let pawns = *board.pieces(Piece::Pawn);
    let is_pawn = |mv: &ChessMove| BitBoard::from_square(mv.get_source()) & pawns != EMPTY;
    if let Some(target) = en_passant_target(board) {
        generator.set_iterator_mask(BitBoard::from_square(target));
        generator.by_ref().filter(is_pawn).for_each(&mut visit);
    }
    if has_pawn_before_last_rank(board) {
        generator.set_iterator_mask(last_rank(board.side_to_move()) & !enemies);
        generator
            .by_ref()
            .filter(|mv| mv.get_promotion().is_some())
            .for_each(&mut visit);
    }
}

/// Replaces [`for_each_tactical_move`] if no pawn can take en passant or promote (see
/// [`may_take_en_passant_or_promote`]), in the same order. Cheaper than a generator, which first
/// finds all moves, and checks every step of the king for attacks.
#[inline]
pub fn for_each_plain_capture(board: &Board, mut visit: impl FnMut(ChessMove)) {
    let side = board.side_to_move();
    let own = *board.color_combined(side);
    let enemies = *board.color_combined(!side);
    let king = board.king_square(side);
    let pinned = *board.pinned();
    let checkers = *board.checkers();
    let targets = match checkers.popcnt() {
        0 => enemies,
        1 => checkers,
        _ => EMPTY,
    };
    let kinds = if targets == EMPTY {
        &[][..]
    } else {
        &ALL_PIECES[..5]
    };
    for &piece in kinds {
        let attacked = |source| match piece {
            Piece::Pawn => get_pawn_attacks(source, side, targets),
            piece => reach(board, piece, source),
        };
        let mut take = |source, targets| {
            for target in attacked(source) & targets {
                visit(ChessMove::new(source, target, None));
            }
        };
        let pieces = own & *board.pieces(piece);
        (pieces & !pinned).for_each(|source| take(source, targets));
        if checkers == EMPTY {
            (pieces & pinned).for_each(|source| take(source, targets & line(source, king)));
        }
    }
    for target in get_king_moves(king) & enemies {
        let mv = ChessMove::new(king, target, None);
        if MoveGen::legal_quick(board, mv) {
            visit(mv);
        }
    }
}

fn last_rank(side: Color) -> BitBoard {
    get_rank(side.to_their_backrank())
}

/// Returns true if the side to move has a pawn that may promote next.
#[inline]
fn has_pawn_before_last_rank(board: &Board) -> bool {
    let side = board.side_to_move();
    *board.pieces(Piece::Pawn) & *board.color_combined(side) & get_rank(side.to_seventh_rank())
        != EMPTY
}

/// Returns true if `mv`, legal on `board`, is a capture; en passant counts, castling does not.
pub fn is_capture(board: &Board, mv: ChessMove) -> bool {
    board.piece_on(mv.get_dest()).is_some() || is_en_passant(board, mv)
}

/// Returns true if `mv`, legal on `board`, is an en-passant capture.
pub fn is_en_passant(board: &Board, mv: ChessMove) -> bool {
    en_passant_target(board) == Some(mv.get_dest())
        && board.piece_on(mv.get_source()) == Some(Piece::Pawn)
}

/// The piece taken by `mv`, a legal move of `mover` on `board`; en passant counts.
#[inline]
pub fn victim(board: &Board, mover: Piece, mv: ChessMove) -> Option<Piece> {
    match board.piece_on(mv.get_dest()) {
        None if mover == Piece::Pawn && is_en_passant(board, mv) => Some(Piece::Pawn),
        victim => victim,
    }
}

/// Returns true if the position is *quiet* in the paper's sense (section 3.2): no legal capture and
/// no promotion for the side to move. `generator` was made for `board` and has not been iterated;
/// afterwards it is unchanged.
pub fn is_quiet(board: &Board, generator: &mut MoveGen) -> bool {
    generator.set_iterator_mask(*board.color_combined(!board.side_to_move()));
    let captures = generator.len();
    generator.set_iterator_mask(!EMPTY);
    // Both are rare, and need to know who moves.
    let special = has_pawn_before_last_rank(board) || board.en_passant().is_some();
    captures == 0 && (!special || captures_and_promotions(board).is_empty())
}

/// Returns true if the side to move may have an en-passant capture or a promotion: `false` is
/// certain, `true` is not.
#[inline]
pub fn may_take_en_passant_or_promote(board: &Board) -> bool {
    let side = board.side_to_move();
    let pawns = *board.pieces(Piece::Pawn) & *board.color_combined(side);
    has_pawn_before_last_rank(board)
        || en_passant_target(board)
            .is_some_and(|target| get_pawn_attacks(target, !side, pawns) != EMPTY)
}

/// Returns true if `mv`, any move at all, is legal on `board`: the same as `Board::legal`, without
/// generating the other moves.
pub fn is_legal(board: &Board, mv: ChessMove) -> bool {
    let source = mv.get_source();
    let target = mv.get_dest();
    let side = board.side_to_move();
    let Some(piece) = board.piece_on(source).filter(|_| is_plausible(board, mv)) else {
        return false;
    };
    let target_bit = BitBoard::from_square(target);
    let promotes = piece == Piece::Pawn && target_bit & last_rank(side) != EMPTY;
    let fits = match mv.get_promotion() {
        None => !promotes,
        Some(Piece::Pawn | Piece::King) => false,
        Some(_) => promotes,
    };
    if !fits {
        return false;
    }
    let reaches = reach(board, piece, source) & target_bit != EMPTY;
    match piece {
        Piece::Pawn if en_passant_target(board) == Some(target) => return board.legal(mv),
        Piece::King if reaches => return MoveGen::legal_quick(board, mv),
        Piece::King => return board.legal(mv),
        _ if !reaches => return false,
        _ => {}
    }
    let king = board.king_square(side);
    let is_pinned = *board.pinned() & BitBoard::from_square(source) != EMPTY;
    let checkers = *board.checkers();
    match checkers.popcnt() {
        0 => !is_pinned || line(source, king) & target_bit != EMPTY,
        1 => !is_pinned && (between(checkers.to_square(), king) | checkers) & target_bit != EMPTY,
        _ => false,
    }
}

/// Returns true if a piece of the side to move stands on the source of `mv` and moves in this way,
/// checks and pins left out: a quick test before the real one. Nearly all moves of some other
/// position fail; no legal move does.
pub fn is_plausible(board: &Board, mv: ChessMove) -> bool {
    let source = mv.get_source();
    let dest = mv.get_dest();
    let side = board.side_to_move();
    let own = *board.color_combined(side);
    let Some(piece) = board.piece_on(source) else {
        return false;
    };
    if own & BitBoard::from_square(source) == EMPTY || own & BitBoard::from_square(dest) != EMPTY {
        return false;
    }
    let reach = match piece {
        Piece::Pawn if en_passant_target(board) == Some(dest) => return true,
        // Castling leads two files away.
        Piece::King => get_king_moves(source) | get_rank(source.get_rank()),
        piece => reach(board, piece, source),
    };
    reach & BitBoard::from_square(dest) != EMPTY
}

/// The targets of a piece of the side to move on `source`, en passant, castling, checks and pins
/// left out.
#[inline]
fn reach(board: &Board, piece: Piece, source: Square) -> BitBoard {
    match piece {
        Piece::Pawn => get_pawn_moves(source, board.side_to_move(), *board.combined()),
        piece => attacks(piece, source, *board.combined()),
    }
}

/// The squares attacked by a piece but a pawn. Nothing looks through another piece.
#[inline]
pub fn attacks(piece: Piece, source: Square, blockers: BitBoard) -> BitBoard {
    match piece {
        Piece::Knight => get_knight_moves(source),
        Piece::Bishop => get_bishop_moves(source, blockers),
        Piece::Rook => get_rook_moves(source, blockers),
        Piece::Queen => get_bishop_moves(source, blockers) | get_rook_moves(source, blockers),
        Piece::King | Piece::Pawn => get_king_moves(source),
    }
}

/// Returns true if `mv` resets the fifty-move count: a capture or a pawn move.
pub fn is_irreversible(board: &Board, mv: ChessMove) -> bool {
    board.piece_on(mv.get_source()) == Some(Piece::Pawn) || board.piece_on(mv.get_dest()).is_some()
}

/// Castling rights of White and Black. Once lost they never come back, so losing one ends
/// repetition too.
pub fn castling_rights(board: &Board) -> [CastleRights; 2] {
    ALL_COLORS.map(|side| board.castle_rights(side))
}

/// A move in 15 bits, as in Polyglot books and libraries: from bit 0 destination, source (6 bits
/// each), and promotion (3: none, N, B, R, Q).
#[inline]
pub fn pack(mv: ChessMove) -> u16 {
    let squares = mv.get_dest().to_index() | mv.get_source().to_index() << 6;
    let promotion = mv.get_promotion().map_or(0, |piece| piece.to_index());
    (squares | promotion << 12) as u16
}

/// The packed move; the 16th bit does not matter.
#[inline]
pub fn unpack(packed: u16) -> ChessMove {
    let bits = usize::from(packed);
    let promotion = match bits >> 12 & 7 {
        piece @ 1..5 => Some(ALL_PIECES[piece]),
        _ => None,
    };
    ChessMove::new(
        ALL_SQUARES[bits >> 6 & 63],
        ALL_SQUARES[bits & 63],
        promotion,
    )
}

/// Coordinate text of both protocols: `e2e4`, `e7e8q`, castling as the king's two squares.
pub fn coordinate(mv: ChessMove) -> String {
    mv.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every move that can be written down, in positions with pins, checks, en passant, castling
    /// and promotions.
    #[test]
    fn legality_is_that_of_the_generator() {
        let promotions = [None].into_iter().chain(ALL_PIECES.map(Some));
        let all = promotions.flat_map(|promotion| {
            let from =
                move |source| ALL_SQUARES.map(|target| ChessMove::new(source, target, promotion));
            ALL_SQUARES.into_iter().flat_map(from)
        });
        let all: Vec<ChessMove> = all.collect();
        let mut seed: u64 = 0x2545_F491_4F6C_DD1D;
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 3",
        ] {
            let mut board = *crate::rules::position::Position::from_fen(fen)
                .unwrap()
                .board();
            for _ in 0..60 {
                let legal = legal_moves(&board);
                let set: MoveSet = legal.iter().copied().collect();
                for &mv in &all {
                    assert_eq!(is_legal(&board, mv), set.contains(mv), "{mv} on {board}");
                }
                let is_special =
                    |mv: &ChessMove| is_en_passant(&board, *mv) || mv.get_promotion().is_some();
                if !may_take_en_passant_or_promote(&board) {
                    assert!(!legal.iter().any(is_special), "{board}");
                    let mut captures = Vec::new();
                    for_each_plain_capture(&board, |mv| captures.push(mv));
                    assert_eq!(captures, captures_and_promotions(&board)[..], "{board}");
                }
                if legal.is_empty() {
                    break;
                }
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                board = board.make_move_new(legal[(seed >> 33) as usize % legal.len()]);
            }
        }
    }

    #[test]
    fn every_move_comes_back() {
        let promotions = [
            None,
            Some(Piece::Knight),
            Some(Piece::Bishop),
            Some(Piece::Rook),
            Some(Piece::Queen),
        ];
        for source in ALL_SQUARES {
            for dest in ALL_SQUARES {
                for promotion in promotions {
                    let mv = ChessMove::new(source, dest, promotion);
                    let packed = pack(mv);
                    assert!(packed <= u16::MAX / 2);
                    assert_eq!([packed, packed | 1 << 15].map(unpack), [mv; 2]);
                }
            }
        }
    }
}

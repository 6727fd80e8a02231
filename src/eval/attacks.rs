//! Sets of squares as 64-bit numbers (a1 the lowest bit), the attacks of pieces, and the structure
//! of pawns. `WHITE` names the point of view: forward is up the board for White and down for Black.

use chess::{BitBoard, Board, Color, Piece, Square};

use crate::rules::position::moves;

pub(super) const FILE_A: u64 = 0x0101_0101_0101_0101;
pub(super) const FILE_H: u64 = FILE_A << 7;
pub(super) const RANK_1: u64 = 0xFF;
pub(super) const DARK: u64 = 0xAA55_AA55_AA55_AA55;

/// The file of a square.
#[inline]
pub(super) fn file_of(square: usize) -> u64 {
    FILE_A << (square & 7)
}

/// The files beside a square's file.
#[inline]
pub(super) fn beside(square: usize) -> u64 {
    sideways(file_of(square))
}

/// The squares left and right of a set.
#[inline]
pub(super) fn sideways(set: u64) -> u64 {
    (set & !FILE_A) >> 1 | (set & !FILE_H) << 1
}

/// A set one rank forward.
#[inline]
pub(super) fn forward<const WHITE: bool>(set: u64) -> u64 {
    if WHITE { set << 8 } else { set >> 8 }
}

/// A set one rank backward.
#[inline]
pub(super) fn backward<const WHITE: bool>(set: u64) -> u64 {
    if WHITE { set >> 8 } else { set << 8 }
}

/// A set and everything above on the board.
#[inline]
pub(super) fn up(mut set: u64) -> u64 {
    set |= set << 8;
    set |= set << 16;
    set | set << 32
}

/// A set and everything below on the board.
#[inline]
pub(super) fn down(mut set: u64) -> u64 {
    set |= set >> 8;
    set |= set >> 16;
    set | set >> 32
}

/// Everything in front of a set, on its files.
#[inline]
pub(super) fn ahead<const WHITE: bool>(set: u64) -> u64 {
    if WHITE { up(set << 8) } else { down(set >> 8) }
}

/// Everything behind a set, on its files.
#[inline]
pub(super) fn behind<const WHITE: bool>(set: u64) -> u64 {
    if WHITE { down(set >> 8) } else { up(set << 8) }
}

/// The rank of a square, 0 to 7, from its side's view.
#[inline]
pub(super) fn rank<const WHITE: bool>(square: usize) -> usize {
    if WHITE {
        square >> 3
    } else {
        7 - (square >> 3)
    }
}

/// A rank, 0 to 7 from the side's view, as a set.
#[inline]
pub(super) fn rank_set<const WHITE: bool>(rank: usize) -> u64 {
    RANK_1 << (8 * if WHITE { rank } else { 7 - rank })
}

/// The squares attacked by pawns.
#[inline]
pub(super) fn by_pawns<const WHITE: bool>(pawns: u64) -> u64 {
    sideways(forward::<WHITE>(pawns))
}

/// The same for a colour known only at run time.
#[inline]
pub(super) fn by_pawns_of(color: Color, pawns: u64) -> u64 {
    if color == Color::White {
        by_pawns::<true>(pawns)
    } else {
        by_pawns::<false>(pawns)
    }
}

#[inline]
pub(super) fn square(index: usize) -> Square {
    chess::ALL_SQUARES[index & 63]
}

#[inline]
pub(super) fn by_bishop(from: usize, blockers: u64) -> u64 {
    chess::get_bishop_moves(square(from), BitBoard(blockers)).0
}

#[inline]
pub(super) fn by_rook(from: usize, blockers: u64) -> u64 {
    chess::get_rook_moves(square(from), BitBoard(blockers)).0
}

#[inline]
pub(super) fn by_king(from: usize) -> u64 {
    chess::get_king_moves(square(from)).0
}

/// Every kind of piece but pawns.
const NON_PAWNS: [Piece; 5] = [
    Piece::Knight,
    Piece::Bishop,
    Piece::Rook,
    Piece::Queen,
    Piece::King,
];

/// The squares attacked by a piece, knight to king. Blockers end every line.
#[inline]
pub(super) fn by_piece(piece: Piece, from: usize, blockers: u64) -> u64 {
    moves::attacks(piece, square(from), BitBoard(blockers)).0
}

/// The pieces of one side and kind.
#[inline]
pub(super) fn pieces(board: &Board, color: Color, piece: Piece) -> u64 {
    (*board.pieces(piece) & *board.color_combined(color)).0
}

/// Every square attacked by one side. Pinned pieces and kings attack like all others.
#[inline]
pub(super) fn attacked<const WHITE: bool>(board: &Board) -> u64 {
    let color = if WHITE { Color::White } else { Color::Black };
    let occupied = board.combined().0;
    let mut all = by_pawns::<WHITE>(pieces(board, color, Piece::Pawn));
    for piece in NON_PAWNS {
        Squares(pieces(board, color, piece))
            .for_each(|from| all |= by_piece(piece, from, occupied));
    }
    all
}

/// The square of a side's king.
#[inline]
pub(super) fn king(board: &Board, color: Color) -> usize {
    board.king_square(color).to_index()
}

/// Calls `visit` with each piece of both sides: its colour, kind and square, and the attacked or
/// defended pieces of either side.
#[inline]
pub(super) fn for_each_piece(board: &Board, mut visit: impl FnMut(Color, Piece, usize, u64)) {
    let occupied = board.combined().0;
    for color in [Color::White, Color::Black] {
        for from in Squares(pieces(board, color, Piece::Pawn)) {
            visit(
                color,
                Piece::Pawn,
                from,
                by_pawns_of(color, 1 << from) & occupied,
            );
        }
        for piece in NON_PAWNS {
            for from in Squares(pieces(board, color, piece)) {
                visit(
                    color,
                    piece,
                    from,
                    by_piece(piece, from, occupied) & occupied,
                );
            }
        }
    }
}

/// The squares for own pawns that shield a king: one and two ranks ahead, on its file and its
/// neighbours (at the edge of the board on the three outer files). Empty beyond the king's first
/// three ranks.
#[inline]
pub(super) fn shield<const WHITE: bool>(king: usize) -> [u64; 2] {
    let rank = rank::<WHITE>(king);
    let middle = (king & 7).clamp(1, 6);
    let files = file_of(middle) | beside(middle);
    if rank > 2 {
        [0; 2]
    } else {
        [1, 2].map(|ahead| files & rank_set::<WHITE>(rank + ahead))
    }
}

/// The number of moves for a king on an empty board.
#[inline]
pub(super) fn distance(a: usize, b: usize) -> usize {
    (a >> 3).abs_diff(b >> 3).max((a & 7).abs_diff(b & 7))
}

/// The number of squares in a set. A portable build takes a dozen instructions.
#[inline]
pub(super) fn count(set: u64) -> i32 {
    set.count_ones() as i32
}

/// Returns true if a set has at most one square.
#[inline]
pub(super) fn is_single(set: u64) -> bool {
    set & set.wrapping_sub(1) == 0
}

/// The squares of a set.
pub(super) struct Squares(pub u64);

impl Iterator for Squares {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let square = self.0.trailing_zeros() as usize;
        self.0 &= self.0.wrapping_sub(1);
        (square < 64).then_some(square)
    }
}

/// Sets of one side's pawns (and of squares behind them) for evaluations, found by whole bitboards
/// without a loop over pawns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PawnStructure {
    /// No enemy pawn ahead on their own or an adjacent file.
    pub passed: u64,
    /// With another own pawn on their file.
    pub doubled: u64,
    /// Without an own pawn on an adjacent file.
    pub isolated: u64,
    /// Not isolated, all neighbours ahead of them, and the square ahead attacked by an enemy pawn.
    pub backward: u64,
    /// Every square behind a passed pawn, on its file.
    pub behind_passed: u64,
}

/// The structure of `own` pawns, White's if `WHITE`, else Black's.
#[inline]
pub(super) fn structure<const WHITE: bool>(own: u64, enemy: u64) -> PawnStructure {
    let in_front = ahead::<WHITE>(own);
    let in_the_back = behind::<WHITE>(own);
    let neighbour_files = sideways(own | in_front | in_the_back);
    let stopped_by_enemy = behind::<WHITE>(enemy);
    let passed = own & !(stopped_by_enemy | sideways(stopped_by_enemy));
    let isolated = own & !neighbour_files;
    let beside_or_ahead_of_neighbour = sideways(own | in_front);
    let attacked_by_enemy = sideways(backward::<WHITE>(enemy));
    PawnStructure {
        passed,
        doubled: own & (in_front | in_the_back),
        isolated,
        backward: own
            & !isolated
            & !beside_or_ahead_of_neighbour
            & backward::<WHITE>(attacked_by_enemy),
        behind_passed: behind::<WHITE>(passed),
    }
}

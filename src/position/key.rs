//! Position keys that repetition and transposition tables can trust.

use std::sync::LazyLock;

use chess::{Board, BoardBuilder, Color, File, MoveGen, Piece, Rank, Square};

/// The key of a position: equal for two positions exactly when (up to hash collisions) the same pieces stand
/// on the same squares, the same side moves, and the same castling and en-passant captures are possible.
///
/// `Board::get_hash` keeps the file of a double push even where no en-passant capture is legal, which hides
/// repetitions; that part is taken out again here.
pub fn position_key(board: &Board) -> u64 {
    match board.en_passant() {
        Some(pawn) if !can_capture_en_passant(board, pawn) => {
            board.get_hash() ^ EN_PASSANT_KEYS[board.side_to_move().to_index()][pawn.get_file().to_index()]
        }
        _ => board.get_hash(),
    }
}

/// The square *behind* the pawn that just moved two squares, where a capturing pawn would land.
/// (`Board::en_passant` returns the pawn's own square.)
pub fn en_passant_target(board: &Board) -> Option<Square> {
    board.en_passant().map(|pawn| pawn.uforward(board.side_to_move()))
}

fn can_capture_en_passant(board: &Board, pawn: Square) -> bool {
    let target = pawn.uforward(board.side_to_move());
    let mut captures = MoveGen::new_legal(board);
    captures.set_iterator_mask(chess::BitBoard::from_square(target));
    captures.any(|mv| board.piece_on(mv.get_source()) == Some(Piece::Pawn))
}

/// What `Board::get_hash` mixes in for an en-passant file, by side to move and file. The crate keeps its
/// Zobrist numbers private, so each is read off a pair of boards that differ in nothing else.
static EN_PASSANT_KEYS: LazyLock<[[u64; 8]; 2]> = LazyLock::new(|| {
    let key = |to_move: Color, file: File| {
        let hash = |en_passant| {
            let rank = if to_move == Color::White { Rank::Fifth } else { Rank::Fourth };
            let neighbour = if file == File::A { File::B } else { file.left() };
            let mut builder = BoardBuilder::new();
            builder
                .piece(Square::make_square(Rank::First, File::E), Piece::King, Color::White)
                .piece(Square::make_square(Rank::Eighth, File::E), Piece::King, Color::Black)
                .piece(Square::make_square(rank, file), Piece::Pawn, !to_move)
                .piece(Square::make_square(rank, neighbour), Piece::Pawn, to_move)
                .side_to_move(to_move)
                .en_passant(en_passant);
            Board::try_from(&builder).expect("two kings and two pawns are a legal board").get_hash()
        };
        hash(None) ^ hash(Some(file))
    };
    [Color::White, Color::Black].map(|side| std::array::from_fn(|file| key(side, File::from_index(file))))
});

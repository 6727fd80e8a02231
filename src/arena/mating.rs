//! Positions in which a side cannot mate by any series of legal moves. A player who oversteps the
//! time, resigns or makes an illegal move draws there (FIDE Laws of Chess, 6.9, 5.1.2 and 7.5.5).

use std::collections::HashSet;

use shakmaty::zobrist::Zobrist128;
use shakmaty::{Chess, Color, EnPassantMode, Position as _};

/// More positions are not looked at: most blocked positions with nothing but kings that move have
/// fewer.
const MOST_POSITIONS: usize = 10_000;

/// Returns true if `color` certainly cannot mate, however both sides play: for lack of material, or
/// because no position with a mate can be reached. Returns false where that would take too long to
/// find out.
pub fn cannot_mate(position: &Chess, color: Color) -> bool {
    let mut seen = HashSet::new();
    let mut open = vec![position.clone()];
    while let Some(position) = open.pop() {
        if position.has_insufficient_material(color) {
            continue;
        }
        let key: Zobrist128 = position.zobrist_hash(EnPassantMode::Legal);
        if !seen.insert(key) {
            continue;
        }
        let moves = position.legal_moves();
        let is_mate = moves.is_empty() && position.is_check();
        if (is_mate && position.turn() != color) || seen.len() > MOST_POSITIONS {
            return false;
        }
        for mv in moves {
            let mut next = position.clone();
            next.play_unchecked(mv);
            open.push(next);
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use shakmaty::{Board, CastlingMode, FromSetup as _, Piece, Role, Setup, Square};

    use super::*;
    use crate::rules::position::notation::read_fen;

    #[test]
    fn materials_are_judged_with_those_of_the_other_side() {
        // White's pieces, then Black's; whether White may mate.
        for (white, black, mates) in [
            ("K", "kq", false),
            ("K", "kp", false),
            ("KN", "k", false),
            ("KN", "kq", false),
            ("KN", "kr", true),
            ("KN", "kb", true),
            ("KN", "kn", true),
            ("KN", "kp", true),
            ("KB", "k", false),
            ("KB", "kq", false),
            ("KB", "kr", false),
            ("KB", "kn", true),
            ("KB", "kp", true),
            ("KNN", "k", true),
            ("KBN", "k", true),
            ("KP", "k", true),
            ("KR", "kq", true),
        ] {
            let mut setup = empty();
            place(&mut setup, white, [Square::E1, Square::D3, Square::F3]);
            place(&mut setup, black, [Square::E8, Square::D6, Square::F6]);
            let position = Chess::from_setup(setup, CastlingMode::Standard).expect(white);
            assert_eq!(
                cannot_mate(&position, Color::White),
                !mates,
                "{white} against {black}"
            );
        }
    }

    fn empty() -> Setup {
        Setup {
            board: Board::empty(),
            castling_rights: shakmaty::Bitboard::EMPTY,
            ..Setup::initial()
        }
    }

    fn place(setup: &mut Setup, pieces: &str, squares: [Square; 3]) {
        for (letter, square) in pieces.chars().zip(squares) {
            setup
                .board
                .set_piece_at(square, Piece::from_char(letter).expect("a piece"));
        }
    }

    #[test]
    fn positions_are_judged_by_what_can_be_reached() {
        for (fen, color, is_impossible) in [
            // Bishops of both sides on squares of one colour; one of the other colour helps to
            // mate.
            ("4k3/8/8/2b5/8/8/3B4/4K3 w - - 0 1", Color::White, true),
            ("4k3/8/8/3b4/8/8/3B4/4K3 w - - 0 1", Color::White, false),
            // A wall of pawns that no king can pass.
            (
                "4k3/8/p1p1p1p1/P1P1P1P1/8/8/8/4K3 w - - 0 1",
                Color::White,
                true,
            ),
            // This one can be passed.
            (
                "4k3/8/p1p1p3/P1P1P3/8/8/8/4K3 w - - 0 1",
                Color::White,
                false,
            ),
            (
                "4k3/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/4K3 w - - 0 1",
                Color::White,
                true,
            ),
            (
                "4k3/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/4K3 w - - 0 1",
                Color::Black,
                true,
            ),
            // The only legal moves take the last piece that could mate.
            ("8/8/8/8/8/5k2/6q1/7K w - - 0 1", Color::Black, false),
            ("8/8/8/8/8/2k5/6q1/7K w - - 0 1", Color::Black, true),
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                Color::White,
                false,
            ),
        ] {
            let position = read_fen(fen).expect(fen);
            assert_eq!(
                cannot_mate(&position, color),
                is_impossible,
                "{fen} {color}"
            );
        }
    }

    /// Every position of a knight or a bishop against one more piece, with the lone king in a
    /// corner or at an edge, where all mates are: the rule of materials says the same.
    #[test]
    fn materials_without_a_mate_have_none_on_any_square() {
        for own in [Role::Knight, Role::Bishop] {
            for other in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
                let mut setup = empty();
                place(&mut setup, "K", [Square::E1; 3]);
                place(&mut setup, "k", [Square::E8; 3]);
                setup.board.set_piece_at(Square::D3, own.of(Color::White));
                // On the other colour: bishops of one colour cannot mate.
                setup.board.set_piece_at(Square::D6, other.of(Color::Black));
                let position =
                    Chess::from_setup(setup, CastlingMode::Standard).expect("a position");
                let judged = position.has_insufficient_material(Color::White);
                assert_eq!(judged, !has_mate(own, other), "{own:?} against {other:?}");
            }
        }
    }

    fn has_mate(own: Role, other: Role) -> bool {
        let kings = [Square::A1, Square::B1, Square::C1, Square::D1];
        Square::ALL.into_iter().any(|white| {
            kings.into_iter().any(|black| {
                Square::ALL.into_iter().any(|own_square| {
                    Square::ALL.into_iter().any(|square| {
                        is_mate([
                            (white, Role::King.of(Color::White)),
                            (black, Role::King.of(Color::Black)),
                            (own_square, own.of(Color::White)),
                            (square, other.of(Color::Black)),
                        ])
                    })
                })
            })
        })
    }

    fn is_mate(pieces: [(Square, Piece); 4]) -> bool {
        let mut setup = empty();
        setup.turn = Color::Black;
        for (square, piece) in pieces {
            if setup.board.piece_at(square).is_some() {
                return false;
            }
            setup.board.set_piece_at(square, piece);
        }
        Chess::from_setup(setup, CastlingMode::Standard)
            .is_ok_and(|position| position.is_checkmate())
    }
}

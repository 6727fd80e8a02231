//! Positions for the tests of all evaluations.

use chess::Board;
use shakmaty::{CastlingMode, Chess, EnPassantMode, FromSetup as _, Position as _};

use crate::rules::position::Position;

/// Positions with the values of [`Factors`](super::Factors), computed independently from table I,
/// White's point of view.
pub const GOLDEN: [(&str, i32); 12] = [
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        0,
    ),
    (
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        221,
    ),
    (
        "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
        18,
    ),
    ("6k1/2b2p1p/ppP3p1/4p3/PP1B4/5PP1/7P/7K w - - 0 1", 230),
    ("2Q5/b4pkp/6p1/1p2p3/8/5PP1/7P/7K b - - 0 7", 1135),
    (
        "r1bq1rk1/pp2ppbp/2n2np1/2ppN3/5P2/1P2P3/PBPPB1PP/RN1Q1RK1 b - - 3 8",
        -231,
    ),
    (
        "2rqr1k1/p6p/1p2pbp1/5n2/3PRB1N/P1PQ4/5PP1/2R3K1 b - - 1 22",
        549,
    ),
    ("8/p5pp/3k1p2/3p4/1P3P2/P1K5/5P1P/8 b - - 0 1", -389),
    ("8/8/4k3/8/8/3BK3/8/8 w - - 0 1", 955),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        165,
    ),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", -778),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 145),
];

pub fn board(fen: &str) -> Board {
    *Position::from_fen(fen).expect(fen).board()
}

/// The position with colours exchanged and the board turned upside down.
pub fn mirrored(position: &Position) -> Position {
    let setup = position
        .to_shakmaty()
        .to_setup(EnPassantMode::Legal)
        .into_mirrored();
    let game = Chess::from_setup(setup, CastlingMode::Standard).expect("as legal as the other");
    Position::from_shakmaty(&game).expect("as legal as the other")
}

/// Every position of so many random games up to a move number, always the same: the last have few
/// pieces.
pub fn random_positions(games: usize, last_move: u32) -> Vec<Position> {
    let mut seed: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut all = Vec::new();
    for _ in 0..games {
        let mut position = Position::default();
        while position.outcome().is_none() && position.fullmove_number() < last_move {
            all.push(position.clone());
            let moves = position.legal_moves();
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            position
                .play(moves[(seed >> 33) as usize % moves.len()])
                .expect("legal");
        }
    }
    all
}

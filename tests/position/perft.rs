//! perft through `Position`: leaves of the full tree against published counts.

use kashan::position::Position;

fn check(suite: &[(&str, &str, u32, u64)]) {
    for &(name, fen, depth, leaves) in suite {
        let position = Position::from_fen(fen).expect(name);
        assert_eq!(position.perft(depth), leaves, "{name}: perft {depth} of {fen}");
    }
}

/// The six positions of the standard suite.
#[test]
fn standard_suite() {
    check(&[
        ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5, 4_865_609),
        ("Kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4_085_603),
        ("position 3", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674_624),
        ("position 4", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4, 422_333),
        (
            "position 4, mirrored",
            "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
            4,
            422_333,
        ),
        ("position 5", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4, 2_103_487),
        (
            "position 6",
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
            4,
            3_894_594,
        ),
    ]);
}

/// Martin Sedlak's positions, each made for one way to get a rule wrong. Counts checked with Stockfish.
#[test]
fn tricky_positions() {
    check(&[
        ("en passant opens the rank", "3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", 6, 1_134_888),
        ("en passant opens the diagonal", "8/8/4k3/8/2p5/8/B2P1K2/8 w - - 0 1", 6, 1_038_514),
        ("en passant gives check", "8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", 6, 1_440_467),
        ("short castling gives check", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", 6, 661_072),
        ("long castling gives check", "3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", 6, 803_711),
        ("rights end with the rook", "r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1", 4, 1_274_206),
        ("castling through attack", "r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", 4, 1_720_476),
        ("promotion out of check", "2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1", 6, 3_821_001),
        ("discovered check", "8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1", 5, 1_004_658),
        ("promotion gives check", "4k3/1P6/8/8/8/8/K7/8 w - - 0 1", 6, 217_342),
        ("under-promotion gives check", "8/P1k5/K7/8/8/8/8/8 w - - 0 1", 6, 92_683),
        ("stalemate at once", "K1k5/8/P7/8/8/8/8/8 w - - 0 1", 6, 2_217),
        ("stalemate or mate", "8/k1P5/8/1K6/8/8/8/8 w - - 0 1", 7, 567_584),
        ("double check", "8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1", 4, 23_527),
    ]);
}

#[test]
fn depth_zero_is_the_position_itself() {
    assert_eq!(Position::default().perft(0), 1);
}

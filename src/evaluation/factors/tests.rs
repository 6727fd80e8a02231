use super::*;
use crate::evaluation::testing::mirrored;
use crate::position::Position;

/// Computed independently from table I, White's point of view: positions of Winglet's golden values.
pub(in crate::evaluation) const GOLDEN: [(&str, i32); 12] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0),
    ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", 221),
    ("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", 18),
    ("6k1/2b2p1p/ppP3p1/4p3/PP1B4/5PP1/7P/7K w - - 0 1", 230),
    ("2Q5/b4pkp/6p1/1p2p3/8/5PP1/7P/7K b - - 0 7", 1135),
    ("r1bq1rk1/pp2ppbp/2n2np1/2ppN3/5P2/1P2P3/PBPPB1PP/RN1Q1RK1 b - - 3 8", -231),
    ("2rqr1k1/p6p/1p2pbp1/5n2/3PRB1N/P1PQ4/5PP1/2R3K1 b - - 1 22", 549),
    ("8/p5pp/3k1p2/3p4/1P3P2/P1K5/5P1P/8 b - - 0 1", -389),
    ("8/8/4k3/8/8/3BK3/8/8 w - - 0 1", 955),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 165),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", -778),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 145),
];

#[test]
fn equals_the_golden_values() {
    for (fen, expected) in GOLDEN {
        let position = Position::from_fen(fen).unwrap();
        assert_eq!(Factors::default().evaluate(position.board()).0, expected, "{fen}");
    }
}

/// Each factor of White as it applies to a board, from the sets that [`Counts`] is made of.
fn white(fen: &str) -> Counts {
    let position = Position::from_fen(fen).expect(fen);
    let [white, black] = Factors::default().counts(position.board());
    // Black's factors are White's on the mirrored board.
    assert_eq!(Factors::default().counts(mirrored(&position).board()), [black, white.clone()], "{fen}");
    white
}

#[test]
fn kings_are_defended_and_attacked_by_pieces() {
    // Both bishops, both knights and the queen reach the zone of e1; the rooks do not.
    let counts = white("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_eq!((counts.king_defenders, counts.king_attackers), (2 * 29_729 + 2 * 31_216 + 90_725, 0));
    // Black's rook looks along the second rank and counts once, its pawn and king do not count; the white
    // bishop is shut in.
    let counts = white("8/8/4k3/8/8/6p1/r2P4/6KB w - - 0 1");
    assert_eq!((counts.king_attackers, counts.king_defenders), (0, 31_216));
    let counts = white("8/8/4k3/8/8/6p1/r7/6KB w - - 0 1");
    assert_eq!((counts.king_attackers, counts.king_defenders), (49_357, 31_216));
}

#[test]
fn castled_kings_have_no_rook_outside() {
    let castled = |placement: &str| white(&format!("4k3/8/8/8/8/8/8/{placement} w - - 0 1")).king_castled;
    for yes in ["5RK1", "5R1K", "2KR4", "1K1R4", "K2R4", "R5K1", "2K4R"] {
        assert_eq!(castled(yes), 1, "{yes}");
    }
    for no in ["4K2R", "3K4", "5K1R", "6KR", "R1K5", "RK6", "1RK5"] {
        assert_eq!(castled(no), 0, "{no}");
    }
    assert_eq!(white("4k3/8/8/8/8/8/6K1/8 w - - 0 1").king_castled, 0, "not on the first rank");
}

#[test]
fn pawns_shield_the_king_on_its_first_three_ranks() {
    let shield = |fen: &str| white(fen).king_shield;
    assert_eq!(shield("4k3/8/8/8/8/6P1/5P1P/6K1 w - - 0 1"), 3);
    // In the corner the three outer files count; three ranks ahead is too far.
    assert_eq!(shield("4k3/8/8/8/7P/6P1/5P2/7K w - - 0 1"), 2);
    assert_eq!(shield("4k3/8/8/6P1/5PPP/6K1/8/8 w - - 0 1"), 4);
    assert_eq!(shield("4k3/8/6P1/5PPP/6K1/8/8/8 w - - 0 1"), 0);
}

#[test]
fn mobility_is_attacked_squares_but_own_men() {
    // The queen on d1: a4 on the diagonal, the rook's file and half of the rank; captures count.
    let counts = white("4k3/8/8/8/8/1p6/3P4/1N1QKB1R w - - 0 1");
    // d1: c1; c2, b3 (a capture); e2, f3, g4, h5.
    assert_eq!(counts.queen_mobility, 1 + 2 + 4);
    // h1: g1; h2 to h8.
    assert_eq!(counts.rook_mobility, 1 + 7);
    // f1: e2, d3, c4, b5, a6; g2, h3.
    assert_eq!(counts.bishop_mobility, 5 + 2);
    // b1: a3, c3; d2 is an own man's.
    assert_eq!(counts.knight_mobility, 2);
}

#[test]
fn rooks_like_open_files_and_the_seventh_rank() {
    let counts = white("4k3/1R4R1/8/8/3p4/8/6P1/3RK2R w - - 0 1");
    // b and h are open; d has an enemy pawn, g an own one.
    assert_eq!((counts.rook_open_file, counts.rook_seventh, counts.rooks_seventh), (2, 2, 2));
    let counts = white("4k3/6R1/8/8/8/8/8/4K2R w - - 0 1");
    assert_eq!((counts.rook_seventh, counts.rooks_seventh), (1, 0));
}

#[test]
fn knights_are_at_the_rim_defended_or_safe() {
    // a4: at the rim, safe since no black pawn is ahead on b. d5: defended by e4, and c7-c6 attacks it.
    // g5: h7-h6 attacks it.
    let counts = white("4k3/2p4p/8/3N2N1/N3P3/8/8/4K3 w - - 0 1");
    assert_eq!((counts.knight_rim, counts.knight_defended, counts.knight_safe), (1, 1, 1));
    // A pawn beside or behind cannot attack any more, one that attacks now can.
    let safe = |fen: &str| white(fen).knight_safe;
    assert_eq!(safe("4k3/8/8/2pN4/8/8/8/4K3 w - - 0 1"), 1);
    assert_eq!(safe("4k3/8/2p5/3N4/8/8/8/4K3 w - - 0 1"), 0);
    assert_eq!(safe("4k3/3p4/8/3N4/8/8/8/4K3 w - - 0 1"), 1);
}

#[test]
fn pawns_are_doubled_isolated_central_or_passed() {
    // a2 and a3 doubled and isolated; d4 and e5 central; h6 isolated. d4 is stopped by d7, e5 and a2, a3 are
    // stopped by nobody but d7 beside e's way; h6 is passed.
    let counts = white("4k3/3p4/7P/4P3/3P4/P7/P7/4K3 w - - 0 1");
    assert_eq!((counts.pawn_doubled, counts.pawn_isolated, counts.pawn_central), (2, 3, 2));
    assert_eq!(counts.pawn_passed, 3);
    for [fifth, fourth] in [["8", "2P5"], ["8", "5P2"], ["2P5", "8"], ["5P2", "8"]] {
        let fen = format!("4k3/8/8/{fifth}/{fourth}/8/8/4K3 w - - 0 1");
        assert_eq!(white(&fen).pawn_central, 1, "{fen}");
    }
    assert_eq!(white("4k3/8/8/1P4P1/1P4P1/2PPPP2/8/4K3 w - - 0 1").pawn_central, 0);
}

//! Positions of chess that searches are tried on.

/// Openings, middlegames and endings.
pub const POSITIONS: [&str; 14] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r1bq1rk1/pp2ppbp/2n2np1/2ppN3/5P2/1P2P3/PBPPB1PP/RN1Q1RK1 b - - 3 8",
    "8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 3",
    // Fifty moves are near.
    "8/5k2/8/8/3R4/8/1K3p2/8 w - - 97 80",
    "6k1/5ppp/8/8/8/8/8/R3K2R w KQ - 98 80",
    // Stalemate and mate are near.
    "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1",
    "k7/2K5/8/8/8/8/1Q6/8 b - - 4 1",
    "8/8/8/8/8/5k2/4p3/4K3 b - - 0 1",
    "4k3/8/4K3/8/8/8/8/R7 w - - 0 1",
    "3k4/8/8/8/8/8/p1p4K/8 b - - 0 1",
];

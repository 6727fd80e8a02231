//! The phase of a game, by the material on the board.

use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Position as _};

/// Opening, middlegame or endgame.
///
/// Minor pieces count 1, rooks 2, queens 4, of both sides together; at the start that is 24. The opening
/// lasts until more than two of it are gone (a pair of minor pieces), the endgame begins at 10 (two rooks and
/// a minor piece on each side). The weights are those with which engines have long mixed middlegame and
/// endgame evaluations ("tapered eval", Fruit 2.1); the limits are ours.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, strum::Display,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Phase {
    Opening,
    Middlegame,
    Endgame,
}

impl Phase {
    pub const ALL: [Phase; 3] = [Phase::Opening, Phase::Middlegame, Phase::Endgame];

    /// The phase of a position.
    pub fn of(position: &Chess) -> Phase {
        let count = position.board().material();
        let weight = |side: &shakmaty::ByRole<u8>| {
            u32::from(side.knight)
                + u32::from(side.bishop)
                + 2 * u32::from(side.rook)
                + 4 * u32::from(side.queen)
        };
        match weight(&count.white) + weight(&count.black) {
            22.. => Phase::Opening,
            11..=21 => Phase::Middlegame,
            _ => Phase::Endgame,
        }
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    #[test]
    fn material_decides() {
        for (fen, phase) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Phase::Opening),
            // A pair of knights less, then one more bishop.
            ("r1bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1", Phase::Opening),
            ("r1bqk1nr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1", Phase::Middlegame),
            // Queens and a rook each: 12. Two rooks and a knight each: 10.
            ("3qr1k1/8/8/8/8/8/8/3QR1K1 w - - 0 1", Phase::Middlegame),
            ("2nrr1k1/8/8/8/8/8/8/2NRR1K1 w - - 0 1", Phase::Endgame),
            ("6k1/8/8/8/8/8/4P3/6K1 w - - 0 1", Phase::Endgame),
        ] {
            let fen: Fen = fen.parse().expect("a FEN");
            let position: Chess = fen.into_position(CastlingMode::Standard).expect("a position");
            assert_eq!(Phase::of(&position), phase);
        }
    }
}

//! A move in two bytes.

use std::num::NonZeroU16;

use chess::{ALL_SQUARES, ChessMove, Piece};

/// A [`ChessMove`] as nodes store it: source, destination and promotion in 15 bits.
///
/// The 16th bit is always set. So 0 is no gene, and the slab finds room there for its own mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Gene(NonZeroU16);

const MARK: NonZeroU16 = NonZeroU16::MIN.saturating_add(0x7fff);

impl Gene {
    pub fn pack(mv: ChessMove) -> Self {
        let squares = mv.get_source().to_index() | mv.get_dest().to_index() << 6;
        let promotion = mv.get_promotion().map_or(0, |piece| piece.to_index());
        Gene(MARK | (squares | promotion << 12) as u16)
    }

    pub fn unpack(self) -> ChessMove {
        let bits = usize::from(self.0.get());
        let promotion = match bits >> 12 & 7 {
            1 => Some(Piece::Knight),
            2 => Some(Piece::Bishop),
            3 => Some(Piece::Rook),
            4 => Some(Piece::Queen),
            _ => None,
        };
        ChessMove::new(ALL_SQUARES[bits & 63], ALL_SQUARES[bits >> 6 & 63], promotion)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_comes_back() {
        let promotions =
            [None, Some(Piece::Knight), Some(Piece::Bishop), Some(Piece::Rook), Some(Piece::Queen)];
        for source in ALL_SQUARES {
            for dest in ALL_SQUARES {
                for promotion in promotions {
                    let mv = ChessMove::new(source, dest, promotion);
                    assert_eq!(Gene::pack(mv).unpack(), mv);
                }
            }
        }
    }
}

//! How often each factor of the paper applies to one side of a board.

use chess::{BitBoard, Board, Color, Piece};

use super::{Counts, FactorWeights};
use crate::evaluation::attacks::{self, RANK_1, Squares, by_king, by_piece, count, down, sideways, up};
use crate::evaluation::pawns::structure;

const RANK_7: u64 = 0xFF << 48;
const RIM: u64 = 0xFF81_8181_8181_81FF;
/// c4 to f5.
const CENTRE: u64 = 0x0000_003C_3C00_0000;

/// What the factors of both sides need to know about one. Sets are as the side sees the board: its first rank
/// is the lowest.
pub(super) struct Side {
    pawns: u64,
    knights: u64,
    bishops: u64,
    rooks: u64,
    queens: u64,
    /// The king's square.
    king: u32,
    /// Squares that knights, bishops, rooks and queens attack, but those of own men.
    mobility: [i32; 4],
    /// The material of the pieces that attack the zone of their own king, and of the enemy's.
    near_own_king: i32,
    near_enemy_king: i32,
}

impl Side {
    #[inline]
    pub fn new(board: &Board, color: Color, weights: &FactorWeights) -> Self {
        let own = *board.color_combined(color);
        let seen = |set: BitBoard| if color == Color::White { set.0 } else { set.0.swap_bytes() };
        let men = |piece| seen(*board.pieces(piece) & own);
        let mut side = Side {
            pawns: men(Piece::Pawn),
            knights: men(Piece::Knight),
            bishops: men(Piece::Bishop),
            rooks: men(Piece::Rook),
            queens: men(Piece::Queen),
            king: men(Piece::King).trailing_zeros(),
            mobility: [0; 4],
            near_own_king: 0,
            near_enemy_king: 0,
        };
        side.look_at_pieces(board, color, weights);
        side
    }

    #[inline]
    fn look_at_pieces(&mut self, board: &Board, color: Color, weights: &FactorWeights) {
        let (own, occupied) = (board.color_combined(color).0, board.combined().0);
        let [own_zone, enemy_zone] = [color, !color].map(|side| zone(attacks::king(board, side)));
        let values = [weights.knight, weights.bishop, weights.rook, weights.queen];
        for (kind, piece) in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen].into_iter().enumerate()
        {
            for square in Squares(attacks::men(board, color, piece)) {
                let attacks = by_piece(piece, square, occupied);
                let value_in = |zone: u64| if attacks & zone != 0 { values[kind] } else { 0 };
                self.mobility[kind] += count(attacks & !own);
                self.near_own_king += value_in(own_zone);
                self.near_enemy_king += value_in(enemy_zone);
            }
        }
    }

    /// Equations (2) to (9) without their weights.
    #[inline]
    pub fn counts(&self, enemy: &Side) -> Counts {
        let enemy_pawns = enemy.pawns.swap_bytes();
        let all_pawns = self.pawns | enemy_pawns;
        let structure = structure(self.pawns, enemy_pawns);
        let sevenths = count(self.rooks & RANK_7);
        let [knight_mobility, bishop_mobility, rook_mobility, queen_mobility] = self.mobility;
        Counts {
            pawn: count(self.pawns),
            knight: count(self.knights),
            bishop: count(self.bishops),
            rook: count(self.rooks),
            queen: count(self.queens),
            king_defenders: self.near_own_king,
            king_attackers: enemy.near_enemy_king,
            king_castled: i32::from(self.has_castled()),
            king_shield: attacks::shield::<true>(self.king as usize)
                .map(|ahead| count(self.pawns & ahead))
                .iter()
                .sum(),
            queen_mobility,
            rook_mobility,
            rook_open_file: count(self.rooks & !(up(all_pawns) | down(all_pawns))),
            rook_seventh: sevenths,
            rooks_seventh: if sevenths > 1 { sevenths } else { 0 },
            bishop_mobility,
            knight_mobility,
            knight_rim: count(self.knights & RIM),
            knight_defended: count(self.knights & sideways(self.pawns << 8)),
            knight_safe: count(self.knights & !down(sideways(enemy_pawns >> 8))),
            pawn_doubled: count(structure.doubled),
            pawn_isolated: count(structure.isolated),
            pawn_central: count(self.pawns & CENTRE),
            pawn_passed: count(structure.passed),
        }
    }

    /// On the first rank, on file a, b, c, g or h, with no own rook between it and the edge.
    #[inline]
    fn has_castled(&self) -> bool {
        let outside = match self.king {
            king @ 0..=2 => (1 << king) - 1,
            king @ 6..=7 => RANK_1 & !((2 << king) - 1),
            _ => return false,
        };
        self.rooks & outside == 0
    }
}

/// A king's square and those around it.
#[inline]
fn zone(king: usize) -> u64 {
    by_king(king) | 1 << king
}

//! What the terms ask about both sides.

use chess::{Board, Color, Piece};

use crate::evaluation::attacks::{by_bishop, by_king, by_pawns, by_rook, forward, square};

/// The men of both sides and what they attack. Index by colour, White first, and piece, pawn first.
pub(super) struct Sides {
    pub men: [[u64; 6]; 2],
    pub all: [u64; 2],
    pub kings: [usize; 2],
    pub white_moves: bool,
    /// The right to castle short and long.
    pub may_castle: [[bool; 2]; 2],
    pub by_pawns: [u64; 2],
    /// The king's square, those around it, and those in front of these.
    pub king_zone: [u64; 2],
    /// Men that cannot leave the line of their king and an enemy's.
    pub pinned: [u64; 2],
    /// What the men of each kind attack; filled in one kind after the other.
    pub attacks: [[u64; 6]; 2],
    pub attacked: [u64; 2],
    /// By two men or more.
    pub attacked_twice: [u64; 2],
    /// Points of the attack on the enemy king.
    pub king_attack: [i32; 2],
}

pub(super) const PAWN: usize = 0;
pub(super) const KNIGHT: usize = 1;
pub(super) const BISHOP: usize = 2;
pub(super) const ROOK: usize = 3;
pub(super) const QUEEN: usize = 4;
pub(super) const KING: usize = 5;

impl Sides {
    #[inline]
    pub fn new(board: &Board) -> Sides {
        let all = [Color::White, Color::Black].map(|color| board.color_combined(color).0);
        let pieces = [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen, Piece::King]
            .map(|piece| board.pieces(piece).0);
        let men = all.map(|own| pieces.map(|set| set & own));
        let may_castle = [Color::White, Color::Black].map(|color| {
            let rights = board.castle_rights(color);
            [rights.has_kingside(), rights.has_queenside()]
        });
        Sides {
            kings: men.map(|men| men[KING].trailing_zeros() as usize & 63),
            white_moves: board.side_to_move() == Color::White,
            may_castle,
            by_pawns: [by_pawns::<true>(men[0][PAWN]), by_pawns::<false>(men[1][PAWN])],
            king_zone: [0; 2],
            pinned: [0; 2],
            attacks: [[0; 6]; 2],
            attacked: [0; 2],
            attacked_twice: [0; 2],
            king_attack: [0; 2],
            men,
            all,
        }
    }

    /// What stands before any man's attacks can be looked at: those of pawns and kings, zones and pins.
    #[inline]
    pub fn prepare(&mut self) {
        self.prepare_side::<true>();
        self.prepare_side::<false>();
    }

    #[inline]
    fn prepare_side<const WHITE: bool>(&mut self) {
        let us = usize::from(!WHITE);
        let king = self.kings[us];
        let around = by_king(king);
        self.king_zone[us] = around | self.men[us][KING] | forward::<WHITE>(around);
        self.pinned[us] = self.pinned(us);
        self.attacks[us][KING] = around;
        self.attacks[us][PAWN] = self.by_pawns[us];
        self.attacked[us] = around | self.by_pawns[us];
        self.attacked_twice[us] = around & self.by_pawns[us];
    }

    #[inline]
    fn pinned(&self, us: usize) -> u64 {
        let (king, enemy) = (self.kings[us], &self.men[1 - us]);
        let blockers = self.all[1 - us];
        let snipers = by_bishop(king, blockers) & (enemy[BISHOP] | enemy[QUEEN])
            | by_rook(king, blockers) & (enemy[ROOK] | enemy[QUEEN]);
        let mut pinned = 0;
        let mut rest = snipers;
        while rest != 0 {
            let between = chess::between(square(king), square(rest.trailing_zeros() as usize)).0 & self.all[us];
            if between & between.wrapping_sub(1) == 0 {
                pinned |= between;
            }
            rest &= rest - 1;
        }
        pinned
    }

    #[inline]
    pub fn occupied(&self) -> u64 {
        self.all[0] | self.all[1]
    }

    /// Men but pawns and the king.
    #[inline]
    pub fn pieces(&self, us: usize) -> u64 {
        self.all[us] & !self.men[us][PAWN] & !self.men[us][KING]
    }
}

//! Facts about both sides for the terms.

use chess::{Board, Color, Piece};

use crate::eval::attacks::{by_bishop, by_king, by_pawns, by_rook, forward, is_single, square};

/// The pieces of both sides and their attacks. Index by colour, White first, and piece, pawn first.
pub(super) struct Sides {
    pub pieces: [[u64; 6]; 2],
    pub all: [u64; 2],
    /// The number of pieces of each kind, counted along with their attacks; pawns and kings are
    /// left out.
    pub counts: [[i32; 6]; 2],
    pub kings: [usize; 2],
    /// The mirror of squares for each side; afterwards its king, or the enemy's, is on the files e
    /// to h.
    pub mirror: [Mirror; 2],
    pub white_moves: bool,
    pub by_pawns: [u64; 2],
    /// The king's square, those around, and those in front of these.
    pub king_zone: [u64; 2],
    /// Pieces bound to the line of their king and an enemy's piece.
    pub pinned: [u64; 2],
    /// The attacks of the pieces of each kind; filled in one kind after the other.
    pub attacks: [[u64; 6]; 2],
    pub attacked: [u64; 2],
    /// Squares attacked by two pieces or more.
    pub attacked_twice: [u64; 2],
    /// Points of the attack on the enemy king.
    pub king_attack: [i32; 2],
}

/// The exchange of left and right, by the own king and by the enemy's: 0 (no) or 7 (yes) for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mirror {
    pub own: usize,
    pub enemy: usize,
}

impl Mirror {
    /// Every mirror, in the order of [`Mirror::index`].
    pub const ALL: [Mirror; 4] = [
        Mirror { own: 0, enemy: 0 },
        Mirror { own: 7, enemy: 0 },
        Mirror { own: 0, enemy: 7 },
        Mirror { own: 7, enemy: 7 },
    ];

    #[inline]
    fn new(own_king: usize, enemy_king: usize) -> Mirror {
        let of = |king: usize| if king & 7 < 4 { 7 } else { 0 };
        Mirror {
            own: of(own_king),
            enemy: of(enemy_king),
        }
    }

    #[inline]
    pub fn index(self) -> usize {
        self.own & 1 | self.enemy & 2
    }
}

/// The diagonals through a square.
#[inline]
pub(super) fn diagonals(at: usize) -> u64 {
    chess::get_bishop_rays(square(at)).0
}

/// The file and the rank of a square.
#[inline]
pub(super) fn lines(at: usize) -> u64 {
    chess::get_rook_rays(square(at)).0
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
        // Written out, because maps of arrays of arrays are calls.
        let all = [
            board.color_combined(Color::White).0,
            board.color_combined(Color::Black).0,
        ];
        let kinds = [
            board.pieces(Piece::Pawn).0,
            board.pieces(Piece::Knight).0,
            board.pieces(Piece::Bishop).0,
            board.pieces(Piece::Rook).0,
            board.pieces(Piece::Queen).0,
            board.pieces(Piece::King).0,
        ];
        let mut pieces = [[0; 6]; 2];
        for piece in 0..6 {
            pieces[0][piece] = kinds[piece] & all[0];
            pieces[1][piece] = kinds[piece] & all[1];
        }
        let kings = [
            pieces[0][KING].trailing_zeros() as usize & 63,
            pieces[1][KING].trailing_zeros() as usize & 63,
        ];
        Sides {
            mirror: [
                Mirror::new(kings[0], kings[1]),
                Mirror::new(kings[1], kings[0]),
            ],
            kings,
            white_moves: board.side_to_move() == Color::White,
            by_pawns: [
                by_pawns::<true>(pieces[0][PAWN]),
                by_pawns::<false>(pieces[1][PAWN]),
            ],
            counts: [[0; 6]; 2],
            king_zone: [0; 2],
            pinned: [0; 2],
            attacks: [[0; 6]; 2],
            attacked: [0; 2],
            attacked_twice: [0; 2],
            king_attack: [0; 2],
            pieces,
            all,
        }
    }

    /// Fills in everything needed before any piece's attacks: those of pawns and kings, zones and
    /// pins.
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
        self.king_zone[us] = around | self.pieces[us][KING] | forward::<WHITE>(around);
        self.pinned[us] = self.pinned(us);
        self.attacks[us][KING] = around;
        self.attacks[us][PAWN] = self.by_pawns[us];
        self.attacked[us] = around | self.by_pawns[us];
        self.attacked_twice[us] = around & self.by_pawns[us];
    }

    #[inline]
    fn pinned(&self, us: usize) -> u64 {
        let king = self.kings[us];
        let enemy = &self.pieces[1 - us];
        let blockers = self.all[1 - us];
        let on_diagonals = enemy[BISHOP] | enemy[QUEEN];
        let on_lines = enemy[ROOK] | enemy[QUEEN];
        // Mostly nobody is on a line with the king, and looking that up is cheaper.
        let mut rest = 0;
        if on_diagonals & diagonals(king) != 0 {
            rest |= by_bishop(king, blockers) & on_diagonals;
        }
        if on_lines & lines(king) != 0 {
            rest |= by_rook(king, blockers) & on_lines;
        }
        let mut pinned = 0;
        while rest != 0 {
            let between = chess::between(square(king), square(rest.trailing_zeros() as usize)).0
                & self.all[us];
            if is_single(between) {
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

    /// Pieces but pawns and the king.
    #[inline]
    pub fn non_pawns(&self, us: usize) -> u64 {
        self.all[us] & !self.pieces[us][PAWN] & !self.pieces[us][KING]
    }
}

//! What the terms of a position are added up to: a value, or the terms themselves.

use super::sides::{KING, Mirror};
use super::terms::{KING_SQUARES, PAWN, PAWN_BY_ENEMY_KING, PAWN_SQUARES, TERMS};

/// Hears of every term that a position has.
pub(super) trait Tally {
    /// A term, so many times; negative for Black.
    fn add(&mut self, term: usize, times: i32);

    /// A man, pawn to king, on a square as its side sees it: its material, and its square by the sides of
    /// both kings.
    fn man(&mut self, piece: usize, square: usize, mirror: Mirror, sign: i32);
}

/// Two values in one: before the endgame in the low half, in the endgame in the high one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Packed(pub i64);

impl Packed {
    pub fn new(middle: i32, end: i32) -> Packed {
        Packed((i64::from(end) << 32) + i64::from(middle))
    }

    pub fn middle(self) -> i32 {
        self.0 as i32
    }

    /// A negative low half has borrowed from the high one.
    pub fn end(self) -> i32 {
        ((self.0 + (1 << 31)) >> 32) as i32
    }
}

/// Tells the terms of a man: its material, its square, and its square once more for the enemy king's side.
fn of_man(piece: usize, square: usize, mirror: Mirror, mut tell: impl FnMut(usize)) {
    if piece == KING {
        let file = square & 7;
        tell(KING_SQUARES + (square >> 3) * 4 + file.min(7 - file));
    } else {
        tell(PAWN + piece);
        tell(PAWN_SQUARES + 64 * piece + (square ^ mirror.own));
    }
    tell(PAWN_BY_ENEMY_KING + 64 * piece + (square ^ mirror.enemy));
}

/// The weights as play wants them.
#[derive(Clone, Debug)]
pub(super) struct Tables {
    pub terms: [Packed; TERMS],
    /// Material and squares of each man together, for each [`Mirror`].
    pub men: [[[Packed; 64]; 6]; 4],
}

impl Tables {
    pub fn new(weights: &[[i32; TERMS]; 2]) -> Box<Tables> {
        let terms: [Packed; TERMS] =
            std::array::from_fn(|term| Packed::new(weights[0][term], weights[1][term]));
        let man = |mirror: Mirror, piece: usize, square: usize| {
            let mut sum = 0;
            of_man(piece, square, mirror, |term| sum += terms[term].0);
            Packed(sum)
        };
        let men = Mirror::ALL.map(|mirror| {
            std::array::from_fn(|piece| std::array::from_fn(|square| man(mirror, piece, square)))
        });
        Box::new(Tables { terms, men })
    }
}

/// How often each term is there, White's less Black's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Trace(pub [i32; TERMS]);

impl Tally for Trace {
    fn add(&mut self, term: usize, times: i32) {
        self.0[term] += times;
    }

    fn man(&mut self, piece: usize, square: usize, mirror: Mirror, sign: i32) {
        of_man(piece, square, mirror, |term| self.add(term, sign));
    }
}

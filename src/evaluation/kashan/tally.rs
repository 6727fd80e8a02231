//! What the terms of a position are added up to: a value, or the terms themselves.

use super::terms::{KNIGHT_SQUARES, PAWN, PAWN_SQUARES, TERMS};

/// Hears of every term that a position has.
pub(super) trait Tally {
    /// A term, so many times; negative for Black.
    fn add(&mut self, term: usize, times: i32);

    /// A man, pawn to king, on a square as its side sees it: its material and its square.
    fn man(&mut self, piece: usize, square: usize, sign: i32);
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

/// The term of a piece's first square, and how far the next piece's is.
const SQUARES: (usize, usize) = (PAWN_SQUARES, KNIGHT_SQUARES - PAWN_SQUARES);

/// The term of a man's square: files count from the edge.
pub(super) fn square_term(piece: usize, square: usize) -> usize {
    let file = square & 7;
    SQUARES.0 + SQUARES.1 * piece + (square >> 3) * 4 + file.min(7 - file)
}

/// The weights as play wants them.
#[derive(Clone, Debug)]
pub(super) struct Tables {
    pub terms: [Packed; TERMS],
    /// Material and square of each man together.
    pub men: [[Packed; 64]; 6],
}

impl Tables {
    pub fn new(weights: &[[i32; TERMS]; 2]) -> Box<Tables> {
        let terms: [Packed; TERMS] =
            std::array::from_fn(|term| Packed::new(weights[0][term], weights[1][term]));
        let man = |piece: usize, square: usize| {
            let material = if piece < 5 { terms[PAWN + piece].0 } else { 0 };
            Packed(material + terms[square_term(piece, square)].0)
        };
        let men = std::array::from_fn(|piece| std::array::from_fn(|square| man(piece, square)));
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

    fn man(&mut self, piece: usize, square: usize, sign: i32) {
        if piece < 5 {
            self.add(PAWN + piece, sign);
        }
        self.add(square_term(piece, square), sign);
    }
}

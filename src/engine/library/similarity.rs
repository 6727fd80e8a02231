//! The similarity of two boards: the second filter.

use chess::{BitBoard, Color, Piece, Square, get_pawn_attacks, get_pawn_quiets};
use strum::{EnumString, IntoStaticStr, VariantNames};

use super::case::{FIRST_AND_LAST_RANK, Planes};
use crate::rules::position::moves::attacks;

/// The features to compare. The words of the option `Similarity`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumString, IntoStaticStr, VariantNames)]
#[strum(serialize_all = "kebab-case", ascii_case_insensitive, const_into_str)]
pub enum Similarity {
    /// Pieces on their squares, squares they can go to, pieces they attack and defend: the cosine
    /// of both lists. After Ganguly, Leveling & Jones, "Retrieval of similar chess positions",
    /// SIGIR 2014, without the attacks through other pieces.
    #[default]
    Tokens,
    /// Pieces on their squares: twice the common pieces, over the pieces of both boards (Dice).
    Placement,
}

/// A board to compare others with, and the required similarity.
pub struct Measure {
    /// The planes without rights.
    planes: Planes,
    /// The squares of rooks on their first ranks and of pawns elsewhere: the pieces that can have a
    /// right.
    with_rights: u64,
    pieces: u32,
    /// Percent.
    degree: u32,
    tokens: Option<Tokens>,
}

impl Measure {
    /// Makes a measure that a board passes with a similarity of `degree` percent.
    pub fn new(similarity: Similarity, planes: Planes, degree: u32) -> Measure {
        let plain = planes.without_rights();
        let Planes([p0, p1, p2, _]) = plain;
        let rooks = p2 & !p1 & !p0;
        let pawns = p0 & !p1 & !p2;
        Measure {
            planes: plain,
            with_rights: rooks & FIRST_AND_LAST_RANK | pawns & !FIRST_AND_LAST_RANK,
            pieces: planes.occupied().count_ones(),
            degree,
            tokens: (similarity == Similarity::Tokens).then(|| Tokens::of(planes)),
        }
    }

    /// Returns the similarity of a board, from 0 to 1; `None` below the degree. With tokens, a
    /// board with a placement below half of the degree is refused at once.
    #[inline]
    pub fn of(&mut self, other: Planes) -> Option<f32> {
        let common = self.common_pieces(other);
        let share = if self.tokens.is_some() { 400 } else { 200 } * common;
        // The other board has those pieces at least, which refuses most boards before its pieces
        // are counted.
        if share < self.degree * (self.pieces + common) {
            return None;
        }
        let all = (self.pieces + other.occupied().count_ones()).max(1);
        if share < self.degree * all {
            return None;
        }
        match &mut self.tokens {
            None => Some((2 * common) as f32 / all as f32),
            Some(tokens) => {
                Some(tokens.cosine(other)).filter(|cosine| 100.0 * cosine >= self.degree as f32)
            }
        }
    }

    /// Returns the number of common pieces on the same squares. Speed matters: this runs for each
    /// case of an action.
    #[inline]
    fn common_pieces(&self, other: Planes) -> u32 {
        let (Planes(ours), Planes(theirs)) = (self.planes, other);
        let rights = theirs[0] & theirs[1] & theirs[2];
        let other_pieces = (ours[0] ^ theirs[0]) | (ours[1] ^ theirs[1]) | (ours[2] ^ theirs[2]);
        let differences = other_pieces & !(rights & self.with_rights) | (ours[3] ^ theirs[3]);
        (self.planes.occupied() & !differences).count_ones()
    }
}

/// Pieces are told apart by 6 kinds and 2 colours.
const PIECES: usize = 12;
const REACHED: usize = PIECES * 64;
const TOUCHED: usize = 2 * REACHED;
const TOKENS: usize = TOUCHED + PIECES * REACHED;

/// The weight of a token at distance 0, in 64ths.
const WHOLE: u32 = 64;
/// The loss of weight for each step of distance.
const STEP: u32 = 7;

/// The tokens of a board, and room to count those of others.
struct Tokens {
    weights: Vec<u32>,
    squares: u64,
    /// Working memory; all zero between two boards.
    scratch: Vec<u32>,
    seen: Vec<u16>,
}

impl Tokens {
    fn of(planes: Planes) -> Tokens {
        let mut weights = vec![0; TOKENS];
        for_each_token(planes, |token, weight| weights[token] += weight);
        let squares = weights.iter().map(|&weight| u64::from(weight).pow(2)).sum();
        Tokens {
            weights,
            squares,
            scratch: vec![0; TOKENS],
            seen: Vec::with_capacity(512),
        }
    }

    /// The cosine of the angle between the two lists of weights.
    fn cosine(&mut self, other: Planes) -> f32 {
        for_each_token(other, |token, weight| {
            self.scratch[token] += weight;
            self.seen.push(token as u16);
        });
        let mut product = 0;
        let mut squares = 0;
        for token in self.seen.drain(..) {
            // A token that came twice is counted the first time.
            let weight = std::mem::take(&mut self.scratch[usize::from(token)]);
            product += u64::from(weight) * u64::from(self.weights[usize::from(token)]);
            squares += u64::from(weight).pow(2);
        }
        (product as f64 / ((self.squares as f64).sqrt() * (squares as f64).sqrt()).max(1.0)) as f32
    }
}

/// Calls `token` for all tokens of a board with their weights. A token may come more than once: two
/// knights reach one square.
fn for_each_token(planes: Planes, mut token: impl FnMut(usize, u32)) {
    let mut pieces = [12_u8; 64];
    let planes = planes.without_rights();
    let occupied = BitBoard(planes.occupied());
    for square in occupied {
        let [p0, p1, p2, black] = planes.0.map(|plane| (plane >> square.to_index() & 1) as u8);
        pieces[square.to_index()] = (p0 | p1 << 1 | p2 << 2) - 1 + 6 * black;
    }
    for square in occupied {
        let piece = usize::from(pieces[square.to_index()]);
        token(piece * 64 + square.to_index(), WHOLE);
        let side = chess::ALL_COLORS[piece / 6];
        let (reached, touched) = reach(piece % 6, side, square, occupied);
        for target in reached {
            let weight = WHOLE - STEP * distance(square, target);
            token(REACHED + piece * 64 + target.to_index(), weight);
        }
        for target in touched {
            let other = usize::from(pieces[target.to_index()]);
            let index = (piece * PIECES + other) * 64 + target.to_index();
            token(TOUCHED + index, WHOLE);
        }
    }
}

/// Returns the empty squares in a piece's reach, and the pieces under its attack or defence.
fn reach(piece: usize, side: Color, square: Square, occupied: BitBoard) -> (BitBoard, BitBoard) {
    match chess::ALL_PIECES[piece] {
        Piece::Pawn => (
            get_pawn_quiets(square, side, occupied),
            get_pawn_attacks(square, side, occupied),
        ),
        piece => {
            let controlled = attacks(piece, square, occupied);
            (controlled & !occupied, controlled & occupied)
        }
    }
}

/// Returns the distance in king's steps.
fn distance(one: Square, other: Square) -> u32 {
    let [one, other] = [one.to_index(), other.to_index()];
    let files = (one & 7).abs_diff(other & 7);
    let ranks = (one >> 3).abs_diff(other >> 3);
    files.max(ranks) as u32
}

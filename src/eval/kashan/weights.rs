//! The weights of Kashan's evaluation, and the sums of a position's terms: a value, or the terms
//! themselves.

use std::sync::LazyLock;

use toml::Table;

use super::sides::{KING, Mirror};
use super::terms::{COUNT as TERM_COUNT, FIELDS as TERM_FIELDS};
use super::terms::{KING_SQUARES, PAWN, PAWN_BY_ENEMY_KING, PAWN_SQUARES};
use crate::eval::genome::{Field, placed};

/// A weight for each term, before the endgame and in the endgame.
pub(super) type Phases<T> = [[T; TERM_COUNT]; 2];

/// The endings of the names of a term's two fields, one for each phase.
const SUFFIXES: [&str; 2] = ["", "_endgame"];

/// The fields of the weights, in centipawns. Their defaults are the output of `kashan tune fit`;
/// `[made]` in the file has its settings. A test reads the file the way users' files are read.
pub static FIELDS: LazyLock<Vec<Field>> = LazyLock::new(|| {
    let file: Table = include_str!("weights.toml")
        .parse()
        .expect("a test reads it");
    let field = |name: String, term: &Field| {
        let value = &file["weights"][&name];
        let numbers = value
            .as_array()
            .map_or(std::slice::from_ref(value), Vec::as_slice)
            .iter();
        let numbers = numbers.map(|number| number.as_integer().expect("a whole number") as i32);
        let defaults = numbers.collect::<Vec<i32>>().leak();
        assert_eq!(
            defaults.len(),
            term.defaults.len(),
            "a number for each term"
        );
        Field {
            name: name.leak(),
            defaults,
            ..*term
        }
    };
    let terms = placed(TERM_FIELDS);
    terms
        .flat_map(|(term, name, _)| SUFFIXES.map(|suffix| field(name.clone() + suffix, term)))
        .collect()
});

/// Both phases' numbers in the order of the row: field by field, first those before the endgame.
pub(super) fn in_order<T: Copy>(phases: &Phases<T>) -> Vec<T> {
    let terms = placed(TERM_FIELDS);
    terms
        .flat_map(|(.., range)| phases.iter().flat_map(move |phase| &phase[range.clone()]))
        .copied()
        .collect()
}

/// Both phases' numbers from a row of them.
pub(super) fn by_phase(mut row: &[i32]) -> Phases<i32> {
    let mut phases = [[0; TERM_COUNT]; 2];
    for (.., range) in placed(TERM_FIELDS) {
        for phase in &mut phases {
            let (numbers, rest) = row.split_at(range.len());
            phase[range.clone()].copy_from_slice(numbers);
            row = rest;
        }
    }
    phases
}

/// A listener for every term of a position.
pub(super) trait Tally {
    /// A term, so many times; negative for Black.
    fn add(&mut self, term: usize, times: i32);

    /// Adds a term if present.
    #[inline]
    fn add_if(&mut self, is_there: bool, term: usize, times: i32) {
        if is_there {
            self.add(term, times);
        }
    }

    /// A piece, pawn to king, on a square as its side sees the board: its material, and its square
    /// by the sides of both kings.
    fn piece(&mut self, piece: usize, square: usize, mirror: Mirror, sign: i32);
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

/// Tells the terms of a piece: its material, its square, and its square once more for the enemy
/// king's side.
fn of_piece(piece: usize, square: usize, mirror: Mirror, mut tell: impl FnMut(usize)) {
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
    pub terms: [Packed; TERM_COUNT],
    /// Material and squares of each piece together, for each [`Mirror`].
    pub pieces: [[[Packed; 64]; 6]; 4],
}

impl Tables {
    pub fn new(weights: &Phases<i32>) -> Box<Tables> {
        let terms: [Packed; TERM_COUNT] =
            std::array::from_fn(|term| Packed::new(weights[0][term], weights[1][term]));
        let value = |mirror: Mirror, piece: usize, square: usize| {
            let mut sum = 0;
            of_piece(piece, square, mirror, |term| sum += terms[term].0);
            Packed(sum)
        };
        let pieces = Mirror::ALL.map(|mirror| {
            std::array::from_fn(|piece| std::array::from_fn(|square| value(mirror, piece, square)))
        });
        Box::new(Tables { terms, pieces })
    }
}

/// The count of each term, White's less Black's.
impl Tally for [i32; TERM_COUNT] {
    fn add(&mut self, term: usize, times: i32) {
        self[term] += times;
    }

    fn piece(&mut self, piece: usize, square: usize, mirror: Mirror, sign: i32) {
        of_piece(piece, square, mirror, |term| self.add(term, sign));
    }
}

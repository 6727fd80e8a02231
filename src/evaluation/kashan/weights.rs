//! The weights of Kashan's evaluation, and what the terms of a position are added up to: a value, or the
//! terms themselves.

use std::sync::LazyLock;

use toml::Table;

use super::sides::{KING, Mirror};
use super::terms::{FIELDS, KING_SQUARES, PAWN, PAWN_BY_ENEMY_KING, PAWN_SQUARES, TERMS};
use crate::evaluation::genome::{Genome, WeightSpec};

/// A weight for each term, before the endgame and in it, in centipawns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KashanWeights {
    pub phases: [[i32; TERMS]; 2],
}

/// What `kashan tune fit` wrote; `[made]` in it says how.
static TUNED: LazyLock<KashanWeights> = LazyLock::new(|| read(include_str!("weights.toml")));

/// Each phase's weights end a field's name so.
const SUFFIXES: [&str; 2] = ["", "_endgame"];

impl Default for KashanWeights {
    /// The weights that were tuned.
    fn default() -> Self {
        TUNED.clone()
    }
}

/// Both phases' numbers in the order of the row: field by field, first those before the endgame.
pub(super) fn in_order<T: Copy>(phases: &[[T; TERMS]; 2]) -> Vec<T> {
    let fields = FIELDS.iter().scan(0, |first, field| {
        let range = *first..*first + field.count;
        *first = range.end;
        Some(range)
    });
    fields.flat_map(|range| phases.iter().flat_map(move |phase| &phase[range.clone()]).copied()).collect()
}

impl Genome for KashanWeights {
    const COUNT: usize = 2 * TERMS;
    const PER_CENTIPAWN: i32 = 1;

    fn table() -> Vec<WeightSpec> {
        let mut defaults = KashanWeights::default().to_row().into_iter();
        let mut table = Vec::with_capacity(Self::COUNT);
        for (field, suffix) in FIELDS.iter().flat_map(|field| SUFFIXES.map(|suffix| (field, suffix))) {
            let name = field.name.to_ascii_lowercase() + suffix;
            for (index, default) in defaults.by_ref().take(field.count).enumerate() {
                let name = if field.count == 1 { name.clone() } else { format!("{name}[{index}]") };
                table.push(WeightSpec { name, default, min: -2_000, max: 2_000, about: field.about });
            }
        }
        table
    }

    fn to_row(&self) -> Vec<i32> {
        in_order(&self.phases)
    }

    fn from_any_row(row: &[i32]) -> Self {
        let places: [[usize; TERMS]; 2] =
            [std::array::from_fn(|term| term), std::array::from_fn(|term| TERMS + term)];
        let mut weights = KashanWeights::default();
        for (place, &number) in in_order(&places).into_iter().zip(row) {
            weights.phases[place / TERMS][place % TERMS] = number;
        }
        weights
    }
}

/// Reads the weights that ship. A test compares them with what everybody's files of weights are read by.
fn read(text: &str) -> KashanWeights {
    let file: Table = text.parse().expect("a test reads it");
    let phases = SUFFIXES.map(|suffix| {
        let numbers = FIELDS.iter().flat_map(|field| {
            let value = &file["weights"][&(field.name.to_ascii_lowercase() + suffix)];
            value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice)
        });
        let numbers: Vec<i32> =
            numbers.map(|number| number.as_integer().expect("a whole number") as i32).collect();
        numbers.try_into().expect("a number for each term")
    });
    KashanWeights { phases }
}

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

//! Weights, each declared once: name, meaning, default and range.
//!
//! An evaluation sees its weights as a row of numbers; a constant gives each weight's place there.
//! A tuner sees the weights of any evaluation as a genome: numbers with ranges and names, and
//! nothing of chess.

use std::ops::Range;

/// A weight of a genome for a tuner or a table of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightSpec {
    /// The field, with an index if the field has several values: `knight_tropism[2]`.
    pub name: String,
    /// The default in units of the row, see
    /// [`Evaluation::per_centipawn`](super::Evaluation::per_centipawn), unless `about` says
    /// otherwise.
    pub default: i32,
    pub min: i32,
    /// The upper end; equal to `min` for a constant weight.
    pub max: i32,
    pub about: &'static str,
}

impl WeightSpec {
    /// The field without an index: `knight_tropism`.
    pub fn field(&self) -> &str {
        self.name.split('[').next().unwrap_or(&self.name)
    }
}

/// A declared weight, or several of one name and one range.
#[derive(Debug)]
pub struct Field {
    /// The name in letters of any size; people see small ones.
    pub name: &'static str,
    pub about: &'static str,
    pub defaults: &'static [i32],
    pub min: i32,
    pub max: i32,
}

/// The count of numbers before a field: the index of its first number in a row of all weights.
pub(super) const fn first(fields: &[Field], field: usize) -> usize {
    let mut index = 0;
    let mut before = 0;
    while before < field {
        index += fields[before].defaults.len();
        before += 1;
    }
    index
}

/// Each field, its name in small letters, and where its numbers are in a row of all weights.
pub(super) fn placed(
    fields: &'static [Field],
) -> impl Iterator<Item = (&'static Field, String, Range<usize>)> {
    fields.iter().scan(0, |end, field| {
        let first = *end;
        *end += field.defaults.len();
        Some((field, field.name.to_ascii_lowercase(), first..*end))
    })
}

/// Declares the weights of an evaluation: a constant for each (its first index in a row of all
/// weights), the table of fields, and the length of a row.
macro_rules! weights {
    // With defaults that stand elsewhere.
    ($($(#[doc = $about:literal])+ $name:ident: $count:literal;)+) => {
        weights! { $($(#[doc = $about])+ $name: [0; $count], -2_000..=2_000;)+ }
    };
    ($($(#[doc = $about:literal])+ $name:ident: $defaults:expr, $min:literal..=$max:literal;)+) => {
        // The names are those of the constants, so that each weight is written once.
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Order { $($name),+ }

        pub const FIELDS: &[$crate::eval::genome::Field] = &[$($crate::eval::genome::Field {
            name: stringify!($name),
            about: concat!($($about),+).trim_ascii(),
            defaults: &$defaults,
            min: $min,
            max: $max,
        }),+];

        /// The count of all numbers.
        pub const COUNT: usize = $crate::eval::genome::first(FIELDS, FIELDS.len());

        // Those of several kinds of pieces are found by the first and the kind.
        $($(#[doc = $about])+ #[allow(dead_code)]
        pub const $name: usize = $crate::eval::genome::first(FIELDS, Order::$name as usize);)+
    };
}
pub(super) use weights;

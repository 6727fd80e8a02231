//! Sets of weights, each weight declared once: name, meaning, default and range.
//!
//! [`Genome`] is the door for a tuner: to it the weights of any evaluation are a genome, a row of whole
//! numbers with ranges, and nothing of chess.

/// A weight of a genome as a tuner or a table of values shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightSpec {
    /// The field, with an index if the field has several values: `knight_tropism[2]`.
    pub name: String,
    /// In units of the set, see [`Genome::PER_CENTIPAWN`], unless `about` says otherwise.
    pub default: i32,
    pub min: i32,
    /// The same as `min` for a weight that never changes.
    pub max: i32,
    pub about: &'static str,
}

impl WeightSpec {
    /// The field without an index: `knight_tropism`.
    pub fn field(&self) -> &str {
        self.name.split('[').next().unwrap_or(&self.name)
    }
}

/// A set of weights that is also a row of whole numbers.
pub trait Genome: Clone + Send + Sync {
    /// How many numbers the weights are.
    const COUNT: usize;
    /// What a weight of one centipawn is as a number: 1, or 100 for weights with two decimals.
    const PER_CENTIPAWN: i32;

    /// Name, default, range and meaning of each number.
    fn table() -> Vec<WeightSpec>;

    /// The weights as one row of numbers, in the order of [`Genome::table`].
    fn to_row(&self) -> Vec<i32>;

    /// Weights from a row of numbers; each is brought into its range. Numbers that are missing at the end are
    /// the defaults.
    fn from_row(row: &[i32]) -> Self {
        let table = Self::table();
        let within = row.iter().zip(&table).map(|(&number, spec)| number.clamp(spec.min, spec.max));
        Self::from_any_row(&within.collect::<Vec<_>>())
    }

    /// The same without the ranges: for experiments with others.
    fn from_any_row(row: &[i32]) -> Self;
}

/// One weight or a row of them, seen as a row.
pub(super) trait Row {
    const COUNT: usize;
    fn row(&self) -> &[i32];
    fn row_mut(&mut self) -> &mut [i32];
}

impl Row for i32 {
    const COUNT: usize = 1;
    fn row(&self) -> &[i32] {
        std::slice::from_ref(self)
    }
    fn row_mut(&mut self) -> &mut [i32] {
        std::slice::from_mut(self)
    }
}

impl<const N: usize> Row for [i32; N] {
    const COUNT: usize = N;
    fn row(&self) -> &[i32] {
        self
    }
    fn row_mut(&mut self) -> &mut [i32] {
        self
    }
}

/// Declares a set of weights: a struct with `DEFAULT`, and its [`Genome`].
macro_rules! weights {
    (
        $(#[$meta:meta])*
        pub struct $name:ident, $units:literal per centipawn;
        $($(#[doc = $about:literal])+ $field:ident: $type:ty = $default:expr, $min:literal..=$max:literal;)+
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name { $($(#[doc = $about])+ pub $field: $type),+ }

        impl $name {
            /// The weights as they are declared.
            pub const DEFAULT: $name = $name { $($field: $default),+ };

            /// The sum of all weights times their factors.
            #[inline]
            pub fn product(&self, factors: &$name) -> i64 {
                use $crate::evaluation::genome::Row;
                let mut sum = 0;
                $(for (&weight, &factor) in self.$field.row().iter().zip(factors.$field.row()) {
                    sum += i64::from(weight) * i64::from(factor);
                })+
                sum
            }
        }

        impl $crate::evaluation::genome::Genome for $name {
            const COUNT: usize = 0 $(+ <$type as $crate::evaluation::genome::Row>::COUNT)+;
            const PER_CENTIPAWN: i32 = $units;

            fn table() -> Vec<$crate::evaluation::genome::WeightSpec> {
                use $crate::evaluation::genome::{Row, WeightSpec};
                let mut table = Vec::with_capacity(Self::COUNT);
                $(
                    let about = concat!($($about),+).trim_ascii();
                    for (index, &default) in Self::DEFAULT.$field.row().iter().enumerate() {
                        let name = match <$type as Row>::COUNT {
                            1 => stringify!($field).to_owned(),
                            _ => format!("{}[{index}]", stringify!($field)),
                        };
                        table.push(WeightSpec { name, default, min: $min, max: $max, about });
                    }
                )+
                table
            }

            fn to_row(&self) -> Vec<i32> {
                use $crate::evaluation::genome::Row;
                [$(self.$field.row()),+].concat()
            }

            fn from_any_row(row: &[i32]) -> Self {
                use $crate::evaluation::genome::Row;
                let mut weights = Self::DEFAULT;
                let mut numbers = row.iter();
                // The outer loops end with the last weight, the numbers may end before.
                $(for (weight, &number) in weights.$field.row_mut().iter_mut().zip(numbers.by_ref()) {
                    *weight = number;
                })+
                weights
            }
        }
    };
}
pub(super) use weights;

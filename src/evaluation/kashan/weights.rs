//! The weights of Kashan's evaluation.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::terms::{FIELDS, TERMS};
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
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Numbers {
        One(i32),
        Row(Vec<i32>),
    }
    #[derive(Deserialize)]
    struct File {
        weights: BTreeMap<String, Numbers>,
    }
    let file: File = toml::from_str(text).expect("a test reads it");
    let phases = SUFFIXES.map(|suffix| {
        let numbers = FIELDS.iter().flat_map(|field| {
            match &file.weights[&(field.name.to_ascii_lowercase() + suffix)] {
                Numbers::One(number) => std::slice::from_ref(number),
                Numbers::Row(numbers) => numbers,
            }
        });
        let numbers: Vec<i32> = numbers.copied().collect();
        numbers.try_into().expect("a number for each term")
    });
    KashanWeights { phases }
}

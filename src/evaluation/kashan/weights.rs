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

impl KashanWeights {
    /// The first guess that tuning began with.
    pub fn guess() -> KashanWeights {
        let phase = |phase: usize| {
            let mut numbers = FIELDS.iter().flat_map(|field| field.guess[phase]);
            std::array::from_fn(|_| numbers.next().copied().unwrap_or(0))
        };
        KashanWeights { phases: [phase(0), phase(1)] }
    }
}

impl Default for KashanWeights {
    /// The weights that were tuned.
    fn default() -> Self {
        TUNED.clone()
    }
}

/// Both phases' numbers in the order of the row: field by field, first those before the endgame.
pub(super) fn in_order<T: Copy>(phases: &[[T; TERMS]; 2]) -> Vec<T> {
    let fields = FIELDS.iter().scan(0, |first, field| {
        let range = *first..*first + field.guess[0].len();
        *first = range.end;
        Some(range)
    });
    fields.flat_map(|range| phases.iter().flat_map(move |phase| &phase[range.clone()]).copied()).collect()
}

impl Genome for KashanWeights {
    const COUNT: usize = 2 * TERMS;
    const PER_CENTIPAWN: i32 = 1;

    fn table() -> Vec<WeightSpec> {
        let defaults = KashanWeights::default().to_row();
        let names = FIELDS.iter().flat_map(|field| {
            SUFFIXES.iter().flat_map(move |suffix| {
                let name = field.name.to_ascii_lowercase() + suffix;
                let count = field.guess[0].len();
                (0..count).map(move |index| {
                    let name = if count == 1 { name.clone() } else { format!("{name}[{index}]") };
                    (name, field.about)
                })
            })
        });
        let specs = names.zip(defaults);
        specs
            .map(|((name, about), default)| WeightSpec { name, default, min: -2_000, max: 2_000, about })
            .collect()
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

/// Reads the weights that ship; what is missing is the guess.
fn read(text: &str) -> KashanWeights {
    #[derive(Deserialize)]
    struct File {
        #[serde(default)]
        weights: BTreeMap<String, toml::Value>,
    }
    let file: File = toml::from_str(text).expect("a test reads it");
    let mut weights = KashanWeights::guess();
    for (phase, suffix) in SUFFIXES.iter().enumerate() {
        let mut first = 0;
        for field in FIELDS {
            let numbers = match file.weights.get(&(field.name.to_ascii_lowercase() + suffix)) {
                Some(toml::Value::Array(numbers)) => numbers.as_slice(),
                Some(number) => std::slice::from_ref(number),
                None => &[],
            };
            for (weight, number) in weights.phases[phase][first..].iter_mut().zip(numbers) {
                *weight = number
                    .as_integer()
                    .and_then(|number| i32::try_from(number).ok())
                    .expect("a test reads it");
            }
            first += field.guess[0].len();
        }
    }
    weights
}

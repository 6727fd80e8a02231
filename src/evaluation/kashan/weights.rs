//! The weights of Kashan's evaluation.

use super::terms::{FIELDS, TERMS};

/// A weight for each term, before the endgame and in it, in centipawns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KashanWeights {
    pub phases: [[i32; TERMS]; 2],
}

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
    fn default() -> Self {
        KashanWeights::guess()
    }
}

//! Openings for games between two sides with different numbers: random moves, as long as neither
//! side is far ahead.

use rand::SeedableRng as _;
use rand::rngs::Xoshiro256PlusPlus;

use super::self_play::{behind, random_opening};
use crate::engine::{Backend, Settings, backend};
use crate::rules::position::Position;

/// The memory of the search, in megabytes.
const MEMORY: &str = "2";
/// The nodes of the search that judges an opening.
const NODES: u64 = 1_000;
/// Positions looked at for one opening.
const TRIES: usize = 1_000;
/// An opening is not begun from if one side is ahead by more, in centipawns.
const FAIR: i32 = 250;

/// Returns a position for the beginning of a game: a few random half-moves behind the start, with
/// neither side far ahead by a short search. The same seed makes the same position. `None` if none
/// is found.
pub fn opening(seed: u64) -> Option<Position> {
    let settings = [("Backend", Backend::AlphaBeta.into_str()), ("Hash", MEMORY)];
    let settings = Settings::with(settings).expect("the settings are our own");
    let mut searcher = backend::build(&settings);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    (0..TRIES).find_map(|_| {
        let position = behind(&random_opening(&mut random));
        if position.outcome().is_some() {
            return None;
        }
        let score = searcher.search_nodes(&position, NODES).score;
        (score.0.abs() <= FAIR).then_some(position)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_makes_one_opening_and_seeds_make_different_ones() {
        let [first, again, other] = [1, 1, 2].map(|seed| opening(seed).expect("an opening"));
        assert_eq!(first.to_fen(), again.to_fen());
        assert_ne!(first.to_fen(), other.to_fen());
    }
}

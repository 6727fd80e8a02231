//! Openings for games between two sides with different numbers: random or book moves, as long as
//! neither side is far ahead.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use crate::engine::{Backend, Settings, backend};
use crate::rules::book::Book;
use crate::rules::position::Position;
use crate::search::Searcher;

/// The memory of the search, in megabytes.
const MEMORY: &str = "2";
/// Half-moves of the opening: from and to, both included.
const LENGTH: (usize, usize) = (6, 10);
/// The nodes of the search that judges an opening.
const NODES: u64 = 1_000;
/// Positions looked at for one opening.
const TRIES: usize = 1_000;
/// The probability of a book move, if the book has one; the others are any legal moves.
const BOOK: f64 = 0.5;
/// An opening is not begun from if one side is ahead by more, in centipawns.
const FAIR: i32 = 250;

/// Returns a position for the beginning of a game: a few half-moves behind the start, random ones
/// or of our book, with neither side far ahead by a short search. The same seed makes the same
/// position. `None` if none is found.
pub fn opening(seed: u64) -> Option<Position> {
    let settings = [("Backend", Backend::AlphaBeta.into_str()), ("Hash", MEMORY)];
    let settings = Settings::with(settings).expect("the settings are our own");
    let mut searcher = backend::build(&settings);
    let book = Book::built_in();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    (0..TRIES).find_map(|_| candidate(searcher.as_mut(), &book, &mut random))
}

/// Plays a few half-moves from the start; `None` if one side is far ahead then.
fn candidate(
    searcher: &mut dyn Searcher,
    book: &Book,
    random: &mut Xoshiro256PlusPlus,
) -> Option<Position> {
    let mut position = Position::default();
    let seed = random.random();
    for _ in 0..random.random_range(LENGTH.0..=LENGTH.1) {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let known = random
            .random_bool(BOOK)
            .then(|| book.probe(&position, seed))
            .flatten();
        let mv = known.unwrap_or_else(|| legal[random.random_range(0..legal.len())]);
        position.play(mv).expect("the move is legal");
    }
    if position.outcome().is_some() {
        return None;
    }
    let score = searcher.search_nodes(&position, NODES).score;
    (score.0.abs() <= FAIR).then_some(position)
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

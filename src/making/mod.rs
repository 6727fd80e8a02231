//! Sets of positions of our own making, so that nothing has to be taken from anybody's collection: from games
//! that our own search plays against itself. The same seed makes the same set, on every machine, as long as
//! search, evaluation and book stay as they are, and the reference, where one is asked, is the same and
//! counts its nodes on one thread. And what is made from anybody's games: [`book`] and [`library`].
//!
//! ```text
//!  blunders: games ──> positions that are quiet and even, by our own search alone
//!  collect:  games ──> candidates, by our own search ──> criterion (tactical, defence, quiet, mates)
//!                        ──> contrast: the reference's best move and its value, the best of all others
//! ```

pub mod blunders;
pub mod book;
pub mod collect;
pub mod criterion;
pub mod defence;
pub mod games;
pub mod library;
pub mod mates;
pub mod quiet;
pub mod tactical;

pub use collect::{Found, begun, collect};
pub use criterion::{Contrast, Criterion, Reference};
pub use defence::Defence;
pub use mates::Mates;
pub use quiet::Quiet;
pub use tactical::Tactical;

/// What to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe {
    pub count: u32,
    pub seed: u64,
}

/// The seed of the `number`-th game or position that a user's `seed` makes: the sequence that SplitMix64 is
/// made of, in steps of 2^64 over the golden ratio. In steps of one, neighbouring seeds would make nearly the
/// same games.
pub fn nth_seed(seed: u64, number: u64) -> u64 {
    seed.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// The part of a FEN that says where the men are.
fn board(fen: &str) -> &str {
    fen.split(' ').next().unwrap_or(fen)
}

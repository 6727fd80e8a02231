//! Promises of each search, on real positions.

mod backends;
mod genetic;
#[path = "../common/positions.rs"]
mod positions;
mod quiescence;

use kashan::rules::position::Position;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap()
}

/// Positions of random games, by seed: full of hanging pieces, checks and odd promotions.
fn random_positions(seed: u64, count: usize) -> Vec<Position> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut position = Position::default();
        for _ in 0..random.random_range(4..80) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position
                .play(moves[random.random_range(0..moves.len())])
                .unwrap();
        }
        if position.outcome().is_none() {
            positions.push(position);
        }
    }
    positions
}

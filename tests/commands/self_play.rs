//! Every backend plays against itself on a very short clock, with all assertions and overflow checks of the
//! debug build, and a second rules library watches.
//!
//! `KASHAN_SELF_PLAY_GAMES` sets the number of games for each backend; the default is small.

use std::time::Duration;

use kashan::engine::backend;
use kashan::engine::settings::{Backend, Settings};
use kashan::position::Position;
use kashan::search::clock::TimeSource;
use kashan::search::time_control::Budget;
use kashan::search::{Clock, Limits, Searcher};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use shakmaty::Position as _;

const MOVE_TIME: Duration = Duration::from_millis(20);

fn games() -> u64 {
    std::env::var("KASHAN_SELF_PLAY_GAMES").map_or(2, |games| games.parse().expect("a number of games"))
}

/// Plays one game from a random opening of six half-moves; returns its length.
fn play(searcher: &mut dyn Searcher, seed: u64) -> u32 {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut position = Position::default();
    let mut witness = position.to_shakmaty();
    let mut length = 0;
    while position.outcome().is_none() && length < 600 {
        let moves = position.legal_moves();
        let mv = if length < 6 {
            moves[random.random_range(0..moves.len())]
        } else {
            let clock = Clock::start(TimeSource::Wall, Some(Budget { soft: MOVE_TIME, hard: MOVE_TIME }));
            let report = searcher.search(&position, &Limits::default(), &clock, &mut ());
            report.best_move().expect("the game is not over")
        };
        let uci: shakmaty::uci::UciMove = mv.to_string().parse().unwrap();
        let legal =
            uci.to_move(&witness).unwrap_or_else(|error| panic!("{mv} in {}: {error}", position.to_fen()));
        witness.play_unchecked(legal);
        position.play(mv).unwrap_or_else(|error| panic!("{error} in {}", position.to_fen()));
        length += 1;
    }
    length
}

fn self_play(backend: Backend) {
    let mut settings = Settings::default();
    settings.set("Backend", backend.into_str()).unwrap();
    // Small enough for the tree to be full now and then.
    settings.set("Hash", "1").unwrap();
    let mut searcher = backend::build(&settings);
    let lengths: Vec<u32> = (0..games())
        .map(|seed| {
            searcher.new_game();
            play(searcher.as_mut(), seed)
        })
        .collect();
    let moves: u32 = lengths.iter().sum();
    println!("{}: {} games, {moves} half-moves, no illegal one", backend.into_str(), lengths.len());
    // Well past the opening. More is not certain: on a slow machine 20 ms are not enough to see a mate.
    assert!(moves > 10 * lengths.len() as u32);
}

#[test]
fn genetic_against_itself() {
    self_play(Backend::Genetic);
}

#[test]
fn alphabeta_against_itself() {
    self_play(Backend::AlphaBeta);
}

#[test]
fn minimax_against_itself() {
    self_play(Backend::MiniMax);
}

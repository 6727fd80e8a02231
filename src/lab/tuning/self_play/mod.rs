//! Games that our alpha-beta search plays against itself from random openings, with the score and
//! the result of every position: what a network is trained on.
//!
//! A network meets in a search positions that no player would allow: a queen down, or with a piece
//! hanging. Games from good openings do not have them. So these begin with moves by chance.

mod blocks;
mod file;
mod record;

use std::collections::BTreeMap;

use chess::{ChessMove, Color};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt as _, SeedableRng as _};

use super::games::Adjudication;
use super::nth_seed;
use crate::engine::{Backend, Settings, backend};
use crate::eval::Evaluation;
use crate::rules::position::Position;
use crate::search::{Clock, Limits, SearchReport, Searcher};
use crate::util::jobs::{Part, StopRequest, queue};

pub use blocks::{Blocks, Totals};
pub use file::GameFile;
pub use record::GameRecord;

/// How the games are played: all that decides them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// Positions after which a search for a move begins no iteration more.
    pub nodes: u64,
    pub seed: u64,
    /// What the games are played with.
    pub evaluation: Evaluation,
    /// Only a part of the games is played here.
    pub part: Option<Part>,
}

/// The memory of the search, in megabytes. It is cleared for each game, so that a game depends on
/// no other.
const MEMORY: &str = "1";
/// A search ends in the middle of an iteration when it has visited so many times the positions that
/// it should.
const HARD_LIMIT: u64 = 4;
/// Half-moves of the opening: from and to, both included.
const OPENING: (usize, usize) = (6, 9);
/// An opening is not begun from if one side is ahead by more, in centipawns.
const FAIR: i32 = 800;
/// A side that is ahead by so many centipawns, as both see it, on so many half-moves in a row has
/// won.
const WON: (i32, u32) = (1_500, 4);
/// Games that take longer are drawn, in half-moves behind the opening.
const LONGEST: usize = 400;

impl Recipe {
    /// The number of the game that is the `index`-th of those played here; both count from 0.
    pub fn number(&self, index: u64) -> u64 {
        self.part.map_or(index, |part| part.item(index))
    }
}

/// Plays both sides.
pub struct Player {
    searcher: Box<dyn Searcher>,
    limits: Limits,
    seed: u64,
}

impl Player {
    /// # Errors
    /// The recipe's options do not fit.
    pub fn new(recipe: &Recipe) -> anyhow::Result<Player> {
        let (backend, evaluation) = (Backend::AlphaBeta.into_str(), recipe.evaluation.into_str());
        let settings = Settings::with([
            ("Backend", backend),
            ("Evaluation", evaluation),
            ("Hash", MEMORY),
        ])?;
        let limits = Limits {
            soft_nodes: Some(recipe.nodes),
            nodes: Some(recipe.nodes.saturating_mul(HARD_LIMIT)),
            ..Limits::default()
        };
        Ok(Player {
            searcher: backend::build(&settings),
            limits,
            seed: recipe.seed,
        })
    }

    /// Plays the game with that number.
    pub fn game(&mut self, number: u64) -> GameRecord {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(nth_seed(self.seed, number));
        loop {
            if let Some(game) = self.play_out(random_opening(&mut random)) {
                return game;
            }
        }
    }

    /// The game that follows an opening; `None` if somebody is far ahead already.
    fn play_out(&mut self, opening: Vec<ChessMove>) -> Option<GameRecord> {
        self.searcher.new_game();
        let mut adjudication = Adjudication::of_wins(WON.0, WON.1);
        let mut game = GameRecord {
            opening,
            moves: Vec::new(),
            winner: None,
        };
        let mut position = game.start();
        loop {
            if let Some(outcome) = position.outcome() {
                game.winner = winner(outcome.result());
                return (!game.moves.is_empty()).then_some(game);
            }
            let SearchReport {
                score, variation, ..
            } = self.search(&position);
            if game.moves.is_empty() && score.0.abs() > FAIR {
                return None;
            }
            let result = adjudication.result(game.moves.len(), position.side_to_move(), score);
            let best = variation[0];
            game.moves.push((best, score));
            if result.is_some() || game.moves.len() == LONGEST {
                game.winner = result.and_then(winner);
                return Some(game);
            }
            position.play(best).expect("the search gives legal moves");
        }
    }

    fn search(&mut self, position: &Position) -> SearchReport {
        self.searcher
            .search(position, &self.limits, &Clock::unlimited(), &mut ())
    }
}

/// The winner by a result as PGN has it.
fn winner(result: &str) -> Option<Color> {
    match result {
        "1-0" => Some(Color::White),
        "0-1" => Some(Color::Black),
        _ => None,
    }
}

/// Some random moves from the usual start.
fn random_opening(random: &mut Xoshiro256PlusPlus) -> Vec<ChessMove> {
    let mut position = Position::default();
    let mut opening = Vec::new();
    for _ in 0..random.random_range(OPENING.0..=OPENING.1) {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let mv = legal[random.random_range(0..legal.len())];
        position.play(mv).expect("the move is legal");
        opening.push(mv);
    }
    opening
}

/// Plays the games from the `first`-th to before the `end`-th of those that belong here, and hands
/// them over in their order, whatever the number of threads.
///
/// # Errors
/// As `take`.
pub fn play(
    recipe: &Recipe,
    games: std::ops::Range<u64>,
    threads: usize,
    stop: &StopRequest,
    take: &mut dyn FnMut(&GameRecord) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let make_worker = |_| {
        let mut player = Player::new(recipe)?;
        Ok(move |index: u64| Ok(Some((index, player.game(recipe.number(index))))))
    };
    let mut wanted = games.start;
    let mut waiting = BTreeMap::new();
    queue::each(games, threads, make_worker, stop, |(index, game)| {
        waiting.insert(index, game);
        while let Some(game) = waiting.remove(&wanted) {
            take(&game)?;
            wanted += 1;
        }
        Ok(())
    })
}

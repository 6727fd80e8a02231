//! Games of our alpha-beta search against itself from random openings, with the score and the
//! result of every position: the data for training a network.
//!
//! A network meets in a search positions that no player would allow: a queen down, or with a piece
//! hanging. Games from good openings lack such positions, so these games begin with random moves,
//! some of them with weak moves behind.

mod record;

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::Context as _;
use chess::{ChessMove, Color};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::{Value, json};

use super::games::Adjudication;
use super::nth_seed;
use crate::engine::{Backend, Settings, backend};
use crate::eval::Evaluation;
use crate::rules::position::Position;
use crate::search::{Clock, Limits, SearchReport, Searcher};
use crate::util::files;
use crate::util::jobs::{Part, StopRequest, queue};

pub(super) use record::behind;
pub use record::{GameLine, GameRecord};

/// The complete settings of the games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// Positions after which a search for a move begins no further iteration.
    pub nodes: u64,
    pub seed: u64,
    /// The evaluation for the games, if there is no network for them.
    pub evaluation: Evaluation,
    pub network: Option<NetworkUsed>,
    /// Games of a hundred with an opening that goes on with weak moves.
    pub weak_openings: u32,
    /// The part of the games to play here; `None` for all.
    pub part: Option<Part>,
}

/// The file of the network for the games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkUsed {
    pub path: PathBuf,
    /// The CRC-32 of the file.
    pub checksum: u32,
}

impl NetworkUsed {
    /// # Errors
    /// The file cannot be read.
    pub fn of(path: PathBuf) -> anyhow::Result<NetworkUsed> {
        let content =
            std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let checksum = files::crc(&content);
        Ok(NetworkUsed { path, checksum })
    }
}

/// The memory of the search, in megabytes, cleared for each game, so that games are independent.
const MEMORY: &str = "1";
/// The limit of a search in the middle of an iteration, as a multiple of the intended positions.
const HARD_LIMIT: u64 = 4;
/// Half-moves of the opening: from and to, both included.
const OPENING: (usize, usize) = (6, 9);
/// The largest lead behind an opening of random moves alone, in centipawns.
const FAIR: i32 = 800;
/// The most half-moves of the weak part of an opening.
const WEAK_MOVES: usize = 60;
/// One of so many of these moves is random. The others are from a search of `WEAK_NODES` positions.
const RANDOM_ONE_OF: u32 = 4;
const WEAK_NODES: u64 = 10;
/// The lead in centipawns, in both sides' view, and the number of half-moves in a row, that win a
/// game.
const WON: (i32, u32) = (1_500, 4);
/// The longest game, in half-moves behind the opening; longer ones are drawn.
const LONGEST: usize = 400;

impl Recipe {
    /// Returns the settings of the journal. The program counts: another one may play other moves.
    pub fn settings(&self) -> Value {
        let network = self.network.as_ref();
        json!({
            "work": SELF_PLAY,
            "nodes": self.nodes,
            "seed": self.seed,
            "evaluation": self.evaluation,
            "network": network.map(|network| format!("{:08x}", network.checksum)),
            "weak_openings": self.weak_openings,
            "part": self.part.map(|part| part.to_string()),
            "program": env!("KASHAN_COMMIT"),
        })
    }

    /// Returns the number of the `index`-th game of this part; both count from 0.
    pub fn number(&self, index: u64) -> u64 {
        self.part.map_or(index, |part| part.item(index))
    }
}

/// Plays both sides.
pub struct Player {
    searcher: Box<dyn Searcher>,
    limits: Limits,
    weak_openings: u32,
    seed: u64,
}

/// The limits of a search that begins no further iteration after so many positions.
fn limits(nodes: u64) -> Limits {
    Limits {
        soft_nodes: Some(nodes),
        nodes: Some(nodes.saturating_mul(HARD_LIMIT)),
        ..Limits::default()
    }
}

impl Player {
    /// # Errors
    /// The recipe's options do not fit.
    pub fn new(recipe: &Recipe) -> anyhow::Result<Player> {
        let backend = Backend::AlphaBeta.into_str();
        let evaluation = recipe.evaluation.into_str();
        let network = recipe.network.as_ref().map(|network| &network.path);
        let network = network.map_or(Some(""), |path| path.to_str());
        let settings = Settings::with([
            ("Backend", backend),
            ("Evaluation", evaluation),
            ("Hash", MEMORY),
            ("NetworkFile", network.context("a path that is no text")?),
        ])?;
        Ok(Player {
            searcher: backend::build(&settings),
            limits: limits(recipe.nodes),
            weak_openings: recipe.weak_openings,
            seed: recipe.seed,
        })
    }

    /// Plays the game of a number.
    pub fn game(&mut self, number: u64) -> GameRecord {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(nth_seed(self.seed, number));
        let is_weak = self.weak_openings > 0 && random.random_range(0..100) < self.weak_openings;
        let largest_lead = if is_weak { WON.0 } else { FAIR };
        loop {
            let mut opening = random_opening(&mut random);
            if is_weak {
                self.go_on_weakly(&mut opening, &mut random);
            }
            if let Some(game) = self.play_out(opening, largest_lead) {
                return game;
            }
        }
    }

    /// Adds weak moves to an opening: after it, one side may be far ahead.
    fn go_on_weakly(&mut self, opening: &mut Vec<ChessMove>, random: &mut Xoshiro256PlusPlus) {
        self.searcher.new_game();
        let mut position = behind(opening);
        for _ in 0..random.random_range(1..=WEAK_MOVES) {
            if position.outcome().is_some() {
                break;
            }
            let mv = if random.random_range(0..RANDOM_ONE_OF) == 0 {
                random_move(&position, random)
            } else {
                search(self.searcher.as_mut(), &position, &limits(WEAK_NODES)).variation[0]
            };
            position.play(mv).expect("the move is legal");
            opening.push(mv);
        }
    }

    /// Plays the game after an opening; `None` if it is over there, or one side leads by more.
    fn play_out(&mut self, opening: Vec<ChessMove>, largest_lead: i32) -> Option<GameRecord> {
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
            let report = search(self.searcher.as_mut(), &position, &self.limits);
            let score = report.score;
            if game.moves.is_empty() && score.0.abs() > largest_lead {
                return None;
            }
            let result = adjudication.result(game.moves.len(), position.side_to_move(), score);
            let best = report.variation[0];
            game.moves.push((best, score));
            if result.is_some() || game.moves.len() == LONGEST {
                game.winner = result.and_then(winner);
                return Some(game);
            }
            position.play(best).expect("the search gives legal moves");
        }
    }
}

fn search(searcher: &mut dyn Searcher, position: &Position, limits: &Limits) -> SearchReport {
    searcher.search(position, limits, &Clock::unlimited(), &mut ())
}

/// The name of the work in its journals.
pub const SELF_PLAY: &str = "tune self-play";

/// Returns the winner by a result in PGN notation.
fn winner(result: &str) -> Option<Color> {
    match result {
        "1-0" => Some(Color::White),
        "0-1" => Some(Color::Black),
        _ => None,
    }
}

/// Some random moves from the usual start.
pub(super) fn random_opening(random: &mut Xoshiro256PlusPlus) -> Vec<ChessMove> {
    let mut position = Position::default();
    let mut opening = Vec::new();
    for _ in 0..random.random_range(OPENING.0..=OPENING.1) {
        if position.legal_moves().is_empty() {
            break;
        }
        let mv = random_move(&position, random);
        position.play(mv).expect("the move is legal");
        opening.push(mv);
    }
    opening
}

/// One of the legal moves.
fn random_move(position: &Position, random: &mut Xoshiro256PlusPlus) -> ChessMove {
    let legal = position.legal_moves();
    legal[random.random_range(0..legal.len())]
}

/// Plays the games from `first` to before `end` of this part, and hands them over in their order,
/// with any number of threads.
///
/// # Errors
/// The errors of `take`.
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::util::files::tests::in_a_folder;

    const RECIPE: Recipe = Recipe {
        nodes: 20,
        seed: 3,
        evaluation: Evaluation::Network,
        network: None,
        weak_openings: 0,
        part: None,
    };

    #[test]
    fn every_game_can_be_played_again_by_itself() {
        let mut games = Vec::new();
        let mut take = |game: &GameRecord| {
            games.push(game.clone());
            Ok(())
        };
        play(&RECIPE, 0..12, 2, &StopRequest::default(), &mut take).expect("games");
        let mut player = Player::new(&RECIPE).expect("a player");
        for (number, game) in games.iter().enumerate().rev() {
            assert_eq!(&player.game(number as u64), game, "game {number}");
            // From the opening on alone.
            let again = player.play_out(game.opening.clone(), FAIR);
            let again = again.expect("it was fair");
            assert_eq!(&again, game, "game {number}");
            assert!((6..=9).contains(&game.opening.len()));
        }
        assert!(games.iter().any(|game| game.winner.is_some()));
        let part = Recipe {
            part: "2/3".parse().ok(),
            ..RECIPE
        };
        assert_eq!([0, 1].map(|index| part.number(index)), [1, 4]);
    }

    #[test]
    fn openings_go_on_weakly_in_some_games() {
        let games = |weak_openings| {
            let recipe = Recipe {
                weak_openings,
                ..RECIPE
            };
            let mut player = Player::new(&recipe).expect("a player");
            (0..30)
                .map(|number| player.game(number))
                .collect::<Vec<_>>()
        };
        let longest = |games: &[GameRecord]| {
            let lengths = games.iter().map(|game| game.opening.len());
            lengths.max().expect("games")
        };
        assert!(longest(&games(0)) <= OPENING.1);
        let weak = games(100);
        assert_eq!(weak, games(100));
        assert!((40..=OPENING.1 + WEAK_MOVES).contains(&longest(&weak)));
        let leads = weak.iter().map(|game| game.moves[0].1.0.abs());
        assert!(leads.filter(|&lead| lead > FAIR).count() > 2);
        let some = games(50);
        let long = some.iter().filter(|game| game.opening.len() > OPENING.1);
        assert!((8..=22).contains(&long.count()));
    }

    #[test]
    fn a_network_plays_games_of_its_own_and_is_named_by_its_checksum() {
        let (_folder, path) = in_a_folder("network.nn");
        fs::write(&path, crate::eval::network::tests::by_chance().to_bytes()).expect("written");
        let network = NetworkUsed::of(path.clone()).expect("there");
        let recipe = Recipe {
            network: Some(network.clone()),
            ..RECIPE
        };
        let own = Player::new(&recipe).expect("a player").game(0);
        assert_ne!(own, Player::new(&RECIPE).expect("a player").game(0));
        assert_eq!(
            recipe.settings()["network"],
            format!("{:08x}", network.checksum)
        );
        let error = NetworkUsed::of(path.with_extension("none"));
        let error = error.expect_err("no file").to_string();
        assert!(error.contains("cannot read"), "{error}");
    }
}

//! Positions with the results of their games: our alpha-beta search plays against itself, fast and
//! often.

use chess::{ChessMove, EMPTY};
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::index;
use rand::{RngExt, SeedableRng};
use serde::Serialize;

use super::{games, nth_seed};
use crate::engine::{Backend, Settings, backend};
use crate::eval::Evaluation;
use crate::rules::book::Book;
use crate::rules::position::{Position, moves};
use crate::rules::score::Score;
use crate::search::{SearchReport, Searcher};
use crate::util::jobs::{StopRequest, queue};

/// The recipe for the games and for the number of positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Recipe {
    /// Searched for each move.
    pub nodes: u64,
    pub seed: u64,
    /// Positions of a game at most.
    pub per_game: u32,
    /// The evaluation for the games.
    pub evaluation: Evaluation,
}

/// The memory of the search, in megabytes, cleared for each game.
const MEMORY: &str = "2";
/// Half-moves of the opening: from and to, both included.
const OPENING: (usize, usize) = (6, 10);
/// The nodes of the search that judges an opening.
const OPENING_NODES: u64 = 1_000;
/// Positions looked at for one opening.
const OPENING_TRIES: usize = 1_000;
/// The probability of a book move in the opening, if the book has one; the others are any legal
/// moves.
const BOOK: f64 = 0.5;
/// An opening is not begun from if one side is ahead by more, in centipawns.
const FAIR: i32 = 250;

/// Begins every file of samples.
pub const MARK: &str = "# Positions with the results of their games (c9), made by Kashan ";

impl Recipe {
    /// Returns the lines above the positions: a description, and the command to make them again.
    pub fn head(&self, games: usize) -> String {
        let Recipe {
            nodes,
            seed,
            per_game,
            evaluation,
        } = self;
        let evaluation: &str = evaluation.into();
        format!(
            "{MARK}{version}: {games} games of its alpha-beta search against itself.\n\
             #     kashan tune samples --games {games} --nodes {nodes} --seed {seed} --per-game {per_game} --evaluation {evaluation}\n\
             # Nobody is in check, and the best move takes and promotes nothing; ce is its value for the side to move. The id names the game.\n",
            version = env!("CARGO_PKG_VERSION"),
        )
    }
}

/// Plays the games with these numbers on several threads; the same recipe makes the same games.
/// `take` gets the number and the lines of each game that is over.
///
/// # Errors
/// The errors of `take`.
pub fn play(
    recipe: &Recipe,
    games: Vec<usize>,
    threads: usize,
    stop: &StopRequest,
    take: &mut dyn FnMut(usize, String) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let make_worker = |_| {
        let mut player = Player::new(recipe)?;
        Ok(move |number: usize| Ok(Some((number, player.game(number as u64)))))
    };
    queue::each(games, threads, make_worker, stop, |(number, lines)| {
        take(number, lines)
    })
}

/// Plays both sides.
struct Player {
    searcher: Box<dyn Searcher>,
    book: Book,
    recipe: Recipe,
}

/// A position of a game, and its value for the side to move, as a line of EPD.
fn line(fen: &str, score: Score, result: &str, game: u64) -> String {
    let mut fields = fen.rsplitn(3, ' ');
    let [full_moves, half_moves, position] = [(); 3].map(|()| fields.next().unwrap_or_default());
    let value = score.0;
    format!(
        "{position} c9 \"{result}\"; ce {value}; fmvn {full_moves}; hmvc {half_moves}; id \"game {game}\";\n"
    )
}

impl Player {
    fn new(recipe: &Recipe) -> anyhow::Result<Player> {
        let backend = Backend::AlphaBeta.into_str();
        let evaluation = recipe.evaluation.into_str();
        let settings = Settings::with([
            ("Backend", backend),
            ("Evaluation", evaluation),
            ("Hash", MEMORY),
        ])?;
        Ok(Player {
            searcher: backend::build(&settings),
            book: Book::built_in(),
            recipe: *recipe,
        })
    }

    /// Plays a game: returns its lines, none without a result.
    fn game(&mut self, number: u64) -> String {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(nth_seed(self.recipe.seed, number));
        self.searcher.new_game();
        let position = loop {
            if let Some(position) = self.opening(&mut random) {
                break position;
            }
        };
        let mut candidates = Vec::new();
        let take = |position: &Position, best, score: Score| {
            if is_quiet(position, best) && score.0.abs() < games::WON {
                candidates.push((position.to_fen(), score));
            }
        };
        let Some(result) = games::play_out(position, |position| self.search(position), take) else {
            return String::new();
        };
        let count = candidates.len().min(self.recipe.per_game as usize);
        let mut taken = index::sample(&mut random, candidates.len(), count).into_vec();
        taken.sort_unstable();
        let taken = taken.into_iter().map(|index| &candidates[index]);
        taken
            .map(|(fen, score)| line(fen, *score, result, number + 1))
            .collect()
    }

    /// Plays a few half-moves from the start; `None` if one side is far ahead then.
    fn opening(&mut self, random: &mut Xoshiro256PlusPlus) -> Option<Position> {
        let mut position = Position::default();
        let seed = random.random();
        for _ in 0..random.random_range(OPENING.0..=OPENING.1) {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let known = random
                .random_bool(BOOK)
                .then(|| self.book.probe(&position, seed))
                .flatten();
            let mv = known.unwrap_or_else(|| legal[random.random_range(0..legal.len())]);
            position.play(mv).expect("the move is legal");
        }
        (position.outcome().is_none() && self.search(&position).score.0.abs() <= FAIR)
            .then_some(position)
    }

    fn search(&mut self, position: &Position) -> SearchReport {
        self.searcher.search_nodes(position, self.recipe.nodes)
    }
}

/// Returns a position for the beginning of a game: a few half-moves behind the start, random ones
/// or of our book, with neither side far ahead by a short search. The same seed makes the same
/// position. `None` if none is found.
pub fn opening(seed: u64) -> Option<Position> {
    let evaluation = Evaluation::Kashan;
    let recipe = Recipe {
        nodes: OPENING_NODES,
        seed,
        per_game: 0,
        evaluation,
    };
    let mut player = Player::new(&recipe).expect("the settings are our own");
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    (0..OPENING_TRIES).find_map(|_| player.opening(&mut random))
}

fn is_quiet(position: &Position, best: ChessMove) -> bool {
    let board = position.board();
    *board.checkers() == EMPTY && !moves::is_capture(board, best) && best.get_promotion().is_none()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::rules::pgn::epd::EpdLine;

    const RECIPE: Recipe = Recipe {
        nodes: 60,
        seed: 3,
        per_game: 5,
        evaluation: Evaluation::Paper,
    };

    fn made(threads: usize) -> String {
        let mut games = BTreeMap::new();
        let mut take = |number, lines| {
            games.insert(number, lines);
            Ok(())
        };
        let stop = StopRequest::default();
        play(&RECIPE, (0..6).collect(), threads, &stop, &mut take).expect("samples");
        games.into_values().collect()
    }

    #[test]
    fn a_seed_makes_the_same_with_any_number_of_threads() {
        let text = made(1);
        assert_eq!(made(3), text);
        let mut per_game = BTreeMap::new();
        for line in text.lines() {
            let line = EpdLine::read(line).expect("EPD");
            let result = line.operands("c9").expect("a result");
            assert!(["1-0", "0-1", "1/2-1/2"].contains(&result), "{result}");
            let position = Position::from_fen(&line.fen).expect("a position");
            assert!(*position.board().checkers() == EMPTY);
            *per_game
                .entry(line.operands("id").expect("a name").to_owned())
                .or_insert(0) += 1;
        }
        assert!(
            per_game.len() >= 2 && per_game.values().all(|&count| count <= 5),
            "{per_game:?}"
        );
    }
}

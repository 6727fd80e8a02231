//! Positions of our own, by seed, and searches of them: for experiments inside a search, without an
//! opponent.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use anyhow::Context as _;
use chess::ChessMove;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt as _, SeedableRng as _};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use super::Laboratory;
use crate::arena::suite::blunders::Case;
use crate::arena::suite::{Phase, PositionList};
use crate::eval::{Dynamic, Winglet};
use crate::lab::tuning::nth_seed;
use crate::rules::book::Book;
use crate::rules::position::Position;
use crate::search::genetic::Genetic;
use crate::search::genetic::params::GeneticOptions;
use crate::search::{AlphaBeta, AlphaBetaOptions, Searcher as _};
use crate::util::options::OptionGroup as _;

/// Positions are taken between these half-moves.
const FIRST: u32 = 16;
const LAST: u32 = 80;
/// A position is not decided yet within this, in centipawns, by a search of so many nodes.
const OPEN: i32 = 300;
const JUDGE_NODES: u64 = 3_000;
/// The number of games to try for a position; most give one.
const TRIES: u64 = 50;

/// Returns the `index`-th position of a seed: a middlegame at a random point of a game of our
/// alpha-beta search against itself, with 300 to 700 nodes a move, after moves of our book.
/// Captures and check are possible; the only conditions are that neither side is more than three
/// pawns ahead, and a choice of moves. The position has no history: its FEN is complete.
///
/// # Errors
/// None of the games gave a position.
pub fn middlegame(seed: u64, index: usize) -> anyhow::Result<Position> {
    of_first_game(seed, index, game).with_context(|| format!("no middlegame in {TRIES} games"))
}

/// Returns the position of the first game, among the games for an index, that gives one.
pub fn of_first_game(
    seed: u64,
    index: usize,
    mut game: impl FnMut(u64) -> Option<Position>,
) -> Option<Position> {
    // Far apart, so that neighbouring numbers share no game.
    (0..TRIES).find_map(|number| game(nth_seed(seed, index as u64 * TRIES + number)))
}

/// The moves of a line in standard notation with blanks between; `None` if one of them cannot be
/// played.
pub fn moves(root: &Position, line: &str) -> Option<Vec<ChessMove>> {
    let mut position = root.clone();
    line.split(' ')
        .map(|san| {
            let mv = position.parse_move(san).ok()?;
            position.play(mv).ok()?;
            Some(mv)
        })
        .collect()
}

/// Our book.
pub fn book() -> &'static Book {
    static BOOK: OnceLock<Book> = OnceLock::new();
    BOOK.get_or_init(Book::built_in)
}

fn game(seed: u64) -> Option<Position> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut searcher = alphabeta();
    let length = random.random_range(FIRST..=LAST);
    let nodes = random.random_range(300..=700);
    let mut position = Position::default();
    for _ in 0..length {
        if position.outcome().is_some() {
            return None;
        }
        play_on(&mut position, random.random(), &mut searcher, nodes)?;
    }
    let position = Position::from_fen(&position.to_fen()).ok()?;
    let is_wanted = position.outcome().is_none()
        && position.legal_moves().len() > 1
        && Phase::of(&position.to_shakmaty()) == Phase::Middlegame;
    searcher.new_game();
    (is_wanted && searcher.search_nodes(&position, JUDGE_NODES).score.0.abs() <= OPEN)
        .then_some(position)
}

/// Plays a move of our book, drawn by a seed, or else of a search; `None` if there is none.
fn play_on(
    position: &mut Position,
    seed: u64,
    searcher: &mut AlphaBeta<Dynamic>,
    nodes: u64,
) -> Option<()> {
    let from_book = book().probe(position, seed);
    let mv = from_book.or_else(|| searcher.search_nodes(position, nodes).best_move())?;
    position.play(mv).ok()
}

/// Positions as the blunder check takes them.
///
/// # Errors
/// A FEN is of no legal position.
pub fn cases(fens: &[String]) -> anyhow::Result<Vec<Case>> {
    let list = PositionList::of("positions.epd", (fens.join("\n") + "\n").as_bytes());
    list.positions.iter().map(Case::of_position).collect()
}

/// Returns the paper's evaluation, for searches.
pub fn paper() -> Dynamic {
    Arc::new(Winglet::default())
}

/// Our alpha-beta search with a small table.
pub fn alphabeta() -> AlphaBeta<Dynamic> {
    AlphaBeta::with_memory(paper(), AlphaBetaOptions::default(), 4)
}

/// The genetic search with some options, at the start of a game of that seed.
///
/// # Errors
/// There is no such option, or the value does not fit.
pub fn genetic(options: &[(&str, &str)], seed: u64) -> anyhow::Result<Genetic<Dynamic>> {
    let mut chosen = GeneticOptions::default();
    for (name, value) in options {
        chosen.set(name, value)?;
    }
    let mut genetic = Genetic::new(paper(), chosen);
    genetic.seed = seed;
    genetic.new_game();
    Ok(genetic)
}

/// Returns the results of `look` in each of the first `count` middlegames of the conditions' seed.
/// `terms` are all other values that the results depend on.
///
/// # Errors
/// The errors of [`Laboratory::each`]; positions that cannot be made.
pub fn survey<T: Serialize + DeserializeOwned + Send>(
    laboratory: &Laboratory,
    work: &str,
    count: usize,
    terms: &[(&str, u64)],
    look: impl Fn(&Position) -> anyhow::Result<T> + Sync,
) -> anyhow::Result<Vec<T>> {
    let seed = laboratory.conditions.seed;
    let settings: BTreeMap<&str, u64> = terms.iter().copied().chain([("seed", seed)]).collect();
    laboratory.each(work, &json!(settings), count, |index| {
        look(&middlegame(seed, index)?)
    })
}

/// Returns the results of `look` in the genetic search, after a search of each position of a
/// [`survey`] with so many nodes.
pub fn after_searches<T: Serialize + DeserializeOwned + Send>(
    laboratory: &Laboratory,
    work: &str,
    count: usize,
    nodes: u64,
    look: impl Fn(&Position, &Genetic<Dynamic>) -> T + Sync,
) -> anyhow::Result<Vec<T>> {
    let seed = laboratory.conditions.seed;
    survey(laboratory, work, count, &[("nodes", nodes)], |position| {
        let mut search = genetic(&[], seed)?;
        search.search_nodes(position, nodes);
        Ok(look(position, &search))
    })
}

/// Converts a move for shakmaty, which knows nothing of the search; `None` if the move is not legal
/// there.
pub fn by_witness(game: &shakmaty::Chess, mv: ChessMove) -> Option<shakmaty::Move> {
    let uci: shakmaty::uci::UciMove = mv.to_string().parse().ok()?;
    uci.to_move(game).ok()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_same_seed_makes_the_same_positions() {
        let make = |seed, index| middlegame(seed, index).expect("a position").to_fen();
        let made: Vec<String> = (0..6).map(|index| make(1, index)).collect();
        assert_eq!(made, (0..6).map(|index| make(1, index)).collect::<Vec<_>>());
        let different: BTreeSet<String> = made.iter().cloned().chain([make(2, 0)]).collect();
        assert_eq!(different.len(), 7);
        for fen in &made {
            let position = Position::from_fen(fen).expect("a position");
            assert_eq!(
                Phase::of(&position.to_shakmaty()),
                Phase::Middlegame,
                "{fen}"
            );
            assert!(position.outcome().is_none() && position.fullmove_number() >= FIRST / 2);
        }
    }

    #[test]
    fn the_witness_knows_the_rules() {
        let game = Position::default().to_shakmaty();
        let is_legal = |text: &str| by_witness(&game, text.parse().expect("squares")).is_some();
        assert_eq!(["e2e4", "e2e5"].map(is_legal), [true, false]);
    }
}

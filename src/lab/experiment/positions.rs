//! Positions of our own, by seed, and searches of them, also with a branch put by hand into the
//! initial population: for experiments inside a search, without an opponent.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use anyhow::Context as _;
use chess::ChessMove;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt as _, SeedableRng as _};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use super::{Conditions, Laboratory};
use crate::arena::suite::blunders::Case;
use crate::arena::suite::{Phase, PositionList};
use crate::eval::{Dynamic, Winglet};
use crate::lab::tuning::nth_seed;
use crate::rules::book::Book;
use crate::rules::position::Position;
use crate::search::genetic::history::Timeline;
use crate::search::genetic::paper::birth::{Birth, Breeder};
use crate::search::genetic::paper::evolution;
use crate::search::genetic::params::{GeneticOptions, Leaves, Preset};
use crate::search::genetic::report::News;
use crate::search::genetic::search::Search;
use crate::search::genetic::tree::ReservationTree;
use crate::search::genetic::{DEFAULT_MEGABYTES, Genetic};
use crate::search::{AlphaBeta, AlphaBetaOptions, Clock, Limits, SearchReport, Searcher as _};
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

/// Returns the results of `look` in the genetic search, with the conditions' preset, after a search
/// of each position of a [`survey`] with so many nodes.
pub fn after_searches<T: Serialize + DeserializeOwned + Send>(
    laboratory: &Laboratory,
    work: &str,
    count: usize,
    nodes: u64,
    look: impl Fn(&Position, &Genetic<Dynamic>) -> anyhow::Result<T> + Sync,
) -> anyhow::Result<Vec<T>> {
    let Conditions { preset, seed, .. } = laboratory.conditions;
    let of_preset = format!("{work}-{}", preset.into_str());
    let work = if preset == Preset::Paper {
        work
    } else {
        &of_preset
    };
    survey(laboratory, work, count, &[("nodes", nodes)], |position| {
        let mut search = genetic(&[], seed)?;
        search.options = preset.options();
        search.search_nodes(position, nodes);
        look(position, &search)
    })
}

/// Converts a move for shakmaty, which knows nothing of the search; `None` if the move is not legal
/// there.
pub fn by_witness(game: &shakmaty::Chess, mv: ChessMove) -> Option<shakmaty::Move> {
    let uci: shakmaty::uci::UciMove = mv.to_string().parse().ok()?;
    uci.to_move(game).ok()
}

/// Searches with a preset and so many nodes, with `branch` and its quiescence branches added to the
/// initial population: returns the reports before the first generation and at the end.
///
/// `None` if the branch is not new or cannot be made here, or the nodes are too few for the initial
/// population, or the preset is `strong`, with another initial population.
pub fn planted(
    root: &Position,
    branch: &[ChessMove],
    preset: Preset,
    seed: u64,
    nodes: u64,
) -> Option<[SearchReport; 2]> {
    let options = preset.options();
    if options.leaves == Leaves::AlphaBeta {
        return None;
    }
    let capacity = ReservationTree::capacity_of(DEFAULT_MEGABYTES);
    with_breeder(
        root,
        &options,
        capacity,
        seed,
        &Limits::of_nodes(nodes),
        |breeder| {
            evolution::initial_population(breeder).ok()?;
            breeder.cursor.walk_to(&[], &[]);
            if breeder.add_branch(branch, false) != Ok(Birth::New) {
                return None;
            }
            let at_once = evolution::report(&breeder.search);
            evolution::generations(
                breeder,
                &mut Timeline::default(),
                &mut News::default(),
                &mut (),
            );
            Some([at_once, evolution::report(&breeder.search)])
        },
    )
}

/// Works with a search before its beginning, on a tree for `capacity` nodes.
pub fn with_breeder<T>(
    root: &Position,
    options: &GeneticOptions,
    capacity: usize,
    seed: u64,
    limits: &Limits,
    work: impl FnOnce(&mut Breeder<'_, Dynamic>) -> T,
) -> T {
    let evaluator = paper();
    let clock = Clock::unlimited();
    let mut tree = ReservationTree::with_capacity(capacity);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let search = Search::new(
        &evaluator,
        options,
        &mut tree,
        &mut random,
        root,
        limits,
        &clock,
    );
    work(&mut Breeder::new(search, root))
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

    #[test]
    fn a_planted_branch_is_in_the_search() {
        let root = Position::default();
        // Scholar's mate: Black would have to help.
        let mate = moves(&root, "e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7").expect("moves");
        let [at_once, later] =
            planted(&root, &mate, Preset::Paper, 1, 20_000).expect("a new branch");
        assert_eq!(at_once.selective_depth, 7);
        assert!(later.nodes > at_once.nodes && !at_once.score.is_mate());
        // Every pair is there.
        assert!(planted(&root, &mate[..2], Preset::Letter, 1, 20_000).is_none());
        assert!(
            planted(&root, &mate, Preset::Paper, 1, 10).is_none(),
            "too few nodes"
        );
        assert!(
            planted(&root, &mate, Preset::Strong, 1, 20_000).is_none(),
            "another search"
        );
    }
}

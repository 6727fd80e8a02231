//! C1 and C12: the number of branches in the initial population, and two levels of the population
//! against one.

use anyhow::Context as _;
use serde::{Deserialize, Serialize};
use serde_json::json;
use shakmaty::Position as _;

use crate::arena::EngineLimits;
use crate::lab::experiment::laboratory::{Match, PlayedMatch, ours};
use crate::lab::experiment::positions::{genetic, survey};
use crate::lab::experiment::{ClaimVerdict, Conclusion, Conditions, Laboratory, Part, Text};
use crate::rules::position::Position;
use crate::search::Searcher as _;
use crate::search::genetic::params::Preset;

/// The numbers of an initial population.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
struct Census {
    branches: usize,
    /// Nodes on the first two levels of the tree.
    first_level: u32,
    second_level: u32,
}

/// A position with its two populations.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Counted {
    fen: String,
    /// Legal moves, counted by shakmaty.
    moves: usize,
    /// The count by shakmaty: every reply to every move; a move that ends the game counts once, as
    /// a branch by itself.
    pairs: usize,
    one_level: Census,
    two_levels: Census,
}

impl Counted {
    fn new(position: &Position, seed: u64) -> anyhow::Result<Counted> {
        let (moves, pairs) = expected(position);
        Ok(Counted {
            fen: position.to_fen(),
            moves,
            pairs,
            one_level: census(position, "1", seed)?,
            two_levels: census(position, "2", seed)?,
        })
    }

    fn is_as_claimed(&self) -> bool {
        self.one_level.branches == self.moves
            && self.one_level.first_level as usize == self.moves
            && self.two_levels.branches == self.pairs
            && self.two_levels.first_level as usize == self.moves
    }
}

/// C1: The initial population.
pub fn run(laboratory: &Laboratory, text: &Text) -> anyhow::Result<Conclusion> {
    let conditions = &laboratory.conditions;
    let seed = conditions.seed;
    let count = conditions.pick(40, 400);
    let counted = survey(laboratory, "c1-populations", count, &[], |position| {
        Counted::new(position, seed)
    })?;
    let right = counted.iter().filter(|one| one.is_as_claimed()).count();
    let parts = vec![Part::exact(
        "Elsewhere as many as there are moves, and with two levels as many as there are pairs of moves",
        right == counted.len(),
        format!("{right} of {} positions", counted.len()),
    )];
    let data = json!({ "positions": counted });
    Ok(text.conclude(laboratory, &[("count", &count)], parts, data))
}

/// Moves and pairs of moves by shakmaty.
fn expected(position: &Position) -> (usize, usize) {
    let game = position.to_shakmaty();
    let moves = game.legal_moves();
    let mut pairs = 0;
    for &mv in &moves {
        let mut after = game.clone();
        after.play_unchecked(mv);
        pairs += if after.is_game_over() || after.halfmoves() >= 100 {
            1
        } else {
            after.legal_moves().len()
        };
    }
    (moves.len(), pairs)
}

/// Counts the initial population of a search without quiescence branches: each branch ends where
/// its moves end.
fn census(position: &Position, levels: &str, seed: u64) -> anyhow::Result<Census> {
    let options = [
        ("Levels", levels),
        ("CrossoverRate", "0"),
        ("MutationRate", "0"),
        ("QuiescenceFrom", "never"),
    ];
    let mut search = genetic(&options, seed)?;
    search.search_nodes(position, u64::MAX);
    let tree = search.tree().context("there was no search")?;
    let mut branches = 0;
    tree.visit(|node, _| branches += usize::from(tree.own_value(node).is_some()));
    let nodes = |level: usize| tree.level_counts().get(level).copied().unwrap_or(0);
    Ok(Census {
        branches,
        first_level: nodes(1),
        second_level: nodes(2),
    })
}

/// The 72.5 % of Table 6 in Elo.
const GAIN: f64 = 168.0;

/// The matches of two levels against one: at the same time a move, and with few nodes a move, where
/// a search does not have all pairs of moves soon.
pub fn matches(conditions: &Conditions) -> Vec<Match> {
    let one = |limits: EngineLimits, games: u32| {
        let engines = [("Two levels", "2"), ("One level", "1")].map(|(name, levels)| {
            let options = [("Levels", levels), ("MoveOverhead", "5")];
            ours(conditions, name, "genetic", &options)
        });
        Match::new("c12-levels", limits.to_string(), engines, limits, games)
    };
    let limits = conditions.limits("0.02/move", "0.1/move");
    let claim = format!("Two levels are stronger than one, {limits}");
    let mut matches = vec![one(limits, conditions.games(40, 500)).claiming(claim)];
    if !conditions.are_reproducible() {
        for (nodes, quick) in [(5_000, 20), (20_000, 10)] {
            let games = conditions.games(quick, 400);
            matches.push(one(EngineLimits::of_nodes(nodes), games));
        }
    }
    matches
}

/// C12: Two levels of the initial population against one.
pub fn levels(laboratory: &Laboratory, text: &Text) -> anyhow::Result<Conclusion> {
    if laboratory.conditions.preset == Preset::Strong {
        let why = "the preset strong begins with every move of the root, whatever Levels says";
        return Ok(Conclusion::not_run(
            "Two levels are stronger than one",
            why,
            "nothing was played",
        ));
    }
    let played_matches = laboratory.play_all(matches(&laboratory.conditions))?;
    let Match { limits, games, .. } = played_matches[0].wanted;
    let mut parts: Vec<Part> = played_matches.iter().map(PlayedMatch::part).collect();
    let statement = format!("They are worth {GAIN:+.0} Elo, as in Table 6, {limits}");
    let verdict = ClaimVerdict::of_elo([GAIN; 2], &played_matches[0].encounter);
    let gain = Part::new(statement, verdict, played_matches[0].in_words());
    parts.insert(1, gain);
    Ok(text
        .conclude(
            laboratory,
            &[("limits", &limits), ("games", &games)],
            parts,
            &played_matches,
        )
        .with_endings(&played_matches))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_is_as_claimed() {
        let start = Counted::new(&Position::default(), 1).expect("counted");
        assert_eq!(
            (start.moves, start.pairs, start.two_levels.second_level),
            (20, 400, 400)
        );
        assert!(start.is_as_claimed(), "{start:?}");
        let wrong = Counted {
            pairs: 401,
            ..start
        };
        assert!(!wrong.is_as_claimed());
    }

    #[test]
    fn a_move_that_ends_the_game_is_a_branch_by_itself() {
        // Ra8 mates; every other move has replies.
        let position = Position::from_fen("7k/6pp/8/8/8/8/8/R3K3 w - - 0 1").expect("a position");
        let counted = Counted::new(&position, 1).expect("counted");
        assert!(counted.is_as_claimed(), "{counted:?}");
    }
}

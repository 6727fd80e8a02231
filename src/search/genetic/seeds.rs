//! Branches of the initial population that a library gives: games are longer than branches, so that for each
//! root move those that are most like it give not only an answer but how it went on.

use super::search::Search;
use crate::position::Position;
use crate::search::Variation;
use crate::search::action::Adviser;

/// Games for each root move.
const GAMES: usize = 4;
/// Half-moves of each game.
const PLIES: usize = 10;

/// Branches from the root, those of each root move together. Only their first two moves are known to be
/// legal.
pub fn of<E>(root: &Position, search: &Search<'_, E>, adviser: &mut dyn Adviser) -> Vec<Variation> {
    let mut seeds = Vec::new();
    for &mv in &search.root_moves {
        let mut after = root.clone();
        if after.play(mv).is_err() || search.gate.clock().should_stop(0) {
            continue;
        }
        for line in adviser.continuations(&after, GAMES, PLIES) {
            seeds.push([mv].into_iter().chain(line).take(1 + PLIES).collect());
        }
    }
    seeds
}

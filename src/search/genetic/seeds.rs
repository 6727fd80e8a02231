//! Branches of the initial population that a library gives: games are longer than branches, so that for each
//! root move those that are most like it give not only an answer but how it went on.

use crate::position::Position;
use crate::search::action::CaseBase;
use crate::search::{Clock, Limits, Variation};

/// Games for each root move.
const GAMES: usize = 4;
/// Half-moves of each game.
const PLIES: usize = 10;

/// Percent of a search's time that looking for them may take.
const SHARE: u32 = 20;

/// Branches from the root, those of each root move together. Only their first two moves are known to be
/// legal.
pub fn of(root: &Position, limits: &Limits, clock: &Clock, case_base: &mut dyn CaseBase) -> Vec<Variation> {
    let mut seeds = Vec::new();
    clock.begin_part(SHARE, 0);
    for mv in limits.root_moves(root) {
        let mut after = root.clone();
        if after.play(mv).is_err() || clock.should_stop(0) {
            continue;
        }
        for line in case_base.continuations(&after, GAMES, PLIES) {
            seeds.push([mv].into_iter().chain(line).take(1 + PLIES).collect());
        }
    }
    clock.begin_part(100, 0);
    seeds
}

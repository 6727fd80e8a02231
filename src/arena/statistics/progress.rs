//! How an estimate grew with the games.

use super::{Encounter, Estimate, Results, Unit};

/// The Elo difference after some of the games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Games so far.
    pub games: u32,
    pub elo: Estimate,
}

/// How `player` stood against `opponent` after each game, pairs that were complete by then counted as pairs.
/// Of long matches no more than about `steps` moments are given, the last one always.
pub fn progress(results: &Results, player: usize, opponent: usize, steps: usize) -> Vec<Step> {
    let both = |game_of: &super::RatedGame| {
        [(player, opponent), (opponent, player)].contains(&(game_of.white, game_of.black))
    };
    let games: Vec<_> = results.games().iter().copied().filter(both).collect();
    let stride = games.len().div_ceil(steps.max(1)).max(1);
    let mut waiting: Vec<super::RatedGame> = Vec::new();
    let mut complete = Encounter::default();
    let mut progress = Vec::new();
    for (index, &game) in games.iter().enumerate() {
        match waiting.iter().position(|first| first.is_pair_with(&game)) {
            Some(first) => complete.add(player, &Unit { first: waiting.remove(first), second: Some(game) }),
            None => waiting.push(game),
        }
        if (index + 1) % stride != 0 && index + 1 != games.len() {
            continue;
        }
        let mut so_far = complete;
        for &game in &waiting {
            so_far.add(player, &Unit { first: game, second: None });
        }
        progress.extend(so_far.outcomes.elo().map(|elo| Step { games: so_far.score.games(), elo }));
    }
    progress
}

//! Ratings of players who won, or lost, every game that ties them to the rest.

use super::fit::Meeting;
use super::groups::Group;

/// The chance of the results at the end of a one-sided 95 % interval, as at either end of a two-sided one.
const DOUBT: f64 = 0.025;

/// Moves the ratings of the sets above and below each core to where their results against the core, and
/// against the sets between, would have come about half of the time. Returns the ends of the one-sided
/// intervals by coordinate: lower ones above the core, upper ones below; of the core the ratings themselves.
/// `ties` are the meetings of players who are not linked with each other.
pub(super) fn place(groups: &[Group], ties: &[Meeting], at: &mut [f64]) -> Vec<f64> {
    let mut ties_of = vec![Vec::new(); at.len()];
    for tie in ties {
        ties_of[tie.white].push((tie, tie.black));
        ties_of[tie.black].push((tie, tie.white));
    }
    let mut limits = at.to_vec();
    for group in groups {
        for (sets, side) in [(&group.above, 1.0), (&group.below, -1.0)] {
            if sets.is_empty() {
                continue;
            }
            let mut is_placed = vec![false; at.len()];
            group.core.iter().for_each(|&player| is_placed[player] = true);
            for set in sets {
                // How far each game's winner is ahead before anything is moved: of the opponent's rating, and
                // of its bound.
                let (mut ahead, mut ahead_of_limit) = (Vec::new(), Vec::new());
                for &player in set {
                    for &(tie, opponent) in
                        ties_of[player].iter().filter(|(_, opponent)| is_placed[*opponent])
                    {
                        let white = if tie.white == player { at[at.len() - 1] } else { -at[at.len() - 1] };
                        ahead.push((side * (at[player] + white - at[opponent]), tie.games));
                        ahead_of_limit.push((side * (at[player] + white - limits[opponent]), tie.games));
                    }
                }
                let [middle, end] = [shift(&ahead, 0.5), shift(&ahead_of_limit, DOUBT)];
                for &player in set {
                    limits[player] = at[player] + side * end;
                    at[player] += side * middle;
                    is_placed[player] = true;
                }
            }
        }
    }
    limits
}

/// How much further ahead the winners of some games must be to win them all with this probability, of the
/// score that each game leads to expect. A game is given as how far its winner is ahead and how often it was
/// played.
fn shift(games: &[(f64, f64)], probability: f64) -> f64 {
    let ln_all_won = |shift: f64| -> f64 {
        games.iter().map(|(ahead, count)| -count * (-ahead - shift).exp().ln_1p()).sum()
    };
    // Against opponents who were all as far behind as one of them, there is a formula.
    let each = probability.powf(1.0 / games.iter().map(|(_, count)| count).sum::<f64>());
    let alone = |ahead: f64| (each / (1.0 - each)).ln() - ahead;
    let (mut low, mut high) = games
        .iter()
        .map(|(ahead, _)| alone(*ahead))
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), end| (low.min(end), high.max(end)));
    while high - low > 1e-9 {
        let middle = low + (high - low) / 2.0;
        if ln_all_won(middle) < probability.ln() {
            low = middle;
        } else {
            high = middle;
        }
    }
    low + (high - low) / 2.0
}
